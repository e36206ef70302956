-- Does `heddle results --plot`: a page with a picture of the requested points, a curve for each series.
--
--   plot.lua --folder=DIR --plot=X,Y[,SERIES] --file=FILE.db --point=8 --point=3941 --point=sms=40 ...
local charts = require "heddle.report.charts"
local columns = require "heddle.report.columns"
local html = require "heddle.report.html"
local lists = require "heddle.kit.lists"
local options = require "heddle.kit.options"
local page = require "heddle.report.page"
local report = require "heddle.kit.report"
local shell = require "heddle.report.shell"
local study = require "heddle.kit.study"

local given = options.passed(arg, "point")
local points = given.point
local x, y = given.plot:match "^([^,]*),([^,]*)"

-- {{name, {{x, y}, ...}}, ...}, the names in order of appearance; and all values of x, sorted.
local function collect()
    local series, by_name, names, seen = {}, {}, {}, {}
    for i = 1, #points, 3 do
        local name = points[i + 2]
        if not by_name[name] then
            by_name[name] = {name ~= "" and name or columns.title(y), {}}
            series[#series + 1] = by_name[name]
        end
        table.insert(by_name[name][2], {points[i], tonumber(points[i + 1])})
        if not seen[points[i]] then
            seen[points[i]], names[#names + 1] = true, points[i]
        end
    end
    return series, names
end

local function lines(spec, series, names)
    local xs, ys = lists.map(names, function(text) return tonumber(text) end), {}
    table.sort(xs)
    for _, one in ipairs(series) do
        one[2] = lists.map(one[2], function(point) return {tonumber(point[1]), point[2]} end)
        table.sort(one[2], function(a, b) return a[1] < b[1] end)
        lists.append(ys, lists.map(one[2], function(point) return point[2] end))
    end
    table.sort(ys)
    return charts.lines(lists.merge(spec, columns.axes(x, xs, y, ys), {series = series}))
end

local function bars(spec, series, names)
    return charts.bars(lists.merge(spec, {y = columns.label(y), unit = columns.unit(y), names = names,
        head = columns.title(x), apart = true, series = lists.map(series, function(one)
            local at = {}
            for _, point in ipairs(one[2]) do
                at[point[1]] = point[2]
            end
            return {one[1], lists.map(names, function(bar) return at[bar] or 0 end)}
        end)}))
end

return study.main("heddle results", function()
    local series, names = collect()
    if #series == 0 then
        study.refuse("--plot %s: no point has a value of both", given.plot)
    end
    local path = ("%s/%s.html"):format(given.folder, (y .. "-over-" .. x):gsub("[^%w.-]", "_"))
    os.execute("mkdir -p " .. shell.quote(given.folder))
    study.outputs({plot = path, store = given.file}, {}, {"store", store = "the store " .. given.file})
    local numbers = lists.map(names, function(text) return tonumber(text) end)
    local title = ("%s over %s"):format(columns.words(y), columns.title(x))
    local spec = {id = "plot", title = title, about = columns.about(y)}
    local figure = (#numbers == #names and lines or bars)(spec, series, names)
    study.output {{path, page.text {title = title, lead = html.element("p", {class = "about"},
        ("%s of %s."):format(report.plural(#points // 3, "point"), given.file)),
        sections = {html.section("curves", "Picture", figure)}}}}
    study.print(("%s: drew %s; open it in a browser, which saves it as SVG"):format(path, title))
    return true
end)
