-- Is advice worth following? Each rule has a pair of kernels: one that gets the advice, and one that follows it. The
-- measured gain is at most the promised one (plus SLACK), it is a gain, and the advice has disappeared, or promises
-- less.
local heddle = require "heddle"
local test = require "tests.lib.test"
local case, equal, ok = test.case, test.equal, test.ok

local SLACK = 1.15 -- what a bound on averages may be exceeded by

local FRAME = [[
.kernel k
.param y     : u32[]
.param count : u32
.shared tile : b32[WORDS]
.local slot  : b32[4]
.reg   id, t, c, s, k, rounds, a, b, e, f, at:2, base:2, wide:2, wider:2
.pred  more, odd
        s2r             t, %tid.x
        s2r             c, %ctaid.x
        s2r             s, %ntid.x
        mad.lo.u32      id, c, s, t
        ld.param.b64    base, [y]
        ld.param.b32    rounds, [count]
        cvt.f32.u32     a, t
        mov.b32         b, a
        mov.b32         k, 0
        BEFORE
loop:
        BODY
        add.u32         k, k, 1
        setp.lt.u32     more, k, rounds
@more   bra             loop
        mad.wide.u32    at, id, 4, base
        st.global.b32   [at], a
        exit
]]

local function lines(text)
    return (text:gsub("; ", "\n"))
end

-- The element id + k * threads, times `stride` words, read to `to`.
local function load(stride, to)
    return ("mad.lo.u32 e, k, THREADS, id; mad.wide.u32 at, e, %d, base; ld.global.b32 %s, [at]; ")
        :format(4 * stride, to)
end

local FMA = "fma.f32 a, a, a, t; "
local ODD = "setp.ne.u32 odd, c, 0\n@odd bra other\n" .. lines(FMA:rep(8)) .. "bra join\nother:\n" ..
    lines(FMA:rep(8)) .. "join:\n"
-- A sector somewhere, or the next one: the same for all lanes of a warp.
local SECTOR = "ld.global.b32.cg f, [at]; xor.b32 a, a, f"
local WARP = "shr.u32 e, id, 5; mad.lo.u32 e, k, THREADS / 32, e; "

