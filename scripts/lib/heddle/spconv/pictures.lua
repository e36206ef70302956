-- The pictures of the convolution study: costs by density, and bytes by tensor.
local claims = require "heddle.spconv.claims"
local lists = require "heddle.kit.lists"
local roles = require "heddle.claims.roles"

local pictures = {}

local MEASURES <const> = {
    {"cycles", "launched", "cycles with launches", "Time"},
    {"bytes", "board_bytes", "DRAM traffic", "DRAM traffic", "B"},
    {"macs", "macs", "multiplications issued", "Multiplications"},
}
local role_of <const> = roles.of(claims.rows)

-- The cost of every method against the density.
local function by_density(into, entry, sweep, measure)
    local series = lists.map(entry.methods, function(name)
        local points = lists.map(sweep.points, function(point)
            local row = point.by[name]
            return row and {100 * point.density, row[measure[2]]} or nil
        end)
        return #points > 0 and {name, points, role = role_of(name)} or nil
    end)
    into:lines {
        id = ("spconv-%s-%s-%s"):format(entry.board, sweep.name, measure[1]),
        title = ("%s of a convolution on %s by the share of its active windows; %s, %d channels to %d filters"):format(
            measure[4], entry.board, sweep.name, sweep.p.channels, sweep.p.filters),
        x = "active windows, % of all", y = measure[3], unit = measure[5], log = true, log_y = true, series = series,
    }
end

-- DRAM bytes by tensor.
local TENSORS <const> = {"x", "y", "matrix", "columns", "weight", "gathered", "products"}

local function bytes(into, entry, list, what)
    local rows = lists.map(list, function(row) return row.tensors and row or nil end)
    local function moved(row, name)
        local t = row.tensors[name]
        return t and t.dram_bytes + t.dirty_bytes or 0
    end
    local series = lists.map(TENSORS, function(name)
        return {name, lists.map(rows, function(row) return moved(row, name) end)}
    end)
    series[#series + 1] = {"others", lists.map(rows, function(row)
        return row.board_bytes - lists.sum(TENSORS, function(name) return moved(row, name) end)
    end)}
    local names = lists.map(rows, function(row) return row.method end)
    into:bars {
        id = ("spconv-%s-bytes"):format(entry.board),
        title = ("What a convolution moves to and from DRAM on %s, by tensor; %s"):format(entry.board, what),
        y = "DRAM traffic", unit = "B", names = names, roles = roles.by(role_of, names), series = series,
    }
end

function pictures.draw(into, entry)
    for _, sweep in ipairs(entry.sweeps or {}) do
        for _, measure in ipairs(MEASURES) do
            by_density(into, entry, sweep, measure)
        end
    end
    local last = entry.scans and entry.scans[#entry.scans]
    bytes(into, entry, (last or entry.problem).methods, last and last.name or "the given input")
end

return pictures
