-- The cases of the kernels that ship, or of those named on the command line, on boards.
--
--   launches.each({{name = "teach8"}}, function(program, run, board, i) return {8} end, function(c, board) ... end)
--
-- `widths` gives the warp widths at which the board launches a run of the i-th file, if it is the run's own or any.
local heddle = require "heddle"
local bench = require "heddle.kit.bench"
local case = require "heddle.cases.case"
local checks = require "tests.lib.checks"
local expectations = require "heddle.cases.expectations"

local launches = {}

-- Calls visit(case, board) for each, which counts with tests.lib.checks; boards are {name, values}.
function launches.each(boards, widths, visit)
    for _, board in ipairs(boards) do
        board.context = heddle.new()
        board.context:board(board.name, board.values)
    end
    for i, path in ipairs(expectations.files(#arg > 0 and arg or {"kernels"})) do
        local file = expectations.read_small(path)
        for _, board in ipairs(boards) do
            local program = board.context:load(file.text, path)
            checks.at(path, board.name)
            for _, run in ipairs(file.runs) do
                local here = not run.board or run.board == board.name
                for _, width in ipairs(here and widths(program, run, board, i) or {}) do
                    local c = case.new(board.context, program, file, run, width, checks)
                    c.where = ("run %d warp %d on %s"):format(run.number, width, board.name)
                    visit(c, board)
                    bench.clear(board.context)
                end
            end
        end
    end
end

return launches
