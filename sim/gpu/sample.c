#include "sim/gpu/sample.h"

#include "sim/base/bits.h"
#include "sim/base/mix.h"
#include "sim/gpu/launch_state.h"
#include "sim/gpu/sample_model.h"

/* What had been counted when a wave of blocks had started. */
struct mark {
    u64 blocks; /* that had started */
    u64 time;   /* start of the last of them */
    u64 now;    /* cycle of the count */
    u64 lines;  /* of L2 in use */
    bool full;  /* L2 has been filled, or will not be */
    struct core_counters core;
    struct partition_counters mem;
    struct traffic *traffic; /* [allocations] */
};

enum {
    SEGMENT = 2,  /* waves of a segment: its rate is the time from the first to the second */
    SEGMENTS = 4, /* least segments; */
    MANY = 96,    /* of a grid of as many waves twice of them */
    STRATA = 16,  /* parts of the grid that segments are taken from in turn */
    PREFIX = 3,   /* least waves at the start */
    MOST = 4,     /* parts in ten of the grid that are timed at most */
    FLOOR = 50    /* thousandths of the time that is not measured: what the model leaves out */
};

struct sampling {
    struct gpu_sample *out;
    struct sample_model model;
    u64 total, waves; /* of the grid: blocks, and full waves of as many as run at one time */
    struct sample_times times;
    bool *taken;                 /* [waves] timed, or to be */
    struct mark *mark;           /* [marks] */
    u32 marks, prefix;           /* marks; of them, waves at the start */
    u32 segments, tries;         /* least segments; places of segments that were looked at */
    double *wave;                /* [waves] mean starts of the waves as timed, */
    double *played;              /* [waves] and as played */
    double *measured, *modelled; /* [waves] of each segment */
    struct sample_rate rate;
    double lost;   /* relative error, because segments do not find in L2 what the waves before them left */
    u64 segment;   /* first wave of the segment that is timed */
    bool late;     /* L2 will not be full after a fifth of the waves */
    bool complete; /* no further block starts, but those of the last wave */
    bool stopped;  /* no further block starts: the sample is of no use */
};

/* Adds the time since a residency began: while it lasts, counters do not have it. */
static void add_residency(const struct sm *sm, u64 now, struct sm_counters *to) {
    if (sm->resident && now > sm->active_since)
        to->active_cycles += now - sm->active_since;
    for (u32 c = 0; c < sm->board->sm.sub_cores; c++)
        if (sm->sub_core[c].resident && now > sm->sub_core[c].resident_since)
            to->slots_vacant += now - sm->sub_core[c].resident_since; /* occupied slots; sm_close turns them */
}

/* Adds up what has been counted so far; returns the lines of L2. */
static u64 sum_of(const struct launch_state *ls, struct mark *m) {
    const struct gpu *g = ls->gpu;
    u64 capacity = 0;
    m->now = ls->now;
    for (u32 i = 0; i < g->begun; i++) {
        const struct core_counters *c = &g->sm[i].counters;
        add_residency(&g->sm[i], m->now, &m->core.sm);
        COUNTERS_ADD(&m->core.sm, &c->sm);
        COUNTERS_ADD(&m->core.l1, &c->l1);
        COUNTERS_ADD(&m->core.noc, &c->noc);
        counters_add(m->core.stall, c->stall, STALL_COUNT);
        counters_add(m->core.unit_busy, c->unit_busy, UNIT_COUNT);
        counters_add(m->core.unit_lanes, c->unit_lanes, UNIT_COUNT);
        for (u32 a = 0; a < ls->allocations; a++)
            COUNTERS_ADD(&m->traffic[a], &c->traffic[a]);
    }
    for (u32 i = 0; i < g->ports; i++) {
        COUNTERS_ADD(&m->mem.l2, &g->port[i].counters.l2);
        partition_count(g->port[i].partition, &m->mem.dram);
        capacity += partition_lines(g->port[i].partition, &m->lines);
        for (u32 a = 0; a < ls->allocations; a++)
            COUNTERS_ADD(&m->traffic[a], &g->port[i].counters.traffic[a]);
    }
    return capacity;
}

