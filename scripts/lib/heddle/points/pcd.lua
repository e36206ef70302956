-- PCD files of the Point Cloud Library: DATA ascii, binary and binary_compressed, fields of any order, type and count.
--
--   local cloud = pcd.decode(bytes, "intensity")     -- the second is the field that is the value
--
-- Format: "The PCD (Point Cloud Data) file format", version 0.7. Compressed data hold the fields one after the other
-- (all x, then all y, ...), packed by LZF.
local columns = require "heddle.points.columns"
local lzf = require "heddle.points.lzf"
local report = require "heddle.kit.report"
local fail = columns.fail

local pcd = {}

local codes = {
    F = {[4] = "<f", [8] = "<d"},
    I = {"<i1", "<i2", [4] = "<i4", [8] = "<i8"},
    U = {"<I1", "<I2", [4] = "<I4", [8] = "<I8"},
}

-- ---- the header ----

-- Header lines that are lists with an entry for each field, and those that are one number.
local lists = {FIELDS = true, SIZE = true, TYPE = true, COUNT = true}
local numbers = {WIDTH = true, HEIGHT = true, POINTS = true}
local ignored = {VERSION = true, VIEWPOINT = true}

local function read_line(header, word, rest)
    word = word == "COLUMNS" and "FIELDS" or word -- its name before version 0.6
    if lists[word] then
        local list = {}
        for entry in rest:gmatch "%S+" do
            list[#list + 1] = entry
        end
        header[word] = list
    elseif numbers[word] then
        header[word] = columns.count(rest) or
            fail(header.line, "%s is a whole number, not '%s'", word, columns.show(rest))
    elseif not ignored[word] then
        fail(header.line, "'%s' is not a line of a PCD header", columns.show(word))
    end
    header.lines[word] = header.line
end

local function read_header(bytes)
    local header = {at = 1, line = 0, lines = {}}
    for _, word, rest in columns.lines(bytes, header) do
        if word == "DATA" then
            header.data, header.lines.DATA = rest, header.line
            header.line = header.line + 1
            return header
        elseif word and word:sub(1, 1) ~= "#" then
            read_line(header, word, rest)
        end
    end
    fail(header.line, "the file ends in its header, without a line 'DATA'")
end

-- The fields as a list of {name, code, size, count, offset}, and header.step, the bytes of a point, and
-- header.numbers, the numbers of a point.
local function read_fields(header)
    for _, word in ipairs {"FIELDS", "SIZE", "TYPE"} do
        if not header[word] then
            fail(header.lines.DATA, "the header has no line '%s'", word)
        end
    end
    local fields, step, width = {}, 0, 0
    for i, name in ipairs(header.FIELDS) do
        local size, kind = columns.count(header.SIZE[i] or ""), header.TYPE[i]
        local count = columns.count(header.COUNT and header.COUNT[i] or not header.COUNT and "1" or "")
        local code = codes[kind] and codes[kind][size]
        if not code then
            fail(header.lines.TYPE, "field '%s' has type '%s' of size '%s'; expected F 4 8, I or U 1 2 4 8",
                columns.show(name), columns.show(kind or "none"), columns.show(header.SIZE[i] or "none"))
        elseif not count or count > columns.limit then
            fail(header.lines.COUNT, "field '%s' has no usable COUNT", columns.show(name))
        end
        fields[i] = {name = name, code = code, size = size, count = count, offset = step, first = width + 1}
        step, width = step + size * count, width + count
    end
    header.step, header.numbers = step, width
    return fields
end

local function read_points(header)
    local points = header.POINTS or header.WIDTH and header.HEIGHT and 1.0 * header.WIDTH * header.HEIGHT
    if not points then
        fail(header.lines.DATA, "the header has no usable number of POINTS, or WIDTH and HEIGHT")
    end
    columns.check_count(header.lines.POINTS or header.lines.WIDTH, points)
    if header.WIDTH and header.HEIGHT and points ~= 1.0 * header.WIDTH * header.HEIGHT then
        fail(header.lines.POINTS, "POINTS is %s, and WIDTH x HEIGHT %s x %s", report.count(points),
            report.count(header.WIDTH), report.count(header.HEIGHT))
    end
    return math.tointeger(points)
end

-- ---- data ----

local readers = {}

function readers.ascii(bytes, header, points, chosen, fields)
    columns.check_size(header.lines.POINTS, bytes, header.at, points, 1, "points")
    local first = {}
    for name, i in pairs(chosen) do
        first[name] = fields[i].first
    end
    local cloud = columns.text(bytes, header, points, header.numbers, first)
    return cloud, #bytes:sub(header.at):gsub("%s+$", "")
end

function readers.binary(bytes, header, points, chosen, fields)
    columns.check_size(header.lines.POINTS, bytes, header.at, points, header.step, "points")
    return columns.binary(bytes, header.at, points, fields, chosen, header.step),
        #bytes + 1 - header.at - points * header.step
end

function readers.binary_compressed(bytes, header, points, chosen, fields)
    local at = header.at
    if #bytes - at + 1 < 8 then
        fail(header.line, "the file ends before the two sizes of its compressed data")
    end
    local packed, size = ("<I4I4"):unpack(bytes, at)
    if packed > #bytes - at - 7 then
        fail(header.line, "%s of compressed data are announced, but the file has %s from byte %s on",
            report.plural(packed, "byte"), report.count(#bytes - at - 7), report.count(at + 7))
    elseif size > columns.limit or header.step > 0 and points ~= size // header.step or size % header.step ~= 0 then
        fail(header.lines.POINTS, "%s of %d bytes are announced, but %s of data (at most %s)",
            report.plural(points, "point"), header.step, report.plural(size, "byte"), report.count(columns.limit))
    end
    local plain, message = lzf.decompress(bytes, at + 8, packed, size)
    return columns.binary(plain or fail(header.line, "%s", message), 1, points, fields, chosen)
end

-- The points of a file; `value` names the field that becomes the value (nil: an intensity, if there is one).
function pcd.decode(bytes, value)
    local header = read_header(bytes)
    local lines = header.lines
    local reader = readers[header.data] or
        fail(lines.DATA, "DATA is '%s'; expected ascii, binary or binary_compressed", columns.show(header.data))
    local fields = read_fields(header)
    local chosen = columns.choose(lines.FIELDS, header.FIELDS, value)
    for _, i in pairs(chosen) do
        if fields[i].count == 0 then
            fail(lines.COUNT, "field '%s' has a COUNT of 0", fields[i].name)
        end
    end
    local cloud, rest = reader(bytes, header, read_points(header), chosen, fields)
    columns.note_rest(cloud, rest or 0)
    cloud.format, cloud.fields = "PCD, " .. header.data, header.FIELDS
    cloud.value_name = header.FIELDS[chosen.value]
    return cloud
end

return pcd
