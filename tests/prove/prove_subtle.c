/*
 * Are pairs that differ on few or odd data never called equal? Each differs by what is easily forgotten: NaN and -0,
 * rounding, the least number, carries, wide shifts, lanes that are not there, the order of atomics. Beside them stand
 * pairs that are equal by the same rules.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "tests/prove/prove_rig.h"

/* v = x[i], w = x[i + 64], then the lines of the test, then y[i] = v. */
#define HEAD \
    ".kernel k\n.param x : u32[128]\n.param y : u32[64]\n.shared tile : b32[64]\n.local mine : b32[4]\n" \
    ".reg i, v, w, t, s, at, lane, px:2, py:2, a:2, b:2, c:2\n.pred p, q\n" \
    " s2r i, %tid.x\n s2r lane, %laneid\n ld.param.b64 px, [x]\n ld.param.b64 py, [y]\n" \
    " mad.wide.u32 px, i, 4, px\n mad.wide.u32 py, i, 4, py\n shl.b32 at, i, 2\n" \
    " ld.global.b32 v, [px]\n ld.global.b32 w, [px+256]\n"
#define TAIL " st.global.b32 [py], v\n exit\n"
#define WIDE " cvt.u64.u32 a, v\n cvt.u64.u32 b, w\n" /* numbers below 2^32 */
#define PAIR " pack.b64 a, v, w\n pack.b64 b, w, v\n"
#define HIGH " cvt.hi.u32.u64 v, c\n"
#define FLAG " sel.b32 v, 1, rz, p\n"

struct text {
    char kernel[4096];
};

static struct text kernel(const char *lines) {
    struct text t;
    snprintf(t.kernel, sizeof t.kernel, "%s%s%s", HEAD, lines, TAIL);
    return t;
}

static enum heddle_verdict verdict(const char *a, const char *b, u32 warp, u32 block) {
    struct text one = kernel(a), other = kernel(b);
    struct pair r = pair_load(one.kernel, other.kernel);
    r.asked.warp = warp;
    for (u32 i = 0; i < 2; i++) {
        r.asked.kernel[i].block[0] = block;
        r.asked.kernel[i].block[1] = r.asked.kernel[i].block[2] = 1;
    }
    pair_go(&r);
    cr_assert_eq(r.status, HEDDLE_OK, "%s", heddle_error(r.h));
    enum heddle_verdict said = r.proof.verdict;
    pair_done(&r);
    return said;
}

static void expect(const char *const (*pairs)[2], u32 n, enum heddle_verdict wanted) {
    for (u32 i = 0; i < n; i++) {
        enum heddle_verdict said = verdict(pairs[i][0], pairs[i][1], 32, 32);
        cr_expect_eq(said, wanted, "verdict %d of\n%s-----\n%s", said, pairs[i][0], pairs[i][1]);
    }
}

