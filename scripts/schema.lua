-- The work of `heddle schema`: the formats of JSON outputs, and the JSON Schema of one.
local heddle = require "heddle"
local formats = require "heddle.schema.formats"
local study = require "heddle.kit.study"

local name, markdown = ...

return study.main("heddle schema", function()
    if markdown == "markdown" then
        study.write(formats.markdown())
    elseif name == "" then
        for _, format in ipairs(formats.list) do
            study.print(("%-24s  %s"):format(format.name, (format.title:gsub("`", "'"))))
        end
    else
        study.write(heddle.json(formats.schema(name)))
    end
    return true
end)
