#include "sim/api/recording.h"

#include <stdio.h>
#include <string.h>

#include "sim/api/bind.h"
#include "sim/arch/state.h"
#include "sim/base/bits.h"

_Static_assert((int)HEDDLE_TAIL_ADDRESSES == (int)TAIL_ADDRESSES && (int)HEDDLE_TAIL_LEVELS == (int)TAIL_LEVELS &&
                   (int)HEDDLE_TAIL_ROWS == (int)TAIL_ROWS,
               "the public numbers are the recorder's");

/* ---- order ---- */

enum { DIGIT = 11, DIGITS = 1 << DIGIT };

/* Sorts by one digit, a pass of a radix sort, which keeps the order of equal digits. */
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

struct record_key *recording_sort(struct record_key *key, struct record_key *spare, u64 n, u32 bits) {
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

/* Collects the keys of all sources up to the first cut, one source after the other; returns their number. */
static u64 gather(const struct gpu_result *g, u64 cut, struct record_key *to) {
    u64 n = 0;
    for (u32 i = 0; i < g->records; i++) {
        const struct record_key *key = (const struct record_key *)(const void *)g->record[i].keys.data;
        for (u64 k = 0; k < keys_of(&g->record[i]); k++)
            if (record_cycle(key[k].order) < cut)
                to[n++] = key[k];
    }
    return n;
}

void recording_free(struct heddle *h) {
    recording_forget(h);
    arena_free(&h->keys);
    h->keys_room = 0;
}

void recording_forget(struct heddle *h) {
    h->recorded = (struct recorded){0};
    h->state = NULL;
    h->kept = NULL;
    h->nkept = 0;
}

static const struct kept *kept_of(const struct heddle *h, const struct buffer *b) {
    for (u32 i = 0; b && i < h->nkept; i++)
        if (h->kept[i].address == b->address && h->kept[i].bytes == b->bytes)
            return &h->kept[i];
    return NULL;
}

/* The buffer that argument i points to, or from there on the variable of the module. */
static const struct buffer *nth_buffer(const struct heddle *h, const struct program *p,
                                       const struct heddle_launch *launch, u32 i) {
    return i < launch->nargs ? bind_pointer(h, &launch->args[i]).buffer
                             : context_buffer(h, p->module[i - launch->nargs].is.name);
}

void recording_keep(struct heddle *h, const struct program *p, const struct heddle_launch *launch) {
    const u32 n = launch->nargs + p->nmodule;
    u64 room = launch->watch->bytes ? launch->watch->bytes : HEDDLE_WATCH_BYTES;
    h->kept = arena_alloc(&h->result, n * sizeof *h->kept);
    for (u32 i = 0; h->kept && i < n; i++) {
        const struct buffer *b = nth_buffer(h, p, launch, i);
        u8 *data = b && !kept_of(h, b) && b->bytes <= room ? arena_raw(&h->result, b->bytes) : NULL;
        if (!data)
            continue;
        memcpy(data, b->data, b->bytes);
        room -= b->bytes;
        h->kept[h->nkept++] = (struct kept){data, b->address, b->bytes};
    }
}

const uint8_t *heddle_buffer_before(const struct heddle *h, const char *name) {
    const struct kept *kept = kept_of(h, context_buffer(h, name));
    return kept ? kept->data : NULL;
}

/* Makes room for `n` keys, in the last launch's memory if it is enough; NULL when out of memory. */
static struct record_key *keys_for(struct heddle *h, u64 n) {
    size_t need = (n + 1) * sizeof *h->key;
    if (h->keys_room >= need)
        return h->key;
    arena_free(&h->keys);
    h->keys.budget = &h->budget;
    h->key = arena_raw(&h->keys, need);
    h->keys_room = h->key ? need : 0;
    return h->key;
}

/*
 * Fills the recording. Sorting is half of its cost, so keys are radix-sorted without looking at events: on 1.9 million
 * events, qsort of pointers took seven times as long as the launch itself.
 */
bool recording_fill(struct heddle *h, const struct launch *l, const struct gpu_result *g, struct heddle_result *r) {
    u64 cut = TIME_NEVER, last = 1, n = 0;
    for (u32 i = 0; i < g->records; i++) {
        cut = g->record[i].cut < cut ? g->record[i].cut : cut;
        n += keys_of(&g->record[i]);
    }
    struct record_key *key = keys_for(h, 2 * n);
    if (!key)
        return false;
    u64 kept = gather(g, cut, key);
    for (u64 i = 0; i < kept; i++)
        last |= key[i].order;
    u32 bits = 0;
    while (bits < 64 && last >> bits)
        bits++;
    h->recorded = (struct recorded){.key = recording_sort(key, key + n, kept, bits),
                                    .record = g->record,
                                    .events = kept,
                                    .sms = g->cores,
                                    .regs = l->kernel->regs,
                                    .transit = g->transit ? TRANSIT_COUNT : 0,
                                    .width = l->width};
    h->recordings++;
    r->events = kept;
    r->complete = cut;
    return true;
}

const struct record_event *recording_at(const struct recorded *r, u64 index) {
    const struct record_key *key = &r->key[index];
    const char *events = r->record[record_source(key->order)].events.data;
    return (const struct record_event *)(const void *)(events + key->at);
}

/* ---- public functions ---- */

bool heddle_event(const struct heddle *h, uint64_t index, struct heddle_event *event) {
    const struct recorded *r = &h->recorded;
    if (index >= r->events)
        return false;
    const struct record_event *e = recording_at(r, index);
    u64 order = r->key[index].order;
    u32 source = record_source(order), head = (u32)(sizeof *e / sizeof(u64)) + e->fields;
    enum event_kind kind = record_kind(order);
    *event = (struct heddle_event){.kind = kind,
                                   .sm = source,
                                   .cycle = record_cycle(order),
                                   .block = e->who >> 16,
                                   .warp = e->who & 0xffff,
                                   .pc = e->pc,
                                   .nvalues = r->record->shape[kind].fields,
                                   .ntail = e->words - head,
                                   .tail = (const u64 *)(const void *)e + head};
    if (event->warp == RECORD_NO_WARP)
        event->warp = UINT32_MAX;
    if (source >= r->sms) {
        event->sm = (u32)e->who;
        event->block = UINT64_MAX;
        event->warp = UINT32_MAX;
    }
    record_read(kind, e, event->value);
    return true;
}

uint64_t heddle_recording(const struct heddle *h) {
    return h->recorded.key ? h->recordings : 0;
}

uint64_t heddle_event_at(const struct heddle *h, uint64_t cycle) {
    u64 low = 0, high = h->recorded.events;
    while (low < high) {
        u64 middle = low + (high - low) / 2;
        if (record_cycle(h->recorded.key[middle].order) < cycle)
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

u32 recording_row(const u64 *from, struct record_row *row, u64 *ready, u32 *to) {
    const u64 *at = from;
    memcpy(row, at++, sizeof *row);
    *ready = row->late ? *at++ : 0;
    memcpy(to, at, (row->steps ? 2 : row->words) * sizeof *to);
    for (u32 i = 2; row->steps && i < row->words; i++)
        to[i] = to[i - 1] + (to[1] - to[0]);
    return (u32)(at - from) + (row->steps ? 1 : row->words / 2);
}

static bool tail_is(const struct heddle_event *e, enum event_tail tail) {
    const char *doc;
    return e->kind < EVENT_COUNT && event_tail((enum event_kind)e->kind, &doc) == tail;
}

bool heddle_event_row(const struct heddle *h, const struct heddle_event *event, uint32_t index,
                      struct heddle_event_row *row) {
    for (u32 at = 0; tail_is(event, TAIL_ROWS) && at < event->ntail;) {
        struct record_row head;
        at += recording_row(&event->tail[at], &head, &row->ready, row->values);
        if (index-- > 0)
            continue;
        name_slot(row->name, head.slot, h->recorded.regs);
        row->nvalues = head.words;
        return true;
    }
    return false;
}

bool heddle_event_level(const struct heddle_event *event, uint32_t index, struct heddle_level *level) {
    if (!tail_is(event, TAIL_LEVELS) || index >= event->ntail / 3)
        return false;
    const u64 *v = event->tail + (size_t)index * 3;
    *level = (struct heddle_level){v[0], v[1], v[2]};
    return true;
}

bool heddle_event_address(const struct heddle_event *event, uint32_t index, uint64_t *address) {
    if (!tail_is(event, TAIL_ADDRESSES) || index >= (u32)ones_of(event->value[4]))
        return false;
    const u64 *v = event->tail;
    switch ((enum record_list)v[0]) {
    case LIST_STEPS: *address = v[1] + index * v[2]; break;
    case LIST_NEAR: *address = v[1] + ((const u32 *)(const void *)(v + 2))[index]; break;
    case LIST_PLAIN: *address = v[1 + index]; break;
    }
    return true;
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

const char *heddle_event_field(uint32_t kind, uint32_t index, enum heddle_event_form *form, const char **doc) {
    const char *text = NULL, *name = NULL;
    enum event_form meant = FORM_NUMBER;
    if (kind < EVENT_COUNT)
        name = event_field((enum event_kind)kind, index, &meant, &text);
    if (form)
        *form = meant > FORM_MASK ? HEDDLE_EVENT_WORD : (enum heddle_event_form)meant;
    if (doc)
        *doc = text;
    return name;
}

const char *heddle_event_word(uint32_t kind, uint32_t index, uint64_t value) {
    const char *doc;
    enum event_form form;
    if (kind >= EVENT_COUNT || !event_field((enum event_kind)kind, index, &form, &doc))
        return NULL;
    return form == FORM_STALL ? heddle_stall_name(value > UINT32_MAX ? UINT32_MAX : (u32)value, NULL)
                              : event_word(form, value);
}