/* Bytes that DRAM could move in these cycles. */
static double dram_bytes(const struct board *b, u64 cycles) {
    double bursts = (double)cycles * b->dram.clock_mhz / b->clock_mhz / b->dram.burst_cycles;
    return bursts * b->dram.burst_bytes * board_buses(&b->dram);
}

/*
 * True if L2 is as full as it will be, and DRAM keeps up with what it writes back: until then blocks are faster. New
 * lines replace others, or those that all waves will take have room.
 */
static bool is_full(struct sampling *s, const struct board *b, const struct mark *m, u64 capacity) {
    const struct mark *before = m - 1;
    if (m == s->mark)
        return false;
    double grown = (double)(m->lines - min_u64(before->lines, m->lines));
    double replaced = (double)(m->mem.l2.evictions - before->mem.l2.evictions);
    double left = 32.0 * (double)(m->mem.l2.writebacks - before->mem.l2.writebacks);
    double written = (double)(m->mem.dram.write_bytes - before->mem.dram.write_bytes);
    double room = 0.9 * (double)capacity - (double)m->lines;
    bool filled = room > grown * (double)(s->waves - s->marks) || grown <= 0.02 * (grown + replaced);
    s->late = !filled && room > 0.2 * grown * (double)s->waves;
    return filled && left - written <= 0.02 * dram_bytes(b, m->time - before->time);
}

static bool add_mark(struct launch_state *ls, struct sampling *s) {
    struct mark *m = &s->mark[s->marks];
    double sum = 0;
    m->traffic = arena_alloc(&ls->gpu->launch_arena, ls->allocations * sizeof *m->traffic);
    if (!m->traffic)
        return false;
    m->blocks = ls->next;
    m->time = s->times.start[s->times.order[ls->next - 1]];
    m->full = is_full(s, &ls->gpu->board, m, sum_of(ls, m));
    for (u64 i = ls->next - s->model.places; i < ls->next; i++)
        sum += (double)s->times.start[s->times.order[i]];
    s->wave[s->marks++] = sum / s->model.places;
    return true;
}

/* Estimates the whole from `timed` cycles of the first n blocks of the order; sets what is known of its error. */
static double estimate(struct sampling *s, u64 n, double timed) {
    double all = sample_play(&s->model, NULL, s->total, NULL),
           rest = all - sample_play(&s->model, s->times.order, n, NULL);
    rest = s->rate.scale * (rest > 0 ? rest : 0);
    double share = rest / (timed + rest);
    s->out->spread = share * (s->rate.error + s->model.mix + s->lost);
    s->out->error = s->out->spread + share * FLOOR / 1000.0;
    return timed + rest;
}

/* Instructions of blocks [from, to) of the order. */
static double instructions(const struct sampling *s, u64 from, u64 to) {
    double sum = 0;
    for (u64 i = from; i < to; i++)
        sum += (double)s->model.work[s->times.order[i]].instructions;
    return sum;
}

/* Share of the sectors read that L2 lacked between two marks. */
static double misses(const struct mark *from, const struct mark *to) {
    u64 read = to->mem.l2.read_sectors - from->mem.l2.read_sectors;
    return read ? (double)(to->mem.l2.misses - from->mem.l2.misses) / (double)read : 0;
}

/*
 * Error by what blocks share with those before them, which L2 does not hold where a segment begins: it misses more
 * often than the last wave of the start did. How much longer that takes is not known: as much as twice the share.
 */
static double lost_of(const struct sampling *s) {
    const struct mark *start = &s->mark[s->prefix - 1], *last = &s->mark[s->marks - 1];
    double there = misses(start - 1, start), here = misses(start, last);
    return here > there ? 2 * (here - there) : 0;
}

