-- Multiply matrices: the share of a board's peak, occupancy and stall reasons
--
-- The kernels are kernels/gemm, with the tile shape that heddle.gemm.launch chooses. Matrices hold whole numbers from
-- -4 to 4, so that every sum is exact; a sample of the result is compared.
local heddle = require "heddle"
local board = require "heddle.kit.board"
local gemm = require "heddle.gemm.launch"
local lists = require "heddle.kit.lists"
local options = require "heddle.kit.options"
local page = require "heddle.kit.page"
local random = require "heddle.kit.random"
local report = require "heddle.kit.report"
local study = require "heddle.kit.study"

local NAME = "heddle study gemm"
local LIMIT <const> = 1 << 24 -- most elements of a matrix: more take minutes to fill
local LONGEST <const> = 1 << 20 -- largest k for exact sums in fp32
local SAMPLE <const> = 997 -- most elements compared

local option = options.parse {
    name = NAME, args = {...},
    summary = "Multiplies C [m,n] = A [m,k] B [k,n] on a board and reports the share of its peak reached,\n" ..
        "occupancy and stall reasons.",
    notes = "Types: f32; f16, converted and summed by the fp32 unit; mma, fp16 by the matrix unit, sums in fp32.",
    rows = {
        {heading = "Matrices and kernel"},
        {name = "size", value = "M,N,K", default = "1024,1024,1024",
            doc = "rows and columns of C, and the length of a sum"},
        {name = "type", value = "TYPE", default = "f32", choices = {"f32", "f16", "mma"}, doc = "see below"},
        {name = "entry", value = "KERNEL", doc = "a kernel of the type, instead of the automatic choice"},
        {heading = "Board"},
        {"board", default = "a100"}, "set", "uncertainty", "threads",
        {heading = "What is printed and written"},
        "markdown", "csv", "html", "json",
    },
}

-- ---- options ----

local function size_of(text)
    local list = lists.map(options.split(text), function(word) return options.whole(word, 1, LIMIT) end)
    if #list ~= 3 or not text:find "^%d+,%d+,%d+$" or list[3] > LONGEST then
        study.refuse("--size: '%s' cannot be read; expected whole numbers m,n up to %d and k up to %d, as " ..
            "1024,1024,1024", text, LIMIT, LONGEST)
    end
    local m, n, k = table.unpack(list)
    for _, row in ipairs {{"A", m * k}, {"B", k * n}, {"C", m * n}} do
        if row[2] > LIMIT then
            study.refuse("--size: %s would have %s elements; at most %s fit", row[1], report.count(row[2]),
                report.count(LIMIT))
        end
    end
    return m, n, k
end

local function check_entry(n, k)
    local names = gemm.entries(option.type, n, k)
    if option.entry and not lists.set(names)[option.entry] then
        study.refuse("--entry: there is no kernel '%s' for these sizes; there are %s", option.entry,
            table.concat(names, ", "))
    end
end

-- The requested launch, on the context's board.
local function plan_of(ctx, b, m, n, k)
    local program, width = study.load(ctx, gemm.file(option.type)), b.values.warp_width
    return program, gemm.launch {
        m = m, n = n, k = k, type = option.type, entry = option.entry, sms = b.values.sms, warp = width,
        holds = function(entry, threads) return ctx:fits(program, {entry = entry, block = threads, warp = width}) end,
    }
end

-- ---- the product ----

-- The number of elements of C compared, and the first wrong one, in words; nil: none.
local function difference(a, b, c, m, n, k)
    local compared = 0
    for i = 0, m * n - 1, gemm.sample_step(m * n, n, SAMPLE) do
        local row, col, sum = i // n, i % n, 0
        compared = compared + 1
        for t = 0, k - 1 do
            sum = sum + a[row * k + t + 1] * b[t * n + col + 1]
        end
        if c[i + 1] ~= sum then
            return compared, ("C[%d,%d] is %g instead of %g"):format(row, col, c[i + 1], sum)
        end
    end
    return compared
end

local function multiply(ctx, b)
    local m, n, k = size_of(option.size)
    check_entry(n, k)
    local program, plan = plan_of(ctx, b, m, n, k)
    local element = option.type == "f32" and "f32" or "f16"
    local x, y = random.numbers(m * k, {seed = 1}), random.numbers(k * n, {seed = 2})
    local args = {a = ctx:buffer("a", element, m * k, x), b = ctx:buffer("b", element, k * n, y),
        c = ctx:buffer("c", "f32", m * n), bias = ctx:buffer("bias", "f32", 0), m = m, n = n, k = k, biased = 0}
    local line = study.progress(1)
    line.step(plan.entry)
    local result = ctx:launch(program, {entry = plan.entry, grid = plan.grid, block = plan.block,
        threads = option.threads, args = args, progress = line.share})
    return result, plan, difference(x, y, ctx:get "c", m, n, k)
