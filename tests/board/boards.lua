-- Are the shipped boards what they claim, and does Lua see the same as the command shows?
local heddle = require "heddle"
local test = require "tests.lib.test"
local case, ok, equal, raises = test.case, test.ok, test.equal, test.raises

local BOARDS = test.boards()

-- Sources that a comment may name for a number; besides these there is "assumed".
local SOURCES = {
    "GPU%-benches", "MT4G", "CUDA programming guide", "CUDA occupancy calculator", "Huerta", "Accel%-Sim", "ptxas",
    "ISA latencies", "AccelWattch", "Hopper tuning guide", "Hopper white paper", "cuda_study", "Luo et al",
    "gpu_shm_microbench", "Hot Chips 34", "derived", "Ada white paper", "Ada notes", "HPMLL", "Ramulator",
    "Nsight Compute", "SyncPerformance", "GPGPU%-Sim issue", "ISPASS",
    "code%-samples issue", "H100 SXM", "ROCm", "CDNA", "RTX 6000D", "Chips and Cheese", "OpenCL%-Benchmark",
    "Blackwell tuning guide", "triton", "amora", "AI_kernels", "NVIDIA's specifications",
}

local function lines(path)
    return assert(io.open(path)):lines()
end

local function on(name, values)
    local ctx = heddle.new()
    ctx:board("configs/" .. name .. ".yaml", values)
    return ctx
end

-- Within a share of what was measured or published.
local function near(got, want, share, what)
    ok(math.abs(got - want) <= share * want, ("%s is %.6g, not %.6g"):format(what, got, want))
end

case("every number of a shipped board has a source or is assumed", function()
    local numbers = 0
    for _, name in ipairs(BOARDS) do
        for line in lines("configs/" .. name .. ".yaml") do
            local key, comment = line:match "^%s*([%w_.]+):%s*%S[^#]*#%s*(.+)$"
            local bare = line:match "^%s*([%w_.]+):%s*[^#%s]"
            if bare and bare ~= "name" then
                ok(key, name .. ": no comment behind " .. line)
                local sourced = line:find(" assumed", 1, true)
                for _, source in ipairs(SOURCES) do
                    sourced = sourced or comment:find(source)
                end
                ok(sourced, name .. ": no source: " .. line)
                numbers = numbers + 1
            end
        end
    end
    ok(numbers > 300, numbers .. " numbers")
end)

