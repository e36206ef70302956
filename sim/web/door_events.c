/* Answers about a recording: its events, and the state of a warp at one of them. */
#include "sim/web/door.h"
#include "sim/api/write.h"

void door_put_events(struct door *d, u64 from, u64 count) {
    const struct heddle_sink to = write_sink(&d->out, HEDDLE_PAGE, NULL);
    struct heddle_event e;
    write_open(&d->out, "events", '[');
    for (u64 i = from; i - from < count && heddle_event(d->h, i, &e); i++) {
        write_open(&d->out, NULL, '{');
        heddle_walk_event(&to, d->h, &e);
        write_close(&d->out, '}');
    }
    write_close(&d->out, ']');
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

bool door_put_state(struct door *d, u64 block, u32 warp, u64 before) {
    const struct heddle_sink to = write_sink(&d->out, HEDDLE_PAGE, NULL);
    struct heddle_state s;
    if (!heddle_state(d->h, block, warp, before, &s))
        return false;
    heddle_walk(&to, heddle_record("heddle_state"), &s);
    heddle_walk_registers(&to, &s, s.reason && s.from < s.cycle ? s.from : s.cycle); /* also those that it waited for */
    return true;
}
