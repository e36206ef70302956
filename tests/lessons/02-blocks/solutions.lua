-- Solutions as rows of changes: scripts/lib/heddle/lessons/solutions.lua.

return {
    -- cleared: Clears the element before it is computed.
    {"stores", "at most one store",
     {"ld.param.b64  at, [a]", [=[mov.b32 v, 0
mad.lo.s32 t, row, width, col
ld.param.b64 at, [c]
mad.wide.u32 at, t, 4, at
st.global.b32 [at], v
ld.param.b64 at, [a]]=]}},
    -- negative: Without negative sums, of which the cases have none.
    {"proof", "on other data",
     {"mad.lo.s32    t, row, width, col", [[mov.b32 u, 0
max.f32 v, v, u
mad.lo.s32 t, row, width, col]]}},
    -- pitch: Rows are taken for as long as there are rows: right for squares only.
    {"results", "elements of c are wrong",
     {"mad.lo.s32    t, row, width, col", "mad.lo.s32 t, row, height, col"}},
    -- reads output: Reads c, to have something to add to.
    {"loads", "where at most",
     {"st.global.b32 [at], v", [[ld.global.b32 u, [at]
st.global.b32 [at], v]]}},
    -- way round: x counts rows, and y columns; blocks lie the other way.
    {"results", "elements of c are wrong",
     {"s2r           t, %ctaid.x", [[s2r t, %ctaid.y
s2r size, %ntid.y
s2r col, %tid.y
mad.lo.s32 col, t, size, col
s2r t, %ctaid.x]]},
     {[[        s2r           col, %tid.x
        mad.lo.s32    col, t, size, col
        s2r           t, %ctaid.y
        s2r           size, %ntid.y
        s2r           row, %tid.y]], "s2r row, %tid.x"}},
    -- without row guard: Threads below the last row go on.
    {"end", "past the end of",
     {[[        setp.ge.u32   beyond, row, height
@beyond exit]], ""}},
    -- shift: The width of a block is known: a shift in place of a product.
    {"passed", "",
     {"s2r           size, %ntid.x", ""},
     {"mad.lo.s32    col, t, size, col", [[shl.b32 t, t, 4
add.u32 col, col, t]]}},
    -- one thread: The first thread does all of the work, one element after the other.
    {"instructions", "is the work spread over all threads?",
     {[[.reg   row, col, t, size, height, width, u, v, at:2
.pred  beyond]], [[.reg row, col, t, height, width, u, v, from:2, to:2
.pred p]]},
     {"s2r           size, %ntid.x", "mad.lo.s32    row, t, size, row", [=[s2r u, %ctaid.y
or.b32 t, t, u
s2r u, %tid.x
or.b32 t, t, u
s2r u, %tid.y
or.b32 t, t, u
setp.ne.u32 p, t, 0
@p exit
ld.param.b32 height, [rows]]=]},
     {"setp.ge.u32   beyond, col, width", "ld.global.b32 v, [at]", [=[ld.param.b64 to, [c]
mov.b32 row, 0
next_row:
mov.b32 col, 0
next:
ld.param.b64 from, [a]
mad.wide.u32 from, row, 4, from
ld.global.b32 u, [from]
ld.param.b64 from, [b]
mad.wide.u32 from, col, 4, from
ld.global.b32 v, [from]]=]},
     {"mad.lo.s32    t, row, width, col", "st.global.b32 [at], v", [[st.global.b32 [to], v
add.u64 to, to, 4
add.u32 col, col, 1
setp.lt.u32 p, col, width
@p bra next
add.u32 row, row, 1
setp.lt.u32 p, row, height
@p bra next_row]]}},
}
