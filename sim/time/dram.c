/*
 * The controller of a memory channel: it gives addresses a place, keeps what waits, and chooses what is next.
 *
 * Address of the channel, and its place:
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
 * A line, `line_bytes`, stays together: its bursts are columns of one row. So a sequential stream visits the groups
 * line by line and fills a row in each at a time, then one in the next bank of each; strides of powers of two change
 * groups, those of whole rows banks as well. Sums, because they keep neighbours apart where an exclusive or does not:
 * the last bank of one row and the first of the next stay different banks.
 *
 * At most `read_queue` reads and `write_queue` writes, each in the order of arrival, are in the window; the others wait
 * for room. dram_choose.c has the rules of the choice, dram_refresh.c those of refreshes.
 *
 * Nothing ticks: dram_step does the work of one memory cycle, and the next one is that of the next command or arrival.
 * The next commands are kept until something that they follow from changes.
 */
#include "sim/time/dram_private.h"
#include "sim/time/record.h"

#include <string.h>

static u32 log2_of(u32 power) {
    u32 n = 0;
    while (power >>= 1)
        n++;
    return n;
}

/* Makes the ring twice as long. */
static bool grow(struct dram_ring *r, struct arena *arena) {
    u32 capacity = r->capacity ? 2 * r->capacity : 64;
    struct dram_arrival *slot = arena_alloc(arena, capacity * sizeof *slot);
    if (!slot)
        return false;
    for (u32 i = 0; i < r->count; i++)
        slot[i] = r->slot[(r->head + i) & (r->capacity - 1)];
    *r = (struct dram_ring){slot, 0, r->count, capacity};
    return true;
}

/* Pins, unless no command can find them taken. False when out of memory. */
static bool pins_init(struct dram *d) {
    const struct board_dram *c = &d->cfg;
    if (c->pins == pins_APART && c->act_cycles == 1 && c->column_cycles == 1 && c->pseudo_channels == 1)
        return true;
    d->pins = arena_alloc(d->arena, sizeof *d->pins);
    if (d->pins)
        *d->pins = (struct dram_pins){.channel = {d}, .channels = 1};
    return d->pins != NULL;
}

struct dram *dram_new(const struct board_dram *cfg, u32 sm_clock_mhz, struct arena *arena) {
    struct dram *d = arena_alloc(arena, sizeof *d);
    if (!d)
        return NULL;
    d->cfg = *cfg;
    d->arena = arena;
    d->clock = dram_clock_of(sm_clock_mhz, cfg->clock_mhz);
    d->line_shift = log2_of(cfg->line_bytes);
    d->column_bits = log2_of(cfg->row_bytes) - d->line_shift;
    d->group_bits = log2_of(cfg->bank_groups);
    d->bank_bits = log2_of(cfg->banks * cfg->stack_ids);
    d->opening[false] = cfg->rcd;
    d->opening[true] = cfg->rcd_write ? cfg->rcd_write : cfg->rcd;
    if (!dram_device_init(&d->device, cfg, arena) ||
        !dram_window_init(&d->window, cfg->read_queue + cfg->write_queue, d->device.banks, arena))
        return NULL;
    d->want = arena_alloc(arena, d->window.words * sizeof *d->want);
    d->opened = arena_alloc(arena, d->device.banks * sizeof *d->opened);
    d->opens = arena_alloc(arena, d->device.banks * sizeof *d->opens);
    d->page = arena_alloc(arena, d->device.banks * sizeof *d->page);
    d->refreshed_until = arena_alloc(arena, d->device.banks * sizeof *d->refreshed_until);
    d->early = cfg->forward != forward_NONE;
    if (!d->want || !d->opened || !d->opens || !d->page || !d->refreshed_until || !pins_init(d) || !dram_ecc_init(d))
        return NULL;
    d->simple =
        cfg->refresh == refresh_AT_DUE && !d->pins && cfg->page == page_OPEN && cfg->scheduler == scheduler_FRFCFS;
    d->mapped = cfg->map != map_ROBACOBG || cfg->spread != spread_SUM;
    dram_reset(d, NULL, NULL);
    return d;
}

void dram_share_pins(struct dram *d, struct dram *first) {
    d->pins = first->pins;
    d->pins->channel[d->pins->channels++] = d;
}

