/* Checkers on a launch (sim/check): the request and the findings. */
#ifndef HEDDLE_API_CHECK_H
#define HEDDLE_API_CHECK_H

#include "sim/api/allow.h"

struct checking {
    struct heddle *h;
    const struct heddle_launch *asked;
    struct check_setup setup;
    struct check *check;
    struct allowances allowances;
    struct check *other; /* checkers of an order of warps that is explored */
    const char *kinds;   /* names of the checkers */
    u64 memory;          /* most bytes that checkers of explored orders took */
    u64 forgotten;       /* accesses that they forgot */
    struct arena arena;
};

/* Reads a list such as "race,init" into one bit each; 0 if the `len` bytes at *word name no checker. */
u32 checking_kinds(const char *text, const char **word, size_t *len);

/* The choices for an unknown word: "expected race, init ... or all; did you mean 'race'?" */
struct checking_text {
    char text[160];
};
struct checking_text checking_expected(const char *word, size_t len);

/*
 * Prepares the checkers that `asked->check` names for the launch, whose parameters are bound. HEDDLE_INPUT or
 * HEDDLE_MEMORY with an error in the context; checking_end in either case. Afterwards, run check_launch(c->check).
 */
enum heddle_status checking_begin(struct checking *c, struct heddle *h, const struct launch *l,
                                  const struct heddle_launch *asked, bool timed);
void checking_end(struct checking *c);

/*
 * Prepares another run of the launch, on copies of its buffers, and adds its findings to the others. NULL and false
 * when out of memory.
 */
const struct launch *checking_other(struct checking *c, const struct launch *l);
bool checking_other_end(struct checking *c, const struct fault *fault);

/*
 * Lists the findings, kept with the context's result; `a` covers some of them, NULL = none. False when out of memory.
 */
bool check_list(struct check *c, struct heddle *h, struct allowances *a, const struct heddle_finding **findings,
                u32 *count);

/* Puts the findings into the result; `fault` NULL = none. False when out of memory. */
bool checking_fill(struct checking *c, const struct fault *fault, struct heddle_result *r);

#endif
