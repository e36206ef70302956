-- The packed mask from its definition: the place of each pixel's bit.
--
--   local layout = mask.layout(32)                       words of 32 bits that describe two rows
--   mask.place(layout, 1, 511)                           word row 0, word column 31, bit 16
--   mask.pack(layout, bytes, {n = 1, height = 2, width = 512}, 1)   the words, as bytes
--
-- Masks are strings, as buffer:bytes() gives them: one byte an element, 0 or 1 (mask.truth makes them so). A shape is
-- {n, height, width}: images of the mask, rows and columns. Independent of the kernels; the tests compare it with
-- definitions written pixel by pixel. heddle.mask.reference has the tensors.
--
-- Published for words of 32 bits: a tile of 2 rows and 512 columns, the word's low half for the even row. Everything
-- else is derived: words of 16 and 64 bits, and other numbers of rows that divide the bits. A tile has `rows` rows of
-- `blocks` blocks of as many columns as a word has bits.

local lists = require "heddle.kit.lists"

local mask = {}

-- ---- formulas ----

-- bits of a word, rows that share one (2 if not given), blocks of a row in a tile, columns of a tile; whether it is the
-- published one. An error where the rows do not divide the bits.
function mask.layout(bits, rows)
    rows = rows or 2
    if rows < 1 or bits % rows ~= 0 then
        error(("%d rows do not divide the %d bits of a word; expected %s"):format(rows, bits,
            table.concat(mask.row_counts(bits), ", ")), 2)
    end
    return {bits = bits, rows = rows, blocks = bits // rows, tile = bits * (bits // rows),
        published = bits == 32 and rows == 2}
end

-- The numbers of rows that may share a word of `bits` bits.
function mask.row_counts(bits)
    local list = {}
    for rows = 1, bits do
        list[#list + 1] = bits % rows == 0 and rows or nil
    end
    return list
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

-- The largest width with no packed mask smaller than the boolean one, 1 or more; math.huge if none ever is,
-- which follows from the share of whole tiles, the least.
function mask.not_smaller(layout, height)
    if mask.share(layout, height, layout.tile) >= 1 then
        return math.huge
    end
    local last = 1
    while mask.share(layout, height, last + 1) >= 1 do
        last = last + 1
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

-- A bit for each 0/1 byte, of whole eights: byte p is bit p % 8 of byte p / 8.
local octets = setmetatable({}, {__index = function(t, eight)
    local value = 0
    for i = 1, 8 do
        value = value | eight:byte(i) << i - 1
    end
    t[eight] = string.char(value)
    return t[eight]
end})

-- Exchanges bit c of number r and bit r of number c, for as many numbers as they have bits: by halves, their halves ...
local function transpose(m, bits)
    local half = bits // 2
    local low = (1 << half) - 1 -- a one for each bit that has bit `half` of its place clear
    while half > 0 do
        for first = 1, bits, 2 * half do
            for r = first, first + half - 1 do
                local a, b = m[r], m[r + half]
                local both = (a >> half ~ b) & low
                m[r], m[r + half] = a ~ both << half, b ~ both
            end
        end
        half = half // 2
        low = low ~ low << half
    end
end

-- Words of a tile from its bits in the order of rows: a tile, with a block in each row of a matrix of bits, is the
-- transposed of its words.
local function words_of(layout, bytes)
    local bits, blocks, matrix = layout.bits, layout.blocks, {}
    local kind = "I" .. bits // 8
    local numbers = lists.numbers(kind, bits // 8, bytes)
    for i = 1, bits do
        matrix[i] = numbers[i + blocks - 1 - 2 * ((i - 1) % blocks)]
    end
    transpose(matrix, bits)
    return lists.bytes(kind, matrix)
end

-- A row of the mask with bits of this polarity, padded with zeros; beyond the last one zeros.
local function padded_row(bytes, first, width, to, polarity)
    local row = bytes:sub(first + 1, first + width)
    if polarity == 0 then
        row = row:gsub(".", flipped)
    end
    return row .. ("\0"):rep(to - #row)
end

-- The packed mask: bytes of [n][word rows][word columns]. With polarity 1 a bit is 1 where the mask is true, with 0
-- where it is false; bits that describe no pixel are 0 in both.
function mask.pack(layout, bytes, shape, polarity)
    local n, height, width = shape.n, shape.height, shape.width
    local word_rows = mask.words(layout, height, width)
    local span = layout.blocks * layout.bits // 8 -- bytes of a row of a tile
    local columns = (width + layout.tile - 1) // layout.tile * layout.tile
    local made, out = {}, {} -- words by the bits of their tile; many are equal
    for image = 0, n - 1 do
        for r = 0, word_rows - 1 do
            local rows = {}
            for k = 0, layout.rows - 1 do
                local h = r * layout.rows + k
                rows[k + 1] = padded_row(bytes, (image * height + h) * width, h < height and width or 0, columns,
                    polarity):gsub("........", octets)
            end
            for first = 1, columns // 8, span do
                local tile = table.concat(lists.map(rows, function(row) return row:sub(first, first + span - 1) end))
                made[tile] = made[tile] or words_of(layout, tile)
                out[#out + 1] = made[tile]
            end
        end
    end
    return table.concat(out)
end

-- The boolean mask of packed words: 0/1 bytes.
function mask.unpack(layout, words, shape, polarity)
    local height, width = shape.height, shape.width
    local word_rows, columns = mask.words(layout, height, width)
    local size, out = layout.bits // 8, {}
    for image = 0, shape.n - 1 do
        local list, at
        for h = 0, height - 1 do
            local row = image * word_rows + h // layout.rows
            if row ~= at then
                local first = row * columns * size
                list, at = lists.numbers("I" .. size, size, words:sub(first + 1, first + columns * size)), row
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

-- The mask with a bit an element that is not rearranged: bit p % 32 of word p / 32 for element p of all images, 1 where
-- it is true.
function mask.bits(bytes)
    return ((bytes .. ("\0"):rep(-#bytes % 32)):gsub("........", octets))
end

-- The mask in the order of the matrix unit's accumulators, as kernels/mask/fragments.hd takes it: a word for a lane and
-- a tile of 16 rows and 64 columns, those of a lane for `tiles` neighbouring tiles side by side. nil where the height
-- is no multiple of 16, or the width none of 64 * tiles.
function mask.fragments(bytes, shape, tiles)
    local width, span, out = shape.width, 64 * tiles, {}
    if shape.height % 16 > 0 or width % span > 0 then
        return nil
    end
    for block = 0, shape.n * shape.height // 16 - 1 do
        for column = 0, width - 1, span do
            for lane = 0, 31 do
                local first = (16 * block + lane // 4) * width + column + lane % 4 * 2
                for at = first + 1, first + span, 8 do
                    out[#out + 1] = bytes:sub(at, at + 1)
                    out[#out + 1] = bytes:sub(at + 8 * width, at + 8 * width + 1)
                end
            end
        end
    end
    return mask.bits(table.concat(out))
end

return mask
