-- One launch of a kernel by its `;! run`, at one warp width, and the comparison with its expectations.
--
--   local c = case.new(context, program, file, run, 32, {report = checks.report})
--   local result = case.launch(c, {engine = "baseline"})
--   case.check(c, result)                                     expectations, counts, inputs left alone
--   case.rewind(c)                                            buffers as before the launch
--
-- A case is a table {file, run, context, program, width, where, env, args, start}. `env` has the names of the run's
-- expressions, `start` the bytes of its buffers before the launch.
--
-- The last argument of `new` may be a table: `report(ok, format, ...)` is called for each check, `args` (name = number)
-- replace those of the run, `buffers` (name = name of the buffer) are used as they are, or made of zeros if there is
-- none of that name. `like` is a case of the same run and width, in another context, that is not used any more: its
-- evaluated expressions are used again.

local bounded = require "heddle.cases.bounded"
local findings = require "heddle.cases.findings"
local heddle = require "heddle"
local lists = require "heddle.kit.lists"
local numbers = require "heddle.cases.numbers"

local case = {difference = numbers.difference}

local MISMATCHES = 3 -- elements of one expectation that are reported
local WRONG <const> = 1024 -- elements that are noted, for the page

-- The text of what a launch raised.
function case.said(e)
    return type(e) == "table" and e.message or tostring(e)
end

-- ---- before the launch ----

