-- A small test runner: each case is a function; one that raises an error has failed.
--
--   test.case("addition", function() test.equal(1 + 1, 2) end)
--   test.finish()                                          -- "1 passed, 0 failed", exit status 1 when one failed
local doing = require "tests.lib.doing"

local test = {}

-- Names of the boards that ship.
function test.boards()
    local names = {}
    for name in assert(io.popen "cd configs && ls *.yaml"):lines() do
        names[#names + 1] = assert(name:match "^(.*)%.yaml$", name)
    end
    return names
end

local passed, failed = 0, 0
local at_end = function() end

-- With TIMES in the environment, prints how long a case of a second or more took: `make test TIMES=1`.
function test.case(name, body)
    local began = os.time()
    doing(name)
    local ok, message = xpcall(body, function(e)
        return type(e) == "string" and debug.traceback(e, 2) or debug.traceback(tostring(e), 2)
    end)
    if ok then
        passed = passed + 1
    else
        failed = failed + 1
        io.stderr:write(("FAILED %s: %s\n"):format(name, message))
    end
    local seconds = os.difftime(os.time(), began)
    if seconds >= 1 and os.getenv "TIMES" then
        print(("case took %d s: %s"):format(seconds, name))
    end
end

local function show(v)
    return type(v) == "string" and ("%q"):format(v) or tostring(v)
end

local function exactly(a, b)
    return a ~= a and b ~= b or a == b and math.type(a) == math.type(b)
end

-- Equal values of the same kind (1 is not 1.0); NaN equals NaN; tables are equal when their elements are. `values` is
-- another comparison of what are not two tables, `kinds` whether two tables may be equal at all.
function test.same(a, b, values, kinds)
    if type(a) ~= "table" or type(b) ~= "table" then
        return (values or exactly)(a, b)
    elseif kinds and not kinds(a, b) then
        return false
    end
    for k, v in pairs(a) do
        if not test.same(v, b[k], values, kinds) then
            return false
        end
    end
    for k in pairs(b) do
        if a[k] == nil then
            return false
        end
    end
    return true
end

function test.equal(got, want, what)
    if not test.same(got, want) then
        error(("%sgot %s, expected %s"):format(what and what .. ": " or "", show(got), show(want)), 2)
    end
end

function test.ok(condition, what)
    if not condition then
        error(what or "does not hold", 2)
    end
end

-- Calls a function that must raise an error whose text holds `text`; returns the error.
function test.raises(text, body, ...)
    local ok, e = pcall(body, ...)
    if ok then
        error(("no error; expected one that contains %s"):format(show(text)), 2)
    elseif not tostring(e):find(text, 1, true) then
        error(("the error is %s; expected it to contain %s"):format(show(tostring(e)), show(text)), 2)
    end
    return e
end

-- Has a function called when the suite ends.
function test.at_end(f)
    at_end = f
end

function test.finish()
    at_end()
    print(("%d passed, %d failed"):format(passed, failed))
    os.exit(failed == 0 and passed > 0, true)
end

return test
