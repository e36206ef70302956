/*
 * The controller of a memory channel: it gives addresses a place, keeps what waits, and chooses what is next.
 *
 * Address of the channel, and where it goes:
 *
 *      | row | bank | column | group | byte of the line |
 *         |     |       |        |
 *         |     |       +--------+--> group
 *         |     +-------+--------+
 *         |     +--> bank        |
 *         +-----+----------------+
 *
 *      group = group + column + bank + high part of the fold         modulo groups
 *      bank  = bank + low part of the fold                           modulo banks
 *      fold  = the row's bits in pieces as wide as bank and group together, xor-ed
 *
 * A line, `line_bytes`, stays together: its bursts are columns of one row. So a sequential stream goes round the groups
 * line by line and fills a row in each at a time, then one in the next bank of each; strides of powers of two change
 * groups, those of whole rows banks as well. Sums, because they keep neighbours apart where an exclusive or does not:
 * the last bank of one row and the first of the next stay different banks.
 *
 * Choice. At most `queue` bursts, in the order of arrival, are in the window; the others wait behind. Then, by rank:
 *   1. A burst that has seen patience x queue choices made since it came into the window is next.
 *   2. Reads come before writes. Writes are drained when they are 3/4 of the queue, or when there are no reads; a drain
 *      takes as many as wait beyond 1/4 of the queue (all that wait, if one was next by rule 1), and more while there
 *      are no reads. So the bus turns seldom, and reads wait for a bounded number of writes.
 *   3. Each bank offers its oldest burst for the open row, else its oldest: an open row is used up first.
 *   4. Of the offers, the one whose data can move first; of equals, the oldest.
 * A choice is made when the bus has no more than rp + rcd + cl cycles of data ahead of it: early enough to precharge,
 * activate and read behind that data, late enough to know what has come by then. It is final, and data move in the
 * order of the choices; commands of different banks overlap.
 *
 * Refresh. Due at each multiple of refi. A burst whose column command would not be before the due time waits: all open
 * rows are closed as soon as they may be, the refresh takes rfc, and the choice is made again. Refreshes that were due
 * while nothing happened are made up for at the next choice. Were refi shorter than a refresh and a burst take, one
 * burst would come between two refreshes, late as they are.
 *
 * Left out: closing rows that nobody waits for, the limits of row and column command pins, power-down.
 */
#include "sim/time/dram_private.h"

static u32 log2_of(u32 power) {
    u32 n = 0;
    while (power >>= 1)
        n++;
    return n;
}

struct dram *dram_new(const struct board_dram *cfg, u32 sm_clock_mhz, struct arena *arena) {
    struct dram *d = arena_alloc(arena, sizeof *d);
    if (!d)
        return NULL;
    d->cfg = *cfg;
    d->arena = arena;
    d->clock = dram_clock_of(sm_clock_mhz, cfg->clock_mhz);
    d->ahead = cfg->rp + cfg->rcd + cfg->cl;
    d->line_shift = log2_of(cfg->line_bytes);
    d->column_bits = log2_of(cfg->row_bytes) - d->line_shift;
    d->group_bits = log2_of(cfg->bank_groups);
    d->bank_bits = log2_of(cfg->banks);
    d->capacity = 64;
    d->arrival = arena_alloc(arena, d->capacity * sizeof *d->arrival);
    if (!d->arrival || !dram_device_init(&d->device, cfg, arena) ||
        !dram_window_init(&d->window, cfg->queue, d->device.banks, arena))
        return NULL;
    dram_reset(d, NULL, NULL);
    return d;
}

void dram_reset(struct dram *d, struct dram_counters *counters, struct traffic *traffic) {
    dram_device_reset(&d->device);
    dram_window_clear(&d->window);
    d->counters = counters;
    d->traffic = traffic;
    d->column.number = UINT64_MAX;
    d->pushed_sm = d->pushed_memory = 0;
    d->next = TIME_NEVER;
    d->now = d->bus_free = d->choices = 0;
    d->refresh_due = d->cfg.refi ? d->cfg.refi : TIME_NEVER;
    d->quota = d->head = d->queued = 0;
    d->writing = d->last_write = false;
}

