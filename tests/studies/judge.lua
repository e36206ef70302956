-- Do verdicts follow from the measurements, and crossovers from the costs?
package.path = "scripts/lib/?.lua;" .. package.path
local judge = require "heddle.claims.judge"
local search = require "heddle.claims.search"
local test = require "tests.lib.test"
local case, equal, ok = test.case, test.equal, test.ok

local METRICS <const> = {
    time = {of = "cycles", unit = "cycles", better = "faster", worse = "slower", margin = 0.02,
        bounded = true},
    bytes = {of = function(row) return 32 * row.sectors end, unit = "bytes", better = "fewer", worse = "more",
        margin = 0},
}

local LIMITER <const> = "Mostly bound by DRAM: 1,234 of 1,555 GB/s, 79 % of its peak."

-- A trial of methods a, b and c by their cycles; false: it did not run.
local function trial(name, a, b, c, at)
    local rows = {}
    for label, cycles in pairs {a = a, b = b, c = c} do
        rows[label] = cycles and {cycles = cycles, sectors = cycles, limiter = LIMITER} or nil
    end
    return {name = name, kind = at and "swept" or "plain", at = at, rows = rows}
end

local function verdict(row, trials, turns)
    row.id, row.claim, row.metric = "x", "a is faster", row.metric or "time"
    row.methods, row.rivals = row.methods or {"a"}, row.rivals or {"b", "c"}
    return judge.all({row}, METRICS, trials, turns)[1]
end

case("a claim holds where the method beats the best rival by more than the margin", function()
    local v = verdict({}, {trial("one", 90, 100, 95), trial("two", 50, 200, false)})
    equal({v.verdict, v.won, v.inputs, v.method, v.rival}, {"holds", 2, 2, "a", "c"})
    equal({v.ratio_least, v.ratio_most}, {95 / 90, 4.0})
    v = verdict({}, {trial("one", 98, 100, 100)})
    equal(v.verdict, "does not hold", "exactly the margin")
    v = verdict({metric = "bytes"}, {trial("one", 99, 100, 100)})
    equal(v.verdict, "holds", "a metric of another margin")
    v = verdict({margin = 0.5}, {trial("one", 60, 100, 100)})
    equal(v.verdict, "does not hold", "a row of its own margin")
end)

case("the cheapest of several claimed methods counts, and one that did not run is no rival", function()
    local v = verdict({methods = {"a", "b"}, rivals = {"c"}}, {trial("one", 90, 80, 100), trial("two", 90, 80, false)})
    equal({v.method, v.inputs}, {"b", 1})
    equal(verdict({}, {trial("one", 90, false, false)}), nil, "nothing to compare with")
end)

case("a verdict is shown by the trial that decides", function()
    local lost = verdict({}, {trial("far", 100, 10, 10), trial("near", 100, 90, 99)})
    equal({lost.verdict, lost.rival, lost.ratio_most}, {"does not hold", "b", 0.9})
end)

-- Trials at densities 1, 2, ... with these outcomes.
local function swept(list)
    local trials = {}
    for i, won in ipairs(list) do
        trials[i] = trial(("random, %d %%"):format(i), won and 10 or 1000, 100, 100, {density = i, other = 1})
    end
    return trials
end

local function condition_of(list, by)
    return verdict({by = by}, swept(list)).condition
end

case("a condition names what separates the trials, or most of them, never samples", function()
    equal(condition_of({true, true, false}, "density"), "density <= 2, not at 3 (2 of 3 inputs)")
    equal(condition_of({false, true, true}, "density"), "density >= 2, not at 1 (2 of 3 inputs)")
    equal(condition_of({false, true, true}, {"other", "density"}), "density >= 2, not at 1 (2 of 3 inputs)")
    equal(condition_of({true, false, true, true, true}, "density"), "density >= 3, and 1 of 2 other inputs")
    equal(condition_of({true, false, true, false, false, false}, "density"),
        "not at density >= 4, 2 of 3 other inputs")
    equal(condition_of({true, false, true}, "density"), "2 of 3 inputs")
    equal(condition_of({true, false, false, false}), "1 of 4 inputs")
    equal(condition_of({true, false}, "lacking"), "1 of 2 inputs")
    equal(verdict({on = {"plain"}}, swept {true}), nil, "another kind of trial")
end)

