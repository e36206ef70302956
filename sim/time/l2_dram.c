/* What L2 reads from DRAM and writes to it: bursts, and the sectors that it has to join first (l2.h). */
#include "sim/base/bits.h"
#include "sim/time/l2_private.h"

/* `burst.address` is in the slice's share. */
static void push(struct l2 *l2, u32 slice, struct dram_burst burst) {
    l2->slice[slice].in_flight++;
    if (UNLIKELY(l2->endless)) {
        buf_append(&l2->passed, &(struct dram_done){burst.time + l2->endless, burst.id, burst.write},
                   sizeof(struct dram_done));
        return;
    }
    burst.address = place_in_channel(&l2->placer, slice, burst.address);
    u32 channel = place_second(&l2->placer, slice);
    if (UNLIKELY(l2->placer.pseudo > 1))
        channel = 2 * channel + place_in_pseudo(&l2->placer, &burst.address);
    if (!dram_push(l2->dram[channel], &burst))
        l2->failed = true;
}

void l2_fetch(struct l2 *l2, u32 index, u32 missing, u64 now) {
    const struct l2_inflight *v = &l2->inflight[index];
    for (u32 s = 0; s < LINE_SECTORS; s++)
        if (l2->first[missing] >> s & 1)
            push(l2, v->request.slice,
                 (struct dram_burst){.time = now,
                                     .address = v->request.local + s * SECTOR_BYTES,
                                     .id = index * LINE_SECTORS + s,
                                     .allocation = v->request.allocation,
                                     .source = v->joins ? 0 : (u16)(1 + v->request.sm),
                                     .useful =
                                         v->joins ? 0 : count_bytes(v->request.bytes, l2->cover[1u << s] & missing)});
}

/* A write's number is its slice. */
static void write_sectors(struct l2 *l2, u32 slice, const struct cache_line *line, u32 sectors, u64 now) {
    for (u32 s = 0; s < LINE_SECTORS; s++)
        if (l2->first[sectors] >> s & 1)
            push(l2, slice,
                 (struct dram_burst){.time = now,
                                     .address = line->address + s * SECTOR_BYTES,
                                     .id = slice,
                                     .allocation = line->allocation,
                                     .useful = count_bytes(line->written, l2->cover[1u << s]),
                                     .write = true});
}

/* Sectors of the line that are dirty in part and whose other bytes L2 lacks. */
static u32 torn_sectors(const struct cache_line *line) {
    return partial_sectors(line->written) & ~(u32)(line->valid | line->pending);
}

/* Reads these sectors; the place that waits for them, or NONE. Without a line there, it writes them back. */
static u32 join(struct l2 *l2, u32 slice, const struct cache_line *line, u32 sectors, u64 now) {
    const struct request r = {.local = line->address,
                              .bytes = {line->written[0], line->written[1]},
                              .allocation = line->allocation,
                              .slice = (u16)slice,
                              .kind = REQUEST_STORE,
                              .sectors = (u8)sectors};
    u32 index = l2_take_place(l2, &r);
    if (index == NONE)
        return NONE;
    l2->inflight[index].joins = true;
    l2->inflight[index].awaited = l2->cover[sectors];
    l2->counters->l2.joined_sectors += ones_of_four(sectors);
    l2_fetch(l2, index, sectors, now);
    return index;
}

void l2_write_joined(struct l2 *l2, u32 index, u64 now) {
    struct l2_inflight *v = &l2->inflight[index];
    const struct request *r = &v->request;
    const struct cache_line line = {.address = r->local,
                                    .allocation = r->allocation,
                                    .written = {r->bytes[0], r->bytes[1]}};
    if (v->line == NONE)
        write_sectors(l2, r->slice, &line, r->sectors, now);
    v->next = l2->unused;
    l2->unused = index;
}

void l2_write_back(struct l2 *l2, u32 slice, const struct cache_line *line, u64 now) {
    u32 sectors = sectors_of(line->written), torn = l2->joins ? torn_sectors(line) : 0;
    l2->counters->l2.writebacks += ones_of_four(sectors);
    if (torn)
        join(l2, slice, line, torn, now);
    write_sectors(l2, slice, line, sectors & ~(u32)l2->cover[torn], now);
}

bool l2_writes_at_once(const struct l2 *l2, const struct request *r) {
    bool writes = r->kind == REQUEST_STORE || r->kind == REQUEST_ATOMIC;
    switch (l2->write) {
    case write_policy_BACK: return false;
    case write_policy_THROUGH:
    case write_policy_AROUND: return writes;
    }
    BUG("a policy that writes nothing");
}

void l2_write_through(struct l2 *l2, const struct l2_inflight *v, const struct cache_line *kept, u64 now) {
    const struct request *r = &v->request;
    struct cache_line line = {.address = v->request.local, .allocation = r->allocation};
    line.valid = (r->kind == REQUEST_ATOMIC ? r->sectors : 0) | (kept ? kept->valid | kept->pending : 0);
    line.written[0] = r->bytes[0];
    line.written[1] = r->bytes[1];
    l2_write_back(l2, v->request.slice, &line, now);
}

u32 l2_older_bursts(const struct l2 *l2, const struct l2_slice *s, u64 address) {
    const struct cache_line *line = l2->joins ? cache_older(&s->cache, address, l2->partial_ways - 1) : NULL;
    return line ? ones_of_four(l2->first[torn_sectors(line)]) : 0;
}

void l2_read_older(struct l2 *l2, u32 slice, u64 address, u64 now) {
    struct cache *cache = &l2->slice[slice].cache;
    struct cache_line *line = l2->joins ? cache_older(cache, address, l2->partial_ways) : NULL;
    u32 torn = line ? torn_sectors(line) : 0, index = torn ? join(l2, slice, line, torn, now) : NONE;
    if (index == NONE)
        return;
    l2->inflight[index].line = (u32)(line - cache->line);
    cache_await(cache, line, l2->cover[torn] & ~(u32)line->valid);
    l2_wait_for(l2, index, line);
}
