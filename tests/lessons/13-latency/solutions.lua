-- Solutions as rows of changes: scripts/lib/heddle/lessons/solutions.lua.
local LAST <const> = [[        ld.global.b32 v7, [from]
        add.s64       from, from, step]]

return {
    -- one at a time: The kernel to begin with.
    {"waits", "how many loads has a warp in flight?", from = "starter"},
    -- used at once: Eight registers, each used before the next load.
    {"waits", "how many loads has a warp in flight?", from = "starter",
     {"xor.b32       sum, sum, v               ; waits for the load", "xor.b32 v, v, sum\nmov.b32 sum, v"}},
    -- loaded twice: Loads the last one of each round again.
    {"loads", "threads load", {LAST, "ld.global.b32 v7, [from]\n" .. LAST}},
    -- stored twice: Stores what it has after each round.
    {"stores", "threads store",
     {"        st.global.b32 [from], sum", "        st.global.b32 [from], sum\n        st.global.b32 [from], sum"}},
    -- busy: Waits no longer, and issues three times the instructions.
    {"instructions", "is the work spread over all threads?",
     {"        add.u32       row, row, 8", ".repeat 64\n        add.u32       row, row, 0\n.endrepeat\n" ..
          "        add.u32 row, row, 8"}},
    -- left out: Leaves out the last register.
    {"results", "elements of y are wrong", {"        xor.b32       sum, sum, v7\n", ""}},
    -- small: Right for elements below 65,536 only.
    {"proof", "on other data",
     {"        xor.b32       sum, sum, v0", "        and.b32 v0, v0, 0xffff\n        xor.b32       sum, sum, v0"}},
    -- four: Four loads in flight.
    {"passed", "",
     {"        ld.global.b32 v4, [from]", "        xor.b32 sum, sum, v0\n        xor.b32 sum, sum, v1\n" ..
          "        xor.b32 sum, sum, v2\n" ..
      "        xor.b32 sum, sum, v3\n        ld.global.b32 v4, [from]"},
     {"        xor.b32       sum, sum, v0\n        xor.b32       sum, sum, v1\n        xor.b32       sum, sum, v2\n" ..
      "        xor.b32       sum, sum, v3\n", ""}},
}
