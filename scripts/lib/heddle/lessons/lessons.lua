-- The lessons as text: titles, pages and hints from docs/lessons, kernels from kernels/lessons.
--
--   local lesson = lessons.find "1"            its row of heddle.lessons.rows, with number, title, about; nil: none
--   lessons.page(lesson, 80)                   the page for a terminal, without its hints
--   lessons.hints(lesson)                      a list of texts
local expectations = require "heddle.cases.expectations"
local heddle = require "heddle"
local home = require "heddle.kit.home"
local lists = require "heddle.kit.lists"
local report = require "heddle.kit.report"
local shipped = require "heddle.lessons.rows"

local lessons = {}
local rows = shipped -- or those of a folder

-- A page of the documentation: in the source tree, or as it is installed.
local function read_page(name)
    for _, folder in ipairs {"docs/lessons/", "../doc/heddle/docs/lessons/"} do
        local handle <close> = io.open(home.path(folder .. name .. ".md"), "rb")
        if handle then
            return handle:read "a"
        end
    end
    error(("the page docs/lessons/%s.md is missing"):format(name), 0)
end

-- Markdown in a line as plain text.
local function plain(text)
    return (text:gsub("%[([^%]]*)%]%([^%)]*%)", "%1"):gsub("%*%*", ""):gsub("`", ""))
end

-- Takes other rows than those that ship (heddle.lessons.own).
function lessons.use(others)
    rows = others
end

function lessons.shipped()
    return shipped
end

function lessons.rows()
    return rows
end

local function open(number)
    local row = rows[number]
    local text = row.folder and expectations.text(row.folder .. "/page.md") or read_page(row.name)
    local body, hints = text:match "^(.-\n)## Hints\n(.*)$"
    local lesson = lists.merge(row, {number = number, body = body or text, tail = hints or ""})
    lesson.title, lesson.about = text:match "^# ([^\n]*)\n+(.-)\n\n"
    lesson.about = plain(lesson.about:gsub("\n", " "))
    return lesson
end

function lessons.all()
    return lists.map(rows, function(_, number) return open(number) end)
end

function lessons.find(which)
    local number = math.tointeger(tonumber(which))
    return rows[number] and open(number) or nil
end

function lessons.path(lesson, file)
    return lesson.folder and ("%s/%s.hd"):format(lesson.folder, file)
        or home.path(("kernels/lessons/%s/%s.hd"):format(lesson.name, file))
end

-- Each is `<summary>Hint 1</summary>` and a paragraph.
function lessons.hints(lesson)
    local list = {}
    for text in lesson.tail:gmatch "<summary>[^\n]*</summary>\n+(.-)\n+</details>" do
        list[#list + 1] = plain(text:gsub("\n", " "))
    end
    return list
end

-- ---- a page in a terminal ----

local function cells(line)
    local list = {}
    for cell in line:gmatch "|([^|]*)" do
        list[#list + 1] = plain(cell:match "^%s*(.-)%s*$")
    end
    list[#list] = list[#list] ~= "" and list[#list] or nil
    return list
end

local function put_table(out, lines, width)
    local heads, body = cells(lines[1]), {}
    for i = 3, #lines do
        body[#body + 1] = cells(lines[i])
    end
    out[#out + 1] = heddle.table(lists.map(heads, function(head) return {head, kind = "prose"} end), body,
        {width = width})
end

-- Finds the start of a list item: "1. " or "- "; a number alone may begin any line.
local function bullet_of(line)
    return line:match "^%d+%. " or line:match "^%- "
end

local function put_paragraph(out, lines, width)
    local text = table.concat(lines, " ")
    local bullet = bullet_of(text) or ""
    for i, line in ipairs(report.wrap(plain(text:sub(#bullet + 1)), width - #bullet)) do
        out[#out + 1] = (i == 1 and bullet or (" "):rep(#bullet)) .. line .. "\n"
    end
end

local function width_of(line)
    return utf8.len(line) or #line
end

-- Adds a line of code. The part that does not fit follows below, further in.
local function put_code(out, line, width, margin)
    local most = width - #margin
    local indent = (" "):rep(math.min(#line:match "^ *" + 4, most // 2))
    while width_of(line) > most do
        local room = (utf8.offset(line, most + 1) or most + 1) - 1 -- bytes
        local head = line:sub(1, room + 1):match "^( *%S.*) " or line:sub(1, room)
        out[#out + 1] = margin .. head .. "\n"
        line = indent .. line:sub(#head + 1):match "^ *(.*)$"
    end
    out[#out + 1] = margin .. line .. "\n"
end

-- Lines of code: two further in, if there is room for that.
local function put_fenced(out, lines, width)
    local margin = 2
    for _, line in ipairs(lines) do
        local left = width - width_of(line)
        margin = left >= 0 and math.min(margin, left) or margin
    end
    for _, line in ipairs(lines) do
        put_code(out, line, width, (" "):rep(margin))
    end
end

local function put_block(out, lines, width)
    if #lines > 0 then
        (lines[1]:find "^|" and put_table or put_paragraph)(out, lines, width)
    end
end

function lessons.page(lesson, width)
    local out, block, fenced = {}, {}, nil
    for line in lesson.body:gmatch "(.-)\n" do
        local fence = line:find "^```"
        if fence and fenced then
            put_fenced(out, fenced, width)
            fenced = nil
        elseif fenced then
            fenced[#fenced + 1] = line
        elseif fence or line == "" or line:find "^#" or bullet_of(line) then
            put_block(out, block, width)
            block = {bullet_of(line) and line or nil}
            out[#out + 1] = line == "" and "\n" or line:find "^#" and plain(line:gsub("^#+ ", "")) .. "\n" or nil
            fenced = fence and {} or nil
        else
            block[#block + 1] = line:match "^%s*(.*)$"
        end
    end
    put_block(out, block, width)
    return table.concat(out)
end

return lessons