end

-- ---- results ----

-- Shares of the peak, and of the time, from 0 to 1.
local function measured(ctx, b, result, plan)
    local v, t = result.metrics, plan.args
    local peak = ctx:peaks()[option.type == "mma" and "mma_gflops" or "fp32_gflops"].value
    local executed = gemm.macs(result)
    local out = {
        board = b.name, settings = b.set, type = option.type, m = t.m, n = t.n, k = t.k, kernel = plan.entry,
        blocks = result.blocks, block = plan.block, cycles = result.cycles, seconds = result.seconds,
        macs = t.m * t.n * t.k, macs_executed = executed, peak_gflops = peak,
        gflops = 2e-9 * t.m * t.n * t.k / result.seconds,
        busy = 2e-9 * executed / result.seconds / peak, active = v["sm.active_cycles"] / (b.values.sms * result.cycles),
        blocks_held = v["occupancy.blocks"], blocks_limit = result.occupancy_limit,
        blocks_given = (result.blocks + b.values.sms - 1) // b.values.sms, warps_active = v["occupancy.warps_active"],
        limiter = result.limiter, stalls = lists.map(heddle.stalls(), function(s)
            return {name = s.name, doc = s.doc, share = v["stall." .. s.name] / v["sm.warp_cycles"]}
        end),
    }
    out.share = out.gflops / peak
    table.sort(out.stalls, function(a, c) return a.share > c.share or a.share == c.share and a.name < c.name end)
    return out
end

-- A share from 0 to 1 with three digits.
local function digits(share)
    local places = math.max(0, 2 - math.floor(math.log(100 * share, 10)))
    return ("%." .. places .. "f %%"):format(100 * share)
end

-- Formats a rate in the largest unit that makes it at least 1.
local function rate(gflops)
    for _, unit in ipairs {{"TFLOP/s", 1e3}, {"GFLOP/s", 1}} do
        if gflops >= unit[2] then
            return ("%s %s"):format(report.short(gflops / unit[2]), unit[1])
        end
    end
    return ("%s MFLOP/s"):format(report.short(gflops * 1e3))
end

local function show(out, f)
    local cell = report.cell
    out:say("C [%d,%d] = A [%d,%d] B [%d,%d], %s, on board %s%s: %s, %s of %d threads.", f.m, f.n, f.m, f.k, f.k, f.n,
        f.type, f.board, board.changes(f.settings), f.kernel, report.plural(f.blocks, "block"), f.block)
    out:put({{"", key = "quantity"}, "result"}, {
        {"cycles", cell(f.cycles, report.count)},
        {"throughput of the product", cell(f.gflops, rate)},
        {"peak of the board", cell(f.peak_gflops, rate)},
        {"share of the peak", cell(f.share, digits)},
        {"share of the peak, including tile edges beyond C", cell(f.busy, digits)},
        {"SM active cycles", cell(f.active, digits)},
        {"theoretical occupancy, blocks per SM", cell(f.blocks_held)},
        {"blocks of the busiest SM, evenly spread", cell(f.blocks_given)},
        {"occupancy limiter", f.blocks_limit},
        {"achieved occupancy, active warps per SM", cell(f.warps_active)},
    })
    out:say "Stall reasons, as shares of all warp cycles:"
    out:put({"reason", "share", "meaning"}, lists.map(f.stalls, function(s)
        return s.share >= 0.0005 and {s.name, cell(s.share, report.percent), s.doc} or nil
    end), {false, true, false})
    out:say("%s", f.limiter)
end

return study.main(NAME, function()
    study.outputs(option)
    local ctx <close> = heddle.new()
    local b = board.read(ctx, option.board, option.set)
    local result, plan, compared, wrong = multiply(ctx, b)
    local found = measured(ctx, b, result, plan)
    found.compared, found.difference = compared, wrong
    study.print(NAME)
    show(page.new(option), found)
    if wrong then
        study.complain(("%s: %s"):format(NAME, wrong))
    end
    return study.finish("gemm", option, found, not wrong)
end, option)
