/*
 * The functional machine alone: assembles and runs a kernel with nothing linked but sim/base, isa and sim/arch. That
 * this program links proves that what happens does not depend on when it happens.
 */
#include <stdio.h>
#include <string.h>

#include "isa/program.h"
#include "sim/arch/machine.h"

enum { N = 1000, BLOCK = 96 };

/* Steps of the Collatz sequence from i + 1: every lane leaves the loop at its own time. */
static const char source[] = ".kernel collatz\n"
                             ".param out : u32[n]\n"
                             ".param n : u32\n"
                             ".reg i, x, steps, t, limit, po:2\n"
                             ".pred inside, done, odd\n"
                             "        s2r          i, %ctaid.x\n"
                             "        s2r          t, %ntid.x\n"
                             "        s2r          x, %tid.x\n"
                             "        mad.lo.s32   i, i, t, x\n"
                             "        ld.param.b32 limit, [n]\n"
                             "        setp.lt.u32  inside, i, limit\n"
                             "@!inside exit\n"
                             "        add.s32      x, i, 1\n"
                             "        mov.b32      steps, 0\n"
                             "again:  setp.eq.u32  done, x, 1\n"
                             "@done   bra          out_of_loop\n"
                             "        and.b32      t, x, 1\n"
                             "        setp.ne.u32  odd, t, 0\n"
                             "        shr.u32      t, x, 1\n"
                             "@odd    mul.lo.s32   t, x, 3\n"
                             "@odd    add.s32      t, t, 1\n"
                             "        mov.b32      x, t\n"
                             "        add.s32      steps, steps, 1\n"
                             "        bra          again\n"
                             "out_of_loop:\n"
                             "        ld.param.b64 po, [out]\n"
                             "        mad.wide.u32 po, i, 4, po\n"
                             "        st.global.b32 [po], steps\n"
                             "        exit\n";

static u32 collatz(u32 x) {
    u32 steps = 0;
    for (; x != 1; steps++)
        x = x % 2 ? 3 * x + 1 : x / 2;
    return steps;
}

/* Runs the kernel at one width on one engine; whether every element is right. */
static bool run(const struct program *p, u32 width, enum engine engine) {
    static u32 out[N];
    static u64 issues[64], lanes[64];
    memset(out, 0xff, sizeof out);
    memset(issues, 0, sizeof issues);
    memset(lanes, 0, sizeof lanes);
    const struct kernel *k = program_kernel(p, NULL);
    SCOPED(memory_free) struct memory memory = {0};
    u8 params[PARAM_BYTES_MAX] = {0};
    u64 address = memory_add(&memory, "out", (u8 *)out, sizeof out);
    u32 n = N;
    memcpy(params + k->param[0].offset, &address, sizeof address);
    memcpy(params + k->param[1].offset, &n, sizeof n);
    struct launch l = {.program = p, .kernel = k, .memory = &memory, .grid = {(N + BLOCK - 1) / BLOCK, 1, 1}};
    memcpy(l.block, (u32[3]){BLOCK, 1, 1}, sizeof l.block);
    l.width = width;
    l.engine = engine;
    l.params = params;
    l.issues = issues;
    l.lanes = lanes;
    struct fault fault = {0};
    bool ok = machine_run(&l, &fault) == RUN_OK;
    if (!ok) {
        SCOPED(buf_free) struct buf text = {0};
        fault_render(&fault, &l, &text);
        fputs(text.data ? text.data : "no fault text\n", stderr);
    }
    for (u32 i = 0; ok && i < N; i++)
        ok = out[i] == collatz(i + 1);
    return ok;
}

int main(void) {
    struct diag diag = {0};
    struct program *p = program_assemble("collatz.hd", source, sizeof source - 1, NULL, &diag);
    if (!p || p->ninst > 64) {
        SCOPED(buf_free) struct buf text = {0};
        diag_render(&diag, &text);
        fputs(text.data ? text.data : "program too long\n", stderr);
        return 1;
    }
    u32 passed = 0, failed = 0;
    for (enum engine e = ENGINE_BASELINE; e < ENGINE_COUNT; e++) {
        for (u32 width = 8; engine_available(e) && width <= WARP_MAX; width *= 2) {
            bool ok = run(p, width, e);
            passed += ok;
            failed += !ok;
            if (!ok)
                fprintf(stderr, "collatz at warp width %u on %s: wrong\n", width, engine_names[e]);
        }
    }
    program_free(p);
    printf("%u passed, %u failed\n", passed, failed);
    return failed != 0;
}
