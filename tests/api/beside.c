/* Are launches that share a board each right, timed as alone where they are alone, and added up? */
#include "tests/api/api.h"

#include <stdio.h>

enum { N = 100, LAUNCHES = 3 };

static const char *const names[LAUNCHES][2] = {{"x0", "y0"}, {"x1", "y1"}, {"x2", "y2"}};

/* Three saxpy, a = 1, 2, 3, of 4, 8 and 12 blocks, on buffers of their own. */
struct three {
    struct heddle *h;
    struct heddle_program *p;
    struct heddle_arg args[LAUNCHES][4];
    struct heddle_launch launch[LAUNCHES];
    struct heddle_beside beside[LAUNCHES];
};

static void begin(struct three *t, const char *board) {
    const uint64_t n = N;
    t->h = heddle_new();
    t->p = load(t->h, "saxpy.hd", saxpy);
    if (board)
        cr_assert(heddle_board_load(t->h, &(struct heddle_file){.name = board}, NULL, 0), "%s", heddle_error(t->h));
    for (uint32_t i = 0; i < LAUNCHES; i++) {
        const struct heddle_arg args[] = {{.name = "x", .buffer = names[i][0]},
                                          {.name = "y", .buffer = names[i][1]},
                                          {.name = "a", .number = 1 + i},
                                          {.name = "n", .number = N}};
        memcpy(t->args[i], args, sizeof args);
        for (uint32_t b = 0; b < 2; b++) {
            cr_assert(heddle_buffer(t->h, names[i][b], "f32", 1, &n), "%s", heddle_error(t->h));
            for (uint32_t k = 0; k < N; k++)
                floats(t->h, names[i][b])[k] = (float)k;
        }
        t->launch[i] =
            (struct heddle_launch){.grid = {4 * (i + 1), 0, 0}, .block = {32, 0, 0}, .args = t->args[i], .nargs = 4};
        t->beside[i] = (struct heddle_beside){.program = t->p, .launch = &t->launch[i]};
    }
}

static void end(struct three *t) {
    heddle_program_free(t->p);
    heddle_free(t->h);
}

static double metric(const struct heddle_result *r, const char *name) {
    for (uint32_t i = 0; i < r->nmetrics; i++)
        if (strcmp(r->metrics[i].name, name) == 0)
            return r->metrics[i].value;
    cr_assert_fail("no metric %s", name);
    return 0;
}

/* Counts of the board are sums, its time is that of the last launch, and SMs held blocks for no longer. */
static void judge_sums(const struct heddle_result *r, const struct heddle_result *board, double sms) {
    uint64_t instructions = 0, last = 0, held = 0, blocks = 0;
    for (uint32_t i = 0; i < LAUNCHES; i++) {
        instructions += r[i].warp_instructions;
        blocks += r[i].blocks;
        held += r[i].sm_cycles;
        last = r[i].cycles > last ? r[i].cycles : last;
        cr_assert(r[i].beside == LAUNCHES && r[i].first_block < r[i].cycles && r[i].sm_cycles > 0);
    }
    cr_assert(board->warp_instructions == instructions && board->blocks == blocks && blocks == 4 + 8 + 12);
    cr_assert(board->cycles >= last && (double)held <= sms * (double)board->cycles);
    cr_assert(strcmp(board->kernel, "saxpy + saxpy + saxpy") == 0 && !board->inconsistency, "%s", board->inconsistency);
}

Test(beside, each_is_right_and_the_board_has_their_sum) {
    uint64_t cycles[LAUNCHES] = {0};
    for (uint32_t threads = 1; threads <= 3; threads++) {
        SCOPED(end) struct three t;
        struct heddle_result r[LAUNCHES], board;
        begin(&t, "teach32");
        for (uint32_t i = 0; i < LAUNCHES; i++)
            t.launch[i].threads = threads;
        cr_assert(heddle_launch_all(t.h, t.beside, LAUNCHES, r, &board) == HEDDLE_OK, "%s", heddle_error(t.h));
        for (uint32_t i = 0; i < LAUNCHES; i++) {
            for (uint32_t k = 0; k < N; k++)
                cr_assert(floats(t.h, names[i][1])[k] == (float)(k * (2 + i)), "launch %u, element %u", i, k);
            cr_assert(threads == 1 || r[i].cycles == cycles[i], "with %u threads", threads);
            cycles[i] = r[i].cycles;
        }
        struct heddle_board_value sms;
        cr_assert(heddle_board_value(t.h, "sms", &sms));
        judge_sums(r, &board, sms.number);
        cr_assert(metric(&board, "dram.reads") * 32 >= 3 * 2 * 4 * N); /* each reads two buffers, cold */
    }
}

