-- A class: the hand-ins of its students, their grades, points and likeness.
--
--   local list, folder = class.entries("class", lesson, one)   kernels and lines of hand-ins; `lesson` nil: of all;
--                                          `one`: the folder is that of one student
--   local results = class.grade(list, folder, {points = 100})
--   class.liken(results, list, folder)     sets `alike` of those that share what is in neither starter nor reference
--   class.students(list)                   their names, in the order of entries or results
--   class.marks(results)                   the best points: {students = {name = {[lesson number] = points}}, names and
--                                          lessons = those that occur, in order}
--
-- An entry is {path, file, student, lesson, text, held, seed} or {path, file, student, broken}: `text` is the kernel of
-- a line, `held` the line, `file` names both in messages, and `seed` is the column "seed" of the table, else that of
-- the line. A result is that of heddle.lessons.grade, with student, seed,
-- lesson (its number), points, and `prediction`, `attempts`, `hints_opened`, `version` of the line.
local heddle = require "heddle"
local expectations = require "heddle.cases.expectations"
local grader = require "heddle.lessons.grade"
local hand_in = require "heddle.lessons.hand_in"
local lessons = require "heddle.lessons.lessons"
local lists = require "heddle.kit.lists"
local shell = require "heddle.report.shell"
local study = require "heddle.kit.study"
local whole = require "heddle.kit.file"

local class = {}

local MOST <const> = 64 << 20 -- bytes of a file of hand-ins
local OWN <const> = 5 -- instructions that a hand-in has of its own, at least, to be compared with others
local ALIKE <const> = 0.8 -- the share of them that two have in common to be named

-- ---- what was handed in ----

