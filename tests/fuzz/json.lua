-- Any bytes as JSON: a value with the same text each time it is read and written, or a message with a place.
local heddle = require "heddle"

local bytes = (...):gsub("%x%x", function(two) return string.char(tonumber(two, 16)) end)

local good, v = pcall(heddle.parse, bytes, "a.json")
if good then
    for indent = 0, 2 do
        local text = heddle.json(v, {indent = indent})
        assert(heddle.json(heddle.parse(text), {indent = indent}) == text, text)
    end
else
    assert(v.kind == "input" and v.message:find "^a%.json:%d+:%d+: error: this is not JSON: ", v.message)
end
