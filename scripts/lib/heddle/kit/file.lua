-- Files that are read whole.
local home = require "heddle.kit.home"
local report = require "heddle.kit.report"

local file = {}

-- Reads the rest of an open file after `head`, which was read already; nil and the reason if it cannot be read or both
-- have more than `most` bytes.
function file.rest(handle, most, head)
    local pieces, total = {head}, head and #head or 0
    while true do
        local piece, why = handle:read(1 << 20)
        if why then
            return nil, "cannot be read: " .. why
        elseif not piece then
            return table.concat(pieces)
        end
        pieces[#pieces + 1], total = piece, total + #piece
        if total > most then
            return nil, ("the file is longer than %s bytes, the limit"):format(report.count(most))
        end
    end
end

-- The file, open for its bytes; "-" is standard input. nil and why when it cannot be.
function file.open(path)
    if path == "-" then
        return io.stdin
    end
    return io.open(path, "rb")
end

-- Closes a file of file.open.
function file.close(handle)
    if handle ~= io.stdin then
        handle:close()
    end
end

-- A file of heddle's own.
function file.own(name)
    local handle <close> = assert(io.open(home.path(name), "rb"))
    return handle:read "a"
end

return file
