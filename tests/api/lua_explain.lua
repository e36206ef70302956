-- Is a line explained as it ran: addresses, sectors, banks, passes, source lanes, jumps, and how often?
local heddle = require "heddle"
local test = require "tests.lib.test"
local case, equal, raises = test.case, test.equal, test.raises

-- A kernel of one block around `body`; the line of its only instruction marked with `; <-` is explained.
local function explain(body, options)
    options = options or {}
    local text = [[
.kernel k
.param x : b32[]
.shared words : b32[2048]
.reg i, v, at, by, addr:2, wide:4
.pred p
        s2r           i, %tid.x
        ld.param.b64  addr, [x]
]] .. body .. "\n        exit\n"
    local line, n = nil, 0
    for row in text:gmatch("[^\n]*\n") do
        n = n + 1
        line = row:find("; <-", 1, true) and n or line
    end
    local ctx = heddle.new()
    local x = ctx:buffer("x", "u32", options.shape or { 16, 64 })
    local which = { line, table.unpack(options.which or {}) }
    local result = ctx:launch(ctx:load(text), {
        grid = options.grid, block = options.block or 32, warp = options.warp or 32, args = { x = x }, explain = which,
    })
    equal(#result.explain, 1)
    return result.explain[1], x
end

local function says(e, sentence)
    for _, words in ipairs(e.words) do
        if words == sentence then
            return
        end
    end
    error(("it does not say %q, but\n%s"):format(sentence, table.concat(e.words, "\n")), 2)
end

case("consecutive words", function()
    local e = explain [[
        mad.wide.u32  addr, i, 4, addr
        ld.global.b32 v, [addr]         ; <-]]
    equal(e.executions, 1)
    equal(e.lanes[1].element, "x[0,0]")
    equal(e.lanes[32].element, "x[0,31]")
    for l = 0, 31 do
        equal(e.lanes[l + 1].lane, l)
        equal(e.lanes[l + 1].address, e.lanes[1].address + 4 * l)
        equal(e.lanes[l + 1].line, 0)
        equal(e.lanes[l + 1].sector, l // 8)
    end
    says(e, "32 lanes touch 4 sectors of 1 line: 128 of 128 bytes are useful.")
    says(e, "L1 looks them up in 1 cycle and moves the data in 1 pass.")
    equal(#e.words, 3)
end)

case("strides: a sector for each lane", function()
    local e = explain [[
        mad.wide.u32  addr, i, 128, addr
        ld.global.b32 v, [addr]         ; <-]]
    equal(e.lanes[4].element, "x[1,32]")
    equal(e.lanes[4].line, 3)
    says(e, "32 lanes touch 32 sectors of 32 lines: 128 of 1,024 bytes are useful.")
    says(e, "Side by side and aligned, these 128 bytes would be 4 sectors.")
    says(e, "L1 looks them up in 8 cycles and moves the data in 32 passes.")
    says(e, "Line 1 (" .. ("0x%x"):format(e.lanes[2].address) .. "): 1 sector, for lane 1.")
    says(e, "28 more lines.")
    equal(e.totals.sectors.max, 32)
end)

case("one word past alignment", function()
    local e = explain [[
        mad.wide.u32  addr, i, 4, addr
        ld.global.b32 v, [addr+4]       ; <-]]
    says(e, "32 lanes touch 5 sectors of 2 lines: 128 of 160 bytes are useful.")
    says(e, "L1 looks them up in 1 cycle and moves the data in 1 pass.")
    says(e, ("Line 0 (0x%x): 4 sectors, for lanes 0-30."):format(e.lanes[1].address - 4))
    equal(e.lanes[32].line, 1)
end)

case("one place", function()
    local e = explain "        ld.global.b32 v, [addr]       ; <-"
    says(e, "32 lanes touch 1 sector of 1 line: 4 of 32 bytes are useful.")
    says(e, "All 32 lanes read the same place: it is fetched once.")
    e = explain "        st.global.b32 [addr], i       ; <-"
    says(e, "All 32 lanes write the same place: what the highest lane writes stays.")
end)

case("atomics act once, with and without a dry run", function()
    local e, x = explain([[
        and.b32       v, i, 3
        mad.wide.u32  addr, v, 4, addr
        mov.b32       v, 1
        red.global.add.u32 [addr], v    ; <-]], { grid = 3 })
    says(e, "Lanes 1, 5, 9, ..., 29 change the same place: one after the other, in the order of the lanes.")
    equal(e.totals.lanes_on_one_address.min, 8)
    equal(e.executions, 3)
    equal(x[1], 24)
    equal(x[5], 0)
end)

case("two-way conflicts", function()
    local e = explain [[
        shl.b32       at, i, 3
        ld.shared.b32 v, [at]           ; <-]]
    says(e, "2 passes; the same words, spread evenly over all banks, would take 1.")
    says(e, "Lanes 0 and 16 want different words of bank 0: 2 passes.")
    says(e, "Lanes 3 and 19 want different words of bank 6: 2 passes.")
    says(e, "So it is in 12 more banks.")
    for l = 0, 31 do
        equal(e.lanes[l + 1]["shared byte"], 8 * l)
        equal(e.lanes[l + 1].bank, 2 * l % 32)
        equal(e.lanes[l + 1].word, 2 * l)
        equal(e.lanes[l + 1].pass, l < 16 and 1 or 2)
    end
    equal(e.totals.passes.mean, 2.0)
    equal(e.totals.passes_without_conflicts.max, 1)
end)

case("n-way conflicts, and words that are shared", function()
    local e = explain [[
        shl.b32       at, i, 7
        ld.shared.b32 v, [at]           ; <-]]
    says(e, "All 32 lanes want 32 different words of bank 0: 32 passes.")
    equal(e.lanes[32].pass, 32)
    e = explain [[
        and.b32       at, i, 3
        mul.lo.u32    at, at, 4
        ld.shared.b32 v, [at+12]        ; <-]]
    says(e, "1 pass: no bank conflicts.")
    says(e, "Lanes 0, 4, 8, ..., 28 want the same word of bank 3: served together.")
end)

case("phases of wide accesses", function()
    local e = explain [[
        shl.b32        at, i, 4
        ld.shared.b128 wide, [at]       ; <-]]
    says(e, "32 banks of 4 bytes: 16 bytes a lane go in 4 phases of 8 lanes.")
    says(e, "4 passes: no bank conflicts.")
    for l = 0, 31 do
        equal(e.lanes[l + 1].pass, l // 8 + 1)
        equal(e.lanes[l + 1].bank, 4 * l % 32)
    end
    e = explain([[
        shl.b32        at, i, 3
        ld.shared.b64  addr, [at]       ; <-]], { warp = 64, block = 64 })
    says(e, "32 banks of 4 bytes: 8 bytes a lane go in 4 phases of 16 lanes.")
    equal(e.totals.passes.max, 4)
end)

case("pass numbers end at the passes, at every stride and width", function()
    for _, warp in ipairs { 8, 16, 32, 64 } do
        for stride = 1, 12 do
            local e = explain(([[
        mul.lo.u32    at, i, %d
        ld.shared.b32 v, [at]           ; <-]]):format(4 * stride), { warp = warp, block = warp })
            local last = 0
            for l = 1, warp do
                last = math.max(last, e.lanes[l].pass)
            end
            equal(last, e.totals.passes.max)
        end
    end
end)

case("shared atomics, parameters, constants", function()
    local e = explain "        atom.shared.add.u32 v, [0], i  ; <-"
    says(e, "An atomic takes its address for itself: at most 32 lanes share one.")
    e = explain "        ld.param.b32  v, [x]  ; <-"
    says(e, "32 lanes read 1 address of param memory: one access serves all.")
end)

case("shuffles", function()
    local e = explain "        shfl.up.b32   v, i, 1          ; <-"
    says(e, "Each reads the lane 1 below it.")
    says(e, "Lane 0: no such lane in the segment; the own value stays.")
    equal(e.lanes[1]["reads lane"], 0)
    equal(e.lanes[8]["reads lane"], 6)
    equal(e.lanes[8]["new r1"], 6)
    e = explain "        shfl.bfly.b32 v, i, 5          ; <-"
    says(e, "They trade in pairs: lane 0 with lane 5, and so on.")
    e = explain "        shfl.idx.b32  v, i, 3          ; <-"
    says(e, "All read lane 3: a broadcast.")
    e = explain "        shfl.down.w8.b32 v, i, 2       ; <-"
    says(e, "Lanes read within segments of 8.")
    says(e, "Lanes 6, 7, 14, 15, 22, 23 and 2 more: no such lane in the segment; the own value stays.")
    for l = 0, 31 do
        equal(e.lanes[l + 1]["reads lane"], l % 8 < 6 and l + 2 or l)
        equal(e.lanes[l + 1]["new r1"], e.lanes[l + 1]["reads lane"])
    end
end)

case("shuffles read what their registers held before", function()
    local e = explain "        shfl.bfly.b32 i, i, 1          ; <-"
    equal(e.lanes[1].r0, 0)
    equal(e.lanes[1]["new r0"], 1)
end)

case("votes and matches", function()
    local e = explain [[
        setp.lt.u32   p, i, 20
        vote.any      p, p             ; <-]]
    says(e, "It holds in 20 of 32 lanes: lanes 0-19.")
    equal(e.lanes[32].p0, 0)
    equal(e.lanes[32]["new p0"], 1)
    e = explain [[
        and.b32       v, i, 1
        match.any.b32 wide, v          ; <-]]
    says(e, "Lanes 1, 3, 5, ..., 31: 0x1.")
end)

case("the result of a barrier that reduces is known to the last warp that arrives", function()
    for warp = 0, 1 do
        local e = explain("        bar.red.popc  v, 0, pt         ; <-", { block = 64, which = { 0, warp } })
        equal(e.lanes[1]["new r1"], warp == 1 and 64 or nil)
    end
end)

case("transit", function()
    local e = explain [[
        xpush         x0, i
        xpush         x0, i
        xpush         x0, i
        xpush         x0, i
        xext          v, x0, 3         ; <-]]
    for l = 0, 31 do -- an array of 8 rows and 16 columns; the odd ones of both are read
        local row, column = 2 * (l // 8) + 1, 2 * (l % 8) + 1
        equal(e.lanes[l + 1].slot, (row >= 4 and 2 or 0) + (column >= 8 and 1 or 0))
        equal(e.lanes[l + 1]["pushed by lane"], row % 4 * 8 + column % 8)
        equal(e.lanes[l + 1]["new r1"], e.lanes[l + 1]["pushed by lane"])
    end
end)

case("branches", function()
    local e = explain [[
        setp.lt.u32   p, i, 20
@p      bra           there            ; <-
        add.s32       v, i, 1
there:  add.s32       v, i, 2]]
    says(e, "Lanes 0-19 jump to line 11.")
    says(e, "Lanes 20-31 go on at line 10.")
    says(e, "They diverge, and run one group after the other until they reconverge at line 11.")
    equal(e.lanes[20].does, "jumps")
    equal(e.lanes[21].does, "goes on")
    equal(e.totals.lanes_taken.max, 20)
    e = explain [[
        setp.lt.u32   p, i, 40
@p      bra           there            ; <-
        add.s32       v, i, 1
there:  add.s32       v, i, 2]]
    says(e, "The lanes stay together.")
end)

case("lanes that are away", function()
    local e = explain [[
        setp.lt.u32   p, i, 20
@p      bra           there
        add.s32       v, i, -25        ; <-
there:  add.s32       v, i, 2]]
    says(e, "12 of the warp's 32 lanes are active; the others diverged, have exited, or do not exist.")
    equal(e.lanes[20].r0, nil)
    equal(e.lanes[21]["new r1"], -5)
    e = explain [[
        setp.lt.u32   p, i, 20
@p      add.s32       v, i, 1          ; <-]]
    says(e, "The guard holds in 20 of them; the others skip it.")
    equal(e.totals.lanes.max, 20)
end)

-- Lane l of warp w runs the loop w + 1 times.
local loop = [[
        shr.u32       by, i, 5
        mov.b32       v, 0
again:  shl.b32       at, v, 2
        ld.shared.b32 at, [at]         ; <-
        add.u32       v, v, 1
        setp.le.u32   p, v, by
@p      bra           again]]

case("which block, warp and execution", function()
    local e = explain(loop, { block = 128, grid = 2, which = { 1, 2, 3 } })
    equal(e.executions, 2 * (1 + 2 + 3 + 4))
    equal(e.block[1], 1)
    equal(e.warp, 2)
    equal(e.lanes[1]["shared byte"], 8)
    equal(e.totals.passes.histogram, {{value = 1, executions = 20}})
    e = explain(loop, { block = 128, which = { 0, 3 } })
    equal(e.warp, 3)
    equal(e.lanes[1]["shared byte"], 0)
    e = explain(loop, { block = 128, which = { 0, 1, 3 } })
    equal(e.lanes, nil)
    says(e, "Warp 1 of block 0 executed it 2 times only.")
    raises("there is no block 2 to explain: the grid has 2, from 0", explain, loop, { grid = 2, which = { 2 } })
    raises("there is no warp 1 to explain: a block has 1, from 0", explain, loop, { which = { 0, 1 } })
end)

case("the file of a line", function()
    local ctx = heddle.new()
    local program = ctx:load ".kernel k\nexit\n"
    raises("explain: a file's name expected", ctx.launch, ctx, program, { explain = { 2, file = {} } })
    raises("no line is from a file 'other.hd'", ctx.launch, ctx, program, { explain = { 2, file = "other.hd" } })
end)

case("what nobody executes", function()
    local e = explain [[
        setp.lt.u32   p, i, 0
@p      add.s32       v, i, 1          ; <-]]
    equal(e.executions, 0)
    says(e, "No lane executed it in this launch.")
end)

case("lines without instructions", function()
    local ctx = heddle.new()
    local program = ctx:load(".kernel k\n.reg a\n  mov.b32 a, 1\n\n  exit\n", "k.hd")
    raises("line 4 has no instruction; the nearest that have are 3 and 5", ctx.launch, ctx, program, { explain = 4 })
    raises("line 9 has no instruction; the nearest that has is 5", ctx.launch, ctx, program, { explain = 9 })
    raises("a line", ctx.launch, ctx, program, { explain = "3" })
    raises("a block, from 0, expected", ctx.launch, ctx, program, { explain = { 3, -1 } })
    raises("an execution, from 1, expected", ctx.launch, ctx, program, { explain = { 3, 0, 0, 0 } })
    raises("a line, a list or \"worst\" expected", ctx.launch, ctx, program, { explain = "best" })
    raises("in `worst` a number of accesses", ctx.launch, ctx, program, { explain = { worst = 0 } })
    equal(#ctx:launch(program, { explain = { worst = 3 } }).explain, 0)
    equal(#ctx:launch(program, {}).explain, 0)
    equal(ctx:launch(program, { explain = 5 }).explain[1].lanes[1].does, "ends")
end)

case("the access that costs most", function()
    local ctx = heddle.new()
    local program = ctx:load "kernels/classic/transpose_naive.hd"
    ctx:buffer("a", "f32", 32 * 40)
    ctx:buffer("b", "f32", 32 * 40)
    local found = ctx:launch(program, { grid = { 2, 1 }, block = { 32, 8 }, explain = "worst",
        args = { a = "a", b = "b", rows = 32, cols = 40 } }).explain
    equal(#found, 1)
    equal(found[1].line, 45)
end)

case("floating-point and signed operands", function()
    local e = explain [[
        cvt.f32.s32   v, i
        mul.f32       v, v, -0.5       ; <-]]
    equal(e.lanes[4].r1, 3.0)
    equal(e.lanes[4]["new r1"], -1.5)
end)

case("a launch that is explained counts and leaves what others do, at every instruction", function()
    local text = [[
.kernel k
.param x : u32[]
.reg i, v, k, addr:2
.pred p, odd
        s2r           i, %tid.x
        ld.param.b64  addr, [x]
        mad.wide.u32  addr, i, 4, addr
        and.b32       v, i, 1
        setp.ne.u32   odd, v, 0
        mov.b32       k, i
again:
        @odd add.u32  v, v, k
        setp.lt.u32   p, v, 40
        @!odd bra     other
        add.u32       v, v, 3
        @p bra        again
other:
        @!odd add.u32 v, v, 7
        red.global.add.u32 [addr], v
        @p exit
        st.global.b32 [addr], k
        exit
]]
    local ctx = heddle.new()
    local program = ctx:load(text)
    local function run(line, hardware)
        local x = ctx:buffer("x", "u32", 64)
        local r = ctx:launch(program, { grid = 2, block = 40, args = { x = x }, rules = hardware and "hardware" or nil,
            explain = line })
        local counts = {}
        for i, l in ipairs(r.lines) do
            counts[i] = l.line .. ":" .. l.warp_instructions .. ":" .. l.lanes
        end
        return table.concat(counts, " ") .. " " .. x:bytes(), r
    end
    for _, hardware in ipairs { false, true } do
        local plain, r = run(nil, hardware)
        for _, l in ipairs(r.lines) do
            local watched, w = run(l.line, hardware)
            equal(watched, plain)
            equal(w.explain[1].executions > 0, l.lanes > 0 or l.text:find("bra") ~= nil)
        end
    end
end)

test.finish()
