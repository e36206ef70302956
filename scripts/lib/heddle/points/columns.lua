-- Shared by the readers of point clouds: the fields of a file that are x, y, z and the value, and their columns.
--
--   local chosen = columns.choose(line, {"x", "y", "z", "intensity"}, nil)   -- {x = 1, y = 2, z = 3, value = 4}
--   local cloud = columns.text(bytes, place, rows, 4, chosen)
--   local cloud = columns.binary(bytes, 1, rows, {{code = "<f", offset = 0}, ...}, chosen, 16)
--
-- What is wrong with a file ends its reading: columns.fail, with its line if that is known. A cloud is {count,
-- x, y, z, value}, the last four lists of numbers, value only when it was requested or found.
local report = require "heddle.kit.report"

local columns = {}

columns.names = {"x", "y", "z", "value"}

columns.limit = 1 << 28 -- most bytes of a file
columns.most = 1 << 24  -- most points: four numbers in lists are 64 bytes each, so a gigabyte

-- Ends the reading of a file; points.decode makes a message of it.
function columns.fail(line, message, ...)
    error({point_cloud = message:format(...), line = line}, 0)
end

local fail = columns.fail

-- Field names under which scanners and converters store the intensity of the returned light.
local intensities = {"intensity", "scalar_intensity", "reflectance", "reflectivity", "remission", "i"}

-- The requested fields, by their places among `names`; `value` is the field that the user named, or nil.
function columns.choose(line, names, value)
    local place, chosen = {}, {}
    for i, name in ipairs(names) do
        local key = name:lower()
        place[key] = place[key] or i
    end
    local function find(name)
        return place[name:lower()] or
            fail(line, "there is no field '%s'; its fields are: %s", name, columns.list(names))
    end
    for _, axis in ipairs {"x", "y", "z"} do
        chosen[axis] = find(axis)
    end
    chosen.value = value and find(value)
    for _, name in ipairs(not value and intensities or {}) do
        chosen.value = chosen.value or place[name]
    end
    return chosen
end

-- The first fields in words, for a message or a report.
function columns.list(names)
    local shown = table.concat(names, " ", 1, math.min(#names, 12))
    return columns.show(shown, 200) .. (#names > 12 and (" and %d more"):format(#names - 12) or "")
end

-- Text of a file for a message: printable and short.
function columns.show(text, most)
    most = most or 24
    local clean = text:sub(1, most):gsub("[^\x20-\x7e]", "?")
    return clean .. (#text > most and "..." or "")
end

-- The lines of a header from place.at on: the text without trailing blanks, its first word (nil: none) and the rest.
-- place.line is the number of the line, place.at the byte after it; an unterminated line is not returned.
function columns.lines(bytes, place)
    return function()
        local stop = bytes:find("\n", place.at, true)
        place.line = place.line + 1
        if not stop then
            return nil
        end
        local text = bytes:sub(place.at, stop - 1):gsub("%s+$", "")
        place.at = stop + 1
        return text, text:match "^%s*(%S+)%s*(.*)$"
    end
end

-- A count in a header, or nil.
function columns.count(text)
    return text:find "^%d+$" and math.tointeger(tonumber(text)) or nil
end

local words = {nan = 0 / 0, inf = math.huge, infinity = math.huge}

-- A decimal number, nan or inf; nil when it is none of them.
function columns.number(token)
    if token:find "^[%d.eE+-]+$" then
        return tonumber(token)
    end
    local sign, word = token:match "^([+-]?)(%a+)$"
    local v = word and words[word:lower()]
    return v and (sign == "-" and -v or v)
end

-- Puts the numbers of a line into the lists in `target`, by their places, as element `row`; returns how many it has.
-- `more`: the end of the message about what is not a number.
function columns.line(text, pattern, target, row, line, more)
    local n = 0
    for token in text:gmatch(pattern) do
        n = n + 1
        if target[n] then
            local v = columns.number(token) or fail(line, "'%s' is not a number%s", columns.show(token), more or "")
            target[n][row] = v + 0.0
        end
    end
    return n
end

-- The columns of `count` lines of `width` numbers. `place` is {at = byte, line = number} of the first.
function columns.text(bytes, place, count, width, chosen)
    local cloud, target = {count = count}, {}
    for name, i in pairs(chosen) do
        cloud[name] = {}
        target[i] = cloud[name]
    end
    local at, line = place.at, place.line
    for row = 1, count do
        if at > #bytes then
            fail(line, "the file ends after %s of %s points", report.count(row - 1), report.count(count))
        end
        local stop = bytes:find("\n", at, true) or #bytes + 1
        local n = columns.line(bytes:sub(at, stop - 1), "%S+", target, row, line)
        if n ~= width then
            local what = stop > #bytes and "the file ends in this line, which has" or "the line has"
            fail(line, "%s %d values; a point has %d", what, n, width)
        end
        at, line = stop + 1, line + 1
    end
    return cloud
end

-- The columns of `count` points from byte `first` on. A field is {code (the pack format of its numbers), offset (of its
-- first byte in a point), size, count (numbers in a point; 1)}; points are `step` bytes apart, or with nil the fields
-- follow one another, each of all points. The caller has checked that all of them are in `bytes`.
function columns.binary(bytes, first, count, fields, chosen, step)
    local cloud, unpack = {count = count}, string.unpack
    for name, i in pairs(chosen) do
        local list, field = {}, fields[i]
        local code, at = field.code, first + field.offset * (step and 1 or count)
        local by = step or field.size * (field.count or 1)
        local wrapped = code:find("I8", 1, true) and 2.0 ^ 64 or 0.0 -- Lua's integers have a sign
        for row = 1, count do
            local v = unpack(code, bytes, at)
            list[row] = v < 0 and v + wrapped or v + 0.0
            at = at + by
        end
        cloud[name] = list
    end
    return cloud
end

-- Refuses more points than the limit.
function columns.check_count(line, count)
    if count > columns.most then
        fail(line, "%s points exceed the limit of %s", report.count(count), report.count(columns.most))
    end
end

-- Refuses a file that has fewer than `count` items of `size` bytes from byte `at` on.
function columns.check_size(line, bytes, at, count, size, what)
    local left = #bytes - at + 1
    if count > 0 and size > 0 and (size > left or count > left // size) then
        fail(line, "%s %s of %s are announced, but the file has %s from byte %s on", report.count(count), what,
            size == 1 and "at least 1 byte" or report.plural(size, "byte"), report.plural(left, "byte"),
            report.count(at - 1))
    end
end

return columns
