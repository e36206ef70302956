-- The formats of all JSON outputs: their JSON Schema, and the page about them.
--
--   for _, format in ipairs(formats.list) do print(format.name, format.title) end
--   formats.schema "run"              that of heddle-run-2, a table for heddle.json; refuses an unknown name
--   formats.markdown()                members and types of each, as docs/reference/json.md has them
local heddle = require "heddle"
local commands = require "heddle.schema.commands"
local lists = require "heddle.kit.lists"
local notation = require "heddle.schema.notation"
local records = require "heddle.schema.records"
local shared = require "heddle.schema.shared"
local studies = require "heddle.schema.studies"
local study = require "heddle.kit.study"

local formats = {list = lists.append(lists.append({}, commands), studies)}

local SPACES <const> = {"generic", "global", "shared", "local", "const", "param"}

-- Lists classes as results name them: those that access memory by space.
local function classes()
    local list, seen = {}, {}
    for _, row in ipairs(heddle.isa()) do
        if not seen[row.class] then
            seen[row.class], list[#list + 1] = true, {name = row.class}
            local memory = row.syntax:find "%[" and SPACES
            lists.append(list, lists.map(memory or nil, function(space) return {name = row.class .. "." .. space} end))
        end
    end
    return list
end

-- Names of objects that are the rows of a table.
local function tables()
    local context <close> = heddle.new()
    context:board "teach32"
    local peaks = {}
    for name, peak in pairs(context:peaks()) do
        peaks[#peaks + 1] = {name = name, doc = peak.doc}
    end
    local keys = lists.map(context:values(), function(v) return {name = v.key, doc = v.doc} end)
    return {metrics = heddle.metrics(), stalls = heddle.stalls(), classes = classes(), keys = keys, peaks = peaks}
end

-- The members of a format; the first is its name.
local function text_of(format)
    local own = format.text:find "^|" and "" or ('format "%s" this format and its version\n'):format(format.name)
    return own .. format.text
end

-- "run" of "heddle-run-2"
local function short(format)
    return (format.name:gsub("^heddle%-", ""):gsub("%-%d+$", ""))
end

local function find(name)
    local names = {}
    for i, format in ipairs(formats.list) do
        names[2 * i - 1], names[2 * i] = format.name, short(format)
        if name == names[2 * i - 1] or name == names[2 * i] then
            return format
        end
    end
    local near = heddle.nearest(name, names)
    study.refuse("there is no format '%s'%s", name, near and ("; did you mean '%s'?"):format(near) or
        "; 'heddle schema' lists them")
end

-- Adds the types of documents inside other formats, and the structures of the library that a document has.
local types_of
function types_of(format)
    local types = notation.read(shared)
    for _, other in ipairs(format.holds or {}) do
        local of = types_of(find(other))
        of[other], of[""] = of[""], nil
        types = lists.merge(types, of)
    end
    return lists.merge(types, records.types "heddle_fault_info", format.record and records.types(format.record) or {},
        (notation.read(text_of(format))))
end

function formats.schema(name)
    local format = find(name)
    return notation.schema(format, types_of(format), tables())
end

-- ---- the page ----

local function cell(text)
    return (text:gsub("|", "\\|"))
end

local function members(t)
    local rows = lists.map(t.members, function(m)
        if m.name then
            return ("| `%s`%s | `%s` | %s |"):format(m.name, m.optional and "?" or "", cell(m.kind), cell(m.doc))
        end
        local how = not m.all and "it is a" or m.optional and "perhaps all of" or "and all of"
        return ("| %s | `%s` | |"):format(how, m.all or m.either)
    end)
    return #rows > 0 and "\n| member | type | |\n|---|---|---|\n" .. table.concat(rows, "\n") .. "\n" or ""
end

local function described(types, names)
    return table.concat(lists.map(names, function(name)
        local t = types[name]
        return t.kind and ("\n**%s** is `%s`: %s\n"):format(name, t.kind, t.doc) or
            ("\n**%s**: %s\n%s"):format(name, t.doc, members(t))
    end))
end

function formats.markdown()
    local out = {}
    for _, format in ipairs(formats.list) do
        local types, names = notation.read(text_of(format))
        out[#out + 1] = ("## %s\n\n%s.\n%s%s"):format(format.name, format.title:gsub("^%l", string.upper),
            members(types[""]), described(types, names))
        if format.record then
            out[#out] = out[#out] .. described(records.types(format.record))
        end
    end
    out[#out + 1] = "## Types of several formats\n" .. described(notation.read(shared)) ..
        described(records.types "heddle_fault_info")
    return table.concat(out, "\n")
end

return formats
