-- Do checkers leave a launch alone, and find with a clock what they should?
--
--   heddle lua tests/check/checked.lua [FILE or FOLDER ...]       default: kernels
--
-- Every `;! run` of every kernel is launched without a clock, and with one on the boards below, without checkers and
-- with them: outcome, bytes of all buffers, cycles, counters, lines and traffic must be the same. What they find must
-- be what the file expects, by the buffers of `heddle test` and by those of `heddle run`.

local checks = require "tests.lib.checks"
local expectations = require "heddle.cases.expectations"
local case = require "heddle.cases.case"
local launches = require "tests.lib.launches"
local lists = require "heddle.kit.lists"
local press = require "heddle.cases.press"

local BOARDS = {{name = "v100", width = 32}, {name = "teach8", width = 8}}

-- Under sanitizers, which take three times as long, one board.
if (os.getenv("SAN") or "") ~= "" then
    BOARDS[2] = nil
end

-- Only with checkers.
local CHECKED = {checked = true, allowed = true, findings = true, check_memory = true, check_forgotten = true}

-- Returns the comparable part of an outcome: of a fault, everything but the place in this script.
local function comparable(o)
    local r = o.result
    return {ok = o.ok, result = o.ok and r or {message = r.message, kind = r.kind, line = r.line}, bytes = o.bytes}
end

local watched = 0

local function compare(c, functional)
    local plain = case.outcome(c, {functional = functional})
    local checked = case.outcome(c, {functional = functional, check = c.run.checkers or "all"})
    if not plain.ok and plain.result.kind == "input" then
        return -- the board cannot hold it
    end
    local found = case.difference(comparable(plain), comparable(checked), "launch", CHECKED)
    case.report(c, not found, c.run.line, "with checkers %s", found)
    case.check_findings(c, checked.result)
    watched = watched + (checked.ok and checked.result.checked and 1 or 0)
end

-- Launches the case as `heddle run --check` does. Which of a race's pairs are met may depend on the order of warps.
local function press_case(c)
    local found = {file = c.file, run = c.run, context = c.context}
    local options = press.fill(found, {warp = c.width, args = {}, buffers = {}})
    options.check, options.functional = c.run.checkers or "all", true
    local _, result = pcall(c.context.launch, c.context, found.program, options)
    case.check_findings(c, type(result) == "table" and result or {})
end

local function widths(program, run, board)
    return not run.rules and -- checkers know the strict rules alone
        lists.set(expectations.widths(program, run))[board.width] and {board.width}
end

launches.each(BOARDS, widths, function(c, board)
    compare(c, false)
    if board == BOARDS[1] then
        compare(c, true)
        press_case(c)
    end
end)
checks.report(watched > 0, "no launch was watched")
checks.finish()
