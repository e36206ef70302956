-- Prints the reference of the Lua module as Markdown, from the rows that the module itself is made of; or that of the
-- events of a recording.
--   heddle lua scripts/reference.lua [events]
local heddle = require "heddle"

local titles = {
    {"heddle", "The module", "`local heddle = require \"heddle\"`"},
    {"context", "A context", "`local context = heddle.new()`"},
    {"program", "A program", "`local program = context:load(\"saxpy.hd\")`"},
    {"buffer", "A buffer", "`local x = context:buffer(\"x\", \"f32\", 16384)`"},
    {"debugger", "A debugger", "`local debugger = context:debugger()`"},
    {"options", "Options of a launch", "`context:launch(program, {grid = 64, block = 256, args = {x = x}})`"},
    {"result", "The result of a launch", "`local result = context:launch(...)`"},
    {"prove", "Options of a proof", "`context:prove({a, b}, {grid = 6, block = 128, args = {src = src, dst = dst}})`"},
    {"proof", "A proof", "`local proof = context:prove(...)`"},
    {"error", "An error", "`local ok, err = pcall(context.launch, context, program, options)`"},
}

local groups = {}
for _, row in ipairs(heddle.reference()) do
    local group = row.group:lower()
    groups[group] = groups[group] or {}
    table.insert(groups[group], row)
end

local function cell(text)
    return (text:gsub("|", "\\|"))
end

if arg[1] == "events" then
    print "| event | numbers | |\n|---|---|---|"
    for _, row in ipairs(heddle.events()) do
        local doc = row.doc .. (row.tail and " After it: " .. row.tail:gsub("^%u", string.lower) or "")
        print(("| `%s` | | %s |"):format(row.name, doc))
        for _, field in ipairs(row.fields) do
            print(("| | `%s` | %s |"):format(field.name, field.doc))
        end
    end
    return
end

for i, title in ipairs(titles) do
    local group = assert(groups[title[1]], "the reference has no group " .. title[1])
    groups[title[1]] = nil
    print((i > 1 and "\n" or "") .. ("## %s\n\n%s\n\n| | |\n|---|---|"):format(title[2], title[3]))
    for _, row in ipairs(group) do
        print(("| `%s` | %s |"):format(cell(row.signature), cell(row.doc)))
    end
end
assert(not next(groups), "a group of the reference has no title: " .. tostring(next(groups)))
