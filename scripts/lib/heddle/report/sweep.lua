-- A sweep as curves over the axis with most values, a curve for each combination of the others. Curves of time have
-- their knees, after which more brings nothing, and their crossings.
--
--   sweep.of(rows, path, {"time", "sol.dram"})       {title, lead, sections} of a page; `rows` as in heddle-results-1,
--                                                    and columns of them: "time", "bound" (by what), or their own names
local charts = require "heddle.report.charts"
local columns = require "heddle.report.columns"
local heddle = require "heddle"
local html = require "heddle.report.html"
local lists = require "heddle.kit.lists"
local number = require "heddle.report.number"
local options = require "heddle.kit.options"
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

-- True if a column has several values, among points of one board if `within`.
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

-- True if all points that agree in some columns agree in another.
local function follows(rows, name, given)
    local seen = {}
    for _, row in ipairs(rows) do
        local key = table.concat(lists.map(given, function(one) return tostring(row[one]) end), "\n")
        if seen[key] ~= nil and seen[key] ~= row[name] then
            return false
        end
        seen[key] = row[name]
    end
    return true
end

-- Drops columns that vary only with a peak of the board, such as its bandwidth, and its keys; given columns distinguish
-- the points.
local function without_scaled(rows, list)
    local given = lists.map(list, function(name)
        local word = columns.title(name) .. "="
        local is_given = not name:find "^board%." or
            lists.any(rows, function(row) return tostring(row.command):find(word, 1, true) end)
        return is_given and name or nil
    end)
    local kept = lists.set(given)
    local peak = lists.any(given, columns.is_peak)
    return lists.map(list, function(name)
        local goes = columns.is_peak(name) or peak and follows(rows, name, given)
        return (kept[name] or not goes) and name or nil
    end)
end

