-- Solutions as rows of changes: scripts/lib/heddle/lessons/solutions.lua.
local LOAD <const> = "@inside ld.global.b32 v, [at]\n"
local FIRST <const> = "@first  st.shared.b32 [count+warp], sum\n"
local STORE <const> = "@keeps  st.global.b32 [at], v\n"
local VOTE <const> = "ballot.b64    votes, keeps\n"

return {
    -- scan: The kernel to begin with.
    {"barriers", "how many steps does a vote need?", from = "starter"},
    -- one by one: Each thread counts all before it, after a single barrier.
    {"instructions", "does a thread count one by one?", from = "starter",
     {"        mov.b32       d, 1\nscan:", "@more   bra           scan", [[mov.b32 place, 0
mov.b32 d, 0
scan:
ld.shared.b32 other, [sum+d]
setp.le.u32 has, d, mine
@has add.u32 place, place, other
add.u32 d, d, 4
setp.lt.u32 more, d, 512
@more bra scan]]}},
    -- no barrier: A warp reads the counts of others before they are there.
    {"races", "line", {"        bar.sync      0\n        mov.b32       i, 0", "        mov.b32       i, 0"}},
    -- in turn: Warps reserve their places by an atomic, in the order in which they come.
    {"orders", "with warps in another order",
     {"        popc.b64      sum, votes\n", "popc.b64 sum, votes\nsetp.eq.u32 last, t, 0\n" ..
          "@last atom.shared.exch.b32 lane, [count], rz\n"},
     {FIRST, "@first atom.shared.add.u32 sum, [count], sum\nshfl.idx.b32 sum, sum, 0\nadd.u32 place, place, sum\n"},
     {"        mov.b32       i, 0\nbefore:", "placed:\n", ""},
     {"@keeps  add.u32       place, place, 1\n", "ld.shared.b32 place, [count]\n"}},
    -- itself, too: Counts its own vote, and so leaves the first place free.
    {"end", "just past the end of 'y'", {"%lanemask_lt", "%lanemask_le"}},
    -- 32 lanes: Leaves out half of the votes of a warp of 64.
    {"results", "elements of", {VOTE, VOTE .. "mov.b32 votes+1, 0\n"}},
    -- loaded twice: Loads each element twice.
    {"loads", "at most", {LOAD, LOAD .. LOAD}},
    -- stored twice: Stores what it keeps twice.
    {"stores", "at most one store", {STORE, STORE .. STORE}},
    -- shuffles: Sums in the warp by shuffles in place of votes.
    {"passed", "",
     {".reg   t, row,", ".reg got, t, row,"}, {".pred  inside,", ".pred there, inside,"},
     {"        " .. VOTE, "popc.b64      sum, votes\n", [[mov.b32 place, 0
@keeps mov.b32 place, 1
mov.b32 sum, place
mov.b32 i, 1
s2r size, %warpsize
up:
shfl.up.b32 got|there, sum, i
@there add.u32 sum, sum, got
shl.b32 i, i, 1
setp.lt.u32 more, i, size
@more bra up
sub.u32 place, sum, place
sub.u32 i, size, 1
shfl.idx.b32 sum, sum, i
]]}},
}
