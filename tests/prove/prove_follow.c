/* Is each instruction on a side that no data tried takes followed, or named with why not? */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "tests/prove/prove_rig.h"

/* One block of two warps. p holds for all but one value of x[0], which no trial has; then the lines of the test. */
#define HEAD \
    ".kernel k\n.param x : u32[128]\n.param y : u32[64]\n.shared tile : b32[128]\n.local mine : b32[4]\n" \
    ".reg i, v, w, t, s, n, first, at, px:2, py:2, m:2, d:2\n.pred p, q\n" \
    " s2r i, %tid.x\n ld.param.b64 px, [x]\n ld.param.b64 py, [y]\n ld.global.b32 first, [px]\n" \
    " mad.wide.u32 px, i, 4, px\n mad.wide.u32 py, i, 4, py\n shl.b32 at, i, 2\n" \
    " ld.global.b32 v, [px]\n ld.global.b32 w, [px+256]\n st.shared.b32 [tile+at], v\n st.local.b32 [mine], w\n" \
    " mov.b32 r40, v\n mul.lo.u32 s, first, 0x9e3779b1\n setp.ne.u32 p, s, 0x5ca1ab1e\n"
#define TAIL " st.global.b32 [py], v\n exit\n"

static void write_kernel(char *text, size_t room, const char *lines, const char *functions) {
    snprintf(text, room, "%s%s%s%s", HEAD, lines, TAIL, functions);
}

static struct pair prove(const char *const lines[2], const char *functions, s32 bound) {
    char text[2][4096];
    for (u32 i = 0; i < 2; i++)
        write_kernel(text[i], sizeof text[i], lines[i], functions);
    struct pair r = pair_load(text[0], text[1]);
    for (u32 i = 0; i < 2; i++) {
        r.asked.kernel[i].block[0] = N;
        r.asked.kernel[i].block[1] = r.asked.kernel[i].block[2] = 1;
    }
    r.asked.bound = bound;
    pair_go(&r);
    cr_assert_eq(r.status, HEDDLE_OK, "%s%s", heddle_error(r.h), lines[0]);
    return r;
}

/* ---- what is followed ---- */

