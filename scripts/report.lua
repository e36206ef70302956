-- The command `heddle report`: results of runs as one page of HTML (docs/report.md).
--
-- The command (sim/cli/cmd_report.c) passes its options as --name=value and the results as --file=PATH.
local lanes = require "heddle.report.lanes"
local lists = require "heddle.kit.lists"
local memory = require "heddle.report.memory"
local page = require "heddle.report.page"
local read = require "heddle.report.read"
local source = require "heddle.report.source"
local speed = require "heddle.report.speed"
local study = require "heddle.kit.study"
local summary = require "heddle.report.summary"
local sweep = require "heddle.report.sweep"
local waits = require "heddle.report.waits"

-- In the order of the page. Each gives its section, or nil where the runs lack what it shows.
local SECTIONS <const> = {
    speed.section, memory.section, waits.stalls, source.section, lanes.section, waits.occupancy, waits.energy,
}

local function of_runs(runs)
    return {title = summary.title(runs), lead = summary.of(runs),
        sections = lists.map(SECTIONS, function(section) return section(runs) or nil end)}
end

local function read_arguments(...)
    local option, files = {}, {}
    for _, word in ipairs {...} do
        local name, value = word:match "^%-%-([^=]+)=(.*)$"
        if name == "file" then
            files[#files + 1] = value
        else
            option[name] = value
        end
    end
    return option, files
end

local arguments = {...}
return study.main("heddle report", function()
    local option, files = read_arguments(table.unpack(arguments))
    local inputs = {}
    for i, path in ipairs(files) do
        option["result " .. i], inputs[i] = path, "result " .. i
        inputs["result " .. i] = "a result"
    end
    study.outputs(option, {"output"}, inputs)
    local runs, rows = read.files(files, option.self)
    study.output {{option.output, page.text(runs and of_runs(runs) or sweep.of(rows, files[1]))}}
    return true
end)
