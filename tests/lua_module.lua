-- What does a Lua script see of heddle? Runs under `heddle lua` and in a stock lua5.4 alike.
package.path = "scripts/lib/?.lua;" .. package.path
local heddle = require "heddle"
local test = require "tests.lib.test"
local case, equal, ok, raises = test.case, test.equal, test.ok, test.raises

local function scratch(name)
    return os.tmpname() .. name
end

local copy64 = [[
.kernel copy
.param dst : u64[1]
.param v   : u64
.reg to:2, value:2
        ld.param.b64  to, [dst]
        ld.param.b64  value, [v]
        st.global.b64 [to], value
        exit
]]

local count_up = [[
.kernel up
.param dst : u32[n]
.param n   : u32
.reg i, t, u, to:2, limit
.pred beyond
        s2r          i, %ctaid.x
        s2r          t, %ntid.x
        s2r          u, %tid.x
        mad.lo.u32   i, i, t, u
        ld.param.b32 limit, [n]
        setp.ge.u32  beyond, i, limit
@beyond exit
        ld.param.b64 to, [dst]
        mad.wide.u32 to, i, 4, to
        st.global.b32 [to], i
        exit
]]

-- ---- the module ----

case("version, help and reference", function()
    ok(heddle.version:match "^%d+%.%d+%.%d+$")
    equal(heddle.threads_max, 256)
    ok(heddle.help():find("context:launch(program, options)", 1, true))
    ok(heddle.help("launch"):find("Runs a kernel", 1, true))
    ok(not heddle.help("launch"):find("npy", 1, true))
    raises("no help on that name", heddle.help, "lunch")
    for _, row in ipairs(heddle.reference()) do
        ok(#row.signature > 0 and #row.doc > 5, row.name)
    end
end)

case("the instruction table", function()
    local all = heddle.isa()
    ok(#all > 100)
    local shfl = heddle.isa("shfl")
    ok(#shfl > 0 and #shfl < #all)
    for _, row in ipairs(shfl) do
        ok(row.name == "shfl" or row.name:sub(1, 5) == "shfl.", row.name)
        equal(row.class, "shfl")
        equal(math.type(row.code), "integer")
    end
    equal(#heddle.isa("nothing"), 0)
    ok(heddle.manual("xpush"):find("xpush", 1, true))
    raises("xpush", heddle.manual, "xpsh")
    equal(raises("", heddle.manual, "xpsh").kind, "input")
end)

case("knee", function()
    equal({heddle.knee {8, 2, 2.05, 4, 2}}, {2, 3})
    equal({heddle.knee({8, 4, 2}, 1)}, {2, 3})
    equal(heddle.knee {}, nil)
    raises("a list of numbers expected", heddle.knee, {1, "x"})
    raises("a share from 0 on expected", heddle.knee, {1}, -1)
end)

case("nearest", function()
    equal(heddle.nearest("tranist1", {"shuffle2", "transit1"}), "transit1")
    equal(heddle.nearest("zzz", {"shuffle2", "transit1"}), nil)
    equal(heddle.nearest("a", {}), nil)
end)

-- ---- buffers ----

case("shapes, and tables flat and nested", function()
    local ctx = heddle.new()
    local b = ctx:buffer("b", "i32", {2, 3}, {{1, 2, 3}, {4, 5, 6}})
    equal(b.shape, {2, 3})
    equal(b:table(), {1, 2, 3, 4, 5, 6})
    b:set {6, 5, 4, 3, 2, 1}
    equal(b:table(2, 4), {5, 4, 3})
    equal(b:table(7), {})
    raises("3 values expected in a table, got 2", b.set, b, {{1, 2}, {3, 4}})
    raises("2 values expected in a table, got 3", b.set, b, {{1, 2, 3}, {3, 4, 5}, {6, 7, 8}})
    raises("6 values expected in a table, got 5", b.set, b, {1, 2, 3, 4, 5})
    raises("a table for the row expected", b.set, b, {{1, 2, 3}, 4})
    equal(ctx:buffer("n", "f32", nil, {{1, 2}, {3, 4}, {5, 6}}).shape, {3, 2})
    equal(ctx:buffer("n", "f32", nil, {}).shape, {0})
    equal(ctx:buffer("n", "u16", nil, "abcd").shape, {2})
    equal(ctx:buffer("n", "f64", nil, 2.5).shape, {})
    equal(ctx:buffer("n", "f64", {}, 2.5)[1], 2.5)
    equal(#ctx:buffer("n", "f64", {4, 0, 2}), 0)
    raises("not a whole number of elements", ctx.buffer, ctx, "n", "u16", nil, "abc")
    raises("a shape is needed", ctx.buffer, ctx, "n", "u16")
    raises("whole number", ctx.buffer, ctx, "n", "u16", 1.5)
    raises("whole number", ctx.buffer, ctx, "n", "u16", {-1})
    raises("more dimensions", ctx.buffer, ctx, "n", "u16", {1, 1, 1, 1, 1, 1, 1, 1, 1})
    raises("", ctx.buffer, ctx, "n", "q7", 1)
    raises("", ctx.buffer, ctx, "n", "f64", {1 << 40, 1 << 40})
end)

case("filling from strings, numbers, functions and buffers", function()
    local ctx = heddle.new()
    local b = ctx:buffer("b", "u16", 3, function(i) return 10 * i end)
    equal(b:table(), {10, 20, 30})
    equal(b:set(7):table(), {7, 7, 7})
    equal(b:set("\1\0\2\0\3\0"):table(), {1, 2, 3})
    raises("6 bytes expected, got 5", b.set, b, "12345")
    local c = ctx:buffer("c", "u8", 6, b)
    equal(c:table(), {1, 0, 2, 0, 3, 0})
    equal(b:fill("iota"):table(), {0, 1, 2})
    equal(b:fill("fill:0x1F"):table(), {31, 31, 31})
    raises("bad argument", b.set, b, print == nil)
    raises("expected", b.set, b, coroutine.create(print))
    raises("element 2 (u16): number out of the type's range", b.set, b, {1, 70000, 3})
    raises("my own", b.set, b, function() error "my own" end)
end)

case("a fill that changes its own buffer", function()
    local ctx = heddle.new()
    local b = ctx:buffer("b", "u32", 100)
    raises("was dropped", b.set, b, function(i)
        if i == 50 then ctx:drop "b" end
        return i
    end)
    b = ctx:buffer("b", "u32", 100)
    raises("smaller", b.set, b, function(i)
        if i == 50 then ctx:buffer("b", "u8", 10) end
        return i
    end)
    b = ctx:buffer("b", "u32", 2)
    local list = setmetatable({}, {__len = function() return 2 end, __index = function(_, i)
        ctx:buffer("b", "u8", 2)
        return i
    end})
    b:set(list)
    equal(b:table(), {0, 2}, "each look at the list makes the buffer anew")
end)

case("indices and fields", function()
    local ctx = heddle.new()
    local b = ctx:buffer("b", "f32", 3, {1, 2, 3})
    equal(#b, 3)
    equal(b.count, 3)
    equal(b.name, "b")
    equal(b.type, "f32")
    ok(b.address ~= 0)
    equal(b[2.0], 2.0)
    local seen = {}
    for i, v in ipairs(b) do seen[i] = v end
    equal(seen, {1.0, 2.0, 3.0})
    raises("element 0 is outside the buffer 'b': 1 to 3", function() return b[0] end)
    raises("element 5", function() return b[5] end)
    raises("element 4", function() b[4] = 1 end)
    raises("not whole", function() return b[1.5] end)
    raises("did you mean 'shape'", function() return b.shpe end)
    raises("only elements", function() b.shape = {1} end)
    raises("no '", function() return b[true] end)
    raises("did you mean 'launch'", function() return ctx.lunch end)
    equal(tostring(b), "heddle.buffer b: f32[3]")
    raises("indices start at 1", b.table, b, 0)
    raises("behind the last", b.table, b, 1, 4)
end)

case("names are what objects stand for", function()
    local ctx = heddle.new()
    local b = ctx:buffer("b", "f32", 3)
    ctx:buffer("b", "u8", {2, 2})
    equal(b.type, "u8")
    equal(b.count, 4)
    equal(ctx:names(), {"b"})
    ctx:drop(b)
    equal(ctx:names(), {})
    equal(ctx:get "b", nil)
    raises("was dropped", function() return b[1] end)
    equal(tostring(b), "heddle.buffer b (gone)")
    raises("", ctx.drop, ctx, "b")
    ctx:buffer("b", "f32", 1)
    ctx:close()
    raises("closed", function() return b[1] end)
    raises("closed", ctx.names, ctx)
    equal(tostring(ctx), "heddle.context (closed)")
    ctx:close()
end)

case("npy files", function()
    local ctx = heddle.new()
    local path = scratch ".npy"
    local b = ctx:buffer("b", "c64", {2, 2}, {{{1, 2}, {3, 4}}, {{5, 6}, {7, 8}}})
    b:save(path)
    local c = ctx:npy("c", path)
    equal(c.type, "c64")
    equal(c.shape, {2, 2})
    equal(c:bytes(), b:bytes())
    equal(ctx:npy("d", b:npy()):table(), b:table())
    local file = assert(io.open(path, "rb"))
    equal(file:read "a", b:npy())
    file:close()
    os.remove(path)
    local e = raises(path, ctx.npy, ctx, "c", path)
    equal(e.kind, "input")
    raises("", ctx.npy, ctx, "c", "\x93NUMPY nonsense")
    raises("", b.save, b, "/nowhere/at/all.npy")
    equal(ctx:get("c"):bytes(), b:bytes(), "a failed read leaves the buffer")
end)

case("heddle.write replaces a file in one step", function()
    local path = scratch ".txt"
    heddle.write(path, "one")
    heddle.write(path, "two\0three")
    local file = assert(io.open(path, "rb"))
    equal(file:read "a", "two\0three")
    file:close()
    os.remove(path)
    heddle.write("/dev/null", "lost")
    ok(io.open "/dev/null")
    raises("", heddle.write, "/nowhere/at/all", "x")
    raises("", heddle.write, "/tmp", "x")
    raises("", heddle.write, ("x"):rep(5000), "x")
end)

-- ---- programs ----

case("programs from text, files and objects", function()
    local ctx = heddle.new()
    local p = ctx:load(count_up, "up.hd")
    equal(p.name, "up.hd")
    local k = p:kernels()
    equal(#k, 1)
    equal(k[1].name, "up")
    equal(k[1].widths, {8, 16, 32, 64})
    equal(k[1].params[1], {name = "dst", type = "u32", buffer = true, extent = "n"})
    equal(k[1].params[2], {name = "n", type = "u32", buffer = false})
    equal(k[1].variables, {})
    local v = ctx:load(".kernel k\n.shared a : f32[4,5] at 16\n.local b : u64\nexit\n", "v.hd"):kernels()[1].variables
    equal(v[1], {name = "a", type = "f32", space = "shared", offset = 16, shape = {4, 5}})
    equal(v[2], {name = "b", type = "u64", space = "local", offset = 0, shape = {}})
    local again = ctx:load(p:object(), "up.hdo")
    equal(again:object(), p:object())
    equal(ctx:load(p:text(), "up2.hd"):object(), p:object())
    local text, warnings = p:lint()
    equal(text, "")
    equal(warnings, 0)
    local path = scratch ".hd"
    heddle.write(path, count_up)
    equal(ctx:load(path):kernels()[1].name, "up")
    os.remove(path)
    raises(path, ctx.load, ctx, path)
    raises("did you mean", function() return p.kernel end)
end)

case("errors in a program", function()
    local ctx = heddle.new()
    local e = raises("bad.hd:2:", ctx.load, ctx, ".kernel k\n ffna r1, r2, r3\n exit\n", "bad.hd")
    equal(e.kind, "input")
    ok(e.message:find("^", 1, true), "a caret")
    ok(not e.message:find("\n$"))
    raises("", ctx.load, ctx, "HDO1 broken\n")
    raises("", ctx.load, ctx, "", "empty.hd")
end)

-- ---- launches ----

case("a launch and its result", function()
    local ctx = heddle.new()
    local p = ctx:load(count_up)
    local dst = ctx:buffer("dst", "u32", 100)
    for _, engine in ipairs {"auto", "baseline"} do
        dst:set(0)
        local r = ctx:launch(p, {grid = 2, block = {64}, warp = 16, args = {dst = dst, n = 100}, engine = engine})
        for i = 1, 100 do
            equal(dst[i], i - 1)
        end
        equal(r.kernel, "up")
        equal(r.grid, {2, 1, 1})
        equal(r.block, {64, 1, 1})
        equal(r.warp, 16)
        equal(r.blocks, 2)
        equal(r.warps, 8)
        equal(r.classes["st.global"], 7)
        equal(#r.lines, 11)
        local sum = 0
        for _, line in ipairs(r.lines) do sum = sum + line.warp_instructions end
        equal(sum, r.warp_instructions)
        sum = 0
        for _, n in pairs(r.classes) do sum = sum + n end
        equal(sum, r.warp_instructions)
        ok(r.lines[1].text:find("s2r", 1, true) and r.lines[1].line > 0)
    end
end)

case("64-bit arguments are exact", function()
    local ctx = heddle.new()
    local p = ctx:load(copy64)
    local dst = ctx:buffer("dst", "u64", 1)
    for _, v in ipairs {0, 1, 2 ^ 53 + 1 | 0, math.maxinteger, math.mininteger, -1, 9007199254740993} do
        ctx:launch(p, {args = {dst = "dst", v = v}})
        equal(dst[1], v)
    end
    ctx:launch(p, {args = {dst = "dst", v = "18446744073709551615"}})
    equal(dst[1], -1)
    ctx:launch(p, {args = {dst = "dst", v = 64.0}})
    equal(dst[1], 64)
    ctx:launch(p, {args = {dst = "dst", v = true}})
    equal(dst[1], 1)
    raises("", ctx.launch, ctx, p, {args = {dst = "dst", v = 0.5}})
end)

case("wrong options", function()
    local ctx = heddle.new()
    local p = ctx:load(count_up)
    local dst = ctx:buffer("dst", "u32", 100)
    local function launch(options) return ctx:launch(p, options) end
    raises("did you mean 'block'", launch, {blok = 1})
    raises("options have names", launch, {1})
    raises("grid: a dimension is at least 1", launch, {grid = 0})
    raises("grid: a number or a list", launch, {grid = {1, 2, 3, 4}})
    raises("grid: a whole number", launch, {grid = "2"})
    raises("block: number too large", launch, {block = 1 << 40})
    raises("warp: 8, 16, 32 or 64", launch, {warp = 12})
    raises("max_instructions", launch, {max_instructions = -1})
    raises("entry: a string", launch, {entry = 1})
    raises("args: a table", launch, {args = 1})
    raises("args: parameters have names", launch, {args = {1}})
    raises("dst: a buffer", launch, {args = {dst = {}}})
    raises("progress: a function", launch, {progress = 1})
    raises("'down'", launch, {entry = "down"})
    equal(raises("", launch, {args = {dst = dst}}).kind, "input")
    raises("dst", launch, {args = {dst = 5, n = 1}})
    raises("nothing", launch, {args = {dst = "nothing", n = 1}})
    raises("m", launch, {args = {dst = dst, n = 1, m = 2}})
    raises("n", launch, {args = {dst = dst, n = 101}})
    raises("n", launch, {args = {dst = dst, n = dst}})
    local other = heddle.new():buffer("dst", "u32", 100)
    raises("a buffer of this context", launch, {args = {dst = other, n = 1}})
    raises("bad argument #1 to 'launch'", function() ctx:launch("up.hd") end)
    raises("engine", launch, {engine = "abacus", args = {dst = dst, n = 1}})
    raises("", launch)
end)

case("faults are error objects", function()
    local ctx = heddle.new()
    local p = ctx:load((count_up:gsub("mad.wide.u32 to, i, 4, to", "mad.wide.u32 to, i, 8, to")), "far.hd")
    local dst = ctx:buffer("dst", "u32", 100)
    local e = raises("far.hd", ctx.launch, ctx, p, {block = 96, args = {dst = dst, n = 100}})
    equal(e.kind, "out_of_bounds")
    equal(e.kernel, "up")
    equal(e.line, 15)
    equal(e.block, {0, 0, 0})
    equal(e.warp, 1)
    equal(e.lane, 18)
    equal(e.address, dst.address + 400)
    ok(e.message:find("dst", 1, true))
    local endless = ctx:load(".kernel k\nagain: bra again\n exit\n")
    e = raises("", ctx.launch, ctx, endless, {max_instructions = 1000})
    equal(e.kind, "instruction_limit")
    e = select(2, pcall(function() return ctx:launch(p, {block = 96, args = {dst = dst, n = 100}}) end))
    ok(e.where:find "lua_module.lua:%d+:$", e.where)
    equal(tostring(e), e.where .. "\n" .. e.message)
end)

case("progress", function()
    local ctx = heddle.new()
    local p = ctx:load(count_up)
    local n = 1 << 21
    local options = {grid = n // 64, block = 64, warp = 8, args = {dst = ctx:buffer("dst", "u32", n), n = n}}
    local last, calls = 0, 0
    options.progress = function(share)
        ok(share >= last and share <= 1)
        last, calls = share, calls + 1
    end
    ctx:launch(p, options)
    ok(calls > 0)
    options.progress = function() return false end
    raises("", ctx.launch, ctx, p, options)
    options.progress = function() error({mine = true}) end
    local _, e = pcall(ctx.launch, ctx, p, options)
    ok(type(e) == "table" and e.mine)
    options.progress = function() ctx:drop "dst" end
    raises("inside a launch", ctx.launch, ctx, p, options)
    options.progress = function() coroutine.yield() end
    raises("", coroutine.wrap(function() ctx:launch(p, options) end))
    options.progress = nil
    ctx:launch(p, options)
    equal(ctx:get("dst")[n], n - 1)
end)

case("many contexts and the garbage collector", function()
    local kept
    for i = 1, 50 do
        local ctx = heddle.new()
        local p = ctx:load(count_up)
        local b = ctx:buffer("dst", "u32", 64)
        ctx:launch(p, {block = 64, args = {dst = b, n = 64}})
        if i == 25 then kept = b end
        setmetatable({}, {__gc = function() pcall(b.table, b) pcall(ctx.names, ctx) pcall(p.kernels, p) end})
    end
    collectgarbage()
    collectgarbage()
    equal(kept[64], 63)
    do
        local ctx <close> = heddle.new()
        ctx:buffer("x", "f32", 1)
        kept = ctx
    end
    raises("closed", kept.names, kept)
end)

-- What a call runs on the way (a metamethod, a finalizer at an allocation) may close its context.
case("a context closed by the call itself", function()
    local function closing(ctx)
        return setmetatable({}, {__len = function() ctx:close() return 3 end, __index = function() return 1 end})
    end
    local ctx = heddle.new()
    raises("the context is closed", ctx.buffer, ctx, "x", "f32", closing(ctx))
    ctx = heddle.new()
    raises("the context is closed", ctx.buffer, ctx, "x", "f32", nil, closing(ctx))
    ctx = heddle.new()
    raises("the context is closed", ctx.launch, ctx, ctx:load(copy64), {grid = closing(ctx)})
end)

case("a context closed by a finalizer inside a call", function()
    local calls = {
        names = function(ctx) return ctx.names, ctx end,
        board = function(ctx) return ctx.board, ctx end,
        load = function(ctx) return ctx.load, ctx, copy64 end,
        npy = function(ctx) return ctx:get("x").npy, ctx:get("x") end,
        refused = function(ctx) return ctx.npy, ctx, "y", "\x93NUMPY" end,
    }
    for _, call in pairs(calls) do
        local ctx = heddle.new()
        ctx:buffer("x", "f32", 4)
        local made = table.pack(call(ctx))
        collectgarbage()
        collectgarbage("stop")
        setmetatable({}, {__gc = function() pcall(ctx.close, ctx) end})
        collectgarbage("incremental", 1, 1000, 40) -- the next allocation collects everything
        collectgarbage("restart")
        pcall(table.unpack(made, 1, made.n))
        collectgarbage("incremental", 200, 100, 13)
        collectgarbage()
        raises("the context is closed", ctx.names, ctx)
    end
end)

case("objects keep to their contexts, and their metatables to themselves", function()
    local ctx, other = heddle.new(), heddle.new()
    ctx:buffer("x", "f32", 4)
    raises("a buffer of this context expected", ctx.drop, ctx, other:buffer("x", "f32", 4))
    equal(#ctx:names(), 1)
    equal(getmetatable(ctx), false)
end)

case("wrong selves", function()
    local ctx = heddle.new()
    raises("heddle.context expected", ctx.names, io.stdout)
    raises("heddle.buffer expected", ctx:buffer("b", "u8", 1).table, ctx)
    raises("heddle.program expected", ctx:load(copy64).kernels, ctx)
end)

-- ---- several files ----

case("several files are written together or not at all; what can be known before", function()
    local a, b = scratch ".a", scratch ".b"
    local function contents(path)
        local file = io.open(path, "rb")
        local text = file and file:read "a"
        if file then file:close() end
        return text
    end
    raises("/nowhere/c: ", heddle.write, {[a] = "1", [b] = "2", ["/nowhere/c"] = "3"})
    equal({contents(a) or false, contents(b) or false}, {false, false})
    heddle.write {[a] = "1", [b] = "2\0"}
    equal({contents(a), contents(b)}, {"1", "2\0"})
    raises("a table of path = bytes", heddle.write, {"1"})
    ok(heddle.writable(a) and heddle.writable(scratch ".new"))
    local may, why = heddle.writable "/nowhere/c"
    ok(not may and why:find("/nowhere/c: ", 1, true), why)
    ok(not heddle.writable "/")
    local folder, name = a:match "^(.*/)([^/]*)$"
    ok(heddle.same_file(a, folder .. "./" .. name) and not heddle.same_file(a, b))
    ok(heddle.same_file(a, folder .. "./" .. name, true) and not heddle.same_file(a, b, true))
    os.remove(a)
    os.remove(b)
end)

case("what was read is not replaced, what the script wrote is", function()
    local path, link = scratch ".npy", scratch ".link"
    local ctx = heddle.new()
    local file = assert(io.open(path, "wb"))
    file:write(ctx:buffer("x", "u8", 4):npy())
    file:close()
    ctx:npy("y", path)
    raises("'" .. path .. "' is read, and is not replaced", heddle.write, path, "")
    equal(raises("", heddle.write, path, "").kind, "input")
    os.execute(("ln -s %s %s"):format(path, link))
    raises("is read, and is not replaced", heddle.write, link, "")
    local may, why = heddle.writable(link)
    ok(not may and why:find "is not replaced", why)
    os.remove(path)
    heddle.write(path, ctx:get("y"):npy()) -- another file: the one that was read is gone
    ctx:npy("z", path)
    heddle.write(path, "")
    raises("is the same file", heddle.write, {[path] = "1", [link] = "2"})
    os.remove(link)
    os.remove(path)
end)

case("names and paths hold no NUL", function()
    local ctx, path = heddle.new(), scratch ".nul"
    local nul = path .. "\0b"
    for _, call in ipairs {
        {heddle.write, nul, "x"}, {heddle.write, {[nul] = "x"}}, {heddle.writable, nul}, {heddle.same_file, nul, path},
        {heddle.same_file, path, nul}, {ctx.buffer, ctx, "a\0b", "u8", 1}, {ctx.buffer, ctx, "a", "u8\0", 1},
        {ctx.get, ctx, "a\0b"}, {ctx.npy, ctx, "a\0b", path}, {ctx.npy, ctx, "a", nul},
        {ctx.load, ctx, ".kernel k\n exit\n", nul}, {ctx.board, ctx, nul}, {ctx.board, ctx, nil, {["sms\0"] = 1}},
        {ctx.board, ctx, nil, {sm = {policy = "gto\0"}}},
    } do
        raises("holds no NUL", table.unpack(call))
    end
    ok(not io.open(path))
end)

case("a device without an end is no .npy file and no program", function()
    local ctx = heddle.new()
    raises("/dev/zero: error: byte 0: not a .npy file", ctx.npy, ctx, "z", "/dev/zero")
    raises("/dev/zero: it is longer than 268,435,456 bytes", ctx.load, ctx, "/dev/zero")
end)

case("kernels and boards that ship are found by name, also by a stock interpreter", function()
    local ctx = heddle.new()
    equal(ctx:load("divergence"):kernels()[1].name, "divergence")
    equal(ctx:load("classic/saxpy"):kernels()[1].params[4].name, "n")
    ctx:board("configs/v100.yaml")
    local sms = ctx:board_value("sms")
    ctx:board("a100")
    ok(ctx:board_value("sms") ~= sms)
    ctx:board("v100")
    equal(ctx:board_value("sms"), sms)
    raises("several kernels that ship have the name: bench/saxpy, classic/saxpy", ctx.load, ctx, "saxpy")
    raises("No such file", ctx.load, ctx, "no_such_kernel")
    raises("No such file", ctx.board, ctx, "a1000")
    raises("No such file", ctx.board, ctx, "../configs/a100")
end)

test.finish()
