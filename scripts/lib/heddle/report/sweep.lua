-- A sweep as curves: time over the axis with most values, a curve for each combination of the others, with the knee of
-- each, from which on more brings nothing, and where two cross.
--
--   sweep.of(rows)       {title, lead, sections} of a page; `rows` as in heddle-results-1
local heddle = require "heddle"
local html = require "heddle.report.html"
local lists = require "heddle.kit.lists"
local number = require "heddle.report.number"
local report = require "heddle.kit.report"
local study = require "heddle.kit.study"

local sweep = {}

local e = html.element
local CURVES <const> = 8 -- drawn; as many as there are colours
local WITHIN <const> = 0.05 -- of the least time of a curve: enough
local OWN <const> = lists.set {"file", "board", "kernel", "grid", "block", "warp", "caches", "entry", "case", "repeat"}

-- ---- what was swept ----

local function is_axis(name)
    return OWN[name] or name:find "^board%." or name:find "^arg%." or name:find "^in%." or name:find "^inout%." or
        name:find "^over%."
end

-- Whether a column has several values, among points of one board if `within`.
local function varies(rows, name, within)
    local first = {}
    for _, row in ipairs(rows) do
        local key = within and tostring(row.board) or ""
        if first[key] ~= nil and first[key] ~= row[name] then
            return true
        end
        first[key] = row[name]
    end
end

