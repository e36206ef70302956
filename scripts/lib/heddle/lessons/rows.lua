-- The lessons (docs/lessons/README.md). Each is a row here, a folder kernels/lessons/NAME with starter.hd and
-- reference.hd, and a page docs/lessons/NAME.md; its number is its place in this list.
--
-- kernel       the name of the kernel that is handed in
-- board        of configs/, for gates about a board's caches and banks
-- gates        requirements besides right results (measures are in heddle.lessons.measures):
--                  {name, of = MEASURE, most = NUMBER or least = NUMBER, each = EXPRESSION, say = TEXT}
--              A metric of docs/reference/counters.md is measured on the lesson's board, at its warp width.
--              `each`: the bound is for this number, an expression of the arguments, of W, and of `blocks` and
--              `threads` of the launch; `times` in place of most, or with least = true: a multiple of the reference's
--              measure; `run`: for this case of the reference only. `say` is the reason for a failure, a sentence
--              in which %s are the measured value and the bound
-- hints        the hint of the page for a gate that fails; none for a gate that is not named
--              `loop`: for a kernel that does not end
-- drawn        ranges of arguments, {NAME, LEAST, MOST, STEP} each: the last case is run once more, with sizes and data
--              that follow from the text of the graded kernel, and from the seed if there is one
-- orders       number of random orders of warps in which the largest case is run; none if absent
-- proved       number of cases to prove; all if absent; 0 if data are addresses
-- named        of a lesson whose kernel names what bounds the starter's first cases: a name and a metric for each
--              number, by `board` and `warp`; the name of case k is an element of `output` where `by` is k - 1. A wrong
--              name is answered by its own metric there, so that no grade gives the right one away
-- payoff       the size at which its idea is to pay: {args = {n = 65536}, advice = the rule of advice that names it};
--              none of a lesson on being right. In place of `advice`, `ideal` names the machine without the loss that
--              the lesson is about (`heddle run --ideal`). `exceeds`: it does more than the rule means, and gains more;
--              `alone`: why neither has its idea
-- prediction   the page's question before the run: {run = case of the reference, warp = W, of = f(result)}, with
--              file = "starter" for that, on a `board`; explain = {TEXT, block, warp} also explains the line with that
--              text there; `within`: an answer that is off by at most this share is right. With `drawn`, ranges as
--              above, or `warps`, widths, --seed draws these, for the last case of the reference
local lists = require "heddle.kit.lists"
local measures = require "heddle.lessons.measures"

local rows = {}

local function stores(each)
    return {"stores", of = "st.global", most = 1, each = each,
        say = "threads store %s elements, and there are %s to store, at most one store for each"}
end

local function loads(most, each)
    return {"loads", of = "ld.global", most = most, each = each,
        say = "threads load %s elements where at most %s are needed"}
end

-- Wide loads count as what they bring.
local function bytes(most, each)
    return {"loads", of = "loaded", most = most, each = each,
        say = "threads load %s bytes where at most %s are needed"}
end

local function instructions(times)
    return {"instructions", of = "instructions", times = times, run = 3,
        say = "the warps issue %s instructions, and at most %s are enough: is the work spread over all threads?"}
end

-- Bounds by a multiple of the reference's share of lanes.
local function lanes(times)
    return {"lanes", of = "efficiency", least = true, times = times, run = 3,
        say = "%s %% of a warp's lanes take part in an instruction, and %s %% are the least: the others wait"}
end

local function shared(most, each)
    return {"shared", of = "shared", most = most, each = each,
        say = "threads access shared memory %s times, and %s are enough"}
end

-- Lanes that access memory.
local function accessing(explained)
    return #lists.map(explained.lanes, function(lane) return lane.address end)
end

-- Lanes in an instruction that begins so, each time that it is issued.
local function lanes_of(result, begin)
    for _, line in ipairs(result.lines) do
        if line.disassembly:find(begin, 1, true) == 1 then
            return line.lanes // line.warp_instructions
        end
    end
end

