-- Parts of the page of `heddle report` (heddle.report) for the last launch in the browser, with the data of charts.
--
--   local parts = report(launch)             {memory = HTML, speed = HTML}
--
-- `launch` is the result of a launch as the WebAssembly module writes it.
local lists = require "heddle.kit.lists"
local memory = require "heddle.report.memory"
local speed = require "heddle.report.speed"
local waits = require "heddle.report.waits"

local of_run = {}
of_run.__index = of_run

function of_run:metric(name)
    return self.launch.metrics[name]
end

-- A run as heddle.report.read makes them of files.
local function run_of(launch)
    local metrics = {}
    for name, value in pairs(launch.metrics) do
        metrics[name] = type(value) == "number" and value or nil
    end
    return setmetatable({name = launch.board, launch = {
        cycles = launch.cycles, seconds = launch.seconds, metrics = metrics, traffic = launch.traffic,
    }}, of_run)
end

local function text_of(...)
    return table.concat(lists.map({...}, function(section) return section and tostring(section.body) end))
end

return function(launch)
    local runs = {run_of(launch)}
    return {memory = text_of(memory.section(runs)), speed = text_of(speed.section(runs), waits.stalls(runs))}
end
