-- Wrong solutions as changes of the reference: {gate, words of the reason, {old text, new text}, ...}.
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
    {"results", "elements of bins are wrong",
     {"@inside red.shared.add.u32 [count+v], one", [[@inside ld.shared.b32 size, [count+v]
@inside add.u32 size, size, one
@inside st.shared.b32 [count+v], size]]}},
    -- no barrier: Adds up before all have counted.
    {"results", "elements of bins are wrong",
     {[[        bar.sync      0
@!owner exit]], "@!owner exit"}},
    -- not cleared: Counters begin with what lies there.
    {"results", "elements of bins are wrong",
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
}
