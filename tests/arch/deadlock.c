/*
 * Is waiting that can never end distinguished from waiting that ends? Looks at every few instructions or cycles must
 * not change any run: random programs, whose blocks wait for one another, end as without them. deadlock.lua tests
 * which idioms are named on which boards.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/gpu/gpu.h"
#include "tests/fuzz/program.h"
#include "tests/isa/isa_rig.h"
#include "tests/lib/launch.h"

enum { BYTES = 400 };

/* A launch of a random program, and what it leaves. */
struct trial {
    struct program_text text;
    struct program *program;
    struct program_buffer buffer[PROGRAM_BUFFERS];
    u32 *bytes[PROGRAM_BUFFERS];
    struct memory memory;
    u8 params[PARAM_BYTES_MAX];
    struct launch launch;
    struct fault fault;
    u64 cycles;
};

/* Prepares a launch of the text, which has some of the buffers of random programs. */
static void trial_prepare(struct trial *t) {
    struct diag diag = {0};
    t->program = program_assemble("t.hd", t->text.text.data, t->text.text.len, NULL, &diag);
    cr_assert(t->program);
    const struct kernel *k = program_kernel(t->program, NULL);
    program_buffers(&t->text, t->buffer);
    for (u32 b = 0; b < PROGRAM_BUFFERS; b++) {
        u64 size = t->buffer[b].words * sizeof(u32), address;
        t->bytes[b] = malloc(size + 1);
        cr_assert(t->bytes[b] && (address = memory_add(&t->memory, t->buffer[b].name, (u8 *)t->bytes[b], size)) != 0);
        for (u32 p = 0; p < k->nparams; p++)
            if (strcmp(k->param[p].name, t->buffer[b].name) == 0)
                memcpy(t->params + k->param[p].offset, &address, sizeof address);
    }
    t->launch = (struct launch){.program = t->program, .kernel = k, .memory = &t->memory, .params = t->params};
    t->launch.width = t->text.width;
    t->launch.max_instructions = 1000000;
    memcpy(t->launch.grid, t->text.grid, sizeof t->launch.grid);
    memcpy(t->launch.block, t->text.block, sizeof t->launch.block);
    t->launch.issues = calloc(t->program->ninst, sizeof(u64));
    t->launch.lanes = calloc(t->program->ninst, sizeof(u64));
    cr_assert(t->launch.issues && t->launch.lanes);
}

static void trial_begin(struct trial *t, u64 number) {
    u8 bytes[BYTES];
    u64 state = number;
    const struct program_options all = {.shared = true, .global = true, .divergent = true};
    for (u32 i = 0; i < BYTES; i++)
        bytes[i] = (u8)(rig_random(&state) >> 24);
    *t = (struct trial){0};
    program_random(bytes, BYTES, &all, &t->text);
    trial_prepare(t);
}

static void trial_end(struct trial *t) {
    for (u32 b = 0; b < PROGRAM_BUFFERS; b++)
        free(t->bytes[b]);
    free(t->launch.issues);
    free(t->launch.lanes);
    memory_free(&t->memory);
    program_free(t->program);
    program_text_free(&t->text);
}

/* Runs it with a look at every `look` instructions or cycles; a hash of the buffers. */
static u64 trial_run(struct trial *t, u64 look, struct gpu *gpu, u64 window) {
    struct gpu_options options = {.window = window};
    struct gpu_result r = {0};
    u64 hash = 0;
    for (u32 b = 0; b < PROGRAM_BUFFERS; b++)
        for (u32 i = 0; i < t->buffer[b].words; i++)
            t->bytes[b][i] = b ? 0 : program_in_word(i, 1);
    t->launch.look = look;
    enum outcome o = gpu ? gpu_run(gpu, &t->launch, &options, &r, &t->fault) : machine_run(&t->launch, &t->fault);
    t->cycles = r.totals.cycles;
    cr_assert(o == RUN_OK, "look %llu: %s: %s\n%s", (unsigned long long)look, fault_names[t->fault.kind],
              t->fault.detail, t->text.text.data);
    for (u32 b = 0; b < PROGRAM_BUFFERS; b++)
        for (u32 i = 0; i < t->buffer[b].words; i++)
            hash = (hash ^ t->bytes[b][i]) * 0x100000001b3u + (hash >> 29);
    return hash;
}

Test(deadlock, is_never_seen_in_random_programs) {
    for (u32 n = 0; n < 100; n++) {
        struct trial t;
        trial_begin(&t, 5000 + n);
        u64 want = trial_run(&t, 0, NULL, 0);
        for (u64 look = 1; look < 2000; look = 3 * look + 1)
            cr_assert_eq(trial_run(&t, look, NULL, 0), want,
                         "a look every %llu instructions changed what program %u leaves", (unsigned long long)look, n);
        trial_end(&t);
    }
}

