/* Kernels for proofs, which differ in some lines only. */
#ifndef HEDDLE_TESTS_PROVE_KERNEL_H
#define HEDDLE_TESTS_PROVE_KERNEL_H

/* Kernels of one warp: v = x[i], w = x[i + 64], then the lines of the test, then y[i] = v. */
#define HEAD \
    ".kernel k\n.param x : u32[128]\n.param y : u32[64]\n.shared tile : b32[64]\n.local mine : b32[4]\n" \
    ".reg i, v, w, t, s, px:2, py:2, wide:2, pair:2\n.pred p, q\n" \
    " s2r i, %tid.x\n ld.param.b64 px, [x]\n ld.param.b64 py, [y]\n" \
    " mad.wide.u32 px, i, 4, px\n mad.wide.u32 py, i, 4, py\n" \
    " ld.global.b32 v, [px]\n ld.global.b32 w, [px+256]\n"
#define TAIL " st.global.b32 [py], v\n exit\n"
#define KERNEL(lines) HEAD lines TAIL

#endif
