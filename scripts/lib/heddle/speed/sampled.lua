-- What a sample of a launch is worth: launches timed in part beside the same timed as a whole, for docs/performance.md.
local heddle = require "heddle"

local V100 = {}
local EIGHTH = {sms = 10, ["l2.slices"] = 8, ["l2.bytes"] = 786432, ["dram.channels"] = 4}
local TWENTIETH = {sms = 4, ["l2.slices"] = 4, ["l2.bytes"] = 393216, ["dram.channels"] = 2}

-- A number that looks random, of a block or lane.
local function hash(i)
    return (i * 2654435761 & 0xffffffff) >> 16
end

local rows = {}

-- Adds a launch; `of`: kernel, entry, grid, block, arguments; buffers as {name, type, elements, contents}.
local function add(name, of)
    of.name = name
    of.board = of.board or TWENTIETH
    rows[#rows + 1] = of
end

local M = 1 << 20
local function copy(name, n, block, board)
    add(name, {"bench/copy", grid = n // block, block = block, board = board, args = {n = n},
        {"x", "f32", n, "iota"}, {"y", "f32", n}})
end
copy("copy, 16 M on `v100`", 16 * M, 256, V100)
copy("copy, 4 M", 4 * M, 256)
copy("copy, 4 M, blocks of 512", 4 * M, 512)
copy("copy, 4 M, an eighth of `v100`", 4 * M, 256, EIGHTH)
for _, file in ipairs {"bench/saxpy", "classic/saxpy"} do
    add(file, {file, grid = 8192, args = {n = 2 * M, a = 2}, {"x", "f32", 2 * M, "iota"}, {"y", "f32", 2 * M, "iota"}})
end
add("bench/reduce, 8 M", {"bench/reduce", grid = 32768, args = {n = 8 * M}, {"x", "f32", 8 * M, "iota"},
    {"sums", "f32", 32768}})
add("bench/fma", {"bench/fma", grid = 16000, block = 128, args = {trips = 6}, {"out", "f32", 16000 * 128}})
for k = 1, 6 do
    local blocks = 2 * M // (k < 4 and 256 or 512)
    add("classic/reduce" .. k, {"classic/reduce" .. k, grid = blocks, args = {n = 2 * M}, {"x", "u32", 2 * M, "iota"},
        {"sums", "u32", blocks}})
end
add("classic/stencil1d", {"classic/stencil1d", grid = 8192, args = {n = 2 * M}, {"x", "f32", 2 * M, "iota"},
    {"y", "f32", 2 * M}})
for _, s in ipairs {{1536, 1536}, {512, 4096}, {4096, 512}} do
    add(("classic/stencil2d, %d x %d"):format(s[1], s[2]), {"classic/stencil2d", grid = {s[2] // 16, s[1] // 8},
        block = {16, 8}, args = {rows = s[1], cols = s[2]}, {"x", "f32", s[1] * s[2], "iota"},
            {"y", "f32", s[1] * s[2]}})
end
for _, kind in ipairs {"naive", "tiled", "padded"} do
    add("classic/transpose_" .. kind, {"classic/transpose_" .. kind, grid = {64, 64}, block = {32, 8},
        args = {rows = 2048, cols = 2048}, {"a", "u32", 4 * M, "iota"}, {"b", "u32", 4 * M}})
end
add("classic/bitonic_warp", {"classic/bitonic_warp", grid = 4096, args = {n = M}, {"x", "u32", M, "random:3"}})
add("classic/collatz", {"classic/collatz", grid = 4096, block = 128, args = {n = M // 2}, {"y", "u32", M // 2}})
add("classic/matmul_naive", {"classic/matmul_naive", grid = {64, 128}, block = {16, 8},
    args = {m = 1024, n = 1024, k = 32},
    {"a", "f32", 32768, "iota"}, {"b", "f32", 32768, "iota"}, {"c", "f32", M}})
for _, k in ipairs {32, 96} do
    add("classic/matmul_tiled, k = " .. k, {"classic/matmul_tiled", grid = {64, 64}, block = {16, 16},
        args = {m = 1024, n = 1024, k = k}, {"a", "f32", 1024 * k, "iota"}, {"b", "f32", 1024 * k, "iota"},
            {"c", "f32", M}})
end
add("SGEMM, 2,048 x 2,048 x 32", {"gemm/fma", entry = "gemm_f32_64x64", grid = {32, 32}, block = 128,
    args = {m = 2048, n = 2048, k = 32, biased = 0}, {"a", "f32", 65536, "iota"}, {"b", "f32", 65536, "iota"},
    {"bias", "f32", 2048}, {"c", "f32", 4 * M}})
add("bench/matmul, 2,048 x 2,048 x 32", {"bench/matmul", grid = {32, 32}, args = {n = 2048, k = 32},
    {"a", "f32", 65536, "iota"}, {"b", "f32", 65536, "iota"}, {"c", "f32", 4 * M}})

-- Blocks, or lanes, whose loops have trips(i) rounds: kernels/bench/uneven.hd.
local function uneven(name, entry, blocks, trips, of)
    of = of or {}
    local block = of.block or 256
    local count = entry == "uneven_lane" and blocks * block or blocks
    local buffers = {{"trips", "u32", count, function(i) return trips(i - 1) end}, {"y", "f32", blocks * block}}
    buffers[3] = of.x and {"x", "f32", of.x, "iota"}
    add(name, {"bench/uneven", entry = entry, grid = blocks, block = block, args = {n = of.x}, table.unpack(buffers)})
end
uneven("multiply-adds, equal blocks", "uneven_fma", 8000, function() return 50 end)
uneven("multiply-adds, short blocks", "uneven_fma", 8000, function() return 12 end)
uneven("multiply-adds, blocks of 512", "uneven_fma", 6000, function() return 40 end, {block = 512})
uneven("multiply-adds, random blocks", "uneven_fma", 8000, function(i) return hash(i) % 100 + 1 end)
uneven("multiply-adds, eight kinds", "uneven_fma", 8000, function(i) return hash(i) % 8 + 1 end, {block = 128})
uneven("multiply-adds, seven in turn", "uneven_fma", 8000, function(i) return i % 7 * 20 + 5 end)
uneven("multiply-adds, growing", "uneven_fma", 8000, function(i) return i // 80 + 1 end)
uneven("multiply-adds, falling", "uneven_fma", 8000, function(i) return 100 - i // 80 end)
uneven("multiply-adds, a long tail", "uneven_fma", 8000, function(i) return i >= 7990 and 2000 or 40 end)
uneven("multiply-adds, few long blocks", "uneven_fma", 8000, function(i) return hash(i) % 50 == 0 and 1000 or 30 end)
uneven("multiply-adds, two halves", "uneven_fma", 8000, function(i) return i < 4000 and 40 or 120 end)
uneven("gather, equal blocks", "uneven_load", 4000, function() return 4 end, {x = M // 4})
uneven("gather, one round", "uneven_load", 6000, function() return 1 end, {x = M // 4})
uneven("gather in L1", "uneven_load", 6000, function() return 6 end, {x = 8192})
uneven("gather, random blocks", "uneven_load", 4000, function(i) return hash(i) % 8 + 1 end, {x = M // 4})
uneven("gather, powers of two", "uneven_load", 4000, function(i) return 1 << hash(i) % 4 end, {x = M // 8})
uneven("gather, three in turn", "uneven_load", 4000, function(i) return i % 3 * 2 + 1 end, {x = M // 4})
uneven("lanes, random", "uneven_lane", 4000, function(i) return hash(i) % 60 end)
uneven("lanes, equal", "uneven_lane", 4000, function() return 30 end)
uneven("lanes, in steps", "uneven_lane", 4000, function(i) return i // 128 % 50 end)
uneven("lanes, few long ones", "uneven_lane", 4000, function(i) return hash(i) % 32 == 0 and 100 or 10 end)
for seed = 1, 5 do -- the kinds of launches that intervals miss most often
    local n = 7250 + 133 * seed
    uneven("eight kinds, seed " .. seed, "uneven_fma", 8000, function(i) return hash(7 * i + seed) % 8 + 1 end,
        {block = 128})
    uneven("three kinds, seed " .. seed, "uneven_fma", 6000, function(i) return hash(7 * i + seed) % 3 * 4 + 1 end,
        {block = 128})
    add(("classic/stencil1d, %d blocks"):format(n), {"classic/stencil1d", grid = n, args = {n = 256 * n},
        {"x", "f32", 256 * n, "iota"}, {"y", "f32", 256 * n}})
end

-- ---- one launch, twice ----

local function measure(context, row, sample)
    local args, bytes = {}, {}
    for name, v in pairs(row.args) do
        args[name] = v
    end
    for _, b in ipairs(row) do
        if type(b) == "table" then
            local buffer = context:buffer(b[1], b[2], b[3], type(b[4]) == "function" and b[4] or nil)
            args[b[1]] = type(b[4]) == "string" and buffer:fill(b[4]) or buffer
        end
    end
    local program = context:load(row[1])
    local begun = os.clock()
    local result = context:launch(program, {entry = row.entry, grid = row.grid, block = row.block or 256, args = args,
                                            sample = sample})
    local seconds = os.clock() - begun
    for _, b in ipairs(row) do
        bytes[#bytes + 1] = type(b) == "table" and args[b[1]]:bytes() or nil
    end
    return result, seconds, table.concat(bytes)
end

local sampled = {}

-- Rows {launch, blocks, timed, cycles, error, interval, gain}, with a head; and a sentence on all. `show` gets each.
function sampled.compare(show)
    local list = {{"launch", "blocks", "timed", "cycles", "error", "interval", "x faster"}}
    local sum, held, n = 0, 0, 0
    for _, row in ipairs(rows) do
        local context = heddle.new()
        context:board("v100", row.board)
        local whole, long, bytes = measure(context, row)
        local part, short, same = measure(context, row, true)
        assert(bytes == same, row.name .. ": other results")
        assert(whole.thread_instructions == part.thread_instructions, row.name .. ": other counts")
        local off = part.cycles / whole.cycles - 1
        if part.sampled then
            n, sum = n + 1, sum + math.abs(off)
            held = held + (part.cycles_low <= whole.cycles and whole.cycles <= part.cycles_high and 1 or 0)
        end
        list[#list + 1] = {row.name, part.blocks, ("%.0f %%"):format(100 * part.sample_blocks / part.blocks),
            whole.cycles,
            part.sampled and ("%+.1f %%"):format(100 * off) or "-",
            part.sampled and ("%.1f %%"):format(100 * (part.cycles_high / part.cycles - 1)) or "-",
            ("%.1f"):format(long / short)}
        show(table.concat(list[#list], "  "))
    end
    local text = "%d launches, %d of them sampled: the interval holds the time of all blocks in %d; mean error %.1f %%"
    return list, text:format(#rows, n, held, 100 * sum / n)
end

return sampled
