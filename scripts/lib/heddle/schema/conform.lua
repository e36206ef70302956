-- Checks that a parsed document has the form of a schema of heddle.schema.formats, as far as a reader needs it: unknown
-- members are skipped, since a later version may have added them.
--
--   local place, wrong = conform.first(schema, document)
--   "lines[3].issued", "a whole number is needed, not text"       nil: all is well
local heddle = require "heddle"

local conform = {}

local ARRAY <const> = getmetatable(heddle.array {})
local WORDS <const> = {
    string = "text", integer = "a whole number", number = "a number", boolean = "true or false", null = "null",
    object = "an object", array = "a list",
}

local function type_of(value)
    if value == heddle.null then
        return "null"
    elseif type(value) == "table" then
        return getmetatable(value) == ARRAY and "array" or "object"
    end
    return math.type(value) == "float" and "number" or math.type(value) or type(value)
end

local check

local function members(schema, value, defs, place)
    for _, name in ipairs(schema.required or {}) do
        if value[name] == nil then
            return place, ("there is no member '%s'"):format(name)
        end
    end
    local others = type(schema.additionalProperties) == "table" and schema.additionalProperties
    for name, member in pairs(value) do
        local of = (schema.properties or {})[name] or others
        if of then
            local where, wrong = check(of, member, defs, (place == "" and "" or place .. ".") .. name)
            if wrong then
                return where, wrong
            end
        end
    end
end

local function elements(schema, value, defs, place)
    if #value < (schema.minItems or 0) or #value > (schema.maxItems or math.huge) then
        return place, ("%d elements are needed, not %d"):format(schema.minItems, #value)
    end
    for i, element in ipairs(value) do
        local where, wrong = check(schema.items, element, defs, ("%s[%d]"):format(place, i - 1))
        if wrong then
            return where, wrong
        end
    end
end

-- Returns, of several forms, the complaint that is deepest inside the document.
local function any(schema, value, defs, place)
    local where, wrong
    for _, one in ipairs(schema.anyOf) do
        local at, what = check(one, value, defs, place)
        if not what then
            return
        elseif not where or #at > #where then
            where, wrong = at, what
        end
    end
    return where, wrong
end

function check(schema, value, defs, place)
    if schema["$ref"] then
        return check(defs[schema["$ref"]:match "[^/]+$"], value, defs, place)
    elseif schema.anyOf then
        return any(schema, value, defs, place)
    end
    local want, got = schema.type, type_of(value)
    if schema.const and value ~= schema.const then
        return place, ("it is not '%s'"):format(schema.const)
    elseif want and got ~= want and not (want == "number" and got == "integer") then
        return place, ("%s is needed, not %s"):format(WORDS[want], WORDS[got])
    elseif schema.minimum and value < schema.minimum then
        return place, ("%d is the least"):format(schema.minimum)
    elseif want == "object" then
        return members(schema, value, defs, place)
    elseif want == "array" then
        return elements(schema, value, defs, place)
    end
end

function conform.first(schema, document)
    return check(schema, document, schema["$defs"], "")
end

return conform
