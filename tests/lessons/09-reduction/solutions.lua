-- Solutions as rows of changes: scripts/lib/heddle/lessons/solutions.lua.

-- The sum over a warp's lanes, and that over the warps.
local FOLD <const> = [[
        s2r           s, %warpsize
        shr.u32       s, s, 1
fold:
        shfl.bfly.b32 other, v, s             ; v of the lane whose number differs in one bit
        add.u32       v, v, other
        shr.u32       s, s, 1
        setp.ne.u32   more, s, 0
@more   bra           fold]]
local LAST <const> = [[
        shr.u32       s, warps, 1
last:
        setp.ne.u32   more, s, 0
@!more  bra           stored
        shfl.bfly.b32 other, v, s
        add.u32       v, v, other
        shr.u32       s, s, 1
        bra           last
stored:]]

return {
    -- again: Sums eight times more often than needed.
    {"instructions", "is a step done more than once?",
     {".reg   t, row,", ".reg left, kept, t, row,"},
     {FOLD, "mov.b32 left, 8\nmov.b32 kept, v\nagain:\nmov.b32 v, kept\n" .. FOLD ..
      "\nsub.u32 left, left, 1\nsetp.ne.u32 more, left, 0\n@more bra again"}},
    -- large values: Right for values below 65,536 only.
    {"proof", "on other data",
     {[[        s2r           s, %warpsize
        shr.u32       s, s, 1
fold:]], [[and.b32 v, v, 0xffff
s2r s, %warpsize
shr.u32 s, s, 1
fold:]]}},
    -- no barrier: The first warp reads before the others have stored.
    {"races", "line",
     {"bar.sync      0\n@!leads", "@!leads"}},
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
     {FOLD, "redux.add.u32 v, v"},
     {LAST, "redux.add.u32 v, v"}},
    -- reloaded: Loads each element twice.
    {"loads", "at most",
     {"@inside ld.global.b32 v, [at]", [=[@inside ld.global.b32 v, [at]
@inside ld.global.b32 v, [at]]=]}},
    -- stored twice: Stores each sum twice.
    {"stores", "at most one for each row",
     {"@first  st.global.b32 [at], v", "@first st.global.b32 [at], v\n@first st.global.b32 [at], v"}},
    -- wide: Counts on warps of 32.
    {"results", "elements of sums are wrong", {FOLD, (FOLD:gsub("s2r           s, %%warpsize", "mov.b32 s, 32"))}},
    -- atomic in shared: The sums of the warps are added in shared memory.
    {"passed", "",
     {"@first  st.shared.b32 [part+s], v", [[setp.eq.u32 inside, t, 0
@inside st.shared.b32 [part], rz
bar.sync 0
@first red.shared.add.u32 [part], v]]},
     {"setp.lt.u32   inside, lane, warps", "stored:", "ld.shared.b32 v, [part]"}},
    -- down: Lanes read those above them; only lane 0 has the sum of all.
    {"passed", "",
     {"shfl.bfly.b32 other, v, s             ; v of the lane whose number differs in one bit",
      "shfl.down.b32 other, v, s ; v of the lane whose number differs in one bit"},
     {[[        shfl.bfly.b32 other, v, s
        add.u32       v, v, other]], [[shfl.down.b32 other, v, s
add.u32 v, v, other]]}},
    -- atomic: Each thread adds to the sum in memory.
    {"races", "was never written", from = "starter",
     {"        st.shared.b32 [part+mine], v", "setp.eq.u32   active, t, 0", ""},
     {"@active st.global.b32 [at], v", "red.global.add.u32 [at], v"}},
    -- ballots: Counts each bit of the elements by a ballot.
    {"shuffles", "threads take part in a shuffle",
     {".kernel total", [[.macro sum_lanes bits
mov.b32 s, 0
mov.b32 other, 0
next\@:
shr.u32 \bits, v, s
and.b32 \bits, \bits, 1
setp.ne.u32 more, \bits, 0
ballot.b64 at, more
popc.b64 \bits, at
shl.b32 \bits, \bits, s
add.u32 other, other, \bits
add.u32 s, s, 1
setp.lt.u32 more, s, 32
@more bra next\@
mov.b32 v, other
.endmacro
.kernel total]]},
     {".reg   t, row,", ".reg bits, t, row,"},
     {FOLD, "sum_lanes bits"},
     {LAST, "sum_lanes bits"}},
    -- serial: One thread adds all.
    {"shared", "threads access shared memory", from = "starter",
     {"mov.b32       s, 32", "@active bra           fold", [[setp.ne.u32 active, t, 0
@active bra added
mov.b32 s, 4
next:
ld.shared.b32 other, [part+s]
add.u32 v, v, other
add.u32 s, s, 4
setp.lt.u32 active, s, 256
@active bra next
added:
bar.sync 0]]}},
    -- tree: The kernel to begin with, and shuffles beside it.
    {"barriers", "threads wait at a barrier", from = "starter"},
}
