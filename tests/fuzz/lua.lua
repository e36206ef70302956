-- Calls of every function that the module has, with values that bytes choose. None of them crashes, and an error is a
-- message that begins with the line of the call, or an error object.
local heddle = require "heddle"

local KERNEL <const> = [[
.kernel k
.param n : u32
.param y : u32[]
.shared tile : u32[64]
.reg t, v, p:2
        s2r t, %tid.x
        ld.param.b32 v, [n]
        shl.b32 v, v, 2
        st.shared.b32 [tile], t
        bar.sync 0
        ld.param.b64 p, [y]
        mad.wide.u32 p, t, 4, p
        red.global.add.u32 [p], v
        ld.global.b32 v, [p]
        st.global.b32 [p], v
        exit
]]
local FILES <const> = {"a", "b.npy", "c.hd", "d.yaml"} -- in an empty folder
local COMMANDS <const> = {"step", "back", "until", "who", "watch", "print", "shared", "registers", "break", "why"}
local CALLS <const> = 40
local BOOM <const> = "boom" -- an error that a function of ours raises

local hex, at = ..., 1

-- 0 .. n - 1
local function draw(n)
    local byte = tonumber(hex:sub(at, at + 1), 16)
    at = at + 2
    return (byte or 0) % n
end

local function pick(list)
    return list[draw(#list) + 1]
end

-- ---- values ----

local names, functions = {launch = {}, prove = {}}, {}
for _, row in ipairs(heddle.reference()) do
    if row.signature:find("(", 1, true) then
        functions[#functions + 1] = row
    elseif row.group == "options" then
        table.insert(names.launch, row.name)
    elseif row.group == "prove" and not row.name:find "^solver" then -- which would run a program
        table.insert(names.prove, row.name)
    end
end

local objects = {context = {}, program = {}, buffer = {}, debugger = {}}

local NUMBERS <const> = {0, 1, -1, 2, 3, 4, 8, 32, 64, 100, 1 << 31, 1 << 32, math.maxinteger, math.mininteger, 0.5,
                         1e300, 0 / 0, 1 / 0}
local WORDS <const> = {"", "x", "y", "n", "k", "f32", "u32", "i8", "u64", "bf16", "c64", "bool", "all", "all:5",
                       "random:1", "race", "init,sync", "baseline", "1M", "sms", "sm.policy", "gto", "add", "warm",
                       "in", "reassociation"}

-- A text of the input itself; no path out of the folder, and no standard output.
local function own_text()
    local bytes = {}
    for i = 1, draw(64) do
        bytes[i] = string.char(draw(256))
    end
    return (table.concat(bytes):gsub("[-/~]", "_"))
end

local value

local function list_of(n)
    local list = {}
    for i = 1, n do
        list[i] = value()
    end
    return list
end

-- A table that does things while it is read.
local function lively()
    local context = objects.context[1]
    return setmetatable({}, {
        __index = function(_, key)
            if draw(4) == 0 and context then
                context:close()
            end
            return draw(2) == 0 and key or nil
        end,
        __len = function() return draw(9) end,
        __gc = function() return context and context:names() end,
    })
end

local FUNCTIONS <const> = {
    function() error(BOOM, 0) end,
    function(i) return i end,
    function() return false end,
    function() collectgarbage() end,
    function() objects.context[1]:close() end,
}

-- Options that a launch or a proof has, some of them wrong.
local function options(which)
    local t = {args = {y = objects.buffer[1], n = draw(8)}, block = pick {1, 8, 32, {8, 2}}, warp = pick {8, 32}}
    for _ = 1, draw(4) do
        t[pick(names[which])] = value()
    end
    return t
end

-- Bounds a call: it ends, and starts no other program.
local function bound(what, t)
    if type(t) == "table" and (what == "launch" or what == "prove") then
        rawset(t, "max_instructions", 1000)
        rawset(t, "solver", what == "prove" and "none" or nil)
    end
end

local MAKERS <const> = {
    function() return nil end,
    function() return draw(2) == 0 end,
    function() return pick(NUMBERS) end,
    function() return pick(WORDS) end,
    function() return pick(FILES) end,
    function() return KERNEL end,
    own_text,
    function() return pick(FUNCTIONS) end,
    function() return list_of(draw(5)) end,
    function() return {[pick(WORDS)] = value(), [pick(WORDS)] = value()} end,
    lively,
    function() return pick(objects.context) end,
    function() return pick(objects.program) end,
    function() return pick(objects.buffer) end,
    function() return pick(objects.debugger) end,
    function() return options "launch" end,
    function() return options "prove" end,
    function() return io.stdout end,
}

local depth = 0
function value()
    depth = depth + 1
    local v = MAKERS[depth > 4 and draw(8) + 1 or draw(#MAKERS) + 1]()
    depth = depth - 1
    return v
end

-- ---- calls ----

-- Results join the values; of each kind the last few are kept.
local function keep(v)
    for kind, list in pairs(objects) do
        if type(v) == "userdata" and tostring(v):find(kind, 1, true) then
            list[#list % 4 + 1] = v
        end
    end
end

local function expect_message(what, e)
    if e == BOOM then
        return
    elseif type(e) == "table" or type(e) == "userdata" then
        assert(type(e.kind) == "string" and #e.message > 0 and tostring(e):find(e.message, 1, true), what)
    else
        assert(type(e) == "string" and e:find "^[^\n]*:%d+: .", ("%s: '%s' says no line"):format(what, e))
    end
end

local function try(what, f, ...)
    local results = table.pack(pcall(f, ...))
    if not results[1] then
        expect_message(what, results[2])
    end
    for i = 2, results[1] and results.n or 1 do
        keep(results[i])
    end
end

-- Usual arguments of such a function.
local USUAL <const> = {
    launch = function() return pick(objects.program), options "launch" end,
    fits = function() return pick(objects.program), options "launch" end,
    prove = function() return {pick(objects.program), pick(objects.program)}, options "prove" end,
    load = function() return draw(2) == 0 and KERNEL or own_text() .. "\n" end,
    buffer = function() return pick(WORDS), pick(WORDS), pick {1, 8, {2, 3}, {4, 4}}, value() end,
    write = function() return pick(FILES), own_text() end,
    save = function() return pick(FILES) end,
    command = function() return pick(COMMANDS) .. pick {"", " 3", " y[1]", " t", " v[2] as float"} end,
}

local function call_function()
    local row = pick(functions)
    local object = row.group == "heddle" and heddle or pick(objects[row.group]) or value()
    local name, usual = row.name, draw(2) == 0 and USUAL[row.name]
    local args = usual and table.pack(usual()) or table.pack(value(), value(), value(), value())
    args.n = usual and args.n or draw(5)
    bound(name, args[2])
    try(row.signature, function()
        if row.group == "heddle" then
            return (heddle[name](table.unpack(args, 1, args.n)))
        end
        local result = object[name](object, table.unpack(args, 1, args.n))
        return result
    end)
end

local function use_object()
    local kinds = {objects.context, objects.program, objects.buffer, objects.debugger}
    local object, key, v = pick(pick(kinds)), value(), value()
    try("an object", pick {
        function() return (object[key]) end,
        function() object[key] = v end,
        function() return #object, tostring(object), object == v end,
    })
end

local context = heddle.new()
objects.context[1] = context
objects.program[1] = context:load(KERNEL, "k.hd")
objects.buffer[1] = context:buffer("y", "u32", 64)
local watched = heddle.new()
watched:board "teach8"
watched:launch(objects.program[1], {args = {y = watched:buffer("y", "u32", 64), n = 64}, block = 16, watch = {}})
objects.context[2], objects.debugger[1] = watched, watched:debugger()
for _ = 1, CALLS do
    if at > #hex then
        break
    elseif draw(5) == 0 then
        use_object()
    else
        call_function()
    end
end
for _, name in ipairs(FILES) do
    os.remove(name)
end
