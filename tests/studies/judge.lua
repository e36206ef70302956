-- Do verdicts follow from the measurements, and crossovers from the costs?
local condition = require "heddle.claims.condition"
local energies = require "heddle.claims.energies"
local judge = require "heddle.claims.judge"
local questions = require "heddle.claims.questions"
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

local function words_of(v) return {v.verdict, v.condition} end

case("a condition is one measured bound on a named axis; where none separates, the verdict is mixed", function()
    local function words(list, by) return words_of(verdict({by = by}, swept(list))) end
    equal(words({true, true, false}, "density"), {"holds when", "density = 1 and 2 (of 1, 2 and 3)"})
    equal(words({true, true, false, false, false, false}, "density"),
        {"holds when", "density up to 2 (measured from 1 to 6)"})
    equal(words({false, false, false, false, true}, "density"),
        {"holds when", "density from 5 on (measured from 1 to 5)"})
    equal(words({true, false, true, true, true}, "density"), {"mixed: 4 of 5"})
    equal(words({true, false, true}, "density"), {"holds when", "density = 1 and 3 (of 1, 2 and 3)"})
    equal(words({true, false, true}), {"mixed: 2 of 3"}, "no axis was named")
    equal(words({true, false}, "lacking"), {"mixed: 1 of 2"})
    equal(words({true, false}, "other"), {"mixed: 1 of 2"}, "both outcomes at one value")
    equal(verdict({on = {"plain"}}, swept {true}), nil, "another kind of trial")
end)

-- Trials of a board as it is, and of variants along one axis each.
local function variants(list)
    local trials = {}
    for i, row in ipairs(list) do
        trials[i] = trial(("variant %d"):format(i), row[1] and 10 or 1000, 100, 100, row[2])
    end
    return trials
end

case("of two axes each has a bound of its own, by the trials that vary along it", function()
    local function words(list) return words_of(verdict({by = {"W", "shuffle"}}, variants(list))) end
    local here = {true, {W = 32, shuffle = 24}}
    equal(words {here, {true, {W = 16}}, {false, {W = 64}}, {false, {shuffle = 36}}},
        {"holds when", "W = 16 and 32 (of 16, 32 and 64); shuffle = 24 (of 24 and 36)"})
    equal(words {here, {true, {W = 16}}, {false, {shuffle = 36}}}, {"holds when", "shuffle = 24 (of 24 and 36)"})
    equal(words {here, {false, {W = 16}}, {false, {other = 1}}}, {"mixed: 1 of 3"}, "a variant along another axis")
    equal(words {here, {true, {W = "kept"}}, {false, {W = "computed"}}},
        {"holds when", "W = 32 and kept (of 32, computed and kept)"})
end)

local function turns_at(at)
    return {turns = {{at = at, last = at, first = at, below = true}}, from = 1, to = 9}
end

case("a condition is what was searched, with its range; of several searches where all agree", function()
    local none, above = {always = false}, {turns = {{at = 2, last = 2, first = 2, below = false}}}
    local function words(list, found)
        local turns = {}
        for i, one in ipairs(found) do
            turns[i] = {label = "", param = "density", found = one}
        end
        return words_of(verdict({}, list, {x = turns}))
    end
    local list = swept {true, true, false}
    equal(words(list, {turns_at(2.5)}), {"holds when", "density up to 2.5 (searched from 1 to 9)"})
    equal(words(list, {turns_at(2.5), turns_at(4.0)}), {"holds when", "density up to 2.5 (searched from 1 to 9)"})
    equal(words(list, {turns_at(2.5), {always = true, from = 1, to = 20}}),
        {"holds when", "density up to 2.5 (searched from 1 to 20)"})
    equal(words(list, {turns_at(2.5), none}), {"mixed: 2 of 3"}, "a series in which it never holds")
    equal(words(list, {turns_at(2.5), above}), {"mixed: 2 of 3"}, "from below and from above")
    equal(words(list, {turns_at(4.0)}), {"mixed: 2 of 3"}, "an input within contradicts")
    equal(words(swept {true, true}, {turns_at(2.5)}), {"holds when", "density up to 2.5 (searched from 1 to 9)"})
    equal(words(swept {true, true}, {{always = true}}), {"holds"})
end)

case("a bound can be asked what it says of a value", function()
    local bounds = {{param = "W", values = {8, 16}}, {param = "n", least = 5}}
    equal({condition.inside(bounds, {W = 8, n = 5}), condition.inside(bounds, {W = 9, n = 5}),
        condition.inside(bounds, {W = 8, n = 4}), condition.inside(bounds, {n = 6}), condition.inside(bounds)},
        {true, false, false, true, true})
end)

case("an input that is measured again counts where that changes the outcome", function()
    local again = trial("a, warm", 1000, 100, 100)
    again.kind, again.again = "warm", "a"
    local list = {trial("a", 10, 100, 100), trial("b", 10, 100, 100), again}
    local v = verdict({}, list)
    equal({v.verdict, v.trials[3].name}, {"mixed: 2 of 3", "a, warm"})
    equal(verdict({on = {"warm"}}, list).verdict, "does not hold", "a claim on that way")
    equal(verdict({on = {"plain"}}, list).verdict, "mixed: 2 of 3", "a claim on the other way")
    again.rows.a.cycles = 20
    v = verdict({}, list)
    equal({v.verdict, v.inputs}, {"holds", 2})
    again.rows.a.cycles, list[1].rows.a.cycles, list[2].rows.a.cycles = 20, 1000, 1000
    equal(verdict({}, list).verdict, "mixed: 1 of 3")
end)

