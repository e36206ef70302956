-- Conditions of claims that hold on some trials only, in words: searched crossovers, or what separates the trials.
--
--   condition.text(row, trials, turns, otherwise)     row, trials, turns: as in heddle.claims.judge
local report = require "heddle.kit.report"
local search = require "heddle.claims.search"

local condition = {}

-- Splits trials into those where the claim is true, and the others.
function condition.split(trials)
    local yes, no = {}, {}
    for _, trial in ipairs(trials) do
        local list = trial.won and yes or no
        list[#list + 1] = trial
    end
    return yes, no
end

-- The trials of `side` beyond all of `other`, above (sign 1) or below (-1) by a parameter: how many, their nearest
-- value and that of the others; nil when there are none, or a trial lacks the parameter.
local function beyond(side, other, param, sign)
    local limit, nearest, count = -math.huge, math.huge, 0
    for _, list in ipairs {other, side} do
        for _, trial in ipairs(list) do
            local value = trial.at and trial.at[param]
            if not value then
                return nil
            elseif list == other then
                limit = math.max(limit, sign * value)
            elseif sign * value > limit then
                nearest, count = math.min(nearest, sign * value), count + 1
            end
        end
    end
    return count > 0 and {count = count, nearest = sign * nearest, limit = sign * limit, param = param,
        sign = sign > 0 and ">=" or "<="} or nil
end

-- Finds the one-sided range of a parameter that separates most trials: with all of one outcome, `won` or not, in it.
local function apart(yes, no, by)
    local best
    for _, param in ipairs(type(by) == "table" and by or {by or nil}) do
        for _, sign in ipairs {-1, 1} do
            for _, won in ipairs {true, false} do
                local found = beyond(won and yes or no, won and no or yes, param, sign)
                if found and (not best or found.count > best.count) then
                    best, found.won = found, won
                end
            end
        end
    end
    return best
end

local function of(some, all, what)
    return (some == all and all > 1 and "all %s" or some .. " of %s"):format(report.plural(all, what))
end

-- "density <= 0.1, not at 0.25 (9 of 12 inputs)" where a parameter separates the trials; "channels >= 8, and 2 of 5
-- other inputs", "not at density >= 0.3, 5 of 7 other inputs" where it separates most; else "3 of 12 inputs".
local function by_samples(trials, by)
    local yes, no = condition.split(trials)
    local found = #yes > 0 and #no > 0 and apart(yes, no, by)
    if not found then
        return of(#yes, #trials, "input")
    end
    local value = report.short(found.nearest)
    if found.count == #(found.won and yes or no) then
        local sign, inside, outside = found.sign, value, report.short(found.limit)
        if not found.won then
            sign, inside, outside = sign == "<=" and ">=" or "<=", outside, inside
        end
        return ("%s %s %s, not at %s (%d of %d inputs)"):format(found.param, sign, inside, outside, #yes, #trials)
    elseif found.count == 1 or 3 * found.count < #trials then
        return of(#yes, #trials, "input")
    end
    local others = #trials - found.count
    return found.won and ("%s %s %s, and %s"):format(found.param, found.sign, value, of(#yes - found.count, others,
        "other input")) or ("not at %s %s %s, %s"):format(found.param, found.sign, value, of(#yes, others,
        "other input"))
end

-- "density below 0.57 (3x3x3); always (3x3, 3x3 of 8)"; nil where nothing was searched, or nothing turns.
local function by_turns(turns)
    local labels, order, turned = {}, {}, 0
    for _, turn in ipairs(turns or {}) do
        local text = search.text(turn.found)
        if turn.found.turns then
            text = turn.param .. " " .. text
        end
        if not labels[text] then
            labels[text] = {}
            turned = turned + (turn.found.turns and 1 or 0)
            table.insert(order, turn.found.turns and turned or #order + 1, text)
        end
        table.insert(labels[text], turn.label)
    end
    for i, text in ipairs(order) do
        order[i] = #labels[text] > 0 and ("%s (%s)"):format(text, table.concat(labels[text], ", ")) or text
    end
    return turned > 0 and table.concat(order, "; ") or nil
end

-- "density below 0.05 to 0.06 in 2 of 4 searches, never in 2": what crossovers of several searches have in common; nil
-- where nothing turns.
local function by_searches(turns)
    local groups, order, turned = {}, {}, false
    for _, turn in ipairs(turns) do
        local one = search.one(turn.found)
        local way = one and one.way or search.text(turn.found, turn.upto)
        if not groups[way] then
            groups[way] = {way = way, count = 0, least = math.huge, most = -math.huge}
            order[#order + 1] = groups[way]
        end
        local group = groups[way]
        group.count, group.one, turned = group.count + 1, one ~= nil, turned or turn.found.turns ~= nil
        group.least = math.min(group.least, one and one.at or group.least)
        group.most = math.max(group.most, one and one.at or group.most)
    end
    local function rank(group) return (group.way == "never" and 0 or 100) + group.count end
    table.sort(order, function(a, b) return rank(a) > rank(b) or rank(a) == rank(b) and a.way < b.way end)
    for i, group in ipairs(order) do
        local low, high = report.short(group.least), report.short(group.most)
        order[i] = group.way .. (group.one and " " .. (low == high and low or low .. " to " .. high) or "") ..
            (#order > 1 and (" in %d"):format(group.count) .. (i == 1 and " of " .. #turns .. " searches" or "") or "")
    end
    return turned and ("%s %s"):format(turns[1].param, table.concat(order, ", ")) or nil
end

-- Makes a condition from crossovers that were searched on trials of one kind: they do not cover the others.
function condition.of_searches(turns)
    local kind = turns and turns[1] and turns[1].kind
    return kind and by_searches(turns), kind
end

local function where(row, trials, turns)
    local text, kind = condition.of_searches(turns)
    if text then
        local others = {}
        for _, trial in ipairs(trials) do
            others[#others + 1] = trial.kind ~= kind and trial or nil
        end
        return text .. (#others > 0 and "; others: " .. by_samples(others, row.by) or "")
    end
    text = not kind and by_turns(turns)
    local won = #condition.split(trials)
    return text and ("%s (%d of %d inputs)"):format(text, won, #trials) or by_samples(trials, row.by)
end

-- The condition of a claim; of inputs measured again: "1 fewer with L2 warm".
function condition.text(row, trials, turns, otherwise)
    local counts, order = {}, {where(row, trials, turns)}
    for _, trial in ipairs(otherwise) do
        local text = (trial.won and "%d more with " or "%d fewer with ") .. trial.how
        order[#order + 1] = not counts[text] and text or nil
        counts[text] = (counts[text] or 0) + 1
    end
    for i, text in ipairs(order) do
        order[i] = counts[text] and text:format(counts[text]) or text
    end
    return table.concat(order, "; ")
end

return condition
