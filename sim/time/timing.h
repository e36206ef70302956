/*
 * What the clock must know of each instruction of a program on a board: which registers it waits for and writes, which
 * unit it takes and for how long, when its result is there. Made once for a launch, read by every SM.
 */
#ifndef HEDDLE_TIME_TIMING_H
#define HEDDLE_TIME_TIMING_H

#include "isa/program.h"
#include "sim/board/board.h"
#include "sim/stat/counters.h"

/* What happens when it issues, beyond occupying its unit. */
enum timing_kind {
    TIMING_FIXED,    /* the result is there `latency` cycles later */
    TIMING_MEMORY,   /* goes to the memory pipeline */
    TIMING_BARRIER,  /* block barrier */
    TIMING_BAR_WARP, /* warp barrier: waits for the warp's stores to shared memory */
    TIMING_FENCE,
    TIMING_BRANCH /* the next instruction waits until it is resolved */
};

enum { WAITS_MAX = 24, WRITES_MAX = 8, READS_MAX = 12 };

/*
 * Slots of a warp's scoreboard: registers, then predicates, then transit registers.
 */
struct timing_inst {
    u16 wait[WAITS_MAX];   /* slots that must be ready: sources and destinations */
    u16 write[WRITES_MAX]; /* slots that it makes ready */
    u8 waits, writes;
    u8 unit;                       /* enum unit */
    u8 kind;                       /* enum timing_kind */
    u8 stall;                      /* enum stall of those that wait for its result */
    u8 level;                      /* TIMING_FENCE: 0 block, 1 gpu, 2 sys */
    bool release, acquire, bypass; /* memory: waits for earlier writes; holds up the warp; not through L1 */
    u32 interval;                  /* cycles that the unit is taken */
    u32 latency;                   /* cycles until its result is ready, or a branch resolved */
    u8 reads;                      /* registers read, and */
    u8 read[READS_MAX];            /* which, */
    u8 place[READS_MAX];           /* by which operand */
    u8 registers_written;
    u8 conflicts;      /* cycles by which reading them takes longer than one, for their banks; and */
    u8 conflicts_next; /* when the instruction before it in the program was the warp's last, and operands are kept */
};

struct timing {
    const struct board *board;
    struct timing_inst *inst; /* [ninst] */
    u32 width;
    u32 slots; /* of a warp's scoreboard */
};

/*
 * Cycles by which reading the operands takes longer than one, after instruction `last` of the same warp (NULL: none):
 * reads of one bank follow one another, but for what `last` has left in the same place when the board keeps operands.
 */
u32 timing_conflicts(const struct timing_inst *t, const struct timing_inst *last, const struct board_sm *b);

/* False when memory is out. */
bool timing_init(struct timing *t, const struct board *b, const struct program *p, const struct kernel *k, u32 width,
                 struct arena *arena);

#endif
