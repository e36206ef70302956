-- Wrong solutions as changes of the reference: {gate, words of the reason, {old text, new text}, ...}. EXCHANGE fetches
-- the elements 2 * lane and 2 * lane + 1 of the warp.
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
}
