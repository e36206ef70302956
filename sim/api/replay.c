/*
 * A trace of requests through the memory of a board alone: its controllers, without SMs and caches. Both clocks are the
 * memory's, so times are memory cycles, and the controller's own latency (dram.latency) is left out.
 *
 *      lines --> data bus --> queue of its controller --> commands, data
 *
 * A request is a burst. An address is that of a line, lines going round the data buses; a place is taken as it is. In a
 * closed loop each request waits for room in its queue, and so do those after it; in an open one each arrives in
 * its cycle, whatever waits. Memory is bounded by the queues, or by BACKLOG requests that wait.
 */
#include "sim/api/replay.h"

#include <stdio.h>
#include <string.h>

#include "sim/api/result.h"
#include "sim/time/dram.h"
#include "sim/time/dram_device.h"

enum { LATENCIES = 1 << 16, BACKLOG = 1 << 20 };

struct bus {
    struct dram *d;
    struct dram_counters n;
    struct buf log;
    u64 last;       /* arrival of its last request */
    u32 waiting[2]; /* requests in or before its queues: reads, writes */
};

struct heddle_replayer {
    struct arena arena; /* holds this struct */
    struct heddle *h;
    struct trace_reader reader;
    struct board board; /* without the controller's latency */
    struct bus *bus;    /* [buses] */
    u32 buses;
    bool open, failed;
    u64 now;          /* arrival of the last request, closed loop */
    struct buf since; /* u64 each: arrivals, by the number of a request in flight */
    struct buf spare; /* u32 each: numbers that are free */
    struct buf part;  /* the beginning of a line */
    struct traffic traffic;
    u64 reads, writes, waited, longest; /* requests; cycles of reads, and the most of one */
    u32 latency[LATENCIES];             /* reads by their cycles; the last has all that took longer */
};

/* ---- the memory ---- */

static bool bus_open(struct heddle_replayer *r, u32 i, bool commands) {
    struct bus *b = &r->bus[i];
    b->d = dram_new(&r->board.dram, r->board.dram.clock_mhz, &r->arena);
    if (!b->d)
        return false;
    if (i % r->board.dram.pseudo_channels)
        dram_share_pins(b->d, r->bus[i - i % r->board.dram.pseudo_channels].d);
    dram_reset(b->d, &b->n, &r->traffic);
    if (commands)
        dram_log(b->d, &b->log, NULL);
    return true;
}

struct heddle_replayer *heddle_replay_begin(struct heddle *h, const struct heddle_replay *asked) {
    struct arena arena = {.budget = &h->budget};
    context_begin(h);
    const char *name = asked->name ? asked->name : "trace";
    enum trace_format format = asked->format ? trace_format_of(asked->format) : TRACE_FORMATS;
    if (asked->format && format == TRACE_FORMATS) {
        context_fail(h, name, "there is no format '%s'; there are ramulator, ramulator-rw, dramsim3", asked->format);
        return NULL;
    }
    struct heddle_replayer *r = arena_alloc(&arena, sizeof *r);
    if (!r) {
        context_no_memory(h, "a replay");
        return NULL;
    }
    r->board = h->board;
    r->board.dram.latency = 0;
    r->board.clock_mhz = h->board.dram.clock_mhz; /* whose cycles those of a replay are */
    r->buses = asked->channels ? asked->channels * r->board.dram.pseudo_channels : board_buses(&r->board.dram);
    r->h = h;
    r->open = asked->open;
    r->since.budget = r->spare.budget = r->part.budget = &h->budget;
    r->arena = arena;
    r->reader = (struct trace_reader){h, arena_strndup(&r->arena, name, strlen(name)), 0, format,
                                      trace_levels_of(&r->board.dram, r->buses)};
    r->bus = arena_alloc(&r->arena, r->buses * sizeof *r->bus);
    bool ok = r->bus && r->reader.name;
    for (u32 i = 0; ok && i < r->buses; i++) {
        r->bus[i].log.budget = &h->budget;
        ok = bus_open(r, i, asked->commands);
    }
    if (ok)
        return r;
    heddle_replay_free(r);
    context_no_memory(h, "a replay");
    return NULL;
}

void heddle_replay_free(struct heddle_replayer *r) {
    if (!r)
        return;
    for (u32 i = 0; r->bus && i < r->buses; i++)
        buf_free(&r->bus[i].log);
    buf_free(&r->since);
    buf_free(&r->spare);
    buf_free(&r->part);
    struct arena arena = r->arena;
    arena_free(&arena);
}

