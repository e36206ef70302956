-- PLY files: the points of the element "vertex", in ascii, binary_little_endian or binary_big_endian, with properties
-- of any order and type. Elements before the vertices are skipped, also those with lists; elements after them are not
-- read. Vertices with a list of their own are refused.
--
--   local cloud, message, line = ply.decode(bytes, "intensity")     -- the second is the property that is the value
--
-- Format: Greg Turk, "The PLY Polygon File Format", 1994.
local columns = require "heddle.points.columns"
local report = require "heddle.kit.report"

local ply = {}

-- Bytes and code of a number, by both families of names.
local types = {}
for names, row in pairs {
    ["char int8"] = {"i1", 1}, ["uchar uint8"] = {"I1", 1}, ["short int16"] = {"i2", 2}, ["ushort uint16"] = {"I2", 2},
    ["int int32"] = {"i4", 4}, ["uint uint32"] = {"I4", 4}, ["float float32"] = {"f", 4}, ["double float64"] = {"d", 8},
} do
    for name in names:gmatch "%S+" do
        types[name] = {code = row[1], size = row[2], whole = row[1]:sub(1, 1) ~= "f" and row[1] ~= "d"}
    end
end

local orders = {ascii = "", binary_little_endian = "<", binary_big_endian = ">"}

-- ---- the header ----

