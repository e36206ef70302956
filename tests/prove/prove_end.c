/* Does a proof end when it must, and report it? */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "sim/prove/shadow.h"
#include "tests/prove/prove_kernel.h"
#include "tests/prove/prove_rig.h"

static double hour(void) {
    static double seconds;
    return seconds += 3600;
}

struct listener {
    u32 calls, most;
    bool shares, steps; /* are what they should be */
};

static bool listen(void *ctx, double share, const char *step) {
    struct listener *l = ctx;
    l->shares = l->shares && share >= 0 && share <= 1;
    l->steps = l->steps && step && strchr(step, ' ');
    return ++l->calls < l->most;
}

static void expect_undecided(struct pair *r, const char *why, const char *text) {
    pair_go(r);
    cr_assert_eq(r->status, HEDDLE_OK, "%s", heddle_error(r->h));
    cr_expect_eq(r->proof.verdict, HEDDLE_UNDECIDED, "%s", r->proof.text);
    cr_expect_str_eq(r->proof.name, "undecided");
    cr_expect_str_eq(r->proof.undecided, why);
    cr_expect(strstr(r->proof.text, text), "%s", r->proof.text);
    cr_expect_eq(r->proof.nelements, 0);
    pair_done(r);
}

Test(prove, a_proof_ends_when_its_time_is_up) {
    struct pair r = pair_load(KERNEL(""), KERNEL(" add.u32 v, v, 1\n"));
    r.asked.max_seconds = 10;
    r.asked.clock = hour;
    expect_undecided(&r, "time", "no answer within 10 s");
}

/* Wherever it is stopped: in the first run, and in each later step; at last it is decided. */
Test(prove, a_proof_ends_when_it_is_told_to) {
    u32 decided = 0, stopped = 0;
    for (u32 most = 1; most < 400 && !decided; most++) {
        struct pair r = pair_load(KERNEL(" setp.lt.u32 p, v, 100\n@p bra on\n mov.b32 v, 100\non:\n"),
                                  KERNEL(" min.u32 v, v, 101\n"));
        struct listener l = {.most = most, .shares = true, .steps = true};
        r.asked.progress = listen;
        r.asked.progress_ctx = &l;
        pair_go(&r);
        cr_assert_eq(r.status, HEDDLE_OK, "%s", heddle_error(r.h));
        cr_assert(l.shares && l.steps);
        decided = r.proof.verdict == HEDDLE_DIFFERENT;
        stopped += r.proof.verdict == HEDDLE_UNDECIDED && strcmp(r.proof.undecided, "stopped") == 0;
        cr_assert(decided || stopped == most, "%u", most);
        pair_done(&r);
    }
    cr_expect(decided && stopped > 10, "%u", stopped);
}

static bool counts_down(void *ctx) {
    u32 *left = ctx;
    return --*left > 0;
}

/* The callback is called now and then to the end; after it returns false nothing runs on. */
Test(prove, whether_to_go_on_is_asked_again_and_again) {
    for (u32 most = 1; most < 30; most++) {
        u32 left = most, steps = 0;
        struct shadow s = {.goes_on = counts_down, .goes_on_ctx = &left};
        while (steps < 10000 && shadow_goes_on(&s))
            steps++;
        cr_expect(steps >= most - 1 && steps < 100 * most, "%u steps, asked %u times", steps, most);
        cr_expect(!shadow_goes_on(&s) && left == 0);
    }
}

/* Whatever memory there is, two kernels that differ are found to, or memory ran out. */
Test(prove, no_lack_of_memory_makes_kernels_equal) {
    u32 answered = 0, short_of = 0;
    static const char *const lines[][2] = {
        {"", " add.u32 v, v, 1\n"},
        {" setp.lt.u32 p, v, 100\n@p bra on\n mov.b32 v, 100\non:\n",
         " setp.lt.u32 p, v, 101\n@p bra on\n mov.b32 v, 101\non:\n"},
        {" max.f32 v, v, w\n max.f32 v, v, i\n mul.lo.u32 t, v, w\n match.any.b32 pair, t\n xor.b32 v, v, pair\n",
         " max.f32 v, w, v\n mul.lo.u32 t, v, w\n match.any.b32 pair, t\n xor.b32 v, v, pair\n"},
    };
    for (u32 i = 0; i < COUNT_OF(lines); i++)
        for (u64 room = 1 << 12, done = 0; done < 3 && room < (u64)1 << 30; room += room / 16) {
            char text[2][2048];
            for (u32 k = 0; k < 2; k++)
                snprintf(text[k], sizeof text[k], ".kernel k\n.shared large : b32[8192]\n%s%s%s",
                         &HEAD[strlen(".kernel k\n")], lines[i][k], TAIL);
            struct pair r = pair_load(text[0], text[1]);
            heddle_max_memory(r.h, heddle_memory(r.h).used + room);
            r.asked.kernel[0].grid[0] = r.asked.kernel[1].grid[0] = 1;
            pair_go(&r);
            if (r.status == HEDDLE_OK) {
                cr_expect_eq(r.proof.verdict, HEDDLE_DIFFERENT, "%s\n%llu bytes", r.proof.text,
                             (unsigned long long)room);
                answered++;
                done++;
            } else {
                cr_expect(strstr(heddle_error(r.h), "memory"), "%s", heddle_error(r.h));
                short_of++;
            }
            pair_done(&r);
        }
    cr_expect(answered == 3 * COUNT_OF(lines) && short_of > 40, "%u answers, %u times short of memory", answered,
              short_of);
}
