/*
 * Races: an access is compared with those that the shadow of memory knows of its bytes (cells.h): the last plain write,
 * and the reads and strong accesses since that nothing orders before one another. Two that touch a byte, one of them a
 * write, not both strong, are a race unless one happens before the other (order.c).
 *
 * Lanes of a plain load that read one address are one reader, and the words that they read, which mostly have the same
 * readers, are compared once. What is kept of a byte is bounded, which is noted where it matters, and when the shadows
 * reach their limit, all of it is forgotten: races may then be missed, and none is reported that is none.
 */
#include "sim/check/race.h"

#include "sim/base/bits.h"

#include <string.h>

enum { SLOTS = 2 * WARP_MAX };

/* ---- comparing ---- */

/*
 * Ways of access that the site races with; two strong ones only where order counts, or where lanes of a warp may
 * exchange (sync_exchanges). Atomics may commute yet.
 */
static u8 find_against(const struct site *t) {
    u8 all = 0, how = t->t->how;
    bool lanes = checks(t->c, CHECK_SYNC) && t->u->space == SPACE_SHARED && how != HOW_ATOMIC;
    const u8 last = HOW_STRONG_WRITE;
    for (u8 other = HOW_READ; other <= last; other++) {
        bool weak = !is_strong(how) || !is_strong(other), exchange = lanes && other != HOW_ATOMIC;
        if ((writes(how) || writes(other)) && (t->c->order || weak || exchange))
            all |= (u8)(1 << other);
    }
    return all;
}

static const char *name_remedy(const struct site *t, const struct check_record *r) {
    if (r->block != t->block->number)
        return "blocks are ordered by nothing but a release and an acquire of one location, or by another launch";
    if (r->warp != t->w->index)
        return "a bar.sync between them, which both warps reach, would order them";
    return "a bar.warp between them would order them";
}

static u32 class_of(const struct touch *a, const struct check_record *r, bool same) {
    u8 how = a->t->t->how;
    if (is_strong(how) && is_strong(r->how))
        return a->t->c->order ? FOUND_RACE_ORDER : FOUND_SYNC_WARP_EXCHANGE;
    bool lanes = r->block == a->t->block->number && r->warp == a->t->w->index && r->sequence != a->t->c->sequence;
    if (lanes && checks(a->t->c, CHECK_SYNC) && a->t->space[a->lane] == SPACE_SHARED)
        return FOUND_SYNC_WARP_EXCHANGE;
    if (how == HOW_ATOMIC || r->how == HOW_ATOMIC)
        return FOUND_RACE_ATOMIC;
    if (!writes(how) || !writes(r->how))
        return FOUND_RACE_READ_WRITE;
    return same ? FOUND_RACE_SAME_VALUE : FOUND_RACE_WRITE_WRITE;
}

static void report(struct touch *a, u32 lane, const struct check_record *r, u32 other, bool same) {
    struct site *t = a->t;
    struct check_finding f = {.class = (u8)class_of(a, r, same), .places = 2, .bytes = a->bytes, .address = a->addr};
    f.space = t->space[lane];
    f.at[0] = site_place(t, lane);
    f.at[1] = (struct check_place){r->pc, r->warp, other, r->block, r->cycle, r->how};
    a->reported++;
    if (!checks(t->c, (enum check_kind)check_classes[f.class].kind))
        return;
    struct check_finding *new = NULL;
    if (f.class == FOUND_RACE_ORDER)
        found_add(t->c, &f, "in another order, other values are returned or left");
    else if (is_strong(t->t->how) && is_strong(r->how))
        found_add(t->c, &f,
                  "lanes of a warp run in any order, which volatile does not change: a bar.warp between them would "
                  "order them");
    else if (r->sequence == t->c->sequence)
        found_add(t->c, &f, "lanes of one instruction write one byte: which value stays is not defined");
    else
        new = found_add(t->c, &f, "%s", name_remedy(t, r));
    if (new)
        order_remedy(t, r, other, new->text, sizeof new->text);
}

static bool races(const struct touch *a, const struct check_record *r) {
    bool strong = is_strong(a->t->t->how) && is_strong(r->how);
    return may_race(a, &(struct kin){.op = a->t->c->inst[r->pc].commutes, .ways = (u8)(1 << r->how)}) &&
           (!strong || a->t->c->order || sync_exchanges(a->t, a->lane, r));
}

/*
 * True if whatever races with the earlier access races with this one too, if neither is ordered before it: then the
 * earlier one need not be kept. An atomic does not stand for a plain read, which races with atomics of others.
 */
