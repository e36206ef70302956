-- Reads JSON, independently of what writes it: decode(text) gives tables, strings, numbers (integers exact), booleans
-- and json.null, or raises.
local json = {null = setmetatable({}, {__tostring = function() return "null" end})}

local escapes = {b = "\b", f = "\f", n = "\n", r = "\r", t = "\t"}
local words = {["true"] = true, ["false"] = false, null = json.null}
local value

local function blanks(s, at)
    return s:match("^[ \t\r\n]*()", at)
end

local function text(s, at)
    local raw, stop = s:match('^"([^"\\%c]*)"()', at)
    if raw then
        return raw, stop
    end
    local parts, i = {}, at + 1
    while s:sub(i, i) ~= '"' do
        local c = s:sub(i, i)
        if c == "\\" and s:sub(i + 1, i + 1) == "u" then
            parts[#parts + 1] = utf8.char(tonumber(s:match("^%x%x%x%x", i + 2), 16))
            i = i + 6
        elseif c == "\\" then
            local letter = s:match('^["\\/bfnrt]', i + 1)
            assert(letter, "an unknown escape")
            parts[#parts + 1] = escapes[letter] or letter
            i = i + 2
        else
            assert(c:match "^[^%c]$", "a string that does not end")
            parts[#parts + 1] = c
            i = i + 1
        end
    end
    return table.concat(parts), i + 1
end

-- Elements between brackets; `one` reads an element into the table.
local function sequence(s, at, close, one)
    local all, stop = {}, blanks(s, at + 1)
    if s:sub(stop, stop) == close then
        return all, stop + 1
    end
    while true do
        stop = blanks(s, one(all, stop))
        local c = s:sub(stop, stop)
        if c == close then
            return all, stop + 1
        end
        assert(c == ",", "',' expected at byte " .. stop)
        stop = blanks(s, stop + 1)
    end
end

function value(s, at)
    local c = s:sub(at, at)
    if c == "{" then
        return sequence(s, at, "}", function(all, i)
            local key, stop = text(s, i)
            stop = blanks(s, stop)
            assert(s:sub(stop, stop) == ":" and all[key] == nil, "':' expected, or a name twice")
            all[key], stop = value(s, blanks(s, stop + 1))
            return stop
        end)
    elseif c == "[" then
        return sequence(s, at, "]", function(all, i)
            local stop
            all[#all + 1], stop = value(s, i)
            return stop
        end)
    elseif c == '"' then
        return text(s, at)
    end
    local word, stop = s:match("^(%l+)()", at)
    if word then
        assert(words[word] ~= nil, "an unknown word")
        return words[word], stop
    end
    word, stop = s:match("^(%-?%d[%d.eE+-]*)()", at)
    return assert(tonumber(word), "no value at byte " .. at), stop
end

function json.decode(s)
    local v, stop = value(s, blanks(s, 1))
    assert(blanks(s, stop) == #s + 1, "more than one value")
    return v
end

function json.read(path)
    local file <close> = assert(io.open(path, "rb"))
    return json.decode(file:read "a")
end

return json
