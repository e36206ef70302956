/*
 * Barriers and member masks: what the machine faults for, found just before, and barriers that are left incomplete.
 * Exchanges between the lanes of a warp without bar.warp are found by race.c.
 */
#include "sim/check/shadow.h"

static void found(struct site *t, u32 class, u32 lane, const char *text, u32 id) {
    struct check_finding f = {.class = (u8) class, .places = 1, .at = {site_place(t, lane)}, .space = SPACE_COUNT};
    found_add(t->c, &f, text, id);
}

/* The thread count that a lane names. */
static u32 count_of(const struct site *t, u32 lane) {
    return t->w->base[t->u->bsel][t->u->b + lane];
}

static void barrier(struct site *t) {
    const struct block *b = t->w->block;
    const struct barrier *bar = &b->barrier[t->u->na];
    u64 missing = t->w->live & ~t->exec, gone = t->w->members & ~t->w->live;
    u32 id = t->u->na, first = first_lane(t->exec), expected = b->warps;
    if (missing)
        found(t, FOUND_SYNC_DIVERGENT_BARRIER, first_lane(missing),
              "this lane is elsewhere: a warp arrives at barrier %u as a whole", id);
    for (u64 left = t->u->counted ? t->exec : 0; left; left &= left - 1)
        if (count_of(t, first_lane(left)) != count_of(t, first)) {
            found(t, FOUND_SYNC_COUNT, first_lane(left), "lanes name different thread counts at barrier %u", id);
            return;
        }
    if (t->u->counted) {
        u32 threads = count_of(t, first);
        expected = threads / t->width;
        if (!threads || threads % t->width || expected > b->warps)
            found(t, FOUND_SYNC_COUNT, first,
                  "the thread count at barrier %u is not a number of whole warps of the block", id);
    } else if (gone) {
        found(t, FOUND_SYNC_INCOMPLETE, first_lane(gone), "this lane has exited, and barrier %u waits for all threads",
              id);
    }
    if (bar->expected && bar->expected != expected)
        found(t, FOUND_SYNC_COUNT, first, "the thread count at barrier %u is another one than where warps wait", id);
    if (bar->who[t->w->index / 64] >> t->w->index % 64 & 1)
        found(t, FOUND_SYNC_COUNT, first, "this warp has arrived at barrier %u before it was complete", id);
}

void sync_site(struct site *t) {
    if (op_memory(t->i->op) == MEMORY_BARRIER)
        barrier(t);
    const u32 *mask = t->w->base[t->u->csel] + t->u->c;
    u64 all = t->w->run->full;
    for (u64 left = t->u->masked ? t->exec : 0; left; left &= left - 1) {
        u32 l = first_lane(left);
        u64 named = ((u64)mask[l] | (u64)mask[l + t->width] << 32) & all;
        if (named == t->exec)
            continue;
        found(t, FOUND_SYNC_MEMBERS, l,
              named & ~t->exec ? "its member mask names lane %u, which does not take part"
                               : "its member mask leaves out lane %u, which takes part",
              first_lane(named & ~t->exec ? named & ~t->exec : t->exec & ~named));
        return;
    }
}

/* ---- strong accesses of a warp's lanes ---- */

/* Values that derive from one that was loaded: registers, predicates. */
struct derived {
    u64 regs[4];
    u16 predicates;
};

static bool derives(const struct derived *d, const struct check_inst *t, const struct inst *i) {
    bool any = (t->predicates | 1u << (i->guard & PT)) & d->predicates;
    for (u32 p = PLACE_A; p <= PLACE_C; p++)
        for (u32 r = t->first[p]; r < (u32)t->first[p] + t->count[p]; r++)
            any |= d->regs[r / 64] >> r % 64 & 1;
    return any;
}

