-- The report of the mask study on one mask and tensor, for heddle.kit.page; heddle.mask.sweeps has the workloads.
local board = require "heddle.kit.board"
local input = require "heddle.mask.input"
local mask = require "heddle.mask.definition"
local report = require "heddle.kit.report"

local tables = {}

local short, plural, percent = report.short, report.plural, report.percent

-- ---- numbers ----

local function number(v)
    return v and short(v) or ""
end

-- Three decimals: ratios, and bytes per element.
function tables.fine(v)
    return v and ("%.3f"):format(v) or ""
end

local fine = tables.fine

-- Rows of a problem by their label.
function tables.by_label(methods)
    local out = {}
    for _, row in ipairs(methods) do
        out[row.label] = row
    end
    return out
end

-- ---- the problem ----

-- The origin of a layout: the method is published for 32 bits and 2 rows.
function tables.origin(layout)
    return layout.published and "published" or "derived"
end

-- "words of 32 bits", and how many rows share one, unless it is two.
function tables.words_name(layout)
    local rows = layout.rows
    return ("words of %d bits%s"):format(layout.bits, rows == 2 and "" or rows == 1 and ", each of one row" or
        (" for %d rows"):format(rows))
end

function tables.words_text(option)
    local layout = mask.layout(option.bits, option.rows)
    return ("%s (%s, %s), polarity %d"):format(tables.words_name(layout), option.result, tables.origin(layout),
        option.polarity)
end

-- The first lines about a mask and a tensor from files.
function tables.head(out, option, p)
    out:say("%s. %s of x for each image of the mask; fill %s; %s. %s of the mask is true.", table.concat(p.about, ". "),
        plural(p.heads, "image"), option.value_text, tables.words_text(option), percent(p:masked()))
    local before, after, up_to = p.pixels, #p:words(), mask.not_smaller(p.layout, p.height)
    out:say("The mask takes %s as bytes and %s packed: %s per element instead of 1. With %s, packed words are " ..
        "not smaller %s.", input.bytes_text(before), input.bytes_text(after), fine(after / before),
        plural(p.height, "row"), up_to == math.huge and "at any W" or ("up to W = %d"):format(up_to))
    if option.method:find "^softmax" then
        out:say("The softmax takes the scores x times %g (--scale).", p.scale)
    end
end

-- The heading of a board.
function tables.title(out, entry)
    out:title(("Board %s, W = %d, L2 of %s, %s caches%s"):format(entry.board, entry.warp,
        input.bytes_text(entry.l2_bytes), entry.caches, board.changes(entry.settings)))
    if entry.caches == "warm" then
        out:say "Each method is launched twice, and the second launch counts: it starts with the caches of the first."
    end
end

-- ---- costs ----

local COLUMNS = {"method", "cycles", "speed-up", "converted once", "written back", "bytes", "least", "dirty",
    "instructions", "sectors/request", "pJ", "bound by"}

