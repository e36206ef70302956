/* Do warps take turns in the order that a schedule asks for, and does that change only what may depend on it? */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "sim/api/heddle.h"
#include "sim/base/types.h"

enum { N = 64 };

/* Each of two warps adds 1 to every word of y, in two accesses; `between` stands between them. */
#define UPDATE(between) \
    ".kernel k\n.param y : u32[64]\n.reg i, v, py:2\n" \
    " s2r i, %laneid\n ld.param.b64 py, [y]\n mad.wide.u32 py, i, 4, py\n" \
    " ld.global.b32 v, [py]\n" between " add.u32 v, v, 1\n st.global.b32 [py], v\n exit\n"

/* Threads of two warps exchange words through shared memory. */
#define EXCHANGE(barrier) \
    ".kernel k\n.param y : u32[64]\n.shared tile : u32[64]\n.reg i, o, v, py:2\n" \
    " s2r i, %tid.x\n ld.param.b64 py, [y]\n mad.wide.u32 py, i, 4, py\n shl.b32 o, i, 2\n" \
    " st.shared.b32 [tile+o], i\n" barrier " xor.b32 o, o, 128\n ld.shared.b32 v, [tile+o]\n" \
    " st.global.b32 [py], v\n exit\n"

struct ran {
    struct heddle *h;
    struct heddle_program *p;
    enum heddle_status status;
    struct heddle_result result;
    u32 y[N];
    char error[512];
};

static struct ran run_on(const char *text, const char *schedule, u32 grid, u32 block, const char *board) {
    struct ran r = {.h = heddle_new()};
    static const struct heddle_arg args[] = {{.name = "y", .buffer = "y"}};
    const uint64_t shape[] = {N};
    struct heddle_tensor t;
    const char *sets[] = {board};
    cr_assert(!board || heddle_board_load(r.h, NULL, sets, 1), "%s", heddle_error(r.h));
    r.p = heddle_load(r.h, "k.hd", text, strlen(text));
    cr_assert(r.p, "%s", heddle_error(r.h));
    cr_assert(heddle_buffer(r.h, "y", "u32", 1, shape));
    struct heddle_launch l = {.grid = {grid, 1, 1}, .block = {block, 1, 1}, .warp = 32, .args = args, .nargs = 1};
    l.schedule = schedule;
    l.max_instructions = 100000;
    r.status = heddle_launch(r.h, r.p, &l, &r.result);
    snprintf(r.error, sizeof r.error, "%s", heddle_error(r.h));
    cr_assert(heddle_buffer_get(r.h, "y", &t));
    memcpy(r.y, t.data, sizeof r.y);
    return r;
}

static struct ran run(const char *text, const char *schedule, u32 grid, u32 block) {
    return run_on(text, schedule, grid, block, NULL);
}

static void done(struct ran *r) {
    heddle_program_free(r->p);
    heddle_free(r->h);
}

/* Runs with `count` seeds; how many of them leave `value` in y[0]. */
static u32 with_value(const char *text, u32 grid, u32 block, u32 count, u32 value) {
    u32 n = 0;
    for (u32 seed = 0; seed < count; seed++) {
        char schedule[32];
        snprintf(schedule, sizeof schedule, "random:%u", seed);
        struct ran r = run(text, schedule, grid, block);
        cr_assert_eq(r.status, HEDDLE_OK, "%s", r.error);
        cr_expect_str_eq(r.result.schedule, schedule);
        n += r.y[0] == value;
        done(&r);
    }
    return n;
}

/* ---- random turns ---- */

Test(schedule, the_same_seed_gives_the_same_bytes_and_counts) {
    for (u32 seed = 0; seed < 8; seed++) {
        char schedule[32];
        snprintf(schedule, sizeof schedule, "random:%u", seed);
        struct ran a = run(UPDATE(""), schedule, 4, 64), b = run(UPDATE(""), schedule, 4, 64);
        cr_expect_arr_eq(a.y, b.y, sizeof a.y);
        cr_expect_eq(a.result.warp_instructions, b.result.warp_instructions);
        cr_expect_eq(a.result.warp_instructions, 8 * 7);
        done(&a);
        done(&b);
    }
}

