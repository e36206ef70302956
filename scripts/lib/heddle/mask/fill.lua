-- The result of masked_fill from its definition, and the first element in which another result differs.
--
--   local y = fill.want(x, truth, value, {n = 1, heads = 2, height = 2, width = 512, size = 2})
--   fill.difference(got, y, 2, 512, 2)        nil, or "image 0, row 1, column 7 is 0x3c00, not 0xfc00"
--
-- Tensors are strings, as buffer:bytes() gives them: little endian elements of `size` bytes, moved as they are. `truth`
-- has a byte an element of the mask, 0 or 1. Independent of the kernels.
local lists = require "heddle.kit.lists"

local fill = {}

-- ---- masked_fill ----

-- One image: runs of true elements become the value, the others are copied.
local function fill_image(x, truth, value, size, out)
    local runs, at, find, sub = {}, 1, string.find, string.sub
    while true do
        local first = find(truth, "\1", at, true)
        local last = first and (find(truth, "\0", first, true) or #truth + 1)
        out[#out + 1] = sub(x, (at - 1) * size + 1, (first or #truth + 1) * size - size)
        if not first then
            return
        end
        local length = last - first
        runs[length] = runs[length] or value:rep(length)
        out[#out + 1], at = runs[length], last
        if #out >= 65536 then -- keeps the list short for masks of many runs
            out[1] = table.concat(out)
            for i = #out, 2, -1 do out[i] = nil end
        end
    end
end

-- The result of masked_fill: x has n * heads images, of which `heads` consecutive ones use one image of the mask.
function fill.want(x, truth, value, shape)
    local image, heads, size = shape.height * shape.width, shape.heads or 1, shape.size
    local out = {}
    for j = 0, shape.n * heads - 1 do
        local piece, m = {}, j // heads * image
        fill_image(x:sub(j * image * size + 1, (j + 1) * image * size), truth:sub(m + 1, m + image), value, size, piece)
        out[j + 1] = table.concat(piece)
    end
    return table.concat(out)
end

-- ---- rows 2r and 2r + 1 interleaved ----

local MANY = 4096 -- halfwords of one call of pack

local function halves(row)
    return lists.numbers("I2", 2, row)
end

local function bytes_of(list)
    local out, format = {}, "<" .. ("I2"):rep(MANY)
    for first = 1, #list, MANY do
        local n = math.min(MANY, #list - first + 1)
        out[#out + 1] = (n == MANY and format or "<" .. ("I2"):rep(n)):pack(table.unpack(list, first, first + n - 1))
    end
    return table.concat(out)
end

-- Element (2r + k, c) of an image becomes the halfword 2 * (r * width + c) + k. The last row of an image with an odd
-- number of rows is paired with zeros.
function fill.interleave(x, shape)
    local height, width, out = shape.height, shape.width, {}
    for image = 0, #x // (2 * height * width) - 1 do
        for r = 0, height - 1, 2 do
            local first = 2 * (image * height + r) * width
            local even = halves(x:sub(first + 1, first + 2 * width))
            local odd = r + 1 < height and halves(x:sub(first + 2 * width + 1, first + 4 * width)) or {}
            local list = {}
            for c = 1, width do
                list[2 * c - 1], list[2 * c] = even[c], odd[c] or 0
            end
            out[#out + 1] = bytes_of(list)
        end
    end
    return table.concat(out)
end

-- The images of interleaved ones.
function fill.deinterleave(bytes, shape)
    local height, size, out = shape.height, 4 * shape.width, {}
    local pair_rows = (height + 1) // 2
    for pair = 0, #bytes // size - 1 do
        local both = bytes:sub(pair * size + 1, (pair + 1) * size)
        out[#out + 1] = both:gsub("(..)..", "%1")
        out[#out + 1] = 2 * (pair % pair_rows) + 1 < height and both:gsub("..(..)", "%1") or nil
    end
    return table.concat(out)
end

-- ---- differences ----

-- The place of the first byte that differs, from 1; nil when the strings are equal.
local function first_byte(a, b)
    if a == b then
        return nil
    end
    local low, high = 1, math.max(#a, #b) -- the first difference is in low ... high
    while low < high do
        local middle = (low + high) // 2
        if a:sub(low, middle) == b:sub(low, middle) then
            low = middle + 1
        else
            high = middle
        end
    end
    return low
end

local function hex(bytes)
    return bytes == "" and "missing" or "0x" .. bytes:reverse():gsub(".", function(c)
        return ("%02x"):format(c:byte())
    end)
end

-- The first element of two tensors of images that differs, in words; nil when there is none.
function fill.difference(got, want, height, width, size)
    local at = first_byte(got, want)
    if not at then
        return nil
    end
    local element = (at - 1) // size
    local function of(bytes)
        return hex(bytes:sub(element * size + 1, element * size + size))
    end
    return ("image %d, row %d, column %d is %s, not %s"):format(element // (height * width),
        element // width % height, element % width, of(got), of(want))
end

return fill
