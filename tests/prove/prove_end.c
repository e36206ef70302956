/* Does a proof end when it must, and report it? */
#include <criterion/criterion.h>
#include <string.h>

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
