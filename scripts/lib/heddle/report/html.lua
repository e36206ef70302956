-- HTML that no contents can break: every text is escaped, only elements are markup.
--
--   local e = html.element
--   e("p", {class = "about"}, "1 < 2, ", e("b", "really"))      <p class="about">1 &lt; 2, <b>really</b></p>
--   html.table("Waits", {"stall", "cycles"}, {{"wait", "12"}})   with a caption; columns but the first right-aligned
--   html.figure {...}                                            a chart, and its table
--   tostring(...)                                                the text
--
-- Children are texts, numbers, elements and lists of them; false and nil are left out. An attribute that is true has no
-- value, one that is false is left out.
local heddle = require "heddle"
local lists = require "heddle.kit.lists"

local html = {}

local markup = {}
markup.__index = markup
markup.__tostring = function(self) return self.text end

local ENTITIES <const> = {["&"] = "&amp;", ["<"] = "&lt;", [">"] = "&gt;", ['"'] = "&quot;"}

-- Replaces control characters, which HTML does not allow, by a visible sign.
local function escape(text)
    return (text:gsub("[%z\1-\8\11\12\14-\31\127]", "\u{FFFD}"):gsub('[&<>"]', ENTITIES))
end

-- Text that is HTML already: the page's own style and scripts.
function html.raw(text)
    return setmetatable({text = text}, markup)
end

local function add(out, child)
    if getmetatable(child) == markup then
        out[#out + 1] = child.text
    elseif type(child) == "table" then
        for _, one in ipairs(child) do
            add(out, one)
        end
    elseif child then
        out[#out + 1] = escape(tostring(child))
    end
end

local EMPTY <const> = lists.set {"br", "input", "meta"}

-- Attributes may be left out.
function html.element(name, attributes, ...)
    local out, names = {"<", name}, {}
    local plain = getmetatable(attributes) == markup or type(attributes) ~= "table" or #attributes > 0
    for key in pairs(plain and {} or attributes) do
        names[#names + 1] = key
    end
    table.sort(names)
    for _, key in ipairs(names) do
        local value = attributes[key]
        if value == true then
            lists.append(out, {" ", key})
        elseif value then
            lists.append(out, {" ", key, '="', escape(tostring(value)), '"'})
        end
    end
    out[#out + 1] = ">"
    if plain then
        add(out, attributes)
    end
    for i = 1, select("#", ...) do
        add(out, (select(i, ...)))
    end
    if not EMPTY[name] then
        lists.append(out, {"</", name, ">"})
    end
    return html.raw(table.concat(out))
end

local e = html.element

-- Returns a value as data for the page's script, where no text can end its element.
function html.data(value)
    local text = heddle.json(value, {lossy = true}):gsub("[<>&]", function(c) return ("\\u%04x"):format(c:byte()) end)
    return e("script", {type = "application/json"}, html.raw(text))
end

-- Wraps an element that may be wider than the page, to scroll by itself, also by keyboard.
function html.wide(label, class, ...)
    return e("div", {class = "wide " .. class, tabindex = "0", role = "region", ["aria-label"] = label}, ...)
end

-- `left`: the set of columns that are set to the left beside the first one. nil in a row is a blank cell.
function html.table(caption, heads, rows, left)
    left = left or {}
    local function class(c)
        return c > 1 and not left[c] and "number" or nil
    end
    local head = lists.map(heads, function(text, c) return e("th", {scope = "col", class = class(c)}, text) end)
    local body = lists.map(rows, function(row)
        local blank = (row[1] or "") == "" -- as above, in tables of studies
        local cells = {blank and e("td") or e("th", {scope = "row"}, row[1])}
        for c = 2, #heads do
            cells[c] = e("td", {class = class(c)}, row[c] or "")
        end
        return e("tr", cells)
    end)
    return html.wide(caption, "plain", e("table", e("caption", caption), e("thead", e("tr", head)), e("tbody", body)))
end

-- Makes a table for a picture, open unless a script closes it.
function html.behind(title, heads, rows, left)
    return e("details", {open = true}, e("summary", {["aria-label"] = "Table: " .. title}, "Table"),
        html.table(title, heads, rows, left))
end

-- Makes a chart: `id`, `title`, `about` (how to read it), `alt` (its contents in words), `data` for charts.js, whose
-- `kind` is the function that draws it, and its table, `heads`, `rows` and `left`.
function html.figure(f)
    local drawn = {e("div", {class = "chart", role = "img", ["aria-label"] = f.alt}), html.data(f.data)}
    return e("figure", {id = f.id}, e("figcaption", e("h3", f.title), f.about and e("p", {class = "about"}, f.about)),
        drawn, html.behind(f.title, f.heads, f.rows, f.left))
end

-- A part of the page, which its contents list.
function html.section(id, title, ...)
    return {id = id, title = title, body = e("section", {id = id, ["aria-labelledby"] = id .. "-title"},
        e("h2", {id = id .. "-title"}, title), ...)}
end

return html