static void find_column(const struct dram *d, u64 number, struct dram_column *c) {
    u32 groups = d->cfg.bank_groups, banks = d->cfg.banks, piece = d->group_bits + d->bank_bits;
    u64 bank = number >> d->column_bits, row = bank >> d->bank_bits, fold = 0;
    for (u64 rest = piece ? row : 0; rest; rest >>= piece)
        fold ^= rest;
    c->number = number;
    c->row = row;
    c->bank = (u32)((bank + fold) & (banks - 1)) * groups;
    c->turn = (u32)(number + bank + (fold >> d->bank_bits));
}

static u32 bank_of(const struct dram *d, const struct dram_column *c, u64 line) {
    return c->bank + (((u32)line + c->turn) & (d->cfg.bank_groups - 1));
}

struct dram_place dram_place_of(const struct dram *d, u64 address) {
    u64 line = address >> d->line_shift;
    struct dram_column c;
    find_column(d, line >> d->group_bits, &c);
    return (struct dram_place){c.row, bank_of(d, &c, line)};
}

u32 dram_waiting(const struct dram *d) {
    return d->queued + d->window.count[false] + d->window.count[true];
}

u64 dram_next(const struct dram *d) {
    return d->next;
}

/* Sets the time of the next choice. What is in the window came before the last one. */
static void schedule(struct dram *d) {
    d->next = TIME_NEVER;
    if (!dram_waiting(d))
        return;
    if (d->bus_free > d->ahead)
        d->now = max_u64(d->now, d->bus_free - d->ahead);
    if (dram_waiting(d) == d->queued)
        d->now = max_u64(d->now, d->arrival[d->head].time);
    d->next = dram_clock_sm(d->clock, d->now);
}

static void prefetch_bytes(const void *from, size_t bytes) {
    enum { HOST_LINE = 64 };
    for (size_t at = 0; at < bytes; at += HOST_LINE)
        __builtin_prefetch((const char *)from + at);
}

void dram_prefetch(const struct dram *d, u32 bursts) {
    const struct dram_window *w = &d->window;
    u32 room = w->size - w->count[false] - w->count[true];
    prefetch_bytes(d, sizeof *d);
    prefetch_bytes(d->device.bank, d->device.banks * sizeof *d->device.bank);
    prefetch_bytes(d->device.row, d->device.banks * sizeof *d->device.row);
    for (u32 k = 0; k < 2; k++)
        prefetch_bytes(w->list[k], w->banks * sizeof *w->list[k]);
    for (u32 i = room; i-- > 0 && bursts--;)
        __builtin_prefetch(&w->slot[w->unused[i]]);
}

static bool grow(struct dram *d) {
    struct dram_arrival *wider = arena_alloc(d->arena, 2 * (size_t)d->capacity * sizeof *wider);
    if (!wider)
        return false;
    for (u32 i = 0; i < d->queued; i++)
        wider[i] = d->arrival[(d->head + i) & (d->capacity - 1)];
    d->arrival = wider;
    d->head = 0;
    d->capacity *= 2;
    return true;
}

bool dram_push(struct dram *d, const struct dram_burst *burst) {
    if (d->queued == d->capacity && !grow(d))
        return false;
    struct dram_arrival *a = &d->arrival[(d->head + d->queued++) & (d->capacity - 1)];
    if (burst->time != d->pushed_sm) {
        d->pushed_sm = burst->time;
        d->pushed_memory = dram_clock_memory(d->clock, burst->time);
    }
    a->time = d->pushed_memory;
    a->burst = *burst;
    if (d->next == TIME_NEVER)
        schedule(d);
    return true;
}

