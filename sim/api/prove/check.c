/*
 * Races and barriers of a proof: checkers watch each kernel's shadowed run. The addresses that lanes access depend on
 * no data, or the proof reports it; so the findings hold for all data.
 */
#include "sim/api/prove/prove.h"

#include "sim/api/check.h"

enum { KINDS = 1 << CHECK_RACE | 1 << CHECK_SYNC };

bool proof_check_begin(struct proof *p, u32 side) {
    const struct check_setup setup = {.launch = &p->launch[side], .kinds = KINDS, .order = true};
    p->check[side] = check_new(&setup);
    return p->check[side] != NULL;
}

bool proof_check_end(struct proof *p, u32 side) {
    struct check *c = p->check[side];
    struct heddle_proof_findings *out = &p->out->findings[side];
    p->check[side] = NULL;
    out->forgotten = check_forgotten(c);
    bool ok = !check_failed(c) && check_list(c, p->h, NULL, &out->list, &out->count);
    check_free(c);
    return ok;
}

bool proof_ordered(const struct proof *p) {
    const struct heddle_proof_findings *a = &p->out->findings[0], *b = &p->out->findings[1];
    return !a->count && !a->forgotten && !b->count && !b->forgotten;
}
