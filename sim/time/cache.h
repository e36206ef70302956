/*
 * The tags of a sectored, set-associative cache: which lines of 128 bytes are there, and which of their four sectors.
 * L1 and an L2 slice share it; what happens on a miss is theirs. It holds no data and knows no time.
 *
 *      address  | ... line number ... | sector 2 bits | byte 5 bits |
 *                  set = line number, higher bits folded in, modulo sets
 */
#ifndef HEDDLE_TIME_CACHE_H
#define HEDDLE_TIME_CACHE_H

#include "sim/base/arena.h"
#include "sim/time/message.h"

#define CACHE_FREE UINT64_MAX /* address of a line that is not in use */

struct cache_line {
    u64 address;    /* of its first byte */
    u64 used;       /* number of its last use, for the choice of a victim */
    u64 written[2]; /* bytes that the level below does not have, one bit each */
    u32 tag;        /* the owner's: where those who wait for it are found */
    u32 allocation; /* to which its write-back is charged */
    u8 valid;       /* sectors that hold all of their bytes */
    u8 pending;     /* sectors on their way; a line with any is no victim */
};

struct cache {
    struct cache_line *line; /* [sets][ways] */
    u32 sets, ways;          /* 0 sets: there is no cache, nothing is ever found */
    u64 uses;
};

/* Room for `bytes` (0 = none), rounded down to whole sets. False when memory is out. */
bool cache_init(struct cache *c, u64 bytes, u32 ways, struct arena *arena);

/* Makes it hold `bytes`, at most what it was made for, and empties it. */
void cache_resize(struct cache *c, u64 bytes);

/* Forgets everything. */
void cache_clear(struct cache *c);

/* The line, or NULL. Does not count as a use. */
struct cache_line *cache_find(const struct cache *c, u64 address);

/* Marks the line as the one used last. */
void cache_use(struct cache *c, struct cache_line *line);

/*
 * The line to replace for `address`: a free one, else the least recently used without pending sectors. NULL when every
 * way is pending, or there is no cache. It is unchanged: the caller writes back what is `written`, then takes it.
 */
struct cache_line *cache_victim(const struct cache *c, u64 address);

/* Makes it an empty line of that address, used last. */
void cache_take(struct cache *c, struct cache_line *line, u64 address);

#endif
