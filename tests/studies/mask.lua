-- Are the packed masks and fills that the mask study compares with those of the definition? No kernel runs here.
package.path = "scripts/lib/?.lua;" .. package.path
local heddle = require "heddle"
local input = require "heddle.mask.input"
local mask = require "heddle.mask.definition"
local problem = require "heddle.mask.problem"
local reference = require "heddle.mask.reference"
local workload = require "heddle.mask.workload"
local random = require "heddle.kit.random"
local folder = require "tests.lib.command".folder
local test = require "tests.lib.test"
local case, equal, ok, raises = test.case, test.equal, test.ok, test.raises

local ctx = heddle.new()

-- Every group length with every number of rows that divides it.
local layouts = {}
for _, bits in ipairs {16, 32, 64} do
    for rows = 1, bits do
        if bits % rows == 0 then
            layouts[#layouts + 1] = mask.layout(bits, rows)
        end
    end
end

local function name_of(layout)
    return ("%d bits, %d rows"):format(layout.bits, layout.rows)
end

local chance = random.new(12345)

local function random_mask(count)
    return (("x"):rep(count):gsub("x", function() return string.char(chance:below(2)) end))
end

-- ---- the position formula ----

case("the worked examples of the method", function()
    local layout = mask.layout(32)
    equal({layout.rows, layout.blocks, layout.tile}, {2, 16, 512})
    equal({mask.place(layout, 0, 0)}, {0, 0, 15})
    equal({mask.place(layout, 1, 511)}, {0, 31, 16}) -- the last bit of block 15 of row 1
    local shape = {n = 1, height = 2, width = 512}
    local function words(pixel)
        local bytes = ("\0"):rep(pixel) .. "\1" .. ("\0"):rep(1023 - pixel)
        return {("<" .. ("I4"):rep(32)):unpack(mask.pack(layout, bytes, shape, 1))}
    end
    local first, last = words(0), words(1023)
    for i = 1, 32 do
        equal(first[i], i == 1 and 0x00008000 or 0)
        equal(last[i], i == 32 and 0x00010000 or 0)
    end
end)

case("figure 7: 1024 x 1024 becomes 512 x 64, tile by tile", function()
    local layout = mask.layout(32)
    equal({mask.words(layout, 1024, 1024)}, {512, 64})
    equal({mask.words(layout, 2, 508)}, {1, 32})
    equal({mask.words(layout, 512, 512)}, {256, 32})
    local bytes = random_mask(1024 * 1024)
    local whole = mask.pack(layout, bytes, {n = 1, height = 1024, width = 1024}, 1)
    equal(#whole, 512 * 64 * 4)
    for part = 0, 3 do -- four tensors of 512 x 512, each 256 x 32
        local rows = {}
        for r = 0, 511 do
            local at = ((part // 2 * 512 + r) * 1024) + part % 2 * 512
            rows[r + 1] = bytes:sub(at + 1, at + 512)
        end
        local words = mask.pack(layout, table.concat(rows), {n = 1, height = 512, width = 512}, 1)
        for r = 0, 255 do
            local at = ((part // 2 * 256 + r) * 64 + part % 2 * 32) * 4
            ok(words:sub(r * 128 + 1, r * 128 + 128) == whole:sub(at + 1, at + 128), "word row " .. r)
        end
    end
end)

case("place and pixel are inverse of each other, everywhere", function()
    for _, layout in ipairs(layouts) do
        for _ = 1, 2000 do
            local h, w = chance:below(1000), chance:below(100000)
            local row, column, bit = mask.place(layout, h, w)
            ok(bit >= 0 and bit < layout.bits and row == h // layout.rows, name_of(layout))
            equal({mask.pixel(layout, row, column, bit)}, {h, w}, name_of(layout))
            local r, c, b = chance:below(1000), chance:below(100000), chance:below(layout.bits)
            local y, x = mask.pixel(layout, r, c, b)
            equal({mask.place(layout, y, x)}, {r, c, b}, name_of(layout))
        end
    end
end)

case("a tile is a transposed matrix of bits", function()
    for _, layout in ipairs(layouts) do
        local seen = {}
        for h = 0, layout.rows - 1 do
            for w = 0, layout.tile - 1 do
                local row, column, bit = mask.place(layout, h, w)
                equal(row, 0)
                equal(column, w % layout.bits) -- the bit in a block chooses the word
                local key = column * layout.bits + bit
                ok(not seen[key], name_of(layout))
                seen[key] = true
            end
        end
        local _, outside = mask.place(layout, 0, layout.tile)
        equal(outside, layout.bits)
    end
end)

-- ---- packing ----

-- The words of a mask, pixel by pixel.
local function packed_by_pixel(layout, bytes, shape, polarity)
    local rows, columns = mask.words(layout, shape.height, shape.width)
    local words = {}
    for i = 1, shape.n * rows * columns do
        words[i] = 0
    end
    for j = 0, shape.n - 1 do
        for h = 0, shape.height - 1 do
            for w = 0, shape.width - 1 do
                local row, column, bit = mask.place(layout, h, w)
                local at = (j * rows + row) * columns + column + 1
                local set = (bytes:byte((j * shape.height + h) * shape.width + w + 1) ~= 0) == (polarity == 1)
                words[at] = words[at] | (set and 1 or 0) << bit
            end
        end
    end
    for i, word in ipairs(words) do
        words[i] = ("<i8"):pack(word):sub(1, layout.bits // 8)
    end
    return table.concat(words)
end

local shapes = {{1, 1}, {1, 2}, {1, 40000}, {2, 1}, {3, 31}, {3, 33}, {5, 63}, {2, 65}, {1, 511}, {3, 513}, {4, 130},
    {7, 1025}}

case("packing is the position formula, pixel by pixel, and unpacking its inverse", function()
    for _, layout in ipairs(layouts) do
        for i, hw in ipairs(shapes) do
            if layout.rows <= 4 or i % 3 == 0 then
                local shape = {n = 1 + i % 3, height = hw[1], width = hw[2]}
                local bytes = random_mask(shape.n * shape.height * shape.width)
                for polarity = 0, 1 do
                    local what = ("%s, %d x %d, polarity %d"):format(name_of(layout), hw[1], hw[2], polarity)
                    local words = mask.pack(layout, bytes, shape, polarity)
                    ok(words == packed_by_pixel(layout, bytes, shape, polarity), what)
                    ok(mask.unpack(layout, words, shape, polarity) == bytes, what)
                end
            end
        end
    end
end)

case("padding is zero in both polarities", function()
    for _, layout in ipairs(layouts) do
        local shape = {n = 1, height = 1, width = 1}
        local rows, columns = mask.words(layout, 1, 1)
        local ones = mask.pack(layout, "\0", shape, 0):gsub("\0", "")
        equal(#ones, 1) -- one byte with one bit
        equal(mask.pack(layout, "\1", shape, 0), ("\0"):rep(rows * columns * layout.bits // 8))
    end
end)

case("bits that are not rearranged", function()
    for _, hw in ipairs(shapes) do
        local count = 2 * hw[1] * hw[2]
        local bytes = random_mask(count)
        local got = mask.bits(bytes)
        equal(#got, (count + 31) // 32 * 4)
        for at = 0, #got * 8 - 1 do
            equal(got:byte(at // 8 + 1) >> at % 8 & 1, at < count and bytes:byte(at + 1) or 0)
        end
    end
end)

-- ---- sizes ----

case("the packed mask's size is the table's", function()
    local want = {[24] = 2.667, [32] = 2, [64] = 1, [65] = 0.985, [128] = 0.5, [256] = 0.25, [512] = 0.125,
        [513] = 0.25, [768] = 0.167, [1000] = 0.128, [1024] = 0.125}
    for width, share in pairs(want) do
        ok(math.abs(mask.share(mask.layout(32), 1024, width) - share) < 0.0005, width)
        ok(math.abs(mask.share(mask.layout(32), 1, width) - 2 * share) < 0.001, width)
    end
end)

case("where the packed mask is not smaller", function()
    equal(mask.not_smaller(mask.layout(32), 2), 64)
    equal(mask.not_smaller(mask.layout(32), 1), 128)
    for _, bits in ipairs {16, 32, 64} do
        local layout = mask.layout(bits)
        for height = 1, 5 do
            local last = mask.not_smaller(layout, height)
            for width = 1, 3 * layout.tile, 7 do
                equal(mask.share(layout, height, width) >= 1, width <= last, name_of(layout))
            end
        end
    end
    for _, rows in ipairs {8, 16, 32} do -- one row of rows that share a word: rows / 8 bytes for an element, or more
        equal(mask.not_smaller(mask.layout(32, rows), 1), math.huge, rows)
        equal(mask.not_smaller(mask.layout(32, rows), rows // 8), math.huge, rows)
        ok(mask.not_smaller(mask.layout(32, rows), rows // 8 + 1) < math.huge, rows)
    end
    equal(mask.not_smaller(mask.layout(32, 16), 16), 8) -- 32 words of 4 bytes, for 16 x 8 elements
    equal(mask.not_smaller(mask.layout(32, 4), 1), 128)
    equal(mask.not_smaller(mask.layout(32, 16), 3), 42) -- and again from a second tile, 65, up to 85
end)

-- ---- masked_fill ----

case("a flat view has the elements in order, whole lines, and words of nearly an eighth of a byte", function()
    for _, row in ipairs {{1, 1, 7, 9, "fp16"}, {3, 1, 65, 33, "int8"}, {1, 1, 100, 100, "fp64"},
        {2, 1, 31, 31, "fp32"}, {2, 3, 8, 32, "fp16"}, {1, 2, 16, 16, "int8"}} do
        local n, heads, height, width, name = table.unpack(row)
        local t = input.types[name]
        local p = problem.new {n = n, heads = heads, height = height, width = width, type = t, bits = 32, polarity = 0,
            value = ("\x80"):rep(t.size), truth = workload.kinds.random(1, 120):sub(1, n * height * width),
            x = workload.bits(n * heads * height * width, t.size)}
        local v = p:flat()
        local more = #v.x - #p.x
        equal({v.height, v.width * t.size % 128, v.n}, {2, 0, heads > 1 and n or 1}, name)
        ok(more >= 0 and more < 256 and (heads == 1 or more == 0), more)
        equal(v:want():sub(1, #p.x) == p:want(), true, name)
        equal(mask.unpack(v.layout, v:words(), v, 0):sub(1, #p.truth) == p.truth, true, name)
        ok(8 * #v:words() <= #p.truth + n * 1024 + 256, #v:words())
    end
    local p = problem.new {n = 1, heads = 2, height = 5, width = 70, type = input.types.fp16, bits = 32, polarity = 1,
        value = "\0\0", truth = ("\1"):rep(350), x = workload.bits(700, 2)}
    equal(p:flat(), false)
end)

case("a fill is the definition, element by element", function()
    for _, size in ipairs {1, 2, 4, 8} do
        for _, hw in ipairs(shapes) do
            local shape = {n = 2, heads = 1 + chance:below(3), height = hw[1], width = hw[2], size = size}
            local image = hw[1] * hw[2]
            local truth, x = random_mask(2 * image), workload.bits(2 * shape.heads * image, size)
            local value, want = ("value678"):sub(1, size), {}
            for i = 0, 2 * shape.heads * image - 1 do
                local m = i // image // shape.heads * image + i % image
                want[i + 1] = truth:byte(m + 1) ~= 0 and value or x:sub(i * size + 1, i * size + size)
            end
            ok(reference.fill(x, truth, value, shape) == table.concat(want), size)
        end
    end
end)

case("rows are interleaved", function()
    for _, hw in ipairs(shapes) do
        local height, width = hw[1], hw[2]
        local x = workload.bits(3 * height * width, 2)
        local got = reference.interleave(x, {height = height, width = width})
        equal(#got, 3 * ((height + 1) // 2) * width * 4)
        for j = 0, 2 do
            for row = 0, height - 1 do
                for c = 0, width - 1 do
                    local from = (j * height + row) * width + c
                    local to = j * ((height + 1) // 2) * 2 * width + 2 * (row // 2 * width + c) + row % 2
                    ok(got:sub(2 * to + 1, 2 * to + 2) == x:sub(2 * from + 1, 2 * from + 2))
                end
            end
        end
        ok(reference.deinterleave(got, {height = height, width = width}) == x)
    end
end)

case("a difference says which element", function()
    local a = workload.bits(2 * 3 * 5, 2)
    equal(reference.difference(a, a, 3, 5, 2), nil)
    for i = 0, 29 do
        local b = a:sub(1, 2 * i) .. "\x34\x12" .. a:sub(2 * i + 3)
        local text = reference.difference(b, a, 3, 5, 2)
        local where = ("image %d, row %d, column %d is 0x1234, not 0x"):format(i // 15, i // 5 % 3, i % 5)
        equal(text:sub(1, #where), where)
    end
    equal(reference.difference("\1\2", "\1\2\3\4", 1, 2, 2), "image 0, row 0, column 1 is missing, not 0x0403")
end)

case("every byte but 0 is true", function()
    local all = {}
    for i = 0, 255 do all[i + 1] = string.char(i) end
    equal(mask.truth(table.concat(all)), "\0" .. ("\1"):rep(255))
    equal(mask.density "\0\1\1\0\1\0\0\0", 3 / 8)
    equal(mask.density "\0\0", 0.0)
    equal(mask.density "\1", 1.0)
end)

-- ---- masks that are made ----

case("masks are what their names say", function()
    local text = {lengths = {3, 9, 2, 5}}
    local side, kinds = 8, workload.kinds
    for _, kind in ipairs(workload.names) do
        local bytes = kinds[kind](3, side, text)
        equal(#bytes, 3 * side * side, kind)
        equal(mask.truth(bytes), bytes, kind)
    end
    local ends, blocks = {[0] = 3, 2, 5}, {[0] = {0, 0, 0, 1, 1, 1, 1, 1}, {2, 2, 3, 3, 3, 3, 3, 4}, nil}
    for j = 0, 2 do
        for r = 0, side - 1 do
            for c = 0, side - 1 do
                local at = (j * side + r) * side + c + 1
                equal(kinds.causal(3, side):byte(at) == 1, c > r)
                equal(kinds.padding(3, side, text):byte(at) == 1, c >= ends[j]) -- without the sentence of 9 words
                if blocks[j] then
                    local same = blocks[j][r + 1] == blocks[j][c + 1]
                    equal(kinds.blocks(3, side, text):byte(at) == 1, not same)
                end
            end
        end
    end
    local share = mask.density(kinds.random(1, 256))
    ok(share > 0.49 and share < 0.51)
end)

case("the lengths of sentences", function()
    heddle.write(folder .. "/text", "One. Two three!\nFour five\nsix?\n%\n\"Seven.\" No end\n%\nEight\n")
    equal(workload.text(folder .. "/text").lengths, {1, 2, 3, 1})
    equal(workload.text(folder .. "/nothing"), nil)
    local made = workload.text "made"
    equal(#made.lengths, 521)
    equal(workload.text("made").lengths, made.lengths)
    local installed = workload.text()
    if not installed.about:find("not installed", 1, true) and #installed.lengths == 521 then -- the package is installed
        table.sort(installed.lengths)
        table.sort(made.lengths)
        equal(installed.lengths, made.lengths)
    end
end)

-- ---- the value of --fill ----

local function value(text, name)
    return input.value(ctx, text, input.types[name])
end

case("values that a type has", function()
    local want = {
        {"0", "int8", "\0"}, {"-128", "int8", "\x80"}, {"127", "int8", "\x7f"}, {"255", "uint8", "\xff"},
        {"0x7f", "int8", "\x7f"}, {"1e3", "int16", "\xe8\x03"}, {"-1", "int64", ("\xff"):rep(8)},
        {"9223372036854775807", "int64", ("\xff"):rep(7) .. "\x7f"},
        {"0x7fffffffffffffff", "int64", ("\xff"):rep(7) .. "\x7f"},
        {"-9223372036854775808", "int64", ("\0"):rep(7) .. "\x80"},
        {"18446744073709551615", "uint64", ("\xff"):rep(8)}, {"0x8000000000000000", "uint64", ("\0"):rep(7) .. "\x80"},
        {"9223372036854775808", "uint64", ("\0"):rep(7) .. "\x80"}, {"4294967295", "uint32", ("\xff"):rep(4)},
        {"-inf", "fp16", "\x00\xfc"}, {"inf", "bf16", "\x80\x7f"}, {"+inf", "fp32", "\0\0\x80\x7f"},
        {"nan", "fp16", "\x00\x7e"}, {"NaN", "fp64", ("\0"):rep(6) .. "\xf8\x7f"}, {"-0.0", "fp16", "\x00\x80"},
        {"65504", "fp16", "\xff\x7b"}, {"65519", "fp16", "\xff\x7b"}, {"0.1", "fp32", ("<f"):pack(0.1)},
        {"0x7c01", "fp16", "\x01\x7c"}, {"0x1", "fp32", "\1\0\0\0"},
        {"0xfff0000000000001", "fp64", "\1" .. ("\0"):rep(5) .. "\xf0\xff"},
        {"1e-30", "fp16", "\0\0"}, {"1", "bf16", "\x80\x3f"}, {"1e300", "fp64", ("<d"):pack(1e300)},
    }
    for _, row in ipairs(want) do
        equal(value(row[1], row[2]), row[3], row[1] .. " as " .. row[2])
    end
end)

case("values that a type does not have", function()
    local low = "is not representable in "
    for _, row in ipairs {
        {"300", "int8", "--fill: 300 " .. low .. "int8: it takes whole numbers from -128 to 127"},
        {"-129", "int8", low}, {"256", "uint8", low .. "uint8: it takes whole numbers from 0 to 255"},
        {"-1", "uint64", "from 0 to 18446744073709551615"}, {"18446744073709551616", "uint64", low},
        {"9223372036854775808", "int64", "from -9223372036854775808 to 9223372036854775807"},
        {"0x10000000000000000", "int64", low}, {"0xffffffffffffffff", "int64", low}, {"0x80000000", "int32", low},
        {"0.1", "int32", "--fill: 0.1 " .. low .. "int32: it takes whole numbers from -2147483648 to 2147483647"},
        {"inf", "int16", low}, {"nan", "int64", low}, {"ten", "int8", "--fill: 'ten' " .. low},
        {"0x", "int8", "--fill: '0x' " .. low}, {"1e400", "int64", low},
        {"1e6", "fp16", "--fill: 1e6 " .. low .. "fp16: it would become an infinity"}, {"-65520", "fp16", low},
        {"4e38", "bf16", low}, {"1e39", "fp32", low}, {"1e999", "fp64", low},
        {"0x10000", "fp16", "its bit patterns have 4 hexadecimal digits"}, {"-0x1", "fp16", "is neither a number"},
        {"0x", "fp32", "is neither a number"}, {"minus", "fp32", "is neither a number"},
    } do
        raises(row[3], value, row[1], row[2])
    end
end)

test.finish()