/* Compares measured and modelled rates of the segments. */
static void take_rate(struct launch_state *ls, struct sampling *s) {
    u32 n = 0;
    sample_fit(&s->model, &s->times, s->model.places, ls->next); /* the first wave is cold */
    sample_play(&s->model, s->times.order, ls->next, s->played);
    for (u32 i = s->prefix; i < s->marks; i++, n++) {
        s->measured[n] = s->wave[i] - s->wave[i - 1];
        s->modelled[n] = s->played[i] - s->played[i - 1];
    }
    s->rate = sample_rate(s->measured, s->modelled, n);
    s->lost = lost_of(s);
    estimate(s, ls->next, s->wave[s->marks - 1]);
}

/* Lets the blocks of `count` waves from wave `first` start; at the end of the grid also those of a part of a wave. */
static void add_waves(struct launch_state *ls, struct sampling *s, u64 first, u64 count) {
    u64 from = first * s->model.places, to = (first + count) * s->model.places;
    to = first + count == s->waves ? s->total : to;
    for (u64 b = from; b < to; b++)
        s->times.order[ls->blocks++] = b;
    for (u64 w = first; w < first + count; w++)
        s->taken[w] = true;
    ls->all[0].blocks = ls->blocks;
}

/*
 * The next place of a segment: one of each sixteenth of what is neither start nor end, of the halves, quarters, eighths
 * first, and anywhere in it: grids repeat themselves by powers of two.
 */
static u64 next_segment(struct sampling *s) {
    const u64 room = s->waves - 1 - s->prefix - (SEGMENT - 1);
    for (;;) {
        u64 at = 0, any = splitmix(++s->tries * SPLITMIX_STEP);
        for (u32 n = s->tries - 1, part = STRATA / 2; part; n /= 2, part /= 2)
            at += n % 2 ? part : 0;
        u64 w = s->prefix + (u64)(((double)at + (double)(any >> 32) / 0x1p32) / STRATA * (double)room);
        if (!s->taken[w] && !s->taken[w + 1])
            return w;
    }
}

/* True if too many segments would be needed for the bound: the error of their rate narrows with the root of them. */
static bool is_hopeless(const struct sampling *s) {
    double off = s->out->spread / s->out->bound;
    return 2 * (s->lost + s->model.mix) > s->out->bound ||
           (s->prefix + (s->marks - s->prefix) * off * off) * 10 > (double)(MOST * s->waves);
}

/* Decides what follows when all blocks of the order have started. */
static void go_on(struct launch_state *ls, struct sampling *s) {
    if (!s->prefix && s->marks >= PREFIX && s->mark[s->marks - 1].full)
        s->prefix = s->marks;
    if (!s->prefix) {
        s->out->slow = s->stopped = (s->late && s->marks >= PREFIX) || s->marks * 5 > s->waves;
        add_waves(ls, s, s->marks, 1);
        return;
    }
    const u32 segments = (s->marks - s->prefix) / SEGMENT;
    const bool between = (s->marks - s->prefix) % SEGMENT == 0;
    if (segments >= s->segments && between) {
        take_rate(ls, s);
        s->complete = s->out->spread <= s->out->bound;
        s->stopped = !s->complete && is_hopeless(s);
    }
    if (s->complete)
        add_waves(ls, s, s->waves - 1, 1);
    else if (between)
        add_waves(ls, s, s->segment = next_segment(s), 1);
    else
        add_waves(ls, s, s->segment + 1, 1);
}

