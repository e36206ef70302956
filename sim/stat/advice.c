/* Advice: the rules of advice.def, applied to a launch. */
#include "sim/stat/totals.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/stat/view.h"

static const double PEAK_SHARE = 80; /* % of peak: a resource that is blamed when there is no advice */

#define GAIN_LEAST 1.01 /* a rule with less gain gives no advice */

enum rule {
#define RULE(id, gives, when, waste, waits, relieves, place, action, doc, ...) RULE_##id,
#include "sim/stat/advice.def"
    RULES
};

enum level {
#define LEVEL(id, unit, numerator, denominator, peak, title) LEVEL_##id,
#include "sim/stat/metrics.def"
    LEVELS
};

static const char *const limits[] = {
#define LIMIT(id, name, title, doc) title,
#include "sim/stat/limits.def"
};

/* A launch, and what expressions of the rules see beside what those of metrics do. */
struct case_view {
    struct view v;
    struct traffic local;
    double used[LEVELS]; /* share of each level's peak */
    double spread;       /* SMs for each one that had a block */
    double excess, idle, per_sm, waves, fits, memory_cycles;
    const char *limit;
};

static double quotient(double a, double b) {
    return b != 0 ? a / b : 0;
}

static double limited(double share) {
    return share < 0 ? 0 : share > 1 ? 1 : share;
}

#define ratio(a, b) quotient((double)(a), (double)(b))
#define most(a, b) fmax((double)(a), (double)(b))
#define least(a, b) fmin((double)(a), (double)(b))
#define bit(level) (1u << LEVEL_##level)

/* Each SM has its own: those without a block give nothing to the others. */
static const u32 OF_SM = bit(issue) | bit(alu) | bit(fma) | bit(fp64) | bit(xu) | bit(xlane) | bit(mma) | bit(lsu) |
                         bit(shared) | bit(l1) | bit(pipe);

/* ---- the launch ---- */

static u64 cycles_of(const struct line_counters *l) {
    u64 sum = 0;
    for (u32 i = 0; i < STALL_COUNT; i++)
        sum += l->stall[i];
    return sum;
}

static double excess_of(const struct line_counters *l, double width) {
    return most(0, (double)l->sectors - most(l->packed_sectors, (double)l->requests * width * sizeof(u32) / SECTOR));
}

static double excess_sectors(const struct totals *t) {
    double sum = 0;
    for (u32 i = 0; i < t->ninst; i++)
        sum += excess_of(&t->line[i], t->width);
    return sum;
}

/*
 * The share of warps' time, or of their instructions if that is more, that idle lanes cost. An instruction that one
 * lane executes each time is serial work, which is not shared out among more lanes.
 */
static double idle_share(const struct totals *t) {
    double lanes = ratio(t->threads, t->warps), time = 0, issues = 0;
    for (u32 i = 0; i < t->ninst; i++) {
        const struct line_counters *l = &t->line[i];
        double idle = limited(1 - ratio(l->lanes, (double)l->issues * lanes));
        if (l->lanes > l->issues) {
            time += (double)cycles_of(l) * idle;
            issues += (double)l->issues * idle;
        }
    }
    return most(ratio(time, t->core.sm.warp_cycles), ratio(issues, t->core.sm.slots_issued));
}

/* Blocks of an SM if what limits them did not; 0 when that is the grid, or nothing. */
static u32 blocks_without_limit(const struct occupancy *o) {
    u32 fits = UINT32_MAX;
    if (o->limit == LIMIT_GRID || o->limit == LIMIT_WARPS)
        return 0;
    for (u32 i = 0; i < LIMIT_COUNT; i++)
        if (i != (u32)o->limit && o->by[i] < fits)
            fits = o->by[i];
    return fits;
}

