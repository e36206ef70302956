/*
 * Error correction whose check bits are in the same memory (dram.ecc: inline). A burst of check bits is of `ecc_bursts`
 * bursts of data, and lies in rows of its own, above all others. The controller keeps some of them:
 *
 *      data read     waits for its check bits too: those kept, or read before it
 *      data written  changes its check bits: those kept, or read first; they are written when they are given up
 *      kept          `ecc_cache` bursts, the last used, and those that bursts in the controller wait for
 *
 * In the controller a burst has another number than its owner gave it: a place here, or one that is none.
 * Check bits that are kept at the end of a launch are not written, as the dirty lines of L2 are not.
 */
#include "sim/time/dram_private.h"

#define NONE UINT32_MAX
enum { CHAINS = 256 };

#define CHECK_BITS (1ull << 36) /* where they lie in the channel: above what any launch has */
#define READ_OF (1u << 31)      /* of the number of a burst that reads check bits; all ones: it writes some */

/* Check bits that are kept, or are being read. */
struct dram_check {
    u64 number;     /* of the burst of check bits */
    u64 used;       /* number of its last use */
    u64 ready;      /* end of its read, SM cycles; TIME_NEVER: not known yet */
    u32 users;      /* bursts in the controller that it is for */
    u32 held;       /* first burst whose data came before it; NONE: none */
    u32 next;       /* next of its chain, or of the unused ones */
    u32 allocation; /* of the last burst that it was for */
    bool dirty, taken;
};

/* A burst of data in the controller. */
struct dram_checked {
    struct dram_done done; /* the owner's number; the end of its data while it is held */
    u32 check, next;       /* its check bits; next that is held, or unused */
};

bool dram_ecc_init(struct dram *d) {
    switch (d->cfg.ecc) {
    case ecc_NONE:
    case ecc_BESIDE: return true; /* pins of their own: no burst more, but for the reads of partial writes (l2.h) */
    case ecc_INLINE:
        d->early = true;
        d->ecc = arena_alloc(d->arena, sizeof *d->ecc);
        return d->ecc && (d->ecc->chain = arena_alloc(d->arena, CHAINS * sizeof *d->ecc->chain)) != NULL;
    }
    BUG("check bits that are nowhere");
}

void dram_ecc_reset(struct dram *d) {
    struct dram_ecc *e = d->ecc;
    e->spare_check = e->spare_data = NONE;
    e->uses = 0;
    e->kept = e->first = e->waiting = 0;
    for (u32 i = e->checks; i-- > 0; e->spare_check = i)
        e->check[i] = (struct dram_check){.next = e->spare_check};
    for (u32 i = e->datas; i-- > 0; e->spare_data = i)
        e->data[i] = (struct dram_checked){.next = e->spare_data};
    for (u32 i = 0; i < CHAINS; i++)
        e->chain[i] = NONE;
}

static bool more_checks(struct dram *d) {
    struct dram_ecc *e = d->ecc;
    u32 count = e->checks ? 2 * e->checks : 64;
    struct dram_check *check = arena_alloc(d->arena, count * sizeof *check);
    if (!check)
        return false;
    for (u32 i = 0; i < count; i++)
        check[i] = i < e->checks ? e->check[i] : (struct dram_check){.next = i + 1 < count ? i + 1 : NONE};
    e->spare_check = e->checks;
    e->check = check;
    e->checks = count;
    return true;
}

static bool more_datas(struct dram *d) {
    struct dram_ecc *e = d->ecc;
    u32 count = e->datas ? 2 * e->datas : 256;
    struct dram_checked *data = arena_alloc(d->arena, count * sizeof *data);
    struct dram_done *done = arena_alloc(d->arena, count * sizeof *done);
    if (!data || !done)
        return false;
    for (u32 i = 0; i < e->waiting; i++)
        done[i] = e->done[(e->first + i) & (e->datas - 1)];
    e->first = 0;
    e->done = done;
    for (u32 i = 0; i < count; i++)
        data[i] = i < e->datas ? e->data[i] : (struct dram_checked){.next = i + 1 < count ? i + 1 : NONE};
    e->spare_data = e->datas;
    e->data = data;
    e->datas = count;
    return true;
}

/* Pushes a burst of check bits, charged as the burst that it is for. */
static bool push_check(struct dram *d, u64 number, const struct dram_burst *of, u32 id) {
    d->counters->check_bursts++;
    return dram_push_plain(d, &(struct dram_burst){.time = of->time,
                                                   .address = CHECK_BITS + number * d->cfg.burst_bytes,
                                                   .id = id,
                                                   .allocation = of->allocation,
                                                   .write = id == NONE});
}