local function turns_at(at) return {turns = {{at = at, below = true}}} end

case("a condition tells what was searched", function()
    local turns = {x = {{label = "here", param = "density", found = turns_at(2.5)}}}
    equal(verdict({}, swept {true, true, false}, turns).condition, "density below 2.5 (here) (2 of 3 inputs)")
    turns.x[2] = {label = "there", param = "density", found = {always = false}}
    equal(verdict({}, swept {true, true, false}, turns).condition,
        "density below 2.5 (here); never (there) (2 of 3 inputs)")
    table.remove(turns.x, 1)
    equal(verdict({}, swept {true, false, true}, turns).condition, "2 of 3 inputs", "nothing turns")
end)

case("of several searches it tells what they have in common, and counts the inputs beside them", function()
    local found = {turns_at(2.5), turns_at(4.0), {always = false}, {turns = {{at = 0.1, below = false}}}}
    local function condition_with(count, more)
        local turns = {x = {}}
        for i = 1, count do
            turns.x[i] = {label = "", param = "density", kind = "swept", found = found[i]}
        end
        return verdict({}, table.move(more, 1, #more, 3, swept {true, false}), turns).condition
    end
    local one, other = trial("a", 10, 100, 100), trial("b", 1000, 100, 100)
    equal(condition_with(1, {}), "density below 2.5")
    equal(condition_with(2, {one}), "density below 2.5 to 4; others: 1 of 1 input")
    equal(condition_with(3, {one, other}),
        "density below 2.5 to 4 in 2 of 3 searches, never in 1; others: 1 of 2 inputs")
    equal(condition_with(4, {}), "density below 2.5 to 4 in 2 of 4 searches, above 0.1 in 1, never in 1")
end)

case("an input that is measured again counts once, and turns a verdict over all the same", function()
    local again = trial("a, warm", 1000, 100, 100)
    again.kind, again.again, again.how = "warm", "a", "L2 warm"
    local list = {trial("a", 10, 100, 100), trial("b", 10, 100, 100), again}
    local v = verdict({}, list)
    equal({v.verdict, v.inputs, v.won, v.condition}, {"holds when", 2, 2, "all 2 inputs; 1 fewer with L2 warm"})
    equal({#v.trials, #v.otherwise, v.otherwise[1].name}, {2, 1, "a, warm"})
    v = verdict({on = {"warm"}}, list)
    equal({v.verdict, v.inputs, v.otherwise}, {"does not hold", 1, nil}, "a claim on that way")
    equal(verdict({on = {"plain"}}, list).verdict, "holds", "a claim on the other way")
    again.rows.a.cycles = 20
    v = verdict({}, list)
    equal({v.verdict, v.inputs, v.otherwise}, {"holds", 2, nil})
    again.rows.a.cycles, list[1].rows.a.cycles, list[2].rows.a.cycles = 20, 1000, 1000
    v = verdict({}, list)
    equal({v.verdict, v.condition}, {"holds when", "0 of 2 inputs; 1 more with L2 warm"})
end)

case("an input for one metric is judged by no other", function()
    local more = trial("b", 1000, 100, 100)
    more.only = "bytes"
    local list = {trial("a", 10, 100, 100), more}
    equal({verdict({}, list).inputs, verdict({metric = "bytes"}, list).inputs}, {1, 2})
end)

case("a test of its own decides by what it says", function()
    local row = {test = function(t) return t.rows.a and {won = t.rows.a.cycles > 50, note = "n"} end}
    local v = verdict(row, {trial("one", 90, 1, 1), trial("two", 40, 1, 1), trial("three", false, 1, 1)})
    equal({v.verdict, v.condition, v.inputs, v.note}, {"holds when", "1 of 2 inputs", 2, "n"})
end)

case("a note of one trial is not told of all", function()
    local row = {test = function(t) return {won = true, note = t.rows.a and "n" or nil} end}
    equal(verdict(row, {trial("one", 1, 1, 1)}).note, "n")
    equal(verdict(row, {trial("one", 1, 1, 1), trial("two", 2, 1, 1)}).note, "n")
    local v = verdict(row, {trial("one", 1, 1, 1), trial("two", false, 1, 1)})
    equal({v.note or false, v.trials[1].note}, {false, "n"})
end)

case("what limits a launch bounds its time, not its bytes", function()
    equal(verdict({}, {trial("one", 90, 100, 95)}).bound_by, "DRAM 79 %")
    equal(verdict({metric = "bytes"}, {trial("one", 90, 100, 95)}).bound_by, nil)
end)

case("ratios need no inversion", function()
    local function text(least, most) return judge.ratio_text(METRICS.time, least, most) end
    equal(text(1.5, 1.5), "1.5x faster")
    equal(text(1.5, 4.2), "1.5 to 4.2x faster")
    equal(text(0.25, 0.5), "2 to 4x slower")
    equal(text(0.5, 2.0), "2x slower to 2x faster")
    equal(text(1.0, 1.0), "equal")
    equal(text(0.999, 1.2), "equal to 1.2x faster")
    equal(text(0.5, 1.003), "equal to 2x slower")
    equal(text(2.0, math.huge), "2x faster or more")
    equal(text(math.huge, math.huge), "free")
end)

-- ---- crossovers ----

case("a crossover is found to 3 percent, from either side, and asks for each value once", function()
    for _, at in ipairs {0.0031, 0.05, 0.31, 0.9} do
        for _, below in ipairs {true, false} do
            local asked, calls = {}, 0
            local found = search.turn {samples = {0.001, 0.01, 0.1, 1.0}, margin = 0, ratio = function(v)
                ok(not asked[v], "asked twice")
                asked[v], calls = true, calls + 1
                return (v < at) == below and 2 or 0.5
            end}
            local turn = found.turns[1]
            equal({#found.turns, turn.below}, {1, below})
            ok(turn.last < at and at <= turn.first and turn.first <= 1.03 * turn.last, "bracket around " .. at)
            ok(calls <= 12, "calls: " .. calls)
        end
    end
end)

case("whole numbers are told exactly", function()
    for at = 2, 64 do
        local function ratio(v) return v < at and 2 or 0.5 end
        local found = search.turn {samples = {1, 64}, integer = true, ratio = ratio}
        equal({found.turns[1].last, found.turns[1].first, search.text(found)}, {at - 1, at, "up to " .. at - 1})
    end
    local found = search.turn {samples = {1, 64}, integer = true, ratio = function(v) return v < 7 and 0.5 or 2 end}
    equal(search.text(found), "from 7 on")
end)

case("several crossovers, none, and costs that never differ", function()
    local function between(v) return v > 1.5 and v < 6 and 2 or 0.5 end
    local found = search.turn {samples = {1.0, 2.0, 4.0, 8.0}, ratio = between}
    local low, high = search.text(found):match "^([%d.]+) to ([%d.]+)$"
    ok(math.abs(low / 1.5 - 1) < 0.03 and math.abs(high / 6 - 1) < 0.03, search.text(found))
    equal(search.text(search.turn {samples = {1, 2}, ratio = function() return 2 end}), "always")
    equal(search.text(search.turn {samples = {1, 2}, ratio = function() return 0.5 end}), "never")
    equal(search.text(search.turn {samples = {1, 2}, ratio = function() return 1.01 end}), "equal")
end)

test.finish()
