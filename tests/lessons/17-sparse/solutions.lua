-- Solutions as rows of changes: scripts/lib/heddle/lessons/solutions.lua.
return {
    -- every cell: The kernel to begin with.
    {"loads", "where at most", from = "starter"},
    -- a row too far: Begins at the row of the site.
    {"end", "past the end of 'rank'", {"        sub.u64       near, near, pitch\n", ""}},
    -- one too many: Takes the value after each neighbour's.
    {"results",
         "elements of y are wrong", {"@there  ld.global.b32 v, [at-4]                 ; of the neighbour\n" ..
          "@there  ld.global.b32 c, [weight]\n",
        "@there  ld.global.b32 v, [at]\n@there  ld.global.b32 c, [weight]\n"}},
    -- three weights: Takes those of the first row for all.
    {"results", "elements of y are wrong", {"        add.u64       weight, weight, 12\n", ""}},
    -- stored twice: Stores the sum of each row.
    {"stores", "threads store",
     {"        st.global.b32 [at], sum\n", "        st.global.b32 [at], c\n        st.global.b32 [at], sum\n"}},
    -- loaded again: Loads one rank of each row eight times more.
    {"loads", "where at most",
     {"row:\n", "row:\n.repeat 8\n        ld.global.b32 r, [near]\n.endrepeat\n"}},
    -- half of the threads: Every second thread takes two sites, one after the other.
    {"lanes", "the others wait",
     {".reg   k, t, c, r, v,", ".reg   odd, k, t, c, r, v,"},
     {"        ld.param.b64  at, [site]\n", [[and.b32 odd, k, 1
setp.ne.u32 beyond, odd, 0
@beyond exit
again:
        ld.param.b64  at, [site]
]]},
     {"        st.global.b32 [at], sum\n        exit", [[        st.global.b32 [at], sum
add.u32 k, k, 1
setp.ge.u32 beyond, k, size
@beyond exit
and.b32 odd, k, 1
setp.ne.u32 more, odd, 0
@more bra again
exit]]}},
    -- slow: Walks over the rows with idle work.
    {"instructions", "is the work spread over all threads?",
     {"        add.u32       t, t, 1\n        setp.lt.u32   more, t, 3", ".repeat 32\n" ..
          "        add.u32 c, c, 1\n.endrepeat\n        add.u32       t, t, 1\n        setp.lt.u32   more, t, 3"}},
    -- branches: Jumps over a neighbour that is not there.
    {"passed", "",
     {"@there  ld.global.b32 v, [at-4]                 ; of the neighbour\n" ..
          "@there  ld.global.b32 c, [weight]\n@there  mad.lo.u32    sum, v, c, sum\n",
      "@!there bra over\n        ld.global.b32 v, [at-4]\n        ld.global.b32 c, [weight]\n" ..
          "        mad.lo.u32 sum, v, c, sum\nover:\n"}},
}