static void fill_levels(const struct totals *t, struct case_view *c) {
    VIEW_NAMES(t, &c->v);
#define LEVEL(id, unit, numerator, denominator, peak, title) \
    c->used[LEVEL_##id] = ratio(numerator, (denominator) * (peak));
#include "sim/stat/metrics.def"
    c->spread = ratio(board.sms, most(sms_used, 1));
}

static void look(const struct totals *t, struct case_view *c) {
    *c = (struct case_view){.excess = excess_sectors(t),
                            .idle = idle_share(t),
                            .fits = blocks_without_limit(&t->occupancy),
                            .limit = limits[t->occupancy.limit]};
    view_of(t, &c->v);
    if (t->allocations)
        c->local = t->traffic[t->allocations - 1];
    c->per_sm = ceil(ratio(t->blocks, t->board->sms));
    c->waves = ratio(t->blocks, (double)t->board->sms * t->occupancy.blocks);
    c->memory_cycles = c->v.seconds * t->board->dram.clock_mhz * 1e6 * board_buses(&t->board->dram);
    fill_levels(t, c);
}

/* ---- a rule ---- */

/*
 * The share of its time that the launch needs at least for what other resources do: on the SMs that have a block,
 * unless the advice (`more`) is for the others as well.
 */
static double floor_of(const struct case_view *c, bool more, double waste, u32 relieved) {
    double busiest = 0;
    for (u32 i = 0; i < LEVELS; i++) {
        double used = c->used[i] * (OF_SM >> i & 1 && !more ? c->spread : 1);
        busiest = fmax(busiest, limited(used) * (relieved >> i & 1 ? 1 - waste : 1));
    }
    return busiest;
}

static double gain_of(const struct case_view *c, bool more, double waste, double waits, u32 relieved) {
    double left = fmax(1 - limited(waste) * limited(waits), floor_of(c, more, limited(waste), relieved));
    return left > 0 ? 1 / left : 1;
}

static double weight(enum rule rule, const struct line_counters *at, double width) {
    const struct line_counters line = *at;
    switch (rule) {
        /* clang-format off */
#define RULE(id, gives, when, waste, waits, relieves, place, action, doc, ...) case RULE_##id: return (double)(place);
#include "sim/stat/advice.def"
    /* clang-format on */
    case RULES: break;
    }
    return 0;
}

static u32 place_of(const struct totals *t, enum rule rule) {
    double heaviest = 0;
    u32 best = ADVICE_NOWHERE;
    for (u32 i = 0; i < t->ninst; i++) {
        double w = weight(rule, &t->line[i], t->width);
        if (w > heaviest) {
            heaviest = w;
            best = i;
        }
    }
    return best;
}

/* ", up to 1.8x faster: " */
static struct short_text promise(double gain, const char *what) {
    struct short_text s;
    snprintf(s.text, sizeof s.text,
             gain < ADVICE_LEAST ? ", up to %.2fx %s: "
             : gain < 10         ? ", up to %.1fx %s: "
                                 : ", up to %.0fx %s: ",
             gain, what);
    return s;
}

static void put_text(struct advice *a, const char *action, const char *what, const char *fmt, ...) PRINTF_LIKE(4, 5);

static void put_text(struct advice *a, const char *action, const char *what, const char *fmt, ...) {
    int n = snprintf(a->text, sizeof a->text, "%s%s", action, promise(a->gain, what).text);
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(a->text + n, sizeof a->text - (size_t)n, fmt, ap);
    va_end(ap);
}

#define FASTER "faster"
#define MORE "the work in the same time"
#define stalled(x) (active * ratio(x, sm.warp_cycles))
#define warps_wait(x) stalled((x) + stall.NOT_SELECTED + stall.MATH_PIPE_THROTTLE)
#define memory_waits(x) (1 - active + warps_wait(x))

static void apply(const struct totals *t, const struct case_view *c, struct buf *out) {
    VIEW_NAMES(t, &c->v);
    const struct traffic local = c->local;
    const double excess = c->excess, idle = c->idle, per_sm = c->per_sm, waves = c->waves, fits = c->fits,
                 memory_cycles = c->memory_cycles, busy = floor_of(c, false, 0, 0), active = ratio(busiest, cycles);
    const char *limit = c->limit;
    const struct line_counters nothing = {0};
    struct line_counters at = nothing;
    struct advice a;
    double gain;
#define RULE(id, gives, when, waste, waits, relieves, place, action, doc, ...) \
    if ((when) && (gain = gain_of(c, gives[0] != FASTER[0], waste, waits, relieves)) >= GAIN_LEAST) { \
        a = (struct advice){ \
            .rule = #id, .row = RULE_##id, .more = gives[0] != FASTER[0], .gain = gain, .pc = place_of(t, RULE_##id)}; \
        at = a.pc == ADVICE_NOWHERE ? nothing : t->line[a.pc]; \
        put_text(&a, action, gives, __VA_ARGS__); \
        buf_append(out, &a, sizeof a); \
    }
#include "sim/stat/advice.def"
    (void)at;
}

/* ---- all of them ---- */

static int by_gain(const void *a, const void *b) {
    const struct advice *x = a, *y = b;
    return x->gain == y->gain ? (x->row > y->row) - (x->row < y->row) : x->gain < y->gain ? 1 : -1;
}

void advice_list(const struct totals *t, struct buf *out) {
    struct case_view c;
    size_t from = out->len;
    if (!t->core.sm.warp_cycles)
        return;
    look(t, &c);
    apply(t, &c, out);
    if (out->len > from)
        qsort(out->data + from, (out->len - from) / sizeof(struct advice), sizeof(struct advice), by_gain);
}

bool advice_rule(u32 i, const char **name, const char **action, const char **doc) {
    static const struct {
        const char *name, *action, *doc;
    } rules[] = {
#define RULE(id, gives, when, waste, waits, relieves, place, action, doc, ...) {#id, action, doc},
#include "sim/stat/advice.def"
    };
    if (i >= RULES)
        return false;
    *name = rules[i].name;
    *action = rules[i].action;
    *doc = rules[i].doc;
    return true;
}

void advice_none(const struct totals *t, struct buf *out) {
    static const struct {
        const char *title, *unit;
    } rows[] = {
#define LEVEL(id, unit, numerator, denominator, peak, title) {title, unit},
#include "sim/stat/metrics.def"
    };
    struct case_view c;
    u32 most_used = 0;
    look(t, &c);
    for (u32 i = 1; i < LEVELS; i++)
        if (c.used[i] > c.used[most_used])
            most_used = i;
    if (100 * c.used[most_used] >= PEAK_SHARE)
        buf_printf(out, "nothing but fewer %s: %s is at %.0f %% of its peak",
                   strchr(rows[most_used].unit, 'B') || strstr(rows[most_used].unit, "byte") ? "bytes"
                   : strcmp(rows[most_used].unit, "SMs") == 0                                ? "accesses"
                                                                                             : "instructions",
                   rows[most_used].title, 100 * c.used[most_used]);
    else
        buf_puts(out, "nothing stands out");
}
