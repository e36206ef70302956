-- Hand-ins: a kernel of a lesson, and what its student did, as one line of text that survives mails, forms and tables.
--
--   hand_in.line {lesson = 1, source = "...", prediction = "26", attempts = 1, hints = 2}
--   hand_in.read(text)         what such a line holds; nil and why not; nil alone for a text without one
--
-- The line is "heddle-hand-in-1.", base64url of JSON, and after a dot eight digits by which a part that was lost shows
-- (FNV-1a of the base64). The page writes the same (scripts/web/page/hand_in.js).
local heddle = require "heddle"
local random = require "heddle.kit.random"

local hand_in = {}

local BEGINS <const> = "heddle%-hand%-in%-(%d+)%."
local DIGITS <const> = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
local FIELDS <const> = {lesson = "integer", source = "string", version = "string", name = "string", seed = "string",
    prediction = "string", attempts = "integer", hints = "integer"}

local value_of = {}
for i = 1, #DIGITS do
    value_of[DIGITS:byte(i)] = i - 1
end

local function encode(bytes)
    local out = {}
    for at = 1, #bytes, 3 do
        local a, b, c = bytes:byte(at, at + 2)
        local word = a << 16 | (b or 0) << 8 | (c or 0)
        for i = 0, c and 3 or b and 2 or 1 do
            local digit = (word >> (18 - 6 * i) & 63) + 1
            out[#out + 1] = DIGITS:sub(digit, digit)
        end
    end
    return table.concat(out)
end

local function decode(text)
    local out, word, bits = {}, 0, 0
    for i = 1, #text do
        word, bits = word << 6 | value_of[text:byte(i)], bits + 6
        if bits >= 8 then
            bits = bits - 8
            out[#out + 1] = string.char(word >> bits & 255)
            word = word & (1 << bits) - 1
        end
    end
    return table.concat(out)
end

local function sum(payload)
    return ("%08x"):format(random.hash(payload))
end

function hand_in.line(given)
    local payload = encode(heddle.json(given, {indent = 0}))
    return ("heddle-hand-in-1.%s.%s"):format(payload, sum(payload))
end

-- The fault of the fields, or nil.
local function wrong(given)
    if type(given) ~= "table" or not given.lesson or not given.source then
        return "it has no lesson or no kernel"
    end
    for name, kind in pairs(FIELDS) do
        local value = given[name]
        if value ~= nil and (math.type(value) or type(value)) ~= kind then
            return ("its '%s' is no %s"):format(name, kind == "integer" and "whole number" or "text")
        end
    end
end

function hand_in.read(text)
    local first, last, version = text:find(BEGINS)
    if not first then
        return nil
    elseif version ~= "1" then
        return nil, "this hand-in is of a later version of heddle"
    end
    local payload, check = text:sub(last + 1):gsub("%s+", ""):match "^([%w_-]+)%.(%x%x%x%x%x%x%x%x)"
    if not payload or sum(payload) ~= check then
        return nil, "this hand-in is broken: a part of it is missing, or was changed"
    end
    local ok, given = pcall(heddle.parse, decode(payload), "hand-in")
    local why = not ok and "it holds no JSON" or wrong(given)
    if why then
        return nil, "this hand-in is broken: " .. why
    end
    return given
end

return hand_in
