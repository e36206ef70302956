-- Solutions as rows of changes: scripts/lib/heddle/lessons/solutions.lua.
local NAMES <const> = "= DRAM, LATENCY, SHARED, ISSUE, SPECIAL"
local STORE <const> = "        st.global.b32 [at], v\n"
local LOAD <const> = "        ld.global.b32 v, [at]\n"

return {
    -- none, one, and names that are nearly right.
    {"results", "kernel a has no name yet", from = "starter"},
    {"results", "kernel b has no name yet", from = "starter", {"= NONE, NONE", "= DRAM, NONE"}},
    {"results", "kernel a is not bound by LATENCY, which its report on teach32 has at 81 %", {NAMES,
        "= LATENCY, DRAM, SHARED, ISSUE, SPECIAL"}},
    {"results", "kernel b is not bound by DRAM, which", {NAMES, "= DRAM, DRAM, SHARED, ISSUE, SPECIAL"}},
    {"results", "kernel c is not bound by BARRIER, which its report on teach32 has at 0 %", {NAMES,
        "= DRAM, LATENCY, BARRIER, ISSUE, SPECIAL"}},
    {"results", "kernel d is not bound by BRANCHES, which", {NAMES, "= DRAM, LATENCY, SHARED, BRANCHES, SPECIAL"}},
    {"results", "kernel e is not bound by ISSUE, which", {NAMES, "= DRAM, LATENCY, SHARED, ISSUE, ISSUE"}},
    -- no number of a name.
    {"results", "kernel c has no name yet", {NAMES, "= DRAM, LATENCY, 99, ISSUE, SPECIAL"}},
    {"stores", "at most one store", {STORE, STORE .. STORE}},
    {"loads", "at most", {LOAD, LOAD .. LOAD}},
    {"instructions", "is the work spread over all threads?", {STORE, ("        add.u32 v, v, 0\n"):rep(10) .. STORE}},
    -- numbers in place of names.
    {"passed", "", {NAMES, "= 2, 3, 4, 1, 5"}},
}
