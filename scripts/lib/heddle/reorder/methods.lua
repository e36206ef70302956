-- The methods of reordering, one row each, as a compiler that knows the warp width would write them.
--
--   local m = methods.get("shuffle2", 32)           m.setup, m.body: lists of lines
--   methods.get("shuffle2-fused", 32)               lane l gets the pair of l with its bits reversed, as an FFT begins
--
-- The kernels of kernels/reorder/ work at every width and read it at run time; in the measured programs, width and
-- block barrier are constants. A reorder takes r4 = e(l), r5 = e(W + l) and gives r4 = e(2l), r5 = e(2l + 1). `lane`
-- is the lane number, `base` the offset of the warp's words in shared memory; both stay in registers, as do the
-- results of `setup`, unless they are recomputed for each reorder. PLACE is the number of the pair that a lane gets:
-- the lane number, or fused that with its bits reversed, which only some methods can do.
local methods = {}

local function lines(text)
    local list = {}
    for line in text:gmatch "[^\n]*%S[^\n]*" do
        list[#list + 1] = line:match "^%s*(.-)%s*$"
    end
    return list
end

local function log2(width)
    return math.tointeger(math.log(width, 2))
end

local transit = [[
    shfl.bfly.b32   r6, r4, W/4             ; parts 1 and 2, 3 and 4 change places
    shfl.bfly.b32   r7, r5, W/4
    xpush           x0, r4
    xpush           x0, r6
    xpush           x0, r5
    xpush           x0, r7
]]

local function butterfly(_, width)
    local setup, body, bits = {}, {}, {}
    for i = log2(width) - 1, 0, -1 do
        local m = 1 << i
        bits[#bits + 1] = "bit" .. m
        setup[#setup + 1] = ("and.b32         tmp, lane, %d\nsetp.ne.u32     bit%d, tmp, 0"):format(m, m)
        body[#body + 1] = (([[
            sel.b32         send, r4, r5, bitM
            shfl.bfly.b32   got, send, M
            sel.b32         r4, got, r4, bitM
            sel.b32         r5, r5, got, bitM]]):gsub("M", m))
    end
    return {regs = "tmp, send, got", preds = table.concat(bits, ", "), setup = table.concat(setup, "\n"),
        body = table.concat(body, "\n")}
end

local barriers = {none = "", warp = "bar.warp\n", block = "bar.sync        0\n"}

-- Stores of both values, the barrier, loads of both: a function of barrier and width. `words` and `pad` are functions
-- of the width: words of shared memory of each warp, and the padding between its halves.
local function through_memory(form)
    return function(barrier, width)
        local pad = form.pad and form.pad(width) or 0
        local function padded(text)
            return (text:gsub("PAD", pad))
        end
        return {regs = form.regs, words = 2 * (width + pad), setup = padded(form.setup),
            body = form.stores .. barriers[barrier] .. padded(form.loads)}
    end
end

local linear = {
    regs = "put, get",
    setup = [[
        mad.lo.u32      put, lane, 4, base      ; where e(l) goes, e(W + l) 4W bytes further
        mad.lo.u32      get, PLACE, 8, base     ; where e(2l) and e(2l + 1) are
    ]],
    stores = [[
        st.shared.b32   [tile+put], r4
        st.shared.b32   [tile+put+4*W], r5
    ]],
    loads = [[
        ld.shared.b32   r4, [tile+get]
        ld.shared.b32   r5, [tile+get+4]
    ]],
}

local vector = {
    regs = linear.regs, setup = linear.setup, stores = linear.stores,
    loads = "ld.shared.b64   r4, [tile+get]          ; r4 and r5",
}

-- The even values first, the odd ones W + pad words further.
local function scatter(pad)
    return {
        pad = pad, regs = "tmp, put, get",
        setup = [[
            and.b32         tmp, lane, 1
            mad.lo.u32      put, tmp, 4*(W+PAD), base
            shr.u32         tmp, lane, 1
            mad.lo.u32      put, tmp, 4, put        ; where e(l) goes, e(W + l) 2W bytes further
            mad.lo.u32      get, PLACE, 4, base     ; where e(2l) will be, e(2l + 1) 4(W + pad) bytes further
        ]],
        stores = [[
            st.shared.b32   [tile+put], r4
            st.shared.b32   [tile+put+2*W], r5
        ]],
        loads = [[
            ld.shared.b32   r4, [tile+get]
            ld.shared.b32   r5, [tile+get+4*(W+PAD)]
        ]],
    }
