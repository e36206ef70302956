/*
 * A streaming multiprocessor: sub-cores that issue, and the memory pipeline that they share.
 *
 *      sub-core: scheduler -- units                     one instruction a cycle, from a ready warp
 *          |  queue, address unit
 *      SM: memory pipe -- shared memory banks           passes
 *                     \-- L1 tags -- sectors in flight -- port to the network
 *
 * Nothing ticks: a warp's next issue time is the greatest of its constraints, and the greatest is why it waits. Every
 * resource is the time when it is next free. What an SM cannot know alone, replies from L2, is delivered between
 * windows. An SM touches nothing but its own state and, reading only, the bytes of global memory.
 */
#ifndef HEDDLE_TIME_SM_H
#define HEDDLE_TIME_SM_H

#include "sim/arch/state.h"
#include "sim/base/buf.h"
#include "sim/stat/counters.h"
#include "sim/time/cache.h"
#include "sim/time/geometry.h"
#include "sim/time/place.h"
#include "sim/time/record.h"
#include "sim/time/timing.h"
#include "sim/time/wheel.h"

enum { SUB_CORES_MAX = BOARD_MAX_sm_sub_cores, PLACES_MAX = SUB_CORE_WARPS_MAX };
_Static_assert((int)PLACES_MAX == WHEEL_PLACES, "a wheel has the places of a sub-core");

#define NONE 0xffffffffu /* no index */

/* A resident block. */
struct core_block {
    struct block *block;        /* NULL: free place */
    u64 arrived[BARRIER_COUNT]; /* time of the last arrival at each barrier */
    u32 writes;                 /* unanswered requests that change global memory */
    u64 write_seq;              /* number of the next such request of this place */
    u64 first_write;            /* number of the first such request of this block; lower ones are of earlier blocks */
    u32 loads;                  /* outstanding loads */
    u64 exited;                 /* end of the last warp, valid once all have ended */
    u64 end;                    /* when the place becomes free: last warp ended, last load back; TIME_NEVER: taken */
    u64 number, start;          /* number in the grid; its first cycle */
};

/*
 * A resident warp. What each issue reads and writes is in its first 64 bytes, one line of the host's cache: a warp
 * issues once or twice in a window of a copy, and 64 warps of 80 SMs are beyond the second-level cache.
 */
struct core_warp {
    when next;         /* earliest issue of its next instruction, and why */
    when gate;         /* constraint beside its registers: pipeline, branches, barriers, fences */
    u64 since;         /* end of the cycles that are accounted for */
    when *slot;        /* [timing.slots] when each register is ready, and what for */
    struct warp *warp; /* NULL: free place */
    u64 shared_done;   /* time when its stores to shared memory are visible */
    u32 block;         /* place of its block */
    u32 last_pc;       /* instruction issued last, for operand reuse; NONE at first */
    u8 place;          /* place in its sub-core */
    u8 sub_core;
    bool released; /* writes before its st.release are done */
    /* cold */
    u64 age;        /* start number: the lower, the older */
    u64 fence_seq;  /* fence: number of the first write that it does not wait for; 0: it waits for none */
    u64 fence_time; /* fence: earliest end */
    u32 fence_left; /* fence: writes still outstanding */
    u32 late; /* loads that L2 performs, and atomics with a result, that are not answered; a fence waits for them too */
};

/* One line of the instruction stream, in L0 or L1. */
struct fetch_line {
    u32 line;  /* pc / instructions of a line; NONE: free */
    u64 ready; /* cycle of its arrival */
};

/* A resource that is busy from time to time: its calendar, and its total of busy cycles. */
struct busy {
    u64 from, until; /* last busy time; `until` may be TIME_NEVER */
    u64 before;      /* busy cycles before `from` */
};

static inline void busy_begin(struct busy *t, u64 now, u64 until) {
    t->before += t->until - t->from;
    t->from = now;
    t->until = until;
}