Test(prove_subtle, floating_point_is_not_arithmetic) {
    static const char *const pairs[][2] = {
        /* NaN, payloads, -0 */
        {" add.f32 v, v, 0.0\n", ""},
        {" mul.f32 v, v, 1.0\n", ""},
        {" sub.f32 v, v, v\n", " mov.f32 v, 0.0\n"},
        {" sub.f32 v, v, w\n", " sub.f32 v, w, v\n neg.f32 v, v\n"},
        {" neg.f32 v, v\n", " sub.f32 v, 0.0, v\n"},
        {" neg.f32 v, v\n", " mul.f32 v, v, -1.0\n"},
        {" abs.f32 v, v\n", " neg.f32 t, v\n max.f32 v, v, t\n"},
        {" min.f32 v, v, w\n", " setp.lt.f32 p, v, w\n sel.f32 v, v, w, p\n"},
        {" max.f32 v, v, 0.0\n", " setp.lt.s32 p, v, 0\n sel.b32 v, 0, v, p\n"},
        {" setp.lt.f32 p, v, w\n" FLAG, " setp.ge.f32 p, v, w\n mov.pred p, !p\n" FLAG},
        {" setp.eq.f32 p, v, v\n" FLAG, " mov.b32 v, 1\n"},
        {" setp.eq.f32 p, v, w\n" FLAG, " setp.eq.s32 p, v, w\n" FLAG},
        {" setp.lt.f32 p, v, w\n" FLAG, " setp.lt.s32 p, v, w\n" FLAG},
        {" setp.ne.f32 p, v, w\n" FLAG, " setp.neu.f32 p, v, w\n" FLAG},
        {" testp.nan.f32 p, v\n" FLAG, " testp.finite.f32 p, v\n mov.pred p, !p\n" FLAG},
        {" add.f16x2 v, v, rz\n", ""},
        /* rounding */
        {" fma.f32 v, v, w, v\n", " mul.f32 t, v, w\n add.f32 v, t, v\n"},
        {" add.f32 v, v, w\n add.f32 v, v, 1.0\n", " add.f32 t, w, 1.0\n add.f32 v, v, t\n"},
        {" add.f32 t, v, w\n mul.f32 v, t, 3.0\n", " mul.f32 t, v, 3.0\n mul.f32 s, w, 3.0\n add.f32 v, t, s\n"},
        {" div.f32 v, v, w\n", " rcp.f32 t, w\n mul.f32 v, v, t\n"},
        {" cvt.s32.f32 v, v\n", " cvt.rm.s32.f32 v, v\n"},
        {" cvt.f32.s32 v, v\n cvt.s32.f32 v, v\n", ""},
        {" cvt.f32.u32 v, v\n", " cvt.f32.s32 v, v\n"},
        {" cvt.f16.f32 v, v\n cvt.f32.f16 v, v\n", ""},
        {" add.f32 v, v, w\n", " add.f32.ftz v, v, w\n"},
        {" setp.gt.f32 p, v, w\n" FLAG, " setp.lt.f32.ftz p, w, v\n" FLAG},
        {" setp.gt.f32.ftz p, v, w\n" FLAG, " setp.gt.f32 p, v, w\n" FLAG},
        {" sub.f32 t, v, w\n add.f32 v, t, w\n", ""},
    };
    expect(pairs, COUNT_OF(pairs), HEDDLE_DIFFERENT);
}