rows[1] = {
    name = "01-guards", kernel = "scale",
    drawn = {{"n", 2, 600, 1}},
    gates = {stores "n", loads(1, "n"), instructions(1.5)},
    hints = {["end"] = 1, results = 2, races = 2, stores = 2, instructions = 3},
    prediction = {drawn = {{"n", 225, 255, 1}}, run = 3, warp = 32, explain = {"st.global", 3, 1},
        of = function(result) return accessing(result.explain[1]) end},
}

rows[2] = {
    name = "02-blocks", kernel = "outer",
    drawn = {{"rows", 2, 30, 1}, {"cols", 2, 60, 1}},
    gates = {stores "rows * cols", loads(2, "rows * cols"), instructions(1.5)},
    hints = {["end"] = 1, results = 2, races = 2, stores = 3, loads = 3, instructions = 3},
    prediction = {drawn = {{"rows", 2, 30, 1}, {"cols", 2, 60, 1}}, run = 2, warp = 32,
        of = function(result) return result.blocks * result.block[1] * result.block[2] end},
}

rows[3] = {
    name = "03-divergence", kernel = "two_ways", proved = 2,
    drawn = {{"n", 2, 700, 1}},
    gates = {stores "n", loads(1, "n"), lanes(0.9), {"instructions", of = "instructions", times = 1.2, run = 3,
        say = "the warps issue %s instructions, and at most %s are enough: does each warp go one way only?"}},
    hints = {lanes = 1, ["end"] = 3, results = 3, instructions = 2},
    payoff = {args = {n = 65536}, advice = "divergence"},
    prediction = {warps = {8, 16, 32, 64}, file = "starter", run = 1, warp = 32,
        of = function(result) return lanes_of(result, "xor.b32") end},
}

rows[4] = {
    name = "04-coalescing", kernel = "join", board = "teach32",
    drawn = {{"n", 2, 600, 1}},
    gates = {stores "4 * n", loads(4, "n"), {"useful", of = "l1.useful_share", least = 90, run = 3,
        say = "%s %% of the bytes in the sectors that warps touch are used, and %s %% are the least"},
        instructions(4)}, -- records may pass through shared memory
    hints = {["end"] = 3, useful = 1, results = 3, stores = 2, loads = 3},
    payoff = {args = {n = 65536}, advice = "uncoalesced"},
    prediction = {warps = {8, 16, 32, 64}, file = "starter", run = 1, warp = 32, explain = {"st.global", 0, 0},
        of = function(result) return result.explain[1].totals.sectors.max end},
}

rows[5] = {
    name = "05-shared", kernel = "moving",
    drawn = {{"n", 2, 700, 1}},
    gates = {stores "n", bytes(4, "n + 4 * ((n - 1) // 128)"), instructions(1.5, 3)},
    hints = {["end"] = 3, results = 2, races = 1, loads = 2, instructions = 3},
    prediction = {drawn = {{"n", 130, 1500, 1}}, run = 3, warp = 32,
        of = function(result) return measures.of("ld.global", result) end},
}

rows[6] = {
    name = "06-banks", kernel = "transpose", board = "teach32",
    drawn = {{"rows", 2, 70, 1}, {"cols", 2, 70, 1}},
    gates = {stores "rows * cols", loads(1, "rows * cols"),
        {"useful", of = "l1.useful_share", least = 90, run = 3,
            say = "%s %% of the bytes in the sectors that warps touch are used, and %s %% are the least"},
        {"passes", of = "shared.passes_per_request", most = 1.05,
            say = "a shared access takes %s passes on average, and %s are the most: lanes meet in a bank"},
        instructions(1.3, 3)},
    hints = {["end"] = 3, results = 3, races = 3, useful = 3, passes = 1},
    payoff = {args = {rows = 256, cols = 256}, advice = "bank_conflicts"},
    prediction = {warps = {8, 16, 32}, file = "starter", run = 1, warp = 32, explain = {"ld.shared", 0, 0},
        of = function(result) return result.explain[1].totals.passes.max end},
}

