-- Runs what kernels say about themselves: the `;!` lines of every .hd file (docs/assembly.md, "Expectations").
--
--   heddle lua tests/kernels.lua [FILE or FOLDER ...]        default: kernels
--
-- Each file is assembled, linted, taken through object and text and back to the same bytes. Each `run` is launched at
-- every warp width and compared with its expectations, and again on every other engine and compared with the first.
-- Without arguments it also checks that every row of the instruction table is used by some kernel. The last line
-- counts the checks; the exit status is 1 when one failed.

local heddle = require "heddle"

local MISMATCHES = 3            -- elements of one expectation that are reported
local INSTRUCTIONS = "50000000" -- warp-instructions of a run that sets no limit
local other_engines = {"x86-64-v3"} -- emptied when the host cannot run it

local passed, failed = 0, 0

local function report(ok, format, ...)
    if ok then
        passed = passed + 1
    else
        failed = failed + 1
        print(format:format(...))
    end
    return ok
end

-- What an error says, without its place in this script.
local function said(e)
    return type(e) == "string" and e or e.message
end

-- ---- numbers in the types of buffers ----

local INTEGER = {i8 = 8, i16 = 16, i32 = 32, i64 = 64, u8 = 8, u16 = 16, u32 = 32, u64 = 64}

-- The value as an element of that type holds it: whole numbers wrap, fp32 is rounded, truth is 1 or 0.
local function as_type(type, v)
    if v == true or v == false then
        return v and 1 or 0
    end
    local bits = INTEGER[type]
    if bits then
        v = math.tointeger(v) or error(("%s is no whole number"):format(v), 0)
        if bits < 64 then
            v = v & (1 << bits) - 1
            if type:sub(1, 1) == "i" and v >> bits - 1 == 1 then
                v = v - (1 << bits)
            end
        end
        return v
    end
    return type == "f32" and string.unpack("<f", string.pack("<f", v)) or v
end

local function same(want, got)
    return want == got or (want ~= want and got ~= got)
end

local function close(want, got, tolerance)
    return same(want, got) or math.abs(want - got) <= tolerance * math.max(1, math.abs(want))
end

-- ---- reading a file's expectations ----

-- What expressions may use, besides W, the arguments and the buffers.
local LIBRARY = {
    math = math, string = string, table = table, select = select, ipairs = ipairs, pairs = pairs, tostring = tostring,
    u32 = function(v) return as_type("u32", v) end,
    s32 = function(v) return as_type("i32", v) end,
    f32 = function(v) return as_type("f32", v) end,
    bits32 = function(v) return (string.unpack("<I4", string.pack("<f", v))) end, -- bits of an fp32, and back
    float32 = function(v) return (string.unpack("<f", string.pack("<I4", v & 0xffffffff))) end,
    bits64 = function(v) return (string.unpack("<i8", string.pack("<d", v))) end,
    float64 = function(v) return (string.unpack("<d", string.pack("<i8", v))) end,
    log2 = function(v)
        local n = 0
        while v > 1 do
            v, n = v >> 1, n + 1
        end
        return n
    end,
}

