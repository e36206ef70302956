#include "sim/time/partition.h"
#include "sim/base/bits.h"
#include "sim/time/dram.h"
#include "sim/time/l2.h"
#include "sim/time/record.h"

#include <string.h>

/*
 * Bursts whose end is known and lies ahead, first in time first. A channel moves one burst after the other, so the next
 * one to end is the last of the queue, and keeping it sorted costs a comparison. Reads, whose ends are later by the
 * latency of the channel, and writes have queues of their own: in one queue a write of a copy passed 40 reads. Of equal
 * ends the read is first, as its command was; where reads have no latency all are in one queue.
 */
struct ends {
    struct dram_done *slot; /* ring, [mask + 1] */
    u32 mask, first, count;
};

enum { CHANNELS = 2 * BOARD_MAX_dram_pseudo_channels };

struct partition {
    struct arena arena; /* memory of everything, this included */
    struct l2 l2;
    struct ends ends[2];                /* reads; writes where they are separate */
    struct dram *dram[CHANNELS];        /* of each half of L2, its pseudo channels; NULL where there are fewer */
    struct dram_counters own[CHANNELS]; /* what each counts */
    u32 pseudo;                         /* pseudo channels of a channel */
    struct dram_counters *counters;
    u32 index;
    bool apart;
};

enum { ENDS = 64 }; /* initial room */

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

struct partition *partition_new(const struct board *b, u32 index, struct budget *budget) {
    struct arena arena = {.budget = budget};
    struct partition *p = arena_alloc(&arena, sizeof *p);
    if (!p)
        return NULL;
    p->arena = arena;
    p->index = index;
    p->apart = b->dram.latency > 0;
    bool ok = true;
    p->pseudo = b->dram.pseudo_channels;
    for (u32 i = 0; i < (b->l2.far_cycles ? 2 : 1) * p->pseudo; i++) {
        ok = ok && (p->dram[i] = dram_new(&b->dram, b->clock_mhz, &p->arena)) != NULL;
        if (ok && i % p->pseudo)
            dram_share_pins(p->dram[i], p->dram[i - 1]);
    }
    if (ok && ends_grow(&p->ends[0], ENDS, &p->arena) && ends_grow(&p->ends[1], ENDS, &p->arena) &&
        l2_init(&p->l2, b, p->dram, &p->arena))
        return p;
    partition_free(p);
    return NULL;
}

void partition_free(struct partition *p) {
    if (!p)
        return;
    struct arena arena = p->arena;
    buf_free(&p->l2.passed);
    arena_free(&arena);
}

void partition_reset(struct partition *p, struct partition_counters *counters, bool warm) {
    for (u32 i = 0; i < COUNT_OF(p->dram) && p->dram[i]; i++)
        dram_reset(p->dram[i], &p->own[i], counters->traffic);
    p->counters = &counters->dram;
    memset(p->own, 0, sizeof p->own);
    l2_reset(&p->l2, counters, warm);
    for (u32 i = 0; i < 2; i++)
        p->ends[i].first = p->ends[i].count = 0;
}

/* Number of a channel or pseudo channel among those of the board. */
static u32 number_of(const struct partition *p, u32 i) {
    return (p->index + i / p->pseudo * p->l2.placer.partitions) * p->pseudo + i % p->pseudo;
}

void partition_watch(struct partition *p, struct record *record) {
    record->l2 = &p->l2;
    p->l2.record = record;
    for (u32 i = 0; i < COUNT_OF(p->dram) && p->dram[i]; i++)
        dram_watch(p->dram[i], record, number_of(p, i));
}

void partition_log(struct partition *p, struct bus_log *log) {
    for (u32 i = 0; i < CHANNELS && p->dram[i]; i++) {
        struct bus_log *own = log ? &log[number_of(p, i)] : NULL;
        dram_log(p->dram[i], own ? &own->commands : NULL, own ? &own->requests : NULL);
    }
}

void partition_count_banks(struct partition *p, struct dram_counters *bank) {
    for (u32 i = 0; i < CHANNELS && p->dram[i]; i++)
        dram_count_banks(p->dram[i], bank, number_of(p, i));
}

void partition_recharge(struct partition *p, const u32 *to) {
    l2_recharge(&p->l2, to);
}

static void arrive(struct partition *p, const struct request *r) {
    if (r->partition != p->index)
        BUG("request for another partition");
    l2_arrive(&p->l2, r);
}

static u64 next_end(const struct partition *p) {
    return min_u64(ends_next(&p->ends[0]), ends_next(&p->ends[1]));
}

/* Takes the ends of bursts of an endless DRAM, which passed it; the next end of all. */
static u64 take_passed(struct partition *p) {
    const struct dram_done *done = (const struct dram_done *)(const void *)p->l2.passed.data;
    size_t n = p->l2.passed.len / sizeof *done;
    p->l2.failed |= p->l2.passed.failed;
    for (size_t i = 0; i < n && !p->l2.failed; i++)
        p->l2.failed = !ends_add(&p->ends[done[i].write && p->apart], done[i], &p->arena);
    p->l2.passed.len = 0;
    return next_end(p);
}

static u64 next_step(const struct partition *p) {
    u64 first = dram_next(p->dram[0]);
    if (LIKELY(!p->dram[1]))
        return first;
    for (u32 i = 1; i < CHANNELS && p->dram[i]; i++)
        first = min_u64(first, dram_next(p->dram[i]));
    return first;
}

