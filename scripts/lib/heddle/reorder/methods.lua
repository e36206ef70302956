-- The methods of reordering, one row each; their instructions are the macros of kernels/lib/reorders.hd.
--
--   local m = methods.get("shuffle2", 32)           m.setup, m.body: lists of lines
--   methods.get("shuffle2-fused", 32)               lane l gets the pair of l with its bits reversed, as an FFT begins
--   methods.source("shuffle2", 32, {count = 9})     a program: nine reorders in a row, addresses computed once
--   methods.inside(text, "shuffle2", 32)            the FFT of kernels/fft/rfft_warp.hd with this reorder
local file = require "heddle.kit.file"
local lists = require "heddle.kit.lists"

local methods = {}

-- name ("none" is no reorder), macros, barrier (those through shared memory have one, or none where lanes run in
-- lockstep); control: it shows what something costs; dense: without the padding of a scatter; runs at a time.
methods.rows = {
    {"none", control = true}, {"transit1"}, {"transit2"}, {"shuffle2"}, {"shuffle4"}, {"butterfly"},
    {"shared-linear", "linear", "warp"}, {"shared-vector", "vector", "warp"}, {"shared-scatter", "scatter", "warp"},
    {"shared-scatter-nopad", "scatter", "warp", dense = true, control = true},
    {"shared-four", "four", "warp", runs = 4},
    {"shared-vector-nobar", "vector", "none", control = true}, {"shared-linear-block", "linear", "block"},
    {"shared-vector-block", "vector", "block"}, {"shared-scatter-block", "scatter", "block"},
}
for _, row in ipairs(methods.rows) do
    row.through = row[3] and "shared memory" or row[1] == "none" and "none" or "registers"
end
-- FFTs without a reorder: file and kernel with roots loaded for each frame, and kept in registers; frames that a warp
-- does at once; tile: as many as it has lanes, in blocks of a warp, and roots are constants; rounds: otherwise than
-- rfft_warp does.
methods.ffts = {
    ["8-byte load"] = {loaded = "rfft_warp_vec", kept = "rfft_many rfft_pairs", frames = 1},
    ["two-frames"] = {loaded = "rfft_two rfft_two", kept = "rfft_two rfft_two", frames = 2, rounds = true},
    ["thread-fft"] = {loaded = "rfft_thread rfft_thread", kept = "rfft_thread rfft_thread", tile = true, rounds = true},
}
methods.by = lists.by(methods.rows, 1)
methods.names = lists.map(methods.rows, function(row) return row[1] end) -- in the order of the table

local WAITS <const> = {none = "", warp = "bar.warp", block = "bar.sync        0"}
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

