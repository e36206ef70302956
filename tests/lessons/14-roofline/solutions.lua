-- Solutions as rows of changes: scripts/lib/heddle/lessons/solutions.lua.
return {
    -- 256 products: The kernel to begin with.
    {"instructions", "how many products does a power need?", from = "starter"},
    -- half: Squares once, then multiplies.
    {"instructions", "how many products does a power need?",
     {".repeat 8\n        mul.lo.u32    p, p, p                   ; to the power 2, 4, 8 .. 256\n" ..
          ".endrepeat\n        mul.lo.u32    p, p, v",
      "mul.lo.u32 t, p, p\n.repeat 128\n        mul.lo.u32 p, p, t\n.endrepeat"}},
    -- 256: Leaves out the last product.
    {"results", "elements of y are wrong", {"        mul.lo.u32    p, p, v\n", ""}},
    -- loaded again: Loads x once more for the last product.
    {"loads", "threads load",
     {"        mul.lo.u32    p, p, v\n", "        ld.global.b32 v, [at]\n        mul.lo.u32    p, p, v\n"}},
    -- stored twice: Stores the power 256 before.
    {"stores", "threads store",
     {"        st.global.b32 [at], p", "        st.global.b32 [at], v\n        st.global.b32 [at], p"}},
    -- odd: Right for odd numbers.
    {"results", "elements of y are wrong",
     {"        mov.b32       p, v\n", "        or.b32        v, v, 1\n        mov.b32       p, v\n"}},
    -- by a loop: Squares in a loop.
    {"passed", "",
     {".reg   i, t, v, p, at:2\n.pred  beyond", ".reg i, t, v, p, at:2\n.pred beyond, more"},
     {".repeat 8\n        mul.lo.u32    p, p, p                   ; to the power 2, 4, 8 .. 256\n.endrepeat",
      ".repeat 4\nmul.lo.u32 p, p, p\n.endrepeat\n.repeat 4\nmul.lo.u32 p, p, p\n.endrepeat"}},
}
