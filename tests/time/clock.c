#include "tests/time/clock.h"
#include "sim/api/threads.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/mix.h"

/* ---- the board ---- */

/* Units as wide as a warp and one of everything, so that what a test does not set takes no time of its own. */
static const char plain[] = "sms=1 sm.sub_cores=1 sm.policy=lrr sm.max_warps=32 sm.max_blocks=8 "
                            "lanes.alu=32 lanes.fma=32 lanes.fp64=32 lanes.xu=32 lanes.lsu=32 lanes.xlane=32 "
                            "lanes.ctrl=32 barrier.per_warp=0 l2.slices=1 dram.channels=1 dram.refi=0";

static void set_all(struct board *b, const char *settings) {
    char one[96];
    struct diag diag = {0};
    for (const char *p = settings; *p;) {
        size_t n = strcspn(p, " ");
        snprintf(one, sizeof one, "%.*s", (int)n, p);
        if (n)
            cr_assert(board_set(b, one, &diag), "%s", one);
        p += n + (p[n] == ' ');
    }
}

static void check(const struct board *b) {
    struct diag diag = {0};
    struct buf why = {0};
    if (!board_check(b, &diag)) {
        diag_render(&diag, &why);
        cr_assert_fail("%s", why.data);
    }
}

void clock_set(struct clock *c, const char *settings) {
    set_all(&c->board, settings);
    check(&c->board);
    gpu_free(c->gpu);
    c->gpu = NULL;
}

void clock_open(struct clock *c, const char *settings) {
    *c = (struct clock){.outcome = RUN_NO_MEMORY};
    board_default(&c->board);
    set_all(&c->board, plain);
    clock_set(c, settings);
}

static void forget_program(struct clock *c) {
    program_free(c->program);
    free(c->issues);
    free(c->lanes);
    c->program = NULL;
    c->issues = c->lanes = NULL;
}

void clock_close(struct clock *c) {
    gpu_free(c->gpu);
    forget_program(c);
    memory_free(&c->memory);
    free(c->stamp);
    free(c->data);
    free(c->seen);
}

/* ---- a launch ---- */

void clock_number(struct clock *c, const char *name, u64 value) {
    u32 i = 0;
    while (i < c->arguments && strcmp(c->argument[i].name, name) != 0)
        i++;
    cr_assert(i < CLOCK_ARGUMENTS);
    c->argument[i].name = name;
    c->argument[i].value = value;
    c->arguments += i == c->arguments;
}

void clock_buffer(struct clock *c, const char *name, void *bytes, u64 size) {
    u64 address = memory_add(&c->memory, name, bytes, size);
    cr_assert(address);
    clock_number(c, name, address);
}

static struct program *program_of(const char *text) {
    struct diag diag = {0};
    struct buf why = {0};
    struct program *p = program_assemble("test.hd", text, strlen(text), NULL, &diag);
    if (!p) {
        diag_render(&diag, &why);
        cr_assert_fail("%s\nin:\n%s", why.data, text);
    }
    return p;
}

static void assemble(struct clock *c, const char *text) {
    forget_program(c);
    c->program = program_of(text);
    c->issues = calloc(c->program->ninst, sizeof *c->issues);
    c->lanes = calloc(c->program->ninst, sizeof *c->lanes);
    cr_assert(c->issues && c->lanes);
}

static void bind(const struct clock *c, const struct kernel *k, u8 *params) {
    for (u32 p = 0; p < k->nparams; p++) {
        u32 i = 0;
        while (i < c->arguments && strcmp(c->argument[i].name, k->param[p].name) != 0)
            i++;
        cr_assert(i < c->arguments, "no value for %s", k->param[p].name);
        u32 bytes = k->param[p].buffer ? 8 : etypes[k->param[p].etype].bytes;
        memcpy(params + k->param[p].offset, &c->argument[i].value, bytes);
    }
}

