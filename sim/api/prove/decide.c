/* The verdict: compares what both kernels leave, and looks further if it differs. */
#include "sim/api/prove/prove.h"

#include <string.h>

static const char *const verdict_names[] = {"equal", "different", "unproved", "depends", "order", "undecided"};

/* ---- the verdict ---- */

static enum heddle_status look_for_difference(struct proof *p) {
    proof_step(p, "looking for data that show a difference of", p->launch[1].kernel->name);
    for (; p->trial < TRIALS; p->trial++) {
        enum heddle_status status = trial_both(p, p->trial);
        if (status != HEDDLE_OK)
            return status;
        if (trial_differs(p)) {
            p->refuted = true;
            break;
        }
    }
    p->out->trials = p->refuted ? p->trial + 1 : TRIALS;
    return HEDDLE_OK;
}

/*
 * Confirms "equal": the terms, derived on one set of data, must predict what both kernels leave on others. The sets
 * have each kind of data that instructions of the whole warp distinguish: any bits, all ones, all zeros, corners.
 */
static enum heddle_status confirm(struct proof *p) {
    static const u8 others[] = {5, 3, 4, 8};
    enum heddle_status status = HEDDLE_OK;
    if (trial_differs(p))
        BUG("two kernels that are equal for all inputs differ on one");
    for (u32 i = 0; i < COUNT_OF(others) && status == HEDDLE_OK; i++) {
        status = trial_both(p, others[i]);
        if (status == HEDDLE_OK && !proof_verify(p))
            return proof_no_memory(p);
    }
    p->out->verdict = proof_ordered(p) ? HEDDLE_EQUAL : HEDDLE_ORDER;
    p->out->trials = p->out->trials ? p->out->trials : 1 + (u32)COUNT_OF(others);
    return status;
}

static enum heddle_status decide(struct proof *p) {
    struct heddle_proof *out = p->out;
    if (!p->depends && !p->differs)
        return confirm(p);
    enum heddle_status status = look_for_difference(p);
    if (status == HEDDLE_OK && !p->depends && !p->refuted && p->solver.name)
        status = proof_solve(p);
    if (status == HEDDLE_OK && out->solver.name && strcmp(out->solver.answer, "equal") == 0)
        return confirm(p);
    if (status == HEDDLE_OK && !p->refuted && !proof_goes_on(p))
        return HEDDLE_FAULT;
    out->verdict = p->refuted ? HEDDLE_DIFFERENT : p->depends ? HEDDLE_DEPENDS : HEDDLE_UNPROVED;
    return status;
}

/* Runs each kernel without its shadow first: an endless one is found before its shadow has followed it for long. */
static enum heddle_status probe(struct proof *p) {
    enum heddle_status status = HEDDLE_OK;
    trial_data(p, 0);
    for (u32 side = 0; side < 2 && status == HEDDLE_OK; side++) {
        const struct launch *l = &p->launch[side];
        proof_step(p, "running", l->kernel->name);
        status = trial_run(p, side, false);
        for (u32 pc = 0; pc < l->program->ninst; pc++)
            p->issued[side] += l->issues[pc];
    }
    return status;
}

/*
 * Concludes the proof. If control flow is data-dependent, other data have other terms: a difference is described by the
 * shadows on the data that shows it.
 */
enum heddle_status proof_conclude(struct proof *p) {
    enum heddle_status status = probe(p);
    if (status == HEDDLE_OK)
        status = proof_derive(p, 0);
    for (u32 side = 0; side < 2 && status == HEDDLE_OK; side++)
        status = proof_note_written(p, side);
    if (status != HEDDLE_OK)
        return status;
    p->depends = p->shadow[0]->depends.kind != DEPEND_NONE || p->shadow[1]->depends.kind != DEPEND_NONE;
    if (p->depends && p->bound) {
        status = proof_follow(p);
        p->depends = !p->followed;
    }
    if (status != HEDDLE_OK)
        return status;
    proof_compare(p);
    status = decide(p);
    if (status == HEDDLE_OK && p->out->verdict != HEDDLE_EQUAL && p->out->verdict != HEDDLE_ORDER &&
        p->asked->assume & HEDDLE_ASSUME_REASSOCIATION)
        status = proof_assume(p);
    if (p->refuted)
        p->until = 0;
    if (status == HEDDLE_OK && p->refuted && (p->trial > 0 || p->followed)) {
        p->followed = false;
        p->out->paths = 0;
        status = proof_derive(p, p->trial);
    }
    if (status != HEDDLE_OK)
        return status;
    p->out->name = verdict_names[p->out->verdict];
    return proof_tell(p) ? HEDDLE_OK : proof_no_memory(p);
}
