-- Grades a kernel against a lesson: its results, what checkers find, counts, and a proof.
--
--   local grade = grader.new(lesson)
--   local result = grade("mine.hd")
--   local result = grade("class/ada.hd", heddle.path "class")     one of a class, in its folder
--
-- A result is {file, status, gates, reason, gate, hint}: status "passed", "failed", or "broken" when there is no kernel
-- to look at; `gates` is a list of {name, status, text} in their order, up to the first that failed; `hint` is the
-- number of the hint that fits, if one does. The kernel runs on the cases of the lesson's reference at each of their
-- warp widths; what it says behind ";!" is not looked at. Nothing depends on time.
local heddle = require "heddle"
local boards = require "heddle.kit.board"
local case = require "heddle.cases.case"
local expectations = require "heddle.cases.expectations"
local file = require "heddle.kit.file"
local lessons = require "heddle.lessons.lessons"
local lists = require "heddle.kit.lists"
local measures = require "heddle.lessons.measures"
local report = require "heddle.kit.report"

local grader = {}

local MOST <const> = 1 << 18 -- bytes of a kernel file
local MEMORY <const> = "256M" -- of a launch or a proof
local SLOWER <const> = 50 -- a kernel that issues so many times the reference's instructions is stopped
local SECONDS <const> = 20 -- of a proof

local function broken(format, ...)
    error({broken = format:format(...)}, 0)
end

-- ---- the file ----

-- The folder that includes of a kernel may come from: that of its file, or of a class, where the files beside it are
-- those of others, its folder "lib".
local function includes(path, class)
    local folder = path:match "^(.*)/[^/]*$" or "."
    local real = assert(heddle.path(folder == "" and "/" or folder))
    return class and real .. "/lib" or real
end

