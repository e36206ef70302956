-- The command `heddle lesson`: pages, starting kernels, hints, and the grading of one kernel or of a class
-- (docs/lessons/README.md). The command (sim/cli/cmd/lesson.c) passes each option as --name=value.
local heddle = require "heddle"
local case = require "heddle.cases.case"
local expectations = require "heddle.cases.expectations"
local grader = require "heddle.lessons.grade"
local lessons = require "heddle.lessons.lessons"
local lists = require "heddle.kit.lists"
local options = require "heddle.kit.options"
local payoff = require "heddle.lessons.payoff"
local report = require "heddle.kit.report"
local study = require "heddle.kit.study"

local WIDTH <const> = heddle.width()

local function list_all()
    for _, lesson in ipairs(lessons.all()) do
        study.print(lesson.title)
        for _, line in ipairs(report.wrap(lesson.about, WIDTH - 2)) do
            study.print("  " .. line)
        end
    end
    study.print "\n'heddle lesson 1' shows the first."
end

local function start(lesson, path)
    if heddle.path(path) then
        study.refuse("%s is there already, and is not replaced", path)
    end
    heddle.write(path, expectations.text(lessons.path(lesson, "starter")))
    study.print(("wrote %s: change it, then 'heddle lesson %d --check %s'"):format(path, lesson.number, path))
end

local function show(lesson)
    study.write(lessons.page(lesson, WIDTH))
    local stuck <const> = "Stuck? 'heddle lesson %d --hint 1', then 2 and 3. What an instruction does: "
    study.print((stuck .. "'heddle doc mad.lo.s32'."):format(lesson.number))
end

