-- Do the patterns of `heddle study memory` take what they must on a device, and do their parts add up? Runs the command
-- $HEDDLE.
local heddle = require "heddle"
local test = require "tests.lib.test"
local cli = require "tests.lib.command"
local case, equal, ok = test.case, test.equal, test.ok

local function measured(options)
    local path = cli.folder .. "/m.json"
    cli.good("study memory --requests 3000 " .. options .. " --json " .. path)
    return heddle.parse(cli.read(path)).memories
end

local function by_name(memory)
    local found = {}
    for _, pattern in ipairs(memory.patterns) do
        found[pattern.name] = pattern
    end
    return found
end

case("parts of every pattern and load add up to the time", function()
    for _, memory in ipairs(measured "--device hbm3-6.4,gddr7-28.0,ddr5-4.8") do
        for _, list in ipairs {memory.patterns, memory.loads} do
            for _, m in ipairs(list) do
                local sum = 0
                for _, percent in pairs(m.parts) do
                    sum = sum + percent
                end
                ok(math.abs(sum - 100) < 1e-6, memory.name)
                ok(math.abs(m.parts.busy / 100 - m.share) < 1e-6, memory.name)
            end
        end
    end
end)

case("patterns differ as their rows do", function()
    local found = by_name(measured("")[1])
    ok(found.stream.share > 0.95 and found.write.share > 0.95)
    ok(found.copy.parts.turn > 1 and found.stream.parts.turn == 0)
    ok(found.random.parts.activate > 50 and found.random.row_hits < 0.01)
    ok(found["one bank"].parts.conflict > 50 and found["one bank"].share < found.random.share)
    ok(found.lines.share > found.random.share)
end)

case("rows that are continued are hits, and channels share requests", function()
    local memory, last = measured("")[1], 0
    for _, m in ipairs(memory.hits) do
        local alone = m.continued == 1 -- one bank group at a time
        ok(math.abs(m.row_hits - m.continued) < 0.03 and (alone or m.share >= last - 0.01), m.continued)
        last = m.share
    end
    for _, m in ipairs(memory.channels) do
        ok(math.abs(m.peak_gbs - m.channels * memory.peak_gbs) < 1e-6 and m.share > 0.1, m.pattern)
    end
end)

-- A bit's energy is the same wherever the device is read in rows, and rises with the rows that are opened for it.
case("a row that is opened for little costs energy", function()
    for _, memory in ipairs(measured "--device hbm3-6.4,gddr7-28.0,ddr5-4.8") do
        local found = by_name(memory)
        ok(found.stream.pj_bit > 0 and found.random.pj_bit > 1.2 * found.stream.pj_bit, memory.name)
        ok(found.lines.pj_bit < found.random.pj_bit, memory.name)
    end
end)

-- A replay's energy has the parts of a launch's: counts that it knows times values of the board.
case("the energy of a replay is that of its commands", function()
    local ctx <close> = heddle.new()
    local lines = {}
    for i = 0, 999 do
        lines[#lines + 1] = ("%s 0x%x"):format(i % 3 == 0 and "ST" or "LD", i * 64 * (i % 2 == 0 and 1 or 4096))
    end
    ctx:board("v100", {["dram.energy"] = "commands", ["power.dram_w"] = 8})
    local m = ctx:replay_trace(table.concat(lines, "\n"), {channels = 2})
    local sum, part = 0, m.energy
    for name, e in pairs(part) do
        ok(math.abs(e.picojoules - e.count * e.value) <= 1e-9 * e.picojoules, name)
        sum = sum + e.picojoules
    end
    for name, count in pairs {dram_activate = m.activates, dram_read = m.reads, dram_write = m.writes,
        dram_io = 8 * m.bytes} do
        ok(part["energy." .. name].count == count, name)
    end
    ok(math.abs(part["power.dram_w"].count / (1e12 * m.seconds * 2 / 32) - 1) < 1e-9, "a share of the channels")
    ok(math.abs(sum / m.picojoules - 1) < 1e-12 and math.abs(m.picojoules_bit * 8 * m.bytes / sum - 1) < 1e-12)
    ctx:board("v100")
    m = ctx:replay_trace(table.concat(lines, "\n"), {channels = 2})
    ok(m.energy["energy.dram"].count == 1000 and not m.energy["energy.dram_read"], "bursts alone")
end)

case("latency rises with the load", function()
    local last = 0
    for _, load in ipairs(measured("")[1].loads) do
        last = load.rate == 0.1 and 0 or last
        ok(load.latency > 0.9 * last, load.pattern) -- a refresh more or less counts here
        last = load.latency
    end
end)

case("what is no memory is refused", function()
    local status, _, err = cli.heddle "study memory --device hbm9"
    equal(status, 2)
    ok(err:find("no memory device 'hbm9'", 1, true), err)
end)

test.finish()
