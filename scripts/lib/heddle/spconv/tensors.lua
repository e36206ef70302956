-- Tensors of a sparse convolution's reference, and the comparison of results with it. For heddle.spconv.reference.
local geometry = require "heddle.spconv.geometry"
local report = require "heddle.kit.report"

local tensors = {}

local pack, unpack = string.pack, string.unpack

-- ---- tensors ----

-- A tensor of zeros but for value(a, channel), channels from 0, at positions[a], in raster order; fp32 bytes. Written
-- in order of address, without a list of all elements: a tensor may be large and dense.
function tensors.scatter(layout, positions, channels, area, total, value)
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
function tensors.input(p, positions, features)
    return tensors.scatter(p.layout, positions, p.channels, p.positions // p.batch, p.positions * p.channels,
        function(a, c) return features[a][c + 1] end)
end

-- The whole result.
function tensors.dense(p, r)
    return tensors.scatter(p.layout, r.windows, p.filters, p.outputs // p.batch, p.outputs * p.filters,
        function(a, c) return r.values[a][c + 1] end)
end

-- The matrix of the unfold step from the input's bytes, fp32 [Cin * Kvol][A]: row ci * Kvol + tap, column a. Elements
-- are moved as bits.
function tensors.matrix(p, r, bytes)
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

-- Whether a binary32 result is one of those that its bound allows.
local function allowed(v, want, bound)
    if want - want ~= 0 or v - v ~= 0 then -- not finite
        return v == want or want ~= want and v ~= v
    end
    return math.abs(v - want) <= bound
end

local function compare_exact(p, r, got)
    local want = r.bytes or tensors.dense(p, r)
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
            if not allowed(unpack("<f", got, 4 * element + 1), r.values[a][co], r.bounds[a][co]) then
                return different(p, got, element, r.values[a][co], (" within %.3g"):format(r.bounds[a][co]))
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
function tensors.compare(p, r, got, how)
    if #got ~= 4 * p.outputs * p.filters then
        return ("the result has %s bytes instead of %s"):format(report.count(#got),
            report.count(4 * p.outputs * p.filters))
    end
    return (how == "bounded" and compare_bounded or compare_exact)(p, r, got)
end

return tensors
