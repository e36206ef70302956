-- Solutions as rows of changes: scripts/lib/heddle/lessons/solutions.lua.

return {
    -- bit by bit: Makes the mask with a dozen instructions for each bit.
    {"instructions", "is a mask made bit by bit?",
     {".reg   i, s, v, m, at:2", ".reg i, i0, s, v, m, at:2"},
     {[[        and.b32       m, m, 15
        mul.lo.u32    m, m, 0x204081          ; bit k moves to bit 8 * k, among others
        and.b32       m, m, 0x01010101]], [[mov.b32 s, m
mov.b32 m, 0
.repeat 4, bit
shr.u32 v, s, \bit
and.b32 v, v, 1
mov.b32 i0, v
shl.b32 v, i0, 8*\bit
or.b32 m, m, v
mov.b32 i0, m
mov.b32 m, i0
.endrepeat]]}},
    -- first bit: Looks at one bit for all four.
    {"results", "elements of y are wrong",
     {[[        and.b32       m, m, 15
        mul.lo.u32    m, m, 0x204081          ; bit k moves to bit 8 * k, among others]], [[and.b32 m, m, 1
mul.lo.u32 m, m, 0x01010101]]}},
    -- loaded bytes: Loads bytes, and stores four at once.
    {"loads", "loads are enough",
     {"ld.global.b32 v, [at]", [[ld.global.u8 v, [at]
ld.global.u8 s, [at+1]
shl.b32 s, s, 8
or.b32 v, v, s
ld.global.u8 s, [at+2]
shl.b32 s, s, 16
or.b32 v, v, s
ld.global.u8 s, [at+3]
shl.b32 s, s, 24
or.b32 v, v, s]]}},
    -- reversed: Keeps what is to be cleared.
    {"results", "elements of y are wrong",
     {"not.b32       m, m", ""}},
    -- small values: Right for bytes below 128 only.
    {"proof", "on other data",
     {"ld.param.b64  at, [y]", [=[and.b32 v, v, 0x7f7f7f7f
ld.param.b64 at, [y]]=]}},
    -- spread: Neighbouring threads take elements far from each other.
    {"sectors", "sectors",
     {"shl.b32       i, i, 2", [[ld.param.b32 s, [n]
shr.u32 m, s, 5
div.u32 v, i, m
rem.u32 i, i, m
shl.b32 i, i, 3
add.u32 i, i, v
shl.b32 i, i, 2]]},
     {"ld.param.b32  s, [n]", [[setp.gt.u32 beyond, v, 7
@beyond exit]]}},
    -- sixteen each: Sixteen elements for each thread.
    {"passed", "",
     {".param bits : u32[]                           ; element i's is bit i % 32 of bits[i / 32]",
      ".param bits : u32[]"},
     {[[.param n    : u32                             ; a multiple of 32
.reg   i, s, v, m, at:2]], [[.param n : u32
.reg i, s, m, k, v:4, at:2]]},
     {[[        mad.lo.u32    i, i, 256, s            ; a block has 256 threads
        shl.b32       i, i, 2                 ; the first of this thread's four elements]],
      [[setp.ge.u32 beyond, s, 64
@beyond exit
mad.lo.u32 i, i, 64, s
shl.b32 i, i, 4]]},
     {"shr.u32       s, i, 5", "shr.u32 s, i, 4"},
     {"mad.wide.u32  at, s, 4, at", "not.b32       m, m", [=[mad.wide.u32 at, s, 2, at
ld.global.u16 m, [at]]=]},
     {[[        ld.global.b32 v, [at]
        and.b32       v, v, m]], [[ld.global.b128 v, [at]
.repeat 4, q
shr.u32 k, m, 4 * \q
and.b32 k, k, 15
mul.lo.u32 k, k, 0x204081
and.b32 k, k, 0x01010101
mul.lo.u32 k, k, 255
not.b32 k, k
and.b32 v+\q, v+\q, k
.endrepeat]]},
     {"st.global.b32 [at], v", "st.global.b128 [at], v"}},
    -- bytes: The kernel to begin with.
    {"stores", "stores are enough", from = "starter"},
}
