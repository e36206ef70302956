-- PLY files: the points of the element "vertex", in ascii, binary_little_endian or binary_big_endian, with properties
-- of any order and type. Elements before the vertices are skipped, and so are lists; elements after them are not read.
--
--   local cloud = ply.decode(bytes, "intensity")     -- the second is the property that is the value
--
-- Format: Greg Turk, "The PLY Polygon File Format", 1994.
local columns = require "heddle.points.columns"
local report = require "heddle.kit.report"
local fail = columns.fail

local ply = {}

-- Bytes and code of a number, by both families of names.
local types = {}
for code, names in pairs {
    i1 = "char int8", I1 = "uchar uint8", i2 = "short int16", I2 = "ushort uint16", i4 = "int int32",
    I4 = "uint uint32", f = "float float32", d = "double float64",
} do
    for name in names:gmatch "%S+" do
        types[name] = {code = code, size = ("<" .. code):packsize(), whole = code:find "%d" ~= nil}
    end
end

local orders = {ascii = "", binary_little_endian = "<", binary_big_endian = ">"}

-- ---- the header ----

-- The handler of each header line: function(header, rest of the line).
local keywords = {}

function keywords.format(header, rest)
    local name, version = rest:match "^(%S+)%s+(%S+)$"
    header.order, header.format = orders[name or ""], name
    if not header.order then
        fail(header.line, "the format is ascii, binary_little_endian or binary_big_endian, then 1.0")
    elseif version ~= "1.0" then
        fail(header.line, "version '%s' of the format; 1.0 is read", columns.show(version))
    end
end

