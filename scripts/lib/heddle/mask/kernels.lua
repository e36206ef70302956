-- The launch of each method of the mask study: kernel file, entry, grid and block.
--
--   local kernels = require "heddle.mask.kernels"
--   kernels.launch("words", {g = 32, bytes = 2, order = "linear", n = 2, heads = 1, height = 3, width = 600})
--       -> {name = "words", names = {}, file = "mask/linear", entry = "linear_g32_b16", grid = {2, 2, 2},
--           block = {32, 1, 1}, share = 1}
--
-- Options: g, bits of a packed word (16, 32, 64; default 32); rows, those that it describes (default 2; another number
-- in linear order, and only for `convert` and `words`); bytes, size of an element (1, 2, 4, 8); order of the
-- packed mask ("linear", "packed", "interleaved"; default "linear"); n, images of the mask; heads, images of x for
-- each of them (default 1); height, width; warp, the width of the board (default 32);
-- registers, those that a thread of the board may have (default 255); sms, those of the board (default 100);
-- masked_row, what a softmax gives in a row that is masked as a whole ("nan" or "zero"; default "nan").
--
-- A thread of a block {x, y} at (x, y, z) in the grid handles one packed word: that in column x of word row y, for
-- image z. `bool` is launched in the shape of G = 32, so that both traverse the tensor alike. A block is one warp, or
-- a tile where that is wider. A hundred SMs whose warps each access half a kilobyte or more of two rows keep so many
-- DRAM rows open that more warps cost time, and an SM has at most 32 small blocks: a100, 8192 x 4096 fp16, reaches 78
-- % of DRAM's peak, 72 % with blocks of 256 threads, 82 % with 16 warps on an SM.
local mask = require "heddle.mask.definition"

local kernels = {}

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

-- ---- grid shapes: functions of the options that give grid and block ----

local function words_of_mask(o)
    return per_word(o, mask.layout(o.g, o.rows), o.n)
end

local function words_of_images(o)
    return per_word(o, mask.layout(o.g, o.rows), o.n * o.heads)
end

local function as_g32(o)
    return per_word(o, mask.layout(32), o.n * o.heads)
end