static const char *const wrapping_pairs[][2] = {
    /* negative numbers, and the least */
    {" div.s32 v, v, 2\n", " shr.s32 v, v, 1\n"},
    {" rem.s32 v, v, 4\n", " and.b32 v, v, 3\n"},
    {" div.s32 v, v, -2\n", " shr.s32 v, v, 1\n neg.s32 v, v\n"},
    {" div.u32 v, v, 0x80000000\n", " div.s32 v, v, 0x80000000\n"},
    {" abs.s32 v, v\n setp.ge.s32 p, v, 0\n" FLAG, " mov.b32 v, 1\n"},
    {" setp.lt.s32 p, v, w\n" FLAG, " sub.u32 v, v, w\n shr.u32 v, v, 31\n"},
    {" setp.lt.s32 p, v, w\n" FLAG, " sub.u32 v, v, w\n setp.lt.s32 p, v, 0\n" FLAG},
    {" add.u32 v, v, 1\n setp.gt.u32 p, v, 0\n" FLAG, " mov.b32 v, 1\n"},
    {" add.u32 t, v, 5\n setp.lt.u32 p, t, w\n" FLAG, " sub.u32 t, w, 5\n setp.lt.u32 p, v, t\n" FLAG},
    {" add.u32 v, v, w\n shr.u32 v, v, 1\n",
     " and.b32 t, v, w\n xor.b32 s, v, w\n shr.u32 s, s, 1\n add.u32 v, t, s\n"},
    {" mul.lo.u32 v, v, 2\n div.u32 v, v, 2\n", ""},
    {" div.u32 t, v, 8\n mul.lo.u32 v, t, 8\n", ""},
    {" sad.u32 v, v, w, rz\n", " sub.s32 v, v, w\n abs.s32 v, v\n"},
    {" mul.hi.s32 v, v, w\n", " mul.hi.u32 v, v, w\n"},
    {" bfe.s32 v, v, 4, 8\n", " bfe.u32 v, v, 4, 8\n"},
    {" min.s32 v, v, 255\n max.s32 v, v, 0\n", " min.u32 v, v, 255\n"},
    {" max.s32 t, v, 5\n min.s32 v, t, 3\n", " min.s32 t, v, 3\n max.s32 v, t, 5\n"},
    /* shifts of the width and more */
    {" and.b32 w, w, 63\n shl.b32 v, v, w\n", " and.b32 w, w, 31\n shl.b32 v, v, w\n"},
    {" and.b32 w, w, 63\n shr.u32 v, v, w\n", " and.b32 w, w, 31\n shr.u32 v, v, w\n"},
    {" shl.b32 v, v, 32\n", ""},
    {" shf.l.wrap.b32 v, v, v, w\n", " shf.l.clamp.b32 v, v, v, w\n"},
    {" shf.r.wrap.b32 v, v, w, i\n", " shr.u32 v, v, i\n"},
    {" shl.b32 t, v, 1\n shr.u32 v, t, 1\n", ""},
    {" shl.b32 t, v, 8\n shr.s32 v, t, 8\n", " and.b32 v, v, 0x00ffffff\n"},
    {PAIR " shl.b64 c, a, 32\n" HIGH, PAIR " shl.b64 c, a, 31\n" HIGH},
    /* 64 bits: carries, signs */
    {WIDE " add.s64 c, a, b\n" HIGH, " mov.b32 v, 0\n"},
    {WIDE " sub.s64 c, a, b\n" HIGH, " mov.b32 v, 0\n"},
    {" mul.wide.u32 c, v, w\n" HIGH, " mul.wide.s32 c, v, w\n" HIGH},
    {PAIR " add.s64 c, a, b\n" HIGH, " add.u32 v, v, w\n"},
    {PAIR " sub.s64 c, a, b\n" HIGH, " sub.u32 v, w, v\n"},
    {PAIR " neg.s64 c, a\n" HIGH, " neg.s32 v, w\n"},
    {PAIR " setp.lt.u64 p, a, b\n" FLAG, PAIR " setp.lt.s64 p, a, b\n" FLAG},
    {" cvt.s64.s32 a, v\n cvt.hi.u32.u64 v, a\n", " cvt.u64.u32 a, v\n cvt.hi.u32.u64 v, a\n"},
    {" mul.wide.u32 c, v, 3\n shr.u64 c, c, 1\n cvt.u32.u64 v, c\n", " mul.lo.u32 v, v, 3\n shr.u32 v, v, 1\n"},
    /* logic that is wrong in one row of its table */
    {" lop3.b32 v, v, w, i, 0xe8\n", " lop3.b32 v, v, w, i, 0xe0\n"},
    {" and.b32 t, v, w\n or.b32 v, t, i\n", " or.b32 t, w, i\n and.b32 v, v, t\n"},
    {" sub.u32 t, v, 1\n and.b32 t, v, t\n setp.eq.s32 p, t, 0\n" FLAG, " popc.b32 t, v\n setp.eq.s32 p, t, 1\n" FLAG},
    {" prmt.b32 v, v, w, 0x3210\n", " prmt.b32 v, v, w, 0x3211\n"},
    /* one value of 2^32 */
    {" setp.eq.s32 p, v, 0x12345678\n sel.b32 v, w, v, p\n", ""},
    {" setp.lt.u32 p, v, 0xfffffffe\n" FLAG, " setp.le.u32 p, v, 0xfffffffe\n" FLAG},
    {" setp.gt.s32 p, v, -2\n" FLAG, " setp.ge.s32 p, v, -2\n" FLAG},
};

Test(prove_subtle, whole_numbers_wrap) {
    expect(wrapping_pairs, COUNT_OF(wrapping_pairs), HEDDLE_DIFFERENT);
}

/* No data that is tried shows a difference; that there is none is not claimed. */
Test(prove_subtle, what_is_rare_is_not_proved) {
    static const char *const pairs[][2] = {
        {" mul.lo.u32 t, v, 0x9e3779b1\n setp.eq.s32 p, t, 0x5ca1ab1e\n@p mov.b32 v, 0\n", ""},
        {" mul.lo.u32 t, v, w\n setp.eq.s32 p, t, 0x5ca1ab1e\n@p add.u32 v, v, 1\n", ""},
        {" mul.wide.u32 c, v, w\n mov.b32 t, 0x1234567\n pack.b64 b, 0x5ca1ab1e, t\n setp.eq.s64 p, c, b\n@p mov.b32 "
         "v, w\n",
         ""},
        {PAIR " setp.lt.s64 p, a, b\n" FLAG, " setp.lt.s32 p, w, v\n" FLAG}, /* where v is w */
        /* never written */
        {" mov.b32 v, t\n", " mov.b32 v, 0\n"},
        {" mov.b32 v, t\n", " mov.b32 v, t\n"},
        {" and.b32 v, t, 1\n", " and.b32 v, s, 1\n"},
        {" setp.lt.u32 q, i, 4\n@q mov.b32 t, 1\n mov.b32 v, t\n", " mov.b32 v, 1\n"},
        {"@p mov.b32 v, w\n", ""},
        {" ld.shared.b32 v, [tile+at]\n", " mov.b32 v, 0\n"},
        {" ld.local.b32 v, [mine]\n", " ld.local.b32 v, [mine]\n"},
        {" st.shared.u8 [tile+at], v\n ld.shared.b32 v, [tile+at]\n", " and.b32 v, v, 255\n"},
    };
    for (u32 i = 0; i < COUNT_OF(pairs); i++) {
        enum heddle_verdict said = verdict(pairs[i][0], pairs[i][1], 32, 32);
        cr_expect(said == HEDDLE_UNPROVED || said == HEDDLE_DIFFERENT, "verdict %d of\n%s-----\n%s", said, pairs[i][0],
                  pairs[i][1]);
    }
}

