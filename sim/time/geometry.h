/*
 * The geometry of a warp's memory access: which lines and sectors of global memory, how many passes of shared memory.
 * Pure functions of the addresses; the rules in full are in docs/memory.md.
 */
#ifndef HEDDLE_TIME_GEOMETRY_H
#define HEDDLE_TIME_GEOMETRY_H

#include "isa/isa.h"
#include "sim/board/board.h"
#include "sim/time/message.h"

/* One line that an access touches. */
struct line_access {
    u64 line;     /* address of its first byte */
    u64 bytes[2]; /* bytes touched, one bit each */
    u64 lanes;    /* lanes that touch it, one bit each */
    u8 sectors;   /* sectors touched, one bit each */
    struct atomic_passes atomic;
};

enum { LINES_MAX = WARP_MAX }; /* an aligned access of at most 16 bytes lies in one line */

/*
 * Coalescing: the distinct lines of an access, in the order of their first lane. `addr` [64] of the lanes in `mask`,
 * each `bytes` (1, 2, 4, 8, 16) wide and aligned. Returns their number.
 */
u32 coalesce(const u64 *addr, u64 mask, u32 bytes, struct line_access line[LINES_MAX]);

/*
 * Coalescing of a load through L1, which brings `fetch` aligned bytes where it touches some: 32, a sector, 64, or the
 * line.
 */
u32 coalesce_load(const u64 *addr, u64 mask, u32 bytes, u32 fetch, struct line_access line[LINES_MAX]);

/* Banks side by side, each one word wide, and a way to the registers and back. */
struct banks {
    u32 count, bytes;
    bool pairs;     /* lanes that share addresses by pairs share phases */
    u32 row_cycles; /* of the way for a word of each bank: of one that is as wide, one */
};

static inline struct banks banks_of_shared(const struct board_shared *s, bool load) {
    return (struct banks){s->banks, s->bank_bytes, load, s->pass_cycles};
}

/* L1's data lies in banks of 4 bytes, no fewer than its way takes words. */
static inline struct banks banks_of_l1(const struct board_l1 *l) {
    u32 words = l->bytes_per_cycle / 4;
    return l->banks > words ? (struct banks){l->banks, 4, false, l->banks / words} : (struct banks){words, 4, false, 1};
}

/*
 * A load or store is served in phases of consecutive lanes, each no wider than all banks together, and each with passes
 * of its own: for warps of 32 and 32 banks of 4 bytes, 64-bit accesses take two phases of half a warp, 128-bit ones
 * four of a quarter. Two of them are one where every lane has the address of its neighbour, or every lane that of the
 * next but one: l and l ^ 1, or l and l ^ 2.
 */
struct phases {
    u32 lanes; /* of a phase */
    bool pairs;
};

struct phases phases_of(struct banks b, u32 bytes, u32 width);

/* The end of the phase that begins with lane `at`, or of two phases that are one. */
u32 phase_end(struct phases p, const u64 *addr, u64 mask, u32 at);

/*
 * Passes of an access, a cycle each: each bank serves one word in a pass, to every lane that wants it. A word that
 * several lanes want is moved back once; any access takes the way back for as long as a row of all banks at least.
 */
struct bank_passes {
    u32 taken;  /* sum over the phases: the most distinct words that any bank must serve */
    u32 ideal;  /* passes of the same words spread evenly over all banks; taken - ideal are conflicts */
    u32 cycles; /* sum over the phases: of passes or of the way back, whichever are more */
};

/* `width` is the warp's; a phase without active lanes costs nothing. */
struct bank_passes bank_passes(struct banks b, const u64 *addr, u64 mask, u32 bytes, u32 width);

/*
 * Cycles that L1 takes to look up these lines: `l1.tag_banks` look up a line of `l1.line_bytes` each in a cycle. The
 * bank is the XOR of all groups of bits of the line's number, so that an aligned run of as many lines takes one cycle.
 */
u32 tag_cycles(const struct line_access *line, u32 lines, const struct board_l1 *l1);

/* Atomics: the most lanes that share one address. */
u32 same_address(const u64 *addr, u64 mask);

/* Passes of an atomic by these lanes of a line; where they share one address, `together` of them are one. */
struct atomic_passes atomic_passes(const u64 *addr, u64 mask, u32 together);

/* Distinct addresses, which a load from constants is serialised by. */
u32 distinct_addresses(const u64 *addr, u64 mask);

#endif
