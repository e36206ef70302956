-- Is a value of Lua the same after heddle.json and heddle.parse? Is what is not JSON refused, with its place?
local heddle = require "heddle"
local test = require "tests.lib.test"
local case, equal, ok, raises = test.case, test.equal, test.ok, test.raises

-- On one line, without its end.
local function short(v, options)
    return (heddle.json(v, {indent = 0, lossy = options and options.lossy}):gsub("\n$", ""))
end

-- ---- writing ----

case("text: names sorted, two columns for each level", function()
    equal(heddle.json {b = 1, a = {1, 2.5, "x\n\"\\\1"}, c = heddle.array {}, d = {}, e = heddle.null, f = true},
        '{\n  "a": [\n    1,\n    2.5,\n    "x\\n\\"\\\\\\u0001"\n  ],\n  "b": 1,\n  "c": [],\n  "d": {},\n' ..
        '  "e": null,\n  "f": true\n}\n')
    equal(heddle.json({1, {x = 2}}, {indent = 0}), '[1,{"x":2}]\n')
    equal(heddle.json({1}, {indent = 4}), "[\n    1\n]\n")
    equal(heddle.json(nil), "null\n")
    equal(heddle.json(false), "false\n")
end)

case("numbers", function()
    for _, row in ipairs {{5, "5"}, {5.0, "5"}, {-0.0, "-0.0"}, {0.0, "0"}, {2.0 ^ 53, "9007199254740992"},
        {9007199254740993, "9007199254740993"}, {math.mininteger, "-9223372036854775808"}, {2.5, "2.5"},
        {0.1, "0.10000000000000001"}, {3e-6, "3.0000000000000001e-6"}, {1e300, "1.0000000000000001e300"}} do
        equal(short(row[1]), row[2])
    end
end)

case("lists that may be empty", function()
    local marked = heddle.array {}
    equal({short(marked), short {}, short {marked, {marked}}}, {"[]", "{}", "[[],[[]]]"})
    marked[1] = 7
    equal(short(marked), "[7]")
    ok(heddle.array(marked) == marked)
    raises("without a metatable", heddle.array, setmetatable({}, {}))
    raises("table expected", heddle.array, "x")
end)

case("what JSON lacks is refused with its place, or replaced", function()
    local ring = {}
    ring.x = {1, ring}
    local deep = 1
    for _ = 1, 2048 do
        deep = {deep}
    end
    for _, row in ipairs {
        {"nan is not a number of JSON, at a[2].x", {a = {1, {x = 0 / 0}}}},
        {"(inf is not a number of JSON)", 1 / 0},
        {"-inf is not a number of JSON, at [1]", {-1 / 0}},
        {"a function, at a.b", {a = {b = print}}},
        {"a table inside of itself, at x[2]", ring},
        {"a list with a member 'a'", {[1] = 1, a = 2}},
        {"a list with a member 'a', at k", {k = heddle.array {a = 1}}},
        {"a list with 2 of 3 elements", {1, nil, 3}},
        {"a table with a number for a key", {[1.5] = 1}},
        {"a table with a number for a key", {[0] = 1}},
        {"a table with a boolean for a key", {[true] = 1}},
        {"text that is no UTF-8, at [1]", {"\xff"}},
        {"text that is no UTF-8, at a.?", {a = {["\xff"] = 1}}},
        {"a name with a NUL, at a", {["a\0b"] = 1}},
        {"more than 2048 values inside of one another", deep},
    } do
        local e = raises(row[1], heddle.json, row[2])
        ok(not e:find "%c", e)
    end
    ok(heddle.parse(heddle.json(deep[1]))[1][1])
    equal(short({0 / 0, 1 / 0, "\xffé", "é"}, {lossy = true}), '[null,null,"???","é"]')
    raises("a function", heddle.json, print, {lossy = true})
    raises("no option 'indnt'", heddle.json, 1, {indnt = 1})
    for _, indent in ipairs {-1, 32, 1.5, "x"} do
        raises("from 0 to 31", heddle.json, 1, {indent = indent})
    end
end)

case("metamethods are not called", function()
    local trap = setmetatable({1}, {__index = error, __len = error, __pairs = error, __newindex = error})
    equal(short {trap}, "[[1]]")
end)

