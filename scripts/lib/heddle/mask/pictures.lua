-- The pictures of the mask study: speed-up against L, and bytes by tensor.
local lists = require "heddle.kit.lists"
local mask = require "heddle.mask.definition"
local tables = require "heddle.mask.tables"

local pictures = {}

local SERIES = {"bool-vector", "bits", "bits-vector", "words linear", "words packed", "words interleaved", "causal"}
local TENSORS = {"x", "y", "mask", "words", "bits"}

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
    local warm = option.caches == "warm" and ", warm caches" or ""
    return ("%s (%s)%s"):format(tables.words_name(layout), tables.origin(layout), warm)
end

local function speed_ups(folder, entry, option)
    local series = lists.map(SERIES, function(label)
        local points = points_of(entry, label, "speedup")
        return #points > 0 and {label, points} or nil
    end)
    local back = points_of(entry, "words linear", "speedup_drained")
    series[#series + 1] = #back > 0 and {"words linear, with write-back", back} or nil
    if #series == 0 then
        return -- a method alone that is no fill
    end
    folder:lines(("mask-%s-speed-up"):format(entry.board), {
        title = ("masked_fill of %s on %s, against the boolean mask; %s"):format(option.type.name, entry.board,
            words_text(option)),
        x = "L: rows and columns of the mask", y = "times as fast as bool, the fill alone", log = 2, line = 1,
        series = series,
    })
end

-- Bytes for each element, by tensor, of the fills of one mask.
local function bytes(folder, entry, methods, option, what)
    local timed = lists.map(methods, function(row) return row.timed and row or nil end)
    local function of(name)
        return {name, lists.map(timed, function(row)
            local t = row.tensors[name]
            return t and (t.dram_moved + t.dirty) / row.elements or 0
        end)}
    end
    folder:bars(("mask-%s-bytes"):format(entry.board), {
        title = ("bytes by tensor, %s, %s on %s; %s"):format(option.type.name, what, entry.board, words_text(option)),
        y = "DRAM bytes per element", names = lists.map(timed, function(row) return row.label end),
        series = lists.map(TENSORS, of),
    })
end

function pictures.draw(folder, entry, option)
    if entry.problem then
        return bytes(folder, entry, entry.problem.methods, option, "the given mask")
    end
    speed_ups(folder, entry, option)
    local last = entry.lengths[#entry.lengths]
    bytes(folder, entry, last.methods, option, "L = " .. last.length)
end

return pictures
