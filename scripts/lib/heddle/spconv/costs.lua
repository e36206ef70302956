-- Costs of the methods of a sparse convolution, derived from their descriptions: multiplications, bytes, and the
-- density above which a dense method is cheaper.
--
--   costs.macs(p, windows, pairs)            {dense = n, unfold = n, rulebook = n}
--   costs.bytes(p, windows, {cached = true}) {unfold = {read, write, total, stages}, explicit = ..., implicit = ...}
--   costs.turn(p, {cached = true})           the density where unfold and explicit move as many: d*, "always", "never"
--
-- p is a problem of heddle.spconv.reference, `windows` the number A of active windows, `pairs` the rulebook's
-- R = q * Kvol * A. Methods: unfold, the documented one (identify, unfold into a matrix, multiply, fold); explicit, a
-- matrix of every window; implicit, no matrix at all. Bytes are those that a stage requests, whatever caches and
-- sectors make of them. Options: `element` bytes of a number of the input, the weights and the matrix (4); `cached`:
-- reads of the gather are merged, so that it reads no more than the input, nor than the matrix has; `zero_fill` (true):
-- the matrix is zeroed and padding skipped, false: every element is written, zeros too; `bare`: weights and the list of
-- windows are left out.
local costs = {}

local INDEX <const> = 4  -- bytes of an entry in the list of windows
local RESULT <const> = 4 -- bytes of a number of the product and of the result: fp32, whatever the element is

function costs.macs(p, windows, pairs)
    local of_window = p.filters * p.volume * p.channels
    return {dense = of_window * p.outputs, unfold = of_window * windows, rulebook = p.filters * p.channels * pairs}
end

local function option(options, name, default)
    local v = options and options[name]
    return v == nil and default or v
end

local function total(stages)
    local sum = {read = 0, write = 0, stages = stages}
    for _, stage in ipairs(stages) do
        sum.read, sum.write = sum.read + stage.read, sum.write + stage.write
    end
    sum.total = sum.read + sum.write
    return sum
end

-- Bytes by method and stage. The list of windows is written once, and read to unfold and to fold.
function costs.bytes(p, windows, options)
    local size = option(options, "element", 4)
    local cached, zero_fill = option(options, "cached", false), option(options, "zero_fill", true)
    local input, output = p.channels * p.positions * size, p.filters * p.outputs * RESULT
    local weights, list = p.filters * p.volume * p.channels * size, INDEX * windows
    if option(options, "bare", false) then
        weights, list = 0, 0
    end
    local matrix, rows = p.volume * p.channels * windows * size, p.filters * windows * RESULT
    local all = p.volume * p.channels * p.outputs * size
    return {
        unfold = total {
            {name = "identify", read = input, write = list},
            {name = "zero matrix", read = 0, write = zero_fill and matrix or 0},
            {name = "unfold", read = (cached and math.min(matrix, input) or matrix) + list, write = matrix},
            {name = "multiply", read = matrix + weights, write = rows},
            {name = "zero output", read = 0, write = output},
            {name = "fold", read = rows + list, write = rows},
        },
        explicit = total {
            {name = "unfold", read = cached and math.min(all, input) or all, write = all},
            {name = "multiply", read = all + weights, write = output},
        },
        implicit = total {{name = "convolve", read = input + weights, write = output}},
    }
end

-- The share of active windows at which the unfold method moves as many bytes as the explicit matrix, weights and list
-- of windows left out; "always": it moves fewer at every density; "never". Against the implicit method it is never:
-- both read the input and write the output, and only the unfold method moves a matrix.
function costs.turn(p, options)
    local o = setmetatable({bare = true}, {__index = options})
    local limit = costs.bytes(p, p.outputs, o).explicit.total
    local function of_windows(windows) return costs.bytes(p, windows, o).unfold.total end
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

return costs
