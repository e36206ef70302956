-- Numbers of a case: in the types of buffers, compared, and what expressions compute with.
--
--   numbers.converter("u8")(300)             44: the value as an element holds it
--   numbers.same(0 / 0, 0 / 0)               true
--   numbers.close(100, 100.5, 0.01)          true: apart by a share of the wanted one, or of 1
--   numbers.LIBRARY                          what expressions may use
local bounded = require "heddle.cases.bounded"
local lists = require "heddle.kit.lists"

local numbers = {}

-- A function for each type: the value as an element holds it. Whole numbers wrap, fp32 is rounded, truth is 1 or 0.
local CONVERT = {
    f32 = function(v)
        return v == true and 1 or v == false and 0 or string.unpack("<f", (string.pack("<f", v)))
    end,
}

-- Explains why a number is none of the integers that wrap: 2^63 + i is floating point, with a spacing of 1,024.
local function not_whole(v)
    local far = math.type(v) == "float" and v == math.floor(v) and v - v == 0
    error((far and "%.17g is floating point, beyond integers of 64 bits; 1 << 63 is one" or
        "%s is not a whole number"):format(v), 0)
end

local function integers(bits, signed)
    local mask, sign = bits == 64 and -1 or (1 << bits) - 1, signed and bits < 64 and 1 << bits - 1 or 0
    return function(v)
        if v == true or v == false then
            return v and 1 or 0
        end
        v = math.tointeger(v) or not_whole(v)
        return ((v & mask) ~ sign) - sign
    end
end
for bits = 3, 6 do
    CONVERT["u" .. (1 << bits)], CONVERT["i" .. (1 << bits)] = integers(1 << bits, false), integers(1 << bits, true)
end

-- Truth as 1 or 0.
function numbers.plain(v)
    if v == true or v == false then
        return v and 1 or 0
    end
    return v
end

function numbers.converter(type)
    return CONVERT[type] or numbers.plain
end

function numbers.same(want, got)
    return want == got or (want ~= want and got ~= got)
end

function numbers.close(want, got, tolerance)
    return numbers.same(want, got) or math.abs(want - got) <= tolerance * math.max(1, math.abs(want))
end

-- Finds the first difference of two results, as text; nil if they are equal. The second may have the keys of `more` and
-- the first not.
function numbers.difference(a, b, path, more)
    if type(a) ~= "table" or type(b) ~= "table" then
        return not numbers.same(a, b) and ("%s: %s, %s"):format(path, a, b) or nil
    end
    for key, value in pairs(a) do
        local found = numbers.difference(value, b[key], path .. "." .. tostring(key), more)
        if found then
            return found
        end
    end
    for key in pairs(b) do
        if a[key] == nil and not (more and more[key]) then
            return ("%s.%s is new"):format(path, key)
        end
    end
end

-- Names that expressions may use, besides W, the arguments and the buffers. A file cannot change them for another.
numbers.LIBRARY = {
    math = lists.merge(math), string = lists.merge(bounded.string), table = lists.merge(bounded.table),
    select = select, ipairs = ipairs, pairs = pairs, tostring = tostring,
    u32 = CONVERT.u32,
    s32 = CONVERT.i32,
    f32 = function(v) return (CONVERT.f32(v)) end,
    bits32 = function(v) return (string.unpack("<I4", string.pack("<f", v))) end, -- bits of an fp32, and back
    float32 = function(v) return (string.unpack("<f", string.pack("<I4", v & 0xffffffff))) end,
    bits64 = function(v) return (string.unpack("<i8", string.pack("<d", v))) end,
    float64 = function(v) return (string.unpack("<d", string.pack("<i8", v))) end,
    log2 = function(v)
        local n = 0
        while v > 1 do
            v, n = v >> 1, n + 1
        end
        return n
    end,
}

return numbers
