/*
 * Allowances: findings of checkers that someone has looked at and keeps, each with a reason. They stand in the kernel,
 * `;! allow race at reduce: every thread stores 1`, or one in each line of a text:
 *
 *   # why these are right
 *   allow race write-write in reduce at done: every thread stores 1
 *   allow init in scan at line 40: the last block pads
 *   allow race read-write in k at "ld.global.b32 v, [p]", "st.global.b32 [p], v": known
 *
 * A baseline is such a text, whose lines cover one finding each: it was there before.
 */
#ifndef HEDDLE_API_ALLOW_H
#define HEDDLE_API_ALLOW_H

#include "sim/api/context.h"
#include "sim/check/check.h"

enum { ALLOW_TEXTS = 2, ALLOW_LINT = CHECK_KINDS /* `kind` of warnings of lint */ };
_Static_assert((int)LINT_COUNT <= (int)FOUND_COUNT, "FOUND_COUNT is no class, of lint either");

/* The words of an allowance; `len` bytes each. */
struct allow_word {
    const char *text;
    size_t len;
};

struct allowance {
    u32 kind;                             /* enum check_kind, or ALLOW_LINT */
    u32 class;                            /* enum check_class or lint_class; FOUND_COUNT = all of the kind */
    struct allow_word kernel;             /* that is launched; len 0 = any */
    struct allow_word label;              /* code from it to the next one; len 0 = anywhere */
    struct allow_word quote[ALLOW_TEXTS]; /* instructions as they are written; len 0 = any */
    u32 line;                             /* of the source, counted through its files; 0 = any */
    u32 first, last;                      /* instructions [first, last) that it covers */
    const char *reason;
    const char *where; /* "k.hd:12:9": its own place */
    struct span at;    /* the same */
    bool known;        /* a line of a baseline: covers one finding */
    u64 count;         /* findings that it covers */
};

struct allowances {
    const struct launch *launch;
    struct arena arena;
    struct buf list; /* of struct allowance */
    u64 warnings;    /* of lint, that they cover */
};

/* Reads those of the launch's program, then those that `asked` gives. False with the error in the context. */
bool allow_read(struct allowances *a, struct heddle *h, const struct launch *l, const struct heddle_launch *asked);
void allow_free(struct allowances *a);

/* Finds those that cover the finding, which is also `shown`, and counts it; the first, NULL = none. */
const struct allowance *allow_find(struct allowances *a, const struct check_finding *f,
                                   const struct heddle_finding *shown);

/* Renders a warning for each of the kinds (bits) and of this kernel that covers nothing. */
void allow_unused(const struct allowances *a, u32 kinds, struct buf *out);

/* Errors in a program's text. */
struct diag allow_diag(const struct program *p);

/* Adds errors of its allowances, and what lint warns of, but for what they cover; how many that is. */
u64 allow_lint(const struct program *p, struct diag *diag);

/* True if the text of the program has one. */
bool allow_present(const struct program *p);

#endif
