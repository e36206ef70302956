-- Grades of a class as files that others read: heddle's JSON, a table of marks, the JSON of Gradescope and of GitHub
-- Classroom.
--
--   marks.json(results, points, counts, lesson)    text; `lesson` nil: of all lessons
--   marks.marks(results)                       CSV: a row for each student, points for each lesson, and their sum
--   marks.gradescope(results, points)          results.json of one student's submission
--   marks.classroom(results, points)           a runner's result, which the reporter expects in base64
local heddle = require "heddle"
local class = require "heddle.lessons.class"
local grader = require "heddle.lessons.grade"
local lessons = require "heddle.lessons.lessons"
local lists = require "heddle.kit.lists"

local marks = {}

function marks.json(results, _, counts, lesson)
    return heddle.json({format = "heddle-lesson-1", heddle = heddle.version, lesson = lesson and lesson.number,
        name = lesson and lesson.name, passed = counts.passed, failed = counts.failed, broken = counts.broken,
        results = heddle.array(lists.map(results, function(r)
            return lists.merge(r, {gates = heddle.array(r.gates)})
        end))}, {lossy = true})
end

function marks.marks(results)
    local found, columns, rows = class.marks(results), {{"student", key = "student"}}, {}
    for _, number in ipairs(found.lessons) do
        columns[#columns + 1] = {"lesson " .. number, kind = "number", key = "lesson " .. number}
    end
    columns[#columns + 1] = {"points", kind = "number", key = "points"}
    for _, name in ipairs(found.names) do
        local mine, row, sum = found.students[name], {name}, 0
        for i, number in ipairs(found.lessons) do
            row[i + 1] = mine[number] or 0
            sum = sum + row[i + 1]
        end
        row[#row + 1] = sum
        rows[#rows + 1] = row
    end
    return heddle.table(columns, rows, {as = "csv"})
end

local function title(result)
    return result.lesson and "lesson " .. result.lesson or result.file
end

function marks.gradescope(results, points)
    return heddle.json {tests = heddle.array(lists.map(results, function(r)
        return {name = r.lesson and lessons.find(r.lesson).title or r.file, score = r.points, max_score = points,
            output = r.reason or "", status = r.status == "passed" and "passed" or "failed"}
    end))}
end

-- Each gate is a test: the reporter counts tests.
function marks.classroom(results, points)
    local tests, status = {}, "pass"
    for _, r in ipairs(results) do
        local seen = lists.by(r.gates, "name")
        status = r.status == "broken" and "error" or r.status ~= "passed" and status ~= "error" and "fail" or status
        for _, name in ipairs(r.lesson and grader.names(lessons.find(r.lesson)) or {r.file}) do
            local gate = seen[name]
            tests[#tests + 1] = {name = ("%s, %s"):format(title(r), name), line_no = 0, test_code = "",
                status = gate and gate.status == "passed" and "pass" or r.status == "broken" and "error" or "fail",
                message = r.gate == name and r.reason or r.status == "broken" and r.reason or
                    not gate and "not tried: a gate before it failed" or ""}
        end
    end
    return heddle.json {version = 1, status = status, max_score = points * #results, tests = heddle.array(tests)}
end

return marks
