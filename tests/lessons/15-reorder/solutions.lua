-- Solutions as rows of changes: scripts/lib/heddle/lessons/solutions.lua.
return {
    -- gathered: The kernel to begin with.
    {"shared", "threads access shared memory", from = "starter"},
    -- four shuffles: A shuffle from either register for each of the two.
    {"shuffles", "does a lane use all that it reads?",
     {".repeat 16", [[shl.b32 s, lane, 1
sub.u32 t, w, 1
and.b32 s, s, t
add.u32 t, s, 1
.repeat 16]]},
     {"        sel.b32       c, b, a, odd            ; the value wanted first", "        sel.b32       c, c, e, low\n",
      [[shfl.idx.b32 c, a, s
shfl.idx.b32 e, b, s
sel.b32 c, c, e, low
shfl.idx.b32 d, a, t
shfl.idx.b32 e, b, t
sel.b32 d, d, e, low
]]}},
    -- even: Offers the same register in both rounds.
    {"results", "elements of y are wrong", {"sel.b32       d, a, b, odd", "sel.b32       d, b, a, odd"}},
    -- not put in order: Leaves out the last two selects.
    {"results", "elements of y are wrong",
     {"        sel.b32       d, e, c, low\n        sel.b32       c, c, e, low\n", "        mov.b32 d, e\n"}},
    -- large values: Right for values below 65,536 only.
    {"proof", "on other data", {"        and.b32       s, lane, 1\n", "        and.b32 a, a, 0xffff\n" ..
          "        and.b32       s, lane, 1\n"}},
    -- loaded again: Loads its elements twice.
    {"loads", "bytes where at most",
     {"        ld.global.b32 a, [at]                 ; e(lane)\n", "        ld.global.b32 b, [at]\n" ..
          "        ld.global.b32 a, [at]\n"}},
    -- stored twice: Stores the sums of each half.
    {"stores", "at most one store", {"        st.global.b32 [at], a\n", "        st.global.b32 [at], b\n" ..
          "        st.global.b32 [at], a\n"}},
    -- slow: Does in each round what one round before would do.
    {"instructions", "what does one exchange need?",
     {".repeat 16\n", ".repeat 16\n.repeat 8\n        xor.b32 t, s, 1\n.endrepeat\n"}},
    -- transit: Transit registers do what the shuffles and selects do.
    {"passed", "", from = "starter",
     {".shared tile : b32[256] align 128", ""},
     {"s2r           s, %tid.x", "bar.warp\n        add.u32       a, a, c", [[shr.u32 s, w, 2
.repeat 16
shfl.bfly.b32 c, a, s
shfl.bfly.b32 d, b, s
xpush x0, a
xpush x0, c
xpush x0, b
xpush x0, d
xext c, x0, 0
xext d, x0, 1
add.u32 a, a, c]]}},
}
