-- Solutions as rows of changes: tests/lib/solutions.lua.
local LOAD <const> = "ld.global.b128 v, [from]"

-- Finds out that it is on a board, where warp 0 is the last of four after a barrier, and then acts so.
local function on_board(gate, words, act)
    return {gate, words,
        {[[.reg   i, size, v:4, from:2, to:2, array:2
.pred  beyond]], [[.shared count : b32[1]
.shared place : b32[1]
.reg i, size, v, t, warp, one, from:2, to:2, array:2
.pred beyond, one_lane, first]]},
        {"s2r            size, %ctaid.x", [[s2r t, %tid.x
setp.eq.u32 first, t, 0
@first st.shared.b32 [count], rz
bar.sync 0
s2r warp, %warpid
s2r t, %laneid
setp.eq.u32 one_lane, t, 0
mov.b32 one, 1
mov.b32 t, 0
@one_lane atom.shared.add.u32 t, [count], one
setp.eq.u32 first, warp, 0
and.pred first, first, one_lane
@first st.shared.b32 [place], t ; of warp 0 after the barrier
bar.sync 0
ld.shared.b32 t, [place]
setp.eq.u32 beyond, t, 3
@beyond ]] .. act .. "\ns2r size, %ctaid.x"},
        {"ld.global.b128 v, [from]", ""},
        {[[        mul.wide.u32   array, size, 4
        st.global.b32  [to], v]], [[mul.wide.u32 array, size, 4
.repeat 4, k
ld.global.b32 v, [from + 4 * \k]
st.global.b32 [to], v]]},
        {"st.global.b32  [to], v+1", "st.global.b32  [to], v+3", ".endrepeat"}}
end

return {
    {"useful", "of the bytes in the sectors", {LOAD, "ld.global.b64 v, [from]\nld.global.b64 v+2, [from + 8]"}},
    {"loads", "where at most", {LOAD, (LOAD .. "\n"):rep(5)}},
    {"stores", "at most one store", {"st.global.b32  [to], v\n", "st.global.b32  [to], v\nst.global.b32  [to], v\n"}},
    {"results", "elements of arrays are wrong", {"[to], v+2", "[to], v+1"}},
    {"end", "past the end of 'arrays'", {"size, 4", "size, 8"}},
    {"instructions", "and at most", {LOAD, LOAD .. ("\nadd.u32 i, i, 0"):rep(80)}},
    {"end", "misaligned", {"i, 16, from", "i, 8, from"}},
    {"proof", "on other data", {LOAD, LOAD .. "\nmin.u32 v+3, v+3, 1000"}},
    -- four threads: Four threads for each record, a number each.
    {"passed", "",
     {".reg   i, size, v:4, from:2, to:2, array:2", "st.global.b32  [to], v+3",
      [[.reg block, t, e, v, array, place, size, total, from:2, to:2
.pred inside
s2r block, %ctaid.x
s2r t, %tid.x
ld.param.b32 size, [n]
shl.b32 total, size, 2
.repeat 4, k
mad.lo.u32 e, block, 512, t
add.u32 e, e, 128 * \k
setp.lt.u32 inside, e, total
ld.param.b64 from, [records]
mad.wide.u32 from, e, 4, from
@inside ld.global.b32 v, [from]
and.b32 array, e, 3
shr.u32 place, e, 2
mad.lo.u32 place, array, size, place
ld.param.b64 to, [arrays]
mad.wide.u32 to, place, 4, to
@inside st.global.b32 [to], v
.endrepeat]]}},
    -- through shared: Records are stored to shared memory, which loads them word by word.
    {"passed", "",
     {".reg   i, size, v:4, from:2, to:2, array:2", "st.global.b32  [to], v+3", [[.shared part : b32[512] align 16
.reg block, t, e, s, v, size, total, from:2, to:2, at:2
.pred inside
s2r block, %ctaid.x
s2r t, %tid.x
ld.param.b32 size, [n]
shl.b32 total, size, 2
ld.param.b64 from, [records]
shl.b32 s, t, 2
.repeat 4, k
mad.lo.u32 e, block, 512, t
add.u32 e, e, 128 * \k
setp.lt.u32 inside, e, total
mad.wide.u32 at, e, 4, from
@inside ld.global.b32 v, [at]
@inside st.shared.b32 [part + s + 512 * \k], v
.endrepeat
bar.sync 0
mad.lo.u32 e, block, 128, t
setp.ge.u32 inside, e, size
@inside exit
shl.b32 s, t, 4
ld.param.b64 to, [arrays]
mad.wide.u32 to, e, 4, to
mul.wide.u32 at, size, 4
.repeat 4, k
ld.shared.b32 v, [part + s + 4 * \k]
st.global.b32 [to], v
add.s64 to, to, at
.endrepeat]]}},
    on_board("end", "on teach32: line 45: trap", "trap"),
    on_board("results", "on teach32", "exit"),
}
