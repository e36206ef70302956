/* Does the model of a sample play a grid as closed forms do, and know what its windows are worth? */
#include <criterion/criterion.h>
#include <math.h>

#include "sim/gpu/sample_model.h"
#include "tests/lib/scoped.h"

enum { BLOCKS = 1000, PLACES = 10 };

struct rig {
    struct arena arena;
    struct block_work work[BLOCKS];
    u64 order[BLOCKS], start[BLOCKS], end[BLOCKS];
    struct sample_times times;
    struct sample_model model;
};

static void free_rig(struct rig *r) {
    arena_free(&r->arena);
}

/* Blocks of `kinds` kinds in turn: kind k has 100 (k + 1) instructions, and takes 7 cycles for each. */
static void make(struct rig *r, u32 kinds) {
    for (u64 b = 0; b < BLOCKS; b++) {
        r->work[b] = (struct block_work){100 * (b % kinds + 1), 5};
        r->order[b] = b;
        r->end[b] = 1 + 7 * r->work[b].instructions;
        r->start[b] = 1;
    }
    r->times = (struct sample_times){r->order, r->start, r->end};
    r->model = (struct sample_model){.work = r->work, .blocks = BLOCKS, .last = BLOCKS, .places = PLACES, .gap = 3};
    cr_assert(sample_group(&r->model, &r->arena));
}

Test(sample_model, blocks_are_grouped_by_what_they_do) {
    SCOPED(free_rig) struct rig r = {0};
    for (u32 kinds = 1; kinds <= SAMPLE_GROUPS; kinds++) {
        make(&r, kinds);
        cr_expect_eq(r.model.count, kinds);
        for (u64 b = 0; b < BLOCKS; b++)
            cr_expect_eq(r.model.group[b], r.model.group[b % kinds]);
    }
    make(&r, BLOCKS); /* too many kinds: of a group are those that are near */
    cr_expect(r.model.count > 4 && r.model.count <= SAMPLE_GROUPS);
    cr_expect_eq(r.model.group[BLOCKS - 1], r.model.group[BLOCKS - 2]);
    cr_expect_neq(r.model.group[BLOCKS - 1], r.model.group[BLOCKS / 3]);
}

Test(sample_model, equal_blocks_end_in_waves) {
    SCOPED(free_rig) struct rig r = {0};
    double wave[BLOCKS / PLACES];
    make(&r, 1);
    sample_fit(&r.model, &r.times, 0, 50);
    for (u64 n = 1; n < 95; n++) {
        u64 waves = (n + PLACES - 1) / PLACES;
        cr_expect_float_eq(sample_play(&r.model, NULL, n, NULL), (double)waves * 700 + (double)(waves - 1) * 3, 1e-6);
    }
    sample_play(&r.model, r.order, BLOCKS, wave);
    for (u32 i = 0; i < BLOCKS / PLACES; i++)
        cr_expect_float_eq(wave[i], 703 * i, 1e-6);
    cr_expect_float_eq(r.model.mix, 0, 1e-9);
}

Test(sample_model, a_block_takes_the_place_that_is_free_first) {
    SCOPED(free_rig) struct rig r = {0};
    make(&r, 2);
    r.model.places = 2;
    r.model.gap = 0;
    sample_fit(&r.model, &r.times, 0, 50);
    /* 700 and 1400; at 700 another 700, at 1400 a 1400 (to 2800), at 1400 a 700 (to 2100), then a 1400 */
    const double ends[] = {700, 1400, 1400, 2800, 2800, 3500};
    for (u64 n = 1; n <= COUNT_OF(ends); n++)
        cr_expect_float_eq(sample_play(&r.model, NULL, n, NULL), ends[n - 1], 1e-6);
}

Test(sample_model, groups_that_were_not_timed_count_as_unknown) {
    SCOPED(free_rig) struct rig r = {0};
    make(&r, 2);
    for (u64 b = 1; b < BLOCKS; b += 2)
        r.end[b] = 0;
    sample_fit(&r.model, &r.times, 0, 50);
    cr_expect_float_eq(r.model.mix, 2 / 3.0, 1e-6); /* they have 200 of 300 instructions */
    r.model.last = 0;
    cr_expect(sample_group(&r.model, &r.arena));
    sample_fit(&r.model, &r.times, 0, 0);
    cr_expect_float_eq(r.model.mix, 0, 1e-9); /* nothing is left */
}

Test(sample_model, windows_give_a_rate_and_its_interval) {
    const double model[] = {10, 20, 30, 40}, twice[] = {20, 40, 60, 80}, off[] = {9, 11, 10, 10},
                 same[] = {10, 10, 10, 10};
    struct sample_rate r = sample_rate(twice, model, 4);
    cr_expect_float_eq(r.scale, 2, 1e-12);
    cr_expect_float_eq(r.error, 0, 1e-12);
    r = sample_rate(off, same, 4);
    cr_expect_float_eq(r.scale, 1, 1e-12);
    /* squares 0.01 + 0.01, less 0.01 of two neighbours that make up for each other; t of 3 degrees */
    cr_expect_float_eq(r.error, 3.18 * sqrt(0.01 / 3 / 4), 1e-9);
    cr_expect_float_eq(sample_rate(off, same, 1).error, 1, 1e-12);
}