local function read_property(element, rest)
    if not element then
        return nil, "a property precedes the first 'element'"
    end
    local count, item, name = rest:match "^list%s+(%S+)%s+(%S+)%s+(%S+)$"
    if not name then
        item, name = rest:match "^(%S+)%s+(%S+)$"
    end
    if not name then
        return nil, "a property is 'property TYPE NAME' or 'property list TYPE TYPE NAME'"
    end
    for _, kind in pairs {count, item} do
        if not types[kind] then
            return nil, ("'%s' is no type of PLY, such as float or uchar"):format(columns.show(kind))
        end
    end
    if count and not types[count].whole then
        return nil, ("the length of a list cannot be of type '%s'"):format(count)
    end
    element[#element + 1] = {name = name, type = types[item], length = types[count]}
    return true
end

-- The handler of each header line: function(header, rest of the line), which returns nil and a message on an error.
local keywords = {}

function keywords.format(header, rest)
    local name, version = rest:match "^(%S+)%s+(%S+)$"
    header.order, header.format = orders[name or ""], name
    if not header.order then
        return nil, "the format is ascii, binary_little_endian or binary_big_endian, then 1.0"
    elseif version ~= "1.0" then
        return nil, ("version '%s' of the format; 1.0 is read"):format(columns.show(version))
    end
    return true
end

function keywords.element(header, rest)
    local name, number = rest:match "^(%S+)%s+(%S+)$"
    local count = columns.count(number or "")
    if not count then
        return nil, "an element is 'element NAME COUNT', the count a whole number"
    elseif name == "vertex" and header.vertex then
        return nil, "there is an element 'vertex' already"
    end
    local element = {shown = columns.show(name), count = count, line = header.line}
    header[#header + 1] = element
    if name == "vertex" then
        header.vertex = element
    end
    return true
end

function keywords.property(header, rest)
    return read_property(header[#header], rest)
end

function keywords.comment()
    return true
end

keywords.obj_info = keywords.comment

-- Checks at the last line that the header is complete.
local function finish_header(header)
    if not header.order then
        return nil, "the header has no line 'format'", header.line
    elseif not header.vertex then
        return nil, "the header has no 'element vertex'", header.line
    end
    header.line = header.line + 1
    return header
end

-- The elements in order, `order` and `vertex`, and `at` and `line`: where the data begin.
local function read_header(bytes)
    local header = {at = 1, line = 0}
    for text, word, rest in columns.lines(bytes, header) do
        if text == "end_header" then
            return finish_header(header)
        end
        local handle = header.line > 1 and word and keywords[word]
        if handle then
            local ok, message = handle(header, rest)
            if not ok then
                return nil, message, header.line
            end
        elseif header.line > 1 or text ~= "ply" then
            return nil, ("'%s' is no line of a PLY header"):format(columns.show(text)), header.line
        end
    end
    return nil, "the file ends in its header, without a line 'end_header'", header.line
end

-- ---- elements before the vertices ----

local function skip_lines(bytes, element, place)
    for row = 1, element.count do
        local stop = bytes:find("\n", place.at, true)
        if not stop then
            return nil, ("the file ends after %s of %s elements '%s'"):format(report.count(row - 1),
                report.count(element.count), element.shown), place.line
        end
        place.at, place.line = stop + 1, place.line + 1
    end
    return true
end

-- The bytes of an element without lists; nil if it has one.
local function fixed_size(element)
    local size = 0
    for _, property in ipairs(element) do
        if property.length then
            return nil
        end
        size = size + property.type.size
    end
    return size
end

-- Skips one element with lists: the byte after it, or nil when the file ends before.
local function skip_row(bytes, element, order, at)
    for _, property in ipairs(element) do
        local items = 1
        if property.length then
            if at + property.length.size > #bytes + 1 then
                return nil
            end
            items, at = (order .. property.length.code):unpack(bytes, at)
        end
        if items < 0 or items > (#bytes - at + 1) // property.type.size then
            return nil
        end
        at = at + items * property.type.size
    end
    return at
end

local function skip_binary(bytes, element, order, place)
    local size = fixed_size(element)
    if size then
        local ok, message = columns.contained(bytes, place.at, element.count, size,
            "elements '" .. element.shown .. "'")
        place.at = place.at + (ok and element.count * size or 0)
        return ok, message
    end
    for row = 1, element.count do
        local at = skip_row(bytes, element, order, place.at)
        if not at then
            return nil, ("element %s of %s '%s', at byte %s, has a list that exceeds the file"):format(
                report.count(row), report.count(element.count), element.shown, report.count(place.at - 1))
        end
        place.at = at
    end
    return true
end

-- Moves `place` to the first vertex.
local function skip_to_vertices(bytes, header, place)
    for _, element in ipairs(header) do
        if element == header.vertex then
            return true
        end
        local ok, message, line
        if header.format == "ascii" then
            ok, message, line = skip_lines(bytes, element, place)
        else
            ok, message = skip_binary(bytes, element, header.order, place)
        end
        if not ok then
            return nil, message, line or element.line
        end
    end
end

-- ---- the vertices ----

local function field_names(vertex)
    local names = {}
    for i, property in ipairs(vertex) do
        if property.length then
            return nil, ("its vertices have a list, '%s'; only single numbers are read"):format(
                columns.show(property.name))
        end
        names[i] = property.name
    end
    return names
end

local function binary_layout(vertex, order, chosen, first)
    local layout, offset, step = {}, 0, fixed_size(vertex)
    for i, property in ipairs(vertex) do
        for name, place in pairs(chosen) do
            if place == i then
                layout[name] = {code = order .. property.type.code, first = first + offset, step = step}
            end
        end
        offset = offset + property.type.size
    end
    return layout
end

local function read_vertices(bytes, header, place, chosen)
    local vertex = header.vertex
    local binary = header.format ~= "ascii"
    local ok, message = columns.contained(bytes, place.at, vertex.count, binary and fixed_size(vertex) or 1, "vertices")
    if ok then
        ok, message = columns.allowed(vertex.count)
    end
    if not ok then
        return nil, message, vertex.line
    elseif binary then
        return columns.binary(bytes, vertex.count, binary_layout(vertex, header.order, chosen, place.at))
    end
    return columns.text(bytes, place, vertex.count, #vertex, chosen)
end

-- The points of a file; `value` names the property that becomes the value (nil: an intensity, if there is one).
function ply.decode(bytes, value)
    local header, message, line = read_header(bytes)
    if not header then
        return nil, message, line
    end
    local names, chosen
    names, message = field_names(header.vertex)
    if names then
        chosen, message = columns.choose(names, value)
    end
    if not chosen then
        return nil, message, header.vertex.line
    end
    local place = {at = header.at, line = header.line}
    local skipped, why, where = skip_to_vertices(bytes, header, place)
    if not skipped then
        return nil, why, where
    end
    local cloud
    cloud, message, line = read_vertices(bytes, header, place, chosen)
    if not cloud then
        return nil, message, line
    end
    cloud.format, cloud.fields, cloud.value_name = "PLY, " .. header.format, names, names[chosen.value]
    return cloud
end

return ply
