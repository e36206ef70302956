/*
 * The tags of a sectored, set-associative cache: which lines of 128 bytes are there, and which of their four sectors.
 * L1 and an L2 slice share it; what happens on a miss is theirs. It holds no data and knows no time.
 *
 *      address  | ... line number ... | sector 2 bits | byte 5 bits |
 *                  set: the line number, spread as fold.h says
 *
 *   struct cache_line *line = cache_find(&c, address);
 *   if (line)
 *       cache_use(&c, line);
 *   else if ((line = cache_victim(&c, address))) {
 *       ... write back line->written, of line->address ...
 *       cache_take(&c, line, address);
 *   }
 */
#ifndef HEDDLE_TIME_CACHE_H
#define HEDDLE_TIME_CACHE_H

#include "sim/base/arena.h"
#include "sim/time/message.h"

struct cache_line {
    u64 address;    /* of its first byte */
    u64 written[2]; /* bytes that the level below does not have, one bit each */
    u32 tag;        /* the owner's: where those who wait for it are found */
    u32 allocation; /* to which its write-back is charged */
    u8 valid;       /* sectors that hold all of their bytes */
    u8 pending;     /* sectors on their way; a line with any is no victim */
};

struct cache {
    struct cache_line *line; /* [sets][ways] */
    u32 *number;             /* [sets][ways]: low bits of its line number, close together for the search */
    u64 *used;               /* [sets][ways]: number of its last use; at most `cleared`: it is free */
    u32 sets, ways;          /* 0 sets: there is no cache, nothing is ever found */
    u32 room;                /* sets that there is memory for */
    u32 bits;                /* of a set's number */
    u64 uses, cleared;       /* uses so far; those before the last clearing */
};

/* Room for `bytes` (0 = none), rounded down to whole sets. False when memory is out. */
bool cache_init(struct cache *c, u64 bytes, u32 ways, struct arena *arena);

/* Makes it hold `bytes`, at most what it was made for, and empties it. */
void cache_resize(struct cache *c, u64 bytes);

/* Forgets everything, in no time. */
void cache_clear(struct cache *c);

/* The line, or NULL. Does not count as a use. */
struct cache_line *cache_find(const struct cache *c, u64 address);

/* Tells the host that the address will soon be looked up. Changes nothing. */
void cache_expect(const struct cache *c, u64 address);

/* Marks the line as the one used last. */
void cache_use(struct cache *c, struct cache_line *line);

/*
 * The line to replace for `address`: a free one (all of its fields are 0), else the least recently used without
 * pending sectors. NULL when every way is pending, or there is no cache. The caller writes back what is `written`,
 * then takes it.
 */
struct cache_line *cache_victim(const struct cache *c, u64 address);

/* Makes it an empty line of that address, used last. */
void cache_take(struct cache *c, struct cache_line *line, u64 address);

/* Is it in use? For walks over all lines. */
bool cache_holds(const struct cache *c, const struct cache_line *line);

#endif
