-- Is waiting that can never end named at once, and never where it can end? Each idiom runs without a clock and on every
-- shipped board. deadlock.c tests that looking for it changes nothing.
local heddle = require "heddle"
local test = require "tests.lib.test"
local case, equal, ok = test.case, test.equal, test.ok

local BOARDS = test.boards()

-- The registers of all: a and b are addresses of words, n is the argument.
local HEAD = [[
.kernel k
.param a : u32[]
.param times : u32
.shared s : u32[8]
.reg t, c, all, v, w, n, zero, one, pa:2, pb:2, q:2
.pred p, first, again
  s2r t, %tid.x
  s2r c, %ctaid.x
  s2r all, %nctaid.x
  ld.param.b64 pa, [a]
  ld.param.b32 n, [times]
  add.s64 pb, pa, 256
  mov.b32 zero, 0
  mov.b32 one, 1
  setp.eq.u32 first, t, 0
]]

-- Steps that several idioms have; "; " ends a line.
local TAKE = "take:; atom.global.cas.b32 v, [pa], zero, one; setp.ne.u32 again, v, 0; @again bra take; "
local GIVE = "fence.gpu; atom.global.exch.b32 v, [pa], zero; "
local COUNT = "ld.global.b32.volatile v, [pb]; add.u32 v, v, 1; st.global.b32.volatile [pb], v; "
local WORK = "mov.b32 w, n; work:; sub.u32 w, w, 1; setp.ne.u32 again, w, 0; @again bra work; "
local RAISE = "fence.gpu; st.global.b32.volatile [pa], one; "
local WAIT = "wait:; ld.global.b32.volatile v, [pa]; setp.eq.u32 again, v, 0; @again bra wait; "
local POLL = WAIT:gsub("@", "bar.red.or again, 0, again; @") -- of a block
local GRID_BARRIER = [[
@!first bra meet
  fence.gpu
  red.global.add.u32 [pa], one
spin:
  ld.global.b32.acquire v, [pa]
  setp.lt.u32 again, v, all
@again bra spin
meet:
  bar.sync 0
]]
local EXIT = "exit; "

-- Launches `body` after HEAD; the error, or nil and the words of `a`.
local function run(board, body, grid, block, n, options)
    local ctx = heddle.new()
    if board then
        ctx:board("configs/" .. board .. ".yaml")
    end
    local program = ctx:load(HEAD .. body:gsub("; ", "\n"), "k.hd")
    local a = ctx:buffer("a", "u32", 512 + grid)
    local o = {grid = grid, block = block, args = {a = a, times = n or 1}}
    for k, v in pairs(options or {}) do o[k] = v end
    local good, e = pcall(ctx.launch, ctx, program, o)
    if good then
        return nil, a, e
    end
    ok(type(e) == "table", tostring(e))
    return e, a
end

case("paths of a warp at one barrier name the same number of threads, in all its bits", function()
    for _, more in ipairs {0, 1 << 24} do
        local body = "mov.b32 n, 32; setp.lt.u32 p, t, 16; @p bra low; mov.b32 n, " .. 32 + more ..
            "; bar.sync 0, n; bra done; low:; bar.sync 0, n; done:; exit; "
        local e = run(nil, body, 1, 32, 1, {rules = "hardware", warp = 32})
        equal(e and e.kind or "none", more == 0 and "none" or "barrier", "32 + " .. more)
    end
end)

-- Without a clock, with turns at random, by the rules of the hardware, and on the boards.
local function everywhere(boards, use)
    use(nil, "no board", {})
    use(nil, "random turns", {schedule = "random:3"})
    use(nil, "hardware", {rules = "hardware"})
    use("teach32", "hardware with a clock", {rules = "hardware"})
    for _, b in ipairs(boards) do
        use(b, b, {})
    end
end

local function ends(body, grid, block, n, check, boards)
    everywhere(boards or BOARDS, function(board, name, options)
        local e, a, r = run(board, body, grid, block, board and n or 100 * (n or 1), options)
        ok(not e, name .. ": " .. tostring(e and e.message))
        if check then
            check(a, name, r)
        end
    end)
end

-- `kind`: of the fault; "lanes": a deadlock by the strict rules alone.
local function dies(body, grid, block, words, boards, kind)
    everywhere(boards or BOARDS, function(board, name, options)
        if options.rules and kind == "lanes" then
            return
        end
        options.max_cycles, options.max_instructions = board and 1000000, 30000000
        local e = run(board, body, grid, block, 1, options)
        ok(e, name .. ": it ended")
        equal(e.kind, kind == "endless_loop" and kind or "deadlock", name)
        for _, w in ipairs(words) do
            ok(e.message:find(w, 1, true), name .. ": '" .. w .. "' is not in: " .. e.message)
        end
    end)
end

-- The line of `body` that holds the text.
local function line_of(body, text)
    local _, lines = HEAD:gsub("\n", "")
    for line in body:gsub("; ", "\n"):gmatch "[^\n]*" do
        lines = lines + 1
        if line:find(text, 1, true) then
            return lines
        end
    end
