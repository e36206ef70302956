-- Solutions as rows of changes: scripts/lib/heddle/lessons/solutions.lua.
local RELEASE <const> = "        fence.gpu                             ; part before the count\n"
local ACQUIRE <const> = "        fence.gpu                             ; the count before the parts\n"
local STORE <const> = "        st.global.b32 [at], v\n        fence.gpu"
local READ <const> = "        ld.global.b32 got, [at]\n"
local LOAD <const> = "@inside ld.global.b32 v, [at]\n"

return {
    -- none: The kernel to begin with.
    {"races", "no fence.gpu stands after", from = "starter"},
    -- one side: A fence for those that write, none for the one that reads, and the other way round.
    {"races", "a fence.gpu after line", {ACQUIRE, ""}},
    {"races", "the earlier access is not released", {RELEASE, ""}},
    -- late: The fence of the side that writes comes after the count.
    {"races", "the earlier access is not released", {RELEASE, ""}, {ACQUIRE, ACQUIRE .. ACQUIRE}},
    -- of the block: Orders what the own block sees only.
    {"races", "fence", {RELEASE, "        fence.block\n"}, {ACQUIRE, "        fence.block\n"}},
    -- a barrier: Waits for the threads of the block, which are not those of others.
    {"races", "line", {RELEASE, ""}, {"        bar.sync      0\n@other  exit",
        "        bar.sync      0\n        bar.sync 0\n@other  exit"}},
    -- all threads: Each of them executes a fence.
    {"fences", "whose accesses need an order?", {"        bar.sync      0\n@other  exit",
        "        bar.sync      0\n        fence.gpu\n@other  exit"}},
    -- no count: Each block adds to y, which nobody has cleared.
    {"races", "was never written", {STORE, "the rest is for the last block", "        st.global.b32 [at], v\n" ..
        "        ld.param.b64 at, [y]\n        red.global.add.u32 [at], v\n        exit\n"}},
    -- not counted: The last block to begin takes itself for the last to end.
    {"orders", "with warps in another order", {"setp.ne.u32   other, i, v", "setp.ne.u32   other, b, v"}},
    -- another sum: Right for a single block.
    {"results", "elements of y are wrong", {"add.u32       v, v, got", "xor.b32 v, v, got"}},
    -- loaded twice, stored twice.
    {"loads", "at most", {LOAD, LOAD .. LOAD}},
    {"stores", "times, and", {STORE, ("        st.global.b32 [at], v\n"):rep(4) .. "        fence.gpu"}},
    -- busy: One thread adds up slowly.
    {"instructions", "is the work spread over all threads?", {READ, READ .. "mov.b32 i, 0\nbusy:\nadd.u32 i, i, 1\n" ..
        "setp.lt.u32 more, i, 64\n@more bra busy\n"}},
    -- of the system: A wider fence orders as well.
    {"passed", "", {RELEASE, "        fence.sys\n"}, {ACQUIRE, "        fence.sys\n"}},
    -- by exchanges: The last block takes the parts by atomics, each of which is counted as a store, too.
    {"stores", "times, and", {READ, "        atom.global.add.u32 got, [at], rz\n"}},
}
