-- Does a proof for a range of sizes hold for each of them? Kernels that differ at one size, in one block, beyond some
-- number or at a border are never called equal there, and shown where they can be run; what is called equal is, at
-- sizes that are run. Kernels of affine indices are proved; the others are refused with the place.
--
--   SIZES=n   random pairs (60)
--   SEED=n    others (1)
local heddle = require "heddle"
local test = require "tests.lib.test"
local case, equal, ok = test.case, test.equal, test.ok

local PAIRS, SEED = tonumber(os.getenv("SIZES")) or 60, tonumber(os.getenv("SEED")) or 1
local BLOCK <const> = 8
math.randomseed(SEED)
local random = math.random

-- i is the element, v = x[i], w = y[i]; p: i is beyond the end. The lines may change v, and use t, u, b and q.
local FRAME = [[
.kernel k
.param n : u32
.param x : u32[]
.param y : u32[]
.shared tile : b32[64]
.reg i, t, u, b, v, w, n0, px:2, py:2
.pred p, q
        s2r t, %%tid.x
        s2r b, %%ctaid.x
        ld.param.b32 n0, [n]
        ld.param.b64 px, [x]
        ld.param.b64 py, [y]
%s
%s
@p      exit
        mad.wide.u32 px, i, 4, px
        mad.wide.u32 py, i, 4, py
        ld.global.b32 v, [px]
        ld.global.b32 w, [py]
%s
        st.global.b32 [py], v
        exit
]]
local INDEX = {"mad.lo.u32 i, b, 8, t", "shl.b32 i, b, 3\n add.u32 i, t, i",
    "s2r u, %%ntid.x\n mul.lo.u32 i, b, u\n add.u32 i, i, t",
    "sub.u32 i, t, 8\n mad.lo.u32 i, b, 8, i\n add.u32 i, i, 8"}
local GUARD = {"setp.ge.u32 p, i, n0", "setp.le.u32 p, n0, i", "setp.lt.u32 q, i, n0\n setp.ge.u32 p, i, n0",
    "add.u32 u, n0, 0\n setp.le.u32 p, u, i"}

local function kernel(lines, index, guard)
    return (FRAME:format((index or INDEX[1]):gsub("%%%%", "%%"), guard or GUARD[1], lines or ""))
end

local function prove(a, b, more)
    local ctx = heddle.new()
    local o = {block = BLOCK, warp = 8, solver = "none", args = {x = "x", y = "y"}, roles = {x = "in"},
        sizes = {range = "n=1..", grid = "ceil(n/8)", shapes = {x = "u32[n]", y = "u32[n]"}}}
    for key, value in pairs(more or {}) do
        if key == "grid" or key == "range" or key == "shapes" or key == "grid_b" then
            o.sizes[key] = value
        else
            o[key] = value
        end
    end
    return ctx:prove({ctx:load(a, "a.hd"), ctx:load(b, "b.hd")}, o)
end