Test(prove_subtle, order_decides) {
    static const char *const pairs[][2] = {
        {" mov.b32 v, 0\n setp.eq.s32 p, i, 0\n@p st.shared.b32 [tile], v\n bar.sync 0\n"
         " mov.b32 t, 1\n atom.add.u32.shared v, [tile], t\n",
         " mov.b32 v, i\n"},
        {" setp.eq.s32 p, i, 0\n@p st.shared.b32 [tile], v\n bar.sync 0\n atom.exch.b32.shared t, [tile], v\n"
         " bar.sync 0\n ld.shared.b32 v, [tile]\n",
         " shfl.idx.b32 v, v, 31\n"},
        {" st.shared.b32 [tile], v\n bar.sync 0\n ld.shared.b32 v, [tile]\n", " shfl.idx.b32 v, v, 31\n"},
        {" st.shared.b32 [tile+at], v\n xor.b32 t, at, 4\n ld.shared.b32 v, [tile+t]\n", " shfl.bfly.b32 v, v, 1\n"},
    };
    expect(pairs, COUNT_OF(pairs), HEDDLE_ORDER);
}

Test(prove_subtle, order_does_not_decide) {
    static const char *const pairs[][2] = {
        {" mov.b32 t, 0\n setp.eq.s32 p, i, 0\n@p st.shared.b32 [tile], t\n bar.sync 0\n red.add.u32.shared [tile], v\n"
         " bar.sync 0\n ld.shared.b32 v, [tile]\n",
         " redux.add.u32 v, v\n"},
        {" setp.eq.s32 p, i, 0\n@p st.shared.b32 [tile], v\n bar.sync 0\n red.xor.b32.shared [tile], v\n"
         " bar.sync 0\n ld.shared.b32 v, [tile]\n",
         " shfl.idx.b32 t, v, 0\n redux.xor.b32 v, v\n xor.b32 v, v, t\n"},
        {" redux.and.b32 v, v\n",
         " shfl.bfly.b32 t, v, 16\n and.b32 v, v, t\n shfl.bfly.b32 t, v, 1\n and.b32 v, v, t\n shfl.bfly.b32 t, v, 8\n"
         " and.b32 v, v, t\n shfl.bfly.b32 t, v, 2\n and.b32 v, v, t\n shfl.bfly.b32 t, v, 4\n and.b32 v, v, t\n"},
        {" redux.xor.b32 v, v\n",
         " shfl.bfly.b32 t, v, 1\n xor.b32 v, v, t\n shfl.bfly.b32 t, v, 2\n xor.b32 v, v, t\n shfl.bfly.b32 t, v, 4\n"
         " xor.b32 v, v, t\n shfl.bfly.b32 t, v, 8\n xor.b32 v, v, t\n shfl.bfly.b32 t, v, 16\n xor.b32 v, v, t\n"},
        {" setp.lt.s32 p, v, w\n vote.any q, p\n sel.b32 v, 1, rz, q\n",
         " setp.ge.s32 p, v, w\n vote.all q, p\n sel.b32 v, rz, 1, q\n"},
        {" setp.lt.s32 p, v, 0\n vote.any q, p\n sel.b32 v, 1, rz, q\n", " redux.or.b32 v, v\n shr.u32 v, v, 31\n"},
    };
    expect(pairs, COUNT_OF(pairs), HEDDLE_EQUAL);
}