/* ---- its steps ---- */

static u64 *arrival_of(struct heddle_replayer *r, u32 id) {
    return (u64 *)(void *)r->since.data + id;
}

static void note_end(struct heddle_replayer *r, struct bus *b, const struct dram_done *done) {
    u64 cycles = done->time - *arrival_of(r, done->id);
    b->waiting[done->write]--;
    buf_append(&r->spare, &done->id, sizeof done->id);
    if (done->write)
        return;
    r->waited += cycles;
    r->longest = max_u64(r->longest, cycles);
    r->latency[min_u64(cycles, LATENCIES - 1)]++;
}

/* The data bus with the next step among those that share pins with this one. */
static struct bus *next_of(struct heddle_replayer *r, u32 bus) {
    struct bus *first = &r->bus[bus - bus % r->board.dram.pseudo_channels], *next = first;
    for (u32 i = 1; i < r->board.dram.pseudo_channels; i++)
        if (dram_before(first[i].d, next->d))
            next = &first[i];
    return next;
}

static void step(struct heddle_replayer *r, struct bus *b) {
    struct dram_done done;
    if (dram_step(b->d, &done))
        note_end(r, b, &done);
}

/* Takes all steps up to that time. */
static void run_until(struct heddle_replayer *r, u32 bus, u64 time) {
    for (;;) {
        struct bus *b = next_of(r, bus);
        u64 event = dram_event(b->d);
        if (event == TIME_NEVER || event > time)
            return;
        step(r, b);
    }
}

/* Waits for room in the queue. */
static void make_room(struct heddle_replayer *r, u32 bus, bool write) {
    struct bus *b = &r->bus[bus];
    bool shared = r->board.dram.writes == write_handling_SHARED;
    u32 room = write && !shared ? r->board.dram.write_queue : r->board.dram.read_queue;
    run_until(r, bus, r->now);
    while (b->waiting[write] + (shared ? b->waiting[!write] : 0) >= room) {
        struct bus *next = next_of(r, bus);
        r->now = max_u64(r->now, dram_event(next->d));
        step(r, next);
    }
}

static bool push(struct heddle_replayer *r, struct bus *b, struct dram_burst burst) {
    if (r->spare.len) {
        r->spare.len -= sizeof burst.id;
        burst.id = *(u32 *)(void *)(r->spare.data + r->spare.len);
    } else {
        burst.id = (u32)(r->since.len / sizeof(u64));
        buf_append(&r->since, &burst.time, sizeof burst.time);
    }
    if (r->since.failed || r->spare.failed || b->log.failed || !dram_push(b->d, &burst))
        return context_no_memory(r->h, "a replay");
    *arrival_of(r, burst.id) = burst.time;
    b->last = burst.time;
    b->waiting[burst.write]++;
    *(burst.write ? &r->writes : &r->reads) += 1;
    return true;
}

/* Finds the data bus of a request, and its address there. */
static bool find(struct heddle_replayer *r, const struct trace_request *q, u32 *bus, u64 *address) {
    u32 bank, row = r->reader.levels.count - 2;
    if (r->reader.format == TRACE_PLACES) {
        trace_join(&r->board.dram, q->level, bus, &bank);
        *address = dram_address_at(r->bus[*bus].d, bank, q->level[row], (u32)q->level[row + 1]);
        return *address != UINT64_MAX || trace_fail(&r->reader, q->column[row], "no such row");
    }
    u64 line = q->address / r->board.dram.line_bytes;
    *bus = (u32)(line % r->buses);
    *address = line / r->buses * r->board.dram.line_bytes + q->address % r->board.dram.line_bytes;
    return true;
}

static bool serve(struct heddle_replayer *r, const struct trace_request *q) {
    struct dram_burst burst = {.useful = (u8)r->board.dram.burst_bytes, .write = q->write, .source = 1};
    u32 bus;
    if (r->open && r->reader.format != TRACE_CYCLES)
        return trace_fail(&r->reader, 1, "requests of this format have no cycles, which an open loop needs");
    if (!find(r, q, &bus, &burst.address))
        return false;
    struct bus *b = &r->bus[bus];
    if (r->open) {
        if (q->cycle < r->now)
            return trace_fail(&r->reader, 1, "its cycle is before that of the request above");
        r->now = q->cycle;
        run_until(r, bus, r->now);
        if (b->waiting[0] + b->waiting[1] >= BACKLOG)
            return trace_fail(&r->reader, 1,
                              "a million requests wait for a channel: memory is slower than they arrive");
    } else {
        make_room(r, bus, q->write);
    }
    burst.time = r->now;
    return push(r, b, burst);
}

