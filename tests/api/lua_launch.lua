-- Does a Lua script load programs and launch them, and get an error for each mistake? Runs under `heddle lua` and in a
-- stock lua5.4 alike.
local heddle = require "heddle"
local samples = require "tests.lib.samples"
local test = require "tests.lib.test"
local case, equal, ok, raises = test.case, test.equal, test.ok, test.raises
local copy64, count_up, scratch = samples.copy64, samples.count_up, samples.scratch

-- ---- programs ----

case("the rules of the hardware", function()
    local ctx = heddle.new()
    local p = ctx:load("kernels/isa/rules.hd")
    local y = ctx:buffer("y", "u32", 100)
    local options = {entry = "early", block = 100, warp = 32, args = {y = y, n = 37}}
    raises("barrier", ctx.launch, ctx, p, options)
    for _, board in ipairs {"", "v100"} do
        if board ~= "" then
            ctx:board(board)
        end
        options.rules = "hardware"
        local result = ctx:launch(p, options)
        equal({y[1], y[37], y[38]}, {1, 0, 0})
        equal({result.rules, result.lenient_barriers, result.lenient_shuffles}, {"hardware", 1, 0})
        ok(result.rule_warnings:find("rules.hd:26: warning: by the rules of the hardware a barrier opened", 1, true))
        options.rules = "strict"
        raises("barrier", ctx.launch, ctx, p, options)
    end
    options.rules = nil
    ctx:board("v100", {["launch.rules"] = "hardware"})
    equal(ctx:launch(p, options).rules, "hardware")
    options.functional = true
    raises("barrier", ctx.launch, ctx, p, options)
    options.rules = "other"
    raises("rules are strict or hardware, not 'other'", ctx.launch, ctx, p, options)
end)

case("a barrier over the grid in a cooperative launch", function()
    local ctx = heddle.new()
    local p = ctx:load("kernels/isa/grid.hd")
    local function launch(blocks, cooperative)
        local x, y = ctx:buffer("x", "u32", blocks), ctx:buffer("y", "u32", blocks)
        local count = ctx:buffer("count", "u32", 1)
        local result = ctx:launch(p, {grid = blocks, block = 32, warp = 32, cooperative = cooperative,
                                      args = {x = x, y = y, count = count}})
        equal(result.cooperative, cooperative)
        local wrong = 0
        for i = 1, blocks do
            wrong = wrong + (y[i] == i % blocks and 0 or 1)
        end
        equal({wrong, count[1]}, {0, blocks})
    end
    launch(1000, true)
    raises("deadlock", launch, 1000, false)
    ctx:board("teach8", {sms = 3})
    launch(12, true)
    raises("a cooperative grid of 13 blocks, and board 'teach8' holds 12 at one time", launch, 13, true)
    raises("deadlock", launch, 13, false)
end)

