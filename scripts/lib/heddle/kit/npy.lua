-- What a .npy file says it holds, without reading what it holds.
--
--   local head = npy.look "x.npy"        {shape = {1, 4, 64, 64}}, or nil
--
-- nil for whatever does not look like such a file, and for "-": reading it (context:npy) then says what is wrong with
-- it. So studies can refuse a tensor that would be too large before room is made for it. A pipe is not to be looked at:
-- what was read of it is gone.
local npy = {}

local HEAD <const> = 1 << 16 -- bytes of a header that are looked at

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
