/*
 * What the clock must know of each instruction of a program on a board: which registers it waits for and writes, which
 * unit it takes and for how long, when its result is ready. Made once for a launch, read by every SM.
 */
#ifndef HEDDLE_TIME_TIMING_H
#define HEDDLE_TIME_TIMING_H

#include "sim/arch/machine.h"
#include "sim/board/board.h"
#include "sim/stat/counters.h"
#include "sim/time/message.h"

/* A time and the reason for it in one number, so that the greatest constraint carries its reason along. */
typedef u64 when;

enum { WHY_BITS = STALL_COUNT <= 16 ? 4 : 5 };
_Static_assert(STALL_COUNT <= 1 << WHY_BITS, "a reason fits below the time");

#define WHEN_NEVER (~(u64)0 << WHY_BITS)

static inline when when_of(u64 time, enum stall why) {
    return time << WHY_BITS | why;
}

static inline u64 when_time(when w) {
    return w >= WHEN_NEVER ? TIME_NEVER : w >> WHY_BITS;
}

static inline enum stall when_why(when w) {
    return (enum stall)(w & ((1 << WHY_BITS) - 1));
}

/* Effects of an issue, beyond occupying the unit. */
enum timing_kind {
    TIMING_FIXED,    /* result `latency` cycles later */
    TIMING_OPERAND,  /* the same, read from constants or parameters */
    TIMING_ROUTINE,  /* the same, and takes more than one issue slot */
    TIMING_QUEUED,   /* the same, from when the queue of its unit has let it in; of any number of slots */
    TIMING_MEMORY,   /* uses the memory pipeline */
    TIMING_BARRIER,  /* block barrier */
    TIMING_BAR_WARP, /* warp barrier: waits for the warp's stores to shared memory */
    TIMING_FENCE,
    TIMING_SLEEP,
    TIMING_BRANCH, /* holds up the next instruction until it is resolved */
    TIMING_JUMP    /* the same: call, return, exit */
};

enum { WAITS_MAX = 24, WRITES_MAX = 8, READS_MAX = 12 };

/*
 * Slots of a warp's scoreboard: registers, then predicates, then transit registers.
 *
 * The fields that every issue reads are first, in one line of the host's cache.
 */
struct timing_inst {
    _Alignas(64) u8 waits;
    u8 writes;
    u8 unit;     /* enum unit */
    u8 kind;     /* enum timing_kind */
    u8 throttle; /* enum stall of warps that wait for its unit */
    u8 reads;    /* registers read */
    u8 registers_written;
    u8 conflicts;      /* extra cycles of its register reads, for bank conflicts */
    u8 conflicts_next; /* the same when the previous instruction was the warp's last, and operands are kept */
    bool release, acquire, bypass; /* memory: waits for earlier writes; holds up the warp; not cached in L1 */
    bool stores;                   /* waits for the warp's stores to shared memory */
    u8 level;                      /* TIMING_FENCE: 0 block, 1 gpu, 2 sys */
    u8 slots;                      /* issue slots that it takes */
    u8 together;                   /* atomics on global memory: lanes that are combined, if all have one address */
    u8 adds;                       /* enum request_adds */
    u32 interval;                  /* cycles that the unit is busy */
    u32 latency;                   /* cycles until its result is ready, or a branch resolved */
    u32 result;                    /* latency and the reason of those that wait for the result, as in `when` */
    u16 write[WRITES_MAX];         /* slots to be made ready */
    u16 wait[WAITS_MAX];           /* slots that must be ready: sources and destinations */
    u8 read[READS_MAX];            /* registers read */
    u8 place[READS_MAX];           /* [reads] operand of each */
};

struct timing {
    const struct board *board;
    struct timing_inst *inst; /* [ninst] */
    u32 width;
    u32 slots; /* slots of a warp's scoreboard */
};

/*
 * Cycles more than one that reading the operands takes, after instruction `last` of the same warp (NULL: none):
 * reads of one bank follow one another, but for what `last` has left in the same place when the board keeps operands.
 */
u32 timing_conflicts(const struct timing_inst *t, const struct timing_inst *last, const struct board_sm *b);

/* Lanes of an atomic on global memory that reach L2 as one, where all have one address. 1: each for itself. */
u32 timing_together(const struct board *b, const struct inst *i);

/* False when out of memory. */
bool timing_init(struct timing *t, const struct board *b, const struct launch *l, struct arena *arena);

#endif
