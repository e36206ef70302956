-- What the mask study prints of one mask and tensor, for heddle.kit.page; heddle.mask.sweeps prints the workloads.
local board = require "heddle.kit.board"
local input = require "heddle.mask.input"
local mask = require "heddle.mask.definition"
local report = require "heddle.kit.report"

local tables = {}

local short, plural = report.short, report.plural

-- ---- numbers ----

local function number(v)
    return v and short(v) or ""
end

-- Three digits behind the point: ratios, and bytes of an element.
function tables.fine(v)
    return v and ("%.3f"):format(v) or ""
end

function tables.percent(share)
    return ("%.1f %%"):format(100 * share)
end

local fine, percent = tables.fine, tables.percent

-- Rows of a problem by their label.
function tables.by_label(methods)
    local out = {}
    for _, row in ipairs(methods) do
        out[row.label] = row
    end
    return out
end

-- ---- what it is about ----

-- Where the rule for the words of a layout comes from: the method is published for 32 bits and 2 rows.
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
    out:say("The mask takes %s as bytes and %s packed: %s for an element instead of 1. With %s, packed words are " ..
        "not smaller %s.", input.bytes_text(before), input.bytes_text(after), fine(after / before),
        plural(p.height, "row"), up_to == math.huge and "at any W" or ("up to W = %d"):format(up_to))
    if option.method:find "^softmax" then
        out:say("A softmax is of the scores x times %g (--scale).", p.scale)
    end
end

-- What follows is of this board.
function tables.title(out, entry)
    out:title(("Board %s, W = %d, L2 of %s, %s caches%s"):format(entry.board, entry.warp,
        input.bytes_text(entry.l2_bytes), entry.caches, board.changes(entry.settings)))
    if entry.caches == "warm" then
        out:say "Each method is launched twice, and the second launch counts: it finds what the first one left there."
    end
end

-- ---- costs ----

local COLUMNS = {"method", "cycles", "speed-up", "converted once", "written back", "bytes", "least", "in L2",
    "instructions", "sectors/request", "pJ", "bound by"}

-- The costs of the methods that were timed.
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

-- What the bytes of a launch stand beside: they can be fewer where caches are warm.
function tables.least(option)
    return option.caches == "warm" and "the least that cold caches make possible" or "the least possible"
end

-- `methods`: the rows that the table will have.
function tables.explain_costs(out, methods, option)
    local assumed = 0
    for _, row in ipairs(methods) do
        assumed = math.max(assumed, row.energy_assumed or 0)
    end
    out:say("Speed-up is that over byte loads of the boolean mask: of the cycles of a launch, with the conversion " ..
        "of the mask counted once for all images of x, and with what a launch left in L2 written back at DRAM's " ..
        "peak. Bytes are those that board memory moves for an element, beside %s; \"in L2\" is the " ..
        "share of them that was left there. Instructions of a thread and dynamic energy, too, are for an element: " ..
        "of x, or for a conversion of the mask.%s", tables.least(option), assumed > 0 and
        (" Up to %.0f %% of the energy are events whose picojoules the board only assumes."):format(assumed) or "")
end

local NAMES = {"x", "y", "mask", "words", "bits"}

-- Bytes by tensor for an element.
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
    out:say("Bytes by tensor, for an element: asked for and moved at L1, asked for by whoever sent the request and " ..
        "moved at L2, asked for by whoever caused the burst and moved at DRAM, and written but still in L2 when the " ..
        "launch ended.")
    out:put({"method", "tensor", "sectors/request", "L1 useful", "L1", "L2 useful", "L2", "DRAM useful", "DRAM",
        "in L2"}, rows, {false, false, true, true, true, true, true, true, true, true})
end

-- ---- how often a mask must be used ----

-- Uses after which converting has paid against byte loads, by cycles, by bytes, and as the least bytes predict; against
-- vector loads with everything written back. A use is a launch like these. nil: never. `by`: rows by label; nil when
-- one that is needed is not there.
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
    return ("by bytes %s (predicted: %s), by cycles against byte loads %s, with everything written back %s%s"):format(
        times(uses.bytes), times(uses.predicted), times(uses.cycles), times(uses.drained),
        uses.vector_timed and ", against vector loads " .. times(uses.vector) or "")
end

-- Says once of each method that the board cannot run why, and which are launched as others.
function tables.skipped(out, list)
    local said, others = {}, {}
    for _, entry in ipairs(list) do
        for _, row in ipairs(entry.methods) do
            if row.skipped and not said[row.label] then
                said[row.label] = true
                out:say("%s cannot run: %s.", row.label, row.skipped)
            elseif row.runs_as and not said[row.label] then
                said[row.label], others[#others + 1] = true, ("%s as %s"):format(row.label, row.runs_as)
            end
        end
    end
    if #others > 0 then
        out:say("Launched as another method, because neighbours begin anywhere: %s.", table.concat(others, ", "))
    end
end

-- Says which of all methods do not fit the problem, and why.
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
        out:say("Left out: %s.", table.concat(reasons, "; "))
    end
end

-- All of one problem.
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
        out:say "A softmax runs when it is asked for by its name (--method)."
    end
    for _, row in ipairs(methods) do
        if row.uses then
            out:say("%s: converting the mask pays %s. A use is a launch with %s for each mask.", row.label,
                tables.uses_text(row.uses), plural(p.heads, "image"))
        end
    end
end

return tables
