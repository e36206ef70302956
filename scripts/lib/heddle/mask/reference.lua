-- The results expected of the methods, from their definitions, and the first element in which others differ.
--
--   local y = reference.fill(x, truth, value, {n = 1, heads = 2, height = 2, width = 512, size = 2})
--   reference.difference(got, y, 2, 512, 2)     nil, or "image 0, row 1, column 7 is 0x3c00, not 0xfc00"
--   reference.softmax_difference(p, got)        nil, or what is wrong with the fp32 numbers of a softmax
--
-- Tensors are strings, as buffer:bytes() gives them: little endian elements of `size` bytes, moved as they are. `truth`
-- has a byte an element of the mask, 0 or 1. Independent of the kernels.
--
-- A row of scores x becomes exp(s - max) / sum with s = p.scale * x, or -inf where the mask is true, in double
-- precision. A row of -inf alone has no sum and becomes NaN, by the definition, or 0 where p.masked_row is
-- "zero".
local lists = require "heddle.kit.lists"
local report = require "heddle.kit.report"

local reference = {}

-- ---- masked_fill ----

-- The result of masked_fill: x has n * heads images; `heads` consecutive ones use one image of the mask.
function reference.fill(x, truth, value, shape)
    local image, heads, size = shape.height * shape.width, shape.heads or 1, shape.size
    local out, k, runs = {}, 0, {} -- pieces of the result, the last of them; the value by the length of a run
    for j = 0, shape.n * heads - 1 do
        local m, at = j // heads * image, j * image * size -- at: bytes of x that are done
        for first, last in truth:sub(m + 1, m + image):gmatch "()\1+()" do
            local length = last - first
            local run = runs[length] or value:rep(length)
            out[k + 1], out[k + 2], runs[length] = x:sub(at + 1, (j * image + first - 1) * size), run, run
            k, at = k + 2, (j * image + last - 1) * size
            if k > 65536 then -- short for masks of many runs
                out, k = {table.concat(out)}, 1
            end
        end
        k = k + 1
        out[k] = x:sub(at + 1, (j + 1) * image * size)
    end
    return table.concat(out)
end

-- The last column of each row that is not masked, as fp32, and -inf where there is none: scores that are the number of
-- their key have it as their largest.
function reference.largest_key(truth, shape)
    local out, width = {}, shape.width
    for row = 0, #truth // width - 1 do
        local kept = truth:sub(row * width + 1, (row + 1) * width):find "%z[^%z]*$"
        out[row + 1] = ("<f"):pack(kept and kept - 1 or -math.huge)
    end
    return (table.concat(out):gsub(("."):rep(4 * shape.height), function(image) return image:rep(shape.heads) end))
end

-- ---- rows 2r and 2r + 1 interleaved ----

