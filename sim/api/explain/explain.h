/*
 * Explanations: one source line's instructions, lane by lane. The executions of the line are watched, one is kept, all
 * are counted: in the launch itself or, if that has a clock or checkers, in a run before it on copies of the buffers.
 *
 *      explain.c  watches the run; the result
 *      choose.c   which instructions: the request, or the accesses that cost most
 *      memory.c   loads, stores, atomics: lines and sectors, banks and passes
 *      warp.c     everything else: source lanes, jumps, operands and results
 *
 * Left out: time, which the profile shows.
 */
#ifndef HEDDLE_API_EXPLAIN_H
#define HEDDLE_API_EXPLAIN_H

#include "sim/api/context.h"
#include "sim/arch/watch.h"

enum {
    COLUMNS_MAX = 16, /* columns of a table */
    TALLY_TOP = 1024  /* largest value that a tally counts separately */
};

/* A number of each execution, counted by value. */
struct tally {
    const char *name; /* NULL = not used */
    u64 bin[TALLY_TOP + 1];
};

/* Tallies, in the order of the report. */
enum tally_kind {
    TALLY_LANES,
    TALLY_TAKEN,
    TALLY_LINES,
    TALLY_SECTORS,
    TALLY_PASSES,
    TALLY_IDEAL,
    TALLY_ADDRESSES,
    TALLY_SERIAL,
    TALLY_COUNT
};

/* A watched instruction: its executions counted, the chosen one kept. */
struct explain_inst {
    u32 pc;
    u64 executions; /* executions with at least one lane */
    u64 turns;      /* executions by the chosen block and warp */
    bool shown;     /* the chosen execution took place; it is kept below */
    bool open;      /* the chosen execution has begun and not ended */
    bool faulted;
    bool late; /* its results come from warps that are still to arrive */
    u32 block[3], warp;
    u64 active, exec;
    u64 source[OPERANDS_MAX][WARP_MAX]; /* operands before the execution */
    u64 result[OPERANDS_MAX][WARP_MAX]; /* operands after the execution */
    u64 addr[WARP_MAX];
    bool access; /* `addr` is filled */
    struct tally tally[TALLY_COUNT];
};

struct explain {
    struct heddle *h;
    const struct launch *launch;
    const struct heddle_explain *asked;
    u32 n;                     /* 0 = the worst accesses were requested, and there are none */
    struct explain_inst *inst; /* [n] */
    struct watch watch;        /* for the launch, unless there was a dry run */
};

/*
 * Chooses what is watched, from the fields before n; `dry`: runs it, too. HEDDLE_OK also after a fault in
 * that, which the launch will meet and report.
 */
enum heddle_status explain_begin(struct explain *e, bool dry);

/* Fills r->explain after the run. False when out of memory. */
bool explain_fill(struct explain *e, struct heddle_result *r);

/* ---- shared by the parts ---- */

/* The explanation of one instruction while it is written. Texts are in the context's result. */
struct explain_page {
    struct explain *e;
    const struct explain_inst *at;
    const struct inst *inst;
    struct heddle_column *column; /* [COLUMNS_MAX] */
    u32 ncolumns;
    struct buf words; /* sentences, each ended by NUL */
    size_t start;     /* start of the present sentence */
    u32 nwords;
    bool failed; /* out of memory */
};

/* Finds or makes the column of that name; its title is the name. */
struct heddle_column *explain_column(struct explain_page *p, const char *name, enum heddle_cell kind);
void explain_number(struct heddle_column *c, u32 lane, u64 value);
void explain_text(struct explain_page *p, struct heddle_column *c, u32 lane, const char *text);

/* Adds a sentence, or ends one whose parts were written to p->words. */
void explain_say(struct explain_page *p, const char *fmt, ...) PRINTF_LIKE(2, 3);
void explain_end(struct explain_page *p);

/* Appends a list of lanes: "lane 5", "lanes 0-3, 8 and 12", "lanes 0, 2, 4, ..., 30", "all 32 lanes". */
void explain_lanes(const struct explain_page *p, u64 lanes, struct buf *out);

void explain_count(struct explain_inst *i, enum tally_kind kind, u32 value);

static inline u32 explain_popcount(u64 v) {
    u32 n = 0;
    for (; v; v &= v - 1)
        n++;
    return n;
}

/* "1 sector", "4 sectors": arguments of %u and %s */
#define PLURAL(n) (n), (n) == 1 ? "" : "s"

/* Chooses the requested instructions: e->n, e->inst and e->watch.marked. */
enum heddle_status explain_choose(struct explain *e);

/* Runs the launch on copies of the buffers. False when out of memory; true also after a fault. */
bool explain_dry_run(const struct explain *e, const struct watch *watch);

/*
 * Computes the cycles of an access. Global memory: look-ups of tags, passes of L1's banks or whole lines of sectors,
 * whichever are most; shared memory: passes; atomics: lanes that change one place. `least`: cycles of the same bytes
 * side by side, aligned and without conflicts.
 */
u32 explain_access_cycles(const struct explain *e, u32 pc, const u64 *addr, u64 lanes, u32 *least);

/* Finds the space that an access of lane l addresses; *addr becomes the address in it. */
enum space explain_space(const struct inst *i, u64 *addr);

/* Counts an execution of a memory instruction; describes the chosen one. */
void explain_memory_count(const struct explain *e, struct explain_inst *i, const u64 *addr, u64 lanes);
void explain_memory(struct explain_page *p);

/* Describes all other instructions. */
void explain_warp(struct explain_page *p);

#endif
