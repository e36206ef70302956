-- Microbenchmarks in the style of those for real cards, run in the model.
--
--   local m = micro.new(board.read(ctx, "v100"))
--   m:measure "l1_latency"            32.0
--   m:measure "scale_full"            89.1
--
-- Quantities of an SM are measured on one SM by straight-line programs: one instruction many times, each dependent on
-- the one before. A single warp gives the latency, a full SM the rate. The difference between a long and a short
-- program cancels everything else. Memory is measured by the kernels of kernels/calibrate on the whole board, again by
-- the difference of two launches.
local bench = require "heddle.kit.bench"
local study = require "heddle.kit.study"

local micro = {}
micro.__index = micro

-- `threads`: of the host.
function micro.new(board, threads)
    return setmetatable({board = board, ctx = board.ctx, threads = threads, programs = {}}, micro)
end

local function launch(self, code, options)
    options.threads = self.threads
    return self.ctx:launch(code, options)
end

-- ---- straight lines ----

local SHORT, MORE = 32, 128 -- instructions
local WORDS = 1 << 16 -- of 64 bits, in the buffer that is read

-- {instruction, set-up of its operands, results or bytes of a lane, registers of a chain, chains}. An instruction
-- depends on its predecessor in the chain; @ is the number of the chain. Latencies are those of one chain. Rates have
-- several in each warp, as many as the unit can hold: with fewer, the last warps, which schedulers leave to the end,
-- would be latency-bound.
local lines = {
    fp32 = {"fma.f32 v@, v@, k, k", "mov.b32 v@, 1.0\nmov.b32 k, 0.5", 1, "v@", 4},
    imad = {"mad.lo.s32 v@, v@, k, k", "mov.b32 v@, 1\nmov.b32 k, 3", 1, "v@", 4},
    half = {"fma.f16x2 v@, v@, k, k", "mov.b32 v@, 1\nmov.b32 k, 3", 1, "v@", 4},
    fp64 = {"fma.f64 q@, q@, w, w", "movi.b64 q@, 0.5\nmovi.b64 w, 0.5", 1, "q@:2", 4},
    sfu = {"rsqrt.f32 v@, v@", "mov.b32 v@, 3.0", 1, "v@", 4},
    shuffle = {"shfl.bfly.b32 v@, v@, 1", "mov.b32 v@, i", 1, "v@", 8},
    barrier = {"bar.sync 0", "", 0, "v@", 1},
    atomic = {"atom.add.u32.global v@, [w], v@", "ld.param.b64 w, [words]\nmov.b32 v@, 1", 1, "v@", 1},
    atomic_wide = {"atom.add.u64.global q@, [w], q@", "ld.param.b64 w, [words]\nmovi.b64 q@, 1", 1, "q@:2", 1},
    global_64 = {"ld.global.b64 q@, [q@]", "ld.param.b64 q@, [words]\nmad.wide.u32 q@, i, 8, q@\n" ..
        "st.global.b64 [q@], q@\nbar.sync 0", 8, "q@:2", 8},
}

-- Loads that hit L1, eight in turn, four words from one another: from a word of the buffer, which `place` leaves in n@.
local function eight(place)
    return {"ld.global.b32 v@, [w@]", ".reg w@:2, n@\nld.param.b64 w@, [words]\nadd.s64 w@, w@, 16 * @\n" ..
        place .. "mad.wide.u32 w@, n@, 4, w@", 4, "v@", 8}
end

-- Lines share a bank of tags by their addresses: every two warps are 512 bytes further on, four times.
local function spread(words)
    return eight("and.b32 n@, i, 63\nmul.lo.u32 n@, n@, " .. words ..
        "\nshr.u32 w, i, 6\nand.b32 w, w, 3\nmad.lo.u32 n@, w, 128, n@\n")
end

local side_by_side = eight "mov.b32 n@, i\n"
local misaligned = eight "and.b32 n@, i, 31\nshr.u32 w, i, 5\nmad.lo.u32 n@, w, 4098, n@\n"

