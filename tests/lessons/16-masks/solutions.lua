-- Solutions as rows of changes: scripts/lib/heddle/lessons/solutions.lua.
return {
    -- bytes: The kernel to begin with.
    {"loads", "bytes where at most", from = "starter"},
    -- bit by bit: Counts in a loop.
    {"instructions", "are bits counted one by one?",
     {".reg   j, t, v, at:2\n.pred  beyond", ".reg j, t, v, c, at:2\n.pred beyond"},
     {"        popc.b32      v, v", [[mov.b32 c, 0
.repeat 32
and.b32 t, v, 1
add.u32 c, c, t
shr.u32 v, v, 1
.endrepeat
mov.b32 v, c]]}},
    -- stored twice: Stores the word before its count.
    {"stores", "threads store", {"        st.global.b32 [at], v", "        st.global.b32 [at], j\n" ..
          "        st.global.b32 [at], v"}},
    -- the others: Counts what the mask leaves out.
    {"results", "elements of y are wrong", {"        popc.b32      v, v", "        not.b32 v, v\n" ..
          "        popc.b32 v, v"}},
    -- 31: Leaves out the highest bit.
    {"results", "elements of y are wrong", {"        popc.b32      v, v",
         "        and.b32 v, v, 0x7fffffff\n        popc.b32 v, v"}},
    -- in parallel: Adds up neighbours, then pairs of them, and so on.
    {"instructions", "are bits counted one by one?",
     {"        popc.b32      v, v", [[shr.u32 t, v, 1
and.b32 t, t, 0x55555555
sub.u32 v, v, t
shr.u32 t, v, 2
and.b32 t, t, 0x33333333
and.b32 v, v, 0x33333333
add.u32 v, v, t
shr.u32 t, v, 4
add.u32 v, v, t
and.b32 v, v, 0x0f0f0f0f
mul.lo.u32 v, v, 0x01010101
shr.u32 v, v, 24]]}},
    -- two halves: Counts the halves of a word.
    {"passed", "", {"        popc.b32      v, v", "        shr.u32 t, v, 16\n        and.b32 v, v, 0xffff\n" ..
          "        popc.b32 t, t\n        popc.b32 v, v\n        add.u32 v, v, t"}},
}
