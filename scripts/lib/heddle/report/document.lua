-- What a study says, as a page: heddle.kit.page adds what it prints, pictures of heddle.kit.plot become figures.
--
--   local d = document.new()
--   d:title "v100"; d:say "text"; d:put(columns, rows); d:verdict("claim", "holds", ": why")
--   d:lines("speed", {...}); d:bars("bytes", {...})          as those of heddle.kit.plot
--   d:text "heddle study mask"
local heddle = require "heddle"
local html = require "heddle.report.html"
local lists = require "heddle.kit.lists"
local page = require "heddle.report.page"

local document = {}
document.__index = document

local e = html.element

function document.new()
    return setmetatable({sections = {}, ids = {}, tables = 0}, document)
end

-- What stands behind the last title.
local function parts_of(self)
    local last = self.sections[#self.sections]
    if not last then
        last = {title = "Results", parts = {}}
        self.sections[1] = last
    end
    return last.parts
end

local function add(self, part)
    table.insert(parts_of(self), part)
end

function document:title(text)
    table.insert(self.sections, {title = text, parts = {}})
end

function document:say(text)
    add(self, e("p", text))
end

-- `columns` and `rows` are those of heddle.table. A table has no title of its own: its place tells it apart.
function document:put(columns, rows)
    self.tables = self.tables + 1
    local parts, left = parts_of(self), {}
    for c, column in ipairs(columns) do
        left[c] = column.kind ~= "number" or nil
    end
    table.insert(parts, html.table(("Table %d: %s"):format(self.tables, self.sections[#self.sections].title),
        lists.map(columns, function(column, c) return column[1] ~= "" and column[1] or ("column %d"):format(c) end),
        lists.map(rows, function(row)
            local cells = {}
            for c = 1, #columns do
                cells[c] = type(row[c]) == "table" and row[c][2] or row[c]
            end
            return cells
        end), left))
end

function document:verdict(claim, verdict, text)
    add(self, e("p", {class = "verdict"}, claim, ": ", e("b", verdict), text))
end

local function id_of(self, name)
    local id = name:gsub("[^%w]+", "-")
    self.ids[id] = (self.ids[id] or 0) + 1
    return self.ids[id] > 1 and ("%s-%d"):format(id, self.ids[id]) or id
end

local function short(v)
    return v and ("%.5g"):format(v) or nil
end

-- A row for each x, a column for each series.
local function by_x(spec)
    local at, xs = {}, {}
    for i, series in ipairs(spec.series) do
        for _, point in ipairs(series[2]) do
            if not at[point[1]] then
                at[point[1]] = {}
                xs[#xs + 1] = point[1]
            end
            at[point[1]][i] = point[2]
        end
    end
    table.sort(xs)
    return lists.map(xs, function(x)
        local row = {short(x)}
        for i = 1, #spec.series do
            row[i + 1] = short(at[x][i])
        end
        return row
    end)
end

local function names_of(spec)
    return lists.map(spec.series, function(series) return series[1] end)
end

function document:lines(name, spec)
    local points, low, high = {}, math.huge, -math.huge
    for _, series in ipairs(spec.series) do
        for _, p in ipairs(series[2]) do
            if p[2] then
                points[#points + 1] = {x = p[1], y = p[2], series = series[1]}
                low, high = math.min(low, p[2]), math.max(high, p[2])
            end
        end
    end
    add(self, html.figure {
        id = id_of(self, name), title = spec.title,
        alt = #points > 0 and ("%s: from %s to %s."):format(spec.y, short(low), short(high)) or "No point.",
        data = {kind = "curves", points = points, marks = heddle.array {}, series = names_of(spec), x = spec.x,
            y = spec.y, unit = "", log = spec.log and true, log_y = spec.log_y and true, level = spec.line},
        heads = lists.append({spec.x}, names_of(spec)), rows = by_x(spec),
    })
end

function document:bars(name, spec)
    local bars = {}
    local rows = lists.map(spec.names, function(label, k)
        local row = {label}
        for i, series in ipairs(spec.series) do
            bars[#bars + 1] = {label = label, series = series[1], value = series[2][k] or 0}
            row[i + 1] = short(series[2][k])
        end
        return row
    end)
    add(self, html.figure {
        id = id_of(self, name), title = spec.title, alt = spec.y .. ", of " .. table.concat(spec.names, ", ") .. ".",
        data = {kind = "bars", rows = bars, series = names_of(spec), label = spec.y, unit = spec.unit or "",
            stacked = true},
        heads = lists.append({"method"}, names_of(spec)), rows = rows,
    })
end

function document:text(title)
    return page.text {title = title, lead = "", sections = lists.map(self.sections, function(s, i)
        return #s.parts > 0 and html.section("part-" .. i, s.title, s.parts) or nil
    end)}
end

return document
