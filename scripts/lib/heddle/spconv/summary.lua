-- The results of the convolution study for JSON, and its wrong results.
--
--   summary.wrong(entries)            {"a100, unfold: element 3 ...", ...}, in order
--   summary.json(entries, option)     {dtype, caches, boards = {...}}, and properties of a given input
--
-- entries: one for each board, {board, settings, warp, caches, how}, and for an input that was given {case, problem,
-- crossovers, sweeps or nil}, for generated ones what heddle.spconv.trials measured, and verdicts or nil.
local heddle = require "heddle"
local lists = require "heddle.kit.lists"

local summary = {}

-- Calls visit(row, where) for everything that ran.
local function each_row(entry, visit)
    local function all(by, front)
        for name, row in pairs(by) do
            visit(row, front .. name)
        end
    end
    all(entry.problem and entry.problem.by or {}, "")
    for _, scan in ipairs(lists.append(lists.append({}, entry.scans), entry.again)) do
        all(scan.by, scan.name .. ", ")
    end
    for _, sweep in ipairs(entry.sweeps or {}) do
        for _, point in ipairs(sweep.points) do
            all(point.by, ("%s, density %g, "):format(sweep.name, point.density))
        end
    end
end

-- Number of results that agree with the reference, and their elements.
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

local function array(list, of)
    return heddle.array(lists.map(list, of or function(v) return v end))
end

-- The shape of a problem; lists have depth, height and width, with a depth of 1 in two dimensions (rank).
local function shape(p)
    return {
        rank = p.rank, batch = p.batch, channels = p.channels, filters = p.filters, layout = p.layout,
        size = p.size, kernel = p.kernel, stride = p.stride, padding_lo = p.lo, padding_hi = p.hi, output = p.out,
        centres = array(p.predetermined, function(e) return array(e) end), positions = p.positions, outputs = p.outputs,
    }
end

-- Properties of an input; `more`: further fields.
local function about(c, more)
    return lists.merge(shape(c.p), {input = heddle.array(c.about), active = c.active, windows = c.windows,
        density = c.density, share = c.q, pairs = c.pairs, exact = c.exact, bias = c.bias ~= nil}, more)
end

local function of_board(entry)
    return {
        board = entry.board, settings = entry.settings, warp = entry.warp, claims = entry.verdicts,
        crossovers = entry.crossovers and heddle.array(entry.crossovers),
        methods = entry.problem and heddle.array(entry.problem.methods),
        scans = entry.scans and entry.scans[1] and array(entry.scans, function(scan)
            return about(scan.case, {name = scan.name, methods = heddle.array(scan.methods)})
        end),
        sweeps = entry.sweeps and array(entry.sweeps, function(sweep)
            return lists.merge(shape(sweep.p), {
                name = sweep.name, crossovers = sweep.turns, interpolated_within = sweep.worst,
                points = array(sweep.points, function(point)
                    return {density = point.density, q = point.q, windows = point.windows, by = point.by}
                end),
            })
        end),
    }
end

function summary.json(entries, option)
    return lists.merge(entries[1].case and about(entries[1].case), {dtype = option.dtype, caches = option.caches,
        identify = option.identify, boards = lists.map(entries, of_board)})
end

return summary
