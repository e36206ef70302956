/* Does a cache keep the most recently used lines, in the right sets, and drop them on request? */
#include "sim/time/cache.h"
#include "sim/time/fold.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

/* Looks up a line and allocates it on a miss; true for a hit. */
static bool touch(struct cache *c, u64 address) {
    struct cache_line *line = cache_find(c, address);
    if (line) {
        cache_use(c, line);
        return true;
    }
    line = cache_victim(c, address);
    if (line)
        cache_take(c, line, address);
    return false;
}

Test(cache, replaces_the_line_used_longest_ago) {
    SCOPED(arena_free) struct arena a = {0};
    struct cache c;
    cr_assert(cache_init(&c, 4 * 128, 4, replacement_LRU, &a));
    for (u64 i = 0; i < 4; i++)
        cr_assert(!touch(&c, i * 128));
    cr_assert(touch(&c, 0));
    cr_assert_eq(cache_victim(&c, 4 * 128)->address, 128);
    cr_assert(!touch(&c, 4 * 128));
    cr_assert(!cache_find(&c, 128));
    for (u64 i = 0; i < 5; i++)
        cr_assert(i == 1 || touch(&c, i * 128), "line %d", (int)i);
}

/* Four lines, the first of them used again, in a set of four: what each policy gives up for a fifth. */
Test(cache, each_policy_gives_up_a_line_of_its_own) {
    static const struct {
        enum replacement policy;
        u64 victim;
    } cases[] = {{replacement_LRU, 1}, {replacement_FIFO, 0}, {replacement_PLRU, 2}, {replacement_RRIP, 3}};
    for (u32 i = 0; i < COUNT_OF(cases); i++) {
        SCOPED(arena_free) struct arena a = {0};
        struct cache c;
        cr_assert(cache_init(&c, 4 * 128, 4, cases[i].policy, &a));
        for (u64 line = 0; line < 4; line++)
            touch(&c, line * 128);
        touch(&c, 0);
        cr_expect_eq(cache_victim(&c, 4 * 128)->address, cases[i].victim * 128, "case %u", i);
        cr_expect_eq(cache_victim(&c, 4 * 128)->address, cases[i].victim * 128, "case %u again", i);
        cache_await(&c, cache_find(&c, cases[i].victim * 128), 1);
        cr_expect_neq(cache_victim(&c, 4 * 128)->address, cases[i].victim * 128, "case %u waits", i);
    }
}

/* A line that is used once in five is kept beside a stream by rrip, and not by lru. */
Test(cache, rrip_resists_a_stream) {
    for (u32 i = 0; i < 2; i++) {
        SCOPED(arena_free) struct arena a = {0};
        struct cache c;
        u32 hits = 0;
        cr_assert(cache_init(&c, 4 * 128, 4, i ? replacement_RRIP : replacement_LRU, &a));
        touch(&c, 0);
        touch(&c, 0);
        for (u64 line = 1; line <= 400; line++) {
            touch(&c, line * 128);
            hits += line % 4 == 0 && touch(&c, 0);
        }
        cr_expect_eq(hits, i ? 100 : 0);
    }
}

/* Chance gives up each way about as often, and the same ones for the same seed. */
Test(cache, chance_follows_from_its_seed) {
    u32 given_up[3][4] = {{0}};
    u64 found[3] = {0};
    for (u32 i = 0; i < 3; i++) {
        SCOPED(arena_free) struct arena a = {0};
        struct cache c;
        cr_assert(cache_init(&c, 4 * 128, 4, replacement_RANDOM, &a));
        c.seed = i / 2;
        for (u64 line = 0; line < 404; line++) {
            u32 way = (u32)(cache_victim(&c, line * 128) - c.line);
            given_up[i][way] += line >= 4;
            found[i] = found[i] * 31 + way;
            touch(&c, line * 128);
        }
        for (u32 way = 0; way < 4; way++)
            cr_expect(given_up[i][way] > 70 && given_up[i][way] < 130, "way %u: %u", way, given_up[i][way]);
    }
    cr_expect_eq(found[0], found[1]);
    cr_expect_neq(found[0], found[2]);
}

