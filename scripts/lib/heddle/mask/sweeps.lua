-- The report of the mask study on generated workloads: a table for each sweep, then the claims.
local compare = require "heddle.mask.compare"
local measure = require "heddle.mask.measure"
local report = require "heddle.kit.report"
local tables = require "heddle.mask.tables"

local sweeps = {}

local by_label, fine, percent = tables.by_label, tables.fine, report.percent

local function whole(v)
    return ("%d"):format(v)
end

function sweeps.head(out, option)
    out:say("Generated masks of L x L, %s, fill %s; %s. The images of a workload have at least %s elements in " ..
        "total. Padding and blocks: %s.", option.type.name, option.value_text, tables.words_text(option),
        report.count(option.elements), option.sentences.about)
    if option.method ~= "all" and (option.heads or 1) > 1 then
        out:say("%d images of x use one mask.", option.heads)
    end
    for _, side in ipairs(option.lengths) do
        if side * side * measure.IMAGES < option.elements then
            return out:say("Workloads of small masks have %s images, and fewer elements.", report.count(measure.IMAGES))
        end
    end
end

-- ---- against L ----

local FILLS = {"bool", "bool-vector", "bits", "bits-vector", "words linear", "words packed", "words interleaved",
    "causal"}

-- Those labels that are timed in some entry of a list.
local function present(list, labels)
    local found, out = {}, {}
    for _, entry in ipairs(list) do
        for _, row in ipairs(entry.methods) do
            found[row.label] = found[row.label] or row.timed
        end
    end
    for _, label in ipairs(labels) do
        out[#out + 1] = found[label] and label or nil
    end
    return out
end

-- A table with a row for each entry: the cells of `first`, one for each label, those of `after`.
local function against(out, list, labels, heads, cells)
    local rows = {}
    for i, entry in ipairs(list) do
        local by = by_label(entry.methods)
        local row = cells.first(entry, by)
        for _, label in ipairs(labels) do
            row[#row + 1] = by[label] and by[label].timed and cells.each(by[label]) or ""
        end
        local after = cells.after(entry, by)
        rows[i] = table.move(after, 1, #after, #row + 1, row)
    end
    local all = table.move(heads[1], 1, #heads[1], 1, {})
    table.move(labels, 1, #labels, #all + 1, all)
    out:put(table.move(heads[2], 1, #heads[2], #all + 1, all), rows)
end

-- Words against vector loads, if they could run.
local function over_vector(words, vector)
    return vector and vector.timed and fine(vector.drained / words.drained) or ""
end

local function speed_ups(out, entry)
    local labels = present(entry.lengths, table.move(FILLS, 2, #FILLS, 1, {}))
    out:say("Speed-up over byte loads of the boolean mask, whose cycles are in the third column; causal masks, but " ..
        "the time of these fills is not data-dependent. The last columns are linear words with write-back of the " ..
        "lines left dirty in L2: over byte loads, over vector loads, and with one conversion for this one use.")
    local heads = {{"L", "images", "bool cycles"}, {"written back", "over vector", "converted"}}
    against(out, entry.lengths, labels, heads, {
        first = function(e, by)
            return {whole(e.length), report.count(e.n), by.bool and report.count(by.bool.cycles) or ""}
        end,
        each = function(row) return fine(row.speedup) end,
        after = function(_, by)
            local words, vector = by["words linear"], by["bool-vector"]
            if not words or not words.timed then
                return {"", "", ""}
            end
            return {fine(words.speedup_drained), over_vector(words, vector),
                fine(words.speedup_once_drained)}
        end,
    })
end

local function board_bytes(out, entry, option)
    out:say("DRAM bytes per element, including those still dirty in L2 at the end; then %s with the boolean mask " ..
        "and with packed words.", tables.least(option))
    against(out, entry.lengths, present(entry.lengths, FILLS), {{"L"}, {"least bool", "least words"}}, {
        first = function(e) return {whole(e.length)} end,
        each = function(row) return fine(row.bytes_per_element) end,
        after = function(_, by)
            local words = by["words linear"] or by["words packed"]
            return {by.bool and fine(by.bool.ideal_bytes) or "", words and fine(words.ideal_bytes) or ""}
        end,
    })
end

-- ---- the other sweeps ----

local STORES = {"bool-store-vector", "bits-store", "bits-store-vector", "words-store"}

local function in_place(out, entry, option)
    local rows = {}
    for _, e in ipairs(entry.kinds) do
        local by = by_label(e.methods)
        local bool, words = by["bool-store"], by["words-store"]
        if e.length == entry.kinds_at and bool and words then
            local row = {e.kind, percent(e.masked), report.count(bool.cycles)}
            for _, label in ipairs(STORES) do
                row[#row + 1] = by[label] and by[label].timed and fine(by[label].speedup_drained) or ""
            end
            rows[#rows + 1] = table.move({fine(bool.bytes_per_element), fine(bool.ideal_bytes),
                fine(words.bytes_per_element), fine(words.ideal_bytes)}, 1, 4, #row + 1, row)
        end
    end
    if #rows > 0 then
        out:say("In place at L = %d, storing only where the mask is true: here the traffic is data-dependent. " ..
            "Cycles of byte loads of booleans, speed-up over them with write-back; then bytes per element, and %s.",
            entry.kinds_at, tables.least(option))
        out:put(table.move({"bool bytes", "least", "words bytes", "least"}, 1, 4, #STORES + 4,
            table.move(STORES, 1, #STORES, 4, {"mask", "true", "bool-store"})), rows)
    end
end

local function l1_bytes(row)
    local sum = 0
    for _, tensor in pairs(row.tensors) do
        sum = sum + tensor.l1_moved
    end
    return sum
end

-- The ratio of bytes at L1, where nothing is coalesced across accesses, of the boolean fill to that by words.
function sweeps.l1_ratio(bool, words)
    return l1_bytes(bool) / l1_bytes(words)
end

local function widths(out, entry)
    local rows = {}
    for i, e in ipairs(entry.widths) do
        local by = by_label(e.methods)
        local words, vector = by["words linear"], by["bool-vector"]
        rows[i] = {whole(e.width), report.count(e.n), fine(e.share), fine(by.bool.bytes_per_element),
            fine(words.bytes_per_element), fine(words.bytes_ratio), fine(sweeps.l1_ratio(by.bool, words)),
            fine(words.speedup_drained), over_vector(words, vector)}
    end
    out:say("Square masks of other widths, with as many elements in total: bytes of packed mask per element of the " ..
        "mask, DRAM bytes per element of x, their ratio, the ratio at L1; speed-up of linear words over byte loads " ..
        "and over vector loads, with write-back.")
    out:put({"W", "images", "packed mask", "bool bytes", "words bytes", "ratio", "ratio at L1", "speed-up",
        "over vector"}, rows)
end

local function heads(out, entry)
    local rows, of_32 = {}, by_label(entry.heads[1].methods)["words-heads"] ~= nil
    for i, e in ipairs(entry.heads) do
        local by = by_label(e.methods)
        local bool, words = by.bool, by["words linear"]
        local function speedup(label)
            return by[label] and fine(by[label].speedup) or ""
        end
        rows[i] = {whole(e.heads), report.count(bool.cycles), speedup "bool-vector", fine(words.speedup),
            fine(words.speedup_once), speedup "bool-heads", of_32 and speedup "words-heads" or false,
            fine(bool.tensors.mask.l1_moved / bool.elements), fine(bool.tensors.mask.dram_moved / bool.elements),
            fine(words.bytes_ratio)}
        table.remove(rows[i], of_32 and #rows[i] + 1 or 7)
    end
    out:say("A %d x %d mask for K images of x, all in one launch: cycles of byte loads, and the speed-up over them " ..
        "of vector loads, of linear words without and with one conversion, and of kernels that load the mask once " ..
        "for all heads. Then bytes of the boolean mask per element at L1 and at DRAM, and the ratio of all DRAM " ..
        "bytes with booleans and with words.%s", entry.heads[1].height, entry.heads[1].width,
        of_32 and "" or " words-heads is skipped: it takes words of 32 bits, for two rows.")
    local columns = {"K", "bool cycles", "bool-vector", "words", "converted once", "bool-heads", "words-heads",
        "mask at L1", "mask at DRAM", "bytes ratio"}
    table.remove(columns, of_32 and #columns + 1 or 7)
    out:put(columns, rows)
end

local function small(out, entry)
    local e = entry.small
    out:say("A small real case: %d sentences padded to %d words, %s of the mask true. Packed it takes %s times the " ..
        "bytes of the boolean mask.", e.n, e.width, percent(e.masked), fine(e.share))
    tables.costs(out, e.methods)
end

local function softmax(out, entry, option)
    local e = entry.softmax
    local same = e.word_bits == option.bits and e.word_rows == option.rows
    out:say("Softmax of %d x %d masked fp32 scores, times %g, in one kernel.%s", e.height, e.width, e.scale,
        same and "" or " Its words are of 32 bits for two rows (published), which are all that softmax-words takes.")
    tables.costs(out, entry.softmax.methods)
end

-- ---- results ----

local function compared(out, entry)
    local results, elements = 0, 0
    for _, list in ipairs {entry.kinds, entry.widths or {}, entry.heads or {}, {entry.small}, {entry.softmax}} do
        for _, e in ipairs(list) do
            for _, row in ipairs(e.methods) do
                results = results + (row.verified and 1 or 0)
                elements = elements + (row.verified and e.n * e.heads * e.height * e.width or 0)
            end
        end
    end
    out:say("Compared with the definition, element by element: %s of every kind of mask, %s M elements.",
        report.plural(results, "result"), report.count(elements / 1e6))
end

function sweeps.claims(out, list)
    out:say("Verdicts, where times within %.0f %% of each other count as equal:", 100 * compare.MARGIN)
    out:claims(list)
end

function sweeps.workloads(out, entry, option)
    local largest = entry.lengths[#entry.lengths]
    tables.title(out, entry)
    speed_ups(out, entry)
    if not option.brief then
        board_bytes(out, entry, option)
        out:say("Cost of each method at L = %d.", largest.length)
        tables.explain_costs(out, largest.methods, option)
        tables.costs(out, largest.methods)
        tables.bytes(out, largest.methods)
        in_place(out, entry, option)
    end
    if entry.widths then
        widths(out, entry)
        heads(out, entry)
        small(out, entry)
        softmax(out, entry, option)
    end
    tables.skipped(out, entry.lengths)
    tables.left_out(out, largest.left_out)
    compared(out, entry)
    if entry.claims then
        sweeps.claims(out, entry.claims)
    elseif option.method == "all" then
        out:say "Claims are judged with cold caches, of words in linear order."
    end
end

-- The verdicts on all boards.
function sweeps.matrix(out, entries)
    local places = {}
    for i, entry in ipairs(entries) do
        places[i] = {entry.board, entry.claims}
    end
    out:matrix(places)
end

return sweeps
