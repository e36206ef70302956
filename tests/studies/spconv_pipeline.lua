-- Do the kernels of the sparse convolution give what the host reference gives? Every method, over random shapes,
-- strides, paddings, predetermined elements, layouts and warp widths, without a clock; whole numbers, so exactly.
local heddle = require "heddle"
local lists = require "heddle.kit.lists"
local workload = require "heddle.spconv.workload"
local pipeline = require "heddle.spconv.pipeline"
local random = require "heddle.kit.random"
local spconv = require "heddle.spconv.reference"
local test = require "tests.lib.test"
local case, equal, ok = test.case, test.equal, test.ok

-- The types of x and weights that a method takes.
local function types(method)
    local only = pipeline.by[method].type
    return only and {only} or {"f32", "f16"}
end

-- ---- problems ----

local function list(r, n, low, high)
    local out = {}
    for i = 1, n do
        out[i] = low + r:below(high - low + 1)
    end
    return out
end

-- Returns one kernel element, or up to three, or none of its own.
local function elements(r, kernel)
    local out = {}
    for i = 1, r:below(4) do
        out[i] = {}
        for d = 1, #kernel do
            out[i][d] = r:below(kernel[d])
        end
    end
    return #out > 0 and out or nil
end

local function random_problem(seed)
    local r = random.new(seed)
    local rank = 2 + r:below(2)
    local o = {
        size = list(r, rank, 1, rank == 2 and 14 or 7), kernel = list(r, rank, 1, 4), batch = 1 + r:below(3),
        channels = 1 + r:below(9), filters = 1 + r:below(10), layout = r:below(2) == 0 and "nchw" or "nhwc",
    }
    if r:below(3) > 0 then
        o.stride = list(r, rank, 1, 3)
    end
    if r:below(3) > 0 then
        o.lo, o.hi = list(r, rank, 0, 2), list(r, rank, 0, 2)
    end
    if r:below(2) > 0 then
        o.predetermined = elements(r, o.kernel)
    end
    return assert(spconv.problem(o))
end

