-- The sparse submanifold convolution on the host, straight from its definitions and independent of the kernels, whose
-- results are compared with it. The methods' costs (heddle.spconv.crossover) count its positions, windows and pairs.
--
--   local p = assert(spconv.problem{size = {16, 64, 64}, channels = 4, filters = 8, kernel = 3})
--   local r = spconv.reference(p, x_bytes, weights, bias)             -- active, windows, values, bounds
--   local bytes = spconv.dense(p, r)                                  -- the result tensor, fp32
--   local wrong = spconv.compare(p, r, got_bytes, "exact")            -- nil, or the first difference in words
--
-- Input x is fp32 [N][Cin][D][H][W] (layout "nchw") or [N][D][H][W][Cin] ("nhwc"), without D in two dimensions, as
-- bytes; the result likewise with Cout. Weights are a list in the order [Cout][Cin][kernel] for both, bias a list of
-- Cout numbers or nil. Positions are whole numbers from 0, in raster order: batch, depth, height, width.
--
--   active      a position where a channel is not zero: some bit but the sign is set, so -0.0 is zero, NaN is not
--   window      of output o: the kernel's elements t at input o * stride - lo + t; outside the input all is zero
--   active window: one that has an active position at one of the predetermined elements, or at several
--   result      at active windows  bias + sum of weight * x  over the window (correlation), else +0.0
--
-- Sums are taken in binary64: exact for whole numbers of up to 2^53, and else far within the bound of a binary32 sum
-- in any order, (Kvol * Cin + 2) * 2^-24 * (|bias| + sum of |weight * x|). Where that order may overflow binary32 the
-- infinities, and the NaN of both, that some order gives are right as well.
local geometry = require "heddle.spconv.geometry"
local lists = require "heddle.kit.lists"
local report = require "heddle.kit.report"

local spconv = {problem = geometry.problem}

local pack, unpack = string.pack, string.unpack

-- ---- positions and windows ----

