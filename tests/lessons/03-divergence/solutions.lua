-- Solutions as rows of changes: scripts/lib/heddle/lessons/solutions.lua.

return {
    -- guard of thread: Compares the thread with n in place of its element.
    {"end", "past the end of 'x'",
     {[[        and.b32       t, t, 63
        shl.b32       t, t, 1
@is_odd add.u32       t, t, 1
        mad.lo.u32    i, block, 128, t]], [[and.b32 i, t, 63
shl.b32 i, i, 1
@is_odd add.u32 i, i, 1
mad.lo.u32 i, block, 128, i]]},
     {"setp.ge.u32   beyond, i, v", "setp.ge.u32 beyond, t, v"}},
    -- halves: The second half of the threads takes the odd path, with elements as they were.
    {"results", "elements of y are wrong",
     {"setp.ge.u32   is_odd, t, 64", [[mad.lo.u32 i, block, 128, t
setp.ge.u32 is_odd, t, 64]]},
     {[[        and.b32       t, t, 63
        shl.b32       t, t, 1
@is_odd add.u32       t, t, 1
        mad.lo.u32    i, block, 128, t]], ""}},
    -- large values: Right for values below 1,000 only.
    {"proof", "on other data",
     {"@is_odd bra           odd", [[min.u32 v, v, 1000
@is_odd bra odd]]}},
    -- loaded twice: Loads each element twice.
    {"loads", "where at most",
     {"ld.global.b32 v, [at]", [=[ld.global.b32 v, [at]
ld.global.b32 v, [at]]=]}},
    -- stored twice: Stores each element twice.
    {"stores", "at most one store",
     {"        exit", [[st.global.b32 [at], v
exit]]}},
    -- by warps: Warps take even and odd elements by turns, at any width.
    {"passed", "",
     {".reg   i, t, block, v, at:2", ".reg w, l, s, o, i, t, block, v, at:2"},
     {"setp.ge.u32   is_odd, t, 64             ; threads 64 to 127, whole warps, take the odd elements",
      "@is_odd add.u32       t, t, 1", [[s2r w, %warpid
s2r l, %laneid
s2r s, %warpsize
and.b32 o, w, 1
setp.ne.u32 is_odd, o, 0
shr.u32 w, w, 1
mul.lo.u32 w, w, s
add.u32 t, w, l
mad.lo.u32 t, t, 2, o]]}},
    -- predicated: Each instruction is guarded in place of a branch.
    {"lanes", "lanes take part",
     {"setp.ge.u32   is_odd, t, 64             ; threads 64 to 127, whole warps, take the odd elements",
      "@is_odd add.u32       t, t, 1", ""},
     {"@is_odd bra           odd", "met:", [[and.b32 t, i, 1
setp.ne.u32 is_odd, t, 0]] .. ("\n@!is_odd mul.lo.u32 v, v, v\n@!is_odd add.u32 v, v, 1"):rep(64) ..
      ("\n@is_odd shl.b32 t, v, 5\n@is_odd xor.b32 v, v, t" ..
      "\n@is_odd shr.u32 t, v, 7\n@is_odd xor.b32 v, v, t"):rep(32)}},
    -- select: Computes both for each element and selects.
    {"instructions", "does each warp go one way only?",
     {".reg   i, t, block, v, at:2", ".reg i, t, block, v, u, at:2"},
     {"setp.ge.u32   is_odd, t, 64             ; threads 64 to 127, whole warps, take the odd elements",
      "@is_odd add.u32       t, t, 1", ""},
     {"@is_odd bra           odd", "met:", [[and.b32 t, i, 1
setp.ne.u32 is_odd, t, 0
mov.b32 u, v
]] .. ("mul.lo.u32 v, v, v\nadd.u32 v, v, 1\n"):rep(64) ..
      ("shl.b32 t, u, 5\nxor.b32 u, u, t\nshr.u32 t, u, 7\nxor.b32 u, u, t\n"):rep(32) .. "selp.b32 v, u, v, is_odd"}},
    -- folded: Selects operands, so that both ways share what they can: a product, a sum.
    {"lanes", "lanes take part",
     {".reg   i, t, block, v, at:2", ".reg i, t, block, v, u, by, at:2"},
     {"setp.ge.u32   is_odd, t, 64             ; threads 64 to 127, whole warps, take the odd elements",
      "@is_odd add.u32       t, t, 1", ""},
     {"@is_odd bra           odd", "met:", [[and.b32 t, i, 1
setp.ne.u32 is_odd, t, 0
]] .. ([[
sel.b32 by, 32, v, is_odd
sel.b32 t, rz, 1, is_odd
mad.lo.u32 u, v, by, t
@is_odd xor.b32 u, u, v
@is_odd shr.u32 v, u, 7
@!is_odd mad.lo.u32 v, u, u, 1
@is_odd xor.b32 v, v, u
]]):rep(32)}},
}
