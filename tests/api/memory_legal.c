/* Does every command that DRAM is given by kernels keep the standard, on every device and by every policy? */
#include "sim/api/context.h"
#include "sim/time/partition.h"
#include "tests/time/dram_judge.h"

#include <stdio.h>

#include "tests/lib/samples.h"

/* Kernels that ship, with what they are launched on. */
static const struct {
    const char *file, *buffers[3], *numbers[3];
    u32 elements, grid[2], block[2];
    double values[3];
} kernels[] = {
    {"kernels/classic/saxpy.hd", {"x", "y"}, {"a", "n"}, 16384, {64, 1}, {256, 1}, {2, 16384}},
    {"kernels/classic/transpose_naive.hd", {"a", "b"}, {"rows", "cols"}, 16384, {4, 16}, {32, 8}, {128, 128}},
    {"kernels/classic/stencil2d.hd", {"x", "y"}, {"rows", "cols"}, 16384, {8, 16}, {16, 8}, {128, 128}},
};

static struct heddle_program *read_kernel(struct heddle *h, const char *path) {
    static char text[1 << 16];
    FILE *file = fopen(path, "rb");
    cr_assert(file, "%s", path);
    size_t len = fread(text, 1, sizeof text, file);
    fclose(file);
    struct heddle_program *p = heddle_load(h, path, text, len);
    cr_assert(p, "%s", heddle_error(h));
    return p;
}

/* A board with little L2 and one part of a device; its policies by chance. */
static struct heddle *board_of(const char *device, u64 *random) {
    char text[64], bytes[64];
    snprintf(text, sizeof text, "dram.device=%s", device);
    snprintf(bytes, sizeof bytes, "l2.bytes=%u", random_below(random, 2) ? 0 : 32768);
    const char *const sets[] = {text, "dram.channels=2", "l2.slices=2", bytes, "dram.stacks=1", "sms=4"};
    struct heddle *h = heddle_new();
    cr_assert(h && heddle_board_load(h, NULL, sets, COUNT_OF(sets)), "%s", heddle_error(h));
    struct board *b = &h->board;
    b->dram.page = (enum page)random_below(random, 4);
    b->dram.scheduler = (enum scheduler)random_below(random, 4);
    b->dram.writes = (enum write_handling)random_below(random, 2);
    b->dram.forward = (enum forward)random_below(random, 2);
    b->dram.ecc = (enum ecc)random_below(random, 3);
    b->dram.map = (enum map)random_below(random, 6);
    b->dram.spread = (enum spread)random_below(random, 3);
    b->l2.replacement = (enum replacement)random_below(random, 5);
    b->l2.write = (enum write_policy)random_below(random, 3);
    return h;
}

static void launch(struct heddle *h, u32 k) {
    struct heddle_program *p = read_kernel(h, kernels[k].file);
    struct heddle_arg args[4];
    struct heddle_launch l = {.grid = {kernels[k].grid[0], kernels[k].grid[1], 1},
                              .block = {kernels[k].block[0], kernels[k].block[1], 1},
                              .args = args};
    struct heddle_result result;
    const u64 shape[] = {kernels[k].elements};
    for (u32 i = 0; i < 2; i++) {
        cr_assert(heddle_buffer(h, kernels[k].buffers[i], "f32", 1, shape));
        args[l.nargs++] = (struct heddle_arg){.name = kernels[k].buffers[i], .buffer = kernels[k].buffers[i]};
    }
    for (u32 i = 0; i < 2; i++)
        args[l.nargs++] = (struct heddle_arg){.name = kernels[k].numbers[i], .number = kernels[k].values[i]};
    heddle_trace_memory(h, true);
    cr_assert_eq(heddle_launch(h, p, &l, &result), HEDDLE_OK, "%s: %s", kernels[k].file, heddle_error(h));
    heddle_program_free(p);
}

/* Judges what each data bus was given; the bursts that were moved. */
static u64 judge_all(const struct heddle *h) {
    const struct board_dram *c = &h->board.dram;
    u64 columns = 0;
    for (u32 b = 0; b < board_buses(c); b++) {
        const struct dram_record *log = (const struct dram_record *)(const void *)h->log[b].commands.data;
        u32 n = (u32)(h->log[b].commands.len / sizeof *log);
        n = n < 4000 ? n : 4000; /* each is judged with 700 before it */
        judge_commands(log, n, c);
        judge_banks(log, n, c);
        judge_bus(log, n, c);
        for (u32 i = 0; i < n; i++)
            columns += log[i].command == DRAM_RD || log[i].command == DRAM_WR;
    }
    return columns;
}

Test(memory_legal, kernels_on_every_device) {
    u64 random = 2718;
    const char *name;
    for (u32 i = 0; (name = heddle_device_name(i)); i++) {
        struct heddle *h = board_of(name, &random);
        launch(h, i % COUNT_OF(kernels));
        cr_expect_gt(judge_all(h), 1000, "%s", name);
        heddle_free(h);
    }
}

/* The commands name the SM that a read is for; write-backs are for none. */
Test(memory_legal, commands_name_their_sm) {
    u64 random = 1;
    struct heddle *h = board_of("hbm2-2.0", &random);
    u32 sms = 0;
    launch(h, 0);
    for (u32 b = 0; b < board_buses(&h->board.dram); b++) {
        const struct dram_record *log = (const struct dram_record *)(const void *)h->log[b].commands.data;
        for (u32 i = 0; i < h->log[b].commands.len / sizeof *log; i++) {
            cr_assert_leq(log[i].cause.source, 4);
            cr_assert(log[i].command != DRAM_WR || log[i].cause.source == 0);
            sms |= 1u << log[i].cause.source;
        }
    }
    cr_expect_eq(sms, 31, "%x", sms);
    heddle_free(h);
}
