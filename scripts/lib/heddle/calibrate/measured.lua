-- Measurements on cards, for `heddle study calibrate`: one row for each quantity, in the order of the tables.
--
--   {id, group, what, unit, BOARD = {value, basis, source}, ...}
--
--   id      the microbenchmark that measures the same in the model (heddle.calibrate.micro)
--   basis   origin of the model's value:
--             set        a value of the board is this figure, or gives it by plain arithmetic: agreement proves only
--                        that the engine follows the board
--             fitted     a value of the board was chosen so that the model is near this figure
--             predicted  held back: nothing is chosen by this figure, no mechanism is made for it
--             seen       nothing was chosen by it, but the model was changed by people who knew it
--             drawn      drawn by the hash of its name, before it was compared: held back, or seen
--             doubted    seen, and the figure itself is unreliable (docs/calibration.md has the reason)
--   source  origin of the measurement; a card other than the board's is named, and memory is compared with that of the
--           same card alone. "recalled": not looked up again. Sources are those of configs/: GPU-benches (RRZE
--           Erlangen), MT4G (TU Munich), the tuner of Accel-Sim (on a TITAN V), Huerta (MICRO 2025, GA102), HPMLL,
--           gpu_shm_microbench, SyncPerformance (IISWC 2024), SASS notes on Ada and Blackwell, the CUDA programming
--           guide
--
-- A third of what is drawn is held back. Figures of a source that are to be added are "drawn", all of a series, by a
-- program that does not show them.
--
-- A board without an entry was not measured. Bytes and results are for each cycle of the SM clock.
local random = require "heddle.kit.random"

local function gb(value, file, basis)
    return {value, basis or "seen", "GPU-benches " .. file}
end

local function tuner(value, basis)
    return {value, basis or "seen", "Accel-Sim tuner, TITAN V"}
end

local SXM <const> = "H100 SXM, 2026-11-27"

local function guide(value, recalled)
    return {value, "set", "CUDA programming guide" .. (recalled and ", recalled" or "")}
end

local function times(value)
    return {value, "seen", "gpu_shm_microbench"}
end

-- GB/s of a stream on V100, A100 40 GB and H200, from the logs of GPU-benches. They have 32 shares of occupancy; these
-- are 3, 12.5, 25, 50, 75 and 100 %, and the others lie between them. Their stencils have no kernel here.
local CARDS = {v100 = {"v100.txt", 898.048}, a100 = {"a100_40.txt", 1555.2}, h200 = {"h200.txt", 4800}}

local function stream(id, group, what, unit, figures, bases)
    local row = {id, group, what, unit}
    for name, card in pairs(CARDS) do
        local value = unit == "GB/s" and figures[name] or 100 * figures[name] / card[2]
        row[name] = gb(value, card[1], bases and (bases[name] or bases.all))
    end
    return row
end

local DRAWN <const> = {all = "drawn"}

-- `bases`: of boards that have another than "seen"
local function few(id, what, v100, a100, h200, bases)
    return stream(id, "Streams with few warps", what, "GB/s", {v100 = v100, a100 = a100, h200 = h200}, bases)
end

local function full(id, what, v100, a100, h200, bases)
    return stream(id, "Streams at full occupancy", what, "% of pin", {v100 = v100, a100 = a100, h200 = h200}, bases)
end

-- A load of 4 bytes a lane that hits L1, lanes that many words apart: cycles from one warp to the next. H200's L1 is
-- H100's, A40's RTX 4090's. The number of tag banks was chosen with the figures of A100 and H200 in view.
local function strided(id, what, a100, h200, a40)
    return {id, "L1 by stride", what, "cycles", a100 = gb(a100, "gpu-strides/a100.txt", "fitted"),
        h100 = h200 and gb(h200, "gpu-strides/h200.txt (H200)", "fitted"),
        rtx4090 = a40 and gb(a40, "gpu-strides/a40.txt (A40)")}
end

local function stride(words, a100, h200, a40)
    return strided("stride_" .. words, "stride " .. words, a100, h200, a40)
end

