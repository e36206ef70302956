/* What happens to warps: registers, waits, issues, levels of divergence. */
#include <string.h>

#include "sim/base/bits.h"
#include "sim/time/lsu.h"
#include "sim/time/record_private.h"

static struct record_of warp_during(const struct sm *s, const struct core_warp *w, u32 pc, u64 cycle, u64 until) {
    return (struct record_of){cycle, until, record_who(s->block[w->block].number, w->warp->index), pc};
}

static struct record_of warp_at(const struct sm *s, const struct core_warp *w, u32 pc, u64 cycle) {
    return warp_during(s, w, pc, cycle, cycle);
}

static u64 point(u32 reconverge) {
    return reconverge == NO_RECONVERGENCE ? UINT64_MAX : reconverge;
}

/* ---- registers ---- */

struct row {
    const u32 *values;
    u32 words;
    bool steps; /* values[i] = values[0] + i (values[1] - values[0]) */
};

static bool in_steps(const u32 *v, u32 n) {
    u32 step = v[1] - v[0], other = 0;
    if (step == 0)
        return memcmp(v, v + 1, (n - 1) * sizeof *v) == 0;
    if (v[2] - v[1] != step || v[n - 1] - v[n - 2] != step) /* most others are found here */
        return false;
    for (u32 i = 0; i < n; i++)
        other |= v[i] - v[0] - i * step;
    return !other;
}

/* Row of registers of a slot of the scoreboard. */
static struct row row_of(const struct sm *s, const struct warp *w, u32 slot) {
    u32 width = s->timing->width, regs = s->timing->slots - PRED_COUNT - TRANSIT_COUNT;
    if (slot < regs) {
        const u32 *v = w->base[0] + (size_t)slot * width;
        return (struct row){v, width, in_steps(v, width)};
    }
    if (slot < regs + PRED_COUNT)
        return (struct row){(const u32 *)(const void *)&w->p[slot - regs], 2, false};
    return (struct row){w->x + (size_t)(slot - regs - PRED_COUNT) * TRANSIT_SLOTS * width, TRANSIT_SLOTS * width,
                        false};
}

static u32 row_words(const struct row *row) {
    return 1 + (row->steps ? 1 : row->words / 2);
}

/* `ready`: when it can be read; 0: now. */
static u64 *put_row(u64 *to, const struct row *row, u32 slot, u64 ready) {
    struct record_row head = {.slot = (u16)slot, .words = (u16)row->words, .steps = row->steps, .late = ready != 0};
    memcpy(to++, &head, sizeof head);
    if (ready)
        *to++ = ready;
    if (row->values)
        memcpy(to, row->values, (row->steps ? 2 : row->words) * sizeof(u32));
    return to + (row->steps ? 1 : row->words / 2);
}

static void put_rows(u64 *to, const struct row *row, const u16 *slot, u32 n) {
    for (u32 i = 0; i < n; i++)
        to = put_row(to, &row[i], slot[i], 0);
}

static u32 rows_of(const struct sm *s, const struct warp *w, const u16 *slot, u32 n, struct row *row) {
    u32 words = 0;
    for (u32 i = 0; i < n; i++) {
        row[i] = row_of(s, w, slot[i]);
        words += row_words(&row[i]);
    }
    return words;
}

/* ---- levels of divergence ---- */

static void stack(struct sm *s, const struct core_warp *w, u32 pc, u64 cycle, u64 until) {
    const struct warp *warp = w->warp;
    u64 *to = record_add(s->record, EVENT_STACK, warp_during(s, w, pc, cycle, until),
                         (u64[]){warp->active, point(warp->reconv)}, 3 * warp->depth);
    for (u32 i = 0; to && i < warp->depth; i++) {
        const struct frame *f = &warp->frame[i];
        memcpy(to + 3 * i, (u64[]){f->mask, f->pc, point(f->reconv)}, 3 * sizeof(u64));
    }
}

/* ---- warps ---- */

static struct record_warp *of(const struct sm *s, const struct core_warp *w) {
    return &s->record->warp[w - s->warp];
}

void record_begin(struct sm *s, const struct core_warp *w, u64 cycle) {
    u64 value[EVENT_FIELDS] = {(u64)(w - s->warp), w->sub_core, w->warp->members};
    bool known = record_keeps(s->record, cycle, cycle);
    *of(s, w) = (struct record_warp){cycle, w->warp->active, w->warp->depth, known};
    record_add(s->record, EVENT_BEGIN, warp_at(s, w, w->warp->pc, cycle), value, 0);
}

