-- Verdicts on the claims about the unfolding convolution, from measurements on a board: "holds", "holds when", "does
-- not hold".
--
--   for _, claim in ipairs(claims.judge(entry)) do print(claim.claim, claim.verdict, claim.text) end
--
-- entry: what heddle.spconv.runs measured of the generated inputs. A claim is judged on every input: scans, and random
-- occupancies if any. Costs that differ by no more than MARGIN count as equal. Claims about methods that did not run
-- are skipped.
local crossover = require "heddle.spconv.crossover"
local report = require "heddle.kit.report"

local claims = {}

local MARGIN <const> = crossover.MARGIN

local short = report.short

-- ---- inputs ----

-- Everything that was measured with both methods: {name, density, a = cost of the first, b = of the second}. `alone`:
-- the second without what makes a dense result the sparse one.
local function pairs_of(entry, a, b, key, alone)
    local list = {}
    local function add(name, density, by)
        if by[a] and by[b] then
            list[#list + 1] = {name = name, density = density, a = crossover.value(by[a], key, false),
                b = crossover.value(by[b], key, alone)}
        end
    end
    for _, scan in ipairs(entry.scans) do
        add(scan.name, scan.case.density, scan.by)
    end
    for _, sweep in ipairs(entry.sweeps or {}) do
        for _, point in ipairs(sweep.points) do
            add(("random %s, %.3g %%"):format(sweep.name, 100 * point.density), point.density, point.by)
        end
    end
    return list
end

local function less(pair)
    return pair.a < (1 - MARGIN) * pair.b
end

-- On how many inputs the first costs less, and how many times as much the second costs: least and most.
local function counted(list)
    local won, least, most = 0, math.huge, -math.huge
    for _, pair in ipairs(list) do
        won = won + (less(pair) and 1 or 0)
        least, most = math.min(least, pair.b / pair.a), math.max(most, pair.b / pair.a)
    end
    return won, least, most
end

-- "1.2 to 3.4 times"
local function times(least, most)
    return least == most and short(least) .. " times" or ("%s to %s times"):format(short(least), short(most))
end

local function verdict(won, of)
    return won == of and "holds" or won == 0 and "does not hold" or "holds when"
end

-- ---- one method against another ----

-- Where it turns with random occupancy: " By density, 3x3x3: below 0.613 (predicted below 0.57)."
local function crossovers_text(entry, baseline, key, alone)
    local parts = {}
    for _, sweep in ipairs(entry.sweeps or {}) do
        for _, c in ipairs(sweep.crossovers) do
            if c.baseline == baseline and c.key == key then
                local predicted = c.predicted and (" (predicted %s)"):format(crossover.text(c.predicted)) or ""
                parts[#parts + 1] = ("%s: %s%s"):format(sweep.name, crossover.text(alone and c.alone or c.masked),
                    predicted)
            end
        end
    end
    return #parts > 0 and (" By density, %s."):format(table.concat(parts, "; ")) or ""
end