-- Copies in L2, launched one after another by the host: gpu-small-kernels, blocks of 256 and, where `small`, of 32
-- threads. The logs have 110 sizes in steps of 6 %; these are the smallest, and those after each factor of four that
-- fit in L2. The overhead of a launch was chosen with the first in view. A100's log is of the card with 80 GB, which
-- differs in its memory.
local function copies(count, card, value, small, basis)
    local file = "gpu-small-kernels/" .. (card == "a100" and "a100_80.txt" or "h200.txt")
    return {("copies_%d%s"):format(count, small and "_small" or ""), "Copies of many launches",
        ("%s kB, blocks of %d"):format(count * 16 // 1024, small and 32 or 256), "GB/s",
        [card] = gb(value, file, basis and basis.all)}
end

-- The six steps of a product in NVIDIA's CUDA C++ Best Practices Guide, on V100. Its copies with an offset and a stride
-- are curves in a picture. It gives neither the size of the matrices nor how its compiler unrolled the loops.
local function product(step, what, value)
    return {"product_" .. step, "Whole kernels", what, "GB/s", v100 = {value, "seen", "CUDA best practices guide"}}
end

-- Words of 64 bits at random in 256 MB. The time between activates (dram.faw) is fitted to the reads.
local function random_words(id, what, value)
    return {"random_" .. id, "Random words of 64 bits", what, "G/s",
        h100 = {value, id == "read" and "fitted" or "seen", SXM}}
end

-- Streams of an H100 SXM by 1, 2, 4 and 8 blocks of 256 threads on each SM, GB/s of a GiB, all there and back.
local GRIDS <const> = {
    {"read", "read, 4 bytes", 356, 700, 1329, 2284}, {"read_wide", "read, 16 bytes", 1265, 2171, 2851, 3066},
    {"copy", "copy, 4 bytes", 620, 1126, 1877, 2407}, {"copy_wide", "copy, 16 bytes", 1729, 2425, 2852, 2812},
    {"write", "write, 4 bytes", 3111, 3089, 3090, 2950},
}

-- The table with the streams by grids, and with what was drawn: every third name by its hash.
local function complete(rows)
    for _, row in ipairs(GRIDS) do
        for n = 0, 3 do
            rows[#rows + 1] = {("grid_%s_%d"):format(row[1], 1 << n), "Streams by a grid of few blocks",
                ("%s, %d block%s an SM"):format(row[2], 1 << n, n > 0 and "s" or ""), "GB/s",
                h100 = {row[3 + n], row[1] == "copy_wide" and n == 2 and "fitted" or "seen", SXM}}
        end
    end
    for _, row in ipairs(rows) do
        for name, card in pairs(row) do
            if type(card) == "table" and card[2] == "drawn" then
                card[2] = random.hash(name .. row[1]) % 3 == 0 and "predicted" or "seen"
            end
        end
    end
    return rows
end

return complete {
    {"l1_latency", "Latency", "L1 hit, 64-bit links", "cycles", v100 = gb(30.0, "v100.txt", "set"),
        a100 = gb(36.1, "a100_40.txt", "set"), h100 = gb(34.2, "h100_pcie.txt", "set"),
        rtx4090 = {36.1, "set", "HPMLL"}},
    {"l2_latency", "Latency", "L2 hit", "cycles", v100 = gb(215.0, "v100.txt", "set"),
        a100 = gb(213.0, "a100_40.txt", "set"), h100 = {292.5, "set", SXM},
        rtx4090 = {284.8, "set", "HPMLL"}},
    {"far_latency", "Latency", "chase through 0.8 of L2", "cycles", a100 = gb(426.5, "a100_40.txt"),
        h100 = {539.3, "set", SXM .. ", 32 MB"}},
    {"dram_latency", "Latency", "DRAM, rows closed", "cycles", v100 = gb(430.4, "v100.txt", "set"),
        a100 = gb(572.2, "a100_40.txt", "set"), h100 = {696.5, "set", SXM},
        rtx4090 = {569.0, "set", "HPMLL"}},
    {"shared_latency", "Latency", "shared memory", "cycles", v100 = {23.5, "set", "MT4G"},
        a100 = {23, "set", "Huerta, GA102"}, h100 = {29.9, "set", "MT4G"},
        rtx4090 = {27.0, "set", "SASS notes, Ada"}},
    {"atomic_latency", "Latency", "atomic add in L2", "cycles", v100 = tuner(243.6, "set")},
    {"fp32_latency", "Latency", "fma.f32", "cycles", v100 = tuner(4.13, "set")},
    {"imad_latency", "Latency", "mad.lo.s32", "cycles", v100 = tuner(4.35, "set")},
    {"half_latency", "Latency", "fma.f16x2", "cycles", v100 = tuner(6.18, "set"), a100 = {5, "set", "Huerta, GA102"}},
    {"fp64_latency", "Latency", "fma.f64", "cycles", v100 = tuner(8.07, "set")},
    {"sfu_latency", "Latency", "sqrt.f32", "cycles", v100 = tuner(21.1, "set")},
    {"shuffle_latency", "Latency", "shfl", "cycles", v100 = {24.5, "set", "24 to 25 on Ada, Blackwell"}},
    {"barrier_8", "Latency", "bar.sync, 8 warps", "cycles", v100 = {38, "set", "22 + 2 W, Blackwell B300"}},
    {"barrier_32", "Latency", "bar.sync, 32 warps", "cycles", v100 = {86, "set", "22 + 2 W, Blackwell B300"}},

    {"fp32_rate", "Rates of an SM", "fma.f32", "results/cycle", v100 = tuner(126.9 / 2, "set"), a100 = guide(64),
        h100 = {128, "set", "Hopper white paper"}, rtx4090 = {128, "set", "Ada white paper, recalled"}},
    {"imad_rate", "Rates of an SM", "mad.lo.s32", "results/cycle", v100 = tuner(126.9 / 2, "set"), a100 = guide(64),
        h100 = guide(64, true)},
    {"half_rate", "Rates of an SM", "fma.f16x2", "results/cycle", v100 = tuner(249.3 / 4, "set"), a100 = guide(128),
        h100 = guide(128, true)},
    {"fp64_rate", "Rates of an SM", "fma.f64", "results/cycle", v100 = tuner(63.9 / 2, "set"), a100 = guide(32),
        h100 = guide(64, true)},
    {"sfu_rate", "Rates of an SM", "sqrt.f32", "results/cycle", v100 = tuner(15.98, "set"), a100 = guide(16),
        h100 = guide(16, true)},
    {"shuffle_rate", "Rates of an SM", "shfl", "results/cycle", v100 = guide(32), a100 = guide(32),
        h100 = guide(32, true)},
    {"shared_bytes", "Rates of an SM", "shared memory, 32-bit loads", "bytes/cycle", v100 = tuner(126.5, "set")},
    {"l1_bytes_64", "Rates of an SM", "L1, 64-bit loads", "bytes/cycle", v100 = gb(126, "v100.txt", "set"),
        a100 = gb(127, "a100_80.txt", "set"), h100 = gb(126, "h100_pcie.txt", "set")},
    {"l1_bytes_32", "Rates of an SM", "L1, 32-bit loads", "bytes/cycle",
        v100 = {8728 / 80 / 1.380, "fitted", "GPU-benches issue 15"}},
    {"l1_loop_32", "Rates of an SM", "L1, loop of four 32-bit loads", "bytes/cycle", v100 = tuner(78.3, "fitted")},
    {"l1_loop_64", "Rates of an SM", "L1, loop of two 64-bit loads", "bytes/cycle", v100 = tuner(122.8)},
    {"l1_loop_128", "Rates of an SM", "L1, loop of a 128-bit load", "bytes/cycle", v100 = tuner(116.4)},

    stride(1, 1.02, 1.01, 2.00), stride(2, 2.00, 2.01, 2.00), stride(3, 1.63, 1.63, 2.00), stride(4, 4.00, 4.01, 4.00),
    stride(5, 2.20, 2.00, 2.20), stride(6, 2.36, 2.32, 2.36), stride(7, 2.67, 2.41, 2.67), stride(8, 8.0, 8.0, 8.0),
    stride(9, 3.03, 3.00, 3.03), stride(12, 4.00, 4.01, 4.00), stride(15, 4.45, 4.60, 4.45),
    stride(16, 16.0, nil, 16.0), stride(32, 32.0, nil, 32.0),
    strided("misaligned", "rows of 32 words, 2 words off", 1.02, 1.02),

    {"conflict_2", "Bank conflicts", "2 ways, full SM", "x time", v100 = times(218.42 / 109.48),
        a100 = times(174.89 / 88.58)},
    {"conflict_4", "Bank conflicts", "4 ways", "x time", v100 = times(454.38 / 109.48), a100 = times(349.27 / 88.58)},
    {"conflict_8", "Bank conflicts", "8 ways", "x time", v100 = times(923.58 / 109.48), a100 = times(698.27 / 88.58)},
    {"conflict_16", "Bank conflicts", "16 ways", "x time", v100 = times(1846.68 / 109.48),
        a100 = times(1395.27 / 88.58)},
    {"wide_64", "Bank conflicts", "64-bit loads, side by side", "x time", v100 = times(222.72 / 109.48),
        a100 = times(186.98 / 88.58)},
    {"wide_128", "Bank conflicts", "128-bit loads, side by side", "x time", v100 = times(453.53 / 109.48),
        a100 = times(375.11 / 88.58)},
    {"same_64", "Bank conflicts", "64-bit loads of one address", "x time", v100 = times(141.52 / 109.48),
        a100 = times(108.47 / 88.58)},
    {"same_128", "Bank conflicts", "128-bit loads of one address", "x time", v100 = times(263.74 / 109.48),
        a100 = times(191.94 / 88.58)},
    {"conflict_slope", "Bank conflicts", "each way more, one warp", "cycles", v100 = {2, "set", "SASS notes, Ada"}},

    {"atomic_slope", "Bank conflicts", "each lane more on one address, atomic", "cycles",
        v100 = {(69 - 8) / 31, "set", "Jia 2019, T4, second-hand"}},

    {"l2_bytes", "L2", "read by all SMs", "bytes/cycle", v100 = gb(2450 / 1.380, "v100"),
        a100 = gb(5421.8 / 1.410, "a100_80.txt"), h200 = gb(9834.6 / 1.980, "h200.txt", "set")},
    {"atomic_same", "L2", "atomics on one address", "cycles each", v100 = tuner(8.6, "doubted")},
    {"atomic_warp", "L2", "a warp's atomics on one word", "cycles", a100 = {1.306, "seen", "SyncPerformance"},
        rtx4090 = {1.176, "seen", "SyncPerformance"}},
    {"atomic_wide", "L2", "atomics on one 64-bit word", "cycles each", a100 = {1.306, "seen", "SyncPerformance"},
        rtx4090 = {1.176, "seen", "SyncPerformance"}},

    full("init_full", "write", 895, 1503, 3884),
    full("read_full", "read", 866, 1490, 2756),
    full("scale_full", "scale: read and write", 802, 1381, 3165, {v100 = "fitted"}),
    full("triad_full", "triad: read two and write", 814, 1360, 3534, {v100 = "fitted"}),

    few("init_3", "write, 2 warps an SM", 153, 159, 297, {all = "fitted"}),
    few("read_3", "read, 2 warps an SM", 72, 81, 123),
    few("scale_3", "scale, 2 warps an SM", 128, 151, 240),
    few("triad_3", "triad, 2 warps an SM", 180, 210, 334),
    few("init_12", "write, 8 warps an SM", 595, 788, 1163, {all = "fitted"}),
    few("read_12", "read, 8 warps an SM", 262, 304, 485),
    few("scale_12", "scale, 8 warps an SM", 423, 548, 852),
    few("triad_12", "triad, 8 warps an SM", 545, 743, 1129),
    few("init_25", "write, 16 warps an SM", 895, 1473, 2196),
    few("read_25", "read, 16 warps an SM", 490, 579, 935),
    few("scale_25", "scale, 16 warps an SM", 673, 954, 1395),
    few("triad_25", "triad, 16 warps an SM", 765, 1231, 1905),
    few("init_50", "write, 32 warps an SM", 895, 1503, 3670),
    few("read_50", "read, 32 warps an SM", 746, 1042, 1707),
    few("scale_50", "scale, 32 warps an SM", 784, 1338, 2263),
    few("triad_50", "triad, 32 warps an SM", 800, 1359, 2919),
    few("init_75", "write, 48 warps an SM", 895, 1502, 3891),
    few("read_75", "read, 48 warps an SM", 822, 1341, 2297),
    few("scale_75", "scale, 48 warps an SM", 798, 1364, 2844),
    few("triad_75", "triad, 48 warps an SM", 807, 1367, 3333),
    few("init_6", "write, 4 warps an SM", 306, 407, 590, DRAWN),
    few("read_6", "read, 4 warps an SM", 139, 158, 244, DRAWN),
    few("scale_6", "scale, 4 warps an SM", 244, 291, 463, DRAWN),
    few("triad_6", "triad, 4 warps an SM", 323, 403, 638, DRAWN),
    few("init_19", "write, 12 warps an SM", 847, 1142, 1708, DRAWN),
    few("read_19", "read, 12 warps an SM", 376, 439, 702, DRAWN),
    few("scale_19", "scale, 12 warps an SM", 554, 746, 1120, DRAWN),
    few("triad_19", "triad, 12 warps an SM", 665, 1002, 1514, DRAWN),
    few("init_38", "write, 24 warps an SM", 895, 1505, 3016, DRAWN),
    few("read_38", "read, 24 warps an SM", 646, 823, 1314, DRAWN),
    few("scale_38", "scale, 24 warps an SM", 764, 1245, 1864, DRAWN),
    few("triad_38", "triad, 24 warps an SM", 795, 1346, 2503, DRAWN),
    few("init_63", "write, 40 warps an SM", 895, 1502, 3898, DRAWN),
    few("read_63", "read, 40 warps an SM", 770, 1203, 1996, DRAWN),
    few("scale_63", "scale, 40 warps an SM", 794, 1354, 2572, DRAWN),
    few("triad_63", "triad, 40 warps an SM", 803, 1371, 3181, DRAWN),

    {"copies_4096", "Copies of many launches", "64 kB, blocks of 256", "GB/s",
        a100 = gb(24, "gpu-small-kernels/a100_80.txt", "fitted"),
        h200 = gb(26, "gpu-small-kernels/h200.txt", "fitted")},
    copies(17658, "a100", 106), copies(70545, "a100", 378), copies(281882, "a100", 1135),
    copies(1126389, "a100", 2467), copies(281882, "a100", 481, true),
    copies(16562, "h200", 101), copies(67031, "h200", 409), copies(271378, "h200", 1342),
    copies(1098763, "h200", 3261), copies(271378, "h200", 585, true),
    copies(8182, "a100", 48, false, DRAWN), copies(35292, "a100", 193, false, DRAWN),
    copies(141014, "a100", 700, false, DRAWN), copies(563477, "a100", 1784, false, DRAWN),
    copies(8728, "h200", 55, false, DRAWN), copies(35316, "h200", 217, false, DRAWN),
    copies(142962, "h200", 820, false, DRAWN), copies(546056, "h200", 2217, false, DRAWN),

    random_words("read", "reads", 29.8), random_words("write", "writes", 13.6),
    random_words("update", "exclusive or, atomic", 14.4),
    {"append", "Whole kernels", "a million places after one counter", "us",
        h100 = {30.3, "seen", SXM}, rtx4090 = {54, "seen", "OloEngineBase#819"}},
    product("simple", "product, all from global memory", 119.9),
    product("tile_a", "product, one tile in shared memory", 144.4),
    product("tiles", "product, both tiles in shared memory", 195.5),
    product("turned_simple", "product by itself transposed", 12.8),
    product("turned_tiles", "the same in tiles, with conflicts", 140.2),
    product("turned_padded", "the same, rows padded", 199.4),
}
