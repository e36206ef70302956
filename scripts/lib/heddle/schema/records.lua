-- Structures of heddle.h as types of JSON documents, in the terms of heddle.schema.notation.
--
--   local types, names = records.types "heddle_result"     {result = {members, doc}, ...}, in their order
local heddle = require "heddle"
local lists = require "heddle.kit.lists"

local records = {}

-- Members by the names of heddle-run-1, written for one version more beside those that follow.
local OLD <const> = {
    heddle_line_count = {warp_instructions = {name = "issued", kind = "count"}},
    heddle_result = {checked = {name = "check", kind = "check"}},
}

local KINDS <const> = {bool = "bool", whole = "count", signed = "whole", hex = "text", real = "number", text = "text"}
local ROWS <const> = {classes = "classes", metrics = "metrics", stall = "stalls"} -- tables whose rows are the names

local function short(name)
    return (name:gsub("^heddle_", ""))
end

-- The type of a list by name.
local function kind_of_named(f, all)
    local inner = f.record and all[f.record]
    local value = inner and inner.value and lists.by(inner.fields, "name")[inner.value]
    local kind = value and KINDS[value.kind] .. (value.optional and "|null" or "") or f.record and short(f.record) or
        KINDS[f.kind]
    return ("{%s%s}"):format(ROWS[f.name] and ROWS[f.name] .. " " or "", kind)
end

local function kind_of(f, all)
    local kind = f.record and short(f.record) or KINDS[f.kind]
    if f.words then
        return (f.doc:gsub('[^"]*("[^"]*")[^"]*', "|%1"):sub(2))
    elseif f.named then
        return kind_of_named(f, all)
    end
    kind = (f.null or f.list and f.record and all[f.record].exists) and kind .. "|null" or kind
    kind = f.rows and "[" .. kind .. "]" or kind
    return f.list and ("[%s%s]"):format(kind, f.length and " " .. f.length or "") or kind
end

-- Members of a field: itself, those that JSON has in its place, or those that its elements are.
local function add(members, f, of, all)
    local json, doc = f.json, f.doc:gsub("NULL", "absent")
    local old = (OLD[of] or {})[f.name]
    local function member(name, kind, optional, about)
        members[#members + 1] = {name = name, optional = optional, kind = kind, doc = about}
    end
    if f.columns then
        for _, column in ipairs(f.elements) do
            member(column.name, "count", f.optional, column.doc)
        end
    elseif json and json:find "^%+" then
        members[#members + 1] = {all = json:match "[%w_]+", optional = json:find "?" ~= nil}
    else
        local optional = f.optional
        if json then
            optional = json:find "?$" ~= nil
        end
        member(f.name, json and json:gsub("?$", "") or kind_of(f, all), optional, doc)
    end
    if old then
        member(old.name, old.kind, true, ("`%s` by the name of heddle-run-1"):format(f.name))
    elseif f.name == "disassembly" and not lists.any(all[of].fields, function(o) return o.name == "source" end) then
        member("source", "text", true, "`text` by the name of heddle-run-1")
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
        for i, f in ipairs(r.fields) do
            if f.json ~= "" and not (in_map and i == 1) then
                add(members, f, of, all)
            end
            local plain = f.record and (not f.json or f.json:find "^explain")
            if plain and not (f.named and all[f.record].value) then
                visit(f.record, f.named)
            end
        end
    end
    visit(name)
    return types, names
end

return records
