-- Wrong solutions as changes of the reference: {gate, words of the reason, {old text, new text}, ...}.

return {
    -- again: Sums six times more often than needed.
    {"instructions", "is a step done more than once?",
     {[[        s2r           s, %warpsize
        shr.u32       s, s, 1
fold:]], [[mov.b32 lane, 8
mov.b32 warp, v
again:
mov.b32 v, warp
s2r s, %warpsize
shr.u32 s, s, 1
fold:]]},
     {"s2r           lane, %laneid", [[sub.u32 lane, lane, 1
setp.ne.u32 more, lane, 0
@more bra again
s2r lane, %laneid]]}},
    -- large values: Right for values below 65,536 only.
    {"proof", "on other data",
     {[[        s2r           s, %warpsize
        shr.u32       s, s, 1
fold:]], [[and.b32 v, v, 0xffff
s2r s, %warpsize
shr.u32 s, s, 1
fold:]]}},
    -- no barrier: The first warp reads before the others have stored.
    {"results", "elements of sums are wrong",
     {"bar.sync      0", ""}},
    -- redux and shuffles: Has shuffles whose values are unused.
    {"redux", "threads take part in a redux",
     {[[        s2r           s, %warpsize
        shr.u32       s, s, 1
fold:]], "mov.b32 s, 1"},
     {[[        add.u32       v, v, other
        shr.u32       s, s, 1
        setp.ne.u32   more, s, 0
@more   bra           fold]], [[shfl.bfly.b32 other, v, s
shfl.bfly.b32 other, v, s
redux.add.u32 v, v]]}},
    -- redux: Another instruction adds up a warp.
    {"redux", "threads take part in a redux",
     {[[        s2r           s, %warpsize
        shr.u32       s, s, 1
fold:
        shfl.bfly.b32 other, v, s             ; v of the lane whose number differs in one bit
        add.u32       v, v, other
        shr.u32       s, s, 1
        setp.ne.u32   more, s, 0
@more   bra           fold]], "redux.add.u32 v, v"},
     {[[        s2r           s, %warpsize
        shr.u32       s, s, 1
last:
        shfl.bfly.b32 other, v, s
        add.u32       v, v, other
        shr.u32       s, s, 1
        setp.ne.u32   more, s, 0
@more   bra           last]], "redux.add.u32 v, v"}},
    -- reloaded: Loads each element twice.
    {"loads", "at most",
     {"@inside ld.global.b32 v, [at]", [=[@inside ld.global.b32 v, [at]
@inside ld.global.b32 v, [at]]=]}},
    -- stored twice: Stores each sum twice.
    {"stores", "at most one for each block",
     {"        exit", [[st.global.b32 [at], v
exit]]}},
    -- wide: Counts on warps of 32.
    {"results", "elements of sums are wrong",
     {[[        s2r           s, %warpsize
        shr.u32       s, s, 1
fold:]], [[mov.b32 s, 32
shr.u32 s, s, 1
fold:]]},
     {[[        s2r           s, %warpsize
        shr.u32       s, s, 1
last:]], [[mov.b32 s, 32
shr.u32 s, s, 1
last:]]}},
}
