#include "sim/api/recording.h"

#include <stdio.h>
#include <string.h>

_Static_assert((int)HEDDLE_TAIL_ADDRESSES == (int)TAIL_ADDRESSES && (int)HEDDLE_TAIL_LEVELS == (int)TAIL_LEVELS &&
                   (int)HEDDLE_TAIL_ROWS == (int)TAIL_ROWS,
               "the public numbers are the recorder's");

/* ---- order ---- */

enum { DIGIT = 11, DIGITS = 1 << DIGIT };

/* One pass of a radix sort, which keeps the order of equal digits. */
static void sort_digit(const struct record_key *from, struct record_key *to, u64 n, u32 shift) {
    u64 start[DIGITS] = {0}, sum = 0;
    for (u64 i = 0; i < n; i++)
        start[from[i].order >> shift & (DIGITS - 1)]++;
    for (u32 d = 0; d < DIGITS; d++) {
        u64 count = start[d];
        start[d] = sum;
        sum += count;
    }
    for (u64 i = 0; i < n; i++)
        to[start[from[i].order >> shift & (DIGITS - 1)]++] = from[i];
}

/* Sorts by the bits below `bits`; the result is in `key` or in `spare`. */
static struct record_key *sort_keys(struct record_key *key, struct record_key *spare, u64 n, u32 bits) {
    for (u32 shift = 0; shift < bits; shift += DIGIT) {
        sort_digit(key, spare, n, shift);
        struct record_key *sorted = spare;
        spare = key;
        key = sorted;
    }
    return key;
}

static u64 keys_of(const struct record *r) {
    return r->keys.len / sizeof(struct record_key);
}

/* Keys of all SMs up to the first cut, one SM after the other; their number. */
static u64 gather(const struct gpu_result *g, u64 cut, struct record_key *to) {
    u64 n = 0;
    for (u32 i = 0; i < g->cores; i++) {
        const struct record_key *key = (const struct record_key *)(const void *)g->record[i].keys.data;
        for (u64 k = 0; k < keys_of(&g->record[i]); k++)
            if (key[k].order >> 20 < cut)
                to[n++] = key[k];
    }
    return n;
}

/*
 * Sorting is half of what a recording costs, so it is a radix sort of keys: events are not looked at. Measured on
 * 1.9 million events: qsort of pointers took seven times as long as the launch itself.
 */
bool recording_fill(struct heddle *h, const struct launch *l, const struct gpu_result *g, struct heddle_result *r) {
    u64 cut = TIME_NEVER, last = 1, n = 0;
    for (u32 i = 0; i < g->cores; i++) {
        cut = g->record[i].cut < cut ? g->record[i].cut : cut;
        n += keys_of(&g->record[i]);
    }
    struct record_key *key = arena_alloc(&h->result, 2 * n * sizeof *key);
    if (!key)
        return false;
    u64 kept = gather(g, cut, key);
    for (u64 i = 0; i < kept; i++)
        last |= key[i].order;
    u32 bits = 0;
    while (bits < 64 && last >> bits)
        bits++;
    h->event = sort_keys(key, key + n, kept, bits);
    h->record = g->record;
    h->nevents = r->nevents = kept;
    h->event_regs = l->kernel->regs;
    r->complete = cut;
    return true;
}

static const struct record_event *event_at(const struct heddle *h, u64 index) {
    const struct record_key *key = &h->event[index];
    const char *events = h->record[key->order >> 4 & 0xffff].events.data;
    return (const struct record_event *)(const void *)(events + key->at);
}

/* ---- what the public sees ---- */

bool heddle_event(const struct heddle *h, uint64_t index, struct heddle_event *event) {
    if (index >= h->nevents)
        return false;
    const struct record_event *e = event_at(h, index);
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
        if (h->event[middle].order >> 20 < cycle)
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