-- Columns that tell the points apart: keys of the board only where they are not just those of another board, files only
-- where the kernels in them have the same name.
local function axes_of(rows)
    local names, list = {}, {}
    for _, row in ipairs(rows) do
        for name in pairs(row) do
            names[name] = is_axis(name) and true or nil
        end
    end
    names.file = not varies(rows, "kernel") or nil
    for name in pairs(names) do
        list[#list + 1] = varies(rows, name, name:find "^board%.") and name or nil
    end
    table.sort(list)
    return list
end

-- Values of a column, each once, in order; nil where they are not all numbers.
local function values_of(rows, name)
    local seen, list = {}, {}
    for _, row in ipairs(rows) do
        local v = row[name]
        if type(v) ~= "number" then
            return nil
        elseif not seen[v] then
            seen[v], list[#list + 1] = true, v
        end
    end
    table.sort(list)
    return list
end

local function title_of(name)
    return (name:gsub("^board%.", ""):gsub("^arg%.", ""):gsub("^over%.", ""))
end

-- The axis that curves run along: of numbers, the one with most values; the names of the others.
local function along(rows, axes)
    local best, most
    for _, name in ipairs(axes) do
        local values = values_of(rows, name)
        if values and #values > (most and #most or 1) then
            best, most = name, values
        end
    end
    return best, most, lists.map(axes, function(name) return name ~= best and name or nil end)
end

local function label_of(row, names)
    local parts = lists.map(names, function(name)
        local v = row[name]
        return OWN[name] and type(v) == "string" and v or ("%s=%s"):format(title_of(name), type(v) == "number" and
            ("%.14g"):format(v) or tostring(v))
    end)
    return #parts > 0 and table.concat(parts, ", ") or "time"
end

-- ---- curves ----

local function number_of(value)
    return type(value) == "number" and value or nil
end

-- {name, points = {{x, y, row}, ...} in order of x}, the fastest first. A later point takes the place of an earlier one
-- that was measured by another heddle.
local function curves_of(rows, x, others)
    local by, list = {}, {}
    for _, row in ipairs(rows) do
        local name = label_of(row, others)
        if not by[name] then
            by[name] = {name = name, at = {}, points = {}}
            list[#list + 1] = by[name]
        end
        local old = by[name].at[row[x]]
        if not old or (number_of(row.ended) or 0) >= (number_of(old.ended) or 0) then
            by[name].at[row[x]] = row
        end
    end
    for _, curve in ipairs(list) do
        for at, row in pairs(curve.at) do
            table.insert(curve.points, {x = at, y = row.seconds, row = row})
        end
        table.sort(curve.points, function(a, b) return a.x < b.x end)
        curve.best = lists.least(curve.points, function(p) return p.y end)
    end
    table.sort(list, function(a, b)
        return a.best.y < b.best.y or a.best.y == b.best.y and a.name < b.name
    end)
    return list
end

-- The knee (docs/sweep.md), the last point behind it that is as near, and whether it is the last of all, behind which a
-- better one may be; nil where it is the first.
local function knee_of(curve)
    local first, last = heddle.knee(lists.map(curve.points, function(p) return p.y end), WITHIN)
    if first and first > 1 then
        return curve.points[first], last < #curve.points and curve.points[last] or nil, first == #curve.points
    end
end

-- Where two curves change places, by more than the margin somewhere on both sides; between points as straight lines.
local function crossings(a, b)
    local found, side, low, high = {}, nil, nil, nil
    local at = lists.by(b.points, "x")
    for _, p in ipairs(a.points) do
        local q = at[p.x]
        local gap = q and p.y - q.y or 0
        local clear = q and (study.beats(p.y, q.y) and -1 or study.beats(q.y, p.y) and 1)
        if gap ~= 0 and side and gap * side > 0 then -- the last point of this side, by however little
            low, high = {x = p.x, y = p.y, gap = gap}, nil
        elseif gap ~= 0 then
            high = high or {x = p.x, y = p.y, gap = gap}
        end
        if clear and side and clear ~= side then
            local share = low.gap / (low.gap - high.gap)
            found[#found + 1] = {x = low.x + share * (high.x - low.x), y = low.y + share * (high.y - low.y),
                low = low.x, high = high.x, faster = clear < 0 and a.name or b.name}
        end
        if clear and clear ~= side then
            side, low, high = clear, {x = p.x, y = p.y, gap = gap}, nil
        end
    end
    return found
end

-- Whether two axes vary together over the curves, one value with one: then they count as one.
local function together(curves, a, b)
    local to, from = {}, {}
    for _, curve in ipairs(curves) do
        local row = curve.points[1].row
        if (to[row[a]] or row[b]) ~= row[b] or (from[row[b]] or row[a]) ~= row[a] then
            return false
        end
        to[row[a]], from[row[b]] = row[b], row[a]
    end
    return true
end

-- Whether two curves differ in one thing: then it is what makes the one faster.
local function comparable(curves, others, one, two)
    local first
    for _, name in ipairs(others) do
        if one.points[1].row[name] ~= two.points[1].row[name] then
            first = first or name
            if first ~= name and not together(curves, first, name) then
                return false
            end
        end
    end
    return true
end

local function text_of(v)
    return ("%.14g"):format(v)
end

-- Marks of a chart and the sentences about them.
local function remarks(curves, x, others)
    local marks, words = heddle.array {}, {}
    for i, curve in ipairs(curves) do
        local knee, last, ends = knee_of(curve)
        if ends then
            words[#words + 1] = ("%s: %s = %s, the largest value tried, is the first that is enough: larger ones " ..
                "may be better still."):format(curve.name, title_of(x), text_of(knee.x))
        elseif knee then
            marks[#marks + 1] = {x = knee.x, y = knee.y, kind = "knee", series = curve.name}
            words[#words + 1] = ("%s: from %s = %s on%s it is within %d %% of its least, %s."):format(curve.name,
                title_of(x), text_of(knee.x), last and " up to " .. text_of(last.x) or "", 100 * WITHIN,
                number.small(curve.best.y, "s"))
        end
        for k = 1, i - 1 do
            local crossed = comparable(curves, others, curves[k], curve) and crossings(curves[k], curve) or {}
            for _, c in ipairs(crossed) do
                marks[#marks + 1] = {x = c.x, y = c.y, kind = "crossing", series = curve.name}
                words[#words + 1] = ("%s and %s cross between %s = %s and %s; beyond, %s is faster."):format(
                    curves[k].name, curve.name, title_of(x), text_of(c.low), text_of(c.high), c.faster)
            end
        end
    end
    return marks, words
end

-- Whether values grow by factors rather than by steps.
local function by_factors(values)
    return values[1] > 0 and values[#values] / values[1] >= 8
end

-- ---- figures ----

local function table_of(curves, x)
    local rows = {}
    for _, curve in ipairs(curves) do
        for _, p in ipairs(curve.points) do
            rows[#rows + 1] = {curve.name, text_of(p.x), number.small(p.y, "s"), number_of(p.row.cycles)
                and number.count(p.row.cycles), type(p.row.limiter) == "string" and report.bound(p.row.limiter) or ""}
        end
    end
    return {"curve", title_of(x), "time", "cycles", "bound by"}, rows
end

local function curves_figure(curves, x, values, others)
    local drawn = table.move(curves, 1, math.min(#curves, CURVES), 1, {})
    local points, low, high = {}, math.huge, 0
    for _, curve in ipairs(drawn) do
        for _, p in ipairs(curve.points) do
            points[#points + 1] = {x = p.x, y = p.y, series = curve.name}
            low, high = math.min(low, p.y), math.max(high, p.y)
        end
    end
    local marks, words = remarks(drawn, x, others)
    local heads, rows = table_of(curves, x)
    local few = #drawn < #curves and (" The %d fastest of %d curves; the table has all."):format(#drawn, #curves) or ""
    return {html.figure {
        id = "curves", title = "Time over " .. title_of(x),
        about = (#marks > 0 and "A ring is a knee: the first point within 5 % of the least of its curve. A cross is " ..
            "where two curves change places." or "") .. few,
        alt = #words > 0 and table.concat(words, " ") or ("%s from %s to %s."):format(drawn[1].name,
            number.small(low, "s"), number.small(high, "s")),
        data = {kind = "curves", points = points, marks = marks, x = title_of(x), y = "time", unit = "s",
            series = lists.map(drawn, function(c) return c.name end), log = by_factors(values), log_y = high > 4 * low},
        heads = heads, rows = rows, left = {[5] = true},
    }, #words > 0 and e("ul", lists.map(words, function(text) return e("li", text) end)) or ""}
end

-- Without an axis of numbers: a bar for each point.
local function bars_figure(rows, axes)
    local bars = lists.map(rows, function(row)
        return {label = label_of(row, axes), series = "time", value = row.seconds}
    end)
    table.sort(bars, function(a, b) return a.value < b.value or a.value == b.value and a.label < b.label end)
    return html.figure {
        id = "points", title = "Time of each point", alt = ("The fastest is %s."):format(bars[1].label),
        data = {kind = "bars", rows = bars, series = {"time"}, label = "time", unit = "s"},
        heads = {"point", "time"}, rows = lists.map(bars, function(b) return {b.label, number.small(b.value, "s")} end),
    }
end

local function lost_section(rows)
    local list = lists.map(rows, function(row)
        return row.state ~= "done" and {tostring(row.command), tostring(row.state), row.message ~= heddle.null and
            tostring(row.message) or ""} or nil
    end)
    return #list > 0 and html.section("lost", "Points without a result",
        html.table("Points without a result", {"command", "state", "message"}, list, {[2] = true, [3] = true}))
end

-- ---- the page ----

local function lead_of(done, axes)
    local best = lists.least(done, function(row) return row.seconds end)
    local limiter = type(best.limiter) == "string" and best.limiter:match "^[^;]*" or ""
    return e("div", {class = "answer"}, e("p", {class = "launch"}, ("The fastest of %s%s"):format(
        number.plural(#done, "point"), #axes > 0 and ": " .. label_of(best, axes) or "")),
        e("p", {class = "time"}, number.small(best.seconds, "s")), e("p", {class = "bound"}, limiter),
        e("p", {class = "about"}, tostring(best.command or "")))
end

function sweep.of(rows, path)
    local done = lists.map(rows, function(row)
        return row.state == "done" and type(row.seconds) == "number" and row.seconds > 0 and row or nil
    end)
    if #done == 0 then
        study.refuse("%s: error: no point of it has a time", path)
    end
    local axes = axes_of(done)
    local x, values, others = along(done, axes)
    local figure = x and curves_figure(curves_of(done, x, others), x, values, others) or bars_figure(done, axes)
    return {title = ("Sweep of %s%s"):format(varies(done, "kernel") and "kernels" or tostring(done[1].kernel or path),
        #axes > 0 and " over " .. table.concat(lists.map(axes, title_of), ", ") or ""), lead = lead_of(done, axes),
        sections = lists.append({html.section("sweep", "Curves", figure)}, {lost_section(rows) or nil})}
end

return sweep
