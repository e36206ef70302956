/* Checkers on a launch (sim/check): what is asked for, and what they found. */
#ifndef HEDDLE_API_CHECK_H
#define HEDDLE_API_CHECK_H

#include "sim/api/context.h"
#include "sim/check/check.h"

struct checking {
    struct heddle *h;
    const struct heddle_launch *asked;
    struct check_setup setup;
    struct check *check;
    struct check *other; /* of an order of warps that is explored */
    const char *kinds;   /* in words */
    u64 memory;          /* bytes that checkers of orders took at most */
    u64 forgotten;       /* by them */
    struct arena arena;
};

/* A list such as "race,init", one bit each; 0: the `len` bytes at *word name no checker. */
u32 checking_kinds(const char *text, const char **word, size_t *len);

/* What was expected in place of a word: "expected race, init ... or all; did you mean 'race'?" */
struct checking_text {
    char text[160];
};
struct checking_text checking_expected(const char *word, size_t len);

/*
 * Prepares the checkers that `asked->check` names for the launch, whose parameters have been bound. HEDDLE_INPUT or
 * HEDDLE_MEMORY with an error in the context; checking_end in either case. Afterwards check_launch(c->check) is what is
 * to be run.
 */
enum heddle_status checking_begin(struct checking *c, struct heddle *h, const struct launch *l,
                                  const struct heddle_launch *asked, bool timed);
void checking_end(struct checking *c);

/*
 * Around another run of the launch, on copies of its buffers: what to run, and what it showed joins the findings. NULL
 * and false when out of memory.
 */
const struct launch *checking_other(struct checking *c, const struct launch *l);
bool checking_other_end(struct checking *c, const struct fault *fault);

/* What was found, kept with the context's result. False when out of memory. */
bool check_list(struct check *c, struct heddle *h, const struct heddle_finding **findings, u32 *count);

/* What was found, into the result; `fault` NULL: there was none. False when out of memory. */
bool checking_fill(struct checking *c, const struct fault *fault, struct heddle_result *r);

#endif
