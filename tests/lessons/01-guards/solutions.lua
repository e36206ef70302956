-- Solutions as rows of changes: scripts/lib/heddle/lessons/solutions.lua.

return {
    -- clamped: Threads beyond the end take the last element, and store it again.
    {"races", "lanes of one instruction write",
     {".pred  beyond", ""},
     {[[        setp.ge.u32   beyond, i, v
@beyond exit]], [[sub.u32 v, v, 1
min.u32 i, i, v]]}},
    -- constant: The factor of one case stands in the code.
    {"results", "elements of y are wrong",
     {"ld.param.b32  factor, [a]", "mov.b32 factor, 2.5"}},
    -- exchanged: An atomic stores, too.
    {"stores", "at most one store for each",
     {"st.global.b32 [at], v", [[atom.global.exch.b32 factor, [at], factor
st.global.b32 [at], v]]}},
    -- large values: Right for the data that are tried, wrong for values above 1,000.
    {"proof", "on other data",
     {"mul.f32       v, v, factor", [[mov.b32 size, 1000.0
min.f32 v, v, size
mul.f32 v, v, factor]]}},
    -- literal: A single element is the one of the data that are known.
    {"proof", "on other data y[0]",
     {"st.global.b32 [at], v", [[ld.param.b32 block, [n]
setp.eq.u32 beyond, block, 1
@beyond mov.b32 v, 125.0
st.global.b32 [at], v]]}},
    -- loaded twice: Loads each element twice.
    {"loads", "where at most",
     {"ld.param.b32  factor, [a]", [=[ld.global.b32 v, [at]
ld.param.b32 factor, [a]]=]}},
    -- loop: Right for the data of the cases only, and does not end for others.
    {"proof", "on other data: line 40: instruction_limit",
     {"ld.param.b32  factor, [a]", [=[setp.gt.f32 beyond, v, 99.5
again:
@beyond bra again
ld.param.b32 factor, [a]]=]}},
    -- machine: Right where there are few SMs, as where it is graded.
    {"machine", "results must not depend on the machine",
     {"st.global.b32 [at], v", [[s2r block, %nsmid
setp.gt.u32 beyond, block, 1
@beyond mov.b32 v, 0
st.global.b32 [at], v]]}},
    -- one too many: The comparison lets thread n through.
    {"end", "past the end of 'x'",
     {"setp.ge.u32   beyond, i, v", "setp.gt.u32 beyond, i, v"}},
    -- sizes: Right at the sizes of the cases only.
    {"results", "elements of y are wrong",
     {"ld.param.b64  at, [x]", [=[setp.eq.u32 beyond, v, 1
@beyond bra known
setp.eq.u32 beyond, v, 31
@beyond bra known
setp.ne.u32 beyond, v, 250
@beyond exit
known:
ld.param.b64 at, [x]]=]}},
    -- stored twice generic: Generic addresses are global memory, too.
    {"stores", "at most one store for each",
     {"ld.global.b32 v, [at]", [=[ld.b32 v, [at]
ld.b32 v, [at]
ld.b32 v, [at]]=]},
     {"st.global.b32 [at], v", [[st.b32 [at], factor
st.b32 [at], v]]}},
    -- stored twice: Stores what it read before the product.
    {"stores", "at most one store",
     {"ld.param.b32  factor, [a]", [=[ld.param.b64 at, [y]
mad.wide.u32 at, i, 4, at
st.global.b32 [at], v
ld.param.b32 factor, [a]]=]}},
    -- trap: Right for the data of the cases only, and has a fault for others.
    {"proof", "on other data: line 39: trap",
     {"ld.param.b32  factor, [a]", [=[setp.gt.f32 beyond, v, 99.5
@beyond trap
ld.param.b32 factor, [a]]=]}},
    -- width: Is for warps of 32 lanes, by its `.warp`.
    {"end", "'.warp' leaves out warps of 8 lanes",
     {".param x : f32[n]", [=[.warp 32
.param x : f32[n]]=]}},
    -- without rest: Whole groups of eight only: the rest is left out.
    {"results", "elements of y are wrong",
     {"setp.ge.u32   beyond, i, v", [[and.b32 v, v, 0xfffffff8
setp.ge.u32 beyond, i, v]]}},
    -- zeros left: Leaves an element as it is where x is 0, since outputs begin as zeros.
    {"proof", "on other data",
     {"ld.param.b32  factor, [a]", [=[setp.eq.u32 beyond, v, 0
@beyond exit
ld.param.b32 factor, [a]]=]}},
    -- two each: Two elements for each thread, in one access where both exist.
    {"passed", "",
     {".reg   i, block, size, v, factor, at:2", "s2r           block, %ctaid.x", [[.reg i, t, size, factor, v:2, at:2
.pred beyond, both
s2r t, %ctaid.x]]},
     {"mad.lo.s32    i, block, size, i", "@beyond exit", [=[mad.lo.s32 i, t, size, i
shl.b32 i, i, 1
ld.param.b32 size, [n]
setp.ge.u32 beyond, i, size
@beyond exit
add.u32 t, i, 1
setp.lt.u32 both, t, size
ld.param.b32 factor, [a]]=]},
     {[[        ld.global.b32 v, [at]
        ld.param.b32  factor, [a]
        mul.f32       v, v, factor]], [[@both ld.global.b64 v, [at]
@!both ld.global.b32 v, [at]
mul.f32 v, v, factor
@both mul.f32 v+1, v+1, factor]]},
     {"st.global.b32 [at], v", [[@both st.global.b64 [at], v
@!both st.global.b32 [at], v]]}},
    -- one thread: The first thread does all of the work, one element after the other.
    {"instructions", "at most",
     {".reg   i, block, size, v, factor, at:2", "st.global.b32 [at], v", [[.reg i, t, end, v, factor, from:2, to:2
.pred p
s2r i, %ctaid.x
s2r t, %tid.x
or.b32 i, i, t
setp.ne.u32 p, i, 0
@p exit
ld.param.b32 end, [n]
ld.param.b32 factor, [a]
ld.param.b64 from, [x]
ld.param.b64 to, [y]
next:
ld.global.b32 v, [from]
mul.f32 v, v, factor
st.global.b32 [to], v
add.u64 from, from, 4
add.u64 to, to, 4
add.u32 i, i, 1
setp.lt.u32 p, i, end
@p bra next]]}},
}
