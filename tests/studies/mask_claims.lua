-- Do the verdicts of the mask study follow the numbers? Rows are made up here; nothing runs.
package.path = "scripts/lib/?.lua;" .. package.path
local claims = require "heddle.mask.claims"
local test = require "tests.lib.test"
local case, equal, ok = test.case, test.equal, test.ok

local option = {bits = 32}

-- Makes a row with this time, and bytes an element.
local function row(label, time, bytes, instructions)
    return {label = label, method = label:match "^%S+", timed = true, drained = time, overhead_cycles = 0,
        bytes_per_element = bytes,
        instructions = instructions or 5, mask_bytes = label:find "words" and 1 / 8 or 1, word_bits = 32,
        word_uses = label == "words linear" and {load = 0.25, xor = 0.25, sel = 1, shl = 1} or nil,
        limiter = "Latency."}
end

-- A workload of a side; `times` by label in place of those here.
local function workload(side, times, fields)
    local usual = {bool = 500, ["bool-vector"] = 500, ["bits-vector"] = 410, ["words linear"] = 400, convert = 200}
    local e = {n = 1, height = side, width = side, length = side, heads = 1, trial = "length", name = "L = " .. side,
        series = "fp16", methods = {}}
    for label, time in pairs(times or {}) do
        usual[label] = time
    end
    for label, time in pairs(usual) do
        e.methods[#e.methods + 1] = time and row(label, time, label:find "bool" and 5 or 4.125) or nil
    end
    for key, value in pairs(fields or {}) do
        e[key] = value
    end
    return e
end

-- The verdicts by id on such workloads; at: of a series and a side, which is that of a square of as many elements.
local function judged(list, at)
    local out = {}
    local function by_elements(series, by, value)
        equal(by, "elements")
        return at(series, math.sqrt(value))
    end
    for _, v in ipairs(claims.judge({kinds = list, others = {}}, option, at and by_elements)) do
        out[v.id] = v
    end
    return out
end

case("times are judged against the best form of the rivals, by the best form of words", function()
    equal(judged({workload(64)}).time.verdict, "holds")
    for _, name in ipairs {"bool", "bool-vector", "bool-vector-long", "bool-wide", "bool-wide-long"} do
        equal(judged({workload(64, {[name] = 390})}).time.verdict, "does not hold", name)
    end
    for _, name in ipairs {"words packed", "words interleaved"} do
        local v = judged({workload(64, {["bool-vector"] = 390, [name] = 300})}).time
        equal({v.verdict, v.method}, {"holds", name})
    end
    equal(judged({workload(64, {["bool-vector"] = 405})}).time.verdict, "does not hold") -- within two percent
    equal(judged({workload(64)})["rearranging.time"].verdict, "holds")
    equal(judged({workload(64, {bits = 400})})["rearranging.time"].verdict, "does not hold")
end)

case("bytes are counted: a little less is less", function()
    equal(judged({workload(64)}).bytes.verdict, "holds")
    equal(judged({workload(64)})["rearranging.bytes"].verdict, "does not hold")
    equal(judged({workload(64)}).size.ratio_most, 8.0)
end)

case("a mask that is used once pays for its conversion", function()
    equal(judged({workload(64)}).conversion.verdict, "does not hold")
    equal(judged({workload(64, {convert = 50})}).conversion.verdict, "holds")
    equal(judged({workload(64, {convert = false})}).conversion, nil)
end)

-- True if a crossover is between sides, known to three percent of the elements.
local function lies_at(turn, side)
    return not turn.below and turn.last < side * side and turn.first >= side * side and turn.first <= 1.03 * turn.last
end

case("conditions are searched, for each series", function()
    local asked = {}
    local slow = {["words linear"] = 600, ["bits-vector"] = 500}
    local fast = {["bits-vector"] = 500}
    local function at(series, side)
        asked[#asked + 1] = side
        return claims.trial(workload(side, side < (series == "fp16" and 200 or 90) and slow or fast))
    end
    local v = judged({
        workload(64, slow), workload(512, fast), workload(1024, fast),
        workload(64, slow, {trial = "type", series = "int8", name = "int8, L = 64"}),
        workload(512, fast, {trial = "type", series = "int8", name = "int8, L = 512"}),
    }, at).time
    equal(v.verdict, "holds when")
    for i, side in ipairs {200, 90} do
        ok(lies_at(v.turns[i].found.turns[1], side), side)
    end
    equal({v.turns[1].label, v.turns[2].label}, {"fp16", "int8"})
    ok(v.condition:find "^elements from [34]%d,%d+ on %(searched from 4,096 to 1,048,576%)$", v.condition)
    for _, side in ipairs(asked) do
        ok(side <= 512 or side == 1024, "searched where nothing changes")
    end
end)

-- Makes a trial whose rows are computed at their first use; those of `out` cannot run.
local function lazily(e, out)
    local by = {}
    for _, r in ipairs(e.methods) do
        by[r.label] = not (out or {})[r.label] and r or nil
    end
    local rows = setmetatable({}, {__index = function(_, label) return by[label] end})
    return {name = e.name, at = {L = e.height, elements = e.height ^ 2}, rows = rows}
end

case("where one use begins to pay is searched, with the conversions of the sides between", function()
    local function used_once(side)
        return workload(side, {convert = side < 200 and 200 or 50})
    end
    local function at(_, side) return lazily(used_once(side)) end
    local v = judged({used_once(64), used_once(512)}, at).conversion
    equal(v.verdict, "holds when")
    ok(lies_at(v.turns[1].found.turns[1], 200), v.condition)
end)

case("every metric is searched in every series", function()
    local turns_at = {fp16 = 200, int8 = 90, fp64 = 400}
    local function side_of(series, side)
        local after = side >= turns_at[series]
        local e = workload(side, {convert = after and 50 or 200}, {series = series, name = series .. side})
        for _, r in ipairs(e.methods) do
            r.bytes_per_element = after and r.bytes_per_element or 5
            r.instructions = r.method == "words" and after and 4 or 5
        end
        return e
    end
    local list = {}
    for _, series in ipairs {"fp16", "int8", "fp64"} do
        list[#list + 1], list[#list + 2] = side_of(series, 64), side_of(series, 512)
    end
    local by = judged(list, function(series, side) return lazily(side_of(series, side)) end)
    for _, id in ipairs {"bytes", "instructions", "conversion"} do
        equal(#by[id].turns, 3, id)
        for _, t in ipairs(by[id].turns) do
            ok(lies_at(t.found.turns[1], turns_at[t.label]), id .. " " .. t.label)
        end
    end
end)

case("a side that cannot be judged does not count as lost", function()
    local missing = {["words linear"] = true}
    local v = judged({workload(64), workload(512, {["words linear"] = 600})}, function(_, side)
        return lazily(workload(side), missing)
    end).time
    local turn = v.turns[1].found.turns[1]
    equal({turn.last, turn.first}, {64 * 64, 512 * 512})
end)

case("only a condition with one end is searched", function()
    local function at() error "searched" end
    local function lost(side, series) return workload(side, {["words linear"] = 600}, {series = series}) end
    equal(judged({lost(64), workload(512), lost(1024)}, at).time.verdict, "mixed: 1 of 3")
    equal(judged({lost(64), workload(512), lost(64, "int8")}, at).time.verdict, "mixed: 1 of 3")
    equal(judged({workload(64), workload(512)}, at).time.verdict, "holds")
end)

case("times count launches, those without them stand beside", function()
    local e = workload(64)
    for _, r in ipairs(e.methods) do
        r.overhead_cycles = 10000
    end
    local v = judged({e}).time
    equal({v.verdict, v.ratio_least, v.beside.ratio_least, v.beside.won}, {"does not hold", 10500 / 10400, 1.25, 1})
    equal(judged({e}).conversion.trials[1].cost, 10400 + 10200)
end)

case("of what is searched between two sides only what may be the best is measured", function()
    local seen = {}
    local slow = {["words linear"] = 600, bool = 5000}
    local v = judged({workload(64, slow), workload(512, {bool = 5000})}, function(_, side)
        local trial = claims.trial(workload(side, side < 200 and slow or nil))
        local rows = trial.rows
        trial.rows = setmetatable({}, {__index = function(_, label)
            seen[label] = true
            return rows[label]
        end})
        return trial
    end)
    equal(v.time.verdict, "holds when")
    ok(seen["bool-vector"] and not seen.bool, "bool is ten times slower")
end)

case("words that are used as they are", function()
    local function verdict(uses, bits)
        local e = workload(64)
        for _, r in ipairs(e.methods) do
            r.word_uses, r.word_bits = r.word_uses and uses, bits or 32
        end
        return judged({e})["as-they-are"].verdict
    end
    equal(verdict {load = 0.25, xor = 0.25, sel = 1, shl = 2}, "holds")
    equal(verdict {load = 0.25, sel = 1}, "holds")
    equal(verdict {load = 0.25, xor = 0.5, sel = 1, shl = 1}, "does not hold")
    equal(verdict({load = 0.25, xor = 0.5, mov = 0.25, sel = 1, shl = 1}, 64), "holds") -- two registers
    equal(verdict({load = 0.25, xor = 0.5, mov = 1, sel = 1, shl = 1}, 64), "does not hold")
    equal(verdict {load = 0.25, xor = 0.25, sel = 1, shl = 1, bfe = 0.1}, "does not hold")
end)

case("the widths at which the mask is smaller follow from its definition", function()
    local list = {workload(64), workload(512)}
    list[1].methods[#list[1].methods + 1] = nil
    for _, r in ipairs(list[1].methods) do
        r.mask_bytes = 1
    end
    for rows, want in pairs {[1] = "W from 129 on", [2] = "W from 129 on", [16] = "mixed: 1 of 2"} do
        local v = claims.judge({kinds = list, others = {}}, {bits = 32, rows = rows})[2]
        equal({v.id, v.condition or v.verdict}, {"size.rows", want}, rows)
    end
end)

case("heads, fills in place and softmaxes are judged on their own workloads", function()
    local heads = {trial = "heads", heads = 8, name = "K = 8"}
    local by = judged({workload(64), workload(64, {["bool-heads"] = 390}, heads)})
    equal({by.heads.verdict, by.heads.rival, by.heads.inputs}, {"does not hold", "bool-heads", 1})
    equal(by.time.inputs, 1)
    equal(by["in-place"], nil)
    by = judged({workload(64, {["bool-store"] = 300, ["bool-store-vector"] = 200, ["bits-store-vector"] = 90,
        ["words-store"] = 100}, {trial = "in place", series = "random"})})
    equal({by["in-place"].verdict, by["rearranging.in-place"].verdict}, {"holds", "does not hold"})
    by = judged({workload(64, {["softmax-bool"] = 300, ["softmax-bits"] = 300, ["softmax-words"] = 290},
        {trial = "softmax"})})
    equal({by.softmax.verdict, by["rearranging.softmax"].verdict}, {"holds", "holds"})
end)

case("how often a mask must be used", function()
    local map = claims.reuse {kinds = {workload(64), workload(512, {convert = 900})}, others = {}}
    equal(map.x.values, {64, 512})
    equal(map.cells[1], {"bool 1.20", "bool 2.60"}) -- 600 and 1300 against 500
    equal(map.cells[2], {"equal", "bool 1.70"})
    equal(map.cells[7], {"words 1.24", "words 1.21"})
    map = claims.reuse {kinds = {workload(64, {convert = 215})}, others = {}}
    equal({map.cells[2][1], map.cells[3][1]}, {"equal", "words 1.10"}) -- 1015 against 1000, as a claim counts
end)

test.finish()
