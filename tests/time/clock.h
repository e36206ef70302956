/*
 * A kernel in a string, run with a clock on a small board: what every test of the clock needs.
 *
 *   CLOCK(c, "latency.INT=7 lsu.queue=2");              a plain SM of one sub-core, and what differs
 *   clock_buffer(&c, "out", out, sizeof out);
 *   clock_run(&c, text, 4, 64);                         grid, block; fails the test unless it ends well and adds up
 *   cr_expect_eq(c.result.totals.core.sm.barriers, 8);
 *
 * clock_span is for questions of the form "how many cycles does this take": it puts the lines into a kernel that reads
 * %clock before and after them.
 */
#ifndef HEDDLE_TESTS_CLOCK_H
#define HEDDLE_TESTS_CLOCK_H

#include "sim/gpu/gpu.h"

enum {
    CLOCK_ARGUMENTS = 8,
    CLOCK_WORDS = 8192,
    CLOCK_THREADS = 1024,
    CLOCK_BODY = 13 /* instructions of clock_span before the body */
};

struct clock {
    struct board board;
    struct gpu *gpu; /* made by the first launch: later ones find its caches */
    struct memory memory;
    struct program *program;
    struct {
        const char *name;
        u64 value; /* of a number, or a buffer's address */
    } argument[CLOCK_ARGUMENTS];
    u32 arguments;
    /* how to run */
    u32 width;   /* 0: the board's */
    u32 threads; /* 0: none beside the caller */
    bool warm;
    u64 window; /* longest window; 0: the machine's own */
    u64 max_cycles, max_instructions;
    /* outcome of the launch */
    enum outcome outcome;
    struct fault fault;
    char why[2048]; /* the rendered fault */
    struct gpu_result result;
    u64 *issues, *lanes;
    /* of clock_span */
    u64 *stamp; /* [2 * CLOCK_THREADS] each thread's two readings of %clock */
    u32 *data;  /* [CLOCK_WORDS] the buffer `data`, whose words are their numbers */
    u32 *seen;  /* [CLOCK_THREADS] each thread's `a` at the end */
};

/* `settings`: KEY=VALUE with blanks between them, over a plain board. */
void clock_open(struct clock *c, const char *settings);
void clock_close(struct clock *c);

/* Declares a clock, opens it, and closes it where its scope ends. */
#define CLOCK(c, settings) \
    SCOPED(clock_close) struct clock c; \
    clock_open(&c, settings)

void clock_set(struct clock *c, const char *settings); /* a new machine: its caches are empty */
void clock_buffer(struct clock *c, const char *name, void *bytes, u64 size);
void clock_number(struct clock *c, const char *name, u64 value);

/* Runs the only kernel of the text; launches that end well are held to everything that must add up. */
enum outcome clock_try(struct clock *c, const char *text, u32 grid, u32 block);
void clock_run(struct clock *c, const char *text, u32 grid, u32 block);

/* One of several launches that share the board. */
struct clock_part {
    const char *text; /* with one kernel */
    u32 grid, block;
    int priority;
    struct gpu_share is; /* outcome; its lists are valid until the next launch */
};

/* Runs them at one time. Fails the test unless they end well, and the board's sums add up. */
void clock_share(struct clock *c, struct clock_part *part, u32 n);

/*
 * Cycles between two readings of %clock with `body` between them, of the first warp of one block:
 *
 *   registers  id (%tid.x), a = 1, b = 2, c = 3, d = 4, e, f, g, wide:2, quad:4; r40 ... r62; predicates never, p, q
 *   pd         address of data[0]; `tile` is 16 KiB of shared memory, ps = 4 * id
 *
 * Before the first reading all registers are ready and all warps of the block leave a barrier together. An empty body
 * takes 1 cycle; a body ends when its last instruction has issued, so one that is to be waited for needs a reader.
 */
u64 clock_span(struct clock *c, const char *body, u32 block);

/* Measures `count` copies of `body`. */
u64 clock_repeat(struct clock *c, const char *body, u32 count, u32 block);

/* Measures them for one warp on a board of its own. */
u64 clock_takes(const char *settings, const char *body, u32 count);

/* "lsu.queue=5" from "lsu.queue=%u" and 5. */
struct clock_setting {
    char text[96];
};
struct clock_setting clock_setting(const char *fmt, u32 value);

/* Readings of the last clock_span: of a warp, relative to the first reading of all. */
u64 clock_first(const struct clock *c, u32 warp);
u64 clock_last(const struct clock *c, u32 warp);

/* Pseudo-random numbers that are the same everywhere; below `n`. */
u32 clock_random(u64 *state, u32 n);

#endif