static void fly(struct clock *c, struct gpu_shared *all) {
    struct gpu_options options = {.warm = c->warm, .max_cycles = c->max_cycles, .window = c->window};
    struct threads *threads = c->threads > 1 ? threads_new(c->threads) : NULL;
    if (threads)
        options.pool = threads_of(threads);
    if (!c->gpu)
        c->gpu = gpu_new(&c->board, NULL);
    cr_assert(c->gpu);
    c->outcome = gpu_run_all(c->gpu, all, &options, &c->result, &c->fault);
    threads_free(threads);
}

enum outcome clock_try(struct clock *c, const char *text, u32 grid, u32 block) {
    u8 params[PARAM_BYTES_MAX] = {0};
    SCOPED(buf_free) struct buf why = {0};
    assemble(c, text);
    const struct kernel *k = program_kernel(c->program, NULL);
    bind(c, k, params);
    struct launch l = {.program = c->program,
                       .kernel = k,
                       .memory = &c->memory,
                       .grid = {grid, 1, 1},
                       .block = {block, 1, 1},
                       .width = c->width ? c->width : c->board.warp_width,
                       .sms = c->board.sms,
                       .params = params,
                       .max_instructions = c->max_instructions,
                       .issues = c->issues,
                       .lanes = c->lanes};
    struct gpu_share alone = {.launch = &l};
    fly(c, &(struct gpu_shared){.share = &alone, .n = 1});
    c->why[0] = 0;
    if (c->outcome == RUN_FAULT) {
        fault_render(&c->fault, &l, &why);
        snprintf(c->why, sizeof c->why, "%s", why.data);
    } else if (c->outcome == RUN_OK) {
        cr_expect(totals_check(&c->result.totals, &why), "%s\nin:\n%s", why.data, text);
    }
    return c->outcome;
}

void clock_run(struct clock *c, const char *text, u32 grid, u32 block) {
    cr_assert_eq(clock_try(c, text, grid, block), RUN_OK, "%s\nin:\n%s", c->why, text);
}

/* ---- several ---- */

struct part {
    struct launch launch;
    struct program *program;
    u8 params[PARAM_BYTES_MAX];
};

static void open_part(const struct clock *c, const struct clock_part *from, struct part *p) {
    *p = (struct part){.program = program_of(from->text)};
    const struct kernel *k = program_kernel(p->program, NULL);
    p->launch = (struct launch){.program = p->program,
                                .kernel = k,
                                .memory = &c->memory,
                                .grid = {from->grid, 1, 1},
                                .block = {from->block, 1, 1},
                                .width = c->board.warp_width,
                                .sms = c->board.sms,
                                .params = p->params,
                                .issues = calloc(p->program->ninst, sizeof(u64)),
                                .lanes = calloc(p->program->ninst, sizeof(u64))};
    cr_assert(p->launch.issues && p->launch.lanes);
    bind(c, k, p->params);
}

void clock_share(struct clock *c, struct clock_part *part, u32 n) {
    struct part *all = calloc(n, sizeof *all);
    struct gpu_share *share = calloc(n, sizeof *share);
    SCOPED(buf_free) struct buf why = {0};
    cr_assert(all && share);
    for (u32 i = 0; i < n; i++) {
        open_part(c, &part[i], &all[i]);
        share[i] = (struct gpu_share){.launch = &all[i].launch, .priority = part[i].priority};
    }
    struct gpu_shared shared = {.share = share, .n = n};
    fly(c, &shared);
    if (c->outcome == RUN_FAULT)
        fault_render(&c->fault, &all[shared.faulted].launch, &why);
    cr_assert_eq(c->outcome, RUN_OK, "%s", why.data);
    cr_expect(totals_check(&c->result.totals, &why), "%s", why.data);
    for (u32 i = 0; i < n; i++) {
        part[i].is = share[i];
        free(all[i].launch.issues);
        free(all[i].launch.lanes);
        program_free(all[i].program);
    }
    free(all);
    free(share);
}

/* ---- spans ---- */

