-- Verdicts on the claims about the packed mask, from measurements on a board: "holds", "holds when", "does not hold".
--
--   for _, claim in ipairs(claims.judge(entry, option)) do print(claim.claim, claim.verdict, claim.text) end
--
-- entry: what heddle.mask.measure measured of the generated workloads. Times are compared as heddle.mask.compare does.
local compare = require "heddle.mask.compare"
local json = require "heddle.kit.json"
local mask = require "heddle.mask.definition"
local report = require "heddle.kit.report"
local sweeps = require "heddle.mask.sweeps"
local tables = require "heddle.mask.tables"
local uses = require "heddle.mask.uses"

local claims = {}

local MARGIN, WORDS = compare.MARGIN, compare.WORDS
local fine, count, short = tables.fine, report.count, report.short
local rows_of, last, ratio, faster = compare.rows_of, compare.last, compare.ratio, compare.faster
local split, where, verdict = compare.split, compare.where, compare.verdict

-- ---- size and bytes ----

-- Words per element, as text.
local function as_many(share)
    return share < 1 and ("1/%s as many"):format(short(1 / share)) or share > 1 and ("%s times as many"):format(
        short(share)) or "as many"
end

-- The bytes of packed words, as a share of the mask's.
local function of_its_bytes(share)
    return share < 1 and ("1/%s of its bytes"):format(short(1 / share)) or share > 1 and
        ("%s times its bytes"):format(short(share)) or "as many bytes"
end

-- How fast the fill of the small case is.
local function in_small(entry)
    if not entry.small then
        return ""
    end
    local by = rows_of(entry.small)
    local vector = by["bool-vector"]
    return (", and their fill is %s times as fast as by byte loads%s"):format(fine(ratio(by[WORDS], by.bool)),
        vector and (", %s by vector loads"):format(fine(ratio(by[WORDS], vector))) or "")
end

