-- The section of a page on what launches moved and issued over time: of runs that were recorded.
local charts = require "heddle.report.charts"
local html = require "heddle.report.html"
local lists = require "heddle.kit.lists"

local rates = {}

local POINTS <const> = 200 -- of a curve: more windows are taken together

-- {{cycle, mean}, ...} of a track.
local function points(of, track)
    local together = (#track.values + POINTS - 1) // POINTS
    local list = {}
    for i = 1, #track.values, together do
        local some = table.move(track.values, i, math.min(i + together - 1, #track.values), 1, {})
        list[#list + 1] = {of.from + (i - 1) * of.window, lists.sum(some, function(v) return v end) / #some}
    end
    return list
end

-- A figure for each unit, of the tracks that have it.
local function figures(run, many)
    local units, by_unit = {}, {}
    for _, track in ipairs(run.rates.tracks) do
        if not by_unit[track.unit] then
            by_unit[track.unit] = {}
            units[#units + 1] = track.unit
        end
        table.insert(by_unit[track.unit], {track.name, points(run.rates, track)})
    end
    return lists.map(units, function(unit)
        local series = by_unit[unit]
        local what = table.concat(lists.map(series, function(one) return one[1] end), ", ")
        return charts.lines {id = ("rates-%s-%s"):format(run.name, unit):gsub("[^%w-]", "-"),
            title = (many and run.name .. ": " or "") .. what .. " over time", x = "cycle", y = unit, series = series,
            about = "Each point is a mean over some cycles."}
    end)
end

function rates.section(runs)
    local all = {}
    for _, run in ipairs(runs) do
        if run.rates and #run.rates.tracks[1].values > 1 then
            lists.append(all, figures(run, #runs > 1))
        end
    end
    return #all > 0 and html.section("rates", "Over time", table.unpack(all))
end

return rates
