-- Programs that reorder, once or many times in a row.
--
--   reorder.source("shuffle2", 32, {count = 9})          nine reorders in a row, addresses computed once
--   reorder.source("shuffle2", 32, {count = 1, recompute = true, clock = true})
--   reorder.inside(text, "shuffle2", 32)                 the FFT of kernels/fft/rfft_warp.hd with this reorder
local methods = require "heddle.reorder.methods"

local reorder = {}

local function instructions(list, out)
    for _, line in ipairs(list) do
        out[#out + 1] = "        " .. line
    end
end

-- The same lines in one of two tiles.
local function in_tile(body, tile)
    local out = {}
    for i, line in ipairs(body) do
        out[i] = line:gsub("%[tile", "[tile" .. tile)
    end
    return out
end

-- `tiles`: 2 for reorders in a row, which take turns; else a warp could store what is next before all of its lanes have
-- loaded what was before.
local function declare(m, warps, tiles, out)
    for _, pair in ipairs {{".reg   ", m.regs}, {".pred  ", m.preds}} do
        if pair[2] ~= "" then
            out[#out + 1] = pair[1] .. pair[2]
        end
    end
    for i = 1, m.words > 0 and tiles or 0 do
        out[#out + 1] = (".shared %s : b32[%d] align 128"):format("tile" .. i - 1, m.words * warps)
    end
end

local head = [[
.warp  %d
.param src : b32[]
.param dst : b32[]
%s.equ   W, %d
.reg   lane, warp, base, i, n, from:2, to:2, begin, end, both, results
.pred  first]]

local load = [=[
        s2r             lane, %%laneid
        s2r             warp, %%warpid
        mul.lo.u32      base, warp, %d          ; bytes of shared memory of the warps before
        s2r             n, %%ntid.x
        s2r             i, %%ctaid.x
        mul.lo.u32      i, i, n
        mad.lo.u32      i, warp, W, i           ; threads of the grid before this warp
        mad.lo.u32      n, i, 2, lane           ; e(l)
        ld.param.b64    from, [src]
        ld.param.b64    to, [dst]
        mad.wide.u32    from, n, 4, from
        mad.wide.u32    to, n, 4, to
        ld.global.b32   r4, [from]
        ld.global.b32   r5, [from+4*W]]=]

local before = {
    "xor.b32         both, r4, r5            ; wait for both",
    "s2r             begin, %clock",
    "s2r             begin, %clock           ; waits for the first, so that every unit is idle",
}

local after = {
    "xor.b32         results, r4, r5         ; wait for both",
    "s2r             end, %clock",
}

local report_clock = [[
        sub.u32         end, end, begin
        ld.param.b64    from, [spent]
        div.u32         i, i, W
        mad.wide.u32    from, i, 4, from
        setp.eq.u32     first, lane, 0
@first  st.global.b32   [from], end]]

-- A program in which each warp reorders its run of 2W values `count` times in a row, results being the next inputs.
-- A block has `warps` warps. With `recompute` the set-up is part of each reorder. With `clock` it writes for each warp
-- the cycles from the readiness of both values to that of both results, plus those between two readings of %clock with
-- only that wait between them.
function reorder.source(name, width, options)
    local m, out = methods.get(name, width), {}
    local warps, clock = options.warps or 1, options.clock
    out[1] = ("; %s: %d in a row, W = %d%s"):format(name, options.count, width,
        options.recompute and ", addresses computed again for each" or "")
    out[2] = ".kernel reorders"
    out[3] = head:format(width, clock and ".param spent : u32[]\n" or "", width)
    declare(m, warps, math.min(options.count, 2), out)
    out[#out + 1] = "\n" .. load:format(4 * m.words)
    if not options.recompute then
        instructions(m.setup, out)
    end
    if clock then
        instructions(before, out)
    end
    for i = 1, options.count do
        out[#out + 1] = ("\n        ; %d"):format(i)
        if options.recompute then
            instructions(m.setup, out)
        end
        instructions(in_tile(m.body, 1 - i % 2), out)
    end
    out[#out + 1] = ""
    if clock then
        instructions(after, out)
    end
    instructions({"st.global.b32   [to], r4", "st.global.b32   [to+4*W], r5"}, out)
    if clock then
        out[#out + 1] = report_clock
    end
    out[#out + 1] = "        exit\n"
    return table.concat(out, "\n")
end

-- Instructions of one reorder: of the set-up, and of the reorder itself.
function reorder.lengths(name, width)
    local m = methods.get(name, width)
    return #m.setup, #m.body
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
        m.regs = "base, " .. m.regs
        instructions({"s2r             base, %warpid", "mul.lo.u32      base, base, " .. 4 * m.words}, setup)
    end
    instructions(m.setup, setup)
    instructions(in_tile(m.body, many and "\\turn\\()" or 0), body)
    declare(m, warps, many and 2 or 1, names)
    if many then
        local log = math.tointeger(math.log(width, 2))
        text = text:gsub("\n        rfft_many [^\n]*", "") .. ("        rfft_many %d, %d\n"):format(width, log)
        text = replace(text, "set%-up", function(old) return old .. table.concat(setup, "\n") .. "\n" end)
        setup = {}
    end
    text = replace(text, "reorder", function()
        return ("        ; ---- reorder: %s\n%s\n"):format(name, table.concat(table.move(body, 1, #body, #setup + 1,
            setup), "\n"))
    end)
    if m.fused then
        text = replace(text, "reversal", function() return "" end)
    end
    local reg = text:find "\n%.reg "
    return text:sub(1, reg) .. table.concat(names, "\n") .. text:sub(reg)
end

return reorder