-- Blocks are of 256 threads, and fill the SMs, unless `grid` is given (blocks for each SM). The work is threads x
-- count, unless it is given. With `among`, another rule may promise more.
local PAIRS = {
    {rule = "bank_conflicts", words = 1024,
        before = {body = "shl.b32 s, t, 7; and.b32 s, s, 4095; ld.shared.b32 e, [tile+s]; xor.b32 a, a, e"},
        after = {body = "shl.b32 s, t, 2; and.b32 s, s, 4095; ld.shared.b32 e, [tile+s]; xor.b32 a, a, e"}},
    {rule = "uncoalesced", count = 16,
        before = {body = load(8, "f") .. "xor.b32 a, a, f"}, after = {body = load(1, "f") .. "xor.b32 a, a, f"}},
    {rule = "local_memory",
        before = {body = "st.local.b32 [slot], a; ld.local.b32 f, [slot]; add.f32 a, f, b"},
        after = {body = "mov.b32 f, a; mov.b32 a, f; add.f32 a, f, b"}},
    {rule = "atomics", grid = 1, set = {["l2.atomic_combine"] = 1},
        before = {body = "red.global.add.u32 [base], t"},
        after = {start = "and.b32 s, t, 31; setp.eq.u32 odd, s, 0",
            body = "redux.add.u32 e, t\n@odd red.global.add.u32 [base], e"}},
    {rule = "divergence",
        before = {start = "and.b32 c, t, 1", body = ODD}, after = {start = "and.b32 c, t, 32", body = ODD}},
    {rule = "barriers",
        before = {body = "bar.sync 0; xor.b32 a, a, t; bar.sync 0"}, after = {body = "xor.b32 a, a, t; bar.sync 0"}},
    {rule = "fp64", set = {["lanes.fp64"] = 1},
        before = {body = ("fma.f64 wide, wide, wide, wider; "):rep(4)}, after = {body = FMA:rep(4)}},
    {rule = "register_banks", among = true, set = {["sm.register_banks"] = 2, ["sm.register_reuse"] = 0},
        before = {body = ("fma.f32 r22, r24, r26, r28; "):rep(8)},
        after = {body = ("fma.f32 r22, r23, r24, r25; "):rep(8)}},
    {rule = "dram_rows", count = 32, boards = {"teach32"},
        before = {body = WARP .. "mul.lo.u32 e, e, 40503; and.b32 e, e, 4095; mad.wide.u32 at, e, 256, base; " ..
            SECTOR},
        after = {body = WARP .. "mad.wide.u32 at, e, 32, base; " .. SECTOR}},
    {rule = "idle_sms", grid = 1, before = {blocks = 1, body = FMA}, after = {body = FMA}},
    {rule = "few_warps", grid = 1, before = {block = 32, body = FMA}, after = {body = FMA}},
    {rule = "occupancy", block = 64, grid = 8,
        before = {words = 4096, body = load(1, "f") .. "xor.b32 a, a, f"},
        after = {body = load(1, "f") .. "xor.b32 a, a, f"}},
    {rule = "tail", before = {more = 1, body = FMA}, after = {body = FMA}},
    {rule = "imbalance", grid = 1, count = 50, work = 1,
        before = {body = FMA:rep(4),
            start = "setp.eq.u32 odd, c, 0\n@odd mul.lo.u32 rounds, rounds, 3\n@!odd mov.b32 rounds, 1"},
        after = {count = function(blocks) return (150 + blocks - 1) // blocks end, body = FMA:rep(4)}},
    {rule = "loads", block = 64, grid = 1, count = 32, work = 1, among = true,
        before = {body = load(1, "f") .. "xor.b32 a, a, f"},
        after = {count = 16, body = load(1, "f") .. "add.u32 e, e, 1024; mad.wide.u32 at, e, 4, base; " ..
            "ld.global.b32 s, [at]; xor.b32 a, a, f; xor.b32 a, a, s"}},
    {rule = "chains", block = 32, grid = 1, among = true,
        before = {body = FMA:rep(8)}, after = {body = (FMA .. "fma.f32 b, b, b, t; "):rep(4)}},
}

local function launch(board, pair, side)
    local h = heddle.new()
    h:board(board, pair.set or {})
    local block, count = side.block or pair.block or 256, side.count or pair.count or 64
    local fill = h:board_value "sm.max_warps" * 32 // block
    local grid = side.blocks or h:board_value "sms" * (pair.grid or fill) + (side.more or 0)
    count = type(count) == "function" and count(grid) or count
    local text = lines(FRAME:gsub("WORDS", side.words or pair.words or 1):gsub("BEFORE", side.start or "")
        :gsub("BODY", side.body):gsub("THREADS", block * grid))
    local y = h:buffer("y", "u32", math.max(8 * block * grid * count, 1 << 18))
    local r = h:launch(h:load(text, "k.hd"), {grid = grid, block = block, args = {y = y, count = count}})
    return r, (side.work or pair.work or block * grid * count) / r.cycles
end

-- ---- shipped kernels ----

-- b = the transpose of a, of 512 x 512 elements.
local function transpose(name, blocks)
    local h = heddle.new()
    h:board "v100"
    local a, b = h:buffer("a", "b32", 512 * 512), h:buffer("b", "b32", 512 * 512)
    return h:launch(h:load("classic/" .. name),
        {grid = blocks or {16, 16}, block = {32, 8}, args = {a = a, b = b, rows = 512, cols = 512}})
end

local function reduce(name)
    local h = heddle.new()
    h:board "teach32"
    local x, sums = h:buffer("x", "u32", 16384), h:buffer("sums", "u32", 64)
    local args = {x = x, sums = sums, n = 16384}
    return h:launch(h:load("classic/" .. name), {grid = 64, block = 256, args = args})
end

local SHIPPED = {
    {rule = "uncoalesced", of = transpose, before = "transpose_naive", after = "transpose_padded"},
    {rule = "bank_conflicts", of = transpose, before = "transpose_tiled", after = "transpose_padded"},
    {rule = "bank_conflicts", of = reduce, before = "reduce2", after = "reduce3"},
}

-- ---- the answer ----

local function gain(r, rule)
    for _, a in ipairs(r.advice) do
        if a.rule == rule then return a.gain end
    end
    return 1
end

local function check(pair, before, after, found)
    local promised, left = gain(before, pair.rule), gain(after, pair.rule)
    local told = ("%s: promised %.2f, found %.2f, left %.2f"):format(before.hint, promised, found, left)
    if os.getenv "TELL" then print(told) end
    if not pair.among then equal(before.advice[1].rule, pair.rule) end
    ok(promised >= 1.1 and found <= SLACK * promised and found >= 1.05 and left < promised, told)
end

for _, pair in ipairs(PAIRS) do
    for _, board in ipairs(pair.boards or {"teach32", "v100"}) do
        case(pair.rule .. " on " .. board, function()
            local before, slow = launch(board, pair, pair.before)
            local after, fast = launch(board, pair, pair.after)
            check(pair, before, after, fast / slow)
        end)
    end
end

for _, pair in ipairs(SHIPPED) do
    case(pair.before, function()
        local before, after = pair.of(pair.before), pair.of(pair.after)
        check(pair, before, after, before.cycles / after.cycles)
    end)
end

-- A rule without a pair has not been shown to be right. On one SM of 80: waste of the code is first, bounded by that
-- SM, and the other SMs follow.
for _, pair in ipairs(SHIPPED) do
    if pair.of == transpose then
        case(pair.before .. " in one block", function()
            local before, after = transpose(pair.before, 1), transpose(pair.after, 1)
            check({rule = pair.rule, among = true}, before, after, before.cycles / after.cycles)
            local words = {uncoalesced = "coalesce accesses, up to ", bank_conflicts = "avoid bank conflicts, up to "}
            equal(before.hint:sub(1, #words[pair.rule]), words[pair.rule])
            ok(before.hint:find "; then give it more blocks$", before.hint)
            equal(before.advice[1].rule, "idle_sms")
        end)
    end
end

case("each rule has a pair", function()
    local has = {}
    for _, pair in ipairs(PAIRS) do has[pair.rule] = true end
    for _, rule in ipairs(heddle.advice_rules()) do ok(has[rule.name], rule.name) end
end)

test.finish()
