-- Solutions as rows of changes: tests/lib/solutions.lua.
-- EXCHANGE fetches the elements 2 * lane and 2 * lane + 1 of the warp.
local EXCHANGE <const> = [[        shl.b32       s, lane, 1
        sub.u32       t, w, 1
        and.b32       s, s, t                 ; 2 * lane, in the lanes again
        add.u32       t, s, 1
        shfl.idx.b32  c, a, s
        shfl.idx.b32  d, b, s
        shfl.idx.b32  e, a, t
        shfl.idx.b32  f, b, t
        shr.u32       s, w, 1
        setp.lt.u32   low, lane, s            ; these lanes want what others have in a
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
    -- loaded again: Asks memory for the other elements.
    {"loads", "bytes where at most",
     {EXCHANGE, [=[ld.param.b64 at, [x]
sub.u32 t, i, lane
mad.lo.u32 t, lane, 2, t
mad.wide.u32 at, t, 4, at
ld.global.b32 c, [at]
ld.global.b32 d, [at+4]]=]}},
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
sub.u32 t, i, lane
mad.lo.u32 t, lane, 2, t
mad.wide.u32 at, t, 4, at
ld.global.b32 c, [at]
ld.global.b32 d, [at+4]
bar.warp]]}},
    -- wide: Counts on warps of 32.
    {"results", "elements of y are wrong",
     {"shr.u32       s, w, 1", "mov.b32 s, 16"}},
    -- transit: Transit registers do what the shuffles and selects do.
    {"passed", "", from = "starter",
     {".shared tile : b32[256] align 128", ""},
     {"s2r           s, %warpid", "ld.shared.b32 d, [tile+t+4]           ; e(2 * lane + 1)", [[shr.u32 s, w, 2
shfl.bfly.b32 c, a, s
shfl.bfly.b32 d, b, s
xpush x0, a
xpush x0, c
xpush x0, b
xpush x0, d
xext c, x0, 0
xext d, x0, 1]]}},
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
     {"sub.u32       t, w, 1", "sel.b32       d, e, f, low", [[@!low sub.u32 s, s, w
@!low add.u32 s, s, 1 ; the lane's number, turned left by one bit
xor.b32 t, s, 1
sel.b32 c, b, a, odd ; the value wanted first
sel.b32 d, a, b, odd
shfl.idx.b32 c, c, s
shfl.idx.b32 e, d, t
sel.b32 d, e, c, low
sel.b32 c, c, e, low]]}},
    -- in shared: The kernel to begin with.
    {"shared", "threads access shared memory", from = "starter"},
    -- rotated: Passes the values round the warp, a lane at a time.
    {"instructions", "how many does one exchange need?",
     {[[.reg   lane, w, i, t, s, a, b, c, d, e, f, at:2, at2:2
.pred  beyond, low]], [[.reg lane, w, i, t, s, a, b, c, d, e, f, g, h, at:2, at2:2
.pred beyond, low, hit]]},
     {"shl.b32       s, lane, 1", "sel.b32       d, e, f, low", [[mov.b32 s, 0
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
@hit bra round]]}},
    -- wide loads: Wide loads bring all that a lane wants, each element twice.
    {"loads", "bytes where at most",
     {".reg   lane, w, i, t, s, a, b, c, d, e, f, at:2, at2:2",
      ".reg lane, w, i, t, s, a, b, c, d, e, f, at:2, at2:2, p:2, q:4"},
     {"add.u32       i, i, lane", "st.global.b32 [at2], b", [[ld.param.b64 at, [x]
mad.wide.u32 at, i, 4, at
mad.wide.u32 at2, lane, 8, at
ld.global.b64 p, [at2] ; e(2l), e(2l + 1)
sub.u32 t, w, 1
shl.b32 s, lane, 1
and.b32 t, t, s
mad.wide.u32 at, t, 8, at
ld.global.b128 q, [at] ; with their elements
setp.lt.u32 low, s, w
sel.b32 a, q, q+1, low
sel.b32 b, q+2, q+3, low
add.u32 a, a, p
add.u32 b, b, p+1
ld.param.b64 at, [y]
add.u32 i, i, s
mad.wide.u32 at, i, 4, at
st.global.b32 [at], a
st.global.b32 [at+4], b]]}},
}