case("every assumed number of a shipped board that can have a range has one", function()
    local assumed = 0
    for _, name in ipairs(BOARDS) do
        for _, v in ipairs(on(name):values()) do
            if v.basis then
                ok(v.low and v.low <= v.value and v.value <= v.high, name .. ": " .. v.key)
                assumed = assumed + 1
            end
        end
    end
    ok(assumed >= 12 * #BOARDS, assumed .. " numbers")
end)

-- Numbers of the shape of a machine: another one would be another board, and their rates have ranges of their own.
local SHAPE = {"^max_", "^warp_width$", "^sm%.", "^lanes%.", "^l2%.slices$", "^l2%.ways$", "^l2%.bytes$",
    "^dram%.bank", "^dram%.burst_bytes$", "^dram%.line_bytes$", "^tlb%.pages$", "^fetch%.l0_bytes$",
    "^dram%.rfc$", "^launch%.ramp_cycles$"}

case("every number that a shipped board assumes or fits has a range, but for its shape", function()
    local ranged = 0
    for _, name in ipairs {"v100", "a100", "h100", "h200", "b200", "rtx4090", "rtx5090", "mi210", "br100"} do
        local section = ""
        for line in lines("configs/" .. name .. ".yaml") do
            section = line:match "^(%w+):%s*#?" and line:match "^(%w+):%s*$" or section
            local indent, key, value, comment = line:match "^(%s*)([%w_.]+): ([^#]-)%s*# (.*)"
            local whole = key and (indent == "" and key or section .. "." .. key)
            local shape = false
            for _, pattern in ipairs(whole and SHAPE or {}) do
                shape = shape or whole:find(pattern)
            end
            if value and value:find "^%d" and not shape and (comment:find "^assumed" or comment:find "^fitted") then
                ok(value:find "%.%.", ("%s: no range: %s"):format(name, line))
            end
            ranged = ranged + (value and value:find "%.%." and 1 or 0)
        end
    end
    ok(ranged > 150, ranged .. " ranges")
end)

case("a draw of a board is the same by --set, file and Lua, and shows what it drew", function()
    local ctx = heddle.new()
    ctx:board("configs/h100.yaml", {draw = 3})
    local text = ctx:board()
    local loads = ctx:board_value "l1.loads"
    ok(loads ~= 128 and text:find("loads: " .. loads .. " assumed", 1, true), text)
    ok(text:find "h100.yaml:%d+, draw 3%]", text)
    raises("this board is draw 3; load it again for another", function() ctx:board(nil, {draw = 4}) end)
    equal((on("h100", {draw = 0}):board():gsub("%-%-set", "default")), (on("h100"):board()))
end)

case("every file of configs/ is a board of that name", function()
    for _, name in ipairs(BOARDS) do
        ok(on(name):board():find("name: " .. name .. "\n", 1, true), name)
    end
    ok(#BOARDS >= 12)
end)

case("V100 says everything itself", function()
    local section, said = "", 0
    for line in on "v100":board():gmatch "[^\n]+" do
        section = line:match "^([%w_]+): *#" or section
        -- One pass is the rule, no draw, and nothing that is of no chip.
        local none = section == "passes" or line:find "^draw: 0" or line:find("Of no chip", 1, true)
        ok(none or not line:find("[default]", 1, true), line)
        said = said + 1
    end
    ok(said > 150, said .. " lines")
end)

case("warnings of shipped boards are few and true", function()
    for _, name in ipairs(BOARDS) do
        local list = on(name):warnings()
        equal(#list, ({br100 = 1, h200 = 1, b200 = 1})[name] or 0, name .. ": " .. table.concat(list, "; "))
    end
    ok(on "br100":warnings()[1]:find("sm.shared_bytes is all of l1.unified_bytes (65536)", 1, true))
end)

-- Pin rates and vendor peaks, computed by hand from the vendors' figures.
case("peaks agree with published figures", function()
    local figures = {
        v100 = {dram_gbs = 898.048, fp32_gflops = 14131.2, fp64_gflops = 7065.6, l2_gbs = 2826.24, threads = 2048,
            mma_gflops = 125000 * 1380 / 1530},
        a100 = {dram_gbs = 1555.2, fp32_gflops = 19491.84, fp64_gflops = 9745.92, l2_bandwidth = 5120,
            mma_gflops = 312000},
        h100 = {dram_gbs = 3352.32, fp32_gflops = 66908.16, fp64_gflops = 33454.08, half_gflops = 133816.32,
            mma_gflops = 989400 * 1980 / 1830},
        h200 = {dram_gbs = 4800, fp32_gflops = 66908.16},
        b200 = {dram_gbs = 7999.488, fp32_gflops = 74449.92, fp64_gflops = 37224.96, half_gflops = 74449.92},
        rtx5090 = {dram_gbs = 1792, fp32_gflops = 104752.64, fp64_gflops = 104752.64 / 64},
        mi210 = {dram_gbs = 1638.4, fp32_gflops = 22630.4, fp64_gflops = 22630.4, half_gflops = 45260.8,
            mma_gflops = 181000},
        rtx4090 = {dram_gbs = 1008, fp32_gflops = 82575.36, fp64_gflops = 82575.36 / 64, mma_gflops = 165200},
        br100 = {dram_gbs = 1638.4, fp32_gflops = 16384, issue = 512, mma_gflops = 1024000},
    }
    for name, want in pairs(figures) do
        local peaks = on(name):peaks()
        for key, value in pairs(want) do
            near(peaks[key].value, value, key == "mma_gflops" and 0.03 or 1e-9, name .. " " .. key)
        end
    end
end)

-- GPU-benches: cycles of a pointer chase by one warp, at a footprint in the level. Ports of the model add a few cycles;
-- rows are found closed, by the refreshes between two visits of a bank.
case("latencies add up to what pointer chases measure", function()
    local measured = {
        v100 = {l1_latency = 30.0, l2_latency = 215.0, dram_latency = 430.4},
        a100 = {l1_latency = 36.1, l2_latency = 213.0, dram_latency = 572.2},
        h100 = {l1_latency = 34.2, l2_latency = 292.5, dram_latency = 697},
        rtx4090 = {l1_latency = 36.1, l2_latency = 284.8, dram_latency = 569.0},
        b200 = {l1_latency = 39, l2_latency = 295, dram_latency = 860},
        rtx5090 = {l1_latency = 44.1, l2_latency = 366, dram_latency = 759},
        mi210 = {l1_latency = 124, l2_latency = 302, dram_latency = 741},
        teach8 = {l1_latency = 10, l2_latency = 20, dram_latency = 100, dram_conflict_latency = 110},
    }
    for name, want in pairs(measured) do
        local peaks = on(name):peaks()
        for key, value in pairs(want) do
            near(peaks[key].value, value, 0.02, name .. " " .. key)
        end
    end
end)

-- Chases a random cycle of `nodes` addresses `stride` bytes apart by one thread: cycles of a load, after `warm` rounds.
local function chase(name, nodes, stride, warm)
    local ctx, order, words = on(name), {}, stride // 8
    local next = ctx:buffer("next", "u64", nodes * words)
    for i = 1, nodes do
        order[i] = i - 1
    end
    math.randomseed(7)
    for i = nodes, 2, -1 do -- Sattolo: one cycle through all
        local j = math.random(i - 1)
        order[i], order[j] = order[j], order[i]
    end
    for i = 1, nodes do
        next[(i - 1) * words + 1] = next.address + order[i] * stride
    end
    local program = ctx:load([[
.kernel chase
.param next   : u64[]
.param cycles : u64[1]
.param steps  : u32
.reg   left, at:2, begin:2, end:2
.pred  more
        ld.param.b64    at, [next]
        ld.param.b32    left, [steps]
        s2r.b64         begin, %clock
link:
]] .. ("        ld.global.b64   at, [at]\n"):rep(32) .. [[
        sub.u32         left, left, 32
        setp.ne.u32     more, left, 0
@more   bra             link
        s2r.b64         end, %clock
        sub.u64         end, end, begin
        ld.param.b64    at, [cycles]
        st.global.b64   [at], end
        exit
]], "chase.hd")
    local cycles = ctx:buffer("cycles", "u64", 1)
    for round = 0, warm do
        ctx:launch(program, {args = {next = next, cycles = cycles, steps = 8192},
            caches = round == 0 and "cold" or "warm"})
    end
    return cycles[1] / 8192
end

-- The same measurements, made in the model, with 64-bit loads. Each launch finds L1 empty; teach8 never closes a row.
case("a pointer chase with the clock takes what it takes on the cards", function()
    local measured = {
        v100 = {30.0, 215.0, 430.4}, a100 = {36.1, 213.0, 572.2}, h100 = {34.2, 292.5, 697}, teach8 = {10, 20, 110},
    }
    for name, want in pairs(measured) do
        local footprint = name == "teach8" and 192 or 8192 -- 24 KB or 1 MB: more than L1, less than L2
        local l1, l2 = chase(name, 4, 128, 0), chase(name, footprint, 128, 1)
        ok(math.abs(l1 - want[1]) < 2.5, name .. ": L1 takes " .. l1)
        ok(math.abs(l2 - want[2]) < 2.5, name .. ": L2 takes " .. l2)
        near(chase(name, 8192, 4096 + 128, 0), want[3], 0.03, name .. ": DRAM")
    end
end)

-- Four sums to a warp, so that none waits for its own latency, eight warps to a sub-core; A stays the same, so that the
-- register banks of two serve the rest in three cycles: h100's unit, which takes two for m8n4k8, is idle for one.
case("a loop of matrix instructions keeps their unit busy", function()
    local function busy(name, shape)
        local function round(from)
            local list = {}
            for i = 0, 3 do
                list[#list + 1] = ("mma.%s.f32.f16 s%d, a, b+%d, %s\n"):format(shape, i, 2 * (i % 2), from or "s" .. i)
            end
            return table.concat(list)
        end
        local ctx = on(name, {sms = 1})
        local program = ctx:load([[
.kernel busy
.reg   left, a:4, b:4, s0:4, s1:4, s2:4, s3:4
.pred  more
        mov.b64     a, 0
        mov.b64     a+2, 0
        mov.b64     b, 0
        mov.b64     b+2, 0
        mov.b32     left, 64
]] .. round "rz" .. "again:\n" .. round():rep(16) .. [[
        sub.u32     left, left, 1
        setp.ne.u32 more, left, 0
@more   bra         again
        exit
]], "busy.hd")
        return ctx:launch(program, {block = name == "teach32" and 256 or 1024}).metrics["sol.mma"]
    end
    for shape, shares in pairs {m8n4k8 = {v100 = 99, a100 = 99, h100 = 64, teach32 = 99},
        m16n8k16 = {v100 = 99, a100 = 99, h100 = 97, teach32 = 99}} do
        for name, share in pairs(shares) do
            local got = busy(name, shape)
            ok(math.abs(got - share) <= 2, ("%s, %s: the unit is busy for %.1f %%"):format(name, shape, got))
        end
    end
end)

-- 16 x 8 x 16 over 32 lanes is two passes of 32 multiply-adds a lane; the second waits for the first.
case("a larger matrix takes time and energy in proportion", function()
    local ctx = on("v100", {sms = 1})
    local function chain(shape, n)
        local text = ("mma.%s.f32.f16 s, a, b, s\n"):format(shape):rep(n)
        return ctx:launch(ctx:load(".kernel chain\n.reg a:4, b:2, s:4\nmov.b64 a, 0\nmov.b64 a+2, 0\nmov.b64 b, 0\n" ..
            "mov.b64 s, 0\nmov.b64 s+2, 0\n" .. text .. "exit\n", "chain.hd"), {block = 32}).metrics
    end
    for shape, passes in pairs {m8n4k8 = 1, m16n8k16 = 2} do
        local short, long = chain(shape, 8), chain(shape, 12)
        equal(long.cycles - short.cycles, 4 * passes * ctx:board_value "latency.mma")
        equal(long["unit.mma.busy_cycles"], 12 * passes * 8)
        equal(long["unit.mma.lanes"], 12 * 32)
        near(long["energy.mma"], 12 * 32 * passes * 1e-12 * ctx:board_value "energy.mma", 1e-9, shape)
    end
end)

case("a matrix over more lanes than the warp has is refused", function()
    local ctx = on("a100", {})
    local p = ctx:load([[
.kernel direct
        mma.m16n8k16.f32.f16 r0, r4, r8, rz
        exit
.kernel called
        call product
        exit
.func product
        mma.m16n8k16.f32.bf16 r0, r4, r8, rz
        ret
]], "m.hd")
    for _, functional in ipairs {false, true} do
        raises("kernel 'direct': mma.m16n8k16.f32.f16 (line 2) is a product of 32 lanes; the warp has 16",
            ctx.launch, ctx, p, {entry = "direct", warp = 16, functional = functional})
        raises("kernel 'called': mma.m16n8k16.f32.bf16 (line 8) is a product of 32 lanes; the warp has 8",
            ctx.launch, ctx, p, {entry = "called", warp = 8, functional = functional})
    end
    ctx:launch(p, {entry = "direct", warp = 32, functional = true})
    ctx:launch(p, {entry = "called", warp = 64, functional = true})
end)

case("a board without matrix units refuses kernels that need them", function()
    local ctx = on("a100", {lanes = {mma = 0}})
    equal(ctx:peaks().mma_gflops.value, 0.0)
    local p = ctx:load([[
.kernel plain
        exit
.kernel direct
        mma.m8n4k8.f32.f16 r0, r4, r8, rz
        exit
.kernel called
        call product
        exit
.func product
        mma.m8n4k8.f32.bf16 r0, r4, r8, rz
        ret
]], "m.hd")
    ctx:launch(p, {entry = "plain"})
    raises("kernel 'direct': mma.m8n4k8.f32.f16 (line 4) needs matrix units; board 'a100' has none: its lanes.mma is 0",
        ctx.launch, ctx, p, {entry = "direct"})
    raises("kernel 'called': mma.m8n4k8.f32.bf16 (line 10)", ctx.launch, ctx, p, {entry = "called"})
    raises("needs matrix units", ctx.launch, ctx, p, {entry = "direct", functional = true})
    ctx:board(nil, {lanes = {mma = 1}})
    ctx:launch(p, {entry = "called"})
end)

case("the AccelWattch energies of V100 are derived, all others assumed", function()
    local v100, a100 = on "v100", on "a100"
    for _, event in ipairs {"shared", "l1", "l2", "dram"} do
        local _, basis = v100:board_value("energy." .. event)
        equal(basis, "derived")
        _, basis = a100:board_value("energy." .. event)
        equal(basis, "assumed")
    end
    equal({v100:board_value "energy.shared"}, {611.0, "derived", 415.0, 1680.0})
    equal({v100:board_value "energy.fma"}, {1.5, "assumed", 0.75, 21.0})
end)

case("values are read as the kind they are", function()
    local ctx = on "a100"
    equal({ctx:board_value "l2.slices"}, {80})
    equal({ctx:board_value "sm.policy"}, {"cggty"})
    equal({ctx:board_value "power.sm_w"}, {0.283, "assumed", 0.14, 0.57})
    raises("unknown key 'l2.slice'; did you mean 'l2.slices'?", ctx.board_value, ctx, "l2.slice")
end)

case("values are set by key, by section, as numbers and words", function()
    local ctx = on("a100", {sms = 54.0, l2 = {slices = 160, bytes = 20971520}, ["sm.policy"] = "gto",
        energy = {l1 = "100 measured", l2 = 50.5}, power = {sm_w = 0.1}})
    equal(ctx:board_value "sms", 54)
    equal(ctx:board_value "l2.slices", 160)
    equal(ctx:board_value "sm.policy", "gto")
    equal({ctx:board_value "energy.l1"}, {100.0, "measured"})
    equal({ctx:board_value "energy.l2"}, {50.5, "assumed"})
    equal(ctx:board_value "power.sm_w", 0.1)
    near(ctx:peaks().l2_bandwidth.value, 10240, 0, "l2_bandwidth")
    equal(ctx:peaks().dram_gbs.unit, "GB/s")
    raises("expected {key = value", ctx.board, ctx, nil, {"sms=1"})
    raises("a value is a number", ctx.board, ctx, nil, {sms = true})
    raises("a value is a number", ctx.board, ctx, nil, {l2 = {slices = {}}})
    raises("did you mean 'cggty'?", ctx.board, ctx, nil, {sm = {policy = "cgty"}})
end)

case("values change together or not at all", function()
    local ctx = on "v100"
    raises("l2.slices (7) must be a multiple of dram.channels (32)", ctx.board, ctx, nil, {["l2.slices"] = 7})
    raises("sms is 5000; it must be 1 to 4096 SMs", ctx.board, ctx, nil, {clock_mhz = 1, sms = 5000})
    equal(ctx:board_value "l2.slices", 64)
    equal(ctx:board_value "clock_mhz", 1380)
    ctx:board(nil, {l2 = {slices = 7, bytes = 0}, dram = {channels = 7}}) -- either alone would be refused
    equal(ctx:board_value "l2.slices", 7)
end)

case("a value without a file starts the clock, nothing does not", function()
    local ctx = heddle.new()
    local p = ctx:load ".kernel k\nexit\n"
    ctx:board()
    ok(not ctx:launch(p, {}).cycles)
    ctx:board(nil, {sms = 1})
    ok(ctx:launch(p, {}).cycles > 0)
    ok(not ctx:launch(p, {functional = true}).cycles)
end)

case("an SM without room for one block says why", function()
    local ctx = heddle.new()
    local p = ctx:load(".kernel k\n.regs 40\n.shared s : u32[256]\nexit\n")
    local function refused(text, values, block)
        ctx:board(nil, values)
        raises(text, ctx.launch, ctx, p, {block = block})
    end
    refused("a block of 5 warps; an SM of board 'default' holds 4", {sm = {max_warps = 4}}, 160)
    ctx:launch(p, {block = 128})
    refused("a block of 4 warps of 32 threads with 40 registers takes 5,120; an SM of board 'default' has 4,864",
        {sm = {registers = 4864}}, 128)
    ctx:board(nil, {sm = {registers = 5120}})
    ctx:launch(p, {block = 128})
    local plain = ctx:load(".kernel k\nexit\n")
    ctx:board(nil, {max_shared_per_block = 0, sm = {shared_bytes = 0, shared_reserved = 1024}})
    raises("a block takes 1,024 bytes of shared memory, 1,024 of them the system's; " ..
        "an SM of board 'default' has 0",
        ctx.launch, ctx, plain, {})
end)

test.finish()
