/*
 * Do the transit registers shift and extract as defined? The reference builds the array of 8 rows and W/2 columns,
 * value by value, and reads it.
 */
#include "tests/isa/isa_warp.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

const u16 isa_warp_transit_ops[] = {OP_XPUSH, OP_XEXT, OP_COUNT};

struct transit {
    u32 pushes; /* registers r8, r9, ... pushed */
    u32 phase;
};

/* Slot values after some pushes. */
static u32 slot_value(const struct transit *t, const struct warp_view *w, u32 slot, u32 lane) {
    s64 source = (s64)slot - 4 + t->pushes;
    return source >= 0 ? w->in[lane].r[source] : 0xcdcdcdcd; /* never written */
}

static void expect(const struct warp_view *w, const void *ctx) {
    const struct transit *t = ctx;
    u32 k = w->width / 4, array[8][32], n = 0;
    for (u32 slot = 0; slot < 4; slot++)
        for (u32 lane = 0; lane < w->width; lane++) {
            /* slot 0 top left, 1 top right, 2 bottom left, 3 bottom right; each is 4 rows of k */
            u32 x = slot / 2 * 4 + lane / k, y = slot % 2 * k + lane % k;
            array[x][y] = slot_value(t, w, slot, lane);
        }
    for (u32 x = 0; x < 8; x++)
        for (u32 y = 0; y < 2 * k; y++)
            if (x % 2 == t->phase / 2 && y % 2 == t->phase % 2)
                w->out[n++].r[7] = array[x][y];
    cr_assert(n == w->width);
}

/* Only whole warps: the launch is cut to blocks of one warp. */
static void test_transit(const struct transit *t, const char *text, u32 width, enum engine engine) {
    SCOPED(program_drop) struct program *p = states_assemble(text, "");
    if (!p)
        return;
    enum { N = 64 * 6 };
    static struct lane_state in[N], out[N], want[N];
    u64 seed = 3;
    for (u32 i = 0; i < N; i++)
        for (u32 k = 0; k < 8; k++)
            in[i].r[k] = (u32)rig_random(&seed);
    memcpy(want, in, sizeof want);
    struct states_launch l = {p, width, engine, width * 3, N, in, out, text};
    for (u32 i = 0; i < N; i += width)
        expect(&(struct warp_view){width, width, ~(u64)0, in + i, want + i}, t);
    if (states_run(&l))
        for (u32 i = 0; i < N; i++)
            cr_assert(state_equal(&want[i], &out[i]), "'%s', width %u, engine %s, lane %u: r15 must be %08x, is %08x",
                      text, width, engine_names[engine], i % width, want[i].r[7], out[i].r[7]);
}

Test(isa_warp_transit, push_and_extract) {
    u32 width;
    enum engine engine;
    for (u32 i = 0; rig_next(&i, &width, &engine);)
        for (u32 reg = 0; reg < TRANSIT_COUNT; reg++)
            for (u32 pushes = 0; pushes <= 6; pushes++)
                for (u32 phase = 0; phase < 4; phase++) {
                    struct transit t = {pushes, phase};
                    SCOPED(buf_free) struct buf text = {0};
                    /* pushes into the other registers must not be seen */
                    for (u32 k = 0; k < pushes; k++)
                        buf_printf(&text, "xpush x%u, r%u\nxpush x%u, r15\n", reg, 8 + k, (reg + 1) % TRANSIT_COUNT);
                    buf_printf(&text, "xext r15, x%u, %u", reg, phase);
                    test_transit(&t, text.data, width, engine);
                }
}

/* The table in the documentation, word for word: (slot, lane) that each lane of a warp of 8 reads. */
Test(isa_warp_transit, the_documented_table_for_eight_lanes) {
    static const u32 slot_lane[4][8][2] = {
        {{0, 0}, {1, 0}, {0, 4}, {1, 4}, {2, 0}, {3, 0}, {2, 4}, {3, 4}},
        {{0, 1}, {1, 1}, {0, 5}, {1, 5}, {2, 1}, {3, 1}, {2, 5}, {3, 5}},
        {{0, 2}, {1, 2}, {0, 6}, {1, 6}, {2, 2}, {3, 2}, {2, 6}, {3, 6}},
        {{0, 3}, {1, 3}, {0, 7}, {1, 7}, {2, 3}, {3, 3}, {2, 7}, {3, 7}},
    };
    for (u32 phase = 0; phase < 4; phase++) {
        SCOPED(buf_free) struct buf text = {0};
        struct lane_state in[8] = {0}, out[8];
        buf_printf(&text, "xpush x0, r8\nxpush x0, r9\nxpush x0, r10\nxpush x0, r11\nxext r15, x0, %u", phase);
        SCOPED(program_drop) struct program *p = states_assemble(text.data, "");
        for (u32 l = 0; l < 8; l++)
            for (u32 slot = 0; slot < 4; slot++)
                in[l].r[slot] = slot * 100 + l;
        struct states_launch launch = {p, 8, ENGINE_AUTO, 8, 8, in, out, text.data};
        if (p && states_run(&launch))
            for (u32 l = 0; l < 8; l++) {
                u32 want = slot_lane[phase][l][0] * 100 + slot_lane[phase][l][1];
                cr_expect(out[l].r[7] == want, "phase %u, lane %u: must be %u, is %u", phase, l, want, out[l].r[7]);
            }
    }
}

Test(isa_warp_transit, needs_every_lane) {
    struct rig r = {.text = ".kernel t\nxpush x0, r1\nexit\n", .width = 32, .block = {31}};
    cr_expect(rig_fault(&r) == FAULT_PARTIAL_WARP);
    r.text = ".kernel t\ns2r r0, %laneid\nsetp.ne.s32 p0, r0, 5\n@p0 xext r1, x0, 2\nexit\n";
    r.block[0] = 32;
    cr_expect(rig_fault(&r) == FAULT_PARTIAL_WARP);
    r.text = ".kernel t\nxpush x0, r1\nxext r1, x0, 2\nexit\n";
    cr_expect(rig_fault(&r) == FAULT_NONE);
}
