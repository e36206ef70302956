/* Runs every kernel of a fuzzed program for a moment, at one width, with plausible parameters. */
#ifndef HEDDLE_TESTS_FUZZ_RUN_H
#define HEDDLE_TESTS_FUZZ_RUN_H

#include <stdlib.h>
#include <string.h>

#include "sim/arch/machine.h"
#include "sim/arch/printed.h"

enum { FUZZ_BYTES = 256, FUZZ_THREADS = 40, FUZZ_LIMIT = 3000 };

static void fuzz_run_kernel(const struct program *p, const struct kernel *k, u32 width) {
    static u8 bytes[FUZZ_BYTES];
    SCOPED(memory_free) struct memory memory = {0};
    u8 params[PARAM_BYTES_MAX] = {0};
    u64 address = memory_add(&memory, "x", bytes, sizeof bytes);
    for (u32 i = 0; i < k->nparams; i++) {
        u64 value = k->param[i].buffer ? address : 3;
        memcpy(params + k->param[i].offset, &value, k->param[i].buffer ? 8 : etypes[k->param[i].etype].bytes);
    }
    struct launch l = {.program = p, .kernel = k, .memory = &memory, .grid = {2, 1, 1}, .width = width};
    l.block[0] = FUZZ_THREADS;
    l.block[1] = l.block[2] = 1;
    struct printed printed = {0};
    l.params = params;
    l.printed = &printed;
    l.max_instructions = FUZZ_LIMIT;
    l.issues = calloc(p->ninst, sizeof *l.issues);
    l.lanes = calloc(p->ninst, sizeof *l.lanes);
    struct fault fault = {0};
    if (l.issues && l.lanes && machine_run(&l, &fault) == RUN_FAULT) {
        SCOPED(buf_free) struct buf text = {0};
        fault_render(&fault, &l, &text);
        if (!text.failed && !text.data)
            abort(); /* a fault without a word */
    }
    printed_close(&printed);
    for (u32 i = 0; i < printed_count(&printed); i++)
        if (strlen(printed.texts.data + printed_at(&printed, i)->at) != printed_at(&printed, i)->len)
            abort(); /* a line with a NUL in it */
    printed_free(&printed);
    free(l.issues);
    free(l.lanes);
}

static void fuzz_run(const struct program *p, u32 choice) {
    static const u32 widths[] = {8, 16, 32, 64};
    u32 w = choice % 4;
    for (u32 i = 0; i < p->nkernels && i < 4; i++) {
        const struct kernel *k = &p->kernel[i];
        if (!k->function && (k->warps == 0 || (k->warps >> w & 1)))
            fuzz_run_kernel(p, k, widths[w]);
    }
}

#endif
