# Kernels to play with, and their data: sourced after cli.sh. saxpy.hd, make.hd, two.hd, forever.hd; x.npy, y.npy; $ONE.
cat >saxpy.hd <<'END'
.kernel saxpy
.param x : f32[n]
.param y : f32[n]
.param a : f32
.param n : u32
.reg   i, t, limit, alpha, xv, yv, px:2, py:2
.pred  outside
        s2r         i, %ctaid.x
        s2r         t, %ntid.x
        s2r         xv, %tid.x
        mad.lo.s32  i, i, t, xv
        ld.param.b32 limit, [n]
        setp.ge.u32 outside, i, limit
@outside exit
        ld.param.b64 px, [x]
        ld.param.b64 py, [y]
        ld.param.b32 alpha, [a]
        mad.wide.u32 px, i, 4, px
        mad.wide.u32 py, i, 4, py
        ld.global.b32 xv, [px]
        ld.global.b32 yv, [py]
        fma.f32     yv, alpha, xv, yv
        st.global.b32 [py], yv
        exit
END
cat >make.hd <<'END'
; y = a * i: makes input files
.kernel iota
.param y : f32[]
.param a : f32
.reg   i, t, v, py:2
        s2r         i, %ctaid.x
        s2r         t, %ntid.x
        s2r         v, %tid.x
        mad.lo.s32  i, i, t, v
        ld.param.b64 py, [y]
        mad.wide.u32 py, i, 4, py
        cvt.f32.u32 v, i
        ld.param.b32 t, [a]
        mul.f32     v, v, t
        st.global.b32 [py], v
        exit
END
cat >two.hd <<'END'
.kernel one
        exit
.kernel two
.warp 8
        exit
END
printf '.kernel forever\n.reg n:2\nagain:  add.s64 n, n, 1\n        bra again\n' >forever.hd

shows 0 "heddle run make.hd --grid 4 --block 64 --out y=f32[256]:x.npy --arg a=1 -q" </dev/null
shows 0 "heddle run make.hd --grid 4 --block 64 --out 'y=f32[16,16]:y.npy' --arg a=0 --quiet" </dev/null
ONE="heddle run saxpy.hd --in x=x.npy --inout y=y.npy:z.npy --arg a=1"
