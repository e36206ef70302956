-- Shared by the readers of point clouds: the fields of a file that are x, y, z and the value, and their columns.
--
--   local chosen = columns.choose(line, {"x", "y", "z", "intensity"}, nil)   -- {x = 1, y = 2, z = 3, value = 4}
--   local cloud = columns.text(bytes, place, rows, 4, chosen)
--   local cloud = columns.binary(bytes, 1, rows, {{code = "<f", offset = 0}, ...}, chosen, 16)
--
-- An error in a file ends its reading: columns.fail, with its line if that is known. A cloud is {count,
-- x, y, z, value}, the last four lists of numbers, value only when it was requested or found, and perhaps precision (of
-- each list; its use is in heddle.points.grid) and notes, a list of texts about the file.
local heddle = require "heddle"
local report = require "heddle.kit.report"
local study = require "heddle.kit.study"

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

-- ---- precision ----

-- Precision of coordinates, as a share of the largest: four units in the last place of fp32, and 64 of fp64, which sums
-- of steps need.
columns.SINGLE, columns.DOUBLE = 2.0 ^ -21, 2.0 ^ -46

-- Returns the precision of a number in a file, by its pack format.
function columns.precision(code)
    return {share = code:find "f" and columns.SINGLE or columns.DOUBLE, step = 0.0}
end

-- {share, step} of column i of a table. Text is made of fp64, or of fp32: where all numbers look so, and their last
-- digit is worth less than a unit in the last place of the largest, or, where each has just the digits that it needs,
-- less than four of them.
local function of_text(t, i)
    local most, step = 0.0, 10.0 ^ math.min(t.place[i], 300)
    for _, v in ipairs(t[i]) do
        if v - v == 0 and math.abs(v) > most then most = math.abs(v) end
    end
    local unit = most > 0 and 2.0 ^ (math.floor(math.log(most, 2)) - 23) or 0.0
    local single = t.single[i] and step < (t.padded[i] and 1 or 4) * unit
    return {share = single and columns.SINGLE or columns.DOUBLE, step = step}
end

-- ---- text ----

-- A table as text, as heddle.read_table gives it; what is wrong with it ends the reading. `options` are those of it.
function columns.table(text, options)
    local found, why, whole = study.attempt(heddle.read_table, text, options)
    return found or fail(whole:match "(%d+:%d+): error: ", "%s", why)
end

-- The cloud of such a table. `chosen` are the places of its columns.
function columns.of_table(t, chosen)
    local cloud = {count = t.rows, precision = {}}
    for name, i in pairs(chosen) do
        cloud[name] = t[i]
        cloud.precision[name] = of_text(t, i)
    end
    return cloud
end

-- Returns the byte after `count` lines from place.at on, or after the last line.
local function behind_lines(bytes, place, count)
    local at, lines = place.at, 0
    while lines < count and at <= #bytes do
        at, lines = (bytes:find("\n", at, true) or #bytes) + 1, lines + 1
    end
    return at
end

-- Reads the columns of `count` lines of `width` numbers. `place` is {at = byte, line = number} of the first; at moves
-- past them.
function columns.text(bytes, place, count, width, chosen)
    local stop = behind_lines(bytes, place, count)
    local text = bytes:sub(place.at, stop - 1)
    place.at = stop
    local wanted, t = {}, {rows = 0}
    for _, i in pairs(chosen) do
        wanted[#wanted + 1] = i
    end
    if text:find "%S" then
        t = columns.table(text, {line = place.line, columns = wanted})
    end
    if t.named then
        fail(t.named, "'%s' is not a number", columns.show(t.names[1]))
    elseif t.rows > 0 and t.width ~= width then
        fail(t.first, "the line has %s; a point has %d", report.plural(t.width, "value"), width)
    elseif t.rows < count then
        fail(place.line + t.rows, "the file ends after %s of %s points", report.count(t.rows), report.count(count))
    end
    return count > 0 and columns.of_table(t, chosen) or columns.none(chosen)
end

-- Notes how many bytes follow the points.
function columns.note_rest(cloud, rest)
    if rest > 0 then
        cloud.notes = {("after its %s the file has %s more, which are not read"):format(
            report.plural(cloud.count, "point"), report.plural(rest, "byte"))}
    end
end

-- A cloud without points.
function columns.none(chosen)
    local cloud = {count = 0}
    for name in pairs(chosen) do
        cloud[name] = {}
    end
    return cloud
end

-- A number at a byte, as a float. Lua's integers have a sign, which those of 64 bits may lack.
function columns.unpack(code, bytes, at)
    local v = code:unpack(bytes, at)
    return v < 0 and code:find("I8", 1, true) and v + 2.0 ^ 64 or v + 0.0
end

-- The columns of `count` points from byte `first` on. A field is {code (the pack format of its numbers), offset (of its
-- first byte in a point), size, count (numbers in a point; 1)}; points are `step` bytes apart, or with nil the fields
-- follow one another, each of all points. The caller has checked that all of them are in `bytes`.
function columns.binary(bytes, first, count, fields, chosen, step)
    local cloud, unpack = {count = count, precision = {}}, string.unpack
    for name, i in pairs(chosen) do
        local list, field = {}, fields[i]
        cloud.precision[name] = columns.precision(field.code)
        local code, at = field.code, first + field.offset * (step and 1 or count)
        local by = step or field.size * (field.count or 1)
        for row = 1, count do
            list[row] = code == "<f" and unpack(code, bytes, at) or columns.unpack(code, bytes, at)
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
