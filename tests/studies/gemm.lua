-- Matrix products: results, choice of tile shapes, and throughput.
local heddle = require "heddle"
local clear = require "heddle.kit.bench".clear
local gemm = require "heddle.gemm.launch"
local lists = require "heddle.kit.lists"
local random = require "heddle.kit.random"
local test = require "tests.lib.test"
local cli = require "tests.lib.command"
local case, ok, equal, raises = test.case, test.ok, test.equal, test.raises

local programs = {}

-- Runs a product on ctx; the buffer c, and the result of the launch.
local function product(ctx, o, a, b, bias)
    local l = gemm.launch(o)
    programs[ctx] = programs[ctx] or {}
    programs[ctx][l.file] = programs[ctx][l.file] or ctx:load("kernels/" .. l.file .. ".hd")
    local c = ctx:buffer("c", "f32", o.m * o.n)
    local args = lists.merge({a = a, b = b, bias = bias or c, c = c}, l.args)
    return c, ctx:launch(programs[ctx][l.file],
        {entry = l.entry, grid = l.grid, block = l.block, warp = o.warp, args = args}), l
end

local function filled(ctx, name, type, n, f)
    local buffer = ctx:buffer(name, type, n)
    for i = 1, n do
        buffer[i] = f(i - 1)
    end
    return buffer
end

-- Checks a product of whole numbers, every element computed here.
local function check_product(ctx, o, r)
    local type = o.type == "f32" and "f32" or "f16"
    local function whole()
        return r:below(17) - 8
    end
    local a, b = filled(ctx, "a", type, o.m * o.k, whole), filled(ctx, "b", type, o.k * o.n, whole)
    local bias = o.biased and filled(ctx, "bias", "f32", o.m, whole)
    local c, _, l = product(ctx, o, a, b, bias)
    local x, y, z, wrong = a:table(), b:table(), c:table(), 0
    for row = 0, o.m - 1 do
        for col = 0, o.n - 1 do
            local sum = bias and bias[row + 1] or 0
            for i = 0, o.k - 1 do
                sum = sum + x[row * o.k + i + 1] * y[i * o.n + col + 1]
            end
            wrong = wrong + (z[row * o.n + col + 1] ~= sum and 1 or 0)
        end
    end
    ok(wrong == 0, ("%s: %d x %d x %d, warp %d: %d wrong"):format(l.entry, o.m, o.n, o.k, o.warp, wrong))
    clear(ctx)
end

