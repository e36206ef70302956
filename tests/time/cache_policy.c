/* Does each replacement give up the line that a set kept by hand gives up, on random streams with sectors in flight? */
#include "sim/base/mix.h"
#include "sim/time/cache.h"
#include "tests/lib/random.h"

#include <criterion/criterion.h>

/* A set as the papers have it: what each policy looks at, of every way. */
struct set {
    enum replacement policy;
    u64 line[WAYS_MAX], chance; /* line + 1, 0: none; the random number that is next */
    u32 came[WAYS_MAX], used[WAYS_MAX], far[WAYS_MAX], ways, now;
    bool bit[WAYS_MAX], pending[WAYS_MAX];
};

/* Sets the bit of a way; where all have theirs, the others lose it. */
static void mark(struct set *s, u32 way) {
    u32 bits = 0;
    s->bit[way] = true;
    for (u32 i = 0; i < s->ways; i++)
        bits += s->bit[i];
    for (u32 i = 0; i < s->ways && bits == s->ways; i++)
        s->bit[i] = i == way;
}

static void use(struct set *s, u32 way) {
    s->used[way] = ++s->now;
    s->far[way] = 0;
    mark(s, way);
}

static void take(struct set *s, u32 way, u64 line) {
    for (u32 full = s->line[way] != 0; full && s->far[way] < 3;)
        for (u32 i = 0; i < s->ways; i++)
            s->far[i] += s->far[i] < 3;
    if (s->line[way])
        s->chance = splitmix(s->chance + SPLITMIX_STEP);
    s->line[way] = line;
    s->came[way] = s->used[way] = ++s->now;
    s->far[way] = 2;
    mark(s, way);
}

/* True if the way is given up before the other, a lower one. */
static bool sooner(const struct set *s, u32 way, u32 other) {
    switch (s->policy) {
    case replacement_LRU: return s->used[way] < s->used[other];
    case replacement_FIFO: return s->came[way] < s->came[other];
    case replacement_PLRU: return s->bit[other] && !s->bit[way];
    case replacement_RRIP: return s->far[way] > s->far[other];
    case replacement_RANDOM: break;
    }
    return false;
}

/* The way that a full set gives up, or `ways`. */
static u32 victim(const struct set *s) {
    u32 best = s->ways, may[WAYS_MAX], count = 0;
    for (u32 i = 0; i < s->ways; i++) {
        if (s->pending[i])
            continue;
        may[count++] = i;
        best = best == s->ways || sooner(s, i, best) ? i : best;
    }
    return count && s->policy == replacement_RANDOM ? may[s->chance % count] : best;
}

/* Looks a line up in both; on a miss takes the victim that they agree on. True if all ways wait. */
static bool touch(struct cache *c, struct set *s, u64 number, u32 *way) {
    u32 there = 0;
    while (there < s->ways && s->line[there] != number + 1)
        there++;
    struct cache_line *line = cache_find(c, number * 128);
    cr_assert_eq(line != NULL, there < s->ways);
    if (line) {
        *way = there;
        cr_assert_eq((u32)(line - c->line), there);
        cache_use(c, line);
        use(s, there);
        return false;
    }
    if (!(line = cache_victim(c, number * 128))) {
        cr_assert_eq(victim(s), s->ways);
        return true;
    }
    *way = (u32)(line - c->line);
    if (cache_holds(c, line))
        cr_assert_eq(*way, victim(s), "policy %u of %u ways", s->policy, s->ways);
    else
        cr_assert_eq(s->line[*way], 0);
    cache_take(c, line, number * 128);
    take(s, *way, number + 1);
    return false;
}

static void compare(enum replacement policy, u32 ways, u64 seed) {
    enum { STEPS = 4000 };
    SCOPED(arena_free) struct arena a = {0};
    struct cache c;
    struct set s = {.policy = policy, .ways = ways, .chance = splitmix(seed * SPLITMIX_STEP)};
    u64 random = 31 * ways + policy;
    cr_assert(cache_init(&c, (u64)ways * 128, ways, policy, &a));
    c.seed = seed;
    for (u32 step = 0; step < STEPS; step++) {
        u32 way = 0;
        bool all = touch(&c, &s, random_below(&random, 2 * ways), &way);
        for (u32 i = 0; all && i < ways; i++) { /* all arrive */
            cache_fill(&c, &c.line[i], 15);
            s.pending[i] = false;
        }
        if (all)
            continue;
        s.pending[way] = random_below(&random, 3) == 0;
        s.pending[way] ? cache_await(&c, &c.line[way], 1) : cache_fill(&c, &c.line[way], 15);
    }
}

Test(cache, policies_agree_with_sets_kept_by_hand) {
    static const enum replacement policies[] = {replacement_LRU, replacement_PLRU, replacement_FIFO, replacement_RANDOM,
                                                replacement_RRIP};
    static const u32 ways[] = {1, 2, 3, 4, 8, 16, 24, 64};
    for (u32 p = 0; p < COUNT_OF(policies); p++)
        for (u32 w = 0; w < COUNT_OF(ways); w++)
            compare(policies[p], ways[w], p + w);
}
