-- The options of studies, from the tables that they read their arguments by (scripts/lib/heddle/kit/options.lua).
--
--   heddle study --options mask                             a line each: --name, value, words, what it does
--   heddle lua scripts/options.lua --manual                 sections of the manual page (docs/heddle.1.scd)
--
-- The lines are for programs such as shell completion: columns are separated by tabs, words by |, and - means none.
local home = require "heddle.kit.home"
local options = require "heddle.kit.options"
local report = require "heddle.kit.report"

local function print_lines(spec)
    for _, row in ipairs(spec.rows) do
        local words = row.choices or row.offers
        print(table.concat({"--" .. row.name, row.value or "-", words and table.concat(words, "|") or "-",
            options.doc(row)}, "\t"))
    end
    print "--help\t-\t-\tprint this help"
end

-- ---- the manual page ----

local COLUMNS = 92 -- and a tab of 8

-- Text escaped for scdoc: nothing in it is markup, nor is a word at the start of a line. A word cannot begin with a dot
-- (scdoc 1.11 drops it), so file extensions are underlined, as elsewhere on the page.
local function plain(text)
    return (text:gsub("[\\_*]", "\\%0"):gsub("%f[^%s\0][-;#|]", "\\%0"):gsub("%f[^%s\0]%.%a+", "_%0_"))
end

local function paragraph(text, indent)
    return indent .. table.concat(report.wrap(plain(text), COLUMNS), "\n" .. indent) .. "\n"
end

-- "cold|warm" are literal words, "FILE" is a placeholder.
local function shown(value)
    local mark = value:find "%u" and "_" or "*"
    return (value:gsub("[^|=,.]+", function(word) return mark .. word:lower() .. mark end))
end

local function print_section(name, spec)
    print(("## heddle study %s\n\n%s"):format(name, paragraph(spec.summary, "")))
    for _, row in ipairs(spec.rows) do
        local value = options.value(row)
        print(("*--%s*%s\n%s"):format(row.name, value and " " .. shown(value) or "", paragraph(options.doc(row), "\t")))
    end
    if spec.notes then
        print(("```\n%s\n```\n"):format(spec.notes))
    end
end

-- ---- the command line ----

if arg[1] == "--manual" then
    local files <close> = assert(io.popen(("ls '%s'"):format(home.path "scripts/studies")))
    for file in files:lines() do
        local name = file:match "^(.*)%.lua$"
        if name then
            print_section(name, assert(options.of(home.path("scripts/studies/" .. file)), file .. " reads no options"))
        end
    end
else
    print_lines(assert(options.of(arg[1]), arg[1] .. " reads no options"))
end
