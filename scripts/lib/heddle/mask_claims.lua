-- What is claimed of the packed mask, and what the measurements on a board say: "holds", "holds when", "does not hold".
--
--   for _, claim in ipairs(claims.judge(entry, option)) do print(claim.claim, claim.verdict, claim.text) end
--
-- entry: what heddle.mask_board measured of the generated workloads. Times are compared as heddle.mask_compare does.
local compare = require "heddle.mask_compare"
local mask = require "heddle.mask"
local report = require "heddle.report"
local sweeps = require "heddle.mask_sweeps"
local tables = require "heddle.mask_tables"

local claims = {}

local WORDS = "words linear" -- the walk that works for every size of elements

local MARGIN = compare.MARGIN
local fine, count, short = tables.fine, report.count, report.short
local rows_of, last, ratio, faster = compare.rows_of, compare.last, compare.ratio, compare.faster
local split, where, verdict = compare.split, compare.where, compare.verdict

-- ---- size and bytes ----

local function size(entry, option)
    local layout, e = mask.layout(option.bits), last(entry.lengths)
    local two, one, share = mask.not_smaller(layout, 2), mask.not_smaller(layout, 1), mask.share(layout, 24, 24)
    local small = entry.small and rows_of(entry.small)
    return {
        id = "size", claim = "The packed mask is smaller than the boolean one", verdict = "holds when",
        condition = ("W > %d for an even number of rows, W > %d for a single one"):format(two, one),
        numbers = {not_smaller_up_to = two, not_smaller_up_to_one_row = one, share = e.share, share_24 = share},
        text = ("At L = %d it has 1/%.0f as many words as the mask has elements, which is 1/%s of its bytes. 16 " ..
            "sentences padded to 24 words take %d bytes as booleans and %.0f packed%s."):format(e.length,
            option.bits // 8 / e.share, short(1 / e.share), 16 * 24 * 24, 16 * 24 * 24 * share,
            small and (", and their fill is %s times as fast as by byte loads, %s by vector loads"):format(
                fine(ratio(small[WORDS], small.bool)), fine(ratio(small[WORDS], small["bool-vector"]))) or ""),
    }
end

-- At L1 every access counts for itself, so that rows which do not begin at a sector cost narrow accesses more.
local function unaligned(entry, option)
    local s = option.type.size
    local limit = (2 * s + 1) / (2 * s + 1 / 8)
    for _, e in ipairs(entry.widths or {}) do
        local by = rows_of(e)
        local at_l1 = sweeps.l1_ratio(by.bool, by[WORDS])
        if e.width == 1000 and at_l1 > limit then
            return (" At W = 1000 L1 moves %s times less, more than the %s that whole sectors allow: rows begin " ..
                "inside sectors, and narrow loads of booleans touch more of them. DRAM says %s."):format(fine(at_l1),
                fine(limit), fine(by[WORDS].bytes_ratio))
        end
    end
    return ""
end

local function bytes(entry, option)
    local e, by = last(entry.lengths)
    local bool, words = by.bool, by[WORDS]
    local less = function(r) return r[WORDS].board_bytes < r.bool.board_bytes end
    local yes, no = split(entry, less)
    local from, not_at = compare.turns(entry, less)
    local condition = compare.condition(yes, no)
    if from and not_at then
        condition = ("W > %d (measured from %d on)"):format(not_at, from)
    end
    return {
        id = "bytes", claim = "The packed mask relieves the board's memory",
        verdict = condition and "holds when" or verdict(yes, no), condition = condition,
        numbers = {bool = bool.bytes_per_element, words = words.bytes_per_element, ratio = words.bytes_ratio,
            ideal = bool.ideal_bytes / words.ideal_bytes},
        text = ("At L = %d it moves %s bytes for an element of %s instead of %s: %s times less, where %s is " ..
            "predicted.%s"):format(e.length, fine(words.bytes_per_element), option.type.name,
            fine(bool.bytes_per_element), fine(words.bytes_ratio), fine(bool.ideal_bytes / words.ideal_bytes),
            unaligned(entry, option)),
    }
end

-- ---- time ----

