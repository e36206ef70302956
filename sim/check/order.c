/*
 * What happens before what. Memory instructions, fences and barriers have sequence numbers; a thread's own rise. What
 * a thread knows of another one is a number: all that the other did up to it happens before what the thread does now.
 *
 *   lanes of a warp     check_warp.lanes_known, or .lane_known where bar.warp names some lanes only
 *   warps of a block    check_block.all_known, or .known where a barrier is for some warps only
 *   anybody else        struct knowledge: what a lane acquired from a location where another thread released
 *
 * A release is a store with .release, or a strong store or an atomic behind a fence; the location then holds what the
 * thread knew at the fence. An acquire is a load with .acquire, or a strong load or an atomic before a fence, of a
 * location that holds something. With a clock both happen when L2 performs the access.
 *
 * Where memory is short this claims more order than there is, never less: no race is reported that is none.
 */
#include "sim/base/bits.h"
#include "sim/check/shadow.h"

#include <string.h>

enum { ENTRIES_MAX = 4096 /* of one knowledge; more become one sequence number for everybody */ };
#define EVERY_WARP UINT32_MAX
#define EVERY_LANE WARP_MAX

struct entry {
    u64 block;
    u32 warp, lane; /* EVERY_WARP, EVERY_LANE */
    u64 sequence;
};

struct knowledge {
    u64 everybody; /* all accesses of all threads up to this */
    u32 count;
    struct entry entry[]; /* ascending by block, warp, lane */
};

/* What a location holds for threads of one block only. */
struct narrow {
    u64 block;
    struct knowledge *know;
    struct narrow *next;
};

/* What a location holds for those who acquire. */
struct location {
    u64 key;                /* address / 4 + 1, with the block's number for shared memory; 0: free */
    u64 block;              /* of shared memory, else UINT64_MAX */
    struct knowledge *wide; /* for everybody */
    struct narrow *narrow;  /* for the blocks that released to themselves */
};

/* What a lane releases by a strong write: to everybody, and to its block. NULL: nothing. */
struct release {
    u64 addr;
    struct knowledge *wide, *narrow;
};

/* A release or acquire that L2 has not performed. */
struct note {
    struct performed performed; /* first: what L2 hands back */
    struct note *next;          /* of the free ones */
    struct check *c;
    u64 times; /* check.times when it was made: what it releases was forgotten since if that is another */
    struct check_block *block;
    u64 number; /* of the block */
    u32 warp;
    u8 how;
    bool acquire; /* the access itself acquires; else the next fence does */
    u32 lanes;    /* those that release */
    u32 left;     /* those of them that L2 has not performed */
    struct release release[];
};

/* ---- knowledge ---- */

static int compare(const struct entry *a, const struct entry *b) {
    if (a->block != b->block)
        return a->block < b->block ? -1 : 1;
    if (a->warp != b->warp)
        return a->warp < b->warp ? -1 : 1;
    return (a->lane > b->lane) - (a->lane < b->lane);
}

static void *alloc(struct check *c, size_t bytes) {
    void *p = arena_alloc(&c->knowledge, bytes);
    c->failed |= !p;
    return p;
}

/* `count` entries at most; NULL when out of memory, which is noted. */
static struct knowledge *knowledge_new(struct check *c, u32 count) {
    return alloc(c, sizeof(struct knowledge) + count * sizeof(struct entry));
}

/* One number for everybody in place of entries. */
static struct knowledge *collapsed(struct check *c, const struct knowledge *a, const struct knowledge *b) {
    struct knowledge *k = knowledge_new(c, 0);
    const struct knowledge *of[] = {a, b};
    for (u32 n = 0; k && n < 2; n++) {
        k->everybody = of[n] && of[n]->everybody > k->everybody ? of[n]->everybody : k->everybody;
        for (u32 i = 0; of[n] && i < of[n]->count; i++)
            k->everybody = of[n]->entry[i].sequence > k->everybody ? of[n]->entry[i].sequence : k->everybody;
    }
    return k;
}

static bool covers(const struct knowledge *a, const struct knowledge *b) {
    u32 i = 0;
    if (a->everybody < b->everybody)
        return false;
    for (u32 k = 0; k < b->count; k++) {
        while (i < a->count && compare(&a->entry[i], &b->entry[k]) < 0)
            i++;
        if (i == a->count || compare(&a->entry[i], &b->entry[k]) || a->entry[i].sequence < b->entry[k].sequence)
            return false;
    }
    return true;
}

