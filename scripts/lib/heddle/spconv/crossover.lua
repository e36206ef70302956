-- The density above which another method costs no more than unfolding: measured, and predicted by the descriptions.
--
--   crossover.value(row, "board_bytes", true)        a cost of a method, without what only masks its result
--   crossover.measured(sweep, "unfold", "im2col", "board_bytes", false)
--       {at = {0.62}, below = true}                  where the order changes; whether unfold costs less at first
--       {at = {}, equal = true}                      nowhere do the costs differ
--   crossover.predicted(p, "im2col", "board_bytes", how)
--       0.631, "always", "never" (unfold costs less), or nil: the descriptions do not say
--   crossover.point(c, by, "im2col", "board_bytes", how)
--       {predicted = 0.631, expected = "less", found = "less", ratio = 10.8}     at the density of one input
--
-- how: {machine = MACs and DRAM bytes per cycle, element = bytes of a number of x and the weights}; for unfold-all,
-- which writes zeros, crossover.written(how), and its name as the last argument of `point`. A sweep has points =
-- {{density = d, by = {method = row}}, ...} in order of density. Dense methods may be missing at some points, but not
-- at the first and the last; costs are interpolated linearly. Costs that differ by no more than MARGIN count as equal:
-- the order of warps alone changes cycles by as much.
local costs = require "heddle.spconv.costs"
local json = require "heddle.kit.json"
local study = require "heddle.kit.study"

local crossover = {MARGIN = study.MARGIN}

-- The compared costs: field, and name in JSON.
crossover.measures = {
    {key = "macs_asked", name = "MACs by shape"},
    {key = "macs", name = "MACs issued"},
    {key = "l1_useful", name = "bytes asked for"},
    {key = "l2_bytes", name = "L2 bytes"},
    {key = "board_bytes", name = "board bytes"},
    {key = "drained", name = "cycles"},
    {key = "launched", name = "with launches"},
    {key = "energy", name = "energy"},
}

-- Methods that compute every window.
crossover.dense = {["dense-direct"] = true, im2col = true, implicit = true}

local function cost(row, key)
    if key == "launched" then -- cycles, and those of the launches themselves
        return row.drained + row.overhead_cycles
    end
    return row[key]
end

-- A cost of a method; `alone`: without the stages that only make a dense result that of the sparse convolution.
function crossover.value(row, key, alone)
    local v = cost(row, key)
    for _, stage in ipairs(alone and row.stages or {}) do
        v = v - (stage.part == "mask" and cost(stage, key) or 0) -- masking has no MACs by shape
    end
    return v
end

-- ---- measured ----

-- A method's costs at every density of the sweep; nil when it was not measured.
function crossover.curve(sweep, method, key, alone)
    local at, list = {}, {}
    for i, point in ipairs(sweep.points) do
        local row = point.by[method]
        at[i] = row and crossover.value(row, key, alone)
    end
    for i, point in ipairs(sweep.points) do
        local low, high = i, i
        while not at[low] and low > 1 do low = low - 1 end
        while not at[high] and high < #sweep.points do high = high + 1 end
        if not at[low] or not at[high] then
            return nil
        end
        local d0, d1 = sweep.points[low].density, sweep.points[high].density
        list[i] = low == high and at[i] or at[low] + (at[high] - at[low]) * (point.density - d0) / (d1 - d0)
    end
    return list
end

