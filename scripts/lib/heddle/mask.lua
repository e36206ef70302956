-- The packed mask from its definition: where each pixel's bit goes, and what masked_fill must give.
--
--   local layout = mask.layout(32)                       words of 32 bits that describe two rows
--   mask.place(layout, 1, 511)                           word row 0, word column 31, bit 16
--   mask.pack(layout, bytes, {n = 1, height = 2, width = 512}, 1)   the words, as bytes
--   mask.fill(x, bytes, value, {n = 1, heads = 2, height = 2, width = 512, size = 2})
--
-- Masks and tensors are strings, as buffer:bytes() gives them: one byte a mask element, 0 or 1 (mask.truth makes them
-- so); little endian elements of `size` bytes, moved as they are. A shape is {n, height, width}: images of the mask,
-- rows and columns. Nothing here looks at a kernel; the tests compare it with definitions written pixel by pixel.
--
-- Published for words of 32 bits: a tile of 2 rows and 512 columns, the word's low half for the even row. The same
-- with words of 16 and 64 bits is derived: the tile has `rows` rows of `blocks` blocks of as many columns as a word has
-- bits.
local mask = {}

-- ---- formulas ----

-- bits of a word, rows that share one (2 if not given), blocks of a row in a tile, columns of a tile
function mask.layout(bits, rows)
    rows = rows or 2
    return {bits = bits, rows = rows, blocks = bits // rows, tile = bits * (bits // rows)}
end

-- Word row, word column and bit of the pixel in row h and column w.
function mask.place(layout, h, w)
    local bits, blocks = layout.bits, layout.blocks
    local block = w % layout.tile // bits
    return h // layout.rows, w // layout.tile * bits + w % bits, blocks - 1 - block + h % layout.rows * blocks
end

-- The pixel that a bit of a word describes: row and column.
function mask.pixel(layout, row, column, bit)
    local bits, blocks = layout.bits, layout.blocks
    return row * layout.rows + bit // blocks,
        column // bits * layout.tile + (blocks - 1 - bit % blocks) * bits + column % bits
end

-- Word rows and word columns of an image.
function mask.words(layout, height, width)
    local tiles = (width + layout.tile - 1) // layout.tile
    return (height + layout.rows - 1) // layout.rows, layout.bits * tiles
end

-- Bytes of the packed mask for an element of the mask, which itself takes 1.
function mask.share(layout, height, width)
    local rows, columns = mask.words(layout, height, width)
    return rows * columns * (layout.bits // 8) / (height * width)
end

-- The largest width up to which no width has a packed mask that is smaller than the boolean one; nil if there is none.
function mask.not_smaller(layout, height)
    local last
    for width = 1, layout.tile * layout.bits do
        if mask.share(layout, height, width) < 1 then
            break
        end
        last = width
    end
    return last
end

-- ---- masks ----

-- 0 for 0, 1 for every other byte.
function mask.truth(bytes)
    return bytes:find "[^\0\1]" and (bytes:gsub("[^\0\1]+", function(run) return ("\1"):rep(#run) end)) or bytes
end

-- Elements that are true, as a share.
function mask.density(bytes)
    return 1 - #bytes:gsub("\1+", "") / #bytes
end

local flipped = {["\0"] = "\1", ["\1"] = "\0"}

-- Pads a string of whole rows with rows and columns of zeros.
local function padded_row(bytes, first, width, to, polarity)
    local row = bytes:sub(first + 1, first + width)
    if polarity == 0 then
        row = row:gsub(".", flipped)
    end
    return row .. ("\0"):rep(to - width)
end

-- Eight 0/1 bytes at a time, as an integer each, of a row padded to whole tiles: unpack formats by number of integers.
local formats = {}

local function eights(row)
    local n = #row // 8
    formats[n] = formats[n] or "<" .. ("i8"):rep(n)
    return {formats[n]:unpack(row)}
end

-- Words of a word row from its rows of eights. An accumulator holds bits 8k ... 8k + 7 of eight words, a byte for each,
-- so that one shift moves the bits of eight pixels.
local function word_row(layout, rows, tiles, out)
    local bits, blocks, bytes = layout.bits, layout.blocks, layout.bits // 8
    for tile = 0, tiles - 1 do
        for column = 0, bits // 8 - 1 do -- eight word columns
            local parts = {}
            for k = 0, bytes - 1 do
                local sum = 0
                for bit = 8 * k, 8 * k + 7 do
                    local row = rows[bit // blocks]
                    local block = blocks - 1 - bit % blocks
                    sum = sum | (row and row[(tile * layout.tile + block * bits) // 8 + column + 1] or 0) << bit % 8
                end
                parts[k + 1] = ("<i8"):pack(sum)
            end
            for i = 1, 8 do
                for k = 1, bytes do
                    out[#out + 1] = parts[k]:sub(i, i)
                end
            end
        end
    end
end

-- The packed mask: bytes of [n][word rows][word columns]. With polarity 1 a bit is 1 where the mask is true, with 0
-- where it is false; bits that describe no pixel are 0 in both.
function mask.pack(layout, bytes, shape, polarity)
    local n, height, width = shape.n, shape.height, shape.width
    local word_rows, columns = mask.words(layout, height, width)
    local tiles, out = columns // layout.bits, {}
    for image = 0, n - 1 do
        for r = 0, word_rows - 1 do
            local rows, pieces = {}, {}
            for k = 0, layout.rows - 1 do
                local h = r * layout.rows + k
                rows[k] = h < height and eights(padded_row(bytes, (image * height + h) * width, width,
                    tiles * layout.tile, polarity)) or nil
            end
            word_row(layout, rows, tiles, pieces)
            out[#out + 1] = table.concat(pieces)
        end
    end
    return table.concat(out)
end

-- The boolean mask of packed words: 0/1 bytes.
function mask.unpack(layout, words, shape, polarity)
    local height, width = shape.height, shape.width
    local word_rows, columns = mask.words(layout, height, width)
    local format = "<" .. ("I" .. layout.bits // 8):rep(columns)
    local out = {}
    for image = 0, shape.n - 1 do
        local list, at
        for h = 0, height - 1 do
            local row = image * word_rows + h // layout.rows
            if row ~= at then
                list, at = {format:unpack(words, row * columns * layout.bits // 8 + 1)}, row
            end
            local pixels = {}
            for w = 0, width - 1 do
                local _, column, bit = mask.place(layout, h, w)
                pixels[w + 1] = (list[column + 1] >> bit & 1) == polarity and "\1" or "\0"
            end
            out[#out + 1] = table.concat(pixels)
        end
    end
    return table.concat(out)
end

-- The mask with a bit an element that is not rearranged: bit c % 32 of word c / 32 of its row, 1 where it is true.
local octets = setmetatable({}, {__index = function(t, eight)
    local value = 0
    for i = 1, 8 do
        value = value | eight:byte(i) << i - 1
    end
    t[eight] = string.char(value)
    return t[eight]
end})

function mask.bits(bytes, shape)
    local width, out = shape.width, {}
    local padded = (width + 31) // 32 * 32
    for row = 0, shape.n * shape.height - 1 do
        local text, piece = padded_row(bytes, row * width, width, padded, 1), {}
        for i = 1, padded, 8 do
            piece[#piece + 1] = octets[text:sub(i, i + 7)]
        end
        out[row + 1] = table.concat(piece)
    end
    return table.concat(out)
end

-- ---- masked_fill ----

-- One image: runs of true elements become the value, what is between them is copied.
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

-- What masked_fill must give: x of n * heads images, of which `heads` after one another use one image of the mask.
function mask.fill(x, truth, value, shape)
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

local two = {} -- formats that unpack so many 2-byte elements

local function halves(row)
    local n = #row // 2
    two[n] = two[n] or "<" .. ("I2"):rep(n)
    return {two[n]:unpack(row)}
end

-- Element (2r + k, c) of an image becomes the halfword 2 * (r * width + c) + k. The last row of an image with an odd
-- number of rows is paired with zeros.
function mask.interleave(x, shape)
    local height, width, out = shape.height, shape.width, {}
    for image = 0, #x // (2 * height * width) - 1 do
        for r = 0, height - 1, 2 do
            local first = 2 * (image * height + r) * width
            local even = halves(x:sub(first + 1, first + 2 * width))
            local odd = r + 1 < height and halves(x:sub(first + 2 * width + 1, first + 4 * width)) or {}
            local pairs_of = {}
            for c = 1, width do
                pairs_of[c] = ("<I4"):pack(even[c] | (odd[c] or 0) << 16)
            end
            out[#out + 1] = table.concat(pairs_of)
        end
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
function mask.difference(got, want, height, width, size)
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

return mask
