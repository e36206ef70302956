/*
 * Accesses by the order of time. Plain loads of shared memory wait here while no other access of their block touches
 * the bytes between the first and the last that they read. Mostly a barrier of the whole block comes first, which
 * orders them before all that follows: then no cell need know of them. Else they go into the cells as they would have
 * at once. So a product by tiles, on v100 with `race` and `init`, takes 1.5 times as long as without, not 5.1.
 */
#include "sim/check/race.h"

#include "sim/base/bits.h"

enum {
    LOADS_OF_WARP = 128, /* at most, in a block's list for each of its warps; then they all go into cells */
    WORDS = 1 << 16      /* that `word` can name */
};

struct pending_load {
    u64 lanes, lanes_known;
    u32 record, pc;
    u16 warp;
    u16 word[]; /* [width] of `lanes`: address / 4 */
};

static size_t size_of(const struct site *t) {
    return (sizeof(struct pending_load) + t->width * sizeof(u16) + 7) & ~(size_t)7;
}

/* Puts a load into the cells, by what its warp knew then: nothing but what barriers of whole warps and blocks order. */
static void settle(struct site *t, const struct pending_load *load) {
    const struct check_warp cw = *t->cw;
    u64 *known = t->block->known;
    t->cw->order = NULL;
    t->cw->lane_known = NULL;
    t->cw->lanes_known = load->lanes_known;
    t->block->known = NULL;
    race_touch(t, load->record);
    *t->cw = cw;
    t->block->known = known;
}

/* Puts all of a block's loads into its cells. */
static void settle_all(const struct site *now) {
    struct pending *p = &now->block->pending;
    struct site at = {.block = now->block};
    size_t size = size_of(now);
    for (size_t i = 0; i < p->loads.len && !now->c->failed; i += size) {
        const struct pending_load *load = (const struct pending_load *)(const void *)(p->loads.data + i);
        cells_room(now->c); /* which may forget all of them */
        if (!p->loads.len)
            break;
        site_instruction(&at, now->c, &now->w->block->warp[load->warp], load->pc);
        at.cw = &at.block->warp[load->warp];
        at.exec = load->lanes;
        at.bytes = at.u->bytes;
        for (u32 l = 0; l < at.width; l++) {
            at.space[l] = SPACE_SHARED;
            at.addr[l] = (u64)load->word[l] * 4;
        }
        settle(&at, load);
    }
    p->loads.len = 0;
    p->first = UINT32_MAX;
    p->last = 0;
    cells_room(now->c);
}

/* The bytes of shared memory that the site accesses, at most: [*first, *last). */
static void find_range(const struct site *t, u32 *first, u32 *last) {
    u64 low = UINT32_MAX, high = 0;
    for (u64 left = t->exec; left; left &= left - 1) {
        u32 l = first_lane(left);
        if (t->space[l] != SPACE_SHARED)
            continue;
        low = min_u64(low, t->addr[l]);
        high = max_u64(high, t->addr[l] + t->bytes);
    }
    *first = (u32)low;
    *last = (u32)min_u64(high, UINT32_MAX);
}

/* True if the site is a load of whole words, by a warp that knows of others by barriers of warps and blocks alone. */
static bool is_plain(const struct site *t, u32 last) {
    u64 all = 0;
    if (t->t->how != HOW_READ || t->u->space != SPACE_SHARED || t->bytes < 4 || t->cw->order || t->cw->lane_known ||
        t->block->known || last > min_u64(t->c->launch.kernel->shared, 4 * (u64)WORDS))
        return false;
    for (u64 left = t->exec; left; left &= left - 1)
        all |= t->addr[first_lane(left)];
    return !(all & (t->bytes - 1));
}

/* Room for one more load; NULL: there is none. */
static struct pending_load *make_room(struct site *t) {
    struct check *c = t->c;
    struct buf *loads = &t->block->pending.loads;
    size_t size = size_of(t), cap = loads->cap;
    if (loads->len >= size * LOADS_OF_WARP * t->block->of->warps ||
        (loads->cap - loads->len <= size && c->pending_bytes + cap > c->memory_limit / 16))
        return NULL;
    struct pending_load *new = buf_take(loads, size);
    c->pending_bytes += loads->cap - cap;
    c->failed |= !new;
    return new;
}

/* Keeps a plain load back; false if the site is none, or may race. Loads that it may race with go into cells. */
static bool keep_back(struct site *t) {
    struct pending *p = &t->block->pending;
    u32 first, last;
    if (t->u->space != SPACE_SHARED && t->u->space != SPACE_GENERIC)
        return false;
    find_range(t, &first, &last);
    struct pending_load *new = NULL;
    if ((first >= p->touched_last || last <= p->touched_first) && is_plain(t, last))
        new = make_room(t);
    if (!new) {
        if (p->loads.len && first < p->last && last > p->first)
            settle_all(t);
        if (t->t->how != HOW_READ) {
            p->touched_first = (u32)min_u64(p->touched_first, first);
            p->touched_last = (u32)max_u64(p->touched_last, last);
        }
        return false;
    }
    *new = (struct pending_load){.lanes = t->exec, .lanes_known = t->cw->lanes_known, .pc = t->pc};
    new->warp = (u16)t->w->index;
    new->record = cells_record(t);
    for (u32 l = 0; l < t->width; l++)
        new->word[l] = (u16)(t->addr[l] / 4);
    p->first = (u32)min_u64(p->first, first);
    p->last = (u32)max_u64(p->last, last);
    return true;
}

void race_access(struct site *t) {
    t->c->sequence++;
    if (keep_back(t))
        return;
    race_touch(t, 0);
    if (t->t->how != HOW_READ && t->t->how != HOW_WRITE)
        order_strong(t);
}
