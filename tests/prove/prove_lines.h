/* Kernels whose lines are given, and what a proof of two of them is expected to find. */
#ifndef HEDDLE_TESTS_PROVE_LINES_H
#define HEDDLE_TESTS_PROVE_LINES_H

#include <criterion/criterion.h>
#include <stdio.h>

#include "tests/prove/prove_kernel.h"
#include "tests/prove/prove_rig.h"

struct text {
    char kernel[4096];
};

/* A kernel whose lines are given in two parts. */
static inline struct text kernel(const char *first, const char *then) {
    struct text t;
    snprintf(t.kernel, sizeof t.kernel, "%s%s%s%s", HEAD, first, then, TAIL);
    return t;
}

static inline struct pair prove(const char *a, const char *b) {
    struct pair r = pair_load(a, b);
    pair_go(&r);
    cr_assert_eq(r.status, HEDDLE_OK, "%s", heddle_error(r.h));
    return r;
}

static inline void expect(const char *a, const char *b, enum heddle_verdict verdict) {
    struct pair r = prove(a, b);
    cr_expect_eq(r.proof.verdict, verdict, "%s\n%s", r.proof.text, b);
    pair_done(&r);
}

#endif