local function read(path, class)
    local real, kind = heddle.path(path)
    if not real then
        broken("%s", kind)
    elseif kind ~= "file" then
        broken("%s: this is no plain file", path)
    elseif class and real:sub(1, #class + 1) ~= class .. "/" then
        broken("%s: this is a link to a file elsewhere", path)
    end
    local handle <close>, why = io.open(path, "rb")
    if not handle then
        broken("%s", why)
    end
    local text
    text, why = file.rest(handle, MOST, "")
    return text or broken("%s: %s", path, why)
end

local function kernel_of(program, name)
    return lists.by(program:kernels(), "name")[name]
end

local function parameters(kernel)
    return table.concat(lists.map(kernel.params, function(p)
        return ("%s : %s%s"):format(p.name, p.type, p.buffer and "[]" or "")
    end), ", ")
end

-- The program, if it has the lesson's kernel with its parameters.
local function load_kernel(context, path, class, lesson)
    local reference = lesson.program
    local ok, program = pcall(context.load, context, read(path, class), path, includes(path, class))
    if not ok then
        broken("%s", (case.said(program):gsub("\n$", "")))
    end
    local kernel, names = kernel_of(program, lesson.kernel), lists.map(program:kernels(), function(k) return k.name end)
    if not kernel then
        broken("%s: the kernel of this lesson is '%s', and the file has %s", path, lesson.kernel,
            #names > 0 and "'" .. table.concat(names, "', '") .. "'" or "none")
    end
    local want = kernel_of(reference, lesson.kernel)
    if parameters(kernel) ~= parameters(want) then
        broken("%s: the parameters of '%s' are %s; this lesson's are %s", path, lesson.kernel, parameters(kernel),
            parameters(want))
    end
    return program
end

-- ---- trials: a case at a width ----

-- "n = 31"
local function sizes(c)
    local words = {}
    for _, a in ipairs(c.run.args) do
        if math.type(c.args[a.key]) == "integer" then
            words[#words + 1] = ("%s = %d"):format(a.key, c.args[a.key])
        end
    end
    return table.concat(words, ", ")
end

local function describe(c)
    return ("%s, warp %d"):format(sizes(c), c.width)
end

-- Launches the program as the case says, on the board if one is named; what is wrong is in `wrong`.
local function try(lesson, program, run, width, options, board)
    local context <close> = heddle.new {max_memory = MEMORY}
    if board then
        boards.read(context, board)
    end
    local wrong = {}
    local c = case.new(context, program, lesson.file, run, width, {report = function(ok, _, text)
        wrong[#wrong + 1] = not ok and text:gsub("^.*run %d+ warp %d+: ", "") or nil
    end})
    local trial = {case = c, at = describe(c), wrong = wrong}
    trial.ok, trial.result = pcall(case.launch, c, options)
    if trial.ok then
        case.check(c, trial.result)
    elseif type(trial.result) == "table" and trial.result.kind == "input" then
        broken("%s", trial.result.message)
    elseif case.said(trial.result):find "interrupted$" then
        error(trial.result, 0)
    end
    return trial
end

-- Each case and width of the lesson with what the reference does there; at the width of its board on that, too.
local function plan(lesson)
    local board_width = lesson.board and boards.read(heddle.new(), lesson.board).values.warp_width
    local list = {}
    for _, run in ipairs(lesson.file.runs) do
        for _, width in ipairs(expectations.widths(lesson.program, run)) do
            local trial = try(lesson, lesson.program, run, width, {})
            assert(trial.ok and #trial.wrong == 0, "the reference is wrong")
            local step = {run = run, width = width, result = trial.result}
            step.timed = width == board_width and try(lesson, lesson.program, run, width, {}, lesson.board).result
            list[#list + 1] = step
        end
    end
    return list
end

-- ---- gates: the reason for which one fails, or nil ----

-- Special registers by which a kernel could tell the machine that grades from others.
local MACHINE <const> = {"%nsmid", "%smid", "%clock"}

local function machine_reason(program)
    for _, instruction in ipairs(program:instructions()) do
        for _, name in ipairs(MACHINE) do
            if instruction.text:find(name, 1, true) then
                return ("line %d reads %s: results must not depend on the machine"):format(instruction.line, name)
            end
        end
    end
end

local function is_endless(e)
    return type(e) == "table" and e.kind == "instruction_limit"
end

local function end_reason(trial)
    if not trial.ok then
        local first = case.said(trial.result):match "^[^\n]*":gsub("^.-:(%d+): fault: ", "line %1: ", 1)
        return (first:gsub(" %(max%-instructions [^)]*%)", ""))
    end
end

local function results_reason(trial)
    return trial.wrong[1] and trial.wrong[1]:match "^[^;]*"
end

-- What concerns warps first, then what concerns the lanes of one.
local function races_reason(trial)
    local found
    for _, f in ipairs(trial.result.findings) do
        found = (not found or found.kind == "sync" and f.kind ~= "sync") and f or found
    end
    return found and ("line %s: %s: %s"):format(found.places[1].line or "?", found.kind, found.text:match "^[^\n]*")
end

local function bound_of(gate, trial, result)
    if gate.times then
        return gate.times * measures.of(gate.of, result)
    end
    local block = result.block
    local env = setmetatable({blocks = result.blocks, threads = result.blocks * block[1] * block[2] * block[3]},
        {__index = trial.case.env})
    local each = gate.each and assert(load("return " .. gate.each, "=each", "t", env))() or 1
    return (gate.most or gate.least) * each
end

local function shown(v)
    return math.type(v) == "integer" and report.count(v) or report.short(v)
end

local function count_reason(gate, trial, step)
    local on = measures.timed(gate.of) and "timed" or "result"
    if gate.run and step.run.number ~= gate.run or not step[on] then
        return nil
    end
    local got, bound = measures.of(gate.of, trial[on]), bound_of(gate, trial, step[on])
    if gate.least and got < bound or not gate.least and got > bound then
        return gate.say:format(shown(got), shown(bound))
    end
end

-- ---- the proof ----

local LONG <const> = 60 -- characters of an expression; of a longer one its bits are shown

local function differs(d)
    local short = #d[1].value <= LONG and #d[2].value <= LONG
    local function show(side)
        return short and side.value or ("0x%x"):format(side.bits)
    end
    return ("on other data %s[%d] is %s, where the reference has %s"):format(d.buffer, d.element - 1, show(d[1]),
        show(d[2]))
end

-- The sizes of a case at which the kernel equals the reference, or nil and the reason, or that none was found. Outputs
-- hold any data before, so that an element that is not stored is seen, whatever it should be.
local function prove_run(lesson, program, run)
    local at
    for _, width in ipairs(expectations.widths(lesson.program, run)) do
        local context <close> = heddle.new {max_memory = MEMORY}
        local c = case.new(context, program, lesson.file, run, width, {report = function() end})
        local ok, proof = pcall(context.prove, context, {program, lesson.program},
            lists.merge(case.options(c), {solver = "none", max_time = SECONDS}))
        if not ok and case.said(proof):find "interrupted$" then
            error(proof, 0)
        end
        proof = ok and proof or {text = case.said(proof)} -- a fault on other data
        at = sizes(c)
        if proof.verdict == "different" then
            return nil, ("%s: %s"):format(describe(c), differs(proof.difference))
        elseif proof.verdict ~= "equal" then
            local why = proof.text:match("^[^\n]*"):gsub("^warp %d+: ", "")
            return nil, nil, ("no proof was found for %s: %s"):format(describe(c), why)
        end
    end
    return at
end

-- Why it is not equal, or nil and what is known.
local function prove(lesson, program)
    local proved, note = {}
    for i = 1, lesson.proved or #lesson.file.runs do
        local at, reason, other = prove_run(lesson, program, lesson.file.runs[i])
        if reason then
            return reason
        end
        proved[#proved + 1], note = at, note or other
    end
    return nil, note or "for all data where " .. table.concat(proved, "; ")
end

-- ---- all of it ----

local function add(result, name, reason, note, hint)
    result.gates[#result.gates + 1] = {name = name, status = reason and "failed" or "passed", text = reason or note}
    if reason then
        result.status, result.gate, result.reason, result.hint = "failed", name, reason, hint
    end
    return not reason
end

-- Why results are not the same when warps take turns at random.
local function orders_reason(lesson, program, steps)
    local last = lesson.file.runs[#lesson.file.runs]
    for _, step in ipairs(steps) do
        for seed = 1, step.run == last and lesson.orders or 0 do
            local trial = try(lesson, program, step.run, step.width, {schedule = ("random:%d"):format(seed),
                max_instructions = SLOWER * step.result.warp_instructions + 10000})
            local reason = end_reason(trial) or results_reason(trial)
            if reason then
                return ("%s, with warps in another order: %s"):format(trial.at, reason)
            end
        end
    end
end

-- The first trial that a gate does not let through.
local function over(trials, steps, reason_of)
    for i, trial in ipairs(trials) do
        local reason = reason_of(trial, steps[i])
        if reason then
            return ("%s: %s"):format(trial.at, reason)
        end
    end
end

local function judge(lesson, program, result)
    local trials, machine = {}, machine_reason(program)
    if machine then
        return add(result, "machine", machine)
    end
    for i, step in ipairs(lesson.plan) do
        trials[i] = try(lesson, program, step.run, step.width,
            {check = "all", max_instructions = SLOWER * step.result.warp_instructions + 10000})
        if not trials[i].ok then
            break
        end
        trials[i].timed = step.timed and try(lesson, program, step.run, step.width, {}, lesson.board).result
    end
    local endless = is_endless(trials[#trials].result)
    local function ask(name, reason, note)
        return add(result, name, reason, note, lesson.hints[name == "end" and endless and "loop" or name])
    end
    local good = ask("end", over(trials, lesson.plan, end_reason))
        and ask("results", over(trials, lesson.plan, results_reason))
        and ask("races", over(trials, lesson.plan, races_reason))
    if lesson.orders then
        good = good and ask("orders", orders_reason(lesson, program, lesson.plan))
    end
    for _, gate in ipairs(lesson.gates) do
        good = good and ask(gate[1], over(trials, lesson.plan, function(trial, step)
            return count_reason(gate, trial, step)
        end))
    end
    return good and (lesson.proved == 0 or ask("proof", prove(lesson, program)))
end

function grader.new(lesson)
    local context <close> = heddle.new()
    local path = lessons.path(lesson, "reference")
    lesson = lists.merge(lesson, {file = expectations.read(path), program = context:load(path)})
    lesson.plan = plan(lesson)
    return function(name, class)
        local result = {file = name, status = "passed", gates = {}}
        local own <close> = heddle.new {max_memory = MEMORY}
        local ok, why = pcall(function()
            judge(lesson, load_kernel(own, name, class, lesson), result)
        end)
        if not ok and not (type(why) == "table" and why.broken) then
            error(why, 0)
        elseif not ok then
            result.status, result.reason = "broken", why.broken
        end
        return result
    end
end

-- What the page asks for before the run, as measured.
function grader.predicted(lesson)
    local context <close> = heddle.new()
    local ask = lesson.prediction
    local path = lessons.path(lesson, ask.file or "reference")
    local own, program = expectations.read(path), context:load(path)
    local options = {}
    if ask.explain then
        local number = 0
        for line in own.text:gmatch "(.-)\n" do
            number = number + 1
            if not line:find "^%s*;" and line:find(ask.explain[1], 1, true) then
                options.explain = {number, ask.explain[2], ask.explain[3]}
            end
        end
    end
    local trial = try({file = own}, program, own.runs[ask.run], ask.warp, options, ask.board)
    return ask.of(trial.result)
end

return grader
