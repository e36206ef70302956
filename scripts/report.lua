-- The command `heddle report`: results of runs as one page of HTML (docs/report.md).
--
-- The command (sim/cli/cmd/report.c) passes its options as --name=value and the results as --file=PATH; `heddle
-- run --html` passes --text=RESULT and --changes=CSV, and gets the page.
local compare = require "heddle.report.compare"
local lanes = require "heddle.report.lanes"
local lists = require "heddle.kit.lists"
local memory = require "heddle.report.memory"
local options = require "heddle.kit.options"
local page = require "heddle.report.page"
local rates = require "heddle.report.rates"
local read = require "heddle.report.read"
local source = require "heddle.report.source"
local speed = require "heddle.report.speed"
local study = require "heddle.kit.study"
local summary = require "heddle.report.summary"
local sweep = require "heddle.report.sweep"
local waits = require "heddle.report.waits"

-- In the order of the page. Each gives its section, or nil where the runs lack what it shows.
local SECTIONS <const> = {
    compare.section, speed.section, memory.section, rates.section, waits.stalls, source.section, lanes.section,
    waits.occupancy, waits.energy,
}

local function of_runs(runs, option)
    return {title = summary.title(runs), lead = summary.of(runs),
        sections = lists.map(SECTIONS, function(section) return section(runs, option) or nil end)}
end

local arguments = {...}
return study.main("heddle report", function()
    local option, inputs = options.passed(arguments, "file"), {}
    if option.text then -- a result of `heddle run`, which gets the page back
        return page.text(of_runs(read.text(option.text), option))
    end
    for i, path in ipairs(option.file) do
        option["result " .. i], inputs[i] = path, "result " .. i
        inputs["result " .. i] = "a result"
    end
    study.outputs(option, {"output"}, inputs)
    local runs, rows = read.files(option.file, option.self)
    if runs and option.columns then
        study.refuse "--columns: it chooses what is drawn of a sweep"
    end
    study.output {{option.output, page.text(runs and of_runs(runs, option) or sweep.of(rows, option.file[1],
        option.columns and options.split(option.columns)))}}
    return true
end)
