-- Is a proof right about random programs? Of a program and a mutant of it (one operation, operand or comparison is
-- another) it may answer "equal" only if runs agree, and seldom nothing; a program and one that is rewritten by rules
-- of arithmetic are equal. Without a solver: normal forms decide.
--
--   MUTANTS=n   pairs of a program and a mutant, a fifth as many rewritten ones (500)
--   SEED=n      another set of programs (1)
local checks = require "tests.lib.checks"
local heddle = require "heddle"
local MUTANTS, SEED = tonumber(os.getenv("MUTANTS")) or 500, tonumber(os.getenv("SEED")) or 1
local UNPROVED_MOST = 0.02 -- share of the mutants without an answer
local RUNS = 4 -- of two programs that are called equal
math.randomseed(SEED)
local random = math.random

-- ---- programs: lines of {operation, destination, operands...}, of four values ----

local HEAD = [[
.kernel k
.param x : u32[128]
.param y : u32[32]
.reg i, v0, v1, v2, v3, s, t, u, px:2, py:2
.pred p
        s2r i, %tid.x
        ld.param.b64 px, [x]
        ld.param.b64 py, [y]
        mad.wide.u32 px, i, 4, px
        mad.wide.u32 py, i, 4, py
        ld.global.b32 v0, [px]
        ld.global.b32 v1, [px+128]
        ld.global.b32 v2, [px+256]
        ld.global.b32 v3, [px+384]
]]
local TAIL = [[
        xor.b32 v0, v0, v1
        add.u32 v0, v0, v2
        add.u32 v0, v0, v3
        st.global.b32 [py], v0
        exit
]]
local COMMUTE = {"add.u32", "mul.lo.u32", "and.b32", "or.b32", "xor.b32", "min.u32", "max.u32", "min.s32", "max.s32",
    "mul.hi.u32"}