/* Marks the results of an instruction; those of another one, that no guard leaves out, hold something else from now. */
static void derive(struct derived *d, const struct check_inst *t, const struct inst *i, bool from) {
    bool whole = (i->guard & PT) == PT;
    for (u32 r = t->first[PLACE_D]; r < (u32)t->first[PLACE_D] + t->count[PLACE_D]; r++)
        d->regs[r / 64] = from    ? d->regs[r / 64] | (u64)1 << r % 64
                          : whole ? d->regs[r / 64] & ~((u64)1 << r % 64)
                                  : d->regs[r / 64];
    d->predicates = (u16)(from ? d->predicates | t->results : whole ? d->predicates & ~t->results : d->predicates);
}

static bool decides_branch(const struct check *c, u32 load) {
    const struct program *p = c->launch.program;
    struct derived d = {0};
    derive(&d, &c->inst[load], &p->inst[load], true);
    u32 pc = load + 1;
    for (u32 steps = 0; pc < p->ninst && steps < p->ninst; steps++) {
        const struct inst *i = &p->inst[pc];
        bool from = derives(&d, &c->inst[pc], i), ends = isa_rows[i->op].iclass == CLASS_BRANCH;
        if (ends && (from || i->op == OP_CALL || i->op == OP_RET))
            return true; /* what a caller or function does with it is not looked at */
        if (ends && (i->guard & PT) == PT && i->op != OP_BRA)
            return false;
        derive(&d, &c->inst[pc], i, from);
        pc = ends && (i->guard & PT) == PT ? inst_target(i) : pc + 1;
    }
    return false;
}

/* True if a loaded value decides a branch that follows, as that of a flag does: the thread sees whether it has come. */
static bool is_polled(const struct check *c, u32 load) {
    struct check_inst *t = &c->inst[load];
    if (t->polled == POLLED_UNKNOWN)
        t->polled = decides_branch(c, load) ? POLLED_YES : POLLED_NO;
    return t->polled == POLLED_YES;
}

/*
 * True for a strong load and a strong store of one warp in shared memory, of which the load takes what it finds: as in
 * reductions that rely on lanes in lockstep. They are no race, and nothing orders them either.
 */
bool sync_exchanges(const struct site *t, u32 lane, const struct check_record *r) {
    bool loads = t->t->how == HOW_STRONG_READ && r->how == HOW_STRONG_WRITE;
    if (!loads && (t->t->how != HOW_STRONG_WRITE || r->how != HOW_STRONG_READ))
        return false;
    return checks(t->c, CHECK_SYNC) && t->space[lane] == SPACE_SHARED && r->block == t->block->number &&
           r->warp == t->w->index && !is_polled(t->c, loads ? t->pc : r->pc);
}

/* Reports barriers with arrivals that will not be complete: the last warp of the block is done. */
void sync_warp_done(struct site *t) {
    const struct block *b = t->w->block;
    for (u32 id = 0; id < BARRIER_COUNT; id++) {
        const struct barrier *bar = &b->barrier[id];
        if (b->left > 1 || bar->expected == 0)
            continue;
        struct check_finding f = {.class = FOUND_SYNC_INCOMPLETE, .places = 1, .at = {t->block->barrier[id].last}};
        f.space = SPACE_COUNT;
        found_add(t->c, &f, "barrier %u has %u of %u warps when the block ends", id, bar->arrived, bar->expected);
    }
}

/* Reports all barriers where warps of a block wait for one another for ever. Its launch is over: the block is freed. */
void sync_deadlock(struct check *c, u64 block) {
    struct check_block *const *blocks = (struct check_block *const *)(const void *)c->blocks.data;
    for (size_t i = 0; i < c->blocks.len / sizeof *blocks; i++) {
        for (u32 id = 0; id < BARRIER_COUNT && blocks[i]->number == block; id++) {
            const struct check_barrier *bar = &blocks[i]->barrier[id];
            if (bar->expected == 0)
                continue;
            struct check_finding f = {.class = FOUND_SYNC_INCOMPLETE, .places = 1};
            f.at[0] = bar->last;
            f.space = SPACE_COUNT;
            found_add(c, &f, "barrier %u has %u of %u warps, and no warp can go on", id, bar->arrived, bar->expected);
        }
    }
}
