-- Does Lua see what the clock saw, under the names that are documented?
local heddle = require "heddle"
local test = require "tests.lib.test"
local case, equal, ok, raises = test.case, test.equal, test.ok, test.raises

local SOURCE = [[
.kernel double
.param y : f32[]
.reg   i, t, v, p:2
        s2r         i, %ctaid.x
        s2r         t, %ntid.x
        s2r         v, %tid.x
        mad.lo.u32  i, i, t, v
        ld.param.b64 p, [y]
        mad.wide.u32 p, i, 4, p
        ld.global.b32 v, [p]
        add.f32     v, v, v
        st.global.b32 [p], v
        exit
]]

local function launch(options, board)
    local context = heddle.new()
    context:board(board or "configs/teach32.yaml")
    local y = context:buffer("y", "f32", 256, 1)
    local program = context:load(SOURCE, "double.hd")
    options.grid, options.block, options.args = 4, 64, {y = y}
    local result = context:launch(program, options)
    return result, y, context, program, options
end

case("launches at one time add up to the board", function()
    local context = heddle.new()
    context:board("configs/teach32.yaml")
    local program = context:load(SOURCE, "double.hd")
    local y, z = context:buffer("y", "f32", 256, 1), context:buffer("z", "f32", 256, 1)
    local results, shared = context:launch_all {
        {program, {grid = 4, block = 64, args = {y = y}}, alone = true},
        {program, {grid = 4, block = 64, args = {y = z}}, priority = 2}}
    equal(#results, 2)
    equal(table.concat({results[1].beside, results[1].priority, results[2].priority}, " "), "2 0 2")
    equal(results[1].slowdown, results[1].cycles / results[1].alone_cycles)
    equal(results[2].alone_cycles, 0)
    ok(y[1] == 2 and y[256] == 2 and z[1] == 2 and z[256] == 2)
    for _, name in ipairs {"sm.slots_issued", "l1.sectors", "noc.requests"} do
        equal(results[1].metrics[name] + results[2].metrics[name], shared.metrics[name])
    end
    ok(shared.cycles >= math.max(results[1].cycles, results[2].cycles))
    raises("1 to 64 launches", context.launch_all, context, {})
    raises("is not given", context.launch_all, context, {{program, {grid = 1}}})
end)

case("a launch shared out to boards", function()
    local context = heddle.new()
    local program = context:load("classic/saxpy")
    local x = context:buffer("x", "f32", 250, 1)
    local options = {grid = 4, block = 64, args = {x = x, y = x, a = 2, n = 250}}
    local parts = context:share(program, options, {boards = 3})
    equal(parts.by, "n")
    equal(#parts, 3)
    local rows, blocks = 0, 0
    for _, part in ipairs(parts) do
        equal(part.first, rows)
        rows, blocks = rows + part.rows, blocks + part.grid[1]
    end
    equal(rows .. " " .. blocks, "250 4")
    equal(context:share(program, options, {boards = 2, by = "n", along = "all"})[2].grid[1], 4)
    raises("cannot be shared out to 5 boards", context.share, context, program, options, {boards = 5})
    raises("counts no rows", context.share, context, program, options, {boards = 2, by = "a"})
    raises("boards: 1 to 1,024", context.share, context, program, options, {boards = 0})
end)

case("a timed result", function()
    local r, y = launch {}
    equal(r.timed, true)
    equal(r.board, "teach32")
    equal(r.caches, "cold")
    equal(r.overhead_cycles, 1000)
    ok(r.cycles > 100 and math.type(r.cycles) == "integer", r.cycles)
    ok(math.abs(r.seconds - r.cycles * 1e-9) < 1e-15, r.seconds)
    ok(r.limiter:find "^%u.*%.$", r.limiter)
    ok(r.metrics["occupancy.by_" .. r.occupancy_limit], r.occupancy_limit)
    equal(y[256], 2.0)
end)

case("metrics by name", function()
    local r = launch {}
    local known = {}
    for _, row in ipairs(heddle.metrics()) do
        ok(row.name and row.unit and row.doc, row.name)
        known[row.name] = row
    end
    for name, value in pairs(r.metrics) do
        ok(known[name], name)
        ok(type(value) == "number" and value == value, name)
    end
    equal(r.metrics.cycles, r.cycles)
    equal(r.metrics["l1.requests"], 16)
    equal(r.metrics["l1.sectors_per_request"], 4.0)
    equal(math.type(r.metrics["l1.requests"]), "integer")
    equal(r.metrics["shared.passes_per_request"], nil, "nothing over nothing")
    ok(known["l1.hit_rate"].formula and not known["l1.hits"].formula)
end)

case("energy is the sum of its parts, each linear in a value of the board", function()
    local r = launch {}
    local sum = 0
    for _, part in pairs(r.energy) do
        equal(part.picojoules, part.count * part.value)
        sum = sum + part.picojoules
    end
    ok(math.abs(sum * 1e-12 / r.metrics["energy.total"] - 1) < 1e-14)
    equal(r.energy["energy.l1"].count, r.metrics["l1.sectors"] + 0.0)
end)

case("buffers and lines", function()
    local r = launch {}
    equal(r.traffic.y.requests, 16)
    equal(r.traffic.y.requested_bytes, 2048)
    equal(r.traffic.y.sectors, 64)
    equal(r.traffic.y.l2_useful_bytes, 2048)
    equal(r.metrics["l2.useful_share"], 100.0)
    ok(r.traffic.y.energy > 0)
    local sum, reasons = {}, {}
    for i, row in ipairs(heddle.stalls()) do
        reasons[row.name] = i
        ok(#row.doc > 0, row.name)
    end
    for _, line in ipairs(r.lines) do
        for reason, cycles in pairs(line.stall) do
            ok(reasons[reason] and cycles > 0, reason)
            sum[reason] = (sum[reason] or 0) + cycles
        end
    end
    for reason in pairs(reasons) do
        equal(sum[reason] or 0, r.metrics["stall." .. reason], reason)
    end
    equal(r.lines[7].requests, 8)
    equal(r.lines[7].sectors, 32)
    equal(r.lines[7].lanes, 256)
    equal(r.lines[7].shared_passes, 0)
end)

case("options of the clock", function()
    local r = launch {functional = true}
    equal(r.timed, false)
    equal(r.cycles, nil)
    equal(r.lines[7].stall, nil)
    equal(r.lines[7].lanes, 256)
    local one, three = launch {threads = 1}, launch {threads = 3}
    equal(one.metrics, three.metrics)
    local _, _, context, program, options = launch {caches = "warm"}
    local warm = context:launch(program, options)
    equal(warm.caches, "warm")
    equal(warm.metrics["dram.reads"], 0)
    options.caches = "cold"
    equal(context:launch(program, options).metrics["dram.reads"], 32)
    local whole = launch {sample = true} -- too small a grid: timed as a whole
    ok(not whole.sampled and whole.sample:find("^none, all blocks were timed"), whole.sample)
    equal(whole.metrics, one.metrics)
    equal(whole.cycles_low, whole.cycles)
    equal(one.sample, nil)
    equal(launch({sample = false}).sample, nil)
    raises("unknown sample", launch, {sample = "2%"})
    raises("no time to sample", launch, {sample = true, functional = true})
    raises('"cold" or "warm" expected', launch, {caches = "hot"})
    raises("at least 1 expected", launch, {threads = 0})
    raises("true or false expected", launch, {functional = 1})
    raises("which is its limit", launch, {max_cycles = 20})
end)

test.finish()