void dram_reset(struct dram *d, struct dram_counters *counters, struct traffic *traffic) {
    dram_device_reset(&d->device);
    dram_window_clear(&d->window);
    memset(d->want, 0, d->window.words * sizeof *d->want);
    memset(d->opened, DRAM_HIT, d->device.banks * sizeof *d->opened);
    memset(d->opens, 0, d->device.banks * sizeof *d->opens);
    memset(d->refreshed_until, 0, d->device.banks * sizeof *d->refreshed_until);
    d->counters = counters;
    d->by_bank = NULL;
    d->traffic = traffic;
    d->place.number = UINT64_MAX;
    d->pushed_sm = d->pushed_memory = 0;
    d->next = d->event = TIME_NEVER;
    d->column = d->row = (struct dram_turn){TIME_NEVER, DRAM_NO_SLOT};
    d->stale_column = d->stale_row = false;
    d->soon = d->bus_free = d->served = d->since = d->entered = d->idle = 0;
    dram_refresh_reset(d);
    dram_page_reset(d);
    if (d->ecc)
        dram_ecc_reset(d);
    if (d->pins) {
        d->pins->free[0] = d->pins->free[1] = 0;
        d->pins->last = NULL;
    }
    d->ring[false].count = d->ring[true].count = d->arrivals = d->quota = 0;
    d->late = DRAM_NO_SLOT;
    d->writing = d->last_write = false;
    d->record = NULL;
}

void dram_count_banks(struct dram *d, struct dram_counters *bank, u32 channel) {
    d->by_bank = bank + (size_t)channel * d->device.banks;
}

void dram_log(struct dram *d, struct buf *commands, struct buf *requests) {
    d->device.log = commands;
    d->requests = requests;
}

static void log_request(const struct dram *d, const struct dram_burst *b) {
    struct dram_request *to = buf_push(d->requests, sizeof *to);
    if (to)
        *to = (struct dram_request){d->pushed_memory, b->address, b->write};
}

void dram_watch(struct dram *d, struct record *record, u32 channel) {
    d->record = record;
    d->channel = channel;
}

u32 dram_waiting(const struct dram *d) {
    return d->ring[false].count + d->ring[true].count + d->window.count[false] + d->window.count[true];
}

u64 dram_next(const struct dram *d) {
    return d->next;
}

u64 dram_event(const struct dram *d) {
    return d->event;
}