local OTHER = {"sub.u32", "shl.b32", "shr.u32", "shr.s32", "div.u32", "rem.u32", "div.s32", "rem.s32"}
local COMPARE = {"lt", "le", "gt", "ge"}
local CONSTANTS = {"1", "2", "3", "4", "7", "8", "15", "16", "255", "0x80000000", "0xffffffff"}
local commutes, by_constant = {}, {}
local plain = {} -- operations that may stand for another
for _, op in ipairs(COMMUTE) do
    commutes[op] = true
    plain[#plain + 1] = op
end
for _, op in ipairs(OTHER) do
    by_constant[op] = op ~= "sub.u32"
end
plain[#plain + 1] = "sub.u32"

local function pick(list)
    return list[random(#list)]
end

local function value()
    return "v" .. random(0, 3)
end

local function constant(op)
    if op:find("^sh") then
        return tostring(random(1, 31))
    elseif by_constant[op] then
        return tostring(1 << random(1, 8))
    end
    return pick(CONSTANTS)
end

local function line()
    local kind = random(10)
    if kind == 1 then
        return {"choose", value(), value(), value(), pick(COMPARE), pick {"s32", "u32"}}
    elseif kind == 2 then
        return {"lop3.b32", value(), value(), value(), value(), tostring(random(0, 255))}
    end
    local op = random(18) <= #COMMUTE and pick(COMMUTE) or pick(OTHER)
    return {op, value(), value(), (by_constant[op] or random(3) == 1) and constant(op) or value()}
end

local function program()
    local lines = {}
    for k = 1, random(3, 7) do
        lines[k] = line()
    end
    return lines
end

-- A line in assembly; what rewriting made is text already.
local function assembly(l)
    if type(l) == "string" then
        return l
    elseif l[1] == "choose" then
        return ("setp.%s.%s p, %s, %s\nsel.b32 %s, %s, %s, p"):format(l[5], l[6], l[3], l[4], l[2], l[3], l[4])
    end
    return l[1] .. " " .. table.concat(l, ", ", 2)
end

local function text(lines)
    local out = {}
    for k, l in ipairs(lines) do
        out[k] = assembly(l)
    end
    return HEAD .. table.concat(out, "\n") .. "\n" .. TAIL
end

local function mutant(lines)
    local out = {table.unpack(lines)}
    local at = random(#out)
    local l = {table.unpack(out[at])}
    out[at] = l
    if l[1] == "choose" then
        l[5] = ({lt = "le", le = "lt", gt = "ge", ge = "gt"})[l[5]]
    elseif l[1] == "lop3.b32" then
        l[6] = tostring(tonumber(l[6]) ~ 1 << random(0, 7))
    elseif random(3) == 1 then
        l[3] = value()
    elseif random(2) == 1 and commutes[l[1]] then
        l[4] = l[3]
    else
        l[1] = pick(plain)
    end
    return out
end

-- ---- rewriting that changes nothing ----

-- a lop3 as the sum of the products that are 1
local function minterms(d, list, truth)
    local out = {"mov.b32 t, 0"}
    for m = 0, 7 do
        if truth >> m & 1 == 1 then
            out[#out + 1] = "mov.b32 s, 0xffffffff"
            for k = 1, 3 do
                out[#out + 1] = (m >> (3 - k) & 1 == 1 and "mov.b32 u, %s" or "not.b32 u, %s"):format(list[k])
                out[#out + 1] = "and.b32 s, u, s"
            end
            out[#out + 1] = "or.b32 t, s, t"
        end
    end
    out[#out + 1] = "mov.b32 " .. d .. ", t"
    return table.concat(out, "\n")
end

local RULES = { -- by operation: of d, a and b, which is the number n = 2^k in the second list
    ["add.u32"] = "neg.s32 t, $b\nsub.u32 $d, $a, t",
    ["sub.u32"] = "not.b32 t, $b\nadd.u32 t, t, $a\nadd.u32 $d, t, 1",
    ["max.s32"] = "setp.lt.s32 p, $a, $b\nsel.b32 $d, $b, $a, p",
    ["min.u32"] = "setp.ge.u32 p, $a, $b\nsel.b32 $d, $b, $a, p",
    ["xor.b32"] = "or.b32 t, $a, $b\nand.b32 u, $a, $b\nnot.b32 u, u\nand.b32 $d, t, u",
    ["or.b32"] = "not.b32 t, $a\nnot.b32 u, $b\nand.b32 t, t, u\nnot.b32 $d, t",
    ["and.b32"] = "xor.b32 t, $a, $b\nor.b32 u, $a, $b\nxor.b32 $d, t, u"
}
local RULES_OF_CONSTANTS = {
    ["shl.b32"] = "mul.lo.u32 $d, $a, $p",
    ["shr.u32"] = "bfe.u32 $d, $a, $n, $r",
    ["div.u32"] = "shr.u32 $d, $a, $k",
    ["rem.u32"] = "and.b32 $d, $a, $m",
    ["rem.s32"] = "div.s32 t, $a, $n\nshl.b32 t, t, $k\nsub.u32 $d, $a, t",
    ["div.s32"] = "shr.s32 t, $a, 31\nshr.u32 t, t, $q\nadd.u32 t, $a, t\nshr.s32 $d, t, $k"
}

local function rewritten(l)
    local op, d, a, b = table.unpack(l)
    local n = math.tointeger(tonumber(b))
    if op == "choose" then
        local swap = {lt = "gt", gt = "lt", le = "ge", ge = "le"}
        return ("setp.%s.%s p, %s, %s\nsel.b32 %s, %s, %s, p"):format(swap[l[5]], l[6], b, a, d, a, b)
    elseif op == "lop3.b32" then
        return minterms(d, {a, b, l[5]}, tonumber(l[6]))
    end
    local rule = n and RULES_OF_CONSTANTS[op] or not n and RULES[op]
    if not rule then
        return commutes[op] and not n and ("%s %s, %s, %s"):format(op, d, b, a)
    end
    local of = {d = d, a = a, b = b, n = n}
    if n then
        local k = 0
        while n >> k > 1 do
            k = k + 1
        end
        of.k, of.q, of.m, of.r, of.p = k, 32 - k, n - 1, 32 - n, ("0x%x"):format(1 << (n & 31))
    end
    return (rule:gsub("%$(%a)", of))
end

local function rewrite(lines)
    local out, changed = {}, 0
    for k, l in ipairs(lines) do
        local other = rewritten(l)
        out[k] = other or l
        changed = changed + (other and 1 or 0)
    end
    return out, changed
end

-- ---- proofs, and runs of what is called equal ----

local CORNERS = {0, 1, 2, 3, 7, 8, 31, 32, 0x7fffffff, 0x80000000, 0xffffffff, 0xfffffffe, 255, 256}

local function data()
    local list = {}
    for k = 1, 128 do
        list[k] = random(3) == 1 and random(0, 0xffffffff) or pick(CORNERS)
    end
    return list
end

local function left_by(ctx, kernel, options, x)
    ctx:get("x"):set(x)
    ctx:launch(kernel, options)
    return ctx:get("y"):bytes()
end

local unsound = 0

-- The verdict, and the proof in words.
local function prove(a, b)
    local ctx <close> = heddle.new()
    ctx:buffer("x", "u32", 128)
    ctx:buffer("y", "u32", 32)
    local pair = {ctx:load(text(a), "a.hd"), ctx:load(text(b), "b.hd")}
    local options = {args = {x = "x", y = "y"}, warp = pick {8, 16, 32}, block = 32}
    local asked = {args = options.args, warp = options.warp, block = 32, solver = "none"}
    local proof = ctx:prove(pair, asked)
    for _ = 1, proof.verdict == "equal" and RUNS or 0 do
        local x = data()
        if left_by(ctx, pair[1], options, x) ~= left_by(ctx, pair[2], options, x) then
            unsound = unsound + 1
            print("unsound:\n" .. text(a) .. text(b))
            break
        end
    end
    return proof.verdict, proof.text
end

local function check(what, ok)
    checks.report(ok, "FAILED: %s", what)
end

local of_mutants = {equal = 0, different = 0, unproved = 0}
for _ = 1, MUTANTS do
    local a = program()
    local verdict = prove(a, mutant(a))
    of_mutants[verdict] = of_mutants[verdict] + 1
end
print(("%d mutants: %d different, %d equal, %d not decided"):format(MUTANTS, of_mutants.different, of_mutants.equal,
    of_mutants.unproved))
check("most mutants are different", of_mutants.different > MUTANTS / 2)
check("mutants are decided", of_mutants.unproved <= UNPROVED_MOST * MUTANTS + 2)

local proved, tried = 0, MUTANTS // 5
for _ = 1, tried do
    local a, b, changed
    repeat
        a = program()
        b, changed = rewrite(a)
    until changed >= 2
    local verdict, words = prove(a, b)
    proved = proved + (verdict == "equal" and 1 or 0)
    if verdict ~= "equal" then
        print(words, text(a), text(b))
    end
end
print(("%d rewritten programs: %d proved equal"):format(tried, proved))
check("rewritten programs are equal", proved == tried)
check("what is called equal is", unsound == 0)

checks.finish()