-- Element (2r + k, c) of an image becomes the halfword 2 * (r * width + c) + k. The last row of an image with an odd
-- number of rows is paired with zeros. Four elements of each row at a time: odd places of one row are exchanged with
-- even ones of the other, then halves, which takes half as many operations as to place each element.
function reference.interleave(x, shape)
    local height, size, out = shape.height, 2 * shape.width, {}
    local function numbers(row)
        return lists.numbers("i8", 8, x:sub(row * size + 1, (row + 1) * size) .. ("\0"):rep(-size % 8))
    end
    for row = 0, #x // size - 1 do
        if row % height % 2 == 0 then
            local even, odd, both = numbers(row), row % height + 1 < height and numbers(row + 1) or {}, {}
            for i = 1, #even do
                local a, b = even[i], odd[i] or 0
                local moved = (a >> 16 ~ b) & 0xffff0000ffff
                a, b = a ~ moved << 16, b ~ moved
                both[2 * i - 1] = a & 0xffffffff | b << 32
                both[2 * i] = a >> 32 | b & ~0xffffffff
            end
            out[#out + 1] = lists.bytes("i8", both):sub(1, 2 * size)
        end
    end
    return table.concat(out)
end

-- The images of interleaved ones.
function reference.deinterleave(bytes, shape)
    local height, size, out = shape.height, 4 * shape.width, {}
    local pair_rows = (height + 1) // 2
    for pair = 0, #bytes // size - 1 do
        local even = lists.numbers("I4", 4, bytes:sub(pair * size + 1, (pair + 1) * size))
        local odd = {}
        for c, v in ipairs(even) do
            even[c], odd[c] = v & 0xffff, v >> 16
        end
        out[#out + 1] = lists.bytes("I2", even)
        out[#out + 1] = 2 * (pair % pair_rows) + 1 < height and lists.bytes("I2", odd) or nil
    end
    return table.concat(out)
end

-- ---- differences ----

local function hex(bytes)
    return bytes == "" and "missing" or "0x" .. bytes:reverse():gsub(".", function(c)
        return ("%02x"):format(c:byte())
    end)
end

-- The first element of two tensors of images that differs, in words; nil when there is none.
function reference.difference(got, want, height, width, size)
    if got == want then
        return nil
    end
    local low, high = 1, math.max(#got, #want) -- the first byte that differs is in low ... high
    while low < high do
        local middle = (low + high) // 2
        if got:sub(low, middle) == want:sub(low, middle) then
            low = middle + 1
        else
            high = middle
        end
    end
    local element = (low - 1) // size
    local function of(bytes) return hex(bytes:sub(element * size + 1, element * size + size)) end
    return ("image %d, row %d, column %d is %s, not %s"):format(element // (height * width),
        element // width % height, element % width, of(got), of(want))
end

-- ---- softmax ----

-- The bound on the relative error, with d = max - s, as kernels/mask/softmax.hd derives it for its order of operations:
-- (2.3 d + 2.3 ln width + t + 5) 2^-24 with t additions in a chain of the sum, at most 20 + width / 128. Without d.
local function bound(width)
    return 2.3 * math.log(width) + 25 + width / 128
end

local LEAST = 2.0 ^ -126 -- below, fp32 has fewer bits

-- A row of scores and its mask bytes after `first`: the numbers expected, and how far others may be from them.
local function row_of(p, scores, first)
    local s, largest, nan, scale, width = {}, -math.huge, false, p.scale, p.width
    local masked = lists.numbers("B", 1, p.truth:sub(first + 1, first + width))
    for c = 1, width do
        local v = masked[c] ~= 0 and -math.huge or scale * scores[c]
        s[c], nan = v, nan or v ~= v
        largest = v > largest and v or largest
    end
    local sum, want, within, some, exp = 0, {}, {}, bound(width), math.exp
    for c = 1, width do
        local v = s[c]
        local e = v == -math.huge and v < largest and 0.0 or exp(v - largest)
        want[c], sum = e, sum + e
    end
    local zero = p.masked_row == "zero" and largest == -math.huge and not nan
    for c = 1, width do
        local v, w = s[c], zero and 0 or want[c] / sum
        want[c] = w
        within[c] = v == -math.huge and 0 or (2.3 * (largest - v) + some) * 2.0 ^ -24 * w + LEAST
    end
    return {want = want, within = within, good = {}} -- good: rows that are
end

-- The rows of all images, kept for the next method.
local function rows_of(p)
    p.softmax_rows = p.softmax_rows or {}
    for i = #p.softmax_rows, p.n * p.heads * p.height - 1 do
        local first = i // p.height // p.heads * p.height + i % p.height
        p.softmax_rows[i + 1] = row_of(p, lists.numbers("f", 4, p.x:sub(4 * i * p.width + 1, 4 * (i + 1) * p.width)),
            first * p.width)
    end
    return p.softmax_rows
end

local function wrong_in_row(row, got)
    local want, within, abs = row.want, row.within, math.abs
    for c = 1, #want do
        local off = abs(got[c] - want[c])
        if (off > within[c] or off ~= off) and (want[c] == want[c] or got[c] == got[c]) then
            return c
        end
    end
end

-- A kernel subtracts scale times the largest score of a row, rounded, from scale times each score, exactly. What was
-- rounded off is a factor of a whole row, which cancels as long as it is not beyond the numbers of fp32.
reference.LIMIT = 2.0 ^ 24

-- The largest of scale times the size of a score, of those that are finite and not masked.
function reference.largest_score(p)
    local largest, image, scale, truth = 0, p.height * p.width, p.scale, p.truth
    for j = 0, p.n * p.heads - 1 do
        local list = lists.numbers("f", 4, p.x:sub(4 * j * image + 1, 4 * (j + 1) * image))
        local first = j // p.heads * image
        for i = 1, #list do
            local s = scale * list[i]
            s = s < 0 and -s or s
            if s > largest and math.abs(list[i]) < math.huge and truth:byte(first + i) == 0 then
                largest = s
            end
        end
    end
    return largest
end

function reference.softmax_difference(p, y)
    local height, width = p.height, p.width
    if #y ~= 4 * p.elements then
        return ("the result has %s bytes, not %s"):format(report.count(#y), report.count(4 * p.elements))
    end
    for i, row in ipairs(rows_of(p)) do
        local bytes = y:sub(4 * (i - 1) * width + 1, 4 * i * width)
        local got = not row.good[bytes] and lists.numbers("f", 4, bytes)
        local c = got and wrong_in_row(row, got)
        row.good[bytes] = not c
        if c then
            return ("image %d, row %d, column %d is %.9g, not %.9g"):format((i - 1) // height, (i - 1) % height, c - 1,
                got[c], row.want[c])
        end
    end
end

return reference