/* Takes into the window what has come, as far as there is room. */
static void admit(struct dram *d) {
    struct dram_window *w = &d->window;
    while (d->queued && w->count[false] + w->count[true] < w->size && d->arrival[d->head].time <= d->now) {
        const struct dram_burst *b = &d->arrival[d->head].burst;
        u64 line = b->address >> d->line_shift;
        if (line >> d->group_bits != d->column.number)
            find_column(d, line >> d->group_bits, &d->column);
        u32 bank = bank_of(d, &d->column, line);
        struct dram_slot *slot = dram_window_next(w);
        slot->row = d->column.row;
        slot->bank = (u16)bank;
        slot->choices = (u32)d->choices;
        slot->id = b->id;
        slot->allocation = b->allocation;
        slot->useful = b->useful;
        slot->write = b->write;
        dram_window_add(w, d->device.row[bank]);
        d->head = (d->head + 1) & (d->capacity - 1);
        d->queued--;
    }
}

/* Rules 1 and 2: sets the direction. Returns the burst that has waited too long, or DRAM_NO_SLOT. */
static u32 choose_direction(struct dram *d) {
    const struct dram_window *w = &d->window;
    u32 reads = w->count[false], writes = w->count[true], queue = d->cfg.queue, oldest = dram_window_oldest(w);
    if ((u32)d->choices - w->slot[oldest].choices >= d->cfg.patience * queue) {
        if (w->slot[oldest].write && !d->writing)
            d->quota = writes;
        d->writing = w->slot[oldest].write;
        return oldest;
    }
    if (d->writing) {
        d->writing = writes && (!reads || d->quota);
    } else if (!reads || 4 * writes >= 3 * queue) {
        d->writing = true;
        d->quota = writes > queue / 4 ? writes - queue / 4 : 0;
    }
    return DRAM_NO_SLOT;
}

static struct dram_plan plan_of(const struct dram *d, u32 slot) {
    const struct dram_slot *s = &d->window.slot[slot];
    return dram_plan(&d->device, s->bank, s->row, s->write ? DRAM_WR : DRAM_RD, d->now);
}

/* When offers can move data at the soonest, by whether their row is open. */
struct soonest {
    u64 column[2];
};

static struct soonest soonest_of(const struct dram *d, enum dram_command column) {
    const struct dram_device *v = &d->device;
    u64 hit = max_u64(d->now, v->channel.ready[column]);
    u64 miss = max_u64(d->now, v->channel.ready[DRAM_ACT]) + v->within[DRAM_ACT][column];
    return (struct soonest){{max_u64(hit, miss), hit}};
}

/*
 * The oldest offer of all if it can move data as soon as any could, and if it is among the first few. A burst for an
 * open row is its bank's offer unless one before it is, and that one would have been taken.
 */
static u32 quick_choice(struct dram *d, const struct soonest *soonest, struct dram_plan *plan) {
    enum { FEW = 8 };
    struct dram_window *w = &d->window;
    const struct dram_device *v = &d->device;
    enum dram_command column = d->writing ? DRAM_WR : DRAM_RD;
    u64 hit = soonest->column[true];
    u32 s = w->oldest[d->writing];
    for (u32 i = 0; i < FEW && s != DRAM_NO_SLOT; i++, s = w->slot[s].younger) {
        u32 bank = w->slot[s].bank;
        if (w->slot[s].row == v->row[bank]) {
            if (v->bank[bank].ready[column] > hit || v->group[bank & (v->groups - 1)].ready[column] > hit)
                continue;
            *plan = (struct dram_plan){d->now, d->now, hit, DRAM_HIT};
            return s;
        }
        if (soonest->column[false] > hit || dram_window_offer(w, bank, d->writing, v->row[bank]) != s)
            continue;
        *plan = plan_of(d, s);
        if (plan->column == hit)
            return s;
    }
    return DRAM_NO_SLOT;
}