-- Names of inputs: "a; b; random 3x3, 1 %, 3 %"; `one`, `several` in front of them.
local function names_text(names, one, several)
    local parts, last = {}, nil
    for _, name in ipairs(names) do
        local front, share = name:match "^(random .*), ([%d.]+ %%)$"
        if front and front == last then
            parts[#parts] = parts[#parts] .. ", " .. share
        else
            parts[#parts + 1], last = name, front
        end
    end
    return (#names > 1 and several or one) .. table.concat(parts, "; ")
end

-- The inputs on which the first costs less: by density where that separates them, else the smaller group by name.
local function condition(list)
    local won, lost, yes, no = -math.huge, math.huge, {}, {}
    for _, pair in ipairs(list) do
        if less(pair) then
            won, yes[#yes + 1] = math.max(won, pair.density), pair.name
        else
            lost, no[#no + 1] = math.min(lost, pair.density), pair.name
        end
    end
    if won < lost then
        return ("few positions are active: at densities up to %.3g, not at %.3g"):format(won, lost)
    end
    return ("the input is %s (on %d of %d)"):format(#no <= #yes and names_text(no, "not ", "none of ") or
        names_text(yes, "", "one of "), #yes, #list)
end

-- "; on the scans a 1.2, b 3.4"; nothing when there is a single input.
local function scans_text(list, scans)
    local parts = {}
    for i = 1, #list > 1 and math.min(scans, #list) or 0 do
        parts[i] = ("%s %.3g"):format(list[i].name, list[i].b / list[i].a)
    end
    return #parts > 0 and "; on the scans " .. table.concat(parts, ", ") or ""
end

-- A claim that unfolding costs less than a baseline by some measure.
local function against(entry, id, text, baseline, key, what, alone)
    local list = pairs_of(entry, "unfold", baseline, key, alone)
    if #list == 0 then
        return nil
    end
    local won, least, most = counted(list)
    local found = verdict(won, #list)
    return {
        id = id, claim = text, verdict = found, baseline = baseline, measure = key, inputs = #list, won = won,
        condition = found == "holds when" and condition(list) or nil,
        text = ("%s takes %s the %s of unfold%s.%s"):format(baseline, times(least, most), what,
            scans_text(list, #entry.scans), crossovers_text(entry, baseline, key, alone)),
    }
end

-- ---- the claims ----

local list = {}

function list.host(entry)
    local scan = entry.scans[#entry.scans]
    local unfold, book = scan.by.unfold, scan.by.rulebook
    if not unfold then
        return nil
    end
    local text = ("unfold reads back the length of its lists, %s for the scan %s, and nothing else"):format(
        report.plural(unfold.host_bytes, "byte"), scan.name)
    if book then
        text = text .. ("; the rulebook is built by %s of the host in its hash table, and takes %s bytes"):format(
            report.plural(book.host.operations.probes, "look-up"), report.count(book.host_bytes))
    end
    return {id = "host", claim = "A sparse convolution needs no work of the host", verdict = "holds",
        text = text .. "."}
end

function list.one_window(entry)
    local parts, same = {}, true
    for i, scan in ipairs(entry.scans) do
        same = same and scan.case.active == scan.case.windows
        parts[i] = ("%s %s"):format(scan.name, report.count(scan.case.windows))
    end
    return {id = "one-window", claim = "With stride 1 and the size kept, each active position has one window",
        verdict = same and "holds" or "does not hold", text = "Windows: " .. table.concat(parts, ", ") .. "."}
end

local ROWS <const> = {
    {"macs-dense", "It does fewer multiplications than a dense convolution", "dense-direct",
        "macs_asked", "multiplications"},
    {"macs-rulebook", "It does fewer multiplications than the rulebook", "rulebook", "macs_asked", "multiplications"},
    {"issued-rulebook", "Lanes execute fewer multiplications than for the rulebook, including tile edges",
        "rulebook", "macs", "multiplications"},
    {"bytes-im2col", "It moves fewer DRAM bytes than an explicit matrix of all windows", "im2col",
        "board_bytes", "bytes"},
    {"bytes-implicit", "It moves fewer DRAM bytes than an implicit product", "implicit",
        "board_bytes", "bytes"},
    {"bytes-implicit-alone", "It moves fewer bytes than an implicit product whose result is left dense", "implicit",
        "board_bytes", "bytes", true},
    {"bytes-indexed", "It moves fewer bytes than an implicit product over the active windows", "indexed-implicit",
        "board_bytes", "bytes"},
    {"time-direct", "It is faster than a direct dense convolution", "dense-direct", "drained", "cycles"},
    {"time-im2col", "It is faster than an explicit matrix of all windows", "im2col", "drained", "cycles"},
    {"time-implicit", "It is faster than an implicit product", "implicit", "drained", "cycles"},
    {"launched-implicit", "It is faster than an implicit product, launch overhead included",
        "implicit", "launched", "cycles"},
    {"time-rulebook", "It is faster than the rulebook, without the work of the host", "rulebook", "drained",
        "cycles"},
    {"time-indexed", "It is faster than an implicit product over the active windows", "indexed-implicit", "drained",
        "cycles"},
    {"zeros", "Zeroing the matrix and skipping absent elements is faster than writing zeros", "unfold-all", "drained",
        "cycles"},
    {"energy-implicit", "It takes less energy than an implicit product", "implicit", "energy", "energy"},
}

-- The matrix unit, the other way round: it is unfolding with it that is claimed to gain.
function list.matrix_unit(entry)
    local found = pairs_of(entry, "unfold-mma", "unfold", "drained")
    if #found == 0 then
        return nil
    end
    local won, least, most = counted(found)
    return {id = "matrix-unit", claim = "The matrix unit makes it faster", verdict = verdict(won, #found),
        condition = won > 0 and won < #found and condition(found) or nil, inputs = #found, won = won,
        text = ("unfold in fp32 takes %s the cycles of unfold-mma, whose matrix is in fp16%s."):format(
            times(least, most), scans_text(found, #entry.scans))}
end

-- Every claim that can be judged.
function claims.judge(entry)
    local out = {}
    out[#out + 1] = list.host(entry)
    out[#out + 1] = list.one_window(entry)
    for _, row in ipairs(ROWS) do
        out[#out + 1] = against(entry, table.unpack(row))
    end
    out[#out + 1] = list.matrix_unit(entry)
    return out
end

return claims
