-- Does a Lua script walk in a recorded launch as the prompt does, and is it refused when there is nothing to walk in?
local heddle = require "heddle"
local test = require "tests.lib.test"
local case, equal, ok, raises = test.case, test.equal, test.ok, test.raises

local ADD = [[
.kernel add
.param y : u32[n]
.param n : u32
.reg   t, v, at:2
        s2r           t, %tid.x
        ld.param.b64  at, [y]
        mad.wide.u32  at, t, 4, at
        ld.global.b32 v, [at]
        add.u32       v, v, t
        st.global.b32 [at], v
        exit
]]

local function launch(options, text)
    local context = heddle.new()
    context:board("configs/teach8.yaml")
    context:buffer("y", "u32", 16):fill "iota"
    local program = context:load(text or ADD, "add.hd")
    local given = {grid = 1, block = 16, args = {y = "y", n = 16}, watch = true}
    for name, value in pairs(options or {}) do
        given[name] = value
    end
    return context, program, given, pcall(context.launch, context, program, given)
end

case("commands move a cursor, and fields say where it is", function()
    local context = launch()
    local d = context:debugger()
    equal({d.block, d.warp, d.cycle}, {0, 0, 0})
    equal(d:command "until 9", ("cycle %d, warp 0.0, line 9: add.u32 v, v, t\n"):format(d.cycle))
    equal(context:state(d.block, d.warp, d.event).registers.r0, {0, 1, 2, 3, 4, 5, 6, 7})
    ok(d:command("registers v as unsigned"):find("^r1 v +0 +1 +2 +3 +4 +5 +6 +7\n$"), "v was loaded")
    local event = d.event
    ok(d:command "step")
    ok(d.event > event)
    ok(d:command "back")
    equal(d.event, event)
    ok(d:command "warp 0.1")
    equal(d.warp, 1)
    equal(d:command "", "")
    equal(d:go(0, 0, event), true)
    equal({d.warp, d.event}, {0, event})
    equal({d:go(0, 2, event), d:go(1, 0, event), d:go(-1, 0, event), d:go(0, 0, -1)}, {false, false, false, false})
    equal({d.warp, d.event}, {0, event})
end)

case("a command that is refused is nil and why", function()
    local d = launch():debugger()
    local before = d.event
    ok(d:command "until 5")
    local text, why = d:command "until 500"
    equal(text, nil)
    equal(why, "line 500 has no instruction")
    text, why = d:command "dance"
    equal(text, nil)
    equal(why, "there is no command 'dance'; `help` lists them")
    text, why = d:command "tbreak 9"
    equal(text, nil)
    equal(why, "there is no 'tbreak' here: `until WHERE` moves there at once, and sets no breakpoint")
    equal(d:command "info registers v", d:command "registers v")
    equal(d:command "info cuda warps", d:command "warps")
    equal(d:command "inspect v", d:command "print v")
    ok(d.event >= before)
    raises("string", d.command, d)
    raises("NUL", d.command, d, "step\0")
    raises("no 'blok' in debugger; did you mean 'block'?", function() return d.blok end)
end)

case("two cursors in one recording", function()
    local context = launch()
    local one, two = context:debugger(), context:debugger()
    ok(one:command "until 9")
    equal(two.event < one.event, true)
    ok(two:command "warp 0.1")
    local first = one:command "registers v as unsigned"
    ok(two:command "until end")
    equal(one:command "registers v as unsigned", first)
end)

case("a launch that faults can be looked at", function()
    local context, _, _, fine = launch({}, (ADD:gsub("t, 4, at", "t, 400, at")))
    equal(fine, false)
    local d = context:debugger()
    ok(d:command "break fault")
    ok(d:command("continue"):find("ended with a fault", 1, true))
end)

case("without a recording there is nothing", function()
    raises("its option watch", function() heddle.new():debugger() end)
    local context = launch {watch = false}
    raises("its option watch", context.debugger, context)
    raises("its option watch", function() launch({n = 1, watch = true, block = 2000}):debugger() end)
end)

case("another launch or board ends it", function()
    local context, program, options = launch()
    local d = context:debugger()
    ok(d:command "step")
    context:launch(program, options)
    local text, why = d:command "step"
    equal(text, nil)
    ok(why:find("the recording was replaced", 1, true), why)
    ok(context:debugger():command "step")
    d = context:debugger()
    context:board(nil, {sms = 2})
    ok(not d:command "where")
    raises("has not been recorded", context.debugger, context)
    context:launch(program, options)
    d = context:debugger()
    context:close()
    raises("closed", d.command, d, "step")
    raises("closed", d.go, d, -1, 0, 0)
    raises("closed", function() return d.block end)
end)

case("it keeps what it needs", function()
    local d = launch():debugger()
    collectgarbage()
    collectgarbage()
    ok(d:command("where"):find("line 5", 1, true))
    ok(d:command("list"):find("s2r", 1, true))
end)

case("a progress function must not look", function()
    local context, program, options = launch()
    local d, said = context:debugger(), nil
    options.progress = function() said = said or select(2, pcall(d.command, d, "where")) end
    context:launch(program, options)
    ok(not said or tostring(said):find("inside a launch", 1, true), tostring(said))
end)

test.finish()
