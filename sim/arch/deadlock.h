/*
 * Waiting that can never end: loops that nothing is left to end. Now and then a launch checks whether anything in it
 * can still change. For that each resident block runs alone, in the background and with global memory as it is, until
 *
 *      a warp changes memory, reads the clock, ends or faults      the launch continues
 *      every warp is back in a state that it had before, or
 *      waits at a barrier for those that have                      the block waits
 *
 * A store of an equal value, a compare-and-swap that fails, a sum of zero change nothing. When all resident blocks
 * wait, none can start, and nothing in flight changes memory, the first change would have to be made by one of the
 * warps in loops: none makes one, in whatever order they continue. So no launch that could continue is reported. A loop
 * that counts is taken to end; one that needs more instructions than were tried is tried longer at the next look.
 *
 *   d = deadlock_begin(run, b, &past);
 *   for each resident block:
 *       deadlock_keep(d, b);                       ... results in flight are put into the block's registers
 *       if (deadlock_judge(d, b) == DEADLOCK_NONE)  the launch continues
 *   deadlock_fault(deadlock_found(d), &places, launch, fault);
 *   deadlock_end(d);
 */
#ifndef HEDDLE_ARCH_DEADLOCK_H
#define HEDDLE_ARCH_DEADLOCK_H

#include "sim/arch/state.h"

enum verdict {
    DEADLOCK_NONE,   /* the block runs on, or may */
    DEADLOCK_WAITS,  /* nothing but a change of memory by others lets it go on */
    DEADLOCK_ENDLESS /* one of its warps loops whatever others do */
};

/* Lanes that touch memory which others see: their generic addresses. */
struct deadlock_access {
    u64 at[WARP_MAX];
    u64 lanes; /* of `at` that count */
    u32 pc, warp;
    u8 bytes;
    u8 rank; /* how likely it is what the loop waits for; 0: there is no access */
};

/* The higher, the sooner it is named. */
enum loop_kind {
    LOOP_NONE,
    LOOP_MEMORY, /* waits for memory that no warp changes */
    LOOP_LANES,  /* waits for memory that lanes of its own warp would change, which wait for it */
    LOOP_ENDLESS /* reads no memory */
};

/* A warp in an endless loop. */
struct deadlock_loop {
    u8 kind; /* enum loop_kind */
    u32 block[3], warp;
    u64 lanes;                   /* that go round */
    u32 pc;                      /* the access, or an instruction of the loop */
    struct deadlock_access read; /* the access that it waits for */
    u32 holder;                  /* LOOP_LANES: a lane that waits for them, */
    u32 waits_at, writes_at;     /* where, and its instruction that would change that memory */
};

struct deadlock;

/* Carried from one look to the next; zeros before the first. */
struct deadlock_past {
    u64 patience;    /* instructions that each warp may take */
    u64 effort;      /* instructions that the look has cost */
    u32 place, warp; /* the warp that ran on: its block, as the caller counts them, and its number */
};

/* A look at a launch that has such blocks; NULL when memory is short: then the launch has no looks. */
struct deadlock *deadlock_begin(const struct run *run, const struct block *b, struct deadlock_past *past);
void deadlock_end(struct deadlock *d);

/* Remembers the block's state; finds out whether it waits for ever, and restores the state. */
void deadlock_keep(struct deadlock *d, struct block *b);
enum verdict deadlock_judge(struct deadlock *d, struct block *b);

/* The loop to be named, of the blocks that have been judged. */
const struct deadlock_loop *deadlock_found(const struct deadlock *d);

/* Use of the places that blocks could start in. */
struct deadlock_places {
    u64 blocks, started;  /* of the grid; those that have begun */
    u64 resident;         /* resident now */
    const char *limit;    /* the reason for no more: "as many as fit" */
    const char *together; /* what --cooperative would do: "keeps all resident" */
};

/* Fault of a launch whose blocks all wait, or one of them loops whatever others do (deadlock_fault.c). */
void deadlock_fault(const struct deadlock_loop *loop, const struct deadlock_places *p, const struct launch *l,
                    struct fault *f);

#endif