Test(cache, finding_is_no_use) {
    SCOPED(arena_free) struct arena a = {0};
    struct cache c;
    cr_assert(cache_init(&c, 2 * 128, 2, replacement_LRU, &a));
    touch(&c, 0);
    touch(&c, 128);
    cr_assert(cache_find(&c, 127)); /* any address of the line */
    touch(&c, 256);
    cr_assert(!cache_find(&c, 0) && cache_find(&c, 128));
}

Test(cache, passes_over_lines_with_pending_sectors) {
    SCOPED(arena_free) struct arena a = {0};
    struct cache c;
    cr_assert(cache_init(&c, 3 * 128, 3, replacement_LRU, &a));
    for (u64 i = 0; i < 3; i++)
        touch(&c, i * 128);
    cache_await(&c, cache_find(&c, 0), 1);
    cr_assert_eq(cache_victim(&c, 1024)->address, 128);
    cache_await(&c, cache_find(&c, 128), 8);
    cr_assert_eq(cache_victim(&c, 1024)->address, 256);
    cache_await(&c, cache_find(&c, 256), 15);
    cr_assert_null(cache_victim(&c, 1024));
    cache_fill(&c, cache_find(&c, 0), 1);
    cr_assert_eq(cache_victim(&c, 1024)->address, 0);
}

Test(cache, holds_exactly_its_size_of_consecutive_lines) {
    static const u32 sets[] = {1, 2, 3, 5, 16, 24, 100, 128};
    for (size_t s = 0; s < COUNT_OF(sets); s++)
        for (u32 ways = 1; ways <= 16; ways *= 4) {
            SCOPED(arena_free) struct arena a = {0};
            struct cache c;
            u64 lines = (u64)sets[s] * ways, base = lines * 128 * 1000;
            cr_assert(cache_init(&c, lines * 128 + ways * 128 - 1, ways, replacement_LRU, &a));
            for (u64 i = 0; i < lines; i++)
                cr_assert(!touch(&c, base + i * 128));
            for (u64 i = 0; i < lines; i++)
                cr_assert(touch(&c, base + i * 128), "%u sets, %u ways, line %d", sets[s], ways, (int)i);
        }
}

Test(cache, strides_of_powers_of_two_use_all_sets) {
    SCOPED(arena_free) struct arena a = {0};
    struct cache c;
    cr_assert(cache_init(&c, 64 * 4 * 128, 4, replacement_LRU, &a));
    for (u64 stride = 128; stride <= 64 * 128 * 64; stride *= 2) {
        cache_clear(&c);
        for (int again = 0; again < 2; again++)
            for (u64 i = 0; i < 64; i++)
                cr_assert_eq(touch(&c, i * stride), again == 1, "stride %d, line %d", (int)stride, (int)i);
    }
}

Test(cache, of_no_size_holds_nothing) {
    SCOPED(arena_free) struct arena a = {0};
    struct cache c;
    cr_assert(cache_init(&c, 0, 4, replacement_LRU, &a));
    cr_assert_null(cache_find(&c, 0));
    cr_assert_null(cache_victim(&c, 0));
    cr_assert(cache_init(&c, 4 * 128 - 1, 4, replacement_LRU, &a)); /* less than a set */
    cr_assert_null(cache_victim(&c, 0));
}

Test(cache, forgets_and_hands_out_clean_lines) {
    SCOPED(arena_free) struct arena a = {0};
    struct cache c;
    cr_assert(cache_init(&c, 8 * 2 * 128, 2, replacement_LRU, &a));
    for (u64 i = 0; i < 16; i++) {
        touch(&c, i * 128);
        *cache_find(&c, i * 128) = (struct cache_line){i * 128, {{1, 2}}, 3, 4, 5, 6};
    }
    cache_clear(&c);
    for (u64 i = 0; i < 16; i++)
        cr_assert_not(cache_holds(&c, &c.line[i]));
    for (u64 i = 0; i < 16; i++) {
        cr_assert_null(cache_find(&c, i * 128));
        struct cache_line *line = cache_victim(&c, i * 128);
        cr_assert(line && !line->written[0] && !line->written[1] && !line->valid && !line->pending);
        cache_take(&c, line, i * 128);
    }
    cache_resize(&c, 4 * 2 * 128);
    cr_assert_eq(c.sets, 4);
    for (u64 i = 0; i < 16; i++)
        touch(&c, i * 128);
    for (u64 i = 0; i < 16; i++)
        cr_assert_eq(!!cache_find(&c, i * 128), i >= 8);
    cache_resize(&c, 1 << 20);
    cr_assert_eq(c.sets, 8);
}

