-- Do words shared by any number of rows follow their definition, from the formula to the study's files?
package.path = "scripts/lib/?.lua;" .. package.path
local heddle = require "heddle"
local board = require "heddle.kit.board"
local launch = require "heddle.mask.launch"
local mask = require "heddle.mask.definition"
local random = require "heddle.kit.random"
local masks = require "tests.lib.masks"
local test = require "tests.lib.test"
local workload = require "heddle.mask.workload"
local cli = require "tests.lib.command"
local case, equal, ok, raises = test.case, test.equal, test.ok, test.raises

local folder, read_all = cli.folder, cli.read
local ctx = heddle.new()

local WIDTHS <const> = {16, 32, 64}

-- Calls a function with bits and rows of every layout.
local function each_layout(look)
    for _, bits in ipairs(WIDTHS) do
        local rows = 1
        while rows <= bits do
            look(bits, rows)
            rows = 2 * rows
        end
    end
end

local chance = random.new(2024)

local function random_mask(count)
    return (("x"):rep(count):gsub("x", function() return string.char(chance:below(2)) end))
end

-- ---- an independent definition: a word is written digit by digit, in the order of reading ----

-- Digits of the word in column `i` of a tile, from the top down: the tile's last row first, in each row the columns i,
-- i + bits, ... ; 0 where there is no element.
local function digits(bits, rows, pixel, h, w)
    local list = {}
    for up = rows - 1, 0, -1 do
        for c = w, w + bits * (bits // rows) - 1, bits do
            list[#list + 1] = pixel(h + up, c)
        end
    end
    return table.concat(list)
end

-- The little endian bytes of a number written in binary digits.
local function bytes_of(text)
    local list = {}
    for last = #text, 8, -8 do
        list[#list + 1] = string.char(tonumber(text:sub(last - 7, last), 2))
    end
    return table.concat(list)
end

local function reference(bits, rows, truth, shape, polarity)
    local height, width, tile = shape.height, shape.width, bits * (bits // rows)
    local out = {}
    for image = 0, shape.n - 1 do
        local function pixel(h, w)
            if h >= height or w >= width then
                return "0"
            end
            return truth:byte((image * height + h) * width + w + 1) == polarity and "1" or "0"
        end
        for h = 0, height - 1, rows do
            for first = 0, width - 1, tile do
                for i = 0, bits - 1 do
                    out[#out + 1] = bytes_of(digits(bits, rows, pixel, h, first + i))
                end
            end
        end
    end
    return table.concat(out)
end

case("words are their digits, and come back", function()
    each_layout(function(bits, rows)
        local layout = mask.layout(bits, rows)
        for _ = 1, 3 do
            local shape = {n = 1 + chance:below(2), height = 1 + chance:below(2 * rows + 1),
                width = 1 + chance:below(300)}
            local truth = random_mask(shape.n * shape.height * shape.width)
            for polarity = 0, 1 do
                local what = ("%d bits, %d rows, %d x %d, polarity %d"):format(bits, rows, shape.height, shape.width,
                    polarity)
                local words = mask.pack(layout, truth, shape, polarity)
                ok(words == reference(bits, rows, truth, shape, polarity), what)
                ok(mask.unpack(layout, words, shape, polarity) == truth, what)
            end
        end
    end)
end)

case("the place of a pixel is its digit, and the digit's pixel is that one", function()
    each_layout(function(bits, rows)
        local layout = mask.layout(bits, rows)
        equal(layout.published, bits == 32 and rows == 2)
        for _ = 1, 20 do
            local h, w = chance:below(200), chance:below(9000)
            local row, column, bit = mask.place(layout, h, w)
            local text = digits(bits, rows, function(y, x) return y == h and x == w and "1" or "0" end, row * rows,
                column // bits * layout.tile + column % bits)
            equal(text, ("0"):rep(bits - 1 - bit) .. "1" .. ("0"):rep(bit), ("%d bits, %d rows"):format(bits, rows))
            equal({mask.pixel(layout, row, column, bit)}, {h, w})
        end
    end)
end)

case("rows that do not divide a word", function()
    for _, row in ipairs {{16, 32}, {32, 3}, {64, 0}, {32, -2}} do
        raises(("%d rows do not divide the %d bits of a word; expected 1, 2, 4, 8, 16"):format(row[2], row[1]),
            mask.layout, table.unpack(row))
    end
    equal(mask.row_counts(32), {1, 2, 4, 8, 16, 32})
end)

-- ---- kernels ----

local types = {"int8", "fp16", "fp32", "fp64"}

case("conversion and fill of every layout, element size and warp width", function()
    local benches = {}
    for i, width in ipairs {8, 16, 32, 64} do
        benches[i] = launch.new(board.read(heddle.new(), "a100"), {warp = width})
    end
    local layouts, turn = 0, 0
    each_layout(function(bits, rows)
        local tile = bits * (bits // rows)
        layouts = layouts + 1
        for i, name in ipairs(types) do
            local n, heads = 1 + i % 2, 1 + turn // 2 % 2
            local shapes = { -- a full tile; one that lacks a row; more than half of one; anything
                {rows, tile}, {2 * rows - 1, tile}, {rows + 1, tile // 2 + 1 + chance:below(tile // 2 - 1)},
                {rows + 1 + chance:below(rows), 1 + chance:below(2 * tile)},
            }
            local height, width = table.unpack(shapes[(i + layouts) % 4 + 1])
            for polarity = 0, 1 do
                turn = turn + 1
                local p = masks.problem {n = n, heads = heads, height = height, width = width, type = name, bits = bits,
                    rows = rows, polarity = polarity, truth = random_mask(n * height * width)}
                local bench = benches[(turn + layouts) % 4 + 1]
                for _, method in ipairs {{name = "convert"}, {name = "words", order = "linear"}} do
                    equal(bench:run(p, method).difference, nil, ("%s, %d bits, %d rows, %d x %d, polarity %d: %s, " ..
                        "warp %d"):format(name, bits, rows, height, width, polarity, method.name, bench.width))
                end
            end
        end
    end)
end)

case("a step costs what it costs with two rows", function()
    local bench = launch.new(board.read(heddle.new(), "a100"), {})
    local function instructions(rows)
        local p = masks.problem {height = 64, width = 1024, rows = rows, truth = workload.kinds.random(1, 256)}
        return bench:run(p, {name = "words", order = "linear"}, true).warp_instructions / (65536 / 32)
    end
    local two = instructions(2)
    for _, rows in ipairs {1, 4, 8} do -- at most two more for a row that begins, for set-up one for each word
        ok(math.abs(instructions(rows) - two) <= (2 * rows + 2) / 32, rows)
    end
end)

-- ---- the study ----

local run, printed = cli.study "mask"

local function good(arguments)
    return (printed(arguments):gsub("%s+", " "))
end

local function bad(text, arguments)
    local status, _, err = run(arguments .. " --json none.json")
    equal(status, 2, arguments)
    ok(err:gsub("%s+", " "):find(text, 1, true), err)
    ok(not read_all(folder .. "/none.json") and not read_all(folder .. "/none.npy"), "an output was written")
end

local function save(name, kind, shape, init)
    ctx:buffer("b", kind, shape, init):save(folder .. "/" .. name .. ".npy")
end

local shape = {n = 2, height = 7, width = 70}
local truth = random_mask(980)
local x = workload.bits(1960, 2)
save("m", "u8", {2, 1, 7, 70}, truth)
save("x", "f16", {2, 2, 7, 70}, x)

local function filled(value)
    local out = {}
    for i = 0, 1959 do
        local at = i // 980 * 490 + i % 490
        out[i + 1] = truth:byte(at + 1) == 1 and value or x:sub(2 * i + 1, 2 * i + 2)
    end
    return table.concat(out)
end

case("words are written, checked, read back and used", function()
    for _, row in ipairs {{"half", 16, 1}, {"int32", 32, 1}, {"int32", 32, 4}, {"double", 64, 4}, {"int64", 64, 64}} do
        local result, bits, rows = table.unpack(row)
        local layout = mask.layout(bits, rows)
        local columns = select(2, mask.words(layout, 7, 70))
        local options = ("--result %s --rows %d --polarity 0 --out y.npy"):format(result, rows)
        local out = good(("--mask m.npy --x x.npy %s --words w.npy --json j.json"):format(options))
        local words = ctx:npy("got", folder .. "/w.npy")
        equal({words.type, words.shape}, {"u" .. bits, {2, (7 + rows - 1) // rows, columns}}, options)
        ok(words:bytes() == reference(bits, rows, truth, shape, 0), options)
        ok(ctx:npy("got", folder .. "/y.npy"):bytes() == filled "\x00\xfc", options)
        ok(out:find("(" .. result .. ", derived), polarity 0", 1, true) and not out:find("published", 1, true), out)
        ok(out:find(rows == 1 and "bits, each of one row" or ("bits for %d rows"):format(rows), 1, true), out)
        local json = read_all(folder .. "/j.json")
        for _, absent in ipairs {'"order": "packed"', '"order": "interleaved"', '"method": "words-heads"',
            '"method": "words-store"'} do
            ok(not json:find(absent, 1, true), absent)
        end
        ok(out:find("words packed, words-flat packed (the packed order is that of two rows,", 1, true), out)
        ok(out:find("words-flat linear, words-skip, words-skip-flat, words-heads, words-heads-flat, words-store, " ..
            "words-store-flat (it takes words of two rows;", 1, true), out)
        ok(json:find(('"word_rows": %d'):format(rows), 1, true) and json:find('"derived": true', 1, true), options)
        good(("--words w.npy --x x.npy --fill 1 --method words %s"):format(options))
        ok(ctx:npy("got", folder .. "/y.npy"):bytes() == filled "\x00\x3c", options)
    end
end)

case("words of other rows than --rows says", function()
    good "--mask m.npy --method words --rows 4 --words w.npy"
    bad("w.npy: shape [2,2,32]; the words of 7 x 70 elements are 4 x 32 (32 bits, 2 rows a word)",
        "--words w.npy --x x.npy")
    bad("the words of 7 x 70 elements are 7 x 32 (32 bits, 1 row a word)", "--words w.npy --x x.npy --rows 1")
    save("row", "f16", {1, 70}, 0)
    save("w1", "u32", {1, 32}, 1) -- bit 0 of 4 rows is that of column 224 and further ones
    bad("a bit that describes no element of a 1 x 70 mask is 1; expected 0", "--words w1.npy --x row.npy --rows 4")
end)

case("what is for two rows says so", function()
    bad("--rows: 3 does not divide the 32 bits of a word (--result int32); expected 1, 2, 4, 8, 16, 32",
        "--mask m.npy --rows 3 --out none.npy")
    bad("--rows: 32 does not divide the 16 bits of a word (--result half); expected 1, 2, 4, 8, 16",
        "--rows 32 --result half")
    bad("--rows: 0 is outside 1 to 64", "--mask m.npy --rows 0")
    bad("--rows: 'two' is not a whole number", "--mask m.npy --rows two")
    for _, order in ipairs {"packed", "interleaved"} do
        for _, rows in ipairs {"1 row", "4 rows"} do
            bad(("the %s order is that of two rows, each a half of a word; here a word describes %s. Use --rows 2, " ..
                "or --order linear"):format(order, rows), ("--mask m.npy --order %s --rows %s --out none.npy"):format(
                order, rows:match "%d"))
        end
    end
    for _, name in ipairs {"words-store", "words-heads", "words-flat", "softmax-words"} do
        bad(("--method %s: it takes words of two rows; here a word describes 4 rows. Use --rows 2"):format(name),
            ("--mask m.npy --dtype fp32 --heads 2 --rows 4 --out none.npy --method %s"):format(name))
    end
    bad("--method words-store: it takes words of two rows", "--length 8 --elements 64 --rows 1 --method words-store")
end)

case("generated masks, with 4 rows", function()
    local out = good("--board teach32 --length 32 --length 64 --elements 2048 --rows 4 --text made --json j.json")
    ok(out:find("32 bits for 4 rows (int32, derived)", 1, true), out)
    local json = read_all(folder .. "/j.json")
    ok(json:find('"condition": "W from 129 on"', 1, true), json)
    ok(not json:find('"verified": false', 1, true))
    ok(select(2, run "--help"):find("%-%-rows R +rows of the mask that share a packed word"), "--help")
end)

os.execute("rm -rf " .. folder)
test.finish()
