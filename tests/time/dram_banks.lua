-- Do the banks of a channel of DRAM add up to it, and are they counted only where a launch has dram_banks?
local heddle = require "heddle"
local test = require "tests.lib.test"
local case, equal, ok = test.case, test.equal, test.ok

-- Copies word `i * 97 % n` of x to word i of y: rows are opened, and the bus turns.
local SOURCE = [[
.kernel mix
.param x : u32[]
.param y : u32[]
.param n : u32
.reg   i, t, v, m, p:2
        s2r         i, %ctaid.x
        s2r         t, %ntid.x
        s2r         v, %tid.x
        mad.lo.u32  i, i, t, v
        ld.param.b32 m, [n]
        mul.lo.u32  t, i, 97
        rem.u32     t, t, m
        ld.param.b64 p, [x]
        mad.wide.u32 p, t, 4, p
        ld.global.b32 v, [p]
        ld.param.b64 p, [y]
        mad.wide.u32 p, i, 4, p
        st.global.b32 [p], v
        exit
]]

-- No bank's: what passes without a burst, and refreshes, which are commands of the channel.
local CHANNEL <const> = {idle_cycles = true, refreshes = true, bus_cycles = true}

local function mix(board, options)
    local context <close> = heddle.new()
    context:board("configs/" .. board .. ".yaml")
    local n = 8192
    local args = {x = context:buffer("x", "u32", n, 1), y = context:buffer("y", "u32", n, 0), n = n}
    options.grid, options.block, options.args = n // 256, 256, args
    return context:launch(context:load(SOURCE, "mix.hd"), options)
end

-- The sum of the parts of a bank: all columns that end so, but its own bus_cycles.
local function parts(bank)
    local sum = 0
    for _, name in ipairs {"busy", "turn", "refresh", "conflict", "activate", "column"} do
        sum = sum + bank[name .. "_cycles"]
    end
    return sum
end

for _, board in ipairs {"teach32", "v100", "h100"} do
    case("banks add up on " .. board, function()
        local r = mix(board, {dram_banks = true})
        local moved = 0
        for _, channel in ipairs(r.channels) do
            local sums = {}
            for k, bank in ipairs(channel.banks) do
                equal(bank.number, k - 1)
                equal(bank.bus_cycles, parts(bank))
                for name, value in pairs(bank) do
                    sums[name] = (sums[name] or 0) + value
                end
            end
            for name, value in pairs(channel) do
                if name ~= "number" and name ~= "banks" and not CHANNEL[name] then
                    equal(sums[name], value, name)
                end
            end
            equal(sums.bus_cycles + channel.idle_cycles, channel.bus_cycles)
            moved = moved + sums.reads + sums.writes
        end
        equal(moved, r.metrics["dram.reads"] + r.metrics["dram.writes"])
        ok(moved > 1000, moved)
    end)
end

case("counting banks changes nothing else, with any number of threads", function()
    local plain, counted, threads = mix("v100", {}), mix("v100", {dram_banks = true}),
        mix("v100", {dram_banks = true, threads = 3})
    equal(plain.channels[1].banks, nil)
    equal(plain.cycles, counted.cycles)
    for name, value in pairs(plain.metrics) do
        equal(counted.metrics[name], value, name)
    end
    equal(heddle.json(threads.channels), heddle.json(counted.channels))
end)

test.finish()
