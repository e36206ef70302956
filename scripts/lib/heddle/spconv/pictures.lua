-- The pictures of the convolution study: costs by density, and bytes by tensor.
local pictures = {}

local MEASURES <const> = {
    {"cycles", "drained", "cycles, with write-back"}, {"bytes", "board_bytes", "DRAM bytes"},
    {"macs", "macs", "MACs issued"},
}

-- The cost of every method against the density.
local function by_density(folder, entry, sweep, measure)
    local series = {}
    for _, name in ipairs(entry.methods) do
        local points = {}
        for _, point in ipairs(sweep.points) do
            local row = point.by[name]
            points[#points + 1] = row and {point.density, row[measure[2]]} or nil
        end
        series[#series + 1] = #points > 0 and {name, points} or nil
    end
    folder:lines(("spconv-%s-%s-%s"):format(entry.board, sweep.name:gsub(" ", "-"), measure[1]), {
        title = ("%s on %s, %d channels to %d filters"):format(sweep.name, entry.board, sweep.p.channels,
            sweep.p.filters),
        x = "active windows, as a share of all", y = measure[3], log = 10, log_y = 10, series = series,
    })
end

-- DRAM bytes by tensor.
local TENSORS <const> = {"x", "y", "matrix", "columns", "weight", "gathered", "products"}

local function bytes(folder, entry, list, title)
    local names, series = {}, {}
    for i, name in ipairs(TENSORS) do
        series[i] = {name, {}}
    end
    series[#series + 1] = {"others", {}}
    for _, row in ipairs(list) do
        if row.tensors then
            names[#names + 1] = row.method
            local rest = row.board_bytes
            for i, name in ipairs(TENSORS) do
                local t = row.tensors[name]
                local v = t and t.dram_bytes + t.dirty_bytes or 0
                series[i][2][#names], rest = v, rest - v
            end
            series[#series][2][#names] = rest
        end
    end
    folder:bars(("spconv-%s-bytes"):format(entry.board), {
        title = ("bytes by tensor, %s on %s"):format(title, entry.board), y = "DRAM bytes",
        names = names, series = series,
    })
end

function pictures.draw(folder, entry)
    for _, sweep in ipairs(entry.sweeps or {}) do
        for _, measure in ipairs(MEASURES) do
            by_density(folder, entry, sweep, measure)
        end
    end
    local last = entry.scans and entry.scans[#entry.scans]
    bytes(folder, entry, (last or entry.problem).methods, last and last.name or "the given input")
end

return pictures