-- Where `method` begins or ceases to cost less than the baseline; nil when one was not measured.
function crossover.measured(sweep, method, baseline, key, alone)
    local mine, other = crossover.curve(sweep, method, key), crossover.curve(sweep, baseline, key, alone)
    if not mine or not other then
        return nil
    end
    local found, last = {at = json.list {}, equal = true}, nil -- last: the point before at which they differ
    for i = 1, #mine do
        local difference = mine[i] - other[i]
        if math.abs(difference) > crossover.MARGIN * math.max(mine[i], other[i]) then
            if not last then
                found.below, found.equal = difference < 0, nil
            elseif (difference < 0) ~= (last.difference < 0) then
                local d0, d1 = last.density, sweep.points[i].density
                found.at[#found.at + 1] = d0 + (d1 - d0) * last.difference / (last.difference - difference)
            end
            last = {difference = difference, density = sweep.points[i].density}
        end
    end
    return found
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

-- As `how`, but zeros are not received: every element of the matrix is written once.
function crossover.written(how)
    return {machine = how.machine, element = how.element, zero_fill = false}
end

local function bytes(p, name, windows, how)
    return costs.bytes(p, windows, {cached = true, element = how.element, zero_fill = how.zero_fill})[name].total
end

-- Cycles by description: the larger of the multiplications' and the bytes', with the gather's reads merged.
local function time(p, name, windows, how)
    local macs = costs.macs(p, windows, 0)[name == "unfold" and "unfold" or "dense"]
    return math.max(macs / how.machine.macs, bytes(p, name, windows, how) / how.machine.bytes)
end

local function by_time(p, baseline, how)
    return reach(p.outputs, time(p, descriptions[baseline], p.outputs, how), function(windows)
        return time(p, "unfold", windows, how)
    end)
end

-- What unfolding costs by description, as a multiple of a baseline's cost: in "board_bytes" or "drained"; nil where the
-- baseline has no description.
function crossover.ratio(p, baseline, key, how, windows)
    local name, cost_of = descriptions[baseline], key == "drained" and time or bytes
    return name and cost_of(p, "unfold", windows, how) / cost_of(p, name, p.outputs, how)
end

function crossover.predicted(p, baseline, key, how)
    local name = descriptions[baseline]
    if key == "macs_asked" then
        return name and "always" or baseline == "rulebook" and "never" or nil
    elseif key == "drained" and name then
        return by_time(p, baseline, how)
    elseif baseline == "im2col" and (key == "l1_useful" or key == "l2_bytes" or key == "board_bytes") then
        return costs.turn(p, {cached = key ~= "l1_useful", element = how.element, zero_fill = how.zero_fill})
    elseif (key == "l2_bytes" or key == "board_bytes") and (name or baseline == "indexed-implicit") then
        return "never"
    end
    return nil
end

-- ---- one input ----

local function side(mine, other)
    local equal = math.abs(mine - other) <= crossover.MARGIN * math.max(mine, other)
    return equal and "equal" or mine < other and "less" or "more"
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

-- Whether unfolding costs less than a baseline on one input: by prediction, and as measured where both ran (by: rows of
-- methods). `ratio` is what the baseline costs for 1 of unfold; `alone`, `alone_ratio`: without what makes a dense
-- result the sparse one. nil: nothing is known.
function crossover.point(c, by, baseline, key, how, method)
    local unfold = by[method or "unfold"]
    local predicted = crossover.predicted(c.p, baseline, key, how)
    local found = {predicted = predicted, expected = expected(c, baseline, key, predicted)}
    if unfold and by[baseline] then
        local mine = crossover.value(unfold, key, false)
        local function compare(alone)
            local other = crossover.value(by[baseline], key, alone)
            return side(mine, other), mine > 0 and other / mine or nil
        end
        found.found, found.ratio = compare(false)
        if crossover.dense[baseline] then
            found.alone, found.alone_ratio = compare(true)
        end
    end
    return (found.predicted or found.found) and found or nil
end

-- ---- in words ----

-- "below 0.631", "always", "never", "at 0.003 to 0.4"
function crossover.text(found)
    if not found then
        return ""
    elseif type(found) == "number" then
        return ("below %.3g"):format(found)
    elseif type(found) == "string" then
        return found
    elseif found.equal then
        return "equal"
    elseif #found.at == 0 then
        return found.below and "always" or "never"
    elseif #found.at == 1 then
        return ("%s %.3g"):format(found.below and "below" or "above", found.at[1])
    end
    local parts, below = {}, found.below
    for i = below and 1 or 2, #found.at + 1, 2 do
        local low, high = found.at[i - 1], found.at[i]
        parts[#parts + 1] = not low and ("below %.3g"):format(high) or not high and ("above %.3g"):format(low) or
            ("%.3g to %.3g"):format(low, high)
    end
    return table.concat(parts, ", ")
end

return crossover
