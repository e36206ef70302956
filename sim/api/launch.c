/* A launch, from the caller's request to the machine's result. */
#include "sim/api/launch.h"

#include <string.h>

#include "sim/api/bind.h"
#include "sim/api/check.h"
#include "sim/api/clock.h"
#include "sim/api/explain/explain.h"
#include "sim/api/module.h"
#include "sim/api/printed.h"
#include "sim/api/recording.h"
#include "sim/api/result.h"
#include "sim/api/sample.h"
#include "sim/api/schedule.h"
#include "sim/arch/printed.h"
#include "sim/board/shipped.h"

_Static_assert((int)HEDDLE_BLOCK_THREADS_MAX == (int)BLOCK_THREADS_MAX, "the public number is the machine's");

static const struct {
#define LAUNCH_OPTION(declaration, member, kind, key, name, argument, group, standard, help, doc) u64 member;
#include "sim/base/launch.def"
} standards = {
#define LAUNCH_OPTION(declaration, member, kind, key, name, argument, group, standard, help, doc) .member = standard,
#include "sim/base/launch.def"
};

static const u32 widths[] = {8, 16, 32, 64};

static const char *nth_kernel(const void *ctx, size_t i) {
    const struct kernel *k = &((const struct program *)ctx)->kernel[i];
    return k->function ? NULL : k->name;
}

/* Lists the kernels after a message about an ambiguous one: "'scan', 'reduce'". */
static void list_kernels(struct heddle *h, const struct program *p) {
    const char *separator = " ";
    buf_printf(&h->error, "%s: its kernels are", p->file);
    for (u32 i = 0; i < p->nkernels; i++) {
        if (p->kernel[i].function)
            continue;
        buf_printf(&h->error, "%s'%s'", separator, p->kernel[i].name);
        separator = ", ";
    }
    buf_puts(&h->error, "\n");
}

static const struct kernel *choose_kernel(struct heddle *h, const struct program *p, const char *entry) {
    const struct kernel *k = program_kernel(p, entry);
    u32 n = 0;
    for (u32 i = 0; i < p->nkernels; i++)
        n += !p->kernel[i].function;
    if (k)
        return k;
    if (n == 0) {
        context_fail(h, p->file, "there is no kernel in it");
        return NULL;
    }
    if (entry)
        context_fail(h, p->file, "there is no kernel '%s'%s", entry,
                     suggest(nearest_name(entry, p->nkernels, nth_kernel, p)).text);
    else
        context_fail(h, p->file, "%u kernels: name the one to run", n);
    list_kernels(h, p);
    return NULL;
}

static bool check_dims(struct heddle *h, const struct launch *l) {
    const char *file = l->program->file, *name = l->kernel->name;
    u64 threads = 1, blocks = 1;
    for (u32 i = 0; i < 3; i++) {
        if (l->grid[i] > INT32_MAX)
            return context_fail(h, file, "kernel '%s': a grid of %s blocks in %c; at most 2^31 - 1", name,
                                grouped(l->grid[i]).text, "xyz"[i]);
        blocks = blocks > UINT64_MAX / l->grid[i] ? UINT64_MAX : blocks * l->grid[i];
        threads = threads * l->block[i] > UINT32_MAX ? UINT32_MAX : threads * l->block[i];
    }
    if (threads > BLOCK_THREADS_MAX)
        return context_fail(h, file, "kernel '%s': a block of %ux%ux%u threads; at most %s in all", name, l->block[0],
                            l->block[1], l->block[2], grouped(BLOCK_THREADS_MAX).text);
    if (blocks > INT64_MAX / BLOCK_THREADS_MAX)
        return context_fail(h, file, "kernel '%s': a grid of %ux%ux%u blocks; at most 2^53 in all", name, l->grid[0],
                            l->grid[1], l->grid[2]);
    return true;
}

static bool allows(const struct kernel *k, u32 w) {
    return k->warps == 0 || (k->warps >> w & 1);
}

/* Chooses the requested width, or the board's, or the widest that the kernel allows. */
static bool choose_width(struct heddle *h, struct launch *l, u32 asked) {
    const struct kernel *k = l->kernel;
    struct buf allowed = {0};
    for (u32 w = 0; w < COUNT_OF(widths); w++) {
        if (!allows(k, w))
            continue;
        if (widths[w] == asked || (!asked && l->width != h->board.warp_width))
            l->width = widths[w];
        buf_printf(&allowed, "%s%u", allowed.len ? ", " : "", widths[w]);
    }
    if (!l->width)
        context_fail(h, l->program->file, "kernel '%s': warp width %u; %s %s", k->name, asked,
                     k->warps ? "it runs at" : "accepted are", allowed.data ? allowed.data : "");
    buf_free(&allowed);
    return l->width != 0;
}

