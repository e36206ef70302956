-- Solutions as rows of changes: scripts/lib/heddle/lessons/solutions.lua.
local BARRIER <const> = "        bar.sync      0\n"
local STORE <const> = "st.shared.b32 [tile + near + 16], v\n"
local OWN <const> = "@inside ld.global.b32 v, [at]\n"

return {
    {"races", "line", {BARRIER, ""}, {"own:\n", "own:\n" .. BARRIER}},
    {"end", "barrier", {BARRIER, "@inside bar.sync 0\n"}},
    {"loads", "where at most", {OWN, OWN .. OWN}},
    {"stores", "at most one store", {"@inside st.global.b32 [at], sum\n", "@inside st.global.b32 [at], v\n" ..
        "@inside st.global.b32 [at], sum\n"}},
    {"results", "elements of y are wrong", {"[tile + near + 12]", "[tile + near + 8]"}},
    {"results", "elements of y are wrong", {"@later  ld.global.b32 v, [at - 16]\n", ""}},
    {"end", "past the end of", {OWN, "ld.global.b32 v, [at]\n"}},
    {"proof", "on other data", {STORE, STORE .. "min.u32 v, v, 1000\n"}, {OWN, OWN .. "min.u32 v, v, 1000\n"}},
    {"instructions", "and at most", {BARRIER, BARRIER .. ("add.u32 i, i, 0\n"):rep(20)}},
    -- no branch: Predicates in place of a branch.
    {"passed", "",
     {".pred  inside, later", ".pred first, inside, later"},
     {"setp.ge.u32   later, t, 4", "own:", [[setp.lt.u32 later, t, 4
mov.b32 v, 0
setp.ge.u32 first, i, 4
and.pred first, first, later
@first ld.global.b32 v, [at - 16]
@later st.shared.b32 [tile + near], v]]}},
    -- wide: A thread for four elements loads the four before them, too: nothing is shared, and all is loaded twice.
    {"loads", "bytes where at most",
     {".shared tile : b32[132]                        ; x of the block, after the four elements before it",
      "@inside st.global.b32 [at], sum", [[.reg i, t, k, size, before:4, own:4, sum, at:2
.pred later, has1, has2, all
s2r i, %ctaid.x
s2r t, %tid.x
setp.ge.u32 later, t, 32
@later exit
shl.b32 t, t, 2
mad.lo.u32 i, i, 128, t
ld.param.b32 size, [n]
setp.ge.u32 later, i, size
@later exit
ld.param.b64 at, [x]
mad.wide.u32 at, i, 4, at
mov.b64 before, 0
mov.b64 before+2, 0
mov.b64 own, 0
mov.b64 own+2, 0
setp.ge.u32 later, i, 4
@later ld.global.b128 before, [at - 16]
add.u32 k, i, 1
setp.lt.u32 has1, k, size
add.u32 k, i, 2
setp.lt.u32 has2, k, size
add.u32 k, i, 3
setp.lt.u32 all, k, size
@all ld.global.b128 own, [at]
@all bra sums
ld.global.b32 own, [at]
@has1 ld.global.b32 own+1, [at + 4]
@has2 ld.global.b32 own+2, [at + 8]
sums:
ld.param.b64 at, [y]
mad.wide.u32 at, i, 4, at
add.u32 sum, before, before+1
add.u32 sum, sum, before+2
add.u32 sum, sum, before+3
add.u32 sum, sum, own
st.global.b32 [at], sum
sub.u32 sum, sum, before
add.u32 sum, sum, own+1
@has1 st.global.b32 [at + 4], sum
sub.u32 sum, sum, before+1
add.u32 sum, sum, own+2
@has2 st.global.b32 [at + 8], sum
sub.u32 sum, sum, before+2
add.u32 sum, sum, own+3
@all st.global.b32 [at + 12], sum]]}},
}
