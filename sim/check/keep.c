/* The reads and strong accesses that a cell keeps: lists of readers (cells.h). */
#include "sim/check/race.h"

#include "sim/base/bits.h"

/* True if a list and the site are plain reads, and nothing orders it before the site but the program of its warp. */
static bool are_reads(struct touch *a, u32 others) {
    const struct site *t = a->t;
    const struct reader *first = reader_at(t->c, others & ~LIST);
    return t->t->how == HOW_READ && first->warps != ANYBODY && !t->cw->order && !t->block->known &&
           touch_answer(a, first->oldest)->newer;
}

/* Lanes of a warp that accessed the cell after the readers which are looked at: strong ones, and those that wrote. */
struct later {
    u32 record; /* one of the warp; 0: of none */
    u64 lanes, writing;
};

enum { LATER = 1024 };

/* True if later strong accesses by the same lanes stand for this one; else it is the next that may. */
static bool is_covered(const struct check *c, struct later list[LATER], const struct reader *r) {
    const struct check_record *of = record_at(c, r->record);
    if (of->how == HOW_READ)
        return false;
    struct later *l = &list[(of->block * 37 + of->warp) % LATER];
    const struct check_record *other = record_at(c, l->record);
    if (!l->record || other->block != of->block || other->warp != of->warp)
        *l = (struct later){.record = r->record};
    bool covered = !(r->lanes & ~(writes(of->how) ? l->writing : l->lanes));
    l->lanes |= r->lanes;
    l->writing |= writes(of->how) ? r->lanes : 0;
    return covered;
}

/*
 * Selects which of a cell's others are kept; counts as a use of them. With `later`, all zeros, the site races with none
 * of them, and those go too that later ones stand for. A list of which enough race is not seen to its end.
 */
static u32 kept_of(struct touch *a, u32 others, u32 value, struct later *later) {
    struct check *c = a->t->c;
    u32 kept[STRONG_MAX], n = 0, again = 0, racing = 0, tail = others & ~LIST;
    if (!(others & LIST))
        return touch_compare(a, others >> 6, (u64)1 << (others & 63), value) ? others : 0;
    bool apart = are_reads(a, others);
    for (u32 at = tail; at && racing < READERS_MAX; at = reader_at(c, at)->next) {
        const struct reader *r = reader_at(c, at);
        u32 reported = a->reported;
        if ((apart && r->warp != a->bit) ||
            (!(later && is_covered(c, later, r)) && touch_compare(a, r->record, r->lanes, value))) {
            kept[n++] = at;
        } else {
            again = n;
            tail = r->next;
        }
        racing += a->reported != reported;
    }
    u32 list = tail ? tail | LIST : 0;
    others_use(c, list, 1);
    while (again--)
        list = others_push(c, reader_at(c, kept[again])->record, reader_at(c, kept[again])->lanes, list);
    return list;
}

/* True if the site races with none of a list, and it is not worth looking which need not be kept. */
static bool stays_whole(struct touch *a, u32 others) {
    const struct reader *first = reader_at(a->t->c, others & ~LIST);
    if (a->t->t->how == HOW_READ && first->warps != ANYBODY)
        return !(first->warps & a->bit) && are_reads(a, others);
    return !may_race(a, &first->kin);
}

/*
 * Others that the site races with none of, kept whole but for the last, if the site stands for it. What else need not
 * be kept is looked for when there are four times as many as were found to be needed before.
 */
static u32 kept_whole(struct touch *a, u32 others) {
    struct check *c = a->t->c;
    const struct reader *first = reader_at(c, others & ~LIST);
    const struct check_record *last = record_at(c, first->record);
    if (is_strong(a->t->t->how) && last->block == a->t->block->number && last->warp == a->t->w->index &&
        first->record != a->record && !(first->lanes & ~a->lanes) && touch_answer(a, first->record)->stands) {
        others = first->next ? first->next | LIST : 0;
    } else if (first->count >= first->most && a->t->t->how != HOW_READ) {
        struct later later[LATER] = {0};
        others = kept_of(a, others, 0, later);
        struct reader *now = others & LIST ? reader_at(c, others & ~LIST) : NULL;
        if (now)
            now->most = now->count > STRONG_MAX / 4 ? STRONG_MAX + 1 : (u16)max_u64(STRONG_FIRST, 4u * now->count);
        return others;
    }
    others_use(c, others, 1);
    return others;
}

static bool has_room(const struct touch *a, const struct reader *first) {
    const struct check *c = a->t->c;
    bool few = a->reported || c->race->reader.cap > c->memory_limit / 16;
    if (a->t->t->how == HOW_READ && first->warp != ANYBODY && first->reads >= READERS_MAX)
        return false;
    return first->count < (few ? READERS_MAX : STRONG_MAX);
}

/* Puts this access in front of those kept, whose use passes to it. Without room the first is dropped, and noted. */
static u32 push_access(struct touch *a, u32 kept) {
    struct check *c = a->t->c;
    if (!(kept & LIST) && kept >> 6 == a->record)
        return others_push(c, a->record, a->lanes | (u64)1 << (kept & 63), 0);
    if (!(kept & LIST))
        return others_push(c, a->record, a->lanes, kept);
    const struct reader first = *reader_at(c, kept & ~LIST);
    bool more = first.record == a->record;
    if (!more && has_room(a, &first))
        return others_push(c, a->record, a->lanes, kept);
    u32 rest = first.next ? first.next | LIST : 0;
    others_use(c, rest, 1);
    others_drop(c, kept, 1);
    u32 list = others_push(c, a->record, a->lanes | (more ? first.lanes : 0), rest);
    return more && !first.kin.short_of ? list : others_short(c, list, &first);
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

/* True if this access may race with one that was dropped. */
static bool may_miss(const struct touch *a, const struct reader *first) {
    const struct check_block *b = a->t->block;
    const struct check_record *last = record_at(a->t->c, first->record);
    return first->kin.short_of && may_race(a, &first->kin) &&
           !(first->kin.one_block && last->block == b->number && last->sequence <= b->all_known);
}

void touch_find_after(struct touch *a, u32 others, u32 value) {
    struct check *c = a->t->c;
    const u8 how = a->t->t->how;
    const struct reader was = others & LIST ? *reader_at(c, others & ~LIST) : (struct reader){0};
    bool before = !others || touch_are_before(a, others);
    u32 kept = 0;
    touch_settle(a);
    a->reported = 0;
    a->own = false;
    if (!before && others & LIST && stays_whole(a, others)) {
        kept = kept_whole(a, others);
    } else if (!before) {
        c->forgotten += others & LIST && may_miss(a, &was);
        kept = kept_of(a, others, value, NULL);
    }
    a->to = how == HOW_WRITE ? 0 : push_access(a, kept);
    if (how == HOW_WRITE)
        others_drop(c, kept, 1);
    else if (was.kin.short_of && !before)
        a->to = others_short(c, a->to, &was);
    a->from = others;
    a->again = !a->reported;
    a->to_lanes = how == HOW_WRITE && !a->own ? 0 : a->lanes;
    a->read_lanes = how == HOW_READ && a->bytes == 4 && a->again ? a->lanes : 0;
}
