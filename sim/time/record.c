#include "sim/time/record.h"

#include <string.h>

#include "sim/base/bits.h"
#include "sim/time/lsu.h"

const char *const event_names[EVENT_COUNT] = {
#define EVENT(id, name, doc) [EVENT_##id] = name,
#include "sim/time/events.def"
};

const char *const event_docs[EVENT_COUNT] = {
#define EVENT(id, name, doc) [EVENT_##id] = doc,
#include "sim/time/events.def"
};

static const struct field {
    u8 kind;
    const char *name, *doc;
} fields[] = {
#define FIELD(id, name, doc) {EVENT_##id, name, doc},
#include "sim/time/events.def"
};

static const struct {
    enum event_tail tail;
    const char *doc;
} tails[EVENT_COUNT] = {
#define TAIL(id, tail, doc) [EVENT_##id] = {tail, doc},
#include "sim/time/events.def"
};

const char *event_field(enum event_kind kind, u32 index, const char **doc) {
    for (u32 i = 0; i < COUNT_OF(fields); i++)
        if (fields[i].kind == kind && index-- == 0) {
            *doc = fields[i].doc;
            return fields[i].name;
        }
    return NULL;
}

enum event_tail event_tail(enum event_kind kind, const char **doc) {
    *doc = tails[kind].doc;
    return tails[kind].tail;
}

/* ---- writing ---- */

/* Of a warp, at an instruction; or of neither. */
struct subject {
    u64 block;
    u32 warp, pc;
};

static struct subject warp_at(const struct sm *s, const struct core_warp *w, u32 pc) {
    return (struct subject){s->block[w->block].number, w->warp->index, pc};
}

/*
 * Adds an event with room for a tail, which is returned; NULL when it is not to be kept. `until`: its end, if it lasts.
 */
static u64 *event(struct sm *s, enum event_kind kind, u64 cycle, u64 until, struct subject of, const u64 *value, u32 n,
                  u32 tail) {
    struct record *r = s->record;
    u32 words = (u32)(sizeof(struct record_event) / sizeof(u64)) + n + tail;
    if (until < r->from || cycle >= r->to || cycle >= r->cut)
        return NULL;
    if (r->events.len + r->keys.len + words * sizeof(u64) + sizeof(struct record_key) > r->room) {
        r->cut = cycle;
        return NULL;
    }
    u64 at = r->events.len;
    struct record_event *e = buf_take(&r->events, words * sizeof(u64));
    struct record_key *key = buf_take(&r->keys, sizeof *key);
    if (!e || !key) {
        s->no_memory = true;
        return NULL;
    }
    *key = (struct record_key){record_order(cycle, s->index, kind), at};
    *e = (struct record_event){.cycle = cycle,
                               .words = words,
                               .kind = (u8)kind,
                               .fields = (u8)n,
                               .sm = (u16)s->index,
                               .block = of.block,
                               .warp = of.warp,
                               .pc = of.pc};
    if (n)
        memcpy(e->value, value, n * sizeof *value);
    return e->value + n;
}

static void of_warp(struct sm *s, const struct core_warp *w, u32 pc, enum event_kind kind, u64 cycle, const u64 *value,
                    u32 n) {
    event(s, kind, cycle, cycle, warp_at(s, w, pc), value, n, 0);
}

/* ---- registers ---- */

struct row {
    const void *values;
    u32 words; /* of 32 bits */
};

/* Where a slot of the scoreboard lies. */
static struct row row_of(const struct sm *s, const struct warp *w, u32 slot) {
    u32 width = s->timing->width, regs = s->timing->slots - PRED_COUNT - TRANSIT_COUNT;
    if (slot < regs)
        return (struct row){w->base[0] + (size_t)slot * width, width};
    if (slot < regs + PRED_COUNT)
        return (struct row){&w->p[slot - regs], 2};
    return (struct row){w->x + (size_t)(slot - regs - PRED_COUNT) * TRANSIT_SLOTS * width, TRANSIT_SLOTS * width};
}

static u32 rows_size(const struct sm *s, const struct warp *w, const u16 *slot, u32 n) {
    u32 words = 0;
    for (u32 i = 0; i < n; i++)
        words += 1 + row_of(s, w, slot[i]).words / 2;
    return words;
}

static void put_rows(const struct sm *s, const struct warp *w, const u16 *slot, u32 n, u64 *to) {
    for (u32 i = 0; i < n; i++) {
        struct row row = row_of(s, w, slot[i]);
        struct record_row head = {slot[i], row.words};
        memcpy(to++, &head, sizeof head);
        memcpy(to, row.values, row.words * sizeof(u32));
        to += row.words / 2;
    }
}

/* ---- warps ---- */

static struct record_warp *of(const struct sm *s, const struct core_warp *w) {
    return &s->record->warp[w - s->warp];
}

