/* Fences, releases and acquires: what passes from thread to thread by locations in memory. */
#include "sim/check/order.h"

#include <stdio.h>

/* Knowledge at a location for threads of one block only. */
struct narrow {
    u64 block;
    struct knowledge *know;
    struct narrow *next;
};

/* Knowledge at a location for threads that acquire it. */
struct location {
    u64 key;                /* address / 4 + 1, with the block's number for shared memory; 0: free */
    u64 block;              /* of shared memory, else UINT64_MAX */
    struct knowledge *wide; /* for all threads */
    struct narrow *narrow;  /* for the blocks that released to themselves */
};

/* What a lane releases by a strong write: to all threads, and to its block. NULL: nothing. */
struct release {
    u64 addr;
    u32 lane;
    struct knowledge *wide, *narrow;
};

/* A release or acquire that L2 has not performed. */
struct note {
    struct performed performed; /* first: what L2 hands back */
    struct note *next;          /* of the free ones */
    struct check *c;
    u64 times; /* check.times when it was made: if that is another now, what it releases was forgotten */
    struct check_block *block;
    u64 number;   /* of the block */
    u64 sequence; /* of the access */
    u32 warp;
    bool reads, keeps; /* it returns what it read; it leaves what the location held, as atomics do */
    bool acquire;      /* the access itself acquires; else the next fence does */
    u32 lanes;         /* those that release */
    u32 left;          /* those of them that L2 has not performed */
    struct release release[];
};

/* ---- what a lane knows ---- */

/* Copies what a lane knows now, itself included. */
static struct knowledge *snapshot(const struct site *t, u32 lane) {
    const struct check_block *b = t->block;
    const struct check_warp *w = t->cw;
    u32 warps = b->of->warps, me = t->w->index, n = 0;
    struct knowledge *k = order_knowledge(t->c, (b->known ? warps : 1) + (w->lane_known ? t->width : 1) + 1);
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
    return order_join(t->c, k, w->order ? w->order->know[lane] : NULL);
}

/* Mark with only what a later release would need: few lanes that fence release anything. */
static struct fence_mark mark(const struct site *t, u32 lane) {
    struct fence_mark m = {.sequence = t->c->sequence, .lanes_known = t->cw->lanes_known};
    m.all_known = t->block->all_known;
    m.know = t->cw->order->know[lane];
    m.exact = t->block->known || t->cw->lane_known ? snapshot(t, lane) : NULL;
    return m;
}

/* Knowledge of the lane at a fence. */
static struct knowledge *marked(const struct site *t, u32 lane, const struct fence_mark *m) {
    u64 number = t->block->number;
    if (m->exact)
        return m->exact;
    struct knowledge *k = order_knowledge(t->c, 3);
    if (!k)
        return NULL;
    k->entry[k->count++] = (struct entry){number, t->w->index, lane, m->sequence};
    if (m->lanes_known)
        k->entry[k->count++] = (struct entry){number, t->w->index, EVERY_LANE, m->lanes_known};
    if (m->all_known)
        k->entry[k->count++] = (struct entry){number, EVERY_WARP, EVERY_LANE, m->all_known};
    return order_join(t->c, k, m->know);
}

/* ---- fences ---- */

void order_fence(struct site *t) {
    struct lane_order *o = order_of_lanes(t->c, t->cw);
    bool wide = t->i->op != OP_FENCE_BLOCK;
    t->c->sequence++;
    for (u64 left = t->exec; left && o; left &= left - 1) {
        u32 l = first_lane(left);
        o->know[l] = order_join(t->c, o->know[l], o->narrow_seen[l]);
        if (wide)
            o->know[l] = order_join(t->c, o->know[l], o->seen[l]);
        o->narrow_seen[l] = NULL;
        o->seen[l] = wide ? NULL : o->seen[l];
        o->fence[l] = mark(t, l);
        if (wide)
            o->wide[l] = o->fence[l];
    }
}

/* ---- locations ---- */

