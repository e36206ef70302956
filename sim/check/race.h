/*
 * Parts of the race checker, private to it.
 *
 *   race.c      an instruction's accesses, and what races with what
 *   keep.c      the reads and strong accesses that a cell keeps
 *   pending.c   any access; plain loads of shared memory that are not in cells yet
 */
#ifndef HEDDLE_CHECK_RACE_H
#define HEDDLE_CHECK_RACE_H

#include "sim/check/cells.h"

enum { ANSWERS = 32 };

#define NO_OTHERS UINT32_MAX /* of no cell */

/* Knowledge of the site about a record. */
struct answer {
    u32 record;
    u8 order;    /* enum order_answer */
    bool races;  /* unless it is ordered before the site */
    bool stands; /* stands_for */
    bool newer;  /* than the last barrier of the whole block */
};

/* One access of the site: by a lane, or by several that read the same. */
struct touch {
    struct site *t;
    u32 record;
    u32 bit;    /* of the warp, in reader.warps */
    u8 against; /* ways of access that it races with, 1 << enum check_how each; atomics only if they do not commute */
    u32 behind; /* records before this one happen before the site */
    u32 lane;   /* the first of `lanes` */
    u64 lanes;
    u64 addr;
    u32 bytes;
    u32 value; /* that it writes */
    struct answer answer[ANSWERS];
    /* The new list of a cell's `others`, also for the next cells with an equal list. */
    u32 from, to;
    u32 uses;       /* cells that had `from` and have `to` */
    u64 to_lanes;   /* for accesses by these; 0: by any */
    u64 read_lanes; /* the same, of words that are read */
    bool again;     /* so; false: no cell is like the last one */
    u32 reported;   /* races of it */
    bool own;       /* the lanes made a difference */
    u64 page_addr, page_size;
    struct memory_cell *page; /* of global memory, the last one used: cells of [page_addr, page_addr + page_size) */
};

static inline bool writes(u8 how) {
    return how == HOW_WRITE || how == HOW_ATOMIC || how == HOW_STRONG_WRITE;
}

static inline bool is_strong(u8 how) {
    return how == HOW_ATOMIC || how == HOW_STRONG_READ || how == HOW_STRONG_WRITE;
}

/*
 * Looks up what the site knows of a record. The words that a warp touches have few records among them: each is looked
 * up once, not for each word.
 */
const struct answer *touch_answer(struct touch *a, u32 record);

/* Compares with an access that a cell keeps, and reports races; whether it is to be kept on beside this one. */
bool touch_compare(struct touch *a, u32 record, u64 lanes, u32 value);

/* True if some access of these races with one of the site, unless something orders them. */
static inline bool may_race(const struct touch *a, const struct kin *k) {
    const u32 op = a->t->t->commutes;
    return k->ways & a->against & ~(op != OP_COUNT && op == k->op ? 1u << HOW_ATOMIC : 0);
}

/* True if a barrier of the whole block follows all of a cell's others. */
bool touch_are_before(const struct touch *a, u32 others);

/* Counts the cells whose others became `to`. */
void touch_settle(struct touch *a);

/* Works out the cell's new others after this access. */
void touch_find_after(struct touch *a, u32 others, u32 value);

/* Compares the site's accesses with those that cells keep, and puts them into the cells; record 0: makes theirs. */
void race_touch(struct site *t, u32 record);

#endif
