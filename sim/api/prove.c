/*
 * Proofs. Both kernels run on one set of data with their shadows (sim/prove/shadow.h); when neither's control flow is
 * data-dependent and all expressions agree, they are equal for all inputs. Otherwise plain runs on more data look for a
 * difference, and if there is none the answer says what is missing.
 */
#include "sim/api/prove.h"

#include <stdio.h>
#include <string.h>

#include "sim/api/launch.h"

static const char *const verdict_names[] = {"equal", "different", "unproved", "depends", "order", "undecided"};

/* ---- whether it goes on ---- */

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

/* ---- the launches ---- */

static bool has_parameter(const struct kernel *k, const char *name) {
    for (u32 i = 0; i < k->nparams; i++)
        if (strcmp(k->param[i].name, name) == 0)
            return true;
    return false;
}

/* Arguments of which this kernel has parameters; those that neither has go to both, which report them. */
static const struct heddle_arg *own_args(struct proof *p, const struct heddle_prove *asked, u32 side, u32 *n) {
    struct heddle_arg *list = arena_alloc(&p->arena, asked->nargs * sizeof *list);
    const struct kernel *k[2];
    *n = 0;
    for (u32 s = 0; s < 2; s++)
        k[s] = program_kernel(asked->kernel[s].program->program, asked->kernel[s].entry);
    for (u32 i = 0; list && i < asked->nargs; i++) {
        const char *name = asked->args[i].name ? asked->args[i].name : "";
        bool other = k[1 - side] && has_parameter(k[1 - side], name);
        if (!k[side] || has_parameter(k[side], name) || !other)
            list[(*n)++] = asked->args[i];
    }
    return list;
}

static enum heddle_status prepare(struct proof *p, const struct heddle_prove *asked, u32 side) {
    const struct heddle_prove_kernel *k = &asked->kernel[side];
    struct heddle_launch l = {.entry = k->entry, .warp = asked->warp, .progress = proof_progress, .progress_ctx = p};
    struct launch *made = &p->launch[side];
    l.max_instructions = asked->max_instructions ? asked->max_instructions : HEDDLE_PROVE_INSTRUCTIONS;
    memcpy(l.grid, k->grid, sizeof l.grid);
    memcpy(l.block, k->block, sizeof l.block);
    l.args = own_args(p, asked, side, &l.nargs);
    if (!l.args)
        return HEDDLE_MEMORY;
    if (!launch_prepare(p->h, k->program, &l, made, p->params[side]))
        return HEDDLE_INPUT;
    made->memory = &p->after[side];
    made->issues = arena_alloc(&p->arena, made->program->ninst * sizeof *made->issues);
    made->lanes = arena_alloc(&p->arena, made->program->ninst * sizeof *made->lanes);
    return made->issues && made->lanes ? HEDDLE_OK : HEDDLE_MEMORY;
}

/* ---- the buffers ---- */

static bool memory_copy(struct proof *p, struct memory *m) {
    m->count = p->count;
    m->list = arena_alloc(&p->arena, p->count * sizeof *m->list);
    for (u32 i = 0; m->list && i < p->count; i++) {
        m->list[i] = p->h->memory.list[i];
        m->list[i].bytes = arena_alloc(&p->arena, m->list[i].size);
        if (!m->list[i].bytes)
            return false;
    }
    return m->list != NULL;
}

static bool buffers(struct proof *p) {
    p->count = p->h->memory.count;
    p->buffer = arena_alloc(&p->arena, p->count * sizeof *p->buffer);
    p->role = arena_alloc(&p->arena, p->count * sizeof *p->role);
    p->written = arena_alloc(&p->arena, p->count * sizeof *p->written);
    struct describe_buffer *names = arena_alloc(&p->arena, p->count * sizeof *names);
    if (!p->buffer || !p->role || !p->written || !names)
        return false;
    for (u32 i = 0; i < p->count; i++) {
        p->buffer[i] = context_buffer(p->h, p->h->memory.list[i].name);
        names[i] = (struct describe_buffer){.name = p->buffer[i]->name, .bytes = proof_size(p, i)};
    }
    p->describe = (struct describe){.e = &p->terms, .buffer = names};
    return memory_copy(p, &p->start) && memory_copy(p, &p->after[0]) && memory_copy(p, &p->after[1]);
}

static bool roles(struct proof *p, const struct heddle_prove *asked) {
    for (u32 k = 0; k < asked->nbuffers; k++) {
        const char *name = asked->buffers[k].name;
        u32 i = 0;
        while (i < p->count && strcmp(p->buffer[i]->name, name) != 0)
            i++;
        if (i == p->count)
            return context_fail(p->h, "heddle", "there is no buffer '%s'%s", name,
                                suggest(context_nearest_buffer(p->h, name)).text);
        p->role[i] = asked->buffers[k].role;
    }
    return true;
}

