#include "tests/lib/launch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void prepared_begin(struct prepared *p, struct program *program, struct sizes sizes) {
    *p = (struct prepared){.program = program};
    p->launch = (struct launch){.program = program,
                                .kernel = program_kernel(program, NULL),
                                .memory = &p->memory,
                                .grid = {sizes.grid, 1, 1},
                                .block = {sizes.block, 1, 1},
                                .width = sizes.width,
                                .params = (const u8 *)p->params,
                                .issues = calloc(program->ninst, sizeof(u64)),
                                .lanes = calloc(program->ninst, sizeof(u64))};
}

void prepared_end(struct prepared *p) {
    free(p->launch.issues);
    free(p->launch.lanes);
    memory_free(&p->memory);
    program_free(p->program);
}

static void keep(struct outcome_of *o, struct buf *text) {
    snprintf(o->text, sizeof o->text, "%s", text->data ? text->data : "");
    buf_free(text);
}

struct outcome_of launch_text(const char *text, struct sizes sizes, u32 *out, u32 n) {
    struct outcome_of o = {.outcome = RUN_NO_MEMORY};
    struct diag diag = {0};
    struct buf words = {0};
    struct program *program = program_assemble("t.hd", text, strlen(text), NULL, &diag);
    if (!program) {
        diag_render(&diag, &words);
        keep(&o, &words);
        return o;
    }
    SCOPED(prepared_end) struct prepared p;
    prepared_begin(&p, program, sizes);
    p.params[0] = memory_add(&p.memory, "out", (u8 *)out, n * sizeof *out);
    p.launch.max_instructions = 1000000;
    o.outcome = machine_run(&p.launch, &o.fault);
    if (o.outcome == RUN_FAULT)
        fault_render(&o.fault, &p.launch, &words);
    keep(&o, &words);
    return o;
}
