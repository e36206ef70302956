-- What a lesson's idea is worth: cycles of the kernel to begin with and of a better one, at a size of real use.
--
--   local pay = payoff.of(lesson)                   against the reference, or of(lesson, "mine.hd") against a kernel
--   pay.at, pay.rows                                "n = 65536"; {board, before, after, gain, promised} for each board
--   payoff.of(lesson, nil, function(rows) return #rows == 3 end)                   no more boards once that is true
--
-- `promised` is the gain that the report on the first kernel gives at most: by the advice of the lesson's rule, or,
-- where the lesson is about a loss of the machine, what that kernel gains without it (docs/report.md). nil: the lesson
-- names neither, or no such advice was given.
local heddle = require "heddle"
local expectations = require "heddle.cases.expectations"
local lessons = require "heddle.lessons.lessons"
local lists = require "heddle.kit.lists"
local progress = require "heddle.kit.progress"
local trials = require "heddle.lessons.trials"

local payoff = {BOARDS = {"teach32", "v100", "a100", "h100"}, LEAST = 1.1} -- LEAST: of a lesson that pays

local WIDTH <const> = 32 -- lanes of a warp

local function launch(program, step, board, path, set)
    local trial = trials.try(program, step, {}, board, set)
    if not trial.ok then
        error(trial.result, 0)
    end
    local wrong = trial.wrong[1]
    return wrong and error({payoff = ("%s on %s: %s"):format(path, board, wrong:match "^[^;]*")}, 0) or trial.result
end

-- The ideal machine of a lesson; nil: it is about none.
function payoff.ideal(lesson)
    return lists.by(heddle.ideals(), "name")[lesson.payoff.ideal]
end

local function settings(ideal)
    local list = {}
    for text in ideal.settings:gmatch "%S+" do
        list[#list + 1] = text
    end
    return list
end

local function promise(lesson, ideal, first, again)
    if ideal then
        return first.cycles / again(settings(ideal)).cycles
    end
    local advice = lists.by(first.advice, "rule")[lesson.payoff.advice]
    return advice and advice.gain
end

function payoff.of(lesson, path, enough)
    path = path or lessons.path(lesson, "reference")
    local context <close> = heddle.new()
    local read = expectations.read(lessons.path(lesson, "reference"))
    local step = {file = read, run = read.runs[#read.runs], width = WIDTH, args = lesson.payoff.args}
    local start = lessons.path(lesson, "starter")
    local before, after = context:load(start), context:load(path)
    local line = progress.begin(2 * #payoff.BOARDS)
    local sizes = lists.map(lesson.drawn, function(row) return ("%s = %d"):format(row[1], step.args[row[1]]) end)
    local rows, ideal = {}, payoff.ideal(lesson)
    for _, board in ipairs(payoff.BOARDS) do
        line.step(board)
        local first = launch(before, step, board, start)
        line.step(board)
        local second = launch(after, step, board, path)
        step.unchecked = true -- results do not depend on the board
        rows[#rows + 1] = {board = board, before = first.cycles, after = second.cycles,
            gain = first.cycles / second.cycles, promised = promise(lesson, ideal, first, function(set)
                return launch(before, step, board, start, set)
            end)}
        if enough and enough(rows) then
            break
        end
    end
    return {at = table.concat(sizes, ", "), rows = rows}
end

return payoff
