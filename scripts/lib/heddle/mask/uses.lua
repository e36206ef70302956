-- Claims about the packed mask's uses: once or often, for several heads, in place, in a softmax. For
-- heddle.mask.claims; each function takes the measurements of heddle.mask.measure and returns a claim, or nil.
local compare = require "heddle.mask.compare"
local json = require "heddle.kit.json"
local report = require "heddle.kit.report"
local tables = require "heddle.mask.tables"

local claims = {}

local MARGIN, WORDS = compare.MARGIN, compare.WORDS
local fine, count = tables.fine, report.count
local rows_of, last, ratio, faster = compare.rows_of, compare.last, compare.ratio, compare.faster
local split, verdict = compare.split, compare.verdict

-- ---- conversion, heads, controls ----

function claims.conversion(entry)
    local e, by = last(entry.lengths)
    local uses, words = tables.uses(by, WORDS, "convert"), by[WORDS]
    local function once(r) -- against the strongest boolean method
        return compare.strongest(r).drained / (r[WORDS].drained + r.convert.drained)
    end
    local yes, no = split(entry, function(r) return once(r) > 1 + MARGIN end)
    return {
        id = "conversion", claim = "A mask that is used once is worth converting",
        verdict = verdict(yes, no), condition = compare.condition(yes, no), numbers = uses,
        text = ("At L = %d, converted for one use, the fill moves %s times the bytes; all written back, it is %s " ..
            "times as fast as byte loads, %s times as fast as the fastest boolean method (%s). Converting pays " ..
            "%s."):format(e.length, fine(1 / words.bytes_ratio_once), fine(words.speedup_once_drained),
            fine(once(by)), compare.strongest(by).label, tables.uses_text(uses)),
    }
end

function claims.heads(entry)
    if #(entry.heads or {}) < 2 then
        return nil -- nothing to compare with
    end
    local e, by = last(entry.heads)
    local one = rows_of(entry.heads[1])
    local bool, best = by.bool, compare.strongest(by)
    local gain, gain_one = ratio(by[WORDS], best), ratio(one[WORDS], compare.strongest(one))
    local less, less_one = by[WORDS].bytes_ratio, one[WORDS].bytes_ratio
    local l1, dram = bool.tensors.mask.l1_moved / bool.elements, bool.tensors.mask.dram_moved / bool.elements
    return {
        id = "heads", claim = "The gain stays when several heads share the mask in one launch",
        verdict = gain > 1 + MARGIN and gain >= (1 - MARGIN) * gain_one and "holds" or "does not hold",
        numbers = {heads = e.heads, gain = gain, gain_one = gain_one, bytes_ratio = less, bytes_ratio_one = less_one},
        text = ("%d heads: %s times as fast as the fastest boolean method (%s); %s: %s times. L1 gets %s " ..
            "bytes of boolean mask per element, DRAM gives %s%s; the ratio of all DRAM bytes is %s, with " ..
            "%s %s. With one conversion for them all it is %s times as fast as byte loads."):format(e.heads,
            fine(gain), best.label, report.plural(entry.heads[1].heads, "head"), fine(gain_one), fine(l1), fine(dram),
            (1 + MARGIN) * dram < l1 and ", because caches keep the mask" or "", fine(less),
            report.plural(entry.heads[1].heads, "head"), fine(less_one), fine(by[WORDS].speedup_once_drained)),
    }
end

function claims.controls(entry)
    if not entry.heads then
        return nil
    end
    local e, by = last(entry.heads)
    local longest, longest_by = last(entry.lengths)
    local words, shared = by[WORDS], by["bool-heads"]
    local indices, words_there = longest_by.causal, longest_by[WORDS]
    if not shared or not indices then
        return nil
    end
    local spared = shared.board_bytes <= (1 + MARGIN) * words.board_bytes
    return {
        id = "controls", claim = "Only a packed mask spares the mask's bytes",
        verdict = (spared or indices.board_bytes <= words_there.board_bytes) and "does not hold" or "holds",
        numbers = {bool_heads = shared.cycles, words_heads = by["words-heads"] and by["words-heads"].cycles,
            words = words.cycles, causal = indices.cycles},
        text = ("Loading each boolean once for %d heads moves %s bytes per element in %s cycles; packed words, " ..
            "loaded by each head, %s in %s%s. A causal mask computed from indices at L = %d moves %s in %s cycles, " ..
            "packed words %s in %s."):format(e.heads, fine(shared.bytes_per_element), count(shared.cycles),
            fine(words.bytes_per_element), count(words.cycles),
            by["words-heads"] and (", loaded once %s"):format(count(by["words-heads"].cycles)) or "", longest.length,
            fine(indices.bytes_per_element), count(indices.cycles), fine(words_there.bytes_per_element),
            count(words_there.cycles)),
    }
