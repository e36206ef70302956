/*
 * Does the machine compute what a second, independent model of the instruction set computes? Whole programs: random
 * ones with divergence, barriers, exchanges, atomics, shuffles and matrices, at every warp width. Shipped kernels are
 * compared by tests/arch/model.lua.
 */
#include "tests/model/compare.h"

#include <criterion/criterion.h>

#include "tests/isa/isa_rig.h"

enum { PROGRAMS = 100, BYTES = 500 };

static void compare(u32 width, struct program_options ask) {
    u64 state = width;
    ask.width = width;
    for (u32 n = 0; n < PROGRAMS; n++) {
        u8 bytes[BYTES];
        for (u32 i = 0; i < BYTES; i++)
            bytes[i] = (u8)(rig_random(&state) >> 24);
        struct program_text t = {0};
        struct buf why = {0};
        program_random(bytes, BYTES, &ask, &t);
        bool same = model_agrees(&t, n, &why);
        cr_expect(same, "%s", why.data ? why.data : "");
        buf_free(&why);
        program_text_free(&t);
        if (!same)
            return;
    }
}

static const struct program_options all = {.shared = true, .global = true, .divergent = true};

Test(model, programs_at_width_8) {
    compare(8, all);
}

Test(model, programs_at_width_16) {
    compare(16, all);
}

Test(model, programs_at_width_32) {
    compare(32, all);
}

Test(model, programs_at_width_64) {
    compare(64, all);
}

/* Barriers and shuffles are rarer under divergence. */
Test(model, programs_whose_warps_stay_together) {
    compare(32, (struct program_options){.shared = true, .global = true});
}