/* Busy cycles before `now`. */
static inline u64 busy_before(const struct busy *t, u64 now) {
    return t->before + (t->until < now ? t->until : now) - t->from;
}

/* The instructions that a unit was given last, in order: issue waits while all places hold some that wait. */
struct unit_queue {
    u64 free;                            /* end of the last one that it has taken */
    u64 begins[BOARD_MAX_sm_unit_queue]; /* ring */
    u32 at;                              /* oldest entry of the ring */
};

/* Places are those for warps: of all the SM's, those with number % sub_cores == this sub-core's. */
struct sub_core {
    u64 ready[UNIT_COUNT];        /* [unit] places of warps that wait only for the unit and their turn, one bit each */
    u32 wanted;                   /* units with a bit in `ready`, one bit each */
    u32 last;                     /* place that issued last; NONE at first */
    u64 port_free;                /* end of the register reads of the previous instruction */
    struct busy unit[UNIT_COUNT]; /* LSU, and others with a queue: busy also while that is full */
    struct unit_queue xu, xlane;
    u64 held;                       /* places with a warp, one bit each */
    u8 wants[PLACES_MAX];           /* unit of each warp's next instruction */
    u64 busy_at_ready[PLACES_MAX];  /* of ready warps: busy_before of their unit when they became ready */
    u64 age[PLACES_MAX];            /* [place] age, as in struct core_warp */
    struct wheel wheel;             /* ready times of the other warps, where they are known */
    u64 lsu_free;                   /* end of the LSU unit's own busy time */
    u64 address_free;               /* end of the address unit's busy time */
    u64 queue[BOARD_MAX_lsu_queue]; /* ring: when each memory instruction leaves the queue */
    u32 queue_at;                   /* oldest entry of the ring */
    u32 resident;                   /* resident warps */
    u64 resident_since;             /* start of this residency, valid while resident > 0 */
    struct fetch_line *l0;
};

/* An outstanding load of a warp: of L2, or of more than one line. */
struct load {
    u32 warp; /* index in sm.warp */
    u64 age;  /* age of that warp, which may have ended since */
    u32 block;
    u32 left;              /* lines outstanding */
    u64 done;              /* arrival of the last line so far */
    u32 next;              /* free list */
    u16 write[WRITES_MAX]; /* scoreboard slots to be made ready */
    u8 writes;
    bool acquire;
    bool listed; /* takes an entry among l1.loads */
    bool late;   /* its values arrive with the reply */
    u32 pc;
};

struct waiter {
    u32 load, next;
    u32 extra; /* return cycles beyond those of a 32-bit load */
};

/* A request to L2 that has not been answered. */
struct miss {
    struct cache_line *line;   /* line of L1 to fill; NULL: none */
    struct deferred *deferred; /* NULL: none, or not in flight */
    u64 write_seq;             /* writes: number in the block */
    u32 block;
    u32 waiters; /* list of struct waiter; NONE: end */
    u32 next;    /* miss of the same line; or free list */
    u32 seq;     /* number of the request */
    u8 kind;     /* enum request_kind */
    u8 sectors;
    u64 issued;
};

/* A global or local access that has not entered the memory pipe. */
struct lsu_access {
    u64 ready;           /* time when the address unit is done */
    u32 lines, at;       /* number of lines; first line not served yet */
    u32 cycles;          /* of the memory pipe, for all lines */
    u32 load;            /* index of its struct load; NONE for stores */
    u32 block, warp, pc; /* place of the block; warp of the block */
    u32 number;          /* in the recording */
    u32 extra;           /* return cycles beyond those of a 32-bit load */
    u32 next;            /* in the SM's queue, or free list */
    u8 kind;             /* enum request_kind */
    u8 sub_core;
    u8 queue;     /* entry of the sub-core's queue */
    bool bypass;  /* not cached in L1 */
    bool blocked; /* first line found no room */
    bool crowded; /* it was room among l1.loads, not among l1.sectors */
    u64 since;    /* blocked: time of the first try */
    /* of each line; `line` first */
    struct line_access line[LINES_MAX];
    struct deferred *deferred[LINES_MAX];
    u64 write_seq[LINES_MAX];
    u32 allocation[LINES_MAX];
};

