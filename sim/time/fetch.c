/*
 * Instruction fetch, when the board has caches for it: L0 of a sub-core, with a stream buffer that fetches the lines
 * after a miss, and L1 of the SM. Both are direct-mapped by line of 128 bytes, and L2 is taken to hold the program.
 */
#include "sim/time/sm.h"

enum { LINE_INSTRUCTIONS = LINE_BYTES / INST_BYTES };

static struct fetch_line *lines(struct sm *s, u32 bytes) {
    u32 n = bytes / LINE_BYTES;
    struct fetch_line *list = arena_alloc(&s->arena, n * sizeof *list);
    for (u32 i = 0; list && i < n; i++)
        list[i].line = NONE;
    return list;
}

bool fetch_begin(struct sm *s) {
    const struct board_fetch *f = &s->board->fetch;
    switch (f->mode) {
    case icache_PERFECT: return true;
    case icache_CACHED: break;
    }
    s->l1i = lines(s, f->l1_bytes);
    bool ok = s->l1i != NULL;
    for (u32 c = 0; c < s->board->sm.sub_cores; c++) {
        s->sub_core[c].l0 = lines(s, f->l0_bytes);
        ok = ok && s->sub_core[c].l0;
    }
    return ok;
}

/* Time when L1 delivers a line that L0 requests at `now`. */
static u64 from_l1(struct sm *s, u32 line, u64 now) {
    const struct board_fetch *f = &s->board->fetch;
    struct fetch_line *at = &s->l1i[line % (f->l1_bytes / LINE_BYTES)];
    if (at->line != line)
        *at = (struct fetch_line){line, now + f->l2_latency};
    return max_u64(at->ready, now) + f->l1_latency;
}

u64 fetch_ready(struct sm *s, struct sub_core *c, u32 pc, u64 now) {
    const struct board_fetch *f = &s->board->fetch;
    u32 line = pc / LINE_INSTRUCTIONS, sets = f->l0_bytes / LINE_BYTES;
    struct fetch_line *at = &c->l0[line % sets];
    if (at->line == line)
        return at->ready;
    s->counters.sm.fetch_misses++;
    *at = (struct fetch_line){line, from_l1(s, line, now)};
    u64 ready = at->ready;
    for (u32 k = 1; k <= f->prefetch && k < sets; k++) {
        struct fetch_line *ahead = &c->l0[(line + k) % sets];
        if (ahead->line != line + k)
            *ahead = (struct fetch_line){line + k, from_l1(s, line + k, now) + k};
    }
    return ready;
}
