-- The results of the convolution study for JSON, and its wrong results.
--
--   summary.wrong(entries)            {"a100, unfold: element 3 ...", ...}, in order
--   summary.json(entries, option)     {dtype, caches, boards = {...}}, and properties of a given input
--
-- entries: one for each board, {board, settings, warp, caches, how}, and for an input that was given {case, problem,
-- crossovers, sweeps or nil}, for generated ones what heddle.spconv.trials measured, and verdicts or nil.
local heddle = require "heddle"
local summary = {}

-- Calls visit(row, where) for everything that ran.
local function each_row(entry, visit)
    for name, row in pairs(entry.problem and entry.problem.by or {}) do
        visit(row, name)
    end
    for _, list in ipairs {entry.scans or {}, entry.again or {}} do
        for _, scan in ipairs(list) do
            for name, row in pairs(scan.by) do
                visit(row, scan.name .. ", " .. name)
            end
        end
    end
    for _, sweep in ipairs(entry.sweeps or {}) do
        for _, point in ipairs(sweep.points) do
            for name, row in pairs(point.by) do
                visit(row, ("%s, density %g, %s"):format(sweep.name, point.density, name))
            end
        end
    end
end

-- How many results agree with the reference, and their elements.
function summary.compared(entry)
    local results, elements = 0, 0
    each_row(entry, function(row)
        results, elements = results + (row.verified and 1 or 0), elements + row.elements
    end)
    return results, elements
end

function summary.wrong(entries)
    local wrong = {}
    for _, entry in ipairs(entries) do
        each_row(entry, function(row, where)
            wrong[#wrong + 1] = row.difference and ("%s, %s: %s"):format(entry.board, where, row.difference)
        end)
    end
    table.sort(wrong)
    return wrong
end

-- The shape of a problem; lists have depth, height and width, with a depth of 1 in two dimensions (rank).
local function shape(p)
    local centres = heddle.array {}
    for i, e in ipairs(p.predetermined) do
        centres[i] = heddle.array {table.unpack(e)}
    end
    return {
        rank = p.rank, batch = p.batch, channels = p.channels, filters = p.filters, layout = p.layout,
        size = p.size, kernel = p.kernel, stride = p.stride, padding_lo = p.lo, padding_hi = p.hi, output = p.out,
        centres = centres,
        positions = p.positions, outputs = p.outputs,
    }
end

-- Properties of an input.
local function about(c)
    local out = shape(c.p)
    out.input, out.active, out.windows, out.density = heddle.array(c.about), c.active, c.windows, c.density
    out.share, out.pairs, out.exact, out.bias = c.q, c.pairs, c.exact, c.bias ~= nil
    return out
end

local function of_board(entry)
    local out = {board = entry.board, settings = entry.settings, warp = entry.warp, claims = entry.verdicts,
        crossovers = entry.crossovers and heddle.array(entry.crossovers)}
    out.methods = entry.problem and heddle.array(entry.problem.methods)
    for i, scan in ipairs(entry.scans or {}) do
        out.scans = out.scans or {}
        out.scans[i] = about(scan.case)
        out.scans[i].name, out.scans[i].methods = scan.name, heddle.array(scan.methods)
    end
    out.sweeps = entry.sweeps and heddle.array {}
    for i, sweep in ipairs(entry.sweeps or {}) do
        out.sweeps[i] = shape(sweep.p)
        out.sweeps[i].name, out.sweeps[i].points = sweep.name, heddle.array {}
        for k, point in ipairs(sweep.points) do
            out.sweeps[i].points[k] = {density = point.density, q = point.q, windows = point.windows, by = point.by}
        end
        out.sweeps[i].crossovers, out.sweeps[i].interpolated_within = sweep.turns, sweep.worst
    end
    return out
end

function summary.json(entries, option)
    local out = entries[1].case and about(entries[1].case) or {}
    out.dtype, out.caches = option.dtype, option.caches
    out.identify = option.identify
    out.boards = {}
    for i, entry in ipairs(entries) do
        out.boards[i] = of_board(entry)
    end
    return out
end

return summary
