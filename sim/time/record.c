#include "sim/time/record_private.h"

#include <string.h>

#include "sim/arch/state.h"
#include "sim/base/bits.h"
#include "sim/time/dram_device.h"

const char *const event_names[EVENT_COUNT] = {
#define EVENT(id, name, doc) [EVENT_##id] = name,
#include "sim/time/events.def"
};

const char *const event_docs[EVENT_COUNT] = {
#define EVENT(id, name, doc) [EVENT_##id] = doc,
#include "sim/time/events.def"
};

static const struct field {
    u8 kind, form;
    const char *name, *doc;
} fields[] = {
#define FIELD(id, name, form, doc) {EVENT_##id, FORM_##form, name, doc},
#include "sim/time/events.def"
};

static const struct {
    enum event_tail tail;
    const char *doc;
} tails[EVENT_COUNT] = {
#define TAIL(id, tail, doc) [EVENT_##id] = {tail, doc},
#include "sim/time/events.def"
};

/* The first field of each kind: an enumerator for each row, which has the number of the fields before it. */
#define ROW(line) ROW_OF(line)
#define ROW_OF(line) FIELD_##line
enum {
#define EVENT(id, name, doc) FIRST_##id, BEFORE_##id = FIRST_##id - 1,
#define FIELD(id, name, form, doc) ROW(__LINE__),
#include "sim/time/events.def"
    FIELDS
};
static const u8 first_field[] = {
#define EVENT(id, name, doc) FIRST_##id,
#include "sim/time/events.def"
    FIELDS};

const char *event_field(enum event_kind kind, u32 index, enum event_form *form, const char **doc) {
    const struct field *f = &fields[first_field[kind] + index];
    if (index >= (u32)(first_field[kind + 1] - first_field[kind]))
        return NULL;
    *form = (enum event_form)f->form;
    *doc = f->doc;
    return f->name;
}

enum event_tail event_tail(enum event_kind kind, const char **doc) {
    *doc = tails[kind].doc;
    return tails[kind].tail;
}

const char *event_word(enum event_form form, u64 value) {
    static const char *const operations[] = {"none", "load", "store", "atomic", "sync"},
                             *const found[] = {[DRAM_HIT] = "hit", [DRAM_MISS] = "miss", [DRAM_CONFLICT] = "conflict"};
    switch (form) {
    case FORM_SPACE: return isa_mod_text(GROUP_SPACE, (u32)value);
    case FORM_OPERATION: return value < COUNT_OF(operations) ? operations[value] : NULL;
    case FORM_FOUND: return value < COUNT_OF(found) ? found[value] : NULL;
    case FORM_STALL:
    case FORM_NUMBER:
    case FORM_OPTIONAL:
    case FORM_MASK: break;
    }
    return NULL;
}

/* ---- writing and reading ---- */

/* Kinds of events that begin before the instruction that they are recorded at. */
enum { LATE_KINDS = 1 << EVENT_WAIT | 1 << EVENT_STATE | 1 << EVENT_STACK };

enum { LATE_WAITS = 3, LATE_LEVELS = 8 }; /* of a warp until its issue; that wait, of most warps */

u64 record_late_bytes(u32 regs, u32 width, bool middle) {
    const u64 event = sizeof(struct record_event) + 4 * sizeof(u64) + sizeof(struct record_key);
    const u64 rows = (u64)(regs + PRED_COUNT + TRANSIT_COUNT) * (sizeof(struct record_row) + sizeof(u64));
    const u64 words = (u64)regs * width + 2 * PRED_COUNT + TRANSIT_COUNT * TRANSIT_SLOTS * width;
    u64 state = 2 * event + rows + words * sizeof(u32) + 3 * LATE_LEVELS * sizeof(u64);
    return LATE_WAITS * event + (middle ? state : 0);
}

struct record record_of_span(const struct record_span *span, u32 source, struct budget *budget) {
    size_t late = min_u64(span->late, span->bytes / 2);
    struct record r = {.from = span->from,
                       .to = span->to,
                       .room = span->bytes - late,
                       .late = late,
                       .cut = TIME_NEVER,
                       .events = {.budget = budget},
                       .keys = {.budget = budget},
                       .source = source};
    for (u32 i = 0; i < COUNT_OF(fields); i++) {
        struct record_shape *shape = &r.shape[fields[i].kind];
        shape->optional |= (u8)((fields[i].form == FORM_OPTIONAL) << shape->fields++);
    }
    return r;
}

/* Writes numbers in 32 bits each; true if all fit, all ones being an optional one that is missing. */
static inline bool put_narrow(const struct record_shape *shape, const u64 *value, u32 *to) {
    u64 high = 0;
    u32 optional = shape->optional;
    for (u32 i = 0, n = shape->fields; i < n; i++, optional >>= 1) {
        high |= value[i] + (optional & 1);
        to[i] = (u32)value[i];
    }
    return high >> 32 == 0;
}

u64 *record_add(struct record *r, enum event_kind kind, struct record_of of, const u64 *value, u32 tail) {
    const struct record_shape *shape = &r->shape[kind];
    if (!record_keeps(r, of.cycle, of.until))
        return NULL;
    u32 n = shape->fields, numbers = (n + 1) / 2, head = (u32)(sizeof(struct record_event) / sizeof(u64));
    u64 at = r->events.len, most = (head + n + tail) * sizeof(u64);
    u64 all = at + r->keys.len + most + sizeof(struct record_key);
    if (UNLIKELY(all > r->room) && !(LATE_KINDS >> kind & 1 && all <= r->room + r->late)) {
        r->cut = of.cycle;
        return NULL;
    }
    struct record_event *e = buf_take(&r->events, most);
    struct record_key *key = buf_take(&r->keys, sizeof *key);
    if (!e || !key)
        return NULL;
    bool wide = !put_narrow(shape, value, (u32 *)(void *)e->value);
    if (UNLIKELY(wide)) {
        memcpy(e->value, value, n * sizeof *value);
        numbers = n;
    }
    *key = (struct record_key){record_order(of.cycle, r->source, kind), at};
    *e = (struct record_event){of.who, of.pc, (u16)(head + numbers + tail), (u8)numbers, wide};
    r->events.len -= (n - numbers) * sizeof(u64);
    return e->value + numbers;
}

void record_read(enum event_kind kind, const struct record_event *e, u64 value[EVENT_FIELDS]) {
    const u32 *half = (const u32 *)(const void *)e->value;
    const struct field *f = &fields[first_field[kind]];
    for (u32 i = 0; f + i < &fields[first_field[kind + 1]]; i++)
        if (e->wide)
            value[i] = e->value[i];
        else
            value[i] = f[i].form == FORM_OPTIONAL && half[i] == UINT32_MAX ? UINT64_MAX : half[i];
}
