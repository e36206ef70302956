-- Do checkers find nothing in the methods of the studies, launched as these launch them, and `value` nothing in the
-- kernels but what they are meant to do?
--
-- Small workloads, with and without a clock, on boards of narrow and of wide warps. Results are verified as always.
-- tests/check/checked.lua has the other checkers on the runs of the kernels.
local heddle = require "heddle"
local clear_buffers = require("heddle.kit.bench").clear
local board = require "heddle.kit.board"
local clock = require "heddle.reorder.clock"
local convolution = require "heddle.spconv.measure"
local counts = require "heddle.reorder.counts"
local fft = require "heddle.signal.fft"
local gemm = require "heddle.gemm.launch"
local mask = require "heddle.mask.launch"
local fills = require "heddle.mask.methods"
local methods = require "heddle.reorder.methods"
local pipeline = require "heddle.spconv.pipeline"
local spconv = require "heddle.spconv.reference"
local study = require "heddle.kit.study"
local masks = require "tests.lib.masks"
local test = require "tests.lib.test"
local expectations = require "heddle.cases.expectations"
local kernel_run = require "heddle.cases.case"
local watched = require "tests.lib.watched"
local workload = require "heddle.spconv.workload"
local case, equal, ok = test.case, test.equal, test.ok

-- Under sanitizers, which take three times as long, fewer widths.
local WIDTHS <const> = (os.getenv("SAN") or "") == "" and {8, 16, 32, 64} or {32}