/* Rules 3 and 4: the best offer of the direction, with its plan. Most are seen not to win without a plan. */
static u32 choose_burst(struct dram *d, struct dram_plan *plan) {
    struct dram_window *w = &d->window;
    const struct dram_device *v = &d->device;
    bool write = d->writing;
    const struct soonest soonest = soonest_of(d, write ? DRAM_WR : DRAM_RD);
    u32 best = quick_choice(d, &soonest, plan);
    if (best != DRAM_NO_SLOT)
        return best;
    for (u32 word = 0; word < w->words; word++)
        for (u64 rest = w->occupied[write][word]; rest; rest &= rest - 1) {
            u32 bank = word * 64 + (u32)__builtin_ctzll(rest);
            u32 s = dram_window_offer(w, bank, write, v->row[bank]);
            bool younger = best != DRAM_NO_SLOT && !dram_window_older(w, s, best);
            if (younger && plan->column <= soonest.column[w->slot[s].row == v->row[bank]])
                continue;
            struct dram_plan p = plan_of(d, s);
            if (best == DRAM_NO_SLOT || p.column + younger <= plan->column) {
                best = s;
                *plan = p;
            }
        }
    return best;
}

/* Closes all rows and refreshes, once for each time that is due by `time` or, if none is, for the next. */
static void refresh(struct dram *d, u64 time) {
    u64 first = d->refresh_due, more = time > first ? (time - first) / d->cfg.refi : 0;
    dram_refresh(&d->device, first);
    if (more)
        dram_refresh(&d->device, first + more * d->cfg.refi);
    d->refresh_due = first + (more + 1) * d->cfg.refi;
    d->counters->refreshes += more + 1;
    for (u32 b = 0; b < d->device.banks; b++)
        dram_window_reopened(&d->window, b);
}

static void count(struct dram *d, const struct dram_slot *s, enum dram_state state) {
    struct dram_counters *c = d->counters;
    struct traffic *t = &d->traffic[s->allocation];
    u32 bytes = d->cfg.burst_bytes;
    *(s->write ? &c->writes : &c->reads) += 1;
    *(s->write ? &c->write_bytes : &c->read_bytes) += bytes;
    *(s->write ? &t->dram_write_bytes : &t->dram_read_bytes) += bytes;
    c->useful_bytes += s->useful;
    t->dram_useful_bytes += s->useful;
    c->row_hits += state == DRAM_HIT;
    c->row_misses += state == DRAM_MISS;
    c->row_conflicts += state == DRAM_CONFLICT;
    c->activates += state != DRAM_HIT;
    c->busy_cycles += d->cfg.burst_cycles;
    c->turnarounds += d->choices && s->write != d->last_write;
}

/* Carries out the plan of a slot, which is free then. */
static struct dram_done serve(struct dram *d, u32 slot, const struct dram_plan *plan) {
    const struct dram_slot *s = &d->window.slot[slot];
    struct dram_done done = {.id = s->id, .write = s->write};
    dram_carry_out(&d->device, s->bank, s->row, s->write ? DRAM_WR : DRAM_RD, plan);
    d->bus_free = plan->column + (s->write ? d->cfg.wl : d->cfg.cl) + d->cfg.burst_cycles;
    done.time = dram_clock_sm(d->clock, d->bus_free) + (s->write ? 0 : d->cfg.latency);
    count(d, s, plan->state);
    d->last_write = s->write;
    d->choices++;
    d->quota -= s->write && d->quota;
    dram_window_remove(&d->window, slot);
    if (plan->state != DRAM_HIT)
        dram_window_reopened(&d->window, s->bank);
    return done;
}

struct dram_done dram_step(struct dram *d) {
    struct dram_plan plan;
    if (d->next == TIME_NEVER)
        BUG("a choice of memory among no bursts");
    if (d->refresh_due <= d->now)
        refresh(d, d->now);
    admit(d);
    u32 late = choose_direction(d), slot = late;
    if (late != DRAM_NO_SLOT)
        plan = plan_of(d, late);
    else
        slot = choose_burst(d, &plan);
    if (plan.column >= d->refresh_due) {
        refresh(d, d->refresh_due);
        if (late != DRAM_NO_SLOT)
            plan = plan_of(d, late);
        else
            slot = choose_burst(d, &plan);
    }
    struct dram_done done = serve(d, slot, &plan);
    schedule(d);
    return done;
}

u64 dram_end(const struct dram *d) {
    return dram_clock_sm(d->clock, d->bus_free);
}
