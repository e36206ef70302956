-- Verdicts on claims: "holds", "holds when", "mixed: 3 of 8" and "does not hold", from measurements.
--
--   for _, v in ipairs(judge.all(rows, metrics, trials, turns, ranges)) do print(v.claim, v.verdict, v.condition) end
--
-- A row is a claim:
--   id, claim        its name, and the claim in a few words
--   `says`           the source document's statement, in a sentence
--   refuted          what would refute it
--   questions        those of a skeptic, and the methods that answer (heddle.claims.questions)
--   methods, rivals  names of the methods that are claimed to be better, and of the others: the cheapest of each counts
--   metric           the compared cost, a key of `metrics`
--   margin           the share that costs must differ by to count as different (the metric's, else study.MARGIN)
--   on               kinds of trials on which it is judged (all)
--   by               the axis of its condition, a key of the trials' `at`, chosen before anything is measured; or two
--   part             true for a view of another claim: in a table after the others
--   controls         true if its rivals only show what is possible (heddle.claims.roles)
--   test             in place of methods, rivals and metric: a function of the trial that gives nil (not judged on it)
--                    or {won, method, rival, cost, rival_cost, bound_by, note}
-- A metric is {of = field of a measured row or function of it and its trial, unit = "cycles", better = "faster", worse
-- = "slower", bounded = true, beside = another metric, beside_as = its head}; bounded: the launch's limiter bounds it,
-- as for times and energies, but not counts and sizes; beside: shown in a column of its own; parts = true: rows have
-- `energies`, which are judged within `ranges`, too (heddle.claims.energies). A trial is a workload and its
-- measurements: {name, kind, at = {density = 0.1}, rows = {method = row}}; methods that did not run are missing, and a
-- claim is not judged on a trial without one of both sides. A trial of a variant has in `at` only the axis that it
-- varies. A trial with `again`, the name of an earlier one, is the same input measured another way: it is an input of
-- its own for claims `on` its kind, and for others where that changes the outcome. One with `only` is for claims of
-- that metric alone. `turns` has crossovers that were searched, by the claim's id: {{label = "3x3x3", param =
-- "density", found = of heddle.claims.search}, ...}; with labels of several series a claim is true where all of them
-- agree.
--
-- A claim that is true on some trials only "holds when" its condition is fulfilled, if that is one bound on each of at
-- most two axes (heddle.claims.condition); else it is "mixed", and its trials show where.
--
-- A verdict is the row's id, claim, part, `says`, refuted, questions and metric; verdict; condition, of "holds when",
-- and its bounds; inputs and won, the numbers of trials and of those on which the claim is true; ratio_least and
-- ratio_most, the rival's cost for 1 of the method's; method, rival and bound_by of the trial that decides; note, where
-- it is that of every trial; trials, {name, kind, at, method, cost, rival, rival_cost, ratio, won, bound_by, note} of
-- each; turns; beside, {metric, won, ratio_least, ratio_most} by the other metric; ranged, true if it was judged in
-- the ranges of energies, and assumed if one of these is; falls, the bound within their ranges where it falls.
local condition = require "heddle.claims.condition"
local energies = require "heddle.claims.energies"
local lists = require "heddle.kit.lists"
local report = require "heddle.kit.report"
local study = require "heddle.kit.study"

local judge = {}

-- ---- one trial ----

local function cost_of(metric, row, trial)
    if type(metric.of) == "function" then
        return metric.of(row, trial)
    end
    return row[metric.of]
end

-- The cheapest of these methods, and its cost; nil when none was measured.
local function cheapest(names, metric, trial)
    local best, least
    for _, name in ipairs(names) do
        local cost = trial.rows[name] and cost_of(metric, trial.rows[name], trial)
        if cost and (not least or cost < least) then
            best, least = name, cost
        end
    end
    return best, least
end

-- Compares both sides of a trial; nil if one is missing.
local function compare(row, metric, margin, trial)
    local method, cost = cheapest(row.methods, metric, trial)
    local rival, rival_cost = cheapest(row.rivals, metric, trial)
    if not method or not rival then
        return nil
    end
    return {method = method, cost = cost, rival = rival, rival_cost = rival_cost,
        won = study.beats(cost, rival_cost, margin), bound_by = metric.bounded and trial.rows[method].limiter or nil}
end

-- Judges a trial; nil if the claim does not apply to it.
local function try(row, metric, margin, trial)
    local found
    if row.test then
        found = row.test(trial)
    else
        found = compare(row, metric, margin, trial)
    end
    if found then
        found.name, found.kind, found.at = trial.name, trial.kind, trial.at
        if found.cost and found.rival_cost then
            found.ratio = found.cost == found.rival_cost and 1.0 or found.rival_cost / found.cost
        end
        found.bound_by = found.bound_by and report.bound(found.bound_by)
    end
    return found
end

-- ---- the verdict ----

-- The trial that decides: where the method is closest to losing, or to winning when it never wins.
local function decisive(trials, won)
    local best
    for _, trial in ipairs(trials) do
        local ratio = trial.ratio
        if ratio and (not best or won > 0 and ratio < best.ratio or won == 0 and ratio > best.ratio) then
            best = trial
        end
    end
    return best or trials[1]
end

-- The note that all trials share.
local function common(trials)
    for _, trial in ipairs(trials) do
        if trial.note ~= trials[1].note then
            return nil
        end
    end
    return trials[1].note
end

