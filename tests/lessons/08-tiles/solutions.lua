-- Solutions as rows of changes: scripts/lib/heddle/lessons/solutions.lua.
local LOAD <const> = "@inside ld.global.b32 v, [at]                   ; a[row][start + tx]\n"
local STORE <const> = "@inside st.global.b32 [at], sum\n"
local FIRST <const> = "        st.shared.b32 [tile_b + mine], w\n        bar.sync      0\n"
local SECOND <const> = "        bar.sync      0                         ; no warp stores into a tile"

return {
    {"loads", "where at most", {LOAD, LOAD .. LOAD}},
    {"stores", "at most one store", {STORE, STORE .. STORE}},
    {"races", "line", {SECOND, ";"}},
    {"races", "line", {FIRST, "        st.shared.b32 [tile_b + mine], w\n"}},
    {"instructions", "and at most", {SECOND, ("add.u32 row, row, 0\n"):rep(40) .. SECOND}},
    {"end", "past the end of", {LOAD, "ld.global.b32 v, [at]\n"}},
    {"proof", "on other data", {LOAD, LOAD .. "min.u32 v, v, 1000\n"}},
    -- Threads turned over: a warp of 16 rows of a, whose elements lie a row apart.
    {"sectors", "does a warp read along rows?", {"s2r           ty, %tid.y", "s2r           ty, %tid.x"},
        {"s2r           tx, %tid.x", "s2r           tx, %tid.y"}},
    -- loop: A loop of four products at a time in place of sixteen.
    {"passed", "",
     {".reg   tx, ty, row, col, size, start, t, v, w, sum, mine, along, down, pa:2, pb:2, at:2",
      ".reg k, ia, ib, tx, ty, row, col, size, start, t, v, w, sum, mine, along, down, pa:2, pb:2, at:2"},
     {".repeat T, k", ".endrepeat", [[mov.b32 k, 0
mov.b32 ia, along
mov.b32 ib, down
inner:
.repeat 4, k
ld.shared.b32 v, [tile_a + ia + 4 * \k]
ld.shared.b32 w, [tile_b + ib + 64 * \k]
mad.lo.u32 sum, v, w, sum
.endrepeat
add.u32 ia, ia, 16
add.u32 ib, ib, 256
add.u32 k, k, 4
setp.lt.u32 more, k, T
@more bra inner]]}},
}
