/*
 * Do lanes that take turns leave what lanes in lockstep do? By the hardware's rules random programs, whose lanes do not
 * wait for one another, end as by the strict ones, however often their paths take turns. Without what depends on the
 * lanes that are active: paths also meet outside of post-dominators, where levels of the stack do not.
 * kernels/isa/progress.hd has lanes that wait for one another.
 */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "sim/gpu/gpu.h"
#include "tests/fuzz/program.h"
#include "tests/isa/isa_rig.h"

enum { BYTES = 600 };

static struct program_text text;
static struct program_buffer buffer[PROGRAM_BUFFERS];
static u32 *words[PROGRAM_BUFFERS];

/* Launches the program by these rules; a hash of the buffers. */
static u64 leaves(struct launch *l, struct gpu *gpu, struct lenient *lenient) {
    struct gpu_options options = {0};
    struct gpu_result r = {0};
    struct fault fault;
    u64 hash = 0;
    *lenient = (struct lenient){.count = {0}};
    l->lenient = l->hardware ? lenient : NULL;
    for (u32 b = 0; b < PROGRAM_BUFFERS; b++)
        for (u32 i = 0; i < buffer[b].words; i++)
            words[b][i] = b ? 0 : program_in_word(i, 1);
    enum outcome o = gpu ? gpu_run(gpu, l, &options, &r, &fault) : machine_run(l, &fault);
    cr_assert(o == RUN_OK, "turn %u: %s: %s\n%s", l->turn, fault_names[fault.kind], fault.detail, text.text.data);
    for (u32 b = 0; b < PROGRAM_BUFFERS; b++)
        for (u32 i = 0; i < buffer[b].words; i++)
            hash = (hash ^ words[b][i]) * 0x100000001b3u + (hash >> 29);
    return hash;
}

/* Compares turns of some lengths with lockstep; how often another path ran. */
static u64 compare(struct launch *l, struct gpu *gpu, u32 number) {
    struct lenient lenient;
    u64 paths = 0;
    l->hardware = false;
    l->engine = ENGINE_BASELINE;
    const u64 want = leaves(l, gpu, &lenient);
    l->hardware = true;
    l->engine = ENGINE_AUTO;
    for (l->turn = 0; l->turn < 4; l->turn++) {
        cr_assert_eq(leaves(l, gpu, &lenient), want, "turns of %u branches change what program %u leaves:\n%s", l->turn,
                     number, text.text.data);
        paths += lenient.count[LENIENT_PATH];
        lenient.count[LENIENT_PATH] = 0;
        for (u32 k = 0; k < LENIENT_COUNT; k++)
            cr_assert_eq(lenient.count[k], 0, "turns of %u branches: lanes are absent in program %u:\n%s", l->turn,
                         number, text.text.data);
    }
    return paths;
}

/* Blanks the lines of what depends on the lanes that are active. */
static void keep_lanes_apart(char *line) {
    static const char *const names[] = {"shfl", "vote", "ballot", "match", "redux", "activemask"};
    for (char *end; (end = strchr(line, '\n')) != NULL; line = end + 1) {
        *end = '\0';
        for (u32 k = 0; k < COUNT_OF(names); k++)
            if (strstr(line, names[k]))
                memset(line, ' ', strlen(line));
        *end = '\n';
    }
}

static u64 trial(u32 number, struct gpu *gpu) {
    static u8 bytes[BYTES];
    const struct program_options all = {.shared = true, .global = true, .divergent = true};
    struct memory memory = {0};
    struct diag diag = {0};
    u8 params[PARAM_BYTES_MAX];
    u64 state = number;
    for (u32 i = 0; i < BYTES; i++)
        bytes[i] = (u8)(rig_random(&state) >> 24);
    program_random(bytes, BYTES, &all, &text);
    buf_puts(&text.text, "\n");
    keep_lanes_apart(text.text.data);
    struct program *p = program_assemble("t.hd", text.text.data, text.text.len, NULL, &diag);
    cr_assert(p);
    const struct kernel *k = program_kernel(p, NULL);
    program_buffers(&text, buffer);
    for (u32 b = 0; b < PROGRAM_BUFFERS; b++) {
        words[b] = calloc(buffer[b].words + 1, sizeof(u32));
        u64 address = memory_add(&memory, buffer[b].name, (u8 *)words[b], buffer[b].words * sizeof(u32));
        for (u32 i = 0; i < k->nparams; i++)
            if (strcmp(k->param[i].name, buffer[b].name) == 0)
                memcpy(params + k->param[i].offset, &address, sizeof address);
    }
    struct launch l = {.program = p, .kernel = k, .memory = &memory, .params = params, .width = text.width};
    l.max_instructions = 1000000;
    memcpy(l.grid, text.grid, sizeof l.grid);
    memcpy(l.block, text.block, sizeof l.block);
    l.issues = calloc(p->ninst, sizeof(u64));
    l.lanes = calloc(p->ninst, sizeof(u64));
    u64 paths = compare(&l, gpu, number);
    for (u32 b = 0; b < PROGRAM_BUFFERS; b++)
        free(words[b]);
    free(l.issues);
    free(l.lanes);
    memory_free(&memory);
    program_free(p);
    program_text_free(&text);
    text = (struct program_text){0};
    return paths;
}

Test(paths, meet_where_lanes_in_lockstep_do) {
    u64 paths = 0;
    for (u32 n = 0; n < 400; n++)
        paths += trial(9000 + n, NULL);
    cr_assert_gt(paths, 1000);
}

Test(paths, meet_where_lanes_in_lockstep_do_with_a_clock) {
    struct board b;
    u64 paths = 0;
    board_default(&b);
    b.sms = 2;
    struct gpu *gpu = gpu_new(&b, NULL);
    cr_assert(gpu);
    for (u32 n = 0; n < 100; n++)
        paths += trial(9500 + n, gpu);
    gpu_free(gpu);
    cr_assert_gt(paths, 200);
}