Test(prove_subtle, the_same_by_the_machines_rules) {
    static const char *const pairs[][2] = {
        {" shr.s32 v, v, 40\n", " shr.s32 v, v, 31\n"},
        {" shr.u32 v, v, 32\n", " mov.b32 v, 0\n"},
        {" shl.b32 v, v, 63\n", " mov.b32 v, 0\n"},
        {" div.s32 v, v, -1\n", " neg.s32 v, v\n"},
        {" rem.u32 v, v, 1\n", " mov.b32 v, 0\n"},
        {" neg.f32 v, v\n neg.f32 v, v\n", ""},
        {" abs.f32 v, v\n", " and.b32 v, v, 0x7fffffff\n"},
        {" copysign.f32 v, v, w\n", " and.b32 t, v, 0x7fffffff\n and.b32 s, w, 0x80000000\n or.b32 v, t, s\n"},
        {" min.f32 v, v, w\n", " min.f32 v, w, v\n"},
        {" setp.gt.f32 p, v, w\n" FLAG, " setp.lt.f32 p, w, v\n" FLAG},
        {" setp.leu.f32 p, v, w\n" FLAG, " setp.gt.f32 p, v, w\n mov.pred p, !p\n" FLAG},
        {" setp.nan.f32 p, v, w\n" FLAG, " setp.num.f32 p, w, v\n mov.pred p, !p\n" FLAG},
        {WIDE " add.s64 c, a, b\n cvt.u32.u64 v, c\n", " add.u32 v, v, w\n"},
        {PAIR " xor.b64 c, a, b\n" HIGH, " xor.b32 v, v, w\n"},
        {" shf.l.wrap.b32 v, v, v, 32\n", ""},
    };
    for (u32 i = 0; i < COUNT_OF(pairs); i++) {
        enum heddle_verdict said = verdict(pairs[i][0], pairs[i][1], 32, 32);
        cr_expect(said == HEDDLE_EQUAL, "verdict %d of\n%s-----\n%s", said, pairs[i][0], pairs[i][1]);
    }
}

/* A result that holds at one width, or for whole warps, need not hold at another. */
Test(prove_subtle, widths_and_partial_warps_are_their_own_question) {
    static const char by_shuffle[] = " shfl.bfly.b32 v, v, 8\n";
    static const char by_memory[] =
        " st.shared.b32 [tile+at], v\n bar.sync 0\n xor.b32 t, at, 32\n ld.shared.b32 v, [tile+t]\n";
    static const char counted[] = " setp.ne.u32 p, v, v\n mov.pred p, !p\n ballot.b32 t, p\n popc.b32 v, t\n";
    static const char ranks[] = " redux.max.u32 v, lane\n";
    for (u32 width = 8; width <= 64; width *= 2) {
        enum heddle_verdict said = verdict(by_shuffle, by_memory, width, 64);
        cr_expect_eq(said == HEDDLE_EQUAL, width > 8, "width %u", width);
    }
    for (u32 width = 8; width <= 32; width *= 2) {
        char number[40];
        snprintf(number, sizeof number, " mov.b32 v, %u\n", width);
        cr_expect_eq(verdict(counted, number, width, 64), HEDDLE_EQUAL, "width %u", width);
        cr_expect_eq(verdict(counted, number, width, 64 - width / 2), HEDDLE_DIFFERENT, "width %u", width);
        cr_expect_eq(verdict(counted, " mov.b32 v, 32\n", width, 64) == HEDDLE_EQUAL, width == 32);
        snprintf(number, sizeof number, " mov.b32 v, %u\n", width - 1);
        cr_expect_eq(verdict(ranks, number, width, 64), HEDDLE_EQUAL);
        cr_expect_eq(verdict(ranks, number, width, 63), HEDDLE_DIFFERENT);
    }
}

/* Another size of shared memory is no difference; its contents are. */
Test(prove_subtle, shared_memory_may_have_another_size) {
    static const char exchange[] =
        " st.shared.b32 [tile+at], v\n bar.sync 0\n xor.b32 t, at, 4\n ld.shared.b32 v, [tile+t]\n";
    static const char beyond[] = " st.shared.b32 [tile+at], v\n bar.sync 0\n ld.shared.b32 v, [tile+at+128]\n";
    const char *const lines[] = {exchange, beyond};
    for (u32 i = 0; i < 2; i++) {
        struct text small = kernel(exchange), large = kernel(lines[i]);
        char *at = strstr(small.kernel, "b32[64]\n.local");
        memcpy(at, "b32[32]", 7);
        struct pair r = pair_load(small.kernel, large.kernel);
        pair_go(&r);
        cr_expect_eq(r.status, HEDDLE_OK, "%s", heddle_error(r.h));
        cr_expect_eq(r.proof.verdict == HEDDLE_EQUAL, i == 0, "%s", r.proof.text);
        pair_done(&r);
    }
}
