-- Point clouds from files, detected by their contents: PLY, PCD, .npy, raw float32 numbers, or tables as text.
--
--   local cloud, message = points.read("scan.ply")                    -- "-" is standard input
--   local cloud, message = points.decode(bytes, "scan.bin", {raw = {"x", "y", "z", "intensity"}})
--   cloud.count, cloud.x[1], cloud.y[1], cloud.z[1], cloud.value and cloud.value[1]
--   cloud.format, cloud.fields, cloud.value_name, cloud.notes         -- "PLY, ascii", {"x", ...}, "intensity" or nil
--
-- Raw files have the extension .bin, with the fields of KITTI's scans or those of nuScenes (options.floats: 4 or 5), or
-- options.raw, a list of field names. Text is a table (docs/running.md), whose columns are named, or x y z and more; a
-- first line with nothing but their number is that of PTS. options.value names the field that becomes the value; of
-- text without names it is the number of a column, from 1; options.empty = "nan" takes empty fields of text.
-- An empty file, or text without a point, is an error; a header with 0 points is an empty cloud.
-- Failing functions return nil and a message that begins with the file's name.
local heddle = require "heddle"
local columns = require "heddle.points.columns"
local lists = require "heddle.kit.lists"
local pcd = require "heddle.points.pcd"
local ply = require "heddle.points.ply"
local report = require "heddle.kit.report"
local whole = require "heddle.kit.file"
local fail = columns.fail

local points = {}

-- The beginnings of files by extension, for messages.
local heads = {
    ply = "a PLY file begins with the lines 'ply', 'format ascii 1.0', 'element vertex N', 'property float x', ..., " ..
        "'end_header'",
    pcd = "a PCD file begins with the lines 'VERSION 0.7', 'FIELDS x y z', 'SIZE 4 4 4', 'TYPE F F F', ..., " ..
        "'DATA ascii'",
}

local AS_RAW = "float32 numbers are read with --raw FIELD,..., such as --raw x,y,z"

local KITTI = {"x", "y", "z", "intensity"} -- Geiger et al., "Vision meets Robotics: The KITTI Dataset", 2013
local NUSCENES = {"x", "y", "z", "intensity", "ring"} -- Caesar et al., "nuScenes", 2020: LIDAR_TOP, .pcd.bin
local PROBED <const> = 1000 -- points that decide between the two formats

