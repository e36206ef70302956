#include "tests/isa/isa_warp.h"

#include <criterion/criterion.h>
#include <stdlib.h>

enum { BLOCKS = 24 };

static u64 guard_mask(const struct warp_test *t, const struct lane_state *s, u32 lanes) {
    u64 exec = 0;
    for (u32 l = 0; l < lanes; l++)
        exec |= (u64)(!t->guarded || (s[l].preds & 1)) << l;
    return exec;
}

static void random_states(struct lane_state *s, u32 n, u64 *seed) {
    for (u32 i = 0; i < n; i++) {
        for (u32 k = 0; k < 8; k++)
            s[i].r[k] = (u32)rig_random(seed);
        s[i].preds = (u32)rig_random(seed) & 31;
    }
}

static bool compare(const struct warp_test *t, const struct states_launch *l, const struct lane_state *want) {
    for (u32 i = 0; i < l->n; i++)
        if (!state_equal(&want[i], &l->out[i])) {
            char before[160], expected[160], got[160];
            state_print(&l->in[i], before);
            state_print(&want[i], expected);
            state_print(&l->out[i], got);
            cr_expect(false,
                      "'%s', width %u, engine %s, block %u, thread %u\n  before   %s\n  expected %s\n  got      %s",
                      t->instruction, l->width, engine_names[l->engine], i / l->block, i % l->block, before, expected,
                      got);
            return false;
        }
    return true;
}

void warp_test(const struct warp_test *t) {
    SCOPED(program_drop) struct program *p = states_assemble(t->instruction, t->tail ? t->tail : "");
    if (!p)
        return;
    struct states_launch l = {.program = p, .what = t->instruction};
    for (u32 i = 0; rig_next(&i, &l.width, &l.engine);) {
        u64 seed = t->seed + 1;
        l.block = l.width + l.width / 2 + 1;
        l.n = rig_samples(BLOCKS) * l.block;
        struct lane_state *in = calloc(l.n, sizeof *in), *want = calloc(l.n, sizeof *want);
        l.in = in;
        l.out = calloc(l.n, sizeof *l.out);
        random_states(in, l.n, &seed);
        for (u32 first = 0; first < l.n;) {
            u32 left = l.block - first % l.block;
            struct warp_view w = {.width = l.width, .lanes = left < l.width ? left : l.width};
            w.in = in + first;
            w.out = want + first;
            w.exec = guard_mask(t, w.in, w.lanes);
            if (t->prepare)
                t->prepare(in + first, &w, &seed, t->ctx);
            w.exec = guard_mask(t, w.in, w.lanes);
            for (u32 k = 0; k < w.lanes; k++)
                w.out[k] = w.in[k];
            if (w.exec)
                t->expect(&w, t->ctx);
            first += w.lanes;
        }
        bool good = states_run(&l) && compare(t, &l, want);
        free(in);
        free(want);
        free(l.out);
        if (!good)
            break;
    }
}
