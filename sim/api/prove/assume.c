/*
 * The verdict when floating-point sums may be reassociated. Expressions that ignore the order of sums may be the same;
 * if they are not, data may differ by rounding alone, which is no difference.
 */
#include "sim/api/prove/prove.h"

#include "sim/prove/rounding.h"

/* ---- equal ---- */

/* A reported element, and how many differ. */
struct place {
    bool differs;
    u32 buffer;
    u64 element, differing;
};

/* Notes the elements whose forms differ without the assumption. False when out of memory. */
static bool note_unlike(struct proof *p) {
    u32 a[64], b[64];
    for (u32 i = 0; i < p->count; i++) {
        const u64 n = p->buffer[i]->count;
        p->unlike[i] = arena_alloc(&p->arena, n * sizeof **p->unlike);
        for (u64 k = 0; k < n && p->unlike[i]; k++)
            p->unlike[i][k] = proof_unlike(p, i, k, a, b);
        if (!p->unlike[i])
            return false;
    }
    return true;
}

static struct place place_get(const struct proof *p) {
    return (struct place){p->differs, p->at_buffer, p->at_element, p->differing};
}

static void place_set(struct proof *p, struct place at) {
    p->differs = at.differs;
    p->at_buffer = at.buffer;
    p->at_element = at.element;
    p->differing = at.differing;
}

/*
 * Derives and compares once more with the assumption, under which forms need not give the bytes of a run: equal, or all
 * is as it was. `assumed`: where the forms differ.
 */
static enum heddle_status derive_assuming(struct proof *p, struct place *assumed) {
    const struct place before = place_get(p);
    const bool followed = p->followed;
    if (!note_unlike(p))
        return proof_no_memory(p);
    p->assuming = true;
    place_set(p, (struct place){.differs = false});
    enum heddle_status status = followed ? proof_explore(p) : proof_derive(p, 0);
    bool derived = status == HEDDLE_OK && p->followed == followed;
    if (derived)
        proof_compare(p);
    if (status != HEDDLE_OK || (derived && !p->differs))
        return status;
    *assumed = derived ? place_get(p) : before;
    p->assuming = false;
    p->followed = followed;
    place_set(p, before);
    return followed ? proof_explore(p) : proof_derive(p, 0);
}

/* ---- different ---- */

/*
 * True if an element's bits, as each kernel leaves them on the data of a run, are the same for any order of sums, by
 * expressions that give those bits.
 */
static bool is_sure(struct proof *p, u32 buffer, u64 element, const u64 *value, const bool *loose) {
    const u32 size = proof_size(p, buffer);
    for (u32 side = 0; side < 2; side++) {
        const u8 *bytes = p->after[side].list[buffer].bytes + element * size;
        u32 bit[64];
        proof_bits(p, side, buffer, element, bit);
        for (u32 i = 0; i < 8 * size; i++)
            if (loose[bit_atom(bit[i])] || source_bit(value, bit[i]) != (bytes[i / 8] >> i % 8 & 1u))
                return false;
    }
    return true;
}

/* Finds the first element that surely differs after a run, and counts those that do. */
static struct place sure_place(struct proof *p, const u64 *value, const bool *loose) {
    struct place at = {.differs = false};
    for (u32 i = 0; i < p->count; i++)
        for (u64 k = 0; k < p->buffer[i]->count && p->role[i] != HEDDLE_ROLE_SCRATCH; k++) {
            if (trial_same(p, i, k) || !is_sure(p, i, k, value, loose))
                continue;
            if (!at.differing++)
                at = (struct place){true, i, k, 1};
        }
    return at;
}

/*
 * Looks for a difference on one set of data. If data-dependent control flow was not followed, the expressions hold for
 * this data only, and control flow must not depend on a sum that another order may change.
 */
static enum heddle_status look_at(struct proof *p, u32 number, struct place *at) {
    struct arena arena = {.budget = &p->h->budget};
    if (p->depends) {
        enum heddle_status status = proof_derive(p, number);
        if (status != HEDDLE_OK)
            return status;
    }
    struct source_values on = {.start = &p->start, .eval = p->shadow[0]->lanes, .arena = &arena};
    const u64 *value = source_values(&p->terms, &on);
    const bool *loose = value ? rounding_table(&p->terms, value, &arena) : NULL;
    bool sure = loose != NULL;
    for (u32 atom = 1; sure && p->depends && atom < term_atoms(&p->terms); atom++)
        sure = !loose[atom];
    *at = sure ? sure_place(p, value, loose) : (struct place){.differs = false};
    bool failed = loose == NULL;
    arena_free(&arena);
    return failed ? proof_no_memory(p) : HEDDLE_OK;
}

/* Looks for data with a difference for any order of sums: p->trial, and the place; else not refuted. */
static enum heddle_status look_for_sure_difference(struct proof *p) {
    struct place at = {.differs = false};
    proof_step(p, "looking for data whose difference no rounding explains of", p->launch[1].kernel->name);
    p->out->trials = 0;
    for (u32 n = 0; n < TRIALS_ALL; n++) {
        if (n == TRIAL_MODEL && !p->model.len)
            continue;
        enum heddle_status status = trial_both(p, n);
        if (status == HEDDLE_OK && trial_differs(p))
            status = look_at(p, n, &at);
        if (status == HEDDLE_OK && !proof_goes_on(p))
            status = HEDDLE_FAULT;
        if (status != HEDDLE_OK)
            return status;
        p->out->trials++;
        p->trial = n;
        if (at.differs) {
            place_set(p, at);
            return HEDDLE_OK;
        }
    }
    p->refuted = false;
    return p->depends ? proof_derive(p, 0) : HEDDLE_OK;
}

enum heddle_status proof_assume(struct proof *p) {
    struct place assumed = place_get(p);
    enum heddle_status status = HEDDLE_OK;
    if (!p->depends && p->differs) {
        status = derive_assuming(p, &assumed);
        if (status != HEDDLE_OK)
            return status;
    }
    if (p->assuming) {
        p->refuted = false;
        p->out->verdict = proof_ordered(p) ? HEDDLE_EQUAL : HEDDLE_ORDER;
        p->out->assumed = HEDDLE_ASSUME_REASSOCIATION;
        return HEDDLE_OK;
    }
    if (!p->refuted)
        return HEDDLE_OK;
    status = look_for_sure_difference(p);
    if (status != HEDDLE_OK || p->refuted)
        return status;
    place_set(p, assumed);
    p->out->verdict = p->depends ? HEDDLE_DEPENDS : HEDDLE_UNPROVED;
    p->out->assumed = HEDDLE_ASSUME_REASSOCIATION;
    return HEDDLE_OK;
}
