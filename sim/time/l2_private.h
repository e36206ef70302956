/* The slices of L2 and their requests, for the files of L2 alone. */
#ifndef HEDDLE_TIME_L2_PRIVATE_H
#define HEDDLE_TIME_L2_PRIVATE_H

#include "sim/base/bits.h"
#include "sim/time/l2.h"

#define NONE UINT32_MAX

/* A request in flight at its slice. */
struct l2_inflight {
    struct request request;
    u32 next;   /* next in its list: the slice's queue, the requests that wait for the line, the unused ones */
    u32 line;   /* line that it waits for; NONE: no cache */
    u32 copy;   /* fetches for this line of the mirror; NONE: answers the SM */
    u8 awaited; /* sectors that it waits for, one bit each */
    bool seen;  /* sent on by the mirror, which has counted it */
    bool joins; /* no request: reads sectors that are dirty in part, or were when their line left */
};

/* Times of passes are in these parts of a cycle of the SM. */
enum { PASS = 1 << 16 };

/* The tag look-up of the head of a slice's queue: made when it gets there, kept until it is served. */
struct lookup {
    struct cache_line *line; /* the line that hits, or the victim; NULL: no cache, or no victim */
    u64 since;               /* time when the request became the head */
    u32 bursts;              /* bursts to read and write */
    bool done;
    bool hit;       /* line holds the address */
    bool no_victim; /* every way of the set is pending */
};

struct l2_slice {
    struct cache cache; /* tags of the addresses in its share */
    struct lookup lookup;
    u64 free;        /* end of the data path's busy time */
    u64 moved;       /* the same of its data, in cycles x width */
    u64 passed;      /* the same of its passes, in cycles x PASS */
    u64 line;        /* of the last atomic */
    u64 busy;        /* cycles that it was busy */
    u32 first, last; /* its queue; NONE: empty */
    u32 in_flight;   /* bursts in flight */
};

/* A place for a request; NONE when out of memory. It may move the others. */
u32 l2_take_place(struct l2 *l2, const struct request *r);

/* Appends it to the queue of its slice. */
void l2_enqueue(struct l2 *l2, u32 index);

/* Enqueues it after those that wait for the line. */
void l2_wait_for(struct l2 *l2, u32 index, struct cache_line *line);

/* Replies to a request whose sectors have all arrived, or sends them to the copy. */
void l2_answer(struct l2 *l2, u32 index, u64 now);

/* Takes sectors of the line that arrived: answers the requests that have all of theirs. */
void l2_fill(struct l2 *l2, struct cache *cache, struct cache_line *line, u32 sectors, u64 now);

/* If the head of the slice's queue waits for room, it tries again. */
void l2_retry(struct l2 *l2, u32 slice, u64 now);

/* ---- l2_dram.c ---- */

/* The bytes of a sector, of a mask of the line's. */
static inline u32 sector_bytes(const u64 bytes[2], u32 sector) {
    return (u32)(bytes[sector / 2] >> sector % 2 * SECTOR_BYTES);
}

/* Sectors with any of these bytes. */
static inline u32 sectors_of(const u64 bytes[2]) {
    u32 sectors = 0;
    for (u32 s = 0; s < LINE_SECTORS; s++)
        sectors |= (u32) !!sector_bytes(bytes, s) << s;
    return sectors;
}

/* Sectors with some of these bytes, but not all of theirs. */
static inline u32 partial_sectors(const u64 bytes[2]) {
    u32 partial = 0;
    if (LIKELY((bytes[0] & bytes[1]) == UINT64_MAX))
        return 0;
    for (u32 s = 0; s < LINE_SECTORS; s++)
        partial |= (u32)(sector_bytes(bytes, s) && sector_bytes(bytes, s) != UINT32_MAX) << s;
    return partial;
}

/* Bytes that are set in these sectors. */
static inline u8 count_bytes(const u64 bytes[2], u32 sectors) {
    static const u64 of_two[4] = {0, UINT32_MAX, (u64)UINT32_MAX << SECTOR_BYTES, UINT64_MAX};
    if (LIKELY((bytes[0] & bytes[1]) == UINT64_MAX))
        return (u8)(ones_of_four(sectors) * SECTOR_BYTES);
    return (u8)(ones_of(bytes[0] & of_two[sectors & 3]) + ones_of(bytes[1] & of_two[sectors >> 2 & 3]));
}

/* Reads what the request misses. A read's number: place of the request x 4 + first sector. */
void l2_fetch(struct l2 *l2, u32 index, u32 missing, u64 now);

/* Writes the line's dirty sectors back, those of them later that have to be read first. */
void l2_write_back(struct l2 *l2, u32 slice, const struct cache_line *line, u64 now);

/* Takes sectors that were read since they were dirty in part: writes them back if their line has gone. */
void l2_write_joined(struct l2 *l2, u32 index, u64 now);

/* True if the choice `write` sends what the request writes to DRAM at once. */
bool l2_writes_at_once(const struct l2 *l2, const struct request *r);

/* Sends a request's bytes to the channel; `kept`: its line in L2, or NULL. */
void l2_write_through(struct l2 *l2, const struct l2_inflight *v, const struct cache_line *kept, u64 now);

/*
 * Of the set into which a line of this address was taken, reads the sectors dirty in part of the line that
 * l2.partial_ways others were used after. The bursts that this will take, before it is taken.
 */
u32 l2_older_bursts(const struct l2 *l2, const struct l2_slice *s, u64 address);
void l2_read_older(struct l2 *l2, u32 slice, u64 address, u64 now);

/* ---- l2_halves.c ---- */

/* Sends the request to the other half, where it arrives at that time. */
void l2_leave(struct l2 *l2, struct l2_list *list, u32 index, u64 arrival);

/* Time when the way to the other half takes these bytes, after those before them. */
u64 l2_cross(struct l2 *l2, u32 bytes, u64 now);

/* The next arrival from the other half, or TIME_NEVER, and lets it arrive. */
u64 l2_next_arrival(const struct l2 *l2);
void l2_from_other_half(struct l2 *l2);

/* True if a load finds all in its copy, or may make a way of the set wait for what it lacks. */
bool l2_may_copy(const struct cache *c, const struct cache_line *line, const struct request *r);

/* A load at the mirror, with the line of its copy or NULL. */
void l2_serve_copy(struct l2 *l2, u32 index, struct cache_line *line, u64 now);

#endif
