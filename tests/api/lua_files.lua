-- Does a Lua script read and write files, whole or not at all? Runs under `heddle lua` and in a stock lua5.4 alike.
local heddle = require "heddle"
local samples = require "tests.lib.samples"
local test = require "tests.lib.test"
local case, equal, ok, raises = test.case, test.equal, test.ok, test.raises
local scratch = samples.scratch

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

-- ---- several files ----

case("tables are read with the options that there are, and messages speak of these", function()
    local ctx = heddle.new()
    local holes, said = "1,,3\n4,5,6\n", "an empty field; the option empty=nan reads it as NaN"
    local b = ctx:csv("t", "f32", holes, {empty = "nan"})
    equal(b.shape, {2, 3})
    ok(b[2] ~= b[2])
    equal({b[1], b[3], b[4]}, {1.0, 3.0, 4.0})
    for _, options in ipairs {{}, {empty = "error"}} do
        raises("1:3: error: " .. said, ctx.csv, ctx, "t", "f32", holes, options)
        raises("1:3: error: " .. said, heddle.read_table, holes, options)
    end
    for _, value in ipairs {"zero", "", 0, true, {}} do
        raises('empty is "error" or "nan"', ctx.csv, ctx, "t", "f32", holes, {empty = value})
        raises('empty is "error" or "nan"', heddle.read_table, holes, {empty = value})
    end
    raises("no option 'empy' of context:csv; there are shape and empty", ctx.csv, ctx, "t", "f32", holes,
        {empy = "nan"})
    raises("no option '1' of heddle.read_table; there are columns, empty", heddle.read_table, holes, {"nan"})
    raises("table expected", ctx.csv, ctx, "t", "f32", holes, "nan")
    raises("--set: error: unknown key 'sm.polcy'; did you mean 'sm.policy'?\n    --set sm.polcy=2\n", ctx.board, ctx,
        "v100", {["sm.polcy"] = 2})
end)

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
    heddle.write(path, ctx:get("y"):npy()) -- another file: the old one no longer exists
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

case("a file in another language", function()
    local ctx = heddle.new()
    local e = raises("(text):2:1: error: this is PTX, which heddle does not read: 'heddle new NAME'", ctx.load, ctx,
        "// made by nvcc\n.version 8.0\n.target sm_80\n")
    equal(e.kind, "input")
    local path = scratch ".cu"
    heddle.write(path, 'extern "C" __global__ void k(float *x) {}\n')
    raises(path .. ":1:12: error: this is CUDA", ctx.load, ctx, path)
    os.remove(path)
end)

case("a kernel with a mistake is none, whatever its comments speak of", function()
    local ctx = heddle.new()
    local list <close> = assert(io.popen "find kernels/classic kernels/reorder -name '*.hd'")
    for path in list:lines() do
        local file <close> = assert(io.open(path))
        local e = raises(": error: ", ctx.load, ctx, file:read "a" .. "\n ffna r1, r2\n", "kernel.cu")
        ok(not tostring(e):find("this is", 1, true), path)
    end
end)

test.finish()
