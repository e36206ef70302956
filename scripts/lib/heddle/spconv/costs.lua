-- Costs of the methods of a sparse convolution, derived from their descriptions: multiplications, bytes, and the
-- density above which a dense method is cheaper.
--
--   costs.macs(p, windows, pairs)            {dense = n, unfold = n, rulebook = n}
--   costs.bytes(p, windows, {cached = true}) {unfold = {read, write, total, stages}, explicit = ..., implicit = ...}
--   costs.crossover(27, 4, 16, {cached = true})   the density d* at which unfold and explicit move as many bytes
--   costs.turn(p, {cached = true})                the same for any stride and padding: d*, "always" or "never"
--
-- p is a problem of heddle.spconv.reference, `windows` the number A of active windows, `pairs` the rulebook's
-- R = q * Kvol * A. Methods: unfold, the documented one (identify, unfold into a matrix, multiply, fold); explicit, a
-- matrix of every window; implicit, no matrix at all. Bytes are those that a stage requests, whatever caches and
-- sectors make of them. Options: `element` bytes of a number of the input, the weights and the matrix (4); `cached`:
-- reads of the gather are merged, so that the input is read once; `zero_fill` (true): the matrix is zeroed and padding
-- skipped, false: every element is written, zeros too; `bare`: weights and the list of windows are left out.
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
            {name = "unfold", read = (cached and input or matrix) + list, write = matrix},
            {name = "multiply", read = matrix + weights, write = rows},
            {name = "zero output", read = 0, write = output},
            {name = "fold", read = rows + list, write = rows},
        },
        explicit = total {
            {name = "unfold", read = cached and input or all, write = all},
            {name = "multiply", read = all + weights, write = output},
        },
        implicit = total {{name = "convolve", read = input + weights, write = output}},
    }
end

-- The share of active windows at which the unfold method moves as many bytes as the explicit matrix: stride 1, padding
-- that keeps the size, weights and list of windows left out. Against the implicit method there is none: both read the
-- input and write the output, and only the unfold method moves a matrix.
function costs.crossover(volume, channels, filters, options)
    local size = option(options, "element", 4)
    local cached, zero_fill = option(options, "cached", false), option(options, "zero_fill", true)
    local matrix, input = size * volume * channels, size * channels
    local passes = (zero_fill and 1 or 0) + (cached and 0 or 1) + 2 -- over the matrix, for each active window
    local saved = cached and 2 * matrix - input or 3 * matrix - input
    return saved / (passes * matrix + 3 * RESULT * filters)
end

-- As crossover, for a problem of any stride and padding: bytes are a straight line over the windows. "always": unfold
-- moves fewer at every density; "never".
function costs.turn(p, options)
    local o = setmetatable({bare = true}, {__index = options})
    local none, all = costs.bytes(p, 0, o), costs.bytes(p, p.outputs, o)
    local low, high, limit = none.unfold.total, all.unfold.total, all.explicit.total
    return low >= limit and "never" or high < limit and "always" or (limit - low) / (high - low)
end

return costs