-- Runs a kernel; returns what it leaves in y on data that depend on n alone.
local function run(text, n)
    local ctx <close> = heddle.new()
    local x, y = {}, {}
    for i = 1, n do
        x[i], y[i] = (i * 2654435761 + n) & 0xffffffff, i * i
    end
    ctx:buffer("x", "u32", n):set(x)
    ctx:buffer("y", "u32", n):set(y)
    ctx:launch(ctx:load(text, "k.hd"), {grid = (n + 7) // 8, block = BLOCK, warp = 8, args = {x = "x", y = "y", n = n}})
    return ctx:get("y"):bytes()
end

case("indices that are affine are proved for every size", function()
    for i = 1, #INDEX do
        for k = 1, #GUARD do
            local p = prove(kernel("add.u32 v, v, w"), kernel("add.u32 v, w, v", INDEX[i], GUARD[k]))
            equal(p.verdict, "equal", p.text .. INDEX[i] .. GUARD[k])
            equal(p.sizes.proved, 0xffffffff)
            equal(p.sizes.period, 8)
            ok(p.text:find("for every n from 1 to 4,294,967,295\n", 1, true), p.text)
        end
    end
end)

case("values may depend on the size and the block", function()
    local p = prove(kernel("add.u32 v, n0, b"), kernel("add.u32 v, b, n0"))
    equal(p.verdict, "equal", p.text)
    p = prove(kernel("add.u32 v, n0, b"), kernel("min.u32 b, b, 3000\nadd.u32 v, n0, b"))
    ok(p.verdict ~= "equal" and p.sizes.proved < 8 * 3002, p.text)
end)

case("a difference at one size, in one block or beyond a number is found", function()
    local base = kernel("add.u32 v, v, w")
    for _, at in ipairs {1, 7, 8, 9, 15, 16, 17, 24, 257, 1000, 4097} do
        for _, lines in ipairs {"setp.eq.u32 q, n0, %d", "setp.gt.u32 q, n0, %d",
            "add.u32 u, i, 1\n setp.eq.u32 q, u, %d",
            "mul.lo.u32 u, b, 8\n setp.ge.u32 q, u, %d"} do
            local p = prove(base, kernel(lines:format(at) .. "\n@q add.u32 v, v, 1\nadd.u32 v, v, w"))
            equal(p.verdict, "different", lines:format(at) .. "\n" .. p.text)
            ok(p.sizes.at >= at and p.sizes.at <= (at < 24 and 40 or at + 9) and p.text:find(", with n = ", 1, true),
                p.text)
            p = prove(base, kernel(lines:format(at) .. "\n@!q bra on\n add.u32 v, v, 1\non: add.u32 v, v, w"))
            equal(p.verdict, "different", lines:format(at) .. "\n" .. p.text)
        end
    end
end)

case("a difference that no size that is run shows is never called equal", function()
    local base = kernel("add.u32 v, v, w")
    for _, lines in ipairs {"setp.eq.u32 q, n0, 3000000000", "setp.gt.u32 q, b, 200000000",
        "mul.lo.u32 u, b, b\nsetp.eq.u32 q, u, 49",
        "and.b32 u, b, 1023\n setp.eq.u32 q, u, 1023", "shr.u32 u, n0, 20\n setp.ne.u32 q, u, 0",
        "mul.lo.u32 u, i, 4096\n shr.u32 u, u, 12\n setp.ne.u32 q, u, i"} do
        local p = prove(base, kernel(lines .. "\n@q add.u32 v, v, 1\nadd.u32 v, v, w"))
        ok(p.verdict ~= "equal", lines .. "\n" .. p.text)
    end
end)

case("arithmetic that wraps around bounds the range, and is named", function()
    local signed = kernel("add.u32 v, v, w", INDEX[1], "setp.ge.s32 p, i, n0")
    local p = prove(kernel("add.u32 v, v, w"), signed)
    equal(p.verdict, "equal", p.text)
    equal(p.sizes.proved, 0x7fffffff)
    ok(p.sizes.why:find("setp.ge.s32 p, i, n0", 1, true), p.text)
    local bytes = kernel("add.u32 v, v, w"):gsub("mad.wide.u32 px, i, 4, px",
        "shl.b32 u, i, 2\nmad.wide.u32 px, u, 1, px")
    p = prove(kernel("add.u32 v, v, w"), bytes)
    equal(p.sizes.proved, 1 << 30, p.text)
    p = prove(kernel("add.u32 v, v, w"), bytes, {range = "n=1..2000000000"})
    equal(p.verdict, "unproved", p.text)
    equal(p.sizes.proved, 1 << 30)
end)

case("what blocks share, or do not own, is refused", function()
    local refused = {
        {"ld.global.b32 v, [py+32]", nil, "setp.ge.u32 p, i, n0\n@p exit\nadd.u32 u, i, 8\nsetp.ge.u32 p, u, n0"},
            -- y[i + 8]
        {"ld.param.b64 py, [y]"}, -- all write y[0]
        {"ld.param.b64 py, [y]\n@!p atom.add.u32 u, [py], v\nmad.wide.u32 py, i, 4, py"},
        {"mov.b32 v, 0\nloop: add.u32 v, v, 1\nsetp.lt.u32 q, v, n0\n@q bra loop"}, -- as many rounds as n
        {"div.u32 u, i, 3\nld.param.b64 px, [x]\nmad.wide.u32 px, u, 4, px\nld.global.b32 v, [px]"},
        {"and.b32 u, i, 15\nmin.u32 u, u, 0\nld.param.b64 px, [x]\nmad.wide.u32 px, b, 4, px\n" ..
            "and.b32 u, b, 3\nmad.wide.u32 px, u, 4, px\nld.global.b32 v, [px]"},
    }
    for _, r in ipairs(refused) do
        local text = kernel(table.unpack(r, 1, 3))
        local done, p = pcall(prove, text, text)
        ok(not done or p.verdict ~= "equal", text .. (done and p.text or ""))
        ok(not done or p.verdict ~= "unproved" or p.text:find("line %d+") or p.text:find("stored at"), done and p.text)
    end
end)

-- Lines after which each pair is equal to the same lines, or not proved for every size.
case("numbers of 64 bits, products and high halves are followed as far as they are affine", function()
    for lines, verdict in pairs {
        ["cvt.u64.u32 px, i\nsetp.lt.u64 q, px, 100\n@q add.u32 v, v, w"] = "equal",
        ["cvt.s64.s32 px, n0\nadd.s64 px, px, -5\nsetp.lt.s64 q, px, 0\n@q add.u32 v, v, w"] = "equal",
        ["cvt.u64.u32 px, b\nmul.lo.u64 px, px, px\nmov.b32 u, px\nadd.u32 v, v, u"] = "equal",
        ["mul.lo.u32 u, i, n0\nadd.u32 v, v, u"] = "equal",
        ["mul.hi.u32 u, i, 7\nadd.u32 v, v, u"] = "equal",
        ["shr.s32 u, i, 31\nadd.u32 v, v, u"] = "equal",
        ["max.u32 u, i, n0\nmin.s32 u, u, 50\nadd.u32 v, v, u"] = "equal",
        ["sub.u32 u, i, n0\nmin.u32 u, u, 3\nsetp.eq.u32 q, u, 3\n@q add.u32 v, v, 1"] = "equal",
        ["mad.wide.u32 px, i, 4, px\nadd.s64 px, px, -4\nsub.s64 px, px, py\nadd.u32 v, v, 1"] = "equal",
        ["cvt.u64.u32 px, n0\nshl.b64 px, px, 40\nshr.u64 px, px, 40\nmov.b32 u, px\nadd.u32 v, v, u"] = "equal",
        ["shl.b32 u, i, 20\nshr.s32 u, u, 20\nadd.u32 v, v, u"] = "equal",
        ["mul.lo.u32 u, b, 0x10000\nmul.lo.u32 u, u, 0x10000\nadd.u32 v, v, u"] = "equal",
        ["add.s64 py, py, 1\nst.global.u8 [py], v\nadd.s64 py, py, -1"] = "equal",
        ["s2r u, %nctaid.x\nadd.u32 v, v, u"] = "equal",
        ["s2r u, %nctaid.y\nadd.u32 v, v, u"] = "equal",
    } do
        local p = prove(kernel(lines), kernel(lines, INDEX[2], GUARD[2]))
        equal(p.verdict, verdict, lines .. "\n" .. p.text)
        p = prove(kernel(lines), kernel(lines .. "\nsetp.eq.u32 q, n0, 19\n@q add.u32 v, v, 1"))
        equal(p.verdict, "different", lines .. "\n" .. p.text)
    end
end)

-- Numbers that leave 64 bits, or half of them, for some sizes; addresses as numbers; differences of what is not affine.
case("what is not decided for all sizes is left open", function()
    local rows = {grid = "n", shapes = {x = "u32[n,8]", y = "u32[n,8]"}}
    for _, lines in ipairs {
        -- addresses: of one buffer, of two, a part, a low half
        "setp.lt.u64 q, px, 5", "add.s64 px, px, py\nsetp.lt.u64 q, px, 5", "shr.u64 px, px, 4\nsetp.lt.u64 q, px, 5",
        "mov.b32 u, px\nand.b32 u, u, 255\nsetp.lt.u32 q, u, 300", "mov.b32 u, px\nsetp.lt.u32 q, u, 5",
        "mov.b32 u, px\nmin.u32 u, u, 7\nsetp.lt.u32 q, u, 5", "sub.s64 px, px, py\nsetp.eq.u64 q, px, 5",
        "mul.lo.u32 u, b, 0x40000000\nsetp.lt.u32 q, u, 5", "mul.lo.u32 u, b, 0xc0000000\nsetp.lt.s32 q, u, 5",
        "cvt.u64.u32 px, b\nshl.b64 px, px, 60\nsetp.lt.s64 q, px, 5",
        "cvt.u64.u32 px, n0\nshl.b64 px, px, 60\nsetp.lt.s64 q, px, 5",
        "cvt.u64.u32 px, n0\nshl.b64 px, px, 60\nsetp.eq.u64 q, px, 5",
        "mul.wide.u32 px, n0, 0x60000000\nmad.wide.u32 px, i, 0x60000000, px\nsetp.lt.s64 q, px, 5",
        "mov.b32 u, 0x7fffffff\nmul.wide.u32 px, n0, u\nmad.wide.u32 px, u, 8, px\nsetp.lt.s64 q, px, 5",
        "cvt.s64.s32 px, i\nmin.s64 px, px, 77\nsetp.lt.s64 q, px, 5",
        "mul.lo.u32 u, b, b\nmul.lo.u32 u, u, n0\nsetp.lt.u32 q, u, 5",
        "mul.lo.u32 u, b, b\nmin.u32 u, u, n0\nsetp.lt.u32 q, u, 5", "mul.lo.u32 u, b, b\nsetp.eq.u32 q, u, b",
        "not.b32 u, b\nand.b32 u, u, 7\nsetp.eq.u32 q, u, 7",
        "mul.lo.u32 u, b, b\nand.b32 u, u, 7\nsetp.eq.u32 q, u, 7",
        "and.b32 u, b, 7\nor.b32 u, u, 256\nsetp.eq.u32 q, u, 257", "and.b32 u, b, 7\nsetp.eq.u32 q, u, t",
        "shr.u32 u, b, 3\nxor.b32 u, u, b\nsetp.eq.u32 q, u, 3",
    } do
        for _, more in ipairs {{}, rows} do
            local index, guard = INDEX[1], more.grid and "setp.ge.u32 p, b, n0" or GUARD[1]
            local text = kernel(lines .. "\n@q add.u32 v, v, w", index, guard)
            local p = prove(text, text, more)
            equal(p.verdict, "equal", lines .. "\n" .. p.text)
            local other = lines .. "\nsetp.eq.u32 p, n0, 19\n@p add.u32 v, v, 1\n@q add.u32 v, v, w"
            p = prove(text, kernel(other, index, guard), more)
            equal(p.verdict, "different", lines .. "\n" .. p.text)
        end
    end
end)

case("addresses that no range is proved of are named with why", function()
    for lines, why in pairs {
        ["sub.u32 u, n0, i\nsub.u32 u, u, 1"] = "an element is reached by two addresses that differ for other sizes",
        ["mul.lo.u32 u, b, b"] = "an address that is not affine in the size and the block",
    } do
        local text = kernel(lines .. "\nld.param.b64 px, [x]\nmad.wide.u32 px, u, 4, px\nld.global.b32 v, [px]")
        local p = prove(text, text)
        equal(p.verdict, "unproved", p.text)
        equal(p.sizes.proved, 15, p.text)
        ok(p.text:find(why, 1, true), p.text)
    end
end)

case("accesses that leave their buffer or their block's words for some sizes are named", function()
    local far, rows = {shapes = {x = "u32[2*n+2000]", y = "u32[n]"}},
        {grid = "n", shapes = {x = "u32[n,8]", y = "u32[n,8]"}}
    local outside, within = "out_of_bounds: load of 4 bytes at", "blocks begin within a word of"
    for _, r in ipairs {
        {"mad.lo.u32 u, b, 9, t\nadd.u32 u, u, n0\nmad.wide.u32 px, u, 4, px\nadd.u64 px, px, 160", outside, far},
        {"mad.lo.u32 u, b, 9, t\nmad.wide.u32 px, u, 1, px", within, far, "u8"},
        {"mad.wide.u32 px, n0, 1, px", within, rows, "u8"},
    } do
        local guard = r[3] == rows and "setp.ge.u32 p, b, n0" or GUARD[1]
        local text = kernel(("ld.param.b64 px, [x]\n%s\nld.global.%s v, [px]"):format(r[1], r[4] or "b32"), nil, guard)
        local done, p = pcall(prove, text, text, r[3]) -- where it can be run, the fault is shown
        equal(done, r[2] == within, r[1])
        ok(not done or p.verdict == "unproved", r[1])
        local said = done and p.text or tostring(p)
        ok(said:find(r[2], 1, true), said)
        ok(done or said:find("this was with n = 15%d%d%d$"), said) -- the size at which it begins, or near it
    end
end)

-- What one kernel writes from the front the other writes from the back: no part of a buffer belongs to one block.
case("blocks that reach elements in another order are not proved", function()
    local back = "sub.u32 i, n0, i\nsub.u32 i, i, 1\nld.param.b64 px, [x]\nld.param.b64 py, [y]\n" ..
        "mad.wide.u32 px, i, 4, px\nmad.wide.u32 py, i, 4, py\nld.global.b32 v, [px]\nadd.u32 v, v, 1"
    local function alone(lines)
        return (kernel(lines):gsub("ld.global.b32 w, %[py%]", "nop"))
    end
    local p = prove(alone "add.u32 v, v, 1", alone(back))
    equal(p.verdict, "unproved", p.text)
    p = prove(alone "add.u32 v, v, 1", alone(back .. "\nsetp.eq.u32 q, i, 3\n@q add.u32 v, v, 1"))
    equal(p.verdict, "different", p.text)
    local apart = "mad.wide.u32 px, n0, 16, px\nmad.wide.u32 px, i, 4, px\nld.global.b32 u, [px]\nadd.u32 v, v, u"
    local more = {shapes = {x = "u32[n,8]", y = "u32[n]"}}
    equal(prove(kernel(apart), kernel(apart, INDEX[2], GUARD[2]), more).verdict, "equal")
end)

case("a loop of as many rounds as the size is named with what it depends on", function()
    for _, rounds in ipairs {"n0", "u"} do
        local text = kernel(("add.u32 u, n0, 3\nmov.b32 v, 0\nloop: add.u32 v, v, 1\nsetp.lt.u32 q, v, %s\n" ..
            "@q bra loop"):format(rounds))
        local p = prove(text, text)
        equal(p.verdict, "unproved")
        ok(p.text:find("is repeated more often than the bound, depending on the size", 1, true), p.text)
    end
end)

case("neighbours in another buffer are read across the borders of blocks", function()
    local more = "add.u32 u, i, 1\nsetp.lt.u32 q, u, n0\n@q ld.global.b32 u, [px+4]\n@q add.u32 v, v, u"
    local less = "setp.gt.u32 q, i, 0\n@q ld.global.b32 u, [px-4]\n@q add.u32 v, v, u\n"
    for _, lines in ipairs {more, less, less .. more} do
        local p = prove(kernel(lines), kernel(lines, INDEX[2], GUARD[2]))
        equal(p.verdict, "equal", p.text)
        p = prove(kernel(lines), kernel((lines:gsub("setp.lt.u32 q, u, n0",
            "sub.u32 t, n0, 1\nsetp.lt.u32 q, u, t"):gsub(
            "setp.gt.u32 q, i, 0", "setp.gt.u32 q, i, 1"))))
        equal(p.verdict, "different", p.text)
    end
end)

-- Lines that set q for every size, or for none, of which no size that is run need be the reason.
case("what is decided for all sizes is decided right", function()
    local base, range = kernel("add.u32 v, v, w"), {range = "n=1..200"}
    for lines, value in pairs {
        -- bits that are the complement of some of a number, below others that are known
        ["not.b32 u, b\nand.b32 u, u, 255\nsetp.lt.u32 q, u, 256"] = true,
        ["not.b32 u, b\nand.b32 u, u, 255\nsetp.lt.u32 q, u, 230"] = false,
        ["not.b32 u, b\nand.b32 u, u, 255\nor.b32 u, u, 256\nsetp.ge.u32 q, u, 480"] = true,
        -- the greater and the lesser of numbers that are negative as signed ones
        ["add.u32 u, b, 0xc0000000\nmax.u32 u, u, 0x80000000\nsetp.ge.u32 q, u, 0xc0000000"] = true,
        ["add.u32 u, b, 0xc0000000\nmin.u32 u, u, 0x80000000\nsetp.eq.u32 q, u, 0x80000000"] = true,
        ["add.u32 u, b, 0x80000000\nmax.u32 u, u, 0xc0000000\nsetp.eq.u32 q, u, 0xc0000000"] = true,
        ["add.u32 u, b, 0x80000000\nmin.u32 u, u, 0xc0000000\nsetp.lt.u32 q, u, 0xc0000000"] = true,
        ["add.u32 u, b, 0x80000000\nmin.u32 u, u, 5\nsetp.eq.u32 q, u, 5"] = true,
        ["sub.u32 u, b, 1000\nmax.s32 u, u, -7\nsetp.eq.u32 q, u, -7"] = true,
        ["sub.u32 u, b, 1000\nmin.s32 u, u, -7\nsetp.lt.s32 q, u, -900"] = true,
        -- equal to a number: never, for some sizes, always; a part of the bits
        ["and.b32 u, b, 31\nsetp.eq.u32 q, u, 31"] = false,
        ["and.b32 u, b, 31\nsetp.eq.u32 q, u, 95"] = false,
        ["shr.u32 u, b, 5\nsetp.eq.u32 q, u, 0"] = true,
        ["shr.u32 u, b, 5\nsetp.eq.u32 q, u, 1"] = false,
        ["or.b32 u, t, 64\nsetp.eq.u32 q, u, b"] = false,
        ["mul.lo.u32 u, b, 0x10000000\nshl.b32 u, u, 4\nsetp.eq.u32 q, u, 0"] = true,
        -- numbers of 64 bits, signed ones and bits of numbers
        ["cvt.u64.u32 px, b\nadd.s64 px, px, 5\nsetp.gt.u64 q, px, 3"] = true,
        ["cvt.u64.u32 px, n0\nsetp.lt.s64 q, px, 0"] = false,
        ["cvt.u64.u32 px, b\nsub.s64 px, px, 1000\nsetp.lt.s64 q, px, 0"] = true,
        ["cvt.u64.u32 px, b\nsub.s64 px, px, 1000\nsetp.gt.u64 q, px, 5"] = true,
        ["cvt.u64.u32 px, b\nsetp.eq.u64 q, px, 1000"] = false,
        ["cvt.u64.u32 px, b\nsub.s64 px, px, 1000\nsetp.eq.s64 q, px, -1"] = false,
        ["cvt.u64.u32 px, b\nmin.u64 px, px, 1000\nsetp.lt.u64 q, px, 1000"] = true,
        ["cvt.u64.u32 px, n0\nmax.s64 px, px, 1000\nsetp.eq.s64 q, px, 1000"] = true,
        ["shl.b32 u, b, 20\nshr.s32 u, u, 20\nsetp.ge.s32 q, u, 0"] = true,
        ["shr.u32 u, n0, 8\nand.b32 u, u, 1\nsetp.eq.u32 q, u, 0"] = true,
        ["and.b32 u, n0, 256\nsetp.eq.u32 q, u, 0"] = true,
        ["add.u32 u, b, 64\nand.b32 u, u, 64\nsetp.ne.u32 q, u, 0"] = true,
        ["add.u32 u, b, 0x40\nshr.u32 u, u, 5\nsetp.eq.u32 q, u, 2"] = true,
        ["add.u32 u, b, 0x40\nshr.u32 u, u, 5\nand.b32 u, u, 1\nsetp.eq.u32 q, u, 0"] = true,
        ["add.u32 u, b, 0x40\nand.b32 u, u, 0x60\nsetp.eq.u32 q, u, 0x40"] = true,
        ["mul.lo.u32 u, n0, 0x1000000\nsetp.lt.u32 q, u, 0xc9000000"] = true,
        ["cvt.u64.u32 px, b\nshl.b64 px, px, 33\nsetp.eq.u64 q, px, 9"] = false,
        ["sub.u32 u, b, 1000\nshr.s32 u, u, 31\nsetp.eq.s32 q, u, -1"] = true,
        -- never the same, whatever the size
        ["setp.eq.u32 q, i, n0"] = false,
        ["setp.eq.u32 q, n0, b"] = false,
        ["add.u32 u, i, 1\nsetp.ne.u32 q, u, b"] = true,
        -- functions of what is decided
        ["setp.lt.u32 q, b, 100\nsetp.lt.u32 p, n0, 300\nand.pred q, q, p\nsetp.ge.u32 p, b, 50\n" ..
            "xor.pred q, q, p\nsetp.ge.u32 p, i, n0"] = true,
        ["setp.lt.u32 q, b, 100\nsetp.ge.u32 p, n0, 300\nand.pred q, q, p\nsetp.ge.u32 p, b, 50\n" ..
            "xor.pred q, q, p\nsetp.ge.u32 p, i, n0"] = false,
        ["setp.lt.u32 q, b, 100\nsel.b32 u, 1, rz, q\nsetp.lt.u32 q, n0, 300\nsel.b32 t, 1, rz, q\n" ..
            "setp.ge.u32 q, n0, 250\nsel.b32 u, t, u, q\nsetp.ne.u32 q, u, rz"] = true,
        ["setp.lt.u32 q, b, 100\nsel.b32 u, 1, rz, q\nsetp.lt.u32 q, n0, 300\nsel.b32 t, rz, 1, q\n" ..
            "setp.ge.u32 q, n0, 250\nsel.b32 u, u, t, q\nsetp.ne.u32 q, u, rz"] = false,
        ["setp.lt.u32 q, b, 100\nsetp.ge.u32 p, n0, 300\nor.pred q, q, p\nsetp.ge.u32 p, i, n0"] = true,
        ["setp.lt.u32 q, b, 100\nsetp.ge.u32 p, n0, 300\nand.pred q, q, p\nsetp.ge.u32 p, i, n0"] = false,
        ["setp.lt.u32 q, b, 100\nsetp.ge.u32 p, n0, 300\nxor.pred q, q, p\nsetp.ge.u32 p, i, n0"] = true,
    } do
        local guard = value and "@q " or "@!q "
        local p = prove(base, kernel(lines .. "\n" .. guard .. "add.u32 v, v, w"), range)
        equal(p.verdict, "equal", lines .. "\n" .. p.text)
        p = prove(base, kernel(lines .. "\n" .. guard .. "bra on\nbra past\non: add.u32 v, v, w\npast:"), range)
        equal(p.verdict, "equal", lines .. "\n" .. p.text)
        p = prove(base, kernel("add.u32 v, v, w\n" .. lines .. "\n" .. guard .. "add.u32 v, v, 1"), range)
        equal(p.verdict, "different", lines .. "\n" .. p.text)
    end
end)

case("an address of which a part wraps around bounds the range", function()
    local bytes = kernel("add.u32 v, v, w"):gsub("mad.wide.u32 px, i, 4, px",
        "shl.b32 u, i, 2\nmin.u32 t, n0, 1\nmad.wide.u32 px, u, 1, px\nmad.wide.u32 px, t, 4, px\nsub.u64 px, px, 4")
    local p = prove(kernel("add.u32 v, v, w"), bytes)
    equal(p.verdict, "equal", p.text)
    equal(p.sizes.proved, 1 << 30, p.text)
    ok(p.sizes.why:find("depends on a number that wraps around", 1, true), p.sizes.why)
end)

case("the size may have 64 bits, and stand beside other numbers", function()
    local function with(lines)
        return (kernel("ld.param.b32 u, [m]\n" .. lines):gsub(".param n : u32",
            ".param n : u64\n.param m : u32\n.param z : f64")
            :gsub("ld.param.b32 n0, %[n%]", "ld.param.b64 px, [n]\nmov.b32 n0, px"))
    end
    local more = {args = {x = "x", y = "y", m = 5, z = 0.5}}
    local p = prove(with "add.u32 v, v, u", with "add.u32 v, u, v", more)
    equal(p.verdict, "equal", p.text)
    p = prove(with "add.u32 v, v, u", with "add.u32 v, v, 6", more)
    equal(p.verdict, "different", p.text)
    p = prove(with "add.u32 v, v, u", with "setp.eq.u32 q, n0, 9\n@q add.u32 v, v, 1\nadd.u32 v, v, u", more)
    equal(p.verdict, "different", p.text)
end)

case("as many buffers as a kernel may take keep what is known of each", function()
    local params, lines, args, shapes = "", {}, {x = "x", y = "y"}, {x = "u32[n]", y = "u32[n]"}
    for k = 1, 12 do
        local name = "z" .. k
        params = params .. (".param %s : u32[]\n"):format(name)
        lines[k] = ("ld.param.b64 px, [%s]\nmad.wide.u32 px, i, 4, px\nld.global.b32 u, [px]\n%s.b32 v, v, u"):format(
            name, k % 2 == 0 and "xor" or "or")
        args[name], shapes[name] = name, "u32[n]"
    end
    local function with(list)
        return (kernel(table.concat(list, "\n")):gsub("%.shared", params .. ".shared"))
    end
    local more = {args = args, shapes = shapes}
    local p = prove(with(lines), with(lines), more)
    equal(p.verdict, "equal", p.text)
    lines[11], lines[12] = lines[12], lines[11]
    equal(prove(with(lines), with(lines), more).verdict, "equal")
    local other = table.move(lines, 1, 11, 1, {})
    other[12] = lines[10]
    equal(prove(with(lines), with(other), more).verdict, "different")
end)

case("what is computed from the size is named as such", function()
    for what, lines in pairs {
        ["`@q bra more`, is repeated more often than the bound, depending on"] =
        "mov.b32 t, 0\nmore: add.u32 t, t, 1\nsetp.lt.u32 q, t, u\n@q bra more",
        ["`ld.shared.b32 u, [tile+u]`, computes an address from"] = "and.b32 u, u, 60\nld.shared.b32 u, [tile+u]",
    } do
        local k = kernel("mul.lo.u32 u, n0, n0\n" .. lines)
        local p = prove(k, k)
        equal(p.verdict, "unproved")
        ok(p.text:find(what .. " the size", 1, true), p.text)
    end
end)

case("blocks of unlike size, shared memory, rows and steps", function()
    local wide = kernel("add.u32 v, v, w", "mad.lo.u32 i, b, 16, t")
    local p = prove(kernel("add.u32 v, v, w"), wide, {grid_b = "ceil(n/16)", block_b = 16})
    equal(p.verdict, "equal", p.text)
    equal(p.sizes.period, 16)
    p = prove(kernel("add.u32 v, v, w"), wide, {grid_b = "ceil(n/16)", block_b = 16, range = "n=32..4096:32"})
    equal(p.verdict, "equal", p.text)
    equal(p.sizes.first, 32)
    equal(p.sizes.last, 4096)
    equal(p.sizes.step, 32)
    equal(p.sizes.proved, 4096)
    local tile = "shl.b32 u, t, 2\nst.shared.b32 [u], v\nbar.sync 0\n" ..
        "xor.b32 u, u, 4\nld.shared.b32 u, [u]\nadd.u32 v, v, u"
    local rows = {grid = "n", shapes = {x = "u32[n,8]", y = "u32[n,8]"}}
    local all = "add.u32 n0, i, 1\nsetp.ge.u32 p, i, n0"
    p = prove(kernel(tile, INDEX[1], all), kernel("shfl.bfly.b32 u, v, 1\nadd.u32 v, u, v", INDEX[2], all), rows)
    equal(p.verdict, "equal", p.text)
    equal(p.sizes.period, 1)
    p = prove(kernel(tile, INDEX[1], all), kernel("shfl.bfly.b32 u, v, 2\nadd.u32 v, u, v", INDEX[2], all), rows)
    equal(p.verdict, "different", p.text)
end)

case("control flow that depends on data is followed", function()
    local branch = "setp.lt.u32 q, v, 100\n@q bra keep\nmov.b32 v, 100\nkeep: add.u32 v, v, i"
    local p = prove(kernel(branch), kernel("min.u32 v, v, 100\nadd.u32 v, i, v", INDEX[2], GUARD[2]))
    equal(p.verdict, "equal", p.text)
    local wide = "mul.wide.u32 px, n0, 0x40000000\n%s\nshr.u64 px, px, 30\nadd.u32 v, v, px"
    p = prove(kernel(wide:format(branch)), kernel(wide:format "min.u32 v, v, 100\nadd.u32 v, i, v"))
    equal(p.verdict, "equal", p.text)
    p = prove(kernel(wide:format(branch)), kernel(branch .. "\nadd.u32 v, v, n0"))
    ok(p.verdict ~= "different", p.text)
    p = prove(kernel(branch), kernel("min.u32 v, v, 101\nadd.u32 v, i, v"))
    equal(p.verdict, "different", p.text)
    p = prove(kernel(branch), kernel("min.u32 v, v, 100\nsetp.gt.u32 q, b, 500\n@q add.u32 v, v, 1\nadd.u32 v, i, v"))
    ok(p.verdict ~= "equal", p.text)
end)

case("counts", function()
    local base = kernel("add.u32 v, v, w")
    equal(prove(base, base, {grid = "(n+7)/8", range = "n=1..300"}).verdict, "equal")
    equal(prove(base, base, {grid = "1*ceil(n/8) + 0", range = "n=3.."}).verdict, "equal")
    for grid, why in pairs {["ceil(n/8"] = "expected ')'", ["n*n"] = "first degree", ["n/0"] = "above 0",
        [""] = "expected a number",
        ["m"] = "expected a number", ["n-9"] = "blocks", ["100-n"] = "shrinks", ["n,n,n,n"] = "three dimensions",
            ["n n"] = "expected '+'"} do
        local done, message = pcall(prove, base, base, {grid = grid})
        ok(not done and tostring(message):find(why, 1, true), grid .. ": "
            .. tostring(done and message.text or message))
    end
end)

local OPS = {"add.u32", "sub.u32", "mul.lo.u32", "and.b32", "or.b32", "xor.b32", "min.u32", "max.u32"}
local VALUES = {"v", "w", "i", "b", "n0", "t", "7", "3"}

-- Lines that compute v, some of them under a condition on sizes.
local function lines()
    local list = {}
    for _ = 1, random(1, 4) do
        local guard = ""
        if random(3) == 1 then
            list[#list + 1] = ("setp.%s.u32 q, %s, %d"):format(({"lt", "eq", "ge"})[random(3)], ({"i", "b",
                "n0"})[random(3)],
                random(0, 40))
            guard = "@q "
        end
        list[#list + 1] = ("%s%s v, v, %s"):format(guard, OPS[random(#OPS)], VALUES[random(#VALUES)])
    end
    return list
end

case("random pairs: what is called equal is equal at sizes that are run", function()
    local proved = 0
    for _ = 1, PAIRS do
        local a = lines()
        local b = table.move(a, 1, #a, 1, {})
        if random(2) == 1 then
            b[random(#b)] = ("%s v, v, %s"):format(OPS[random(#OPS)], VALUES[random(#VALUES)])
        end
        local one, other = kernel(table.concat(a, "\n")), kernel(table.concat(b, "\n"), INDEX[random(#INDEX)],
            GUARD[random(#GUARD)])
        local p = prove(one, other)
        proved = proved + (p.verdict == "equal" and 1 or 0)
        for _, n in ipairs {1, 8, 9, 23, 100, 329, random(400), random(4000)} do
            if p.verdict == "equal" or n <= p.sizes.proved then
                ok(run(one, n) == run(other, n), ("n = %d\n%s%s%s"):format(n, p.text, one, other))
            end
        end
        if p.verdict == "different" then
            ok(p.sizes.proved < p.sizes.at, p.text)
        end
    end
    ok(proved > PAIRS / 5, proved .. " proved")
end)

test.finish()