-- The first folder below that of the class, which is a student's, or nil; and the name of the file.
local function student_of(path, folder)
    local below = path:sub(#folder + 1):gsub("^/+", "")
    return below:match "^([^/]+)/", (below:match "[^/]*$":gsub("%.%w+$", ""))
end

local function read(path)
    local real, kind = heddle.path(path)
    if not real then
        return nil, (kind:gsub("^.*: ", ""))
    elseif kind ~= "file" then
        return nil, "this is no plain file"
    end
    local handle <close>, why = io.open(path, "rb")
    if not handle then
        return nil, why
    end
    return whole.rest(handle, MOST, "")
end

-- The lessons whose kernels a file has.
local function lessons_in(text)
    local found = {}
    for line in text:gmatch "[^\n]+" do
        local name = line:match "^%s*%.kernel%s+([%w_]+)"
        for number, row in ipairs(lessons.rows()) do
            found[#found + 1] = row.kernel == name and number or nil
        end
    end
    return found
end

-- Adds the entries of a kernel file: one for each lesson, if none was named.
local function add_kernel(list, path, student, lesson)
    local found = lesson and {lesson.number} or nil
    if not found then
        local text, why = read(path)
        found = lessons_in(text or "")
        if #found == 0 then
            local names = table.concat(lists.map(lessons.rows(), function(row) return row.kernel end), ", ")
            list[#list + 1] = {path = path, file = path, student = student, broken = path .. ": " ..
                (why or ("no kernel of a lesson (%s) is in this file"):format(names))}
        end
    end
    for _, number in ipairs(found) do
        list[#list + 1] = {path = path, file = path, student = student, lesson = number}
    end
end

local NAMES <const> = {"student", "name", "full name", "user", "username", "email", "id", "student id"}

-- The column whose title in the first row is one of these names, in their order; nil: none has such a title.
local function column_of(titles, names)
    local at = {}
    for i, title in ipairs(titles) do
        local word = title:lower():match "^%s*(.-)%s*$"
        at[word] = at[word] or i
    end
    for _, name in ipairs(names) do
        if at[name] then
            return at[name]
        end
    end
end

-- The rows of a table, whose cells are separated as the hand-ins in it are from their neighbours: by commas, by
-- semicolons or by tabs. A text that is no table has a row for each line.
local function rows_of(text, path)
    local between = text:match '([,;\t])%s*"?heddle%-hand%-in%-' or
        text:match 'heddle%-hand%-in%-%d+%.[%w_-]+%.%x+"?%s*([,;\t])' or ","
    local pieces, quoted = {}, false
    for piece, quote in text:gmatch '([^"]*)("?)' do
        if between ~= "," and not quoted then
            piece = piece:gsub(",", "\1"):gsub(between, ",")
        end
        pieces[#pieces + 1] = piece .. quote
        quoted = quoted ~= (quote ~= "")
    end
    local ok, found = pcall(heddle.read_table, table.concat(pieces), {words = true, name = path})
    if ok then
        return lists.map(found, function(row)
            return lists.map(row, function(cell) return (cell:gsub("\1", ",")) end)
        end)
    end
    found = {}
    for line in text:gmatch "([^\n]*)\n?" do
        found[#found + 1] = {line}
    end
    return found
end

-- Adds the hand-ins of a table or a text, a line each; `other`: the student of one that names none.
local function add_lines(list, path, lesson, student, other)
    local text, unread = read(path)
    if not text then
        study.refuse("%s: %s", path, unread)
    end
    local table_rows = rows_of(text, path)
    local titles, before = table_rows[1] or {}, #list
    local column, seeds = column_of(titles, NAMES), column_of(titles, {"seed"})
    local nameless = {} -- entries whose student is not known
    for number, row in ipairs(table_rows) do
        for i, cell in ipairs(row) do
            local held, why = hand_in.read(cell)
            local file = ("%s:%d"):format(path, number)
            local who = student or column and row[column] or i > 1 and row[1] or held and held.name
            nameless[#nameless + 1] = not who and (held or why) and #list + 1 or nil
            who = who or file
            if why or held and not lessons.rows()[held.lesson] then
                list[#list + 1] = {path = path, file = file, student = who, broken = file .. ": " ..
                    (why or ("there is no lesson %d"):format(held.lesson))}
            elseif held and (not lesson or lesson.number == held.lesson) then
                list[#list + 1] = {path = path, file = file, student = who, lesson = held.lesson,
                    text = held.source, held = held, seed = seeds and row[seeds] ~= "" and row[seeds] or held.seed}
            end
        end
    end
    if #nameless == 1 and other then
        list[nameless[1]].student = other
    end
    return #list > before
end

-- Tables and texts below a folder, which may hold lines.
local function texts(folder)
    local found = {}
    local names = shell.output("find %s -type f '(' -name '*.csv' -o -name '*.txt' ')' -not -path '*/lib/*' -print0 " ..
        "2>/dev/null | LC_ALL=C sort -z", shell.quote(folder))
    for name in names:gmatch "%Z+" do
        found[#found + 1] = name
    end
    return found
end

function class.entries(path, lesson, one)
    local real, kind = heddle.path(path)
    local owner = one and real and real:match "[^/]*$"
    local list = {}
    if kind ~= "folder" then
        if path:find "%.csv$" or path:find "%.txt$" then
            if not add_lines(list, path, lesson) then
                study.refuse("%s: no line of a hand-in is in this file; the page writes one with 'Hand in'", path)
            end
            return list, assert(heddle.path(path:match "^(.*)/[^/]*$" or "."))
        end
        add_kernel(list, path, select(2, student_of(path, "")), lesson)
        return list
    end
    local ok, found = pcall(expectations.files, {path}, true)
    for _, name in ipairs(ok and found or {}) do
        local student, other = student_of(name, path)
        add_kernel(list, name, owner or student or other, lesson)
    end
    for _, name in ipairs(texts(path)) do
        local student, other = student_of(name, path)
        add_lines(list, name, lesson, owner or student, other)
    end
    return #list > 0 and list or study.refuse("%s", ok and path .. ": there is no hand-in" or found), real
end

-- ---- grades ----

local function points_of(result, names, most)
    local passed = lists.sum(result.gates, function(gate) return gate.status == "passed" and 1 or 0 end)
    return result.status == "passed" and most or math.floor(100 * most * passed / #names) / 100
end

-- Predictions are measured once for each lesson and seed.
local function is_right(lesson, text, seed, known)
    local key = lesson.number .. (seed or "")
    known[key] = known[key] or grader.predicted(lesson, seed)
    return grader.is_right(lesson, tonumber(text), known[key])
end

-- Grades the entries; `option`: points of a lesson, the seed of entries without one; step() is called after each.
function class.grade(list, folder, option)
    local open, graders, predicted = {}, {}, {}
    return lists.map(list, function(entry)
        local number, seed, result = entry.lesson, entry.seed or option.seed
        if entry.broken then
            result = {file = entry.file, status = "broken", gates = {}, reason = entry.broken}
        else
            open[number] = open[number] or lessons.find(number)
            graders[number] = graders[number] or grader.new(open[number])
            result = graders[number](entry.file, folder, nil, entry.text, seed)
        end
        result.student, result.lesson, result.seed = entry.student, number, seed
        result.points = number and points_of(result, grader.names(open[number]), option.points) or 0
        local held = entry.held or {}
        result.attempts, result.hints_opened, result.version = held.attempts, held.hints, held.version
        if held.prediction then
            result.prediction = is_right(open[number], held.prediction, seed, predicted) and "right" or "wrong"
        end
        option.step()
        return result
    end)
end

-- ---- likeness ----

-- The instructions of a hand-in that are in none of the lesson's kernels, with their numbers; nil: too few.
local function own_of(code, known)
    local own, n = {}, 0
    for _, text in ipairs(code) do
        if not known[text] then
            own[text], n = (own[text] or 0) + 1, n + 1
        end
    end
    return n >= OWN and {counts = own, n = n} or nil
end

local function shared(a, b)
    local both = 0
    for text, count in pairs(a.counts) do
        both = both + math.min(count, b.counts[text] or 0)
    end
    return 2 * both / (a.n + b.n)
end

-- Finds the hand-in of another student that is most alike.
local function liken_one(i, results, own)
    local best, share = nil, ALIKE
    for k, other in ipairs(results) do
        if own[k] and other.lesson == results[i].lesson and other.student ~= results[i].student then
            local here = shared(own[i], own[k])
            if here > share or here == share and not best then
                best, share = other, here
            end
        end
    end
    return best and {student = best.student, file = best.file, share = share}
end

function class.liken(results, list, folder)
    local known, own = {}, {}
    for i, entry in ipairs(list) do
        local number = entry.lesson
        local code = number and grader.code(entry.file, folder, entry.text)
        if code and not known[number] then
            local lesson = lessons.find(number)
            local starter = grader.code(lessons.path(lesson, "starter"))
            known[number] = lists.set(lists.append(starter, grader.code(lessons.path(lesson, "reference"))))
        end
        own[i] = code and own_of(code, known[number]) or nil
    end
    for i, result in ipairs(results) do
        result.alike = own[i] and liken_one(i, results, own)
    end
end

-- ---- marks ----

-- The students of entries or results, in their order.
function class.students(list)
    local names, seen = {}, {}
    for _, one in ipairs(list) do
        names[#names + 1] = not seen[one.student] and one.student or nil
        seen[one.student] = true
    end
    return names
end

function class.marks(results)
    local students, seen = {}, {}
    for _, r in ipairs(results) do
        local mine = students[r.student] or {}
        students[r.student] = mine
        if r.lesson then
            mine[r.lesson] = math.max(mine[r.lesson] or 0, r.points)
            seen[r.lesson] = true
        end
    end
    return {students = students, names = class.students(results),
        lessons = lists.map(lessons.rows(), function(_, number) return seen[number] and number end)}
end

return class
