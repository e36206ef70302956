-- Do checkers leave a launch alone, and find with a clock what they should?
--
--   heddle lua tests/checked.lua [FILE or FOLDER ...]       default: kernels
--
-- Every `;! run` of every kernel is launched without a clock, and with one on the boards below, without checkers and
-- with them: outcome, bytes of all buffers, cycles, counters, lines and traffic must be the same. What they find must
-- be what the file expects.

local heddle = require "heddle"
local checks = require "tests.lib.checks"
local expectations = require "tests.lib.expectations"
local case = require "tests.lib.case"

local BOARDS = {{name = "v100", width = 32}, {name = "teach8", width = 8}}

-- Under sanitizers, which take three times as long, one board.
if (os.getenv("SAN") or "") ~= "" then
    BOARDS[2] = nil
end

local CHECKED = {checked = true, findings = true, check_memory = true, check_forgotten = true} -- only with checkers

-- The first place at which two results differ, as text; nil when they are equal.
local function difference(a, b, path)
    if type(a) ~= "table" or type(b) ~= "table" then
        return not (a == b or a ~= a and b ~= b) and ("%s: %s, %s"):format(path, a, b) or nil
    end
    for key, value in pairs(a) do
        local found = difference(value, b[key], path .. "." .. tostring(key))
        if found then
            return found
        end
    end
    for key in pairs(b) do
        if a[key] == nil and not (path == "launch.result" and CHECKED[key]) then
            return ("%s.%s is new"):format(path, key)
        end
    end
end

-- What a launch left: its result, or the message of its fault, and the bytes of all buffers; the result or error, too.
local function outcome(c, options)
    case.rewind(c)
    local ok, result = pcall(case.launch, c, options)
    local whole = result
    if not ok then
        result = {message = result.message, kind = result.kind, line = result.line}
    end
    return {ok = ok, result = result, bytes = case.bytes(c)}, whole
end

local watched = 0

local function compare(c, functional)
    local plain = outcome(c, {functional = functional})
    local checked, whole = outcome(c, {functional = functional, check = c.run.checkers or "all"})
    if not plain.ok and plain.result.kind == "input" then
        return -- the board cannot hold it
    end
    local found = difference(plain, checked, "launch")
    case.report(c, not found, c.run.line, "with checkers %s", found)
    case.check_findings(c, whole)
    watched = watched + (checked.ok and checked.result.checked and 1 or 0)
end

local function check_file(path, board)
    local file = expectations.read(path)
    local program = board.context:load(file.text, path)
    for _, run in ipairs(file.runs) do
        for _, width in ipairs(expectations.widths(program, run)) do
            if width == board.width and (not run.board or run.board == board.name) then
                local c = case.new(board.context, program, file, run, width)
                c.where = ("run %d warp %d on %s"):format(run.number, width, board.name)
                compare(c, false)
                if board == BOARDS[1] then
                    compare(c, true)
                end
            end
            case.drop(board.context)
        end
    end
end

for _, board in ipairs(BOARDS) do
    board.context = heddle.new()
    board.context:board(("configs/%s.yaml"):format(board.name))
    for _, path in ipairs(expectations.files(#arg > 0 and arg or {"kernels"})) do
        check_file(path, board)
    end
end
checks.report(watched > 0, "no launch was watched")
checks.finish()
