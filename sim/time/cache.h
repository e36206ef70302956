/*
 * The tags of a sectored, set-associative cache: which lines of 128 bytes it holds, and which of their four sectors.
 * L1 and an L2 slice share it; what happens on a miss is theirs. It holds no data and knows no time.
 *
 *      address  | ... line number ... | sector 2 bits | byte 5 bits |
 *                  set: the line number, spread by fold.h
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
#include "sim/board/board.h"
#include "sim/time/message.h"

enum { WAYS_MAX = 64 }; /* bits of a word */
_Static_assert((int)BOARD_MAX_l1_ways <= WAYS_MAX && (int)BOARD_MAX_l2_ways <= WAYS_MAX,
               "a set's pending ways fit in a word");

struct cache_line {
    u64 address; /* address of its first byte */
    union {
        u64 written[2]; /* L2: dirty bytes, one bit each */
        u64 filled;     /* L1: arrival of the last fill */
    };
    u32 tag;        /* the owner's: head of its list of waiting requests */
    u32 allocation; /* allocation that its write-back is charged to */
    u8 valid;       /* valid sectors, one bit each */
    u8 pending;     /* sectors in flight (cache_await); a line with any is no victim */
};

struct cache {
    struct cache_line *line; /* [sets][1 << shift], of each set the first `ways` are used */
    u64 *head;               /* [sets][stride]: state that is searched (cache.c) */
    u32 sets, ways;          /* 0 sets: no cache, nothing is ever found */
    u32 shift, stride;
    u32 words; /* words with a byte for each way */
    u32 room;  /* sets allocated */
    u32 bits;  /* bits of a set's number */
    u64 era;   /* number of the last clearing; a set of an earlier one is empty */
    enum replacement replacement;
    u64 seed; /* of replacement_RANDOM, from the first use on */
};

/* Room for `bytes` (0 = none), rounded down to whole sets. False when out of memory. */
bool cache_init(struct cache *c, u64 bytes, u32 ways, enum replacement replacement, struct arena *arena);

/* Makes it hold `bytes`, at most what it was made for, and empties it. */
void cache_resize(struct cache *c, u64 bytes);

/* Forgets everything, in no time. */
void cache_clear(struct cache *c);

/* The line, or NULL. Does not count as a use. */
struct cache_line *cache_find(const struct cache *c, u64 address);

/* Prefetches for the host CPU: the head of the set, then, a while later, the line. Changes nothing. */
void cache_prefetch(const struct cache *c, u64 address);
void cache_prefetch_line(const struct cache *c, u64 address);

/* Prefetches a line for its fill. */
void cache_prefetch_fill(const struct cache *c, const struct cache_line *line);

/* Counts a hit of the line, as the replacement does. */
void cache_use(struct cache *c, struct cache_line *line);

/*
 * The line to replace for `address`: a free one (all of its fields are 0), else the one without pending sectors that
 * the replacement gives up first. NULL when every way is pending, or there is no cache. The caller writes back what is
 * `written`, then takes it.
 */
struct cache_line *cache_victim(const struct cache *c, u64 address);

/* The line of the address's set that is `place` lines from the one given up last; NULL if there is none. */
struct cache_line *cache_older(const struct cache *c, u64 address, u32 place);

/* Makes it an empty line of that address, which is given up last. */
void cache_take(struct cache *c, struct cache_line *line, u64 address);

/* Ways of the set for `address` without pending sectors. */
u32 cache_spare(const struct cache *c, u64 address);

/* Sectors of the line are in flight; have arrived; are given up. */
void cache_await(struct cache *c, struct cache_line *line, u32 sectors);
void cache_fill(struct cache *c, struct cache_line *line, u32 sectors);
void cache_give_up(struct cache *c, struct cache_line *line);

/* Is it in use? For walks over all lines: line[0] to line[cache_lines() - 1]. */
bool cache_holds(const struct cache *c, const struct cache_line *line);
u32 cache_lines(const struct cache *c);

#endif
