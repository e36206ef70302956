-- Is the energy of DRAM its commands and bits, each by its count, and only where dram.energy is commands?
local heddle = require "heddle"
local test = require "tests.lib.test"
local case, equal, ok = test.case, test.equal, test.ok

-- Reads the word `i * stride` of x, for thread i.
local SOURCE = [[
.kernel gather
.param x : u32[]
.param stride : u32
.reg   i, t, v, s, p:2
        s2r         i, %ctaid.x
        s2r         t, %ntid.x
        s2r         v, %tid.x
        mad.lo.u32  i, i, t, v
        ld.param.b32 s, [stride]
        mul.lo.u32  i, i, s
        ld.param.b64 p, [x]
        mad.wide.u32 p, i, 4, p
        ld.global.b32 v, [p]
        exit
]]

local PJ <const> = {dram = 1000, dram_activate = 900, dram_read = 500, dram_write = 400, dram_refresh = 3000,
    dram_io = 0.5}

-- Threads of one block that read words `stride` apart, on the board with these values beside PJ.
local function gather(threads, stride, values)
    local set = {["dram.energy"] = "commands", ["dram.refi"] = 0, ["l1.unified_bytes"] = 0}
    for event, pj in pairs(PJ) do
        set["energy." .. event] = pj
    end
    for key, value in pairs(values or {}) do
        set[key] = value
    end
    local context <close> = heddle.new()
    context:board("configs/teach32.yaml", set)
    local x = context:buffer("x", "u32", threads * stride, 1)
    local program = context:load(SOURCE, "gather.hd")
    return context:launch(program, {grid = 1, block = threads, args = {x = x, stride = stride}})
end

local function near(got, want, what)
    ok(math.abs(got - want) <= 1e-12 * math.abs(want), ("%s: %.17g, not %.17g"):format(what, got, want))
end

-- Every part is its count times its pJ, and all of DRAM's are the metric energy.dram.
local function adds_up(r, counts)
    local sum = 0
    for event, count in pairs(counts) do
        local part = r.energy["energy." .. event]
        near(part.count, count, event)
        near(part.picojoules, count * PJ[event], event)
        near(r.metrics["energy." .. event], 1e-12 * count * PJ[event], event)
        sum = sum + count * PJ[event]
    end
    near(r.metrics["energy.dram"], 1e-12 * sum, "energy.dram")
    near(r.traffic.x.energy, r.metrics["energy.memory"], "of the buffer")
end

case("a stream opens each row once", function()
    local r = gather(256, 1)
    local bursts, rows = 1024 // 32, 1024 // 256
    equal(r.metrics["dram.reads"], bursts)
    adds_up(r, {dram_activate = rows, dram_read = bursts, dram_write = 0, dram_refresh = 0, dram_io = bursts * 256})
    equal(r.energy["energy.dram"], nil)
end)

case("random rows open one for each burst", function()
    local r = gather(256, 16384)
    adds_up(r, {dram_activate = 256, dram_read = 256, dram_write = 0, dram_refresh = 0, dram_io = 256 * 256})
end)

case("banks are refreshed over the time, and DRAM stands by", function()
    local r = gather(256, 16384, {["dram.refi"] = 1000, ["dram.rfc_bank"] = 50, ["power.dram_w"] = 2})
    local parts, bus = r.energy, r.metrics["dram.bus_cycles"]
    near(parts["energy.dram_refresh"].count, bus * 4 / 1000, "refreshes")
    near(r.metrics["energy.standby"], 2 * r.seconds, "standby")
    near(parts["power.dram_w"].picojoules, 2e12 * r.seconds, "standby")
    local sum = 0
    for _, part in pairs(parts) do
        sum = sum + 1e-12 * part.picojoules
    end
    near(sum, r.metrics["energy.total"], "all parts")
end)

case("by bursts, commands have no energy", function()
    local r = gather(256, 1, {["dram.energy"] = "bursts", ["power.dram_w"] = 2})
    near(r.metrics["energy.dram"], 1e-12 * 32 * PJ.dram, "energy.dram")
    for _, name in ipairs {"energy.dram_activate", "energy.dram_io", "power.dram_w"} do
        equal(r.energy[name], nil, name)
    end
    equal(r.metrics["energy.dram_read"], nil)
    equal(r.metrics["energy.standby"], nil)
end)

test.finish()