-- What the cycles of a launch alone would say, and why not to believe it.
local function as_launched(entry)
    local e, by = last(entry.lengths)
    local bool, words = by.bool, by[WORDS]
    if words.speedup < (1 + MARGIN) * words.speedup_drained then
        return ""
    end
    return (" The launches alone give %s at L = %d, because %.0f %% of what words move is still in L2 when they " ..
        "end, and %.0f %% of what booleans move."):format(fine(words.speedup), e.length, 100 * words.dirty_share,
        100 * bool.dirty_share)
end

local function time(entry)
    local function against(name)
        return function(r) return faster(r[WORDS], r[name]) end
    end
    local bool_yes, bool_no = split(entry, against "bool")
    local yes, no = split(entry, against "bool-vector")
    local e, by = last(entry.lengths)
    local claim = {
        id = "time", claim = "masked_fill by packed words is faster than by the boolean mask",
        numbers = {faster_than_bool_at = bool_yes, faster_than_vector_at = yes, over_bool = ratio(by[WORDS], by.bool),
            over_vector = ratio(by[WORDS], by["bool-vector"])},
        text = ("Faster than byte loads %s%s; than vector loads %s%s. At L = %d, all written back, %s and %s times " ..
            "as fast, where the bytes allow %s.%s"):format(where(bool_yes, bool_no),
            compare.turns_text(entry, against "bool"), where(yes, no), compare.turns_text(entry, against "bool-vector"),
            e.length, fine(ratio(by[WORDS], by.bool)), fine(ratio(by[WORDS], by["bool-vector"])),
            fine(by[WORDS].bytes_ratio), as_launched(entry)),
    }
    local best_yes, best_no = split(entry, function(r) return faster(r[WORDS], compare.strongest(r)) end)
    claim.verdict, claim.condition = verdict(best_yes, best_no), compare.condition(best_yes, best_no)
    if #best_yes == 0 and #bool_yes > 0 then
        local also = compare.condition(bool_yes, bool_no)
        claim.verdict = "holds when"
        claim.condition = "the baseline loads booleans byte by byte" .. (also and " and " .. also or "")
    end
    return claim
end

local function instructions(entry)
    local e, by = last(entry.lengths)
    local yes, no = split(entry, function(r) return r[WORDS].instructions < r.bool.instructions end)
    local parts = {}
    for _, label in ipairs {"bool", "bool-vector", "bits", WORDS, "words packed", "words interleaved"} do
        parts[#parts + 1] = by[label] and ("%s %s"):format(label, short(by[label].instructions)) or nil
    end
    return {
        id = "instructions", claim = "The packed words are used as they are, by sel and shl",
        verdict = verdict(yes, no), condition = compare.condition(yes, no),
        numbers = {bool = by.bool.instructions, words = by[WORDS].instructions},
        text = ("Instructions of a thread for an element at L = %d, set-up included: %s."):format(e.length,
            table.concat(parts, ", ")),
    }
end

-- ---- packing alone ----

local function rearranging_bytes(entry)
    local e, by = last(entry.lengths)
    local words, bits = by[WORDS], by.bits
    if not bits then
        return nil
    end
    local saves = (1 + MARGIN) * words.board_bytes < bits.board_bytes
    return {
        id = "rearranging.bytes", claim = "Rearranging the bits saves bytes of the board",
        verdict = saves and "holds" or "does not hold",
        numbers = {words = words.bytes_per_element, bits = bits.bytes_per_element},
        text = ("Packed in the order of the rows it is %s bytes for an element at L = %d, rearranged %s%s."):format(
            fine(bits.bytes_per_element), e.length, fine(words.bytes_per_element),
            saves and "" or ": packing alone explains all that is saved"),
    }
end

local function rearranging_time(entry)
    local e, by = last(entry.lengths)
    local words, best = by[WORDS], compare.best_bits(by)
    if not best or not by["convert-bits"] then
        return nil
    end
    local yes, no = split(entry, function(r) return faster(r[WORDS], compare.best_bits(r)) end)
    local function mask_at_l1(row, name)
        local t = row.tensors[name]
        return ("%s bytes for an element by accesses of %s"):format(fine(t.l1_moved / row.elements),
            report.plural(math.floor(t.sectors / t.requests + 0.5), "sector"))
    end
    return {
        id = "rearranging.time", claim = "Rearranging the bits makes the fill faster than packing alone",
        verdict = verdict(yes, no), condition = compare.condition(yes, no),
        numbers = {words = words.cycles, bits = by.bits.cycles, best = best.cycles},
        text = ("At L = %d words take %s cycles, bits in the order of the rows %s%s; all written back, words are " ..
            "%s times as fast. Instructions of a thread for an element: %s and %s. Of the mask L1 moves %s; not " ..
            "rearranged, %s. Converting takes %s and %s cycles."):format(e.length, count(words.cycles),
            count(by.bits.cycles),
            best ~= by.bits and (" (%s, several elements at a time)"):format(count(best.cycles)) or "",
            fine(ratio(words, best)), short(words.instructions), short(best.instructions), mask_at_l1(words, "words"),
            mask_at_l1(best, "bits"), count(by.convert.cycles), count(by["convert-bits"].cycles)),
    }
end

-- ---- conversion, heads, controls ----

local function conversion(entry)
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

local function heads(entry)
    if #entry.heads < 2 then
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
            "bytes of boolean mask for an element, DRAM gives %s%s; the ratio of all bytes of the board is %s, with " ..
            "%s %s. With one conversion for them all it is %s times as fast as byte loads."):format(e.heads,
            fine(gain), best.label, report.plural(entry.heads[1].heads, "head"), fine(gain_one), fine(l1), fine(dram),
            (1 + MARGIN) * dram < l1 and ", because caches keep the mask" or "", fine(less),
            report.plural(entry.heads[1].heads, "head"), fine(less_one), fine(by[WORDS].speedup_once_drained)),
    }
