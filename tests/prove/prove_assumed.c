/* Is a proof true that takes floating-point sums in any order, and that of minima and maxima? */
#include "tests/prove/prove_lines.h"

#include <string.h>

/* ---- minima and maxima of floating-point numbers ---- */

/* The largest of four in another order, in other brackets, with one of them twice, from -inf on. */
Test(prove_assumed, the_largest_of_numbers_has_no_order) {
    static const char *const ways[] = {
        " mov.b32 s, -inf\n max.f32 s, s, v\n max.f32 s, s, w\n max.f32 s, s, t\n max.f32 v, s, i\n",
        " max.f32 s, t, i\n max.f32 v, w, v\n max.f32 v, s, v\n max.f32 v, v, -inf\n",
        (" max.f32 s, i, w\n max.f32 s, s, w\n max.f32 t, v, t\n max.f32 s, s, -inf\n max.f32 s, s, t\n"
         " max.f32 v, s, v\n"),
    };
    static const struct {
        const char *text;
        enum heddle_verdict verdict;
    } others[] = {
        {" max.f32 v, v, w\n max.f32 v, v, t\n max.f32 v, v, -inf\n", HEDDLE_DIFFERENT}, /* one is missing */
        {" max.f32 v, v, w\n max.f32 v, v, t\n max.f32 v, v, i\n", HEDDLE_EQUAL},        /* i is a number above -inf */
        {" max.f32 v, v, w\n max.f32 v, v, t\n max.f32.ftz v, v, i\n max.f32 v, v, -inf\n", HEDDLE_DIFFERENT},
        {" max.f32 v, v, w\n min.f32 v, v, t\n max.f32 v, v, i\n max.f32 v, v, -inf\n", HEDDLE_DIFFERENT},
        {" max.s32 v, v, w\n max.f32 v, v, t\n max.f32 v, v, i\n max.f32 v, v, -inf\n", HEDDLE_DIFFERENT},
        {" add.f32 v, v, v\n max.f32 v, v, w\n max.f32 v, v, t\n max.f32 v, v, i\n max.f32 v, v, -inf\n",
         HEDDLE_DIFFERENT},
    };
    static const char head[] = " xor.b32 t, v, w\n";
    struct text a = kernel(head, ways[0]);
    for (u32 i = 1; i < COUNT_OF(ways); i++) {
        struct text b = kernel(head, ways[i]);
        expect(a.kernel, b.kernel, HEDDLE_EQUAL);
    }
    for (u32 i = 0; i < COUNT_OF(others); i++) {
        struct text b = kernel(head, others[i].text);
        expect(a.kernel, b.kernel, others[i].verdict);
    }
    expect(KERNEL(" max.f32 v, v, w\n"), KERNEL(" max.f32 v, w, -inf\n max.f32 v, v, w\n"),
           HEDDLE_DIFFERENT); /* of NaN alone */
    /* Nothing but the bits of a NaN may change, and not where an instruction has left them. */
    expect(KERNEL(" max.f32 v, v, v\n"), KERNEL(""), HEDDLE_DIFFERENT);
    expect(KERNEL(" max.f32 v, v, v\n"), KERNEL(" max.f32 v, v, nan\n"), HEDDLE_EQUAL);
    expect(KERNEL(" add.f32 v, v, w\n max.f32 v, v, v\n"), KERNEL(" add.f32 v, v, w\n"), HEDDLE_EQUAL);
    expect(KERNEL(" add.f32 v, v, w\n max.f32.ftz v, v, v\n"), KERNEL(" add.f32 v, v, w\n"), HEDDLE_DIFFERENT);
    expect(KERNEL(" max.f16x2 v, v, w\n max.f16x2 v, v, i\n"), KERNEL(" max.f16x2 w, w, i\n max.f16x2 v, w, v\n"),
           HEDDLE_EQUAL);
    expect(KERNEL(" max.bf16x2 v, v, w\n"), KERNEL(" max.f16x2 v, v, w\n"), HEDDLE_DIFFERENT);
}

/* ---- assumed ---- */

static void expect_assuming(const char *first, const char *then, enum heddle_verdict verdict, u32 assumed) {
    struct text a = kernel(first, ""), b = kernel(then, "");
    struct pair r = pair_load(a.kernel, b.kernel);
    r.asked.assume = HEDDLE_ASSUME_REASSOCIATION;
    pair_go(&r);
    cr_assert_eq(r.status, HEDDLE_OK, "%s", heddle_error(r.h));
    cr_expect_eq(r.proof.verdict, verdict, "%s%s%s", r.proof.text, first, then);
    cr_expect_eq(r.proof.assumed, assumed, "%s", r.proof.text);
    bool named = strstr(r.proof.text, "assuming that floating-point sums may be reassociated");
    cr_expect_eq(named, assumed != 0, "%s", r.proof.text);
    pair_done(&r);
}

