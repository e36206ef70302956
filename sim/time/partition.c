#include "sim/time/partition.h"
#include "sim/time/dram.h"
#include "sim/time/l2.h"

/*
 * Bursts whose end is known and lies ahead, first in time first. A channel moves one burst after the other, so the next
 * one to end is nearly always the last of the queue, and keeping it sorted costs a comparison.
 */
struct ends {
    struct dram_done *slot; /* [mask + 1], a ring */
    u32 mask, first, count;
};

struct partition {
    struct arena arena; /* where everything is, this included */
    struct l2 l2;
    struct ends ends;
    struct dram *dram;
    u32 index;
};

enum { ENDS = 64 }; /* that there is room for at first */

u64 partition_shortest(const struct board *b) {
    return (u64)b->l2.latency + b->noc.latency;
}

static bool ends_grow(struct ends *e, u32 slots, struct arena *arena) {
    struct dram_done *slot = arena_alloc(arena, slots * sizeof *slot);
    if (!slot)
        return false;
    for (u32 i = 0; i < e->count; i++)
        slot[i] = e->slot[(e->first + i) & e->mask];
    *e = (struct ends){slot, slots - 1, 0, e->count};
    return true;
}

static bool ends_add(struct ends *e, struct dram_done done, struct arena *arena) {
    if (e->count > e->mask && !ends_grow(e, (e->mask + 1) * 2, arena))
        return false;
    u32 at = e->first + e->count++;
    for (; at != e->first && e->slot[(at - 1) & e->mask].time > done.time; at--)
        e->slot[at & e->mask] = e->slot[(at - 1) & e->mask];
    e->slot[at & e->mask] = done;
    return true;
}

static u64 ends_next(const struct ends *e) {
    return e->count ? e->slot[e->first & e->mask].time : TIME_NEVER;
}

static struct dram_done ends_take(struct ends *e) {
    e->count--;
    return e->slot[e->first++ & e->mask];
}

struct partition *partition_new(const struct board *b, u32 index) {
    struct arena arena = {0};
    struct partition *p = arena_alloc(&arena, sizeof *p);
    if (!p)
        return NULL;
    p->arena = arena;
    p->index = index;
    p->dram = dram_new(&b->dram, b->clock_mhz, &p->arena);
    if (p->dram && ends_grow(&p->ends, ENDS, &p->arena) && l2_init(&p->l2, b, p->dram, &p->arena))
        return p;
    partition_free(p);
    return NULL;
}

void partition_free(struct partition *p) {
    if (!p)
        return;
    struct arena arena = p->arena;
    arena_free(&arena);
}

void partition_reset(struct partition *p, struct partition_counters *counters, bool warm) {
    dram_reset(p->dram, &counters->dram, counters->traffic);
    l2_reset(&p->l2, counters, warm);
    p->ends.first = p->ends.count = 0;
}

void partition_recharge(struct partition *p, const u32 *to) {
    l2_recharge(&p->l2, to);
}

static void arrive(struct partition *p, const struct request *r) {
    struct place place = place_of(&p->l2.placer, r->line);
    if (place.partition != p->index)
        BUG("request for another partition");
    l2_arrive(&p->l2, r, place);
}

static u64 least(u64 a, u64 b) {
    return a < b ? a : b;
}

bool partition_run(struct partition *p, const struct request *in, u32 count, u64 horizon, struct buf *out) {
    const struct request *last = in + count;
    p->l2.out = out;
    for (u32 i = 0; i < count; i++) {
        l2_expect(&p->l2, place_of(&p->l2.placer, in[i].line));
        const char *d = (const char *)in[i].deferred;
        if (d) {
            __builtin_prefetch(d);
            __builtin_prefetch(d + 64);
            __builtin_prefetch(d + 128);
        }
    }
    while (!p->l2.failed) {
        u64 end = ends_next(&p->ends), arrival = in < last ? in->time : TIME_NEVER;
        u64 turn = l2_next(&p->l2), choice = dram_next(p->dram);
        u64 now = least(least(end, arrival), least(turn, choice));
        if (now >= horizon)
            break;
        if (end == now) {
            struct dram_done done = ends_take(&p->ends);
            l2_done(&p->l2, &done);
        } else if (arrival == now) {
            arrive(p, in++);
        } else if (turn == now) {
            l2_turn(&p->l2);
        } else {
            p->l2.failed = !ends_add(&p->ends, dram_step(p->dram), &p->arena);
        }
    }
    return !p->l2.failed && !out->failed;
}

u64 partition_next(const struct partition *p) {
    return least(ends_next(&p->ends), least(l2_next(&p->l2), dram_next(p->dram)));
}

u64 partition_end(const struct partition *p) {
    u64 l2 = l2_end(&p->l2), dram = dram_end(p->dram);
    return l2 > dram ? l2 : dram;
}

u64 partition_dirty_bytes(const struct partition *p) {
    return p->l2.dirty;
}
