-- Programs that reorder, once or many times in a row.
--
--   reorder.source("shuffle2", 32, {count = 9})          nine reorders in a row, addresses computed once
--   reorder.source("shuffle2", 32, {count = 1, recompute = true, clock = true})
--   reorder.inside(text, "shuffle2", 32)                 the FFT of kernels/fft/rfft_warp.hd with this reorder
local lists = require "heddle.kit.lists"
local methods = require "heddle.reorder.methods"

local reorder = {}

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

-- A program in which each warp reorders its run of 2W values `count` times in a row, results being the next inputs.
-- A block has `warps` warps. With `recompute` the set-up is part of each reorder. With `clock` it writes for each warp
-- the cycles from the readiness of both values to that of both results, plus those between two readings of %clock with
-- only that wait between them.
function reorder.source(name, width, options)
    local m, warps, clock = methods.get(name, width), options.warps or 1, options.clock
    local out = {
        ("; %s: %d in a row, W = %d%s"):format(name, options.count, width,
            options.recompute and ", addresses computed again for each" or ""),
        ".kernel reorders", ".warp  " .. width, ".equ   W, " .. width, clock and ".param spent : u32[]" or nil,
    }
    add(out, methods.lines "timed_names")
    declare(m, warps, math.min(options.count, 2), out)
    add(out, methods.lines("timed_setup", {words = m.words}))
    add(out, options.recompute and {} or m.setup)
    add(out, clock and methods.lines "timed_begin" or {})
    for i = 1, options.count do
        out[#out + 1] = ("\n        ; %d"):format(i)
        add(out, options.recompute and m.setup or {})
        add(out, in_tile(m.body, 1 - i % 2))
    end
    out[#out + 1] = ""
    add(out, clock and methods.lines "timed_end" or {})
    add(out, methods.lines "timed_store")
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
function reorder.inside(text, name, width, warps)
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

return reorder