#define FLAG " sel.b32 v, w, i, p\n"
#define NEG_V " neg.f32 v, v\n"
#define NEG_W " neg.f32 w, w\n"

static const struct {
    const char *one, *other;
    bool equal;
} forms[] = {
    {" mul.f32 v, v, 2.0\n", " add.f32 v, v, v\n", true},
    {" mul.f32 v, v, -2.0\n", NEG_V " add.f32 v, v, v\n", true},
    {" mul.f32.rm v, v, 2.0\n", " add.f32.rm v, v, v\n", true},
    {" mul.ftz.f32 v, v, 2.0\n", " add.f32 v, v, v\n", false},
    {" mul.f16x2 v, v, 2.0\n", " add.f16x2 v, v, v\n", true},
    {" sub.f32 v, v, w\n", NEG_W " add.f32 v, w, v\n", true},
    {" sub.f32 v, v, 3.0\n", " add.f32 v, v, -3.0\n", true},
    {" sub.f32 v, v, w\n", " sub.f32 v, w, v\n" NEG_V, false},
    {" sub.bf16x2 v, v, w\n", " neg.bf16x2 w, w\n add.bf16x2 v, v, w\n", true},
    {" div.f32 v, v, 2.0\n", " mul.f32 v, v, 0.5\n", true},
    {" div.f32 v, v, -8.0\n", " mul.f32 v, v, -0.125\n", true},
    {" div.f32 v, v, 3.0\n", " mul.f32 v, v, 0.333333333\n", false},
    {" div.f16x2 v, v, 4.0\n", " mul.f16x2 v, v, 0.25\n", true},
    {" fma.f32 v, v, 1.0, w\n", " add.f32 v, w, v\n", true},
    {" fma.f32 v, v, -1.0, w\n", " sub.f32 v, w, v\n", true},
    {" fma.f32 v, v, w, -0.0\n", " mul.f32 v, w, v\n", true},
    {" fma.f32 v, v, w, 0.0\n", " mul.f32 v, w, v\n", false},
    {" fma.f32.rm v, v, w, -0.0\n", " mul.f32.rm v, w, v\n", false},
    {" fma.f32 v, v, 0x7fc00001, w\n", " mov.b32 v, 0x7fffffff\n", true},
    {" fma.sat.f32 v, v, 0x7fc00001, w\n", " mov.b32 v, 0\n", true},
    {NEG_V " fma.f32 v, v, w, w\n", " neg.f32 t, w\n fma.f32 v, t, v, w\n", true},
    {NEG_V NEG_W " mul.f32 v, v, w\n", " mul.f32 v, v, w\n", true},
    {NEG_V " mul.f32 v, v, 3.0\n", " mul.f32 v, v, -3.0\n", true},
    {NEG_V " mul.f32 v, v, w\n", " mul.f32 v, v, w\n" NEG_V, false}, /* the sign of a NaN */
    {NEG_V " div.f32 v, v, w\n", NEG_W " div.f32 v, v, w\n", true},
    {" mul.f32 v, v, w\n mul.f32 v, v, 1.0\n", " mul.f32 v, v, w\n", true},
    {" mul.f32 v, v, 1.0\n", "", false},
    {" testp.nan.f32 p, v\n" FLAG, " setp.nan.f32 p, v, v\n" FLAG, true},
    {" testp.nan.f32 p, v\n" FLAG, " setp.neu.f32 p, v, v\n" FLAG, true},
    {" testp.nan.f32 p, v\n" FLAG, " setp.ne.f32 p, v, v\n" FLAG, false},
    {" setp.nan.f32 p, v, w\n" FLAG, " testp.nan.f32 p, v\n testp.nan.f32 q, w\n or.pred p, p, q\n" FLAG, true},
    {" testp.finite.f32 p, v\n" FLAG, " abs.f32 v, v\n setp.lt.f32 p, v, inf\n" FLAG, true},
    {" testp.finite.f32 p, v\n" FLAG, " abs.f32 v, v\n setp.le.f32 p, v, inf\n" FLAG, false},
};