-- A 0-based array of the buffer's elements; of a c64 there are two, `re` and `im`.
local function elements(buffer)
    local values = buffer:table()
    local list, re, im = {}, {}, {}
    if type(values[1]) == "number" then
        table.move(values, 1, #values, 0, list)
    else
        for i, v in ipairs(values) do
            if type(v) == "table" then
                re[i - 1], im[i - 1] = v[1], v[2]
            else
                list[i - 1] = numbers.plain(v)
            end
        end
    end
    list.re, list.im = re, im
    return list
end

local function fail(c, line, format, ...)
    error(("%s:%d: " .. format):format(c.file.path, line, ...), 0)
end

local function compile(c, line, text)
    local f, why = load(text, ("=%s:%d"):format(c.file.path, line), "t", c.env)
    return f or error(why, 0)
end

local function evaluate(c, line, expression)
    return compile(c, line, "return " .. expression)()
end

-- The expression as a function of the index `i`.
local function of_index(c, line, expression)
    return compile(c, line, "return function(i) return " .. expression .. "\nend")()
end

-- A function of the index for the FILL of a buffer.
local function filler(c, b)
    local word, rest = b.fill:match("^(%S*)%s*(.*)$")
    if word == "iota" then
        return function(i) return i end
    elseif word == "fill" then
        local v = evaluate(c, b.line, rest)
        return function() return v end
    elseif word == "random" then
        local state = evaluate(c, b.line, rest)
        return function()
            state = state * 1664525 + 1013904223 & 0xffffffff
            return (state >> 16) % 100
        end
    elseif word == "expr" then
        return of_index(c, b.line, rest)
    end
    fail(c, b.line, "unknown fill '%s': expected iota, zeros, ones, fill V, random SEED or expr EXPRESSION", word)
end

-- The number, which an expression in that line gave.
local function whole(c, line, v, least, what)
    local n = math.tointeger(v)
    return n and n >= least and n or fail(c, line, "%s is %s, not a whole number from %d on", what, v, least)
end

-- Returns the names that an expression outside a file may use: the library, or all of a case's environment.
function case.environment(env)
    return setmetatable({}, {__index = env or numbers.LIBRARY})
end

local function element(etype, of_i, i)
    local v = of_i(i)
    if v == nil or type(v) == "string" then
        error(("it is a %s value"):format(type(v)), 0)
    end
    return (numbers.converter(etype)(v))
end

-- Sets the elements of a buffer from the text of an expression of `i`.
function case.set_expression(buffer, text, env)
    local f, why = load("return function(i) return " .. text .. "\nend", "=expression", "t", env)
    if not f then
        error((why:gsub("^expression:%d+: ", "")), 0)
    end
    local of_i, list = f(), {}
    for i = 0, buffer.count - 1 do
        local ok, v = pcall(element, buffer.type, of_i, i)
        if not ok then
            error(("at i = %d: %s"):format(i, tostring(v):gsub("^expression:%d+: ", "")), 0)
        end
        list[i + 1] = v
    end
    buffer:set(list)
end

-- Types whose elements hold the numbers from 0 on as the library's `iota` makes them.
local COUNTING <const> = {u32 = 1 << 31, i32 = 1 << 31, u64 = 1 << 53, i64 = 1 << 53, f32 = 1 << 24, f64 = 1 << 53}

local function fill_buffer(c, b, buffer, count)
    local convert, word = numbers.converter(b.type), b.fill:match("^%S*")
    if b.fill == "zeros" or b.fill == "ones" or word == "iota" and count <= (COUNTING[b.type] or 0) then
        buffer:fill(word)
    elseif word == "fill" and count > 0 then
        buffer[1] = convert((filler(c, b)(0)))
        buffer:set(buffer:bytes():sub(1, #buffer:bytes() // count):rep(count))
    else
        local fill, list = filler(c, b), {}
        for i = 0, count - 1 do
            list[i + 1] = convert((fill(i)))
        end
        buffer:set(list)
    end
end

-- True if an expression uses an argument that was given.
local function sees_given(c, expression)
    local names = {}
    for name in expression:gmatch "[%w_.$]+" do
        names[#names + 1] = name
    end
    return lists.any(names, function(name) return c.given.args[name] ~= nil end)
end

-- Counts the elements of the buffer that the kernel declares, if an argument that was given decides that and the case
-- names a size independent of it; else nil.
local function declared(c, b)
    local kernel = lists.by(c.program:kernels(), "name")[c.run.entry]
    local param = kernel and lists.by(kernel.params, "name")[b.name]
    if not (param and param.extent) or not sees_given(c, param.extent) or sees_given(c, b.shape) then
        return nil
    end
    local extent = param.extent:gsub("[%a_.$][%w_.$]*", function(name) -- which may be no name in Lua
        return type(c.args[name]) == "number" and ("%d"):format(math.tointeger(c.args[name]) or -1) or nil
    end)
    local ok, n = pcall(evaluate, c, b.line, extent) -- launch reports a wrong argument
    n = ok and math.tointeger(n)
    return n and n >= 0 and n or nil
end

-- The sizes of a buffer, and how many elements that are.
local function shape_of(c, b)
    local shape, count = evaluate(c, b.line, "{" .. b.shape .. "}"), 1
    for k, n in ipairs(shape) do
        shape[k] = whole(c, b.line, n, 0, "a dimension")
        count = count * shape[k]
    end
    local least = next(c.given.args) and declared(c, b)
    if least and (least > count or c.given.buffers[b.name]) then
        return {least}, least
    end
    return shape, count
end

-- The buffer that was given in place of the case's; nil: there is none of that name yet.
local function given_buffer(c, b)
    local name = c.given.buffers[b.name]
    local there, buffer = pcall(c.context.get, c.context, name or "")
    return name and there and buffer or nil
end

local function make_buffer(c, b)
    local shape, count = shape_of(c, b)
    local ok, buffer = pcall(c.context.buffer, c.context, b.name, b.type, shape)
    if not ok then
        fail(c, b.line, "%s", type(buffer) == "table" and buffer.message:gsub("^heddle: error: ", "") or buffer)
    elseif b.fill and not c.given.like and not c.given.buffers[b.name] then
        fill_buffer(c, b, buffer, count)
    end
    return buffer
end

-- Makes the buffer hold what it did before the launch: an output zeros, which count as unwritten.
local function restore(c, b)
    if b.fill or c.given.buffers[b.name] then
        b.buffer:set(c.start[b.name])
    else
        c.context:buffer(b.name, b.type, b.buffer.shape)
    end
end

local function add_buffer(c, b)
    local buffer = given_buffer(c, b) or make_buffer(c, b)
    b.count, b.buffer = buffer.count, buffer
    b.rows = #buffer.shape > 1 and buffer.shape[1] or buffer.count
    c.args[b.name] = buffer
    if c.given.like then
        return restore(c, b)
    end
    c.start[b.name] = buffer:bytes()
    if c.env[b.name] == nil then
        c.shared.late[b.name] = b
    else -- the name means something else already
        c.env[b.name] = elements(buffer)
    end
end

-- The elements of a buffer as they were before the launch.
local function elements_at_start(c, b)
    local now = b.buffer:bytes()
    if now == c.start[b.name] then
        return elements(b.buffer)
    end
    b.buffer:set(c.start[b.name])
    local list = elements(b.buffer)
    b.buffer:set(now)
    return list
end

-- Makes the environment of expressions: the library, and the elements of buffers at their first use, as most
-- expressions use few. `shared` is {case, late}: the owner of the buffers, and those not used yet.
local function new_environment(shared, width)
    local library = lists.merge(numbers.LIBRARY)
    local env = setmetatable({W = width, out = {}}, {__index = library})
    return setmetatable(library, {__index = function(_, name)
        local b = shared.late[name]
        if b then
            shared.late[name], env[name] = nil, elements_at_start(shared.case, b)
        end
        return rawget(env, name)
    end}) and env
end

-- Adds `out` to expressions: the elements of buffers after the launch, at their first use.
local function show_outputs(c)
    local late = {}
    for _, b in ipairs(c.run.buffers) do
        c.env.out[b.name], late[b.name] = nil, b.buffer
    end
    setmetatable(c.env.out, {__index = function(out, name)
        local buffer = late[name]
        late[name], out[name] = nil, buffer and elements(buffer)
        return rawget(out, name)
    end})
end

-- pcall with a limit on the instructions and the memory of Lua: the code in a kernel file may not end.
local INSTRUCTIONS <const> = 400000000
local STEP <const> = 1000000 -- instructions between two looks

function case.limited(f, ...)
    local done = 0
    debug.sethook(function()
        done = done + STEP
        if done >= INSTRUCTIONS then
            error("more than 400,000,000 instructions of Lua: is there an endless loop?", 0)
        end
    end, "", STEP)
    local results = table.pack(bounded.call(f, ...))
    debug.sethook()
    return table.unpack(results, 1, results.n)
end

local METRICS = {} -- all names, and each as a key
for i, row in ipairs(heddle.metrics()) do
    METRICS[i], METRICS[row.name] = row.name, true
end

-- The buffer that an expectation means.
local function find_buffer(c, e)
    return lists.by(c.run.buffers, "name")[e.name] or fail(c, e.line, "there is no buffer '%s'", e.name)
end

-- Mistakes in what a run expects are found before it is launched.
local function check_expressions(c)
    for _, m in ipairs(c.run.metrics) do
        local near = not METRICS[m.name] and heddle.nearest(m.name, METRICS)
        if not METRICS[m.name] then
            fail(c, m.line, "there is no metric '%s'%s", m.name, near and ("; did you mean '%s'?"):format(near) or "")
        end
    end
    for _, list in ipairs {c.run.expects, c.run.counts, c.run.metrics} do
        for _, e in ipairs(list) do
            compile(c, e.line, "return " .. e.want)
            if list == c.run.expects then
                find_buffer(c, e)
            end
        end
    end
end

function case.new(context, program, file, run, width, given)
    local c = {file = file, run = run, context = context, program = program, width = width, args = {}}
    given = given or {}
    local like = given.like
    c.given = {args = given.args or {}, buffers = given.buffers or {}, like = like}
    c.take = given.report
    c.where = ("run %d warp %d"):format(run.number, width)
    c.start = like and like.start or {}
    c.shared = like and like.shared or {late = {}}
    c.shared.case = c
    c.env = like and like.env or new_environment(c.shared, width)
    for _, a in ipairs(run.args) do
        local v = c.given.args[a.key]
        c.args[a.key] = v == nil and evaluate(c, a.line, a.value) or v
        c.env[a.key] = c.args[a.key] ~= nil and c.args[a.key] or fail(c, a.line, "'%s' is nil", a.value)
    end
    for _, chunk in ipairs(like and {} or file.chunks) do
        local f, why = load(chunk.lua, "=" .. chunk.path, "t", c.env)
        if not f then
            error(why, 0)
        end
        f()
    end
    for _, b in ipairs(run.buffers) do
        add_buffer(c, b)
    end
    check_expressions(c)
    return c
end

-- ---- the launch ----

local function size(c, word)
    local list = evaluate(c, c.run.line, "{" .. c.run[word] .. "}")
    for i, n in ipairs(list) do
        list[i] = whole(c, c.run.line, n, 1, word)
    end
    return list
end

-- The sizes of the launch: blocks, threads of a block.
function case.sizes(c)
    return size(c, "grid"), size(c, "block")
end

-- Makes the launch options of the run.
function case.options(c)
    local run = c.run
    local all = {entry = run.entry, warp = c.width, args = c.args,
                 max_instructions = whole(c, run.line, evaluate(c, run.line, run.limit), 1, "the limit")}
    all.grid, all.block = case.sizes(c)
    all.rules, all.cooperative = run.rules, run.cooperative and true
    all.shared_bytes = run.shared and whole(c, run.line, evaluate(c, run.line, run.shared), 1, "shared")
    return all
end

-- Launches the case; `options` are added to the run's.
function case.launch(c, options)
    return c.context:launch(c.program, lists.merge(case.options(c), options))
end

-- The bytes of all buffers, by name.
function case.bytes(c)
    local bytes = {}
    for _, b in ipairs(c.run.buffers) do
        bytes[b.name] = b.buffer:bytes()
    end
    return bytes
end

function case.rewind(c)
    for _, b in ipairs(c.run.buffers) do
        restore(c, b)
    end
end

-- Launches with the original buffers: returns the result or fault, and the bytes of all buffers.
function case.outcome(c, options)
    case.rewind(c)
    local ok, result = pcall(case.launch, c, options)
    return {ok = ok, result = result, bytes = case.bytes(c)}
end

-- ---- checking ----

function case.complaint(c, line, format, ...)
    return ("%s:%d: %s: " .. format):format(c.file.path, line, c.where, ...)
end

function case.report(c, ok, line, format, ...)
    c.take(ok, "%s", ok or case.complaint(c, line, format, ...))
    return ok
end

local function check_expect(c, e)
    local b = find_buffer(c, e)
    local got, type = c.env.out[e.name], b.type
    if e.part then
        got, type = got[e.part], "f32"
    end
    local want, tolerance = of_index(c, e.line, e.want), evaluate(c, e.line, e.tolerance)
    local first, count = 0, b.count
    if e.row then -- of an array of several dimensions, everything with that first index
        count = b.count // b.rows
        first = e.row * count
    end
    local wrong, first_wrong, convert = 0, {}, tolerance == 0 and numbers.converter(type)
    for i = 0, count - 1 do
        local w, g = want(i), got[first + i]
        if convert and w ~= g then
            w = convert(w)
        end
        if g == nil or w ~= g and not (convert and numbers.same(w, g) or
            tolerance > 0 and numbers.close(w, g, tolerance)) then
            wrong = wrong + 1
            c.wrong[#c.wrong + 1] = #c.wrong < WRONG and {e.name, first + i} or nil
            if wrong <= MISMATCHES then
                first_wrong[wrong] = ("expected %s[%d] = %s, got %s"):format(e.target, i, w, g)
            end
        end
    end
    case.report(c, wrong == 0, e.line, "%d of %d elements of %s are wrong: %s", wrong, count, e.target,
                table.concat(first_wrong, "; "))
end

-- Compares counts of instructions with what the run expects, and metrics unless `metrics` is false.
function case.check_numbers(c, result, metrics)
    for _, n in ipairs(c.run.counts) do
        local want = evaluate(c, n.line, n.want)
        local got = n.class == "total" and result.warp_instructions or result.classes[n.class] or 0
        case.report(c, want == got, n.line, "expected %s warp-instructions of class %s, got %s", want,
                    n.class, got)
    end
    for _, m in ipairs(metrics ~= false and c.run.metrics or {}) do
        local want, tolerance = evaluate(c, m.line, m.want), evaluate(c, m.line, m.tolerance)
        local got = result.metrics and result.metrics[m.name]
        case.report(c, got and numbers.close(want, got, tolerance), m.line, "expected %s = %s, got %s", m.name, want,
                    got)
    end
end

-- Compares what the launch did with all that the run expects, or (`metrics` is false) all but metrics.
function case.check(c, result, metrics)
    local run = c.run
    c.wrong = {}
    show_outputs(c)
    for _, e in ipairs(run.expects) do
        local ok, why = pcall(check_expect, c, e)
        if not ok then
            local own = ("%s:%d:"):format(c.file.path, e.line)
            local place = why:sub(1, #own) == own and why:match("^%d*:? *()", #own + 1) or 1
            case.report(c, false, e.line, "%s", why:sub(place))
        end
    end
    case.check_numbers(c, result, metrics)
    findings.check_printed(c, result, case.report)
    for _, b in ipairs(run.buffers) do
        if b.mode == "in" and b.buffer:bytes() ~= c.start[b.name] then
            case.report(c, false, b.line, "input %s was written to", b.name)
        end
    end
end

-- Compares the fault that the launch ended in with the one that the run expects.
function case.check_fault(c, ok, result)
    local run = c.run
    case.report(c, not ok and result.kind == run.fault, run.line, "expected fault %s, got %s", run.fault,
                ok and "none" or type(result) == "string" and result or result.message or result.kind)
    if not ok and run.fault_line and result.line ~= run.fault_line then
        case.report(c, false, run.line, "expected a fault in line %s, got %s", run.fault_line, result.line)
    end
end

-- Checks that all orders of warps, up to a bound, leave the same, or that some do not, as the run declares.
function case.check_orders(c)
    local want = c.run.orders
    case.rewind(c)
    local ok, result = pcall(case.launch, c, {schedule = "all:" .. want.bound})
    local orders = result.orders
    case.report(c, orders and orders.same == want.same, want.line, "%s",
                orders and orders.text or ok or case.said(result))
end

-- Compares what checkers found, in a result or an error, with what the run expects.
function case.check_findings(c, result)
    findings.check(c, result, case.report)
end

return case
