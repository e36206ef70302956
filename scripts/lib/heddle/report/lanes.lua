-- Accesses lane by lane: the pictures of `heddle run --explain`, if a result has them.
local html = require "heddle.report.html"
local lists = require "heddle.kit.lists"
local number = require "heddle.report.number"

local lanes = {}

local e = html.element

-- In which order columns stand that an access has; others follow by their names.
local ORDER <const> = {"address", "element", "shared byte", "bank", "word", "line", "sector", "pass"}

local function columns(rows)
    local seen, names, others = {lane = true}, {}, {}
    for _, row in ipairs(rows) do
        for name in pairs(row) do
            others[#others + 1] = not seen[name] and name or nil
            seen[name] = true
        end
    end
    table.sort(others)
    local first = lists.set(ORDER)
    for _, name in ipairs(ORDER) do
        names[#names + 1] = seen[name] and name or nil
    end
    return lists.append(names, lists.map(others, function(name) return not first[name] and name or nil end))
end

local SECTORS <const> = 4 -- of a line

-- A column of the picture for each bank of shared memory, or for each sector of the lines that are touched.
local function picture(rows, banks)
    local data = {kind = "lanes", points = {}, last = 0}
    for _, row in ipairs(rows) do
        local at, group = row.bank, row.pass
        if row.sector and row.line then
            at, group = SECTORS * row.line + row.sector, row.line
        end
        if math.type(at) == "integer" then
            table.insert(data.points, {lane = row.lane, at = at, group = group or 0})
            data.last = math.max(data.last, at)
        end
    end
    local shared = rows[1] and rows[1].bank
    data.label = shared and "bank of shared memory" or "sector, four a line"
    data.last = math.max(data.last, shared and banks - 1 or SECTORS - 1)
    return #data.points > 0 and data
end

local function spreads(totals, title)
    local rows = {}
    for name, s in pairs(totals) do
        rows[#rows + 1] = {(name:gsub("_", " ")), number.count(s.min), ("%.2f"):format(s.mean), number.count(s.max)}
    end
    table.sort(rows, function(a, b) return a[1] < b[1] end)
    return #rows > 0 and html.table("Over all executions, " .. title, {"of", "least", "mean", "most"}, rows)
end

local function explained(r, x, id, several)
    local rows, line = x.lanes or {}, x.line or r.launch.explain.line
    local data = picture(rows, r:board_value "shared.banks" or r.launch.warp)
    local words = e("ul", lists.map(x.words, function(text) return e("li", text) end))
    local names = columns(rows)
    local heads = lists.append({"lane"}, lists.map(names, function(name)
        return x.titles and x.titles[name] or name
    end))
    local title = ("%s %d: %s"):format(several and r.name .. ", line" or "Line", line, x.text)
    local cells = lists.map(rows, function(row)
        return lists.append({row.lane}, lists.map(names, function(name)
            return row[name] == nil and "-" or tostring(row[name])
        end))
    end)
    local about = ("Executed %s; this is block %s, warp %d."):format(number.plural(x.executions, "time"),
        table.concat(x.block or {}, ","), x.warp or 0)
    if not data then
        return {e("h3", title), x.warp and e("p", {class = "about"}, about) or "", words,
            #cells > 0 and html.table(title, heads, cells), spreads(x.totals, title)}
    end
    data.lanes = r.launch.warp
    return {html.figure {
        id = id, title = title, about = about .. (" A mark is what a lane wants; marks of one colour are %s."):format(
            rows[1].bank and "served in one pass" or "in one line"),
        alt = table.concat(x.words, " "), heads = heads, rows = cells, data = data,
    }, words, spreads(x.totals, title)}
end

function lanes.section(runs)
    local parts = {}
    for i, r in ipairs(runs) do
        local x = r.launch.explain
        for k, one in ipairs(x and x.instructions or {}) do
            lists.append(parts, explained(r, one, ("lanes-%d-%d"):format(i, k), #runs > 1))
        end
    end
    local timed = lists.any(runs, function(r) return r.launch.metrics end)
    return (timed or #parts > 0) and html.section("lanes", "Lanes", #parts > 0 and parts or e("p", {class = "about"},
        "What accesses do lane by lane is shown of runs with --explain LINE, or --explain worst."))
end

return lanes