/* With the assumption, too: an exact law needs none, and what is different stays so. */
Test(prove_assumed, floating_point_arithmetic_has_one_form) {
    for (u32 i = 0; i < COUNT_OF(forms); i++) {
        const enum heddle_verdict verdict = forms[i].equal ? HEDDLE_EQUAL : HEDDLE_DIFFERENT;
        struct text a = kernel(forms[i].one, ""), b = kernel(forms[i].other, "");
        expect(a.kernel, b.kernel, verdict);
        expect_assuming(forms[i].one, forms[i].other, verdict, 0);
    }
}

Test(prove_assumed, sums_of_floating_point_are_reassociated_on_request) {
    static const char *const pairs[][2] = {
        {" add.f32 t, v, w\n add.f32 v, t, 1.0\n", " add.f32 t, w, 1.0\n add.f32 v, v, t\n"},
        {" sub.f32 t, v, w\n sub.f32 v, 1.0, t\n", " sub.f32 t, w, v\n add.f32 v, t, 1.0\n"},
        {" mov.b32 t, 0.0\n fma.f32 t, v, w, t\n fma.f32 v, v, v, t\n",
         " mov.b32 t, 0.0\n fma.f32 s, v, v, t\n fma.f32 t, w, v, t\n add.f32 v, s, t\n"},
        {" fma.f32 t, v, w, 1.0\n neg.f32 s, v\n fma.f32 v, s, i, t\n",
         " neg.f32 s, i\n fma.f32 t, v, s, 1.0\n fma.f32 v, w, v, t\n"},
        {" pack.b64 wide, v, w\n pack.b64 pair, w, v\n add.f64 wide, wide, pair\n add.f64 wide, wide, pair\n"
         " cvt.hi.u32.u64 v, wide\n",
         " pack.b64 wide, v, w\n pack.b64 pair, w, v\n add.f64 pair, pair, pair\n add.f64 wide, wide, pair\n"
         " cvt.hi.u32.u64 v, wide\n"},
    };
    for (u32 i = 0; i < COUNT_OF(pairs); i++) {
        struct text a = kernel(pairs[i][0], ""), b = kernel(pairs[i][1], "");
        struct pair r = prove(a.kernel, b.kernel);
        cr_expect_neq(r.proof.verdict, HEDDLE_EQUAL, "%s", r.proof.text);
        pair_done(&r);
        expect_assuming(pairs[i][0], pairs[i][1], HEDDLE_EQUAL, HEDDLE_ASSUME_REASSOCIATION);
    }
    /* Constants are summed, wherever they stand: from 0 on, and -0 is nothing among others. */
    expect_assuming(" mov.b32 t, 0\n add.f32 t, t, v\n sub.f32 t, t, 1.0\n add.f32 t, t, w\n add.f32 v, t, 3.0\n",
                    " mov.b32 t, 2.0\n add.f32 t, w, t\n sub.f32 t, t, -0.0\n add.f32 v, v, t\n", HEDDLE_EQUAL,
                    HEDDLE_ASSUME_REASSOCIATION);
    expect_assuming(" mov.b32 t, 0\n add.f32 t, t, v\n add.f32 v, t, w\n", " add.f32 v, v, w\n", HEDDLE_DIFFERENT, 0);
    /* Not needed, and not enough. */
    expect_assuming(" add.f32 v, v, w\n", " add.f32 v, w, v\n", HEDDLE_EQUAL, 0);
    expect_assuming(" add.f32 v, v, 0.0\n", "", HEDDLE_DIFFERENT, 0);
    expect_assuming(" add.f32 v, v, -0.0\n", "", HEDDLE_DIFFERENT, 0); /* a NaN loses its payload */
    expect_assuming(" add.f32 t, v, w\n sub.f32 v, t, w\n", "", HEDDLE_DIFFERENT, 0);
    expect_assuming(" mul.f32 t, v, w\n add.f32 v, t, 1.0\n", " fma.f32 v, v, w, 1.0\n", HEDDLE_DIFFERENT, 0);
    expect_assuming(" add.f32 t, v, w\n add.f32 v, t, i\n", " add.f32 t, v, i\n add.f32.ftz v, t, w\n",
                    HEDDLE_DIFFERENT, 0);
    expect_assuming(" add.u32 v, v, w\n", " sub.u32 v, v, w\n", HEDDLE_DIFFERENT, 0);
    expect_assuming(" add.f32 t, v, w\n add.f32 v, t, s\n", " add.f32 t, v, s\n add.f32 v, t, w\n", HEDDLE_UNPROVED,
                    HEDDLE_ASSUME_REASSOCIATION); /* uninitialised */
}