/* A set kept by hand: lines + 1, the one used last first; those of `pending` are no victims. */
struct by_hand {
    u64 line[WAYS_MAX];
    bool pending[WAYS_MAX];
    u32 ways;
};

/* True for a hit; *at is the place of the line or, for a miss, of its victim, == ways if there is none. */
static bool find_by_hand(const struct by_hand *h, u64 line, u32 *at) {
    for (*at = 0; *at < h->ways; ++*at)
        if (h->line[*at] == line)
            return true;
    for (*at = h->ways; (*at)-- > 0;)
        if (!h->line[*at] || !h->pending[*at])
            return false;
    *at = h->ways;
    return false;
}

static void use_by_hand(struct by_hand *h, u32 at, u64 line, bool pending) {
    memmove(h->line + 1, h->line, at * sizeof *h->line);
    memmove(h->pending + 1, h->pending, at * sizeof *h->pending);
    h->line[0] = line;
    h->pending[0] = pending;
}

/* Tags are hints: lines 256 runs of sets apart have the same one. */
static void compare_by_hand(u32 ways, u64 apart) {
    enum { SETS = 6, STEPS = 20000 };
    SCOPED(arena_free) struct arena a = {0};
    struct cache c;
    struct by_hand set[SETS] = {0};
    cr_assert(cache_init(&c, SETS * (u64)ways * 128, ways, replacement_LRU, &a));
    for (int step = 0; step < STEPS; step++) {
        u64 number = ((u64)rand() % (SETS * (u64)ways * 2)) * apart, address = number * 128;
        struct by_hand *h = &set[fold_place(number / SETS, (u32)(number % SETS), SETS, fold_width(SETS))];
        u32 at;
        h->ways = ways;
        bool hit = find_by_hand(h, number + 1, &at), pends = hit && h->pending[at];
        struct cache_line *line = cache_find(&c, address + (u64)rand() % 128);
        cr_assert_eq(line != NULL, hit, "%u ways, step %d", ways, step);
        if (!line && !(line = cache_victim(&c, address))) {
            cr_assert_eq(at, ways);
            for (u32 i = 0; i < ways; i++) /* all arrive */
                cache_fill(&c, cache_find(&c, (h->line[i] - 1) * 128), 15);
            memset(h->pending, 0, sizeof h->pending);
            continue;
        }
        cr_assert_lt(at, ways);
        cr_assert_eq(cache_holds(&c, line), h->line[at] != 0);
        cr_assert_eq(line->address, h->line[at] ? (h->line[at] - 1) * 128 : 0);
        hit ? cache_use(&c, line) : cache_take(&c, line, address);
        bool pending = rand() % 3 == 0;
        if (pending)
            cache_await(&c, line, 1u << rand() % 4);
        else if (pends)
            cache_fill(&c, line, 15);
        use_by_hand(h, at, number + 1, pending);
        if (rand() % 5000 == 0) {
            cache_clear(&c);
            memset(set, 0, sizeof set);
        }
    }
}

Test(cache, agrees_with_lists_kept_by_hand) {
    static const u32 ways[] = {1, 3, 4, 7, 8, 16, 24, 63, 64};
    srand(7);
    for (size_t i = 0; i < COUNT_OF(ways); i++) {
        compare_by_hand(ways[i], 1);
        compare_by_hand(ways[i], 6 * 65536);
    }
}

Test(cache, places_take_turns_in_every_run) {
    for (u32 places = 1; places <= 130; places++)
        for (u64 run = 0; run < 5000; run += 1 + run / 3) {
            u8 seen[130] = {0};
            for (u32 rest = 0; rest < places; rest++) {
                u32 place = fold_place(run, rest, places, fold_width(places));
                cr_assert(place < places && !seen[place]++);
            }
        }
}