-- The costs of the timed methods.
function tables.costs(out, methods)
    local rows = {}
    for _, row in ipairs(methods) do
        if row.skipped then
            rows[#rows + 1] = {row.label, "cannot run"}
        elseif row.timed then
            rows[#rows + 1] = {row.label, report.count(row.cycles), fine(row.speedup), fine(row.speedup_once),
                fine(row.speedup_drained), fine(row.bytes_per_element), fine(row.ideal_bytes),
                percent(row.dirty_share), number(row.instructions), number(row.sectors_per_request),
                number(1e12 * row.energy / row.elements), report.bound(row.limiter)}
        end
    end
    out:put(COLUMNS, rows)
end

-- The bound that the bytes of a launch are compared with: warm caches can undercut it.
function tables.least(option)
    return option.caches == "warm" and "the least possible with cold caches" or "the least possible"
end

-- `methods`: the rows that the table will have.
function tables.explain_costs(out, methods, option)
    local assumed = 0
    for _, row in ipairs(methods) do
        assumed = math.max(assumed, row.energy_assumed or 0)
    end
    out:say("Speed-ups are over byte loads of the boolean mask: by the cycles of a launch, with one conversion of " ..
        "the mask for all images of x, and with write-back of the lines left dirty in L2 at DRAM's peak. Bytes are " ..
        "DRAM bytes per element, and %s; \"dirty\" is the share of them still dirty in L2 at the end. " ..
        "Thread-instructions and dynamic energy are per element as well: of x, or of the mask for a conversion.%s",
        tables.least(option), assumed > 0 and
        (" Up to %.0f %% of the energy is of events whose picojoules the board only assumes."):format(assumed) or "")
end

local NAMES = {"x", "y", "mask", "words", "bits"}

-- Bytes per element, by tensor.
function tables.bytes(out, methods)
    local rows = {}
    for _, row in ipairs(methods) do
        local label = row.label
        for _, name in ipairs(NAMES) do
            local t = row.timed and row.tensors[name]
            if t and t.requests > 0 then
                local function each(bytes)
                    return fine(bytes / row.elements)
                end
                rows[#rows + 1] = {label, name, number(t.sectors / t.requests), each(t.l1_useful), each(t.l1_moved),
                    each(t.l2_useful), each(t.l2_moved), each(t.dram_useful), each(t.dram_moved), each(t.dirty)}
                label = ""
            end
        end
    end
    out:say("Bytes per element, by tensor: useful (distinct requested bytes) and moved at L1, at L2 and at DRAM, " ..
        "and dirty in L2 at the end. Useful bytes at L2 and at DRAM are those of the accesses that caused the " ..
        "requests and the bursts.")
    out:put({"method", "tensor", "sectors/request", "L1 useful", "L1", "L2 useful", "L2", "DRAM useful", "DRAM",
        "dirty"}, rows, {false, false, true, true, true, true, true, true, true, true})
end

-- ---- how often a mask must be used ----

-- The number of uses after which converting pays, against byte loads by cycles, by bytes, and as the least bytes
-- predict; against vector loads with write-back. A use is a launch like these. nil: never. `by`: rows by label; nil
-- when one that is needed is missing.
function tables.uses(by, name, converter)
    local base, row, conversion = by.bool, by[name], by[converter]
    if not (base and row and conversion and base.timed and row.timed and conversion.timed) then
        return nil
    end
    local function even(cost, gain)
        return gain > 0 and cost / gain or nil
    end
    local vector = by["bool-vector"]
    local there = vector and vector.timed or false
    return {
        vector = there and even(conversion.drained, vector.drained - row.drained) or nil, vector_timed = there,
        cycles = even(conversion.cycles, base.cycles - row.cycles),
        drained = even(conversion.drained, base.drained - row.drained),
        bytes = even(conversion.board_bytes, base.board_bytes - row.board_bytes),
        predicted = even(conversion.ideal_bytes * conversion.elements,
            (base.ideal_bytes - row.ideal_bytes) * row.elements),
    }
end

function tables.uses_text(uses)
    local function times(v)
        return v and ("after %.3f uses"):format(v) or "never"
    end
    return ("by bytes %s (predicted: %s), by cycles against byte loads %s, with write-back %s%s"):format(
        times(uses.bytes), times(uses.predicted), times(uses.cycles), times(uses.drained),
        uses.vector_timed and ", against vector loads " .. times(uses.vector) or "")
end

-- Reports once why the board cannot run a method, and which methods are launched as others.
function tables.skipped(out, list)
    local seen, others = {}, {}
    for _, entry in ipairs(list) do
        for _, row in ipairs(entry.methods) do
            if row.skipped and not seen[row.label] then
                seen[row.label] = true
                out:say("%s cannot run: %s.", row.label, row.skipped)
            elseif row.runs_as and not seen[row.label] then
                seen[row.label], others[#others + 1] = true, ("%s as %s"):format(row.label, row.runs_as)
            end
        end
    end
    if #others > 0 then
        out:say("Launched as another method, because neighbours are not aligned: %s.", table.concat(others, ", "))
    end
end

-- Reports the methods that do not fit the problem, and why.
function tables.left_out(out, list)
    local labels, reasons = {}, {}
    for _, what in ipairs(list) do
        if not labels[what.why] then
            labels[what.why], reasons[#reasons + 1] = {}, what.why
        end
        table.insert(labels[what.why], what.label)
    end
    for i, why in ipairs(reasons) do
        reasons[i] = ("%s (%s)"):format(table.concat(labels[why], ", "), why)
    end
    if #reasons > 0 then
        out:say("Skipped: %s.", table.concat(reasons, "; "))
    end
end

-- The whole report of one problem.
function tables.problem(out, entry, option, p)
    tables.title(out, entry)
    local methods = entry.problem.methods
    tables.explain_costs(out, methods, option)
    tables.costs(out, methods)
    if not option.brief then
        tables.bytes(out, methods)
    end
    tables.skipped(out, {entry.problem})
    tables.left_out(out, entry.problem.left_out)
    if option.method == "all" then
        out:say "Softmax methods run only by name (--method)."
    end
    for _, row in ipairs(methods) do
        if row.uses then
            out:say("%s: converting the mask pays %s. A use is a launch with %s for each mask.", row.label,
                tables.uses_text(row.uses), plural(p.heads, "image"))
        end
    end
end

return tables
