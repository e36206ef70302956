/*
 * What happens before what. Memory instructions, fences and barriers have sequence numbers; a thread's own rise. What
 * a thread knows of another one is a number: all that the other did up to it happens before what the thread does now.
 *
 *   lanes of a warp     check_warp.lanes_known, or .lane_known where bar.warp names some lanes only
 *   warps of a block    check_block.all_known, or .known where a barrier is for some warps only
 *   any other           struct knowledge: what a lane acquired from a location where another thread released
 *
 * A release is a store with .release, or a strong store or an atomic after a fence; the location then holds what the
 * thread knew at the fence. An acquire is a load with .acquire, or a strong load or an atomic before a fence, of a
 * location that holds something. With a clock both happen when L2 performs the access.
 *
 * Where memory is short this claims more order than there is, never less: no race is reported that is none.
 */
#include "sim/check/order.h"

#include <string.h>

/* ---- questions ---- */

enum order_answer order_of(const struct site *t, const struct check_record *r) {
    const struct check_block *b = t->block;
    enum order_answer no = t->cw->order ? ORDER_ASK : ORDER_NONE;
    if (r->block != b->number)
        return no;
    if (r->warp != t->w->index)
        return warp_known(b, t->w->index, r->warp) >= r->sequence ? ORDER_BEFORE : no;
    if (max_u64(t->cw->lanes_known, b->all_known) >= r->sequence)
        return ORDER_BEFORE;
    return t->cw->order || t->cw->lane_known ? ORDER_ASK : ORDER_OWN;
}

bool order_knows(const struct site *t, u32 lane, const struct check_record *r, u32 from) {
    const struct check_block *b = t->block;
    if (r->block == b->number && r->warp == t->w->index &&
        (from == lane || lane_known(b, t->cw, t->width, lane, from) >= r->sequence))
        return true;
    if (r->block == b->number && r->warp != t->w->index && warp_known(b, t->w->index, r->warp) >= r->sequence)
        return true;
    const struct knowledge *k = t->cw->order ? t->cw->order->know[lane] : NULL;
    return k && order_includes(k, r, from);
}

/* ---- blocks ---- */

void order_block_start(struct check *c, struct check_block *b) {
    u32 warps = b->of->warps, width = c->launch.width;
    b->all_known = 0;
    if (b->known)
        memset(b->known, 0, (size_t)warps * warps * sizeof *b->known);
    for (u32 i = 0; i < BARRIER_COUNT; i++) {
        struct check_barrier *bar = &b->barrier[i];
        u64 *row = bar->join;
        *bar = (struct check_barrier){.join = row};
        if (row)
            memset(row, 0, warps * sizeof *row);
    }
    for (u32 i = 0; i < warps; i++) {
        struct check_warp *w = &b->warp[i];
        w->lanes_known = w->read.sequence = 0;
        if (w->lane_known)
            memset(w->lane_known, 0, (size_t)width * width * sizeof *w->lane_known);
        if (w->order)
            memset(w->order, 0, sizeof *w->order);
    }
}

void order_forget(struct check *c) {
    for (size_t i = 0; i < c->blocks.len / sizeof(struct check_block *); i++) {
        struct check_block *b = ((struct check_block **)(void *)c->blocks.data)[i];
        for (u32 k = 0; k < b->of->warps; k++)
            if (b->warp[k].order)
                memset(b->warp[k].order, 0, sizeof *b->warp[k].order);
        for (u32 k = 0; k < BARRIER_COUNT; k++)
            b->barrier[k].foreign = NULL;
    }
    c->location = NULL;
    c->nlocations = c->locations_size = 0;
    arena_free(&c->knowledge);
}

struct lane_order *order_of_lanes(struct check *c, struct check_warp *w) {
    if (!w->order)
        w->order = check_alloc(c, sizeof *w->order);
    return w->order;
}

/* ---- barriers ---- */