static const char *nth_engine(const void *ctx, size_t i) {
    (void)ctx;
    return engine_names[i];
}

static bool choose_engine(struct heddle *h, struct launch *l, const char *name) {
    u32 e = ENGINE_AUTO;
    while (name && e < ENGINE_COUNT && strcmp(engine_names[e], name) != 0)
        e++;
    if (e == ENGINE_COUNT)
        return context_fail(h, "heddle", "unknown engine '%s'%s", name,
                            suggest(nearest_name(name, ENGINE_COUNT, nth_engine, NULL)).text);
    if (!engine_available((enum engine)e))
        return context_fail(h, "heddle", "this host cannot run the engine '%s'", name);
    l->engine = e == ENGINE_AUTO ? engine_best() : (enum engine)e;
    return true;
}

/* Chooses kernel, width, grid, block and shared memory; what it makes lies in the arena. */
static bool choose_sizes(struct heddle *h, struct launch *l, const struct heddle_launch *asked, struct arena *arena) {
    l->cooperative = asked->cooperative;
    l->kernel = choose_kernel(h, l->program, asked->entry);
    if (!l->kernel || !module_size(h, l, asked, arena))
        return false;
    if (!choose_width(h, l, asked->warp))
        return false;
    for (u32 i = 0; i < 3; i++) {
        l->grid[i] = asked->grid[i] ? asked->grid[i] : 1;
        l->block[i] = asked->block[i] ? asked->block[i] : 1;
    }
    if (!asked->block[0] && !asked->block[1] && !asked->block[2])
        l->block[0] = l->width;
    return check_dims(h, l);
}

static bool fits_shipped(struct heddle *h, const struct program *p, const struct heddle_launch *asked, u32 board) {
    struct launch l = {.program = p};
    struct diag diag = {0};
    struct arena arena = {.budget = &h->budget};
    const struct board_source none = {0};
    board_default(&h->board);
    bool fits = board_load(&h->board, &none, &(struct board_text){.file = board_shipped[board].name}, &diag) &&
                choose_sizes(h, &l, asked, &arena) && board_admits(h, &l);
    arena_free(&arena);
    return fits;
}

/* Adds to the error the shipped boards that take the launch. Returns false. */
static bool name_boards(struct heddle *h, const struct program *p, const struct heddle_launch *asked) {
    const struct board own = h->board;
    struct buf error = h->error, list = {0};
    h->error = (struct buf){0};
    for (u32 i = 0; i < board_shipped_count; i++)
        if (fits_shipped(h, p, asked, i))
            buf_printf(&list, "%s%s", list.len ? ", " : "", board_shipped[i].name);
    buf_free(&h->error);
    h->error = error;
    h->board = own;
    if (list.len && !list.failed)
        buf_printf(&h->error, "  boards that take it: %s\n", list.data);
    buf_free(&list);
    return false;
}

static bool prepare(struct heddle *h, struct launch *l, const struct heddle_launch *asked) {
    const struct program *whole = l->program;
    if (!choose_sizes(h, l, asked, &h->result))
        return false;
    if (!board_admits(h, l))
        return h->clocked && name_boards(h, whole, asked);
    l->memory = &h->memory;
    l->budget = &h->budget;
    l->sms = h->board.sms;
    l->any_board = strcmp(h->board.origin[BOARD_top_sms], "default") == 0;
    l->max_instructions = asked->max_instructions ? asked->max_instructions : standards.max_instructions;
    l->progress = asked->progress;
    l->progress_ctx = asked->progress_ctx;
    return choose_engine(h, l, asked->engine);
}

bool heddle_fits(struct heddle *h, const struct heddle_program *p, const struct heddle_launch *launch) {
    struct launch l = {.program = p->program};
    struct arena arena = {.budget = &h->budget};
    context_begin(h);
    bool fits = choose_sizes(h, &l, launch, &arena) && board_fits(h, &l);
    arena_free(&arena);
    return fits;
}

