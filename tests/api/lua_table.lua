-- Is a table of Lua the one that the command writes, in each form? Is what is no table refused?
local heddle = require "heddle"
local test = require "tests.lib.test"
local case, equal, ok, raises = test.case, test.equal, test.ok, test.raises

local COLUMNS <const> = {{"name"}, {"share", kind = "number", key = "share_percent"}, {"note"}}
local ROWS <const> = {{"é", {12.5, "12.5 %"}, 'a|b\\c "q"'}, {"long name", 7}}

case("the same cells as text, CSV and Markdown", function()
    equal(heddle.table(COLUMNS, ROWS), '  name        share  note\n  é          12.5 %  a|b\\c "q"\n' ..
        "  long name       7\n")
    equal(heddle.table(COLUMNS, ROWS, {as = "csv"}),
        'name,share_percent,note\né,12.5,"a|b\\c ""q"""\nlong name,7,\n')
    equal(heddle.table(COLUMNS, ROWS, {as = "markdown"}), "| name | share | note |\n|---|---:|---|\n" ..
        '| é | 12.5 % | a\\|b\\\\c "q" |\n| long name | 7 |  |\n')
    equal(heddle.table({{"x"}}, {}, {as = "csv"}), "x\n")
end)

case("numbers of CSV are those that were given", function()
    local rows = {{1 << 40}, {0.1}, {-2.5}, {1 / 0}, {{1 / 3, "a third"}}}
    equal(heddle.table({{"x", kind = "number"}}, rows, {as = "csv"}),
        "x\n1099511627776\n0.1\n-2.5\n\n0.333333333333\n")
end)

case("a table fits its width and loses no word", function()
    local rows = {}
    for i = 1, 9 do
        rows[i] = {("word%d "):rep(i):format(1, 2, 3, 4, 5, 6, 7, 8, 9), "x" .. i, ("a bb ccc "):rep(9)}
    end
    local text = heddle.table({{"first"}, {"second"}, {"third"}}, rows, {width = 60})
    for line in text:gmatch "[^\n]+" do
        ok(utf8.len(line) <= 60, line)
    end
    equal(select(2, text:gsub("word%d", "")), 45)
    equal(select(2, text:gsub("ccc", "")), 81)
end)

case("columns that do not fit are a table of their own, behind the first one", function()
    local columns, rows = {{"name"}}, {{"a"}, {"b"}}
    for c = 2, 9 do
        columns[c], rows[1][c] = {"column" .. c, kind = "number"}, c
    end
    local text = heddle.table(columns, rows, {width = 40})
    equal(select(2, text:gsub("  name ", "")), 3)
    for c = 2, 9 do
        ok(text:find("column" .. c, 1, true), c)
    end
    for line in text:gmatch "[^\n]+" do
        ok(#line <= 40, line)
    end
end)

case("what is no table is refused", function()
    raises("table expected", heddle.table, "x", {})
    raises("1 to 64 columns", heddle.table, {}, {})
    raises("a column is {title", heddle.table, {"x"}, {})
    raises("kind is one of", heddle.table, {{"x", kind = "wide"}}, {})
    raises("key must be a text", heddle.table, {{"x", key = 1}}, {})
    raises("a list of lists", heddle.table, {{"x"}}, {1})
    raises("a cell is nil, a text", heddle.table, {{"x"}}, {{true}})
    raises("a cell is nil, a text", heddle.table, {{"x"}}, {{{"1", 1}}})
    raises("width is at least 20", heddle.table, {{"x"}}, {}, {width = 3})
    raises("as is one of", heddle.table, {{"x"}}, {}, {as = "html"})
end)

test.finish()