Test(schedule, a_lost_update_is_seen_between_warps_and_between_blocks) {
    struct ran own = run(UPDATE(""), NULL, 1, 64);
    cr_expect_eq(own.y[0], 2);
    cr_expect_null(own.result.schedule);
    done(&own);
    /* of the six orders of two loads and two stores, two lose nothing */
    u32 kept = with_value(UPDATE(""), 1, 64, 64, 2), apart = with_value(UPDATE(""), 2, 32, 64, 2);
    cr_expect(kept > 4 && kept < 60, "%u of 64", kept);
    cr_expect(apart > 4 && apart < 60, "%u of 64", apart);
}

Test(schedule, what_barriers_order_stays) {
    cr_expect_eq(with_value(EXCHANGE(" bar.sync 0\n"), 1, 64, 32, 32), 32);
    u32 right = with_value(EXCHANGE(""), 1, 64, 64, 32);
    cr_expect(right > 4 && right < 60, "%u of 64", right);
}

/* The first warp waits for a word that the second writes: turns never stay with one of them. */
Test(schedule, a_spinning_warp_lets_the_others_act) {
    static const char spin[] = ".kernel k\n.param y : u32[64]\n.reg w, v, py:2\n.pred first, again\n"
                               " s2r w, %warpid\n ld.param.b64 py, [y]\n setp.eq.u32 first, w, 0\n@!first bra write\n"
                               "wait: ld.global.b32.volatile v, [py+4]\n setp.eq.u32 again, v, 0\n@again bra wait\n"
                               " st.global.b32 [py], v\n exit\nwrite: mov.b32 v, 5\n st.global.b32 [py+4], v\n exit\n";
    cr_expect_eq(with_value(spin, 1, 64, 16, 5), 16);
}

Test(schedule, faults_and_deadlocks_are_reported) {
    static const char apart[] = ".kernel k\n.param y : u32[64]\n.reg w\n.pred first\n s2r w, %warpid\n"
                                " setp.eq.u32 first, w, 0\n@first bar.sync 1\n@!first bar.sync 2\n exit\n";
    struct ran r = run(apart, "random:1", 2, 64);
    cr_expect_eq(r.status, HEDDLE_FAULT);
    cr_expect_str_eq(r.result.fault.kind, "deadlock");
    done(&r);
    r = run(".kernel k\n.param y : u32[64]\nagain: bra again\n", "random:1", 1, 64);
    cr_expect_str_eq(r.result.fault.kind, "instruction_limit");
    done(&r);
    r = run(".kernel k\n.param y : u32[64]\n.reg v\n ld.global.b32 v, [rz]\n exit\n", "random:1", 3, 64);
    cr_expect_str_eq(r.result.fault.kind, "null");
    done(&r);
}

Test(schedule, more_blocks_than_are_resident_all_run) {
    static const char count[] = ".kernel k\n.param y : u32[64]\n.reg one, py:2\n ld.param.b64 py, [y]\n"
                                " mov.b32 one, 1\n red.global.add.u32 [py], one\n exit\n";
    cr_expect_eq(with_value(count, 1000, 32, 1, 32000), 1);
}

/* ---- wrong input ---- */

static void refused(const char *schedule, const char *board, const char *words) {
    struct ran r = run_on(UPDATE(""), schedule, 1, 64, board);
    cr_expect_eq(r.status, HEDDLE_INPUT, "%s", schedule);
    cr_expect(strstr(r.error, words), "%s: %s", schedule, r.error);
    done(&r);
}

Test(schedule, what_is_no_schedule_is_refused) {
    static const char *const wrong[] = {"",          "random", "random:", "random:-1",
                                        "random:1x", "rand:1", "1",       "random:18446744073709551616"};
    for (u32 i = 0; i < COUNT_OF(wrong); i++)
        refused(wrong[i], NULL, "unknown schedule");
    struct ran r = run(UPDATE(""), "random:18446744073709551615", 1, 64);
    cr_expect_eq(r.status, HEDDLE_OK);
    done(&r);
    refused("random:1", "sms=2", "is for launches without a clock");
}
