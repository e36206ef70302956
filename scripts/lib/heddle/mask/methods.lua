-- The methods of the mask study, a row each: a new one is a row here and its kernel.
--
--   methods.by.words.gives                                  "fill"
--   methods.of {gives = "fill", mask = "bool"}              {"bool", "bool-vector", ...}, in order
--   methods.launch("words", {g = 32, bytes = 2, order = "linear", n = 2, heads = 1, height = 3, width = 600})
--       -> {file = "mask/linear", entry = "linear_g32_b16", grid = {2, 2, 2}, block = {32, 1, 1}, share = 1}
--   methods.choose(p, option)                               those that run on a problem, and those that do not
local mask = require "heddle.mask.definition"
local lists = require "heddle.kit.lists"
local report = require "heddle.kit.report"
local reference = require "heddle.mask.reference"
local study = require "heddle.kit.study"

local methods = {orders = {"linear", "packed", "interleaved"}, by = {}}

-- ---- grid shapes: functions of the options of methods.launch that give grid and block ----
--
-- A thread of a block {x, y} at (x, y, z) in the grid handles one packed word: that in column x of word row y, for
-- image z. `bool` is launched in the shape of G = 32, so that both traverse the tensor alike. A block is one warp, or
-- a tile where that is wider. A hundred SMs whose warps each access half a kilobyte or more of two rows keep so many
-- DRAM rows open that more warps cost time, and an SM has at most 32 small blocks: a100, 8192 x 4096 fp16, reaches 78
-- % of DRAM's peak, 72 % with blocks of 256 threads, 82 % with 16 warps on an SM.

