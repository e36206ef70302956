-- The pictures of the mask study: speed-up against L, and bytes by tensor.
local claims = require "heddle.mask.claims"
local lists = require "heddle.kit.lists"
local mask = require "heddle.mask.definition"
local methods = require "heddle.mask.methods"
local roles = require "heddle.claims.roles"
local tables = require "heddle.mask.tables"

local pictures = {}

local SERIES <const> = methods.labels(methods.of {drawn = true})
local TENSORS <const> = {"x", "y", "mask", "words", "bits"}
local role_of <const> = roles.of(claims.ROWS)

-- A figure of the rows of a label, by L.
local function points_of(entry, label, key)
    local points = {}
    for _, e in ipairs(entry.lengths) do
        for _, row in ipairs(e.methods) do
            if row.label == label and row[key] then
                points[#points + 1] = {e.length, row[key]}
            end
        end
    end
    return points
end

local function words_text(option)
    local layout = mask.layout(option.bits, option.rows)
    return ("Words have %s (%s); caches are %s."):format(tables.words_name(layout), tables.origin(layout),
        option.caches)
end

local function speed_ups(into, entry, option)
    local series = lists.map(SERIES, function(label)
        local points = points_of(entry, label, "speedup")
        return #points > 0 and {label, points, role = role_of(label)} or nil
    end)
    local back = points_of(entry, "words linear", "speedup_drained")
    series[#series + 1] = #back > 0 and {"words linear, with write-back", back, role = role_of "words linear"} or nil
    if #series == 0 then
        return -- a method alone that is no fill
    end
    into:lines {
        id = ("mask-%s-speed-up"):format(entry.board),
        title = ("A masked fill of %s on %s: packed masks beside a boolean mask read byte by byte (bool)"):format(
            option.type.name, entry.board),
        about = words_text(option) .. " Times are those of the fill alone, without converting the mask.",
        x = "L: rows and columns of the mask", y = "times as fast as bool", log = true, series = series,
    }
end

-- Bytes for each element, by tensor, of the fills of one mask.
local function bytes(into, entry, measured, option, what)
    local timed = lists.map(measured, function(row) -- fills; converting a mask is none
        return row.timed and not methods.by[row.method].converts and row or nil
    end)
    local names = lists.map(timed, function(row) return row.label end)
    local function of(name)
        return {name, lists.map(timed, function(row)
            local t = row.tensors[name]
            return t and (t.dram_moved + t.dirty) / row.elements or 0
        end)}
    end
    into:bars {
        id = ("mask-%s-bytes"):format(entry.board),
        title = ("What a masked fill of %s moves to and from DRAM on %s, by tensor; %s"):format(option.type.name,
            entry.board, what),
        about = words_text(option), y = "bytes for each element", names = names, roles = roles.by(role_of, names),
        series = lists.map(TENSORS, of),
    }
end

function pictures.draw(into, entry, option)
    if entry.problem then
        return bytes(into, entry, entry.problem.methods, option, "the given mask")
    end
    speed_ups(into, entry, option)
    local last = entry.lengths[#entry.lengths]
    bytes(into, entry, last.methods, option, "L = " .. last.length)
end

return pictures
