-- LZF, the compression of PCD files. A block is a row of pieces, whose kinds are in their first bytes:
--
--   000lllll                       l + 1 bytes follow as they are
--   lllhhhhh bbbbbbbb              l + 2 bytes (l = 1..6) again, from h * 256 + b + 1 bytes back
--   111hhhhh llllllll bbbbbbbb     the same with l + 9 bytes
--
-- Format: liblzf (Marc Lehmann), lzf_d.c, public description of the stream.
local report = require "heddle.kit.report"

local lzf = {}

local REACH = 8192   -- bytes a piece can look back
local FLUSH = 65536  -- bytes kept as numbers before they become a string

-- Returns numbers first..last of a list as a string, in pieces, because string.char takes a limited number.
local function text(list, first, last)
    local pieces = {}
    for at = first, last, 4096 do
        pieces[#pieces + 1] = string.char(table.unpack(list, at, math.min(at + 4095, last)))
    end
    return table.concat(pieces)
end

-- Returns length, distance (0 = literal) and the byte after the head of the piece at `at`; nil if the block ends in it.
local function head(bytes, at, stop)
    local control = bytes:byte(at)
    if control < 32 then
        return control + 1, 0, at + 1
    end
    local length, used = control >> 5, 2
    if length == 7 then
        length, used = 7 + (at + 1 < stop and bytes:byte(at + 1) or 0), 3
    end
    if at + used > stop then
        return nil
    end
    return length + 2, ((control & 31) << 8) + bytes:byte(at + used - 1) + 1, at + used
end

-- Decompresses the `packed` bytes from byte `first` (from 1) on to `size` bytes; nil and a message if that fails.
function lzf.decompress(bytes, first, packed, size)
    local out, n, done, kept = {}, 0, 0, {} -- numbers and their count; bytes in strings, and these strings
    local at, stop = first, first + packed
    while at < stop do
        local length, back, from = head(bytes, at, stop)
        if not length or back == 0 and from + length > stop then
            return nil, ("the compressed data end within a piece at byte %d"):format(at - 1)
        elseif back > n or done + n + length > size then
            return nil, ("the compressed data are damaged at byte %d"):format(at - 1)
        end
        if back == 0 then
            table.move({bytes:byte(from, from + length - 1)}, 1, length, n + 1, out)
            from = from + length
        else
            for i = n + 1, n + length do -- one by one: a piece may repeat itself
                out[i] = out[i - back]
            end
        end
        n, at = n + length, from
        if n >= FLUSH then
            kept[#kept + 1] = text(out, 1, n - REACH)
            done = done + n - REACH
            table.move(out, n - REACH + 1, n, 1)
            n = REACH
        end
    end
    if done + n ~= size then
        return nil, ("the compressed data have %s bytes instead of %s"):format(report.count(done + n),
            report.count(size))
    end
    kept[#kept + 1] = text(out, 1, n)
    return table.concat(kept)
end

return lzf
