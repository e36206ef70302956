/*
 * The shadow of shared and global memory: for each byte its last plain write, and the reads and strong accesses since.
 *
 *   struct memory_cell   a word while all its bytes are accessed together, else four cells, one for each byte
 *   struct reader        one of several others; lists of them are never changed, and shared by cells
 *   struct check_record  the warp-instruction that it was
 */
#ifndef HEDDLE_CHECK_CELLS_H
#define HEDDLE_CHECK_CELLS_H

#include "sim/check/shadow.h"

enum {
    READERS_MAX = 8,   /* plain reads of a byte */
    STRONG_FIRST = 64, /* `most` of a new list */
    STRONG_MAX = 8192, /* accesses of a byte, all strong but for these; READERS_MAX where memory becomes short */
};

/*
 * An access in a cell: 0 none; record << 6 | lane; or, of `others` only, LIST | first reader of several, or of several
 * lanes. SPLIT in `write`: the word is four cells of bytes, whose first is number 4 * `others`.
 */
#define LIST 0x80000000u
#define SPLIT 0xffffffffu

struct memory_cell {
    u32 write;  /* the last plain write */
    u32 others; /* reads and strong accesses, the newest first */
    u32 value;  /* of the last write, to see whether two write the same */
};

/* Properties of the accesses of a list, those that were dropped from it among them. */
struct kin {
    u16 op;         /* by which its atomics commute (check_inst.commutes); OP_COUNT: they do not */
    u8 ways;        /* 1 << enum check_how each */
    bool short_of;  /* some were dropped for want of room */
    bool one_block; /* one block made them all */
};

struct reader {
    u64 lanes;
    u32 record, next; /* 0: the last */
    u32 uses;         /* cells and readers that refer to it */
    /* Of the list that begins here: */
    u32 oldest; /* record */
    u32 warps;  /* that read, one bit each, modulo 31; ANYBODY: not plain reads only */
    u32 warp;   /* the bit of the first */
    u16 count;  /* accesses */
    u16 reads;  /* plain ones of them */
    u16 most;   /* accesses at which the list is searched for those that need not be kept */
    struct kin kin;
};

#define ANYBODY UINT32_MAX

struct race {
    struct buf record, reader; /* struct check_record, struct reader; number 0 is none */
    struct buf split;          /* struct memory_cell[4] each; number 0 is none */
    u32 free, free_split;      /* lists of readers, by `next`; of split words, by `others` of their first cell */
    u64 most;                  /* most bytes of these before they were forgotten */
};

static inline struct check_record *record_at(const struct check *c, u32 number) {
    return (struct check_record *)(void *)c->race->record.data + number;
}

static inline struct reader *reader_at(const struct check *c, u32 number) {
    return (struct reader *)(void *)c->race->reader.data + number;
}

/* The four cells of a split word. */
static inline struct memory_cell *split_at(const struct check *c, const struct memory_cell *word) {
    return (struct memory_cell *)(void *)c->race->split.data + (size_t)word->others * 4;
}

/* The record of this instruction; 0 when out of memory, which is noted. */
u32 cells_record(struct site *t);

/* Includes the kin of a list in that of another one, which is later. */
void others_add_kin(const struct check *c, struct reader *later, const struct reader *earlier);

/* Marks a list as short of what was dropped from an earlier one. */
u32 others_short(struct check *c, u32 others, const struct reader *earlier);

/* The bit of a record's warp in reader.warps. */
u32 cells_warp(const struct check *c, u32 record);

/* `others` with an access in front of `rest`, whose use passes to it. 0 when out of memory, which is noted. */
u32 others_push(struct check *c, u32 record, u64 lanes, u32 rest);

/* Adjusts how many cells share this list by `uses`. */
static inline void others_use(const struct check *c, u32 others, u32 uses) {
    if (others & LIST)
        reader_at(c, others & ~LIST)->uses += uses;
}
void others_drop(struct check *c, u32 others, u32 uses);

/* Splits a word into four cells for its bytes, each with what the word had; and gives these up. */
bool cells_split(struct check *c, struct memory_cell *word);
void cells_join(struct check *c, struct memory_cell *word);

/* The cells of the page at `addr - base`; NULL: there is no memory for it, which is noted. */
struct memory_cell *cells_page(struct check *c, u32 allocation, u64 addr);

#endif