/* Runs the launch without a clock and returns its status. */
static enum heddle_status run_untimed(struct heddle *h, const struct launch *l, struct checking *c,
                                      struct heddle_result *r) {
    struct fault fault;
    if (l->cooperative && !clock_check_memory(h, l, (u64)l->grid[0] * l->grid[1] * l->grid[2]))
        return HEDDLE_MEMORY;
    enum outcome o = machine_run(l, &fault);
    if (o == RUN_NO_MEMORY || !result_fill(h, l, r) || (c && !checking_fill(c, o == RUN_FAULT ? &fault : NULL, r))) {
        context_no_memory(h, "the launch");
        return HEDDLE_MEMORY;
    }
    if (o == RUN_OK)
        return HEDDLE_OK;
    if (o == RUN_STOPPED) {
        context_fail(h, l->program->file, "kernel '%s': stopped after %s warp-instructions", l->kernel->name,
                     grouped(r->warp_instructions).text);
        return HEDDLE_FAULT;
    }
    result_fault(l, &fault, r);
    fault_render(&fault, l, &h->error);
    return HEDDLE_FAULT;
}

static void note_launched(struct heddle *h, const struct program *p, const struct heddle_launch *launch) {
    for (u32 i = 0; i < p->nmodule; i++) {
        struct buffer *b = context_buffer(h, p->module[i].is.name);
        if (b && p->module[i].is.space == SPACE_GLOBAL)
            b->content = CONTENT_LAUNCHED;
    }
    for (u32 i = 0; i < launch->nargs; i++) {
        const struct buffer *b = bind_pointer(h, &launch->args[i]).buffer;
        if (b)
            context_buffer(h, b->name)->content = CONTENT_LAUNCHED;
    }
}

/* A call of heddle_launch. */
struct launching {
    struct heddle *h;
    const struct heddle_program *program;
    const struct heddle_launch *asked;
    struct heddle_result *result;
    struct launch launch;
    struct schedule schedule;
    struct checking checking;
    struct checking *check; /* &checking; NULL without checkers */
    struct explain explain;
    struct printed printed;
    bool timed;
    u8 params[PARAM_BYTES_MAX];
};

/* Drops what the context holds of the launch before. */
static void begin(struct launching *g) {
    context_begin(g->h);
    arena_free(&g->h->result);
    *g->result = (struct heddle_result){0};
    if (g->asked->watch)
        recording_forget(g->h);
    else
        recording_free(g->h);
}

/* True if the board's rules are those of the hardware, and hold for this launch. */
static bool by_board(const struct launching *g) {
    const struct heddle_launch *a = g->asked;
    if (!g->h->clocked || a->functional || a->check)
        return false;
    switch (g->h->board.launch.rules) {
    case rules_STRICT: return false;
    case rules_HARDWARE: return true;
    }
    BUG("rules of no kind");
}

/* Takes the rules, and notes them in the result. */
static bool choose_rules(struct launching *g) {
    const char *rules = g->asked->rules ? g->asked->rules : by_board(g) ? "hardware" : "strict";
    struct launch *l = &g->launch;
    if (strcmp(rules, "strict") == 0)
        return true;
    if (strcmp(rules, "hardware") != 0)
        return context_fail(g->h, l->program->file, "rules are strict or hardware, not '%s'", rules);
    if (g->asked->check || g->asked->schedule)
        return context_fail(g->h, l->program->file, "%s the strict rules alone: leave out the rules of the hardware",
                            g->asked->check ? "checkers know" : "orders of warps are those of");
    l->hardware = true;
    l->lenient = arena_alloc(&g->h->result, sizeof *l->lenient);
    g->result->rules = "hardware";
    return l->lenient || context_no_memory(g->h, "the launch");
}

/* Lists what only the rules of the hardware let pass. */
static bool list_lenient(struct launching *g) {
    static const char *const sentence[] = {
#define LENIENT(id, sentence) sentence,
#include "sim/arch/lenient.def"
    };
    const struct launch *l = &g->launch;
    struct heddle_result *r = g->result;
    struct buf out = {0};
    if (!l->lenient)
        return true;
    r->lenient_barriers = l->lenient->count[LENIENT_BARRIER];
    r->lenient_shuffles = l->lenient->count[LENIENT_SHUFFLE];
    r->lenient_masks = l->lenient->count[LENIENT_MASK];
    r->lenient_paths = l->lenient->count[LENIENT_PATH];
    for (u32 k = 0; k < LENIENT_COUNT; k++) {
        const struct line_place at = program_place(l->program, l->lenient->pc[k]);
        if (l->lenient->count[k])
            buf_printf(&out, "%s:%u: warning: by the rules of the hardware %s (%s times)\n",
                       at.file ? at.file : l->program->file, at.line, sentence[k], grouped(l->lenient->count[k]).text);
    }
    r->rule_warnings = out.len && !out.failed ? arena_strndup(&g->h->result, out.data, out.len) : NULL;
    bool ok = !out.failed && (!out.len || r->rule_warnings);
    buf_free(&out);
    return ok || context_no_memory(g->h, "the launch");
}

