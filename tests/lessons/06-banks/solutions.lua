-- Solutions as rows of changes: scripts/lib/heddle/lessons/solutions.lua.
local LOAD <const> = "@inside ld.global.b32 t, [at]\n"
local STORE <const> = "@inside st.global.b32 [at], t\n"
local KEPT <const> = "@inside st.shared.b32 [tile + s], t     ; tile[k][tx]\n"
local PITCH <const> = "PITCH, 33 "

return {
    {"passes", "lanes meet in a bank", {PITCH, "PITCH, 34 "}},
    {"passes", "lanes meet in a bank", {PITCH, "PITCH, 36 "}},
    {"useful", "of the bytes in the sectors", {KEPT, "mad.lo.u32 s, c, nr, r\nld.param.b64 at, [b]\n" ..
        "mad.wide.u32 at, s, 4, at\n" .. STORE}, {"bar.sync      0", "exit"}}, -- writes columns, without a tile
    {"races", "line", {"bar.sync      0", ""}},
    {"end", "past the end of the shared memory", {PITCH, "PITCH, 31 "}},
    {"loads", "where at most", {LOAD, LOAD .. LOAD}},
    {"stores", "at most one store", {STORE, STORE .. STORE}},
    {"instructions", "and at most", {LOAD, LOAD .. ("add.u32 r, r, 0\n"):rep(20)}},
    {"end", "past the end of 'a'", {LOAD, "ld.global.b32 t, [at]\n"}},
    {"proof", "on other data", {KEPT, "min.u32 t, t, 1000\n" .. KEPT}},
    -- swizzle: The place in a row is changed by the row: no word is left unused.
    {"passed", "", from = "starter",
     {"mad.lo.u32    s, k, PITCH, tx", [[xor.b32 s, tx, k
mad.lo.u32 s, k, PITCH, s]]},
     {"mad.lo.u32    s, tx, PITCH, k", [[xor.b32 s, tx, k
mad.lo.u32 s, tx, PITCH, s]]}},
}