/* True if channel a's next step is before b's: of pseudo channels to the memory cycle, as they share pins. */
static bool steps_before(const struct partition *p, u32 a, u32 b) {
    u64 at = dram_next(p->dram[a]), other = dram_next(p->dram[b]);
    bool siblings = a / p->pseudo == b / p->pseudo;
    return at < other || (siblings && at == other && dram_before(p->dram[a], p->dram[b]));
}

/* The channel with the next step makes it. */
static bool step_channel(struct partition *p, struct dram_done *done) {
    u32 i = 0;
    for (u32 k = 1; UNLIKELY(p->dram[1] != NULL) && k < CHANNELS && p->dram[k]; k++)
        i = steps_before(p, k, i) ? k : i;
    return dram_step(p->dram[i], done);
}

/*
 * Measured on a copy, `v100`: with this and the like for L1 (l1_prefetch), 16 % less time.
 *
 * Prefetches for the host CPU what will be touched up to the horizon, one level of pointers at a time: the requests
 * whose bursts end and the sets of new requests, then the lines. Since the last call all SMs and the other partitions
 * have used the host's caches. Changes nothing.
 */
static void prefetch(const struct partition *p, const struct request *in, u32 count, u64 horizon) {
    const struct ends *e = &p->ends[0];
    u32 ending = 0;
    for (u32 i = 0; i < COUNT_OF(p->dram) && p->dram[i]; i++)
        dram_prefetch(p->dram[i], count * LINE_SECTORS);
    for (; ending < e->count && e->slot[(e->first + ending) & e->mask].time < horizon; ending++)
        l2_prefetch_end(&p->l2, &e->slot[(e->first + ending) & e->mask]);
    for (u32 i = 0; i < count; i++) {
        l2_prefetch(&p->l2, &in[i]);
        const char *d = (const char *)in[i].deferred;
        if (d) {
            __builtin_prefetch(d);
            __builtin_prefetch(d + 64);
            __builtin_prefetch(d + 128);
        }
    }
    for (u32 i = 0; i < ending; i++)
        l2_prefetch_fill(&p->l2, &e->slot[(e->first + i) & e->mask]);
    for (u32 i = 0; i < count; i++)
        l2_prefetch_line(&p->l2, &in[i]);
}

bool partition_run(struct partition *p, const struct request *in, u32 count, u64 horizon, struct buf *out) {
    const struct request *last = count ? in + count : in; /* without requests the list may be NULL */
    p->l2.out = out;
    prefetch(p, in, count, horizon);
    u64 end = next_end(p), turn = l2_next(&p->l2), step = next_step(p);
    while (!p->l2.failed) {
        u64 arrival = in < last ? in->time : TIME_NEVER, now = min_u64(min_u64(end, arrival), min_u64(turn, step));
        if (now >= horizon)
            break;
        if (end == now) {
            bool write = ends_next(&p->ends[0]) > now;
            struct dram_done done = ends_take(&p->ends[write]);
            l2_done(&p->l2, &done);
            end = take_passed(p);
            step = next_step(p);
        } else if (arrival == now) {
            arrive(p, in++);
        } else if (turn == now) {
            l2_turn(&p->l2);
            if (UNLIKELY(p->l2.passed.len > 0))
                end = take_passed(p);
            step = next_step(p);
        } else {
            struct dram_done done;
            if (step_channel(p, &done)) {
                p->l2.failed = !ends_add(&p->ends[done.write && p->apart], done, &p->arena);
                end = min_u64(end, done.time);
            }
            step = next_step(p);
            continue;
        }
        turn = l2_next(&p->l2);
    }
    return !p->l2.failed && !out->failed;
}

u64 partition_next(const struct partition *p) {
    return min_u64(next_end(p), min_u64(l2_next(&p->l2), next_step(p)));
}

u64 partition_end(const struct partition *p) {
    u64 end = l2_end(&p->l2);
    for (u32 i = 0; i < COUNT_OF(p->dram) && p->dram[i]; i++) {
        u64 dram = dram_end(p->dram[i]);
        end = max_u64(dram, end);
    }
    return end;
}

u64 partition_busiest_slice(const struct partition *p) {
    return l2_busiest(&p->l2);
}

void partition_close(struct partition *p, u64 cycles, struct dram_counters *channel) {
    for (u32 i = 0; i < CHANNELS && p->dram[i]; i++) {
        dram_close(p->dram[i], cycles);
        COUNTERS_ADD(p->counters, &p->own[i]);
        if (channel)
            channel[number_of(p, i)] = p->own[i];
    }
}

u64 partition_busiest_bank(const struct partition *p, u32 *channel, u32 *bank) {
    u64 most = dram_busiest_bank(p->dram[0], bank);
    *channel = number_of(p, 0);
    for (u32 i = 1; i < CHANNELS && p->dram[i]; i++) {
        u32 other;
        u64 cycles = dram_busiest_bank(p->dram[i], &other);
        if (cycles <= most)
            continue;
        most = cycles;
        *channel = number_of(p, i);
        *bank = other;
    }
    return most;
}

void partition_count(const struct partition *p, struct dram_counters *sum) {
    for (u32 i = 0; i < CHANNELS && p->dram[i]; i++)
        COUNTERS_ADD(sum, &p->own[i]);
}

u64 partition_lines(const struct partition *p, u64 *used) {
    return l2_lines(&p->l2, used);
}

u64 partition_dirty_bytes(const struct partition *p) {
    return p->l2.dirty;
}
