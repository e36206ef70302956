-- The outline of JSON on standard input: of an array its length and first element, of a map with many names
-- how many and the first ones; what a reader of the format relies on.
local heddle = require "heddle"
local MANY <const> = 40

local function outline(value, path)
    if type(value) ~= "table" then
        print(("%s = %s"):format(path, value))
        return
    end
    if #value > 0 or not next(value) then
        print(("%s: %d"):format(path, #value))
        if #value > 0 then outline(value[1], path .. "[1]") end
        return
    end
    local names = {}
    for name in pairs(value) do
        names[#names + 1] = name
    end
    table.sort(names)
    if #names > MANY then print(("%s: %d names"):format(path, #names)) end
    for i = 1, #names > MANY and 3 or #names do
        outline(value[names[i]], path == "" and names[i] or path .. "." .. names[i])
    end
end

outline(heddle.parse(io.read "a"), "")