rows[7] = {
    name = "07-occupancy", kernel = "column_sums", board = "teach32", proved = 2,
    drawn = {{"n", 2, 600, 1}},
    gates = {stores "n", loads(32, "n"), {"occupancy", of = "occupancy.theoretical", least = 75, run = 3,
        say = "%s %% of the warps that an SM can hold fit at once, and %s %% are the least"}, instructions(1.3, 3)},
    hints = {["end"] = 3, results = 3, races = 3, occupancy = 1, instructions = 3},
    payoff = {args = {n = 131072}, advice = "occupancy"},
    prediction = {file = "starter", run = 1, warp = 32, board = "teach32",
        of = function(result) return measures.of("occupancy.warps", result) end},
}

rows[8] = {
    name = "08-tiles", kernel = "matmul", board = "teach32", proved = 2,
    drawn = {{"n", 2, 40, 1}},
    gates = {stores "n * n", bytes(4.4, "2 * n * n * ((n + 15) // 16)"),
        {"sectors", of = "l1.sectors", times = 1.2, run = 3,
            say = "warps touch %s sectors of global memory, and %s are enough: does a warp read along rows?"},
        instructions(1.3, 3)},
    hints = {["end"] = 3, results = 3, races = 3, loads = 1, sectors = 2},
    payoff = {args = {n = 192}, ideal = "misses"},
    prediction = {drawn = {{"n", 8, 40, 1}}, file = "starter", run = 1, warp = 32,
        of = function(result) return measures.of("ld.global", result) end},
}

