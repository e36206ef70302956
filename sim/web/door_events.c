/* Answers about a recording: its events, and the state of a warp at one of them. */
#include "sim/web/door.h"
#include "sim/web/write.h"

static void put_value(struct buf *out, u32 kind, u32 i, u64 value) {
    enum heddle_event_form form;
    const char *name = heddle_event_field(kind, i, &form, NULL);
    if (form == HEDDLE_EVENT_MASK)
        write_mask(out, name, value);
    else if (form == HEDDLE_EVENT_WORD)
        write_text(out, name, heddle_event_word(kind, i, value));
    else
        write_whole(out, name, value);
}

static void put_level(struct buf *out, const struct heddle_level *level) {
    write_open(out, NULL, '{');
    write_mask(out, "lanes", level->lanes);
    write_whole(out, "next", level->next);
    write_whole(out, "reconverge", level->reconverge);
    write_close(out, '}');
}

/* Writes the tail. Rows are only named: heddle_state has their values. */
static void put_tail(struct door *d, const struct heddle_event *e) {
    struct buf *out = &d->out;
    enum heddle_tail tail;
    struct heddle_event_row row;
    struct heddle_level level;
    uint64_t address;
    heddle_event_kind(e->kind, NULL, &tail, NULL);
    if (tail == HEDDLE_TAIL_NONE)
        return;
    write_open(out, "tail", '[');
    for (u32 i = 0; tail == HEDDLE_TAIL_ROWS && heddle_event_row(d->h, e, i, &row); i++)
        write_text(out, NULL, row.name);
    for (u32 i = 0; tail == HEDDLE_TAIL_LEVELS && heddle_event_level(e, i, &level); i++)
        put_level(out, &level);
    for (u32 i = 0; tail == HEDDLE_TAIL_ADDRESSES && heddle_event_address(e, i, &address); i++)
        write_whole(out, NULL, address);
    write_close(out, ']');
}

void door_put_events(struct door *d, u64 from, u64 count) {
    struct buf *out = &d->out;
    struct heddle_event e;
    write_open(out, "events", '[');
    for (u64 i = from; i - from < count && heddle_event(d->h, i, &e); i++) {
        write_open(out, NULL, '{');
        write_whole(out, "kind", e.kind);
        write_whole(out, "cycle", e.cycle);
        if (e.sm != UINT32_MAX)
            write_whole(out, "sm", e.sm);
        if (e.block != UINT64_MAX)
            write_whole(out, "block", e.block);
        if (e.warp != UINT32_MAX)
            write_whole(out, "warp", e.warp);
        if (e.pc != UINT32_MAX)
            write_whole(out, "pc", e.pc);
        for (u32 v = 0; v < e.nvalues; v++)
            put_value(out, e.kind, v, e.value[v]);
        put_tail(d, &e);
        write_close(out, '}');
    }
    write_close(out, ']');
}

static u32 word_of(u64 v) {
    return v < UINT32_MAX ? (u32)v : UINT32_MAX;
}

/* Writes each event as kind, cycle, sm, block, warp, pc and HEDDLE_EVENT_VALUES numbers; ~0 = none, or too large. */
void door_put_columns(struct door *d, u64 from, u64 count) {
    struct heddle_event e;
    for (u64 i = from; i - from < count && heddle_event(d->h, i, &e); i++) {
        u32 row[DOOR_ROW] = {e.kind, word_of(e.cycle), e.sm, word_of(e.block), e.warp, e.pc};
        for (u32 v = 0; v < HEDDLE_EVENT_VALUES; v++)
            row[6 + v] = v < e.nvalues ? word_of(e.value[v]) : UINT32_MAX;
        buf_append(&d->out, row, sizeof row);
    }
}

static void put_rows(struct buf *out, const char *key, const u32 *values, u32 rows, u32 columns) {
    write_open(out, key, '[');
    for (u32 i = 0; i < rows; i++) {
        write_open(out, NULL, '[');
        for (u32 c = 0; c < columns; c++)
            write_whole(out, NULL, values[i * columns + c]);
        write_close(out, ']');
    }
    write_close(out, ']');
}

bool door_put_state(struct door *d, u64 block, u32 warp, u64 before) {
    struct buf *out = &d->out;
    struct heddle_state s;
    if (!heddle_state(d->h, block, warp, before, &s))
        return false;
    write_whole(out, "cycle", s.cycle);
    write_whole(out, "sm", s.sm);
    write_whole(out, "sub_core", s.sub_core);
    write_whole(out, "pc", s.pc);
    write_truth(out, "ended", s.ended);
    write_mask(out, "lanes", s.lanes);
    write_mask(out, "active", s.active);
    write_whole(out, "reconverge", s.reconverge);
    write_text(out, "reason", s.reason);
    write_whole(out, "from", s.from);
    write_whole(out, "until", s.until);
    write_whole(out, "width", s.width);
    write_open(out, "levels", '[');
    for (u32 i = 0; i < s.nlevels; i++)
        put_level(out, &s.levels[i]);
    write_close(out, ']');
    put_rows(out, "registers", s.regs, s.nregs, s.width);
    put_rows(out, "transit", s.transit, s.ntransit * s.slots, s.width);
    write_open(out, "predicates", '[');
    for (u32 i = 0; i < s.npreds; i++)
        write_mask(out, NULL, s.preds[i]);
    write_close(out, ']');
    write_open(out, "ready", '[');
    for (u32 i = 0; i < s.nregs + s.npreds + s.ntransit; i++)
        write_whole(out, NULL, s.ready[i]);
    write_close(out, ']');
    return true;
}
