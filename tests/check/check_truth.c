/*
 * Does the race checker find what there is, and nothing else? Random programs run with the truth beside it (truth.h),
 * without a clock and on random boards. The checker has no graph; it must report a race of some pair of instructions
 * that has one, no pair that has none, and nothing when there is none. SAMPLES=60 makes them 276,000 programs.
 */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "sim/board/shipped.h"
#include "sim/check/check.h"
#include "sim/gpu/gpu.h"
#include "tests/check/truth.h"
#include "tests/lib/launch.h"
#include "tests/lib/program_text.h"
#include "tests/lib/random.h"
#include "tests/lib/samples.h"

/* ---- boards ---- */

/* A board that ships, small, with up to twelve numbers changed as far as its rules allow. */
static struct board random_board(u64 seed) {
    static const char *const small[] = {"sms=1", "sms=2", "sms=3"};
    u64 state = seed * 0x2545f4914f6cdd1du | 1;
    struct board b;
    struct diag diag = {0};
    board_default(&b);
    cr_assert(board_load(&b, NULL,
                         &(struct board_text){.file = board_shipped[random_below(&state, board_shipped_count)].name},
                         &diag));
    cr_assert(board_set(&b, small[random_below(&state, 3)], &diag));
    for (u32 n = random_below(&state, 13); n--;) {
        u32 f = random_below(&state, 2) ? BOARD_barrier_fence_block + random_below(&state, 3)
                                        : random_below(&state, BOARD_FIELDS);
        const struct board_field_row *row = &board_fields[f];
        double now = board_value(&b, f),
               to[] = {row->min, now / 2, now * 2, now * 3, now + 1, now - 1, random_below(&state, 2000)};
        double value = floor(to[random_below(&state, COUNT_OF(to))]);
        struct board was = b;
        /* Warps race where barriers do not wait. */
        if (row->kind != KIND_COUNT || f == BOARD_barrier_free || value < row->min || value > row->max)
            continue;
        board_store(&b, (enum board_field)f, value);
        if (!board_check(&b, &(struct diag){0}))
            b = was;
    }
    return b;
}

/* ---- a program ---- */

struct found {
    u32 races, programs;
};

static bool run(const struct launch *l, const struct board *b) {
    struct fault fault;
    struct gpu_result result;
    if (!b)
        return machine_run(l, &fault) == RUN_OK;
    struct gpu *g = gpu_new(b, NULL);
    cr_assert_not_null(g);
    bool ran = gpu_run(g, l, &(struct gpu_options){0}, &result, &fault) == RUN_OK;
    gpu_free(g);
    return ran;
}

static void one(u64 seed, u32 grid, bool timed, struct found *found) {
    static u8 y[4 * TRUTH_WORDS];
    SCOPED(buf_free) struct buf text = {0};
    SCOPED(prepared_end) struct prepared p;
    u32 block = grid > 1 ? 16 : 32;
    struct board b;
    truth_program(seed, grid, block, &text);
    prepared_begin(&p, program_of_text(text.data), (struct sizes){TRUTH_WIDTH, grid, block});
    memset(y, 0, sizeof y);
    p.params[0] = memory_add(&p.memory, "y", y, sizeof y);
    if (timed) {
        b = random_board(seed);
        p.launch.sms = b.sms;
        if (occupancy_of(&b, &p.launch).blocks == 0)
            return;
    }
    struct truth *t = truth_new(&p.launch);
    const struct check_setup setup = {.launch = truth_launch(t), .kinds = 1 << CHECK_RACE, .timed = timed};
    struct check *c = check_new(&setup);
    bool ran = run(check_launch(c), timed ? &b : NULL); /* a barrier may be misused */
    cr_assert_not(check_failed(c));
    truth_judge(t);
    cr_expect(!ran || (check_count(c) > 0) == truth_any(t), "seed %llu: %u findings, a race: %d\n%s",
              (unsigned long long)seed, check_count(c), truth_any(t), text.data);
    for (u32 i = 0; i < check_count(c) && ran; i++) {
        const struct check_finding *f = check_finding(c, i);
        cr_expect(truth_races(t, f->at[0].pc, f->at[1].pc), "seed %llu: lines %u and %u do not race\n%s",
                  (unsigned long long)seed, p.program->line[f->at[0].pc], p.program->line[f->at[1].pc], text.data);
    }
    found->programs += ran;
    found->races += ran && truth_any(t);
    check_free(c);
    truth_free(t);
}

static void many(u64 first, u32 programs, u32 grid, bool timed) {
    struct found found = {0};
    u32 n = rig_samples(programs);
    for (u64 seed = first; seed < first + n; seed++)
        one(seed, grid, timed, &found);
    cr_log_info("%u programs, %u race", found.programs, found.races);
    cr_expect(found.programs > n - n / 4 && found.races > n / 8 && found.races < n - n / 8, "%u of %u programs race",
              found.races, found.programs);
}

Test(check_truth, of_one_block) {
    many(1, 1500, 1, false);
}

Test(check_truth, of_three_blocks) {
    many(1000001, 1500, 3, false);
}

Test(check_truth, of_one_block_on_random_boards) {
    many(2000001, 800, 1, true);
}

Test(check_truth, of_three_blocks_on_random_boards) {
    many(3000001, 800, 3, true);
}
