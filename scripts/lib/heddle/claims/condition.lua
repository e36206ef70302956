-- Conditions of claims that hold on some trials only: one measured boundary on a named axis, or on each of two.
--
--   local bounds = condition.of(row, trials, turns)     row, trials, turns: as in heddle.claims.judge
--   condition.text(bounds)                              "W = 8 and 16 (of 8, 16, 32 and 64)"
--   condition.inside(bounds, {W = 8})                   true: the claim should be true there
--
-- A bound is {param, most | least | values, from, to}: the claim is true up to `most`, from `least` on, or at `values`,
-- some of those in `of`; from, to: the range that was searched (`searched`; `rough`: interpolated), or measured. An
-- axis is what `turns` were searched over, or a parameter of `row.by`. Of several searches over one axis the bound is
-- where all of them find the claim true. Bounds of heddle.claims.energies have `here` and `basis`, the board's value
-- and how it is known, or `share`: `most` is a share of the way to the ends of all ranges.
local report = require "heddle.kit.report"

local condition = {}

local AXES <const> = 2 -- in a condition
local FEW <const> = 4 -- values of an axis that can be listed

-- Splits trials into those where the claim is true, and the others.
function condition.split(trials)
    local yes, no = {}, {}
    for _, trial in ipairs(trials) do
        local list = trial.won and yes or no
        list[#list + 1] = trial
    end
    return yes, no
end

-- ---- bounds ----

-- Narrows a bound to where a search found the claim true; false where that has not exactly one end, or is nowhere.
local function narrow(bound, found)
    local turns = found.turns
    if not turns then
        return found.always == true
    end
    local first, last = turns[1], turns[#turns]
    if first.below ~= last.below then
        return false
    elseif first.below then
        bound.most = math.min(bound.most or math.huge, first.last)
    else
        bound.least = math.max(bound.least or -math.huge, last.first)
    end
    return not (bound.most and bound.least)
end

-- The bound on an axis that was searched; nil where the searches have no common one.
local function of_turns(param, turns)
    local bound = {param = param, searched = true}
    for _, turn in ipairs(turns) do
        local found = turn.found
        if turn.param == param then
            bound.rough = bound.rough or found.rough
            bound.from = found.from and math.min(found.from, bound.from or found.from) or bound.from
            bound.to = found.to and math.max(found.to, bound.to or found.to) or bound.to
            if not narrow(bound, found) then
                return nil
            end
        end
    end
    return bound
end

-- The values of an axis in order, and the outcome at each; nil where one value has both outcomes.
local function outcomes(param, trials)
    local values, won = {}, {}
    for _, trial in ipairs(trials) do
        local value = trial.at and trial.at[param]
        if value ~= nil and won[value] == nil then
            values[#values + 1], won[value] = value, trial.won
        elseif value ~= nil and won[value] ~= trial.won then
            return nil
        end
    end
    table.sort(values, function(a, b)
        return type(a) == type(b) and a < b or type(a) ~= type(b) and type(a) == "number"
    end)
    return values, won
end

-- The bound on an axis by the outcomes of trials: an end, or a list of few values; nil where neither separates them.
local function of_trials(param, trials)
    local values, won = outcomes(param, trials)
    if not values then
        return nil
    end
    local bound, ends, yes = {param = param, from = values[1], to = values[#values], of = values}, {}, {}
    for i, value in ipairs(values) do
        ends[#ends + 1] = i > 1 and won[value] ~= won[values[i - 1]] and i or nil
        yes[#yes + 1] = won[value] and value or nil
    end
    if #yes == #values then
        return bound
    elseif #ends == 1 and #values > FEW and type(values[1]) == type(values[#values]) then
        local i = ends[1]
        bound.most, bound.least = won[values[1]] and values[i - 1] or nil, won[values[i]] and values[i] or nil
        return bound
    end
    bound.values = yes
    return #yes > 0 and #values <= FEW and bound or nil
end

-- True if the claim should be true at these parameters; those that are missing are as on the board.
function condition.inside(bounds, at)
    for _, bound in ipairs(bounds) do
        local value = at and at[bound.param]
        local listed = not bound.values
        for _, one in ipairs(bound.values or {}) do
            listed = listed or one == value
        end
        local beyond = value ~= nil and (bound.most and value > bound.most or bound.least and value < bound.least)
        if value ~= nil and not listed or beyond then
            return false
        end
    end
    return true
end

-- ---- conditions ----

-- The axes of a claim, those that were searched first, and how many these are.
local function axes_of(row, turns)
    local params, known = {}, {}
    local function add(param)
        params[#params + 1] = not known[param] and param or nil
        known[param] = true
    end
    for _, turn in ipairs(turns or {}) do
        add(turn.param)
    end
    local searched = #params
    for _, param in ipairs(type(row.by) == "table" and row.by or {row.by}) do
        add(param)
    end
    return params, searched
end

-- The bounds under which a claim is true: no trial inside them is lost. nil where an axis has no single bound. Trials
-- that are won may lie outside of a searched bound, where another series of the search turns earlier.
function condition.of(row, trials, turns)
    local params, searched = axes_of(row, turns)
    local bounds = {}
    for i, param in ipairs(params) do
        local bound
        if i <= searched then
            bound = of_turns(param, turns)
        else
            bound = of_trials(param, trials)
        end
        if not bound then
            return nil
        end
        bounds[#bounds + 1] = (bound.most or bound.least or bound.values) and bound or nil
    end
    for _, trial in ipairs(trials) do
        if not trial.won and condition.inside(bounds, trial.at) then
            return nil
        end
    end
    return #bounds > 0 and #bounds <= AXES and bounds or nil
end

-- ---- in words ----

local function number(v)
    return type(v) == "string" and v or math.type(v) == "integer" and report.count(v) or report.short(v)
end

local function list(values)
    local words = {}
    for i, value in ipairs(values) do
        words[i] = number(value)
    end
    return report.either(words, "and")
end

-- "from 32 to 16,777,216", the range of a bound or of a search; nil where it is absent, or a single value.
function condition.range(from, to)
    return from and from ~= to and ("from %s to %s"):format(number(from), number(to)) or nil
end

local function sentence(bound)
    local about = bound.rough and "about " or ""
    local range = condition.range(bound.from, bound.to)
    if bound.values then
        return ("%s = %s (of %s)"):format(bound.param, list(bound.values), list(bound.of))
    end
    if bound.share then
        return ("%s up to %s of the way to the worst ends of their ranges"):format(bound.param,
            report.percent(bound.most))
    elseif bound.here then
        range = ("%s %s, range %s to %s"):format(bound.basis, number(bound.here), number(bound.from), number(bound.to))
        return (bound.most and "%s up to %s (%s)" or "%s from %s on (%s)"):format(bound.param,
            number(bound.most or bound.least), range)
    end
    return (bound.most and "%s up to %s%s%s" or "%s from %s%s on%s"):format(bound.param, about,
        number(bound.most or bound.least),
        range and (" (%s %s)"):format(bound.searched and "searched" or "measured", range) or "")
end

-- The bounds in words, with ';' between those of two axes.
function condition.text(bounds)
    local parts = {}
    for i, bound in ipairs(bounds) do
        parts[i] = sentence(bound)
    end
    return table.concat(parts, "; ")
end

return condition
