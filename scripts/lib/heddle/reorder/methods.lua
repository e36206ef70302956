-- The methods of reordering, one row each; their instructions are the macros of kernels/lib/reorders.hd.
--
--   local m = methods.get("shuffle2", 32)           m.setup, m.body: lists of lines
--   methods.get("shuffle2-fused", 32)               lane l gets the pair of l with its bits reversed, as an FFT begins
local file = require "heddle.kit.file"
local lists = require "heddle.kit.lists"

local methods = {}

-- name ("none" is no reorder, the control), macros, barrier. Those through shared memory have one, or none where lanes
-- run in lockstep.
local rows = {
    {"none"}, {"transit1"}, {"transit2"}, {"shuffle2"}, {"shuffle4"}, {"butterfly"},
    {"shared-linear", "linear", "warp"}, {"shared-vector", "vector", "warp"}, {"shared-scatter", "scatter", "warp"},
    {"shared-scatter-nopad", "scatter", "warp"}, {"shared-vector-nobar", "vector", "none"},
    {"shared-linear-block", "linear", "block"}, {"shared-vector-block", "vector", "block"},
    {"shared-scatter-block", "scatter", "block"},
}
local waits = {none = "", warp = "bar.warp", block = "bar.sync        0"}
local by_name = lists.by(rows, 1)
methods.names = lists.map(rows, function(row) return row[1] end) -- in the order of the table

local macros -- the text of their file

-- The lines of a macro without those that are comments, with what stands for its parameters; none without such a macro.
function methods.lines(name, values)
    macros = macros or file.own "kernels/lib/reorders.hd"
    local list = {}
    for line in (macros:match("%.macro " .. name .. "[^\n]*\n(.-)%.endmacro") or ""):gmatch "[^\n]+" do
        list[#list + 1] = line:gsub("\\(%l+)", values or {}):match "^%s*([^;%s].-)%s*$"
    end
    return list
end

-- {name, through, barrier, names, setup, body, words, fused}: lists of lines, and words of shared memory of a warp. A
-- name that ends in -fused has the bit reversal in its places.
function methods.get(name, width)
    local plain = name:gsub("%-fused$", "")
    local row, log = assert(by_name[plain], name), math.tointeger(math.log(width, 2))
    local fused = plain ~= name
    -- Padding that avoids bank conflicts of a scatter's stores, with 32 banks of a word each.
    local pad = row[2] == "scatter" and not name:find "nopad" and width % 32 == 0 and 16 or 0
    local m = {name = name, through = row[3] and "shared memory" or name == "none" and "none" or "registers",
        barrier = row[3] or "none", names = {}, setup = {}, body = {}, words = row[3] and 2 * (width + pad) or 0,
        fused = fused}
    if fused then
        m.names[1] = ".reg   place"
        m.setup = {"brev.b32        place, lane", ("shr.u32         place, place, %d"):format(32 - log)}
    end
    for bit = row[1] == "butterfly" and log - 1 or 0, 0, -1 do
        local values = {m = 1 << bit, place = fused and "place" or "lane", pad = pad, wait = waits[row[3]],
            tile = "tile", quarter = "W/4", eighth = "W/8", second = row[2] == "scatter" and "put+2*W" or "put+4*W",
            odd = ("get+4*(W+%d)"):format(pad)}
        for _, part in ipairs {"names", "setup", "body"} do
            local new = methods.lines(("%s_%s"):format(row[2] or row[1], part), values)
            local from = part == "names" and new[1] == m.names[1] and 2 or 1
            table.move(new, from, #new, #m[part] + 1, m[part])
        end
    end
    return m
end

-- The instructions of one reorder whose names begin so.
function methods.count(name, width, start)
    return lists.sum(methods.get(name, width).body, function(line) return line:sub(1, #start) == start and 1 or 0 end)
end

return methods