/* Sectors whose reply has arrived, and loads that waited for it alone: they leave room. */
struct release {
    u64 time;
    u32 sectors, loads;
};

struct sm {
    /* set once */
    bool begun;
    const struct timing *timing;
    const struct board *board;
    u32 index;
    u64 since;       /* cycle from which it has its plan */
    u32 allocations; /* allocations of the launch; the last one is local memory */
    struct placer placer;
    struct buf out;        /* struct request each, sent in this window */
    struct record *record; /* NULL: not recorded */
    struct run run;        /* this SM's view of the launch */
    struct effect effect;  /* effect of its last instruction */
    struct arena arena;
    struct printed printed; /* lines of its prints */
    /* the schedulers */
    u64 now;
    u64 next[SUB_CORES_MAX]; /* next cycle with work for each sub-core */
    struct sub_core sub_core[SUB_CORES_MAX];
    struct core_warp *warp;   /* [sm.max_warps] */
    struct core_block *block; /* [places] */
    u32 blocks;               /* number of places for blocks */
    u32 taken;                /* places that have been given to a block */
    u64 room;                 /* time when a place is free; TIME_NEVER: all are taken */
    u32 resident;             /* blocks that have begun and not ended */
    u32 *fresh;               /* [places] places of blocks that have not begun */
    u32 fresh_count;          /* length of `fresh` */
    u64 fresh_next;           /* first start among them; TIME_NEVER: none */
    u64 active_since;         /* start of this residency, valid while resident > 0 */
    u64 active_until;         /* last end of a block so far */
    u64 starts;               /* warps started */
    u64 barrier_free;         /* when the barrier unit has let all warps go on */
    u32 awaiting;             /* warps that wait for writes */
    struct fetch_line *l1i;
    /* the memory pipeline */
    u64 pipe_free, l1_free;
    u32 fill_bytes;               /* filled, and not yet charged to the pipe */
    u64 request_port, reply_port; /* when they are free, in cycles x bytes moved in a cycle */
    u64 replied;                  /* time when the last reply was through */
    struct cache l1;
    struct cache tlb;    /* of pages, each at LINE_BYTES x its number; no sets: every page is in it */
    u32 outstanding;     /* sectors in flight */
    u32 listed;          /* loads that wait for lines */
    struct buf releases; /* struct release each, by time; of this window and those before */
    u32 released;        /* releases already taken into account */
    struct buf loads, misses, waiters, accesses; /* pools: struct load, ... each */
    u32 free_load, free_miss, free_waiter, free_access;
    u32 first_access, last_access; /* queue of accesses that found no room */
    struct buf mail;               /* struct order_key each: replies sent since the last window */
    struct buf inbox;              /* struct reply each, sorted: not delivered yet */
    u32 seq;
    struct writes writes;
    struct deferred_pool pool;
    /* results */
    struct core_counters counters;
    struct line_counters *line; /* of the worker that runs the SM now; NULL before its first window */
    u64 last_event;             /* cycle of the last event */
    u32 ended;                  /* blocks ended since the gpu last read it */
    u64 *ends;                  /* the plan's */
    struct fault fault;         /* kind != FAULT_NONE: the SM has stopped */
    u64 fault_time;             /* cycle of the fault */
    bool no_memory;
};

/* ---- a launch (sm.c) ---- */

/* Facts that all SMs of a launch share. */
struct sm_plan {
    const struct timing *timing;
    const struct run *run;
    u32 blocks; /* blocks that fit on an SM */
    u32 l1_bytes;
    u32 allocations;       /* allocations of the launch, with local memory */
    struct record *record; /* [sms] what they record; NULL: nothing */
    u64 *ends;             /* [blocks of the grid] cycle of each one's end; NULL: not kept */
};

