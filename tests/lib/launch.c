#include "tests/lib/launch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void keep(struct outcome_of *o, struct buf *text) {
    snprintf(o->text, sizeof o->text, "%s", text->data ? text->data : "");
    buf_free(text);
}

struct outcome_of launch_text_with(const char *text, u32 width, const u32 grid[3], const u32 block[3], u32 *out, u32 n,
                                   u64 limit, enum engine engine) {
    struct outcome_of o = {.outcome = RUN_NO_MEMORY};
    struct diag diag = {0};
    struct buf words = {0};
    struct program *p = program_assemble("t.hd", text, strlen(text), NULL, &diag);
    if (!p) {
        diag_render(&diag, &words);
        keep(&o, &words);
        return o;
    }
    struct memory m = {0};
    u64 address = memory_add(&m, "out", (u8 *)out, n * sizeof *out);
    const struct kernel *k = program_kernel(p, NULL);
    u8 params[PARAM_BYTES_MAX] = {0};
    memcpy(params, &address, sizeof address);
    struct launch l = {.program = p,
                       .kernel = k,
                       .memory = &m,
                       .grid = {grid[0], grid[1], grid[2]},
                       .block = {block[0], block[1], block[2]},
                       .width = width,
                       .engine = engine,
                       .params = params,
                       .max_instructions = limit};
    l.issues = calloc(p->ninst, sizeof *l.issues);
    l.lanes = calloc(p->ninst, sizeof *l.lanes);
    o.outcome = machine_run(&l, &o.fault);
    if (o.outcome == RUN_FAULT)
        fault_render(&o.fault, &l, &words);
    keep(&o, &words);
    free(l.issues);
    free(l.lanes);
    memory_free(&m);
    program_free(p);
    return o;
}

struct outcome_of launch_text(const char *text, u32 width, u32 grid, u32 block, u32 *out, u32 n) {
    const u32 g[3] = {grid, 1, 1}, b[3] = {block, 1, 1};
    return launch_text_with(text, width, g, b, out, n, 1000000, ENGINE_AUTO);
}