local function as_g32_of_shares(o)
    return per_word(o, mask.layout(32), o.n * ((o.heads + o.share - 1) // o.share))
end

local CHUNK <const> = 64 -- threads of the blocks below: a multiple of every warp width

-- The length of a run of consecutive pixels and the number of runs: one for each image, or a single one where each
-- image has its own mask.
local function run_of(o)
    local pixels = o.height * o.width
    if o.heads == 1 then
        return pixels * o.n, 1
    end
    return pixels, o.n * o.heads
end

-- So many neighbouring pixels a thread, and of elements of 1 or 2 bytes `small` if that is given.
local function in_order(some, small)
    return function(o)
        local pixels, images = run_of(o)
        local block = (o.bytes <= 2 and small or some) * CHUNK
        return {(pixels + block - 1) // block, 1, images}, {CHUNK, 1, 1}
    end
end

-- Twice as many as 128 bits have; 32, of 1 byte 64.
local function as_wide(o)
    return in_order(2 * (16 // o.bytes))(o)
end

local function as_wide_long(o)
    return in_order(o.bytes == 1 and 64 or 32)(o)
end

-- 32 pixels a thread.
local function words_of_bits(o)
    return {(o.n * o.height * o.width + 32 * CHUNK - 1) // (32 * CHUNK), 1, 1}, {CHUNK, 1, 1}
end

local FULL <const> = 16 * 32 -- threads with which an SM is full enough: 16 warps of 32 (see above)

-- The images of one mask that a thread fills: as many as leave threads to fill the board.
local function share_of(o)
    local grid, block = per_word(o, mask.layout(32), o.n)
    local threads, share = grid[1] * block[1] * grid[2] * block[2] * o.n, o.heads
    while share > 1 and threads * ((o.heads + share - 1) // share) < FULL * o.sms do
        share = share // 2
    end
    return share
end

-- A word row in each block, more where a warp is wider.
local function word_rows(o)
    local rows, columns = mask.words(mask.layout(32), o.height, o.width)
    local y = math.min(math.max(o.warp // columns, 1), rows)
    return {1, (rows + y - 1) // y, o.n * o.heads}, {columns, y, 1}
end

-- ---- methods ----

-- method: file, entry (G, R and B stand for the bits and the rows of a word and the bits of an element, ORDER for the
-- order), shape
local rows = {
    ["convert"] = {"mask/convert", "convert_gG", words_of_mask},
    ["convert-rows"] = {"mask/convert", "convert_gG_rR", words_of_mask},
    ["words"] = {"mask/ORDER", "ORDER_gG_bB", words_of_images},
    ["words-rows"] = {"mask/linear", "linear_gG_rR_bB", words_of_images},
    ["words-interleaved"] = {"mask/interleaved", "interleaved_gG", words_of_images},
    ["words-store"] = {"mask/store", "words_store_gG_bB", words_of_images},
    ["bool"] = {"mask/bool", "bool_bB", as_g32},
    ["bool-store"] = {"mask/store", "bool_store_bB", as_g32},
    ["bool-store-vector"] = {"mask/store_vector", "bool_store_vector_bB", in_order(8)},
    ["bool-store-vector-long"] = {"mask/store_vector", "bool_store_vector_long_bB", in_order(16)},
    ["bits-store-vector-long"] = {"mask/store_vector", "bits_store_vector_long_bB", in_order(16, 32)},
    ["bits-store"] = {"mask/store", "bits_store_bB", as_g32},
    ["bits-store-vector"] = {"mask/store_vector", "bits_store_vector_bB", in_order(8, 16)},
    ["bool-vector"] = {"mask/bool_vector", "bool_vector_bB", in_order(8)},
    ["bool-vector-long"] = {"mask/bool_vector", "bool_vector_long_bB", in_order(16)},
    ["bool-wide"] = {"mask/bool_vector", "bool_vector_wide_bB", as_wide},
    ["bool-wide-long"] = {"mask/bool_vector", "bool_vector_wide_long_bB", as_wide_long},
    ["bits"] = {"mask/bits", "bits_bB", as_g32},
    ["bits-vector"] = {"mask/bits_vector", "bits_vector_bB", in_order(8, 16)},
    ["convert-bits"] = {"mask/bits_convert", "bits_convert", words_of_bits},
    ["bool-heads"] = {"mask/heads", "bool_heads_bB", as_g32_of_shares},
    ["words-heads"] = {"mask/heads", "words_heads_bB", as_g32_of_shares}, -- g is 32
    ["causal"] = {"mask/causal", "causal_bB", as_g32},
    ["softmax-bool"] = {"mask/softmax", "softmax_bool", word_rows},
    ["softmax-bool-small"] = {"mask/softmax", "softmax_bool_small", word_rows},
    ["softmax-bool-vector"] = {"mask/softmax", "softmax_bool_vector", word_rows},
    ["softmax-bits"] = {"mask/softmax", "softmax_bits", word_rows},
    ["softmax-bits-vector"] = {"mask/softmax", "softmax_bits_vector", word_rows},
    ["softmax-bits-padded"] = {"mask/softmax", "softmax_bits_padded", word_rows},
    ["softmax-words"] = {"mask/softmax", "softmax_words", word_rows}, -- g is 32
}

-- Whether with several images of x for each mask they begin at multiples of some pixels.
local function begins_at(o, some)
    return o.heads == 1 or o.height * o.width % some == 0
end

-- The method that replaces another where that does not fit or is slower.
local instead = {
    ["convert"] = function(o) return o.rows ~= 2 and "convert-rows" end,
    ["words"] = function(o) return o.rows ~= 2 and "words-rows" or o.order == "interleaved" and "words-interleaved" end,
    ["bool-wide"] = function(o) return o.bytes > 2 and "bool-vector" end,
    ["bits-vector"] = function(o) return not begins_at(o, 8) and "bits" end,
    ["bool-store-vector"] = function(o) return not begins_at(o, 4) and "bool-store" end,
    ["bool-store-vector-long"] = function(o) return not begins_at(o, 4) and "bool-store" end,
    ["bits-store-vector"] = function(o) return not begins_at(o, 8) and "bits-store" end,
    ["bits-store-vector-long"] = function(o) return not begins_at(o, 8) and "bits-store" end,
    ["softmax-bool-vector"] = function(o) return o.width % 4 ~= 0 and "softmax-bool" end,
    ["softmax-bits-vector"] = function(o) return o.width % 4 ~= 0 and "softmax-bits" end,
    ["softmax-bool"] = function(o) return o.registers < 84 and "softmax-bool-small" end, -- softmax_bool has 84
}

local function named(text, o)
    return (text:gsub("ORDER", o.order):gsub("_gG", "_g" .. o.g):gsub("_rR", "_r" .. o.rows):gsub("_bB", "_b" ..
        8 * (o.bytes or 0)))
end

-- The launch of a method; `names` are its successive replacements, of which the last, `name`, is launched. An error for
-- an unknown name.
function kernels.launch(method, options)
    local o = setmetatable({
        g = options.g or 32, rows = options.rows or 2, heads = options.heads or 1,
        order = options.order or "linear", warp = options.warp or 32,
        registers = options.registers or 255, sms = options.sms or 100,
    }, {__index = options})
    local name, names = method, {}
    while instead[name] and instead[name](o) do
        name = instead[name](o)
        names[#names + 1] = name
    end
    local row = rows[name] or error(("there is no method '%s'"):format(method), 2)
    o.share = share_of(o)
    local grid, block = row[3](o)
    local zero = o.masked_row == "zero" and row[1] == "mask/softmax" and "_zero" or ""
    return {name = name, names = names, file = named(row[1], o), entry = named(row[2], o) .. zero, grid = grid,
        block = block, share = o.share}
end

return kernels