-- {p, x as bytes, weights, bias or nil, reference}
local function filled(p, density, seed)
    local active = workload.positions(p.positions, density, seed)
    local t = {p = p, active = active}
    t.x = spconv.input(p, active, workload.features(#active, p.channels, {seed = seed + 1}))
    t.weights = random.numbers(p.filters * p.channels * p.volume, {seed = seed + 2})
    t.bias = seed % 2 == 0 and random.numbers(p.filters, {seed = seed + 3}) or nil
    t.reference = assert(spconv.reference(p, t.x, t.weights, t.bias))
    return t
end

local context = heddle.new()

-- Runs a method on a problem of `filled` and compares; returns the run.
local function check(t, method, type, options)
    local p = t.p
    context:buffer("x", type, p.positions * p.channels, type == "f32" and t.x or
        lists.numbers("f", 4, t.x))
    context:buffer("weight", type, #t.weights, t.weights)
    if t.bias then
        context:buffer("bias", "f32", #t.bias, t.bias)
    end
    local run = pipeline.run(context, method, p,
        lists.merge({type = type, bias = t.bias and "bias", functional = true}, options))
    local wrong = spconv.compare(p, t.reference, run.y:bytes(), "exact")
    if wrong then
        error(("%s, %s: %s"):format(method, type, wrong), 2)
    end
    return run
end

-- ---- every method ----

local plain, teach8 = context, heddle.new()
teach8:board "configs/teach8.yaml" -- which has room for the small blocks and tiles alone

for i, method in ipairs(pipeline.methods) do
    case(method .. " is exact on random problems", function()
        for seed = 1, 24 do
            context = seed % 3 == 0 and teach8 or plain
            local t = filled(random_problem(100 * i + seed), ({0.02, 0.2, 0.6, 1})[1 + seed % 4], seed)
            for _, type in ipairs(types(method)) do
                local run = check(t, method, type, {warp = ({8, 16, 32, 64})[1 + (seed + #type) % 4]})
                equal(run.windows, #t.reference.windows, "windows")
                equal(run.active or #t.reference.active, #t.reference.active, "active positions")
            end
        end
        context = plain
    end)

    case(method .. " gives zeros where nothing is active", function()
        local p = assert(spconv.problem {size = {5, 6}, channels = 3, filters = 2, kernel = 3})
        local run = check(filled(p, 0, 1), method, types(method)[1])
        equal(run.windows, 0)
        equal(run.macs.useful, 0)
    end)

    case(method .. " takes inputs and outputs without elements", function()
        local small = assert(spconv.problem {size = {2, 3}, channels = 1, filters = 1, kernel = 4, lo = 0, hi = 0})
        local none = assert(spconv.problem {size = {0, 3}, channels = 1, filters = 2, kernel = 3})
        equal(check(filled(small, 1, 1), method, types(method)[1]).y.count, 0)
        equal(check(filled(none, 1, 1), method, types(method)[1]).y.count, 0)
    end)
end

-- ---- particular things ----

case("a window is active by magnitude bits", function()
    local p = assert(spconv.problem {size = {1, 70}, channels = 2, filters = 1, kernel = 1})
    local words = {}
    for i = 1, 140 do words[i] = 0 end
    words[3], words[5], words[60 + 70], words[70] = 0x80000000, 0x7fc00000, 1, 0x80000001 -- -0.0, NaN, denormals
    local x = {}
    for i, word in ipairs(words) do x[i] = ("<I4"):pack(word) end
    local t = {p = p, x = table.concat(x), weights = {1.0, 1.0}}
    t.reference = assert(spconv.reference(p, t.x, t.weights))
    equal(t.reference.windows, {4, 59, 69})
    for _, method in ipairs(pipeline.methods) do
        if not pipeline.by[method].type then
            equal(check(t, method, "f32").windows, 3, method)
        end
    end
end)

case("a bias of -0.0 and products that vanish leave no -0.0", function()
    local p = assert(spconv.problem {size = {4, 4}, channels = 1, filters = 2, kernel = 3})
    local t = filled(p, 0.3, 7)
    for i = 1, #t.weights do t.weights[i] = -0.0 end
    t.bias = {-0.0, -0.0}
    t.reference = assert(spconv.reference(p, t.x, t.weights, t.bias))
    for _, method in ipairs(pipeline.methods) do
        check(t, method, types(method)[1])
    end
end)

case("the matrix is the reference's", function()
    local p = assert(spconv.problem {size = {6, 7}, channels = 3, filters = 2, kernel = {3, 2}, stride = {1, 2}})
    local t = filled(p, 0.4, 11)
    for _, method in ipairs {"unfold", "unfold-all"} do
        local run = check(t, method, "f32")
        equal(context:get("matrix"):bytes(), spconv.matrix(p, t.reference, t.x), method)
        equal(run.matrix_bytes, 4 * 18 * #t.reference.windows)
        equal(context:get(#t.active == run.windows and "active" or "windows"):table(), t.reference.windows)
    end
end)

case("an appended list gives the same result", function()
    for seed = 1, 6 do
        local t = filled(random_problem(seed), 0.3, seed)
        for _, method in ipairs(pipeline.names(function(row) return row.unordered end)) do
            local run = check(t, method, types(method)[1], {append = true})
            ok(run.stages[2].kernel:find "^identify_append", method)
        end
    end
    local t = filled(random_problem(1), 0.3, 1)
    for _, method in ipairs(pipeline.methods) do
        if not pipeline.by[method].unordered then
            test.raises(method .. ": it needs its active positions in raster order", pipeline.run, context, method, t.p,
                {append = true})
        end
    end
end)

case("multiplications are counted by shapes and by pairs", function()
    local p = assert(spconv.problem {size = {3, 6, 5}, channels = 2, filters = 4, kernel = 3})
    local t = filled(p, 0.2, 3)
    local pairs_found = spconv.pairs(p, t.reference.active, t.reference.windows)
    local run = check(t, "unfold", "f32")
    for _, stage in ipairs(run.stages) do
        equal(stage.macs, stage.name == "gemm" and run.macs.issued or nil, stage.name)
    end
    equal(run.reads, {identify = 1}) -- the number of windows
    equal(run.macs, {issued = 4 * 54 * #t.reference.windows, useful = 8 * pairs_found})
end)

case("the rulebook multiplies pairs alone, in one launch for all window elements", function()
    local p = assert(spconv.problem {size = {3, 6, 5}, channels = 4, filters = 8, kernel = 3})
    local t = filled(p, 0.2, 4)
    local run, found = check(t, "rulebook", "f32"), spconv.pairs(p, t.reference.active, t.reference.windows)
    equal(run.macs, {issued = 32 * found, useful = 32 * found})
    equal(run.reads, {identify = 1})
    local places, sums = context:get("book"):table(), {0, 0}
    local names = lists.map(run.stages, function(stage) return stage.name end)
    equal(table.concat(names, " "), "identify identify identify book book book zero-output bias multiply")
    local size = #places - 27
    for i, v in ipairs(places) do -- a table of a power of two, then the numbers of pairs
        if i <= size then
            sums[1] = sums[1] + (v > 0 and 1 or 0)
        else
            sums[2] = sums[2] + v
        end
    end
    equal(sums, {#t.active, found})
    ok(size & size - 1 == 0 and size >= 2 * #t.active, size)
    run = check(t, "rulebook-flags", "f32") -- without a table
    names = lists.map(run.stages, function(stage) return stage.kernel end)
    equal(table.concat(names, " ", 4), "zero_b32 rulebook_pairs_of_flags zero_b32 rulebook_bias rulebook_multiply_f32")
    equal({run.macs.issued, lists.sum(context:get("book"):table(), function(v) return v end)}, {32 * found, found})
end)

case("a result does not depend on the clock", function()
    local p = assert(spconv.problem {size = {4, 9, 11}, channels = 3, filters = 5, kernel = 3, stride = {1, 2, 1}})
    local t = filled(p, 0.2, 5)
    context:board "configs/a100.yaml"
    for _, method in ipairs(pipeline.methods) do
        local run = check(t, method, types(method)[1], {functional = false})
        for _, stage in ipairs(run.stages) do
            ok(stage.result.cycles > 0, stage.name)
        end
    end
end)

-- With channels last a window has neighbours: 64 of 16 numbers are 32 requests of 32 lanes, four sectors each.
case("with channels last results are written in the order of their addresses", function()
    local p = assert(spconv.problem {size = {8, 8}, channels = 4, filters = 16, kernel = 1, layout = "nhwc"})
    local t = filled(p, 1, 8)
    context:board "configs/a100.yaml"
    for _, method in ipairs {"unfold", "unfold-all"} do
        local stages = check(t, method, "f32", {functional = false}).stages
        local fold = stages[#stages]
        equal(fold.name, "fold")
        equal({fold.result.traffic.y.requests, fold.result.traffic.y.sectors}, {32, 128}, fold.kernel)
    end
    p = assert(spconv.problem {size = {8, 32}, channels = 1, filters = 32, kernel = 1, layout = "nhwc"})
    t = filled(p, 0.25, 9)
    local stages = check(t, "implicit", "f32", {functional = false}).stages
    local mask = stages[#stages]
    equal(mask.name, "mask")
    equal({mask.result.traffic.y.requests, mask.result.traffic.y.sectors}, {256 - 64, 4 * (256 - 64)})
end)

-- 64 outputs of 16 numbers: a request stores, or gathers, four of each of 32 lanes, which lie in half a sector.
case("with channels last four filters are stored, and four channels gathered, at a time", function()
    local p = assert(spconv.problem {size = {8, 8}, channels = 16, filters = 16, kernel = 1, layout = "nhwc"})
    local t = filled(p, 1, 10)
    context:board "configs/a100.yaml"
    local y = check(t, "dense-direct", "f32", {functional = false}).stages[1].result.traffic.y
    equal({y.requests, y.sectors}, {2 * 4, 2 * 4 * 32})
    for type, bytes in pairs {f32 = 16, f16 = 8} do
        local stages = check(t, "rulebook", type, {functional = false}).stages
        local x = stages[#stages].result.traffic.x -- once for every four filters
        equal({x.requests, x.useful_bytes}, {4 * 2 * 4, 4 * 64 * 4 * bytes}, type)
    end
end)

-- ---- every board ----

-- On the context's board with a clock: each method in a type gives what it should, or is refused before and when it
-- runs in the same words. Returns the number of those that ran.
local function check_board(t, type, where)
    local ran = 0
    for _, method in ipairs(pipeline.methods) do
        if type == "f16" or not pipeline.by[method].type then
            local why = pipeline.refusal(context, method, t.p, {type = type})
            local ok_run, e = pcall(check, t, method, type, {functional = false})
            ok(ok_run == not why, ("%s, %s: %s"):format(where, method, ok_run and why or not ok_run and e))
            ok(not why or e.message:find(why, 1, true), why)
            ran = ran + (ok_run and 1 or 0)
        end
    end
    return ran
end

case("every board runs every method", function()
    local small = {
        filled(assert(spconv.problem {size = {6, 7}, channels = 8, filters = 9, kernel = 3, stride = {1, 2},
            layout = "nhwc"}), 0.4, 21),
        filled(assert(spconv.problem {size = {3, 4, 5}, channels = 3, filters = 5, kernel = 3, batch = 2}), 0.2, 22),
    }
    -- Of each board each type and each problem once: results of a method do not depend on the board.
    for i, name in ipairs(test.boards()) do
        local path = ("configs/%s.yaml"):format(name)
        context:board(path)
        equal(check_board(small[i % 2 + 1], "f32", path), #pipeline.methods - 1, path)
        equal(check_board(small[(i + 1) % 2 + 1], "f16", path), #pipeline.methods, path)
    end
end)

case("a board without room says what is missing; methods that need less run", function()
    local t = filled(assert(spconv.problem {size = {5, 6}, channels = 4, filters = 6, kernel = 3}), 0.3, 23)
    for _, row in ipairs {{{max_threads_per_block = 32}, 0, "a block of 64 threads; board 'teach8' takes at most 32"},
        {{max_shared_per_block = 2048}, 5, "kernel 'gemm_f32_16x16': 2,304 bytes of shared memory"},
        {{max_registers_per_thread = 60}, 7, "kernel 'implicit_f32_16x16': 64 registers"},
        {{["lanes.mma"] = 0}, 11, nil}} do
        context:board("configs/teach8.yaml", row[1])
        equal(check_board(t, "f32", row[3] or "no matrix unit"), row[2], row[3])
        for _, method in ipairs {"unfold", "implicit"} do
            local why = pipeline.refusal(context, method, t.p, {type = "f32"})
            row.found = row.found or why and row[3] and why:find(row[3], 1, true)
        end
        ok(row.found or not row[3], row[3])
    end
    ok(pipeline.refusal(context, "unfold-mma", t.p, {type = "f16"}):find("needs matrix units; board 'teach8'", 1, true))
end)

case("what cannot be run is refused in words", function()
    local p = assert(spconv.problem {size = {5, 6}, channels = 3, filters = 2, kernel = 3})
    local t = filled(p, 0.5, 2)
    local function refused(text, method, options)
        test.raises(text, pipeline.run, context, method, p, options)
    end
    check(t, "unfold", "f32")
    refused("there is no method 'fold'", "fold")
    refused("unfold-mma: type is 'f32'; it must be f16", "unfold-mma", {type = "f32"})
    refused("unfold: the matrix of 27 x 15 numbers would have 1,620 bytes, more than 1,619", "unfold", {limit = 1619})
end)

test.finish()
