/*
 * All ways of a set are searched at each access, so what the search reads lies in arrays of its own: 16 ways are 64
 * bytes of line numbers and, for a victim, 128 of uses, where the lines themselves would be 640. Clearing moves the
 * number of uses below which a line counts as free; nothing is written, however large the cache is.
 */
#include "sim/time/cache.h"
#include "sim/time/fold.h"

bool cache_init(struct cache *c, u64 bytes, u32 ways, struct arena *arena) {
    *c = (struct cache){.ways = ways};
    u64 sets = bytes / ((u64)ways * LINE_BYTES);
    if (sets > INT32_MAX / ways)
        return false;
    size_t lines = (size_t)sets * ways;
    c->room = (u32)sets;
    c->line = arena_alloc(arena, lines * sizeof *c->line);
    c->number = arena_alloc(arena, lines * sizeof *c->number);
    c->used = arena_alloc(arena, lines * sizeof *c->used);
    cache_resize(c, bytes);
    return c->line && c->number && c->used;
}

void cache_resize(struct cache *c, u64 bytes) {
    u64 sets = bytes / ((u64)c->ways * LINE_BYTES);
    c->sets = sets < c->room ? (u32)sets : c->room;
    c->bits = fold_width(c->sets);
    cache_clear(c);
}

void cache_clear(struct cache *c) {
    c->cleared = c->uses;
}

/* The first way of the address's set. */
static size_t set_of(const struct cache *c, u64 number) {
    u64 run = fold_divide(number, c->sets);
    return (size_t)fold_place(run, (u32)(number - run * c->sets), c->sets, c->bits) * c->ways;
}

struct cache_line *cache_find(const struct cache *c, u64 address) {
    if (!c->sets)
        return NULL;
    u64 number = address / LINE_BYTES;
    size_t first = set_of(c, number);
    for (size_t i = first; i < first + c->ways; i++)
        if (c->number[i] == (u32)number && c->line[i].address / LINE_BYTES == number && c->used[i] > c->cleared)
            return &c->line[i];
    return NULL;
}

void cache_expect(const struct cache *c, u64 address) {
    enum { HOST_LINE = 64 };
    if (!c->sets)
        return;
    size_t first = set_of(c, address / LINE_BYTES);
    for (size_t i = 0; i < c->ways; i += HOST_LINE / sizeof *c->number)
        __builtin_prefetch(&c->number[first + i]);
    for (size_t i = 0; i < c->ways; i += HOST_LINE / sizeof *c->used)
        __builtin_prefetch(&c->used[first + i]);
}

void cache_use(struct cache *c, struct cache_line *line) {
    c->used[line - c->line] = ++c->uses;
}

/* The way used least recently, but after `after`; behind the last when there is none. */
static size_t oldest(const struct cache *c, size_t first, u64 after) {
    size_t last = first + c->ways, best = last;
    u64 least = UINT64_MAX;
    for (size_t i = first; i < last; i++)
        if (c->used[i] < least && c->used[i] > after) {
            least = c->used[i];
            best = i;
        }
    return best;
}

struct cache_line *cache_victim(const struct cache *c, u64 address) {
    if (!c->sets)
        return NULL;
    size_t first = set_of(c, address / LINE_BYTES), last = first + c->ways, best = first;
    for (size_t i = first + 1; i < last; i++)
        if (c->used[i] < c->used[best])
            best = i;
    if (c->used[best] <= c->cleared)
        c->line[best] = (struct cache_line){0};
    while (best < last && c->line[best].pending)
        best = oldest(c, first, c->used[best]);
    return best < last ? &c->line[best] : NULL;
}

void cache_take(struct cache *c, struct cache_line *line, u64 address) {
    *line = (struct cache_line){.address = address / LINE_BYTES * LINE_BYTES};
    c->number[line - c->line] = (u32)(address / LINE_BYTES);
    cache_use(c, line);
}

bool cache_holds(const struct cache *c, const struct cache_line *line) {
    return c->used[line - c->line] > c->cleared;
}