/* What either knows. */
static struct knowledge *join(struct check *c, struct knowledge *a, struct knowledge *b) {
    if (!a || !b || a == b)
        return a ? a : b;
    if (covers(a, b))
        return a;
    if (covers(b, a))
        return b;
    if (a->count + b->count > ENTRIES_MAX)
        return collapsed(c, a, b);
    struct knowledge *k = knowledge_new(c, a->count + b->count);
    u32 i = 0, j = 0;
    if (!k)
        return NULL;
    k->everybody = a->everybody > b->everybody ? a->everybody : b->everybody;
    while (i < a->count || j < b->count) {
        int order = i == a->count ? 1 : j == b->count ? -1 : compare(&a->entry[i], &b->entry[j]);
        struct entry *to = &k->entry[k->count++];
        if (order <= 0)
            *to = a->entry[i++];
        if (order > 0)
            *to = b->entry[j++];
        else if (order == 0 && b->entry[j++].sequence > to->sequence)
            to->sequence = b->entry[j - 1].sequence;
    }
    return k;
}

static bool knows(const struct knowledge *k, const struct check_record *r, u32 lane) {
    u32 low = 0, high = k->count;
    if (k->everybody >= r->sequence)
        return true;
    while (low < high) {
        u32 middle = (low + high) / 2;
        if (k->entry[middle].block < r->block)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < k->count && k->entry[low].block == r->block; low++) {
        const struct entry *e = &k->entry[low];
        if ((e->warp == r->warp || e->warp == EVERY_WARP) && (e->lane == lane || e->lane == EVERY_LANE) &&
            e->sequence >= r->sequence)
            return true;
    }
    return false;
}

static u64 warp_known(const struct check_block *b, u32 warp, u32 other) {
    u64 known = b->known ? b->known[(size_t)warp * b->of->warps + other] : 0;
    return max_u64(known, b->all_known);
}

static u64 lane_known(const struct check_block *b, const struct check_warp *w, u32 width, u32 lane, u32 other) {
    u64 known = w->lane_known ? w->lane_known[lane * width + other] : 0;
    return max_u64(known, max_u64(w->lanes_known, b->all_known));
}

/* What a lane knows now, itself included. */
static struct knowledge *snapshot(const struct site *t, u32 lane) {
    const struct check_block *b = t->block;
    const struct check_warp *w = t->cw;
    u32 warps = b->of->warps, me = t->w->index, n = 0;
    struct knowledge *k = knowledge_new(t->c, (b->known ? warps : 1) + (w->lane_known ? t->width : 1) + 1);
    if (!k)
        return NULL;
    for (u32 i = 0; i < warps; i++) {
        if (b->known && i != me && warp_known(b, me, i) > b->all_known)
            k->entry[n++] = (struct entry){b->number, i, EVERY_LANE, warp_known(b, me, i)};
        for (u32 l = 0; i == me && l < t->width; l++) {
            u64 known = l == lane ? t->c->sequence : lane_known(b, w, t->width, lane, l);
            if (l == lane || (w->lane_known && known > w->lanes_known))
                k->entry[n++] = (struct entry){b->number, i, l, known};
        }
        if (i == me && w->lanes_known)
            k->entry[n++] = (struct entry){b->number, i, EVERY_LANE, w->lanes_known};
    }
    if (b->all_known)
        k->entry[n++] = (struct entry){b->number, EVERY_WARP, EVERY_LANE, b->all_known};
    k->count = n;
    return join(t->c, k, w->order ? w->order->know[lane] : NULL);
}

/* Only what a later release would need is kept: few lanes that fence release anything. */
static struct fence_mark mark(const struct site *t, u32 lane) {
    struct fence_mark m = {.sequence = t->c->sequence, .lanes_known = t->cw->lanes_known};
    m.all_known = t->block->all_known;
    m.know = t->cw->order->know[lane];
    m.exact = t->block->known || t->cw->lane_known ? snapshot(t, lane) : NULL;
    return m;
}

/* What the lane knew at a fence. */
static struct knowledge *marked(const struct site *t, u32 lane, const struct fence_mark *m) {
    u64 number = t->block->number;
    if (m->exact)
        return m->exact;
    struct knowledge *k = knowledge_new(t->c, 3);
    if (!k)
        return NULL;
    k->entry[k->count++] = (struct entry){number, t->w->index, lane, m->sequence};
    if (m->lanes_known)
        k->entry[k->count++] = (struct entry){number, t->w->index, EVERY_LANE, m->lanes_known};
    if (m->all_known)
        k->entry[k->count++] = (struct entry){number, EVERY_WARP, EVERY_LANE, m->all_known};
    return join(t->c, k, m->know);
}

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
    return k && knows(k, r, from);
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
        w->lanes_known = 0;
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

