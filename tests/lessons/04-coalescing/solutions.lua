-- Solutions as rows of changes: scripts/lib/heddle/lessons/solutions.lua.
local STORE <const> = "st.global.b128 [to], v"
local LOAD <const> = "ld.global.b32  v, [from]"

-- Finds out that it is on a board, where warp 0 is the last of four after a barrier, and then acts so.
local function on_board(gate, words, act)
    return {gate, words,
        {[[.reg   i, size, v:4, from:2, to:2, array:2
.pred  beyond]], [[.shared count : b32[1]
.shared place : b32[1]
.reg i, size, v:4, t, warp, one, from:2, to:2, array:2
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
        {STORE, ".repeat 4, k\nst.global.b32 [to + 4 * \\k], v+\\k\n.endrepeat"}}
end

return {
    {"useful", "of the bytes in the sectors", {STORE, "st.global.b64 [to], v\nst.global.b64 [to + 8], v+2"}},
    {"loads", "where at most", {LOAD, (LOAD .. "\n"):rep(2)}},
    {"stores", "at most one store", {STORE, (STORE .. "\n"):rep(5)}},
    {"results", "elements of records are wrong",
     {STORE, "mov.b32 size, v+1\nmov.b32 v+1, v+2\nmov.b32 v+2, size\n" .. STORE}},
    {"end", "past the end of 'arrays'", {"size, 4", "size, 8"}},
    {"instructions", "and at most", {STORE, STORE .. ("\nadd.u32 i, i, 0"):rep(80)}},
    {"end", "misaligned", {"i, 16, to", "i, 8, to"}},
    {"proof", "on other data", {STORE, "min.u32 v+3, v+3, 1000\n" .. STORE}},
    -- four threads: Four threads for each record, a number each.
    {"passed", "",
     {".reg   i, size, v:4, from:2, to:2, array:2", "st.global.b128 [to], v",
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
and.b32 array, e, 3
shr.u32 place, e, 2
mad.lo.u32 place, array, size, place
ld.param.b64 from, [arrays]
mad.wide.u32 from, place, 4, from
@inside ld.global.b32 v, [from]
ld.param.b64 to, [records]
mad.wide.u32 to, e, 4, to
@inside st.global.b32 [to], v
.endrepeat]]}},
    -- through shared: Elements go to shared memory, and from there word by word in the order of records.
    {"passed", "",
     {".reg   i, size, v:4, from:2, to:2, array:2", "st.global.b128 [to], v", [[.shared part : b32[512] align 16
.reg block, t, e, s, v, size, total, from:2, to:2, at:2
.pred inside
s2r block, %ctaid.x
s2r t, %tid.x
ld.param.b32 size, [n]
mad.lo.u32 e, block, 128, t
setp.lt.u32 inside, e, size
ld.param.b64 from, [arrays]
mad.wide.u32 from, e, 4, from
mul.wide.u32 at, size, 4
shl.b32 s, t, 4
.repeat 4, k
@inside ld.global.b32 v, [from]
@inside st.shared.b32 [part + s + 4 * \k], v
add.s64 from, from, at
.endrepeat
bar.sync 0
shl.b32 total, size, 2
ld.param.b64 to, [records]
shl.b32 s, t, 2
.repeat 4, k
mad.lo.u32 e, block, 512, t
add.u32 e, e, 128 * \k
setp.lt.u32 inside, e, total
mad.wide.u32 at, e, 4, to
@inside ld.shared.b32 v, [part + s + 512 * \k]
@inside st.global.b32 [at], v
.endrepeat]]}},
    on_board("end", "on teach32: line 45: trap", "trap"),
    on_board("results", "on teach32", "exit"),
}
