/*
 * Follows data-dependent control flow: both kernels run for all data at once (sim/prove/path.h). Where a run must be
 * divided by a bit, both halves run, and each word becomes a choice between the two by that bit.
 */
#include "sim/api/prove/prove.h"

#include <string.h>

#include "sim/prove/algebra.h"

struct exploration {
    struct proof *p;
    u32 bound;
    u32 *assumed; /* [bound] */
    u32 n;
    u32 runs; /* runs to the end */
    enum heddle_status status;
};

enum { ROUNDS = 1 << 12 };

enum ran { RAN, DIVIDED, ENDED, FAILED };

/* Chooses `yes` where the bit is 1, else `no`; into `yes`. */
static void words_choose(struct proof *p, u32 bit, u32 **yes, u32 **no) {
    for (u32 i = 0; i < p->count; i++)
        for (u32 w = 0; w < p->shadow[0]->cells[i].words; w++)
            if (yes[i][w] != no[i][w])
                yes[i][w] = algebra_choose(&p->terms, bit, yes[i][w], no[i][w]);
}

/* Ends a run that cannot be followed, with the reason. */
static enum ran end(struct exploration *x, u32 side, struct depend d) {
    x->p->shadow[side]->depends = d;
    x->p->ended = side;
    return ENDED;
}

/* Runs one kernel once, on the assumptions. */
static enum ran run(struct exploration *x, u32 side, u32 ***left, u32 *split) {
    struct proof *p = x->p;
    struct fault fault;
    const struct shadow_setup setup = {.bound = x->bound,
                                       .assumed = x->assumed,
                                       .assumptions = x->n,
                                       .never = p->solver.name ? proof_never : NULL,
                                       .never_ctx = p,
                                       .rounds = p->issued[side] > ROUNDS ? p->issued[side] : ROUNDS};
    proof_step(p, "following for all data", p->launch[side].kernel->name);
    x->status = HEDDLE_MEMORY;
    if (!proof_shadow(p, side, setup))
        return FAILED;
    struct shadow *s = p->shadow[side];
    struct heddle_proof_findings before = p->out->findings[side];
    enum outcome o = machine_run(&s->launch, &fault);
    if (!proof_check_end(p, side))
        return FAILED;
    if (p->undecided) {
        x->status = HEDDLE_FAULT;
        return FAILED;
    }
    if (before.count) /* from a run on other assumptions */
        p->out->findings[side] = before;
    if (s->failed || p->terms.failed || o == RUN_NO_MEMORY || o == RUN_STOPPED)
        return FAILED;
    if (s->depends.kind != DEPEND_NONE)
        return end(x, side, s->depends);
    *split = s->split;
    if (s->split)
        return DIVIDED;
    if (o != RUN_OK) {
        u32 reason = x->n ? x->assumed[x->n - 1] : BIT_1;
        return end(x, side, (struct depend){fault.kind == FAULT_LIMIT ? DEPEND_LIMIT : DEPEND_FAULT, fault.pc, reason});
    }
    *left = proof_words(p, side);
    x->status = *left ? proof_note_written(p, side) : HEDDLE_MEMORY;
    return x->status == HEDDLE_OK ? RAN : FAILED;
}

static enum ran explore_from(struct exploration *x, u32 side, u32 **left[2]);

/* Runs both halves of a run, divided by a bit. */
static enum ran divide(struct exploration *x, u32 side, u32 **left[2], u32 bit) {
    u32 **other[2] = {0};
    struct proof *p = x->p;
    u32 pc = p->shadow[side]->split_pc;
    if (x->n == x->bound || x->runs + 2 > x->bound)
        return end(x, side, (struct depend){DEPEND_PATHS, pc, bit});
    x->assumed[x->n++] = bit;
    enum ran ran = explore_from(x, side, left);
    x->assumed[x->n - 1] = bit ^ BIT_NOT;
    if (ran == RAN)
        ran = explore_from(x, side, other);
    x->n--;
    for (u32 i = side; i < 2 && ran == RAN; i++)
        words_choose(p, bit, left[i], other[i]);
    return ran;
}

/* Explores the kernels from `side` on, on the assumptions. */
static enum ran explore_from(struct exploration *x, u32 side, u32 **left[2]) {
    u32 bit;
    enum ran ran = run(x, side, &left[side], &bit);
    if (ran == DIVIDED)
        return divide(x, side, left, bit);
    if (ran != RAN || side == 1) {
        x->runs += ran == RAN;
        return ran;
    }
    return explore_from(x, 1, left);
}

static enum heddle_status explore_all(struct proof *p) {
    struct exploration x = {.p = p, .bound = p->bound, .status = HEDDLE_MEMORY};
    u32 **left[2] = {0};
    p->out->findings[0] = p->out->findings[1] = (struct heddle_proof_findings){0};
    x.assumed = arena_alloc(&p->arena, x.bound * sizeof *x.assumed);
    enum ran ran = x.assumed ? explore_from(&x, 0, left) : FAILED;
    if (ran == FAILED)
        return x.status;
    p->followed = ran == RAN;
    p->out->paths = p->followed ? x.runs : 0;
    for (u32 side = 0; side < 2; side++)
        p->word[side] = left[side];
    return HEDDLE_OK;
}

enum heddle_status proof_explore(struct proof *p) {
    enum heddle_status status = proof_begin(p) ? explore_all(p) : HEDDLE_MEMORY;
    if (status == HEDDLE_OK)
        p->source = source_table(&p->terms, &p->arena);
    return status == HEDDLE_MEMORY || (status == HEDDLE_OK && !p->source) ? proof_no_memory(p) : status;
}

/* ---- the conclusion ---- */

/* Confirms that plain runs on each set of data leave what was derived; if not, the order of warps matters. */
static enum heddle_status confirm_followed(struct proof *p) {
    proof_step(p, "checking what was derived by runs of", p->launch[1].kernel->name);
    for (u32 n = 0; n < TRIALS && p->followed; n++) {
        enum heddle_status status = trial_both(p, n);
        if (status != HEDDLE_OK)
            return status;
        bool right = true;
        if (!proof_agrees(p, &right))
            return proof_no_memory(p);
        p->followed &= right;
    }
    return HEDDLE_OK;
}

enum heddle_status proof_follow(struct proof *p) {
    struct heddle_proof_depends *told = p->out->depends;
    enum { NOBODY = 2 };
    p->ended = NOBODY;
    enum heddle_status status = proof_explore(p);
    if (status == HEDDLE_OK && p->followed)
        status = confirm_followed(p);
    if (status != HEDDLE_OK || p->followed)
        return status;
    p->out->paths = 0;
    struct heddle_proof_depends reason[2] = {{0}};
    if (p->ended != NOBODY) {
        told[0] = told[1] = (struct heddle_proof_depends){0};
        if (!proof_tell_depends(p, p->ended))
            return proof_no_memory(p);
    }
    memcpy(reason, told, sizeof reason);
    status = proof_derive(p, 0);
    if (p->ended != NOBODY)
        memcpy(told, reason, sizeof reason);
    return status;
}
