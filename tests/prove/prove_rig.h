/*
 * Two kernels of a test, to be proved: x is u32[128], y is u32[64].
 *
 *   struct pair r = pair_load(a, b);      `r.asked.warp` is 32; the test sets the rest
 *   pair_go(&r);
 *   cr_expect_eq(r.proof.verdict, HEDDLE_EQUAL, "%s", r.proof.text);
 *   pair_done(&r);
 */
#ifndef HEDDLE_TESTS_PROVE_RIG_H
#define HEDDLE_TESTS_PROVE_RIG_H

#include "sim/api/heddle.h"
#include "sim/base/types.h"

enum { N = 64 };

/* Leaves v as it was, as data show and no form. */
#define UNSEEN " div.u32 i, v, 3\n rem.u32 t, v, 3\n mad.lo.u32 v, i, 3, t\n"

struct pair {
    struct heddle *h;
    struct heddle_program *program[2];
    struct heddle_prove asked;
    enum heddle_status status;
    struct heddle_proof proof;
};

extern const struct heddle_arg pair_args[2]; /* x and y */

struct pair pair_load(const char *a, const char *b);
void pair_go(struct pair *r);
void pair_done(struct pair *r);

#endif
