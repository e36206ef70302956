-- Every launch of this process under checkers, whatever script it is in.
--
--   local watched = require "tests.lib.watched"
--   watched.with("race,init,sync,mem", function() ... end)      -> list of findings, number of launches
--
-- A finding is that of heddle (docs/reference/lua.md), with `kernel` and `at`, "file:line" of its first place.
local heddle = require "heddle"
local lists = require "heddle.kit.lists"

local watched = {}

local class = debug.getmetatable(heddle.new())
local method = class.__index

function watched.with(checkers, body)
    local findings, launches = {}, 0
    local function launch(ctx, program, options)
        local result = method(ctx, "launch")(ctx, program, lists.merge(options, {check = checkers}))
        launches = launches + 1
        for _, f in ipairs(result.findings) do
            local place = f.places[1]
            f.kernel, f.at = result.kernel, ("%s:%d"):format(place.file or "", place.line)
            findings[#findings + 1] = f
        end
        return result
    end
    class.__index = function(ctx, key)
        return key == "launch" and launch or method(ctx, key)
    end
    local ok, e = pcall(body)
    class.__index = method
    if not ok then
        error(e, 0)
    end
    return findings, launches
end

return watched
