-- Verdicts on claims: "holds", "holds when" and "does not hold", from measurements.
--
--   for _, v in ipairs(judge.all(rows, metrics, trials, turns)) do print(v.claim, v.verdict, v.condition) end
--
-- A row is a claim:
--   id, claim        its name, and the claim in a few words
--   says             what the source document says, in a sentence
--   refuted          what would refute it
--   methods, rivals  names of the methods that are claimed to be better, and of the others: the cheapest of each counts
--   metric           the compared cost, a key of `metrics`
--   margin           the share by which costs must differ to count as different (the metric's, else study.MARGIN)
--   on               kinds of trials on which it is judged (all)
--   by               a parameter in whose terms a condition is told
--   test             in place of methods, rivals and metric: a function of the trial that gives nil (not judged on it)
--                    or {won, method, rival, cost, rival_cost, bound_by, note}
-- A metric is {of = field of a measured row or function of it and its trial, unit = "cycles", better = "faster",
-- worse = "slower", bounded = true}; bounded: what limits a launch bounds it, as it does times and energies, not counts
-- and sizes. A trial is a workload and what was measured of it: {name, kind, at = {density = 0.1}, rows = {method =
-- row}}; methods that did not run are missing, and a claim is not judged on a trial without one of both sides. `turns`
-- has crossovers that were searched, by the claim's id: {{label = "3x3x3", param = "density", found = of
-- heddle.claims.search, kind = that of the trials they were searched on (all)}, ...}.
--
-- A verdict is the row's id, claim, says, refuted and metric; verdict; condition, of "holds when"; inputs and won, the
-- numbers of trials and of those on which the claim is true; ratio_least and ratio_most, the rival's cost for 1 of the
-- method's; method, rival and bound_by of the trial that decides; note, where it is that of every trial; trials, {name,
-- kind, at, method, cost, rival, rival_cost, ratio, won, bound_by, note} of each; turns.
local report = require "heddle.kit.report"
local search = require "heddle.claims.search"
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

-- Both sides of a trial; nil when one is missing.
local function compare(row, metric, margin, trial)
    local method, cost = cheapest(row.methods, metric, trial)
    local rival, rival_cost = cheapest(row.rivals, metric, trial)
    if not method or not rival then
        return nil
    end
    return {method = method, cost = cost, rival = rival, rival_cost = rival_cost,
        won = cost < (1 - margin) * rival_cost, bound_by = metric.bounded and trial.rows[method].limiter or nil}
end

-- What is found on a trial; nil when the claim is not judged there.
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

-- ---- conditions ----

-- Names of trials: "a; b; random 3x3, 1 %, 3 %"; `between` in place of "; ".
function judge.names(trials, between)
    local parts, last = {}, nil
    for _, trial in ipairs(trials) do
        local front, detail = trial.name:match "^(.*), ([^,]+)$"
        if front and front == last then
            parts[#parts] = parts[#parts] .. ", " .. detail
        else
            parts[#parts + 1], last = trial.name, front
        end
    end
    return table.concat(parts, between or "; ")
end

local function split(trials)
    local yes, no = {}, {}
    for _, trial in ipairs(trials) do
        local list = trial.won and yes or no
        list[#list + 1] = trial
    end
    return yes, no
end

-- The least and the largest value of a parameter; nil when a trial lacks it.
local function span(trials, param)
    local least, most = math.huge, -math.huge
    for _, trial in ipairs(trials) do
        local value = trial.at and trial.at[param]
        if not value then
            return nil
        end
        least, most = math.min(least, value), math.max(most, value)
    end
    return least, most
end

-- "density <= 0.1, not at 0.25", where a parameter separates the trials.
local function by_samples(yes, no, param)
    local low, high = span(yes, param)
    local from, to = span(no, param)
    if low and from and high < from then
        return ("%s <= %s, not at %s"):format(param, report.short(high), report.short(from))
    elseif low and from and to < low then
        return ("%s >= %s, not at %s"):format(param, report.short(low), report.short(to))
    end
    return nil
end

-- "density below 0.57 (3x3x3), always (3x3)"; nil where nothing was searched, or nothing turns.
local function by_turns(turns)
    local parts, turned = {}, false
    for i, turn in ipairs(turns or {}) do
        parts[i] = search.text(turn.found) .. (turn.label and (" (%s)"):format(turn.label) or "")
        turned = turned or turn.found.turns ~= nil
    end
    return turned and ("%s %s"):format(turns[1].param, table.concat(parts, ", ")) or nil
end

-- The smaller group by name: "not on a; b", "on c", or whether there is but one group.
local function by_names(yes, no)
    if #no == 0 or #yes == 0 then
        return #no == 0 and "on all" or "on none"
    end
    return #no <= #yes and "not on " .. judge.names(no, " or ") or "on " .. judge.names(yes)
end

-- Crossovers were searched on trials of one kind; they say nothing about the others.
local function condition(row, trials, turns)
    local yes, no = split(trials)
    local text, kind = by_turns(turns), turns and turns[1] and turns[1].kind
    if text and kind then
        local others = {}
        for _, trial in ipairs(trials) do
            others[#others + 1] = trial.kind ~= kind and trial or nil
        end
        return #others > 0 and ("%s; of other inputs %s"):format(text, by_names(split(others))) or text
    end
    text = text or row.by and by_samples(yes, no, row.by)
    return text and ("%s (%d of %d inputs)"):format(text, #yes, #trials) or by_names(yes, no)
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

local function one(row, metrics, trials, turns)
    local metric, kinds = metrics[row.metric], {}
    local margin = row.margin or metric and metric.margin or study.MARGIN
    for _, kind in ipairs(row.on or {}) do
        kinds[kind] = true
    end
    local found, won, least, most = {}, 0, nil, nil
    for _, trial in ipairs(trials) do
        local result = (not row.on or kinds[trial.kind]) and try(row, metric, margin, trial)
        if result then
            found[#found + 1], won = result, won + (result.won and 1 or 0)
            least = math.min(least or math.huge, result.ratio or math.huge)
            most = math.max(most or 0, result.ratio or 0)
        end
    end
    if #found == 0 then
        return nil
    end
    local decides = decisive(found, won)
    local verdict = won == #found and "holds" or won == 0 and "does not hold" or "holds when"
    return {
        id = row.id, claim = row.claim, says = row.says, refuted = row.refuted, metric = row.metric, margin = margin,
        verdict = verdict, condition = verdict == "holds when" and condition(row, found, turns) or nil,
        method = decides.method, rival = decides.rival, bound_by = decides.bound_by, note = common(found),
        ratio_least = decides.ratio and least, ratio_most = decides.ratio and most, inputs = #found, won = won,
        trials = found, turns = turns,
    }
end

-- The verdicts on all claims that can be judged, in the order of the rows.
function judge.all(rows, metrics, trials, turns)
    local list = {}
    for _, row in ipairs(rows) do
        list[#list + 1] = one(row, metrics, trials, turns and turns[row.id])
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
