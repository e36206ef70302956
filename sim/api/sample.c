#include "sim/api/sample.h"

#include <string.h>

#include "isa/laws.h"
#include "sim/arch/printed.h"
#include "sim/base/bits.h"
#include "sim/base/decimal.h"

bool sample_read(const char *text, double *bound) {
    static const char word[] = "error:";
    char number[DECIMAL_TEXT] = "";
    size_t len = strlen(text), at = sizeof word - 1;
    if (len < at + 2 || len - at > sizeof number || strncmp(text, word, at) != 0 || text[len - 1] != '%')
        return false;
    memcpy(number, text + at, len - at - 1);
    bool ok = decimal_read(number, bound) && *bound >= 0.1 && *bound <= 50;
    *bound /= 100;
    return ok;
}

bool sample_admits(struct heddle *h, const struct launch *l, const struct heddle_launch *asked) {
    double bound;
    const char *what = asked->check        ? "checkers watch every block"
                       : asked->watch      ? "a recording has every block"
                       : asked->warm       ? "caches are as all blocks of the launch before left them"
                       : asked->dram_banks ? "banks are not extrapolated"
                       : h->traces         ? "a trace of DRAM has every block"
                                           : NULL;
    if (!asked->sample)
        return true;
    if (!h->clocked || asked->functional)
        return context_fail(h, l->program->file, "a launch without a clock has no time to sample: a board is needed");
    if (!sample_read(asked->sample, &bound))
        return context_fail(h, "heddle", "unknown sample '%s'; " SAMPLE_EXPECTED, asked->sample);
    return !what || context_fail(h, l->program->file, "no sample is taken where %s: leave out one of them", what);
}

/* ---- blocks that depend on one another, or on time ---- */

/* Why the order of blocks may matter to the instruction; NULL: it does not. */
static const char *dependence(const struct inst *i) {
    const struct isa_row *row = &isa_rows[i->op];
    u32 hint = inst_mod_or(i, GROUP_HINT, HINT_NONE);
    if (row->iclass == CLASS_ATOM)
        return "its atomics return what others left";
    if (row->iclass == CLASS_RED && law_commuting(i->op) == OP_COUNT)
        return "the order of its reductions decides their result";
    if (row->iclass == CLASS_LD && (hint == HINT_ACQUIRE || hint == HINT_VOLATILE || hint == HINT_CV))
        return "its loads may wait for other blocks";
    if (row->iclass == CLASS_FENCE && i->op != OP_FENCE_BLOCK)
        return "its fences order what other blocks see";
    if (row->iclass == CLASS_SREG && (isa_sregs[i->a].by == BY_TIME || isa_sregs[i->a].by == BY_RUN))
        return "it reads its clock, or the number of its SM";
    return NULL;
}

/* True if the launch may execute it: of its kernel, or of a function. */
static bool may_execute(const struct launch *l, u32 pc) {
    const struct kernel *k = program_at(l->program, pc);
    return k && (k == l->kernel || k->function);
}

static const char *dependent(const struct launch *l) {
    const char *why = l->cooperative ? "its blocks are resident together" : NULL;
    for (u32 pc = 0; pc < l->program->ninst && !why; pc++)
        if (may_execute(l, pc))
            why = dependence(&l->program->inst[pc]);
    return why;
}

/* ---- copies ---- */

/* Writes the copies into the buffers. */
static void restore(const struct launch *l, const struct memory *from) {
    for (u32 i = 0; i < from->count; i++)
        if (from->list[i].size)
            memcpy(l->memory->list[i].bytes, from->list[i].bytes, from->list[i].size);
}

/* Copies all buffers: what a kernel writes to may be beyond those of its parameters. */
static bool prepare_timed(const struct launch *l, struct sample *s) {
    s->timed = *l;
    s->timed.memory = &s->memory;
    s->timed.issues = arena_alloc(&s->arena, l->program->ninst * sizeof *l->issues);
    s->timed.lanes = arena_alloc(&s->arena, l->program->ninst * sizeof *l->lanes);
    s->timed.printed = NULL;
    s->timed.lenient = NULL;
    return s->timed.issues && s->timed.lanes && memory_clone(l->memory, &s->memory, &s->arena) &&
           memory_clone(l->memory, &s->before, &s->arena);
}

/* Clears what the run without a clock has counted. */
static void forget(const struct launch *l) {
    memset(l->issues, 0, l->program->ninst * sizeof *l->issues);
    memset(l->lanes, 0, l->program->ninst * sizeof *l->lanes);
    if (l->lenient)
        *l->lenient = (struct lenient){0};
    if (l->printed)
        printed_free(l->printed);
}

enum outcome sample_prepare(struct heddle *h, const struct launch *l, const struct heddle_launch *asked,
                            struct sample *s) {
    const u64 blocks = (u64)l->grid[0] * l->grid[1] * l->grid[2];
    struct launch all = *l;
    struct fault fault;
    s->arena.budget = l->budget;
    s->full = dependent(l);
    if (!s->full && blocks < SAMPLE_WAVES_LEAST * (u64)occupancy_of(&h->board, l).blocks * h->board.sms)
        s->full = "the grid has less than 32 waves of as many blocks as run at one time";
    if (s->full)
        return RUN_OK;
    all.work = arena_alloc(&s->arena, blocks * sizeof *all.work);
    if (!sample_read(asked->sample, &s->sampler.bound) || !all.work || !prepare_timed(l, s))
        return RUN_NO_MEMORY;
    enum outcome o = machine_run(&all, &fault);
    s->sampler.work = all.work;
    s->full = o == RUN_FAULT ? "it faults" : NULL;
    if (o == RUN_FAULT)
        sample_restart(l, s);
    return s->full ? RUN_OK : o;
}

void sample_restart(const struct launch *l, const struct sample *s) {
    restore(l, &s->before);
    forget(l);
}

/* ---- the result ---- */

static const char *sentence(struct heddle *h, const struct launch *l, const struct sample *s) {
    const struct gpu_sample *g = &s->sampler;
    u64 blocks = (u64)l->grid[0] * l->grid[1] * l->grid[2];
    struct buf text = {0};
    if (s->full)
        buf_printf(&text, "none, all blocks were timed: %s", s->full);
    else
        buf_printf(&text, "%s of %s blocks timed; time and counters are extrapolated, the time to within %.1f %%",
                   grouped(g->timed).text, grouped(blocks).text, g->error * 100);
    const char *copy = text.failed ? NULL : arena_strndup(&h->result, text.data, text.len);
    buf_free(&text);
    return copy;
}

bool sample_end(struct heddle *h, const struct launch *l, struct sample *s, struct heddle_result *r) {
    r->sample = sentence(h, l, s);
    r->sampled = !s->full;
    r->sample_groups = s->full ? 0 : s->sampler.groups;
    r->sample_blocks = s->full ? (u64)l->grid[0] * l->grid[1] * l->grid[2] : s->sampler.timed;
    arena_free(&s->arena);
    return r->sample;
}
