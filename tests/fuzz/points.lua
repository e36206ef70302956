-- Any bytes as the file of a point cloud: a cloud with whole columns, or a message that begins with its name.
local points = require "heddle.points.cloud"

local bytes = (...):gsub("%x%x", function(two) return string.char(tonumber(two, 16)) end)

-- The last byte selects the file's name and the columns.
local how = bytes:byte(-1) or 0
local label = ({"a.ply", "a.pcd", "a.txt", "a.bin"})[how % 4 + 1]
local options = {value = ({[4] = "intensity", [5] = "4", [6] = "x"})[how >> 2 & 7],
                 raw = ({[6] = {"x", "y", "z"}, [7] = {"x", "i", "y", "z"}})[how >> 5 & 7]}

local cloud, message = points.decode(bytes, label, options)
if cloud then
    for _, name in ipairs {"x", "y", "z", cloud.value and "value" or "x"} do
        assert(#cloud[name] == cloud.count, name)
        assert(cloud.count == 0 or math.type(cloud[name][cloud.count]) == "float", name)
    end
    assert(type(cloud.format) == "string" and #cloud.fields >= 3)
    assert(not cloud.value == not cloud.value_name)
else
    assert(message:sub(1, #label + 1) == label .. ":" and not message:find "%c", message)
end