/* ---- text ---- */

static bool take_line(struct heddle_replayer *r, const char *text, size_t len) {
    struct trace_request q;
    int found = trace_line(&r->reader, text, len, &q);
    return found == 0 || (found > 0 && serve(r, &q));
}

/* Keeps the beginning of a line. */
static bool keep(struct heddle_replayer *r, const char *text, size_t len) {
    buf_append(&r->part, text, len);
    if (r->part.failed)
        return context_no_memory(r->h, "a replay");
    if (r->part.len <= TRACE_MOST)
        return true;
    r->reader.line++;
    return trace_fail(&r->reader, 1, "this is no line of a trace: it has thousands of characters");
}

bool heddle_replay_feed(struct heddle_replayer *r, const char *text, size_t len) {
    context_begin(r->h);
    const char *end = text + len, *eol;
    for (; !r->failed && text < end && (eol = memchr(text, '\n', (size_t)(end - text))); text = eol + 1) {
        if (r->part.len) {
            r->failed = !keep(r, text, (size_t)(eol - text)) || !take_line(r, r->part.data, r->part.len);
            r->part.len = 0;
        } else {
            r->failed = !take_line(r, text, (size_t)(eol - text));
        }
    }
    if (!r->failed && text < end)
        r->failed = !keep(r, text, (size_t)(end - text));
    return !r->failed;
}

/* ---- the result ---- */

/* Nanoseconds that a share of the reads take at most. */
static double percentile(const struct heddle_replayer *r, double share) {
    u64 sum = 0, wanted = (u64)(share * (double)r->reads + 0.999999);
    u32 cycles = 0;
    while (cycles < LATENCIES - 1 && (sum += r->latency[cycles]) < wanted)
        cycles++;
    u64 shown = cycles == LATENCIES - 1 ? r->longest : cycles;
    return (double)shown * 1e3 / r->board.dram.clock_mhz;
}

/* Sums up the energy. power.dram_w flows for all channels of the board; a replay pays the share of its own. */
static bool fill_energy(struct heddle_replayer *r, const struct dram_counters *all, struct heddle_replayed *to) {
    const struct totals t = {.board = &r->board, .cycles = to->cycles, .mem.dram = *all};
    struct heddle_energy *list = arena_alloc(&r->arena, ENERGY_PARTS * sizeof *list);
    const double share = (double)r->buses / board_buses(&r->board.dram);
    to->energy = list;
    to->nenergy = list ? result_energy(&t, true, list) : 0;
    for (u32 i = 0; i < to->nenergy; i++) {
        const double part = strcmp(list[i].name, board_fields[BOARD_power_dram_w].key) == 0 ? share : 1;
        list[i].count *= part;
        list[i].picojoules *= part;
        list[i].low *= part;
        list[i].high *= part;
        to->picojoules += list[i].picojoules;
    }
    return list;
}

static bool fill_parts(struct heddle_replayer *r, struct heddle_replayed *to) {
    struct dram_counters all = {0};
    struct heddle_channel *list = arena_alloc(&r->arena, r->buses * sizeof *list);
    for (u32 i = 0; list && i < r->buses; i++) {
        dram_close(r->bus[i].d, to->cycles);
        list[i] = (struct heddle_channel){.number = i, .value = (const u64 *)(const void *)&r->bus[i].n};
        COUNTERS_ADD(&all, &r->bus[i].n);
    }
    const struct heddle_part parts[] = {
#define PART(name, title, doc) {#name, title, doc, all.name##_cycles, 0},
#include "sim/stat/counters.def"
    };
    struct heddle_part *part = arena_alloc(&r->arena, sizeof parts);
    if (!list || !part || !fill_energy(r, &all, to))
        return context_no_memory(r->h, "a replay");
    memcpy(part, parts, sizeof parts);
    for (u32 i = 0; i < COUNT_OF(parts) && all.bus_cycles; i++)
        part[i].percent = 100 * (double)part[i].cycles / (double)all.bus_cycles;
    to->parts = part;
    to->nparts = COUNT_OF(parts);
    to->channels = list;
    to->nchannels = r->buses;
    to->activates = all.activates;
    to->row_hits = all.row_hits;
    return true;
}