/* A launch that has the board alone takes as long as by heddle_launch, and `alone` measures that. */
Test(beside, alone_is_the_time_of_heddle_launch) {
    for (uint32_t i = 0; i < LAUNCHES; i++) {
        SCOPED(end) struct three t, u;
        struct heddle_result r[LAUNCHES], one, only;
        begin(&t, "teach32");
        begin(&u, "teach32");
        for (uint32_t k = 0; k < LAUNCHES; k++)
            t.beside[k].alone = k == i;
        cr_assert(heddle_launch(u.h, u.p, &u.launch[i], &one) == HEDDLE_OK, "%s", heddle_error(u.h));
        cr_assert(heddle_launch_all(t.h, t.beside, LAUNCHES, r, NULL) == HEDDLE_OK, "%s", heddle_error(t.h));
        cr_assert_eq(r[i].alone_cycles, one.cycles);
        cr_assert(r[i].slowdown == (double)r[i].cycles / (double)one.cycles && r[i].slowdown > 0);
        cr_assert(r[(i + 1) % LAUNCHES].alone_cycles == 0 && r[(i + 1) % LAUNCHES].slowdown == 0);
        const uint64_t alone = one.cycles;
        cr_assert(heddle_launch_all(u.h, &u.beside[i], 1, &only, NULL) == HEDDLE_OK, "%s", heddle_error(u.h));
        cr_assert_eq(only.cycles, alone);
    }
}

/* Blocks of the highest priority start first, whatever the order of the launches. */
Test(beside, priority_is_no_later_than_without) {
    for (uint32_t i = 0; i < LAUNCHES; i++) {
        SCOPED(end) struct three t, u;
        struct heddle_result equal[LAUNCHES], first[LAUNCHES];
        begin(&t, "teach32");
        begin(&u, "teach32");
        u.beside[i].priority = 5;
        cr_assert(heddle_launch_all(t.h, t.beside, LAUNCHES, equal, NULL) == HEDDLE_OK);
        cr_assert(heddle_launch_all(u.h, u.beside, LAUNCHES, first, NULL) == HEDDLE_OK);
        cr_assert(first[i].first_block <= equal[i].first_block && first[i].priority == 5);
        for (uint32_t k = 0; k < LAUNCHES; k++)
            cr_assert(first[i].first_block <= first[k].first_block);
    }
}

Test(beside, what_cannot_share_a_board_is_refused) {
    SCOPED(end) struct three t, bare;
    struct heddle_result r[HEDDLE_BESIDE_MAX + 1];
    struct heddle_beside many[HEDDLE_BESIDE_MAX + 1];
    begin(&t, "teach32");
    begin(&bare, NULL);
    for (uint32_t i = 0; i < COUNT_OF(many); i++)
        many[i] = t.beside[0];
    cr_assert(heddle_launch_all(bare.h, bare.beside, 1, r, NULL) == HEDDLE_INPUT);
    cr_assert(strstr(heddle_error(bare.h), "need a board"));
    cr_assert(heddle_launch_all(t.h, many, 0, r, NULL) == HEDDLE_INPUT);
    cr_assert(heddle_launch_all(t.h, many, COUNT_OF(many), r, NULL) == HEDDLE_INPUT);
    cr_assert(strstr(heddle_error(t.h), "65 launches at one time; from 1 to 64"));
    t.launch[1].warm = true;
    cr_assert(heddle_launch_all(t.h, t.beside, LAUNCHES, r, NULL) == HEDDLE_INPUT);
    cr_assert(strstr(heddle_error(t.h), "warm caches: for a launch that has the board alone"));
    for (uint32_t k = 0; k < N; k++)
        cr_assert(floats(t.h, "y0")[k] == (float)k, "a refused launch has run");
}

Test(beside, a_fault_of_one_ends_all_and_is_its_own) {
    SCOPED(end) struct three t;
    struct heddle_result r[LAUNCHES];
    begin(&t, "teach32");
    SCOPED(heddle_program_drop)
    struct heddle_program *wrong = load(
        t.h, "wrong.hd",
        ".kernel wrong\n.param out : f32[]\n.reg po:2\nld.param.b64 po, [out]\nst.global.b32 [po+400], po\nexit\n");
    const struct heddle_arg out = {.name = "out", .buffer = "y1"};
    t.launch[1].args = &out;
    t.launch[1].nargs = 1;
    t.beside[1].program = wrong;
    cr_assert(heddle_launch_all(t.h, t.beside, LAUNCHES, r, NULL) == HEDDLE_FAULT, "%s", heddle_error(t.h));
    cr_assert(r[1].fault.kind && !r[0].fault.kind && !r[2].fault.kind);
}