/* Chooses kernel, sizes and order of warps, names them in the result, and binds the arguments. */
static bool choose(struct launching *g) {
    struct launch *l = &g->launch;
    struct heddle_result *r = g->result;
    if (!prepare(g->h, l, g->asked) || !choose_rules(g) || !schedule_prepare(g->h, g->asked, l, &g->schedule) ||
        !sample_admits(g->h, l, g->asked))
        return false;
    r->kernel = l->kernel->name;
    r->engine = engine_names[l->engine];
    r->warp = l->width;
    r->cooperative = l->cooperative;
    r->shared_bytes = l->shared_bytes;
    memcpy(r->grid, l->grid, sizeof l->grid);
    memcpy(r->block, l->block, sizeof l->block);
    l->params = g->params;
    l->printed = &g->printed;
    g->printed.lines.budget = g->printed.texts.budget = &g->h->budget;
    return heddle_module_make(g->h, g->program) && module_bind(g->h, l, g->asked) &&
           bind_arguments(g->h, g->program, l->kernel, g->asked, g->params);
}

/* Takes memory for the counts of each instruction. */
static bool take_counts(struct launching *g) {
    struct launch *l = &g->launch;
    const char *schedule = g->asked->schedule;
    l->issues = arena_alloc(&g->h->result, l->program->ninst * sizeof *l->issues);
    l->lanes = arena_alloc(&g->h->result, l->program->ninst * sizeof *l->lanes);
    if (schedule)
        g->result->schedule = arena_strndup(&g->h->result, schedule, strlen(schedule));
    if (l->issues && l->lanes && (!schedule || g->result->schedule))
        return true;
    context_no_memory(g->h, "the counts of the launch");
    return false;
}

/* Keeps what a recording needs of the launch, if it is watched. */
static bool watch(struct launching *g) {
    g->timed = g->h->clocked && !g->asked->functional;
    if (g->asked->watch && !g->timed)
        return context_fail(g->h, g->launch.program->file,
                            "a launch without a clock has no events: a board, and not functional, is needed");
    if (g->asked->watch)
        recording_keep(g->h, g->program->program, g->asked);
    return true;
}

static enum heddle_status check(struct launching *g) {
    if (!g->asked->check)
        return HEDDLE_OK;
    g->check = &g->checking;
    return checking_begin(g->check, g->h, &g->launch, g->asked, g->timed);
}

static enum heddle_status explain(struct launching *g) {
    g->explain = (struct explain){.h = g->h, .launch = &g->launch, .asked = g->asked->explain};
    return g->asked->explain ? explain_begin(&g->explain, g->timed || g->check) : HEDDLE_OK;
}

static enum heddle_status run(struct launching *g) {
    const struct launch *l = g->check ? check_launch(g->check->check) : &g->launch;
    printed_free(&g->printed); /* of explanations, and of orders of warps */
    if (g->explain.n && !g->timed && !g->check)
        g->launch.watch = &g->explain.watch;
    if (l->lenient)
        memset(l->lenient, 0, sizeof *l->lenient);
    enum heddle_status status =
        g->timed ? clock_launch(g->h, l, g->asked, g->check, g->result) : run_untimed(g->h, l, g->check, g->result);
    note_launched(g->h, g->program->program, g->asked);
    return status;
}

enum heddle_status heddle_launch(struct heddle *h, const struct heddle_program *p, const struct heddle_launch *launch,
                                 struct heddle_result *result) {
    struct launching g = {.h = h, .program = p, .asked = launch, .result = result, .launch = {.program = p->program}};
    begin(&g);
    if (!choose(&g))
        return HEDDLE_INPUT;
    if (!take_counts(&g))
        return HEDDLE_MEMORY;
    if (!watch(&g))
        return HEDDLE_INPUT;
    enum heddle_status status = check(&g);
    if (status == HEDDLE_OK)
        status = explain(&g);
    if (status == HEDDLE_OK)
        status = schedule_explore(h, &g.launch, &g.schedule, g.check, result);
    if (status == HEDDLE_OK)
        status = run(&g);
    if (g.explain.n && (status == HEDDLE_OK || status == HEDDLE_FAULT) && !explain_fill(&g.explain, result))
        status = HEDDLE_MEMORY;
    if (!printed_list(h, &g.launch, result) || !list_lenient(&g))
        status = HEDDLE_MEMORY;
    if (g.check)
        checking_end(g.check);
    return status;
}

