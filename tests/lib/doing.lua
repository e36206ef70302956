-- Puts what a suite is at where scripts/test.sh looks when it does not end.
--
--   require "tests.lib.doing" (name)
return function(what)
    local path = os.getenv "DOING"
    local file = path and io.open(path, "w")
    if file then
        file:write(what, "\n")
        file:close()
    end
end
