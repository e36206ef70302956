#include "sim/api/recording.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

_Static_assert((int)HEDDLE_TAIL_ADDRESSES == (int)TAIL_ADDRESSES && (int)HEDDLE_TAIL_LEVELS == (int)TAIL_LEVELS &&
                   (int)HEDDLE_TAIL_ROWS == (int)TAIL_ROWS,
               "the public numbers are the recorder's");

/* ---- order ---- */

static const struct record_event *first_of(const struct record *r) {
    return r->events.len ? (const struct record_event *)(const void *)r->events.data : NULL;
}

/* NULL: the last. */
static const struct record_event *after(const struct record *r, const struct record_event *e) {
    const char *next = (const char *)((const u64 *)(const void *)e + e->words);
    return next < r->events.data + r->events.len ? (const struct record_event *)(const void *)next : NULL;
}

/* By cycle, SM and kind; else they stay in the order in which they were written. */
static int compare(const void *a, const void *b) {
    const struct record_event *x = *(const struct record_event *const *)a, *y = *(const struct record_event *const *)b;
    if (x->cycle != y->cycle)
        return x->cycle < y->cycle ? -1 : 1;
    if (x->sm != y->sm)
        return x->sm < y->sm ? -1 : 1;
    if (x->kind != y->kind)
        return x->kind < y->kind ? -1 : 1;
    return x < y ? -1 : x > y;
}

bool recording_fill(struct heddle *h, const struct launch *l, const struct gpu_result *g, struct heddle_result *r) {
    u64 cut = TIME_NEVER, n = 0;
    for (u32 i = 0; i < g->cores; i++)
        cut = g->record[i].cut < cut ? g->record[i].cut : cut;
    for (u32 i = 0; i < g->cores; i++)
        for (const struct record_event *e = first_of(&g->record[i]); e; e = after(&g->record[i], e))
            n += e->cycle < cut;
    const struct record_event **list = arena_alloc(&h->result, n * sizeof(void *));
    if (!list)
        return false;
    n = 0;
    for (u32 i = 0; i < g->cores; i++)
        for (const struct record_event *e = first_of(&g->record[i]); e; e = after(&g->record[i], e))
            if (e->cycle < cut)
                list[n++] = e;
    qsort(list, n, sizeof(void *), compare);
    h->event = list;
    h->nevents = r->nevents = n;
    h->event_regs = l->kernel->regs;
    r->complete = cut;
    return true;
}

/* ---- what the public sees ---- */

bool heddle_event(const struct heddle *h, uint64_t index, struct heddle_event *event) {
    if (index >= h->nevents)
        return false;
    const struct record_event *e = h->event[index];
    u32 head = (u32)(sizeof *e / sizeof(u64));
    *event = (struct heddle_event){.kind = e->kind,
                                   .sm = e->sm,
                                   .cycle = e->cycle,
                                   .block = e->block,
                                   .warp = e->warp,
                                   .pc = e->pc,
                                   .nvalues = e->fields,
                                   .ntail = e->words - head - e->fields,
                                   .value = e->value,
                                   .tail = e->value + e->fields};
    return true;
}

uint64_t heddle_event_at(const struct heddle *h, uint64_t cycle) {
    u64 low = 0, high = h->nevents;
    while (low < high) {
        u64 middle = low + (high - low) / 2;
        if (h->event[middle]->cycle < cycle)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void name_slot(char name[8], u32 slot, u32 regs) {
    const char *letter = "r";
    if (slot >= regs + PRED_COUNT) {
        letter = "x";
        slot -= regs + PRED_COUNT;
    } else if (slot >= regs) {
        letter = "p";
        slot -= regs;
    }
    snprintf(name, 8, "%s%u", letter, slot & 0xffff);
}

bool heddle_event_row(const struct heddle *h, const struct heddle_event *event, uint32_t index,
                      struct heddle_event_row *row) {
    const char *doc;
    if (event->kind >= EVENT_COUNT || event_tail((enum event_kind)event->kind, &doc) != TAIL_ROWS)
        return false;
    for (u32 at = 0; at < event->ntail;) {
        struct record_row head;
        memcpy(&head, &event->tail[at], sizeof head);
        if (index-- == 0) {
            name_slot(row->name, head.slot, h->event_regs);
            row->nvalues = head.words;
            row->values = (const u32 *)(const void *)&event->tail[at + 1];
            return true;
        }
        at += 1 + head.words / 2;
    }
    return false;
}

const char *heddle_event_kind(uint32_t index, const char **doc, enum heddle_tail *tail, const char **tail_doc) {
    const char *of_tail;
    if (index >= EVENT_COUNT)
        return NULL;
    enum event_tail holds = event_tail((enum event_kind)index, &of_tail);
    if (doc)
        *doc = event_docs[index];
    if (tail)
        *tail = (enum heddle_tail)holds;
    if (tail_doc)
        *tail_doc = of_tail;
    return event_names[index];
}

const char *heddle_event_field(uint32_t kind, uint32_t index, const char **doc) {
    const char *text = NULL, *name = kind < EVENT_COUNT ? event_field((enum event_kind)kind, index, &text) : NULL;
    if (doc)
        *doc = text;
    return name;
}
