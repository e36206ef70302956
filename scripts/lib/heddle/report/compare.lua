-- Differences between runs, in the order of `heddle diff`: the explanation of the time is first.
local heddle = require "heddle"
local html = require "heddle.report.html"
local lists = require "heddle.kit.lists"
local number = require "heddle.report.number"
local shell = require "heddle.report.shell"

local compare = {}

local SHOWN <const> = 10 -- rows of a table that is open
local LEFT_OUT <const> = lists.set {"time", "bound"} -- the page begins with them
local OPEN <const> = lists.set {"what was run", "board", "metrics"} -- the others are folded away

local SHOW <const> = {
    s = function(v) return number.small(v, "s") end,
    J = function(v) return number.small(v, "J") end,
    ["%"] = number.percent,
    bytes = number.bytes,
}

local function value_of(text, unit)
    local v = tonumber(text)
    if not v then
        return text == "" and "-" or text
    end
    return SHOW[unit] and SHOW[unit](v) or v >= 1000 and number.count(v) or ("%.6g"):format(v)
end

-- From the first run to another: a factor, or points of a percentage.
local function change_of(from, to, unit)
    from, to = tonumber(from), tonumber(to)
    if not from or not to then
        return ""
    elseif unit == "%" then
        return ("%+.1f points"):format(to - from)
    end
    return from > 0 and ("x %.3g"):format(to / from) or ""
end

local function row_of(cells, runs)
    local row = {cells[2]}
    for i = 1, #runs do
        row[i + 1] = value_of(cells[3 + i], cells[3])
    end
    row[#row + 1] = #runs == 2 and change_of(cells[4], cells[5], cells[3]) or nil
    row[#row + 1] = SHOW[cells[3]] and "" or cells[3]
    return row
end

local function tables_of(title, rows, runs)
    local heads = lists.append({title}, lists.map(runs, function(r) return r.name end))
    lists.append(heads, #runs == 2 and {"change", "unit"} or {"unit"})
    local first = OPEN[title] and math.min(#rows, SHOWN) or 0
    local function part(words, from, to)
        return to >= from and html.table(words .. title, heads, table.move(rows, from, to, 1, {}), {[#heads] = true})
    end
    local rest = part(first > 0 and "More that changed: " or "Changed: ", first + 1, #rows)
    return {part("Changed: ", 1, first) or "", rest and html.element("details", html.element("summary",
        first > 0 and ("%d more %s"):format(#rows - first, title) or title), rest) or ""}
end

-- True if a path can be read a second time: no pipe.
local function stays(path)
    return path ~= "-" and select(2, heddle.path(path)) == "file"
end

-- Runs `heddle diff --csv` on the results; nil if they cannot be read once more.
local function changes(option)
    for _, path in ipairs(option.file) do
        if not stays(path) then
            return nil
        end
    end
    return shell.read(option.self, "diff --csv", option.file, 1)
end

-- nil where nothing differs, or is not known.
function compare.section(runs, option)
    local rows = heddle.read_table(#runs > 1 and (option.changes or changes(option)) or "", {words = true})
    if #rows < 2 or #rows[1] ~= 3 + #runs then
        return nil
    end
    local titles, by = {}, {}
    for i = 2, #rows do
        local title = rows[i][1]
        if not by[title] and not LEFT_OUT[title] then
            titles[#titles + 1] = title
        end
        by[title] = by[title] or {}
        table.insert(by[title], row_of(rows[i], runs))
    end
    return #titles > 0 and html.section("changes", "What changed", html.element("p", {class = "about"},
        "The explanation of the time is first, as in heddle diff."), lists.map(titles, function(title)
            return tables_of(title, by[title], runs)
        end))
end

return compare