-- Numbers in a set, in order.
local function sorted(set)
    local list = {}
    for v in pairs(set) do
        list[#list + 1] = v
    end
    table.sort(list)
    return list
end

-- The active positions of an input in raster order.
function spconv.positions(p, bytes)
    local found, area = {}, p.positions // p.batch
    geometry.each_nonzero(bytes, function(element)
        found[(geometry.place(p.layout, element, p.channels, area))] = true
    end)
    return sorted(found)
end

-- The active positions of an input in raster order; and the features there, lists of Cin numbers by position.
function spconv.active(p, bytes)
    local features, area = {}, p.positions // p.batch
    geometry.each_nonzero(bytes, function(element)
        local position, channel = geometry.place(p.layout, element, p.channels, area)
        local feature = features[position]
        if not feature then
            feature = {}
            for c = 1, p.channels do
                feature[c] = 0.0
            end
            features[position] = feature
        end
        feature[channel + 1] = unpack("<f", bytes, 4 * element + 1)
    end)
    return sorted(features), features
end

-- The active windows of those active positions, as output positions in raster order, each once.
function spconv.windows(p, active)
    local found, out, stride = {}, p.out, p.stride
    for _, position in ipairs(active) do
        local n, d, h, w = geometry.split(position, p.size)
        local q = {d, h, w}
        for _, e in ipairs(p.predetermined) do
            local inside, o = true, n
            for i = 1, 3 do
                local t = q[i] - e[i] + p.lo[i]
                inside = inside and t >= 0 and t % stride[i] == 0 and t // stride[i] < out[i]
                o = o * out[i] + t // stride[i]
            end
            if inside then
                found[o] = true
            end
        end
    end
    return sorted(found)
end

-- The number of pairs of an active position and an active window that has it among its elements: the rulebook's.
function spconv.pairs(p, active, windows)
    local is_active, found = lists.set(active), 0
    geometry.each_element(p, windows, function(_, _, position)
        found = found + (is_active[position] and 1 or 0)
    end)
    return found
end

-- ---- the result ----

-- The weights by kernel element, from 0, and filter: lists of Cin numbers.
local function by_tap(p, weights)
    local taps = {}
    for tap = 0, p.volume - 1 do
        taps[tap] = {}
        for co = 1, p.filters do
            local row, base = {}, (co - 1) * p.channels * p.volume + tap + 1
            for ci = 1, p.channels do
                row[ci] = weights[base + (ci - 1) * p.volume]
            end
            taps[tap][co] = row
        end
    end
    return taps
end

-- For each window and filter bias + sum of weight * x, over its active elements.
local function sums_of(p, windows, features, weights, bias)
    local values, taps, filters, channels = {}, by_tap(p, weights), p.filters, p.channels
    for a in ipairs(windows) do
        local sums = {}
        for co = 1, filters do
            sums[co] = (bias and bias[co] or 0.0) + 0.0 -- sums begin at +0.0, so that none is -0.0
        end
        values[a] = sums
    end
    geometry.each_element(p, windows, function(a, tap, position)
        local feature, sums, rows = features[position], values[a], taps[tap]
        for co = 1, feature and filters or 0 do
            local row, sum = rows[co], sums[co]
            for ci = 1, channels do
                sum = sum + row[ci] * feature[ci]
            end
            sums[co] = sum
        end
    end)
    return values
end

-- Sizes of numbers, of those that are not finite 0: infinities bound nothing.
local function sizes(list)
    return list and lists.map(list, function(v) return v - v == 0 and math.abs(v) or 0.0 end)
end

-- The bound of a sum by the sum of the sizes of its terms.
local function scale(p)
    return (p.volume * p.channels + 2) * 2.0 ^ -24
end

-- Everything about one input, where weights are finite: {active, features, windows, values, bounds}; values[a][co] is
-- the result at window a, bounds[a][co], made at its first use, how far a binary32 sum may be from it.
function spconv.reference(p, bytes, weights, bias)
    local r = {}
    r.active, r.features = spconv.active(p, bytes)
    r.windows = spconv.windows(p, r.active)
    r.values = sums_of(p, r.windows, r.features, weights, bias)
    return setmetatable(r, {__index = function(_, key)
        if key == "bounds" then
            local features = {}
            for position, feature in pairs(r.features) do
                features[position] = sizes(feature)
            end
            r.bounds = lists.map(sums_of(p, r.windows, features, sizes(weights), sizes(bias)), function(of)
                return lists.map(of, function(size) return scale(p) * size end)
            end)
            return r.bounds
        end
    end})
end

-- ---- tensors ----

-- A tensor of zeros but for value(a, channel), channels from 0, at positions[a], in raster order; fp32 bytes. Written
-- in order of address, without a list of all elements: a tensor may be large and dense.
function spconv.scatter(layout, positions, channels, area, total, value)
    local pieces, part, next_element = {}, {}, 0
    local function put(a, c)
        local element = geometry.element(layout, positions[a], c, channels, area)
        if element > next_element then
            part[#part + 1] = ("\0"):rep(4 * (element - next_element))
        end
        part[#part + 1], next_element = pack("<f", value(a, c)), element + 1
        if #part > 4096 then
            pieces[#pieces + 1], part = table.concat(part), {}
        end
    end
    local first = 1
    while first <= #positions do -- contiguous elements: an image, or with the channels innermost a position
        local last = first
        while layout == "nchw" and last < #positions and positions[last + 1] // area == positions[first] // area do
            last = last + 1
        end
        for c = 0, channels - 1 do
            for a = first, last do
                put(a, c)
            end
        end
        first = last + 1
    end
    part[#part + 1] = ("\0"):rep(4 * (total - next_element))
    pieces[#pieces + 1] = table.concat(part)
    return table.concat(pieces)
end

-- An input with these features, lists of Cin numbers, at those positions (in raster order).
function spconv.input(p, positions, features)
    return spconv.scatter(p.layout, positions, p.channels, p.positions // p.batch, p.positions * p.channels,
        function(a, c) return features[a][c + 1] end)
end

-- The whole result.
function spconv.dense(p, r)
    return spconv.scatter(p.layout, r.windows, p.filters, p.outputs // p.batch, p.outputs * p.filters,
        function(a, c) return r.values[a][c + 1] end)
end

-- The matrix of the unfold step from the input's bytes, fp32 [Cin * Kvol][A]: row ci * Kvol + tap, column a. Elements
-- are moved as bits.
function spconv.matrix(p, r, bytes)
    local columns, list, area = #r.windows, {}, p.positions // p.batch
    for i = 1, p.channels * p.volume * columns do
        list[i] = "\0\0\0\0"
    end
    geometry.each_element(p, r.windows, function(a, tap, position)
        for ci = 0, p.channels - 1 do
            local at = 4 * geometry.element(p.layout, position, ci, p.channels, area)
            list[(ci * p.volume + tap) * columns + a] = bytes:sub(at + 1, at + 4)
        end
    end)
    return table.concat(list)
end

-- ---- comparison ----

local function name_of(p, element)
    local position, channel = geometry.place(p.layout, element, p.filters, p.outputs // p.batch)
    local n, d, h, w = geometry.split(position, p.out)
    local where = p.rank == 3 and ("%d, %d, %d"):format(d, h, w) or ("%d, %d"):format(h, w)
    return ("element %d (batch %d, filter %d, position %s)"):format(element, n, channel, where), position
end

local function different(p, got, element, want, more)
    local v, bits = unpack("<f", got, 4 * element + 1), unpack("<I4", got, 4 * element + 1)
    return ("%s is %.9g (0x%08x), not %.9g%s"):format((name_of(p, element)), v, bits, want, more or "")
end

local INFINITE <const> = 2.0 ^ 128 - 2.0 ^ 103 -- from here on numbers round to infinity in binary32

-- True if a binary32 result is one that some order of summing gives. No partial sum is above that of the positive terms
-- or below that of the negative ones; where one of these overflows the result may be that infinity, where both do NaN.
local function allowed(v, want, bound, size)
    if v == want or v ~= v and want ~= want then
        return true
    elseif want - want ~= 0 then -- x is infinite: finite terms of the other sign may have overflowed before
        return want == want and v ~= v and size + bound >= INFINITE
    end
    local up, down = (size + want) / 2 + bound >= INFINITE, (size - want) / 2 + bound >= INFINITE
    return math.abs(v - want) <= bound or v ~= v and up and down or v == math.huge and up or v == -math.huge and down
end

local function compare_exact(p, r, got)
    local want = r.bytes or spconv.dense(p, r)
    r.bytes = want -- for the next method
    if got == want then
        return nil
    end
    for element = 0, #want // 4 - 1 do
        local g, w = unpack("<I4", got, 4 * element + 1), unpack("<I4", want, 4 * element + 1)
        if g ~= w then
            local a, b = unpack("<f", got, 4 * element + 1), unpack("<f", want, 4 * element + 1)
            if a == a or b == b then -- else two NaN
                return different(p, got, element, b, (" (0x%08x)"):format(w))
            end
        end
    end
end

local function compare_bounded(p, r, got)
    local area, at = p.outputs // p.batch, {}
    for a, position in ipairs(r.windows) do
        at[position] = a
        for co = 1, p.filters do
            local element = geometry.element(p.layout, position, co - 1, p.filters, area)
            local want, bound = r.values[a][co], r.bounds[a][co]
            if not allowed(unpack("<f", got, 4 * element + 1), want, bound, bound / scale(p)) then
                return different(p, got, element, want, (" within %.3g"):format(bound))
            end
        end
    end
    local byte = got:find("[^\0]")
    while byte do
        local element = (byte - 1) // 4
        local _, position = name_of(p, element)
        if not at[position] then
            return different(p, got, element, 0, ": no window is active there")
        end
        byte = got:find("[^\0]", 4 * element + 5)
    end
end

-- Compares a result with the reference: nil when it holds, or what is wrong first. `how` is "exact", the same bits
-- (a NaN for a NaN), or "bounded", within the bound at active windows; +0.0 everywhere else in both.
function spconv.compare(p, r, got, how)
    if #got ~= 4 * p.outputs * p.filters then
        return ("the result has %s bytes instead of %s"):format(report.count(#got),
            report.count(4 * p.outputs * p.filters))
    end
    return (how == "bounded" and compare_bounded or compare_exact)(p, r, got)
end

return spconv