/* Finds the check bits of a burst, or begins to read them; NONE when out of memory. */
static u32 find_check(struct dram *d, const struct dram_burst *b) {
    struct dram_ecc *e = d->ecc;
    u64 number = b->address / d->cfg.burst_bytes / d->cfg.ecc_bursts;
    u32 *chain = &e->chain[number % CHAINS];
    for (u32 i = *chain; i != NONE; i = e->check[i].next)
        if (e->check[i].number == number)
            return i;
    u32 index = e->spare_check;
    e->spare_check = e->check[index].next;
    e->check[index] =
        (struct dram_check){.number = number, .ready = TIME_NEVER, .held = NONE, .next = *chain, .taken = true};
    *chain = index;
    return push_check(d, number, b, READ_OF | index) ? index : NONE;
}

bool dram_ecc_push(struct dram *d, const struct dram_burst *burst) {
    struct dram_ecc *e = d->ecc;
    if ((e->spare_check == NONE && !more_checks(d)) || (e->spare_data == NONE && !more_datas(d)) ||
        !dram_reserve(d, e->checks))
        return false;
    u32 index = find_check(d, burst), place = e->spare_data;
    if (index == NONE)
        return false;
    struct dram_check *c = &e->check[index];
    struct dram_burst plain = *burst;
    e->spare_data = e->data[place].next;
    e->data[place] = (struct dram_checked){{.id = burst->id, .write = burst->write}, index, NONE};
    c->used = ++e->uses;
    c->allocation = burst->allocation;
    e->kept -= c->users++ == 0 && c->ready != TIME_NEVER;
    c->dirty = c->dirty || burst->write;
    plain.id = place;
    return dram_push_plain(d, &plain);
}

/* Gives up an entry: takes it off its chain, and writes it if it was changed. */
static void give_up(struct dram *d, u32 index, u64 now) {
    struct dram_ecc *e = d->ecc;
    struct dram_check *c = &e->check[index];
    u32 *link = &e->chain[c->number % CHAINS];
    while (*link != index)
        link = &e->check[*link].next;
    *link = c->next;
    if (c->dirty) /* has room: dram_reserve */
        push_check(d, c->number, &(struct dram_burst){.time = max_u64(now, d->pushed_sm), .allocation = c->allocation},
                   NONE);
    *c = (struct dram_check){.next = e->spare_check};
    e->spare_check = index;
    e->kept--;
}

/* No burst needs the entry any more: it is kept, and the one used longest ago is not where that is one too many. */
static void keep(struct dram *d, u64 now) {
    struct dram_ecc *e = d->ecc;
    if (++e->kept <= d->cfg.ecc_cache)
        return;
    u32 oldest = NONE;
    for (u32 i = 0; i < e->checks; i++) {
        const struct dram_check *c = &e->check[i];
        bool may = c->taken && !c->users && c->ready != TIME_NEVER;
        oldest = may && (oldest == NONE || c->used < e->check[oldest].used) ? i : oldest;
    }
    give_up(d, oldest, now);
}

/* Hands a burst of data to its owner, not before its check bits are there. */
static void release(struct dram *d, u32 place, u64 now) {
    struct dram_ecc *e = d->ecc;
    struct dram_checked *data = &e->data[place];
    struct dram_check *c = &e->check[data->check];
    if (!data->done.write)
        data->done.time = max_u64(data->done.time, c->ready);
    e->done[(e->first + e->waiting++) & (e->datas - 1)] = data->done;
    data->next = e->spare_data;
    e->spare_data = place;
    if (--c->users == 0)
        keep(d, now);
}

void dram_ecc_served(struct dram *d, struct dram_done done, u64 now) {
    struct dram_ecc *e = d->ecc;
    if (done.id == NONE)
        return;
    if (done.id & READ_OF) {
        struct dram_check *c = &e->check[done.id & ~READ_OF];
        c->ready = done.time;
        for (u32 i = c->held; i != NONE;) {
            u32 next = e->data[i].next;
            release(d, i, now);
            i = next;
        }
        return;
    }
    struct dram_checked *data = &e->data[done.id];
    struct dram_check *c = &e->check[data->check];
    data->done.time = done.time;
    if (c->ready != TIME_NEVER) {
        release(d, done.id, now);
        return;
    }
    data->next = c->held;
    c->held = done.id;
}

bool dram_ecc_take(struct dram *d, struct dram_done *done, u64 now) {
    struct dram_ecc *e = d->ecc;
    if (!e->waiting)
        return false;
    *done = e->done[e->first];
    done->time = max_u64(done->time, now);
    e->first = (e->first + 1) & (e->datas - 1);
    e->waiting--;
    return true;
}

bool dram_ecc_owner(const struct dram *d, u32 *id) {
    if (*id & READ_OF)
        return false;
    *id = d->ecc->data[*id].done.id;
    return true;
}
