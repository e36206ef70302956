-- Does the debugger walk in any launch without a wrong step: does it show in the end what buffers hold, and the same at
-- a place however that was reached, also in a recording that begins late or is cut?
--
-- Runs of the kernels that ship are recorded. WALKS=n walks n times as long.

local case = require "heddle.cases.case"
local checks = require "tests.lib.checks"
local expectations = require "heddle.cases.expectations"
local launches = require "tests.lib.launches"
local random = require "heddle.kit.random"

local report = checks.report
local EVENTS = 3000 -- of a launch that is walked in
local STEPS = 8 * (tonumber(os.getenv "WALKS") or 1)

local numbers = random.new(1)

local function pick(list)
    return list[numbers:below(#list) + 1]
end

-- ---- what buffers hold in the end ----

local FORMS = {f32 = "%.5g", f16 = "%.5g", bf16 = "%.5g", f64 = "%.9g", u64 = "%u", bool = "%s"}

-- Formats a value as `print` does; nil if it may be written in several ways.
local function shown(v, type)
    if type == "c64" or v ~= v then
        return nil
    elseif type == "u64" and v < 0 then
        return nil
    elseif FORMS[type] and type ~= "u64" then
        return FORMS[type]:format(v)
    end
    return ("%d"):format(v)
end

-- Compares elements as `print` shows them with the bytes that stores left, not with the buffer.
local function check_end(c, debugger, result)
    assert(debugger:command("cycle " .. result.cycles))
    for _, name in ipairs(c.context:names()) do
        local buffer = c.context:get(name)
        local n = math.min(buffer.count, 200)
        local text = n > 0 and debugger:command(("print %s[0..%d]"):format(name, n - 1)) or ""
        local i, wrong = 0, nil
        for line in text:gmatch "[^\n]+" do
            for value in line:gsub("^%S+", ""):gmatch "%S+" do
                i = i + 1
                local want = i <= n and shown(buffer[i], buffer.type)
                if want and value ~= want then
                    wrong = wrong or ("%s[%d] is %s, printed as %s"):format(name, i - 1, want, value)
                end
            end
        end
        case.report(c, not wrong and i == n, c.run.line, "%s", wrong or ("%d elements of %s"):format(i, name))
    end
end

-- ---- walks ----

local SHOW = {"where", "masks", "registers", "scoreboard", "why", "access", "timeline 30", "warps", "list", "shared"}
local lines = {} -- of the instructions of a program

local function commands(context, program, result)
    if not lines[program] then
        lines = {[program] = program:instructions()}
    end
    local list = {"step", "step 3", "back", "reverse step 2", "next", "reverse next", "until end", "until barrier",
        "until reconverge", "reverse until barrier", "continue", "reverse continue", "break fault", "delete", "lane 1",
        "lane all", "sm 0", "sm 1", "block 0", "block 1", "warp 0.0", "warp 0.1", "help step", "breakpoints"}
    local function add(form, ...)
        list[#list + 1] = form:format(...)
    end
    for _ = 1, 4 do
        add("cycle %d", numbers:below(result.cycles + 1))
        add("warp %d.%d", numbers:below(result.blocks), numbers:below(math.max(result.warps // result.blocks, 1)))
        add("until %d", pick(lines[program]).line)
        add("break %d", pick(lines[program]).line)
    end
    for _, n in ipairs(program:names()) do
        add(n.kind == "label" and "until %s" or pick {"who %s", "watch %s", "registers %s as unsigned"}, n.name)
    end
    for _, name in ipairs(context:names()) do
        add("print %s", name)
        add("who %s[0]", name)
        add("break %s[%d]", name, numbers:below(context:get(name).count + 1))
    end
    return list
end

-- Collects everything shown at the cursor: it must be the same whenever the cursor is there.
local function everything(debugger)
    local all = {}
    for i, line in ipairs(SHOW) do
        all[i] = debugger:command(line) or select(2, debugger:command(line))
    end
    return table.concat(all, "\n")
end

local function walk(c, result)
    local debugger = c.context:debugger()
    local list, met, wrong = commands(c.context, c.program, result), {}, nil
    for _ = 1, STEPS do
        local line = pick(list)
        local text, why = debugger:command(line)
        if not text and (not why or #why == 0) then
            wrong = wrong or ("'%s' is refused without a reason"):format(line)
        end
        debugger:command "lane all"
        local place = ("%d.%d event %d cycle %d"):format(debugger.block, debugger.warp, debugger.event, debugger.cycle)
        local now = everything(debugger)
        if met[place] and met[place] ~= now then
            wrong = wrong or ("at %s after '%s':\n%s\nbefore:\n%s"):format(place, line, now, met[place])
        end
        met[place] = now
    end
    case.report(c, not wrong, c.run.line, "%s", wrong)
    return debugger
end

local walked, late, cut = 0, 0, 0

local function check_case(c)
    local all = case.outcome(c, {watch = true})
    if not all.ok or all.result.events > EVENTS then
        return
    end
    walked = walked + 1
    check_end(c, walk(c, all.result), all.result)
    local middle = all.result.cycles // 2
    local from = case.outcome(c, {watch = {from = middle, to = middle + 200}})
    if from.ok and from.result.events > 0 then
        late = late + 1
        walk(c, from.result)
    end
    local first = case.outcome(c, {watch = {bytes = 40000}})
    if first.ok and first.result.complete and first.result.events > 0 then
        cut = cut + 1
        walk(c, first.result)
    end
end

-- Every second kernel on each board; with EVERY=1 all on all.
local boards, every = {{name = "teach8"}, {name = "teach32", values = {sms = 2}}}, (os.getenv("EVERY") or "") ~= ""
launches.each(boards, function(program, run, board, i)
    return (every or board == boards[(i + run.number) % #boards + 1]) and {pick(expectations.widths(program, run))}
end, check_case)
report(#arg > 0 or walked > 60, "only %d launches were walked in", walked)
report(#arg > 0 or (late > 40 and cut > 10), "only %d recordings began late, %d were cut", late, cut)
checks.finish()
