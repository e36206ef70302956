/* Derives what both kernels leave, as expressions: runs with their shadows, and checks of the expressions. */
#include "sim/api/prove/prove.h"

#include "sim/prove/sizes.h"

/* ---- one run ---- */

bool proof_shadow(struct proof *p, u32 side, struct shadow_setup setup) {
    enum shadow_role *role = arena_alloc(&p->arena, p->count * sizeof *role);
    if (p->shadow[side])
        shadow_free(p->shadow[side]);
    else
        p->shadow[side] = arena_alloc(&p->arena, sizeof *p->shadow[side]);
    if (!role || !p->shadow[side])
        return false;
    for (u32 i = 0; i < p->count; i++)
        role[i] = p->role[i] == HEDDLE_ROLE_OUT || p->role[i] == HEDDLE_ROLE_SCRATCH ? ROLE_ZEROS : ROLE_ANY;
    setup.launch = &p->launch[side];
    setup.terms = &p->terms;
    setup.side = side;
    setup.role = role;
    setup.goes_on = proof_goes_on;
    setup.goes_on_ctx = p;
    setup.sizes = p->sizes;
    if (!proof_check_begin(p, side))
        return false;
    setup.check = p->check[side];
    return shadow_init(p->shadow[side], &setup);
}

/* Runs a kernel with its shadow. */
static enum heddle_status shadow(struct proof *p, u32 side) {
    proof_step(p, "deriving what is left by", p->launch[side].kernel->name);
    if (!proof_shadow(p, side, (struct shadow_setup){.bound = 0}))
        return proof_no_memory(p);
    enum heddle_status status = trial_run(p, side, true);
    if (!proof_check_end(p, side))
        return proof_no_memory(p);
    if (p->shadow[side]->failed || p->terms.failed)
        return status == HEDDLE_OK ? proof_no_memory(p) : status;
    return status;
}

u32 **proof_words(struct proof *p, u32 side) {
    u32 **list = arena_alloc(&p->arena, p->count * sizeof *list);
    for (u32 i = 0; list && i < p->count; i++) {
        const u32 words = p->shadow[side]->cells[i].words;
        list[i] = arena_alloc(&p->arena, words * sizeof **list);
        if (!list[i])
            return NULL;
        for (u32 w = 0; w < words; w++)
            list[i][w] = shadow_word(p->shadow[side], i, w); /* also of untouched buffers */
    }
    return p->terms.failed ? NULL : list;
}

enum heddle_status proof_note_written(struct proof *p, u32 side) {
    for (u32 i = 0; i < p->count; i++) {
        bool written = false;
        for (u64 k = 0; k < p->start.list[i].size && !written; k++)
            written = shadow_writer(p->shadow[side], i, k) != NULL;
        p->written[i] |= written;
        if (!written || p->role[i] != HEDDLE_ROLE_IN)
            continue;
        context_fail(p->h, p->launch[side].program->file,
                     "kernel '%s' writes to buffer '%s', which is given as an input only", p->launch[side].kernel->name,
                     p->buffer[i]->name);
        return HEDDLE_INPUT;
    }
    return HEDDLE_OK;
}

/* ---- the expressions ---- */

/* True if a word depends on an unwritten value. */
static bool unwritten(const struct proof *p, u32 word) {
    u32 bit[32];
    term_bits(&p->terms, word, bit);
    for (u32 i = 0; i < 32; i++)
        if (p->source[bit_atom(bit[i])].fresh)
            return true;
    return false;
}

bool proof_agrees(struct proof *p, bool *right) {
    struct arena arena = {.budget = &p->h->budget};
    struct source_values on = {.start = &p->start, .eval = p->shadow[0]->lanes, .arena = &arena};
    const u64 *value = source_values(&p->terms, &on);
    for (u32 side = 0; value && side < 2; side++)
        for (u32 i = 0; i < p->count; i++) {
            const struct allocation *a = &p->after[side].list[i];
            for (u32 w = 0; 4 * (u64)w < a->size; w++) {
                u32 word = p->word[side][i][w], v = source_word(&p->terms, value, word);
                bool same = true;
                for (u32 k = 0; k < 4 && 4 * (u64)w + k < a->size; k++)
                    same &= a->bytes[4 * (u64)w + k] == (u8)(v >> 8 * k);
                *right &= same || p->shadow[side]->joined || (p->followed && unwritten(p, word));
            }
        }
    arena_free(&arena);
    return value != NULL;
}

bool proof_verify(struct proof *p) {
    bool right = true;
    bool done = proof_agrees(p, &right);
    if (!right)
        BUG("an expression does not give what the machine left");
    return done;
}

/* ---- both kernels ---- */

void proof_forget(struct proof *p) {
    for (u32 side = 0; side < 2; side++) {
        if (p->shadow[side])
            shadow_free(p->shadow[side]);
        check_free(p->check[side]);
        p->check[side] = NULL;
    }
    term_free(&p->terms);
    p->shadow[0] = p->shadow[1] = NULL;
}

bool proof_begin(struct proof *p) {
    proof_forget(p);
    if (!term_init(&p->terms) || !term_bound(&p->terms, &p->h->budget))
        return false;
    p->terms.reassociate = p->assuming;
    return !p->sizes || sizes_begin(p->sizes, &p->terms, p->launch, &p->after[0]);
}

enum heddle_status proof_derive(struct proof *p, u32 number) {
    enum heddle_status status = HEDDLE_OK;
    if (!proof_begin(p))
        return proof_no_memory(p);
    trial_data(p, number);
    for (u32 side = 0; side < 2 && status == HEDDLE_OK; side++)
        status = shadow(p, side);
    if (status != HEDDLE_OK)
        return status;
    for (u32 side = 0; side < 2; side++) {
        p->word[side] = proof_words(p, side);
        if (!p->word[side])
            return proof_no_memory(p);
    }
    p->source = source_table(&p->terms, &p->arena);
    if (!p->source || (!p->assuming && !proof_verify(p)))
        return proof_no_memory(p);
    for (u32 side = 0; side < 2; side++)
        if (!proof_tell_depends(p, side))
            return proof_no_memory(p);
    return HEDDLE_OK;
}
