-- Solutions as rows of changes: scripts/lib/heddle/lessons/solutions.lua.
local LOAD <const> = "        ld.global.b32 v, [from]\n"
local REGISTERS <const> = ".reg   i, size, v, sum, row, from:2, step:2\n"
local STORE <const> = "        st.global.b32 [from], sum\n"

return {
    {"occupancy", "of the warps that an SM can hold", {REGISTERS, REGISTERS .. ".shared unused : b32[2500]\n"}},
    {"results", "elements of y are wrong", {"row, 32\n", "row, 31\n"}},
    {"loads", "where at most", {LOAD, LOAD .. LOAD}},
    {"stores", "at most one store", {STORE, STORE .. STORE}},
    {"instructions", "and at most", {LOAD, LOAD .. ("add.u32 v, v, 0\n"):rep(12)}},
    {"end", "past the end of", {"@beyond exit\n", ""}},
    {"proof", "on other data", {LOAD, LOAD .. "min.u32 v, v, 1000\n"}},
    -- two at once: Two loads are in flight at once.
    {"passed", "",
     {".reg   i, size, v, sum, row, from:2, step:2", ".reg w, i, size, v, sum, row, from:2, step:2"},
     {"add.u32       sum, sum, v", [[add.s64 from, from, step
ld.global.b32 w, [from]
add.s64 from, from, step
add.u32 sum, sum, v]]},
     {[[        add.s64       from, from, step
        add.u32       row, row, 1]], [[add.u32 sum, sum, w
add.u32 row, row, 2]]}},
}
