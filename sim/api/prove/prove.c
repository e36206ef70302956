/*
 * Proofs. Both kernels run on one set of data with their shadows (sim/prove/shadow.h); if neither's control flow is
 * data-dependent and all expressions agree, they are equal for all inputs. Otherwise plain runs on more data look for a
 * difference; if there is none, the answer names what is missing.
 */
#include "sim/api/prove/prove.h"

#include <string.h>

#include "sim/api/launch.h"
#include "sim/api/module.h"
#include "sim/api/prove/range.h"
#include "sim/api/recording.h"

/* ---- the launches ---- */

static bool has_parameter(const struct program *p, const struct kernel *k, const char *name) {
    return kernel_param(k, name) || program_module(p, name);
}

/* Selects the arguments that this kernel has parameters for. Both get those that neither has, and report them. */
static const struct heddle_arg *own_args(struct proof *p, const struct heddle_prove *asked, u32 side, u32 *n) {
    struct heddle_arg *list = arena_alloc(&p->arena, asked->nargs * sizeof *list);
    const struct kernel *k[2];
    const struct program *of[2];
    *n = 0;
    for (u32 s = 0; s < 2; s++) {
        of[s] = asked->kernel[s].program->program;
        k[s] = program_kernel(of[s], asked->kernel[s].entry);
    }
    for (u32 i = 0; list && i < asked->nargs; i++) {
        const char *name = asked->args[i].name ? asked->args[i].name : "";
        bool other = k[1 - side] && has_parameter(of[1 - side], k[1 - side], name);
        if (!k[side] || has_parameter(of[side], k[side], name) || !other)
            list[(*n)++] = asked->args[i];
    }
    return list;
}

/* A proof is about any contents of buffers: none that a launch copies into constants and values when it begins. */
static bool any_contents(struct proof *p, const struct launch *l, const struct heddle_launch *asked) {
    for (u32 i = 0; i < asked->nargs; i++)
        if (module_copies(l->program, l->kernel, &asked->args[i]))
            return context_fail(p->h, l->program->file,
                                "'%s' takes the contents of a buffer, which a proof takes as any: give numbers",
                                asked->args[i].name);
    return true;
}

static enum heddle_status prepare(struct proof *p, const struct heddle_prove *asked, u32 side) {
    const struct heddle_prove_kernel *k = &asked->kernel[side];
    struct heddle_launch l = {.entry = k->entry, .warp = asked->warp, .progress = proof_progress, .progress_ctx = p};
    struct launch *made = &p->launch[side];
    l.max_instructions = asked->max_instructions ? asked->max_instructions : HEDDLE_PROVE_INSTRUCTIONS;
    l.shared_bytes = asked->shared_bytes;
    memcpy(l.grid, k->grid, sizeof l.grid);
    memcpy(l.block, k->block, sizeof l.block);
    l.args = own_args(p, asked, side, &l.nargs);
    if (!l.args)
        return HEDDLE_MEMORY;
    if (!launch_prepare(p->h, k->program, &l, made, p->params[side]) || !any_contents(p, made, &l))
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
    p->unlike = arena_alloc(&p->arena, p->count * sizeof *p->unlike);
    if (!p->buffer || !p->role || !p->written || !p->unlike || !names)
        return false;
    for (u32 i = 0; i < p->count; i++) {
        p->buffer[i] = context_buffer(p->h, p->h->memory.list[i].name);
        names[i] = (struct describe_buffer){.name = p->buffer[i]->name, .bytes = proof_size(p, i)};
    }
    p->describe = (struct describe){.e = &p->terms, .buffer = names, .launch = p->launch};
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

/* ---- the whole ---- */

static enum heddle_status prove(struct proof *p, const struct heddle_prove *asked) {
    enum heddle_status status = HEDDLE_OK;
    for (u32 side = 0; side < 2; side++)
        if (!heddle_module_make(p->h, asked->kernel[side].program))
            return HEDDLE_INPUT;
    if (!buffers(p))
        return proof_no_memory(p);
    if (!roles(p, asked))
        return HEDDLE_INPUT;
    for (u32 side = 0; side < 2 && status == HEDDLE_OK; side++)
        status = prepare(p, asked, side);
    if (status == HEDDLE_MEMORY)
        return proof_no_memory(p);
    if (status != HEDDLE_OK)
        return status;
    if (p->launch[0].width != p->launch[1].width) {
        context_fail(p->h, "heddle", "the kernels run at different warp widths, %u and %u: say which one is meant",
                     p->launch[0].width, p->launch[1].width);
        return HEDDLE_INPUT;
    }
    p->out->warp = p->launch[0].width;
    for (u32 side = 0; side < 2; side++)
        p->out->kernels[side] = p->launch[side].kernel->name;
    return proof_conclude(p);
}

enum heddle_status proof_once(struct heddle *h, const struct heddle_prove *asked, struct sizes *sizes,
                              struct heddle_proof *proof) {
    struct arena arena = {0};
    struct proof *p = arena_alloc(&arena, sizeof *p);
    context_begin(h);
    arena_free(&h->result);
    recording_forget(h);
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
    p->sizes = sizes;
    p->solver = asked->solver;
    p->bound = asked->bound ? asked->bound > 0 ? (u32)asked->bound : 0 : HEDDLE_PROVE_BOUND;
    p->seconds = asked->solver_seconds > 0 ? asked->solver_seconds : (double)HEDDLE_PROVE_SECONDS;
    enum heddle_status status = prove(p, asked);
    if (status == HEDDLE_OK && sizes)
        sizes_end(sizes);
    if (status == HEDDLE_FAULT && p->undecided)
        status = proof_tell_undecided(p) ? HEDDLE_OK : proof_no_memory(p);
    proof_forget(p);
    buf_free(&p->model);
    buf_free(&p->never);
    arena_free(&p->arena);
    arena_free(&arena);
    return status;
}

enum heddle_status heddle_prove(struct heddle *h, const struct heddle_prove *asked, struct heddle_proof *proof) {
    return asked->sizes.range ? proof_range(h, asked, proof) : proof_once(h, asked, NULL, proof);
}