end

-- ---- what ends ----

case("a lock that one thread of each block takes", function()
    ends("@!first bra out; " .. TAKE .. COUNT .. GIVE .. "out:; " .. EXIT, 6, 64, 1,
        function(a, name) equal(a[65], 6, name) end)
end)

case("a lock that each lane takes and gives inside the loop", function()
    ends("take:; atom.global.cas.b32 v, [pa], zero, one; setp.ne.u32 p, v, 0; @p bra skip; " .. COUNT .. GIVE ..
        "mov.b32 v, 0; bra next; skip:; mov.b32 v, 1; next:; setp.ne.u32 again, v, 0; @again bra take; " .. EXIT,
        2, 32, 1, function(a, name) equal(a[65], 64, name) end)
end)

case("a flag that comes late", function()
    ends("setp.eq.u32 p, c, 0; @p bra other; " .. WAIT .. EXIT .. "other:; " .. WORK .. RAISE .. EXIT, 3, 16, 20000)
end)

case("a block that polls between barriers for a flag that comes late", function()
    ends("setp.eq.u32 p, c, 0; @p bra other; wait:; @!first bra skip; ld.global.b32.volatile v, [pa]; " ..
        "st.shared.b32 [s], v; skip:; bar.sync 0; ld.shared.b32 v, [s]; bar.sync 0; setp.eq.u32 again, v, 0; " ..
        "@again bra wait; " .. EXIT .. "other:; " .. WORK .. RAISE .. EXIT, 2, 32, 20000)
    ends("setp.eq.u32 p, c, 0; @p bra other; " .. POLL .. EXIT .. "other:; " .. WORK .. RAISE .. EXIT, 2, 64, 20000)
end)

case("polls that give up: by a count, by the clock, by a count in local memory", function()
    ends("mov.b32 w, n; wait:; ld.global.b32.volatile v, [pa]; sub.u32 w, w, 1; setp.ne.u32 again, w, 0; " ..
        "@again bra wait; " .. EXIT, 2, 32, 300)
    ends("wait:; ld.global.b32.volatile v, [pa]; s2r v, %clock; setp.lt.u32 again, v, 60000; mov.b32 v, 0; " ..
        "@again bra wait; " .. EXIT, 1, 16, 1)
    ends(".local left : u32; st.local.b32 [left], n; wait:; ld.global.b32.volatile v, [pa]; ld.local.b32 v, [left]; " ..
        "sub.u32 v, v, 1; st.local.b32 [left], v; setp.ne.u32 again, v, 0; mov.b32 v, 0; @again bra wait; " .. EXIT,
        1, 16, 300)
end)

case("two blocks that take turns", function()
    ends("mov.b32 w, n; round:; ld.global.b32.volatile v, [pa]; and.b32 v, v, 1; setp.ne.u32 again, v, c; " ..
        "@again bra round; ld.global.b32.volatile v, [pa]; add.u32 v, v, 1; st.global.b32.volatile [pa], v; " ..
        "sub.u32 w, w, 1; setp.ne.u32 again, w, 0; @again bra round; " .. EXIT, 2, 1, 5)
end)

case("nine blocks that wait for their turns, and then work", function()
    ends("@!first bra out; mul.lo.u32 w, c, 50; wait:; ld.global.b32.acquire v, [pa]; setp.lt.u32 again, v, w; " ..
        "@again bra wait; mov.b32 w, 50; step:; fence.gpu; atom.global.add.u32 v, [pa], one; sub.u32 w, w, 1; " ..
        "setp.ne.u32 again, w, 0; @again bra step; out:; " .. EXIT, 9, 16, 1,
        function(a, name) equal(a[1], 450, name) end, {"teach32", "v100"})
end)

case("blocks that wait for the block before them, more than fit", function()
    ends("mul.wide.u32 q, c, 4; add.s64 q, q, pa; setp.eq.u32 p, c, 0; @p bra go; wait:; " ..
        "ld.global.b32.volatile v, [q]; setp.eq.u32 again, v, 0; @again bra wait; go:; fence.gpu; " ..
        "st.global.b32.volatile [q+4], one; " .. EXIT, 400, 8, 1, nil, {"teach8", "teach32", "v100"})
end)

case("a barrier over the grid of as many blocks as fit", function()
    for _, board in ipairs(BOARDS) do
        local _, _, r = run(board, GRID_BARRIER .. EXIT, 1, 16)
        local sms = heddle.new():board("configs/" .. board .. ".yaml"):match "\nsms: (%d+)"
        local fit = r.metrics["occupancy.blocks"] * sms
        local e = run(board, GRID_BARRIER .. EXIT, fit, 16)
        ok(not e, board .. ": " .. tostring(e and e.message))
        e = run(board, GRID_BARRIER .. EXIT, fit + 1, 16)
        equal(e and e.kind, "deadlock", board)
        local words = "block %d has not started, since its place is taken by blocks that wait in a loop at line %d " ..
            "for a value that nobody is left to change (a[0])"
        ok(e.message:find(words:format(fit, line_of(GRID_BARRIER, ".acquire")), 1, true), e.message)
        equal(e.line, line_of(GRID_BARRIER, ".acquire"))
    end
    ok(not run(nil, GRID_BARRIER .. EXIT, 256, 16), "256 blocks without a clock")
    equal(run(nil, GRID_BARRIER .. EXIT, 257, 16).kind, "deadlock")
end)

