-- The libraries that the code of a kernel file has: functions of string and table that may not end for some arguments
-- refuse these. The limits on instructions of case.lua do not reach into them, because they are of C.
local heddle = require "heddle"
local lists = require "heddle.kit.lists"

local MOST_STEPS <const> = 1e10 -- of a pattern, at worst
local MOST_BYTES <const> = 1 << 28 -- of string.rep
local MOST_ELEMENTS <const> = 1e8 -- of table.move
local MEMORY <const> = 1 << 30 -- bytes of Lua, for a call
local SECONDS <const> = 60 -- of all patterns of a case

local bounded = {string = lists.merge(string), table = lists.merge(table), seconds = 0}

-- The ways in which a pattern can be laid over a text, at most: each repetition ends anywhere, each `?` doubles them.
local function steps(text, pattern)
    local plain = string.gsub(string.gsub(pattern, "%%[^b]", "x"), "%[%^?.[^%]]*%]", "x")
    local _, repeated = string.gsub(plain, "[*+-]", "")
    local _, balanced = string.gsub(plain, "%%b", "")
    local _, optional = string.gsub(plain, "%?", "")
    local ways = 2.0 ^ optional * (string.sub(pattern, 1, 1) == "^" and 1 or #text + 1)
    for i = 1, math.min(repeated + balanced, 1000) do
        ways = ways * (#text + i) / i
    end
    return ways
end

for _, name in ipairs {"find", "match", "gmatch", "gsub"} do
    local f = string[name]
    bounded.string[name] = function(text, pattern, first, plain, ...)
        local known = (type(text) == "string" or type(text) == "number") and type(pattern) == "string"
        local matches = known and not (name == "find" and plain)
        if matches and steps(tostring(text), pattern) > MOST_STEPS then
            error(("the pattern '%s' may not end in a text of %d bytes"):format(string.sub(pattern, 1, 40),
                #tostring(text)), 2)
        end
        local begun = os.clock()
        local results = table.pack(f(text, pattern, first, plain, ...))
        bounded.seconds = bounded.seconds + os.clock() - begun
        if bounded.seconds > SECONDS then
            error(("patterns take more than %d seconds"):format(SECONDS), 2)
        end
        return table.unpack(results, 1, results.n)
    end
end

function bounded.string.rep(text, n, separator)
    local size = #tostring(text) + #tostring(separator or "")
    if (tonumber(n) or 0) > MOST_BYTES // math.max(size, 1) then
        error(("string.rep makes more than %d bytes"):format(MOST_BYTES), 2)
    end
    return string.rep(text, n, separator)
end

function bounded.table.move(from, first, last, ...)
    if (tonumber(last) or 0) - (tonumber(first) or 0) > MOST_ELEMENTS then
        error(("table.move moves more than %d elements"):format(MOST_ELEMENTS), 2)
    end
    return table.move(from, first, last, ...)
end

-- pcall with these functions as the methods of strings, and a bound on memory.
function bounded.call(f, ...)
    local methods = getmetatable ""
    local before = methods.__index
    methods.__index, bounded.seconds = bounded.string, 0
    local results = table.pack(heddle.bounded(MEMORY, f, ...))
    methods.__index = before
    if not results[1] and results[2] == "not enough memory" then
        results[2] = "more than 1 GiB of memory of Lua, or 4 GiB of long texts and tables in all"
    end
    return table.unpack(results, 1, results.n)
end

return bounded