/* ---- the shadows ---- */

static enum heddle_status out_of_memory(struct proof *p) {
    context_no_memory(p->h, "the expressions of a proof");
    return HEDDLE_MEMORY;
}

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
    if (!proof_check_begin(p, side))
        return false;
    setup.check = p->check[side];
    return shadow_init(p->shadow[side], &setup);
}

/* Runs a kernel with its shadow. */
static enum heddle_status shadow(struct proof *p, u32 side) {
    proof_step(p, "deriving what is left by", p->launch[side].kernel->name);
    if (!proof_shadow(p, side, (struct shadow_setup){.bound = 0}))
        return out_of_memory(p);
    enum heddle_status status = trial_run(p, side, true);
    if (!proof_check_end(p, side))
        return out_of_memory(p);
    if (p->shadow[side]->failed || p->terms.failed)
        return status == HEDDLE_OK ? out_of_memory(p) : status;
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
            list[i][w] = shadow_word(p->shadow[side], i, w); /* of untouched ones, too */
    }
    return p->terms.failed ? NULL : list;
}

/* Whether a word depends on an unwritten value. */
static bool unwritten(const struct proof *p, u32 word) {
    u32 bit[32];
    term_bits(&p->terms, word, bit);
    for (u32 i = 0; i < 32; i++)
        if (p->source[bit_atom(bit[i])].fresh)
            return true;
    return false;
}

/*
 * Checks what was derived: on the data of a run, the terms must give the bytes that the machine left; a mistake in the
 * derivation would otherwise be a wrong "equal". *right is left as it is, or made false. Unwritten values are only
 * there in runs that are shadowed. False when out of memory.
 */
static bool compare_run(struct proof *p, bool *right) {
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
                *right &= same || (p->followed && unwritten(p, word));
            }
        }
    arena_free(&arena);
    return value != NULL;
}

