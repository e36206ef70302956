-- Solutions as rows of changes: scripts/lib/heddle/lessons/solutions.lua.
-- EXCHANGE fetches the elements 2 * lane and 2 * lane + 1 of the warp.
local EXCHANGE <const> = [[        shfl.idx.b32  c, a, s
        shfl.idx.b32  d, b, s
        shfl.idx.b32  e, a, t
        shfl.idx.b32  f, b, t
        sel.b32       c, c, d, low
        sel.b32       d, e, f, low]]

return {
    -- barrier: Waits without anything shared.
    {"barriers", "wait at a barrier",
     {"@beyond exit", ""},
     {[[        ld.global.b32 a, [at]                 ; e(lane)
        ld.global.b32 b, [at2]                ; e(W + lane)]], [[@!beyond ld.global.b32 a, [at]
@!beyond ld.global.b32 b, [at2]
bar.sync 0]]},
     {[[        st.global.b32 [at], a
        st.global.b32 [at2], b]], [[@!beyond st.global.b32 [at], a
@!beyond st.global.b32 [at2], b]]}},
    -- large values: Right for values below 65,536 only.
    {"proof", "on other data",
     {"shl.b32       s, lane, 1", [[and.b32 a, a, 0xffff
shl.b32 s, lane, 1]]}},
    -- loaded again: Asks memory for the other elements, the first time.
    {"loads", "bytes where at most",
     {".repeat 16", [=[ld.param.b64 at, [x]
sub.u32 e, i, lane
mad.lo.u32 e, lane, 2, e
mad.wide.u32 at, e, 4, at
ld.global.b32 c, [at]
ld.global.b32 d, [at+4]
add.u32 a, a, c
add.u32 b, b, d
.repeat 15]=]}},
    -- one register: Half of what is wanted lies in the other register.
    {"results", "elements of y are wrong",
     {[[        sel.b32       c, c, d, low
        sel.b32       d, e, f, low]], "mov.b32 d, e"}},
    -- through y: Exchanges through the output.
    {"stores", "at most one store",
     {EXCHANGE, [[ld.param.b64 at, [y]
mad.wide.u32 at, i, 4, at
mad.wide.u32 at2, w, 4, at
st.global.b32 [at], a
st.global.b32 [at2], b
bar.warp
ld.param.b64 at, [y]
sub.u32 e, i, lane
mad.lo.u32 e, lane, 2, e
mad.wide.u32 at, e, 4, at
ld.global.b32 c, [at]
ld.global.b32 d, [at+4]
bar.warp]]}},
    -- wide: Counts on warps of 32.
    {"results", "elements of y are wrong",
     {"shr.u32       f, w, 1", "mov.b32 f, 16"}},
    -- transit: Transit registers do what the shuffles and selects do.
    {"passed", "", from = "starter",
     {".shared tile : b32[256] align 128", ""},
     {"s2r           s, %tid.x", "bar.warp\n        add.u32       a, a, c", [[shr.u32 s, w, 2
.repeat 16
shfl.bfly.b32 c, a, s
shfl.bfly.b32 d, b, s
xpush x0, a
xpush x0, c
xpush x0, b
xpush x0, d
xext c, x0, 0
xext d, x0, 1
add.u32 a, a, c]]}},
    -- two shuffles: A lane offers the register that another lane wants: two shuffles are enough.
    {"passed", "",
     {[[.reg   lane, w, i, t, s, a, b, c, d, e, f, at:2, at2:2
.pred  beyond, low]], [[.reg lane, w, i, t, s, a, b, c, d, e, at:2, at2:2
.pred beyond, low, odd]]},
     {"shl.b32       s, lane, 1", [[and.b32 s, lane, 1
setp.ne.u32 odd, s, 0
shr.u32 s, w, 1
setp.lt.u32 low, lane, s
shl.b32 s, lane, 1]]},
     {"sub.u32       t, w, 1", ".repeat 16", [[@!low sub.u32 s, s, w
@!low add.u32 s, s, 1 ; the lane's number, turned left by one bit
xor.b32 t, s, 1
.repeat 16]]},
     {EXCHANGE, [[sel.b32 c, b, a, odd ; the value wanted first
sel.b32 d, a, b, odd
shfl.idx.b32 c, c, s
shfl.idx.b32 e, d, t
sel.b32 d, e, c, low
sel.b32 c, c, e, low]]}},
    -- in shared: The kernel to begin with.
    {"shared", "threads access shared memory", from = "starter"},
    -- rotated: Passes the values round the warp, a lane at a time, the first time.
    {"instructions", "how many does one exchange need?",
     {[[.reg   lane, w, i, t, s, a, b, c, d, e, f, at:2, at2:2
.pred  beyond, low]], [[.reg lane, w, i, t, s, a, b, c, d, e, f, g, h, at:2, at2:2
.pred beyond, low, hit]]},
     {".repeat 16", ".repeat 15"},
     {"shl.b32       s, lane, 1", [[mov.b32 s, 0
mov.b32 e, a
mov.b32 f, b
s2r g, %warpsize
sub.u32 g, g, 1
shr.u32 h, w, 1
setp.lt.u32 low, lane, h
round:
add.u32 t, lane, s
and.b32 t, t, g ; the lane whose values are here now
shl.b32 h, lane, 1
and.b32 h, h, g
setp.eq.u32 hit, t, h
@hit sel.b32 c, e, f, low
add.u32 h, h, 1
setp.eq.u32 hit, t, h
@hit sel.b32 d, e, f, low
add.u32 h, lane, 1
and.b32 h, h, g
shfl.idx.b32 e, e, h
shfl.idx.b32 f, f, h
add.u32 s, s, 1
setp.lt.u32 hit, s, w
@hit bra round
add.u32 a, a, c
add.u32 b, b, d
shl.b32 s, lane, 1]]}},
}
