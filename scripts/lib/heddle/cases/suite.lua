-- Runs the cases of kernel files, each at all its warp widths, for `heddle test`.
--
--   local results = suite.run({"saxpy.hd"}, {check = "all", warp = 32, named = {}}, function(n) return n % 4 == 1 end)
--   for _, r in ipairs(results) do print(r.file, r.number, r.name, r.warp, r.status, r.text) end
--
-- A result is {order, file, line, number, name, warp, status, seconds, text}: status "pass", "fail", or "broken" if the
-- file or the case cannot be read. `text` is an error message, like the assembler's.

local heddle = require "heddle"
local board = require "heddle.kit.board"
local case = require "heddle.cases.case"
local expectations = require "heddle.cases.expectations"
local lists = require "heddle.kit.lists"

local suite = {}

local said = case.said

local function interrupted(e)
    return said(e):find "interrupted$" ~= nil
end

-- ---- one case at one width ----

-- Checks what checkers find; `kept` gets lines of a baseline, allowances that cover something, and those that do not.
local function check_findings(c, kinds, options, kept)
    case.rewind(c)
    local ok, result = pcall(case.launch, c, {check = kinds, suppressions = options.suppressions,
        baseline = options.baseline})
    if ok or type(result) == "table" and result.kind ~= "input" then
        case.check_findings(c, result)
        for _, finding in ipairs(result.findings or {}) do
            if finding.allowed and not finding.known then
                kept.used = kept.used .. finding.allowed_by .. "\n"
            else
                kept.baseline = kept.baseline .. finding.baseline .. "\n"
            end
        end
        kept.unused = kept.unused .. (result.allow_warnings or "")
    else
        error(said(result), 0) -- the checkers, allowances or the baseline cannot be read
    end
end

-- Finds the line of the parameter that a message names, or else that of the run.
local function line_of(c, message)
    local name = tostring(message):match "parameter '([^']*)'"
    for _, row in ipairs(name and lists.append(lists.append({}, c.run.args), c.run.buffers) or {}) do
        if (row.key or row.name) == name then
            return row.line
        end
    end
    return c.run.line
end

-- Checks all expectations of the case, and with options.check that checkers find nothing else.
local function check(c, options, kept)
    local run = c.run
    local ok, result = pcall(case.launch, c, {})
    if not ok and interrupted(result) then
        error(result, 0)
    elseif run.fault then
        case.check_fault(c, ok, result)
    elseif case.report(c, ok, line_of(c, not ok and said(result)), "%s", ok or said(result)) then
        case.check(c, result)
    end
    local kinds = run.checkers or options.check or #run.findings > 0 and "all"
    if kinds then
        check_findings(c, kinds, options, kept)
    end
    if run.orders then
        case.check_orders(c)
    end
end

local function run_width(file, program, run, width, options)
    local texts, kept = {}, {baseline = "", used = "", unused = ""}
    local function report(ok, _, text)
        texts[#texts + 1] = not ok and expectations.show(file, text) or nil
    end
    local fine, why = case.limited(function()
        local context <close> = heddle.new()
        if run.board then
            context:board(board.path(run.board))
        end
        check(case.new(context, program, file, run, width, {report = report}), options, kept)
    end)
    if not fine and interrupted(why) then
        error("interrupted", 0)
    elseif not fine then
        texts[#texts + 1] = expectations.show(file, said(why))
    end
    return lists.merge(kept, {warp = width, text = table.concat(texts, "\n"),
        status = not fine and "broken" or #texts > 0 and "fail" or "pass"})
end

local function run_case(file, program, run, options)
    local widths, results = expectations.widths(program, run), {}
    if #widths == 0 then
        local text = ("%s:%d: there is no kernel '%s'"):format(file.path, run.line, run.entry)
        return {{status = "broken", text = expectations.show(file, text)}}
    end
    for _, width in ipairs(widths) do
        if width == (options.warp or width) then
            local before = os.clock()
            local r = run_width(file, program, run, width, options)
            r.seconds = os.clock() - before
            results[#results + 1] = r
        end
    end
    return results
end

-- ---- files ----

-- Lines `;! lint` of the file that lint does not warn of; nothing if there are none.
local function check_lint(file, program)
    local warned, texts = {}, {}
    for line, text in program:lint():gmatch("[^\n]*:(%d+):%d+: warning: ([^\n]*)") do
        warned[math.tointeger(line)] = text
    end
    for line, want in pairs(file.lints) do
        if not (warned[line] and warned[line]:find(want, 1, true)) then
            texts[#texts + 1] = expectations.show(file, ("%s:%d: lint does not warn: %s"):format(file.path, line, want))
        end
    end
    table.sort(texts)
    return next(file.lints) and {{name = "lint", text = table.concat(texts, "\n"),
        status = #texts > 0 and "fail" or "pass"}} or {}
end

-- The file and its program, or what is wrong with it.
local function open(path)
    local ok, text = pcall(expectations.text, path)
    if not ok then
        return nil, said(text)
    end
    local file = expectations.parse(path, text)
    local context <close> = heddle.new()
    local loaded, program = pcall(context.load, context, text, path)
    if not loaded then
        return nil, (said(program):gsub("\n$", ""))
    end
    return file, program
end

-- Checks of the whole file: errors, expected warnings of lint.
local function whole(path, file, program, must_have)
    if not file then
        return {{status = "broken", text = program}}
    elseif #file.errors > 0 then
        return {{status = "broken", text = expectations.show(file, file.errors[1])}}
    elseif #file.runs == 0 and must_have then
        return {{status = "broken", text = path .. ": error: the file has no case: no line ';! run'"}}
    end
    return check_lint(file, program)
end

-- `mine(n)` is true if the n-th part is to be run here: a file as a whole, and each of its cases, are parts.
-- options.named[path] is true for files that must have a case.
function suite.run(paths, options, mine)
    local results, part = {}, 0
    for _, path in ipairs(paths) do
        local file, program = open(path)
        local function take(run, f, ...)
            part = part + 1
            for i, r in ipairs(mine(part) and f(...) or {}) do
                r.file, r.line, r.number = path, run and run.line or 1, run and run.number or 0
                r.name = r.name or run and (run.name or run.entry) or "file"
                r.order, r.seconds = part + i / 100, r.seconds or 0.0
                results[#results + 1] = r
            end
        end
        take(nil, whole, path, file, program, options.named[path])
        for _, run in ipairs(file and #file.errors == 0 and file.runs or {}) do
            take(run, run_case, file, program, run, options)
        end
    end
    return results
end

return suite