local function words(text) -- the `key=value` of a line; what follows `--` is a remark
    local list = {}
    for word in text:gsub("%s%-%-.*", ""):gmatch("%S+") do
        local key, value = word:match("^([%w_.$]+)=(.+)$")
        if not key then
            error(("'%s' is not of the form key=value"):format(word), 0)
        end
        list[#list + 1] = {key = key, value = value}
    end
    return list
end

local function add_run(file, text, line)
    local entry, rest = text:match("^(%S+)(.*)$")
    local run = {entry = entry, line = line, grid = "1", block = "1", buffers = {}, args = {}, expects = {},
                 counts = {}, number = #file.runs + 1, limit = INSTRUCTIONS}
    for _, w in ipairs(words(rest or "")) do
        if w.key ~= "grid" and w.key ~= "block" and w.key ~= "warp" then
            error(("unknown word '%s'"):format(w.key), 0)
        end
        run[w.key] = w.value
    end
    file.runs[run.number] = run
end

local READERS = {}

local function buffer_reader(mode)
    return function(run, text, line)
        local name, type, shape, rest = text:match("^([%w_.$]+)%s*:%s*(%w+)(%b[])%s*(.*)$")
        local fill = rest and rest:match("^=%s*(.*)$")
        if not name or (rest ~= "" and not fill) then
            error("expected NAME : TYPE[SHAPE] = FILL", 0)
        end
        run.buffers[#run.buffers + 1] = {mode = mode, name = name, type = type, shape = shape:sub(2, -2), fill = fill,
                                         line = line}
    end
end
READERS["in"] = buffer_reader("in")
READERS["inout"] = buffer_reader("inout")
READERS["out"] = buffer_reader("out")

function READERS.arg(run, text)
    for _, w in ipairs(words(text)) do
        run.args[#run.args + 1] = w
    end
end

function READERS.expect(run, text, line)
    local target, relation, want = text:match("^(%S+)%s*([=~])%s*(.*)$")
    if not target then
        error("expected NAME = EXPRESSION", 0)
    end
    local part
    local name, row = target:match("^(.-)%[(%d+)%]$")
    name = name or target
    local base, field = name:match("^(.*)%.(%a+)$")
    if field == "re" or field == "im" then
        name, part = base, field
    end
    local tolerance = "0"
    if relation == "~" then
        want, tolerance = want:match("^(.*)%s+tolerance%s+(.*)$")
        if not want then
            error("expected NAME ~ EXPRESSION tolerance T", 0)
        end
    end
    run.expects[#run.expects + 1] = {name = name, part = part, row = math.tointeger(tonumber(row)), target = target,
                                     want = want, tolerance = tolerance, line = line}
end

function READERS.count(run, text, line)
    local class, want = text:match("^(%S+)%s*=%s*(.*)$")
    if not class then
        error("expected CLASS = EXPRESSION", 0)
    end
    run.counts[#run.counts + 1] = {class = class, want = want, line = line}
end

function READERS.fault(run, text, line, beside)
    run.fault = text:match("^%S+") or error("expected the name of a fault", 0)
    run.fault_line = beside and line
end

function READERS.limit(run, text)
    run.limit = text
end

-- One line behind `;!`, `beside` an instruction or alone. Lines of Lua keep their line numbers.
local function read_line(file, key, text, line, beside)
    local run = file.runs[#file.runs]
    if key == "run" then
        add_run(file, text, line)
    elseif key == "lua" then
        file.lua = file.lua .. ("\n"):rep(line - file.lua_line) .. text
        file.lua_line = line
    elseif not READERS[key] then
        error(("unknown word '%s' behind ;!"):format(key), 0)
    elseif not run then
        error(("'%s' stands before the first 'run'"):format(key), 0)
    else
        READERS[key](run, text, line, beside)
    end
end

local function read_file(path)
    local handle = assert(io.open(path, "rb"))
    local text = handle:read("a")
    handle:close()
    local file = {path = path, text = text, runs = {}, lua = "", lua_line = 1}
    local number = 0
    for line in (text .. "\n"):gmatch("(.-)\r?\n") do
        number = number + 1
        local code, key, rest = line:match("^(.-);!%s*(%S+)%s*(.-)%s*$")
        if key then
            local ok, why = pcall(read_line, file, key, rest, number, code:find("%S") ~= nil)
            if not ok then
                report(false, "%s:%d: %s", path, number, why)
            end
        end
    end
    return file
end

-- ---- one launch ----

-- A case is a run at one width: {file, run, context, program, width, where, env, args, start}. `env` is what the run's
-- expressions see, `start` the bytes of its buffers before the launch.

-- A 0-based array of the buffer's elements; of a c64 there are two, `re` and `im`.
local function elements(buffer)
    local list, re, im = {}, {}, {}
    for i, v in ipairs(buffer:table()) do
        if type(v) == "table" then
            re[i - 1], im[i - 1] = v[1], v[2]
        else
            list[i - 1] = as_type(buffer.type, v)
        end
    end
    list.re, list.im = re, im
    return list
end

local function compile(case, line, text)
    return assert(load(text, ("=%s:%d"):format(case.file.path, line), "t", case.env))
end

local function evaluate(case, line, expression)
    return compile(case, line, "return " .. expression)()
end

-- The expression as a function of the index `i`.
local function of_index(case, line, expression)
    return compile(case, line, "return function(i) return " .. expression .. "\nend")()
end

-- A function of the index for the FILL of a buffer.
local function filler(case, b)
    local word, rest = b.fill:match("^(%S*)%s*(.*)$")
    if word == "iota" then
        return function(i) return i end
    elseif word == "fill" then
        local v = evaluate(case, b.line, rest)
        return function() return v end
    elseif word == "random" then
        local state = evaluate(case, b.line, rest)
        return function()
            state = state * 1664525 + 1013904223 & 0xffffffff
            return (state >> 16) % 100
        end
    elseif word == "expr" then
        return of_index(case, b.line, rest)
    end
    error(("%s:%d: unknown fill '%s'"):format(case.file.path, b.line, word), 0)
end

local function add_buffer(case, b)
    local shape, count = evaluate(case, b.line, "{" .. b.shape .. "}"), 1
    for k, n in ipairs(shape) do
        shape[k] = assert(math.tointeger(n), "a dimension that is no whole number")
        count = count * shape[k]
    end
    local buffer = case.context:buffer(b.name, b.type, shape)
    if b.fill then
        local fill, list = filler(case, b), {}
        for i = 0, count - 1 do
            list[i + 1] = as_type(b.type, (fill(i)))
        end
        buffer:set(list)
    end
    b.rows, b.count, b.buffer = #shape > 1 and shape[1] or count, count, buffer
    case.args[b.name] = buffer
    case.start[b.name] = buffer:bytes()
    case.env[b.name] = elements(buffer)
end

local function new_case(context, program, file, run, width)
    local case = {file = file, run = run, context = context, program = program, width = width, args = {}, start = {}}
    case.where = ("run %d warp %d"):format(run.number, width)
    case.env = setmetatable({W = width, out = {}}, {__index = LIBRARY})
    for _, a in ipairs(run.args) do
        case.args[a.key] = evaluate(case, run.line, a.value)
        case.env[a.key] = case.args[a.key]
    end
    compile(case, 1, file.lua)()
    for _, b in ipairs(run.buffers) do
        add_buffer(case, b)
    end
    return case
end

local function launch(case, engine)
    local run = case.run
    return case.context:launch(case.program, {
        entry = run.entry, warp = case.width, args = case.args, engine = engine,
        max_instructions = evaluate(case, run.line, run.limit),
        grid = evaluate(case, run.line, "{" .. run.grid .. "}"),
        block = evaluate(case, run.line, "{" .. run.block .. "}"),
    })
end

-- ---- checking ----

local function complain(case, line, format, ...)
    return ("%s:%d: %s: " .. format):format(case.file.path, line, case.where, ...)
end

local function check(case, ok, line, format, ...)
    return report(ok, "%s", ok or complain(case, line, format, ...))
end

local function find_buffer(run, name)
    for _, b in ipairs(run.buffers) do
        if b.name == name then
            return b
        end
    end
    error(("there is no buffer '%s'"):format(name), 0)
end

local function check_expect(case, e)
    local b = find_buffer(case.run, e.name)
    local got, type = case.env.out[e.name], b.type
    if e.part then
        got, type = got[e.part], "f32"
    end
    local want, tolerance = of_index(case, e.line, e.want), evaluate(case, e.line, e.tolerance)
    local first, count = 0, b.count
    if e.row then -- of an array of several dimensions, everything with that first index
        count = b.count // b.rows
        first = e.row * count
    end
    local wrong = 0
    for i = 0, count - 1 do
        local w, g = want(i), got[first + i]
        if tolerance == 0 then
            w = as_type(type, w)
        end
        if g == nil or not (tolerance == 0 and same(w, g) or tolerance > 0 and close(w, g, tolerance)) then
            wrong = wrong + 1
            if wrong <= MISMATCHES then
                print(complain(case, e.line, "expected %s[%d] = %s, got %s", e.target, i, w, g))
            end
        end
    end
    check(case, wrong == 0, e.line, "%d of %d elements of %s are wrong", wrong, count, e.target)
end

local function check_result(case, result)
    local run = case.run
    for _, b in ipairs(run.buffers) do
        case.env.out[b.name] = elements(b.buffer)
    end
    for _, e in ipairs(run.expects) do
        local ok, why = pcall(check_expect, case, e)
        if not ok then
            check(case, false, e.line, "%s", why)
        end
    end
    for _, c in ipairs(run.counts) do
        local want = evaluate(case, c.line, c.want)
        local got = c.class == "total" and result.warp_instructions or result.classes[c.class] or 0
        check(case, want == got, c.line, "expected %s warp-instructions of class %s, got %s", want, c.class, got)
    end
    for _, b in ipairs(run.buffers) do
        if b.mode == "in" then
            check(case, b.buffer:bytes() == case.start[b.name], b.line, "input %s was written to", b.name)
        end
    end
end

-- The same launch on another engine gives the same bytes and the same counts.
local function check_engine(case, engine, first)
    local run, bytes = case.run, {}
    for _, b in ipairs(run.buffers) do
        bytes[b.name] = b.buffer:bytes()
        b.buffer:set(case.start[b.name])
    end
    local ok, result = pcall(launch, case, engine)
    if not ok and result.kind == "input" then
        print(("engine %s is not compared: %s"):format(engine, result.message))
        other_engines = {}
        return
    end
    check(case, ok and result.warp_instructions == first.warp_instructions, run.line, "engine %s differs: %s", engine,
          ok and "number of instructions" or said(result))
    for _, b in ipairs(run.buffers) do
        check(case, b.buffer:bytes() == bytes[b.name], b.line, "engine %s differs in %s", engine, b.name)
    end
end

local function check_case(case)
    local run = case.run
    local ok, result = pcall(launch, case, "baseline")
    if run.fault then
        check(case, not ok and result.kind == run.fault, run.line, "expected fault %s, got %s", run.fault,
              ok and "none" or said(result))
        check(case, ok or not run.fault_line or result.line == run.fault_line, run.line,
              "expected a fault in line %s, got %s", run.fault_line, ok or result.line)
    elseif check(case, ok, run.line, "%s", ok or said(result)) then
        check_result(case, result)
        for _, engine in ipairs(other_engines) do
            check_engine(case, engine, result)
        end
    end
end

-- The widths that the run names, or else those of its kernel.
local function widths_of(program, run)
    local widths = {}
    for text in (run.warp or ""):gmatch("%d+") do
        widths[#widths + 1] = tonumber(text)
    end
    if #widths == 0 then
        for _, k in ipairs(program:kernels()) do
            if k.name == run.entry then
                widths = k.widths
            end
        end
    end
    return widths
end

local function check_forms(context, program, file)
    local object, text = program:object(), program:text()
    local name = file.path
    report(context:load(object, name):object() == object, "%s: the object file changes when loaded and saved", name)
    report(context:load(text, name):object() == object, "%s: the disassembly assembles to another object file", name)
    report(context:load(object, name):text() == text, "%s: the disassembly of the object file differs", name)
    local warnings, count = program:lint()
    report(count == 0, "%s: lint: %s", name, warnings)
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

local function check_file(path)
    local file = read_file(path)
    local context = heddle.new()
    local ok, program = pcall(context.load, context, file.text, path)
    if not report(ok, "%s: %s", path, ok or said(program)) then
        return
    end
    note_rows(program)
    check_forms(context, program, file)
    report(#file.runs > 0, "%s: has no ;! run", path)
    for _, run in ipairs(file.runs) do
        report(run.fault or #run.expects > 0, "%s:%d: run %d expects nothing", path, run.line, run.number)
        for _, width in ipairs(widths_of(program, run)) do
            local fine, case = pcall(new_case, context, program, file, run, width)
            if report(fine, "%s:%d: run %d warp %d: %s", path, run.line, run.number, width, fine or said(case)) then
                check_case(case)
            end
            for _, name in ipairs(context:names()) do
                context:drop(name)
            end
        end
    end
    context:close()
end

local function files_under(path)
    local list = {}
    local pipe = assert(io.popen(("find '%s' -name '*.hd' | LC_ALL=C sort"):format(path)))
    for line in pipe:lines() do
        list[#list + 1] = line
    end
    pipe:close()
    return list
end

for _, path in ipairs(#arg > 0 and arg or {"kernels"}) do
    local list = files_under(path)
    report(#list > 0, "%s: there is no .hd file", path)
    for _, name in ipairs(list) do
        check_file(name)
    end
end
if #arg == 0 then
    check_rows()
end
print(("%d passed, %d failed"):format(passed, failed))
os.exit(failed == 0)
