/* The slices of a partition before and between requests. */
#include "sim/base/bits.h"
#include "sim/time/l2_private.h"

/* Passes in parts of a cycle. */
static u32 parts_of(const struct board *b, double passes) {
    return (u32)(passes * b->l2.clock_ratio * PASS + 0.5);
}

/* Cycles of a burst of a DRAM that serves all at once. */
static u32 endless_cycles(const struct board *b) {
    u64 memory = (u64)b->dram.rcd + b->dram.cl + b->dram.burst_cycles;
    return b->dram.latency + (u32)((memory * b->clock_mhz + b->dram.clock_mhz - 1) / b->dram.clock_mhz);
}

/* Lists the bursts, of `together` sectors, that cover each set of sectors. */
static void list_bursts(struct l2 *l2, u32 together) {
    for (u32 set = 0; set < 16; set++)
        for (u32 s = 0; s < LINE_SECTORS; s++)
            if (set >> s & 1) {
                u32 start = s / together * together, end = start + together;
                l2->first[set] |= (u8)(1u << start);
                l2->cover[set] |= (u8)((1u << (end < LINE_SECTORS ? end : LINE_SECTORS)) - (1u << start));
            }
}

bool l2_init(struct l2 *l2, const struct board *b, struct dram *const *dram, struct arena *arena) {
    *l2 = (struct l2){.placer = placer_of(b),
                      .delay = (u64)b->l2.latency + b->noc.latency,
                      .bytes_per_cycle = b->l2.bytes_per_cycle,
                      .pass = parts_of(b, 1),
                      .scatter = parts_of(b, b->l2.scatter_passes),
                      .again = {parts_of(b, b->l2.word_passes), parts_of(b, b->l2.float_passes),
                                parts_of(b, b->l2.float_passes)},
                      .word = parts_of(b, b->l2.f64_passes),
                      .partial = parts_of(b, b->l2.partial_passes),
                      .atomic_delay = b->l2.atomic_cycles,
                      .partial_ways = b->l2.partial_ways,
                      .write = b->l2.write,
                      .perfect = b->l2.perfect,
                      .endless = b->dram.endless ? endless_cycles(b) : 0,
                      .joins = b->dram.partial_write == partial_write_READ || b->dram.ecc != ecc_NONE,
                      .room = b->l2.sectors,
                      .header = b->noc.header_bytes,
                      .dram = dram,
                      .arena = arena,
                      .unused = NONE};
    list_bursts(l2, b->dram.burst_bytes / SECTOR_BYTES);
    l2->way_bytes = b->l2.far_bytes * l2->placer.each;
    l2->slices = l2->placer.each * (l2->placer.channels / l2->placer.partitions);
    l2->slice = arena_alloc(arena, l2->slices * sizeof *l2->slice);
    l2->turn = arena_alloc(arena, l2->slices * sizeof *l2->turn);
    if (!l2->slice || !l2->turn)
        return false;
    for (u32 i = 0; i < l2->slices; i++) {
        if (!cache_init(&l2->slice[i].cache, b->l2.bytes / b->l2.slices, b->l2.ways, b->l2.replacement, arena))
            return false;
        l2->slice[i].cache.seed = (u64)b->l2.seed << 40 | (u64)i << 32;
    }
    l2_reset(l2, NULL, false);
    return true;
}

void l2_reset(struct l2 *l2, struct partition_counters *counters, bool warm) {
    for (u32 v = 0; v < l2->capacity; v++) {
        struct l2_inflight *inflight = &l2->inflight[v];
        if (inflight->awaited && inflight->line != NONE) {
            struct cache *c = &l2->slice[inflight->request.slice].cache;
            c->line[inflight->line].tag = 0;
            cache_give_up(c, &c->line[inflight->line]);
        }
        inflight->awaited = 0;
        inflight->next = v + 1 < l2->capacity ? v + 1 : NONE;
    }
    l2->unused = l2->capacity ? 0 : NONE;
    l2->way_free = 0;
    l2->there = l2->back = (struct l2_list){NONE, NONE};
    for (u32 i = 0; i < l2->slices; i++) {
        struct l2_slice *s = &l2->slice[i];
        *s = (struct l2_slice){.cache = s->cache, .line = UINT64_MAX, .first = NONE, .last = NONE};
        if (!warm)
            cache_clear(&s->cache);
        l2->turn[i] = TIME_NEVER;
    }
    if (!warm)
        l2->dirty = 0;
    l2->seq = 0;
    l2->passed.len = 0;
    l2->failed = false;
    l2->record = NULL;
    l2->counters = counters;
}

void l2_recharge(struct l2 *l2, const u32 *to) {
    for (u32 i = 0; i < l2->slices; i++) {
        struct cache *c = &l2->slice[i].cache;
        for (u32 k = 0; k < cache_lines(c); k++)
            if (cache_holds(c, &c->line[k]))
                c->line[k].allocation = to[c->line[k].allocation];
    }
}

u64 l2_lines(const struct l2 *l2, u64 *used) {
    u64 all = 0;
    for (u32 i = 0; i < l2->slices; i++) {
        const struct cache *c = &l2->slice[i].cache;
        all += (u64)c->sets * c->ways;
        for (u32 k = 0; k < cache_lines(c); k++)
            *used += cache_holds(c, &c->line[k]);
    }
    return all;
}

u64 l2_end(const struct l2 *l2) {
    u64 end = 0;
    for (u32 i = 0; i < l2->slices; i++)
        end = max_u64(l2->slice[i].free, end);
    return end;
}

u64 l2_busiest(const struct l2 *l2) {
    u64 most = 0;
    for (u32 i = 0; i < l2->slices; i++)
        most = max_u64(l2->slice[i].busy, most);
    return most;
}

const struct request *l2_request(const struct l2 *l2, u32 burst) {
    const struct l2_inflight *v = &l2->inflight[burst / LINE_SECTORS];
    return v->joins ? NULL : &v->request;
}

void l2_prefetch(const struct l2 *l2, const struct request *r) {
    cache_prefetch(&l2->slice[r->slice].cache, r->local);
}

void l2_prefetch_line(const struct l2 *l2, const struct request *r) {
    cache_prefetch_line(&l2->slice[r->slice].cache, r->local);
}

void l2_prefetch_end(const struct l2 *l2, const struct dram_done *done) {
    if (done->write)
        return;
    const struct l2_inflight *v = &l2->inflight[done->id / LINE_SECTORS];
    __builtin_prefetch(v);
    __builtin_prefetch((const char *)(v + 1) - 1);
}

void l2_prefetch_fill(const struct l2 *l2, const struct dram_done *done) {
    const struct l2_inflight *v = &l2->inflight[done->write ? 0 : done->id / LINE_SECTORS];
    if (!done->write && v->line != NONE)
        cache_prefetch_fill(&l2->slice[v->request.slice].cache, &l2->slice[v->request.slice].cache.line[v->line]);
}
