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