static void fill_times(const struct heddle_replayer *r, struct heddle_replayed *to) {
    double mhz = r->board.dram.clock_mhz, seconds = (double)to->cycles / (mhz * 1e6);
    to->format = r->reader.format == TRACE_FORMATS ? "" : trace_format_name(r->reader.format);
    to->requests = r->reads + r->writes;
    to->reads = r->reads;
    to->writes = r->writes;
    to->bytes = to->requests * r->board.dram.burst_bytes;
    to->picojoules_bit = to->bytes ? to->picojoules / (8 * (double)to->bytes) : 0;
    to->seconds = seconds;
    to->gbs = seconds > 0 ? (double)to->bytes * 1e-9 / seconds : 0;
    to->peak_gbs = (double)r->buses * r->board.dram.burst_bytes / r->board.dram.burst_cycles * mhz * 1e-3;
    to->row_hit_percent = to->requests ? 100 * (double)to->row_hits / (double)to->requests : 0;
    to->latency_mean = r->reads ? (double)r->waited / (double)r->reads * 1e3 / mhz : 0;
    to->latency_50 = r->reads ? percentile(r, 0.5) : 0;
    to->latency_90 = r->reads ? percentile(r, 0.9) : 0;
    to->latency_99 = r->reads ? percentile(r, 0.99) : 0;
    to->latency_most = (double)r->longest * 1e3 / mhz;
}

bool heddle_replay_end(struct heddle_replayer *r, struct heddle_replayed *result) {
    context_begin(r->h);
    *result = (struct heddle_replayed){.cycles = 0};
    if (!r->failed && r->part.len)
        r->failed = !take_line(r, r->part.data, r->part.len);
    r->part.len = 0;
    for (u32 i = 0; i < r->buses && !r->failed; i += r->board.dram.pseudo_channels)
        run_until(r, i, TIME_NEVER - 1);
    for (u32 i = 0; i < r->buses; i++)
        result->cycles = max_u64(result->cycles, dram_end(r->bus[i].d));
    if (r->failed || !fill_parts(r, result))
        return false;
    fill_times(r, result);
    return true;
}

/* ---- commands ---- */

char *heddle_replay_commands(struct heddle_replayer *r, size_t *len) {
    struct buf out = {0};
    context_begin(r->h);
    trace_put_head(&r->reader.levels, &out);
    for (u32 b = 0; b < r->buses; b++)
        trace_put_commands(&r->board.dram, b, &r->bus[b].log, &out);
    return context_hand_out(r->h, &out, len);
}

/* ---- a whole text ---- */

/* Copies what the result points to into the context. */
static bool keep_result(struct heddle_replayer *r, struct heddle_replayed *m) {
    struct heddle *h = r->h;
    struct heddle_part *parts = arena_alloc(&h->result, m->nparts * sizeof *parts);
    struct heddle_channel *channels = arena_alloc(&h->result, m->nchannels * sizeof *channels);
    struct heddle_energy *energy = arena_alloc(&h->result, m->nenergy * sizeof *energy);
    struct dram_counters *n = arena_alloc(&h->result, m->nchannels * sizeof *n);
    if (!parts || !channels || !energy || !n)
        return context_no_memory(h, "a replay");
    memcpy(parts, m->parts, m->nparts * sizeof *parts);
    memcpy(energy, m->energy, m->nenergy * sizeof *energy);
    for (u32 i = 0; i < m->nchannels; i++) {
        n[i] = r->bus[i].n;
        channels[i] = (struct heddle_channel){.number = i, .value = (const u64 *)(const void *)&n[i]};
    }
    m->parts = parts;
    m->channels = channels;
    m->energy = energy;
    return true;
}

static bool keep_commands(struct heddle_replayer *r, struct heddle_replayed *m) {
    size_t len;
    char *text = heddle_replay_commands(r, &len);
    m->commands = text ? arena_strndup(&r->h->result, text, len) : NULL;
    heddle_release(text);
    return m->commands || context_no_memory(r->h, "a replay");
}

bool heddle_replay_text(struct heddle *h, const struct heddle_replay *asked, const char *text, size_t len,
                        struct heddle_replayed *result) {
    struct heddle_replayer *r = heddle_replay_begin(h, asked);
    bool ok = r && heddle_replay_feed(r, text, len) && heddle_replay_end(r, result);
    if (ok) {
        arena_free(&h->result);
        ok = keep_result(r, result) && (!asked->commands || keep_commands(r, result));
    }
    heddle_replay_free(r);
    return ok;
}
