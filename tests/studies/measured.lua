-- Do whole kernels take the time that others have measured on cards and published? Each case names where.
local heddle = require "heddle"
local test = require "tests.lib.test"
local case, equal, ok = test.case, test.equal, test.ok

local function on(name, values)
    local ctx = heddle.new()
    ctx:board("configs/" .. name .. ".yaml", values)
    return ctx
end

-- ---- one counter for all threads ----

local function append(board, grid, block, least)
    local ctx = on(board)
    local c, y = ctx:buffer("c", "u32", 1), ctx:buffer("y", "u32", grid * block)
    local r = ctx:launch(ctx:load("kernels/calibrate/append.hd"),
        {grid = grid, block = block, warp = 32, args = {c = c, y = y, least = least or 0}})
    return r, c[1], y
end

-- gpgpu-sim/gpgpu-sim_distribution#33: the profiler of a V100 counts one L2 atomic for 16 threads.
case("163,840 atomics on one word of a V100 are 10,240 in L2", function()
    local r, count, y = append("v100", 160, 1024)
    equal(count, 163840)
    equal(r.metrics["l2.atomics"], 10240)
    equal(r.metrics["sm.atomic_lanes"], 163840)
    equal(r.metrics["l2.atomic_lanes"], 16.0)
    ok(r.cycles >= 10000 and r.cycles <= 20000, r.cycles)
    local seen = {}
    for i = 1, count do
        ok(not seen[y[i]], "a place taken twice")
        seen[y[i]] = true
    end
end)