void record_begin(struct sm *s, const struct core_warp *w, u64 cycle) {
    u64 value[] = {(u64)(w - s->warp), w->sub_core, w->warp->members};
    *of(s, w) = (struct record_warp){cycle, w->warp->active, w->warp->depth};
    of_warp(s, w, w->warp->pc, EVENT_BEGIN, cycle, value, COUNT_OF(value));
}

u64 record_wait(struct sm *s, const struct core_warp *w, u32 pc, u64 until, enum stall why) {
    struct record_warp *seen = of(s, w);
    u64 value[] = {until, why};
    if (until > seen->since) {
        event(s, EVENT_WAIT, seen->since, until, warp_at(s, w, pc), value, COUNT_OF(value), 0);
        seen->since = until;
    }
    return seen->since;
}

static void stack(struct sm *s, const struct core_warp *w, u32 pc, u64 cycle) {
    const struct warp *warp = w->warp;
    u64 value[] = {warp->active, warp->reconv};
    u64 *to = event(s, EVENT_STACK, cycle, cycle, warp_at(s, w, pc), value, COUNT_OF(value), 3 * warp->depth);
    for (u32 i = 0; to && i < warp->depth; i++) {
        const struct frame *f = &warp->frame[i];
        memcpy(to + 3 * i, (u64[]){f->mask, f->pc, f->reconv}, 3 * sizeof(u64));
    }
}

void record_issue(struct sm *s, const struct core_warp *w, u32 pc, u64 cycle) {
    const struct warp *warp = w->warp;
    const struct timing_inst *t = &s->timing->inst[pc];
    struct record_warp *seen = of(s, w);
    u64 ready = t->writes ? when_time(w->slot[t->write[0]]) : 0;
    u64 value[] = {seen->active, warp->exec, warp->effect->diverged, warp->pc, ready};
    u64 *to = event(s, EVENT_ISSUE, cycle, cycle, warp_at(s, w, pc), value, COUNT_OF(value),
                    rows_size(s, warp, t->write, t->writes));
    if (to)
        put_rows(s, warp, t->write, t->writes, to);
    if (warp->active && (warp->depth != seen->depth || warp->active != seen->active))
        stack(s, w, pc, cycle);
    seen->since = cycle + 1;
    seen->active = warp->active;
    seen->depth = warp->depth;
}

void record_end(struct sm *s, const struct core_warp *w, u64 cycle) {
    of_warp(s, w, w->last_pc, EVENT_END, cycle, NULL, 0);
}

void record_barrier(struct sm *s, const struct core_warp *w, u32 pc, enum event_kind kind, u32 number, u64 cycle) {
    of_warp(s, w, pc, kind, cycle, (u64[]){number}, 1);
}

void record_free(struct sm *s, u32 block, u64 cycle) {
    event(s, EVENT_FREE, cycle, cycle, (struct subject){s->block[block].number, RECORD_NONE, RECORD_NONE}, NULL, 0, 0);
}

/* ---- memory ---- */

u32 record_access(struct sm *s, const struct core_warp *w, u32 pc, enum space space, u64 lanes, u32 cycles, u64 cycle) {
    const struct effect *e = w->warp->effect;
    u32 number = s->record->accesses++;
    u64 value[] = {number, space, e->access, e->bytes, lanes, cycles};
    u64 *to = event(s, EVENT_ACCESS, cycle, cycle, warp_at(s, w, pc), value, COUNT_OF(value), ones_of(lanes));
    for (u64 left = to ? lanes : 0; left; left &= left - 1)
        *to++ = e->addr[first_lane(left)];
    return number;
}

/* Of a block, at an instruction: the warp of an access may have ended. */
static struct subject block_at(const struct sm *s, u32 block, u32 warp, u32 pc) {
    return (struct subject){s->block[block].number, warp, pc};
}

void record_line(struct sm *s, const struct lsu_access *a, u32 i, u32 hits, u32 pending, u32 ticket, u64 cycle) {
    const struct line_access *l = &a->line[i];
    u64 value[] = {a->number, l->line, l->sectors, hits, pending, ticket};
    event(s, EVENT_LINE, cycle, cycle, block_at(s, a->block, a->warp, a->pc), value, COUNT_OF(value), 0);
}

void record_reply(struct sm *s, u32 ticket, u64 cycle) {
    const struct miss *m = miss_at(s, ticket);
    u64 value[] = {ticket, m->issued, m->sectors};
    event(s, EVENT_REPLY, cycle, cycle, block_at(s, m->block, RECORD_NONE, RECORD_NONE), value, COUNT_OF(value), 0);
}

void record_arrive(struct sm *s, const struct load *l) {
    const struct core_warp *w = &s->warp[l->warp];
    u32 n = l->late ? l->writes : 0;
    u64 *to =
        event(s, EVENT_ARRIVE, l->done, l->done, warp_at(s, w, l->pc), NULL, 0, rows_size(s, w->warp, l->write, n));
    if (to)
        put_rows(s, w->warp, l->write, n, to);
}
