/* The reads and strong accesses that a cell keeps: lists of readers (cells.h). */
#include "sim/check/race.h"

/* True if a list and the site are plain reads, and nothing orders it before the site but the program of its warp. */
static bool are_reads(struct touch *a, u32 others) {
    const struct site *t = a->t;
    const struct reader *first = reader_at(t->c, others & ~LIST);
    return t->t->how == HOW_READ && first->warps != ANYBODY && !t->cw->order && !t->block->known &&
           touch_answer(a, first->oldest)->newer;
}

/* Selects which of a cell's others are kept; counts as a use of them. */
static u32 kept_of(struct touch *a, u32 others, u32 value) {
    struct check *c = a->t->c;
    struct {
        u64 lanes;
        u32 record;
    } was[READERS_MAX];
    u32 n = 0, kept = 0, list = 0;
    if (!(others & LIST))
        return touch_compare(a, others >> 6, (u64)1 << (others & 63), value) ? others : 0;
    bool apart = are_reads(a, others);
    for (u32 at = others & ~LIST; at; at = reader_at(c, at)->next, n++) {
        was[n].lanes = reader_at(c, at)->lanes;
        was[n].record = reader_at(c, at)->record;
        bool other = apart && reader_at(c, at)->warp != a->bit;
        kept |= (u32)(other || touch_compare(a, was[n].record, was[n].lanes, value)) << n;
    }
    if (kept == (1u << n) - 1) {
        others_use(c, others, 1);
        return others;
    }
    bool short_of = reader_at(c, others & ~LIST)->short_of;
    while (n--)
        if (kept >> n & 1)
            list = others_push(c, was[n].record, was[n].lanes, list);
    if (short_of && list & LIST)
        reader_at(c, list & ~LIST)->short_of = true;
    else
        c->forgotten += short_of;
    return list;
}

/* Puts this access in front of those kept, whose use passes to it. Of READERS_MAX the first is dropped, and noted. */
static u32 push_access(struct touch *a, u32 kept) {
    struct check *c = a->t->c;
    if (!(kept & LIST) && kept >> 6 == a->record)
        return others_push(c, a->record, a->lanes | (u64)1 << (kept & 63), 0);
    if (!(kept & LIST))
        return others_push(c, a->record, a->lanes, kept);
    const struct reader *first = reader_at(c, kept & ~LIST);
    if (first->record != a->record && first->count < READERS_MAX)
        return others_push(c, a->record, a->lanes, kept);
    bool more = first->record == a->record, short_of = first->short_of || !more;
    u64 lanes = a->lanes | (more ? first->lanes : 0);
    u32 rest = first->next ? first->next | LIST : 0;
    others_use(c, rest, 1);
    others_drop(c, kept, 1);
    u32 list = others_push(c, a->record, lanes, rest);
    if (list & LIST)
        reader_at(c, list & ~LIST)->short_of = short_of;
    return list;
}

bool touch_are_before(const struct touch *a, u32 others) {
    return (others & LIST ? reader_at(a->t->c, others & ~LIST)->record : others >> 6) < a->behind;
}

void touch_settle(struct touch *a) {
    if (!a->uses)
        return;
    if (a->to & LIST)
        reader_at(a->t->c, a->to & ~LIST)->uses += a->uses - 1;
    if (a->from & LIST)
        others_drop(a->t->c, a->from, a->uses);
    a->uses = 0;
}

/* True if a race of this access with a reader that was dropped would not be seen. */
static bool may_miss(const struct touch *a, u32 others) {
    const struct reader *first = others & LIST ? reader_at(a->t->c, others & ~LIST) : NULL;
    return first && first->short_of && (a->t->t->how != HOW_READ || first->warps == ANYBODY);
}

void touch_find_after(struct touch *a, u32 others, u32 value) {
    struct check *c = a->t->c;
    u8 how = a->t->t->how;
    u32 kept = 0;
    touch_settle(a);
    a->reported = a->own = false;
    if (!others || touch_are_before(a, others))
        kept = 0;
    else if (others & LIST && !(reader_at(c, others & ~LIST)->warps & a->bit) && are_reads(a, others))
        others_use(c, kept = others, 1);
    else {
        c->forgotten += may_miss(a, others);
        kept = kept_of(a, others, value);
    }
    a->to = how == HOW_WRITE ? 0 : push_access(a, kept);
    if (how == HOW_WRITE)
        others_drop(c, kept, 1);
    a->from = others;
    a->again = !a->reported;
    a->to_lanes = how == HOW_WRITE && !a->own ? 0 : a->lanes;
    a->read_lanes = how == HOW_READ && a->bytes == 4 && a->again ? a->lanes : 0;
}
