-- The notation of formats, and its JSON Schema. A format is a text; a line of it is a member of the document, or of the
-- type that a heading above names:
--
--   kernel   text             the kernel's name
--   file?    text             what need not be there has a question mark
--   grid     [count 3]        three whole numbers from 0 on
--   outputs  [output]         any number of what is declared below
--   metrics? {metrics number|null}     by the names of a table's rows; {number} by any names
--   + other                   all members of a type; +? other: which may all be missing
--   | one                     it is one of several types, each with such a line
--   output: a file that was written
--   name     text             ...
--   type     "f32"|"u32"      ...
--   dims = [count 3]: another name for what stands before the colon
--
-- text, whole (an integer), count (from 0), number, bool and null are types by themselves.
local heddle = require "heddle"
local lists = require "heddle.kit.lists"

local notation = {}

local SIMPLE <const> = {
    text = {type = "string"}, whole = {type = "integer"}, count = {type = "integer", minimum = 0},
    number = {type = "number"}, bool = {type = "boolean"}, null = {type = "null"},
}

-- ---- reading ----

-- A text cut at each `mark` that stands in no brackets and no quotes.
local function parts(text, mark)
    local out, depth, quoted = {""}, 0, false
    for c in text:gmatch "." do
        quoted = quoted ~= (c == '"')
        depth = depth + (c:find "[%[{]" and 1 or c:find "[%]}]" and -1 or 0)
        if c == mark and depth == 0 and not quoted then
            out[#out + 1] = ""
        else
            out[#out] = out[#out] .. c
        end
    end
    return out
end

-- Splits "[count 3]  blocks in x" into its type and the words after it.
local function split(text)
    local kind = parts(text, " ")[1]
    local doc = text:sub(#kind + 1):match "^ +(.+)$"
    return kind, assert(doc, text)
end

-- {members, doc} of each type by its name, of another name {kind, doc}; those of the document itself have the name "".
-- Also the names, in order.
function notation.read(text)
    local types, now, names = {[""] = {members = {}}}, "", {}
    for line in text:gmatch "[^\n]+" do
        local heading, doc = line:match "^([%w_]+): +(.+)$"
        local alias, of, what = line:match "^([%w_]+) = (.-): +(.+)$"
        names[#names + 1] = heading or alias
        local all, either = line:match "^%+%?? ([%w_]+)$", line:match "^| ([%w_]+)$"
        if heading then
            now, types[heading] = heading, {members = {}, doc = doc}
        elseif alias then
            types[alias] = {kind = of, doc = what}
        elseif all or either then
            table.insert(types[now].members, {all = all, either = either, optional = line:find "^%+%?" ~= nil})
        else
            local name, optional, rest = line:match "^([%w_]+)(%??) +(.+)$"
            local kind, about = split(rest or line)
            table.insert(types[now].members, {name = name, optional = optional == "?", kind = kind, doc = about})
        end
    end
    return types, names
end

-- Members of a type with those that it takes from others.
function notation.members(types, name)
    local out = {}
    for _, m in ipairs(assert(types[name], name).members) do
        lists.append(out, not m.all and {m} or lists.map(notation.members(types, m.all), function(of)
            return m.optional and lists.merge(of, {optional = true}) or of
        end))
    end
    return out
end

-- ---- JSON Schema ----

local schema_of

-- Makes an object whose names are those of rows, {{name, doc}, ...}.
local function by_rows(rows, of)
    local properties = {}
    for _, row in ipairs(rows) do
        properties[row.name] = lists.merge(of, {description = row.doc})
    end
    return {type = "object", properties = properties, additionalProperties = false}
end

local function one(kind, rows, used)
    local word = kind:match '^"(.*)"$'
    local items, count = kind:match "^%[(.-) ?(%d*)%]$"
    local set, of = kind:match "^{(%l+) (.+)}$"
    if word then
        return {const = word}
    elseif items then
        local n = math.tointeger(count)
        return {type = "array", items = schema_of(items, rows, used), minItems = n, maxItems = n}
    elseif set and rows[set] then
        return by_rows(rows[set], schema_of(of, rows, used))
    elseif kind:find "^{" then
        return {type = "object", additionalProperties = schema_of(kind:sub(2, -2), rows, used)}
    end
    used[kind] = not SIMPLE[kind] or nil
    return SIMPLE[kind] or {["$ref"] = "#/$defs/" .. kind}
end

function schema_of(kind, rows, used)
    local all = lists.map(parts(kind, "|"), function(part) return one(part, rows, used) end)
    return #all == 1 and all[1] or {anyOf = all}
end

local function type_of(types, name, rows, used)
    local t = assert(types[name], name)
    if t.kind then
        return lists.merge(schema_of(t.kind, rows, used), {description = t.doc})
    end
    local either = lists.map(t.members, function(m) return m.either end)
    if #either > 0 then
        return schema_of(table.concat(either, "|"), rows, used)
    end
    local properties, required = {}, heddle.array {}
    for _, m in ipairs(notation.members(types, name)) do
        properties[m.name] = lists.merge(schema_of(m.kind, rows, used), {description = m.doc})
        required[#required + 1] = not m.optional and m.name or nil
    end
    return {type = "object", properties = properties, required = required, additionalProperties = false,
        description = t.doc}
end

-- The schema of a format {name, title, text}; `types` of notation.read, with those that formats share.
function notation.schema(format, types, rows)
    local used, defs = {}, {}
    local out = type_of(types, "", rows, used)
    local name = next(used)
    while name do
        if not defs[name] then
            defs[name] = type_of(types, name, rows, used)
        end
        used[name] = nil
        name = next(used)
    end
    out["$schema"], out["$id"] = "https://json-schema.org/draft/2020-12/schema", "urn:heddle:" .. format.name
    out.title, out.description, out["$defs"] = format.name, format.title, defs
    return out
end

return notation
