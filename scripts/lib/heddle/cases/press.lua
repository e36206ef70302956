-- Cases of a kernel file, for launches: sim/lua/case.c calls these functions, in this order.
--
--   local found = press.find(context, text, path, {case = "2"})                    nil: the file has none
--   local options = press.fill(found, {warp = nil, board_warp = 32, args = {n = "5"}, buffers = {x = "x"}})
--   local result = context:launch(found.program, options)
--   press.expression(context, "x", "i % n", {args = {n = "7"}}, found)             fills a buffer in place of the case
--   local verdict = press.check(found, result, true)                               {total =, met =, text =}
--
-- Errors are texts with a place in the file, like the assembler's.

local case = require "heddle.cases.case"
local expectations = require "heddle.cases.expectations"
local heddle = require "heddle"
local lists = require "heddle.kit.lists"

local press = {}

-- ---- which case ----

-- Names a case in messages: its name, or its kernel, with a number if others have the same.
local function called(runs, run)
    local word, before, same = run.name or run.entry, 0, 0
    for _, r in ipairs(runs) do
        if (r.name or r.entry) == word then
            same = same + 1
            before = before + (r.number <= run.number and 1 or 0)
        end
    end
    return same > 1 and ("%s:%d"):format(word, before) or word
end

local function list(runs)
    return table.concat(lists.map(runs, function(run, i) return ("%d %s"):format(i, called(runs, run)) end), ", ")
end

-- Ends a message on an unknown case.
local function known(runs, which)
    local words = {}
    for _, run in ipairs(runs) do
        words[#words + 1], words[#words + 2] = run.name, run.entry
    end
    local near = heddle.nearest(which, words)
    return ("; %sthe file's cases are %s"):format(near and ("did you mean '%s'? "):format(near) or "", list(runs))
end

-- The case that --case means: N, NAME or NAME:K.
function press.choose(runs, which)
    local number = math.tointeger(tonumber(which))
    local word, k = which:match("^(.-):(%d+)$")
    return number and runs[number] or
        expectations.find(runs, word or which, k and math.tointeger(tonumber(k)) or 1)
end

local function raise_errors(file, message)
    if message or #file.errors > 0 then
        error(message and expectations.show(file, message) or expectations.show(file, file.errors[1]), 0)
    end
end

local function limited(file, f, ...)
    local results = table.pack(case.limited(f, ...))
    if not results[1] then
        local why = results[2]
        raise_errors(file, type(why) == "table" and why.message or why)
    end
    return table.unpack(results, 2, results.n)
end

local BIG_SMS <const> = 8 -- a board with at least this many takes the case `big`

-- Finds the default case: of that kernel, if there is one; `big` takes precedence over the first.
local function find_default(runs, entry, big)
    local first
    for _, run in ipairs(runs) do
        if not entry or run.name == entry or run.entry == entry then
            if not big or run.name == "big" then
                return run
            end
            first = first or run
        end
    end
    return first
end

-- asked.case is the value of --case, asked.entry that of --entry; asked.sms: the board's SMs, 0 without one.
function press.find(context, text, path, asked)
    local file = expectations.parse(path, text)
    local runs = file.runs
    if #runs == 0 and not asked.case and #file.errors == 0 then
        return nil
    end
    raise_errors(file)
    if asked.case and #runs == 0 then
        error(("%s: error: the file has no case: no line ';! run'"):format(path), 0)
    end
    local run
    if asked.case then
        run = press.choose(runs, asked.case)
    else
        run = find_default(runs, asked.entry, (asked.sms or 0) >= BIG_SMS)
    end
    if asked.case and not run then
        local name = path:match "[^/]*$"
        error(("%s: error: there is no case '%s'%s"):format(name, asked.case, known(runs, asked.case)), 0)
    end
    if not run then
        return nil
    end
    return {file = file, run = run, context = context, number = run.number, count = #runs, text = run.text,
            entry = run.entry, board = run.board,
            buffers = table.concat(lists.map(run.buffers, function(b) return b.name end), " ")}
end

-- ---- before the launch ----

local WIDTHS <const> = lists.set {8, 16, 32, 64}

-- Chooses the width of the case: the requested one, or the board's, or the widest.
local function choose_width(found, given, program)
    if given.warp and not WIDTHS[given.warp] then
        error(("warp: 8, 16, 32 or 64 expected, not %d"):format(given.warp), 0)
    end
    local widths = expectations.widths(program, found.run)
    found.own_width = false
    for _, w in ipairs(widths) do
        if w == (given.warp or given.board_warp) then
            found.own_width = true
            return w
        end
    end
    found.own_width = not given.warp
    return given.warp or #widths > 0 and math.max(table.unpack(widths))
        or error(("%s:%d: there is no kernel '%s'"):format(found.file.path, found.run.line, found.entry), 0)
end

local WORDS <const> = {["inf"] = math.huge, ["-inf"] = -math.huge, ["nan"] = 0 / 0, ["true"] = 1, ["false"] = 0}

-- Numbers of the command line as expressions see them.
local function numbers(args)
    local values = {}
    for name, text in pairs(args) do
        local v = tonumber(text) or WORDS[text]
        values[name] = math.tointeger(v) or v
    end
    return values
end

-- Makes and fills the buffers; returns the options of the launch.
function press.fill(found, given)
    local file = found.file
    return limited(file, function()
        local program = found.context:load(file.text, file.path)
        found.program = program
        local width = choose_width(found, given, program)
        found.case = case.new(found.context, program, file, found.run, width,
            {args = numbers(given.args), buffers = given.buffers})
        local options = case.options(found.case)
        options.warp = (given.warp or width ~= given.board_warp) and width or nil -- nil: as the board has it
        return options
    end)
end

-- Sets the elements of a buffer from an expression over given.args and the names of the case.
function press.expression(context, name, text, given, found)
    local env = case.environment(found and found.case and found.case.env)
    for arg, value in pairs(numbers(given.args)) do
        env[arg] = value
    end
    local ok, why = case.limited(case.set_expression, context:get(name), text, env)
    if not ok then
        error(type(why) == "table" and why.message or why, 0)
    end
end

-- ---- after it ----

local judged -- the last case

-- Judges the expectations, metrics among them if the launch had the case's own board; `fault` is an error object in
-- place of the result. A width other than the case's own leaves nothing to check.
function press.check(found, result, metrics, fault)
    if not found.own_width then
        return {total = 0, met = 0, text = ""}
    end
    local verdict, texts = {total = 0, met = 0}, {}
    judged = found.case
    found.case.take = function(ok, _, text)
        verdict.total = verdict.total + 1
        verdict.met = verdict.met + (ok and 1 or 0)
        texts[#texts + 1] = not ok and expectations.show(found.file, text) .. "\n" or nil
    end
    limited(found.file, function()
        if found.run.fault then
            case.check_fault(found.case, not fault, fault or result)
        elseif not fault then
            case.check(found.case, result, metrics)
        end
    end)
    verdict.text = table.concat(texts)
    return verdict
end

-- Elements of buffers that differ from what the last case expected, numbered from 0: {{"y", 249}}.
function press.wrong()
    return judged and judged.wrong or {}
end

return press
