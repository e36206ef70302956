-- The report of the mask study, for heddle.kit.page: of one mask and tensor, and of the workloads of the claims;
-- and its pictures, speed-up against L and bytes by tensor.
local board = require "heddle.kit.board"
local claims = require "heddle.mask.claims"
local input = require "heddle.mask.input"
local lists = require "heddle.kit.lists"
local mask = require "heddle.mask.definition"
local methods = require "heddle.mask.methods"
local report = require "heddle.kit.report"
local roles = require "heddle.claims.roles"
local show = require "heddle.claims.show"

local tables = {}

local plural, percent = report.plural, report.percent

-- ---- numbers ----

-- Three decimals: ratios, and bytes per element.
function tables.fine(v)
    return v and ("%.3f"):format(v) or ""
end

local fine = tables.fine

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

-- Sentence on rows that are masked as a whole, if any are.
function tables.whole_rows(p)
    local rows = p:whole_rows()
    if rows == 0 then
        return ""
    end
    return (" %s of %s of the mask %s masked as a whole and %s"):format(report.count(rows),
        plural(p.n * p.height, "row"), rows == 1 and "is" or "are", p.masked_row == "zero" and
        (rows == 1 and "gives 0." or "give 0.") or
        ("%s NaN, as the formula says (0 by --masked-row zero)."):format(rows == 1 and "gives" or "give"))
end

-- The first lines about a mask and a tensor from files.
function tables.head(out, option, p)
    out:say("%s. %s of x for each image of the mask; fill %s; %s. %s of the mask is true.", table.concat(p.about, ". "),
        plural(p.heads, "image"), option.value_text, tables.words_text(option), percent(p:masked()))
    local before, after, up_to = p.pixels, #p:words(), mask.not_smaller(p.layout, p.height)
    out:say("The mask takes %s as bytes and %s packed: %s per element instead of 1. With %s, packed words are " ..
        "not smaller %s.", input.bytes_text(before), input.bytes_text(after), fine(after / before),
        plural(p.height, "row"), up_to == math.huge and "at any W" or ("up to W = %d"):format(up_to))
    if option.softmax then
        out:say("The softmax takes the scores x times %g (--scale).%s", p.scale, tables.whole_rows(p))
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

local COLUMNS = {
    {"method", "label"},
    {"cycles", function(row) return row.skipped and "cannot run" or row.cycles end, report.count},
    {"speed-up", "speedup", fine}, {"converted once", "speedup_once", fine}, {"written back", "speedup_drained", fine},
    {"bytes", "bytes_per_element", fine}, {"least", "ideal_bytes", fine}, {"dirty", "dirty_share", percent},
    {"instructions", "instructions"}, {"sectors/request", "sectors_per_request"},
    {"pJ", function(row) return row.energy and 1e12 * row.energy / row.elements end},
    {"bound by", function(row) return row.limiter and report.bound(row.limiter) end},
}

-- The costs of the timed methods, with what the columns mean.
local function costs(out, rows, option)
    local assumed = 0
    local shown = lists.map(rows, function(row)
        assumed = math.max(assumed, row.timed and row.energy_assumed or 0)
        return (row.skipped or row.timed) and row or nil
    end)
    out:say("Speed-ups are over byte loads of the boolean mask: by the cycles of a launch, with one conversion of " ..
        "the mask for all images of x, and with write-back of the lines left dirty in L2 at DRAM's peak. Bytes are " ..
        "DRAM bytes per element, and the least possible%s; \"dirty\" is the share of them still dirty in L2 at the " ..
        "end. Thread-instructions and dynamic energy are per element as well: of x, or of the mask for a conversion.%s",
        option.caches == "warm" and " with cold caches" or "", assumed > 0 and
        (" Up to %.0f %% of the energy is of events whose picojoules the board only assumes."):format(assumed) or "")
    out:put(report.columns(shown, COLUMNS))
end

-- Reports once why the board cannot run a method, and which methods are launched as others.
local function skipped(out, list)
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
local function left_out(out, list)
    local reasons = lists.map(report.by_reason(list), function(reason)
        return ("%s (%s)"):format(reason[2], reason[1])
    end)
    if #reasons > 0 then
        out:say("Skipped: %s.", table.concat(reasons, "; "))
    end
end

-- ---- one problem ----

local function uses_text(uses)
    local function times(v)
        return v and ("after %.3f uses"):format(v) or "never"
    end
    return ("by bytes %s (predicted: %s), by cycles against byte loads %s, with write-back %s%s"):format(
        times(uses.bytes), times(uses.predicted), times(uses.cycles), times(uses.drained),
        uses.vector_timed and ", against vector loads " .. times(uses.vector) or "")
end

function tables.problem(out, entry, option, p)
    tables.title(out, entry)
    costs(out, entry.problem.methods, option)
    skipped(out, {entry.problem})
    left_out(out, entry.problem.left_out)
    if option.method == "all" then
        out:say "Softmax methods run only by name (--method)."
    end
    for _, row in ipairs(entry.problem.methods) do
        if row.uses then
            out:say("%s: converting the mask pays %s. A use is a launch with %s for each mask.", row.label,
                uses_text(row.uses), plural(p.heads, "image"))
        end
    end
end

-- ---- generated workloads ----

function tables.workloads_head(out, option)
    out:say("Generated masks of L x L, %s, fill %s; %s. The images of a workload have at least %s elements in " ..
        "total (at most %s images). Padding and blocks: %s.", option.type.name, option.value_text,
        tables.words_text(option), report.count(option.elements), report.count(option.most_images),
        option.sentences.about)
    if option.method ~= "all" and (option.heads or 1) > 1 then
        out:say("%d images of x use one mask.", option.heads)
    end