case("products of any size are exact for whole numbers", function()
    local ctx, r = heddle.new(), random.new(5)
    for _, type in ipairs {"f32", "f16", "mma"} do
        for round = 1, 12 do
            local eight = type == "mma" and round % 2 == 0 and 8 or 1
            check_product(ctx, {
                type = type, m = 1 + r:below(1 << 1 + r:below(7)), n = eight * (1 + r:below(140 // eight)),
                k = eight * (1 + r:below(70 // eight)), biased = r:below(2) == 1, warp = 8 << r:below(4), sms = 1,
            }, r)
        end
    end
end)

case("every shape gives the same sums", function()
    local ctx, r = heddle.new(), random.new(6)
    local m, k = 90, 56
    for _, n in ipairs {136, 135} do
        local function half()
            return (r:unit() - 0.5) * 2.0 ^ r:below(12)
        end
        local a, b = filled(ctx, "a", "f16", m * k, half), filled(ctx, "b", "f16", k * n, half)
        local wide_a, wide_b = filled(ctx, "wide a", "f32", m * k, function(i) return a[i + 1] end),
            filled(ctx, "wide b", "f32", k * n, function(i) return b[i + 1] end)
        local bias = filled(ctx, "bias", "f32", m, half)
        local first
        for _, type in ipairs {"f32", "f16", "mma"} do
            for _, entry in ipairs(gemm.entries(type, n, k)) do
                local x, y = a, b
                if type == "f32" then
                    x, y = wide_a, wide_b
                end
                local o = {m = m, n = n, k = k, type = type, entry = entry, biased = true, warp = 16}
                local c = product(ctx, o, x, y, bias)
                first = first or c:bytes()
                ok(c:bytes() == first, entry .. " gives other bits")
                ctx:drop "c"
            end
        end
        clear(ctx)
    end
end)

-- k is a whole number of tiles; else the two add different numbers of zeros after the first one.
case("the matrix unit's product is that of fma.f32 for all inputs", function()
    local ctx, m, n, k = heddle.new(), 12, 20, 32
    local fma, mma = ctx:load "kernels/gemm/fma.hd", ctx:load "kernels/gemm/mma.hd"
    local proof = ctx:prove({fma, mma}, {
        args = {a = ctx:buffer("a", "f16", m * k), b = ctx:buffer("b", "f16", k * n),
            bias = ctx:buffer("bias", "f32", m), c = ctx:buffer("c", "f32", m * n), m = m, n = n, k = k, biased = 1},
        entry_a = "gemm_f16_16x64", entry_b = "gemm_mma_16x128_x1", block_a = 64, block_b = 128, warp = 32,
    })
    equal(proof.verdict, "equal")
end)

-- 208 blocks for 108 SMs: the claim of the kernel's head for 80 x 64. Longer sums do better: `heddle study gemm` finds
-- 80 % at k = 1024.
case("fp32 reaches 70 % of the peak of an a100", function()
    local ctx = heddle.new()
    ctx:board "configs/a100.yaml"
    local o = {m = 1024, n = 1024, k = 256, type = "f32"}
    local _, r, l = product(ctx, o, ctx:buffer("a", "f32", o.m * o.k), ctx:buffer("b", "f32", o.k * o.n))
    equal(l.entry, "gemm_f32_80x64")
    equal(l.grid, {13, 16})
    local share = 2 * o.m * o.n * o.k / r.metrics.seconds / 1e9 / ctx:peaks().fp32_gflops.value
    ok(share >= 0.7, ("%.1f %%"):format(100 * share))
    equal(r.metrics["occupancy.by_grid"], 2)
end)

case("shapes follow sizes", function()
    equal(gemm.launch({m = 16, n = 1178, k = 54}).entry, "gemm_f32_4x128") -- more blocks, as SMs are left
    equal(gemm.launch({m = 16, n = 1178, k = 54}).grid, {4, 10})
    equal(gemm.launch({m = 16, n = 26391, k = 432}).entry, "gemm_f32_16x64")
    equal(gemm.launch({m = 64, n = 26391, k = 432, type = "f16"}).entry, "gemm_f16_64x64")
    equal(gemm.launch({m = 1024, n = 1024, k = 1024, type = "mma"}).entry, "gemm_mma_80x128_x8") -- 104 SMs, not 64
    equal(gemm.launch({m = 1536, n = 2304, k = 1024, type = "mma"}).entry, "gemm_mma_128x128_x8")
    equal(gemm.launch({m = 16, n = 1179, k = 54, type = "mma"}).entry, "gemm_mma_8x128_x1") -- more blocks
    equal(gemm.launch({m = 5.0, n = 7, k = 3, biased = true}).args, {m = 5, n = 7, k = 3, biased = 1})
end)

case("shapes that do not fit the board are not chosen; the small shape fits where the others do not", function()
    local function chosen(holds, type)
        return gemm.launch({m = 16, n = 1178, k = 54, type = type, holds = holds}).entry
    end
    equal(chosen(function(_, threads) return threads <= 64 end), "gemm_f32_16x64")
    equal(chosen(function() return false end), "gemm_f32_16x16")
    equal(chosen(function() return false end, "mma"), "gemm_mma_16x32_x1")
    equal(chosen(function() return true end), chosen())
end)

-- A launch is the judge; boards where it depends on threads, registers and shared memory.
case("a block fits where a launch accepts it", function()
    local seen = {}
    for _, row in ipairs {{"teach8", {}}, {"teach32", {}}, {"template", {["sm.registers"] = 8192}},
        {"teach32", {["sm.shared_reserved"] = 128, max_shared_per_block = 16256, max_registers_per_thread = 120}},
        {"a100", {["sm.max_warps"] = 8, max_threads_per_block = 96}}} do
        local ctx = heddle.new()
        ctx:board("configs/" .. row[1] .. ".yaml", row[2])
        local files = {f32 = ctx:load "kernels/gemm/fma.hd", mma = ctx:load "kernels/gemm/mma.hd"}
        for i, type in ipairs {"f32", "mma", "mma"} do
            local element = i == 1 and "f32" or "f16"
            local a, b = ctx:buffer("a", element, 8), ctx:buffer("b", element, 64)
            for _, entry in ipairs(gemm.entries(type, i == 2 and 8 or 7, 8)) do
                local o = {m = 1, n = i == 2 and 8 or 7, k = 8, type = type, entry = entry, warp = 8 << #entry % 4}
                local block = gemm.launch(o).block
                local holds, why = ctx:fits(files[type], {entry = entry, block = block, warp = o.warp})
                local ran, e = pcall(product, ctx, o, a, b)
                equal(holds, ran, ("%s, %s, warp %d: %s"):format(row[1], entry, o.warp, ran or e.message))
                equal(why, not ran and e.message:gsub("\n  boards that take it: .*", "") or nil)
                seen[holds] = (seen[holds] or 0) + 1
            end
        end
    end
    ok(seen[true] > 10 and seen[false] > 10)
end)

case("heddle study gemm says what a product reaches, and compares it", function()
    local function run(arguments)
        return cli.run(("%s study gemm %s </dev/null"):format(cli.absolute(), arguments))
    end
    local json = cli.folder .. "/gemm.json"
    local status, out, err = run("--size 83,70,37 --entry gemm_f32_16x64 --board v100 --json " .. json)
    equal({status, err}, {0, ""})
    local text = cli.read(json)
    local function field(name)
        return tonumber(text:match('\n  "' .. name .. '": ([^,\n]+)'))
    end
    equal({field "blocks", field "macs", text:find "difference"}, {2 * 6, 83 * 70 * 37})
    equal(field "macs_executed", 12 * 16 * 64 * 48) -- k in tiles of 16
    equal(field "compared", math.ceil(83 * 70 / 9)) -- one of six would do; 9 is the next prime to 70
    local share = 2e-9 * 83 * 70 * 37 / field "seconds" / field "peak_gflops"
    ok(math.abs(field "share" - share) < 1e-12 and math.abs(field "busy" / share - 12 * 16 * 64 * 48 / (83 * 70 * 37))
        < 1e-9)
    local sum = 0
    for value in text:gmatch '"share": ([^,\n]+)' do
        sum = sum + tonumber(value)
    end
    ok(math.abs(sum - share - 1) < 1e-9, "stalls do not add up to all of the time")
    ok(out:find("share of the peak", 1, true) and out:find("other warps have not arrived", 1, true), out)
    for _, row in ipairs {{"--size 1,2", "--size: '1,2' cannot be read; expected whole numbers"},
        {"--size 9999,9999,1", "--size: C would have 99,980,001 elements; at most 16,777,216 fit"},
        {"--entry gemm", "--entry: there is no kernel 'gemm' for these sizes; there are gemm_f32_80x64, "},
        {"--type mma --size 7,7,7 --entry gemm_mma_128x128_x8",
            "--entry: there is no kernel 'gemm_mma_128x128_x8' for these sizes; there are gemm_mma_64x128_x1, "}} do
        status, out, err = run(row[1])
        equal({status, out}, {2, ""}, row[1])
        ok(err:find("heddle study gemm: error: " .. row[2], 1, true), err)
    end
    for _, type in ipairs {"f16", "mma"} do
        equal(run("--size 33,40,24 --type " .. type), 0, type)
    end
end)

case("heddle study gemm prints small rates and shares, and the blocks of one SM", function()
    local function found(arguments, rows)
        local out = cli.good("study gemm --size 100,70,33 " .. arguments)
        for name, value in pairs(rows) do
            local line = out:match("\n  " .. name .. " +([^\n]+)")
            ok(line and line:find("^" .. value .. "$"), ("%s: %s: %s"):format(arguments, name, line or out))
        end
    end
    found("--board teach8", {["blocks of the busiest SM, evenly spread"] = 7 * 5, -- 16 x 16, one SM
        ["throughput of the product"] = "%d%.?%d* GFLOP/s", ["peak of the board"] = "16 GFLOP/s"})
    found("--board h100 --type mma", {["blocks of the busiest SM, evenly spread"] = 1,
        ["throughput of the product"] = "%d+%.?%d* GFLOP/s", ["peak of the board"] = "[%d,]+ TFLOP/s",
        ["share of the peak"] = "0%.0[1-9]%d%d %%"})
end)

case("a sample has as many elements as it may, and goes through all columns", function()
    equal(gemm.sample_step(997, 997, 997), 1)
    equal(gemm.sample_step(1993, 1, 997), 2) -- 997 of them
    equal(gemm.sample_step(1993, 1993, 997), 2)
    for n = 1, 40 do
        for m = 1, 40 do
            local step, columns, taken, seen = gemm.sample_step(m * n, n, 50), {}, 0, 0
            for i = 0, m * n - 1, step do
                taken = taken + 1
                seen = seen + (columns[i % n] and 0 or 1)
                columns[i % n] = true
            end
            ok(taken <= 50 and seen == math.min(n, taken), ("%d x %d: %d, in %d columns"):format(m, n, taken, seen))
            ok(m * n > 50 or taken == m * n)
        end
    end
end)

case("sizes that are none are refused", function()
    raises("gemm: m is 0; it must be a whole number from 1 on", gemm.launch, {m = 0, n = 1, k = 1})
    raises("gemm: k is 1.5; it must be", gemm.launch, {m = 1, n = 1, k = 1.5})
    raises("gemm: n is nil; it must be", gemm.launch, {m = 1, k = 1})
    raises("gemm: m x k is 4,294,967,296; it must be below 2^32", gemm.launch, {m = 65536, n = 1, k = 65536})
    raises("gemm: k x n is 18,446,744,065,119,617", gemm.launch, {m = 1, n = (1 << 32) - 1, k = (1 << 32) - 1})
    raises("gemm: m is 1099511627776; it must be a whole number from 1 on, below 2^32", gemm.launch,
        {m = 1 << 40, n = 1 << 40, k = 1 << 40})
    raises("gemm: sms is 0; it must be", gemm.launch, {m = 1, n = 1, k = 1, sms = 0})
    raises("gemm: type is 'f64'; it must be f32, f16 or mma", gemm.launch, {m = 1, n = 1, k = 1, type = "f64"})
    raises("gemm: there is no kernel 'gemm_f32_1x1' for these sizes; there are gemm_f32_80x64, ", gemm.launch,
        {m = 1, n = 1, k = 1, entry = "gemm_f32_1x1"})
end)

test.finish()