/*
 * Makes one of zeros SM number `index`, empty. False when out of memory; sm_end it all the same. One of zeros, not
 * begun, may be passed to sm_next and sm_end too: SMs without blocks cost nothing.
 */
bool sm_begin(struct sm *s, const struct sm_plan *plan, u32 index);
void sm_end(struct sm *s);

/* True if no block has a place and no request is without its answer: the last event is over at s->last_event. */
bool sm_is_drained(const struct sm *s);

/* Gives a drained SM, whose accounts are closed, another plan from cycle `at` on. False when out of memory. */
bool sm_take(struct sm *s, const struct sm_plan *plan, u64 at);

/* Gives the place that is free since `room` to block n of the grid, which begins at `at`. False when out of memory. */
bool sm_start(struct sm *s, u64 n, u64 at);

/* Sets up the warps of the blocks that begin up to `time`: sm_run does, and callers that read warps before it. */
void sm_make_resident(struct sm *s, u64 time);

/* Time of the next work; TIME_NEVER when there is none, or only replies can help. */
u64 sm_next(const struct sm *s);

/*
 * True if everything in flight leaves memory as it is. Then results that have not arrived are known, and
 * sm_give_results puts them into the registers of the block in that place (flight.c).
 */
bool sm_leaves_memory(const struct sm *s);
void sm_give_results(const struct sm *s, u32 block);

/* Announces a reply in flight, which stays where it is until the SM runs. */
void sm_deliver(struct sm *s, const struct reply *r);

/* Simulates up to, not including, `end`. Every reply that arrives before `end` has been delivered. */
void sm_run(struct sm *s, u64 end);

/*
 * After the last window: closes the accounts at time `end`, also of an SM that never had a block. An SM with blocks has
 * been in a window: the first blocks begin all SMs that ever have one, and the first window runs them all.
 */
void sm_close(struct sm *s, const struct board_sm *b, u64 end);

/* ---- inside (issue.c, lsu.c, l1.c, fetch.c) ---- */

/* Cycles of the warp before `time` are charged to `why`, for the instruction it waits to issue. */
void sm_charge(struct sm *s, struct core_warp *w, u64 time, enum stall why);

/* Works out when the warp may issue next, from its scoreboard. */
void sm_reconsider(struct sm *s, struct core_warp *w);

/* Issues what can issue in cycle `now`; sm.next becomes the next cycle with something to do. */
void sub_core_cycle(struct sm *s, u32 sub_core, u64 now);

/* Cycles that the nanosleep at pc takes: of the lanes the longest time, which PTX bounds. */
u64 sm_sleep(const struct sm *s, const struct warp *w, u32 pc);

/* Tells when the warp, which is at a barrier, can read what that gives: the results of a `bar.red`. */
void sm_gives(struct sm *s, struct core_warp *w, when ready);

/* Puts a warp that waits for memory, a barrier or a fence back on the scoreboard. */
void sm_wake(struct sm *s, struct core_warp *w);

/* A strong load, or an atomic with a result, of the warp was answered. */
void sm_read(const struct sm *s, struct core_warp *w);

/* A write of the block was answered. */
void sm_written(struct sm *s, u32 block, u64 seq, u64 time);

/* Counts a load of the block as back. */
void sm_loaded(struct sm *s, u32 block, u64 time);

/* A memory instruction that was just executed. */
void lsu_issue(struct sm *s, struct core_warp *w, u32 pc, u64 now);

/* Time when the LSU takes the sub-core's next memory instruction: the unit is free and the queue has room. */
u64 lsu_room(const struct sub_core *c);

/* Prefetches for replies; takes one at its time; retries the accesses that found no room. */
void l1_prefetch(const struct sm *s, const struct reply *r, u32 n);
void l1_reply(struct sm *s, const struct reply *r);
void l1_retry(struct sm *s);

/* Time when the instruction at pc has been fetched. */
u64 fetch_ready(struct sm *s, struct sub_core *c, u32 pc, u64 now);
bool fetch_begin(struct sm *s);

#endif