end

-- Speed-ups by L of every method that was timed there, written back.
local function lengths(out, list)
    local labels, found, rows = {}, {}, {}
    for _, entry in ipairs(list) do
        for _, row in ipairs(entry.methods) do
            labels[#labels + 1] = row.speedup_drained and not found[row.label] and row.label or nil
            found[row.label] = true
        end
    end
    for i, entry in ipairs(list) do
        local cells = {}
        for _, row in ipairs(entry.methods) do
            cells[row.label] = report.cell(row.speedup_drained, fine)
        end
        rows[i] = {entry.length, report.cell(entry.n, report.count)}
        for k, label in ipairs(labels) do
            rows[i][k + 2] = cells[label]
        end
    end
    out:say("Speed-up over byte loads of booleans by L, causal masks, written back.")
    out:put({"L", "images", table.unpack(labels)}, rows)
end

local function details(out, entry, option)
    show.details(out, entry.claims or {}, claims.METRICS, option.details)
    if entry.reuse then
        out:say("How often a converted mask must be used: which of the best fills by words and by booleans takes " ..
            "fewer cycles, how many times, all as measured.")
        show.map(out, entry.reuse)
    end
    local largest = entry.lengths[#entry.lengths]
    lengths(out, entry.lengths)
    out:say("Cost of each method at L = %d.", largest.length)
    costs(out, largest.methods, option)
end

-- Number of results that were compared, and of workloads.
local function compared(out, entry)
    local results, elements, workloads = 0, 0, 0
    for _, list in ipairs {entry.kinds, entry.others} do
        for _, e in ipairs(list) do
            workloads = workloads + 1
            for _, row in ipairs(e.methods) do
                results = results + (row.verified and 1 or 0)
                elements = elements + (row.verified and e.n * e.heads * e.height * e.width or 0)
            end
        end
    end
    out:say("Compared with the definition, element by element: %s on %s, %s elements.", plural(results, "result"),
        plural(workloads, "workload"),
        elements < 1e6 and report.count(elements) or report.count(elements / 1e6) .. " M")
end

function tables.workloads(out, entry, option)
    tables.title(out, entry)
    if entry.claims then
        show.verdicts(out, entry.claims, claims.METRICS, entry.board)
    end
    compared(out, entry)
    if option.details or option.markdown and not option.brief then
        details(out, entry, option)
    elseif not entry.claims or option.brief then
        lengths(out, entry.lengths)
    end
    skipped(out, entry.lengths)
    left_out(out, entry.lengths[#entry.lengths].left_out)
    if option.method == "all" and not entry.claims then
        out:say "Claims are judged with cold caches, of words in every order."
    elseif entry.claims and not option.details and not option.markdown then
        out:say "Reasons, the costs on every workload and further tables: --details."
    end
end

-- ---- pictures ----

local SERIES <const> = methods.labels(methods.of {drawn = true})
local TENSORS <const> = {"x", "y", "mask", "words", "bits"}
local role_of <const> = roles.of(claims.ROWS)

-- A figure of the rows of a label, by L.
local function points_of(entry, label, key)
    local points = {}
    for _, e in ipairs(entry.lengths) do
        for _, row in ipairs(e.methods) do
            if row.label == label and row[key] then
                points[#points + 1] = {e.length, row[key]}
            end
        end
    end
    return points
end

local function words_text(option)
    local layout = mask.layout(option.bits, option.rows)
    return ("Words have %s (%s); caches are %s."):format(tables.words_name(layout), tables.origin(layout),
        option.caches)
end

local function speed_ups(into, entry, option)
    local series = lists.map(SERIES, function(label)
        local points = points_of(entry, label, "speedup")
        return #points > 0 and {label, points, role = role_of(label)} or nil
    end)
    local back = points_of(entry, "words linear", "speedup_drained")
    series[#series + 1] = #back > 0 and {"words linear, with write-back", back, role = role_of "words linear"} or nil
    if #series == 0 then
        return -- a method alone that is no fill
    end
    into:lines {
        id = ("mask-%s-speed-up"):format(entry.board),
        title = ("A masked fill of %s on %s: packed masks beside a boolean mask read byte by byte (bool)"):format(
            option.type.name, entry.board),
        about = words_text(option) .. " Times are those of the fill alone, without converting the mask.",
        x = "L: rows and columns of the mask", y = "times as fast as bool", log = true, series = series,
    }
end

-- Bytes for each element, by tensor, of the fills of one mask.
local function bytes(into, entry, measured, option, what)
    local timed = lists.map(measured, function(row) -- fills; converting a mask is none
        return row.timed and not methods.by[row.method].converts and row or nil
    end)
    local names = lists.map(timed, function(row) return row.label end)
    local function of(name)
        return {name, lists.map(timed, function(row)
            local t = row.tensors[name]
            return t and (t.dram_moved + t.dirty) / row.elements or 0
        end)}
    end
    into:bars {
        id = ("mask-%s-bytes"):format(entry.board),
        title = ("What a masked fill of %s moves to and from DRAM on %s, by tensor; %s"):format(option.type.name,
            entry.board, what),
        about = words_text(option), y = "bytes for each element", names = names, roles = roles.by(role_of, names),
        series = lists.map(TENSORS, of),
    }
end

function tables.draw(into, entry, option)
    if entry.problem then
        return bytes(into, entry, entry.problem.methods, option, "the given mask")
    end
    speed_ups(into, entry, option)
    local last = entry.lengths[#entry.lengths]
    bytes(into, entry, last.methods, option, "L = " .. last.length)
end

return tables
