-- The header of a .npy file, without its data.
--
--   local head = npy.look "x.npy"        {shape = {1, 4, 64, 64}}, or nil
--
-- nil for any other file and for "-": context:npy reports the error when it reads them. Studies use this to refuse a
-- tensor that is too large before they allocate it. Not for pipes: what is read from a pipe here is lost.
local npy = {}

local HEAD <const> = 1 << 16 -- longest header, in bytes

function npy.look(path)
    local file <close> = path ~= "-" and io.open(path, "rb") or nil
    local head = file and file:read(HEAD) or ""
    local inside = head:find "^\x93NUMPY" and head:match "['\"]shape['\"]%s*:%s*%(([%d,%s]*)%)"
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
