-- Does context:prove answer as `heddle prove` does?
local checks = require "tests.lib.checks"
local heddle = require "heddle"

local function check(what, ok)
    checks.report(ok, "FAILED: %s", what)
end

-- y[i] = what LINES make of v, which is x[i].
local function kernel(name, lines)
    return ([[
.kernel %s
.param x : u32[32]
.param y : u32[32]
.param n : u32
.reg   i, v, px:2, py:2
.pred  p
        s2r           i, %%tid.x
        ld.param.b64  px, [x]
        ld.param.b64  py, [y]
        mad.wide.u32  px, i, 4, px
        mad.wide.u32  py, i, 4, py
        ld.global.b32 v, [px]
%s
        st.global.b32 [py], v
        exit
]]):format(name, lines)
end

local ctx <close> = heddle.new()
local x, y = ctx:buffer("x", "u32", 32, 7), ctx:buffer("y", "u32", 32, 8)
local copy = ctx:load(kernel("copy", ""), "copy.hd")
local around = ctx:load(kernel("around", "not.b32 v, v\nnot.b32 v, v"), "around.hd")
local swapped = ctx:load(kernel("swapped", "shfl.bfly.b32 v, v, 1"), "swapped.hd")
local branching = ctx:load(kernel("branching", "setp.eq.u32 p, v, 12345\n@p bra on\nnop\non:"), "branching.hd")
local options = {args = {x = x, y = "y", n = 3}, warp = 32, block = 32}

local proof = ctx:prove({copy, around}, options)
check("equal", proof.verdict == "equal" and not proof.difference)
check("in words", proof.text:find("^warp 32: copy and around are equal for all inputs\n"))
check("kernels", proof.kernels[1] == "copy" and proof.kernels[2] == "around")
check("elements", #proof.elements == 32 and proof.elements[5].kind == "copy" and proof.elements[5].from == "x"
    and proof.elements[5].from_element == 5)
check("buffers keep what they hold", x[1] == 7 and y[32] == 8)

proof = ctx:prove({copy, swapped}, options)
local d = proof.difference
check("different", proof.verdict == "different" and d.buffer == "y" and d.element == 1 and d.elements == 32)
check("sides", d.sides[1].value == "x[0]" and d.sides[2].value == "x[1]" and d.sides[1].bits ~= d.sides[2].bits)
local side = d.sides[2]
check("place", side.line == 14 and side.lane == 0 and side.register == "r1" and side.block[1] == 0)

proof = ctx:prove({branching, copy}, options)
check("followed", proof.verdict == "equal" and proof.paths == 1 and proof.depends[1].what == "x[0]")
options.bound = 0
proof = ctx:prove({branching, copy}, options)
options.bound = nil
check("depends", proof.paths == 0 and proof.verdict == "depends" and proof.depends[1].how == "branches on"
    and proof.depends[1].what == "x[0]" and proof.depends[2] == false)