bool sample_begin(struct launch_state *ls) {
    struct gpu_sample *out = ls->options->sampler;
    struct arena *arena = &ls->gpu->launch_arena;
    struct gpu_launch *l = &ls->all[0];
    const u64 places = (u64)l->occupancy.blocks * ls->gpu->board.sms;
    struct sampling *s = out ? arena_alloc(arena, sizeof *s) : NULL;
    if (!s)
        return !out;
    ls->sampling = s;
    s->out = out;
    s->total = l->blocks;
    s->waves = s->total / places;
    s->segments = s->waves < MANY ? SEGMENTS : 2 * SEGMENTS;
    s->model = (struct sample_model){.work = out->work, .blocks = s->total, .places = (u32)places};
    s->model.last = (s->waves - 1) * places;
    s->model.gap = ls->gpu->board.launch.block_cycles;
    l->order = s->times.order = arena_alloc(arena, s->total * sizeof *s->times.order);
    l->starts = s->times.start = arena_alloc(arena, s->total * sizeof *s->times.start);
    l->plan.ends = s->times.end = arena_alloc(arena, s->total * sizeof *s->times.end);
    s->taken = arena_alloc(arena, s->waves * sizeof *s->taken);
    s->mark = arena_alloc(arena, s->waves * sizeof *s->mark);
    s->wave = arena_alloc(arena, 4 * s->waves * sizeof *s->wave);
    if (!s->times.order || !s->times.start || !s->times.end || !s->taken || !s->mark || !s->wave ||
        !sample_group(&s->model, arena))
        return false;
    s->played = s->wave + s->waves;
    s->measured = s->played + s->waves;
    s->modelled = s->measured + s->waves;
    ls->blocks = 0;
    add_waves(ls, s, 0, 1);
    return true;
}

bool sample_look(struct launch_state *ls) {
    struct sampling *s = ls->sampling;
    while (s && !s->complete && !s->stopped && ls->next == ls->blocks && ls->next < s->total) {
        if (!add_mark(ls, s))
            return false;
        go_on(ls, s);
        if (!s->stopped && !launch_refill(ls))
            return false;
    }
    return true;
}

/* ---- the results ---- */

bool sample_is_complete(const struct launch_state *ls) {
    return ls->sampling && ls->sampling->complete;
}

/* Adds what was counted between two marks, `factor` times. */
static void add_scaled(u64 *to, const u64 *first, const u64 *last, size_t n, double factor) {
    for (size_t i = 0; i < n; i++)
        to[i] += (u64)((double)(last[i] - first[i]) * factor + 0.5);
}
#define ADD_SCALED(to, first, last, factor) \
    add_scaled((u64 *)(to), (const u64 *)(first), (const u64 *)(last), sizeof *(to) / sizeof(u64), factor)

static u64 stretched(u64 n, double longer) {
    return (u64)((double)n * longer);
}

/* Sets how long SMs and sub-cores had warps: what `own` counted, and further cycles of SMs and of sub-cores. */
static void set_residency(struct totals *t, const struct sm_counters *own, double active, double resident) {
    const struct board *b = t->board;
    struct sm_counters *sm = &t->core.sm;
    u64 occupied = own->slots - own->slots_vacant + (u64)(resident * b->sm.issue_width);
    sm->active_cycles = min_u64(own->active_cycles + (u64)active, t->cycles * t->sms_used);
    sm->slots = t->cycles * b->sms * b->sm.sub_cores * b->sm.issue_width;
    sm->slots_vacant = sm->slots - min_u64(occupied, sm->slots);
}

/* Stretches what data buses did beside moving data, as `own` counted it; together at most all of the time. */
static void stretch_buses(struct totals *t, const struct dram_counters *own, double longer) {
    const struct board *b = t->board;
    struct dram_counters *dram = &t->mem.dram;
    u64 parts = 0, taken = 0;
    dram->refreshes = stretched(own->refreshes, longer);
    dram->bus_cycles = (t->cycles * b->dram.clock_mhz + b->clock_mhz - 1) / b->clock_mhz * board_buses(&b->dram);
    u64 busy = min_u64((dram->reads + dram->writes) * b->dram.burst_cycles, dram->bus_cycles);
#define PART(name, title, doc) parts += own->name##_cycles;
#include "sim/stat/counters.def"
    parts -= own->busy_cycles + own->idle_cycles;
    double room = (double)(dram->bus_cycles - busy) / (double)(parts ? parts : 1);
#define PART(name, title, doc) dram->name##_cycles = stretched(own->name##_cycles, longer < room ? longer : room);
#include "sim/stat/counters.def"
    dram->busy_cycles = busy;
    dram->idle_cycles = 0;
#define PART(name, title, doc) taken += dram->name##_cycles;
#include "sim/stat/counters.def"
    dram->idle_cycles = dram->bus_cycles - taken;
}

