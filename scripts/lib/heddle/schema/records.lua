-- Structures of heddle.h as types of JSON documents, in the terms of heddle.schema.notation.
--
--   local types, names = records.types "heddle_result"     {result = {members, doc}, ...}, in their order
local heddle = require "heddle"
local lists = require "heddle.kit.lists"

local records = {}

-- What JSON has in another form: no member, another type, or other members. Names of heddle-run-1 are written for one
-- version more.
local FORM <const> = {
    heddle_result = {
        board = {}, fault = {}, nstalls = {}, caches = '"cold"|"warm"', classes = "{classes count}",
        metrics = "{metrics number|null}",
        explain = {{name = "explain", optional = true, kind = "explain", doc = "a line lane by lane"}},
        checked = {{name = "checked", optional = true, kind = "text", doc = "the checkers that watched"},
            {name = "check", optional = true, kind = "check", doc = "the same by the names of heddle-run-1"}},
    },
    heddle_line_count = {
        stall = "{stalls count}",
        rounds = {{name = "rounds", optional = true, kind = "text",
            doc = "of one in a `.repeat`: the texts of all rounds in one, \"shl.b32 v, w, 0..4\""}},
        warp_instructions = {{name = "warp_instructions", kind = "count", doc = "times issued"},
            {name = "issued", optional = true, kind = "count", doc = "the same by the name of heddle-run-1"}},
    },
    heddle_explained = {
        columns = {{name = "lanes", optional = true, kind = "[{number|text}]",
            doc = "by lane: what is read and written, by column"}, {name = "titles", optional = true, kind = "{text}",
            doc = "columns whose title has a register's name: \"new r1\" is \"new sum\""}},
    },
    heddle_proof = {
        name = {}, data = {}, fault = {}, depends = "[proof_depends|null 2]",
        verdict = {{name = "verdict", kind = "text",
            doc = "\"equal\", \"different\", \"unproved\", \"depends\", \"order\" or \"undecided\""}},
        assumed = {{name = "assumed", kind = "[text]", doc = "what the verdict depends on: \"reassociation\""}},
    },
    heddle_order = {fault = {{name = "fault", kind = "text|null", doc = "the kind of fault that it ends with"}}},
}

local KINDS <const> = {bool = "bool", whole = "count", signed = "whole", hex = "text", real = "number", text = "text"}

local function short(name)
    return (name:gsub("^heddle_", ""))
end

local function kind_of(f)
    local kind = f.record and short(f.record) or KINDS[f.kind]
    if f.named then
        return "{" .. kind .. "}"
    end
    kind = f.null and kind .. "|null" or kind
    kind = f.rows and "[" .. kind .. "]" or kind
    return f.list and ("[%s%s]"):format(kind, f.length and " " .. f.length or "") or kind
end

-- Members of a field: itself, those that JSON has in its place, or those that its elements are.
local function add(members, name, f, of)
    local form = (FORM[name] or {})[f.name]
    local doc = f.doc:gsub("NULL", "absent")
    if type(form) == "table" then
        table.move(form, 1, #form, #members + 1, members)
    elseif f.columns then
        for _, column in ipairs(f.elements) do
            members[#members + 1] = {name = column.name, optional = f.optional, kind = "count", doc = column.doc}
        end
    else
        members[#members + 1] = {name = f.name, optional = f.optional, kind = form or kind_of(f), doc = doc}
        if f.name == "disassembly" and not of.source then
            members[#members + 1] = {name = "source", optional = true, kind = "text",
                doc = "`text` by the name of heddle-run-1"}
        end
    end
end

function records.types(name)
    local all, types, names = heddle.records(), {}, {}
    local function visit(of, in_map)
        local r, members = all[of], {}
        if types[short(of)] then
            return
        end
        types[short(of)], names[#names + 1] = {members = members, doc = r.doc}, short(of)
        local own = lists.set(lists.map(r.fields, function(f) return f.name end))
        for i, f in ipairs(r.fields) do
            if not (in_map and i == 1) then
                add(members, of, f, own)
            end
            local form = (FORM[of] or {})[f.name]
            local named = type(form) == "string" and form:find(f.record and short(f.record) or "|", 1, true)
            if f.record and (f.name == "explain" or named or not form) then
                visit(f.record, f.named)
            end
        end
    end
    visit(name)
    return types, names
end

return records
