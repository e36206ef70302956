/*
 * A streaming multiprocessor: sub-cores that issue, and the memory pipeline that they share.
 *
 *      sub-core: scheduler -- units                     one instruction a cycle, from a ready warp
 *          |  queue, address unit
 *      SM: memory pipe -- shared memory banks           passes
 *                     \-- L1 tags -- sectors on their way -- port to the network
 *
 * Nothing ticks: a warp's next issue time is the greatest of its constraints, and the greatest is why it waits. Every
 * resource is the time at which it is next free. What an SM cannot know alone, replies from L2, comes between windows.
 * An SM touches nothing but its own state and, reading only, the bytes of global memory.
 */
#ifndef HEDDLE_TIME_SM_H
#define HEDDLE_TIME_SM_H

#include "sim/arch/state.h"
#include "sim/base/buf.h"
#include "sim/stat/counters.h"
#include "sim/time/cache.h"
#include "sim/time/geometry.h"
#include "sim/time/place.h"
#include "sim/time/timing.h"
#include "sim/time/wheel.h"

enum { SUB_CORES_MAX = BOARD_MAX_sm_sub_cores, PLACES_MAX = SUB_CORE_WARPS_MAX, QUEUE_MAX = BOARD_MAX_lsu_queue };
_Static_assert((int)PLACES_MAX == WHEEL_PLACES, "a wheel has the places of a sub-core");

#define NONE 0xffffffffu /* no index */

/* A resident block. */
struct core_block {
    struct block *block;        /* NULL = the place is free */
    u64 barrier[BARRIER_COUNT]; /* time of the last arrival */
    u32 writes;                 /* requests to change global memory that have not been answered */
    u64 write_seq;              /* number of the next such request of this place, */
    u64 first_write;            /* and of the block's first: those before are of blocks that are gone */
    u32 loads;                  /* loads that have not come back */
    u64 exited;                 /* its last warp has ended; valid then */
    u64 end;                    /* and its last load is back, so that the place is free; TIME_NEVER before */
    u64 number, start;          /* of the block in the grid; the cycle in which it begins */
};

/*
 * A resident warp. What each issue reads and writes is in its first 64 bytes, one line of the host's cache: a warp
 * issues once or twice in a window of a copy, and 64 warps of 80 SMs are beyond the second-level cache.
 */
struct core_warp {
    when next;         /* earliest time for its next instruction, and why */
    when gate;         /* what holds it beside its registers: the pipeline, branches, barriers, fences */
    u64 since;         /* cycles before this are accounted for */
    when *slot;        /* [timing.slots] when each register is ready, and what for */
    struct warp *warp; /* NULL = the place is free */
    u64 shared_done;   /* its stores to shared memory are visible */
    u32 block;         /* place of its block */
    u32 last_pc;       /* for operand reuse; NONE at first */
    u8 place;          /* in its sub-core */
    u8 sub_core;
    bool released; /* the writes that its st.release waits for are done */
    /* cold */
    u64 age;        /* number of its start: the lower, the older */
    u64 fence_seq;  /* while it waits for writes: those with lower numbers count, */
    u64 fence_time; /* not before this, */
    u32 fence_left; /* and so many are left */
};

/* One line of the instruction stream, in L0 or L1. */
struct fetch_line {
    u32 line;  /* pc / instructions of a line; NONE = free */
    u64 ready; /* cycle */
};

/* A resource that is taken from time to time: the calendar, and how long it has been taken in all. */
struct taken {
    u64 from, until; /* the last time; `until` may be TIME_NEVER */
    u64 before;      /* cycles of the times before */
};

static inline void take(struct taken *t, u64 now, u64 until) {
    t->before += t->until - t->from;
    t->from = now;
    t->until = until;
}

/* Cycles before `now` in which it was taken. */
static inline u64 taken_before(const struct taken *t, u64 now) {
    return t->before + (t->until < now ? t->until : now) - t->from;
}