/* The lines stand on the side that is rarely taken; they leave in v what the others do, or the kernels differ. */
static const struct {
    const char *lines, *others;
    enum heddle_verdict verdict;
} followed[] = {
    {"add.u32 v, v, v", "shl.b32 v, v, 1", HEDDLE_EQUAL},
    {"s2r rz, %tid.x", "", HEDDLE_EQUAL},
    {"s2r.b64 m, %activemask\n mov.b32 v, m+1", "mov.b32 v, 0", HEDDLE_EQUAL},
    {"s2r v, %activemask", "mov.b32 v, -1", HEDDLE_EQUAL},
    {"s2r v, %lanemask_lt", "s2r t, %laneid\n mov.b32 v, 1\n shl.b32 v, v, t\n sub.u32 v, v, 1", HEDDLE_EQUAL},
    {"ballot.b32 rz, q", "", HEDDLE_EQUAL},
    {"setp.lt.u32 q, i, 8\n ballot.b32 v, q", "s2r t, %warpid\n setp.eq.u32 q, t, 0\n mov.b32 v, 0\n@q mov.b32 v, 255",
     HEDDLE_EQUAL},
    {"setp.lt.u32 q, v, 8\n ballot.b64 m, q\n mov.b32 v, m", "setp.lt.u32 q, v, 8\n ballot.b32 v, q", HEDDLE_EQUAL},
    {"setp.lt.u32 q, v, 8\n ballot.b64 m, q\n mov.b32 v, m+1", "mov.b32 v, 0", HEDDLE_EQUAL},
    {"mov.b32 t, 7\n match.any.b32 m, t\n mov.b32 v, m", "mov.b32 v, -1", HEDDLE_EQUAL},
    {"match.any.b32 m, v\n mov.b32 v, m", "match.any.b32 d, v\n mov.b32 v, d", HEDDLE_EQUAL},
    {"match.any.b32 m, v\n mov.b32 v, m", "match.any.b32 d, w\n mov.b32 v, d", HEDDLE_UNPROVED},
    {"match.any.b32 m, v", "", HEDDLE_EQUAL},
    {"pack.b64 d, v, w\n match.any.b64 m, d\n mov.b32 v, m", "pack.b64 m, v, w\n match.any.b64 d, m\n mov.b32 v, d",
     HEDDLE_EQUAL},
    {"match.all.b32 m|q, i\n mov.b32 v, 2\n@q mov.b32 v, 1", "mov.b32 v, 2", HEDDLE_EQUAL},
    {"match.all.b32 m|q, v\n sel.b32 v, 1, m, q", "match.all.b32 m|q, v\n sel.b32 v, 1, m, q", HEDDLE_EQUAL},
    {"mov.b32 t, 3\n pack.b64 d, t, t\n match.all.b64 m|q, d\n sel.b32 v, m, 2, q", "mov.b32 v, -1", HEDDLE_EQUAL},
    {"vote.uni q, p\n mov.b32 v, 2\n@q mov.b32 v, 1", "mov.b32 v, 1", HEDDLE_EQUAL},
    {"mov.b64 m, -1\n shfl.bfly.b32 v, v, 1, m", "shfl.bfly.b32 v, v, 1", HEDDLE_EQUAL},
    {"ld.global.b32 rz, [px]", "", HEDDLE_EQUAL},
    {"st.global.b32 [py], rz\n ld.global.b32 v, [py]", "mov.b32 v, 0", HEDDLE_EQUAL},
    {"ld.shared.s8 v, [tile+at]", "shl.b32 v, v, 24\n shr.s32 v, v, 24", HEDDLE_EQUAL},
    {"ld.shared.s16 v, [tile+at]", "shl.b32 v, v, 16\n shr.s32 v, v, 16", HEDDLE_EQUAL},
    {"ld.shared.u16 v, [tile+at]", "and.b32 v, v, 0xffff", HEDDLE_EQUAL},
    {"ld.local.b32 v, [mine]", "mov.b32 v, w", HEDDLE_EQUAL},
    {"add.u32 t, at, tile\n cvta.shared m, t\n ld.b32 v, [m]", "", HEDDLE_EQUAL},
    {"atom.add.u32.shared rz, [tile+at], w\n ld.shared.b32 v, [tile+at]", "add.u32 v, v, w", HEDDLE_EQUAL},
    {"atom.cas.b32.shared t, [tile+at], v, w\n ld.shared.b32 v, [tile+at]",
     "mov.b32 n, v\n atom.cas.b32.shared rz, [tile+at], n, w\n ld.shared.b32 v, [tile+at]", HEDDLE_EQUAL},
    {"mov.b32 t, 5\n st.shared.b32 [tile+at], t\n atom.inc.u32.shared s, [tile+at], t\n ld.shared.b32 v, [tile+at]",
     "mov.b32 n, 5\n st.shared.b32 [tile+at], n\n atom.inc.u32.shared t, [tile+at], n\n ld.shared.b32 v, [tile+at]",
     HEDDLE_EQUAL},
    {"bar.warp", "", HEDDLE_EQUAL},
    {"bar.sync 0, 64", "", HEDDLE_EQUAL},
    {"setp.lt.u32 q, i, 40\n@q bra in\n add.u32 v, v, 1\nin:", "setp.ge.u32 q, i, 40\n@q add.u32 v, v, 1",
     HEDDLE_EQUAL},
    {"bra in\nin:", "", HEDDLE_EQUAL},
    {"call f\n mov.b32 v, r40", "add.u32 v, v, 1", HEDDLE_EQUAL},
    {"call some\n mov.b32 v, r40", "setp.ge.u32 q, i, 8\n@q add.u32 v, v, 1", HEDDLE_EQUAL},
    {"call nested\n mov.b32 v, r40", "setp.ge.u32 q, i, 8\n@q add.u32 v, v, 2", HEDDLE_EQUAL},
};

static const char functions[] =
    ".func f\n add.u32 r40, r40, 1\n ret\n"
    ".func some\n s2r r41, %tid.x\n setp.lt.u32 p3, r41, 8\n@p3 ret\n add.u32 r40, r40, 1\n"
    " ret\n"
    ".func nested\n s2r r41, %tid.x\n setp.lt.u32 p3, r41, 8\n@p3 bra out\n"
    " setp.lt.u32 p4, r41, 16\n@p4 bra in\n add.u32 r40, r40, 1\n call f\n ret\n"
    "in: call f\n call f\n ret\nout: ret\n"
    ".func deep\n call deep\n ret\n"
    ".func open\n setp.lt.u32 p3, r40, 8\n@p3 ret\n add.u32 r40, r40, 1\n ret\n"
    ".func fork\n setp.lt.u32 p3, r40, 8\n@p3 bra out\n add.u32 r40, r40, 1\n ret\nout: ret\n";

Test(prove_follow, instructions_on_a_side_that_no_data_tried_takes) {
    for (u32 i = 0; i < COUNT_OF(followed); i++) {
        char text[2][1024];
        const char *lines[2] = {text[0], text[1]}, *body[] = {followed[i].lines, followed[i].others};
        for (u32 k = 0; k < 2; k++)
            snprintf(text[k], sizeof text[k], "@p bra on\n %s\non:\n", body[k]);
        struct pair r = prove(lines, functions, 0);
        cr_expect_eq(r.proof.verdict, followed[i].verdict, "%s%s", r.proof.text, text[0]);
        pair_done(&r);
        const char *wrong[2] = {text[0], "@p bra on\n mov.b32 v, 123\non:\n"};
        r = prove(wrong, functions, 0);
        cr_expect_neq(r.proof.verdict, HEDDLE_EQUAL, "%s%s", r.proof.text, text[0]);
        pair_done(&r);
    }
}