local scratch = {args = options.args, warp = 32, block_a = 32, block_b = 32, roles = {y = "scratch"}}
proof = ctx:prove({copy, swapped}, scratch)
check("scratch", proof.verdict == "equal" and #proof.elements == 0)

-- The data that shows a difference, run.
proof = ctx:prove({copy, swapped}, options)
local left = {}
for k, program in ipairs {copy, swapped} do
    for name, bytes in pairs(proof.data) do ctx:get(name):set(bytes) end
    ctx:launch(program, options)
    left[k] = y[1] & 0xffffffff
end
local sides = proof.difference.sides
check("data", left[1] == sides[1].bits and left[2] == sides[2].bits and left[1] ~= left[2])
check("no data", ctx:prove({copy, around}, options).data["x"] == nil)

-- Races of one kernel, as a launch reports them.
local racing = ctx:load((kernel("racing", [[
        shl.b32       i, i, 2
        st.shared.b32 [tile+i], v
        xor.b32       i, i, 4
        ld.shared.b32 v, [tile+i]
]]):gsub(".reg", ".shared tile : b32[32]\n.reg", 1)), "racing.hd")
proof = ctx:prove({swapped, racing}, options)
check("order: " .. proof.text, proof.verdict == "order" and #proof.findings == 2 and #proof.findings[1].list == 0)
options.check = "race,sync"
local finding, ran = proof.findings[2].list[1], ctx:launch(racing, options).findings[1]
options.check = nil
check("findings", #proof.findings[2].list == 1 and finding.kind == ran.kind and finding.class == ran.class
    and finding.places[1].line == ran.places[1].line and finding.places[2].how == ran.places[2].how
    and finding.where == ran.where and finding.text == ran.text and not finding.places[1].cycle)
check("no findings", #ctx:prove({copy, around}, options).findings[1].list == 0)

-- Proofs that end before the answer.
local slow = ctx:load(kernel("slow", [[
        mov.b32     i, 0
loop:   mul.hi.u32  v, v, v
        add.u32     v, v, i
        add.u32     i, i, 1
        setp.lt.u32 p, i, 200000
@p      bra         loop
]]), "slow.hd")
options.max_time = 0.2
proof = ctx:prove({slow, slow}, options)
options.max_time = nil
check("time", proof.verdict == "undecided" and proof.undecided == "time" and proof.text:find("no answer within 0.2 s"))
local steps, calls = {}, 0
options.progress = function(share, step)
    steps[step], calls = share, calls + 1
    return calls < 2000
end
proof = ctx:prove({slow, slow}, options)
check("stopped", proof.verdict == "undecided" and proof.undecided == "stopped" and calls == 2000
    and steps["deriving what is left by slow"])
options.progress = function() error("enough") end
local went, message = pcall(ctx.prove, ctx, {slow, slow}, options)
check("an error ends it: " .. tostring(message), not went and tostring(message):find("enough"))
options.progress = function() end
check("to the end", ctx:prove({copy, around}, options).verdict == "equal")
options.progress = nil

-- A matrix instruction and the loop that it stands for, of fp16 and of bf16; and that loop from the other end.
local function product(name, type, body)
    return ([[
.kernel %s
.param a : %s[256]
.param b : %s[128]
.param c : f32[128]
.reg   i, first, t, u, ra:4, rb:2, rc:4, pa:2, pb:2, pc:2
        s2r             i, %%tid.x
        ld.param.b64    pa, [a]
        ld.param.b64    pb, [b]
        ld.param.b64    pc, [c]
        mad.wide.u32    pa, i, 16, pa
        mad.wide.u32    pc, i, 16, pc
        ld.global.b128  rc, [pc]
%s
        st.global.b128  [pc], rc
        exit
]]):format(name, type, type, body)
end
local function chain(type, from, to, step)
    local lines = {"and.b32 first, i, 0x18", "mad.wide.u32 pb, first, 8, pb"}
    for k = from, to, step do
        lines[#lines + 1] = ("ld.global.u16 t, [pa+%d]\ncvt.f32.%s t, t"):format(2 * k, type)
        for j = 0, 3 do
            lines[#lines + 1] = ("ld.global.u16 u, [pb+%d]\ncvt.f32.%s u, u\nfma.f32 rc+%d, t, u, rc+%d"):format(
                8 * k + 2 * j, type, j, j)
        end
    end
    return table.concat(lines, "\n")
end
for _, type in ipairs {"f16", "bf16"} do
    local mma = ctx:load(product("mma", type, "mad.wide.u32 pb, i, 8, pb\nld.global.b64 rb, [pb]\n" ..
        "ld.global.b128 ra, [pa]\nmma.m8n4k8.f32." .. type .. " rc, ra, rb, rc"), "mma.hd")
    local up = ctx:load(product("up", type, chain(type, 0, 7, 1)), "up.hd")
    local down = ctx:load(product("down", type, chain(type, 7, 0, -1)), "down.hd")
    local matrices = {warp = 32, block = 32, args = {a = ctx:buffer("a of " .. type, type, 256),
        b = ctx:buffer("b of " .. type, type, 128), c = ctx:buffer("c of " .. type, "f32", 128)}}
    proof = ctx:prove({mma, up}, matrices)
    check("matrix product of " .. type .. ": " .. proof.text, proof.verdict == "equal")
    check("sums in another order differ", ctx:prove({mma, down}, matrices).verdict ~= "equal")
end

-- Fragments of a matrix over 32 lanes: A by rows, B by columns, C by rows.
local function fragments(name, type, body)
    return ([[
.kernel %s
.warp  32, 64
.param a : %s[256]
.param b : %s[128]
.param c : f32[128]
.reg   g, t, u, v, ra:4, rb:2, rc:4, pa:2, pb:2, pc:2
        s2r             t, %%tid.x
        shr.u32         g, t, 2
        and.b32         t, t, 3
        ld.param.b64    pa, [a]
        ld.param.b64    pb, [b]
        ld.param.b64    pc, [c]
        mad.wide.u32    pa, g, 32, pa
        mad.wide.u32    pc, g, 32, pc
        mad.wide.u32    pc, t, 8, pc
        ld.global.b64   rc, [pc]
        ld.global.b64   rc+2, [pc+256]
%s
        st.global.b64   [pc], rc
        st.global.b64   [pc+256], rc+2
        exit
]]):format(name, type, type, body)
end
local function fragment_chain(type, from, to, step)
    local lines = {"mad.wide.u32 pb, t, 64, pb"}
    for k = from, to, step do
        for e = 0, 3 do
            lines[#lines + 1] = ("ld.global.u16 u, [pa+%d]\nld.global.u16 v, [pb+%d]\ncvt.f32.%s u, u\n" ..
                "cvt.f32.%s v, v\nfma.f32 rc+%d, u, v, rc+%d"):format(256 * (e // 2) + 2 * k, 32 * (e % 2) + 2 * k,
                type, type, e, e)
        end
    end
    return table.concat(lines, "\n")
end
for _, type in ipairs {"f16", "bf16"} do
    local mma = ctx:load(fragments("mma", type, [[
        mad.wide.u32 pa, t, 4, pa
        mad.wide.u32 pb, g, 32, pb
        mad.wide.u32 pb, t, 4, pb
        ld.global.b32 ra, [pa]
        ld.global.b32 ra+1, [pa+256]
        ld.global.b32 ra+2, [pa+16]
        ld.global.b32 ra+3, [pa+272]
        ld.global.b32 rb, [pb]
        ld.global.b32 rb+1, [pb+16]
        mma.m16n8k16.f32.]] .. type .. " rc, ra, rb, rc"), "mma.hd")
    local up = ctx:load(fragments("up", type, fragment_chain(type, 0, 15, 1)), "up.hd")
    local down = ctx:load(fragments("down", type, fragment_chain(type, 15, 0, -1)), "down.hd")
    local matrices = {warp = 32, block = 32, args = {a = ctx:buffer("A of " .. type, type, 256),
        b = ctx:buffer("B of " .. type, type, 128), c = ctx:buffer("C of " .. type, "f32", 128)}}
    proof = ctx:prove({mma, up}, matrices)
    check("fragments of " .. type .. ": " .. proof.text, proof.verdict == "equal")
    check("their sums in another order differ", ctx:prove({mma, down}, matrices).verdict ~= "equal")
end

local function refused(what, kind, text, ...)
    local ok, why = pcall(ctx.prove, ctx, ...)
    check(what .. ": " .. tostring(why), not ok and tostring(why):find(text, 1, true)
        and (not kind or why.kind == kind))
end
refused("role", nil, 'y: "in", "inout", "out" or "scratch" expected', {copy, copy},
    {args = options.args, roles = {y = "on"}})
refused("input written", "input", "given as an input only", {copy, copy},
    {args = options.args, warp = 32, roles = {y = "in"}})
refused("option", nil, "grip", {copy, copy}, {grip = 1})
refused("time", nil, "max_time: seconds, more than 0, expected", {copy, copy}, {max_time = 0})
refused("progress", nil, "progress: a function expected", {copy, copy}, {progress = 1})
refused("one program", nil, "a list of two programs expected", {copy}, options)
refused("no list", nil, "table expected", copy, options)
local past = ctx:load(kernel("past", "st.global.b32 [py+8192], v"), "past.hd")
refused("fault", "out_of_bounds", "data made up for a proof", {copy, past}, options)

checks.finish()