local function size(entry, option)
    local layout, e = mask.layout(option.bits, option.rows), last(entry.lengths)
    local whole, one = mask.not_smaller(layout, layout.rows), mask.not_smaller(layout, 1)
    local share = mask.share(layout, 24, 24)
    local condition = ("W > %d"):format(whole)
    if layout.rows > 1 then
        condition = ("%s for %s rows, %s for a single one"):format(condition,
            layout.rows == 2 and "an even number of" or ("a multiple of %d"):format(layout.rows),
            one == math.huge and "at no W" or ("W > %d"):format(one))
    end
    return {
        id = "size", claim = "The packed mask is smaller than the boolean one", verdict = "holds when",
        condition = condition,
        numbers = {not_smaller_up_to = whole, not_smaller_up_to_one_row = one, -- null: at no W
            share = e.share, share_24 = share},
        text = ("At L = %d it has %s words as the mask has elements, which is %s. 16 " ..
            "sentences padded to 24 words take %s bytes as booleans and %s packed%s."):format(e.length,
            as_many(e.share / (option.bits // 8)), of_its_bytes(e.share), count(16 * 24 * 24),
            count(16 * 24 * 24 * share), in_small(entry)),
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
                "inside sectors, and narrow loads of booleans touch more of them. At DRAM it is %s."):format(
                fine(at_l1), fine(limit), fine(by[WORDS].bytes_ratio))
        end
    end
    return ""
end

-- How many times less was moved, or more, and the same of what was predicted.
local function less_or_more(found, predicted)
    if found < 1 then
        return fine(1 / found) .. " times more", fine(1 / predicted)
    end
    return fine(found) .. " times less", fine(predicted)
end

local function bytes(entry, option)
    local e, by = last(entry.lengths)
    local bool, words = by.bool, by[WORDS]
    local less = function(r) return r[WORDS].board_bytes < r.bool.board_bytes end
    local yes, no = split(entry, less)
    local from, not_at = compare.turns(entry, less)
    local condition = compare.condition(yes, no)
    local times, predicted = less_or_more(words.bytes_ratio, bool.ideal_bytes / words.ideal_bytes)
    if from and not_at then
        condition = ("W > %d (measured from %d on)"):format(not_at, from)
    end
    return {
        id = "bytes", claim = "The packed mask relieves the board's memory",
        verdict = condition and "holds when" or verdict(yes, no), condition = condition,
        numbers = {bool = bool.bytes_per_element, words = words.bytes_per_element, ratio = words.bytes_ratio,
            ideal = bool.ideal_bytes / words.ideal_bytes},
        text = ("At L = %d it moves %s bytes per element of %s instead of %s: %s, where %s is " ..
            "predicted.%s"):format(e.length, fine(words.bytes_per_element), option.type.name,
            fine(bool.bytes_per_element), times, predicted, unaligned(entry, option)),
    }
end

-- ---- time ----

-- The speed-up by the cycles of the launches alone, and why it is misleading.
local function as_launched(entry)
    local e, by = last(entry.lengths)
    local bool, words = by.bool, by[WORDS]
    if words.speedup < (1 + MARGIN) * words.speedup_drained then
        return ""
    end
    return (" The launches alone give %s at L = %d, because %.0f %% of the bytes of words are still dirty in L2 " ..
        "when they end, and %.0f %% of those of booleans."):format(fine(words.speedup), e.length,
        100 * words.dirty_share, 100 * bool.dirty_share)
end

-- At which L and widths words are faster than another fill.
local function faster_where(entry, label)
    local test = compare.against(WORDS, label)
    return where(split(entry, test)) .. compare.turns_text(entry, test)
end

local function time(entry)
    local bool_yes, bool_no = split(entry, compare.against(WORDS, "bool"))
    local e, by = last(entry.lengths)
    local vector = by["bool-vector"] -- a block of it is 64 threads: more than some boards have
    local over_bool, over_vector = ratio(by[WORDS], by.bool), vector and ratio(by[WORDS], vector)
    local claim = {
        id = "time", claim = "masked_fill by packed words is faster than by the boolean mask",
        numbers = {faster_than_bool_at = json.list(bool_yes), over_bool = over_bool, over_vector = over_vector,
            faster_than_vector_at = vector and json.list((split(entry, compare.against(WORDS, "bool-vector"))))},
        text = ("Faster than byte loads %s; %s. At L = %d, all written back, %s times as fast, where the bytes " ..
            "allow %s.%s"):format(faster_where(entry, "bool"),
            vector and "than vector loads " .. faster_where(entry, "bool-vector") or "vector loads cannot run",
            e.length, fine(over_bool) .. (vector and " and " .. fine(over_vector) or ""),
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

-- Thread-instructions per element that a fill spends on its words, as text.
local function spent(found)
    local parts = {}
    for kind in pairs(found) do
        parts[#parts + 1] = kind ~= "load" and kind or nil
    end
    table.sort(parts)
    for i, kind in ipairs(parts) do
        parts[i] = ("%s %s"):format(kind, short(found[kind]))
    end
    return table.concat(parts, ", ")
end

-- Whether nothing but sel and shl reads the words, but for an xor and a mov of each of their registers.
local function as_they_are(found, bits)
    local once = found.load * math.max(bits // 32, 1)
    local most = {load = found.load, sel = math.huge, shl = math.huge, xor = once, mov = once}
    for kind, n in pairs(found) do
        if n > (most[kind] or 0) then
            return false
        end
    end
    return true
end

local function used_as_they_are(entry, option)
    local e, by = last(entry.lengths)
    local yes, no = split(entry, function(r) return as_they_are(r[WORDS].word_uses, option.bits) end)
    local others = {}
    for _, order in ipairs {"packed", "interleaved"} do
        local row = by["words " .. order]
        others[#others + 1] = row and ("%s order: %s"):format(order, spent(row.word_uses)) or nil
    end
    return {
        id = "as-they-are", claim = "The packed words are used as they are, by sel and shl",
        verdict = verdict(yes, no), condition = compare.condition(yes, no), numbers = by[WORDS].word_uses,
        text = ("Judged by the executed instructions that read a word or a value made from it: sel and shl alone, " ..
            "but for an xor of each register of a word, so that one kernel takes both polarities%s. " ..
            "Thread-instructions per element at L = %d: %s%s."):format(by[WORDS].word_uses.mov and ", and a mov" or "",
            e.length, spent(by[WORDS].word_uses),
            #others > 0 and " (" .. table.concat(others, "; ") .. ")" or ""),
    }
end

local function instructions(entry)
    local e, by = last(entry.lengths)
    local vector = by["bool-vector"]
    local function fewest(r)
        local other = r["bool-vector"]
        return math.min(r.bool.instructions, other and other.instructions or math.huge)
    end
    local yes, no = split(entry, function(r) return r[WORDS].instructions < fewest(r) end)
    local parts = {}
    for _, label in ipairs {"bool", "bool-vector", "bits", "bits-vector", WORDS, "words packed", "words interleaved"} do
        parts[#parts + 1] = by[label] and ("%s %s"):format(label, short(by[label].instructions)) or nil
    end
    return {
        id = "instructions", claim = "A fill by packed words takes fewer instructions than by booleans",
        verdict = verdict(yes, no), condition = compare.condition(yes, no),
        numbers = {bool = by.bool.instructions, words = by[WORDS].instructions,
            vector = vector and vector.instructions},
        text = ("Judged by all thread-instructions per element, linear words against %s; at " ..
            "L = %d: %s."):format(vector and "the fewer of byte and vector loads" or "byte loads", e.length,
            table.concat(parts, ", ")),
    }
end

-- ---- packing alone ----

local function rearranging_bytes(entry)
    local e, by = last(entry.lengths)
    local words, bits = by[WORDS], compare.best_bits(by)
    if not bits then
        return nil
    end
    local saves = (1 + MARGIN) * words.board_bytes < bits.board_bytes
    return {
        id = "rearranging.bytes", claim = "Rearranging the bits saves bytes of the board",
        verdict = saves and "holds" or "does not hold",
        numbers = {words = words.bytes_per_element, bits = bits.bytes_per_element},
        text = ("Packed in the order of the rows it is %s bytes per element at L = %d, rearranged %s%s."):format(
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
    local yes, no = split(entry, function(r)
        local rival = compare.best_bits(r)
        return rival and faster(r[WORDS], rival)
    end)
    local bits = by.bits or best -- few registers: several elements at a time only
    local function mask_at_l1(row, name)
        local t = row.tensors[name]
        return ("%s bytes per element by accesses of %s"):format(fine(t.l1_moved / row.elements),
            report.plural(math.floor(t.sectors / t.requests + 0.5), "sector"))
    end
    return {
        id = "rearranging.time", claim = "Rearranging the bits makes the fill faster than packing alone",
        verdict = verdict(yes, no), condition = compare.condition(yes, no),
        numbers = {words = words.cycles, bits = bits.cycles, best = best.cycles},
        text = ("At L = %d words take %s cycles, bits in the order of the rows %s%s; all written back, words are " ..
            "%s times as fast. Thread-instructions per element: %s and %s. Of the mask L1 moves %s; not " ..
            "rearranged, %s. Converting takes %s and %s cycles."):format(e.length, count(words.cycles),
            count(bits.cycles), best ~= bits and (" (%s, several elements at a time)"):format(count(best.cycles)) or "",
            fine(ratio(words, best)), short(words.instructions), short(best.instructions), mask_at_l1(words, "words"),
            mask_at_l1(best, "bits"), count(by.convert.cycles), count(by["convert-bits"].cycles)),
    }
end

-- All claims that were measured: fewer with --brief, and where the board cannot run a control.
function claims.judge(entry, option)
    local list = {}
    for _, judge in ipairs {size, bytes, time, used_as_they_are, instructions, rearranging_bytes, rearranging_time,
        uses.conversion, uses.heads, uses.controls, uses.in_place, uses.rearranged_in_place, uses.softmax,
        uses.rearranged_softmax} do
        list[#list + 1] = judge(entry, option) or nil
    end
    return list
end

return claims