/* Lines for all data: known operands make known results. */
static const char *const known[][2] = {
    {"mov.b32 t, 5\n st.shared.b32 [tile+at], t\n mov.b32 s, 9\n atom.cas.b32.shared n, [tile+at], t, s\n"
     " ld.shared.b32 v, [tile+at]\n add.u32 v, v, n\n",
     " mov.b32 v, 14\n"},
    {"mov.b32 t, 5\n st.shared.b32 [tile+at], t\n atom.inc.u32.shared n, [tile+at], t\n ld.shared.b32 v, [tile+at]\n"
     " add.u32 v, v, n\n",
     " mov.b32 v, 5\n"},
    {"shl.b32 at, i, 3\n bar.sync 0\n mov.b64 m, 5\n st.shared.b64 [tile+at], m\n mov.b64 d, -1\n"
     " atom.cas.b64.shared rz, [tile+at], m, d\n ld.shared.b64 m, [tile+at]\n xor.b32 v, m, m+1\n",
     "bar.sync 0\n mov.b32 v, 0\n"},
    {"mov.b32 t, 7\n match.any.b32 rz, t\n match.all.b32 m|q, t\n sel.b32 v, t, 2, q\n", " mov.b32 v, 7\n"},
    {"s2r t, %nwarpid\n add.u32 v, v, t\n", "s2r t, %nwarpid\n add.u32 v, t, v\n"},
    {"s2r t, %nsmid\n add.u32 v, v, t\n", "s2r t, %nsmid\n add.u32 v, t, v\n"},
    {"redux.add.u32 rz, v\n redux.max.s32 t, i\n s2r n, %warpid\n shl.b32 n, n, 5\n sub.u32 v, t, n\n",
     " mov.b32 v, 31\n"},
    {"vote.any q, p\n sel.b32 v, v, 2, q\n", "ballot.b32 t, p\n setp.ne.u32 q, t, 0\n sel.b32 v, v, 2, q\n"},
};

Test(prove_follow, known_operands_make_known_results) {
    for (u32 i = 0; i < COUNT_OF(known); i++) {
        struct pair r = prove(known[i], functions, 0);
        cr_expect_eq(r.proof.verdict, HEDDLE_EQUAL, "%s%s", r.proof.text, known[i][0]);
        pair_done(&r);
        const char *wrong[2] = {known[i][0], " mov.b32 v, 77\n"};
        r = prove(wrong, functions, 0);
        cr_expect_eq(r.proof.verdict, HEDDLE_DIFFERENT, "%s%s", r.proof.text, known[i][0]);
        pair_done(&r);
    }
}

/* ---- what cannot be followed ---- */

#define FAULT "may fault, depending on"

static const struct {
    const char *lines, *how, *text;
} open[] = {
    {"trap", FAULT, "trap"},
    {"trap \"it; happens\"", FAULT, "trap \"it; happens\""},
    {"ld.shared.b32 v, [tile+4096]", FAULT, "ld.shared.b32 v, [tile+4096]"},
    {"ld.shared.b64 m, [tile+4]", FAULT, "ld.shared.b64 m, [tile+4]"},
    {"ld.local.b32 v, [mine+64]", FAULT, "ld.local.b32 v, [mine+64]"},
    {"st.shared.b32 [tile+2], v", FAULT, "st.shared.b32 [tile+2], v"},
    {"call deep", FAULT, "call deep"},
    {"call open", "branches on", "@p3 ret"},
    {"call fork", "branches on", "ret"},
    {"setp.lt.u32 q, i, 16\n@q bar.sync 0", FAULT, "@q bar.sync 0"},
    {"bar.sync 1, w", "waits for a number of threads that is", "bar.sync 1, w"},
    {"mov.b64 m, 15\n shfl.bfly.b32 v, v, 1, m", FAULT, "shfl.bfly.b32 v, v, 1, m"},
    {"pack.b64 m, w, 0\n shfl.bfly.b32 v, v, 1, m", "names its lanes by", "shfl.bfly.b32 v, v, 1, m"},
    {"st.shared.b32 [tile+w], v", "computes an address from", "st.shared.b32 [tile+w], v"},
    {"and.b32 t, w, 4\n atom.add.u32.shared v, [tile+t], w", "computes an address from",
     "atom.add.u32.shared v, [tile+t], w"},
    {"cvta.local m, mine\n atom.add.u32 v, [m], w", FAULT, "atom.add.u32 v, [m], w"},
};

Test(prove_follow, what_cannot_be_followed_is_named) {
    for (u32 i = 0; i < COUNT_OF(open); i++) {
        char text[1024];
        const char *lines[2] = {text, text};
        snprintf(text, sizeof text, "@p bra on\n %s\non:\n", open[i].lines);
        struct pair r = prove(lines, functions, 0);
        const struct heddle_proof_depends *d = &r.proof.depends[0];
        cr_expect_eq(r.proof.verdict, HEDDLE_DEPENDS, "%s%s", r.proof.text, text);
        cr_expect_str_eq(d->how ? d->how : "", open[i].how, "%s%s", r.proof.text, text);
        cr_expect_str_eq(d->text ? d->text : "", open[i].text, "%s", text);
        pair_done(&r);
    }
}
