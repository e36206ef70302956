-- Paragraphs, tables and bullets of a study, as text for a terminal or as Markdown.
--
--   local page = page.new(option.markdown)
--   page:say "Cycles for ..."                a paragraph
--   page:put(heads, rows, {false, true})      a table; right-aligned columns, by default all but the first; more
--                                             options are those of report.table
--   page:verdict(claim, "holds", "text")      the verdict on a claim
local report = require "heddle.kit.report"
local study = require "heddle.kit.study"

local page = {}
page.__index = page

local WIDE <const> = {text = 100, markdown = 118} -- characters of a line

function page.new(markdown)
    return setmetatable({markdown = markdown}, page)
end

-- Prints words in lines, the first line after `bullet`, the others indented by its width.
local function wrap(self, text, bullet)
    for i, line in ipairs(report.wrap(text, (self.markdown and WIDE.markdown or WIDE.text) - #bullet)) do
        study.print((i == 1 and bullet or (" "):rep(#bullet)) .. line)
    end
end

function page:title(text, level)
    if self.markdown then
        study.print(("\n%s %s"):format(("#"):rep(level or 3), text))
    else
        self:say(text)
    end
end

function page:say(text, ...)
    study.print()
    wrap(self, select("#", ...) > 0 and text:format(...) or text, self.markdown and "" or "  ")
end

function page:put(heads, rows, right, options)
    if not right then
        right = {}
        for c = 1, #heads do
            right[c] = c > 1
        end
    end
    study.print()
    study.write((self.markdown and report.markdown or report.table)(heads, rows,
        {right = right, wide = WIDE.text, below = options and options.below}))
end

-- The verdict on a claim, emphasised.
function page:verdict(claim, verdict, text)
    wrap(self, ("%s: %s%s"):format(claim, self.markdown and "**" .. verdict .. "**" or verdict:upper(), text),
        self.markdown and "- " or "  - ")
end

return page
