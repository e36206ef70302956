/* Do warps take turns in the order of a schedule, and does it change only results that may depend on it? */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "tests/lib/scoped.h"
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

/* ---- all orders ---- */

/* Runs the launch in every order; returns the contents of `orders`. */
static struct ran run_all(const char *text, const char *schedule, u32 block) {
    struct ran r = run(text, schedule, 1, block);
    cr_assert_eq(r.status, HEDDLE_OK, "%s", r.error);
    cr_assert(r.result.orders);
    return r;
}

Test(schedule, a_missing_barrier_is_told_with_both_orders) {
    struct ran r = run_all(EXCHANGE(""), "all", 64);
    const struct heddle_orders *o = r.result.orders;
    cr_assert(!o->same && o->buffer);
    cr_expect_str_eq(o->buffer, "y");
    for (u32 i = 0; i < 2; i++)
        cr_assert(o->order[i].value && o->order[i].nsteps == 3);
    /* warp 0 reads what warp 1 has written, or not yet, and writes it to y[0] */
    const struct heddle_order_step *s = o->order[0].steps, *t = o->order[1].steps;
    cr_expect_str_eq(s[0].what, "shared tile[32]");
    cr_expect(strcmp(s[0].how, "reads") == 0 && s[0].line == 11 && s[0].warp == 0 && s[0].lane == 0);
    cr_expect(strcmp(s[1].what, "y[0]") == 0 && s[1].warp == 0);
    cr_expect(strcmp(s[2].how, "writes") == 0 && s[2].line == 9 && s[2].warp == 1 && s[2].lane == 0);
    cr_expect(t[0].line == s[2].line && t[1].line == s[0].line && t[2].line == s[1].line);
    cr_expect_str_eq(o->order[0].value, "3452816845");
    cr_expect_str_eq(o->order[1].value, "32");
    /* the launch itself took the machine's own order */
    struct ran own = run(EXCHANGE(""), NULL, 1, 64);
    cr_expect_arr_eq(r.y, own.y, sizeof r.y);
    cr_expect_eq(r.result.warp_instructions, own.result.warp_instructions);
    cr_expect_null(own.result.orders);
    done(&own);
    done(&r);
}

Test(schedule, with_the_barrier_there_is_one_order) {
    struct ran r = run_all(EXCHANGE(" bar.sync 0\n"), "all", 64);
    const struct heddle_orders *o = r.result.orders;
    cr_expect(o->same && o->all && o->executed == 1 && !o->faults && !o->buffer, "%s", o->text);
    cr_expect_eq(o->bound, 10000);
    done(&r);
}

Test(schedule, values_are_shown_as_their_type_says) {
    static const char *const types[][3] = {{"u32", "4294967295", "1"},
                                           {"i32", "-1", "1"},
                                           {"b32", "0xffffffff", "0x00000001"}};
    for (u32 i = 0; i < COUNT_OF(types); i++) {
        char text[512];
        snprintf(text, sizeof text,
                 ".kernel k\n.param y : b32[1]\n.reg w, v, py:2\n.pred p\n s2r w, %%warpid\n ld.param.b64 py, [y]\n"
                 " setp.eq.u32 p, w, 0\n mov.b32 v, 1\n@p mov.b32 v, -1\n st.global.b32 [py], v\n exit\n");
        SCOPED(heddle_drop) struct heddle *h = heddle_new();
        SCOPED(heddle_program_drop) struct heddle_program *p = heddle_load(h, "k.hd", text, strlen(text));
        const uint64_t shape[] = {1};
        const struct heddle_arg arg = {.name = "y", .buffer = "y"};
        cr_assert(p && heddle_buffer(h, "y", types[i][0], 1, shape), "%s", heddle_error(h));
        struct heddle_launch l = {.block = {16, 1, 1}, .warp = 8, .args = &arg, .nargs = 1, .schedule = "all"};
        struct heddle_result r;
        cr_assert_eq(heddle_launch(h, p, &l, &r), HEDDLE_OK, "%s", heddle_error(h));
        cr_assert(!r.orders->same);
        cr_expect_str_eq(r.orders->order[0].value, types[i][2]);
        cr_expect_str_eq(r.orders->order[1].value, types[i][1]);
    }
}

static bool stop(void *ctx, double share) {
    (void)ctx;
    return share > 2;
}

Test(schedule, an_exploration_can_be_stopped) {
    struct ran r = run(UPDATE(""), NULL, 1, 32);
    static const struct heddle_arg args[] = {{.name = "y", .buffer = "y"}};
    struct heddle_launch l = {.block = {64, 1, 1}, .args = args, .nargs = 1, .schedule = "all", .progress = stop};
    cr_expect_eq(heddle_launch(r.h, r.p, &l, &r.result), HEDDLE_FAULT);
    cr_expect(strstr(heddle_error(r.h), "stopped after 1 orders"), "%s", heddle_error(r.h));
    done(&r);
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
                                        "random:1x", "rand:1", "1",       "random:18446744073709551616",
                                        "all:",      "all:0",  "all:x",   "alle"};
    for (u32 i = 0; i < COUNT_OF(wrong); i++)
        refused(wrong[i], NULL, "unknown schedule");
    struct ran r = run(UPDATE(""), "random:18446744073709551615", 1, 64);
    cr_expect_eq(r.status, HEDDLE_OK);
    done(&r);
    r = run(UPDATE(""), "all", 65, 32);
    cr_expect(r.status == HEDDLE_INPUT && strstr(r.error, "at most 64 warps"), "%s", r.error);
    done(&r);
    refused("all", "sms=2", "is for launches without a clock");
    refused("random:1", "sms=2", "is for launches without a clock");
}
