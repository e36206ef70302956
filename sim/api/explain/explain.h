/*
 * Explanations: one source line's instructions, lane by lane. The kernel is run once beforehand, on a copy of the
 * buffers and without a clock; the executions of the line are watched, one is kept, all are counted.
 *
 *      explain.c         the watching, the result
 *      explain_choose.c  which instructions: the request, or the accesses that cost most
 *      explain_memory.c  loads, stores, atomics: lines and sectors, banks and passes
 *      explain_warp.c    everything else: source lanes, jumps, operands and results
 *
 * Left out: time, which is the profile's.
 */
#ifndef HEDDLE_API_EXPLAIN_H
#define HEDDLE_API_EXPLAIN_H

#include "sim/api/context.h"
#include "sim/arch/watch.h"

/*
 * Runs the launch as a dry run and fills r->explained. HEDDLE_OK also when that faults: the launch will too, and report
 * it.
 */
enum heddle_status explain_run(struct heddle *h, const struct launch *l, const struct heddle_explain *asked,
                               struct heddle_result *r);

/* ---- shared by the parts ---- */

enum {
    COLUMNS_MAX = 16, /* of a table */
    TALLY_TOP = 1024  /* largest number that a tally counts by itself */
};

/* A number that every execution has, counted by its value. */
struct tally {
    const char *name; /* NULL = not used */
    u64 bin[TALLY_TOP + 1];
};

/* In the order in which they are reported. */
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

/* One watched instruction: its executions counted, and the chosen one kept. */
struct explain_inst {
    u32 pc;
    u64 executions; /* those in which some lane took part */
    u64 turns;      /* executions by the chosen block and warp */
    bool shown;     /* the chosen one took place; the members below hold it */
    bool open;      /* the chosen one has begun and not ended */
    bool faulted;
    u32 block[3], warp;
    u64 active, exec;
    u64 source[OPERANDS_MAX][WARP_MAX]; /* operands before it */
    u64 result[OPERANDS_MAX][WARP_MAX]; /* operands after it */
    u64 addr[WARP_MAX];
    bool access; /* addr is filled */
    struct tally tally[TALLY_COUNT];
};

struct explain {
    struct heddle *h;
    const struct launch *launch;
    const struct heddle_explain *asked;
    u32 n;
    struct explain_inst *inst; /* [n] */
};

/* What is being written about one instruction. Texts live in the context's result. */
struct explain_page {
    struct explain *e;
    const struct explain_inst *at;
    const struct inst *inst;
    struct heddle_column *column; /* [COLUMNS_MAX] */
    u32 ncolumns;
    struct buf words; /* sentences, each ended by NUL */
    size_t start;     /* of the sentence that is being written */
    u32 nwords;
    bool failed; /* out of memory */
};

/* The column of that name, made when it is not there; its title is the name. */
struct heddle_column *explain_column(struct explain_page *p, const char *name, enum heddle_cell kind);
void explain_number(struct heddle_column *c, u32 lane, u64 value);
void explain_text(struct explain_page *p, struct heddle_column *c, u32 lane, const char *text);

/* Adds a sentence; or, where it is put together in parts, ends the one that was written to p->words. */
void explain_say(struct explain_page *p, const char *fmt, ...) PRINTF_LIKE(2, 3);
void explain_end(struct explain_page *p);

/* "lane 5", "lanes 0-3, 8 and 12", "lanes 0, 2, 4, ..., 30", "all 32 lanes" */
void explain_lanes(const struct explain_page *p, u64 lanes, struct buf *out);

void explain_count(struct explain_inst *i, enum tally_kind kind, u32 value);

static inline u32 explain_popcount(u64 v) {
    u32 n = 0;
    for (; v; v &= v - 1)
        n++;
    return n;
}

/* "1 sector", "4 sectors": for %u and %s */
#define PLURAL(n) (n), (n) == 1 ? "" : "s"

/*
 * The instructions that were asked for, in e->inst, and the range that holds them; e->n 0: asked for the worst
 * access, and the launch makes none.
 */
enum heddle_status explain_choose(struct explain *e, struct watch *watch);

/* Runs the launch on copies of the buffers. False when out of memory; true also after a fault. */
bool explain_dry_run(const struct explain *e, const struct watch *watch);

/*
 * Cycles that an access takes: of global memory, look-ups of tags, passes of L1's banks or whole lines of sectors,
 * whichever are most; passes of shared memory; lanes of an atomic that change one place. `least`: with the same bytes
 * side by side and aligned, without conflicts.
 */
u32 explain_access_cycles(const struct explain *e, u32 pc, const u64 *addr, u64 lanes, u32 *least);

/* The space that an access of lane l goes to, and its address within that space. */
enum space explain_space(const struct inst *i, u64 *addr);

/* Counts an execution of a memory instruction; describes the chosen one. */
void explain_memory_count(const struct explain *e, struct explain_inst *i, const u64 *addr, u64 lanes);
void explain_memory(struct explain_page *p);

/* Describes all other instructions. */
void explain_warp(struct explain_page *p);

#endif
