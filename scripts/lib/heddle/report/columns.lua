-- Columns of results of a sweep, as axes of a chart.
--
--   columns.title "board.dram.channels"          "dram.channels"
--   columns.words "rate.dram"                    "DRAM rate": how a title begins
--   columns.unit "rate.dram"                     "GB/s"; "" where none is known
--   columns.label "rate.dram"                    "rate.dram": what an axis is called
--   columns.axes(x, xs, y, ys)                   of a chart of lines (heddle.report.charts) over sorted values
--   columns.by_factors(xs)                       whether values grow by factors rather than by steps
--   columns.is_peak "board.dram.gbs"             whether it is a key of boards that others follow from
--   columns.about "rate.dram"                    what it is, in words; nil where that is not known
local heddle = require "heddle"

local columns = {}

local WIDE <const> = 8 -- times the least value: drawn by factors
local HIGH <const> = 4 -- the same upwards
local UNITS <const>, DOCS <const> = {seconds = "s", wall_seconds = "s", cpu_seconds = "s"}, {}
for _, m in ipairs(heddle.metrics()) do
    UNITS[m.name], DOCS[m.name] = m.unit == "bytes" and "B" or m.unit, m.doc
end

-- Keys of boards, of whatever board.
local peaks <const>, board = {}, heddle.new()
board:board "v100"
for _, v in ipairs(board:values()) do
    UNITS["board." .. v.key], DOCS["board." .. v.key] = v.unit, v.doc
end
for _, v in ipairs(board:derived()) do
    UNITS["board." .. v.key], DOCS["board." .. v.key] = v.unit, v.doc
    peaks["board." .. v.key] = true
end

local TITLES <const> = {seconds = "time", wall_seconds = "wall-clock time", cpu_seconds = "CPU time"}
local SHOWN <const> = {s = true, B = true, J = true, ["%"] = true, ["GB/s"] = true, W = true} -- by each tick

function columns.title(name)
    return TITLES[name] or (name:gsub("^board%.", ""):gsub("^arg%.", ""):gsub("^over%.", ""))
end

local KINDS <const> = {rate = " rate", peak = " peak", sol = ", share of its peak"}

function columns.words(name)
    local kind = KINDS[name:match "^(%l+)%." or ""]
    local level = kind and (DOCS[name] or ""):match "^([^:]+):"
    return level and level:gsub("^%l", string.upper) .. kind or
        (columns.title(name):gsub("^%l+%f[^%w.]", function(word) return word:gsub("^%l", string.upper) end))
end

local function unit_of(name)
    return UNITS[name] or UNITS["board." .. name] or ""
end

function columns.unit(name)
    return SHOWN[unit_of(name)] and unit_of(name) or ""
end

-- With the unit that ticks do not have: across they have none.
function columns.label(name, across)
    local unit, title = unit_of(name), columns.title(name)
    local told = unit == "" or SHOWN[unit] and not across or title == unit or title:find("%." .. unit .. "$")
    return told and title or ("%s (%s)"):format(title, unit)
end

function columns.is_peak(name)
    return peaks[name]
end

function columns.about(name)
    return DOCS[name]
end

function columns.by_factors(values)
    return values[1] > 0 and values[#values] / values[1] >= WIDE
end

function columns.axes(x, xs, y, ys)
    return {x = columns.label(x, true), log = columns.by_factors(xs) or nil, y = columns.label(y),
        unit = columns.unit(y), log_y = ys[1] > 0 and ys[#ys] / ys[1] > HIGH or nil,
        high = columns.unit(y) == "%" and 100 or nil}
end

return columns