-- Finds the columns that distinguish the points: keys of the board only if they vary on one board, files only if their
-- kernels have the same name.
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
    return without_scaled(rows, list)
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
        return OWN[name] and type(v) == "string" and v or ("%s=%s"):format(columns.title(name), type(v) == "number" and
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

-- Finds the knee (docs/sweep.md), the last point after it that is as near, and whether it is the last of all, so that a
-- better one may follow; nil if it is the first.
local function knee_of(curve)
    local first, last = heddle.knee(lists.map(curve.points, function(p) return p.y end), WITHIN)
    if first and first > 1 then
        return curve.points[first], last < #curve.points and curve.points[last] or nil, first == #curve.points
    end
end

-- Finds where two curves cross, by more than the margin somewhere on both sides; between points as straight lines.
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

-- True if two axes vary together over the curves, one value with one: then they count as one.
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

-- True if two curves differ in one thing, which is then the cause of the difference.
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
                "may be better still."):format(curve.name, columns.title(x), text_of(knee.x))
        elseif knee then
            marks[#marks + 1] = {x = knee.x, y = knee.y, kind = "knee", series = curve.name}
            words[#words + 1] = ("%s: from %s = %s on%s it is within %d %% of its least, %s."):format(curve.name,
                columns.title(x), text_of(knee.x), last and " up to " .. text_of(last.x) or "", 100 * WITHIN,
                number.small(curve.best.y, "s"))
        end
        for k = 1, i - 1 do
            local crossed = comparable(curves, others, curves[k], curve) and crossings(curves[k], curve) or {}
            for _, c in ipairs(crossed) do
                marks[#marks + 1] = {x = c.x, y = c.y, kind = "crossing", series = curve.name}
                words[#words + 1] = ("%s and %s cross between %s = %s and %s; beyond, %s is faster."):format(
                    curves[k].name, curve.name, columns.title(x), text_of(c.low), text_of(c.high), c.faster)
            end
        end
    end
    return marks, words
end

-- ---- figures ----

-- The interval of draws of the board, as "1,200 to 1,400".
local function interval(row)
    local low, high = number_of(row.cycles_low), number_of(row.cycles_high)
    return low and high and ("%s to %s"):format(number.count(low), number.count(high)) or nil
end

local function table_of(curves, x)
    local rows, drawn = {}, false
    for _, curve in ipairs(curves) do
        for _, p in ipairs(curve.points) do
            local range = interval(p.row)
            drawn = drawn or range
            rows[#rows + 1] = {curve.name, text_of(p.x), number.small(p.y, "s"), number_of(p.row.cycles)
                and number.count(p.row.cycles), type(p.row.limiter) == "string" and report.bound(p.row.limiter) or "",
                range or "", type(p.row.bounds) == "string" and p.row.bounds or ""}
        end
    end
    local heads = {"curve", columns.title(x), "time", "cycles", "bound by"}
    return drawn and lists.append(heads, {"cycles in draws", "bound by, in draws"}) or heads, rows
end

-- Describes what all points share: "saxpy on v100".
local function subject(rows, others)
    local shared = lists.map({"kernel", "board"}, function(name)
        return not lists.set(others)[name] and not varies(rows, name) and type(rows[1][name]) == "string" and
            rows[1][name] or nil
    end)
    return #shared > 0 and " of " .. table.concat(shared, " on ") or ""
end

-- A chart of a column over the axis of the sweep.
local function over(s, name, title, spec)
    local ys = {}
    local series = lists.map(s.drawn, function(curve)
        return {curve.name, lists.map(curve.points, function(p)
            local y = number_of(p.row[name])
            ys[#ys + 1] = y
            return {p.x, y}
        end)}
    end)
    table.sort(ys)
    if #ys == 0 then
        return e("p", ("%s: no point has a value of it."):format(title))
    end
    local about = lists.append({spec and spec.about or columns.about(name)},
        #s.drawn < #s.curves and {("The %d fastest of %d curves."):format(#s.drawn, #s.curves)} or {})
    return charts.lines(lists.merge({id = "over-" .. name:gsub("%W", "-"), series = series,
        title = ("%s%s over %s"):format(title, subject(s.rows, s.others), columns.title(s.x))},
        columns.axes(s.x, s.values, name, ys), spec, {about = #about > 0 and table.concat(about, " ") or nil}))
end

local function of_time(s)
    local marks, words = remarks(s.drawn, s.x, s.others)
    local heads, rows = table_of(s.curves, s.x)
    local about, kinds = {}, lists.by(marks, "kind")
    about[1] = kinds.knee and "A ring is a knee: the first point within 5 % of the least of its curve."
    about[#about + 1] = kinds.crossing and "A cross is where two curves change places."
    return {over(s, "seconds", "Time", {
        id = "curves", marks = marks, alt = #words > 0 and table.concat(words, " ") or nil, heads = heads, rows = rows,
        left = {[5] = true, [7] = true}, about = #about > 0 and table.concat(about, " ") or nil,
    }), #words > 0 and e("ul", lists.map(words, function(text) return e("li", text) end)) or ""}
end

-- By what each point is bound.
local function of_bound(s)
    local points, rows = {}, {}
    for _, curve in ipairs(s.drawn) do
        for _, p in ipairs(curve.points) do
            local bound = type(p.row.limiter) == "string" and report.bound(p.row.limiter) or "not known"
            local word = bound:gsub(" *%(.*", ""):gsub(" *[%d.]+ %%.*", "")
            points[#points + 1] = {x = p.x, series = curve.name, word = word}
            rows[#rows + 1] = {curve.name, text_of(p.x), bound}
        end
    end
    local first, last = points[1], points[#s.drawn[1].points]
    return html.figure {
        id = "bound", title = ("What bounds the time%s, over %s"):format(subject(s.rows, s.others), columns.title(s.x)),
        alt = ("%s: from %s to %s."):format(first.series, first.word, last.word),
        data = {kind = "cells", points = points, x = columns.label(s.x, true),
            series = lists.map(s.drawn, function(c) return c.name end)},
        heads = {"curve", columns.title(s.x), "bound by"}, rows = rows, left = {[3] = true},
    }
end

local OWN_WORDS <const> = {time = of_time, seconds = of_time, bound = of_bound, limiter = of_bound}
local USUAL <const> = {"time", "bound"}

-- The column that a word means.
local function column_of(rows, word)
    local names = lists.append({}, USUAL)
    for name in pairs(rows[1]) do
        if name == word or name == "board." .. word then
            return name
        end
        names[#names + 1] = name
    end
    table.sort(names)
    study.refuse("--columns: there is no column '%s'%s", word, options.suggestion(word, names) or
        "; 'heddle results FILE.db --csv' has them all")
end

local function figure_of(s, word)
    if OWN_WORDS[word] then
        return OWN_WORDS[word](s)
    end
    local name = column_of(s.rows, word)
    return over(s, name, columns.words(name))
end

-- Without an axis of numbers: a bar for each point.
local function bars_figure(rows, axes, word)
    local name = OWN_WORDS[word] and "seconds" or column_of(rows, word)
    local some = lists.map(rows, function(row) return number_of(row[name]) and row or nil end)
    return #some > 0 and charts.bars {
        id = "points-" .. name:gsub("%W", "-"), head = "point", y = columns.label(name), unit = columns.unit(name),
        title = columns.words(name) .. subject(rows, axes),
        names = lists.map(some, function(row) return label_of(row, axes) end),
        series = {{columns.title(name), lists.map(some, function(row) return row[name] end)}},
    } or ""
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

local function figures(done, axes, words)
    local x, values, others = along(done, axes)
    if not x then
        return lists.map(words, function(word) return word ~= "bound" and bars_figure(done, axes, word) or nil end)
    end
    local curves = curves_of(done, x, others)
    local s = {x = x, values = values, others = others, curves = curves, rows = done,
        drawn = table.move(curves, 1, math.min(#curves, CURVES), 1, {})}
    return lists.map(words, function(word) return figure_of(s, word) end)
end

function sweep.of(rows, path, words)
    local done = lists.map(rows, function(row)
        return row.state == "done" and type(row.seconds) == "number" and row.seconds > 0 and row or nil
    end)
    if #done == 0 then
        study.refuse("%s: error: no point of it has a time", path)
    end
    local axes = axes_of(done)
    return {title = ("Sweep of %s%s"):format(varies(done, "kernel") and "kernels" or tostring(done[1].kernel or path),
        #axes > 0 and " over " .. table.concat(lists.map(axes, columns.title), ", ") or ""), lead = lead_of(done, axes),
        sections = lists.append({html.section("sweep", "Curves", figures(done, axes, words or USUAL))},
            {lost_section(rows) or nil})}
end

return sweep
