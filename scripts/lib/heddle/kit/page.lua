-- Paragraphs, tables and bullets of a study, as text for a terminal or as Markdown; as CSV the tables alone.
--
--   local page = page.new(option)            reads --markdown and --csv of it
--   page:say "Cycles for ..."                a paragraph
--   page:put(heads, rows, {false, true})     a table of heddle.table; a head is a title or
--                                            {title, key = ...}; which columns are right-aligned, by default all but
--                                            the first, or the kind of one
--   page:put(heads, rows, right, {heads = ..., rows = ..., right = ...})      with another one for a terminal
--   page:about "v100, W = 32"                subject of the following tables, a column of CSV, and in their titles
--   page:verdict(claim, "holds", "text")     the verdict on a claim
--   page:claims("Claims", list, metrics)     a picture of verdicts
--   page:drawn()                             the pages with pictures, of heddle.report.document: that of --html, which
--                                            has all of the above, too, and that of --plot
local document = require "heddle.report.document"
local draws = require "heddle.kit.draws"
local heddle = require "heddle"
local lists = require "heddle.kit.lists"
local report = require "heddle.kit.report"
local study = require "heddle.kit.study"

local page = {}
page.__index = page

local WIDE <const> = {text = heddle.width(), markdown = 118} -- characters of a line

function page.new(option)
    local as = option.csv and "csv" or option.markdown and "markdown" or "text"
    option.document, option.pictures = option.html and document.new(), option.plot and document.new()
    return setmetatable({as = as, markdown = option.markdown, tables = 0, option = option, document = option.document,
        pictures = option.pictures}, page)
end

function page:drawn()
    return lists.append({self.document or nil}, {self.pictures or nil})
end

function page:claims(title, list, metrics)
    for _, into in ipairs(self:drawn()) do
        into:claims {id = "claims", title = title, list = list, metrics = metrics}
    end
end

-- Prints words in lines, the first line after `bullet`, the others indented by its width.
local function wrap(self, text, bullet)
    for i, line in ipairs(report.wrap(text, (self.markdown and WIDE.markdown or WIDE.text) - #bullet)) do
        study.print((i == 1 and bullet or (" "):rep(#bullet)) .. line)
    end
end

function page:title(text, level)
    self:about(text)
    if self.document then
        self.document:title(text)
    end
    if self.markdown then
        study.print(("\n%s %s"):format(("#"):rep(level or 3), text))
    else
        study.print()
        wrap(self, text, "  ")
    end
end

function page:say(text, ...)
    text = select("#", ...) > 0 and text:format(...) or text
    if self.document then
        self.document:say(text)
    end
    study.print()
    wrap(self, text, self.markdown and "" or "  ")
end

function page:about(text)
    self.of = text
end

-- In CSV, with what the table is about in front.
local function with_place(of, columns, rows)
    table.insert(columns, 1, {"about"})
    return columns, lists.map(rows, function(row)
        return table.move(row, 1, #columns - 1, 2, {of})
    end)
end

local function columns_of(heads, right)
    return lists.map(heads, function(head, c)
        local of = type(head) == "table" and head or {head}
        local how = c > 1
        if right then
            how = right[c]
        end
        return {of[1], key = of.key, verdict = of.verdict, kind = how == true and "number" or how or "word"}
    end)
end

-- The columns and rows of table `n` with the ranges of draws; while a draw runs, they are kept for that.
local function with_ranges(self, n, columns, rows, apart)
    if self.option.drawing then
        self.option.drawing.tables[n] = rows
    elseif self.option.drawn and apart then
        return draws.apart(self.option, n, columns, rows)
    elseif self.option.drawn then
        rows = draws.beside(self.option, n, columns, rows)
    end
    return columns, rows
end

function page:put(heads, rows, right, narrow)
    local columns, wide = with_ranges(self, "wide" .. self.tables, columns_of(heads, right), rows, self.as == "csv")
    if self.option.drawn and not self.told and wide ~= rows then
        self.told = true
        self:say("In parentheses: the range of a number on %s, each value with a range within its own.",
            report.plural(#self.option.drawn, "draw") .. " of the board")
    end
    rows = wide
    if self.document then
        self.document:put(columns, rows)
    end
    if self.as == "text" and narrow then
        columns, rows = with_ranges(self, self.tables, columns_of(narrow.heads, narrow.right), narrow.rows)
    end
    if self.as == "csv" and self.of then
        columns, rows = with_place(self.of, columns, rows)
    end
    self.tables = self.tables + 1
    study.print()
    study.data((self.as == "csv" and self.tables > 1 and "\n" or "") ..
        heddle.table(columns, rows, {as = self.as, width = WIDE.text}))
end

-- The verdict on a claim, emphasised.
function page:verdict(claim, verdict, text)
    if self.document then
        self.document:verdict(claim, verdict, text)
    end
    wrap(self, ("%s: %s%s"):format(claim, self.markdown and "**" .. verdict .. "**" or verdict:upper(), text),
        self.markdown and "- " or "  - ")
end

return page