-- ---- what does not ----

case("a lock that each lane takes", function()
    local body = TAKE .. COUNT .. GIVE .. EXIT
    for _, grid in ipairs {1, 4} do
        dies(body, grid, 32, {"lanes of the warp wait in a loop for a[0] to change", "would do at line " ..
            line_of(body, "exch"), "it waits for them at line " .. line_of(body, ".volatile v, [pb]"),
            "with --rules hardware, each gets on", "Release a lock before the branch that goes round"}, nil, "lanes")
        for _, board in ipairs {"", "teach8", "v100"} do
            local e, a = run(board ~= "" and board or nil, body, grid, 32, 1, {rules = "hardware"})
            ok(not e and a[65] == 32 * grid and a[1] == 0, board .. ": " .. tostring(e and e.message))
        end
    end
    local shared = "take:; atom.shared.exch.b32 v, [s], one; setp.ne.u32 again, v, 0; @again bra take; " .. COUNT ..
        "st.shared.b32 [s], zero; " .. EXIT
    dies("st.shared.b32 [s], zero; bar.sync 0; " .. shared, 1, 32, {"shared s[0] to change"}, nil,
        "lanes")
end)

case("flags that nobody raises", function()
    dies(WAIT .. EXIT, 3, 16, {"waits in a loop for a[0] to change, and nobody is left to change it"})
    dies("setp.eq.u32 p, c, 0; @p bra other; " .. WAIT .. EXIT .. "other:; " .. WORK .. EXIT, 3, 16,
        {"a[0] to change"})
    dies("wait:; atom.global.add.u32 v, [pa], zero; setp.eq.u32 again, v, 0; @again bra wait; " .. EXIT, 2, 32,
        {"a[0] to change"})
    dies("@first bra out; wait:; ld.shared.b32.volatile v, [s+4]; setp.ne.u32 again, v, 3; @again bra wait; out:; " ..
        "bar.sync 0; " .. EXIT, 1, 64, {"shared s[1] to change"})
    dies("mov.b32 w, 1; wait:; ld.global.b32.volatile v, [pa]; shl.b32 w, w, 1; min.u32 w, w, 64; " ..
        "setp.eq.u32 again, v, 0; @again bra wait; " .. EXIT, 1, 8, {"a[0] to change"}) -- waits longer, up to a limit
end)

case("a block that polls between barriers", function()
    dies("wait:; @!first bra skip; ld.global.b32.volatile v, [pa]; st.shared.b32 [s], v; skip:; bar.sync 0; " ..
        "ld.shared.b32 v, [s]; bar.sync 0; setp.eq.u32 again, v, 0; @again bra wait; " .. EXIT, 2, 32,
        {"a[0] to change"})
    dies(POLL .. EXIT, 2, 64, {"a[0] to change"})
end)

case("two locks in two orders, a lock that is never given", function()
    local take = "%s:; atom.global.cas.b32 v, [%s], zero, one; setp.ne.u32 again, v, 0; @again bra %s; "
    local function order(label, x, y)
        return take:format(label, x, label) .. "red.global.add.u32 [pa+128], one; " .. label .. "meet:; " ..
            "ld.global.b32.volatile v, [pa+128]; setp.ne.u32 again, v, 2; @again bra " .. label .. "meet; " ..
            take:format(label .. "2", y, label .. "2")
    end
    dies("setp.eq.u32 p, c, 0; @p bra other; " .. order("x", "pa", "pb") .. EXIT .. "other:; " ..
        order("y", "pb", "pa") .. EXIT, 2, 1, {"to change, and nobody is left to change it"})
    dies("@!first bra out; " .. TAKE .. COUNT .. "out:; " .. EXIT, 3, 16, {"a[0] to change"})
end)

case("blocks that wait for the block behind them, more than fit", function()
    dies("mul.wide.u32 q, c, 4; add.s64 q, q, pa; add.u32 v, c, 1; setp.eq.u32 p, v, all; @p bra go; wait:; " ..
        "ld.global.b32.volatile v, [q+4]; setp.eq.u32 again, v, 0; @again bra wait; go:; fence.gpu; " ..
        "st.global.b32.volatile [q], one; " .. EXIT, 400, 8, {"block ", " has not started", "Of 400 blocks "},
        {"teach8", "teach32"})
end)

case("loops that read no memory", function()
    dies("on:; xor.b32 v, n, 3; bra on; ", 2, 32, {"nothing can end this loop"}, nil, "endless_loop")
    dies("@first bra out; on:; st.global.b32 [pa], one; bar.warp; bra on; out:; " .. WORK .. EXIT, 2, 32,
        {"nothing can end this loop"}, nil, "endless_loop")
end)

test.finish()