static bool stands_for(const struct touch *a, const struct check_record *r) {
    u8 how = a->t->t->how;
    if (how == HOW_WRITE)
        return true;
    if (a->t->c->order)
        return how == r->how && !races(a, r);
    return how == HOW_READ ? !writes(r->how) : is_strong(r->how) && (writes(how) || !writes(r->how));
}

const struct answer *touch_answer(struct touch *a, u32 record) {
    struct answer *to = &a->answer[record % ANSWERS];
    if (UNLIKELY(to->record != record)) {
        const struct check_record *r = record_at(a->t->c, record);
        to->record = record;
        to->order = (u8)(record == a->record ? ORDER_OWN : order_of(a->t, r));
        to->races = races(a, r);
        to->stands = stands_for(a, r);
        to->newer = r->sequence > a->t->block->all_known;
    }
    return to;
}

/* Lanes of `lanes` of a record that do not happen before what a lane does; the first will do. */
static u64 find_unordered(const struct touch *a, u8 order, u32 lane, u32 record, u64 lanes) {
    switch ((enum order_answer)order) {
    case ORDER_BEFORE: return 0;
    case ORDER_OWN: return lanes & ~((u64)1 << lane);
    case ORDER_NONE: return lanes;
    case ORDER_ASK: break;
    }
    const struct check_record *r = record_at(a->t->c, record);
    while (lanes && order_knows(a->t, lane, r, first_lane(lanes)))
        lanes &= lanes - 1;
    return lanes;
}

bool touch_compare(struct touch *a, u32 record, u64 lanes, u32 value) {
    const struct answer known = *touch_answer(a, record);
    const struct check_record *r = record_at(a->t->c, record);
    u64 left = lanes;
    a->own |= known.order == ORDER_OWN || known.order == ORDER_ASK;
    if (!known.races)
        left = find_unordered(a, known.order, a->lane, record, lanes);
    if (!known.races && r->block == a->t->block->number && r->warp == a->t->w->index)
        left &= ~a->lanes;
    for (u64 each = known.races ? a->lanes : 0; each; each &= each - 1) {
        u64 more = find_unordered(a, known.order, first_lane(each), record, lanes);
        if (more)
            report(a, first_lane(each), r, first_lane(more),
                   writes(a->t->t->how) && writes(r->how) && value == a->value);
        left &= more;
    }
    return left || !known.stands;
}

static void touch_cell(struct touch *a, struct memory_cell *cell) {
    u8 how = a->t->t->how;
    u32 others = cell->others, write = cell->write;
    if (write && write >> 6 >= a->behind && touch_answer(a, write >> 6)->order != ORDER_BEFORE)
        touch_compare(a, write >> 6, (u64)1 << (write & 63), cell->value);
    if (others || how != HOW_WRITE) {
        if (others != a->from || !a->again || (a->to_lanes && a->to_lanes != a->lanes))
            touch_find_after(a, others, cell->value);
        cell->others = a->to;
        a->uses++;
    }
    if (writes(how))
        cell->value = a->value;
    if (how == HOW_WRITE)
        cell->write = a->record << 6 | a->lane;
}

/* ---- an instruction ---- */

/* Value that a lane is about to store in the word at `offset` of its access; atomics are not compared by value. */
static u32 read_stored(const struct site *t, u32 lane, u32 offset) {
    if (op_memory(t->i->op) != MEMORY_STORE)
        return 0;
    return t->w->base[t->u->bsel][t->u->b + offset / 4 * t->width + lane];
}

/*
 * Cells of the words that the lanes access, which are in one page; NULL when it has none, or out of memory. Neighbours
 * are in one page too, which is looked up once.
 */
static struct memory_cell *cells_of(struct touch *a) {
    const struct site *t = a->t;
    u64 addr = t->addr[a->lane], shared = t->c->launch.kernel->shared;
    a->behind = 0;
    if (t->space[a->lane] == SPACE_SHARED) {
        a->behind = t->block->behind;
        return addr < shared && shared - addr >= t->bytes ? &t->block->shared[addr / 4] : NULL;
    }
    if (addr - a->page_addr >= a->page_size) {
        u32 number = site_allocation(t, addr);
        struct memory_cell *page = number == UINT32_MAX ? NULL : cells_page(t->c, number, addr);
        if (!page)
            return NULL;
        const struct allocation *of = &t->c->launch.memory->list[number];
        a->page = page;
        a->page_addr = addr - (addr - of->base) % PAGE_BYTES;
        a->page_size = min_u64(PAGE_BYTES, of->size - (a->page_addr - of->base));
    }
    return a->page + (addr - a->page_addr) / 4;
}

