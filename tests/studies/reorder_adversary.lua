-- Can a verdict about the reorder be turned over by a change that a reader may make?
--
-- The claims are judged on a100 as the study does, and again under each change below: other blocks, widths, latencies,
-- units, policies, kernels, energies, a rival with one tile. "Holds" must then hold on every trial, and "does not hold"
-- on none; what a change decides must be among the study's own trials, so that its verdict is "holds when" or "mixed".
local heddle = require "heddle"
local board = require "heddle.kit.board"
local claims = require "heddle.reorder.claims"
local clock = require "heddle.reorder.clock"
local energies = require "heddle.claims.energies"
local lists = require "heddle.kit.lists"
local measure = require "heddle.reorder.measure"
local questions = require "heddle.claims.questions"
local methods = require "heddle.reorder.methods"
local test = require "tests.lib.test"
local case, equal, ok = test.case, test.equal, test.ok

-- Methods that nearly decide a claim, alone and in FFTs.
local NEAR <const> = {"transit1", "shuffle2", "shuffle4", "shared-linear", "shared-vector", "shared-scatter",
    "shared-four", "shared-scatter-nopad", "shared-vector-nobar", "shared-vector-block"}
local NEAR_IN_FFT <const> = {"two-frames", "thread-fft", "transit1", "shuffle2", "shuffle2-fused", "shuffle4-fused"}

local function machine(change)
    return clock.new(board.read(heddle.new(), "a100", change.set), change.width or 32, {warps = change.warps})
end

local function verdicts_under(change)
    local m = machine(change)
    local at = {warp = m.width, fft = {}, variants = {}, extract = m.board.values["latency.xext"],
        push = m.board.values["latency.xpush"],
        methods = lists.map(NEAR, function(name) return measure.method(m, name) end)}
    for i, name in ipairs(change.fft and NEAR_IN_FFT or {}) do
        local loaded, kept = m:fft(name, "loaded"), m:fft(name, "kept")
        at.fft[i] = {name = name, loaded = loaded, kept = kept, loaded_small = loaded, kept_small = kept}
    end
    return claims.judge(at, nil, energies.ranges(m.board))
end

local by, whole = {}, machine {}
for _, v in ipairs(claims.judge(measure.at(whole, "all"), nil, energies.ranges(whole.board))) do
    by[v.id] = v
end

-- True if a verdict stands when its claim is judged under a change; of another board, that on other boards.
local function stands(v, name, set)
    local other = set and by[v.id:gsub("%.recomputed$", "") .. ".board"]
    local was = (other or by[v.id]).verdict
    for _, trial in ipairs(v.trials) do
        local wrong = was == "holds" and not trial.won or was == "does not hold" and trial.won
        ok(not wrong, ("%s: '%s' falls with %s: %s, %s %s, %s %s"):format(v.id, was, name, trial.name, trial.method,
            trial.cost, trial.rival, trial.rival_cost))
    end
end

local changes = {
    {"blocks of 2 warps", warps = 2, fft = true}, {"blocks of 16 warps", warps = 16, fft = true},
    {"W = 8", width = 8}, {"W = 16", width = 16}, {"W = 64", width = 64, fft = true},
    {"shuffles of 22 cycles", set = {"latency.shfl=22"}},
    {"slow shuffles, quick memory", set = {"latency.shfl=33", "shared.latency=19"}},
    {"memory of 33 cycles", set = {"shared.latency=33"}},
    {"extracts and pushes as an ALU does them", set = {"latency.xext=4", "latency.xpush=1"}, fft = true},
    {"extracts of one cycle", set = {"latency.xext=1"}},
    {"shuffles on 16 lanes", set = {"lanes.xlane=16"}, fft = true},
    {"passes of two cycles", set = {"shared.pass_cycles=2"}},
    {"the oldest warp first", set = {"sm.policy=gto"}},
    {"a shuffle at the end of its range", set = {"energy.xlane=8.4"}}, {"a cheap pass", set = {"energy.shared=214"}},
    {"instructions at the end of their range", set = {"energy.instruction=63"}},
    {"registers at the end of their range", set = {"energy.register=21"}},
}

