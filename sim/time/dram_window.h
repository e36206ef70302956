/*
 * The waiting bursts among which a channel chooses: reads and writes apart, each in the order of their age, and once
 * more bank by bank. A bank offers one burst of either kind: the oldest for its open row, else its oldest.
 *
 *      oldest[write] --> slot --> slot --> slot                of the channel
 *      bank[b].list[write].oldest --> slot --> slot            of bank b;  .offer: one of them, found when needed
 *
 * Everything but the search for an offer takes constant time; that walks the bank's bursts that are not for its open
 * row up to the first that is. Its result is kept until that burst leaves, and then the search continues from there;
 * only when the row changes it starts from the oldest.
 */
#ifndef HEDDLE_TIME_DRAM_WINDOW_H
#define HEDDLE_TIME_DRAM_WINDOW_H

#include "sim/base/arena.h"
#include "sim/board/board.h"

enum { DRAM_NO_SLOT = UINT16_MAX };
_Static_assert(BOARD_MAX_dram_read_queue + BOARD_MAX_dram_write_queue < DRAM_NO_SLOT, "slots have 16 bits");
_Static_assert((BOARD_MAX_dram_row_bytes) / 32 <= UINT16_MAX, "columns have 16 bits");
_Static_assert((BOARD_MAX_dram_bank_groups) * (BOARD_MAX_dram_banks) <= UINT16_MAX, "banks have 16 bits");

struct dram_slot {
    u64 row;
    u32 age;            /* number of its arrival, modulo 2^32 */
    u32 served;         /* bursts served before its arrival, modulo 2^32 */
    u32 id, allocation; /* the owner's, as in struct dram_burst */
    u16 column;         /* burst of the row, where commands are logged or reads forwarded */
    u16 source;         /* as in struct dram_burst, where commands are logged */
    u16 bank;           /* bank of the channel */
    u16 older, younger; /* neighbours of the same kind */
    u16 before, behind; /* older and younger neighbour of the same kind and bank */
    u8 useful;          /* bytes requested or written */
    bool write;
};

struct dram_bank_list {
    u16 oldest, youngest; /* DRAM_NO_SLOT: none */
    u16 offer;            /* DRAM_NO_SLOT: not known */
    u16 first;            /* oldest that may be for the open row; DRAM_NO_SLOT: none is */
};

struct dram_window {
    struct dram_slot *slot;         /* [size] */
    u16 *unused;                    /* [size] stack of free slots */
    struct dram_bank_list *list[2]; /* [write][banks] */
    u64 *occupied[2];               /* [write][words] banks with bursts, one bit each */
    u32 count[2];                   /* [write] bursts in the window */
    u32 size, banks, words;
    u16 oldest[2], youngest[2]; /* [write] DRAM_NO_SLOT: none */
};

/* Room for `size` bursts. False when out of memory. */
bool dram_window_init(struct dram_window *w, u32 size, u32 banks, struct arena *arena);

void dram_window_clear(struct dram_window *w);

/* The slot of the next burst, to be filled in before it is added; there must be room. */
static inline struct dram_slot *dram_window_next(const struct dram_window *w) {
    return &w->slot[w->unused[w->size - w->count[false] - w->count[true] - 1]];
}

/* Adds that burst, younger than all others. `open` is its bank's open row. Whether it may be what its bank offers. */
bool dram_window_add(struct dram_window *w, u64 open);

void dram_window_remove(struct dram_window *w, u32 slot);

/* The open row of the bank has changed. */
static inline void dram_window_reopened(struct dram_window *w, u32 bank) {
    for (u32 k = 0; k < 2; k++) {
        struct dram_bank_list *list = &w->list[k][bank];
        list->offer = DRAM_NO_SLOT;
        list->first = list->oldest;
    }
}

/* True if a arrived before b. */
static inline bool dram_window_older(const struct dram_window *w, u32 a, u32 b) {
    return (s32)(w->slot[a].age - w->slot[b].age) < 0;
}

/* Burst that the bank offers; it has bursts of that kind. */
static inline u32 dram_window_offer(struct dram_window *w, u32 bank, bool write, u64 open) {
    struct dram_bank_list *list = &w->list[write][bank];
    if (list->offer == DRAM_NO_SLOT) {
        u16 s = list->first;
        while (s != DRAM_NO_SLOT && w->slot[s].row != open)
            s = w->slot[s].behind;
        list->first = s;
        list->offer = s != DRAM_NO_SLOT ? s : list->oldest;
    }
    return list->offer;
}

/* The oldest of all, which must not be none. */
static inline u32 dram_window_oldest(const struct dram_window *w) {
    u16 read = w->oldest[false], write = w->oldest[true];
    if (read == DRAM_NO_SLOT || write == DRAM_NO_SLOT)
        return read != DRAM_NO_SLOT ? read : write;
    return dram_window_older(w, read, write) ? read : write;
}

#endif