/* Data show no difference if another order of sums explains it, and one if none does. */
Test(prove_assumed, differences_that_rounding_explains_are_none_under_the_assumption) {
    static const struct {
        const char *sum, *other; /* of v, w and 1 */
        const char *wrong[4];
    } types[] = {
        {" add.f32 t, v, w\n add.f32 v, t, 1.0\n",
         " add.f32 t, w, 1.0\n add.f32 v, v, t\n",
         {" add.f32 v, v, w\n", " add.f32 t, v, w\n add.f32 v, t, 2.0\n", " add.f32 t, v, w\n add.f32 v, v, t\n",
          " add.f32 t, v, 1.0\n add.f32 v, t, 1.0\n"}},
        {" fma.f32 t, v, w, 1.0\n fma.f32 t, w, w, t\n fma.f32 v, v, v, t\n",
         " fma.f32 t, v, v, 1.0\n fma.f32 t, w, w, t\n fma.f32 v, v, w, t\n",
         {" fma.f32 t, v, w, 1.0\n fma.f32 v, v, v, t\n",
          " fma.f32 t, v, w, 1.0\n fma.f32 t, w, v, t\n fma.f32 v, v, v, t\n",
          " fma.f32 t, v, w, 1.0\n fma.f32 t, w, w, t\n fma.f32 v, v, v, t\n add.f32 v, v, t\n", ""}},
        {" add.f16x2 t, v, w\n add.f16x2 v, t, 1.0\n",
         " add.f16x2 t, w, 1.0\n add.f16x2 v, v, t\n",
         {" add.f16x2 v, v, w\n", " add.f16x2 t, v, w\n add.f16x2 v, t, 2.0\n",
          " add.f16x2 t, v, w\n add.f16x2 v, v, t\n", " add.bf16x2 t, v, w\n add.bf16x2 v, t, 1.0\n"}},
        {" sub.bf16x2 t, v, w\n sub.bf16x2 v, 1.0, t\n",
         " add.bf16x2 t, w, 1.0\n sub.bf16x2 v, t, v\n",
         {" sub.bf16x2 v, w, v\n", " add.bf16x2 t, w, 1.0\n add.bf16x2 v, t, v\n", " sub.bf16x2 v, 1.0, v\n", ""}},
    };
    for (u32 i = 0; i < COUNT_OF(types); i++) {
        struct text like = kernel(types[i].sum, ""), same = kernel(types[i].other, "");
        struct pair r = prove(like.kernel, same.kernel);
        cr_expect_eq(r.proof.verdict, HEDDLE_DIFFERENT, "%s", r.proof.text);
        pair_done(&r);
        expect_assuming(types[i].sum, types[i].other, HEDDLE_EQUAL, HEDDLE_ASSUME_REASSOCIATION);
        struct text once = kernel(types[i].other, UNSEEN);
        once.kernel[strlen(once.kernel) - strlen(TAIL)] = 0;
        expect_assuming(types[i].sum, once.kernel + strlen(HEAD), HEDDLE_UNPROVED, HEDDLE_ASSUME_REASSOCIATION);
        for (u32 k = 0; k < COUNT_OF(types[i].wrong); k++)
            if (types[i].wrong[k])
                expect_assuming(types[i].sum, types[i].wrong[k], HEDDLE_DIFFERENT, 0);
    }
}

/* A sum inside another stays a sum if it is selected, or its sign is changed. */
Test(prove_assumed, what_is_between_two_sums_hides_no_order) {
    static const struct {
        const char *sum, *other, *wrong;
        enum heddle_verdict verdict;
    } pairs[] = {
        {" setp.gt.f32 p, v, 0.0\n@p add.f32 w, w, v\n add.f32 v, w, 0.7\n",
         " setp.gt.f32 p, v, 0.0\n mov.b32 t, 0.7\n@p add.f32 t, t, v\n add.f32 v, w, t\n",
         " setp.ge.f32 p, v, 1.0\n mov.b32 t, 0.7\n@p add.f32 t, t, v\n add.f32 v, w, t\n", HEDDLE_UNPROVED},
        {" add.f32 t, v, w\n neg.f32 t, t\n sub.f32 v, t, 0.7\n",
         " add.f32 t, v, 0.7\n neg.f32 t, t\n sub.f32 v, t, w\n",
         " add.f32 t, v, 0.7\n neg.f32 t, t\n add.f32 v, t, w\n", HEDDLE_EQUAL},
        {" add.f16x2 t, v, w\n neg.f16x2 t, t\n sub.f16x2 v, t, 0.7\n",
         " add.f16x2 t, v, 0.7\n neg.f16x2 t, t\n sub.f16x2 v, t, w\n",
         " add.f16x2 t, v, 0.7\n neg.f16x2 t, t\n add.f16x2 v, t, w\n", HEDDLE_EQUAL},
    };
    for (u32 i = 0; i < COUNT_OF(pairs); i++) {
        struct text a = kernel(pairs[i].sum, ""), b = kernel(pairs[i].other, "");
        expect(a.kernel, b.kernel, HEDDLE_DIFFERENT);
        expect_assuming(pairs[i].sum, pairs[i].other, pairs[i].verdict, HEDDLE_ASSUME_REASSOCIATION);
        expect_assuming(pairs[i].sum, pairs[i].wrong, HEDDLE_DIFFERENT, 0);
    }
}

