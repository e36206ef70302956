-- Output of a study, as a page: heddle.kit.page adds its text and its pictures.
--
--   local d = document.new()
--   d:title "v100"; d:say "text"; d:put(columns, rows); d:verdict("claim", "holds", ": why")
--   d:lines {id = "speed", ...}; d:bars {...}; d:claims {...}      those of heddle.report.charts
--   d:text "heddle study mask"
local charts = require "heddle.report.charts"
local html = require "heddle.report.html"
local lists = require "heddle.kit.lists"
local options = require "heddle.kit.options"
local page = require "heddle.report.page"

local document = {}
document.__index = document

local e = html.element

function document.new()
    return setmetatable({sections = {}, ids = {}, tables = 0}, document)
end

-- Returns the parts below the last title.
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

local CLASSES <const> = {{"^mixed: %d+ of %d+", "mixed"}, {"^holds when", "mixed"}, {"^does not hold", "bad"},
    {"^holds", "good"}}

-- The verdict that a text begins with, emphasised; and how long it is. nil where there is none.
local function emphasised(text)
    for _, row in ipairs(CLASSES) do
        local word = text:match(row[1])
        if word then
            return e("b", {class = row[2]}, word), #word
        end
    end
    return nil
end

-- A cell: that of a verdict is coloured, and what stands between semicolons has lines of its own.
local function cell(column, text)
    if not column.verdict or not text then
        return text
    end
    local word, length = emphasised(text)
    local rest = text:sub((length or 0) + 1)
    local parts = lists.map(options.split(rest, ";"), function(part, i) return i > 1 and {e("br"), part} or part end)
    return {word and {word, " "} or "", parts}
end

-- `columns` and `rows` are those of heddle.table. A table has no title of its own: its place identifies it.
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
            for c, column in ipairs(columns) do
                cells[c] = cell(column, type(row[c]) == "table" and row[c][2] or row[c])
            end
            return cells
        end), left))
end

function document:verdict(claim, verdict, text)
    add(self, e("p", {class = "verdict"}, claim, ": ", emphasised(verdict), text))
end

-- Adds a figure; its id becomes one of the page.
local function figure(self, make, spec)
    local id = spec.id:gsub("[^%w]+", "-")
    self.ids[id] = (self.ids[id] or 0) + 1
    spec = lists.merge(spec, {id = self.ids[id] > 1 and ("%s-%d"):format(id, self.ids[id]) or id})
    add(self, make(spec) or "")
end

for kind, make in pairs(charts) do
    document[kind] = function(self, spec) figure(self, make, spec) end
end

function document:text(title)
    return page.text {title = title, lead = "", sections = lists.map(self.sections, function(s, i)
        return #s.parts > 0 and html.section("part-" .. i, s.title, s.parts) or nil
    end)}
end

return document