-- drsnuggles8/OloEngineBase#819: 0.058, 0.060 and 0.054 ms for 10, 50 and 95 % of a million, on an RTX 4090.
case("a million appends on an RTX 4090 take 60 us at most, with no trend in their number", function()
    local least, most = math.huge, 0
    for _, share in ipairs {0.1, 0.5, 0.95} do
        local r = append("rtx4090", 3907, 256, 65536 - 65536 * share // 1 | 0)
        least, most = math.min(least, r.seconds), math.max(most, r.seconds)
        ok(r.seconds < 60e-6, r.seconds)
    end
    ok(most < 2 * least, ("%g to %g s"):format(least, most))
end)

-- ---- words at random ----

-- NVIDIA-developer-blog/code-samples#56: an H100 reads 31.9, writes 13.4 words a nanosecond, whatever the table's size.
case("random writes of words take as long as 2.4 reads on an H100, where memory has ECC", function()
    local eighth = {sms = 16, ["l2.slices"] = 10, ["l2.bytes"] = 3276800, ["dram.channels"] = 10}
    local words, seconds, joined = 1 << 22, {}, {}
    for _, how in ipairs {"read_first", "masked"} do
        eighth["dram.partial_write"] = how
        for _, kind in ipairs {"read", "write"} do
            local ctx = on("h100", eighth)
            local r = ctx:launch(ctx:load "kernels/calibrate/scattered.hd", {entry = kind, grid = 128, block = 512,
                args = {x = ctx:buffer("x", "b64", words), words = words}})
            seconds[how .. kind], joined[how .. kind] = r.seconds, r.metrics["l2.joined_sectors"]
            if kind == "write" then
                ok(r.metrics["l2.writebacks"] > 0.7 * 524288, "most were written back")
            end
        end
    end
    ok(joined.read_firstwrite > 0 and joined.maskedwrite == 0 and joined.read_firstread == 0)
    local cost = seconds.read_firstwrite / seconds.read_firstread
    ok(cost > 1.8 and cost < 3, ("a write takes %.2f reads"):format(cost))
    ok(seconds.maskedwrite < 0.7 * seconds.read_firstwrite)
end)

-- ---- registers against shared memory ----

-- triton-lang/triton#10360: a warp a block on a T4; bits of the lane's number exchanged with the register's, registers
-- of a thread, ns of an exchange by shuffles and through shared memory (four are slower there than eight).
local EXCHANGES = {
    {1, 4, 0.197, 0.573}, {1, 8, 0.152, 0.618}, {1, 16, 0.318, 1.118}, {1, 32, 0.645, 2.138}, {1, 64, 1.509, 4.299},
    {2, 4, 0.183, 0.357}, {2, 8, 0.339, 0.611}, {2, 16, 0.678, 1.122},
}

-- V100 with what T4 has in its place, and a tenth of its SMs: blocks of one SM do not meet those of others.
local T4 = {sms = 4, clock_mhz = 1590, ["sm.max_warps"] = 32, ["sm.max_blocks"] = 16}

-- Exchanges one bit: of registers k and k + step each lane offers the one that its partner is to have, and puts what it
-- gets in its place. As a compiler orders them: up to 16 offers, their shuffles, then what is kept.
local function by_shuffles(count, bit)
    local out, low, step = {}, {}, 1 << bit
    for k = 0, count - 1 do
        if k & step == 0 then low[#low + 1] = k end
    end
    local function all(first, form)
        for n = first, math.min(first + 15, #low) do
            local put = {l = "v" .. low[n], h = "v" .. low[n] + step, o = "o" .. n - first, s = step, p = "b" .. bit}
            out[#out + 1] = form:gsub("{(%l)}", put)
        end
    end
    for first = 1, #low, 16 do
        all(first, "sel.b32 {o}, {l}, {h}, {p}")
        all(first, "shfl.bfly.b32 {o}, {o}, {s}")
        all(first, "sel.b32 {l}, {o}, {l}, {p}\nsel.b32 {h}, {h}, {o}, {p}")
    end
    return table.concat(out, "\n")
end

-- Moves the same amount through shared memory, 16 bytes a lane at a time.
local function by_shared(count)
    local out = {}
    for turn = 1, 2 do
        for k = 0, count - 1, 4 do
            out[#out + 1] = turn == 1 and ("st.shared.b128 [own+%d], v%d"):format(k * 128, k) or
                ("ld.shared.b128 v%d, [other+%d]"):format(k, k * 128)
        end
        out[#out + 1] = "bar.warp"
    end
    return table.concat(out, "\n")
end

local function each(count, form)
    local out = {}
    for k = 0, count - 1 do
        out[#out + 1] = form:gsub("@", k)
    end
    return table.concat(out, "\n") .. "\n"
end

-- Returns ns of an exchange of a block, had the card's 40 SMs 16 each: four in a round, whose start and end cancel.
local function exchange(count, bits, values)
    local step = not bits and by_shared(count) or
        by_shuffles(count, 0) .. (bits == 2 and "\n" .. by_shuffles(count, 1) or "")
    local text = ".kernel exchange\n.warp 32\n.param out : u32[]\n.param rounds : u32\n" ..
        (".shared tile : u32[%d] align 128\n"):format(count * 32) ..
        ".reg lane, rounds_left, own, other, sum, t, at:2" .. (", o@"):rep(16):gsub("@", (function()
            local n = -1
            return function() n = n + 1 return n end
        end)()) .. "\n.pred b0, b1, more\n" ..
        "s2r lane, %laneid\nld.param.b32 rounds_left, [rounds]\nshl.b32 own, lane, 4\nxor.b32 other, own, 16\n" ..
        "and.b32 t, lane, 1\nsetp.ne.u32 b0, t, 0\nand.b32 t, lane, 2\nsetp.ne.u32 b1, t, 0\n" ..
        each(count, "add.u32 v@, lane, @") .. "round:\n" ..
        (step .. "\n" .. each(count, "xor.b32 v@, v@, lane")):rep(4) ..
        "sub.u32 rounds_left, rounds_left, 1\nsetp.ne.u32 more, rounds_left, 0\n@more bra round\nmov.b32 sum, 0\n" ..
        each(count, "xor.b32 sum, sum, v@") .. "s2r t, %ctaid.x\nmad.lo.u32 t, t, 32, lane\n" ..
        "ld.param.b64 at, [out]\nmad.wide.u32 at, t, 4, at\nst.global.b32 [at], sum\nexit\n"
    text = text:gsub("%f[%w]v(%d+)", function(k) return "r" .. 64 + k end) -- in fours, as wide accesses want them
    local ctx, cycles = on("v100", values), {}
    local program, out = ctx:load(text, "exchange.hd"), ctx:buffer("out", "u32", 64 * 32)
    for _, rounds in ipairs {16, 48} do
        cycles[#cycles + 1] = ctx:launch(program, {grid = 64, block = 32, args = {out = out, rounds = rounds}}).cycles
    end
    return (cycles[2] - cycles[1]) / (4 * 32) / 640 / 1.59
end

case("exchanges on a T4 are faster by shuffles than through shared memory, by as much", function()
    local half = {["shared.pass_cycles"] = 2} -- 64 bytes a cycle
    for k, v in pairs(T4) do half[k] = v end
    for _, row in ipairs(EXCHANGES) do
        local bits, count, shuffled, shared = table.unpack(row)
        local mine, other = exchange(count, bits, T4), exchange(count, nil, half)
        local what = ("%d bits, %d registers: %.3f and %.3f ns, not %.3f and %.3f"):format(bits, count, mine, other,
            shuffled, shared)
        ok((mine < other) == (shuffled < shared), what)
        ok(count < 16 or math.abs(mine / other - shuffled / shared) <= 0.06, what)
        ok(count < 8 or math.abs(mine / shuffled - 1) < 0.2 and math.abs(other / shared - 1) < 0.2, what)
    end
end)

test.finish()
