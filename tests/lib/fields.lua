-- heddle lua fields.lua FILE.json PATH=VALUE...: whether the file has these values. A path is names and positions
-- (from 1) between full stops; the value of an object or array is "(LENGTH)".
local heddle = require "heddle"

local file <close> = assert(io.open(arg[1], "rb"))
local all, wrong = heddle.parse(file:read "a", arg[1]), 0
for i = 2, #arg do
    local path, want = arg[i]:match "^(.-)=(.*)$"
    local v = all
    for key in path:gmatch "[^.]+" do
        v = type(v) == "table" and v[math.tointeger(key) or key]
    end
    if type(v) == "table" then
        v = ("(%d)"):format(#v)
    end
    if tostring(v) ~= want then
        print(("%s of %s is %s, not %s"):format(path, arg[1], v, want))
        wrong = wrong + 1
    end
end
os.exit(wrong == 0)
