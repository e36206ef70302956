-- The density above which another method costs no more than unfolding, as the descriptions predict it, and on which
-- side of it one input lies.
--
--   crossover.predicted(p, "im2col", "board_bytes", how)
--       0.631, "always", "never" (unfold costs less), or nil: the descriptions do not say
--   crossover.points(c, rows, baselines, how)     of one input and the rows of its methods (heddle.spconv.views):
--       {baseline, key, measure, predicted = 0.631, expected = "less", found = "less", ratio = 10.8, ...}, ...
--
-- how: {machine = MACs and DRAM bytes per cycle, element = bytes of a number of x and the weights}. `written` is what
-- unfold-all, which writes zeros, has at an input; `alone`: without the stages that only mask a dense result.
local heddle = require "heddle"
local costs = require "heddle.spconv.costs"
local study = require "heddle.kit.study"
local views = require "heddle.spconv.views"

local crossover = {}

-- The compared costs: field, and name in JSON.
local measures = {
    {key = "macs_asked", name = "MACs by shape"},
    {key = "macs", name = "MACs issued"},
    {key = "l1_useful", name = "bytes asked for"},
    {key = "l2_bytes", name = "L2 bytes"},
    {key = "board_bytes", name = "board bytes"},
    {key = "drained", name = "cycles"},
    {key = "launched", name = "with launches"},
    {key = "energy", name = "energy"},
}

local function cost_by(key)
    return function(row)
        return key == "launched" and row.drained + row.overhead_cycles or row[key == "launched" and "drained" or key]
    end
end

-- ---- predicted ----

-- The density at which an increasing function of the number of windows reaches `limit`.
local function reach(outputs, limit, of_windows)
    if of_windows(outputs) < limit then
        return "always"
    elseif of_windows(0) >= limit then
        return "never"
    end
    local low, high = 0.0, 1.0
    for _ = 1, 40 do
        local middle = (low + high) / 2
        if of_windows(middle * outputs) < limit then
            low = middle
        else
            high = middle
        end
    end
    return low
end

local descriptions = {im2col = "explicit", implicit = "implicit", ["dense-direct"] = "implicit"}

local function bytes(p, name, windows, how)
    return costs.bytes(p, windows, {cached = true, element = how.element, zero_fill = how.zero_fill})[name].total
end

-- Cycles by description: the larger of the multiplications' and the bytes', with the gather's reads merged.
local function time(p, name, windows, how)
    local macs = costs.macs(p, windows, 0)[name == "unfold" and "unfold" or "dense"]
    return math.max(macs / how.machine.macs, bytes(p, name, windows, how) / how.machine.bytes)
end

function crossover.predicted(p, baseline, key, how)
    local name, moved = descriptions[baseline], key == "l2_bytes" or key == "board_bytes"
    if key == "macs_asked" then
        return name and "always" or baseline == "rulebook" and "never" or nil
    elseif key == "drained" and name then
        return reach(p.outputs, time(p, name, p.outputs, how), function(windows)
            return time(p, "unfold", windows, how)
        end)
    elseif baseline == "im2col" and (key == "l1_useful" or moved) then
        return costs.turn(p, {cached = moved, element = how.element, zero_fill = how.zero_fill})
    end
    return moved and (name or baseline == "indexed-implicit") and "never" or nil
end

-- ---- one input ----

local function side(mine, other)
    return study.beats(mine, other) and "less" or study.beats(other, mine) and "more" or "equal"
end

-- What a prediction says of the input: its density lies on one side. Multiplications are equal at density or share 1.
local function expected(c, baseline, key, predicted)
    if key == "macs_asked" and (baseline == "rulebook" and c.q or c.density) == 1 then
        return "equal"
    elseif type(predicted) == "number" then
        return c.density < predicted and "less" or "more"
    end
    return predicted and (predicted == "always" and "less" or "more")
end

-- `ratio` is what the baseline costs for 1 of the method; nil: nothing is known.
local function point(c, rows, baseline, key, how, method)
    local predicted, cost = crossover.predicted(c.p, baseline, key, how), cost_by(key)
    local found = {predicted = predicted, expected = expected(c, baseline, key, predicted)}
    local mine = rows[method] and cost(rows[method])
    local function compare(row)
        return side(mine, cost(row)), mine > 0 and cost(row) / mine or nil
    end
    if mine and rows[baseline] then
        found.found, found.ratio = compare(rows[baseline])
        if views.dense[baseline] then
            found.alone, found.alone_ratio = compare(rows[baseline .. " unmasked"])
        end
    end
    return (found.predicted or found.found) and found or nil
end

function crossover.points(c, rows, baselines, how)
    local list = heddle.array {}
    for _, baseline in ipairs(baselines) do
        for _, m in ipairs(measures) do
            local found = point(c, rows, baseline, m.key, how, "unfold")
            if found then
                local written = {machine = how.machine, element = how.element, zero_fill = false}
                found.written = point(c, rows, baseline, m.key, written, "unfold-all")
                found.baseline, found.key, found.measure = baseline, m.key, m.name
                list[#list + 1] = found
            end
        end
    end
    return list
end

-- "below 0.631", "always", "never"; nothing for nil.
function crossover.text(found)
    return type(found) == "number" and ("below %.3g"):format(found) or found or ""
end

return crossover