bool dram_before(const struct dram *d, const struct dram *other) {
    return d->event < other->event || (d->event == other->event && d->pins && d->pins->last == other);
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

static bool has_room(const struct dram *d, bool write) {
    if (UNLIKELY(d->cfg.writes == write_handling_SHARED))
        return d->window.count[false] + d->window.count[true] < d->cfg.read_queue;
    return d->window.count[write] < (write ? d->cfg.write_queue : d->cfg.read_queue);
}

bool dram_reserve(struct dram *d, u32 writes) {
    struct dram_ring *r = &d->ring[true];
    while (r->capacity - r->count <= writes)
        if (!grow(r, d->arena))
            return false;
    return true;
}

bool dram_push(struct dram *d, const struct dram_burst *burst) {
    return UNLIKELY(d->ecc != NULL) ? dram_ecc_push(d, burst) : dram_push_plain(d, burst);
}

bool dram_push_plain(struct dram *d, const struct dram_burst *burst) {
    struct dram_ring *r = &d->ring[burst->write];
    if (r->count == r->capacity && !grow(r, d->arena))
        return false;
    struct dram_arrival *a = &r->slot[(r->head + r->count++) & (r->capacity - 1)];
    if (burst->time != d->pushed_sm) {
        d->pushed_sm = burst->time;
        d->pushed_memory = dram_clock_memory(d->clock, burst->time);
    }
    *a = (struct dram_arrival){d->pushed_memory, d->arrivals++, *burst};
    if (UNLIKELY(d->requests != NULL))
        log_request(d, burst);
    if (r->count == 1 && has_room(d, burst->write)) {
        d->event = min_u64(d->event, max_u64(a->time, d->soon));
        d->next = dram_clock_sm(d->clock, d->event);
    }
    return true;
}

static void enter(struct dram *d, const struct dram_arrival *a, u64 now) {
    const struct dram_burst *b = &a->burst;
    u64 line = b->address >> d->line_shift;
    if (line >> d->group_bits != d->place.number)
        dram_column_place(d, line, &d->place);
    u32 bank = dram_bank_of(d, &d->place, line);
    struct dram_slot *slot = dram_window_next(&d->window);
    slot->row = d->place.row;
    slot->bank = (u16)bank;
    slot->age = a->number;
    slot->served = (u32)d->served;
    slot->id = b->id;
    slot->allocation = b->allocation;
    slot->useful = b->useful;
    slot->write = b->write;
    if (UNLIKELY(d->device.log != NULL || d->early))
        slot->column = (u16)dram_column_of(d, b->address);
    slot->source = b->source;
    if (!dram_window_add(&d->window, d->device.row[bank]))
        return;
    dram_consider(d, bank);
    d->stale_column = d->stale_column || d->column.time > now;
}

/* True if the next burst of this direction that waits for the window came after that of the other. */
static bool is_younger(const struct dram *d, bool write) {
    const struct dram_ring *r = &d->ring[write], *other = &d->ring[!write];
    return other->count && (s32)(r->slot[r->head].number - other->slot[other->head].number) > 0;
}

/* Moves arrived bursts into the window, as far as it has room. True if there were any. */
static bool admit(struct dram *d, u64 now) {
    bool entered = false;
    for (u32 write = 0; write < 2; write++) {
        struct dram_ring *r = &d->ring[write];
        for (; r->count && has_room(d, write) && r->slot[r->head].time <= now; r->count--) {
            if (UNLIKELY(d->cfg.writes == write_handling_SHARED) && is_younger(d, write))
                break;
            if (UNLIKELY(d->early) && !write && dram_forwards(d, now))
                break;
            enter(d, &r->slot[r->head], now);
            r->head = (r->head + 1) & (r->capacity - 1);
            entered = true;
        }
    }
    d->entered = entered ? now : d->entered;
    return entered;
}

static void count(struct dram *d, const struct dram_slot *s) {
    struct dram_counters *c = d->counters;
    struct traffic *t = &d->traffic[s->allocation];
    u32 bytes = d->cfg.burst_bytes;
    enum dram_state state = d->opened[s->bank];
    *(s->write ? &c->writes : &c->reads) += 1;
    *(s->write ? &c->write_bytes : &c->read_bytes) += bytes;
    *(s->write ? &t->dram_write_bytes : &t->dram_read_bytes) += bytes;
    c->useful_bytes += s->useful;
    t->dram_useful_bytes += s->useful;
    c->row_hits += state == DRAM_HIT;
    c->row_misses += state == DRAM_MISS;
    c->row_conflicts += state == DRAM_CONFLICT;
    c->busy_cycles += d->cfg.burst_cycles;
    c->turnarounds += d->served && s->write != d->last_write;
}

/* Charges a bank with what the channel has counted since `before`: for one burst, or a row that is opened for it. */
static void charge_bank(struct dram *d, u32 bank, const struct dram_counters *before) {
    u64 *to = (u64 *)&d->by_bank[bank];
    const u64 *now = (const u64 *)d->counters, *then = (const u64 *)before;
    for (size_t i = 0; i < sizeof *before / sizeof(u64); i++)
        to[i] += now[i] - then[i];
}

/* Issues the column command of a slot, and frees the slot. */
static struct dram_done serve(struct dram *d, u32 slot, u64 now) {
    const struct dram_slot *s = &d->window.slot[slot];
    struct dram_done done = {.id = s->id, .write = s->write};
    u64 data = now + (s->write ? d->cfg.wl : d->cfg.cl);
    if (data != d->bus_free)
        dram_parts_gap(d, s, data);
    if (UNLIKELY(d->device.log != NULL))
        d->device.cause = (struct dram_cause){s->column, s->write, s->source};
    dram_command(&d->device, s->bank, s->write ? DRAM_WR : DRAM_RD, now);
    d->bus_free = data + d->cfg.burst_cycles;
    done.time = dram_clock_sm(d->clock, d->bus_free) + (s->write ? 0 : d->cfg.latency);
    count(d, s);
    if (UNLIKELY(d->record != NULL))
        record_burst(d, s, d->opened[s->bank], done.time, now);
    if (UNLIKELY(!d->simple))
        dram_page_column(d, s, now);
    d->opened[s->bank] = DRAM_HIT;
    d->last_write = s->write;
    d->served++;
    d->quota -= s->write && d->quota;
    dram_window_remove(&d->window, slot);
    dram_consider(d, s->bank);
    d->stale_column = true;
    return done;
}

static struct dram_done serve_counted(struct dram *d, u32 slot, u64 now) {
    const struct dram_counters before = *d->counters;
    const u32 bank = d->window.slot[slot].bank;
    const struct dram_done done = serve(d, slot, now);
    charge_bank(d, bank, &before);
    return done;
}

/* Notes what pins and pages keep of a row command. */
static void note_row(struct dram *d, const struct dram_slot *s, bool close, u64 now) {
    dram_pins_take(d, true, now, close ? 1 : d->cfg.act_cycles);
    if (close)
        dram_page_conflict(d, s->bank);
    else
        dram_page_open(d, s);
}

/* Gives the next row command: closes the row of a slot's bank or, if none is open, opens the slot's. */
static void give_row(struct dram *d, u32 slot, u64 now) {
    if (slot == DRAM_NO_SLOT) {
        dram_refresh_give(d, now);
        return;
    }
    const struct dram_slot *s = &d->window.slot[slot];
    u8 *opened = &d->opened[s->bank];
    bool close = d->device.row[s->bank] != DRAM_NO_ROW;
    if (UNLIKELY(d->device.log != NULL))
        d->device.cause = (struct dram_cause){s->column, s->write, s->source};
    d->device.row[s->bank] = close ? DRAM_NO_ROW : s->row;
    dram_command(&d->device, s->bank, close ? DRAM_PRE : DRAM_ACT, now);
    if (UNLIKELY(!d->simple))
        note_row(d, s, close, now);
    if (UNLIKELY(d->record != NULL))
        record_row(d, s, close, now);
    *opened = close || *opened == DRAM_CONFLICT ? DRAM_CONFLICT : DRAM_MISS;
    d->counters->activates += !close;
    d->traffic[s->allocation].activates += !close;
    d->opens[s->bank] += !close;
    if (UNLIKELY(d->by_bank != NULL))
        d->by_bank[s->bank].activates += !close;
    dram_window_reopened(&d->window, s->bank);
    dram_consider(d, s->bank);
    d->stale_row = true;
    d->stale_column = d->stale_column || !close;
}

/* Sets the time of the next step. */
static void schedule(struct dram *d) {
    dram_look_column(d, d->soon);
    dram_look_row(d, d->soon);
    u64 event = TIME_NEVER;
    if (d->window.count[false] + d->window.count[true])
        event = min_u64(min_u64(d->column.time, d->row.time), d->refresh_due);
    if (UNLIKELY(d->cfg.write_idle))
        event = min_u64(event, dram_writes_due(d));
    for (u32 write = 0; write < 2; write++)
        if (d->ring[write].count && has_room(d, write))
            event = min_u64(event, d->ring[write].slot[d->ring[write].head].time);
    if (UNLIKELY(d->ecc != NULL) && d->ecc->waiting)
        event = d->soon;
    d->event = event == TIME_NEVER ? event : max_u64(event, d->soon);
    d->next = event == TIME_NEVER ? event : dram_clock_sm(d->clock, d->event);
}

/* Hands a burst out that takes no command: what is left of the cycle is another step's. */
static bool hand_out(struct dram *d, u64 now, struct dram_done *done) {
    u64 cycle = dram_clock_sm(d->clock, now);
    bool out = d->ecc && dram_ecc_take(d, done, cycle);
    while (!out && dram_forward(d, now, done)) {
        out = !d->ecc;
        if (!out) {
            dram_ecc_served(d, *done, cycle);
            out = dram_ecc_take(d, done, cycle);
        }
    }
    d->soon = out ? max_u64(d->soon, now) : d->soon;
    if (out)
        schedule(d);
    return out;
}

bool dram_step(struct dram *d, struct dram_done *done) {
    u64 now = d->event;
    if (now == TIME_NEVER)
        BUG("a step of memory without bursts");
    if (UNLIKELY(d->early) && hand_out(d, now, done))
        return true;
    bool simple = d->simple;
    if (UNLIKELY(!simple)) {
        dram_catch_up(d, now);
        d->stale_row = true; /* a refresh may have to wait for a burst, or no more */
    }
    d->soon = now + 1;
    if (d->refresh_due <= now)
        dram_refresh_due(d, now);
    bool lazy = UNLIKELY(d->cfg.write_idle > 0);
    if (d->window.count[false] + d->window.count[true] == 0 || (lazy && dram_writes_due(d) != TIME_NEVER))
        d->since = now;
    /* Between steps nothing else changes the direction; a copy takes 0.5 % fewer instructions. */
    if (admit(d, now) || lazy)
        dram_direct(d);
    dram_look_column(d, now);
    bool served = d->column.time == now && (LIKELY(simple) || dram_pins_free(d, false, now));
    if (served) {
        *done = LIKELY(d->by_bank == NULL) ? serve(d, d->column.slot, now) : serve_counted(d, d->column.slot, now);
        if (UNLIKELY(!simple))
            dram_pins_take(d, false, now, d->cfg.column_cycles);
        if (UNLIKELY(d->ecc != NULL)) {
            dram_ecc_served(d, *done, dram_clock_sm(d->clock, now));
            served = false;
        }
        admit(d, now);
        dram_direct(d);
    }
    dram_look_row(d, now);
    if (d->row.time == now && (LIKELY(simple) || dram_pins_free(d, true, now)))
        give_row(d, d->row.slot, now);
    schedule(d);
    return served;
}

u64 dram_end(const struct dram *d) {
    return dram_clock_sm(d->clock, d->bus_free);
}

u64 dram_busiest_bank(const struct dram *d, u32 *bank) {
    *bank = 0;
    for (u32 b = 1; b < d->device.banks; b++)
        *bank = d->opens[b] > d->opens[*bank] ? b : *bank;
    return (u64)d->opens[*bank] * (d->cfg.ras + d->cfg.rp);
}