/* Places are those for warps: of all the SM's, those with number % sub_cores == this sub-core's. */
struct sub_core {
    u64 ready[UNIT_COUNT];         /* places whose warp waits for nothing but a unit and its turn, by the unit: bits */
    u32 wanted;                    /* units for which `ready` has any, bits */
    u32 last;                      /* place that issued last; NONE at first */
    u64 port_free;                 /* register reads of the instruction before are done */
    struct taken unit[UNIT_COUNT]; /* LSU: also while the memory queue is full */
    u64 held;                      /* places with a warp, bits */
    u8 wants[PLACES_MAX];          /* unit of each warp's next instruction */
    u64 taken[PLACES_MAX];         /* of the ready: what taken_before said of their unit when they became it */
    u64 age[PLACES_MAX];           /* as in struct core_warp */
    struct wheel wheel;            /* when each of the others will be ready; those that do not know are not in it */
    u64 lsu_free;                  /* the LSU unit alone */
    u64 address_free;              /* address unit */
    u64 queue[QUEUE_MAX];          /* when each memory instruction leaves the queue; a ring */
    u32 queue_at;                  /* its oldest entry */
    u32 resident;                  /* warps */
    u64 resident_since;            /* valid while resident > 0 */
    struct fetch_line *l0;
};

/* A load of a warp that waits for L2, or for more than one line. */
struct load {
    u32 warp; /* index in sm.warp, and */
    u64 age;  /* its age: the warp may have ended since */
    u32 block;
    u32 left;              /* lines that have not come */
    u64 done;              /* time of the last that has */
    u32 next;              /* free list */
    u16 write[WRITES_MAX]; /* slots */
    u8 writes;
    bool acquire;
};

struct waiter {
    u32 load, next;
    u32 extra; /* cycles of the way back for wide loads */
};

/* A request to L2 that has not been answered. */
struct miss {
    struct cache_line *line; /* of L1, that it fills; NULL: none */
    struct deferred *deferred;
    u64 write_seq; /* of a write: its number in the block */
    u32 block;
    u32 waiters; /* list of struct waiter, NONE = end */
    u32 next;    /* miss of the same line; or free list */
    u16 waiting; /* length of the list */
    u8 kind;     /* enum request_kind */
    u8 sectors;
    u64 issued;
};

/* A global or local access that has not entered the pipe. */
struct lsu_access {
    u64 ready;     /* address unit done */
    u32 lines, at; /* at: the first that has not been served */
    u32 load;      /* NONE for stores */
    u32 block, pc;
    u32 extra;  /* cycles of the way back for wide loads */
    u32 next;   /* in the SM's queue, or free list */
    u16 serial; /* atomics: lanes that share the most wanted address */
    u8 kind;    /* enum request_kind */
    u8 sub_core;
    u8 queue;     /* entry of the sub-core's queue */
    bool bypass;  /* not through L1 */
    bool blocked; /* the first line has been tried in vain, at */
    u64 since;    /* this time */
    /* of each line; `line` first */
    struct line_access line[LINES_MAX];
    struct deferred *deferred[LINES_MAX];
    u64 write_seq[LINES_MAX];
    u32 allocation[LINES_MAX];
};

/* Sectors that come back, and so leave room. */
struct release {
    u64 time;
    u32 sectors;
};

struct sm {
    /* set once */
    bool begun;
    const struct timing *timing;
    const struct board *board;
    u32 index;
    u32 allocations; /* of the launch; the last one is local memory */
    struct placer placer;
    struct buf out;       /* struct request each, as they were sent in this window */
    struct run run;       /* this SM's view of the launch */
    struct effect effect; /* of its last instruction */
    struct arena arena;
    /* the schedulers */
    u64 now;
    u64 next[SUB_CORES_MAX]; /* cycle in which each sub-core has something to do */
    struct sub_core sub_core[SUB_CORES_MAX];
    struct core_warp *warp;   /* [sm.max_warps] */
    struct core_block *block; /* [places] */
    u32 blocks;               /* places */
    u32 resident;             /* blocks */
    u32 *fresh;               /* [places] places of the blocks that have started and not been made ready, */
    u32 fresh_count;          /* so many, */
    u64 fresh_next;           /* and the first of their beginnings; TIME_NEVER: there are none */
    u64 active_since;         /* valid while resident > 0 */
    u64 active_until;         /* the last end of a block so far */
    u64 starts;               /* warps started */
    u64 barrier_free;
    u32 awaiting; /* warps that wait for writes */
    struct fetch_line *l1i;
    /* the memory pipeline */
    u64 pipe_free, l1_free;
    u64 request_port, reply_port; /* when they are free, in cycles x bytes that they move in one */
    u64 replied;                  /* when the last reply was through */
    struct cache l1;
    u32 outstanding;                             /* sectors on their way */
    struct buf releases;                         /* struct release each, by time; of this window and those before */
    u32 released;                                /* of them, taken into account */
    struct buf loads, misses, waiters, accesses; /* pools: struct load, ... each */
    u32 free_load, free_miss, free_waiter, free_access;
    u32 first_access, last_access; /* those that wait, in order */
    struct buf mail;               /* struct order_key each: of replies that have been sent since the last window */
    struct buf inbox;              /* struct reply each, sorted: not delivered yet */
    u32 seq;
    struct writes writes;
    struct deferred_pool pool;
    /* results */
    struct core_counters counters;
    struct line_counters *line; /* of the worker that runs the SM now; NULL before its first window */
    u64 last_event;             /* cycle of the last thing that happened */
    u32 ended;                  /* blocks that ended since the gpu last asked */
    struct fault fault;         /* kind != FAULT_NONE: the SM has stopped, */
    u64 fault_time;             /* in this cycle */
    bool no_memory;
};

