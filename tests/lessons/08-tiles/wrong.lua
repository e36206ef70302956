-- Wrong solutions as changes of the reference: {gate, words of the reason, {old text, new text}, ...}.
local LOAD <const> = "@inside ld.global.b32 v, [at]                   ; a[row][start + tx]\n"
local STORE <const> = "@inside st.global.b32 [at], sum\n"
local FIRST <const> = "        st.shared.b32 [tile_b + mine], w\n        bar.sync      0\n"
local SECOND <const> = "        bar.sync      0                         ; no warp stores into a tile"

return {
    {"loads", "where at most", {LOAD, LOAD .. LOAD}},
    {"stores", "at most one store", {STORE, STORE .. STORE}},
    {"results", "elements of c are wrong", {SECOND, ";"}},
    {"results", "elements of c are wrong", {FIRST, "        st.shared.b32 [tile_b + mine], w\n"}},
    {"instructions", "and at most", {SECOND, ("add.u32 row, row, 0\n"):rep(40) .. SECOND}},
    {"end", "past the end of", {LOAD, "ld.global.b32 v, [at]\n"}},
    {"proof", "on other data", {LOAD, LOAD .. "min.u32 v, v, 1000\n"}},
    -- Threads turned over: a warp of 16 rows of a, whose elements lie a row apart.
    {"sectors", "does a warp read along rows?", {"s2r           ty, %tid.y", "s2r           ty, %tid.x"},
        {"s2r           tx, %tid.x", "s2r           tx, %tid.y"}},
}