static const char before[] = ".kernel span\n"
                             ".param stamp : u64[]\n"
                             ".param data : u32[]\n"
                             ".param seen : u32[]\n"
                             ".shared tile : u32[4096]\n"
                             ".reg id, a, b, c, d, e, f, g, ps, wide:2, quad:4, pd:2, at:2, t0:2, t1:2\n"
                             ".pred never, p, q\n"
                             "        s2r           id, %tid.x\n"
                             "        ld.param.b64  pd, [data]\n"
                             "        ld.param.b64  at, [stamp]\n"
                             "        shl.b32       ps, id, 2\n"
                             "        mov.b32       a, 1\n"
                             "        mov.b32       b, 2\n"
                             "        mov.b32       c, 3\n"
                             "        mov.b32       d, 4\n"
                             "        setp.ne.u32   never, id, id\n"
                             "        setp.eq.u32   p, id, id\n"
                             "        mad.wide.u32  at, id, 16, at\n"
                             "        bar.sync      15\n"
                             "        s2r.b64       t0, %clock\n";
static const char after[] = "        s2r.b64       t1, %clock\n"
                            "        st.global.b64 [at], t0\n"
                            "        st.global.b64 [at+8], t1\n"
                            "        ld.param.b64  at, [seen]\n"
                            "        mad.wide.u32  at, id, 4, at\n"
                            "        st.global.b32 [at], a\n"
                            "        exit\n";

static void span_buffers(struct clock *c) {
    if (c->stamp)
        return;
    c->stamp = calloc(2 * CLOCK_THREADS, sizeof *c->stamp);
    c->data = calloc(CLOCK_WORDS, sizeof *c->data);
    c->seen = calloc(CLOCK_THREADS, sizeof *c->seen);
    cr_assert(c->stamp && c->data && c->seen);
    for (u32 i = 0; i < CLOCK_WORDS; i++)
        c->data[i] = i;
    clock_buffer(c, "stamp", c->stamp, 2 * CLOCK_THREADS * sizeof *c->stamp);
    clock_buffer(c, "data", c->data, CLOCK_WORDS * sizeof *c->data);
    clock_buffer(c, "seen", c->seen, CLOCK_THREADS * sizeof *c->seen);
}

u64 clock_repeat(struct clock *c, const char *body, u32 count, u32 block) {
    SCOPED(buf_free) struct buf text = {0};
    span_buffers(c);
    buf_printf(&text, "%s", before);
    for (u32 i = 0; i < count; i++)
        buf_printf(&text, "%s\n", body);
    buf_printf(&text, "%s", after);
    clock_run(c, text.data, 1, block);
    return c->stamp[1] - c->stamp[0];
}

u64 clock_span(struct clock *c, const char *body, u32 block) {
    return clock_repeat(c, body, 1, block);
}

u64 clock_takes(const char *settings, const char *body, u32 count) {
    CLOCK(c, settings);
    u64 cycles = clock_repeat(&c, body, count, 32);
    return cycles;
}

struct clock_setting clock_setting(const char *fmt, u32 value) {
    struct clock_setting s;
    const char *at = strstr(fmt, "%u");
    cr_assert(at);
    snprintf(s.text, sizeof s.text, "%.*s%u%s", (int)(at - fmt), fmt, value, at + 2);
    return s;
}

static u64 earliest(const struct clock *c) {
    u64 first = UINT64_MAX;
    u32 width = c->result.totals.width;
    for (u64 w = 0; w < c->result.totals.warps; w++)
        first = c->stamp[2 * w * width] < first ? c->stamp[2 * w * width] : first;
    return first;
}

u64 clock_first(const struct clock *c, u32 warp) {
    return c->stamp[2 * warp * c->result.totals.width] - earliest(c);
}

u64 clock_last(const struct clock *c, u32 warp) {
    return c->stamp[2 * warp * c->result.totals.width + 1] - earliest(c);
}

u32 clock_random(u64 *state, u32 n) {
    return (u32)(splitmix_next(state) % n);
}