-- Tests if a trial counts as an input of a claim: "yes", "no", or "changed", only if its outcome differs from that of
-- the trial that it measures again.
local function counts(row, trial)
    if trial.only and trial.only ~= row.metric then
        return "no"
    elseif not row.on then
        return trial.again and "changed" or "yes"
    end
    return lists.set(row.on)[trial.kind] and "yes" or trial.again and "changed" or "no"
end

-- Judges all trials of a claim.
local function tried(row, metric, margin, trials)
    local found, by = {}, {}
    for _, trial in ipairs(trials) do
        local how = counts(row, trial)
        local result = how ~= "no" and try(row, metric, margin, trial)
        local first = how == "changed" and by[trial.again]
        if result and (how == "yes" or first and first.won ~= result.won) then
            found[#found + 1], by[trial.name] = result, result
        end
    end
    return found
end

local function span(found)
    local least, most = math.huge, 0
    for _, result in ipairs(found) do
        least, most = math.min(least, result.ratio or math.huge), math.max(most, result.ratio or 0)
    end
    return least, most
end

-- The claim by the metric that stands beside its own.
local function beside(row, metrics, trials)
    local name = metrics[row.metric] and metrics[row.metric].beside
    local found = name and tried(row, metrics[name], row.margin or metrics[name].margin or study.MARGIN, trials) or {}
    if #found == 0 then
        return nil
    end
    local least, most = span(found)
    return {metric = name, won = #condition.split(found), ratio_least = least, ratio_most = most}
end

-- The verdict in words, and the bounds of its condition.
local function verdict_of(row, found, turns)
    local won = #condition.split(found)
    local turned = lists.any(turns, function(turn) return turn.found.turns end)
    if not turned and (won == 0 or won == #found) then
        return won > 0 and "holds" or "does not hold"
    end
    local bounds = condition.of(row, found, turns)
    return bounds and "holds when" or ("mixed: %d of %d"):format(won, #found), bounds
end

-- Judges the claim at all energies that the board may have: the bound within which the outcome stays; nil: it does.
local function assumed(row, metric, margin, trials, ranges, found)
    local by, known = lists.by(trials, "name"), {}
    local won = #condition.split(found) > 0
    for _, result in ipairs(found) do
        local trial = by[result.name]
        known[#known + 1] = result.won == won and {trial, result} or nil
    end
    return #known > 0 and energies.bound(known, ranges, function(trial, times)
        local function of(one) return energies.cost(one, times) end
        return compare(row, lists.merge(metric, {of = of}), margin, trial).won
    end) or nil
end

-- Adds to a verdict on energies where it falls within their ranges.
local function bounded(v, row, metric, trials, ranges)
    if not ranges or not metric or not metric.parts then
        return v
    end
    v.assumed, v.ranged = energies.assumed(ranges), true
    local whole = v.verdict == "holds" or v.verdict == "holds when" and #v.bounds < 2
    v.falls = (whole or v.won == 0) and assumed(row, metric, v.margin, trials, ranges, v.trials) or nil
    if v.falls and whole then
        v.verdict, v.bounds = "holds when", lists.append({v.falls}, v.bounds)
        v.condition = condition.text(v.bounds)
    end
    return v
end

local function one(row, metrics, trials, turns, ranges)
    local metric = metrics[row.metric]
    local margin = row.margin or metric and metric.margin or study.MARGIN
    local found = tried(row, metric, margin, trials)
    if #found == 0 then
        return nil
    end
    local won, least, most = #condition.split(found), span(found)
    local decides, verdict, bounds = decisive(found, won), verdict_of(row, found, turns)
    return bounded({
        id = row.id, claim = row.claim, part = row.part, says = row.says, refuted = row.refuted, metric = row.metric,
        questions = row.questions, margin = margin, verdict = verdict, bounds = bounds,
        condition = bounds and condition.text(bounds),
        method = decides.method, rival = decides.rival, bound_by = decides.bound_by, note = common(found),
        ratio_least = decides.ratio and least, ratio_most = decides.ratio and most, inputs = #found, won = won,
        trials = found, turns = turns, beside = beside(row, metrics, trials),
    }, row, metric, trials, ranges)
end

-- The verdicts on all claims that can be judged, in the order of the rows. ranges: of heddle.claims.energies (none).
function judge.all(rows, metrics, trials, turns, ranges)
    local list = {}
    for _, row in ipairs(rows) do
        list[#list + 1] = one(row, metrics, trials, turns and turns[row.id], ranges)
    end
    return list
end

-- ---- in words ----

local EQUAL <const> = 0.005 -- what three digits do not show

-- The ratio of costs in words that need no inversion: "1.2 to 3.4x faster", "1.3x slower", "1.1x slower to 2x faster",
-- "equal to 1.2x faster".
function judge.ratio_text(metric, least, most)
    if not least then
        return ""
    end
    local better, worse = metric and metric.better or "less", metric and metric.worse or "more"
    local function equal(v) return math.abs(v - 1) <= EQUAL end
    local function side(v)
        return equal(v) and "equal" or ("%sx %s"):format(report.short(v < 1 and 1 / v or v), v < 1 and worse or better)
    end
    if most == math.huge then
        return least == math.huge and "free" or side(least) .. " or more"
    end
    local low, high = side(least), side(most)
    if low == high then
        return low
    elseif least > 1 and not equal(least) then
        return ("%s to %s"):format(report.short(least), high)
    elseif most < 1 and not equal(most) then
        return ("%s to %s"):format(report.short(1 / most), low)
    end
    return high == "equal" and "equal to " .. low or low .. " to " .. high
end

return judge