local function print_wrapped(text, indent)
    for _, line in ipairs(report.wrap(text, WIDTH - #indent)) do
        study.print(indent .. line)
    end
end

local function hint(lesson, which)
    local hints = lessons.hints(lesson)
    local number = options.whole(which, 1, #hints)
        or study.refuse("--hint: '%s' is none of 1 to %d", which, #hints)
    print_wrapped(("hint %d of %d: %s"):format(number, #hints, hints[number]), "  ")
end

local function predict(lesson, text)
    local said = tonumber(text) or study.refuse("--predict: '%s' is not a number", text)
    local found = grader.predicted(lesson)
    local right = grader.is_right(lesson, said, found)
    study.print(right and ("%s is right%s."):format(text, said == found and "" or ": it is " .. report.count(found))
        or ("%s is not what happens: it is %s. Read on, and see why."):format(text, report.short(found)))
    return right
end

-- ---- the payoff ----

local function times(gain)
    return ("%.2fx"):format(gain)
end

local function show_payoff(lesson, path)
    if not lesson.payoff then
        study.print(("Lesson %d is about being right: its kernels are not compared in time."):format(lesson.number))
        return
    end
    local ok, pay = pcall(payoff.of, lesson, path)
    if not ok then
        study.refuse("%s", type(pay) == "table" and pay.payoff or case.said(pay))
    end
    study.print(("lesson %d: cycles at %s, warps of 32\n"):format(lesson.number, pay.at))
    local name = path and path:match "[^/]*$" or "solution"
    local columns = {{"board"}, {"to begin with", kind = "number"}, {name, kind = "number"}, {"gain", kind = "number"},
        lesson.payoff.advice and {"advice: up to", kind = "number"} or nil}
    study.write(heddle.table(columns, lists.map(pay.rows, function(r)
        return {r.board, report.count(r.before), report.count(r.after), times(r.gain),
            lesson.payoff.advice and (r.promised and times(r.promised) or "-") or nil}
    end), {width = WIDTH}))
end

-- ---- grading ----

-- The answer, its reason, the hint that fits, and what was seen.
local function print_one(lesson, result)
    if result.status == "broken" then
        study.refuse("%s", result.reason)
    end
    study.print(("lesson %d: %s"):format(lesson.number, result.status == "passed" and "passed" or
        ("not passed, at '%s'"):format(result.gate)))
    if result.reason then
        print_wrapped(result.reason, "  ")
    end
    if result.hint then
        hint(lesson, tostring(result.hint))
    end
    local good = lists.map(result.gates, function(gate)
        return gate.status == "passed" and gate.name .. (gate.text and " (" .. gate.text .. ")" or "") or nil
    end)
    print_wrapped("passed: " .. (#good > 0 and table.concat(good, ", ") or "nothing yet"), "  ")
    if result.status == "passed" and lessons.find(lesson.number + 1) then
        study.print(("next: heddle lesson %d"):format(lesson.number + 1))
    end
end

local COLUMNS <const> = {{"file", "file"}, {"status", "status"}, {"gate", "gate"}, {"reason", "reason"}}

-- The reason in a line, without the file's name; of a kernel that has passed, that no proof was found.
local function reason_of(r)
    local last = r.gates[#r.gates]
    local text = r.reason or last and last.text and last.text:match "^no proof.*" or ""
    text = text:sub(1, #r.file + 1) == r.file .. ":" and text:sub(#r.file + 2):gsub("^ ", "") or text
    return text:match "^[^\n]*"
end

local function print_class(results, counts, option)
    local rows = lists.map(results, function(r)
        return {(r.file:gsub("%c", "?")), r.status, r.gate or "", reason_of(r)}
    end)
    local columns = lists.map(COLUMNS, function(c)
        return {c[1], kind = c[1] == "reason" and "prose" or "word", key = c[2]}
    end)
    if option.csv then
        study.data(heddle.table(columns, rows, {as = "csv"}))
        return
    end
    study.write(heddle.table(columns, rows, {width = WIDTH}))
    study.print(("\n%d passed, %d not passed, %d that cannot be read"):format(counts.passed, counts.failed,
        counts.broken))
end

local function write_json(lesson, results, counts, path)
    local value = {format = "heddle-lesson-1", heddle = heddle.version, lesson = lesson.number, name = lesson.name,
        passed = counts.passed, failed = counts.failed, broken = counts.broken,
        results = heddle.array(lists.map(results, function(r)
            return lists.merge(r, {gates = heddle.array(r.gates)})
        end))}
    study.output {{path, heddle.json(value, {lossy = true})}}
end

-- The kernels, and the folder of a class.
local function files_of(path)
    local real, kind = heddle.path(path)
    if kind ~= "folder" then
        return {path}
    end
    local ok, found = pcall(expectations.files, {path}, true)
    return ok and found or study.refuse("%s", found), real
end

local function check(lesson, option)
    local files, class = files_of(option.check)
    study.outputs(option, {"json"}, {"check", check = "the kernel that is graded"})
    local grade, counts = grader.new(lesson), {passed = 0, failed = 0, broken = 0}
    local results = lists.map(files, function(path)
        local result = grade(path, class)
        counts[result.status] = counts[result.status] + 1
        return result
    end)
    for _, path in ipairs(option.json and files or {}) do
        if heddle.same_file(option.json, path, true) then
            study.refuse("--json: %s is a kernel that is graded; name another file", path)
        end
    end
    if option.json then
        write_json(lesson, results, counts, option.json)
    end
    if class or option.csv then
        print_class(results, counts, option)
    else
        print_one(lesson, results[1])
    end
    return counts.passed == #results
end

local arguments = {...}
return study.main("heddle lesson", function()
    local option = options.passed(arguments, "lesson")
    local which = option.lesson[1]
    if not which then
        list_all()
        return true
    end
    local lesson = lessons.find(which)
        or study.refuse("there is no lesson '%s'; there are 1 to %d", which, #lessons.all())
    if option.check then
        return check(lesson, option)
    elseif option.start then
        start(lesson, option.start)
    elseif option.hint then
        hint(lesson, option.hint)
    elseif option.predict then
        return predict(lesson, option.predict)
    elseif option.payoff then
        show_payoff(lesson, option.payoff ~= "" and option.payoff or nil)
    else
        show(lesson)
    end
    return true
end)
