-- Do the verdicts of the mask study follow the numbers? Rows are made up here; nothing runs.
package.path = "scripts/lib/?.lua;" .. package.path
local claims = require "heddle.mask.claims"
local compare = require "heddle.mask.compare"
local test = require "heddle.kit.test"
local case, equal, ok = test.case, test.equal, test.ok

local option = {bits = 32, type = {name = "fp16", size = 2}}
local ELEMENTS = 1000

-- A row that takes so much time and moves so many bytes an element.
local function row(label, time, bytes, instructions)
    local t = {requests = 10, sectors = 20, l1_moved = 1000, dram_moved = 1000}
    return {label = label, timed = true, cycles = time, drained = time, elements = ELEMENTS, bytes_per_element = bytes,
        board_bytes = bytes * ELEMENTS, ideal_bytes = bytes, instructions = instructions or 5,
        word_uses = label == "words linear" and {load = 0.25, xor = 0.25, sel = 1, shl = 1} or nil, dirty_share = 0,
        speedup = 1, speedup_drained = 1, speedup_once_drained = 1, bytes_ratio = 1, bytes_ratio_once = 1,
        tensors = {x = t, y = t, mask = t, words = t, bits = t}}
end

-- The workload of a side; `times` and `bytes` by label in place of those here.
local function at(length, times, bytes)
    local usual = {bool = 500, ["bool-vector"] = 500, bits = 410, ["bits-vector"] = 410, ["words linear"] = 400,
        convert = 200, ["convert-bits"] = 150}
    local moved = {bool = 5, ["bool-vector"] = 5, bits = 4.125, ["bits-vector"] = 4.125, ["words linear"] = 4.125,
        convert = 1.125, ["convert-bits"] = 1.125}
    local methods = {}
    for label, time in pairs(usual) do
        methods[#methods + 1] = row(label, times and times[label] or time, bytes and bytes[label] or moved[label])
    end
    return {length = length, share = 1 / 8, methods = methods}
end

-- The claims by their id; the workloads of `lengths` alone.
local function judged(lengths)
    local out = {}
    for _, claim in ipairs(claims.judge({lengths = lengths, kinds = {}}, option)) do
        out[claim.id] = claim
    end
    return out
end

local function verdict(claim)
    return claim.condition and claim.verdict .. " " .. claim.condition or claim.verdict
end

case("faster is more than the margin", function()
    local a = row("a", 100, 1)
    for _, r in ipairs {{102.5, true}, {101.5, false}, {99, false}} do
        equal(compare.faster(a, row("b", r[1], 1)), r[2], r[1])
    end
end)

case("conditions in words", function()
    equal(compare.condition({}, {64}), nil)
    equal(compare.condition({64}, {}), nil)
    equal(compare.condition({512, 1024}, {64, 128}), "L is 512 or more")
    equal(compare.condition({64, 256, 1024}, {128, 512}), "L is 64, 256 or 1024, not 128 or 512")
    equal(compare.where({512}, {64}), "from L = 512 on")
    equal(compare.where({64}, {512}), "at L = 64, not at 512")
    equal(compare.where({64}, {}), "at every L")
    equal(compare.where({}, {64}), "at no L")
end)

case("time is judged against the strongest boolean method", function()
    local slow = {["bool-vector"] = 390}
    equal(verdict(judged {at(64), at(128)}.time), "holds")
    equal(verdict(judged {at(64, slow), at(128)}.time), "holds when L is 128 or more")
    equal(verdict(judged {at(64), at(128, slow)}.time), "holds when L is 64, not 128")
    equal(verdict(judged {at(64, slow)}.time), "holds when the baseline loads booleans byte by byte")
    equal(verdict(judged {at(64, {["words linear"] = 600})}.time), "does not hold")
end)

case("rearranging is judged against the strongest use of bits that are not rearranged", function()
    equal(verdict(judged {at(64, {["words linear"] = 380})}["rearranging.time"]), "holds")
    equal(verdict(judged {at(64, {["bits-vector"] = 400})}["rearranging.time"]), "does not hold")
    equal(verdict(judged {at(64, {bits = 400})}["rearranging.time"]), "does not hold")
    equal(verdict(judged {at(64, {["words linear"] = 405}), at(128)}["rearranging.time"]),
        "holds when L is 128 or more")
end)

-- A workload whose method of this label the board cannot run.
local function without(workload, label)
    for i, r in ipairs(workload.methods) do
        if r.label == label then
            workload.methods[i] = {label = label, method = label, skipped = "too many registers"}
        end
    end
    return workload
end

case("a board that cannot load bits one by one", function()
    local by = judged {without(at(64), "bits")}
    equal(verdict(by["rearranging.time"]), "holds") -- 400 against 410
    equal(by["rearranging.time"].numbers.bits, 410)
    equal(verdict(by["rearranging.bytes"]), "does not hold")
end)

case("a board without vector loads, or without them at some L", function()
    local by = judged {without(at(64), "bool-vector")}
    equal(verdict(by.time), "holds") -- 400 against the 500 of byte loads
    equal(by.time.text, "Faster than byte loads at every L; vector loads cannot run. At L = 64, all written back, " ..
        "1.250 times as fast, where the bytes allow 1.000.")
    equal({by.time.numbers.over_vector, by.time.numbers.faster_than_vector_at}, {})
    equal(verdict(by.instructions), "does not hold") -- 5 against 5
    ok(by.instructions.text:find("linear words against byte loads; at L = 64: bool 5, bits 5,", 1, true))
    equal(by.conversion.numbers.vector_timed, false)
    local slow = {["bool-vector"] = 390}
    by = judged {without(at(64), "bool-vector"), at(128), at(256, slow)}
    ok(by.time.text:find("than vector loads at L = 128, not at 256. At L = 256", 1, true), by.time.text)
    equal(verdict(by.time), "holds when L is 64 or 128, not 256")
end)

case("widths at which a method could not run are neither way", function()
    local fast, slow = at(0, {["bool-vector"] = 500}), at(0, {["bool-vector"] = 300})
    local test_of = compare.against("words linear", "bool-vector")
    local function turns(...)
        local list = {...}
        for i, e in ipairs(list) do
            list[i] = {width = i, methods = e.methods}
        end
        return {compare.turns({widths = list}, test_of)}
    end
    local none = without(at(0), "bool-vector")
    equal(turns(slow, none, fast, none), {3, 1})
    equal(turns(none, none), {})
    equal(turns(fast, none, fast), {1})
end)

-- The verdict on words that are used as they are, at 64 and 128, and at 128 with other uses.
local function used(uses, bits)
    local workload = at(128)
    for _, r in ipairs(workload.methods) do
        r.word_uses = r.word_uses and uses
    end
    local entry = {lengths = {at(64), workload}, kinds = {}}
    for _, claim in ipairs(claims.judge(entry, {bits = bits, type = option.type})) do
        if claim.id == "as-they-are" then
            return verdict(claim), claim.text
        end
    end
end

case("words are used as they are where only sel and shl read them", function()
    local _, text = used({load = 0.25, xor = 0.25, sel = 1, shl = 2}, 32)
    ok(text:find("at L = 128: sel 1, shl 2, xor 0.25.", 1, true), text)
    equal(used({load = 0.25, xor = 0.25, sel = 1, shl = 2}, 32), "holds")
    equal(used({load = 0.25, sel = 1}, 32), "holds")
    equal(used({load = 0.25, xor = 0.5, sel = 1, shl = 1}, 32), "holds when L is 64, not 128")
    equal(used({load = 0.25, xor = 0.5, sel = 1, shl = 1}, 64), "holds") -- two registers
    equal(used({load = 0.25, xor = 0.5, mov = 0.25, sel = 1, shl = 1}, 64), "holds")
    equal(used({load = 0.25, xor = 0.5, mov = 1, sel = 1, shl = 1}, 64), "holds when L is 64, not 128")
    equal(used({load = 0.25, xor = 0.25, sel = 1, shl = 1, bfe = 0.1}, 32), "holds when L is 64, not 128")
    equal(used({load = 0.25, setp = 1, shl = 1}, 32), "holds when L is 64, not 128")
end)

case("instructions are judged against the fewer of both boolean fills", function()
    local function with(words, vector)
        local workload = at(64)
        for _, r in ipairs(workload.methods) do
            r.instructions = ({["words linear"] = words, ["bool-vector"] = vector})[r.label] or 5
        end
        return verdict(judged {workload}.instructions)
    end
    equal(with(4, 8), "holds")
    equal(with(4, 3), "does not hold")
    equal(with(6, 8), "does not hold")
end)

case("sizes and bytes in words, also where packing makes more of them", function()
    local function size(share, ratio)
        local workload = at(64)
        workload.share = share
        for _, r in ipairs(workload.methods) do
            r.bytes_ratio = ratio or 1
        end
        local by = judged {workload}
        return by.size.text:match "^At L = 64 it has (.-)%.%s", by.bytes.text
    end
    equal(size(1 / 8), "1/32 as many words as the mask has elements, which is 1/8 of its bytes")
    equal(size(1), "1/4 as many words as the mask has elements, which is as many bytes")
    equal(size(4), "as many words as the mask has elements, which is 4 times its bytes")
    equal(size(8), "2 times as many words as the mask has elements, which is 8 times its bytes")
    local _, text = size(4, 0.5)
    ok(text:find("instead of 5.000: 2.000 times more, where 0.825 is predicted.", 1, true), text)
    _, text = size(1 / 8, 1.25)
    ok(text:find("instead of 5.000: 1.250 times less, where 1.212 is predicted.", 1, true), text)
end)

case("rows of which a single one is never smaller", function()
    for rows, want in pairs {[1] = "W > 128", [4] = "W > 32 for a multiple of 4 rows, W > 128 for a single one",
        [8] = "W > 16 for a multiple of 8 rows, at no W for a single one",
        [16] = "W > 8 for a multiple of 16 rows, at no W for a single one"} do
        local layout = {bits = 32, rows = rows, type = option.type}
        local claim = claims.judge({lengths = {at(64)}, kinds = {}}, layout)[1]
        equal(claim.condition, want, rows)
        equal(claim.numbers.not_smaller_up_to_one_row, rows < 8 and 128 or math.huge, rows)
    end
end)

case("bytes", function()
    local same = {["words linear"] = 5}
    equal(verdict(judged {at(64), at(128)}.bytes), "holds")
    equal(verdict(judged {at(64, nil, same), at(128)}.bytes), "holds when L is 128 or more")
    equal(verdict(judged {at(64, nil, same)}.bytes), "does not hold")
    local claim = judged {at(64)}["rearranging.bytes"]
    equal(verdict(claim), "does not hold")
    ok(claim.text:find("packing alone explains", 1, true))
    claim = judged {at(64, nil, {bits = 5})}["rearranging.bytes"]
    equal(verdict(claim), "holds")
    ok(not claim.text:find("packing alone", 1, true))
end)

case("converting is judged against the strongest boolean method", function()
    equal(verdict(judged {at(64, {convert = 80})}.conversion), "holds")
    local claim = judged {at(64, {convert = 80, ["bool-vector"] = 450})}.conversion
    equal(verdict(claim), "does not hold")
    equal(claim.numbers.drained, 80 / 100)
    equal(claim.numbers.vector, 80 / 50)
    ok(claim.text:find("against vector loads after 1.600 uses", 1, true), claim.text)
    claim = judged {at(64, {["bool-vector"] = 400})}.conversion
    ok(claim.text:find("against vector loads never", 1, true), claim.text)
end)

-- The verdict on heads: times of booleans and of words for one head, then for many.
local function on_heads(...)
    local time = {...}
    local function with(heads, bool, words)
        local e = at(64, {bool = bool, ["bool-vector"] = bool, ["words linear"] = words})
        e.heads, e.height, e.width = heads, 64, 64
        return e
    end
    local soft = {methods = {}, height = 64, width = 64}
    for _, claim in ipairs(claims.judge({lengths = {at(64)}, kinds = {}, softmax = soft,
        heads = {with(1, time[1], time[2]), with(8, time[3], time[4])}}, option)) do
        if claim.id == "heads" then
            return claim.verdict
        end
    end
end

case("a gain that heads keep is one", function()
    equal(on_heads(500, 400, 4000, 3200), "holds")
    equal(on_heads(500, 400, 4000, 3900), "does not hold")
    equal(on_heads(400, 500, 4000, 4500), "does not hold") -- there was none to begin with
end)

-- The claims by id on masks in place and on the softmax: times of rows by label, of each kind; `longer`: of
-- causal masks of 128 (those of 64).
local function on_uses(kinds, softmax, longer)
    local entry = {lengths = {at(64), at(128)}, kinds = {}, kinds_at = 64,
        softmax = {methods = {}, height = 64, width = 64}}
    local function add(list, times)
        for label, time in pairs(times or {}) do
            list[#list + 1] = row(label, time, 2)
        end
    end
    for kind, times in pairs(kinds) do
        local e = {kind = kind, length = 64, masked = 0.5, methods = {}}
        add(e.methods, times)
        entry.kinds[#entry.kinds + 1] = e
    end
    add(entry.lengths[1].methods, kinds.causal)
    add(entry.lengths[2].methods, longer or kinds.causal)
    for label, time in pairs(softmax) do
        entry.softmax.methods[#entry.softmax.methods + 1] = row(label, time, 9)
    end
    local out = {}
    for _, claim in ipairs(claims.judge(entry, option)) do
        out[claim.id] = claim
    end
    return out
end

case("in place and in the softmax words are judged against the strongest of each form", function()
    local slow = {["bool-store"] = 900, ["bool-store-vector"] = 400, ["bits-store"] = 390, ["bits-store-vector"] = 900,
        ["words-store"] = 400}
    local fast = {["bool-store"] = 900, ["bool-store-vector"] = 500, ["bits-store"] = 490, ["bits-store-vector"] = 395,
        ["words-store"] = 400}
    local by = on_uses({causal = slow, random = fast}, {["softmax-bool"] = 500, ["softmax-bool-vector"] = 450,
        ["softmax-bits"] = 401, ["softmax-bits-vector"] = 480, ["softmax-words"] = 400})
    equal(verdict(by["in-place"]), "holds when the mask is random")
    ok(by["in-place"].text:find("causal 1.000 (bool-store-vector; 50.0 % true)", 1, true), by["in-place"].text)
    equal(verdict(by["rearranging.in-place"]), "does not hold")
    ok(by["rearranging.in-place"].text:find("random 0.988 (bits-store-vector;", 1, true))
    equal(verdict(by.softmax), "holds")
    equal(by.softmax.numbers.ratio, 450 / 400)
    equal(verdict(by["rearranging.softmax"]), "does not hold")
    by = on_uses({causal = fast, random = fast}, {})
    equal(verdict(by["in-place"]), "holds")
    by = on_uses({causal = slow, random = fast}, {}, fast)
    equal(verdict(by["in-place"]), "holds when the mask is random or causal and L is 128 or more")
    ok(by["in-place"].text:find("; causal by L: 1.000 at 64, 1.250 at 128.", 1, true), by["in-place"].text)
    slow["bits-store"], slow["bits-store-vector"] = nil, nil -- a board that cannot run them
    by = on_uses({causal = slow}, {["softmax-words"] = 400})
    equal(verdict(by["in-place"]), "does not hold")
    equal({by["rearranging.in-place"], by.softmax, by["rearranging.softmax"]}, {})
end)

test.finish()
