-- Grades a kernel against a lesson: its results, findings of checkers, counts, and a proof.
--
--   local grade = grader.new(lesson)
--   local result = grade("mine.hd")
--   local result = grade("class/ada.hd", heddle.path "class")     one of a class, in its folder
--   local result = grade("hand-in/mine.hd", nil, "mine.hd")       reasons call it mine.hd
--   local result = grade("table.csv:3", folder, nil, text, seed)  a kernel as text, on what is drawn for a seed
--
-- A result is {file, status, gates, reason, gate, hint}: status "passed", "failed", or "broken" if there is no kernel
-- to grade; `gates` is a list of {name, status, text} in their order, up to the first that failed; `hint` is the number
-- of the hint that fits, if one does. The kernel runs on the cases of the lesson's reference, and on one that is drawn
-- from its text, at each of their warp widths; its own lines ";!" are ignored. Nothing depends on time.
local heddle = require "heddle"
local case = require "heddle.cases.case"
local expectations = require "heddle.cases.expectations"
local file = require "heddle.kit.file"
local lessons = require "heddle.lessons.lessons"
local lists = require "heddle.kit.lists"
local measures = require "heddle.lessons.measures"
local report = require "heddle.kit.report"
local trials = require "heddle.lessons.trials"
local variant = require "heddle.lessons.variant"

local grader = {}

local MOST <const> = 1 << 18 -- bytes of a kernel file
local SECONDS <const> = 20 -- of a proof

local function broken(format, ...)
    error({broken = format:format(...)}, 0)
end

-- ---- the file ----