static struct lane_order *lane_order(struct check *c, struct check_warp *w) {
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
        all = join(t->c, all, w->order->know[first_lane(left)]);
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
    struct lane_order *o = bar->foreign ? lane_order(t->c, w) : NULL;
    for (u32 l = 0; o && l < t->width; l++)
        o->know[l] = join(t->c, o->know[l], bar->foreign);
}

/* All have arrived: those who waited go on, and know what all of those who arrived did before. */
static void complete(struct site *t, struct check_barrier *bar, u32 arrived) {
    struct check_block *b = t->block;
    u32 warps = b->of->warps, waited = 0;
    for (u32 i = 0; i < warps; i++)
        waited += (u32)(bar->waits[i / 64] >> i % 64 & 1);
    if (arrived == warps && waited == warps) {
        b->all_known = t->c->sequence;
        b->behind = cells_records(t->c);
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
        bar->foreign = join(t->c, bar->foreign, t->cw->order->know[first_lane(left)]);
    if (t->i->op == OP_BAR_SYNC)
        bar->waits[me / 64] |= (u64)1 << me % 64;
    bar->last = site_place(t, first_lane(t->exec));
    bar->arrived++;
    bar->expected = t->w->block->barrier[t->u->na].expected;
    if (bar->expected == 0)
        complete(t, bar, bar->arrived);
}

/* ---- fences, releases, acquires ---- */

void order_fence(struct site *t) {
    struct lane_order *o = lane_order(t->c, t->cw);
    bool wide = t->i->op != OP_FENCE_BLOCK;
    t->c->sequence++;
    for (u64 left = t->exec; left && o; left &= left - 1) {
        u32 l = first_lane(left);
        o->know[l] = join(t->c, o->know[l], o->narrow_seen[l]);
        if (wide)
            o->know[l] = join(t->c, o->know[l], o->seen[l]);
        o->narrow_seen[l] = NULL;
        o->seen[l] = wide ? NULL : o->seen[l];
        o->fence[l] = mark(t, l);
        if (wide)
            o->wide[l] = o->fence[l];
    }
}

static struct location *find(struct check *c, u64 addr, u64 block, bool make) {
    u64 key = addr / 4 + 1;
    if (make && 2 * (c->nlocations + 1) > c->locations_size) {
        u32 size = c->locations_size ? 2 * c->locations_size : 256;
        struct location *old = c->location, *new = alloc(c, size * sizeof *new);
        if (!new)
            return NULL;
        c->location = new;
        c->nlocations = 0;
        u32 n = c->locations_size;
        c->locations_size = size;
        for (u32 i = 0; i < n; i++)
            if (old[i].key)
                *find(c, (old[i].key - 1) * 4, old[i].block, true) = old[i];
    }
    if (!c->locations_size)
        return NULL;
    for (u64 h = (key ^ block * 0x9e3779b97f4a7c15u) * 0xbf58476d1ce4e5b9u >> 20;; h++) {
        struct location *at = &c->location[h & (c->locations_size - 1)];
        if (at->key == key && at->block == block)
            return at;
        if (at->key)
            continue;
        if (!make)
            return NULL;
        *at = (struct location){.key = key, .block = block};
        c->nlocations++;
        return at;
    }
}

static struct narrow *narrow_of(const struct location *at, u64 block) {
    struct narrow *n = at->narrow;
    while (n && n->block != block)
        n = n->next;
    return n;
}

/* A strong read of the location by a lane. */
static void acquire(struct check *c, const struct location *at, struct check_warp *w, u64 block, u32 lane, bool now) {
    const struct narrow *own = narrow_of(at, block);
    struct knowledge *narrow = own ? own->know : NULL;
    struct lane_order *o = at->wide || narrow ? lane_order(c, w) : NULL;
    if (!o)
        return;
    struct knowledge **to = now ? &o->know[lane] : &o->seen[lane];
    *to = join(c, *to, at->wide);
    to = now ? &o->know[lane] : &o->narrow_seen[lane];
    *to = join(c, *to, narrow);
}

/* A strong write: an atomic keeps what the location held. */
static void release(struct check *c, struct location *at, u64 block, const struct release *what, bool atomic) {
    at->wide = join(c, atomic ? at->wide : NULL, what->wide);
    if (!atomic)
        at->narrow = NULL;
    if (!what->narrow)
        return;
    struct narrow *own = narrow_of(at, block);
    if (!own && (own = alloc(c, sizeof *own))) {
        *own = (struct narrow){.block = block, .next = at->narrow};
        at->narrow = own;
    }
    if (own)
        own->know = join(c, own->know, what->narrow);
}

/* What a lane's write at this site releases. */
static struct release released(struct site *t, u32 lane) {
    const struct lane_order *o = t->cw->order;
    struct release r = {.addr = t->addr[lane]};
    if (inst_mod_or(t->i, GROUP_HINT, HINT_NONE) == HINT_RELEASE)
        r.wide = r.narrow = snapshot(t, lane);
    else if (o && o->fence[lane].sequence)
        r.narrow = marked(t, lane, &o->fence[lane]);
    if (o && !r.wide && o->wide[lane].sequence)
        r.wide = o->wide[lane].sequence == o->fence[lane].sequence ? r.narrow : marked(t, lane, &o->wide[lane]);
    return r;
}

static bool reads(u8 how) {
    return how == HOW_ATOMIC || how == HOW_STRONG_READ;
}

/* L2 has performed an access: lanes acquire in their order, then release. */
static void performed(struct performed *p, const struct deferred *d) {
    struct note *n = (struct note *)(void *)p;
    struct check *c = n->c;
    bool here = n->block->number == n->number; /* the block is still there */
    for (u32 i = 0; i < d->lanes && reads(n->how); i++) {
        const struct location *at = find(c, d->line + d->lane[i].offset, UINT64_MAX, false);
        if (at && here)
            acquire(c, at, &n->block->warp[n->warp], n->number, d->lane[i].lane, n->acquire);
    }
    for (u32 i = 0; i < n->lanes; i++) {
        struct release *what = &n->release[i];
        if (what->addr - d->line >= CHUNK_BYTES)
            continue;
        struct location *at = find(c, what->addr, UINT64_MAX, true);
        if (n->times != c->times)
            what->wide = what->narrow = NULL;
        if (at)
            release(c, at, n->number, what, n->how == HOW_ATOMIC);
        what->addr = UINT64_MAX;
        n->left--;
    }
    if (n->lanes && !n->left) {
        n->next = c->notes;
        c->notes = n;
    }
}

/* A note that can release for all lanes. */
static struct note *release_note(struct check *c) {
    struct note *n = c->notes;
    if (!n)
        return check_alloc(c, sizeof *n + WARP_MAX * sizeof n->release[0]);
    c->notes = n->next;
    return n;
}

/* Notes of what only acquires are the warp's own, used again and again. */
static struct note *reader_note(struct site *t, bool acquires) {
    struct note **slot = &t->cw->reader[acquires];
    if (!*slot)
        *slot = check_alloc(t->c, sizeof **slot);
    if (*slot)
        **slot = (struct note){.performed.see = performed, .c = t->c, .block = t->block, .number = t->block->number};
    return *slot;
}

static void later(struct site *t, u64 lanes, bool acquires) {
    const struct lane_order *o = t->cw->order;
    bool writes = t->t->how != HOW_STRONG_READ, may = writes && (o || t->t->how == HOW_STRONG_WRITE);
    u32 n = may ? ones_of(lanes) : 0;
    struct note *note = n ? release_note(t->c) : reader_note(t, acquires);
    if (!note)
        return;
    note->performed.see = performed;
    note->lanes = 0;
    note->left = n;
    note->times = t->c->times;
    note->c = t->c;
    note->block = t->block;
    note->number = t->block->number;
    note->warp = t->w->index;
    note->how = t->t->how;
    note->acquire = acquires;
    for (u64 left = n ? lanes : 0; left; left &= left - 1) {
        u32 l = first_lane(left);
        note->release[note->lanes++] = released(t, l);
    }
    t->w->effect->watch = &note->performed;
}

void order_strong(struct site *t) {
    bool acquires = inst_mod_or(t->i, GROUP_HINT, HINT_NONE) == HINT_ACQUIRE;
    u64 deferred = 0;
    for (u64 left = t->exec; left; left &= left - 1) {
        u32 l = first_lane(left);
        if (t->w->run->writes && t->space[l] == SPACE_GLOBAL) {
            deferred |= (u64)1 << l;
            continue;
        }
        if (t->space[l] != SPACE_GLOBAL && t->space[l] != SPACE_SHARED)
            continue;
        u64 block = t->space[l] == SPACE_SHARED ? t->block->number : UINT64_MAX;
        struct location *at = find(t->c, t->addr[l], block, false);
        if (at && reads(t->t->how))
            acquire(t->c, at, t->cw, t->block->number, l, acquires);
        if (t->t->how == HOW_STRONG_READ)
            continue;
        struct release what = released(t, l);
        if (!at && what.narrow)
            at = find(t->c, t->addr[l], block, true);
        if (at)
            release(t->c, at, t->block->number, &what, t->t->how == HOW_ATOMIC);
    }
    if (deferred)
        later(t, deferred, acquires);
}
