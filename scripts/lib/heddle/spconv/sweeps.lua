-- The report of the convolution study on scans and random occupancies: tables by measure, then the claims.
local crossover = require "heddle.spconv.crossover"
local report = require "heddle.kit.report"
local tables = require "heddle.spconv.tables"

local sweeps = {}

local count, short = report.count, report.short
local many, percent = tables.many, tables.percent

-- ---- scans ----

local function scans_head(out, entry)
    local rows = {}
    for i, scan in ipairs(entry.scans) do
        local c = scan.case
        rows[i] = {scan.name, count(c.p.positions), count(c.active), percent(c.density), ("%.3f"):format(c.q),
            ("%.3g"):format(1 / c.q), many(c.p.channels * c.p.positions * 4),
            many(c.p.volume * c.p.channels * c.windows * 4)}
    end
    local seen, about = {}, {}
    for _, scan in ipairs(entry.scans) do
        local text = scan.case.about[1]:gsub(", channels.*", "")
        about[#about + 1], seen[text] = not seen[text] and text or nil, true
    end
    out:say("Scans: %s.", table.concat(about, "; "))
    out:say("They are in grids of voxels, 4 channels to 16 filters of 3x3x3 or, seen from above, 3x3; stride 1, the " ..
        "size kept. q is the active share of the windows' elements, 1/q the multiplications of unfolding for each " ..
        "useful one; then the bytes of the input and of the matrix in fp32.")
    out:put({"scan", "positions", "active", "density", "q", "1/q", "input", "matrix"}, rows)
end

-- One measure of all methods, a row for each scan.
local function by_scan(out, entry, methods, each)
    local rows = {}
    for i, scan in ipairs(entry.scans) do
        rows[i] = {scan.name}
        for _, name in ipairs(methods) do
            local row = scan.by[name]
            rows[i][#rows[i] + 1] = row and each(row, scan) or ""
        end
    end
    out:put({"scan", table.unpack(methods)}, rows)
end

function sweeps.scans(out, entry, option)
    local methods = entry.methods
    scans_head(out, entry)
    out:say "Cycles, with write-back of the lines left dirty in L2, without launch overhead."
    by_scan(out, entry, methods, function(row) return count(row.drained // 1) end)
    out:say "DRAM bytes."
    by_scan(out, entry, methods, function(row) return many(row.board_bytes) end)
    out:say "MACs issued, and the share of them that was unnecessary."
    by_scan(out, entry, methods, function(row)
        return ("%s (%s)"):format(many(row.macs), percent(row.zero_share))
    end)
    if option.brief then
        return
    end
    out:say "Sectors per request of the gather from x; 4 hold 32 numbers of fp32."
    by_scan(out, entry, methods, function(row) return row.gather and short(row.gather) or "" end)
    out:say "Dynamic energy in microjoule, and bytes between host and board."
    by_scan(out, entry, methods, function(row)
        return ("%s, %s"):format(short(1e6 * row.energy), many(row.host_bytes))
    end)
    local detailed = entry.scans[#entry.scans > 1 and 2 or 1]
    out:say("Details of %s.", detailed.name)
    tables.explain_costs(out)
    local list = {}
    for _, name in ipairs(methods) do
        list[#list + 1] = detailed.by[name]
    end
    tables.costs(out, list)
    tables.host(out, list)
    tables.stages(out, list)
    tables.tensors(out, list)
    tables.predicted(out, detailed.case, list)
end

-- ---- densities ----

-- A table of one measure against the density.
local function against(out, sweep, methods, head, each)
    local rows = {}
    for i, point in ipairs(sweep.points) do
        rows[i] = {percent(point.density), ("%.3f"):format(point.q)}
        for _, name in ipairs(methods) do
            rows[i][#rows[i] + 1] = point.by[name] and each(point.by[name]) or ""
        end
    end
    out:say("%s", head)
    out:put({"density", "q", table.unpack(methods)}, rows)
end

local NAMES <const> = {l1_useful = "useful bytes", board_bytes = "DRAM bytes"} -- of measures, where JSON's differ

local function crossovers(out, sweep)
    local rows, heads = {}, {"than", "by", "measured", "unmasked", "predicted"}
    for i, c in ipairs(sweep.crossovers) do
        rows[i] = {c.baseline, NAMES[c.key] or c.measure, crossover.text(c.masked), crossover.text(c.alone),
            crossover.text(c.predicted)}
        local w = c.written
        if w then
            heads[6], heads[7], heads[8] = "unfold-all", "unmasked", "predicted"
            rows[i][6], rows[i][7], rows[i][8] = crossover.text(w.masked), crossover.text(w.alone),
                crossover.text(w.predicted)
        end
    end
    out:say("Where unfolding costs less, by density (%s): as measured, against dense methods with their results " ..
        "masked and unmasked; and as the descriptions predict. Predicted times are the larger of that of the " ..
        "multiplications and that of the bytes.%s", sweep.name, heads[6] and
        " Then the same for unfold-all, whose matrix is not zeroed first." or "")
    out:put(heads, rows, {false, false, false, false, false, false, false, false})
end

-- ---- one input ----

local SHOWN <const> = {macs_asked = true, board_bytes = true, drained = true} -- of the measures; JSON has all

-- "less (10.8)": unfold costs less, the other 10.8 times as much.
local function side_text(side, ratio)
    return side and ratio and ("%s (%s)"):format(side, short(ratio)) or side or ""
end

-- The input relative to the predicted crossovers, and the measurements there.
function sweeps.points(out, entry)
    local c, rows, measured = entry.case, {}, false
    for _, point in ipairs(entry.crossovers) do
        if SHOWN[point.key] then
            local written = point.written or {}
            rows[#rows + 1] = {point.baseline, NAMES[point.key] or point.measure, crossover.text(point.predicted),
                point.expected or "", side_text(point.found, point.ratio), side_text(point.alone, point.alone_ratio),
                crossover.text(written.predicted), side_text(written.found, written.ratio)}
            measured = measured or point.found
        end
    end
    local at = percent(c.density)
    out:say("Where unfolding costs less, by density: as the descriptions predict for this shape%s; the prediction " ..
        "at this input's %s; and the measurement there, with the cost of the other over that of unfold, for dense " ..
        "methods also unmasked. Predicted bytes exclude weights, lists and flags; predicted times are the larger of " ..
        "that of the multiplications and that of the bytes, including weights and the list of windows. Then " ..
        "prediction and measurement of unfold-all, whose matrix is not zeroed first.",
        entry.how.element == 2 and " in fp16 (products and results in fp32)" or "", at)
    out:put({"than", "by", "predicted", "at " .. at, "measured", "unmasked", "unfold-all", "measured"}, rows,
        {false, false, false, false, false, false, false, false})
    if not measured then
        out:say "Only one side of the comparison was run; --method all runs both."
    elseif not entry.sweeps then
        local work = entry.work and (", about %s times the work of this run"):format(short(entry.work)) or ""
        out:say("One input measures one point. --crossover measures the crossovers by random occupancies of this " ..
            "shape%s.", work)
    end
end

-- ---- sweeps ----

function sweeps.densities(out, entry, option)
    for _, sweep in ipairs(entry.sweeps) do
        local last = sweep.points[#sweep.points]
        out:say("Random occupancy, %s. Methods that compute every window run at the first and the last density, " ..
            "and are interpolated linearly between them.%s", tables.geometry_text(sweep.p),
            sweep.cut and (" At densities above %s the matrix of unfold does not fit."):format(percent(last.density))
            or "")
        against(out, sweep, entry.methods, "Cycles, written back.", function(row) return count(row.drained // 1) end)
        if not option.brief then
            against(out, sweep, entry.methods, "DRAM bytes.", function(row)
                return many(row.board_bytes)
            end)
            against(out, sweep, entry.methods, "MACs issued.", function(row) return many(row.macs) end)
        end
        crossovers(out, sweep)
    end
end

-- ---- results ----

function sweeps.compared(out, entry)
    local results, elements = 0, 0
    local function add(list, c)
        for _, row in pairs(list) do
            results, elements = results + (row.verified and 1 or 0), elements + c
        end
    end
    for _, scan in ipairs(entry.scans or {}) do
        add(scan.by, scan.case.p.outputs * scan.case.p.filters)
    end
    for _, sweep in ipairs(entry.sweeps or {}) do
        for _, point in ipairs(sweep.points) do
            add(point.by, sweep.p.outputs * sweep.p.filters)
        end
    end
    out:say("Compared with the reference: %s, %.1f M elements; %sthose of scans within the first-order bound, for " ..
        "fp16 of the numbers as they are rounded.", report.plural(results, "result"), elements / 1e6,
        entry.sweeps and "those of random occupancies bit by bit, " or "")
end

function sweeps.claims(out, list)
    out:say("Verdicts, where costs within %.0f %% of the larger one count as equal:", 100 * crossover.MARGIN)
    out:claims(list)
end

-- The report on a given input: relative to the predicted crossovers, and the measured ones.
function sweeps.problem(out, entry, option)
    if not option.brief and #entry.crossovers > 0 then
        sweeps.points(out, entry)
    end
    if entry.sweeps and #entry.sweeps == 0 then
        out:say("All random occupancies of this shape that fit have the same number of active windows: there is " ..
            "nothing to compare.")
    elseif entry.sweeps then
        sweeps.densities(out, entry, option)
    end
end

local function verdict_of(claim)
    return not claim and "not run" or
        claim.verdict == "holds when" and ("%d of %d"):format(claim.won, claim.inputs) or claim.verdict
end

-- Verdicts of several boards, a row for each claim.
function sweeps.matrix(out, entries)
    local places = {}
    for i, entry in ipairs(entries) do
        places[i] = {entry.board, entry.claims}
    end
    out:matrix(places, verdict_of,
        "Verdicts by board; where a claim holds on some inputs only, their number:")
end

function sweeps.workloads(out, entry, option)
    out:title(tables.board_line(entry))
    sweeps.scans(out, entry, option)
    if entry.sweeps then
        sweeps.densities(out, entry, option)
    end
    sweeps.compared(out, entry)
    if entry.claims then
        sweeps.claims(out, entry.claims)
    end
end

return sweeps
