-- The command `heddle lesson`: pages, starting kernels, hints, and the grading of one kernel or of a class
-- (docs/lessons/README.md). The command (sim/cli/cmd/lesson.c) passes each option as --name=value.
local heddle = require "heddle"
local case = require "heddle.cases.case"
local class = require "heddle.lessons.class"
local grader = require "heddle.lessons.grade"
local hand_in = require "heddle.lessons.hand_in"
local lessons = require "heddle.lessons.lessons"
local lists = require "heddle.kit.lists"
local marks = require "heddle.lessons.marks"
local options = require "heddle.kit.options"
local own = require "heddle.lessons.own"
local payoff = require "heddle.lessons.payoff"
local report = require "heddle.kit.report"
local shell = require "heddle.report.shell"
local study = require "heddle.kit.study"
local variant = require "heddle.lessons.variant"

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

local function start(lesson, path, seed)
    if heddle.path(path) then
        study.refuse("%s is there already, and is not replaced", path)
    end
    heddle.write(path, variant.starter(lesson, seed))
    study.print(("wrote %s: change it, then 'heddle lesson %d --check %s'"):format(path, lesson.number, path))
end

local function print_wrapped(text, indent)
    for _, line in ipairs(report.wrap(text, WIDTH - #indent)) do
        study.print(indent .. line)
    end
end

local function show(lesson, seed)
    study.write(lessons.page(lesson, WIDTH))
    if seed then
        print_wrapped(grader.variant(lesson, seed), "")
    end
    local stuck <const> = "Stuck? 'heddle lesson %d --hint 1', then 2 and 3. What an instruction does: "
    study.print((stuck .. "'heddle doc mad.lo.s32'."):format(lesson.number))
end

local function hint(lesson, which)
    local hints = lessons.hints(lesson)
    local number = options.whole(which, 1, #hints)
        or study.refuse("--hint: '%s' is none of 1 to %d", which, #hints)
    print_wrapped(("hint %d of %d: %s"):format(number, #hints, hints[number]), "  ")
end

-- Answers one number, or a second one as well: only that has the measured number for an answer.
local function predict(lesson, text, seed)
    local first, second = text:match "^([^,]+),?(.*)$"
    local last = second and second ~= "" and second or first
    local number = tonumber(first) and tonumber(last)
        or study.refuse("--predict: '%s' is not a number, or two with a comma", text)
    local found = grader.predicted(lesson, seed)
    local right = grader.is_right(lesson, number, found)
    study.print(right and ("%s is right%s."):format(last, number == found and "" or ": it is " .. report.count(found))
        or last == first and ("%s is not what happens. Once more, with both: --predict %s,NUMBER"):format(first, first)
        or ("%s is not what happens: it is %s. Read on, and see why."):format(last, report.short(found)))
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
    local ideal = payoff.ideal(lesson)
    local promised = ideal and "without " .. ideal.title or lesson.payoff.advice and "advice: up to"
    local columns = {{"board"}, {"to begin with", kind = "number"}, {name, kind = "number"}, {"gain", kind = "number"},
        promised and {promised, kind = "number"} or nil}
    study.write(heddle.table(columns, lists.map(pay.rows, function(r)
        return {r.board, report.count(r.before), report.count(r.after), times(r.gain),
            promised and (r.promised and times(r.promised) or "-") or nil}
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

-- The reason in a line, without the file's name; of a kernel that has passed, that no proof was found.
local function reason_of(r)
    local last = r.gates[#r.gates]
    local text = r.reason or last and last.text and last.text:match "^no proof.*" or ""
    text = text:sub(1, #r.file + 1) == r.file .. ":" and text:sub(#r.file + 2):gsub("^ ", "") or text
    return text:match "^[^\n]*"
end

local function alike_of(r)
    return r.alike and ("%.0f %% as %s"):format(100 * r.alike.share, r.alike.student) or ""
end

-- Columns of a class: {title, key in CSV, kind, in text if, cell}.
local COLUMNS <const> = {
    {"file", "file", "word", nil, function(r) return (r.file:gsub("%c", "?")) end},
    {"status", "status", "word", nil, function(r) return r.status end},
    {"gate", "gate", "word", nil, function(r) return r.gate or "" end},
    {"reason", "reason", "prose", nil, reason_of},
    {"student", "student", "word", "student", function(r) return (r.student:gsub("%c", "?")) end},
    {"lesson", "lesson", "number", "all", function(r) return r.lesson or "" end},
    {"points", "points", "number", nil, function(r) return r.points end},
    {"prediction", "prediction", "word", "prediction", function(r) return r.prediction or "" end},
    {"alike", "alike", "word", "alike", alike_of},
    {"seed", "seed", "word", "seed", function(r) return (r.seed or ""):gsub("%c", "?") end},
}

local function print_class(results, counts, option)
    local has = {all = #option.lesson == 0}
    for _, r in ipairs(results) do
        has.alike, has.prediction = has.alike or r.alike, has.prediction or r.prediction
        has.seed = has.seed or r.seed
        has.student = has.student or not r.file:find(r.student, 1, true)
    end
    local columns = lists.map(COLUMNS, function(c)
        return (option.csv or not c[4] or has[c[4]]) and c or nil
    end)
    local text = heddle.table(lists.map(columns, function(c) return {c[1], kind = c[3], key = c[2]} end),
        lists.map(results, function(r) return lists.map(columns, function(c) return c[5](r) end) end),
        option.csv and {as = "csv"} or {width = WIDTH})
    if option.csv then
        study.data(text)
        return
    end
    study.write(text)
    study.print(("\n%d passed, %d not passed, %d that cannot be read"):format(counts.passed, counts.failed,
        counts.broken))
    if has.alike then
        print_wrapped("alike: the share of instructions that are not the lesson's own and that another student has " ..
            "as well; a reason to look, no proof.", "  ")
    end
end

-- ---- several processes ----

local MOST_JOBS <const> = 256

-- The entries of one part of N, as "2/4" has it.
local function part_of(list, text)
    local part, parts = (text or "1/1"):match "^(%d+)/(%d+)$"
    part, parts = math.tointeger(tonumber(part)), math.tointeger(tonumber(parts))
    if not part or part < 1 or part > parts then
        study.refuse("--part: '%s' is no part, such as 1/4", text)
    end
    local mine = {}
    for i = part, #list, parts do
        mine[#mine + 1] = list[i]
    end
    return mine
end

-- The results of all entries, graded by `jobs` processes, each a part.
local function grade_by(jobs, list, option)
    local pipes, results = {}, {}
    for i = 1, jobs do
        local words = ("lesson %s %s --points=%s %s --part=%d/%d --json=- --check"):format(option.lesson[1] or "",
            option.lessons and "--lessons=" .. shell.quote(option.lessons) or "", shell.quote(option.points or "100"),
            option.seed and "--seed=" .. shell.quote(option.seed) or "", i, jobs)
        pipes[i] = assert(io.popen(("%s %s %s </dev/null"):format(shell.quote(option.self), words,
            shell.quote(option.check))))
    end
    for i, pipe in ipairs(pipes) do
        local text = pipe:read "a"
        pipe:close()
        local ok, value = pcall(heddle.parse, text)
        if not ok then
            study.refuse("part %d of %d was not graded", i, jobs)
        end
        for k, result in ipairs(value.results) do
            results[i + (k - 1) * jobs] = result
        end
    end
    return #results == #list and results or study.refuse "a part was not graded"
end

-- ---- grades of a class ----

local function points_of(text)
    local points = tonumber(text or "100")
    return points and points > 0 and points <= 1e6 and points
        or study.refuse("--points: '%s' is no number above 0 and up to 1,000,000", text)
end

local function grade_all(list, folder, option)
    local jobs = options.whole(option.jobs or "1", 1, MOST_JOBS)
        or study.refuse("--jobs: '%s' is none of 1 to %d", option.jobs, MOST_JOBS)
    jobs = option.part and 1 or math.min(jobs, #list)
    if jobs > 1 then
        return grade_by(jobs, list, option)
    end
    local line = study.progress(#list)
    return class.grade(list, folder, {points = points_of(option.points), seed = option.seed, step = line.step})
end

local WRITERS <const> = {"json", "marks", "gradescope", "classroom"}

-- Refuses an output that would replace what is graded, or that is about one student, where several are graded.
local function check_outputs(option, list)
    local names = class.students(list)
    study.outputs(option, WRITERS, {"check", check = "the kernel that is graded"})
    if (option.gradescope or option.classroom) and #names > 1 then
        study.refuse("--%s is for the grades of one student, and these are of %d: %s, %s, ...",
            option.gradescope and "gradescope" or "classroom", #names, names[1], names[2])
    end
    for _, name in ipairs(WRITERS) do
        for _, entry in ipairs(option[name] and list or {}) do
            if heddle.same_file(option[name], entry.path, true) then
                study.refuse("--%s: %s is graded; name another file", name, entry.path)
            end
        end
    end
end

local function check(lesson, option)
    local list, folder = class.entries(option.check, lesson, option.gradescope or option.classroom)
    list = part_of(list, option.part)
    check_outputs(option, list)
    local results, counts = grade_all(list, folder, option), {passed = 0, failed = 0, broken = 0}
    for _, result in ipairs(results) do
        counts[result.status] = counts[result.status] + 1
    end
    if not option.part then
        class.liken(results, list, folder)
    end
    local points = points_of(option.points)
    study.output(lists.map(WRITERS, function(name)
        return option[name] and {option[name], marks[name](results, points, counts, lesson)}
    end))
    if #results == 1 and not folder and not option.csv and not results[1].lesson then
        study.refuse("%s", results[1].reason)
    elseif folder or option.csv or #results ~= 1 then
        print_class(results, counts, option)
    else
        print_one(lesson or lessons.find(results[1].lesson), results[1])
    end
    return counts.passed == #results
end

-- A kernel as a line of text, as the page writes it.
local function write_line(lesson, path, seed)
    local text, why = grader.read(path)
    study.print(hand_in.line {lesson = lesson.number, source = text or study.refuse("%s", why),
        version = heddle.version, seed = seed})
end

-- ---- lessons of a folder ----

local function take(folder)
    local rows, faults = own.read(folder)
    if #faults > 0 then
        study.refuse("%s", table.concat(faults, "\n"))
    end
    lessons.use(rows)
end

-- Tests a lesson, or all.
local function test_all(which)
    local list, good = which and {lessons.find(which)} or lessons.all(), true
    for _, lesson in ipairs(list) do
        local faults = own.test(lesson)
        study.print(("lesson %d: %s"):format(lesson.number, #faults == 0 and "its solutions do what they should" or
            ("%d of its solutions do not what they should"):format(#faults)))
        for _, fault in ipairs(faults) do
            print_wrapped(fault, "  ")
        end
        good = good and #faults == 0
    end
    return good
end

-- Ends what is wrong in a folder of lessons, as "FILE:LINE: TEXT" of it, as wrong input.
local function authored(folder, body)
    local ok, answer = pcall(body)
    if not ok and type(answer) == "string" and answer:sub(1, #folder + 1) == folder .. "/" then
        study.refuse("%s", answer)
    end
    return ok and answer or not ok and error(answer, 0)
end

local function perform(option)
    local which = option.lesson[1]
    if option.test then
        return test_all(which)
    elseif not which then
        if option.check then
            return check(nil, option)
        end
        list_all()
        return true
    end
    local lesson = lessons.find(which)
        or study.refuse("there is no lesson '%s'; there are 1 to %d", which, #lessons.all())
    if option.check then
        return check(lesson, option)
    elseif option.start then
        start(lesson, option.start, option.seed)
    elseif option.hint then
        hint(lesson, option.hint)
    elseif option["hand-in"] then
        write_line(lesson, option["hand-in"], option.seed)
    elseif option.predict then
        return predict(lesson, option.predict, option.seed)
    elseif option.payoff then
        show_payoff(lesson, option.payoff ~= "" and option.payoff or nil)
    else
        show(lesson, option.seed)
    end
    return true
end

local arguments = {...}
return study.main("heddle lesson", function()
    local option = options.passed(arguments, "lesson")
    if not option.lessons then
        return perform(option)
    end
    take(option.lessons)
    return authored(option.lessons, function() return perform(option) end)
end)