static bool check(struct proof *p) {
    bool right = true;
    bool done = compare_run(p, &right);
    if (!right)
        BUG("an expression does not give what the machine left");
    return done;
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

/* ---- the comparison ---- */

void proof_bits(struct proof *p, u32 side, u32 buffer, u64 element, u32 bit[64]) {
    u32 size = proof_size(p, buffer), word[32];
    for (u32 n = 0; n < size; n++) {
        u64 byte = element * size + n;
        if (n == 0 || byte % 4 == 0)
            term_bits(&p->terms, p->word[side][buffer][byte / 4], word);
        memcpy(bit + 8 * n, word + 8 * (byte % 4), 8 * sizeof *bit);
    }
}

bool proof_unlike(struct proof *p, u32 buffer, u64 element, u32 a[64], u32 b[64]) {
    if (!p->written[buffer] || p->role[buffer] == HEDDLE_ROLE_SCRATCH)
        return false;
    proof_bits(p, 0, buffer, element, a);
    proof_bits(p, 1, buffer, element, b);
    return memcmp(a, b, 8 * proof_size(p, buffer) * sizeof *a) != 0;
}

static void compare(struct proof *p) {
    u32 a[64], b[64];
    for (u32 i = 0; i < p->count; i++)
        for (u64 k = 0; k < p->buffer[i]->count; k++) {
            if (!proof_unlike(p, i, k, a, b))
                continue;
            if (!p->differs) {
                p->at_buffer = i;
                p->at_element = k;
            }
            p->differs = true;
            p->differing++;
        }
}

/* ---- the verdict ---- */

static void data(struct proof *p, u32 number) {
    const struct model_word *m = (const struct model_word *)(const void *)p->model.data;
    trial_data(p, number == TRIAL_MODEL ? 0 : number);
    for (size_t k = 0; number == TRIAL_MODEL && k < p->model.len / sizeof *m; k++) {
        const struct allocation *a = &p->start.list[m[k].buffer];
        for (u32 i = 0; i < 4 && 4 * (u64)m[k].word + i < a->size; i++) {
            u8 byte = (u8)(m[k].value >> 8 * i);
            a->bytes[4 * (u64)m[k].word + i] = p->buffer[m[k].buffer]->type == ET_BOOL ? byte & 1 : byte;
        }
    }
}

enum heddle_status proof_try(struct proof *p, u32 number) {
    enum heddle_status status = HEDDLE_OK;
    data(p, number);
    for (u32 side = 0; side < 2 && status == HEDDLE_OK; side++)
        status = trial_run(p, side, false);
    return status;
}

static enum heddle_status look_for_difference(struct proof *p) {
    proof_step(p, "looking for data that show a difference of", p->launch[1].kernel->name);
    for (; p->trial < TRIALS; p->trial++) {
        enum heddle_status status = proof_try(p, p->trial);
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

/* Equal: then the terms, derived on one set of data, must predict what both kernels leave on another. */
static enum heddle_status confirm(struct proof *p) {
    enum { ANOTHER = 5 };
    if (trial_differs(p))
        BUG("two kernels that are equal for all inputs differ on one");
    enum heddle_status status = proof_try(p, ANOTHER);
    if (status == HEDDLE_OK && !check(p))
        return out_of_memory(p);
    p->out->verdict = proof_ordered(p) ? HEDDLE_EQUAL : HEDDLE_ORDER;
    p->out->trials = p->out->trials ? p->out->trials + 1 : 2;
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

static void forget(struct proof *p) {
    for (u32 side = 0; side < 2; side++) {
        if (p->shadow[side])
            shadow_free(p->shadow[side]);
        check_free(p->check[side]);
        p->check[side] = NULL;
    }
    term_free(&p->terms);
    p->shadow[0] = p->shadow[1] = NULL;
}

/* No expressions, for another run of both kernels. */
static bool begin(struct proof *p) {
    forget(p);
    if (!term_init(&p->terms) || !term_bound(&p->terms, &p->h->budget))
        return false;
    p->terms.reassociate = p->assuming;
    return true;
}

/* Runs both kernels with their shadows on a set of data, and checks what they derive. */
static enum heddle_status derive(struct proof *p, u32 number) {
    enum heddle_status status = HEDDLE_OK;
    if (!begin(p))
        return out_of_memory(p);
    data(p, number);
    for (u32 side = 0; side < 2 && status == HEDDLE_OK; side++)
        status = shadow(p, side);
    if (status != HEDDLE_OK)
        return status;
    for (u32 side = 0; side < 2; side++) {
        p->word[side] = proof_words(p, side);
        if (!p->word[side])
            return out_of_memory(p);
    }
    p->source = source_table(&p->terms, &p->arena);
    if (!p->source || (!p->assuming && !check(p)))
        return out_of_memory(p);
    for (u32 side = 0; side < 2; side++)
        if (!proof_tell_depends(p, side))
            return out_of_memory(p);
    return HEDDLE_OK;
}

/* What was derived for all data must be what plain runs leave on each set, or else the order of warps matters. */
static enum heddle_status confirm_followed(struct proof *p) {
    proof_step(p, "checking what was derived by runs of", p->launch[1].kernel->name);
    for (u32 n = 0; n < TRIALS && p->followed; n++) {
        enum heddle_status status = proof_try(p, n);
        if (status != HEDDLE_OK)
            return status;
        bool right = true;
        if (!compare_run(p, &right))
            return out_of_memory(p);
        p->followed &= right;
    }
    return HEDDLE_OK;
}

/* Runs both kernels for all data: p->followed, or p->ended. */
static enum heddle_status explore(struct proof *p) {
    enum heddle_status status = begin(p) ? proof_explore(p) : HEDDLE_MEMORY;
    if (status == HEDDLE_OK)
        p->source = source_table(&p->terms, &p->arena);
    return status == HEDDLE_MEMORY || (status == HEDDLE_OK && !p->source) ? out_of_memory(p) : status;
}

/* Follows control flow that depends on data; if that cannot be done, all is as it was, and the reason is told. */
static enum heddle_status follow(struct proof *p) {
    struct heddle_proof_depends *told = p->out->depends;
    enum { NOBODY = 2 };
    p->ended = NOBODY;
    enum heddle_status status = explore(p);
    if (status == HEDDLE_OK && p->followed)
        status = confirm_followed(p);
    if (status != HEDDLE_OK || p->followed)
        return status;
    p->out->paths = 0;
    struct heddle_proof_depends reason[2] = {{0}};
    if (p->ended != NOBODY) {
        told[0] = told[1] = (struct heddle_proof_depends){0};
        if (!proof_tell_depends(p, p->ended))
            return out_of_memory(p);
    }
    memcpy(reason, told, sizeof reason);
    status = derive(p, 0);
    if (p->ended != NOBODY)
        memcpy(told, reason, sizeof reason);
    return status;
}

/* Once more with the assumption, under which forms do not give the bytes of a run: equal, or as it was. */
static enum heddle_status assume(struct proof *p) {
    bool differs = p->differs, followed = p->followed;
    u64 differing = p->differing, element = p->at_element;
    u32 buffer = p->at_buffer;
    p->assuming = true;
    p->differs = false;
    enum heddle_status status = followed ? explore(p) : derive(p, 0);
    bool known = p->refuted && p->undecided && strcmp(p->undecided, "time") == 0;
    if (status != HEDDLE_OK && !known)
        return status;
    bool derived = status == HEDDLE_OK && p->followed == followed;
    if (derived)
        compare(p);
    if (derived && !p->differs) {
        p->out->verdict = proof_ordered(p) ? HEDDLE_EQUAL : HEDDLE_ORDER;
        p->out->assumed = HEDDLE_ASSUME_REASSOCIATION;
        p->refuted = false;
        return status;
    }
    p->assuming = false;
    p->differs = differs;
    p->differing = differing;
    p->at_buffer = buffer;
    p->at_element = element;
    p->followed = followed;
    if (p->refuted) {
        p->until = 0;
        p->undecided = NULL;
    }
    if (p->refuted && (p->trial > 0 || followed)) /* described by the data that shows it */
        return HEDDLE_OK;
    return followed ? explore(p) : derive(p, 0);
}

/* A plain run of each kernel: one that never ends is told before its shadow has followed it for long. */
static enum heddle_status probe(struct proof *p) {
    enum heddle_status status = HEDDLE_OK;
    data(p, 0);
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
 * When a kernel's control flow is data-dependent, other data has other terms: a difference is described as the shadows
 * see it on the data that shows it.
 */
static enum heddle_status conclude(struct proof *p, const struct heddle_prove *asked) {
    enum heddle_status status = probe(p);
    if (status == HEDDLE_OK)
        status = derive(p, 0);
    for (u32 side = 0; side < 2 && status == HEDDLE_OK; side++)
        status = proof_note_written(p, side);
    if (status != HEDDLE_OK)
        return status;
    p->depends = p->shadow[0]->depends.kind != DEPEND_NONE || p->shadow[1]->depends.kind != DEPEND_NONE;
    if (p->depends && p->bound) {
        status = follow(p);
        p->depends = !p->followed;
    }
    if (status != HEDDLE_OK)
        return status;
    compare(p);
    status = decide(p);
    if (status == HEDDLE_OK && p->differs && !p->depends && p->out->verdict != HEDDLE_EQUAL &&
        p->out->verdict != HEDDLE_ORDER && asked->assume & HEDDLE_ASSUME_REASSOCIATION)
        status = assume(p);
    if (p->refuted)
        p->until = 0;
    if (status == HEDDLE_OK && p->refuted && (p->trial > 0 || p->followed)) {
        p->followed = false;
        p->out->paths = 0;
        status = derive(p, p->trial);
    }
    if (status != HEDDLE_OK)
        return status;
    p->out->name = verdict_names[p->out->verdict];
    return proof_tell(p) ? HEDDLE_OK : out_of_memory(p);
}

static enum heddle_status prove(struct proof *p, const struct heddle_prove *asked) {
    enum heddle_status status = HEDDLE_OK;
    if (!buffers(p))
        return out_of_memory(p);
    if (!roles(p, asked))
        return HEDDLE_INPUT;
    for (u32 side = 0; side < 2 && status == HEDDLE_OK; side++)
        status = prepare(p, asked, side);
    if (status == HEDDLE_MEMORY)
        return out_of_memory(p);
    if (status != HEDDLE_OK)
        return status;
    if (p->launch[0].width != p->launch[1].width) {
        context_fail(p->h, "heddle", "the kernels run at different warp widths, %u and %u: say which one is meant",
                     p->launch[0].width, p->launch[1].width);
        return HEDDLE_INPUT;
    }
    p->out->warp = p->launch[0].width;
    for (u32 side = 0; side < 2; side++)
        p->out->kernel[side] = p->launch[side].kernel->name;
    return conclude(p, asked);
}

enum heddle_status heddle_prove(struct heddle *h, const struct heddle_prove *asked, struct heddle_proof *proof) {
    struct arena arena = {0};
    struct proof *p = arena_alloc(&arena, sizeof *p);
    context_begin(h);
    arena_free(&h->result);
    *proof = (struct heddle_proof){0};
    if (!p) {
        context_no_memory(h, "a proof");
        return HEDDLE_MEMORY;
    }
    if (asked->max_seconds > 0 && !asked->clock) {
        arena_free(&arena);
        context_fail(h, "heddle", "max_seconds needs a clock");
        return HEDDLE_INPUT;
    }
    p->h = h;
    p->asked = asked;
    p->until = asked->max_seconds > 0 ? asked->clock() + asked->max_seconds : 0;
    p->arena.budget = p->model.budget = p->never.budget = &h->budget;
    p->out = proof;
    p->solver = asked->solver;
    p->bound = asked->bound ? asked->bound > 0 ? (u32)asked->bound : 0 : HEDDLE_PROVE_BOUND;
    p->seconds = asked->solver_seconds > 0 ? asked->solver_seconds : HEDDLE_PROVE_SECONDS;
    enum heddle_status status = prove(p, asked);
    if (status == HEDDLE_FAULT && p->undecided)
        status = proof_tell_undecided(p) ? HEDDLE_OK : out_of_memory(p);
    forget(p);
    buf_free(&p->model);
    buf_free(&p->never);
    arena_free(&p->arena);
    arena_free(&arena);
    return status;
}
