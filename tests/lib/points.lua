-- Scans for tests of their formats: read, refused, and compared with these rows.
local lists = require "heddle.kit.lists"
local points = require "heddle.points.cloud"
local test = require "tests.lib.test"
local equal, ok = test.equal, test.ok

local function read(bytes, name, options)
    local cloud, message = points.decode(bytes, name or "file", options)
    ok(cloud, message)
    return cloud
end

local function refused(text, bytes, name, options)
    local cloud, message = points.decode(bytes, name or "file", options)
    ok(cloud == nil, "accepted; expected: " .. text)
    ok(message:find(text, 1, true), ("expected %q in %q"):format(text, message))
end

-- Whole numbers that every type but the unsigned ones can be.
local rows = {{1, -2, 3, 40}, {-5, 6, 7, 80}, {0, 0, -9, 100}}

local function same(cloud, with_value)
    equal(cloud.count, #rows)
    for i, row in ipairs(rows) do
        equal({cloud.x[i], cloud.y[i], cloud.z[i]}, {row[1] + 0.0, row[2] + 0.0, row[3] + 0.0}, i)
        if with_value then equal(cloud.value[i], row[4] + 0.0, i) end
    end
    equal(cloud.value ~= nil, with_value)
end

-- Elements of a tensor of fp32 that are not zero, by their place from 0.
local function nonzero(bytes)
    local found = {}
    for i, v in ipairs(lists.numbers("f", 4, bytes)) do
        if v ~= 0 then found[i - 1] = v end
    end
    return found
end

return {nonzero = nonzero, read = read, refused = refused, rows = rows, same = same}
