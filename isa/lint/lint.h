/* What the parts of the linter share; private to isa/lint/. */
#ifndef HEDDLE_ISA_LINT_LINT_H
#define HEDDLE_ISA_LINT_LINT_H

#include "isa/flow.h"
#include "isa/program.h"

/* Instructions that an analysis of a kernel may visit before it gives up without warnings. */
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

/* Collects what an instruction reads, its guard and address registers included, and what it writes. */
void inst_reads(const struct inst *i, struct reg_set *set);
void inst_writes(const struct inst *i, struct reg_set *set);

/* xor r, r and sub r, r give 0 whatever r holds. */
bool inst_clears(const struct inst *i);

/* One kernel or function being looked at. */
struct lint {
    const struct program *p;
    const struct kernel *k;
    struct flow flow;
    bool *reached;                       /* [blocks] from the entry */
    const struct reg_set *called_writes; /* registers written by the functions of the file, together */
    const bool *meets;                   /* [kernels] has a barrier, called functions included */
    u32 *queue;                          /* [blocks] scratch: blocks to visit */
    bool *queued;                        /* [blocks] scratch: all false between uses */
    const struct lint_allowed *allowed;  /* NULL: none */
    struct diag *diag;
    struct {
        const char *text, *at; /* a source file; where its line begins */
        u32 line;
    } last; /* the line that lint_span found last: the next is mostly after it */
};

/*
 * Span of the instruction in its source line: after the labels, up to the comment or the end. `*text` is the line, NULL
 * when it is not at hand.
 */
struct span lint_span(struct lint *l, u32 pc, const char **text);

void lint_warn(struct lint *l, enum lint_class class, u32 pc, const char *fmt, ...) PRINTF_LIKE(4, 5);

/* The source's name of a register or predicate, given by its bit. */
struct lint_name {
    char text[64];
};
struct lint_name lint_name(const struct lint *l, u32 pc, u32 bit);

/*
 * Visits blocks, the entry first, until nothing changes: `visit` looks at one block and sets in `changed` which of its
 * successors have a new state. Counts the instructions in `budget` down; false when it is used up.
 */
bool lint_solve(struct lint *l, void (*visit)(struct lint *l, void *ctx, u32 block, bool changed[2]), void *ctx,
                u64 *budget);

/* A barrier of the block, or a call of a function that has one. */
bool inst_meets(const struct program *p, const struct inst *i, const bool *meets);

/* Finds which kernels and functions have barriers; `meets` is all false before. */
void lint_meetings(const struct program *p, bool *meets);

/* Warns of registers read before any write, loops included. written: [blocks] possible writes before the block. */
void lint_first_reads(struct lint *l, const struct reg_set *written);

/* Barriers that lanes of a warp may reach separately. */
void lint_barriers(struct lint *l);

/* For each block the line of a barrier for every thread that every path from it reaches; 0 = none. False: no memory. */
bool lint_ahead(struct lint *l, u32 *ahead);

/* Line of the barrier for every thread that every path after instruction pc of this block reaches; 0 = none. */
u32 lint_ahead_of(const struct lint *l, const u32 *ahead, u32 block, u32 pc);

/* Memory accesses whose address is known not to be a multiple of their size. */
void lint_alignment(struct lint *l);

/* Addresses of parameters where their values are meant. */
void lint_parameters(struct lint *l);

#endif