end

local function controls(entry)
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
        text = ("Loading each boolean once for %d heads moves %s bytes for an element in %s cycles; packed words, " ..
            "loaded by each head, %s in %s%s. A causal mask computed from indices at L = %d moves %s in %s cycles, " ..
            "packed words %s in %s."):format(e.heads, fine(shared.bytes_per_element), count(shared.cycles),
            fine(words.bytes_per_element), count(words.cycles),
            by["words-heads"] and (", loaded once %s"):format(count(by["words-heads"].cycles)) or "", longest.length,
            fine(indices.bytes_per_element), count(indices.cycles), fine(words_there.bytes_per_element),
            count(words_there.cycles)),
    }
end

local function in_place(entry)
    local yes, no, parts = {}, {}, {}
    for _, e in ipairs(entry.kinds) do
        local by = rows_of(e)
        local bool, words = by["bool-store"], by["words-store"]
        if e.length == entry.kinds_at and bool and words then
            local list = faster(words, bool) and yes or no
            list[#list + 1] = e.kind
            parts[#parts + 1] = ("%s %s (%.1f %% true)"):format(e.kind, fine(ratio(words, bool)), 100 * e.masked)
        end
    end
    return #parts > 0 and {
        id = "in-place", claim = "In place, storing only where the mask is true, packed words are faster",
        verdict = verdict(yes, no), condition = #yes > 0 and #no > 0 and "the mask is " .. compare.series(yes) or nil,
        numbers = {faster = yes, not_faster = no},
        text = ("By kind of mask at L = %d, all written back: %s."):format(entry.kinds_at, table.concat(parts, ", ")),
    } or nil
end

local function attention(entry)
    local by = rows_of(entry.softmax)
    local bool, words = by["softmax-bool"], by["softmax-words"]
    return bool and words and {
        id = "softmax", claim = "Softmax of masked scores is faster with packed words",
        verdict = faster(words, bool) and "holds" or "does not hold",
        numbers = {bool = bool.cycles, words = words.cycles},
        text = ("%d x %d fp32 scores: %s and %s cycles, all written back %s times as fast; %s and %s bytes for an " ..
            "element."):format(entry.softmax.height, entry.softmax.width, count(bool.cycles), count(words.cycles),
            fine(ratio(words, bool)), fine(bool.bytes_per_element), fine(words.bytes_per_element)),
    }
end

-- All claims that were measured: fewer with --brief, and where the board cannot run a control.
function claims.judge(entry, option)
    local judges = {size, bytes, time, instructions, rearranging_bytes, rearranging_time, conversion}
    for _, judge in ipairs(entry.heads and {heads, controls, in_place, attention} or {in_place}) do
        judges[#judges + 1] = judge
    end
    local list = {}
    for _, judge in ipairs(judges) do
        list[#list + 1] = judge(entry, option) or nil
    end
    return list
end

return claims
