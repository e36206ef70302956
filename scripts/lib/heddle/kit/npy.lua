-- The header of a .npy file, without its data.
--
--   local head = npy.look "x.npy"        {shape = {1, 4, 64, 64}}, or nil
--
-- nil for any other file and for "-": context:npy reports the error when it reads them. Studies use this to refuse a
-- tensor that is too large before they allocate it. Not for pipes: what is read from a pipe here is lost.
local npy = {}

local HEAD <const> = 1 << 16 -- longest header, in bytes

-- The dictionary of a header, as text.
local function dictionary(file)
    local front = file:read(10)
    if not front or #front < 10 or front:sub(1, 6) ~= "\x93NUMPY" then
        return nil
    end
    local major, size = front:byte(7), ("<I2"):unpack(front, 9)
    if major > 1 then
        local more = file:read(2)
        size = more and #more == 2 and ("<I4"):unpack(front:sub(9) .. more) or HEAD + 1
    end
    return size <= HEAD and file:read(size) or nil
end

function npy.look(path)
    local file = path ~= "-" and io.open(path, "rb")
    if not file then
        return nil
    end
    local ok, text = pcall(dictionary, file)
    file:close()
    local inside = ok and text and text:match "['\"]shape['\"]%s*:%s*%(([%d,%s]*)%)"
    if not inside then
        return nil
    end
    local shape = {}
    for digits in inside:gmatch "%d+" do
        shape[#shape + 1] = math.tointeger(tonumber(digits))
        if not shape[#shape] then
            return nil -- beyond 64 bits
        end
    end
    return {shape = shape}
end

return npy