-- ---- reading ----

case("values", function()
    local v = heddle.parse ' {"a": [1, 2.0, null, true, [], {}], "b": "\\u0000\\u00e9\\ud83d\\ude00", "c": 1e2} '
    equal({math.type(v.a[1]), math.type(v.a[2]), v.a[4], v.b, v.c}, {"integer", "float", true, "\0é😀", 100.0})
    ok(v.a[3] == heddle.null and tostring(heddle.null) == "null")
    equal(short(v), '{"a":[1,2,null,true,[],{}],"b":"\\u0000é😀","c":100}')
    equal({heddle.parse "1", heddle.parse '"x"', heddle.parse "-9223372036854775808"}, {1, "x", math.mininteger})
end)

case("mistakes, each with its place", function()
    for _, row in ipairs {
        {"", "1:1: error: this is not JSON: unexpected token near end of file"},
        {"[1,2", "1:4: error: this is not JSON: ']' expected near end of file"},
        {"[1,\n 2,\n nul]", "3:2: error: this is not JSON: invalid token near 'nul'\n     3 |  nul]\n       |  ^~~"},
        {"[1,]", "1:4: error: this is not JSON: unexpected token near ']'"},
        {"{a: 1}", "1:2: error: this is not JSON: string or '}' expected near 'a'"},
        {'{"a" 1}', "1:6: error: this is not JSON: ':' expected near '1'"},
        {'{"a": 1,\n "a": 2}', "2:2: error: this is not JSON: duplicate object key near '\"a\"'"},
        {'{"a\\u0000": 1}', "NUL byte in object key not supported"},
        {"[1] x", "1:5: error: this is not JSON: end of file expected near 'x'"},
        {'["a', "1:2: error: this is not JSON: premature end of input near '\"a'"},
        {'["\\x"]', "1:2: error: this is not JSON: invalid escape near '\"\\x'"},
        {'["\t"]', "control character 0x9"},
        {'["\xff"]', "unable to decode byte 0xff"},
        {"9223372036854775808", "1:1: error: this is not JSON: too big integer near '9223372036854775808'"},
        {"1e999", "real number overflow"},
        {("["):rep(2049), "1:2049: error: this is not JSON: maximum parsing depth reached"},
        {"\xef\xbb\xbf[]", "1:1: error: this is not JSON"},
    } do
        local e = raises(row[2], heddle.parse, row[1])
        equal(e.kind, "input")
        ok(e.message:find "^%(text%):%d+:%d+: ", e.message)
    end
    ok(raises("", heddle.parse, "[", "a.json").message:find "^a.json:1:1: ")
    raises("string expected", heddle.parse, {})
end)

-- ---- there and back ----

local WORDS <const> = {"", "x", "é", "\0", "\u{10ffff}", "\u{2028}", '"\\/', "a b", "null", "1", "\r\n\t\b\f\27\127"}

-- A value of any kind, of at most `depth` levels.
local function any(depth)
    local kind = math.random(depth > 0 and 8 or 6)
    if kind == 1 then
        return heddle.null
    elseif kind == 2 then
        return math.random(2) == 1
    elseif kind == 3 then
        return math.random(0) >> math.random(0, 63)
    elseif kind == 4 then
        local v = string.unpack("d", string.pack("j", math.random(0)))
        return v - v == 0 and v or 0.5
    elseif kind <= 6 then
        return WORDS[math.random(#WORDS)]
    end
    local all = kind == 7 and heddle.array {} or {}
    for i = 1, math.random(0, 4) do
        all[kind == 7 and i or (WORDS[math.random(#WORDS)]:gsub("%z", "0"))] = any(depth - 1)
    end
    return all
end

-- As test.same, but 5 is 5.0, and lists and objects differ when they are empty.
local function alike(a, b)
    return test.same(a, b, rawequal, function(one, other) return getmetatable(one) == getmetatable(other) end)
end

case("any value is the same there and back, and its text stays as it is", function()
    math.randomseed(1)
    for _ = 1, 2000 do
        local v = any(4)
        local text = heddle.json(v)
        ok(alike(heddle.parse(text), v), text)
        equal(heddle.json(heddle.parse(text)), text)
        ok(alike(heddle.parse(short(v)), v), text)
    end
end)

test.finish()
