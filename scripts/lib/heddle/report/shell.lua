-- Commands run by a script: those of heddle, and lines of the shell.
local lists = require "heddle.kit.lists"

local shell = {}

-- A word or a path for the shell; a path that begins with '-' is no option.
function shell.quote(text)
    return "'" .. text:gsub("^%-", "./-"):gsub("'", "'\\''") .. "'"
end

-- Returns the standard output of `heddle WORDS PATHS`; nil if its status is above `most`.
function shell.read(self, words, paths, most)
    local pipe = assert(io.popen(("%s %s %s </dev/null"):format(shell.quote(self), words,
        table.concat(lists.map(paths, shell.quote), " "))))
    local text = pipe:read "a"
    local _, how, status = pipe:close()
    return how == "exit" and status <= most and text or nil
end

-- Returns the standard output of a line of the shell, given as for string.format; whatever its status is.
function shell.output(...)
    local pipe = assert(io.popen(string.format(...)))
    local text = pipe:read "a"
    pipe:close()
    return text
end

return shell
