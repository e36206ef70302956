-- JSON text of Lua values: json.encode{name = "x", list = {1, 2}}. Keys are sorted, integers exact; NaN and infinities,
-- which JSON lacks, are null. A table with elements, or json.list{}, is an array.
local lists = require "heddle.kit.lists"

local json = {}

local list = {}

-- Marks a table that may be empty as an array.
function json.list(t)
    return setmetatable(t, list)
end

local escapes = {['"'] = '\\"', ["\\"] = "\\\\", ["\n"] = "\\n", ["\r"] = "\\r", ["\t"] = "\\t"}

local function quote(s)
    if not utf8.len(s) then -- bytes that are no UTF-8 are taken as Latin-1
        s = s:gsub("[\x80-\xff]", function(c) return utf8.char(c:byte()) end)
    end
    return '"' .. s:gsub('[%c"\\]', function(c) return escapes[c] or ("\\u%04x"):format(c:byte()) end) .. '"'
end

local encode

-- The elements or members of a table, each on a line of its own.
local function parts(t, array, indent)
    if array then
        return lists.map(t, function(v) return indent .. encode(v, indent) end)
    end
    local keys = {}
    for key in pairs(t) do
        keys[#keys + 1] = tostring(key)
    end
    table.sort(keys)
    return lists.map(keys, function(key) return ("%s%s: %s"):format(indent, quote(key), encode(t[key], indent)) end)
end

function encode(v, indent)
    if math.type(v) == "float" then
        return v - v ~= 0 and "null" or (("%.17g"):format(v):gsub(",", "."))
    elseif type(v) ~= "table" then
        return type(v) == "string" and quote(v) or v == nil and "null" or tostring(v)
    end
    local array = #v > 0 or getmetatable(v) == list
    local open, close, out = array and "[" or "{", array and "]" or "}", parts(v, array, indent .. "  ")
    return #out == 0 and open .. close or
        ("%s\n%s\n%s%s"):format(open, table.concat(out, ",\n"), indent, close)
end

-- The text, with a newline at its end.
function json.encode(v)
    return encode(v, "") .. "\n"
end

return json