-- Loads of shared memory at addresses lane * step bytes: each returns the address of the next.
local function shared(bits, step)
    local v = ({[32] = "v@", [64] = "q@", [128] = "u@"})[bits]
    local setup = ("s2r v@, %%laneid\nmul.lo.u32 v@, v@, %d\nst.shared.b32 [v@], v@\nbar.sync 0\n"):gsub("v@", v)
    return {("ld.shared.b%d %s, [%s]"):format(bits, v, v), setup:format(step), bits // 8,
        v .. (bits > 32 and ":" .. bits // 32 or ""), bits == 32 and 8 or 4}
end

local function program(self, line, chains, count)
    local parts = {".kernel line\n.param words : u64[]\n.shared room : b32[1024]\n.reg i, k, w:2\ns2r i, %tid.x\n"}
    local function add(template)
        for chain = 0, chains - 1 do
            parts[#parts + 1] = template:gsub("@", chain) .. "\n"
        end
    end
    add(".reg " .. line[4])
    add(line[2])
    for _ = 1, count // chains do
        add(line[1])
    end
    add("mov.b32 i, " .. line[4]:gsub(":.*", "")) -- waits for the last
    local source = table.concat(parts) .. "exit\n"
    self.programs[source] = self.programs[source] or self.ctx:load(source, "line.hd")
    return self.programs[source]
end

-- Cycles of one more instruction if one SM runs only `blocks` blocks of `threads` threads. `short`: instructions of the
-- short program, enough to get past the start.
local function spent(self, line, chains, blocks, threads, short)
    self.board:use {sms = 1}
    local cycles = {}
    short = short or SHORT
    for i, count in ipairs {short, short + MORE} do
        self.ctx:buffer("words", "u64", WORDS)
        cycles[i] = launch(self, program(self, line, chains, count),
            {grid = blocks, block = threads, args = {words = "words"}}).cycles
    end
    return (cycles[2] - cycles[1]) / MORE
end

-- Latency in one warp, or in `threads` threads.
local function latency(self, line, threads)
    return spent(self, line, 1, 1, threads or self.board.values.warp_width)
end

-- Threads of a block, such that two blocks fill an SM.
local function half_an_sm(self)
    local v = self.board.values
    return math.min(v.max_threads_per_block, v["sm.max_warps"] // 2 * v.warp_width)
end

-- Cycles from one instruction to the next on a full SM.
local function interval(self, line)
    return spent(self, line, line[5], 2, half_an_sm(self))
end

local function rate(self, line)
    return 2 * half_an_sm(self) * line[3] / interval(self, line)
end

-- The interval as a multiple of that of 32-bit loads without conflicts.
local function ratio(self, line)
    return interval(self, line) / interval(self, shared(32, 4))
end

-- Cycles from one warp to the next in a block of 32.
local function each(self, line)
    return spent(self, line, line[5], 1, 1024, 4 * SHORT) / 32
end

local function barrier(self, warps)
    return latency(self, lines.barrier, warps * self.board.values.warp_width)
end

local function slope(self)
    return (latency(self, shared(32, 64)) - latency(self, shared(32, 4))) / 15
end

-- Cycles that each further lane on one address of shared memory adds to an atomic.
local function atomic_slope(self)
    local function took(step)
        local setup = ("mul.lo.u32 k, i, %d\nmov.b32 v@, 1"):format(step)
        return latency(self, {"atom.add.u32.shared v@, [k], v@", setup, 1, "v@", 1})
    end
    return (took(0) - took(4)) / 31
end

-- Bytes per cycle from L1 in a loop of Accel-Sim's tuner, after the turns that bring all of the array into L1.
local function l1_loop(self, entry)
    self.board:use {sms = 1}
    local code, cycles, counts = study.load(self.ctx, "calibrate/l1"), {}, {1024, 1280}
    self.ctx:buffer("data", entry == "double" and "f64" or "f32", 16384 + 384)
    self.ctx:buffer("sums", "f32", 1024)
    for i, turns in ipairs(counts) do
        cycles[i] = launch(self, code,
            {entry = entry, grid = 1, block = 1024, args = {data = "data", sums = "sums", turns = turns}}).cycles
    end
    return 16 * 1024 * (counts[2] - counts[1]) / (cycles[2] - cycles[1])
end

-- Cycles of `lanes` atomics when all lanes of several SMs access one address, with warps enough to hide the latency.
local function atomic_same(self, lanes, line)
    local sms, cycles, counts = math.min(16, self.board.values.sms), {}, {2, 6}
    self.board:use {sms = sms}
    for i, count in ipairs(counts) do
        self.ctx:buffer("words", "u64", 1)
        cycles[i] = launch(self, program(self, line, 1, count),
            {grid = sms, block = 1024, args = {words = "words"}}).cycles
    end
    return lanes * (cycles[2] - cycles[1]) / ((counts[2] - counts[1]) * sms * 1024)
end

-- ---- chains through memory ----

-- Times one thread that follows a random ring of `nodes` links, `stride` bytes apart: cycles for each link. A warm ring
-- was followed once before. `l2`: its bytes, on a board with that much L2; then the whole ring is followed.
local function ring(self, nodes, stride, warm, l2)
    self.board:use {["l2.bytes"] = l2}
    local ctx, order, words = self.ctx, {}, stride // 8
    local next = ctx:buffer("next", "u64", nodes * words)
    local chase, cycles = study.load(ctx, "calibrate/chase"), {}
    local counts = l2 and {0, nodes} or {nodes // 4, nodes // 4 * 3}
    for i = 1, nodes do
        order[i] = i - 1
    end
    math.randomseed(7)
    for i = nodes, 2, -1 do -- Sattolo: one ring through all
        local j = math.random(i - 1)
        order[i], order[j] = order[j], order[i]
    end
    for i = 1, nodes do
        next[(i - 1) * words + 1] = next.address + order[i] * stride
    end
    ctx:buffer("last", "u64", 1)
    local function follow(steps, caches)
        local args = {next = "next", last = "last", steps = steps}
        return launch(self, chase, {block = 1, args = args, caches = caches}).cycles
    end
    if warm then
        follow(nodes, "cold")
    end
    for i, steps in ipairs(counts) do
        cycles[i] = follow(steps, warm and "warm" or "cold")
    end
    return (cycles[2] - cycles[1]) / (counts[2] - counts[1])
end

-- A ring through most of L2, on a board with a 16th of it: both halves together hold it, one does not.
local function far_ring(self)
    local values = self.board.values
    local unit = 128 * values["l2.slices"] * values["l2.ways"]
    local bytes = values["l2.bytes"] // 16 // unit * unit
    return ring(self, bytes * 8 // 10 // 128, 128, true, bytes)
end

-- ---- L2 ----

local FEW_ROWS, ROWS, PIECES = 8, 32, 13 -- of 8 KB each: 3.4 MB; two blocks that share an SM have pieces of their own

-- Bytes per cycle from L2 when all SMs read resident data: two blocks on each, from `FEW_ROWS` to `ROWS` rows.
local function l2_bytes(self)
    self.board:use {}
    local ctx, v = self.ctx, self.board.values
    local threads = half_an_sm(self)
    local sweep = study.load(ctx, "calibrate/sweep")
    ctx:buffer("data", "u64", ROWS * PIECES * threads)
    ctx:buffer("sums", "u64", 2 * v.sms * threads)
    local function run(blocks, rows, caches)
        local r = launch(self, sweep, {grid = blocks, block = threads, caches = caches,
            args = {data = "data", sums = "sums", rows = rows, pieces = PIECES}})
        return r.cycles, r.metrics["l2.read_sectors"]
    end
    run(PIECES, ROWS, "cold")
    local cycles, sectors = run(2 * v.sms, FEW_ROWS, "warm")
    local long_cycles, long_sectors = run(2 * v.sms, ROWS, "warm")
    return (long_sectors - sectors) * 32 / (long_cycles - cycles)
end

-- ---- streams ----

local MB, STREAM = 1024 * 1024, 1 << 30
local moved = {init = 1, read = 1, scale = 2, triad = 3} -- arrays

-- GB/s of a stream through `STREAM` bytes of each array, with the overhead of a launch, as GPU-benches counts it. The
-- rate is that between the first `short` and all `long` bytes, with two blocks of `threads` threads on an SM. It has no
-- L2 hits, and a smaller L2 is full of dirty lines sooner: L2 is halved until it is at most `largest`.
local function stream(self, entry, threads, short, long, largest)
    local ctx, v = self.ctx, self.board.values
    local l2, unit = v["l2.bytes"], 128 * v["l2.slices"] * v["l2.ways"]
    while l2 > largest do
        l2 = math.max(l2 // 2 // unit, 1) * unit
    end
    self.board:use {["l2.bytes"] = l2, ["sm.max_blocks"] = 2}
    local code, seconds, counts = study.load(ctx, "calibrate/stream"), {}, {}
    local names, args, overhead = ({init = "a", triad = "abc"})[entry] or "ab", {never = 0}, 0
    for name in names:gmatch "." do
        args[name] = ctx:buffer(name, "f64", long // 8)
    end
    args.b = args.b or args.a
    for i, bytes in ipairs {short, long} do
        local blocks = bytes // 8 // threads
        counts[i], args.n = blocks * threads, blocks * threads
        local r = launch(self, code, {entry = entry, grid = blocks, block = threads, args = args})
        seconds[i], overhead = r.seconds, r.overhead_cycles / v.clock_mhz / 1e6
    end
    local per_element = (seconds[2] - seconds[1]) / (counts[2] - counts[1])
    return moved[entry] * STREAM / (STREAM // 8 * per_element + overhead) / 1e9
end

-- The two sizes differ by three refresh intervals, so that refreshes affect both launches alike.
local function full(self, entry)
    local v, pin = self.board.values, self.ctx:peaks().dram_gbs.value
    local refresh = math.max(v["dram.refi"], 4000) / v["dram.clock_mhz"] * 1e-6
    local short, more = (3 + 6 // moved[entry]) * MB, 3 * refresh * pin * 1e9 / moved[entry]
    return 100 * stream(self, entry, half_an_sm(self), short, short + math.tointeger(more // 1), 6 * MB) / pin
end

-- Two blocks of `warps` warps on an SM. A stream that only reads leaves no dirty lines; one that only writes is drained
-- in bouts, so the mean is taken over more of them.
local function few(self, entry, warps)
    local short, more = (entry == "read" and 2 or 4) * MB, (entry == "init" and 8 or 4) * MB
    return stream(self, entry, warps * self.board.values.warp_width, short, short + more, 2 * MB)
end

-- GB/s of a stream by a grid of `blocks` blocks of 256 threads on each SM, after the first `short` bytes.
local function grid(self, entry, blocks)
    local ctx, v, wide = self.ctx, self.board.values, entry:find "_wide" and 4 or 1
    local unit = 128 * v["l2.slices"] * v["l2.ways"]
    self.board:use {["l2.bytes"] = math.max(v["l2.bytes"] // 16 // unit, 1) * unit}
    local code, threads, seconds, counts = study.load(ctx, "calibrate/grid"), v.sms * blocks * 256, {}, {}
    for i, bytes in ipairs {8 * MB, (entry:find "read" and 14 or 18) * MB} do
        local count = math.max(bytes // (4 * wide) // threads, i) * threads
        local args = {a = ctx:buffer("a", "f32", count * wide), b = ctx:buffer("b", "f32", count * wide), n = count}
        counts[i] = count * wide
        seconds[i] = launch(self, code, {entry = entry, grid = v.sms * blocks, block = 256, args = args}).seconds
    end
    ctx:drop "a"
    ctx:drop "b"
    return (entry:find "copy" and 8 or 4) * (counts[2] - counts[1]) / (seconds[2] - seconds[1]) / 1e9
end

-- GB/s of copies of `count` doubles by blocks of `threads`, launched one after another to and fro: the data are in L2,
-- and each launch costs its overhead.
local function copies(self, count, threads)
    self.board:use {}
    local ctx, blocks, last = self.ctx, count // threads + 1, nil
    local code, clock = study.load(ctx, "calibrate/stream"), self.board.values.clock_mhz * 1e6
    for name in ("ab"):gmatch "." do
        ctx:buffer(name, "f64", blocks * threads)
    end
    for i, args in ipairs {{a = "a", b = "b"}, {a = "b", b = "a"}, {a = "a", b = "b"}} do
        args.n = count
        last = launch(self, code, {entry = "copy", grid = blocks, block = threads, args = args,
            caches = i == 1 and "cold" or "warm"})
    end
    return 16 * count / (last.cycles + last.overhead_cycles) * clock / 1e9
end

-- ---- whole kernels ----

local COLUMNS, WAVES = 1024, 9 -- of the product; of its blocks

-- GB/s of the steps of a product in NVIDIA's guide: the bytes of the matrices, each once, in the time of eight waves of
-- blocks, two on each SM, after the first. Two are too few: the times of refreshes then decide over a fifth.
local function product(self, entry)
    self.board:use {}
    local ctx, rows, seconds = self.ctx, 32 * 2 * self.board.values.sms // (COLUMNS // 32), {}
    local code = study.load(ctx, "calibrate/outer")
    ctx:buffer("a", "f32", 32 * math.max(WAVES * rows, COLUMNS))
    ctx:buffer("b", "f32", 32 * COLUMNS)
    ctx:buffer("c", "f32", WAVES * rows * COLUMNS)
    for i, tall in ipairs {rows, WAVES * rows} do
        seconds[i] = launch(self, code, {entry = entry, grid = {COLUMNS // 32, tall // 32}, block = {32, 32},
            args = {a = "a", b = "b", c = "c", n = COLUMNS}}).seconds
    end
    return 4 * (WAVES - 1) * rows * (32 + COLUMNS) / (seconds[2] - seconds[1]) / 1e9
end

-- Microseconds of a million threads that take places after one counter, with the overhead of a launch.
local function append(self)
    self.board:use {}
    local code, n = study.load(self.ctx, "calibrate/append"), 3907 * 256
    local args = {c = self.ctx:buffer("c", "u32", 1), y = self.ctx:buffer("y", "u32", n), least = 0}
    local r = launch(self, code, {grid = n // 256, block = 256, args = args})
    return (r.cycles + r.overhead_cycles) / self.board.values.clock_mhz
end

-- Accesses to words at random, in G/s: four blocks of 512 threads on each SM of an eighth of the board, in a table ten
-- times as large as its L2.
local function scattered(self, entry)
    local v, sms, words = self.board.values, self.board.values.sms // 8, 1 << 22
    self.board:use {sms = sms, ["l2.slices"] = v["l2.slices"] // 8, ["l2.bytes"] = v["l2.bytes"] // 16,
        ["dram.channels"] = v["dram.channels"] // 8}
    local code = study.load(self.ctx, "calibrate/scattered")
    local r = launch(self, code, {entry = entry, grid = 4 * sms, block = 512,
        args = {x = self.ctx:buffer("x", "b64", words), words = words}})
    return 8 * 4 * sms * 512 * 8 / r.seconds / 1e9
end

-- ---- all of them ----

-- Measurement of each quantity: a function, and its arguments.
local table_of = {
    l1_latency = {latency, lines.global_64, 1}, l2_latency = {ring, 8192, 128, true},
    far_latency = {far_ring}, dram_latency = {ring, 4096, 4096 + 128}, shared_latency = {latency, shared(32, 4)},
    atomic_latency = {latency, lines.atomic, 1}, atomic_same = {atomic_same, 1, lines.atomic},
    atomic_warp = {atomic_same, 32, lines.atomic}, atomic_wide = {atomic_same, 1, lines.atomic_wide},
    atomic_slope = {atomic_slope}, conflict_slope = {slope},
    barrier_8 = {barrier, 8}, barrier_32 = {barrier, 32}, l2_bytes = {l2_bytes},
    shared_bytes = {rate, shared(32, 4)}, l1_bytes_64 = {rate, lines.global_64},
    l1_bytes_32 = {rate, side_by_side}, l1_loop_32 = {l1_loop, "narrow"},
    l1_loop_64 = {l1_loop, "double"}, l1_loop_128 = {l1_loop, "wide"},
    wide_64 = {ratio, shared(64, 8)}, wide_128 = {ratio, shared(128, 16)}, same_64 = {ratio, shared(64, 0)},
    same_128 = {ratio, shared(128, 0)}, misaligned = {each, misaligned}, append = {append},
    random_read = {scattered, "read"}, random_write = {scattered, "write"}, random_update = {scattered, "update"},
}
for _, name in ipairs {"fp32", "imad", "half", "fp64", "sfu", "shuffle"} do
    table_of[name .. "_latency"], table_of[name .. "_rate"] = {latency, lines[name]}, {rate, lines[name]}
end
for _, ways in ipairs {2, 4, 8, 16} do
    table_of["conflict_" .. ways] = {ratio, shared(32, 4 * ways)}
end
for words = 1, 32 do
    table_of["stride_" .. words] = {each, spread(words)}
end
for entry in pairs(moved) do
    table_of[entry .. "_full"] = {full, entry}
    for share, warps in pairs {[3] = 1, [6] = 2, [12] = 4, [19] = 6, [25] = 8, [38] = 12, [50] = 16, [63] = 20,
        [75] = 24} do
        table_of[entry .. "_" .. share] = {few, entry, warps}
    end
end
for _, entry in ipairs {"copy", "copy_wide", "read", "read_wide", "write"} do
    for blocks = 1, 32 do
        table_of[("grid_%s_%d"):format(entry, blocks)] = {grid, entry, blocks}
    end
end
setmetatable(table_of, {__index = function(_, id)
    local count, small = id:match "^copies_(%d+)(.*)$"
    return count and {copies, tonumber(count), small == "_small" and 32 or 256}
end})

for _, entry in ipairs {"simple", "tile_a", "tiles", "turned_simple", "turned_tiles", "turned_padded"} do
    table_of["product_" .. entry] = {product, entry}
end

-- The work of measuring a quantity, as seconds of a core: about 1 for streams of the whole board.
function micro.work(id)
    local copied = tonumber(id:match "^copies_(%d+)")
    if copied then
        return copied * 4e-6
    end
    local long = id:find "_full$" or id:find "^grid_" or id:find "^product_" or id == "l2_bytes"
    return long and 1 or moved[id:match "^(%a+)_%d+$"] and 0.35 or 0.01
end

-- A quantity as the model has it, on the whole board unless it is one of an SM.
function micro:measure(id)
    local row = table_of[id]
    bench.clear(self.ctx) -- so that addresses do not depend on what was measured before
    local found = row[1](self, table.unpack(row, 2))
    self.board:use()
    return found
end

return micro