/* ---- a launch (sm.c) ---- */

/* What is the same for all SMs of a launch. */
struct sm_plan {
    const struct timing *timing;
    const struct run *run;
    u32 blocks; /* that an SM can hold */
    u32 l1_bytes;
    u32 allocations; /* local memory included */
};

/*
 * Makes it SM number `index`, empty. False when memory is out; sm_end it all the same. One of zeros, not begun,
 * may be asked for its next event and ended too: SMs without blocks cost nothing.
 */
bool sm_begin(struct sm *s, const struct sm_plan *plan, u32 index);
void sm_end(struct sm *s);

/*
 * Starts block n of the grid at `at`, or as soon after the end of the block whose place it takes as the board says.
 * False when memory is out.
 */
bool sm_start(struct sm *s, u64 n, u64 at);

/*
 * Makes ready the blocks that were started; sm_run does, and whoever wants to see their warps before. Not done at the
 * start: what it writes, registers above all, would have left the host's nearest caches until the SM has its turn.
 * Measured on a copy, with what struct pending_line saves: 5 % fewer misses of a cache of 1 MB.
 */
void sm_settle(struct sm *s);

/* When there is something to do; TIME_NEVER when there is nothing, or only replies can help. */
u64 sm_next(const struct sm *s);

/* A reply is on its way, and stays where it is until the SM runs. */
void sm_deliver(struct sm *s, const struct reply *r);

/* Simulates up to, not including, `end`. Every reply that arrives before `end` has been delivered. */
void sm_run(struct sm *s, u64 end);

/*
 * After the last window: closes the accounts at time `end`, also of an SM that never had a block. One that had has been
 * in a window: the first blocks make all SMs that will ever have any, and the first window runs them all.
 */
void sm_close(struct sm *s, const struct board_sm *b, u64 end);

/* ---- inside (issue.c, lsu.c, l1.c, fetch.c) ---- */

/* Cycles of the warp before `time` are charged to `why`, for the instruction it waits to issue. */
void sm_charge(struct sm *s, struct core_warp *w, u64 time, enum stall why);

/* Works out when the warp may issue next, from its scoreboard. */
void sm_reconsider(struct sm *s, struct core_warp *w);

/* Issues what can issue in cycle `now`; sm.next becomes the next cycle with something to do. */
void sub_core_cycle(struct sm *s, u32 sub_core, u64 now);

/* A warp that waits for memory, a barrier or a fence and nothing else is told what it waits for. */
void sm_wake(struct sm *s, struct core_warp *w);

/* Until the block's writes so far are answered, and not before `least`. */
void sm_await_writes(struct sm *s, struct core_warp *w, u64 least);

/* A write of the block was answered. */
void sm_written(struct sm *s, u32 block, u64 seq, u64 time);

/* A load of the block came back. */
void sm_loaded(struct sm *s, u32 block, u64 time);

/* A memory instruction that was just executed. */
void lsu_issue(struct sm *s, struct core_warp *w, u32 pc, u64 now);

/* When the LSU takes the sub-core's next memory instruction: the unit is free and the queue has room. */
u64 lsu_room(const struct sub_core *c);

/* Takes a reply that arrives at its time, and serves what waited for it. */
void l1_expect(const struct sm *s, const struct reply *r, u32 n);
void l1_reply(struct sm *s, const struct reply *r);
void l1_pump(struct sm *s);

/* When the instruction at pc is there. */
u64 fetch_ready(struct sm *s, struct sub_core *c, u32 pc, u64 now);
bool fetch_begin(struct sm *s);

#endif