/* Refuses what only a launch alone can have. */
static bool may_share(struct launching *g) {
    const struct heddle_launch *a = g->asked;
    const char *what = a->cooperative  ? "cooperative"
                       : a->functional ? "functional"
                       : a->warm       ? "warm caches"
                       : a->check      ? "checkers"
                       : a->sample     ? "a sample"
                                       : NULL;
    what = a->schedule ? "orders of warps" : a->explain ? "explain" : a->watch ? "a recording" : what;
    g->timed = true;
    return !what || context_fail(g->h, g->launch.program->file, "%s: for a launch that has the board alone", what);
}

/* Names the kernels of all in the board's result: "copy + saxpy". */
static bool name_board(struct heddle *h, const struct launching *g, u32 n, struct heddle_result *board) {
    struct buf names = {0};
    for (u32 i = 0; i < n; i++)
        buf_printf(&names, "%s%s", i ? " + " : "", g[i].result->kernel);
    board->engine = g[0].result->engine;
    board->warp = g[0].result->warp;
    board->kernel = names.failed ? NULL : arena_strndup(&h->result, names.data, names.len);
    buf_free(&names);
    return board->kernel || context_no_memory(h, "the launches");
}

static enum heddle_status launch_all(struct launching *g, const struct heddle_beside *all, u32 n,
                                     struct heddle_result *board) {
    struct heddle *h = g->h;
    struct clock_part *part = arena_alloc(&h->result, n * sizeof *part);
    bool ok = part != NULL;
    for (u32 i = 0; i < n; i++) {
        if (!may_share(&g[i]) || !choose(&g[i]))
            return HEDDLE_INPUT;
        ok = ok && take_counts(&g[i]);
        if (ok)
            part[i] = (struct clock_part){&g[i].launch, &all[i], g[i].result};
    }
    if (!ok || !name_board(h, g, n, board))
        return HEDDLE_MEMORY;
    enum heddle_status status = clock_launch_all(h, part, n, board);
    for (u32 i = 0; i < n; i++) {
        note_launched(h, all[i].program->program, all[i].launch);
        if (!printed_list(h, &g[i].launch, g[i].result) || !list_lenient(&g[i]))
            status = HEDDLE_MEMORY;
    }
    return status;
}

enum heddle_status heddle_launch_all(struct heddle *h, const struct heddle_beside *launches, uint32_t n,
                                     struct heddle_result *results, struct heddle_result *board) {
    struct heddle_result sum = {0};
    struct arena arena = {.budget = &h->budget};
    context_begin(h);
    if (!n || n > HEDDLE_BESIDE_MAX)
        return context_fail(h, "heddle", "%u launches at one time; from 1 to %d", n, HEDDLE_BESIDE_MAX), HEDDLE_INPUT;
    if (!h->clocked)
        return context_fail(h, "heddle", "launches at one time need a board"), HEDDLE_INPUT;
    if (board)
        *board = sum;
    struct launching *g = arena_alloc(&arena, n * sizeof *g);
    if (!g)
        return context_no_memory(h, "the launches"), HEDDLE_MEMORY;
    for (u32 i = 0; i < n; i++) {
        const struct heddle_beside *a = &launches[i];
        g[i] = (struct launching){.h = h, .program = a->program, .asked = a->launch, .result = &results[i]};
        g[i].launch.program = a->program->program;
        results[i] = (struct heddle_result){0};
    }
    begin(&g[0]);
    enum heddle_status status = launch_all(g, launches, n, board ? board : &sum);
    arena_free(&arena);
    return status;
}

bool launch_prepare(struct heddle *h, const struct heddle_program *p, const struct heddle_launch *asked,
                    struct launch *l, u8 *params) {
    *l = (struct launch){.program = p->program, .params = params};
    return prepare(h, l, asked) && module_bind(h, l, asked) && bind_arguments(h, p, l->kernel, asked, params);
}
