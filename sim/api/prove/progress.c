/* Whether a proof may continue: its progress, its time, its memory. */
#include "sim/api/prove/prove.h"

#include <stdio.h>

void proof_step(struct proof *p, const char *what, const char *name) {
    snprintf(p->step, sizeof p->step, "%s %s", what, name);
    p->share = 0;
}

bool proof_goes_on(void *proof) {
    struct proof *p = proof;
    const struct heddle_prove *asked = p->asked;
    if (!p->undecided && asked->progress && !asked->progress(asked->progress_ctx, p->share, p->step))
        p->undecided = "stopped";
    if (!p->undecided && p->until > 0 && asked->clock() >= p->until)
        p->undecided = "time";
    return !p->undecided;
}

bool proof_progress(void *proof, double share) {
    struct proof *p = proof;
    p->share = share;
    return proof_goes_on(p);
}

enum heddle_status proof_no_memory(struct proof *p) {
    context_no_memory(p->h, "the expressions of a proof");
    return HEDDLE_MEMORY;
}
