-- The report of the convolution study on generated inputs, and where a given input lies.
local claims = require "heddle.spconv.claims"
local crossover = require "heddle.spconv.crossover"
local report = require "heddle.kit.report"
local search = require "heddle.claims.search"
local show = require "heddle.claims.show"
local study = require "heddle.kit.study"
local summary = require "heddle.spconv.summary"
local tables = require "heddle.spconv.tables"

local sweeps = {}

local cell, count, short = report.cell, report.count, report.short
local many, percent = tables.many, tables.percent

local NAMES <const> = {l1_useful = "useful bytes", board_bytes = "DRAM bytes"} -- of measures, where JSON's differ

local function thousandths(v)
    return ("%.3f"):format(v)
end

-- ---- inputs ----

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

-- One measure of all methods: a row for each of `points`, headed by what `head` gives of it.
local function measured(out, measure, methods, points, heads, head)
    local rows, of = {}, out.of
    out:say(measure[1])
    for i, point in ipairs(points) do
        rows[i] = head(point)
        for k, name in ipairs(methods) do
            local row = point.by[name]
            rows[i][#heads + k] = row and measure[2](row)
        end
    end
    out:about(("%s: %s"):format(of, measure[1]))
    out:put({table.unpack(table.move(methods, 1, #methods, #heads + 1, {table.unpack(heads)}))}, rows)
    out:about(of)
end

local MEASURES <const> = {
    {"Cycles, with write-back of the lines left dirty in L2, without launch overhead.",
        function(row) return cell(row.drained // 1, count) end},
    {"DRAM bytes.", function(row) return cell(row.board_bytes, many) end},
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

-- What the mask of a dense method costs by the lists that unfolding makes, by flags, and not at all.
local function footing(out, entry)
    local rows = {}
    for i, scan in ipairs(entry.scans) do
        local unfold, lists = scan.by.unfold, 0
        for _, stage in ipairs(unfold and unfold.stages or {}) do
            lists = lists + ((stage.name == "identify" or stage.name == "windows") and stage.drained or 0)
        end
        rows[i] = {scan.name, cell(unfold and unfold.drained // 1, count)}
        for k, name in ipairs {"dense-direct", "im2col", "implicit"} do
            local row, cells = scan.by[name], {}
            for _, stage in ipairs(row and unfold and row.stages or {}) do
                if stage.name == "flags" then
                    cells = {row.drained - stage.drained + lists, row.drained,
                        scan.rows[name .. " unmasked"].drained}
                end
            end
            for c, v in ipairs(cells) do
                cells[c] = count(v // 1)
            end
            rows[i][2 + k] = table.concat(cells, " / ")
        end
    end
    out:say "Cycles, written back, of dense methods masked by lists / masked by flags / left dense, beside unfold."
    out:put({"scan", "unfold", "dense-direct", "im2col", "implicit"}, rows)
end

local function details_of_one(out, entry)
    local scan, list = entry.scans[#entry.scans > 1 and 2 or 1], {}
    for _, name in ipairs(entry.methods) do
        list[#list + 1] = scan.by[name]
    end
    out:say("Details of %s.", scan.name)
    tables.explain_costs(out)
    tables.costs(out, list)
    tables.host(out, list)
    tables.stages(out, list)
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
            cells[i + 1], any = turn and search.text(turn.found, turn.upto) or "", any or turn
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

function sweeps.densities(out, entry, option)
    for _, sweep in ipairs(entry.sweeps) do
        local last = sweep.points[#sweep.points]
        out:say("Random occupancy, %s. Of methods that compute every window all but the mask costs the same at " ..
            "every density, and runs once.%s", tables.geometry_text(sweep.p), sweep.cut and
            (" At densities above %s the matrix of unfold does not fit."):format(percent(last.density)) or "")
        for i = 1, option.brief and 1 or 3 do
            measured(out, MEASURES[i], entry.methods, sweep:begun(), {"density", "q"}, function(point)
                return {cell(point.density, percent), cell(point.q, thousandths)}
            end)
        end
    end
end

-- Where crossovers lie, as they were measured.
local function map(out, entry, whole)
    local worst = 0.0
    for _, sweep in ipairs(entry.sweeps) do
        worst = math.max(worst, sweep.worst)
    end
    out:say("Where it wins, by the density of random occupancy: both sides of a crossover are measured, at most " ..
        "%.0f %% apart.%s", 100 * search.TOLERANCE, whole and "" or (" In views of another claim costs are " ..
        "interpolated between all that were measured, which elsewhere was right within %.2g %%."):format(100 * worst))
    crossovers(out, entry.sweeps, entry.how, whole)
end

-- ---- a given input ----

local SHOWN <const> = {macs_asked = true, board_bytes = true, drained = true} -- of the measures; JSON has all

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

-- The report on a given input: relative to the predicted crossovers, and the measured ones.
function sweeps.problem(out, entry, option)
    if not option.brief and #entry.crossovers > 0 then
        points(out, entry)
    end
    if entry.sweeps and #entry.sweeps == 0 then
        out:say("All random occupancies of this shape that fit have the same number of active windows: there is " ..
            "nothing to compare.")
    elseif entry.sweeps then
        map(out, entry)
        sweeps.densities(out, entry, option)
    end
end

-- ---- verdicts ----

function sweeps.workloads(out, entry, option)
    out:title(tables.board_line(entry))
    if entry.verdicts then
        show.verdicts(out, entry.verdicts, claims.metrics, entry.board)
    end
    local results, elements = summary.compared(entry)
    out:say("Compared with the reference: %s, %.1f M elements; those of random occupancies bit by bit, those " ..
        "of scans within the first-order bound, for fp16 of the numbers as rounded. Costs within %.0f %% count as " ..
        "equal. Rivals that compute every window are masked by flags of the active windows, or left dense.",
        report.plural(results, "result"), elements / 1e6, 100 * study.MARGIN)
    local full = option.details or option.markdown
    if entry.sweeps then
        map(out, entry, not full)
    end
    if full then
        if entry.verdicts then
            out:say "What decided, claim by claim:"
            show.details(out, entry.verdicts, claims.metrics)
        end
        scans_head(out, entry)
        footing(out, entry)
        by_scan(out, entry, #MEASURES)
        details_of_one(out, entry)
        if entry.sweeps then
            sweeps.densities(out, entry, option)
        end
    elseif not entry.verdicts then
        scans_head(out, entry)
        by_scan(out, entry, 2)
    else
        out:say "What decided each verdict, costs by input, stage and tensor: --details. An input of your own: --x."
    end
end

return sweeps
