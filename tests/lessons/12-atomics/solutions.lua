-- Solutions as rows of changes: scripts/lib/heddle/lessons/solutions.lua.
local CLEARED <const> = [[@owner  st.shared.b32 [count+mine], rz
        bar.sync      0]]

-- Thread 0 clears all counters, each with that instruction.
local function by_owner(clear)
    return ([[setp.ne.u32 more, t, 0
@more bra cleared
mov.b32 v, 0
clear:
%s
add.u32 v, v, 4
setp.lt.u32 more, v, 64
@more bra clear
cleared:]]):format(clear)
end

return {
    -- all bins: Adds zeros, too.
    {"atomics", "blocks add to memory",
     {"setp.ne.u32   more, v, 0", ""},
     {"@more   red.global.add.u32 [at], v", "red.global.add.u32 [at], v"}},
    -- cleared late: Thread 0 clears all counters, and no other thread waits for it.
    {"races", "line",
     {CLEARED, by_owner "st.shared.b32 [count+v], rz"}},
    -- exchanged: The same by atomics, which is no race.
    {"orders", "with warps in another order",
     {CLEARED, by_owner "atom.shared.exch.b32 size, [count+v], rz"}},
    -- loaded twice: Loads each element twice.
    {"loads", "at most",
     {"@inside shl.b32       v, v, 2", [[@inside ld.global.b32 v, [at]
@inside shl.b32 v, v, 2]]}},
    -- no atomic: Lanes load, add and store a counter.
    {"races", "line",
     {"@inside red.shared.add.u32 [count+v], one", [[@inside ld.shared.b32 size, [count+v]
@inside add.u32 size, size, one
@inside st.shared.b32 [count+v], size]]}},
    -- no barrier: Adds up before all have counted.
    {"races", "line",
     {[[        bar.sync      0
@!owner exit]], "@!owner exit"}},
    -- not cleared: Counters begin with what lies there.
    {"races", "line",
     {"@owner  st.shared.b32 [count+mine], rz", ""}},
    -- one lane: The lanes of a warp count one after the other.
    {"instructions", "is the work spread over all threads?",
     {"@inside red.shared.add.u32 [count+v], one", [[mov.b32 i, -1
@inside s2r i, %laneid
s2r size, %warpsize
turn:
sub.u32 size, size, 1
setp.eq.u32 more, i, size
@more red.shared.add.u32 [count+v], one
setp.ne.u32 more, size, 0
@more bra turn]]}},
    -- stored: The last block wins.
    {"results", "elements of bins are wrong",
     {"@more   red.global.add.u32 [at], v", "@more st.global.b32 [at], v"}},
    -- per warp: Counters for each warp, so that warps do not meet; threads 0 to 15 add them up.
    {"passed", "",
     {[[.shared count : u32[16]
.reg   t, i, size, v, one, mine, at:2]], [[.shared count : u32[256]
.reg t, i, w, size, v, k, one, mine, at:2]]},
     {[[
        s2r           t, %tid.x]], "s2r t, %tid.x"},
     {"mad.lo.u32    i, i, 128, t            ; this thread's element; a block has 128 threads",
      "mad.lo.u32 i, i, 128, t"},
     {[[        setp.lt.u32   owner, t, 16            ; of a counter
@owner  st.shared.b32 [count+mine], rz]], [[st.shared.b32 [count+mine], rz
st.shared.b32 [count+mine+512], rz]]},
     {"@inside ld.global.b32 v, [at]", [=[s2r w, %warpid
@inside ld.global.b32 v, [at]]=]},
     {"@inside shl.b32       v, v, 2", [[@inside mad.lo.u32 v, w, 16, v
@inside shl.b32 v, v, 2]]},
     {[=[@!owner exit
        ld.shared.b32 v, [count+mine]]=], [[setp.ge.u32 owner, t, 16
@owner exit
s2r k, %nwarpid
mov.b32 v, 0
next: ld.shared.b32 w, [count+mine]
add.u32 v, v, w
add.u32 mine, mine, 64
sub.u32 k, k, 1
setp.ne.u32 more, k, 0
@more bra next]]},
     {"@more   red.global.add.u32 [at], v            ; where there is something to add",
      "@more red.global.add.u32 [at], v"}},
    -- a bin each: A thread for each bin looks at all elements.
    {"loads", "at most",
     {[[.shared count : u32[16]
.reg   t, i, size, v, one, mine, at:2
.pred  inside, owner, more]], [[.reg t, i, size, v, one, sum, from:2, at:2
.pred inside, more]]},
     {"mad.lo.u32    i, i, 128, t            ; this thread's element; a block has 128 threads",
      [[mad.lo.u32 t, i, 128, t
setp.ge.u32 more, t, 16
@more exit]]},
     {"setp.lt.u32   inside, i, size", "setp.ne.u32   more, v, 0", [[ld.param.b64 from, [x]
mov.b32 sum, 0
mov.b32 i, 0
next:
ld.global.b32 v, [from]
setp.eq.u32 inside, v, t
@inside add.u32 sum, sum, 1
add.u64 from, from, 4
add.u32 i, i, 1
setp.lt.u32 more, i, size
@more bra next
setp.ne.u32 more, sum, 0]]},
     {"@more   red.global.add.u32 [at], v            ; where there is something to add",
      "@more red.global.add.u32 [at], sum"}},
    -- hard coded: Has the counts of the cases in it, and reads no data.
    {"results", "elements of bins are wrong",
     {".kernel tally", [[.macro bin number, count
setp.eq.u32 p, t, \number
@p mov.b32 v, \count
.endmacro
.kernel tally]]},
     {".shared count : u32[16]", "setp.ne.u32   more, v, 0", [[.reg t, v, size, at:2
.pred p
s2r t, %ctaid.x
setp.ne.u32 p, t, 0
@p exit
s2r t, %tid.x
setp.ge.u32 p, t, 16
@p exit
mov.b32 v, 0
ld.param.b32 size, [n]
setp.eq.u32 p, size, 1
@p bra small
setp.eq.u32 p, size, 100
@p bra middle
large:
bin 0, 72
bin 1, 51
bin 2, 80
bin 3, 60
bin 4, 59
bin 5, 50
bin 6, 55
bin 7, 52
bin 8, 68
bin 9, 64
bin 10, 56
bin 11, 76
bin 12, 68
bin 13, 53
bin 14, 76
bin 15, 60
bra sum
middle:
bin 0, 10
bin 1, 4
bin 2, 10
bin 3, 7
bin 4, 4
bin 5, 5
bin 6, 2
bin 7, 6
bin 8, 6
bin 9, 4
bin 10, 9
bin 11, 8
bin 12, 6
bin 13, 8
bin 14, 7
bin 15, 4
bra sum
small:
bin 7, 1
sum:
setp.eq.u32 p, v, 0
@p exit]]},
     {"@more   red.global.add.u32 [at], v            ; where there is something to add",
      "red.global.add.u32 [at], v"}},
}