end

-- ---- where the mask is most of what is read, or is used in practice ----

local STORES = {bool = {"bool-store", "bool-store-vector"}, bits = {"bits-store", "bits-store-vector"}}
local SOFTMAXES = {bool = {"softmax-bool", "softmax-bool-vector"}, bits = {"softmax-bits", "softmax-bits-vector"}}

-- Words in place against the fastest of these methods, wherever both were timed: calls `take` with the workload, the
-- fastest, how many times as fast words are, and whether that is faster.
local function each_in_place(list, rivals, take)
    for _, e in ipairs(list) do
        local by = rows_of(e)
        local words = by["words-store"]
        local rival = words and words.timed and compare.fastest(by, rivals)
        if rival then
            take(e, rival, ratio(words, rival), faster(words, rival))
        end
    end
end

-- In place: causal masks at every L, other kinds at one.
local function in_place(entry, rivals, id, claim)
    local yes, no, parts = {}, {}, {}
    each_in_place(entry.kinds, rivals, function(e, rival, times, better)
        if e.kind ~= "causal" then
            local list = better and yes or no
            list[#list + 1] = e.kind
        end
        if e.length == entry.kinds_at then
            parts[#parts + 1] = ("%s %s (%s; %.1f %% true)"):format(e.kind, fine(times), rival.label, 100 * e.masked)
        end
    end)
    if #parts == 0 then
        return nil
    end
    local long, short, causal = {}, {}, {}
    each_in_place(entry.lengths, rivals, function(e, _, times, better)
        local list = better and long or short
        list[#list + 1], causal[#causal + 1] = e.length, ("%s at %d"):format(fine(times), e.length)
    end)
    local holds, fails = table.move(yes, 1, #yes, 1, {}), #no + #short
    if #long > 0 then
        holds[#holds + 1] = #short == 0 and "causal" or "causal and " .. compare.condition(long, short)
    end
    return {
        id = id, claim = claim, verdict = fails == 0 and "holds" or #holds == 0 and "does not hold" or "holds when",
        condition = fails > 0 and #holds > 0 and "the mask is " .. compare.series(holds, "or") or nil,
        numbers = {faster = json.list(yes), not_faster = json.list(no), causal_faster_at = json.list(long),
            causal_not_faster_at = json.list(short)},
        text = ("Against the fastest of them, all written back, by kind of mask at L = %d: %s; causal by L: " ..
            "%s."):format(entry.kinds_at, table.concat(parts, ", "), table.concat(causal, ", ")),
    }
end

function claims.in_place(entry)
    return in_place(entry, STORES.bool, "in-place",
        "In place, storing only where the mask is true, packed words are faster than booleans")
end

function claims.rearranged_in_place(entry)
    return in_place(entry, STORES.bits, "rearranging.in-place",
        "In place, rearranging the bits is faster than packing alone")
end

local function softmax(entry, option, rivals, id, claim)
    local by = rows_of(entry.softmax or {methods = {}})
    local rival, words = compare.fastest(by, rivals), by["softmax-words"]
    return rival and words and {
        id = id, claim = claim, verdict = faster(words, rival) and "holds" or "does not hold",
        numbers = {rival = rival.cycles, words = words.cycles, ratio = ratio(words, rival)},
        text = ("%s%d x %d fp32 scores: %s cycles by %s, %s by words, all written back %s times as fast; %s and %s " ..
            "bytes per element."):format(entry.softmax.word_bits ~= option.bits and "By words of 32 bits. " or "",
            entry.softmax.height, entry.softmax.width, count(rival.cycles),
            rival.label, count(words.cycles), fine(ratio(words, rival)), fine(rival.bytes_per_element),
            fine(words.bytes_per_element)),
    } or nil
end

function claims.softmax(entry, option)
    return softmax(entry, option, SOFTMAXES.bool, "softmax",
        "Softmax of masked scores is faster with packed words than booleans")
end

function claims.rearranged_softmax(entry, option)
    return softmax(entry, option, SOFTMAXES.bits, "rearranging.softmax",
        "In the softmax, rearranging the bits is faster than packing alone")
end

return claims