/* Lanes in `members` know of one another all they have done, and what each has acquired. */
static void meet(struct site *t, u64 members) {
    struct check_warp *w = t->cw;
    u64 now = t->c->sequence;
    if (members == t->w->live) {
        w->lanes_known = now;
    } else {
        if (!w->lane_known)
            w->lane_known = check_alloc(t->c, (size_t)t->width * t->width * sizeof *w->lane_known);
        if (!w->lane_known)
            return;
        u64 row[WARP_MAX] = {0};
        for (u64 left = members; left; left &= left - 1)
            for (u32 l = 0; l < t->width; l++) {
                u64 known = members >> l & 1 ? now : lane_known(t->block, w, t->width, first_lane(left), l);
                row[l] = known > row[l] ? known : row[l];
            }
        for (u64 left = members; left; left &= left - 1)
            memcpy(&w->lane_known[first_lane(left) * t->width], row, t->width * sizeof *row);
    }
    if (!w->order)
        return;
    struct knowledge *all = NULL;
    for (u64 left = members; left; left &= left - 1)
        all = order_join(t->c, all, w->order->know[first_lane(left)]);
    for (u64 left = members; left; left &= left - 1)
        w->order->know[first_lane(left)] = all;
}

void order_warp_barrier(struct site *t) {
    t->c->sequence++;
    meet(t, t->exec);
}

static void learn(struct site *t, u32 warp, const struct check_barrier *bar) {
    struct check_block *b = t->block;
    struct check_warp *w = &b->warp[warp];
    u32 warps = b->of->warps;
    w->lanes_known = t->c->sequence;
    for (u32 i = 0; i < warps && b->known; i++)
        if (bar->join[i] > b->known[(size_t)warp * warps + i])
            b->known[(size_t)warp * warps + i] = bar->join[i];
    struct lane_order *o = bar->foreign ? order_of_lanes(t->c, w) : NULL;
    for (u32 l = 0; o && l < t->width; l++)
        o->know[l] = order_join(t->c, o->know[l], bar->foreign);
}

/* Completes a barrier: warps that waited run on, and know what all of those that arrived did before. */
static void complete(struct site *t, struct check_barrier *bar, u32 arrived) {
    struct check_block *b = t->block;
    u32 warps = b->of->warps, waited = 0;
    for (u32 i = 0; i < warps; i++)
        waited += (u32)(bar->waits[i / 64] >> i % 64 & 1);
    if (arrived == warps && waited == warps) {
        b->all_known = t->c->sequence;
        b->behind = cells_records(t->c);
        pending_drop(b);
    } else if (!b->known) {
        b->known = check_alloc(t->c, (size_t)warps * warps * sizeof *b->known);
    }
    for (u32 i = 0; i < warps; i++)
        if (bar->waits[i / 64] >> i % 64 & 1)
            learn(t, i, bar);
    u64 *row = bar->join;
    memset(row, 0, warps * sizeof *row);
    *bar = (struct check_barrier){.join = row};
}

void order_arrive(struct site *t) {
    struct check_block *b = t->block;
    struct check_barrier *bar = &b->barrier[t->u->na];
    u32 warps = b->of->warps, me = t->w->index;
    u64 now = ++t->c->sequence;
    if (!bar->join)
        bar->join = check_alloc(t->c, warps * sizeof *bar->join);
    if (!bar->join)
        return;
    for (u32 i = 0; i < warps; i++) {
        u64 known = i == me ? now : warp_known(b, me, i);
        bar->join[i] = known > bar->join[i] ? known : bar->join[i];
    }
    for (u64 left = t->exec; left && t->cw->order; left &= left - 1)
        bar->foreign = order_join(t->c, bar->foreign, t->cw->order->know[first_lane(left)]);
    if (op_waits(t->i->op))
        bar->waits[me / 64] |= (u64)1 << me % 64;
    bar->last = site_place(t, first_lane(t->exec));
    bar->arrived++;
    bar->expected = t->w->block->barrier[t->u->na].expected;
    if (bar->expected == 0)
        complete(t, bar, bar->arrived);
}
