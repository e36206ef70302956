-- Runs the expectations of kernels: the `;!` lines of every .hd file (docs/assembly.md, "Expectations").
--
--   heddle lua tests/arch/kernels.lua [FILE or FOLDER ...]        default: kernels
--
-- Each file is assembled, linted, taken through object and text and back to the same bytes. Each `run` is launched at
-- every warp width and compared with its expectations, again on every other engine and compared with the first, and
-- again under checkers, which must find what the file expects and nothing else; some in every order of their warps.
-- Without arguments it also checks that every row of the instruction table is used by some kernel. The last line
-- counts the checks; the exit status is 1 if one failed. tests/time/timed.lua tests the effects of a clock.

local heddle = require "heddle"
local bench = require "heddle.kit.bench"
local checks = require "tests.lib.checks"
local expectations = require "heddle.cases.expectations"
local case = require "heddle.cases.case"

local report, said = checks.report, case.said
local other_engines = {"x86-64-v3"} -- emptied when the host cannot run it

-- A launch that ran again in another way gave the same bytes and the same counts.
local function check_again(c, how, first, bytes, again)
    local same = again.warp_instructions == first.warp_instructions and again.cycles == first.cycles
    case.report(c, same, c.run.line, "%s instructions or cycles differ", how)
    for _, b in ipairs(c.run.buffers) do
        case.report(c, b.buffer:bytes() == bytes[b.name], b.line, "%s %s differs", how, b.name)
    end
end

local function check_engine(c, engine, first, bytes)
    case.rewind(c)
    local ok, result = pcall(case.launch, c, {engine = engine})
    if not ok and result.kind == "input" then
        print(("engine %s is not compared: %s"):format(engine, result.message))
        other_engines = {}
    elseif case.report(c, ok, c.run.line, "on engine %s: %s", engine, ok or said(result)) then
        check_again(c, "on engine " .. engine, first, bytes, result)
    end
end

-- Checkers find what the run expects, and change nothing.
local function check_findings(c, ok, first, bytes)
    case.rewind(c)
    local fine, result = pcall(case.launch, c, {check = c.run.checkers or "all"})
    case.check_findings(c, result)
    if case.report(c, fine == ok, c.run.line, "with checkers: %s", fine or said(result)) and ok then
        check_again(c, "with checkers", first, bytes, result)
    end
end

local function check_case(c)
    local ok, result = pcall(case.launch, c, {engine = "baseline"})
    local bytes = case.bytes(c)
    if c.run.fault then
        case.check_fault(c, ok, result)
    elseif case.report(c, ok, c.run.line, "%s", ok or said(result)) then
        case.check(c, result)
        for _, engine in ipairs(other_engines) do
            check_engine(c, engine, result, bytes)
        end
    end
    if not c.run.rules then -- checkers know the strict rules alone
        check_findings(c, ok, result, bytes)
    end
    if c.run.orders then
        case.check_orders(c)
    end
end

local function check_forms(context, program, file)
    local object, text = program:object(), program:text()
    local name = file.path
    report(context:load(object, name):object() == object, "%s: the object file changes when loaded and saved", name)
    report(context:load(text, name):object() == object, "%s: the disassembly assembles to another object file", name)
    report(context:load(object, name):text() == text, "%s: the disassembly of the object file differs", name)
end

-- Checks that lint warns where the file expects it, and nowhere else.
local function check_lint(program, file)
    local met = {}
    for text in program:lint():gmatch("[^\n]+") do
        local line, warning = text:match("^.-:(%d+):%d+: warning: (.*)$")
        local want = file.lints[math.tointeger(line)]
        if line then
            met[math.tointeger(line)] = true
            report(want and warning:find(want, 1, true), "%s: lint: %s", file.path, text)
        end
    end
    for line, want in pairs(file.lints) do
        report(met[line], "%s:%d: lint does not warn: %s", file.path, line, want)
    end
end

-- ---- which rows of the instruction table are used ----

local used = {}

local function note_rows(program)
    for line in program:text():gmatch("[^\n]+") do
        local word = line:match("^%s+(%l[%w.]*)") or line:match("^%s*@!?[%w_]+%s+(%l[%w.]*)")
        while word do
            used[word] = true
            word = word:match("^(.*)%.[^.]*$")
        end
    end
end

local function check_rows()
    for _, row in ipairs(heddle.isa()) do
        report(used[row.name], "no kernel uses %s", row.name)
    end
end

-- ---- all files ----

local function check_run(file, program, run)
    local context <close> = heddle.new()
    if run.board then
        context:board(("configs/%s.yaml"):format(run.board))
    end
    local asked = run.fault or run.prints or #run.expects + #run.findings > 0
    report(asked, "%s:%d: run %d expects nothing", file.path, run.line, run.number)
    local widths = expectations.widths(program, run)
    report(#widths > 0, "%s:%d: run %d: there is no kernel '%s'", file.path, run.line, run.number, run.entry)
    for _, width in ipairs(widths) do
        local fine, c = case.limited(case.new, context, program, file, run, width, checks)
        if fine then
            fine, c = case.limited(check_case, c)
        end
        report(fine, "%s:%d: run %d warp %d: %s", file.path, run.line, run.number, width, fine or said(c))
        bench.clear(context)
    end
end

local function check_file(path)
    local file = expectations.read_small(path)
    local context <close> = heddle.new()
    local ok, program = pcall(context.load, context, file.text, path)
    if not report(ok, "%s: %s", path, ok or said(program)) then
        return
    end
    note_rows(program)
    check_forms(context, program, file)
    check_lint(program, file)
    report(#file.runs > 0, "%s: has no ;! run", path)
    for _, run in ipairs(file.runs) do
        check_run(file, program, run)
    end
end

for _, path in ipairs(expectations.files(#arg > 0 and arg or {"kernels"})) do
    checks.at(path)
    check_file(path)
end
if #arg == 0 then
    check_rows()
end
checks.finish()