-- Returns the folder for a kernel's includes: that of its file, or for a class, where the files beside it are of other
-- students, its folder "lib".
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
    elseif class and ("/" .. path):sub(class:len() - real:len()) ~= real:sub(#class + 1) then
        broken("%s: this is a link to %s, which has a row of its own", path, real:sub(#class + 2))
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

local function replaced(text, old, new)
    local first, last = text:find(old, 1, true)
    return first and text:sub(1, first - 1) .. new .. replaced(text:sub(last + 1), old, new) or text
end

-- Calls the graded file of a result by another name, and what it includes by its place beside that. It is loaded under
-- its path, because includes are looked for from there.
local function call(result, path, name)
    local folder, shown = path:match "^.*/", name:match "^.*/" or ""
    local function renamed(text)
        text = text and replaced(text, path, name)
        return text and folder and replaced(text, folder, shown) or text
    end
    result.file, result.reason = name, renamed(result.reason)
    for _, gate in ipairs(result.gates) do
        gate.text = renamed(gate.text)
    end
end

-- The program, if it has the lesson's kernel with its parameters.
local function load_kernel(context, path, class, lesson, text)
    local reference = lesson.program
    local ok, program = pcall(context.load, context, text, path, includes(path, class))
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

-- ---- gates: the reason of a failure, or nil ----

-- Special registers that let a kernel recognise the machine that grades.
local MACHINE <const> = {"%nsmid", "%smid", "%clock"}

local function machine_reason(program)
    for _, instruction in ipairs(program:instructions()) do
        for _, name in ipairs(MACHINE) do
            if instruction.disassembly:find(name, 1, true) then
                return ("line %d reads %s: results must not depend on the machine"):format(instruction.line, name)
            end
        end
    end
end

-- Why it cannot be launched at all widths of the lesson.
local function widths_reason(lesson, program)
    local here = lists.set(kernel_of(program, lesson.kernel).widths)
    local widths = kernel_of(lesson.program, lesson.kernel).widths
    for _, width in ipairs(widths) do
        if not here[width] then
            return ("'.warp' leaves out warps of %d lanes: the grade runs %s"):format(width, table.concat(widths, ", "))
        end
    end
end

local function is_endless(e)
    return type(e) == "table" and (e.kind == "instruction_limit" or e.kind == "endless_loop")
end

-- "line 8: out_of_bounds: ..." of an error
local function fault_text(e)
    local first = case.said(e):match "^[^\n]*":gsub("^.-:(%d+): fault: ", "line %1: ", 1):gsub("^.-: error: ", "", 1)
    return (first:gsub(" %(max%-instructions [^)]*%)", ""))
end

local function end_reason(trial)
    return not trial.ok and fault_text(trial.result) or nil
end

local function results_reason(trial)
    return trial.wrong[1] and trial.wrong[1]:match "^[^;]*"
end

-- Answers a wrong name of what bounds a kernel by what the report of that kernel has of it.
local function name_reason(lesson, trial)
    local named = lesson.named
    local at, got = trial.wrong[1]:match("expected " .. named.output .. "%[(%d+)%] = %d+, got (%d+)")
    local number = at and trial.case.env[named.by][tonumber(at)] + 1
    local name = at and named[tonumber(got)]
    if not name then
        return at and ("kernel %s has no name yet"):format(lesson.begin.runs[number].entry)
    end
    local step = {file = lesson.begin, run = lesson.begin.runs[number], width = named.warp, unchecked = true}
    local result = trials.try(lesson.starter, step, {}, named.board).result
    return ("kernel %s is not bound by %s, which its report on %s has at %.0f %%: what does it have at more?"):format(
        step.run.entry, name[1], named.board, result.metrics[name[2]])
end

local function is_read(place)
    return place and place.how:find "read" ~= nil
end

-- Explains races between warps first, then those between lanes of one.
-- `reading`: only those in which a value is read.
local function races_reason(trial, reading)
    local found
    for _, f in ipairs(trial.result.findings or {}) do -- none on a board
        local reads = f.kind == "init" or is_read(f.places[1]) or is_read(f.places[2])
        found = (reads or not reading) and (not found or found.kind == "sync" and f.kind ~= "sync") and f or found
    end
    if found then
        local first, other = found.places[1], found.places[2]
        local where = ("line %s"):format(first.line or "?")
        if other and other.line ~= first.line then
            where = ("lines %s and %s"):format(other.line or "?", first.line or "?")
        end
        return ("%s: %s: %s"):format(where, found.kind, found.text:match "^[^\n]*")
    end
end

local function bound_of(gate, trial, result)
    if gate.times then
        return gate.times * measures.of(gate.of, result)
    end
    local block = result.block
    local env = setmetatable({blocks = result.blocks, threads = result.blocks * block[1] * block[2] * block[3]},
        {__index = trial.case.env})
    local ok, each = pcall(load("return " .. (gate.each or "1"), "=each", "t", env))
    if not ok or type(each) ~= "number" then
        error(("%s: gate '%s': '%s' is no number with %s"):format(gate.at or "?", gate[1], gate.each, trial.at), 0)
    end
    return (gate.most or gate.least) * each
end

local function shown(v)
    return math.type(v) == "integer" and report.count(v) or report.short(v)
end

local function count_reason(gate, trial)
    local step, timed = trial.step, measures.timed(gate.of)
    if gate.run and step.run.number ~= gate.run or timed ~= (trial.board ~= false) then
        return nil
    end
    local got = measures.of(gate.of, trial.result)
    local bound = bound_of(gate, trial, timed and step.timed or step.result)
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

-- Why the kernel is not equal to the reference in a step, or nil and why no proof was found, if none was. Outputs hold
-- any data before, so that an element that is not stored is seen, whatever it should be.
local function prove_step(lesson, program, step)
    local context <close> = heddle.new {max_memory = trials.MEMORY}
    local c = trials.case(context, program, step, function() end)
    local ok, proof = pcall(context.prove, context, {program, lesson.program},
        lists.merge(case.options(c), {solver = "none", max_time = SECONDS, max_instructions = trials.limit(step)}))
    if ok and proof.verdict == "different" then
        return differs(proof.difference)
    elseif ok then
        return nil, proof.verdict ~= "equal" and proof.text:match("^[^\n]*"):gsub("^warp %d+: ", "") or nil
    elseif case.said(proof):find "interrupted$" then
        error(proof, 0)
    elseif proof.kind == "memory" then
        return nil, case.said(proof)
    end
    return "on other data: " .. fault_text(proof)
end

-- Why it is not equal, or nil and what is known: the sizes, or where no proof was found.
local function prove(lesson, program)
    local proved, open = {}, {}
    for _, step in ipairs(lesson.plan) do
        local number = step.run.number
        if number <= (lesson.proved or number) and not open[number] then
            local reason, why = prove_step(lesson, program, step)
            if reason then
                return ("%s: %s"):format(step.at, reason)
            end
            open[number] = why
            open.first = open.first or why and ("no proof was found for %s: %s"):format(step.at, why)
            proved[number] = step.sizes
        end
    end
    return nil, open.first or "for all data where " .. table.concat(proved, "; ")
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
local function orders_reason(lesson, program)
    local last = lesson.file.runs[#lesson.file.runs]
    for _, step in ipairs(lesson.plan) do
        for seed = 1, step.run == last and lesson.orders or 0 do
            local trial = trials.try(program, step, {schedule = ("random:%d"):format(seed),
                max_instructions = trials.limit(step)})
            local reason = end_reason(trial) or results_reason(trial)
            if reason then
                return ("%s, with warps in another order: %s"):format(trial.at, reason)
            end
        end
    end
end

-- The first trial that a gate does not let through.
local function over(list, reason_of)
    for _, trial in ipairs(list) do
        local reason = reason_of(trial)
        if reason then
            return ("%s: %s"):format(trial.at, reason)
        end
    end
end

local function judge(lesson, program, text, result, seed)
    local machine, widths = machine_reason(program), widths_reason(lesson, program)
    if machine or widths then
        return add(result, machine and "machine" or "end", machine or widths)
    end
    local steps = lists.append({table.unpack(lesson.plan)}, trials.drawn(lesson, (seed or "") .. text))
    local list = trials.run(lesson, program, steps)
    local endless = is_endless(list[#list].result)
    local function ask(name, reason, note)
        return add(result, name, reason, note, lesson.hints[name == "end" and endless and "loop" or name])
    end
    local wrong = over(list, function(trial)
        return trial.wrong[1] and lesson.named and name_reason(lesson, trial) or results_reason(trial)
    end)
    local why = wrong and over(list, function(trial) return races_reason(trial, true) end)
    local good = ask("end", over(list, end_reason))
        and (not why or ask("races", why)) -- which explains wrong results
        and ask("results", wrong)
        and ask("races", over(list, races_reason))
    if lesson.orders then
        good = good and ask("orders", orders_reason(lesson, program))
    end
    for _, gate in ipairs(lesson.gates) do
        good = good and ask(gate[1], over(list, function(trial) return count_reason(gate, trial) end))
    end
    return good and (lesson.proved == 0 or ask("proof", prove(lesson, program)))
end

-- The text of a kernel that can be graded; nil and why not.
function grader.read(path)
    local ok, text = pcall(read, path)
    if ok then
        return text
    end
    return nil, type(text) == "table" and text.broken or error(text, 0)
end

-- The names of all gates of a lesson, in the order of a grade.
function grader.names(lesson)
    local names = {"end", "results", "races"}
    names[#names + 1] = lesson.orders and "orders" or nil
    lists.append(names, lists.map(lesson.gates, function(gate) return gate[1] end))
    names[#names + 1] = lesson.proved ~= 0 and "proof" or nil
    return names
end

-- The instructions of a kernel, given as for a grade, without the names that its author chose; nil if it has none.
function grader.code(path, class, text)
    local context <close> = heddle.new {max_memory = trials.MEMORY}
    local ok, list = pcall(function()
        local program = context:load(text or read(path, class), path, includes(path, class))
        return lists.map(program:instructions(), function(i) return i.disassembly end)
    end)
    return ok and list or nil
end

function grader.new(lesson)
    local context <close> = heddle.new()
    local reference = lessons.path(lesson, "reference")
    lesson = lists.merge(lesson, {file = expectations.read(reference), program = context:load(reference)})
    lesson.plan = trials.plan(lesson)
    if lesson.named then
        local start = lessons.path(lesson, "starter")
        lesson.begin, lesson.starter = expectations.read(start), context:load(start)
    end
    return function(path, class, name, text, seed)
        local result = {file = path, status = "passed", gates = {}}
        local own <close> = heddle.new {max_memory = trials.MEMORY}
        local ok, why = pcall(function()
            text = text or read(path, class)
            judge(lesson, load_kernel(own, path, class, lesson, text), text, result, seed)
        end)
        if not ok and not (type(why) == "table" and why.broken) then
            error(why, 0)
        elseif not ok then
            result.status, result.reason = "broken", why.broken
        end
        if name then
            call(result, path, name)
        end
        return result
    end
end

-- Measures the answer to the page's question before the run, or of its variant for a seed. Returns the launch as well.
function grader.predicted(lesson, seed)
    local context <close> = heddle.new()
    local ask, mine = lesson.prediction, seed and variant.prediction(lesson, seed)
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
    local step = {file = own, run = own.runs[ask.run], width = ask.warp}
    if mine then -- in the last case of the reference all follows from the arguments
        local cases = expectations.read(lessons.path(lesson, "reference"))
        step = {file = cases, run = cases.runs[#cases.runs], width = mine.warp, args = mine.args, unchecked = true}
    end
    local trial = trials.try(program, step, options, ask.board)
    if not trial.ok then
        error(case.said(trial.result):match "^[^\n]*", 0)
    end
    return ask.of(trial.result), trial
end

-- Words on the variant of the question for a seed.
function grader.variant(lesson, seed)
    if not variant.prediction(lesson, seed) then
        return ("The question of this lesson is the same for everyone, %s too."):format(seed)
    end
    local _, trial = grader.predicted(lesson, seed)
    local block = lists.map(trial.result.block, function(n) return n > 1 and ("%d"):format(n) or nil end)
    return ("The question for %s has other numbers: %s, blocks of %s threads, %d of them."):format(seed, trial.at,
        table.concat(block, " x "), trial.result.blocks)
end

-- True if an answer is right: as measured, or where the row has it so, near that.
function grader.is_right(lesson, answer, found)
    return answer == found or answer ~= nil and math.abs(answer - found) <= (lesson.prediction.within or 0) * found
end

return grader
