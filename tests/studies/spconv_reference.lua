-- Is the host reference of the sparse convolution right? Against worked cases, and against a second formulation:
-- plain loops over every output, dense, masked afterwards.
local convolution = require "tests.lib.convolution"
local test = require "tests.lib.test"
local crossover = require "heddle.spconv.crossover"
local random = require "heddle.kit.random"
local spconv = require "heddle.spconv.reference"
local case, equal, ok = test.case, test.equal, test.ok
local floats, numbers = convolution.floats, convolution.numbers

local function problem(o)
    o.channels, o.filters = o.channels or 1, o.filters or 1
    local p, message = spconv.problem(o)
    ok(p, message)
    return p
end

local function ones(n)
    local list = {}
    for i = 1, n do list[i] = 1.0 end
    return list
end

local function zeros(n, ...)
    local list = {}
    for i = 1, n do list[i] = 0.0 end
    for _, at in ipairs {...} do list[at + 1] = 1.0 end
    return list
end

-- ---- worked cases ----

case("5x5 without padding gives 3x3: positions at the border have no window", function()
    local p = problem {size = {5, 5}, kernel = 3, lo = 0, hi = 0}
    equal(p.out, {1, 3, 3})
    local r = spconv.reference(p, floats(ones(25)), ones(9))
    equal(#r.active, 25)
    equal(r.windows, {0, 1, 2, 3, 4, 5, 6, 7, 8})
    equal(numbers(spconv.dense(p, r)), {9.0, 9.0, 9.0, 9.0, 9.0, 9.0, 9.0, 9.0, 9.0})
    -- Each border position alone makes none, the nine in the middle one each.
    for position = 0, 24 do
        local h, w = position // 5, position % 5
        local border = h == 0 or h == 4 or w == 0 or w == 4
        equal(spconv.windows(p, {position}), border and {} or {(h - 1) * 3 + w - 1}, position)
    end
end)

case("padding that keeps the size: windows are the active positions", function()
    for _, kernel in ipairs {1, 2, 3, 4, 5} do
        local p = problem {size = {4, 5, 6}, kernel = kernel}
        equal(p.out, {4, 5, 6})
        equal(p.lo, {kernel // 2, kernel // 2, kernel // 2})
        local active = {0, 7, 29, 30, 61, 119}
        equal(spconv.windows(p, active), active, kernel)
    end
end)

case("stride 2: a position has a window only where the quotient is whole", function()
    local p = problem {size = {6, 6}, kernel = 3, stride = 2, lo = 1, hi = 1}
    equal(p.out, {1, 3, 3})
    -- The centre of window o is at 2 o: even coordinates only.
    for position = 0, 35 do
        local h, w = position // 6, position % 6
        equal(spconv.windows(p, {position}), h % 2 == 0 and w % 2 == 0 and {h // 2 * 3 + w // 2} or {}, position)
    end
    equal(spconv.reference(p, floats(zeros(36, 7)), ones(9)).windows, {})
end)

case("a kernel larger than the padded input has no output", function()
    local p = problem {size = {2, 8}, kernel = 3, lo = 0, hi = 0}
    equal(p.out, {1, 0, 6})
    equal(p.outputs, 0)
    local r = spconv.reference(p, floats(ones(16)), ones(9))
    equal(r.windows, {})
    equal(spconv.dense(p, r), "")
end)

case("even kernels: the predetermined element is K/2", function()
    local p = problem {size = {1, 4}, kernel = {1, 4}}
    equal(p.predetermined, {{0, 0, 2}})
    equal({p.lo[3], p.hi[3]}, {2, 1})
    local r = spconv.reference(p, floats {0, 1, 0, 0}, {1, 10, 100, 1000})
    equal(r.windows, {1})
    equal(numbers(spconv.dense(p, r)), {0.0, 100.0, 0.0, 0.0})
    equal(problem({size = {4, 4}, kernel = 2}).predetermined, {{0, 1, 1}})
end)

case("correlation: the kernel is not turned", function()
    local p = problem {size = {1, 5}, kernel = {1, 3}}
    local r = spconv.reference(p, floats {0, 2, 3, 5, 0}, {1, 10, 100})
    equal(numbers(spconv.dense(p, r)), {0.0, 320.0, 532.0, 53.0, 0.0})
end)

case("several predetermined elements: any of them, each window once", function()
    local p = problem {size = {1, 6}, kernel = {1, 3}, predetermined = {{0, 0}, {0, 1}, {0, 2}, {0, 1}}}
    local r = spconv.reference(p, floats {0, 0, 4, 4, 0, 0}, {1, 1, 1}, {0.5})
    equal(r.windows, {1, 2, 3, 4})
    equal(numbers(spconv.dense(p, r)), {0.0, 4.5, 8.5, 8.5, 4.5, 0.0})
    -- A window that hangs over the edge counts if its active position is inside.
    equal(spconv.windows(p, {0}), {0, 1})
end)

case("the bias is added at active windows only; an all-zero output stays in the list", function()
    local p = problem {size = {3, 3}, kernel = 1, filters = 2}
    local r = spconv.reference(p, floats {0, 0, 0, 0, 7, 0, 0, 0, 3}, {0, 1}, {0.25, -7})
    equal(r.windows, {4, 8})
    equal(numbers(spconv.dense(p, r)), {0.0, 0.0, 0.0, 0.0, 0.25, 0.0, 0.0, 0.0, 0.25,
        0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, -4.0})
end)

case("an empty input gives zeros, not the bias", function()
    local p = problem {size = {3, 4, 5}, kernel = 3, batch = 2, filters = 3, channels = 2}
    local r = spconv.reference(p, floats(zeros(240)), ones(162), {1, 2, 3})
    equal(r.active, {})
    equal(spconv.dense(p, r), ("\0"):rep(4 * 360))
    equal(spconv.pairs(p, r.active, r.windows), 0)
    equal(spconv.matrix(p, r, floats(zeros(240))), "")
end)

case("active is decided on bits: -0.0 is zero; NaN, denormals, infinity are not", function()
    local p = problem {size = {1, 8}, kernel = 1}
    local x = floats {0.0, -0.0, {0x7fc00000}, {0xffc00001}, {1}, {0x80000001}, {0x7f800000}, {0x7f800001}}
    equal((spconv.active(p, x)), {2, 3, 4, 5, 6, 7})
    -- A single channel is enough, in either layout.
    for layout, words in pairs {nchw = {0, 0, -0.0, 0, 0, {1}}, nhwc = {0, 0, 0, -0.0, 0, {1}}} do
        local q = problem {size = {1, 3}, kernel = 1, channels = 2, layout = layout}
        equal((spconv.active(q, floats(words))), {2}, layout)
    end
end)

case("channels that cancel are active", function()
    local p = problem {size = {1, 2}, kernel = 1, channels = 2}
    local r = spconv.reference(p, floats {0, 5, 0, -5}, {1, 1}, {9})
    equal(r.windows, {1})
    equal(numbers(spconv.dense(p, r)), {0.0, 9.0})
end)

case("sums begin at +0.0", function()
    local p = problem {size = {1, 2}, kernel = 1}
    local r = spconv.reference(p, floats {0, 1}, {-0.0}, {-0.0})
    equal(spconv.dense(p, r), floats {0.0, 0.0})
    equal(spconv.compare(p, r, floats {0.0, 0.0}, "exact"), nil)
end)

case("batch: windows of all items, concatenated", function()
    local p = problem {size = {2, 2}, kernel = 3, batch = 3}
    local r = spconv.reference(p, floats(zeros(12, 1, 4, 11)), ones(9))
    equal(r.windows, {1, 4, 11})
    equal(numbers(spconv.dense(p, r)), zeros(12, 1, 4, 11)) -- nothing reaches into the next item
end)

-- ---- against the second formulation ----

local shapes = {
    {size = {5, 7}, kernel = 3}, {size = {6, 5}, kernel = {2, 3}, stride = {2, 1}, lo = 0, hi = {1, 2}},
    {size = {4, 3, 5}, kernel = 3}, {size = {3, 6, 4}, kernel = {1, 2, 3}, stride = {1, 2, 3}, lo = {0, 1, 2}, hi = 1},
    {size = {3, 4, 4}, kernel = 2, predetermined = {{0, 0, 0}, {1, 1, 0}, {1, 1, 1}}},
    {size = {5, 5}, kernel = 5, stride = 3, predetermined = {{0, 4}, {2, 2}}}, {size = {1, 1}, kernel = 4},
    {size = {2, 3}, kernel = 3, lo = 4, hi = 5}, {size = {7, 7}, kernel = 1, stride = 2},
}

local drawn = random.new(1)

local function random_list(n, density, kind)
    local list = {}
    for i = 1, n do
        list[i] = drawn:unit() < density and drawn[kind](drawn) or 0.0
    end
    return list
end

local function each_random(kind, body)
    for i, shape in ipairs(shapes) do
        for _, layout in ipairs {"nchw", "nhwc"} do
            for _, density in ipairs {0.03, 0.3, 1.0} do
                local o = setmetatable({layout = layout, batch = 1 + i % 2, channels = 1 + i % 3, filters = 1 + i % 4},
                    {__index = shape})
                local p = problem(o)
                local x = floats(random_list(p.positions * p.channels, density, kind))
                local weights = random_list(p.filters * p.channels * p.volume, 0.9, kind)
                local bias = i % 2 == 0 and random_list(p.filters, 1.0, kind) or nil
                body(p, x, weights, bias, ("shape %d, %s, %g"):format(i, layout, density))
            end
        end
    end
end

case("whole numbers: the same bits as the second formulation", function()
    each_random("integer", function(p, x, weights, bias, what)
        local r = spconv.reference(p, x, weights, bias)
        local want, windows, share = convolution.every_output(p, x, weights, bias)
        equal(r.windows, windows, what)
        ok(spconv.dense(p, r) == floats(want), what)
        equal(spconv.pairs(p, r.active, r.windows), share, what)
        equal(spconv.compare(p, r, floats(want), "exact"), nil, what)
        equal(spconv.compare(p, r, floats(want), "bounded"), nil, what)
    end)
end)

-- The matrix times the weights, summed in binary32 in the matrix's order, is the result.
local function multiply(p, r, matrix, weights, bias)
    local m, rows, columns, out = numbers(matrix), p.channels * p.volume, #r.windows, {}
    local function round(v) return ("<f"):unpack(("<f"):pack(v)) end
    for a = 1, columns do
        out[a] = {}
        for co = 1, p.filters do
            local sum = bias and bias[co] or 0.0
            for row = 1, rows do
                sum = round(sum + round(weights[(co - 1) * rows + row] * m[(row - 1) * columns + a]))
            end
            out[a][co] = sum
        end
    end
    return out
end

case("real numbers: unfold, multiply in binary32, fold stays within the bound", function()
    local strict = 0
    each_random("real", function(p, x, weights, bias, what)
        local r = spconv.reference(p, x, weights, bias)
        local got = spconv.dense(p, {windows = r.windows,
            values = multiply(p, r, spconv.matrix(p, r, x), weights, bias)})
        equal(spconv.compare(p, r, got, "bounded"), nil, what)
        strict = strict + (spconv.compare(p, r, got, "exact") and 1 or 0)
    end)
    ok(strict > 0, "binary32 never rounded: the bound was not tested")
end)

case("the matrix holds bits", function()
    local p = problem {size = {1, 2}, kernel = {1, 3}, channels = 2}
    local x = floats {{0x7f800001}, {0x80000000}, {0xffffffff}, 2}
    local r = spconv.reference(p, x, zeros(6))
    equal(r.windows, {0, 1})
    -- Rows: channel 0, taps left, centre, right; the same of channel 1. Columns: windows 0 and 1.
    local want = {0, {0x7f800001}, {0x7f800001}, {0x80000000}, {0x80000000}, 0, 0, {0xffffffff}, {0xffffffff}, 2, 2, 0}
    ok(spconv.matrix(p, r, x) == floats(want))
end)

case("pairs: active elements of active windows", function()
    local p = problem {size = {1, 4}, kernel = {1, 3}}
    local active = {0, 1, 3}
    equal(spconv.pairs(p, active, spconv.windows(p, active)), 5) -- of 9
end)

-- ---- comparison ----

case("a wrong result is found and named", function()
    local p = problem {size = {2, 3}, kernel = 1, filters = 2}
    local r = spconv.reference(p, floats {0, 0, 0, 0, 0, 3}, {1, 2})
    local want = {0, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 6}
    equal(spconv.compare(p, r, floats(want)), nil)
    want[12] = 6.5
    for _, how in ipairs {"exact", "bounded"} do
        local text = spconv.compare(p, r, floats(want), how)
        ok(text:find("element 11 (batch 0, filter 1, position 1, 2) is 6.5 (0x40d00000), not 6", 1, true), text)
    end
    want[12], want[2] = 6, -0.0
    for _, how in ipairs {"exact", "bounded"} do
        ok(spconv.compare(p, r, floats(want), how):find("element 1 (batch 0, filter 0, position 0, 1)", 1, true))
    end
    ok(spconv.compare(p, r, "1234"):find("4 bytes instead of 48", 1, true))
end)

case("bounds: just inside, just outside, not finite", function()
    local p = problem {size = {1, 1}, kernel = 1}
    local r = spconv.reference(p, floats {1}, {3}, {1})
    local bound = 3 * 2.0 ^ -24 * 4
    equal(r.bounds, {{bound}})
    local ulp = 2.0 ^ -21
    equal(spconv.compare(p, r, floats {4 + ulp}, "bounded"), nil)
    ok(spconv.compare(p, r, floats {4 + 2 * ulp}, "bounded"))
    ok(spconv.compare(p, r, floats {0 / 0}, "bounded"))
    local infinite = spconv.reference(p, floats {math.huge}, {3})
    equal(spconv.compare(p, infinite, floats {math.huge}, "bounded"), nil)
    ok(spconv.compare(p, infinite, floats {5}, "bounded"))
    local nan = spconv.reference(p, floats {0 / 0}, {3})
    for _, how in ipairs {"exact", "bounded"} do
        equal(spconv.compare(p, nan, floats {{0x7fc12345}}, how), nil)
        ok(spconv.compare(p, nan, floats {1}, how))
    end
end)

-- Three terms, whose sum overflows or not by their order.
case("a sum that overflows is infinite, or what another order gives", function()
    local p = problem {size = {1, 1}, kernel = 1, channels = 3}
    local function right(terms, got, ...)
        local r = spconv.reference(p, floats(terms), {1e8, 1e8, 1e8}, ...)
        return spconv.compare(p, r, floats {got}, "bounded") == nil
    end
    local inf, nan <const> = math.huge, 0 / 0
    local cases = { -- the terms over 1e8; right results; wrong ones
        {{2e30, 2e30, 0}, {inf}, {-inf, nan, 4e38 / 2, 0}},
        {{-2e30, -2e30, 0}, {-inf}, {inf, nan, 0}},
        {{3e30, 3e30, -3e30}, {inf, 3e38}, {-inf, nan, 2e38}},
        {{3e30, 3e30, -6e30}, {inf, -inf, nan, 0}, {3e38}},
        {{1e30, 1e30, -1e30}, {1e38}, {inf, -inf, nan}},
        {{inf, 1, 1}, {inf}, {nan, -inf, 3e38}},
        {{inf, -3e30, -3e30}, {inf, nan}, {-inf, 0}},
        {{inf, -inf, 1}, {nan}, {inf, -inf, 0}},
    }
    for i, row in ipairs(cases) do
        for _, v in ipairs(row[2]) do ok(right(row[1], v), ("%d: %g"):format(i, v)) end
        for _, v in ipairs(row[3]) do ok(not right(row[1], v), ("%d: %g"):format(i, v)) end
    end
    local most <const> = (2 - 2.0 ^ -23) * 2.0 ^ 127
    ok(right({0, 0, most / 1e8}, inf, {2.0 ^ 103}) and right({0, 0, most / 1e8}, most, {2.0 ^ 103}), "a tie")
    ok(not right({0, 0, 1}, inf, {2.0 ^ 127}), "a bias")
end)

case("mistakes are refused", function()
    local function refused(text, o)
        local p, message = spconv.problem(o)
        ok(p == nil and message:find(text, 1, true), message)
    end
    refused("two or three dimensions", {size = {4}, kernel = 3, channels = 1, filters = 1})
    refused("size: two or", {size = 4, kernel = 3, channels = 1, filters = 1})
    refused("kernel: dimension 1 is 0", {size = {4, 4}, kernel = 0, channels = 1, filters = 1})
    refused("kernel: dimension 2 is nil", {size = {4, 4}, kernel = {3}, channels = 1, filters = 1})
    refused("kernel: 3 dimensions instead of 2", {size = {4, 4}, kernel = {3, 3, 3}, channels = 1, filters = 1})
    refused("stride: dimension 1 is 0", {size = {4, 4}, kernel = 3, stride = 0, channels = 1, filters = 1})
    refused("lo: dimension 1 is -1", {size = {4, 4}, kernel = 3, lo = -1, channels = 1, filters = 1})
    refused("channels: nil", {size = {4, 4}, kernel = 3, filters = 1})
    refused("element 1 lies outside", {size = {4, 4}, kernel = 3, predetermined = {{0, 3}}, channels = 1, filters = 1})
    refused("at least one", {size = {4, 4}, kernel = 3, predetermined = {}, channels = 1, filters = 1})
    refused("neither", {size = {4, 4}, kernel = 3, layout = "hwc", channels = 1, filters = 1})
    refused("a tensor would have at least 1,152,921,504,606,846,976 elements, 4,611,686,018,427,387,904 bytes in " ..
        "fp32; at most 1,09",
        {size = {1 << 30, 1 << 30}, kernel = 3, channels = 1, filters = 1})
    refused("a tensor would have at least", {size = {1 << 40, 1 << 40, 1 << 40}, batch = 1 << 40, kernel = 3,
        channels = 1, filters = 1})
end)

-- ---- costs ----

-- The table of densities: Kvol, Cin, Cout; cached with and without zero fill, and both without a cache.
local densities = {
    {9, 8, 8, 0.567, 0.810, 0.667, 0.867}, {27, 8, 8, 0.631, 0.930, 0.721, 0.952},
    {9, 4, 16, 0.436, 0.567, 0.542, 0.667}, {27, 4, 16, 0.570, 0.803, 0.667, 0.860},
}

-- In closed form, for stride 1 and padding that keeps the size, at densities where every position is gathered; 4 bytes
-- of a number of the result.
local function closed(volume, channels, filters, o)
    local size = o.element or 4
    local matrix, input = size * volume * channels, size * channels
    local passes = (o.zero_fill == false and 0 or 1) + (o.cached and 0 or 1) + 2 -- over the matrix
    return ((o.cached and 2 or 3) * matrix - input) / (passes * matrix + 3 * 4 * filters)
end

case("crossover densities are those of the table, and of the bytes", function()
    for _, row in ipairs(densities) do
        local volume, channels, filters = row[1], row[2], row[3]
        for i, o in ipairs {{cached = true}, {cached = true, zero_fill = false}, {}, {zero_fill = false}} do
            local d = closed(volume, channels, filters, o)
            equal(("%.3f"):format(d), ("%.3f"):format(row[3 + i]), table.concat(row, " ", 1, 3))
            -- At d*, with weights and lists taken away, both methods move the same.
            local p = {channels = channels, filters = filters, volume = volume, positions = 1e6, outputs = 1e6}
            local bytes, extra = crossover.bytes(p, d * 1e6, o), 3 * 4 * d * 1e6
            ok(math.abs((bytes.unfold - extra) / bytes.explicit - 1) < 1e-5, i)
        end
    end
end)

case("bytes and operations of a grid of 16 x 64 x 64 with 1178 active voxels", function()
    local p = problem {size = {16, 64, 64}, kernel = 3, channels = 2, filters = 4}
    local bytes, macs = crossover.bytes(p, 1178), crossover.macs(p, 1178, 11640)
    equal(("%.2f"):format(bytes.implicit / 1e6), "1.57")
    equal(("%.2f"):format(bytes.unfold / 1e6), "2.66")
    equal(("%.1f"):format(crossover.bytes(p, 1178, {cached = true}).explicit / 1e6), "29.9")
    equal({macs.dense, macs.unfold, macs.rulebook}, {14155776, 254448, 93120})
    -- Numbers of half the size: half the bytes but for the list of windows, and product and result, which stay fp32.
    local fp32 = 3 * 4712 + 4 * 4 * (3 * 1178 + 65536)
    equal(crossover.bytes(p, 1178, {element = 2}).unfold, (bytes.unfold - fp32) // 2 + fp32)
    equal(crossover.bytes(p, 1178, {element = 2}).implicit, 2 * 2 * 65536 + 2 * 216 + 4 * 4 * 65536)
end)

case("merged reads of a gather are no more than its matrix has, nor than the input", function()
    local p = problem {size = {16, 64, 64}, kernel = 3, channels = 2, filters = 4}
    for windows, read in pairs {[0] = 0, [1178] = 1178 * 54 * 4, [2427] = 2427 * 54 * 4, [2428] = 65536 * 8,
        [65536] = 65536 * 8} do
        local merged, all = crossover.bytes(p, windows, {cached = true}).unfold, crossover.bytes(p, windows).unfold
        equal(all - merged, 54 * 4 * windows - read)
    end
end)

case("for any stride and padding, bytes turn where both methods move the same", function()
    for _, o in ipairs {{cached = true}, {cached = true, zero_fill = false}, {}, {element = 2}} do
        local kept = problem {size = {16, 64, 64}, kernel = 3, channels = 4, filters = 16}
        equal(("%.12f"):format(crossover.turn(kept, o)), ("%.12f"):format(closed(27, 4, 16, o)))
    end
    -- In fp16 the matrix [108] has 216 bytes for a window, a position 8, and what is folded 3 * 64.
    equal(closed(27, 4, 16, {cached = true, element = 2}), (2 * 216 - 8) / (3 * 216 + 3 * 64))
    -- 8 x 8, one channel, 2 x 2 at stride 2: 16 windows. With merged reads explicit moves 256 + 2 * 256 + 64 bytes;
    -- unfold 256 + 64, and for each window 4 * 16 + 3 * 4: its elements are no other window's.
    local p = problem {size = {8, 8}, kernel = 2, stride = 2, lo = 0, hi = 0, channels = 1, filters = 1}
    equal(crossover.turn(p, {cached = true}), 512 / 76 / 16)
    -- 1 x 1 at stride 4: what is read twice to find the windows costs more than any matrix.
    p = problem {size = {8, 8}, kernel = 1, stride = 4, lo = 0, hi = 0, channels = 1, filters = 1}
    equal(crossover.turn(p, {cached = true}), "never")
end)

case("16 x 64 x 64 with 1178 active voxels takes about a second", function()
    local p = problem {size = {16, 64, 64}, kernel = 3, channels = 4, filters = 16}
    local positions, features = {}, {}
    for i = 1, 1178 do
        positions[i], features[i] = i * 55, {1, -2, 3, 4}
    end
    local x, started = spconv.input(p, positions, features), os.clock()
    local r = spconv.reference(p, x, ones(16 * 4 * 27))
    equal(r.active, positions)
    equal(#spconv.dense(p, r), 4 * 16 * 65536)
    ok(os.clock() - started < 20, "slow")
end)

test.finish()