end

-- Padding that avoids bank conflicts of a scatter's stores, with 32 banks of a word each.
local padded = scatter(function(width) return width % 32 == 0 and 16 or 0 end)
local unpadded = scatter()

-- name, how the values travel, the barrier, and a function of barrier and width that gives the text.
local rows = {
    {"none", "none", "none", function() return {body = ""} end},
    {"transit1", "registers", "none", function()
        return {body = transit .. [[
            xext            r4, x0, 0               ; even rows, even columns
            xext            r5, x0, 1               ; even rows, odd columns
        ]]}
    end},
    {"transit2", "registers", "none", function()
        return {body = transit .. [[
            xext            r6, x0, 2               ; odd rows, even columns
            xext            r7, x0, 3               ; odd rows, odd columns
            shfl.bfly.b32   r4, r6, W/8
            shfl.bfly.b32   r5, r7, W/8
        ]]}
    end},
    {"shuffle2", "registers", "none", function()
        return {regs = "tmp, u, v, i0, i1", preds = "odd, low", setup = [[
            and.b32         tmp, lane, 1
            setp.ne.u32     odd, tmp, 0
            setp.lt.u32     low, PLACE, W/2
            sel.b32         tmp, rz, 1, low
            mad.lo.u32      i0, PLACE, 2, tmp       ; the number rotated left by one bit: it counts modulo W
            xor.b32         i1, i0, 1
        ]], body = [[
            sel.b32         u, r5, r4, odd          ; offered first
            sel.b32         v, r4, r5, odd          ; offered second
            shfl.idx.b32    u, u, i0
            shfl.idx.b32    v, v, i1
            sel.b32         r4, u, v, low
            sel.b32         r5, v, u, low
        ]]}
    end},
    {"shuffle4", "registers", "none", function()
        return {regs = "even, odd, a, b, c, d", preds = "low", setup = [[
            setp.lt.u32     low, PLACE, W/2
            shl.b32         even, PLACE, 1
            add.u32         odd, even, 1
        ]], body = [[
            shfl.idx.b32    a, r4, even
            shfl.idx.b32    b, r5, even
            shfl.idx.b32    c, r4, odd
            shfl.idx.b32    d, r5, odd
            sel.b32         r4, a, b, low
            sel.b32         r5, c, d, low
        ]]}
    end},
    {"butterfly", "registers", "none", butterfly},
    {"shared-linear", "shared memory", "warp", through_memory(linear)},
    {"shared-vector", "shared memory", "warp", through_memory(vector)},
    {"shared-scatter", "shared memory", "warp", through_memory(padded)},
    {"shared-scatter-nopad", "shared memory", "warp", through_memory(unpadded)},
    {"shared-vector-nobar", "shared memory", "none", through_memory(vector)}, -- correct where lanes run in lockstep
    {"shared-linear-block", "shared memory", "block", through_memory(linear)},
    {"shared-vector-block", "shared memory", "block", through_memory(vector)},
    {"shared-scatter-block", "shared memory", "block", through_memory(padded)},
}

local by_name = {}
methods.names = {} -- in the order of the table; "none" is no reorder, the control
for i, row in ipairs(rows) do
    by_name[row[1]], methods.names[i] = row, row[1]
end

-- {name, through, barrier, regs, preds, setup, body, words, fused}: lists of lines, and words of shared memory of a
-- warp. A name that ends in -fused has the bit reversal in PLACE.
function methods.get(name, width)
    local plain = name:gsub("%-fused$", "")
    local row = assert(by_name[plain], name)
    local text, setup, regs = row[4](row[3], width), "", ""
    if plain ~= name then
        setup = ("brev.b32 place, lane\nshr.u32 place, place, %d\n"):format(32 - log2(width))
        regs = ", place"
    end
    setup = setup .. (text.setup or ""):gsub("PLACE", plain ~= name and "place" or "lane")
    return {name = name, through = row[2], barrier = row[3], regs = (text.regs or "") .. regs, preds = text.preds or "",
        setup = lines(setup), body = lines(text.body), words = text.words or 0, fused = plain ~= name}
end

-- The instructions of one reorder whose names begin with one of these.
function methods.count(name, width, ...)
    local n = 0
    for _, line in ipairs(methods.get(name, width).body) do
        for _, start in ipairs {...} do
            n = n + (line:sub(1, #start) == start and 1 or 0)
        end
    end
    return n
end

return methods