function keywords.element(header, rest)
    local name, number = rest:match "^(%S+)%s+(%S+)$"
    local count = columns.count(number or "")
    if not count then
        fail(header.line, "an element is 'element NAME COUNT', the count a whole number")
    elseif name == "vertex" and header.vertex then
        fail(header.line, "there is an element 'vertex' already")
    end
    local element = {shown = columns.show(name), count = count, line = header.line, size = 0}
    header[#header + 1] = element
    header.vertex = header.vertex or name == "vertex" and element or nil
end

function keywords.property(header, rest)
    local element, line = header[#header] or fail(header.line, "a property precedes the first 'element'"), header.line
    local count, item, name = rest:match "^list%s+(%S+)%s+(%S+)%s+(%S+)$"
    if not name then
        item, name = rest:match "^(%S+)%s+(%S+)$"
    end
    if not name then
        fail(line, "a property is 'property TYPE NAME' or 'property list TYPE TYPE NAME'")
    end
    for _, kind in pairs {count, item} do
        if not types[kind] then
            fail(line, "'%s' is not a type of PLY, such as float or uchar", columns.show(kind))
        end
    end
    if count and not types[count].whole then
        fail(line, "the length of a list cannot be of type '%s'", count)
    end
    element[#element + 1] = {name = name, code = types[item].code, size = types[item].size, offset = element.size,
        length = types[count]}
    element.size, element.list = element.size + types[item].size, element.list or count and name
end

function keywords.comment() end

keywords.obj_info = keywords.comment

-- The elements in order, `order` and `vertex`, and `at` and `line`: where the data begin.
local function read_header(bytes)
    local header = {at = 1, line = 0}
    for text, word, rest in columns.lines(bytes, header) do
        local handle = header.line > 1 and word and keywords[word]
        if text == "end_header" then
            local missing = not header.order and "format" or not header.vertex and "element vertex"
            if missing then
                fail(header.line, "the header has no %s'%s'", missing == "format" and "line " or "", missing)
            end
            header.line = header.line + 1
            return header
        elseif handle then
            handle(header, rest)
        elseif header.line > 1 or text ~= "ply" then
            fail(header.line, "'%s' is not a line of a PLY header", columns.show(text))
        end
    end
    fail(header.line, "the file ends in its header, without a line 'end_header'")
end

-- ---- elements before the vertices ----

local function skip_lines(bytes, element, place)
    for row = 1, element.count do
        local stop = bytes:find("\n", place.at, true)
        if not stop then
            fail(place.line, "the file ends after %s of %s elements '%s'", report.count(row - 1),
                report.count(element.count), element.shown)
        end
        place.at, place.line = stop + 1, place.line + 1
    end
end

-- Skips one element with lists: the byte after it, or nil when the file ends before. `places`: where its numbers are.
local function skip_row(bytes, element, order, at, places)
    for i, property in ipairs(element) do
        local items = 1
        if property.length then
            if at + property.length.size > #bytes + 1 then
                return nil
            end
            items, at = (order .. property.length.code):unpack(bytes, at)
        end
        if items < 0 or items > (#bytes - at + 1) // property.size then
            return nil
        end
        if places then
            places[i] = at
        end
        at = at + items * property.size
    end
    return at
end

local function skip_binary(bytes, element, order, place)
    if not element.list then
        columns.check_size(element.line, bytes, place.at, element.count, element.size,
            "elements '" .. element.shown .. "'")
        place.at = place.at + element.count * element.size
        return
    end
    for row = 1, element.count do
        place.at = skip_row(bytes, element, order, place.at) or
            fail(element.line, "element %s of %s '%s', at byte %s, has a list that exceeds the file",
                report.count(row), report.count(element.count), element.shown, report.count(place.at - 1))
    end
end

-- ---- the vertices ----

-- Vertices with lists between their numbers: a text without these, so that all lines are of a length.
local function plain_lines(bytes, vertex, place)
    local lines = {}
    for row = 1, vertex.count do
        local stop = bytes:find("\n", place.at, true) or #bytes + 1
        local words, kept, next_word = {}, {}, 1
        for word in bytes:sub(place.at, stop - 1):gmatch "%S+" do
            words[#words + 1] = word
        end
        for _, property in ipairs(vertex) do
            kept[#kept + 1] = not property.length and words[next_word] or nil
            local skipped = property.length and (columns.count(words[next_word] or "") or
                fail(place.line, "the list '%s' has no length", columns.show(property.name))) or 0
            next_word = next_word + 1 + skipped
        end
        if next_word ~= #words + 1 then
            fail(place.line, "the line has %s; its lists say %d", report.plural(#words, "value"), next_word - 1)
        end
        lines[row], place.at, place.line = table.concat(kept, " "), stop + 1, place.line + 1
    end
    return table.concat(lines, "\n") .. "\n"
end

-- Reads a binary file with lists: the numbers of a vertex are found one by one.
local function binary_with_lists(bytes, vertex, order, place, chosen)
    local cloud, at = columns.none(chosen), place.at
    cloud.count, cloud.precision = vertex.count, {}
    for name, i in pairs(chosen) do
        cloud.precision[name] = columns.precision(vertex[i].code)
    end
    for row = 1, vertex.count do
        local first, places = at, {}
        at = skip_row(bytes, vertex, order, at, places) or
            fail(vertex.line, "vertex %s of %s, at byte %s, has a list that exceeds the file", report.count(row),
                report.count(vertex.count), report.count(first - 1))
        for name, i in pairs(chosen) do
            cloud[name][row] = columns.unpack(vertex[i].code, bytes, places[i])
        end
    end
    place.at = at
    return cloud
end

-- The places of x, y, z and the value, which are no lists, among those of a vertex that are none, and the width.
local function without_lists(vertex, chosen)
    local place, width, places = {}, 0, {}
    for i, property in ipairs(vertex) do
        width = width + (property.length and 0 or 1)
        place[i] = not property.length and width
    end
    for name, i in pairs(chosen) do
        places[name] = place[i] or fail(vertex.line, "the property '%s' is a list", columns.show(vertex[i].name))
    end
    return places, width
end

-- True if other elements, such as faces, follow the vertices.
local function elements_behind(header)
    local behind, count = false, 0
    for _, element in ipairs(header) do
        count = behind and count + element.count or 0
        behind = behind or element == header.vertex
    end
    return count > 0
end

-- The points of a file; `value` names the property that becomes the value (nil: an intensity, if there is one).
function ply.decode(bytes, value)
    local header, names = read_header(bytes), {}
    local vertex, binary = header.vertex, header.format ~= "ascii"
    for i, property in ipairs(vertex) do
        names[i], property.code = property.name, header.order .. property.code
    end
    local chosen = columns.choose(vertex.line, names, value)
    local place = {at = header.at, line = header.line}
    for _, element in ipairs(header) do
        if element == vertex then
            break
        elseif binary then
            skip_binary(bytes, element, header.order, place)
        else
            skip_lines(bytes, element, place)
        end
    end
    columns.check_size(vertex.line, bytes, place.at, vertex.count, binary and not vertex.list and vertex.size or 1,
        "vertices")
    columns.check_count(vertex.line, vertex.count)
    local cloud
    local places, width = without_lists(vertex, chosen)
    if binary and vertex.list then
        cloud = binary_with_lists(bytes, vertex, header.order, place, chosen)
    elseif binary then
        cloud = columns.binary(bytes, place.at, vertex.count, vertex, chosen, vertex.size)
        place.at = place.at + vertex.count * vertex.size
    elseif vertex.list then
        local first = place.line
        cloud = columns.text(plain_lines(bytes, vertex, place), {at = 1, line = first}, vertex.count, width, places)
    else
        cloud = columns.text(bytes, place, vertex.count, width, places)
    end
    if not elements_behind(header) then
        columns.note_rest(cloud, #bytes + 1 - (binary and place.at or bytes:find("%S", place.at) or #bytes + 1))
    end
    cloud.format, cloud.fields, cloud.value_name = "PLY, " .. header.format, names, names[chosen.value]
    return cloud
end

return ply
