/* Does a shuffle give each lane the value of its source, within its segment, and report whether there was one? */
#include "tests/isa/isa_warp.h"

#include <criterion/criterion.h>
#include <stdio.h>

/* The last four have their segments in r12. */
const u16 isa_warp_shuffle_ops[] = {OP_SHFL_IDX_B32,        OP_SHFL_UP_B32,         OP_SHFL_DOWN_B32,
                                    OP_SHFL_BFLY_B32,       OP_SHFL_IDX_CLAMP_B32,  OP_SHFL_UP_CLAMP_B32,
                                    OP_SHFL_DOWN_CLAMP_B32, OP_SHFL_BFLY_CLAMP_B32, OP_COUNT};

enum { NUMBERED = 4 };

static const char *const segments[] = {"", ".w2", ".w4", ".w8", ".w16", ".w32"};

struct shuffle {
    u16 op;
    u32 segment;   /* index of segments */
    bool constant; /* b is the immediate `b` */
    u32 b;
    bool over; /* the destination is the source */
    bool clamped;
};

/*
 * The lane that `lane` reads, with whether it exists in the segment; written with division, as in the manual's prose.
 */
static u32 source(const struct shuffle *s, u32 width, u32 lane, u32 b, bool *exists) {
    u32 size = s->segment ? 2u << (s->segment - 1) : width;
    if (size > width)
        size = width;
    u32 segment = lane / size, within = lane % size;
    s64 wanted;
    switch (s->op) {
    case OP_SHFL_IDX_B32: *exists = b < size; return segment * size + b % size;
    case OP_SHFL_UP_B32: wanted = (s64)within - (s64)b; break;
    case OP_SHFL_DOWN_B32: wanted = (s64)within + (s64)b; break;
    default: wanted = (s64)(within ^ b); break;
    }
    *exists = wanted >= 0 && wanted < (s64)size;
    return *exists ? segment * size + (u32)wanted : lane;
}

/* Finds it by a segment mask and a clamp: a bit of a lane's number is fixed where the mask has a one. */
static u32 source_clamped(const struct shuffle *s, u32 width, u32 lane, const u32 at[2], bool *exists) {
    u32 b = at[0] % width, clamp = at[1] % width, mask = at[1] / 256 % width, most = 0, index = 0;
    for (u32 bit = 1; bit < width; bit *= 2) {
        index += mask & bit ? lane & bit : b & bit;
        most += mask & bit ? lane & bit : clamp & bit;
    }
    s64 wanted = index;
    if (s->op == OP_SHFL_UP_CLAMP_B32)
        wanted = (s64)lane - (s64)b;
    else if (s->op != OP_SHFL_IDX_CLAMP_B32)
        wanted = s->op == OP_SHFL_BFLY_CLAMP_B32 ? (s64)(lane ^ b) : (s64)lane + (s64)b;
    *exists = s->op == OP_SHFL_UP_CLAMP_B32 ? wanted >= most : wanted <= most;
    return *exists ? (u32)wanted : lane;
}

static u32 source_of(const struct shuffle *s, u32 width, u32 l, const struct lane_state *lane, bool *exists) {
    const u32 at[] = {s->constant ? s->b : lane->r[2], lane->r[4]};
    return s->clamped ? source_clamped(s, width, l, at, exists) : source(s, width, l, at[0], exists);
}

/* Distances of all sizes; no lane that executes may read one that does not. r12:r13 become the member mask. */
static void prepare(struct lane_state *lane, const struct warp_view *w, u64 *seed, const void *ctx) {
    const struct shuffle *s = ctx;
    u64 exec = w->exec;
    for (u32 l = 0; l < w->lanes; l++) {
        u64 r = rig_random(seed);
        bool exists;
        u32 near = (u32)(r >> 32) % (w->width + 2);
        lane[l].r[2] = (r & 7) == 0 ? (u32)(r >> 32) : (r & 7) == 1 ? 0 - near : near;
        lane[l].r[4] = r >> 8 & 1 ? (u32)rig_random(seed)
                                  : (w->width - (1u << (r >> 9) % 7)) << 8 | (r >> 16 & 1 ? w->width - 1 : 0);
        if (!s->constant)
            for (u32 i = 0; i < 20 && !(exec >> source_of(s, w->width, l, &lane[l], &exists) & 1); i++)
                lane[l].r[2] = (u32)rig_random(seed) % w->width;
    }
    /* Whoever still reads a lane that is not there leaves, which others may have read. */
    for (bool changed = true; changed;) {
        changed = false;
        for (u32 l = 0; l < w->lanes; l++) {
            bool exists;
            if ((exec >> l & 1) && !(exec >> source_of(s, w->width, l, &lane[l], &exists) & 1)) {
                exec &= ~((u64)1 << l);
                lane[l].preds &= ~1u;
                changed = true;
            }
        }
    }
    for (u32 l = 0; l < w->lanes && !s->clamped; l++) {
        u64 mask = exec | (w->width < 64 ? rig_random(seed) << w->width : 0); /* names beyond the warp mean nothing */
        lane[l].r[4] = (u32)mask;
        lane[l].r[5] = (u32)(mask >> 32);
    }
}