static void touch_bytes(struct touch *a, struct memory_cell *word) {
    struct check *c = a->t->c;
    u32 value = a->value;
    if (word->write != SPLIT && !cells_split(c, word))
        return;
    for (u32 i = 0; i < a->bytes && !c->failed; i++) {
        a->value = value >> 8 * i & 0xff;
        touch_cell(a, split_at(c, word) + (a->addr + i) % 4);
    }
    if (a->bytes < 4 || a->t->t->how != HOW_WRITE)
        return;
    touch_settle(a);
    cells_join(c, word);
    *word = (struct memory_cell){a->record << 6 | a->lane, 0, value};
}

/* Updates the first words that have the last one's readers and no write after the last barrier; returns how many. */
static inline u32 read_like_last(struct touch *a, struct memory_cell *word, u32 count) {
    const u32 from = a->from, to = a->to, end = a->behind ? a->behind << 6 : 1;
    u32 n = 0;
    for (; n < count && word[n].others == from && word[n].write < end; n++)
        word[n].others = to;
    a->uses += n;
    return n;
}

/* Overwrites a word, if all accesses kept for it happened before a barrier of the whole block; false if not. */
static inline bool overwrite(struct touch *a, struct memory_cell *word) {
    u32 others = word->others;
    if ((word->write && word->write >= a->behind << 6) || (others && !touch_are_before(a, others)))
        return false;
    if (others & LIST)
        others_drop(a->t->c, others, 1);
    *word = (struct memory_cell){a->record << 6 | a->lane, 0, a->value};
    return true;
}

static void touch_words(struct touch *a) {
    const struct site *t = a->t;
    struct memory_cell *word = cells_of(a);
    a->bytes = t->bytes < 4 ? t->bytes : 4;
    for (u32 offset = 0; word && offset < t->bytes && !t->c->failed; offset += 4, word++) {
        if (a->read_lanes == a->lanes) {
            u32 n = read_like_last(a, word, (t->bytes - offset) / 4);
            word += n;
            offset += 4 * n;
            if (offset == t->bytes)
                break;
        }
        a->addr = t->addr[a->lane] + offset;
        a->value = read_stored(t, a->lane, offset);
        if (t->t->how == HOW_WRITE && a->bytes == 4 && overwrite(a, word))
            continue;
        if (a->bytes == 4 && word->write != SPLIT)
            touch_cell(a, word);
        else
            touch_bytes(a, word);
    }
}

/* Lanes that access shared or global memory. The size of an access is a power of two. */
static u64 find_accessing(const struct site *t) {
    u64 lanes = 0;
    for (u64 left = t->exec; left; left &= left - 1) {
        u32 l = first_lane(left);
        bool does = (t->space[l] == SPACE_SHARED || t->space[l] == SPACE_GLOBAL) && !(t->addr[l] & (t->bytes - 1));
        lanes |= (u64)does << l;
    }
    return lanes;
}

/* Finds for each address the first of `lanes` that accesses it; all that do in same[that lane]. */
static u64 find_distinct(const struct site *t, u64 lanes, u64 same[WARP_MAX]) {
    u8 slot[SLOTS] = {0}; /* lane + 1; open addressing */
    u64 first = 0;
    for (u64 left = lanes; left; left &= left - 1) {
        u32 l = first_lane(left), h = (u32)((t->addr[l] * 0x9e3779b97f4a7c15u) >> 57);
        while (slot[h] && (t->addr[slot[h] - 1] != t->addr[l] || t->space[slot[h] - 1] != t->space[l]))
            h = (h + 1) % SLOTS;
        if (!slot[h]) {
            slot[h] = (u8)(l + 1);
            same[l] = 0;
            first |= (u64)1 << l;
        }
        same[slot[h] - 1] |= (u64)1 << l;
    }
    return first;
}

void race_touch(struct site *t, u32 record) {
    u64 same[WARP_MAX], lanes = find_accessing(t);
    struct touch a = {.t = t, .from = NO_OTHERS, .record = record};
    const struct kin own = {.op = t->t->commutes, .ways = (u8)(1 << t->t->how)};
    a.against = find_against(t);
    bool apart = t->neighbours || t->t->how == HOW_WRITE || t->t->how == HOW_STRONG_WRITE || may_race(&a, &own);
    if (lanes && !record)
        a.record = cells_record(t);
    a.bit = cells_warp(t->c, a.record);
    for (u64 left = apart ? lanes : find_distinct(t, lanes, same); left && !t->c->failed; left &= left - 1) {
        a.lane = first_lane(left);
        a.lanes = apart ? (u64)1 << a.lane : same[a.lane];
        touch_words(&a);
    }
    if (!t->c->failed)
        touch_settle(&a);
}
