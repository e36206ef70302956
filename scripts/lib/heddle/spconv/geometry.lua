-- The problem of a sparse convolution and its indices: sizes, positions, elements of tensors and of windows. For
-- heddle.spconv.reference, which defines the terms.
local lists = require "heddle.kit.lists"
local report = require "heddle.kit.report"
local study = require "heddle.kit.study"

local geometry = {}

local refuse, unpack = study.refuse, string.unpack

-- ---- the problem ----

local MOST = 1 << 40 -- positions, elements: their products with checked sizes stay exact

-- A list of `rank` whole numbers from `low` on, from a number for all or a list, in front of it `fill` up to three.
local function triple(given, name, rank, low, fill)
    local out, list = {fill, fill, fill}, type(given) == "table"
    for i = 1, rank do
        local v = math.tointeger(list and given[i] or not list and given or nil)
        if not v or v < low or v > MOST then
            refuse("%s: dimension %d is %s, not a whole number from %d on", name, i, tostring(v), low)
        end
        out[3 - rank + i] = v
    end
    if list and #given ~= rank then
        refuse("%s: %d dimensions instead of %d", name, #given, rank)
    end
    return out
end

-- The predetermined elements, each once, by default the one at K/2.
local function elements(p, given)
    local list, seen = {}, {}
    for i, one in ipairs(given or {{table.unpack(lists.map(p.kernel, function(k) return k // 2 end), 4 - p.rank)}}) do
        local e = triple(one, "predetermined", p.rank, 0, 0)
        for d = 1, 3 do
            if e[d] >= p.kernel[d] then
                refuse("predetermined: element %d lies outside the kernel", i)
            end
        end
        local key = table.concat(e, ",")
        list[#list + 1], seen[key] = not seen[key] and e or nil, true
    end
    return list[1] and list or refuse "predetermined: at least one element is needed"
end

local function scalar(v, name)
    local n = math.tointeger(v)
    return n and n >= 1 and n <= MOST and n or refuse("%s: %s is not a whole number from 1 on", name, tostring(v))
end

-- Derived sizes: outputs, and the numbers of positions, outputs and kernel elements.
local function derive(p)
    p.out, p.positions, p.outputs, p.volume = {}, p.batch, p.batch, 1
    for d = 1, 3 do
        local numerator = p.size[d] + p.lo[d] + p.hi[d] - p.kernel[d]
        p.out[d] = numerator < 0 and 0 or numerator // p.stride[d] + 1
        local most = math.max(1.0 * p.positions * p.size[d], 1.0 * p.outputs * p.out[d], 1.0 * p.volume * p.kernel[d])
            * math.max(p.channels, p.filters) -- in binary64: the integers may be beyond 64 bits
        if most > MOST then
            refuse("size: a tensor would have at least %s elements, %s bytes in fp32; at most %s can be counted",
                report.count(most), report.count(4 * most), report.count(MOST))
        end
        p.positions, p.outputs = p.positions * p.size[d], p.outputs * p.out[d]
        p.volume = p.volume * p.kernel[d]
    end
    return p
end

local function problem(o)
    local rank = type(o.size) == "table" and #o.size or 0
    local p = {rank = rank, layout = o.layout or "nchw"}
    if rank ~= 2 and rank ~= 3 then
        refuse "size: two or three dimensions are needed"
    elseif p.layout ~= "nchw" and p.layout ~= "nhwc" then
        refuse("layout: '%s' is neither nchw nor nhwc", tostring(p.layout))
    end
    p.batch = scalar(o.batch == nil and 1 or o.batch, "batch")
    p.channels, p.filters = scalar(o.channels, "channels"), scalar(o.filters, "filters")
    p.size, p.kernel = triple(o.size, "size", rank, 0, 1), triple(o.kernel, "kernel", rank, 1, 1)
    p.stride = triple(o.stride or 1, "stride", rank, 1, 1)
    p.lo = o.lo and triple(o.lo, "lo", rank, 0, 0) or lists.map(p.kernel, function(k) return k // 2 end)
    p.hi = o.hi and triple(o.hi, "hi", rank, 0, 0) or lists.map(p.kernel, function(k) return k - 1 - k // 2 end)
    p.predetermined = elements(p, o.predetermined)
    return derive(p)
end

-- The problem: size and kernel as {D, H, W} or {H, W} (kernel, stride, lo, hi also one number for all), channels,
-- filters, batch (1), stride (1), lo and hi (padding that keeps the size: K/2 before, the rest after), predetermined
-- (list of kernel elements), layout ("nchw"). Returns all of it in three dimensions, with out, positions, outputs and
-- volume; or nil, a message.
function geometry.problem(o)
    return study.attempt(problem, o)
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
