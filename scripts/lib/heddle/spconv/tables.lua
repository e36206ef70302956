-- The report of the convolution study for heddle.kit.page: on one input and where it lies, and on generated ones.
local board = require "heddle.kit.board"
local case = require "heddle.spconv.case"
local claims = require "heddle.spconv.claims"
local crossover = require "heddle.spconv.crossover"
local lists = require "heddle.kit.lists"
local pipeline = require "heddle.spconv.pipeline"
local report = require "heddle.kit.report"
local search = require "heddle.claims.search"
local show = require "heddle.claims.show"
local study = require "heddle.kit.study"
local summary = require "heddle.spconv.summary"

local tables = {}

local cell, count, plural, short = report.cell, report.count, report.plural, report.short

-- ---- numbers ----

-- 1234567 -> "1.23 M"
local function many(v)
    for _, unit in ipairs(v and {{1e9, 1e9, "G"}, {1e6, 1e6, "M"}, {1e4, 1e3, "k"}} or {}) do
        if v >= unit[1] then
            return ("%s %s"):format(short(v / unit[2]), unit[3])
        end
    end
    return v and short(v) or ""
end

local function percent(share)
    return share and ("%.3g %%"):format(100 * share) or ""
end

local function thousandths(v)
    return ("%.3f"):format(v)
end

-- ---- the problem ----

