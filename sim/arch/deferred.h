/*
 * Accesses that take effect later. With a clock, what an SM stores to global memory, its atomics there and its
 * acquire loads are performed by the memory partition that owns the address, in the order of arrival; so the bytes
 * never depend on the order host threads simulate SMs in.
 *
 *      issue:  instruction --> effect --> deferred_pack: one struct deferred for each line of 128 bytes
 *      L2:     deferred_apply: reads and writes the allocation's bytes
 *      reply:  deferred_deliver: old values into the registers, the record back to the pool
 *
 * Between issue and reply the SM's own plain loads see its own stores: struct writes holds their bytes by line.
 */
#ifndef HEDDLE_ARCH_DEFERRED_H
#define HEDDLE_ARCH_DEFERRED_H

#include "isa/isa.h"
#include "sim/base/arena.h"

enum { CHUNK_BYTES = 128 }; /* a line; allocations begin at multiples of 256 */

/* The new value in memory, from the old one and the operands. */
typedef u64 (*atom_fn)(u64 old, u64 b, u64 c);

struct deferred;

/* Observer of performed accesses: called after deferred_apply. */
struct performed {
    void (*see)(struct performed *p, const struct deferred *d);
};

struct deferred_lane {
    u64 b, c;   /* operands of an atomic */
    u64 old[2]; /* memory before the operation */
    u8 lane;
    u8 offset; /* offset in the line */
};

struct deferred {
    struct deferred *next;      /* next in the free list; of a store in flight: next store to its line */
    u64 line;                   /* global address of the line */
    u8 *host;                   /* host address of its first byte */
    u64 bytes[2];               /* bytes of the line, one bit each: written by a store, else touched */
    u8 data[CHUNK_BYTES];       /* bytes of a store */
    atom_fn fn;                 /* operation of an atomic */
    u32 *row;                   /* destination register; NULL: none */
    u32 width;                  /* lanes of a row */
    u32 lanes;                  /* length of `lane`; 0: a store */
    u8 size;                    /* bytes of each lane's access */
    u8 mtype;                   /* enum mtype: how a load's value is extended */
    bool applied;               /* it has been performed */
    struct deferred_lane *lane; /* [WARP_MAX]; atomics and loads */
    struct performed *watch;    /* NULL: none */
};

struct deferred_pool {
    struct arena arena;
    struct deferred *stores, *others; /* free lists, without and with lanes */
};

void deferred_pool_free(struct deferred_pool *p);

/* An SM's stores and atomics to a line that have been issued and not been answered. */
struct pending_line {
    _Alignas(64) u64 bytes[2]; /* bytes written by its stores, one bit each */
    struct deferred *first;    /* its unanswered stores, in order; NULL: none */
    u32 atomics;               /* unanswered atomics */
    const u8 *data;            /* bytes after the last of its stores: a single store's own data, else `own` */
    u8 own[CHUNK_BYTES];       /* a single store thus costs one line of the host's cache, not three */
};

#define PENDING_NONE UINT64_MAX

/*
 * Those lines by address, with open addressing. A search reads the addresses alone: eight in one line of the host's
 * cache, and the slots, of any content where they are free, cost nothing before they are used.
 */
struct writes {
    u64 *line;                 /* [mask + 1] PENDING_NONE: free */
    struct pending_line *slot; /* [mask + 1] */
    u32 mask, count;
    struct arena arena;
};

bool writes_init(struct writes *w, struct budget *budget);
void writes_free(struct writes *w);
struct pending_line *writes_find(const struct writes *w, u64 line);

/* Remembers, and forgets, a store or atomic. The first is false when out of memory. */
bool writes_add(struct writes *w, struct deferred *d);
void writes_remove(struct writes *w, const struct deferred *d);

struct warp;
struct uop;

/* The part of an access that lies in one line. */
struct line_part {
    u64 line;     /* address of its first byte */
    u64 bytes[2]; /* bytes touched, one bit each */
    u64 lanes;    /* lanes that touch it, one bit each */
};

/* Packs a part of the warp's last access, right after the instruction was executed. NULL when out of memory. */
struct deferred *deferred_pack(struct deferred_pool *p, const struct warp *w, const struct uop *u,
                               const struct line_part *part);

/* Performs it on memory: what partitions call, each for its own addresses. */
void deferred_apply(struct deferred *d);

/*
 * True if performing it now would change memory, which is left as it is; false once it has been performed. Loads and
 * atomics that have not been take their old values.
 */
bool deferred_changes(struct deferred *d);

/* Gives the old values to the registers they are for. */
void deferred_give(const struct deferred *d);

/* Gives the old values, then returns the record to the pool. */
void deferred_deliver(struct deferred_pool *p, struct deferred *d);

#endif
