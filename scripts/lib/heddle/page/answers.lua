-- Calls of the page in the browser to Lua: texts in and out, since nothing else crosses the functions of the module
-- (scripts/web/page/engine.js, which tests/pages/engine.js compares with the native build).
--
--   answers("cases", '{"name": "mine.hd", "text": "..."}')        an answer in JSON
local heddle = require "heddle"
local case = require "heddle.cases.case"
local expectations = require "heddle.cases.expectations"
local grader = require "heddle.lessons.grade"
local lessons = require "heddle.lessons.lessons"
local lists = require "heddle.kit.lists"
local memory = require "heddle.report.memory"
local own = require "heddle.lessons.own"
local press = require "heddle.cases.press"
local report = require "heddle.kit.report"
local speed = require "heddle.report.speed"
local variant = require "heddle.lessons.variant"
local waits = require "heddle.report.waits"

local MEMORY <const> = "512M" -- of a proof
local SECONDS <const> = 20 -- of a proof

local answer = {}

-- Names of the buffers of a case that nothing fills.
local function unwritten(run)
    local names = {}
    for _, buffer in ipairs(run.buffers) do
        names[#names + 1] = not buffer.fill and buffer.name or nil
    end
    return heddle.array(names)
end

-- The cases of a kernel file, and what is wrong with its `;!` lines.
function answer.cases(asked)
    local context <close> = heddle.new()
    local file = expectations.parse(asked.name, asked.text)
    local program = context:load(asked.text, asked.name, asked.folder)
    return {
        errors = heddle.array(lists.map(file.errors, function(e) return expectations.show(file, e) end)),
        cases = heddle.array(lists.map(file.runs, function(run)
            return {number = run.number, name = run.name, entry = run.entry, text = run.text, board = run.board,
                line = run.line, widths = heddle.array(expectations.widths(program, run)),
                unwritten = unwritten(run)}
        end)),
    }
end

-- Elements that differ from what the last case expected, numbered from 0: [["y", 249]].
function answer.wrong()
    return heddle.array(press.wrong())
end

local function summary(lesson)
    return {number = lesson.number, name = lesson.name, title = lesson.title, about = lesson.about,
        kernel = lesson.kernel, board = lesson.board, hints = heddle.array(lessons.hints(lesson)),
        starter = expectations.text(lessons.path(lesson, "starter"))}
end

function answer.lessons()
    return heddle.array(lists.map(lessons.all(), summary))
end

local graders = {} -- by number: what the reference needs is measured once

-- Takes the lessons of a folder, or without one those that ship: their rows with their pages, or what is wrong.
function answer.own(asked)
    local rows, faults = lessons.shipped(), {}
    if asked.folder then
        rows, faults = own.read(asked.folder, asked.names)
    end
    if #faults == 0 then
        lessons.use(rows)
        graders = {}
    end
    return {faults = heddle.array(faults), lessons = heddle.array(#faults == 0 and lists.map(lessons.all(), function(l)
        return lists.merge(summary(l), {page = l.body, behind = l.tail})
    end) or {})}
end

-- The grade of the kernel in a file, which reasons call by another name.
function answer.grade(asked)
    graders[asked.lesson] = graders[asked.lesson] or grader.new(lessons.find(asked.lesson))
    local result = graders[asked.lesson](asked.file, nil, asked.name, nil, asked.seed)
    result.gates = heddle.array(result.gates)
    return result
end

function answer.predict(asked)
    local lesson = lessons.find(asked.lesson)
    local found = grader.predicted(lesson, asked.seed)
    return {right = grader.is_right(lesson, tonumber(asked.text), found), found = report.short(found)}
end

-- The kernel to begin with and the words of the question that are drawn for a student.
function answer.variant(asked)
    local lesson = lessons.find(asked.lesson)
    return {starter = variant.starter(lesson, asked.seed), words = grader.variant(lesson, asked.seed)}
end

-- Proves whether the kernels of two files leave the same for all data at the sizes of a case of the first.
function answer.prove(asked)
    local context <close> = heddle.new {max_memory = MEMORY}
    local file = expectations.read(asked.names[1])
    local run = file.runs[asked.case or 1] or error(asked.names[1] .. ": the kernel has no case: no line ';! run'", 0)
    local programs = lists.map(asked.names, function(name) return context:load(name) end)
    local c = case.new(context, programs[1], file, run, asked.warp or math.max(table.unpack(
        expectations.widths(programs[1], run))), {report = function() end})
    local options = lists.merge(case.options(c), {solver = "none", max_time = SECONDS})
    local entries = lists.map(programs[2]:kernels(), function(k) return k.name end)
    options.entry_a, options.entry = options.entry, nil
    options.entry_b = lists.set(entries)[run.entry] and run.entry or entries[1]
    local proof = context:prove(programs, options)
    return {verdict = proof.verdict, text = proof.text, warp = proof.warp}
end

-- Name, unit and meaning of each metric.
function answer.metrics()
    return heddle.array(heddle.metrics())
end

-- Losses that an ideal machine would not have (heddle run --ideal).
function answer.ideals()
    return heddle.array(heddle.ideals())
end

local of_run = {}
of_run.__index = of_run

function of_run:metric(name)
    return self.launch.metrics[name]
end

local function text_of(...)
    return table.concat(lists.map({...}, function(section) return section and tostring(section.body) end))
end

-- Parts of the page of `heddle report` of a launch as the WebAssembly module writes it, with the data of charts. Its
-- run is as heddle.report.read makes them of files.
function answer.report(launch)
    local metrics = {}
    for name, value in pairs(launch.metrics) do
        metrics[name] = type(value) == "number" and value or nil
    end
    local runs = {setmetatable({name = launch.board, launch = {
        cycles = launch.cycles, seconds = launch.seconds, metrics = metrics, traffic = launch.traffic,
    }}, of_run)}
    return {memory = text_of(memory.section(runs)), speed = text_of(speed.section(runs), waits.stalls(runs))}
end

return function(what, asked)
    return heddle.json(answer[what](heddle.parse(asked)), {indent = 0})
end