Test(deadlock, is_never_seen_in_random_programs_with_a_clock) {
    struct board b;
    board_default(&b);
    b.sms = 2;
    struct gpu *gpu = gpu_new(&b, NULL);
    cr_assert(gpu);
    for (u32 n = 0; n < 60; n++) {
        struct trial t;
        trial_begin(&t, 6000 + n);
        u64 want = trial_run(&t, 0, gpu, 0), cycles = t.cycles;
        for (u64 look = 7; look < 2000; look = 4 * look + 1) {
            cr_assert_eq(trial_run(&t, look, gpu, look % 2 ? 0 : 13), want,
                         "a look every %llu cycles changed what program %u leaves", (unsigned long long)look, n);
            cr_assert_eq(t.cycles, cycles, "a look every %llu cycles changed the cycles of program %u",
                         (unsigned long long)look, n);
        }
        trial_end(&t);
    }
    gpu_free(gpu);
}

/* All but one of many waiting blocks spin at any time: the one that proceeds must not be missed. */
static const char turns[] = ".kernel k\n.param sums : u32[]\n.reg t, i, v, u, p:2\n.pred more\n"
                            "  ld.param.b64 p, [sums]\n  s2r t, %%ctaid.x\n  mul.lo.u32 t, t, %u\n  mov.b32 u, 1\n"
                            "wait:\n  ld.global.acquire.b32 v, [p]\n  setp.lt.u32 more, v, t\n@more bra wait\n"
                            "  mov.b32 i, %u\nagain:\n  fence.gpu\n  atom.add.u32.global v, [p], u\n"
                            "  sub.u32 i, i, 1\n  setp.ne.u32 more, i, 0\n@more bra again\n  exit\n";

/* The winner of the lock learns it only from the answer, while all others spin. */
static const char locks[] = ".kernel k\n.param sums : u32[]\n.reg zero, one, i, v, p:2\n.pred more\n"
                            "  ld.param.b64 p, [sums]\n  mov.b32 i, %u\n  mov.b32 zero, 0\n  mov.b32 one, 1\n"
                            "take:\n  atom.cas.b32.global v, [p], zero, one\n  setp.ne.u32 more, v, 0\n@more bra take\n"
                            "  ld.global.volatile.b32 v, [p+4]\n  add.u32 v, v, 1\n  st.global.b32 [p+4], v\n"
                            "  fence.gpu\n  atom.exch.b32.global v, [p], zero\n"
                            "  sub.u32 i, i, 1\n  setp.ne.u32 more, i, 0\n@more bra take\n  exit\n";

/* One block counts for a while, with nothing in flight, before it raises the flag that all others wait for. */
static const char flag[] = ".kernel k\n.param sums : u32[]\n.reg i, v, p:2\n.pred more\n"
                           "  ld.param.b64 p, [sums]\n  mov.b32 i, %u\n  s2r v, %%ctaid.x\n  setp.eq.u32 more, v, 7\n"
                           "@more bra work\nwait:\n  ld.global.volatile.b32 v, [p]\n  setp.eq.u32 more, v, 0\n"
                           "@more bra wait\n  exit\nwork:\n  sub.u32 i, i, 1\n  setp.ne.u32 more, i, 0\n"
                           "@more bra work\n  st.global.b32 [p], v\n  exit\n";

/* Returns to an earlier state except for the time, which ends the loop. */
static const char timer[] =
    ".kernel k\n.param sums : u32[]\n.reg v\n.pred more\n"
    "wait:\n  s2r v, %%clock\n  setp.lt.u32 more, v, %u\n  mov.b32 v, 0\n@more bra wait\n  exit\n";

static void many_blocks(const char *text, u32 times, struct gpu *gpu, u64 longest) {
    struct trial t = {.text = {.width = 32, .grid = {15, 1, 1}, .block = {1, 1, 1}}};
    char filled[2048];
    snprintf(filled, sizeof filled, text, times, times);
    buf_puts(&t.text.text, filled);
    trial_prepare(&t);
    t.launch.max_instructions = 100000000;
    u64 want = trial_run(&t, 0, gpu, 0);
    for (u64 look = 3; look < longest; look = 4 * look + 2)
        cr_expect_eq(trial_run(&t, look, gpu, 0), want);
    trial_end(&t);
}

Test(deadlock, is_not_seen_while_one_of_many_blocks_goes_on) {
    struct board b;
    board_default(&b);
    b.sms = 3;
    b.sm.max_blocks = 5;
    struct gpu *gpu = gpu_new(&b, NULL);
    many_blocks(turns, 30, gpu, 2000);
    many_blocks(locks, 5, gpu, 2000);
    many_blocks(flag, 2000, gpu, 2000);
    many_blocks(flag, 50000, NULL, 100);
    many_blocks(turns, 4096, NULL, 10000); /* more than a turn of the machine's */
    gpu_free(gpu);
}

Test(deadlock, is_not_seen_in_loops_that_the_clock_ends) {
    struct board b;
    board_default(&b);
    struct gpu *gpu = gpu_new(&b, NULL);
    many_blocks(timer, 3000, gpu, 1000);
    many_blocks(timer, 3000, NULL, 1000);
    gpu_free(gpu);
}
