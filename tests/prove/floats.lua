-- Are kernels of floating-point numbers proved equal that sum, search and compare in different orders, and are twins of
-- theirs that are wrong shown to be, on data where no order explains it?
--
-- Kernels are made as text: the threads of a block take elements by stride or in rows, and reduce by shuffles of the
-- warp, by halves of shared memory, or in a chain. Without a solver: forms decide. PROOFS=1 prints the answers.
local heddle = require "heddle"
local test = require "tests.lib.test"
local case, equal, ok = test.case, test.equal, test.ok

local SIZES <const> = {{threads = 8, each = 1, warp = 8}, {threads = 32, each = 2, warp = 8},
    {threads = 64, each = 1, warp = 32}, {threads = 64, each = 3, warp = 64}, {threads = 128, each = 2, warp = 16}}
local ORDERS <const> = {{tree = "shuffles"}, {tree = "halves", row = true}, {tree = "chain"}, {tree = "halves"}}

-- ---- text of kernels ----

local function repeated(first, last, line)
    local out = {}
    for k = first, last do
        out[#out + 1] = line(k)
    end
    return table.concat(out, "\n")
end

-- Lines that join register v of all threads with `op`, lines for "v = v op o", and leave the result in each. With
-- `pair` register i belongs to v, and j to o.
local join = {}

local function each(pair, line)
    local v = line:gsub("%$v", "v"):gsub("%$o", "o"):gsub("%$at", "part")
    return pair and v .. "\n" .. line:gsub("%$v", "i"):gsub("%$o", "j"):gsub("%$at", "index") or v
end

function join.chain(s, op, pair, guard, slot)
    return "bar.sync 0\n" .. each(pair, ("%s st.shared.b32 [$at+%s], $v"):format(guard or "", slot or "mine")) ..
        "\nbar.sync 0\n" .. each(pair, "ld.shared.b32 $v, [$at]") .. "\n" .. repeated(1, s.threads - 1, function(k)
            return each(pair, ("ld.shared.b32 $o, [$at+%d]"):format(4 * k)) .. "\n" .. op
        end)
end

function join.halves(s, op, pair)
    local keep = each(pair, "st.shared.b32 [$at+mine], $v")
    local out, step = {"bar.sync 0\n" .. keep .. "\nbar.sync 0"}, s.threads // 2
    while step > 0 do
        out[#out + 1] = ("setp.ge.u32 q, t, %d\n@q bra past%d\n"):format(step, step) ..
            each(pair, ("ld.shared.b32 $o, [$at+mine+%d]"):format(4 * step)) .. "\n" .. op .. "\n" .. keep ..
            ("\npast%d: bar.sync 0"):format(step)
        step = step // 2
    end
    return table.concat(out, "\n") .. "\n" .. each(pair, "ld.shared.b32 $v, [$at]")
end

function join.shuffles(s, op, pair)
    local out, step = {}, 1
    while step < s.warp do
        out[#out + 1] = each(pair, ("shfl.bfly.b32 $o, $v, %d"):format(step)) .. "\n" .. op
        step = step * 2
    end
    return table.concat(out, "\n") ..
        (s.warp < s.threads and "\n" .. join.chain({threads = s.threads // s.warp}, op, pair, "@lead", "slot") or "")
end

local HEAD <const> = [[
.kernel k
.param x : f32[%d]
.param y : f32[%d]
.shared part : f32[%d]
.shared index : u32[%d]
.reg t, mine, slot, v, w, o, i, j, at:2, to:2, e:4, f:4
.pred p, q, r, lead
 s2r t, %%tid.x
 s2r w, %%laneid
 setp.eq.u32 lead, w, 0
 s2r slot, %%warpid
 shl.b32 slot, slot, 2
 shl.b32 mine, t, 2
 ld.param.b64 at, [x]
 ld.param.b64 to, [y]
 mad.wide.u32 at, t, %d, at
 mad.wide.u32 to, t, %d, to
]]

-- A kernel of one block; e+0, e+1, ... are its thread's elements of x, `body` has the rest.
local function kernel(s, order, body)
    local n, joined = s.threads * s.each, 0
    local k = {n = n}
    function k.index(i) -- of element i of a thread, as a register w
        return order.row and ("mul.lo.u32 w, t, %d\nadd.u32 w, w, %d"):format(s.each, i)
            or ("add.u32 w, t, %d"):format(i * s.threads)
    end
    function k.rest(line, first) -- for each element but those before `first`
        return repeated(first or 1, s.each - 1, line)
    end
    function k.each(lines) -- for each element: e and f its registers, $ its place
        return repeated(0, s.each - 1, function(i)
            return (lines:gsub("%f[%w][ef]%f[%W]", "%0+" .. i):gsub("%$", 4 * i * (order.row and 1 or s.threads)))
        end)
    end
    function k.tree(op, pair) -- v = v op v of the next thread op ...
        joined = joined + 1
        return (join[order.tree](s, pair and op or op .. " v, v, o", pair):gsub("past", "past" .. joined .. "_"))
    end
    function k.join(op, first) -- v = e+0 op e+1 op ... of all threads, of `first` on
        return "mov.b32 v, " .. (first or "e") .. "\n" .. repeated(first and 0 or 1, s.each - 1, function(i)
            return ("%s v, v, e+%d"):format(op, i)
        end) .. "\n" .. k.tree(op)
    end
    local bytes = order.row and 4 * s.each or 4
    return HEAD:format(n, n, s.threads, s.threads, bytes, bytes) .. k.each "ld.global.b32 e, [at+$]" .. "\n" ..
        table.concat(body(k), "\n") .. "\nexit\n"
end

local KEEP <const> = "st.global.b32 [to+$], e"
local bodies = {}

function bodies.softmax(k)
    return {k.join("max.f32", "-inf"), k.each "sub.f32 e, e, v\nmul.f32 e, e, 1.44269504\nex2.f32 e, e",
        k.join "add.f32", k.each("div.f32 e, e, v\n" .. KEEP)}
end

bodies["log-sum-exp"] = function(k)
    return {k.join("max.f32", "-inf"), "mov.b32 w, v", k.each "sub.f32 e, e, w\nex2.f32 e, e", k.join "add.f32",
        "lg2.f32 v, v\nadd.f32 v, v, w", k.each "st.global.b32 [to+$], v"}
end

function bodies.layernorm(k)
    return {k.join "add.f32", ("mul.f32 w, v, %.9g"):format(1 / k.n), k.each "sub.f32 f, e, w\nmul.f32 e, f, f",
        k.join "add.f32", ("mul.f32 v, v, %.9g\nadd.f32 v, v, 0.00001\nrsqrt.f32 v, v"):format(1 / k.n),
        k.each "mul.f32 e, f, v\nst.global.b32 [to+$], e"}
end

bodies["RMS norm"] = function(k)
    return {k.each "mov.b32 f, e\nmul.f32 e, f, f", k.join "add.f32",
        ("mul.f32 v, v, %.9g\nadd.f32 v, v, 0.00001\nrsqrt.f32 v, v"):format(1 / k.n),
        k.each("mul.f32 e, f, v\n" .. KEEP)}
end

bodies["dot product"] = function(k) -- of x and of y as it was
    return {"mov.b32 v, 0", k.each "ld.global.b32 f, [to+$]\nfma.f32 v, e, f, v", k.tree "add.f32",
        k.each "st.global.b32 [to+$], v"}
end

-- The larger of two pairs, of equal ones that of the lower index; with `less`, `tie` others instead.
local function better(less, tie)
    return ("setp.%s.f32 p, o, v\nsetp.eq.f32 q, o, v\nsetp.%s.u32 r, j, i\n"):format(less or "gt", tie or "lt") ..
        "and.pred q, q, r\nor.pred p, p, q\nsel.b32 v, o, v, p\nsel.b32 i, j, i, p"
end

local STORE <const> = {index = "st.global.b32 [to+$], i", value = "st.global.b32 [to+$], v"}

-- A search of all elements, after `clean` of each, by `op`, for an index or a value.
local function search(clean, op, what)
    return function(k)
        return {k.each(clean), "mov.b32 v, e\n" .. k.index(0) .. "\nmov.b32 i, w", k.rest(function(n)
            return ("mov.b32 o, e+%d\n%s\nmov.b32 j, w\n%s"):format(n, k.index(n), op)
        end), k.tree(op, true), k.each(STORE[what])}
    end
end

bodies["index of the largest"] = search("max.f32 e, e, -inf", better(), "index")
bodies["value of the largest"] = search("setp.nan.f32 p, e, e\nsel.f32 e, -inf, e, p", better(), "value")
bodies["index of the last smallest"] = search("min.f32 e, e, +inf", better("lt", "gt"), "index")
bodies["index of the largest from -inf on"] = function(k)
    return {"mov.b32 v, -inf\nmov.b32 i, 0xffffffff", k.rest(function(n)
        return ("%s\nsetp.gt.f32 p, e+%d, v\n@p mov.b32 v, e+%d\n@p mov.b32 i, w"):format(k.index(n), n, n)
    end, 0), k.tree(better(), true), k.each(STORE.index)}
end

-- ---- proofs ----

local function prove(s, a, b)
    local ctx <close> = heddle.new()
    ctx:buffer("x", "f32", s.threads * s.each)
    ctx:buffer("y", "f32", s.threads * s.each)
    local proof = ctx:prove({ctx:load(a, "a.hd"), ctx:load(b, "b.hd")}, {args = {x = "x", y = "y"}, warp = s.warp,
        block = s.threads, solver = "none", assume = "reassociation", max_time = 20})
    if os.getenv "PROOFS" then
        print(proof.text)
    end
    return proof
end

-- Twins: what is wrong, a pattern of the text, and what stands there instead, or a function of what was before and of
-- the size.
local TIES <const> = {"of equal ones the other is found", "setp.lt.u32 r", "setp.gt.u32 r"}
local twins = {
    softmax = {{"an element is missing in the sum", "(.*)ld.shared.b32 o, (.-)\nadd", "%1mov.b32 o, 0\nadd"}},
    layernorm = {{"the variance is divided by n - 1", "(.*)mul.f32 v, v, [%d.e-]+", function(before, n)
        return ("%smul.f32 v, v, %.9g"):format(before, 1 / (n - 1))
    end}},
    ["index of the largest"] = {TIES},
    ["index of the last smallest"] = {{"of equal ones the first is found", "setp.gt.u32 r", "setp.lt.u32 r"}},
}

local names = {}
for name in pairs(bodies) do
    names[#names + 1] = name
end
table.sort(names)
for _, name in ipairs(names) do
    for _, s in ipairs(SIZES) do
        case(("%s of %d threads of %d elements, W = %d"):format(name, s.threads, s.each, s.warp), function()
            local a = kernel(s, ORDERS[1], bodies[name])
            for k = 2, #ORDERS do
                local proof = prove(s, a, kernel(s, ORDERS[k], bodies[name]))
                equal(proof.verdict, "equal", ORDERS[k].tree .. ": " .. proof.text)
                local n, exact = s.threads * s.each, name:find "est" ~= nil -- searches need no assumption
                local line = ("  y[0..%d]: equal under reassociation of add.f32 (%d elements)\n"):format(n - 1, n)
                equal(proof.text:find(line, 1, true) == nil, exact, proof.text)
            end
            for _, twin in ipairs(twins[name] or {}) do
                local b, found = kernel(s, ORDERS[3], bodies[name]):gsub(twin[2], type(twin[3]) == "string" and twin[3]
                    or function(before) return twin[3](before, s.threads * s.each) end)
                ok(found > 0, twin[1])
                local proof = prove(s, a, b)
                equal(proof.verdict, "different", twin[1] .. ": " .. proof.text)
            end
        end)
    end
end

-- Where two have one index, a look at it decides nothing between them: 0 and -0 are equal, and which is found depends
-- on the order.
case("searches whose indices are alike in pairs are found in an order", function()
    for shift = 1, 5 do
        local function alike(k)
            local index = function(n) return k.index(n) .. "\nshr.u32 w, w, " .. shift end
            return {k.each "max.f32 e, e, -inf", "mov.b32 v, e\n" .. index(0) .. "\nmov.b32 i, w", k.rest(function(n)
                return ("mov.b32 o, e+%d\n%s\nmov.b32 j, w\n%s"):format(n, index(n), better())
            end), k.tree(better(), true), k.each(STORE.value)}
        end
        for many = 1, 2 do
            local s = {threads = 8, each = many, warp = 8}
            for k = 2, #ORDERS do
                local proof = prove(s, kernel(s, ORDERS[1], alike), kernel(s, ORDERS[k], alike))
                ok(proof.verdict ~= "equal", proof.text)
            end
        end
    end
end)

-- Other ways to write a search: all orders find the same only where NaN is left out and ties have one winner.
case("searches are written in many ways", function()
    local signed = better():gsub("u32 r", "s32 r")
    local most <const>, least <const> = "max.f32 e, e, -inf", "setp.nan.f32 p, e, e\nsel.f32 e, +inf, e, p"
    for _, way in ipairs {
        {most, signed, true}, {least, better("lt", "gt"), true}, {least, better "lt", true},
        {"setp.num.f32 p, e, e\nsel.f32 e, e, -inf, p", better(), true},
        {"min.f32 e, e, +inf\nmax.f32 e, e, -inf", better(), true},
        {most, (better():gsub("and.pred q, q, r", "and.pred q, r, q")), true},
        {most, (better():gsub("o, v", "v, o", 2):gsub("gt.f32", "lt.f32")), true},
        {"add.f32 e, e, 0", better(), false}, -- NaN is lost or kept by the order
        {most, better "ge", false}, {most, (better():gsub("and.pred q, q, r\n", "")), false},
        {most, (better():gsub("or.pred p, p, q", "xor.pred p, p, r")), false},
    } do
        for _, what in ipairs {"index", "value"} do
            local s, body = {threads = 8, each = 2, warp = 8}, search(way[1], way[2], what)
            for k = 2, #ORDERS do
                local proof = prove(s, kernel(s, ORDERS[1], body), kernel(s, ORDERS[k], body))
                equal(proof.verdict == "equal", way[3], what .. ", " .. way[2] .. "\n" .. proof.text)
            end
        end
    end
end)

-- Threads in order need not look at indices: of equal values the first is kept.
case("searches joined in order, with and without a look at the indices", function()
    local function plain(comparison)
        local op = ("setp.%s.f32 p, o, v\nsel.b32 v, o, v, p\nsel.b32 i, j, i, p"):format(comparison)
        return function(k)
            return {"mov.b32 v, -inf\nmov.b32 i, 0xffffffff", k.rest(function(n)
                return ("%s\nsetp.gt.f32 p, e+%d, v\n@p mov.b32 v, e+%d\n@p mov.b32 i, w"):format(k.index(n), n, n)
            end, 0), k.tree(op, true), k.each(STORE.index)}
        end
    end
    local order = {tree = "chain", row = true}
    for count = 1, 3 do
        local s = {threads = 8, each = count, warp = 8}
        local a = kernel(s, order, bodies["index of the largest from -inf on"])
        local proof = prove(s, a, kernel(s, order, plain "gt"))
        equal(proof.verdict, "equal", proof.text)
        proof = prove(s, a, kernel(s, order, plain "ge"))
        ok(proof.verdict ~= "equal", proof.text)
    end
end)

test.finish()
