/* Selects the instructions to explain, those of a line or the accesses that cost most, and makes the dry run. */
#include <string.h>

#include "sim/api/explain/explain.h"

/* ---- the dry run ---- */

bool explain_dry_run(const struct explain *e, const struct watch *watch) {
    struct arena arena = {.budget = e->launch->budget};
    struct memory memory;
    struct fault fault;
    struct launch l = *e->launch;
    l.issues = arena_alloc(&arena, l.program->ninst * sizeof *l.issues);
    l.lanes = arena_alloc(&arena, l.program->ninst * sizeof *l.lanes);
    l.memory = &memory;
    l.watch = watch;
    bool ok = l.issues && l.lanes && memory_clone(e->launch->memory, &memory, &arena) &&
              machine_run(&l, &fault) != RUN_NO_MEMORY;
    arena_free(&arena);
    return ok;
}

/* ---- the request ---- */

/* True if a name is a path, or its end after a slash. */
static bool ends_path(const char *path, const char *name) {
    size_t all = strlen(path), end = strlen(name);
    return end <= all && strcmp(path + all - end, name) == 0 && (end == all || path[all - end - 1] == '/');
}

/* Finds the source of the requested line; false if the file is unknown. */
static bool asked_source(const struct explain *e, struct source_file *source) {
    const struct program *p = e->launch->program;
    const char *file = e->asked->file;
    *source = (struct source_file){.file = p->file};
    bool found = !file || ends_path(p->file, file);
    for (u32 i = 0; i < p->nincluded && !found; i++) {
        *source = p->included[i];
        found = ends_path(source->file, file);
    }
    return found || context_fail(e->h, p->file, "no line is from a file '%s'", file);
}

static bool no_such_line(const struct explain *e, const struct source_file *source) {
    const struct program *p = e->launch->program;
    u32 below = 0, above = 0, line = e->asked->line;
    for (u32 pc = 0; pc < p->ninst; pc++) {
        if (!p->line[pc] || program_source(p, p->line[pc]).first != source->first)
            continue;
        u32 at = p->line[pc] - source->first;
        if (at < line && at > below)
            below = at;
        if (at > line && (!above || at < above))
            above = at;
    }
    if (below && above)
        return context_fail(e->h, source->file, "line %u has no instruction; the nearest that have are %u and %u", line,
                            below, above);
    if (below || above)
        return context_fail(e->h, source->file, "line %u has no instruction; the nearest that has is %u", line,
                            below ? below : above);
    return context_fail(e->h, source->file, "line %u cannot be explained: the program knows no lines", line);
}

static bool check_which(const struct explain *e) {
    const struct launch *l = e->launch;
    const struct heddle_explain *a = e->asked;
    u64 blocks = (u64)l->grid[0] * l->grid[1] * l->grid[2], threads = (u64)l->block[0] * l->block[1] * l->block[2];
    u64 warps = (threads + l->width - 1) / l->width;
    if (a->given > 0 && a->which[0] >= blocks)
        return context_fail(e->h, l->program->file, "there is no block %llu to explain: the grid has %s, from 0",
                            (unsigned long long)a->which[0], grouped(blocks).text);
    if (a->given > 1 && a->which[1] >= warps)
        return context_fail(e->h, l->program->file, "there is no warp %llu to explain: a block has %s, from 0",
                            (unsigned long long)a->which[1], grouped(warps).text);
    if (a->given > 2 && a->which[2] == 0)
        return context_fail(e->h, l->program->file, "executions of a warp are counted from 1");
    return true;
}

/* Chooses the instructions of the line. */
static enum heddle_status choose_line(struct explain *e, u32 *chosen) {
    const struct program *p = e->launch->program;
    struct source_file source;
    if (!asked_source(e, &source))
        return HEDDLE_INPUT;
    const u32 line = source.first + e->asked->line;
    bool within = e->asked->line && line >= source.first && program_source(p, line).first == source.first;
    for (u32 pc = 0; pc < p->ninst && within; pc++)
        if (p->line[pc] == line)
            chosen[e->n++] = pc;
    if (!e->n)
        no_such_line(e, &source);
    return e->n && check_which(e) ? HEDDLE_OK : HEDDLE_INPUT;
}

/* ---- the accesses that cost most ---- */

/* The cost of an instruction's accesses, over all executions. */
struct cost {
    u64 beyond, all; /* cycles of the memory pipe: beyond the need of their bytes, and all */
};

struct costs {
    const struct explain *e;
    struct cost *cost; /* [instruction] */
};

static void add_cost(void *ctx, const struct watched *w) {
    struct costs *c = ctx;
    if (!w->after || !w->addr || !w->exec || w->faulted)
        return;
    u32 least, taken = explain_access_cycles(c->e, w->pc, w->addr, w->exec, &least);
    c->cost[w->pc].all += taken;
    c->cost[w->pc].beyond += taken - least;
}

static bool costs_more(const struct cost *a, const struct cost *b) {
    return a->beyond != b->beyond ? a->beyond > b->beyond : a->all > b->all;
}

static bool is_chosen(const struct explain *e, const u32 *chosen, u32 pc) {
    bool found = false;
    for (u32 i = 0; i < e->n; i++)
        found |= chosen[i] == pc;
    return found;
}

/* Chooses the accesses that cost most, worst first, up to the requested number; none if the launch makes none. */
static enum heddle_status choose_worst(struct explain *e, u32 *chosen) {
    const u32 n = e->launch->program->ninst;
    struct costs costs = {e, arena_alloc(&e->h->result, n * sizeof *costs.cost)};
    bool *marked = arena_alloc(&e->h->result, n * sizeof *marked);
    const struct watch watch = {.marked = marked, .see = add_cost, .ctx = &costs};
    for (u32 pc = 0; pc < n && marked; pc++)
        marked[pc] = op_accesses(e->launch->program->inst[pc].op);
    if (!costs.cost || !marked || !explain_dry_run(e, &watch))
        return HEDDLE_MEMORY;
    for (u32 worst = 0; worst < n && e->n < e->asked->worst;) {
        worst = n;
        for (u32 pc = 0; pc < n; pc++)
            if (costs.cost[pc].all && !is_chosen(e, chosen, pc) &&
                (worst == n || costs_more(&costs.cost[pc], &costs.cost[worst])))
                worst = pc;
        if (worst < n)
            chosen[e->n++] = worst;
    }
    return HEDDLE_OK;
}

static bool watch_chosen(struct explain *e, const u32 *chosen) {
    bool *marked = arena_alloc(&e->h->result, e->launch->program->ninst * sizeof *marked);
    e->inst = arena_alloc(&e->h->result, e->n * sizeof *e->inst);
    for (u32 i = 0; i < e->n && e->inst && marked; i++) {
        e->inst[i].pc = chosen[i];
        marked[chosen[i]] = true;
    }
    e->watch.marked = marked;
    return e->inst && marked;
}

enum heddle_status explain_choose(struct explain *e) {
    u32 *chosen = arena_alloc(&e->h->result, (e->launch->program->ninst + 1) * sizeof *chosen);
    enum heddle_status status = HEDDLE_MEMORY;
    if (chosen)
        status = e->asked->worst ? choose_worst(e, chosen) : choose_line(e, chosen);
    if (status == HEDDLE_OK && e->n && !watch_chosen(e, chosen))
        status = HEDDLE_MEMORY;
    if (status == HEDDLE_MEMORY)
        context_no_memory(e->h, "the explanation");
    return status;
}
