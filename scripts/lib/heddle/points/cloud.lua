-- Point clouds from files, detected by their contents: PLY, PCD, raw float32 numbers, or lines of text.
--
--   local cloud, message = points.read("scan.ply")                    -- "-" is standard input
--   local cloud, message = points.decode(bytes, "scan.bin", {raw = {"x", "y", "z", "intensity"}})
--   cloud.count, cloud.x[1], cloud.y[1], cloud.z[1], cloud.value and cloud.value[1]
--   cloud.format, cloud.fields, cloud.value_name                      -- "PLY, ascii", {"x", ...}, "intensity" or nil
--
-- Raw files have the extension .bin, with the four fields of KITTI's scans, or options.raw, a list of field names.
-- Text is x y z and more columns on each line; '#' begins a comment, commas and semicolons separate numbers too.
-- options.value names the field that becomes the value; in text it is the number of a column, from 1.
-- An empty file, or text without a point, is an error; a header with 0 points is an empty cloud.
-- Failing functions return nil and a message that begins with the file's name.
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

local NO_NUMBER = "; the file is read as text, since it begins neither like PLY nor like PCD; " .. AS_RAW

local function decode_text(bytes, value)
    local cloud = {count = 0, x = {}, y = {}, z = {}, format = "text", fields = {"x", "y", "z"}}
    local target, least, line = {cloud.x, cloud.y, cloud.z}, 3, 1
    local at = bytes:find "^\xef\xbb\xbf" and 4 or 1 -- after a UTF-8 byte order mark
    if value then
        local column = columns.count(value)
        if not column or column < 4 or column > 1000 then
            fail(nil, "the value of a text file is a column from 4 on, not '%s'", columns.show(value))
        end
        cloud.value, cloud.value_name, least = {}, "column " .. column, column
        target[column] = cloud.value
    end
    while at <= #bytes do
        local stop = bytes:find("\n", at, true) or #bytes + 1
        local text = bytes:sub(at, stop - 1):gsub("#.*$", "")
        local n = columns.line(text, "[^%s,;]+", target, cloud.count + 1, line, NO_NUMBER)
        if n > 0 and n < least then
            fail(line, "the line has %d number%s; a point has %s", n, n == 1 and "" or "s",
                least > 3 and ("at least %d"):format(least) or "three, x y z")
        end
        cloud.count = cloud.count + (n > 0 and 1 or 0)
        if cloud.count > columns.most then
            fail(line, "the file has more than %s points, the limit", report.count(columns.most))
        end
        at, line = stop + 1, line + 1
    end
    return cloud.count > 0 and cloud or fail(nil, "there is no point in it; text has x y z on each line")
end

-- Whether the first line that is not a comment is one of a PCD header.
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
    elseif label:lower():find "%.bin$" then
        return decode_raw(bytes, KITTI, options.value)
    elseif head then
        fail(1, "the beginning of the file does not match its extension; %s", head)
    elseif bytes:find("[\0-\8\14-\31]") then
        fail(nil, "the file is not text, and begins neither like PLY nor like PCD; %s", AS_RAW)
    end
    return decode_text(bytes, options.value)
end

-- The points in the bytes of a file; `label` is its name.
function points.decode(bytes, label, options)
    local ok, cloud = pcall(decode, bytes, label, options or {})
    if ok then
        return cloud
    elseif type(cloud) ~= "table" or not cloud.point_cloud then
        error(cloud, 0)
    end
    return nil, label .. (cloud.line and (":%d: "):format(cloud.line) or ": ") .. cloud.point_cloud
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