rows[9] = {
    name = "09-reduction", kernel = "total",
    drawn = {{"n", 2, 2000, 1}},
    gates = {
        {"stores", of = "st.global", most = 1, each = "8 * blocks",
            say = "threads store %s sums, or add to them, and there are %s to store, at most one for each row"},
        loads(1, "n"),
        {"barriers", of = "bar", most = 24, each = "threads",
            say = "%s times threads wait at a barrier, and %s are enough: do lanes of a warp need one?"},
        shared(8, "(4 * (64 // W) + W) * blocks"), -- all lanes of a warp may load one sum
        {"redux", of = "redux", most = 0,
            say = "%s times threads take part in a redux, and in this lesson %s are enough: a shuffle sums anything"},
        {"shuffles", of = "shfl", least = 20, each = "threads",
            say = "%s times threads take part in a shuffle, and in this lesson %s are the least"},
        {"instructions", of = "instructions", times = 2, run = 3,
            say = "the warps issue %s instructions, and at most %s are enough: is a step done more than once?"}},
    hints = {barriers = 1, results = 2, races = 3, shared = 2, redux = 1, shuffles = 1, stores = 3},
    payoff = {args = {n = 65536}, advice = "barriers"},
    prediction = {file = "starter", run = 1, warp = 32,
        of = function(result) return measures.of("bar", result) // (result.blocks * result.block[1]) end},
}

rows[10] = {
    name = "10-registers", kernel = "mix", proved = 2,
    drawn = {{"n", 2, 1200, 1}},
    gates = {stores "n", bytes(4, "n"),
        shared(0, "1"), {"barriers", of = "bar", most = 0,
            say = "%s times threads wait at a barrier, and %s are enough: a shuffle waits by itself"},
        {"instructions", of = "instructions", times = 1.5, run = 3,
            say = "the warps issue %s instructions, and at most %s are enough: how many does one exchange need?"}},
    hints = {shared = 1, loads = 1, results = 2, barriers = 3, instructions = 3},
    payoff = {args = {n = 262144}, advice = "bank_conflicts"},
    prediction = {warps = {16, 32, 64}, file = "starter", run = 1, warp = 32, explain = {"ld.shared.b32 c", 0, 0},
        of = function(result) return result.explain[1].totals.passes.max end},
}

rows[11] = {
    name = "11-bytes", kernel = "clear", board = "teach32",
    drawn = {{"n", 64, 4800, 32}},
    gates = {
        {"stores", of = "st.global", most = 1, each = "n // 4",
            say = "threads store %s times, and %s stores are enough"},
        {"loads", of = "ld.global", most = 2, each = "n // 4", say = "threads load %s times, and %s loads are enough"},
        {"sectors", of = "l1.sectors", times = 1.2, run = 3,
            say = "warps touch %s sectors of global memory, and %s are enough: do neighbours touch the same?"},
        {"instructions", of = "instructions", times = 2, run = 3,
            say = "the warps issue %s instructions, and at most %s are enough: is a mask made bit by bit?"}},
    hints = {stores = 1, loads = 1, results = 2, sectors = 3, instructions = 2, ["end"] = 3},
    payoff = {args = {n = 524288}, ideal = "bandwidth"},
    prediction = {warps = {8, 16, 32, 64}, file = "starter", run = 1, warp = 32, explain = {"ld.global.u8", 0, 0},
        of = function(result) return result.explain[1].totals.sectors.max end},
}

rows[12] = {
    name = "12-atomics", kernel = "tally", orders = 4, proved = 0,
    drawn = {{"n", 2, 1500, 1}},
    gates = {
        {"atomics", of = "st.global", most = 1, each = "math.min(n, 16 * blocks)",
            say = "blocks add to memory %s times, and %s are enough: does each count for itself, and leave out 0?"},
        {"loads", of = "ld.global", most = 1, each = "n + math.min(n, 16 * blocks)",
            say = "threads load %s elements, what atomics load counted, where at most %s are needed"},
        instructions(2)},
    hints = {atomics = 1, results = 2, races = 2, orders = 2, instructions = 3},
    payoff = {args = {n = 65536}, advice = "atomics",
        exceeds = "blocks count for themselves, where the rule has warps add up first"},
    prediction = {drawn = {{"n", 130, 1500, 1}}, file = "starter", run = 1, warp = 32,
        of = function(result) return measures.of("red.global", result) end},
}

rows[13] = {
    name = "13-latency", kernel = "mingle", board = "teach32", proved = 2,
    drawn = {{"n", 2, 600, 1}},
    gates = {stores "n", loads(32, "n"), {"waits", of = "stall.long_scoreboard", times = 3, run = 1,
        say = "warps wait for loads for %s cycles, and %s are enough: how many loads has a warp in flight?"},
        instructions(1.3, 3)},
    hints = {["end"] = 3, results = 3, waits = 1, instructions = 3},
    payoff = {args = {n = 65536}, ideal = "latency"},
    prediction = {file = "starter", run = 1, warp = 32, board = "teach32", within = 0.15,
        of = function(result) return result.cycles end},
}

rows[14] = {
    name = "14-roofline", kernel = "power", proved = 2,
    drawn = {{"n", 2, 700, 1}},
    gates = {stores "n", loads(1, "n"), {"instructions", of = "instructions", times = 1.3, run = 3,
        say = "the warps issue %s instructions, and at most %s are enough: how many products does a power need?"}},
    hints = {["end"] = 3, results = 2, instructions = 1},
    payoff = {args = {n = 262144}, alone = "the same power by fewer products: no count shows that, no machine has it"},
    prediction = {file = "starter", run = 1, warp = 32, of = function(result)
        return measures.of("mul", result) / (4 * (measures.of("ld.global", result) + measures.of("st.global", result)))
    end},
}

rows[15] = {
    name = "15-reorder", kernel = "weave", proved = 2,
    drawn = {{"n", 2, 1200, 1}},
    gates = {stores "n", bytes(4, "n"), shared(0, "1"),
        {"shuffles", of = "shfl", most = 32, each = "threads",
            say = "%s times threads take part in a shuffle, and %s are enough: does a lane use all that it reads?"},
        {"instructions", of = "instructions", times = 1.3, run = 3,
            say = "the warps issue %s instructions, and at most %s are enough: what does one exchange need?"}},
    hints = {["end"] = 3, results = 2, shuffles = 1, shared = 1, instructions = 3},
    payoff = {args = {n = 262144}, advice = "bank_conflicts"},
    prediction = {run = 3, warp = 32, of = function(result)
        return measures.of("shfl", result) // (8 * measures.of("st.global", result)) -- 16 exchanges, two stores
    end},
}

rows[16] = {
    name = "16-masks", kernel = "count",
    drawn = {{"n", 64, 25600, 32}},
    gates = {stores "n // 32", bytes(4, "n // 32"), {"instructions", of = "instructions", times = 1.3, run = 3,
        say = "the warps issue %s instructions, and at most %s are enough: are bits counted one by one?"}},
    hints = {["end"] = 3, loads = 1, results = 2, instructions = 2, stores = 3},
    payoff = {args = {n = 1048576}, ideal = "misses"},
    prediction = {drawn = {{"n", 3200, 25600, 32}}, run = 3, warp = 32,
        of = function(result) return measures.of("loaded", result) end},
}

rows[17] = {
    name = "17-sparse", kernel = "convolve", proved = 0,
    drawn = {{"s", 4, 40, 1}, {"m", 1, 16, 1}},
    gates = {stores "m", loads(28, "m"), lanes(0.9), instructions(1.5, 3)},
    hints = {["end"] = 3, results = 2, loads = 1, stores = 3, lanes = 1, instructions = 3},
    payoff = {args = {s = 512, m = 26214}, advice = "divergence"},
    prediction = {file = "starter", run = 1, warp = 32,
        of = function(result) return measures.of("ld.global", result) end},
}

rows[18] = {
    name = "18-scan", kernel = "keep", orders = 4, proved = 0,
    drawn = {{"n", 2, 1500, 1}},
    gates = {stores "n + blocks", loads(1, "n"),
        {"barriers", of = "bar", most = 2, each = "threads",
            say = "%s times threads wait at a barrier, and %s are enough: how many steps does a vote need?"},
        {"instructions", of = "instructions", times = 2, run = 3,
            say = "the warps issue %s instructions, and at most %s are enough: does a thread count one by one?"}},
    hints = {barriers = 1, results = 2, races = 3, orders = 3, instructions = 2, stores = 3, loads = 3},
    payoff = {args = {n = 131072}, advice = "barriers"},
    prediction = {drawn = {{"n", 130, 1500, 1}}, file = "starter", run = 1, warp = 32,
        of = function(result) return measures.of("ld.shared", result) end},
}

rows[19] = {
    name = "19-order", kernel = "sum", orders = 4, proved = 0,
    drawn = {{"n", 2, 3000, 1}},
    gates = {
        {"stores", of = "st.global", most = 1, each = "2 * blocks + 1",
            say = "threads store %s times, and %s are enough: a sum of each block, a count, and the result"},
        loads(1, "n + 2 * blocks"), -- a block's count, and its part
        {"fences", of = "fence", most = 2, each = "blocks",
            say = "threads execute %s fences, and %s are enough: whose accesses need an order?"},
        instructions(1.5)},
    hints = {["end"] = 3, races = 1, results = 3, orders = 1, fences = 2, stores = 3, loads = 3, instructions = 3},
    prediction = {drawn = {{"n", 130, 3000, 1}}, file = "starter", run = 1, warp = 32,
        of = function(result) return measures.of("ld.global", result) end},
}

rows[20] = {
    name = "20-bounds", kernel = "name", proved = 0,
    drawn = {{"n", 5, 300, 1}},
    gates = {stores "n", loads(1, "n"), instructions(1.5)},
    hints = {["end"] = 3, results = 1, stores = 3, loads = 3, instructions = 3},
    named = {output = "y", by = "x", board = "teach32", warp = 32,
        {"ISSUE", "sol.issue"}, {"DRAM", "sol.dram"}, {"LATENCY", "stall_share.long_scoreboard"},
        {"SHARED", "sol.shared"}, {"SPECIAL", "sol.xu"}, {"BARRIER", "stall_share.barrier"},
        {"BRANCHES", "stall_share.branch_resolving"}},
    prediction = {file = "starter", run = 5, warp = 32, board = "teach32", within = 0.1,
        of = function(result) return result.cycles end},
}

return rows
