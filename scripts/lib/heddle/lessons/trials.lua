-- Trials: a kernel on the cases of a lesson, at each warp width, without a clock and on the lesson's board.
--
--   local steps = trials.plan(lesson)                         what is launched, and what the reference does there
--   local more = trials.drawn(lesson, text)                   the same, of sizes and data that follow from a text
--   local list = trials.run(lesson, program, steps)           the program there, up to the first launch that fails
--
-- A step is {file, run, width, args, at, sizes, result, timed}: a case at a width, named by `at` and `sizes` in a
-- sentence, with what the reference's launches gave, `timed` on the lesson's board if that has the width. A trial is
-- {step, case, at, board, ok, result, wrong}: `wrong` has what is wrong with its results, and `result` is the error
-- where it is not `ok`.
local heddle = require "heddle"
local boards = require "heddle.kit.board"
local case = require "heddle.cases.case"
local expectations = require "heddle.cases.expectations"
local lists = require "heddle.kit.lists"
local variant = require "heddle.lessons.variant"

local trials = {MEMORY = "256M"} -- of a launch or a proof

local SLOWER <const> = 50 -- a kernel that issues this many times the reference's instructions is stopped
local SPARE <const> = 10000 -- and this many more

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

local function describe(c, board)
    return ("%s, warp %d%s"):format(sizes(c), c.width, board and " on " .. board or "")
end

-- The data of a step are computed for its first case: Lua takes four fifths of a launch's time otherwise.
function trials.case(context, program, step, report)
    local c = case.new(context, program, step.file, step.run, step.width,
        {args = step.args, report = report, like = step.like})
    step.like = step.like or c
    return c
end

-- Launches the program for a step, on this board if there is one, with `set` changed; results are checked unless
-- step.unchecked.
function trials.try(program, step, options, board, set)
    local context <close> = heddle.new {max_memory = trials.MEMORY}
    if board then
        boards.read(context, board, set)
    end
    local wrong = {}
    local c = trials.case(context, program, step, function(ok, _, text)
        wrong[#wrong + 1] = not ok and text:gsub("^.*run %d+ warp %d+: ", "") or nil
    end)
    local trial = {step = step, case = c, at = describe(c, board), wrong = wrong, board = board}
    trial.ok, trial.result = pcall(case.launch, c, options)
    if trial.ok and not step.unchecked then
        case.check(c, trial.result)
    elseif not trial.ok and case.said(trial.result):find "interrupted$" then
        error(trial.result, 0)
    end
    return trial
end

-- Returns the limit of a launch's instructions.
function trials.limit(step)
    return SLOWER * step.result.warp_instructions + SPARE
end

-- The program's trials of these steps. Without a clock checkers look on.
function trials.run(lesson, program, steps)
    local list = {}
    for _, step in ipairs(steps) do
        for _, board in ipairs(step.timed and {false, lesson.board} or {false}) do
            local trial = trials.try(program, step, {max_instructions = trials.limit(step),
                check = not board and "all" or nil}, board)
            list[#list + 1] = trial
            if not trial.ok then
                return list
            end
        end
    end
    return list
end

-- ---- what the reference does ----

local function reference(lesson, step, board)
    local trial = trials.try(lesson.program, step, {}, board)
    local wrong = not trial.ok and case.said(trial.result) or trial.wrong[1]
    if wrong then
        local path, text = lesson.file.path, wrong:match "^[^\n;]*"
        local line, rest = text:sub(#path + 1):match "^:(%d+):%s*(.*)$"
        local placed = line and text:sub(1, #path) == path
        error(("%s:%s: the solution is wrong in its case with %s: %s"):format(path, placed and line or step.run.line,
            trial.at, placed and rest:gsub("^%d+: ", "") or text), 0)
    end
    return trial
end

-- A step for each width of the case.
local function steps_of(lesson, run, more)
    return lists.map(expectations.widths(lesson.program, run), function(width)
        local step = lists.merge({file = lesson.file, run = run, width = width}, more)
        local trial = reference(lesson, step)
        step.result, step.at, step.sizes = trial.result, trial.at, sizes(trial.case)
        return step
    end)
end

function trials.plan(lesson)
    local width = lesson.board and boards.read(heddle.new(), lesson.board).values.warp_width
    local list = {}
    for _, run in ipairs(lesson.file.runs) do
        for _, step in ipairs(steps_of(lesson, run)) do
            step.timed = step.width == width and reference(lesson, step, lesson.board).result or nil
            list[#list + 1] = step
        end
    end
    return list
end

-- The last case with other arguments, of the ranges lesson.drawn, and with other data: its fills use `seed`. So no
-- kernel can know them before, and the same kernel is always graded the same.
function trials.drawn(lesson, text)
    local number = variant.numbers(text)
    local args = variant.draw(lesson.drawn, number)
    local chunks = {table.unpack(lesson.file.chunks)}
    chunks[#chunks + 1] = {path = lesson.file.path, lua = "seed = " .. number()}
    local last = lesson.file.runs[#lesson.file.runs]
    return steps_of(lesson, lists.merge(last, {number = 0}),
        {file = lists.merge(lesson.file, {chunks = chunks}), args = args})
end

return trials
