-- What the convolution study prints of scans and random occupancies: a table for each question, then the claims.
local crossover = require "heddle.spconv_crossover"
local report = require "heddle.report"
local tables = require "heddle.spconv_tables"

local sweeps = {}

local count, short = report.count, report.short
local many, percent = tables.many, tables.percent

-- ---- scans ----

function sweeps.scans_head(out, entry)
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
        "size kept. q is the active share of the windows' elements, 1/q how many multiplications unfolding does for " ..
        "one of an active element; then the bytes of the input and of the matrix in fp32.")
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
    sweeps.scans_head(out, entry)
    out:say "Cycles, with what the launches left in L2 written back, without what a launch itself costs."
    by_scan(out, entry, methods, function(row) return count(row.drained // 1) end)
    out:say "Bytes of the board's memory."
    by_scan(out, entry, methods, function(row) return many(row.board_bytes) end)
    out:say "MACs that lanes executed, and the share of them that did not have to be."
    by_scan(out, entry, methods, function(row)
        return ("%s (%s)"):format(many(row.macs), percent(row.zero_share))
    end)
    if option.brief then
        return
    end
    out:say "Sectors of a warp's access to x where it is gathered; 4 hold 32 numbers of fp32."
    by_scan(out, entry, methods, function(row) return row.gather and short(row.gather) or "" end)
    out:say "Dynamic energy in microjoule, and bytes between host and board."
    by_scan(out, entry, methods, function(row)
        return ("%s, %s"):format(short(1e6 * row.energy), many(row.host_bytes))
    end)
    local detailed = entry.scans[#entry.scans > 1 and 2 or 1]
    out:say("Stage by stage: %s.", detailed.name)
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

local function crossovers(out, sweep)
    local rows = {}
    for _, c in ipairs(sweep.crossovers) do
        rows[#rows + 1] = {c.baseline, c.measure, crossover.text(c.masked), crossover.text(c.alone),
            crossover.text(c.predicted)}
    end
    out:say("Where unfolding costs less, by density (%s): as measured, against dense methods that give the same " ..
        "result and against what they are without that; and as the descriptions predict. Times are predicted as the " ..
        "larger of that of the multiplications and that of the bytes.", sweep.name)
    out:put({"than", "by", "measured", "unmasked", "predicted"}, rows, {false, false, false, false, false})
end

function sweeps.densities(out, entry, option)
    for _, sweep in ipairs(entry.sweeps) do
        out:say("Random occupancy, %s. Methods that compute every window are run at the first and the last " ..
            "density, and lie on a straight line between.", tables.geometry_text(sweep.p))
        against(out, sweep, entry.methods, "Cycles, written back.", function(row) return count(row.drained // 1) end)
        if not option.brief then
            against(out, sweep, entry.methods, "Bytes of the board's memory.", function(row)
                return many(row.board_bytes)
            end)
            against(out, sweep, entry.methods, "MACs that lanes executed.", function(row) return many(row.macs) end)
        end
        crossovers(out, sweep)
    end
end

-- ---- what was found ----

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
    out:say("Compared with the reference: %s, %.1f M elements; those of random occupancies bit by bit, those of " ..
        "scans within the first-order bound.", report.plural(results, "result"), elements / 1e6)
end

function sweeps.claims(out, list)
    out:say("What becomes of the claims, where costs within %.0f %% of the larger one count as equal:",
        100 * crossover.MARGIN)
    for _, claim in ipairs(list) do
        local condition = claim.condition and " " .. claim.condition or ""
        out:verdict(claim.claim, claim.verdict, condition .. ". " .. claim.text)
    end
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