/* Before anything else is recorded of a warp whose beginning is not, all that it is. */
static void state(struct sm *s, const struct core_warp *w) {
    struct record_warp *seen = of(s, w);
    const struct warp *warp = w->warp;
    u32 words = 0, slots = s->timing->slots - (s->run.transit ? 0 : TRANSIT_COUNT);
    for (u32 i = 0; i < slots; i++) {
        struct row row = row_of(s, warp, i);
        words += row_words(&row) + (when_time(w->slot[i]) > seen->since);
    }
    u64 value[EVENT_FIELDS] = {(u64)(w - s->warp), w->sub_core, warp->active, point(warp->reconv)};
    u64 *to = record_add(s->record, EVENT_STATE, warp_during(s, w, warp->pc, seen->since, TIME_NEVER), value, words);
    for (u32 i = 0; to && i < slots; i++) {
        struct row row = row_of(s, warp, i);
        u64 ready = when_time(w->slot[i]);
        to = put_row(to, &row, i, ready > seen->since ? ready : 0);
    }
    seen->known = true;
    if (warp->depth)
        stack(s, w, warp->pc, seen->since, TIME_NEVER);
}

void record_before(struct sm *s, const struct core_warp *w, u64 cycle) {
    const struct record_warp *seen = of(s, w);
    if (UNLIKELY(!seen->known) && record_keeps(s->record, seen->since, cycle + 1))
        state(s, w);
}

u64 record_wait(struct sm *s, const struct core_warp *w, u32 pc, u64 until, enum stall why) {
    struct record_warp *seen = of(s, w);
    if (until > seen->since) {
        if (UNLIKELY(!seen->known) && record_keeps(s->record, seen->since, until))
            state(s, w);
        record_add(s->record, EVENT_WAIT, warp_during(s, w, pc, seen->since, until), (u64[EVENT_FIELDS]){until, why},
                   0);
        seen->since = until;
    }
    return seen->since;
}

void record_issue(struct sm *s, const struct core_warp *w, u32 pc, u64 cycle) {
    const struct warp *warp = w->warp;
    const struct timing_inst *t = &s->timing->inst[pc];
    struct record_warp *seen = of(s, w);
    struct row row[WRITES_MAX];
    if (LIKELY(record_keeps(s->record, cycle, cycle))) {
        u64 ready = t->writes ? when_time(w->slot[t->write[0]]) : 0;
        u64 value[EVENT_FIELDS] = {seen->active, warp->exec, warp->effect->diverged, warp->pc, ready};
        u32 words = rows_of(s, warp, t->write, t->writes, row);
        u64 *to = record_add(s->record, EVENT_ISSUE, warp_at(s, w, pc, cycle), value, words);
        if (to)
            put_rows(to, row, t->write, t->writes);
    }
    if (warp->active && (warp->depth != seen->depth || warp->active != seen->active))
        stack(s, w, pc, cycle, cycle);
    seen->since = cycle + 1;
    seen->active = warp->active;
    seen->depth = warp->depth;
}

void record_arrive(struct sm *s, const struct load *l) {
    const struct core_warp *w = &s->warp[l->warp];
    struct row row[WRITES_MAX] = {0};
    u32 words = l->late ? rows_of(s, w->warp, l->write, l->writes, row) : l->writes;
    u64 *to = record_add(s->record, EVENT_ARRIVE, warp_at(s, w, l->pc, l->done), NULL, words);
    if (to)
        put_rows(to, row, l->write, l->writes);
}

void record_joined(struct sm *s, const struct core_warp *w, u64 cycle) {
    const u32 pc = w->warp->pc - 1;
    const struct timing_inst *t = &s->timing->inst[pc];
    struct load as = {.warp = (u32)(w - s->warp), .done = cycle, .writes = t->writes, .late = true, .pc = pc};
    memcpy(as.write, t->write, sizeof as.write);
    record_arrive(s, &as);
}

void record_end(struct sm *s, const struct core_warp *w, u64 cycle) {
    record_add(s->record, EVENT_END, warp_at(s, w, w->last_pc, cycle), NULL, 0);
}

void record_barrier(struct sm *s, const struct core_warp *w, u32 pc, u32 number, u64 cycle) {
    record_add(s->record, EVENT_BARRIER, warp_at(s, w, pc, cycle), (u64[EVENT_FIELDS]){number}, 0);
}

void record_release(struct sm *s, const struct core_warp *w, u32 pc, u32 number, u64 cycle) {
    record_add(s->record, EVENT_RELEASE, warp_at(s, w, pc, cycle), (u64[EVENT_FIELDS]){number}, 0);
}

void record_free(struct sm *s, u32 block, u64 cycle) {
    struct record_of of = {cycle, cycle, record_who(s->block[block].number, RECORD_NO_WARP), RECORD_NONE};
    record_add(s->record, EVENT_FREE, of, NULL, 0);
}
