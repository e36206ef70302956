-- The problem of a sparse convolution and its indices: sizes, positions, elements of tensors and of windows. For
-- heddle.spconv.reference, which defines the terms.
local report = require "heddle.kit.report"

local geometry = {}

local unpack = string.unpack

-- ---- the problem ----

local MOST = 1 << 40 -- positions, elements: their products with checked sizes stay exact

-- A list of `rank` whole numbers from `low` on, from a number for all or a list, in front of it `fill` up to three.
local function triple(o, name, rank, low, fill)
    local given, out = o[name], {}
    for i = 1, rank do
        local v = math.tointeger(type(given) == "table" and given[i] or type(given) ~= "table" and given or nil)
        if not v or v < low or v > MOST then
            return nil, ("%s: dimension %d is %s, not a whole number from %d on"):format(name, i, tostring(v), low)
        end
        out[3 - rank + i] = v
    end
    for i = 1, 3 - rank do
        out[i] = fill
    end
    if type(given) == "table" and #given ~= rank then
        return nil, ("%s: %d dimensions instead of %d"):format(name, #given, rank)
    end
    return out
end

-- Padding that keeps the size at stride 1: K/2 in front, the rest behind.
local function same(kernel)
    local lo, hi = {}, {}
    for i = 1, 3 do
        lo[i] = kernel[i] // 2
        hi[i] = kernel[i] - 1 - lo[i]
    end
    return lo, hi
end

-- The predetermined elements, each once, by default the one at K/2.
local function elements(p, given)
    if not given then
        return {{p.kernel[1] // 2, p.kernel[2] // 2, p.kernel[3] // 2}}
    end
    local list, seen = {}, {}
    for i, one in ipairs(given) do
        local e, message = triple({predetermined = one}, "predetermined", p.rank, 0, 0)
        if not e then
            return nil, message
        end
        for d = 1, 3 do
            if e[d] >= p.kernel[d] then
                return nil, ("predetermined: element %d lies outside the kernel"):format(i)
            end
        end
        local key = table.concat(e, ",")
        list[#list + 1], seen[key] = not seen[key] and e or nil, true
    end
    if #list == 0 then
        return nil, "predetermined: at least one element is needed"
    end
    return list
end

local function scalar(o, name, default)
    local v = o[name] == nil and default or math.tointeger(o[name])
    if not v or v < 1 or v > MOST then
        return nil, ("%s: %s is not a whole number from 1 on"):format(name, tostring(o[name]))
    end
    return v
end

-- Derived sizes: outputs, and the numbers of positions, outputs and kernel elements.
local function derive(p)
    p.out, p.positions, p.outputs, p.volume = {}, p.batch, p.batch, 1
    for d = 1, 3 do
        local numerator = p.size[d] + p.lo[d] + p.hi[d] - p.kernel[d]
        p.out[d] = numerator < 0 and 0 or numerator // p.stride[d] + 1
        local most = math.max(1.0 * p.positions * p.size[d], 1.0 * p.outputs * p.out[d], 1.0 * p.volume * p.kernel[d])
        if most * math.max(p.channels, p.filters) > MOST then -- in binary64: the integers may be beyond 64 bits
            most = most * math.max(p.channels, p.filters)
            return nil, ("size: a tensor would have at least %s elements, %s bytes in fp32; at most %s can be " ..
                "counted"):format(report.count(most), report.count(4 * most), report.count(MOST))
        end
        p.positions, p.outputs = p.positions * p.size[d], p.outputs * p.out[d]
        p.volume = p.volume * p.kernel[d]
    end
    return p
end

-- The problem: size and kernel as {D, H, W} or {H, W} (kernel, stride, lo, hi also one number for all), channels,
-- filters, batch (1), stride (1), lo and hi (padding that keeps the size), predetermined (list of kernel elements),
-- layout ("nchw"). Returns all of it in three dimensions, with out, positions, outputs and volume; or nil, a message.
function geometry.problem(o)
    local p, message = {rank = type(o.size) == "table" and #o.size or 0, layout = o.layout or "nchw"}, nil
    if p.rank ~= 2 and p.rank ~= 3 then
        return nil, "size: two or three dimensions are needed"
    elseif p.layout ~= "nchw" and p.layout ~= "nhwc" then
        return nil, ("layout: '%s' is neither nchw nor nhwc"):format(tostring(p.layout))
    end
    for _, name in ipairs {"batch", "channels", "filters"} do
        p[name], message = scalar(o, name, name == "batch" and 1 or nil)
        if not p[name] then
            return nil, message
        end
    end
    local given = setmetatable({stride = o.stride or 1}, {__index = o})
    for _, name in ipairs {"size", "kernel", "stride"} do
        p[name], message = triple(given, name, p.rank, name == "size" and 0 or 1, 1)
        if not p[name] then
            return nil, message
        end
    end
    p.lo, p.hi = same(p.kernel)
    for _, name in ipairs {"lo", "hi"} do
        if o[name] then
            p[name], message = triple(o, name, p.rank, 0, 0)
        end
        if not p[name] then
            return nil, message
        end
    end
    p.predetermined, message = elements(p, o.predetermined)
    if not p.predetermined then
        return nil, message
    end
    return derive(p)
end

-- ---- positions ----

-- Batch, depth, height and width of a position of a tensor of that size.
function geometry.split(position, size)
    local w = position % size[3]
    local rest = position // size[3]
    local h, d = rest % size[2], rest // size[2] % size[1]
    return rest // size[2] // size[1], d, h, w
end

-- Calls visit(element, bits) for every element of a tensor (from 0) that is not zero. Zero bytes are skipped at the
-- speed of string.find.
function geometry.each_nonzero(bytes, visit)
    local at = bytes:find("[^\0]", 1)
    while at do
        local element = (at - 1) // 4
        local bits = unpack("<I4", bytes, 4 * element + 1)
        if bits & 0x7fffffff ~= 0 then
            visit(element, bits)
        end
        at = bytes:find("[^\0]", 4 * element + 5)
    end
end

-- The position and the channel (both from 0) of an element of a tensor with `channels` and `area` positions of a batch.
function geometry.place(layout, element, channels, area)
    if layout == "nhwc" then
        return element // channels, element % channels
    end
    return element // (channels * area) * area + element % area, element // area % channels
end

function geometry.element(layout, position, channel, channels, area)
    if layout == "nhwc" then
        return position * channels + channel
    end
    return (position // area * channels + channel) * area + position % area
end

-- Calls visit(window, tap, position) for the elements of the windows that lie inside the input: windows from 1 on in
-- the list's order, taps from 0 in raster order.
function geometry.each_element(p, windows, visit)
    local size, kernel, stride, lo = p.size, p.kernel, p.stride, p.lo
    for a, window in ipairs(windows) do
        local n, od, oh, ow = geometry.split(window, p.out)
        local gd, gh, gw = od * stride[1] - lo[1], oh * stride[2] - lo[2], ow * stride[3] - lo[3]
        local w0, w1 = math.max(0, -gw), math.min(kernel[3], size[3] - gw) - 1
        for td = math.max(0, -gd), math.min(kernel[1], size[1] - gd) - 1 do
            for th = math.max(0, -gh), math.min(kernel[2], size[2] - gh) - 1 do
                local tap = (td * kernel[2] + th) * kernel[3]
                local row = ((n * size[1] + gd + td) * size[2] + gh + th) * size[3] + gw
                for tw = w0, w1 do
                    visit(a, tap + tw, row + tw)
                end
            end
        end
    end
end

return geometry