/* Signs, products and constants in sums, one form for all ways to write them; the last of each is wrong. */
Test(prove_assumed, signs_and_products_in_sums_have_one_form) {
    static const struct {
        const char *one, *other, *wrong;
    } sums[] = {
        {" fma.f32 s, v, w, i\n add.f32 v, s, 1.0\n", " add.f32 s, i, 1.0\n fma.f32 v, w, v, s\n",
         " add.f32 s, i, 1.0\n fma.f32 v, w, i, s\n"},
        {" neg.f32 t, v\n fma.f32 s, t, w, i\n add.f32 v, s, v\n",
         " neg.f32 t, w\n add.f32 s, v, i\n fma.f32 v, v, t, s\n", " add.f32 s, v, i\n fma.f32 v, v, w, s\n"},
        {" neg.f32 t, v\n neg.f32 s, w\n fma.f32 s, t, s, i\n add.f32 v, s, v\n",
         " add.f32 s, v, i\n fma.f32 v, v, w, s\n", " sub.f32 s, v, i\n fma.f32 v, v, w, s\n"},
        {" fma.f32 s, v, w, i\n sub.f32 v, v, s\n", " neg.f32 t, w\n sub.f32 s, v, i\n fma.f32 v, v, t, s\n",
         " sub.f32 s, v, i\n fma.f32 v, v, w, s\n"},
        {" sub.f32 s, v, 3.0\n sub.f32 v, w, s\n", " sub.f32 s, w, v\n add.f32 v, s, 3.0\n",
         " sub.f32 s, w, v\n sub.f32 v, s, 3.0\n"},
        {" sub.f32 s, v, 3.0\n sub.f32 v, 4.0, s\n", " sub.f32 v, 7.0, v\n", " sub.f32 v, 1.0, v\n"},
        {" sub.f32 s, v, w\n neg.f32 s, s\n add.f32 v, s, i\n", " sub.f32 s, i, v\n add.f32 v, s, w\n",
         " sub.f32 s, i, v\n sub.f32 v, s, w\n"},
        {" add.f16x2 s, v, w\n sub.f16x2 v, s, i\n", " sub.f16x2 s, w, i\n add.f16x2 v, s, v\n",
         " sub.f16x2 s, i, w\n add.f16x2 v, s, v\n"},
        {" pack.b64 px, v, w\n pack.b64 wide, w, i\n pack.b64 pair, i, v\n fma.f64 px, px, wide, pair\n"
         " sub.f64 px, px, wide\n xor.b32 v, px, px+1\n",
         " pack.b64 px, v, w\n pack.b64 wide, w, i\n pack.b64 pair, i, v\n sub.f64 pair, pair, wide\n"
         " fma.f64 px, wide, px, pair\n xor.b32 v, px, px+1\n",
         " pack.b64 px, v, w\n pack.b64 wide, w, i\n pack.b64 pair, i, v\n add.f64 pair, pair, wide\n"
         " fma.f64 px, wide, px, pair\n xor.b32 v, px, px+1\n"},
    };
    for (u32 i = 0; i < COUNT_OF(sums); i++)
        for (u32 wrong = 0; wrong < 2; wrong++) {
            struct text a = kernel(sums[i].one, ""), b = kernel(wrong ? sums[i].wrong : sums[i].other, "");
            struct pair r = pair_load(a.kernel, b.kernel);
            r.asked.assume = HEDDLE_ASSUME_REASSOCIATION;
            pair_go(&r);
            cr_expect_eq(r.proof.verdict == HEDDLE_EQUAL, !wrong, "%s%s%s", r.proof.text, sums[i].one,
                         wrong ? sums[i].wrong : sums[i].other);
            pair_done(&r);
        }
}
