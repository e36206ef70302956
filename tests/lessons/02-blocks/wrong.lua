-- Wrong solutions as changes of the reference: {gate, words of the reason, {old text, new text}, ...}.

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
}
