-- Costs of the methods of a sparse convolution, derived from their descriptions: multiplications, bytes, and the
-- density above which another method costs no more than unfolding; and the side of it where one input lies.
--
--   crossover.macs(p, windows, pairs)            {dense = n, unfold = n, rulebook = n}
--   crossover.bytes(p, windows, {cached = true}) {unfold = n, explicit = n, implicit = n}
--   crossover.turn(p, {cached = true})           where unfold and explicit move as many: d*, "always", "never"
--   crossover.predicted(p, "im2col", "board_bytes", how)
--       0.631, "always", "never" (unfold costs less), or nil: the descriptions do not decide
--   crossover.points(c, rows, baselines, how)    of one input and the rows of its methods (heddle.spconv.measure):
--       {baseline, key, measure, predicted = 0.631, expected = "less", found = "less", ratio = 10.8, ...}, ...
--
-- p is a problem of heddle.spconv.reference, `windows` the number A of active windows, `pairs` the rulebook's
-- R = q * Kvol * A. Descriptions: unfold, the documented one (identify, unfold, multiply, fold); explicit,
-- a matrix of every window; implicit, no matrix at all. Bytes are those that a stage requests, whatever caches and
-- sectors make of them. Options: `element` bytes of a number of the input, the weights and the matrix (4); `cached`:
-- reads of the gather are merged, so that it reads no more than the input, nor than the matrix has; `zero_fill` (true):
-- the matrix is zeroed and padding skipped, false: every element is written, zeros too; `bare`: weights and the list of
-- windows are left out. how: {machine = MACs and DRAM bytes per cycle, element}. `written` is what unfold-all, which
-- writes zeros, has at an input; `alone`: without the stages that only mask a dense result.
local heddle = require "heddle"
local lists = require "heddle.kit.lists"
local pipeline = require "heddle.spconv.pipeline"
local study = require "heddle.kit.study"

local crossover = {}

-- ---- from descriptions ----

local INDEX <const> = 4  -- bytes of an entry in the list of windows
local RESULT <const> = 4 -- bytes of a number of the product and of the result: fp32, whatever the element is

function crossover.macs(p, windows, pairs)
    local of_window = p.filters * p.volume * p.channels
    return {dense = of_window * p.outputs, unfold = of_window * windows, rulebook = p.filters * p.channels * pairs}
end

-- Bytes that are read and written by description. The list of windows is written once, and read to unfold and to fold.
function crossover.bytes(p, windows, options)
    local o = options or {}
    local size, cached = o.element or 4, o.cached
    local input, output = p.channels * p.positions * size, p.filters * p.outputs * RESULT
    local weights, list = p.filters * p.volume * p.channels * size, INDEX * windows
    if o.bare then
        weights, list = 0, 0
    end
    local matrix, rows = p.volume * p.channels * windows * size, p.filters * windows * RESULT
    local all = p.volume * p.channels * p.outputs * size
    -- Windows are identified, and their matrix is filled, multiplied and folded; it and the output are zeroed before.
    local gathered, zeroed = (cached and math.min(matrix, input) or matrix) + list, o.zero_fill ~= false and matrix or 0
    return {
        unfold = (input + gathered + (matrix + weights) + (rows + list)) +
            (list + zeroed + matrix + rows + output + rows),
        explicit = ((cached and math.min(all, input) or all) + (all + weights)) + (all + output),
        implicit = input + weights + output,
    }
end

-- The share of active windows where the unfold method moves as many bytes as the explicit matrix, weights and list
-- of windows left out; "always": it moves fewer at every density; "never". Against the implicit method it is never:
-- both read the input and write the output, and only the unfold method moves a matrix.
function crossover.turn(p, options)
    local o = setmetatable({bare = true}, {__index = options})
    local limit = crossover.bytes(p, p.outputs, o).explicit
    local function of_windows(windows) return crossover.bytes(p, windows, o).unfold end
    if of_windows(0) >= limit then
        return "never"
    end
    -- A line up to the windows whose elements are as many as those of the input, and one from there on.
    local from = 0
    for _, to in ipairs {math.min(p.positions / p.volume, p.outputs), p.outputs} do
        local low, high = of_windows(from), of_windows(to)
        if high >= limit then
            return (from + (to - from) * (limit - low) / (high - low)) / p.outputs
        end
        from = to
    end
    return "always"
end

-- The density where an increasing function of the number of windows reaches `limit`.
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

-- Cycles by description: the larger of the multiplications' and the bytes', with the gather's reads merged.
local function time(p, row, windows, how)
    local bytes = crossover.bytes(p, windows, {cached = true, element = how.element, zero_fill = how.zero_fill})
    return math.max(crossover.macs(p, windows, 0)[row.work] / how.machine.macs,
        bytes[row.bytes] / how.machine.bytes)
end

function crossover.predicted(p, baseline, key, how)
    local row, moved = pipeline.by[baseline], key == "l2_bytes" or key == "board_bytes"
    local dense = row.work == "dense"
    if key == "macs_asked" then
        return dense and "always" or row.work == "rulebook" and "never" or nil
    elseif key == "drained" and dense then
        return reach(p.outputs, time(p, row, p.outputs, how), function(windows)
            return time(p, pipeline.by.unfold, windows, how)
        end)
    elseif row.bytes == "explicit" and (key == "l1_useful" or moved) then
        return crossover.turn(p, {cached = moved, element = how.element, zero_fill = how.zero_fill})
    end
    return moved and row.bytes == "implicit" and "never" or nil
end

-- ---- one input ----

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

local function side(mine, other)
    return study.beats(mine, other) and "less" or study.beats(other, mine) and "more" or "equal"
end

-- Predicted outcome of the input, whose density lies on one side. Multiplications are equal at density or share 1.
local function expected(c, baseline, key, predicted)
    if key == "macs_asked" and (pipeline.by[baseline].work == "rulebook" and c.q or c.density) == 1 then
        return "equal"
    elseif type(predicted) == "number" then
        return c.density < predicted and "less" or "more"
    end
    return predicted and (predicted == "always" and "less" or "more")
end

-- `ratio` is what the baseline costs for 1 of the method; nil: nothing is known.
local function point(c, rows, baseline, key, how, method)
    local predicted = crossover.predicted(c.p, baseline, key, how)
    local found = {predicted = predicted, expected = expected(c, baseline, key, predicted)}
    local mine = rows[method] and rows[method][key]
    local function compare(row)
        return side(mine, row[key]), mine > 0 and row[key] / mine or nil
    end
    if mine and rows[baseline] then
        found.found, found.ratio = compare(rows[baseline])
        if pipeline.views[baseline].dense then
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
                found.written = point(c, rows, baseline, m.key, lists.merge(how, {zero_fill = false}), "unfold-all")
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
