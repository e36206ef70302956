-- Use of each resource relative to its peak: the speed of light, and the roofline.
local heddle = require "heddle"
local html = require "heddle.report.html"
local lists = require "heddle.kit.lists"
local number = require "heddle.report.number"

local speed = {}

-- {id, title} of each resource, from the sub-cores down to DRAM.
local function levels()
    return lists.map(heddle.metrics(), function(m)
        local id = m.name:match "^sol%.(.+)"
        return id and {id = id, title = m.doc:match "^[^:]+", unit = m.unit} or nil
    end)
end

local METRICS <const> = lists.by(heddle.metrics(), "name")

-- Level, achieved, peak, unit and share of one run; of several runs the share of each.
local function level_rows(runs, list)
    return lists.map(list, function(level)
        local row = {level.title}
        for i, r in ipairs(runs) do
            local share = number.percent(r:metric("sol." .. level.id))
            if #runs == 1 then
                lists.append(row, {number.short(r:metric("rate." .. level.id)),
                    number.short(r:metric("peak." .. level.id)), METRICS["rate." .. level.id].unit, share})
            else
                row[i + 1] = share
            end
        end
        return row
    end)
end

local function names(runs)
    return lists.map(runs, function(r) return r.name end)
end

local function light(runs)
    local used = lists.map(levels(), function(level)
        for _, r in ipairs(runs) do
            if (r:metric("sol." .. level.id) or 0) > 0 then
                return level
            end
        end
    end)
    local bars, top = {}, lists.least(used, function(level) return -(runs[1]:metric("sol." .. level.id) or 0) end)
    for _, level in ipairs(used) do
        for _, r in ipairs(runs) do
            bars[#bars + 1] = {label = level.title, series = r.name, value = r:metric("sol." .. level.id) or 0}
        end
    end
    return top and html.figure {
        id = "light", title = "Share of each peak",
        about = "What each resource did, as a share of what it can do. A launch does not get faster than its " ..
            "busiest resource allows.",
        alt = ("%s is nearest to its peak, with %s."):format(top.title,
            number.percent(runs[1]:metric("sol." .. top.id))),
        data = {kind = "bars", rows = bars, series = names(runs), label = "share of peak", unit = "%",
            high = 100},
        heads = #runs == 1 and {"resource", "achieved", "peak", "unit", "of peak"} or
            lists.append({"resource"}, names(runs)),
        rows = level_rows(runs, used), left = #runs == 1 and {[4] = true} or nil,
    }
end

-- ---- roofline ----

local MEMORY <const> = {{"dram", "DRAM"}, {"l2", "L2"}, {"l1", "L1"}, {"shared", "shared memory"}}

-- A rate or peak in bytes per cycle; that of DRAM is counted in GB/s.
local function per_cycle(r, name)
    local value = r:metric(name)
    return value and (name:find "%.dram$" and value * 1e9 * r.launch.seconds / r.launch.cycles or value)
end

-- A point for each memory that moved something: work of a cycle over work for each of its bytes.
local function points_of(r)
    local done, top = r:metric "rate.issue" or 0, r:metric "peak.issue"
    return lists.map(MEMORY, function(memory)
        local moved, peak = per_cycle(r, "rate." .. memory[1]), per_cycle(r, "peak." .. memory[1])
        local share = r:metric("sol." .. memory[1])
        return moved and moved > 0 and done > 0 and peak and top and share and {
            run = r.name, level = memory[2], x = done / moved, y = done, slope = peak, top = top, share = share,
        } or nil
    end)
end

local function roofline(runs)
    local points = {}
    for _, r in ipairs(runs) do
        lists.append(points, points_of(r))
    end
    local seen = lists.set(lists.map(points, function(p) return p.level end))
    local near = lists.least(points, function(p) return -p.share end)
    return near and html.figure {
        id = "roofline", title = "Roofline",
        about = "Instructions that warps issued in a cycle, over instructions for each byte that a memory moved. A " ..
            "sloping line is what that memory can move, the flat one what all SMs can issue: a point on its line is " ..
            "bound by it, and one far below is bound by something else, often by latency.",
        alt = ("The point nearest to the line of its memory is that of %s: it moves %s of its peak."):format(near.level,
            number.percent(near.share)),
        data = {kind = "roofline", points = points, runs = names(runs), series = lists.map(MEMORY, function(memory)
            return seen[memory[2]] and memory[2] or nil
        end)},
        heads = {"run", "memory", "instructions for each byte", "instructions in a cycle", "roof there",
            "of the memory's peak"},
        rows = lists.map(points, function(p)
            return {p.run, p.level, ("%.4g"):format(p.x), ("%.4g"):format(p.y),
                ("%.4g"):format(math.min(p.slope * p.x, p.top)), number.percent(p.share)}
        end), left = {[2] = true},
    }
end

function speed.section(runs)
    return runs[1].launch.metrics and html.section("speed", "Speed of light", light(runs), roofline(runs))
end

return speed
