-- Waits of warps, their number, and energy in joules.
local heddle = require "heddle"
local html = require "heddle.report.html"
local lists = require "heddle.kit.lists"
local number = require "heddle.report.number"

local waits = {}

local e = html.element

local function names(runs)
    return lists.map(runs, function(r) return r.name end)
end

-- A bar for each row {label, metric, about it} that is above 0 in a run, the longest of the first run first, and a
-- table with a column for each run.
local function chart(runs, rows, show, figure)
    local used = lists.map(rows, function(row)
        return lists.any(runs, function(r) return (r:metric(row[2]) or 0) > 0 end) and row or nil
    end)
    local order = {}
    for i, row in ipairs(used) do
        order[row] = i
    end
    local function first(row)
        return runs[1]:metric(row[2]) or 0
    end
    table.sort(used, function(a, b)
        if figure.ordered or first(a) == first(b) then
            return order[a] < order[b]
        end
        return first(a) > first(b)
    end)
    local bars = {}
    for _, row in ipairs(used) do
        for _, r in ipairs(runs) do
            bars[#bars + 1] = {label = row[1], series = r.name, value = r:metric(row[2]) or 0}
        end
    end
    figure.data = {kind = "bars", rows = bars, series = names(runs), label = figure.label, unit = figure.unit}
    figure.heads = lists.append(lists.append({figure.what}, #runs == 1 and {figure.label} or names(runs)),
        {figure.meaning})
    figure.left = {[#runs + 2] = true}
    figure.rows = lists.map(used, function(row)
        local cells = lists.map(runs, function(r) return show(r:metric(row[2]) or 0) end)
        return lists.append(lists.append({row[1]}, cells), {row[3]})
    end)
    return used[1] and html.figure(figure)
end

function waits.stalls(runs)
    local rows = lists.map(heddle.stalls(), function(s) return {s.name, "stall_share." .. s.name, s.doc} end)
    local most = lists.least(rows, function(row)
        return row[1] ~= "selected" and -(runs[1]:metric(row[2]) or 0) or nil
    end)
    return runs[1].launch.metrics and html.section("stalls", "Stalls", chart(runs, rows, number.percent, {
        id = "stall-reasons", title = "Stall reasons", what = "reason", label = "share of the time of warps",
        unit = "%", meaning = "meaning",
        about = "Each cycle of each resident warp has exactly one reason; selected is the cycle of its issue. " ..
            "Together they are 100 %.",
        alt = ("Besides issuing, warps spend most time in %s: %s."):format(most[1],
            number.percent(runs[1]:metric(most[2]) or 0)),
    }))
end

local LIMITS <const> = {
    {"warps", "occupancy.by_warps"}, {"blocks", "occupancy.by_blocks"}, {"registers", "occupancy.by_registers"},
    {"shared memory", "occupancy.by_shared"}, {"grid size", "occupancy.by_grid"},
}

local METRICS <const> = lists.by(heddle.metrics(), "name")

function waits.occupancy(runs)
    local r = runs[1]
    local rows = lists.map(LIMITS, function(row) return {row[1], row[2], METRICS[row[2]].doc} end)
    return r.launch.metrics and html.section("occupancy", "Occupancy", chart(runs, rows, number.count, {
        id = "limits", title = "What limits the blocks of an SM", what = "limit", label = "blocks on an SM", unit = "",
        meaning = "meaning", ordered = true,
        about = "How many blocks each limit alone would allow on an SM; the shortest bar counts.",
        alt = ("The limit is %s."):format(r.launch.occupancy_limit or "not known"),
    }), e("ul", lists.map(runs, function(one)
        return e("li", #runs > 1 and one.name .. ": " or "", number.percent(one:metric "occupancy.achieved"),
            " of the warps that an SM could hold were there on average while it was active (",
            number.short(one:metric "occupancy.warps_active" or 0), " warps), ",
            number.percent(one:metric "occupancy.theoretical"), " in theory; limited by ",
            one.launch.occupancy_limit or "nothing", ".")
    end)))
end

local EVENTS <const> = lists.map(heddle.metrics(), function(m)
    local event = m.name:match "^energy%.(%l+%d?%d?)$"
    local sums = lists.set {"dynamic", "memory", "active", "idle", "constant", "static", "total", "assumed"}
    return event and m.unit == "J" and not sums[event] and {event, m.name, m.doc} or nil
end)

function waits.energy(runs)
    local rows = lists.append(lists.append({}, EVENTS), lists.map({"active", "idle", "constant"}, function(name)
        return {name, "energy." .. name, METRICS["energy." .. name].doc}
    end))
    local r = runs[1]
    local total = r:metric "energy.total"
    local function bounds(one)
        local low, high = one:metric "energy.total_low", one:metric "energy.total_high"
        return low and {"(", number.small(low, "J"), " to ", number.small(high, "J"), " by the board's ranges) "} or ""
    end
    return total and html.section("energy", "Energy", chart(runs, rows, function(v)
        return number.small(v, "J")
    end, {
        id = "joules", title = "Joules", what = "part", label = "energy", unit = "J", meaning = "counted",
        about = "Joules of the events of the kernel, then what flows as long as the launch lasts. Launch overhead " ..
            "is in neither.",
        alt = ("%s altogether, %s of it for events of the kernel."):format(number.small(total, "J"),
            number.small(r:metric "energy.dynamic" or 0, "J")),
    }), e("p", {class = "about"}, lists.map(runs, function(one)
        return {#runs > 1 and one.name .. ": " or "", number.small(one:metric "energy.total" or 0, "J"), " ",
            bounds(one), "altogether, ", number.short(one:metric "power.average" or 0), " W on average; ",
            number.percent(one:metric "energy.assumed"),
            " of the energy of events rests on picojoules that the board only assumes. "}
    end)))
end

return waits