static struct location *find(struct check *c, u64 addr, u64 block, bool make) {
    u64 key = addr / 4 + 1;
    if (make && 2 * (c->nlocations + 1) > c->locations_size) {
        u32 size = c->locations_size ? 2 * c->locations_size : 256;
        struct location *old = c->location, *new = order_alloc(c, size * sizeof *new);
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

/* A lane of a warp of a block in the grid. */
struct lane_of {
    u64 block;
    struct check_warp *warp;
    u32 lane;
};

static void learn(struct check *c, struct knowledge **to, struct knowledge *what) {
    *to = order_join(c, *to, what);
}

/* Lets the lane's last fence, which has waited for a read, know what that has seen. */
static void learn_at_fence(struct check *c, struct lane_order *o, u32 lane, struct knowledge *what) {
    struct fence_mark *m = &o->fence[lane];
    bool wide = o->wide[lane].sequence == m->sequence;
    learn(c, &o->know[lane], what);
    learn(c, m->exact ? &m->exact : &m->know, what);
    if (wide)
        o->wide[lane] = *m;
}

/*
 * A strong read of the location by a lane. It acquires at once, or by the lane's next fence, or by its last one, if
 * that follows the read: with a clock a fence waits until L2 has performed what the warp reads before it.
 */
static void acquire(struct check *c, const struct location *at, struct lane_of of, bool now, u64 sequence) {
    const struct narrow *own = narrow_of(at, of.block);
    struct knowledge *narrow = own ? own->know : NULL;
    struct lane_order *o = at->wide || narrow ? order_of_lanes(c, of.warp) : NULL;
    if (!o)
        return;
    bool fenced = o->fence[of.lane].sequence > sequence, wide = o->wide[of.lane].sequence > sequence;
    if (now) {
        learn(c, &o->know[of.lane], order_join(c, at->wide, narrow));
        return;
    }
    if (fenced)
        learn_at_fence(c, o, of.lane, order_join(c, narrow, wide ? at->wide : NULL));
    else
        learn(c, &o->narrow_seen[of.lane], narrow);
    if (!wide)
        learn(c, &o->seen[of.lane], at->wide);
}

/* Releases by a strong write: an atomic keeps what the location held. */
static void release(struct check *c, struct location *at, u64 block, const struct release *what, bool atomic) {
    at->wide = order_join(c, atomic ? at->wide : NULL, what->wide);
    if (!atomic)
        at->narrow = NULL;
    if (!what->narrow)
        return;
    struct narrow *own = narrow_of(at, block);
    if (!own && (own = order_alloc(c, sizeof *own))) {
        *own = (struct narrow){.block = block, .next = at->narrow};
        at->narrow = own;
    }
    if (own)
        own->know = order_join(c, own->know, what->narrow);
}

/* Knowledge that a lane's write at this site releases. */
static struct release released(struct site *t, u32 lane) {
    const struct lane_order *o = t->cw->order;
    struct release r = {.addr = t->addr[lane], .lane = lane};
    if (inst_mod_or(t->i, GROUP_HINT, HINT_NONE) == HINT_RELEASE)
        r.wide = r.narrow = snapshot(t, lane);
    else if (o && o->fence[lane].sequence)
        r.narrow = marked(t, lane, &o->fence[lane]);
    if (o && !r.wide && o->wide[lane].sequence)
        r.wide = o->wide[lane].sequence == o->fence[lane].sequence ? r.narrow : marked(t, lane, &o->wide[lane]);
    return r;
}

/* True if a thread gets the value: a reduction returns none. */
static bool reads(const struct site *t) {
    return t->t->how == HOW_STRONG_READ || (t->t->how == HOW_ATOMIC && t->i->d != RZ);
}

/* ---- once L2 has performed an access ---- */

static void acquired(const struct note *n, u64 addr, u32 lane) {
    const struct location *at = find(n->c, addr, UINT64_MAX, false);
    if (at && n->block->number == n->number) /* the block is still there */
        acquire(n->c, at, (struct lane_of){n->number, &n->block->warp[n->warp], lane}, n->acquire, n->sequence);
}

/* L2 has performed an access: each lane acquires and releases, before the next one does. */
static void performed(struct performed *p, const struct deferred *d) {
    struct note *n = (struct note *)(void *)p;
    struct check *c = n->c;
    for (u32 i = 0; i < d->lanes && n->reads && !n->lanes; i++)
        acquired(n, d->line + d->lane[i].offset, d->lane[i].lane);
    for (u32 i = 0; i < n->lanes; i++) {
        struct release *what = &n->release[i];
        if (what->addr - d->line >= CHUNK_BYTES)
            continue;
        if (n->reads)
            acquired(n, what->addr, what->lane);
        struct location *at = find(c, what->addr, UINT64_MAX, true);
        if (n->times != c->times)
            what->wide = what->narrow = NULL;
        if (at)
            release(c, at, n->number, what, n->keeps);
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
    if (!n && !reads(t))
        return;
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
    note->sequence = t->c->sequence;
    note->reads = reads(t);
    note->keeps = t->t->how == HOW_ATOMIC;
    note->acquire = acquires;
    for (u64 left = n ? lanes : 0; left; left &= left - 1) {
        u32 l = first_lane(left);
        note->release[note->lanes++] = released(t, l);
    }
    t->w->effect->watch = &note->performed;
}

/* ---- strong accesses ---- */

void order_strong(struct site *t) {
    bool acquires = inst_mod_or(t->i, GROUP_HINT, HINT_NONE) == HINT_ACQUIRE;
    u64 deferred = 0;
    if (reads(t))
        t->cw->read = (struct strong_read){t->c->sequence, t->pc, first_lane(t->exec), acquires};
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
        if (at && reads(t))
            acquire(t->c, at, (struct lane_of){t->block->number, t->cw, l}, acquires, t->c->sequence);
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

/* ---- what is missing ---- */

/* True if a lane has read what a recorded access was released by, and has no fence after that. */
static bool has_seen(const struct check_warp *w, u32 lane, const struct check_record *r, u32 from) {
    const struct knowledge *of[] = {w->order->seen[lane], w->order->narrow_seen[lane]};
    return (of[0] && order_includes(of[0], r, from)) || (of[1] && order_includes(of[1], r, from));
}

/* Finds a warp of the site's block, and its first lane, that has_seen is true of; NULL: there is none. */
static const struct check_warp *find_seen(const struct site *t, const struct check_record *r, u32 from, u32 *lane) {
    for (u32 i = 0; i < t->block->of->warps; i++) {
        const struct check_warp *w = &t->block->warp[i];
        for (*lane = 0; w->read.sequence && w->order && *lane < t->width; ++*lane)
            if (has_seen(w, *lane, r, from))
                return w;
    }
    return NULL;
}

/* Finds the warp that was to acquire: the site's, if it has strong reads, else the last that read; NULL: none has. */
static const struct check_warp *find_reader(const struct site *t) {
    const struct check_warp *last = t->cw;
    for (u32 i = 0; i < t->block->of->warps && !t->cw->read.sequence; i++) {
        const struct check_warp *w = &t->block->warp[i];
        last = w->read.sequence > last->read.sequence ? w : last;
    }
    return last->read.sequence ? last : NULL;
}

void order_remedy(const struct site *t, const struct check_record *r, u32 from, char *text, size_t size) {
    const u32 *line_of = t->c->launch.program->line;
    bool inside = r->block == t->block->number;
    u32 lane;
    const struct check_warp *w = find_seen(t, r, from, &lane);
    if (w) {
        u32 line = line_of[w->read.pc];
        snprintf(text, size,
                 "line %u reads what was released after the earlier access: a %s after line %u would order them%s",
                 line, inside ? "fence.block" : "fence.gpu", line,
                 w->order->fence[lane].sequence > w->read.sequence ? "; fence.block reaches its own block only" : "");
        return;
    }
    w = inside ? NULL : find_reader(t);
    if (!w)
        return;
    bool acquires = w->read.acquires || (w->order && w->order->wide[w->read.lane].sequence > w->read.sequence);
    snprintf(text, size,
             acquires
                 ? "the earlier access is not released: a fence.gpu between it and the store or atomic that line %u "
                   "reads would order them"
                 : "no fence.gpu stands after line %u, nor between the earlier access and the store or atomic that it "
                   "reads",
             line_of[w->read.pc]);
}
