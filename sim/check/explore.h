/*
 * Every order of a small launch's warps that can matter: the launch is run again and again on copies of its buffers,
 * each time with other warps first where they conflict. Two turns conflict when they touch a common byte and one is a
 * store or an atomic, or when the first to arrive decides how a barrier is completed; orders that differ in anything
 * else leave the same, and only one of them is run.
 *
 *   struct explore_result r;
 *   struct explore_setup s = {.launch = &l, .bound = EXPLORE_BOUND};
 *   if (explore_run(&s, &r) == RUN_OK && r.same && r.all) ...
 *
 * This is dynamic partial-order reduction (Flanagan and Godefroid) with source sets and sleep sets (Abdulla et al.):
 * after each run the pairs of conflicting turns that nothing orders are reversed at the place where the earlier one
 * was taken. A warp that faults ends, and the others run on, so that every fault of every order is met. One that waits
 * in a loop takes its next turn when what it read has been changed.
 *
 * Left out: orders of the lanes of a warp, and of memory (every access is performed when its instruction executes).
 */
#ifndef HEDDLE_CHECK_EXPLORE_H
#define HEDDLE_CHECK_EXPLORE_H

#include "sim/arch/machine.h"
#include "sim/check/trace.h"

enum {
    EXPLORE_BOUND = 10000,           /* orders, if no bound is given */
    EXPLORE_TURNS = 1 << 16,         /* of one order */
    EXPLORE_INSTRUCTIONS = 10000000, /* of one order, if the launch has no lower limit */
    EXPLORE_STEPS = 3                /* of a story */
};

/* Observer of each order that is begun; no `before`: none. */
struct explore_watch {
    const struct launch *(*before)(void *ctx, const struct launch *l); /* launch to run for it; NULL: out of memory */
    bool (*after)(void *ctx, const struct fault *f);                   /* kind FAULT_NONE: none; false: out of memory */
    void *ctx;
};

struct explore_setup {
    const struct launch *launch; /* whose buffers stay as they are */
    struct explore_watch watch;
    u64 bound; /* orders to run at most */
    bool (*progress)(void *ctx, double share);
    void *progress_ctx;
    /* Called for each order that was run to its end, for tests: its memory, and its fault (kind FAULT_NONE: none). */
    void (*each)(void *ctx, const struct memory *m, const struct fault *f);
    void *each_ctx;
};

/* One turn of a story. */
struct explore_step {
    u32 pc;
    u32 block[3], warp, lane;
    u8 way; /* enum way */
    u8 barrier;
    u64 at; /* where the two turns of the story meet; as in struct touch */
};

/* One order, as far as it matters: the two turns that change places between the two orders, and the last writer. */
struct explore_story {
    u32 count;
    struct explore_step step[EXPLORE_STEPS];
    struct fault fault; /* kind FAULT_NONE: there is none */
    u8 bytes[16];       /* around the byte that differs, from a multiple of 16 on */
};

struct explore_result {
    u64 orders;         /* run to their end */
    u64 abandoned;      /* begun, and found to be like one before */
    bool all;           /* there is no other */
    bool too_long;      /* an order has more than EXPLORE_TURNS turns, or EXPLORE_INSTRUCTIONS instructions */
    bool same;          /* all of them leave the same bytes, or all of them fault */
    struct fault first; /* of the first one; kind FAULT_NONE: there is none */
    bool byte;          /* not the same: a byte differs, else only one of the two faults */
    u32 allocation;
    u64 offset; /* in it */
    struct explore_story story[2];
};

/* RUN_STOPPED also after progress returned false; RUN_FAULT when there are more warps than EXPLORE_WARPS. */
enum outcome explore_run(const struct explore_setup *setup, struct explore_result *r);

/* Fills in what two runs did in other orders, and who wrote the byte last; `at`: its address, 0 = none. (story.c) */
void story_tell(const struct trace trace[2], const struct launch *l, u64 at, struct explore_story story[2]);

#endif
