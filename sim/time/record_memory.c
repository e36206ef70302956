/* What happens to accesses: their lines at L1, the requests' way through L2 and DRAM, replies. */
#include <string.h>

#include "sim/base/bits.h"
#include "sim/time/dram_private.h"
#include "sim/time/l2.h"
#include "sim/time/lsu.h"
#include "sim/time/record_private.h"

/* ---- on an SM ---- */

/* Addresses one after the other, in the shortest form; their number of words, where `to` is not NULL written there. */
static u32 put_addresses(u64 *to, const u64 *a, u32 n) {
    u64 step = n > 1 ? a[1] - a[0] : 0, other = 0, least = a[0], most = a[0];
    for (u32 i = 0; i < n; i++) {
        other |= a[i] - a[0] - i * step;
        least = min_u64(least, a[i]);
        most = max_u64(most, a[i]);
    }
    enum record_list form = !other ? LIST_STEPS : most - least <= UINT32_MAX ? LIST_NEAR : LIST_PLAIN;
    u32 words = 1 + (form == LIST_STEPS ? 2 : form == LIST_NEAR ? 1 + (n + 1) / 2 : n);
    if (!to)
        return words;
    *to++ = form;
    if (form == LIST_STEPS) {
        memcpy(to, (u64[]){a[0], step}, 2 * sizeof *to);
    } else if (form == LIST_PLAIN) {
        memcpy(to, a, n * sizeof *to);
    } else {
        *to++ = least;
        to[(n - 1) / 2] = 0; /* half of it is left over where n is odd */
        for (u32 i = 0; i < n; i++)
            ((u32 *)(void *)to)[i] = (u32)(a[i] - least);
    }
    return words;
}

u32 record_access(struct sm *s, const struct core_warp *w, u32 pc, struct record_part part) {
    const u64 cycle = w->warp->clock;
    const struct effect *e = w->warp->effect;
    struct record *r = s->record;
    u32 number = r->accesses++, n = 0;
    u64 address[WARP_MAX], value[EVENT_FIELDS] = {number, part.space, e->access, e->bytes, part.lanes, part.cycles};
    if (!record_keeps(r, cycle, cycle))
        return number;
    address[0] = 0;
    for (u64 left = part.lanes; left; left &= left - 1)
        address[n++] = e->addr[first_lane(left)];
    struct record_of of = {cycle, cycle, record_who(s->block[w->block].number, w->warp->index), pc};
    u64 *to = record_add(r, EVENT_ACCESS, of, value, put_addresses(NULL, address, n));
    if (to)
        put_addresses(to, address, n);
    return number;
}

/* The warp of an access may have ended. */
void record_line(struct sm *s, const struct lsu_access *a, u32 i, struct record_found found, u64 cycle) {
    const struct line_access *l = &a->line[i];
    u64 value[EVENT_FIELDS] = {a->number,  l->line,       l->sectors,
                               found.hits, found.pending, found.asked ? s->seq - 1 : UINT64_MAX};
    struct record_of of = {cycle, cycle, record_who(s->block[a->block].number, a->warp), a->pc};
    record_add(s->record, EVENT_LINE, of, value, 0);
}

void record_reply(struct sm *s, u32 ticket, u64 cycle) {
    const struct miss *m = miss_at(s, ticket);
    u64 value[EVENT_FIELDS] = {m->seq, m->issued, m->sectors};
    struct record_of of = {cycle, cycle, record_who(s->block[m->block].number, RECORD_NO_WARP), RECORD_NONE};
    record_add(s->record, EVENT_REPLY, of, value, 0);
}

/* ---- events of a partition ---- */

static struct record_of asker(const struct request *q, u64 cycle) {
    return (struct record_of){cycle, cycle, q ? q->sm : RECORD_NONE, RECORD_NONE};
}

void record_lookup(struct record *r, const struct request *q, u32 cycles, struct record_found found, u64 now) {
    u64 value[EVENT_FIELDS] = {q->seq,        place_slice(&r->l2->placer, q->partition, q->slice),
                               q->time,       cycles,
                               q->sectors,    found.hits,
                               found.pending, found.evicted};
    record_add(r, EVENT_LOOKUP, asker(q, now), value, 0);
}

void record_answer(struct record *r, const struct request *q, u64 arrives, u64 now) {
    record_add(r, EVENT_ANSWER, asker(q, now), (u64[EVENT_FIELDS]){q->seq, arrives}, 0);
}

/* The request that a burst is for; NULL: it writes back. */
static const struct request *request_of(const struct dram *d, const struct dram_slot *slot) {
    u32 id = slot->id;
    if (slot->write || (d->ecc && !dram_ecc_owner(d, &id)))
        return NULL;
    return l2_request(d->record->l2, id);
}

void record_row(const struct dram *d, const struct dram_slot *slot, bool close, u64 now) {
    const struct request *q = request_of(d, slot);
    u64 cycle = dram_clock_sm(d->clock, now);
    u64 value[EVENT_FIELDS] = {q ? q->seq : UINT64_MAX, d->channel, slot->bank, close ? UINT64_MAX : slot->row};
    record_add(d->record, EVENT_ROW, asker(q, cycle), value, 0);
}

void record_burst(const struct dram *d, const struct dram_slot *slot, u32 found, u64 until, u64 now) {
    const struct request *q = request_of(d, slot);
    u64 cycle = dram_clock_sm(d->clock, now);
    u64 value[EVENT_FIELDS] = {q ? q->seq : UINT64_MAX, d->channel, slot->bank, slot->row, found, slot->write, until};
    record_add(d->record, EVENT_BURST, asker(q, cycle), value, 0);
}