-- {name, macros, through, barrier, runs, pad, fused, names, setup, body, words}: lists of lines, and words of shared
-- memory of a warp. A name that ends in -fused has the bit reversal in its places.
function methods.get(name, width)
    local plain = name:gsub("%-fused$", "")
    local row, log = assert(methods.by[plain], name), math.tointeger(math.log(width, 2))
    local fused, runs = plain ~= name, row.runs or 1
    -- Padding that avoids bank conflicts of a scatter's stores, with 32 banks of a word each.
    local pad = row[2] == "scatter" and not row.dense and width % 32 == 0 and 16 or 0
    local m = {name = name, macros = row[2], through = row.through, pad = pad, barrier = row[3] or "none", runs = runs,
        fused = fused, names = {}, setup = {}, body = {}, words = row[3] and 2 * (width + pad) * runs or 0}
    if fused then
        m.names[1] = ".reg   place"
        m.setup = {"brev.b32        place, lane", ("shr.u32         place, place, %d"):format(32 - log)}
    end
    for bit = row[1] == "butterfly" and log - 1 or 0, 0, -1 do
        local values = {m = 1 << bit, place = fused and "place" or "lane", pad = pad, wait = WAITS[row[3]],
            tile = "tile", quarter = "W/4", eighth = "W/8",
            second = runs > 1 and "put2" or row[2] == "scatter" and "put+2*W" or "put+4*W",
            odd = runs > 1 and "get2+16*W" or ("get+4*(W+%d)"):format(pad)}
        for _, part in ipairs {"names", "setup", "body"} do
            local new = methods.lines(("%s_%s"):format(row[2] or row[1], part), values)
            local from = part == "names" and new[1] == m.names[1] and 2 or 1
            table.move(new, from, #new, #m[part] + 1, m[part])
        end
    end
    return m
end

-- The instructions of one reorder, of as many runs as it has at a time, whose names begin so.
function methods.count(name, width, start)
    return lists.sum(methods.get(name, width).body, function(line) return line:sub(1, #start) == start and 1 or 0 end)
end

-- The definition, as bytes: the even and the odd elements of 4 bytes of each run, whatever their type.
function methods.reference(bytes, width)
    local out, runs = {}, #bytes // (8 * width)
    for at = 0, runs * 2 * width - 1 do
        local place = at % (2 * width)
        local from = 4 * (at - place + 2 * (place % width) + place // width)
        out[at + 1] = bytes:sub(from + 1, from + 4)
    end
    return table.concat(out)
end

-- ---- programs ----

local function add(out, list)
    for _, line in ipairs(list) do
        out[#out + 1] = (line:find "^[.@]" and "" or "        ") .. line
    end
end

-- Lines of a body in one of two tiles.
local function in_tile(body, tile)
    return lists.map(body, function(line) return (line:gsub("%[tile", "[tile" .. tile)) end)
end

-- `tiles`: 2 for reorders in a row, which take turns; else a warp could store what is next before all of its lanes have
-- loaded what was before.
local function declare(m, warps, tiles, out)
    add(out, m.names)
    for i = 1, m.words > 0 and tiles or 0 do
        out[#out + 1] = (".shared %s : b32[%d] align 128"):format("tile" .. i - 1, m.words * warps)
    end
end

-- A line for each value of each run: REG is its register, AT the bytes to it for each W.
local function values_of(m, line)
    local list = {}
    for k = 0, 2 * m.runs - 1 do
        list[k + 1] = line:gsub("%u%u+", {REG = "r" .. 4 + k // 2 + k % 2 * m.runs, AT = 4 * k})
    end
    return list
end

-- A program in which each warp reorders its runs of 2W values `count` times in a row, results being the next inputs.
-- A block has `warps` warps. With `recompute` the set-up is part of each reorder. With `clock` it writes for each warp
-- the cycles from the readiness of its values to that of its results, plus those between two readings of %clock with
-- only that wait between them.
function methods.source(name, width, options)
    local m, warps, clock = methods.get(name, width), options.warps or 1, options.clock
    local out = {
        ("; %s: %d in a row, W = %d%s"):format(name, options.count, width,
            options.recompute and ", addresses computed again for each" or ""),
        ".kernel reorders", ".warp  " .. width, ".equ   W, " .. width, clock and ".param spent : u32[]" or nil,
    }
    add(out, methods.lines "timed_names")
    declare(m, warps, math.min(options.count, 2), out)
    add(out, methods.lines("timed_setup", {words = m.words, twice = 2 * m.runs}))
    add(out, values_of(m, "ld.global.b32   REG, [from+AT*W]"))
    add(out, options.recompute and {} or m.setup)
    for k = 4, clock and 3 + m.runs or 0 do
        add(out, {("xor.b32         both, r%d, r%d            ; wait for both"):format(k, k + m.runs)})
    end
    add(out, clock and methods.lines "timed_begin" or {})
    for i = 1, options.count do
        out[#out + 1] = ("\n        ; %d"):format(i)
        add(out, options.recompute and m.setup or {})
        add(out, in_tile(m.body, 1 - i % 2))
    end
    out[#out + 1] = ""
    add(out, clock and methods.lines("timed_end", {last = "r" .. 3 + 2 * m.runs}) or {})
    add(out, lists.append(values_of(m, "st.global.b32   [to+AT*W], REG"), {"exit"}))
    return table.concat(out, "\n") .. "\n"
end

-- The kernel with the lines from "; ---- PART" to the next blank line replaced by what `change` makes of them.
local function replace(text, part, change)
    local first, last = text:find(("        ; %%-%%-%%-%%- %s.-\n%%s-\n"):format(part))
    assert(first, "the kernel has no part for the " .. part)
    return text:sub(1, first - 1) .. change(text:sub(first, last - 1)) .. text:sub(last)
end

-- The text of kernels/fft/rfft_warp.hd or rfft_many.hd with this reorder; a fused one replaces the bit reversal too.
-- A block has at most `warps` warps. Of rfft_many only the kernel of this width is left.
function methods.inside(text, name, width, warps)
    local m, setup, body, names = methods.get(name, width), {}, {}, {}
    local many = text:find("\n        rfft_many ", 1, true)
    if not many then
        names[1] = (".warp  %d\n.equ   W, %d"):format(width, width)
    end
    if m.words > 0 then
        table.insert(m.names, ".reg   base")
        add(setup, {"s2r             base, %warpid", "mul.lo.u32      base, base, " .. 4 * m.words})
    end
    add(setup, m.setup)
    add(body, in_tile(m.body, many and "\\turn\\()" or 0))
    declare(m, warps, many and 2 or 1, names)
    if many then
        local log = math.tointeger(math.log(width, 2))
        text = text:gsub("\n        rfft_many [^\n]*", "") .. ("        rfft_many %d, %d\n"):format(width, log)
        text = replace(text, "set%-up", function(old) return old .. table.concat(setup, "\n") .. "\n" end)
        setup = {}
    end
    text = replace(text, "reorder", function()
        return ("        ; ---- reorder: %s\n%s\n"):format(name, table.concat(lists.append(setup, body), "\n"))
    end)
    if m.fused then
        text = replace(text, "reversal", function() return "" end)
    end
    local reg = text:find "\n%.reg "
    return text:sub(1, reg) .. table.concat(names, "\n") .. text:sub(reg)
end

return methods
