#include "tests/lib/launch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "tests/lib/scoped.h"

static void keep(struct outcome_of *o, struct buf *text) {
    snprintf(o->text, sizeof o->text, "%s", text->data ? text->data : "");
    buf_free(text);
}

struct outcome_of launch_text(const char *text, struct sizes sizes, u32 *out, u32 n) {
    struct outcome_of o = {.outcome = RUN_NO_MEMORY};
    struct diag diag = {0};
    struct buf words = {0};
    SCOPED(program_drop) struct program *p = program_assemble("t.hd", text, strlen(text), NULL, &diag);
    if (!p) {
        diag_render(&diag, &words);
        keep(&o, &words);
        return o;
    }
    SCOPED(memory_free) struct memory m = {0};
    u64 address = memory_add(&m, "out", (u8 *)out, n * sizeof *out);
    const struct kernel *k = program_kernel(p, NULL);
    u8 params[PARAM_BYTES_MAX] = {0};
    memcpy(params, &address, sizeof address);
    struct launch l = {.program = p,
                       .kernel = k,
                       .memory = &m,
                       .grid = {sizes.grid, 1, 1},
                       .block = {sizes.block, 1, 1},
                       .width = sizes.width,
                       .engine = ENGINE_AUTO,
                       .params = params,
                       .max_instructions = 1000000};
    l.issues = calloc(p->ninst, sizeof *l.issues);
    l.lanes = calloc(p->ninst, sizeof *l.lanes);
    o.outcome = machine_run(&l, &o.fault);
    if (o.outcome == RUN_FAULT)
        fault_render(&o.fault, &l, &words);
    keep(&o, &words);
    free(l.issues);
    free(l.lanes);
    return o;
}