case("lines that lanes print", function()
    local ctx = heddle.new()
    local p = ctx:load("kernels/isa/print.hd")
    local result = ctx:launch(p, {entry = "print", grid = {1, 2}, block = 2, warp = 8})
    equal(#result.printed, 6)
    equal(result.printed[6], {text = "-1000000000001 is 0xffffff172b5aefff, 100% of it", line = 38, block = {0, 1, 0},
                              warp = 0, lane = 1})
    equal(result.printed_dropped, nil)
    equal(ctx:launch(ctx:load(".kernel quiet\nexit\n", "q.hd"), {}).printed, nil)
end)

case("constants and variables of the module, and values", function()
    local ctx = heddle.new()
    local p = ctx:load("kernels/isa/module.hd")
    local list = ctx:variables(p)
    equal(#list, 4)
    equal(list[1], {name = "w", type = "f32", space = "const", offset = 0, shape = {4}})
    equal(list[3], {name = "table", type = "u32", space = "global", offset = 24, shape = {2}})
    equal({ctx:get("table")[1], ctx:get("table")[2]}, {3, 5})
    local y = ctx:buffer("y", "f32", 8)
    local function launch(args, more)
        local options = {warp = 8, args = {y = y, bias = "1,2"}}
        for name, value in pairs(args) do
            options.args[name] = value
        end
        for name, value in pairs(more or {}) do
            options[name] = value
        end
        return ctx:launch(p, options)
    end
    launch {}
    equal({y[1], y[2], y[3]}, {11.0, 21.0, 1.0})
    equal({ctx:get("sums")[1], ctx:get("seen")[1]}, {32, 8})
    launch({w = ctx:buffer("v", "f32", 4, {1, 2, 3, 4}), bias = ctx:buffer("two", "f32", 2, {0.5, 0})},
           {check = "all"})
    equal({y[1], y[4]}, {1.5, 4.5})
    equal({ctx:get("sums")[1], ctx:get("seen")[1]}, {64, 16}) -- they stay
    ctx:board "v100"
    launch {w = "1,1,1,1", sums = ctx:buffer("own", "u32", 2), table = ctx:buffer("ones", "u32", 2, {1, 1})}
    equal({y[1], ctx:get("own")[1], ctx:get("sums")[1]}, {2.0, 8, 64})
    raises("constant 'w : f32[4]': 4 numbers with commas between them expected", launch, {w = "1,2"})
    raises("there is no buffer 'none'", launch, {bias = "1,2", w = "1,2,3,4", y = "none"})
    ctx:buffer("sums", "f32", 2)
    raises("variable 'sums : u32[2]' has elements of type u32, and buffer 'sums' holds f32", launch, {})
end)

case("pointers: null, into buffers, in buffers", function()
    local ctx = heddle.new()
    local p = ctx:load([[
.kernel copy
.param from : f32[n]
.param to : b8[4*n]
.param list : u64[2]
.param where : u64
.param n : u32
.reg   i, v, pf:2, pto:2, z:2
.pred  none
        s2r           i, %tid.x
        ld.param.b64  pto, [to]
        mov.b64       z, 0
        setp.eq.u64   none, pto, z
@none   ld.param.b64  pto, [list]
@none   ld.global.b64 pto, [pto+8]
        ld.param.b64  pf, [from]
        setp.eq.u64   none, pf, z
@none   ld.param.b64  pf, [where]
        mad.wide.u32  pf, i, 4, pf
        mad.wide.u32  pto, i, 4, pto
        ld.global.b32 v, [pf]
        st.global.b32 [pto], v
        exit
]], "copy.hd")
    local x, list = ctx:buffer("x", "f32", 16), ctx:buffer("list", "u64", 2)
    local options = {block = 8, args = {from = "x+32", to = x, list = list, where = 0, n = 8}}
    local function launch(args, more)
        x:fill "iota"
        for name, value in pairs(args) do
            options.args[name] = value
        end
        for name, value in pairs(more or {}) do
            options[name] = value
        end
        return ctx:launch(p, options)
    end
    launch {}
    equal({x[1], x[8], x[9]}, {8.0, 15.0, 8.0})
    launch({from = "null", where = "x+4", to = "x+0x20"}, {check = "all"})
    equal({x[1], x[9], x[16]}, {0.0, 1.0, 8.0})
    list[2] = x.address + 8
    launch {to = "null"}
    equal({x[2], x[3], x[10]}, {1.0, 1.0, 8.0})
    ctx:board "teach8"
    launch {from = "x+16"}
    equal({x[2], x[3], x[10]}, {1.0, 4.0, 11.0})
    options.args.to = "x"
    raises("needs at least 8 elements, and buffer 'x' has 7 from there on", launch, {from = "x+36"})
    raises("'x+65' is past the end of the buffer, which has 64 bytes", launch, {from = "x+65"})
    raises("there is no buffer 'z+4'", launch, {from = "z+4"})
    raises("there is no buffer 'x+'", launch, {from = "x+"})
end)

case("shared memory that the launch sizes", function()
    local ctx = heddle.new()
    local p = ctx:load("kernels/isa/launched.hd")
    equal(p:kernels()[1].variables[2], {name = "x", type = "b8", space = "shared", offset = 288, shape = {0}})
    local y = ctx:buffer("y", "u32", 16)
    local result = ctx:launch(p, {entry = "dynamic", block = 16, shared_bytes = 64, args = {y = y}})
    equal(result.shared_bytes, 64)
    equal({y[1], y[16]}, {15, 0})
    equal(ctx:launch(p, {entry = "sizes", args = {y = y}}).shared_bytes, nil)
    equal({y[1], y[2]}, {0, 32})
    raises("to which the launch gives 60 bytes", ctx.launch, ctx, p,
           {entry = "dynamic", block = 16, shared_bytes = 60, args = {y = y}})
    raises("1,048,577 bytes of shared memory for the launch beside 32; at most 1,048,576", ctx.launch, ctx, p,
           {entry = "sizes", shared_bytes = 1024 * 1024 + 1, args = {y = y}})
    raises("shared_bytes: at least 1 expected", ctx.launch, ctx, p, {entry = "sizes", shared_bytes = 0, args = {y = y}})
    ctx:board("v100")
    ok(ctx:fits(p, {entry = "dynamic", block = 16, shared_bytes = 98304 - 288}))
    ok(not ctx:fits(p, {entry = "dynamic", block = 16, shared_bytes = 98304}))
    raises("boards that take it: a100", ctx.launch, ctx, p,
           {entry = "dynamic", block = 16, shared_bytes = 98304, args = {y = y}})
end)

case("programs from text, files and objects", function()
    local ctx = heddle.new()
    local p = ctx:load(count_up, "up.hd")
    equal(p.name, "up.hd")
    local k = p:kernels()
    equal(#k, 1)
    equal(k[1].name, "up")
    equal(k[1].widths, {8, 16, 32, 64})
    equal(k[1].params[1], {name = "dst", type = "u32", buffer = true, extent = "n", written = true})
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
    ctx:board "v100"
    raises("a grid of 1x65536x1 blocks; board 'v100' takes at most 65,535 in y", launch, {grid = {1, 65536}})
    raises("a block of 1x1x128 threads; board 'v100' takes at most 64 in z", launch, {block = {1, 1, 128}})
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
    ok(e.where:find "lua_launch.lua:%d+:$", e.where)
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

test.finish()
