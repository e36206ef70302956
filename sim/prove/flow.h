/*
 * Inside of sim/prove/path.c: the position of a warp whose lanes may take both sides of a branch, and what is known of
 * the bits that they branch by. The levels are those of the machine (sim/arch/warp.c), with the reconvergence point of
 * a fork as one of its own.
 */
#ifndef HEDDLE_PROVE_FLOW_H
#define HEDDLE_PROVE_FLOW_H

#include "sim/prove/path.h"

enum role {
    ROLE_PLAIN, /* lanes that wait, as a frame of the machine */
    ROLE_OTHER, /* the second side of a fork */
    ROLE_JOIN   /* the reconvergence point of a fork */
};

/* A frame as in the machine (sim/arch/state.h); a lane that takes both sides of a fork is in both of its levels. */
struct level {
    u64 mask;
    u32 pc, reconv;
    bool call;
    bool counts; /* is a frame in the machine as well, for some data */
    u8 role;     /* enum role */
};

/* Registers, predicates and transit registers of a warp. */
struct state {
    struct state *next; /* of those that are free */
    u32 *r, *p, *x;
};

/* A branch by bits that are not known. */
struct fork {
    u32 pc, calls;
    u32 join;             /* its level */
    bool second;          /* which side is run: 0 falls through, 1 branches */
    bool ran[2];          /* a side that leads to the reconvergence point at once is not run */
    u64 unknown;          /* lanes that take both sides */
    u64 gone[2];          /* those of them that end on a side */
    u32 bit[WARP_MAX];    /* each lane branches by this */
    u32 before[WARP_MAX]; /* conditions at the fork */
    u32 first[WARP_MAX];  /* and at the end of the first side */
    struct state *start;  /* of the lanes at the fork */
    struct state *end;    /* at the end of the first side, when the second is run */
};

struct flow {
    struct level *level;
    struct fork *fork;
    u32 levels, forks;
    u32 most;           /* forks that there is room for; there are at most two levels for each, and PLAIN ones */
    u64 rounds;         /* backward branches taken by a known bit, since the last one by an unknown bit */
    u32 path[WARP_MAX]; /* the condition of a lane to be where it is; BIT_1: for all data */
};

/* Bit that is 1 where both bits are 1, on the assumptions. */
u32 flow_both(const struct site *t, u32 a, u32 b);

/* The run ends: for good, with the bit that it depends on; or to be divided by one. */
enum step flow_stop(struct site *t, enum depend_kind kind, u32 bit);
void flow_split(struct site *t, u32 bit);

/* A bit that a lane's being here depends on. */
u32 flow_reason(const struct site *t, u32 lane);

/* A copy of the warp's registers; NULL, and the run has failed, when out of memory. */
struct state *flow_save(struct site *t);

/* The lanes end where they are: on one side of the last fork that they take both sides of, or for good. */
void flow_end_lanes(struct site *t, u64 lanes);

/* The running level has ended: as warp_pop. */
enum step flow_pop(struct site *t);

#endif
