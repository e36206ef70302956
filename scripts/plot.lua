-- The work of `heddle results --plot`: a picture of points that were asked for, a curve for each series.
--
--   plot.lua --folder=DIR --plot=X,Y[,SERIES] --file=FILE.db --point=8 --point=3941 --point=sms=40 ...
local heddle = require "heddle"
local lists = require "heddle.kit.lists"
local options = require "heddle.kit.options"
local plot = require "heddle.kit.plot"
local study = require "heddle.kit.study"

-- A range that wide is drawn by powers of two.
local WIDE <const> = 8

local given = options.passed(arg, "point")
local points = given.point
local x, y = given.plot:match "^([^,]*),([^,]*)"

-- {{name, {{x, y}, ...}}, ...}, the names in the order in which they come; and all values of x, sorted as they came.
local function collect()
    local series, by_name, names, seen = {}, {}, {}, {}
    for i = 1, #points, 3 do
        local name = points[i + 2]
        if not by_name[name] then
            by_name[name] = {name, {}}
            series[#series + 1] = by_name[name]
        end
        table.insert(by_name[name][2], {points[i], tonumber(points[i + 1])})
        if not seen[points[i]] then
            seen[points[i]], names[#names + 1] = true, points[i]
        end
    end
    return series, names
end

local function draw_lines(folder, name, series, names)
    local least, most = math.huge, -math.huge
    for _, text in ipairs(names) do
        least, most = math.min(least, tonumber(text)), math.max(most, tonumber(text))
    end
    for _, one in ipairs(series) do
        one[2] = lists.map(one[2], function(point) return {tonumber(point[1]), point[2]} end)
        table.sort(one[2], function(a, b) return a[1] < b[1] end)
    end
    folder:lines(name, {title = given.file, x = x, y = y, log = least > 0 and most / least >= WIDE and 2 or nil,
        series = series})
end

local function draw_bars(folder, name, series, names)
    local bars = lists.map(series, function(one)
        local at = {}
        for _, point in ipairs(one[2]) do
            at[point[1]] = point[2]
        end
        return {one[1], lists.map(names, function(bar) return at[bar] or 0 end)}
    end)
    folder:bars(name, {title = given.file, y = y, names = names, series = bars})
end

return study.main("heddle results", function()
    local series, names = collect()
    if #series == 0 then
        study.refuse("--plot %s: no point has a value of both", given.plot)
    end
    local folder, name = plot.folder(given.folder), (y .. "-over-" .. x):gsub("[^%w.-]", "_")
    for _, path in ipairs(folder:files(name)) do
        if heddle.same_file(path, given.file, true) then
            study.refuse("--plot %s: %s is the store %s; name another --folder", given.plot, path, given.file)
        end
    end
    local numbers = true
    for _, text in ipairs(names) do
        numbers = numbers and tonumber(text) ~= nil
    end
    local draw = numbers and draw_lines or draw_bars
    draw(folder, name, series, names)
    study.print(folder:finish())
    return true
end)
