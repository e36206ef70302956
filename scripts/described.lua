-- The description of a sweep in Lua (heddle sweep FILE.lua): the table that the file returns, as YAML.
--
--   described.lua --file=FILE.lua --to=/proc/self/fd/5
local options = require "heddle.kit.options"
local study = require "heddle.kit.study"
local sweep = require "heddle.sweep"

local given = options.passed({...}, "")
return study.main("heddle sweep", function()
    local chunk, why = loadfile(given.file)
    if not chunk then
        study.refuse("%s", why)
    end
    local good, text = xpcall(function() return sweep.text(chunk()) end, function(e)
        return type(e) == "table" and e.message and {place = given.file, message = e.message} or tostring(e)
    end)
    if not good then
        study.refuse("%s", type(text) == "table" and ("%s: error: %s"):format(text.place, text.message) or text)
    end
    local file = assert(io.open(given.to, "w"))
    file:write(text)
    file:close()
    return true
end)
