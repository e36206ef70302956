-- Does `heddle lua` end with the status that a script's end calls for? Runs the command $HEDDLE.
local heddle = require "heddle"
local test = require "tests.lib.test"
local cli = require "tests.lib.command"
local case, equal, ok = test.case, test.equal, test.ok

local command, run, folder = cli.path, cli.heddle, cli.folder

-- ---- the interpreter's own statuses ----

local function script(text)
    heddle.write(folder .. "/s.lua", text)
    return folder .. "/s.lua"
end

-- Runs a script that must end with this status and print all the words.
local function fails(want, text, ...)
    local status, out, err = run("lua " .. script(text))
    equal({status, out}, {want, ""}, text)
    for _, word in ipairs {...} do
        ok(err:find(word, 1, true), err)
    end
end

case("heddle lua: statuses and messages", function()
    local status, out, err = run("lua " .. script "print(#arg, arg[0] ~= nil, ...)" .. " a 'b c' --warp")
    equal({status, out, err}, {0, "3\ttrue\ta\tb c\t--warp\n", ""})
    equal(run("lua " .. script "os.exit(7)"), 7)
    equal(run("lua " .. script "os.exit(true, true)"), 0)
    equal(run("lua " .. script "local x = require 'heddle'.new() os.exit(3, true)"), 3)
    fails(1, "\nlocal function f() error 'oops' end\nf()", "s.lua:2: oops\nstack traceback:", "s.lua:3: in main chunk")
    fails(1, "error({})", "(error object is a table value)")
    fails(1, "error(nil)", "nil")
    fails(2, "x = = 1", "s.lua:1:")
    fails(2, "\27Lua", "binary chunk")
    fails(1, 'require "heddle".new():load(".kernel k\\n ffma r1\\n", "k.hd")', "k.hd:2:", "s.lua:1:", "traceback")
    status, out, err = run "lua /nowhere.lua"
    equal({status, out}, {2, ""})
    ok(err:find("/nowhere.lua", 1, true), err)
    equal(run("lua " .. folder), 2)
end)

case("heddle lua: out of memory", function()
    if (os.getenv "SAN" or "") == "" then -- a sanitizer itself needs more than this
        local hungry = script "local t = {} for i = 1, 1e9 do t[i] = ('x'):rep(1e6) .. i end"
        local status, _, err = run("lua " .. hungry, "ulimit -v 200000;")
        equal(status, 2)
        ok(err:find("not enough memory", 1, true), err)
    end
end)

case("heddle lua: standard input", function()
    local path = script "print('from', arg[0], ...)"
    local pipe = assert(io.popen(("%s lua - x < %s"):format(command, path)))
    equal(pipe:read "a", "from\tstdin\tx\n")
    pipe:close()
end)

test.finish()