static void expect(const struct warp_view *w, const void *ctx) {
    const struct shuffle *s = ctx;
    for (u32 l = 0; l < w->lanes; l++) {
        bool exists;
        if (!(w->exec >> l & 1))
            continue;
        u32 from = source_of(s, w->width, l, &w->in[l], &exists);
        w->out[l].r[s->over ? 0 : 6] = w->in[from].r[0];
        w->out[l].preds = (w->in[l].preds & ~16u) | (u32)exists << 4;
    }
}

static void test_shuffle(const struct shuffle *s, bool masked, u64 seed) {
    char text[96], b[16] = "r10";
    if (s->constant)
        snprintf(b, sizeof b, "%u", s->b);
    snprintf(text, sizeof text, "@p0 %s%s %s|p4, r8, %s%s", isa_rows[s->op].name, segments[s->segment],
             s->over ? "r8" : "r14", b, masked ? ", r12" : "");
    struct warp_test t = {
        .instruction = text, .guarded = true, .seed = seed, .prepare = prepare, .expect = expect, .ctx = s};
    warp_test(&t);
}

Test(isa_warp_shuffle, every_mode_segment_and_distance) {
    static const u32 constants[] = {0, 1, 2, 3, 7, 8, 16, 31, 33, 63, 64};
    for (u32 i = 0; isa_warp_shuffle_ops[i] != OP_COUNT; i++)
        for (u32 segment = 0; segment < (i < NUMBERED ? COUNT_OF(segments) : 1); segment++) {
            struct shuffle s = {.op = isa_warp_shuffle_ops[i], .segment = segment, .clamped = i >= NUMBERED};
            test_shuffle(&s, s.clamped, i);
            test_shuffle(&s, true, i + 10);
            s.over = true;
            test_shuffle(&s, s.clamped || segment % 2, i + 20);
            s.constant = true;
            for (u32 k = 0; k < COUNT_OF(constants); k++) {
                s.b = constants[k];
                s.over = k % 2;
                test_shuffle(&s, s.clamped || k % 3 == 1, k);
            }
        }
}

/* No guard: every lane of full and partly full warps takes part. */
static void full_expect(const struct warp_view *w, const void *ctx) {
    (void)ctx;
    for (u32 l = 0; l < w->lanes; l++)
        w->out[l].r[6] = w->in[l - l % 2].r[0];
}

Test(isa_warp_shuffle, without_predicate_or_guard) {
    /* up by one in pairs: odd lanes read their even neighbour, even lanes keep their own */
    struct warp_test t = {.instruction = "shfl.up.b32.w2 r14, r8, 1", .seed = 5, .expect = full_expect};
    warp_test(&t);
}

static enum fault_kind fault_of(const char *instruction, u32 width, u32 block) {
    SCOPED(buf_free) struct buf text = {0};
    buf_printf(&text, ".kernel t\ns2r r0, %%tid.x\nmov.b64 r2, -1\nsetp.lt.u32 p0, r0, 4\n%s\nexit\n", instruction);
    struct rig r = {.text = text.data, .width = width, .block = {block}};
    enum fault_kind kind = rig_fault(&r);
    return kind;
}

Test(isa_warp_shuffle, reading_an_inactive_lane_is_a_fault) {
    for (u32 width = 8; width <= 64; width *= 2) {
        cr_expect(fault_of("@p0 shfl.bfly.b32 r1, r0, 4", width, width) == FAULT_INACTIVE_LANE, "width %u", width);
        cr_expect(fault_of("@p0 shfl.idx.b32 r1, r0, 4", width, width) == FAULT_INACTIVE_LANE, "width %u", width);
        cr_expect(fault_of("@p0 shfl.down.b32 r1, r0, 1", width, width) == FAULT_INACTIVE_LANE, "width %u", width);
        cr_expect(fault_of("shfl.down.b32 r1, r0, 1", width, width - 1) == FAULT_INACTIVE_LANE, "width %u", width);
        cr_expect(fault_of("@p0 shfl.up.b32 r1, r0, 1, r2", width, width) == FAULT_INACTIVE_LANE, "width %u", width);
        cr_expect(fault_of("@p0 shfl.up.b32 r1, r0, 1", width, width) == FAULT_NONE, "width %u", width);
        cr_expect(fault_of("shfl.idx.b32 r1, r0, 3, r2", width, width) == FAULT_NONE, "width %u", width);
    }
}