local function geometry_text(p)
    local from = 4 - p.rank
    local function times(list) return table.concat(list, "x", from) end
    local padding, elements = {}, lists.map(p.predetermined, function(e)
        return "(" .. table.concat(e, ",", from) .. ")"
    end)
    for i = from, 3 do
        padding[#padding + 1] = ("%d:%d"):format(p.lo[i], p.hi[i])
    end
    return ("%s of %s, %s to %s; kernel %s, stride %s, padding %s, predetermined element%s %s, %s"):format(
        plural(p.batch, "grid"), times(p.size), plural(p.channels, "channel"), plural(p.filters, "filter"),
        times(p.kernel), times(p.stride), table.concat(padding, ","), #elements > 1 and "s" or "",
        table.concat(elements, " "), p.layout)
end

-- The occupancy of the input.
local function occupancy_text(c)
    local p = c.p
    local text = ("%s of %s active (%s); %s of %s active (density %s)"):format(plural(c.active, "position"),
        count(p.positions), percent(c.active / p.positions), plural(c.windows, "window"), count(p.outputs),
        percent(c.density))
    return text .. (c.q and ("; of the elements of these %s are active (q = %.3f)"):format(percent(c.q), c.q) or "")
end

local function check_text(c)
    return c.exact and "all numbers are whole and small: results must have the reference's bits" or
        "results must lie within the first-order bound of a binary32 sum"
end

-- The rounding to fp16, for all methods or for those that take nothing else, and the requirement on their results.
local function say_rounding(out, c, option)
    local half = c:rounded()
    if c.lost then
        out:say("x and weights were rounded to fp16: %s.", case.lost_text(c.lost))
        return
    end
    for _, name in ipairs(half and half.lost and option.methods or {}) do
        if pipeline.by[name].type == "f16" then
            out:say("%s takes x and weights rounded to fp16: %s. Its result is compared with the reference of " ..
                "these: it must %s.", name, case.lost_text(half.lost), half.exact and "have its bits" or
                "lie within their first-order bound")
        end
    end
end

-- option: methods, those that are run.
function tables.head(out, c, option)
    out:say("%s. %s. %s; %s.", table.concat(c.about, "; "), geometry_text(c.p), occupancy_text(c),
        check_text(c))
    say_rounding(out, c, option)
    if c.active == 0 then
        out:say "No position of x is active: the result is all zero."
    elseif c.windows == 0 then
        out:say("No window has an active position at %s: the result is all zero.",
            #c.p.predetermined > 1 and "a predetermined element" or "the predetermined element")
    end
end

-- Prints what comparisons with channels last favour.
function tables.say_layout(out, option)
    if option.layout == "nhwc" then
        out:say("With channels last only unfolding and im2col write their results in the order of addresses. " ..
            "dense-direct and the rulebook store four filters of a position at a time (one, where their number is " ..
            "no multiple of four), the implicit products one: sectors that are written in pieces move once for " ..
            "each piece. Costs beside theirs favour unfolding, more so than with channels first.")
    end
end

local function board_line(entry)
    return ("Board %s, W = %d, %s caches%s%s%s"):format(entry.board, entry.warp, entry.caches,
        entry.append and ", active positions by atomic append in " .. table.concat(entry.append, ", ") or "",
        entry.how.element == 2 and ", x and weights in fp16, products and results in fp32" or "",
        board.changes(entry.settings))
end

local LONG <const> = 1e9 -- multiplications, which take minutes at some ten million a second

-- A warning for long runs, with the approximate number of multiplications: by shape those of each method on each board
-- (also of methods that do not fit), and those of the reference, once. Without those of --crossover.
function tables.warning(p, o)
    local of = crossover.macs(p, o.windows, p.volume * o.windows * o.active / p.positions)
    local function all(methods)
        return o.boards * lists.sum(methods, function(name) return of[pipeline.by[name].work] end) + of.rulebook
    end
    local asked, one = all(o.methods), all {"unfold"}
    return asked >= LONG and ("up to %.2g multiplications are to be simulated, which may take long%s"):format(asked,
        #o.methods > 1 and ("; with --method unfold %.2g"):format(one) or "") or nil
end

-- ---- costs ----

-- A method and, where both types are about, the type of x and weights.
local function label(row)
    return row.type == "f16" and row.method .. " fp16" or row.method
end

local function explain_costs(out)
    out:say("MACs: useful ones of active elements, those by the shapes of the products, those issued (including " ..
        "tile edges), and the share of these that was unnecessary. Bytes: at L1 (sectors), to and from L2, and of " ..
        "DRAM, including those left dirty in L2 at the end of a launch. Cycles are sums over the launches; " ..
        "\"written back\" includes the write-back of dirty lines at DRAM's peak. Overhead is that of the launches " ..
        "themselves, and of the host's reads between them. Energy is dynamic energy. Sectors: per request of the " ..
        "gather from x.")
end

local COSTS <const> = {
    {"method", function(row) return row.skipped and row.method or label(row) end},
    {"cycles", function(row) return row.skipped and "cannot run" or row.cycles end, count},
    {"written back", "drained", function(v) return count(v // 1) end}, {"launches", "launches"},
    {"overhead", "overhead_cycles", count}, {"MACs useful", "macs_useful", many}, {"by shape", "macs_asked", many},
    {"issued", "macs", many}, {"zero work", "zero_share", percent}, {"L1 bytes", "l1_bytes", many},
    {"L2 bytes", "l2_bytes", many}, {"DRAM bytes", "board_bytes", many}, {"host bytes", "host_bytes", many},
    {"uJ", "energy", function(v) return short(1e6 * v) end}, {"sectors", "gather"},
}

-- Stage by stage.
local function by_stage(out, methods)
    local rows = {}
    for _, row in ipairs(methods) do
        local name = label(row)
        for _, stage in ipairs(row.stages or {}) do
            local x = stage.tensors.x
            local multiplies = stage.macs > 0
            rows[#rows + 1] = {name, stage.name .. (stage.part == "mask" and " (mask)" or ""),
                cell(stage.cycles, count),
                cell(row.cycles > 0 and stage.cycles / row.cycles, percent),
                cell(multiplies and stage.macs_useful, many), cell(multiplies and stage.macs, many),
                cell(multiplies and stage.zero_share, percent), cell(stage.l1_bytes, many),
                cell(stage.l2_bytes, many), cell(stage.board_bytes, many),
                cell(stage.host_bytes > 0 and stage.host_bytes, many), cell(1e6 * stage.energy),
                cell(x and x.requests > 0 and x.sectors / x.requests), report.bound(stage.limiter)}
            name = ""
        end
    end
    out:say("The same by stage; the limiter of a stage is that of its longest launch. Host bytes: lengths of lists " ..
        "that the host reads.")
    out:put({"method", "stage", "cycles", "share", "MACs useful", "issued", "zero work", "L1 bytes", "L2 bytes",
        "DRAM bytes", "host bytes", "uJ", "sectors", "bound by"}, rows,
        {false, false, true, true, true, true, true, true, true, true, true, true, true, false})
end

-- The whole report of one input, but where it lies.
local function costs_of(out, entry, option)
    local c, methods = entry.case, entry.problem.methods
    out:title(board_line(entry))
    explain_costs(out)
    out:put(report.columns(methods, COSTS))
    for _, row in ipairs(methods) do
        if row.skipped then
            out:say("%s cannot run: %s.", row.method, row.skipped)
        end
    end
    for _, row in ipairs(methods) do
        if not row.skipped and row.windows ~= c.windows then
            out:say("%s has %s: in fp16 some positions are zero.", row.method, plural(row.windows, "window"))
        end
    end
    if not option.brief then
        by_stage(out, methods)
    end
end

-- ---- generated inputs ----

local function scans_head(out, entry)
    local rows, seen, about = {}, {}, {}
    for i, scan in ipairs(entry.scans) do
        local c = scan.case
        local text = c.about[1]:gsub(", channels.*", "")
        about[#about + 1], seen[text] = not seen[text] and text or nil, true
        rows[i] = {scan.name, c.p.filters, cell(c.p.positions, count), cell(c.active, count), cell(c.windows, count),
            cell(c.density, percent), cell(c.q, thousandths), cell(c.p.channels * c.p.positions * 4, many),
            cell(c.p.volume * c.p.channels * c.windows * 4, many)}
    end
    out:say("Scans: %s. In grids of voxels, 4 channels; kernels 3x3x3 or, seen from above, 3x3, padded as keeps the " ..
        "size at stride 1. q is the active share of the windows' elements; then the bytes of the input and of the " ..
        "matrix in fp32.", table.concat(about, "; "))
    out:put({"scan", "filters", "positions", "active", "windows", "density", "q", "input", "matrix"}, rows)
end

-- Table of a measure of all methods: a row for each of `points`, headed by what `head` gives of it.
local function measured(out, measure, methods, points, heads, head)
    local of = out.of
    out:say(measure[1])
    local rows = lists.map(points, function(point)
        local cells = head(point)
        for k, name in ipairs(methods) do
            cells[#heads + k] = point.by[name] and measure[2](point.by[name])
        end
        return cells
    end)
    out:about(("%s: %s"):format(of, measure[1]))
    out:put(lists.append(heads, methods), rows)
    out:about(of)
end

local MEASURES <const> = {
    {"Cycles with launches, what the host waits for between them, and write-back of the lines left dirty in L2.",
        function(row) return cell(row.launched // 1, count) end},
    {"DRAM bytes.", function(row) return cell(row.board_bytes, many) end},
    {"Cycles with write-back alone.", function(row) return cell(row.drained // 1, count) end},
    {"MACs issued, and the share of them that was unnecessary.", function(row)
        return ("%s (%s)"):format(many(row.macs), percent(row.zero_share))
    end},
    {"Sectors per request of the gather from x; 4 hold 32 numbers of fp32.", function(row)
        return cell(row.gather)
    end},
    {"Dynamic energy in microjoule, and bytes between host and board.", function(row)
        return ("%s, %s"):format(short(1e6 * row.energy), many(row.host_bytes))
    end},
}

local function by_scan(out, entry, upto)
    for i = 1, upto do
        measured(out, MEASURES[i], entry.methods, entry.scans, {"scan"}, function(scan) return {scan.name} end)
    end
end

-- Cost of the mask of a dense method by the lists that unfolding makes, by flags, and not at all.
local function footing(out, entry)
    local rows = lists.map(entry.scans, function(scan)
        local unfold = scan.by.unfold
        local listed = lists.sum(unfold and unfold.stages, function(stage)
            return (stage.name == "identify" or stage.name == "windows") and stage.drained or 0
        end)
        local row = {scan.name, cell(unfold and unfold.drained // 1, count)}
        for k, name in ipairs(pipeline.dense) do
            local dense, cells = scan.by[name], {}
            for _, stage in ipairs(dense and unfold and dense.stages or {}) do
                if stage.name == "flags" then
                    cells = lists.map({dense.drained - stage.drained + listed, dense.drained,
                        scan.rows[name .. " unmasked"].drained}, function(v) return count(v // 1) end)
                end
            end
            row[2 + k] = table.concat(cells, " / ")
        end
        return row
    end)
    out:say "Cycles, written back, of dense methods masked by lists / masked by flags / left dense, beside unfold."
    out:put(lists.append({"scan", "unfold"}, pipeline.dense), rows)
end

local function details_of_one(out, entry)
    local scan = entry.scans[#entry.scans > 1 and 2 or 1]
    local list = lists.map(entry.methods, function(name) return scan.by[name] end)
    out:say("Details of %s.", scan.name)
    explain_costs(out)
    out:put(report.columns(list, COSTS))
    by_stage(out, list)
end

-- ---- densities ----

-- Crossovers by claim: a column for each sweep, and of a single one that which is predicted. `whole`: without claims
-- that are a view of another one.
local function crossovers(out, list, how, whole)
    local rows, heads = {}, {"claim"}
    for _, row in ipairs(claims.rows) do
        local cells, any = {row.claim}, false
        for i, sweep in ipairs(list) do
            local turn = sweep.turns[row.id]
            heads[i + 1] = sweep.name:gsub(" channels", "")
            cells[i + 1], any = turn and search.text(turn.found) or "", any or turn
        end
        if #list == 1 and any then
            local rival = #row.rivals == 1 and row.rivals[1]:gsub(" unmasked", "")
            local key = claims.metrics[row.metric].of
            heads[3], cells[3] = "predicted", crossover.text(rival and crossover.predicted(list[1].p, rival, key, how))
        end
        rows[#rows + 1] = any and not (whole and row.part) and cells or nil
    end
    if #rows > 0 then
        out:put(heads, rows, {})
    end
end

local function densities(out, entry, option)
    for _, sweep in ipairs(entry.sweeps) do
        local last = sweep.points[#sweep.points]
        out:say("Random occupancy, %s. Of methods that compute every window all but the mask costs the same at " ..
            "every density, and runs once.%s", geometry_text(sweep.p), sweep.cut and
            (" At densities above %s the matrix of unfold does not fit."):format(percent(last.density)) or "")
        for i = 1, option.brief and 1 or 4 do
            measured(out, MEASURES[i], entry.methods, sweep:begun(), {"density", "q"}, function(point)
                return {cell(point.density, percent), cell(point.q, thousandths)}
            end)
        end
    end
end

-- Map of the crossovers, as they were measured.
local function map(out, entry, whole)
    local worst = -select(2, lists.least(entry.sweeps, function(sweep) return -sweep.worst end))
    out:say("Where it wins, by the density of random occupancy: both sides of a crossover are measured, at most " ..
        "%.0f %% apart.%s", 100 * search.TOLERANCE, whole and "" or (" In views of another claim costs are " ..
        "interpolated between all that were measured, which elsewhere was right within %.2g %%."):format(100 * worst))
    crossovers(out, entry.sweeps, entry.how, whole)
end

-- ---- a given input ----

local NAMES <const> = {l1_useful = "useful bytes", board_bytes = "DRAM bytes"} -- of measures, where JSON's differ

local SHOWN <const> = lists.set {"macs_asked", "board_bytes", "drained", "launched"} -- of the measures; JSON has all

-- "less (10.8)": unfold costs less, the other 10.8 times as much.
local function side_text(side, ratio)
    return side and ratio and ("%s (%s)"):format(side, short(ratio)) or side or ""
end

-- The input relative to the predicted crossovers, and the measurements there.
local function points(out, entry)
    local c, rows, any = entry.case, {}, false
    for _, point in ipairs(entry.crossovers) do
        if SHOWN[point.key] then
            local written = point.written or {}
            rows[#rows + 1] = {point.baseline, NAMES[point.key] or point.measure, crossover.text(point.predicted),
                point.expected or "", side_text(point.found, point.ratio), side_text(point.alone, point.alone_ratio),
                crossover.text(written.predicted), side_text(written.found, written.ratio)}
            any = any or point.found
        end
    end
    local at = percent(c.density)
    out:say("Where unfolding costs less, by density: as the descriptions predict for this shape%s; the prediction " ..
        "at this input's %s; and the measurement there, with the cost of the other over that of unfold, for dense " ..
        "methods also unmasked. Predicted bytes exclude weights, lists and flags; predicted times are the larger of " ..
        "that of the multiplications and that of the bytes, including weights and the list of windows. Then " ..
        "prediction and measurement of unfold-all, whose matrix is not zeroed first.",
        entry.how.element == 2 and " in fp16 (products and results in fp32)" or "", at)
    out:put({"than", "by", "predicted", "at " .. at, "measured", "unmasked", "unfold-all", "measured"}, rows, {})
    if not any then
        out:say "Only one side of the comparison was run; --method all runs both."
    elseif not entry.sweeps then
        out:say "One input measures one point. --crossover finds the crossovers by random occupancies of this shape."
    end
end

-- The report on a given input: its costs, where it lies by prediction, and the measured crossovers.
function tables.problem(out, entry, option)
    costs_of(out, entry, option)
    if not option.brief and #entry.crossovers > 0 then
        points(out, entry)
    end
    if entry.sweeps and #entry.sweeps == 0 then
        out:say("All random occupancies of this shape that fit have the same number of active windows: there is " ..
            "nothing to compare.")
    elseif entry.sweeps then
        map(out, entry)
        densities(out, entry, option)
    end
end

-- ---- verdicts ----

function tables.workloads(out, entry, option)
    out:title(board_line(entry))
    if entry.verdicts then
        show.verdicts(out, entry.verdicts, claims.metrics, entry.board)
    end
    local results, elements = summary.compared(entry)
    out:say("Compared with the reference: %s, %.1f M elements; those of random occupancies bit by bit, those " ..
        "of scans within the first-order bound, for fp16 of the numbers as rounded. Costs within %.0f %% count as " ..
        "equal. Rivals that compute every window are masked by flags of the active windows, or left dense.",
        plural(results, "result"), elements / 1e6, 100 * study.MARGIN)
    local full = option.details or option.markdown
    if entry.sweeps then
        map(out, entry, not full)
    end
    if full then
        if entry.verdicts then
            out:say "What decided, claim by claim:"
            show.details(out, entry.verdicts, claims.metrics, option.details)
        end
        scans_head(out, entry)
        if option.details then
            footing(out, entry)
        end
        by_scan(out, entry, option.details and #MEASURES or 2)
        details_of_one(out, entry)
        if entry.sweeps and option.details then
            densities(out, entry, option)
        end
    elseif not entry.verdicts then
        scans_head(out, entry)
        by_scan(out, entry, 2)
    else
        out:say "What decided each verdict, costs by input, stage and tensor: --details. An input of your own: --x."
    end
end

return tables
