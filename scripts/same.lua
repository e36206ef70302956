-- Prints what every case of kernel files gives on a board, for scripts/same.sh: a line for each case and warp width,
-- with all numbers of the result, and the bytes of all buffers.
--
--   heddle lua scripts/same.lua BOARD THREADS ENGINE WARP|all FILE.hd ...
local board = require "heddle.kit.board"
local case = require "heddle.cases.case"
local expectations = require "heddle.cases.expectations"
local heddle = require "heddle"

local name, threads, engine, warp = table.unpack(arg, 1, 4)

local function run(file, program, of, width)
    local context <close> = heddle.new()
    context:board(board.path(name))
    local c = case.new(context, program, file, of, width, {report = function() end})
    local got = case.outcome(c, {threads = math.tointeger(threads), engine = engine})
    for buffer, bytes in pairs(got.bytes) do
        got.bytes[buffer] = bytes:gsub("[^ -~]", function(byte) return ("\\%02x"):format(byte:byte()) end)
    end
    got.result = got.ok and got.result or case.said(got.result)
    return heddle.json(got, {indent = 0, lossy = true})
end

for i = 5, #arg do
    local text = expectations.text(arg[i])
    local file = expectations.parse(arg[i], text)
    local context <close> = heddle.new()
    local loaded, program = pcall(context.load, context, text, arg[i])
    for _, of in ipairs(loaded and file.runs or {}) do
        for _, width in ipairs(expectations.widths(program, of)) do
            if warp == "all" or width == math.tointeger(warp) then
                local _, line = pcall(run, file, program, of, width)
                print(("%s case %d, %d lanes: %s"):format(arg[i], of.number, width, line))
            end
        end
    end
end