-- A thread for each word. A warp wider than a tile takes neighbouring tiles if they divide the row, else word rows.
local function per_word(o, layout, images)
    local rows, columns = mask.words(layout, o.height, o.width)
    local x = layout.bits
    while x < o.warp and columns % (2 * x) == 0 do
        x = 2 * x
    end
    local y = math.min(math.max(o.warp // x, 1), rows)
    return {columns // x, (rows + y - 1) // y, images}, {x, y, 1}
end

local function words_of_mask(o) return per_word(o, mask.layout(o.g, o.rows), o.n) end

local function words_of_images(o) return per_word(o, mask.layout(o.g, o.rows), o.n * o.heads) end

local function as_g32(o) return per_word(o, mask.layout(32), o.n * o.heads) end

local function as_g32_of_shares(o) return per_word(o, mask.layout(32), o.n * ((o.heads + o.share - 1) // o.share)) end

local CHUNK <const> = 64 -- threads of the blocks below: a multiple of every warp width

-- Grid of a fixed number of neighbouring pixels a thread, with numbers of their own for elements of 2 bytes and of 1.
-- They are those of one image, or of all as one run where each has its own mask.
local function in_order(some, of_two, of_one)
    return function(o)
        local each = o.bytes == 1 and of_one or o.bytes <= 2 and of_two or some
        local pixels, block = o.height * o.width, each * CHUNK
        local run, images = o.heads == 1 and pixels * o.n or pixels, o.heads == 1 and 1 or o.n * o.heads
        return {(run + block - 1) // block, 1, images}, {CHUNK, 1, 1}
    end
end

-- 32 pixels a thread.
local function words_of_bits(o)
    return {(o.n * o.height * o.width + 32 * CHUNK - 1) // (32 * CHUNK), 1, 1}, {CHUNK, 1, 1}
end

-- A word row in each block, more where a warp is wider.
local function word_rows(o)
    local rows, columns = mask.words(mask.layout(32), o.height, o.width)
    local y = math.min(math.max(o.warp // columns, 1), rows)
    return {1, (rows + y - 1) // y, o.n * o.heads}, {columns, y, 1}
end

local FULL <const> = 16 * 32 -- threads that make an SM full enough: 16 warps of 32 (see above)

-- The images of one mask that a thread fills: as many as leave threads to fill the board.
local function share_of(o)
    local grid, block = per_word(o, mask.layout(32), o.n)
    local threads, share = grid[1] * block[1] * grid[2] * block[2] * o.n, o.heads
    while share > 1 and threads * ((o.heads + share - 1) // share) < FULL * o.sms do
        share = share // 2
    end
    return share
end

-- A warp for each 16 rows, four in a block.
local function row_blocks(o) return {(o.height + 63) // 64, 1, o.n * o.heads}, {128, 1, 1} end

-- ---- rows ----

-- True if images of x that share a mask do not begin at multiples of `some` pixels.
local function unaligned(some)
    return function(o) return o.heads > 1 and o.height * o.width % some ~= 0 end
end

-- True if rows do not begin at multiples of four pixels.
local function odd_rows(o) return o.width % 4 ~= 0 end

-- name, file, entry (G, R and B stand for the bits and the rows of a word and the bits of an element, ORDER for the
-- order of the walk), shape,
--   gives    "words" or "bits": a mask converted to them; "fill", "store" (a fill in place), "softmax", or "best", the
--            largest of scores in registers
--   mask     what it reads: "bool", "words", "bits", "fragments" or "none", which only knows causal masks
-- some of these words, each a field that is true,
--   flat     there is also NAME-flat, the same kernel on the flat view of a problem, whose words are "flat"
--   lines    it knows no rows and takes the flat view where there is one: a tensor ends where a line does
--   orders   it has the orders of methods.orders
--   shared   a mask is loaded once for several images of x
--   control  others are always faster
--   drawn    it is in the picture of speed-ups
--   must     a study cannot do without it
--   padded   rows of bits are padded to whole 128 bits
--   skip     there is also NAME-skip, which loads no element that is masked: its entry has _skip before _bB
--   two_rows it takes only words of two rows
-- and
--   bits, bytes   only words of these bits, only elements of at most these bytes
--   tiles    the columns of its mask are a multiple of 64 of them (1)
--   small    with fewer registers a thread its entry is NAME_small
--   instead  {NAME, when}: the method that is launched in its place where a function of the options is true
-- The first of a kind of result is what its others are compared with.
local rows = {
    {"convert", "convert", "convert_gG_rR", words_of_mask, "words", "bool", "flat must"},
    {"convert-bits", "bits_convert", "bits_convert", words_of_bits, "bits", "bool"},

    {"bool", "bool", "bool_bB", as_g32, "fill", "bool", "control drawn must"},
    {"bool-vector", "bool_vector", "bool_vector_bB", in_order(8), "fill", "bool", "lines drawn skip"},
    {"bool-vector-long", "bool_vector", "bool_vector_long_bB", in_order(16), "fill", "bool", "lines skip"},
    {"bool-wide", "bool_vector", "bool_vector_wide_bB", in_order(16, 16, 32), "fill", "bool", "lines skip", bytes = 2},
    {"bool-wide-long", "bool_vector", "bool_vector_wide_long_bB", in_order(32, 32, 64), "fill", "bool", "lines skip"},
    {"bits", "bits", "bits_bB", as_g32, "fill", "bits", "control drawn"},
    {"bits-vector", "bits_vector", "bits_vector_bB", in_order(8, 16), "fill", "bits", "lines drawn skip",
        instead = {"bits", unaligned(8)}},
    {"words", "ORDER", "ORDER_gG_rR_bB", words_of_images, "fill", "words", "flat orders drawn must"},
    {"words-skip", "linear_skip", "linear_skip_gG_bB", words_of_images, "fill", "words", "flat two_rows"},
    {"bool-heads", "heads", "bool_heads_bB", as_g32_of_shares, "fill", "bool", "shared"},
    {"words-heads", "heads", "words_heads_bB", as_g32_of_shares, "fill", "words", "flat shared two_rows", bits = 32},
    {"causal", "causal", "causal_bB", as_g32, "fill", "none", "drawn skip"},

    {"bool-store", "store", "bool_store_bB", as_g32, "store", "bool", "control"},
    {"bool-store-vector", "store_vector", "bool_store_vector_bB", in_order(8), "store", "bool", "lines",
        instead = {"bool-store", unaligned(4)}},
    {"bool-store-vector-long", "store_vector", "bool_store_vector_long_bB", in_order(16), "store", "bool", "lines",
        instead = {"bool-store", unaligned(4)}},
    {"bits-store", "store", "bits_store_bB", as_g32, "store", "bits", "control"},
    {"bits-store-vector", "store_vector", "bits_store_vector_bB", in_order(8, 16), "store", "bits", "lines",
        instead = {"bits-store", unaligned(8)}},
    {"bits-store-vector-long", "store_vector", "bits_store_vector_long_bB", in_order(16, 32), "store", "bits",
        "lines", instead = {"bits-store", unaligned(8)}},
    {"words-store", "store", "words_store_gG_bB", words_of_images, "store", "words", "flat two_rows"},

    {"softmax-bool", "softmax", "softmax_bool", word_rows, "softmax", "bool", "skip", small = 84},
    {"softmax-bool-vector", "softmax", "softmax_bool_vector", word_rows, "softmax", "bool", "skip",
        instead = {"softmax-bool", odd_rows}},
    {"softmax-bits", "softmax", "softmax_bits", word_rows, "softmax", "bits", "skip"},
    {"softmax-bits-vector", "softmax", "softmax_bits_vector", word_rows, "softmax", "bits", "skip",
        instead = {"softmax-bits", odd_rows}},
    {"softmax-bits-padded", "softmax", "softmax_bits_padded", word_rows, "softmax", "bits", "padded"},
    {"softmax-words", "softmax", "softmax_words", word_rows, "softmax", "words", "two_rows skip", bits = 32},

    {"frag-bool", "fragments", "frag_bool", row_blocks, "best", "bool"},
    {"frag-bool-near", "fragments", "frag_bool_near", row_blocks, "best", "bool"},
    {"frag-bool-near-wide", "fragments", "frag_bool_near_wide", row_blocks, "best", "bool", tiles = 4},
    {"frag-bits", "fragments", "frag_bits", row_blocks, "best", "bits"},
    {"frag-bits-wide", "fragments", "frag_bits_wide", row_blocks, "best", "bits", tiles = 4},
    {"frag-bits-near", "fragments", "frag_bits_near", row_blocks, "best", "bits"},
    {"frag-bits-near-wide", "fragments", "frag_bits_near_wide", row_blocks, "best", "bits", tiles = 4},
    {"frag-words", "fragments", "frag_words", row_blocks, "best", "fragments"},
    {"frag-words-wide", "fragments", "frag_words_wide", row_blocks, "best", "fragments", tiles = 4},
}

local list = {}

local function add(row)
    list[#list + 1], methods.by[row.name] = row, row
end

for _, row in ipairs(rows) do
    row.name, row.file, row.entry, row.shape, row.gives, row.mask = table.unpack(row)
    for flag in (row[7] or ""):gmatch "%S+" do
        row[flag] = true
    end
    row.converts = row.mask == "bool" and (row.gives == "words" or row.gives == "bits")
    add(lists.merge(row, {flat = false}))
    if row.skip then
        local other = row.instead and {row.instead[1] .. (methods.by[row.instead[1] .. "-skip"] and "-skip" or ""),
            row.instead[2]}
        add(lists.merge(row, {name = row.name .. "-skip", entry = row.entry:gsub("^(.-)(_?b?B?)$", "%1_skip%2"),
            drawn = false, small = false, instead = other, flat = false}))
    end
    if row.flat then
        add(lists.merge(row, {name = row.name .. "-flat", lines = true, two_rows = true, must = false, drawn = false,
            gives = row.gives == "words" and "flat" or row.gives, mask = row.mask == "words" and "flat" or row.mask}))
    end
end

-- The names of the rows whose fields have these values, in order: of each field one value, or a list of some; false is
-- also that of a field that a row lacks.
function methods.of(wanted)
    local found = {}
    for _, row in ipairs(list) do
        local fits = true
        for field, value in pairs(wanted) do
            local some = type(value) == "table" and value or {value}
            fits = fits and lists.any(some, function(one) return one == (row[field] or false) end)
        end
        found[#found + 1] = fits and row.name or nil
    end
    return found
end

-- The labels of methods, by their names: with every order.
function methods.labels(names)
    local found = {}
    for _, name in ipairs(names) do
        for _, order in ipairs(methods.by[name].orders and methods.orders or {false}) do
            found[#found + 1] = methods.label {name = name, order = order}
        end
    end
    return found
end

-- The label of a method, {name, order}.
function methods.label(what)
    return what.order and what.name .. " " .. what.order or what.name
end

methods.names = methods.of {}

-- Of each method the one that makes the mask that it reads, if one does, and the one that it is compared with.
for _, row in ipairs(list) do
    row.converter = methods.of {gives = row.mask}[1]
    row.baseline = not row.converts and methods.of {gives = row.gives}[1] or nil
end

-- ---- launches ----

-- The launch of a method; `runs_as`: the method launched in its place. Options: g, bits of a packed word (16, 32, 64;
-- default 32); rows, those that it describes (default 2); bytes, size of an element (1, 2, 4, 8); order (default
-- "linear"); n, images of the mask; heads, images of x for each of them (default 1); height, width; warp, the width of
-- the board (default 32); registers, those that a thread of the board may have (default 255); sms, those of the board
-- (default 100); masked_row, what a softmax gives in a row that is masked as a whole ("nan" or "zero"; default "nan").
function methods.launch(name, options)
    local row = methods.by[name] or error(("there is no method '%s'"):format(name), 2)
    local o = lists.merge({g = 32, rows = 2, heads = 1, order = "linear", warp = 32, registers = 255, sms = 100},
        options)
    local runs_as
    while row.instead and row.instead[2](o) do
        row, runs_as = methods.by[row.instead[1]], row.instead[1]
    end
    o.share = share_of(o)
    local entry = row.entry:gsub("ORDER", o.order):gsub("_gG", "_g" .. o.g)
        :gsub("_rR", o.rows ~= 2 and "_r" .. o.rows or "")
        :gsub("_bB", o.order ~= "interleaved" and "_b" .. 8 * (o.bytes or 0) or "") ..
        (row.small and o.registers < row.small and "_small" or "") ..
        (row.gives == "softmax" and o.masked_row == "zero" and "_zero" or "")
    local grid, block = row.shape(o)
    return {file = "mask/" .. row.file:gsub("ORDER", o.order), entry = entry, grid = grid, block = block,
        share = o.share, runs_as = runs_as}
end

-- ---- choice ----

-- True if the rows of a problem are whole tiles, so that its flat view has the same words.
local function whole_tiles(p)
    return p.width % p.layout.tile == 0 and p.height % p.layout.rows == 0
end

-- True if a method can run on a problem; if not, why.
function methods.possible(p, name, order)
    local row, shared_by = methods.by[name], report.plural(p.layout.rows, "row")
    if p.layout.rows ~= 2 and order and order ~= "linear" then
        return false, ("the %s order is that of two rows, each a half of a word; here a word describes %s. Use " ..
            "--rows 2, or --order linear"):format(order, shared_by)
    elseif p.layout.rows ~= 2 and row.two_rows then
        return false, ("it takes words of two rows; here a word describes %s. Use --rows 2"):format(shared_by)
    elseif order == "interleaved" and p.size ~= 2 then
        return false, ("the interleaved order is for elements of 2 bytes, and %s has %d"):format(p.type.name, p.size)
    elseif p.size > (row.bytes or p.size) then
        return false, ("it is for elements of 1 and 2 bytes, and %s has %d"):format(p.type.name, p.size)
    elseif row.mask == "none" and not p:causal() then
        return false, "the mask is not that of causal attention: true exactly where the column is behind the row"
    elseif row.flat and not p:flat() then
        return false, ("%s share a mask, and an image is not made of pairs of whole lines of 128 bytes"):format(
            report.plural(p.heads, "image"))
    elseif p.bits ~= (row.bits or p.bits) then
        return false, ("it takes words of %d bits; use --result int32 or float"):format(row.bits)
    elseif row.gives == "best" and not p[(row.tiles or 1) > 1 and "fragments4" or "fragments"](p) then
        return false, ("it takes masks of whole tiles of 16 rows and %d columns"):format(64 * (row.tiles or 1))
    elseif row.gives == "softmax" and p.type.name ~= "fp32" then
        return false, ("it takes scores of fp32, not %s"):format(p.type.name)
    elseif row.gives == "softmax" and p:largest_score() >= reference.LIMIT then
        return false, ("it takes scores whose size, times --scale, is below %s; here they reach %.3g"):format(
            report.count(reference.LIMIT), p:largest_score())
    end
    return true
end

-- The orders that a method is run in: by --order, or linear, or all that are possible.
local function orders_of(row, option)
    return not row.orders and {false} or option.order and {option.order} or
        option.method == "all" and methods.orders or {"linear"}
end

-- The methods to run, in order: {name, order}; and with all methods those that do not fit the problem: {label, why}. A
-- method requested by name that cannot run ends the study. `option` has method ("all" or a name) and order (nil:
-- linear, or every possible one with all methods); `wanted` is a list of names, of all methods only these.
function methods.choose(p, option, wanted)
    local chosen, left_out = {}, {}
    local function try(row, must)
        for _, order in ipairs(orders_of(row, option)) do
            local what = {name = row.name, order = order or nil}
            local yes, why = methods.possible(p, row.name, order)
            if not yes and must then
                study.refuse("--method %s: %s", row.name, why)
            end
            chosen[#chosen + 1] = yes and what or nil
            left_out[#left_out + 1] = not yes and {label = methods.label(what), why = why} or nil
        end
    end
    if option.method ~= "all" then
        local row = methods.by[option.method]
        for _, name in ipairs {row.converter or false, row.baseline or false} do
            if name and name ~= row.name then
                try(methods.by[name])
            end
        end
        try(row, true)
        return chosen, {}
    end
    local only = wanted and lists.set(wanted)
    for _, row in ipairs(list) do
        local function skip(why)
            left_out[#left_out + 1] = {label = row.name, why = why}
        end
        if only and not only[row.name] or not only and (row.gives == "softmax" or row.gives == "best") then
            goto next
        elseif row.flat and whole_tiles(p) then
            skip "rows are whole tiles, which a flat view has as well"
        elseif p.heads > 1 or not row.shared then
            try(row, row.orders and option.order)
        elseif not p.kind then -- generated masks have a sweep of heads
            skip "no two images of x share one of the mask; see --heads"
        end
        ::next::
    end
    return chosen, left_out
end

return methods