case("another metric stands beside", function()
    METRICS.launched = {of = function(row) return row.cycles + 100 end, beside = "time", beside_as = "without",
        margin = 0.02}
    local v = verdict({metric = "launched"}, {trial("one", 90, 100, 95), trial("two", 98, 100, 100)})
    equal({v.verdict, v.beside.metric, v.beside.won, v.beside.ratio_most}, {"mixed: 1 of 2", "time", 1, 95 / 90})
    equal(verdict({}, {trial("one", 90, 100, 95)}).beside, nil)
end)

-- A verdict on energies of a and b, {[key] = joules} each, of which the ranges are from half to twice the value 10.
local function energy_verdict(a, b)
    local metrics, ranges = {energy = {of = "energy", better = "less", worse = "more", margin = 0, parts = true}}, {}
    local function row(parts)
        local sum = 0
        for key, joules in pairs(parts) do
            sum, ranges[key] = sum + joules, {value = 10, low = 5, high = 20, basis = "assumed"}
        end
        return {energy = sum, energies = parts}
    end
    local trials = {{name = "one", kind = "plain", rows = {a = row(a), b = row(b)}}}
    return judge.all({{id = "x", claim = "c", methods = {"a"}, rivals = {"b"}, metric = "energy"}}, metrics, trials,
        nil, ranges)[1]
end

case("a verdict on assumed energies is judged in all of their ranges", function()
    local v = energy_verdict({e = 10}, {e = 11})
    equal({v.verdict, v.assumed, v.falls}, {"holds", true, nil}, "the same energy on both sides")
    v = energy_verdict({e = 10}, {e = 1, f = 6, g = 6}) -- 10 x < x + 12 up to 4 / 3 times
    equal({v.verdict, v.falls.param}, {"holds when", "e"})
    ok(math.abs(v.falls.most / (10 * 4 / 3) - 1) < 1e-3, v.condition)
    ok(v.condition:find "^e up to 13.3 %(assumed 10, range 5 to 20%)$", v.condition)
    v = energy_verdict({e = 10}, {f = 35}) -- 10 (1 + s) < 35 (1 - s / 2)
    ok(v.condition:find "^all assumed energies at once up to 90.9 %% of the way", v.condition)
    equal({v.verdict, v.falls.share}, {"holds when", true})
    equal(energy_verdict({e = 10}, {f = 41}).verdict, "holds", "nowhere in the ranges")
    v = energy_verdict({e = 12}, {f = 5, g = 5}) -- does not hold, and would with a cheaper e
    equal({v.verdict, v.falls.param}, {"does not hold", "e"})
end)

case("energies add up part by part", function()
    local none, two = energies.none, energies.of {energy = {["energy.l1"] = {picojoules = 2e12},
        ["power.sm_w"] = {picojoules = 5}}}
    equal(energies.cost({energies = two + 0 + none + two * 3 - two}, {}), 6.0)
    equal(energies.cost({energies = two}, {["energy.l1"] = 1.5}), 3.0)
end)

case("questions are answered by methods that exist, or left out with a reason", function()
    local function refused(one, text)
        local ok_, why = pcall(questions.check, "s", {{id = "x", questions = {one}}}, {"a", "b"})
        ok(not ok_ and why:find(text, 1, true), tostring(why))
    end
    questions.check("s", {{id = "x", questions = {{question = "How?", answer = {"a"},
        left_out = "c, because it is b"}}}, {id = "y"}}, {"a", "b"})
    refused({question = "How?", answer = {"a", "c"}}, "claim 'x' of study s: question 1 is answered by 'c'")
    refused({question = "How?"}, "neither an answer")
    refused({question = "How?", left_out = "c"}, "without 'because'")
    refused({question = "How", answer = {"a"}}, "question mark")
    refused({question = "How?", answer = {"a"}, answers = 1}, "field 'answers'")
    equal(questions.missing {{id = "x", questions = {{}}}, {id = "y"}, {id = "z", questions = {}}}, {"y", "z"})
    local one = {{question = "How?", answer = {"a", "b"}}}
    equal(questions.table {{claim = "A", questions = one}, {claim = "B", questions = one}, {claim = "C"}},
        {{"A; B", "How?", "a, b", ""}})
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
    equal({v.verdict, v.inputs, v.note}, {"mixed: 1 of 2", 2, "n"})
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

case("every claim of every study has questions", function()
    for _, rows in ipairs {require "heddle.mask.claims".ROWS, require "heddle.reorder.claims".rows,
        require "heddle.spconv.claims".rows} do
        equal(questions.missing(rows), {})
    end
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
    equal(search.text(search.turn {samples = {1, 2}, ratio = function() return 2 end}), "always from 1 to 2")
    equal(search.text(search.turn {samples = {1, 2}, ratio = function() return 0.5 end}), "never")
    equal(search.text(search.turn {samples = {1, 2}, ratio = function() return 1.01 end}), "equal")
end)

test.finish()