-- Runs a case whose launches, at least `least`, have no finding.
local function clean(name, least, body)
    case(name, function()
        local findings, launches = watched.with("race,init,sync,mem", body)
        for _, f in ipairs(findings) do
            io.stderr:write(("  %s: %s %s at line %s: %s\n"):format(f.kernel, f.kind, f.class, f.at, f.text))
        end
        equal(#findings, 0)
        ok(launches >= least, launches)
    end)
end

-- ---- reorder ----

-- Right only where the lanes of a warp run in lockstep, which is what it measures: the price of its barrier.
local RACES <const> = "shared-vector-nobar"

for _, width in ipairs(WIDTHS) do
    clean(("reorders by every method, W = %d"):format(width), #counts.names, function()
        local ctx <close> = heddle.new()
        local runs = 12
        local source = ctx:buffer("src", "u32", 2 * width * runs, function(i) return i * 2654435761 & 0xffffffff end)
        local want = methods.reference(source:bytes(), width)
        for _, method in ipairs(counts.names) do
            local found = counts.measure(ctx, method, width, runs, want)
            ok(found.verified, found.difference)
        end
    end)
end

for name, width in pairs {teach8 = 8, teach32 = 32} do
    clean("timed reorders and FFTs on " .. name, 3 * #methods.names, function()
        local m = clock.new(board.read(heddle.new(), name), width)
        for _, method in ipairs(methods.names) do
            if method ~= RACES then
                m:alone(method, true)
                m:in_a_row(method, 2)
            end
        end
        for _, method in ipairs {"transit1", "shuffle2-fused", "shared-vector-block", "8-byte load"} do
            m:fft(method, "kept")
            m:fft_board(method)
        end
    end)
end

case("what lockstep alone orders is a race", function()
    local findings = watched.with("race,init,sync,mem", function()
        clock.new(board.read(heddle.new(), "teach32"), 32):in_a_row(RACES, 2)
    end)
    ok(#findings > 0, "no finding")
    for _, f in ipairs(findings) do
        ok(f.kind == "race" or f.class == "warp-exchange", f.kind .. " " .. f.class)
    end
end)

-- ---- FFT ----

for _, width in ipairs {8, 32, 64} do
    clean(("FFTs of a thread, of a warp and of a block, W = %d"):format(width), 7, function()
        local ctx <close> = heddle.new()
        for entry, file in pairs {rfft_warp = "rfft_warp", rfft_warp_vec = "rfft_warp_vec", rfft_block = "rfft_block",
            ["rfft_many_" .. width] = "rfft_many", ["rfft_pairs_" .. width] = "rfft_many",
            ["rfft_thread_" .. width] = "rfft_thread", ["rfft_two_" .. width] = "rfft_two"} do
            local frames, n = 4, (entry == "rfft_block" and 8 or 2) * width
            ctx:buffer("x", "f32", frames * n, function(i) return (i * 7919 % 201 - 100) / 128 end)
            ctx:buffer("tw", "f32", 2 * n, fft.table(n))
            ctx:buffer("spectrum", "c64", {frames, n // 2 + 1})
            local warps = file == "rfft_thread" and 1 or study.warps_of_a_block(ctx, frames, width)
            ctx:launch(study.load(ctx, "fft/" .. file), {
                entry = entry, grid = entry == "rfft_block" and frames or frames // warps,
                block = entry == "rfft_block" and n // 4 or warps * width, warp = width,
                args = {x = "x", spectrum = "spectrum", tw = file ~= "rfft_thread" and "tw" or nil, frames = frames,
                    n = n},
            })
        end
    end)
end

-- ---- products ----

for _, type in ipairs {"f32", "f16", "mma"} do
    clean("products of every shape, " .. type, 6, function()
        local ctx <close> = heddle.new()
        local program = study.load(ctx, gemm.file(type))
        for _, size in ipairs {{83, 72, 40}, {13, 37, 19}} do
            local m, n, k = table.unpack(size)
            local element = type == "f32" and "f32" or "f16"
            local a, b = ctx:buffer("a", element, m * k, 1), ctx:buffer("b", element, k * n, 1)
            local bias = ctx:buffer("bias", "f32", m, 0.5)
            for i, entry in ipairs(gemm.entries(type, n, k)) do
                local plan = gemm.launch {m = m, n = n, k = k, type = type, entry = entry, biased = i % 2 == 0}
                local c = ctx:buffer("c", "f32", m * n)
                plan.args.a, plan.args.b, plan.args.c, plan.args.bias = a, b, c, bias
                ctx:launch(program, {entry = entry, grid = plan.grid, block = plan.block,
                    warp = i % 2 == 0 and 64 or 32, args = plan.args})
                equal(c[m * n], k + (i % 2 == 0 and 0.5 or 0.0), entry)
            end
        end
    end)
end

-- ---- masked_fill ----

-- Every method with one of these kinds of results that takes such a mask, in every order that is possible.
local function each_method(p, look, ...)
    for _, name in ipairs(fills.of {gives = {...}}) do
        for _, order in ipairs(fills.by[name].orders and fills.orders or {false}) do
            if fills.possible(p, name, order) then
                look {name = name, order = order or nil}
            end
        end
    end
end

-- n, heads, height, width, type, bits and rows of a word. Sizes that are not a multiple of anything, and some that are.
local shapes = {
    {2, 2, 5, 37, "int8"}, {1, 3, 7, 600, "fp16"}, {3, 1, 1, 70, "fp32"}, {1, 1, 4, 512, "fp16"},
    {2, 1, 3, 64, "fp64"}, {1, 2, 6, 96, "fp16", 16}, {1, 1, 5, 1030, "int8", 64}, {1, 1, 9, 40, "fp32", 32, 4},
    {2, 1, 3, 33, "fp16", 16, 1}, {1, 2, 66, 20, "int8", 64, 64}, {1, 1, 2, 1, "fp64"}, {1, 2, 40, 40, "fp16"},
}

local function mask_of(row)
    local n, heads, height, width, name, bits, rows = table.unpack(row)
    return masks.problem {n = n, heads = heads, height = height, width = width, type = name, bits = bits, rows = rows,
        polarity = height % 2, scale = 0.5, kind = height ~= width and "random" or nil}
end

local function run_masks(bench, row, timed)
    local p = mask_of(row)
    local function look(what)
        local found = bench:run(p, what, timed)
        ok(found.verified, ("%s: %s"):format(fills.label(what), found.difference))
    end
    each_method(p, look, "words", "flat", "bits", "fill", "store")
    each_method(p, look, "softmax")
end

for _, width in ipairs(WIDTHS) do
    clean(("masks by every method, W = %d"):format(width), 100, function()
        local bench = mask.new(board.read(heddle.new(), "a100"), {warp = width})
        for _, row in ipairs(shapes) do
            run_masks(bench, row, false)
        end
    end)
end

clean("masks by every method, with a clock", 30, function()
    local bench = mask.new(board.read(heddle.new(), "v100", {"sms=4"}), {})
    run_masks(bench, {2, 2, 5, 37, "fp16"}, true)
    run_masks(bench, {1, 1, 4, 96, "fp32"}, true)
end)

-- ---- sparse convolution ----

local convolutions = {
    {{size = {4, 8, 16}, channels = 4, filters = 8, kernel = 3}, 0.2},
    {{size = {13, 11}, channels = 3, filters = 5, kernel = {3, 2}, stride = {2, 1}, lo = 1, hi = 0, batch = 2}, 0.1},
    {{size = {9, 14}, channels = 8, filters = 16, kernel = 3, layout = "nhwc"}, 0.6},
    {{size = {7, 5}, channels = 1, filters = 1, kernel = 1}, 1},
}

for _, at in ipairs {{"teach8", 8}, {"a100", 32}, {"a100", 64}, {"teach32", 16}} do
    if #WIDTHS == 1 and at[2] ~= 8 then
        break
    end
    clean(("convolutions by every method on %s, W = %d"):format(at[1], at[2]), 100, function()
        local scratch = heddle.new()
        for i, row in ipairs(convolutions) do
            local c = workload.random(scratch, assert(spconv.problem(row[1])), row[2])
            for _, method in ipairs(pipeline.methods) do
                local bench = convolution.new(board.read(heddle.new(), at[1]),
                    {warp = at[2], append = i == 2, type = i == 3 and "f16" or "f32"})
                local found = bench:run(c, method)
                ok(found.verified, ("%s: %s"):format(method, found.difference))
            end
        end
    end)
end

-- ---- values ----

-- Intended findings of `value` in the kernels; kernels/defects declare their own.
local meant = {
    ["kernels/isa/float32.hd"] = {nan = "computed on purpose", infinity = "computed on purpose"},
    ["kernels/isa/float64.hd"] = {nan = "computed on purpose", infinity = "computed on purpose"},
    ["kernels/isa/small.hd"] = {infinity = "what is too large for a small format, on purpose"},
    ["kernels/isa/logic.hd"] = {shift = "counts up to and beyond the width are what is shown"},
    ["kernels/mask/convert.hd"] = {shift = "a mask of so many bits: none where all are shifted out"},
    ["kernels/mask/store.hd"] = {shift = "the same"},
    ["kernels/mask/softmax.hd"] = {nan = "a row that is masked as a whole is NaN by the definition of softmax"},
    ["kernels/spconv/direct_coop.hd"] = {["index-overflow"] = "a window outside of x, whose address no lane uses"},
    ["kernels/spconv/unfold.hd"] = {["index-overflow"] = "a line outside of x, whose address no lane uses"},
}

local function find_values(ctx, file, program, found)
    for _, run in ipairs(file.runs) do
        for _, width in ipairs(expectations.widths(program, run)) do
            if not run.board and not run.rules and (width == 32 or width == 8) then
                local c = kernel_run.new(ctx, program, file, run, width)
                local done, result = pcall(kernel_run.launch, c, {check = "value"})
                ok(done or result.findings, result)
                for _, f in ipairs(result.findings) do
                    found[f.class] = found[f.class] or ("line %d: %s"):format(f.places[1].line, f.text)
                end
                clear_buffers(ctx)
            end
        end
    end
end

case("values in kernels are those that are meant", function()
    local ctx <close> = heddle.new()
    for _, path in ipairs(expectations.files {"kernels"}) do
        if not path:find "^kernels/defects/" then
            local file, found = expectations.read_small(path), {}
            find_values(ctx, file, ctx:load(file.text, path), found)
            for class, text in pairs(found) do
                ok((meant[path] or {})[class], ("%s: value %s, %s"):format(path, class, text))
            end
            for class in pairs(meant[path] or {}) do
                ok(found[class], ("%s: no value %s any more"):format(path, class))
            end
        end
    end
end)

test.finish()
