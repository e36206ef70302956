-- JSON text of Lua values: json.encode{name = "x", list = {1, 2}}. Keys are sorted, integers exact; NaN and infinities,
-- which JSON lacks, are null. A table with elements, or json.list{}, is an array.
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

local function number(v)
    if math.type(v) == "integer" then
        return tostring(v)
    elseif v ~= v or v == math.huge or v == -math.huge then
        return "null"
    end
    return (("%.17g"):format(v):gsub(",", "."))
end

local encode

local function members(t, indent)
    local keys, out = {}, {}
    for key in pairs(t) do
        keys[#keys + 1] = tostring(key)
    end
    table.sort(keys)
    for i, key in ipairs(keys) do
        out[i] = indent .. quote(key) .. ": " .. encode(t[key], indent)
    end
    return out
end

function encode(v, indent)
    local kind = type(v)
    if kind == "number" then
        return number(v)
    elseif kind == "boolean" or v == nil then
        return v == nil and "null" or tostring(v)
    elseif kind ~= "table" then
        return quote(tostring(v))
    end
    local deeper, out = indent .. "  ", {}
    local array = #v > 0 or getmetatable(v) == list
    if array then
        for i, element in ipairs(v) do
            out[i] = deeper .. encode(element, deeper)
        end
    else
        out = members(v, deeper)
    end
    local open, close = array and "[" or "{", array and "]" or "}"
    if #out == 0 then
        return open .. close
    end
    return open .. "\n" .. table.concat(out, ",\n") .. "\n" .. indent .. close
end

-- The text, with a newline at its end.
function json.encode(v)
    return encode(v, "") .. "\n"
end

return json
