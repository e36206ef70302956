/* What the parts of the linter share; private to isa/lint*.c. */
#ifndef HEDDLE_ISA_LINT_H
#define HEDDLE_ISA_LINT_H

#include "isa/flow.h"

/* Instructions that one analysis of a kernel may look at, in all, before it gives up and says nothing. */
enum { LINT_BUDGET = 10 * 1000 * 1000 };

/* Registers r0..r254 as bits 0..254, predicates p0..p14 as bits 256..270. */
enum { SET_WORDS = 5, SET_PREDS = 256, SET_BITS = SET_PREDS + PRED_COUNT };

struct reg_set {
    u64 word[SET_WORDS];
};

static inline bool set_has(const struct reg_set *s, u32 bit) {
    return s->word[bit / 64] >> (bit % 64) & 1;
}

static inline void set_add(struct reg_set *s, u32 bit) {
    s->word[bit / 64] |= (u64)1 << (bit % 64);
}

static inline void set_remove(struct reg_set *s, u32 bit) {
    s->word[bit / 64] &= ~((u64)1 << (bit % 64));
}

/* Adds `from`; whether that changed anything. */
bool set_join(struct reg_set *to, const struct reg_set *from);

/* What an instruction reads, its guard and address registers included, and what it writes. */
void inst_reads(const struct inst *i, struct reg_set *set);
void inst_writes(const struct inst *i, struct reg_set *set);

/* One kernel or function being looked at. */
struct lint {
    const struct program *p;
    const struct kernel *k;
    struct flow flow;
    bool *reached;                       /* [blocks] from the entry */
    const struct reg_set *called_writes; /* what the functions of the file write, together */
    u32 *queue;                          /* [blocks] scratch: blocks to visit */
    bool *queued;                        /* [blocks] scratch: all false between uses */
    struct diag *diag;
};

void lint_warn(struct lint *l, u32 pc, const char *fmt, ...) PRINTF_LIKE(3, 4);

/*
 * Visits blocks, the entry first, until nothing changes: `visit` looks at one block and says in `changed` which of its
 * successors have a new state. Counts the instructions in `budget` down; false when it is used up.
 */
bool lint_solve(struct lint *l, void (*visit)(struct lint *l, void *ctx, u32 block, bool changed[2]), void *ctx,
                u64 *budget);

/* Barriers that lanes of a warp may reach separately. */
void lint_barriers(struct lint *l);

/* Memory accesses whose address is known not to be a multiple of their size. */
void lint_alignment(struct lint *l);

#endif