/* Sets what follows from other counts, or from the time, which is `longer` times as long: slots, cycles of warps. */
static void close_time(struct totals *t, double longer, u64 issued) {
    struct sm_counters *sm = &t->core.sm;
    sm->blocks = t->blocks;
    sm->warps = t->warps;
    sm->slots_issued = t->core.stall[STALL_SELECTED] = issued;
    sm->warp_cycles = 0;
    for (u32 i = 0; i < STALL_COUNT; i++)
        sm->warp_cycles += t->core.stall[i];
    u64 used = sm->slots_issued + sm->slots_routine + sm->slots_vacant;
    sm->slots_stalled = sm->slots - min_u64(used, sm->slots);
    u64 *const times[] = {&t->busiest,         &t->idlest,         &t->busiest_slice,
                          &t->busiest_channel, &t->idlest_channel, &t->busiest_bank};
    for (u32 i = 0; i < COUNT_OF(times); i++)
        *times[i] = stretched(*times[i], longer);
}

void sample_extrapolate(struct launch_state *ls, struct gpu_result *r) {
    const struct sampling *s = ls->sampling;
    struct totals *t = &r->totals;
    const u64 timed = t->cycles;
    const struct sm_counters sm = t->core.sm;
    const struct dram_counters dram = t->mem.dram;
    const struct mark *last = &s->mark[s->marks - 1], *first = &s->mark[s->prefix - 1];
    t->threads = t->threads / t->blocks * s->total;
    t->warps = t->warps / t->blocks * s->total;
    t->blocks = s->total;
    t->cycles = (u64)(estimate(ls->sampling, ls->blocks, (double)timed) + 0.5);
    s->out->timed = ls->blocks;
    s->out->groups = s->model.count;
    double all = 0, rest = -instructions(s, 0, ls->blocks);
    for (u64 b = 0; b < s->total; b++)
        all += (double)s->model.work[b].instructions;
    rest += all;
    double work = rest / instructions(s, first->blocks, last->blocks);
    double time = (double)(t->cycles - timed) / (double)(last->now - first->now);
    ADD_SCALED(&t->core.sm, &first->core.sm, &last->core.sm, work);
    ADD_SCALED(&t->core.l1, &first->core.l1, &last->core.l1, work);
    ADD_SCALED(&t->core.noc, &first->core.noc, &last->core.noc, work);
    ADD_SCALED(&t->core.stall, &first->core.stall, &last->core.stall, time);
    ADD_SCALED(&t->core.unit_busy, &first->core.unit_busy, &last->core.unit_busy, work);
    ADD_SCALED(&t->core.unit_lanes, &first->core.unit_lanes, &last->core.unit_lanes, work);
    ADD_SCALED(&t->mem.l2, &first->mem.l2, &last->mem.l2, work);
    ADD_SCALED(&t->mem.dram, &first->mem.dram, &last->mem.dram, work);
    for (u32 a = 0; a < t->allocations; a++)
        ADD_SCALED(&t->traffic[a], &first->traffic[a], &last->traffic[a], work);
    t->mma_passes = (u64)((double)t->mma_passes * all / (all - rest));
    t->channel = t->bank = NULL;
    t->line = NULL;
    double longer = (double)t->cycles / (double)timed;
    set_residency(t, &sm, (double)(last->core.sm.active_cycles - first->core.sm.active_cycles) * time,
                  (double)(last->core.sm.slots_vacant - first->core.sm.slots_vacant) * time);
    stretch_buses(t, &dram, longer);
    close_time(t, longer, (u64)all);
}
