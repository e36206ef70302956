-- Counts checks and prints those that failed.
--
--   local checks = require "tests.lib.checks"
--   checks.report(a == b, "%s differs", name)
--   checks.finish()                                prints "N passed, N failed" and exits
--   checks.at(path, board)                         what is being checked
local doing = require "tests.lib.doing"

local checks = {passed = 0, failed = 0}

function checks.report(ok, format, ...)
    if ok then
        checks.passed = checks.passed + 1
    else
        checks.failed = checks.failed + 1
        print(format:format(...))
    end
    return ok
end

function checks.at(...)
    doing(table.concat({...}, ", "))
end

function checks.finish()
    print(("%d passed, %d failed"):format(checks.passed, checks.failed))
    os.exit(checks.failed == 0)
end

return checks