local function decode_raw(bytes, names, value)
    local chosen = columns.choose(nil, names, value)
    local step, fields = 4 * #names, lists.map(names, function(_, i) return {code = "<f", offset = 4 * i - 4} end)
    if #bytes % step ~= 0 then
        fail(nil, "%s bytes are not a whole number of points of %d float32 (%s); name the fields with --raw",
            report.count(#bytes), #names, columns.list(names))
    end
    columns.check_count(nil, #bytes // step)
    local cloud = columns.binary(bytes, 1, #bytes // step, fields, chosen, step)
    cloud.format, cloud.fields, cloud.value_name = "raw float32", names, names[chosen.value]
    return cloud
end

-- True if the last of `floats` numbers of each point is in a range, and whole if required.
local function last_is(bytes, floats, high, is_whole)
    for at = 4 * floats - 3, math.min(#bytes, PROBED * 4 * floats), 4 * floats do
        local v = ("<f"):unpack(bytes, at)
        if not (v >= 0 and v <= high and (not is_whole or v == math.floor(v))) then
            return false
        end
    end
    return true
end

-- The fields of a .bin file: by its size, and where that fits both, by what the last number of a point can be.
local function fields_of_bin(bytes, floats)
    local four, five = #bytes % 16 == 0, #bytes % 20 == 0
    if floats then
        return floats == 5 and NUSCENES or KITTI
    elseif four and five then
        local intensity = last_is(bytes, 4, 1, false) or last_is(bytes, 4, 255, true)
        local ring = last_is(bytes, 5, 255, true)
        if intensity == ring then
            fail(nil, "its %s bytes are points of 4 float32 (%s: KITTI) as well as of 5 (%s: nuScenes); say which " ..
                "by --floats 4 or --floats 5", report.count(#bytes), columns.list(KITTI), columns.list(NUSCENES))
        end
        return ring and NUSCENES or KITTI
    elseif not four and not five then
        fail(nil, "%s bytes are not a whole number of points of 4 float32 (%s) or 5 (%s); name the fields with --raw",
            report.count(#bytes), columns.list(KITTI), columns.list(NUSCENES))
    end
    return five and NUSCENES or KITTI
end

-- A .npy array of points, [N, C]: x y z and more.
local function decode_npy(bytes, value)
    local ctx <close> = heddle.new()
    local good, b, note = pcall(ctx.npy, ctx, "points", bytes)
    if not good then
        fail(nil, "%s", tostring(b.message or b):gsub("^.*error: ", ""):gsub("\n.*", ""))
    end
    local names, shape = {"x", "y", "z"}, b.shape
    local code = ({f32 = "<f", f64 = "<d", i8 = "<i1", i16 = "<i2", i32 = "<i4", i64 = "<i8", u8 = "<I1", u16 = "<I2",
        u32 = "<I4", u64 = "<I8"})[b.type]
    if not code or #shape ~= 2 or shape[2] < 3 then
        fail(nil, "the array is %s[%s]; points are [N,3] or wider, of real numbers", b.type, table.concat(shape, ","))
    end
    for i = 4, shape[2] do
        names[i] = "column " .. i
    end
    local chosen, size = columns.choose(nil, names, value and "column " .. value), code:packsize()
    columns.check_count(nil, shape[1])
    local cloud = columns.binary(b:bytes(), 1, shape[1], lists.map(names, function(_, i)
        return {code = code, offset = size * (i - 1)}
    end), chosen, size * shape[2])
    cloud.format, cloud.fields, cloud.value_name = "npy", names, names[chosen.value]
    cloud.notes = {note and note:match "note: ([^\n]*)"}
    return cloud
end

-- ---- text ----

local NO_NUMBER = "; the file is read as text, since it begins like none of the other formats; " .. AS_RAW

-- The number of points that PTS puts before them, and the text with blanks in its place; or nil and the text.
local function take_count(text)
    local at = text:find "^\xef\xbb\xbf" and 4 or 1
    while text:find("^[ \t]*[#/%%][^\n]*\n", at) or text:find("^[ \t\r]*\n", at) do
        at = text:find("\n", at, true) + 1
    end
    local number, stop = text:match("^[ \t]*(%d+)[ \t\r]*()\n[ \t]*[^ \t,;\n]+[ \t,;]+[^ \t,;\n]", at)
    if not number then
        return nil, text
    end
    return columns.count(number), text:sub(1, at - 1) .. (" "):rep(stop - at) .. text:sub(stop)
end

-- Names of columns as they are meant: "X [m]" is x.
local function meant(names)
    return lists.map(names, function(name)
        local short = name:match "^%s*(.-)%s*[%[%(].*$" or name
        return short ~= "" and short or name
    end)
end

-- The columns of a table: by their names, or the first three and that of the value.
local function choose_columns(head, value)
    local names = head.names and meant(head.names)
    local known = names and lists.set(lists.map(names, string.lower))
    local column = value and columns.count(value)
    if head.width < 3 then
        fail(head.first, "the line has %s; a point has three, x y z", report.plural(head.width, "number"))
    elseif names and (head.named or known.x and known.y and known.z) and not column then
        return columns.choose(head.named, names, value), names
    elseif value and not column and not names then
        fail(nil, "the value of a text file without names is a column from 4 on, not '%s'", columns.show(value))
    end
    local chosen = names and known.x and known.y and known.z and columns.choose(nil, names) or {x = 1, y = 2, z = 3}
    if column and (column < 4 or column > 1000) then
        fail(nil, "the value of a text file is a column from 4 on, not '%s'", columns.show(value))
    elseif column and column > head.width then
        fail(head.first, "the line has %s; a point has at least %d", report.plural(head.width, "number"), column)
    end
    chosen.value = column or chosen.value
    return chosen, names or {"x", "y", "z"}
end

local function decode_text(bytes, value, empty)
    local announced, text = take_count(bytes)
    local head = columns.table(text, {columns = {}})
    if head.width == 0 or head.rows == 0 then
        fail(nil, head.named and "there are names of columns, and no point below them%s" or
            "there is no point in it; text has x y z on each line%s", head.named and NO_NUMBER or "")
    end
    local chosen, names = choose_columns(head, value)
    columns.check_count(nil, head.rows)
    local t = columns.table(text, {columns = {chosen.x, chosen.y, chosen.z, chosen.value}, empty = empty})
    local cloud = columns.of_table(t, chosen)
    cloud.format, cloud.fields, cloud.notes = announced and "text, PTS" or "text", names, {}
    cloud.value_name = chosen.value and (head.names and names[chosen.value] or "column " .. chosen.value)
    if announced and announced ~= t.rows then
        cloud.notes[1] = ("its first line announces %s, and %s there"):format(report.plural(announced, "point"),
            t.rows == 1 and "1 is" or report.count(t.rows) .. " are")
    end
    return cloud
end

-- ---- all of them ----

-- Formats that are recognised but not read: the start of the file, or its extension, and what to do.
local POINTS <const> = "; convert it to PLY or text with x y z on each line, as CloudCompare, PDAL and meshlab do"
local others = {
    {begins = "^LASF", is = function(bytes)
        local packed = #bytes > 104 and bytes:byte(105) >= 128
        return (packed and "a LAZ file" or "a LAS file") .. "; convert it: pdal translate scan.las scan.ply, or " ..
            "las2txt -i scan.las -o scan.txt -parse xyzi"
    end},
    {begins = "^ASTM%-E57", is = "an E57 file" .. POINTS},
    {begins = "^\x1f\x8b", is = "compressed by gzip; gunzip it first"},
    {begins = "^PK\3\4", is = "a zip archive; unzip it first"},
    {begins = "^\x89HDF", is = "an HDF5 file; save its points as .npy"},
    {begins = "^solid%s", is = "an STL file: triangles and no points" .. POINTS, unless = "^solid%s+%d"},
    {ends = "%.stl$", is = "an STL file: triangles and no points" .. POINTS},
    {ends = "%.obj$", is = "an OBJ file; its points as text: awk '$1 == \"v\" {print $2, $3, $4}' scan.obj >scan.xyz"},
    {ends = "%.ptx$", is = "a PTX scan, with the place of its scanner before the points" .. POINTS},
    {ends = "%.off$", is = "an OFF file" .. POINTS},
}

local function refuse_others(bytes, label)
    for _, row in ipairs(others) do
        if row.begins and bytes:find(row.begins) and not (row.unless and bytes:find(row.unless)) or
            row.ends and label:find(row.ends) then
            fail(nil, "this is %s", type(row.is) == "string" and row.is or row.is(bytes))
        end
    end
end

-- True if the first line that is not a comment is one of a PCD header.
local function is_pcd(bytes)
    local at = 1
    while bytes:find("^#", at) do
        at = (bytes:find("\n", at, true) or #bytes) + 1
    end
    return bytes:find "^# %.PCD" or bytes:find("^VERSION%s", at) or bytes:find("^FIELDS%s", at)
end

local function decode(bytes, label, options)
    local head = heads[label:lower():match "%.(%a+)$"]
    if bytes == "" then
        fail(nil, "the file is empty%s", head and "; " .. head or "")
    elseif options.raw then
        return decode_raw(bytes, options.raw, options.value)
    elseif bytes:find "^ply[ \t\r]*\n" then
        return ply.decode(bytes, options.value)
    elseif is_pcd(bytes) then
        return pcd.decode(bytes, options.value)
    elseif bytes:find "^\x93NUMPY" then
        return decode_npy(bytes, options.value)
    end
    refuse_others(bytes, label:lower())
    if options.floats or label:lower():find "%.bin$" then
        return decode_raw(bytes, fields_of_bin(bytes, options.floats), options.value)
    elseif head then
        fail(1, "the beginning of the file does not match its extension; %s", head)
    elseif bytes:find "[\0-\8\14-\31]" and not bytes:find "^\xff\xfe" and not bytes:find "^\xfe\xff" then
        fail(nil, "the file is not text, and begins like none of the other formats; %s", AS_RAW)
    end
    return decode_text(bytes, options.value, options.empty)
end

-- The points in the bytes of a file; `label` is its name.
function points.decode(bytes, label, options)
    local ok, cloud = pcall(decode, bytes, label, options or {})
    if ok then
        return cloud
    elseif type(cloud) ~= "table" or not cloud.point_cloud then
        error(cloud, 0)
    end
    return nil, label .. (cloud.line and (":%s: "):format(cloud.line) or ": ") .. cloud.point_cloud
end

-- The points of a file.
function points.read(path, options)
    local file, why = whole.open(path)
    if not file then
        return nil, why
    end
    local label = path == "-" and "standard input" or path
    local bytes, message = whole.rest(file, columns.limit)
    whole.close(file)
    if not bytes then
        return nil, label .. ": " .. message
    end
    return points.decode(bytes, label, options)
end

return points