for _, change in ipairs(changes) do
    case(change[1], function()
        for _, v in ipairs(verdicts_under(change)) do
            stands(v, change[1], change.set)
        end
    end)
end

-- One tile needs a second barrier: else a lane could store new values before another has loaded the old ones.
case("a rival with one tile", function()
    local source = methods.source
    methods.source = function(...)
        local text = source(...):gsub("%[tile1", "[tile0")
        return (text:gsub("(\n        ld%.shared[^\n]*\n)\n", "%1        bar.warp\n\n"))
    end
    local good, list = pcall(verdicts_under, {})
    methods.source = source
    ok(good, list)
    for _, v in ipairs(list) do
        stands(v, "one tile")
    end
end)

case("the order of measurement", function()
    local one, many = machine {}, machine {}
    many:full "shared-vector"
    many:fft("transit1", "kept")
    equal({many:full("shuffle2").cycles, many:fft("shuffle2-fused", "kept").cycles},
        {one:full("shuffle2").cycles, one:fft("shuffle2-fused", "kept").cycles})
end)

case("a transit register that is quick enough does win", function()
    ok(by.transit.won > 0 and by.transit.won < by.transit.inputs, by.transit.verdict)
    local m = machine {set = {"latency.xext=4", "latency.xpush=1"}}
    equal({m:alone "transit1", m:alone "shuffle2"}, {37, 38})
end)

-- An FFT as libraries have it, and one that needs no reorder, which no claim may leave out.
case("FFTs of a thread, and of two frames at once, are the rivals", function()
    for id, name in pairs {["fft.transit1"] = "thread-fft", ["fft.shuffle2"] = "thread-fft",
        ["fft.transit"] = "two-frames"} do
        equal(by[id].verdict, "does not hold", id)
        for _, trial in ipairs(by[id].trials) do
            equal(trial.rival, name, id .. ", " .. trial.name)
        end
    end
end)

case("one SM of a100 takes 21 cycles at most for 64 samples, by threads", function()
    local m = machine {}
    for _, roots in ipairs {"loaded", "kept"} do
        ok(m:fft("thread-fft", roots).cycles <= 21, roots)
    end
end)

-- Where DRAM decides, reorders cost what the margin is, or little more.
case("on the whole board a reorder is a small share of an FFT", function()
    local m = clock.new(board.read(heddle.new(), "a100", {"sms=27", "dram.channels=10"}), 32)
    local none, with = m:fft_board "8-byte load", m:fft_board "transit1"
    ok(none.dram_board > 0.6 and with.cycles_board < 1.08 * none.cycles_board,
        ("%s, %s, %s"):format(none.dram_board, none.cycles_board, with.cycles_board))
    ok(m:fft("transit1", "kept").cycles > 1.08 * m:fft("8-byte load", "kept").cycles)
    ok(none.cycles_warm < none.cycles_board)
end)

case("every claim has its questions, answered by what is measured", function()
    local names = {"8-byte load", "two-frames", "thread-fft"}
    for _, name in ipairs(methods.names) do
        table.move({name, name .. "-fused"}, 1, 2, #names + 1, names)
    end
    questions.check("reorder", claims.rows, names)
    equal(questions.missing(claims.rows), {})
end)

-- A condition has at most two axes, each named with a bound.
case("conditions are bounds", function()
    for _, v in pairs(by) do
        ok((v.verdict == "holds when") == (v.bounds ~= nil) and #(v.bounds or {}) <= 2, v.id)
    end
end)

-- Effects of the order of warps alone: when the measured part of a launch begins.
case("margins are what the order of warps moves, and less than a reorder gains", function()
    for _, name in ipairs {"transit1", "shuffle2-fused"} do
        local least, most = math.huge, 0
        for _, few in ipairs {4, 5, 8} do
            local m = machine {warps = 4}
            m.few = few
            local cycles = m:fft(name, "kept").cycles
            least, most = math.min(least, cycles), math.max(most, cycles)
        end
        ok(most / least - 1 <= claims.metrics.fft.margin, ("%s: %s to %s"):format(name, least, most))
    end
    ok(1 - by["fft.transit"].ratio_most > claims.metrics.fft.margin)
end)

test.finish()
