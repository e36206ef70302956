/*
 * What bounds a launch, as a sentence.
 *
 * A resource near its peak bounds the launch. If there is none, work is missing (too few blocks, blocks
 * of uneven length) or warps stall (latency): then the sentence names the reasons and what limits occupancy. The
 * thresholds below are judgement, not measurement.
 */
#include "sim/stat/totals.h"

#include <stdio.h>
#include <string.h>

static const double BOUND_SHARE = 80;   /* % of peak: a resource is the bound from here */
static const double NEAR_SHARE = 60;    /* % of peak: a resource is mostly the bound from here */
static const double FEW_SMS = 70;       /* % of SMs used: blocks are missing below */
static const double UNEVEN = 150;       /* % of the average SM's time: the busiest one is uneven from here */
static const double WORTH_MENTION = 15; /* % of stall cycles: a second reason is named from here */
static const double POOR_USE = 90;      /* % of useful bytes or active lanes below which they are mentioned */

struct level {
    const char *id, *unit, *title;
};

static const struct level levels[] = {
#define LEVEL(id, unit, numerator, denominator, peak, title) {#id, unit, title},
#include "sim/stat/metrics.def"
};

static const char *const waits[STALL_COUNT] = {
#define STALL(id, name, wait, doc) wait,
#include "sim/stat/counters.def"
};

/* The value, or 0 when it is absent. */
static double value_of(const struct metric *m, const char *prefix, const char *name) {
    char metric[64];
    double value;
    snprintf(metric, sizeof metric, "%s%s", prefix, name);
    return metric_value(m, metric, &value) ? value : 0;
}

/* Three digits, or all that stand before the point: 0.25, 12.3, 1,555 */
static void put_number(struct buf *out, double v) {
    u64 whole = (u64)(v + 0.5);
    if (whole >= 1000)
        buf_puts(out, grouped(whole).text);
    else
        buf_printf(out, v >= 100 ? "%.0f" : v >= 10 ? "%.1f" : "%.2f", v);
}

/* ---- a resource at its peak ---- */

static const struct level *busiest_level(const struct metric *m, double *share) {
    const struct level *best = NULL;
    *share = 0;
    for (u32 i = 0; i < COUNT_OF(levels); i++) {
        double v = value_of(m, "sol.", levels[i].id);
        if (v > *share) {
            *share = v;
            best = &levels[i];
        }
    }
    return best;
}

/* "; WHAT" with the metric, when it is below POOR_USE */
static void mention_poor(const struct metric *m, struct buf *out, const char *metric, const char *what) {
    double v;
    if (metric_value(m, metric, &v) && v < POOR_USE)
        buf_printf(out, "; %.0f %% of %s", v, what);
}

static void mention_conflicts(const struct metric *m, struct buf *out, const char *metric) {
    double v;
    if (metric_value(m, metric, &v) && v > 0)
        buf_printf(out, "; %.0f %% of its passes are due to bank conflicts", v);
}

/* Appends the share of the reads of DRAM that are for stores. */
static void mention_joins(const struct metric *m, struct buf *out) {
    double share = value_of(m, "l2.", "joined_share");
    if (share >= WORTH_MENTION)
        buf_printf(out, "; %.0f %% of the sectors read from DRAM are read because stores filled them in part", share);
}

/* Appends what makes the resource busier than it need be. */
static void explain_level(const struct metric *m, const char *id, struct buf *out) {
    double v;
    if (strcmp(id, "dram") == 0) {
        mention_poor(m, out, "dram.useful_share", "its bytes are useful");
        mention_poor(m, out, "dram.row_hit_rate", "the bursts are row hits");
        mention_joins(m, out);
    } else if (strncmp(id, "noc", 3) == 0) {
        mention_poor(m, out, strcmp(id, "noc_reply") == 0 ? "noc.reply_data" : "noc.request_data",
                     "the bytes are data, the rest headers");
    } else if (strcmp(id, "l1") == 0) {
        mention_conflicts(m, out, "l1.conflict_share");
    } else if (strcmp(id, "l2") == 0) {
        mention_poor(m, out, "l1.useful_share", "the bytes of its sectors are useful");
    } else if (strcmp(id, "pipe") == 0) {
        if (metric_value(m, "l1.tag_cycles_per_request", &v) && v > 1)
            buf_printf(out, "; the lines of a global or local request take %.1f cycles to look up", v);
        if (metric_value(m, "l1.passes_per_request", &v) && v > 1)
            buf_printf(out, "; a global or local request takes %.1f passes", v);
        if (metric_value(m, "shared.passes_per_request", &v) && v > 1)
            buf_printf(out, "; a shared request takes %.1f passes", v);
    } else if (strcmp(id, "shared") == 0) {
        mention_conflicts(m, out, "shared.conflict_share");
    } else {
        mention_poor(m, out, "issue.simt_efficiency", "the lanes are active");
    }
}

static bool say_level(const struct metric *m, const struct level *l, double share, struct buf *out) {
    if (share < NEAR_SHARE)
        return false;
    buf_printf(out, "%s %s: ", share >= BOUND_SHARE ? "Bound by" : "Mostly bound by", l->title);
    put_number(out, value_of(m, "rate.", l->id));
    buf_puts(out, " of ");
    put_number(out, value_of(m, "peak.", l->id));
    buf_printf(out, " %s, %.0f %% of its peak", l->unit, share);
    explain_level(m, l->id, out);
    return true;
}

/* ---- waiting ---- */

/* The longest stall reason other than `not`. */
static u32 longest_wait(const struct totals *t, u32 not ) {
    u32 best = STALL_COUNT;
    for (u32 i = 0; i < STALL_COUNT; i++)
        if (i != STALL_SELECTED && i != not &&t->core.stall[i] &&
            (best == STALL_COUNT || t->core.stall[i] > t->core.stall[best]))
            best = i;
    return best;
}

static double percent(u64 part, u64 whole) {
    return whole ? 100 * (double)part / (double)whole : 0;
}

static void say_occupancy(const struct totals *t, const struct metric *m, struct buf *out) {
    static const char *const titles[] = {
#define LIMIT(id, name, title, doc) title,
#include "sim/stat/limits.def"
    };
    const struct occupancy *o = &t->occupancy;
    u32 most = t->board->sm.max_warps;
    if (o->limit == LIMIT_WARPS) {
        buf_printf(out, "; an SM has its maximum of %u warps", o->warps);
    } else if (o->limit == LIMIT_GRID) {
        buf_puts(out, "; an active SM has ");
        put_number(out, value_of(m, "occupancy.", "warps_active"));
        buf_printf(out, " of %u warps, limited by the grid size", most);
    } else {
        buf_printf(out, "; an SM has %u of %u warps, limited by %s", o->warps, most, titles[o->limit]);
    }
}

static void say_waits(const struct totals *t, const struct metric *m, struct buf *out) {
    u64 all = t->core.sm.warp_cycles;
    u32 first = longest_wait(t, STALL_COUNT);
    if (first == STALL_COUNT) {
        buf_printf(out, "warps never wait");
    } else {
        u32 second = longest_wait(t, first);
        buf_printf(out, "warps wait %.0f %% of their time %s", percent(t->core.stall[first], all), waits[first]);
        if (second != STALL_COUNT && percent(t->core.stall[second], all) >= WORTH_MENTION)
            buf_printf(out, " and %.0f %% %s", percent(t->core.stall[second], all), waits[second]);
    }
    say_occupancy(t, m, out);
}

/* Appends which room of L1 was often full: sectors or loads. */
static void say_room(const struct totals *t, const struct metric *m, struct buf *out) {
    double sectors = value_of(m, "l1.", "full_share"), loads = value_of(m, "l1.", "crowded_share");
    if (sectors >= WORTH_MENTION)
        buf_printf(out, "; %.0f %% of the time L1 has its %u sectors in flight", sectors, t->board->l1.sectors);
    if (loads >= WORTH_MENTION)
        buf_printf(out, "; %.0f %% of the time L1 has its %u loads waiting for lines", loads, t->board->l1.loads);
}

/*
 * Names a slice, channel or bank that is busy while most are not: peaks are averages over all of them. Bounds from
 * where a whole resource does.
 */
static bool say_hot(const struct totals *t, const struct metric *m, struct buf *out) {
    double slice = value_of(m, "l2.", "busiest_slice"), channel = value_of(m, "dram.", "busiest_channel");
    double bank = value_of(m, "dram.", "busiest_bank"), banks = value_of(m, "dram.", "bank_busy");
    double share = slice > channel ? slice : channel;
    const struct board_dram *d = &t->board->dram;
    bool of_l2 = slice >= channel, of_bank = bank > share && bank > 2 * banks;
    const char *bound = (of_bank ? bank : share) >= BOUND_SHARE ? "Bound by" : "Mostly bound by";
    if (of_bank && bank >= NEAR_SHARE) {
        buf_printf(out,
                   "%s one DRAM bank of %u, bank %u of channel %u: it opens and closes rows %.0f %% of the time, all "
                   "together %.0f %%; ",
                   bound, board_buses(d) * board_banks(d), t->hot_bank, t->hot_channel, bank, banks);
        say_waits(t, m, out);
        return true;
    }
    if (share < NEAR_SHARE)
        return false;
    buf_printf(out, "%s one %s of %u: it is busy %.0f %% of the time, all together %.0f %%; ", bound,
               of_l2 ? "L2 slice" : "DRAM channel", of_l2 ? t->board->l2.slices : board_buses(d), share,
               value_of(m, "sol.", of_l2 ? "l2" : "dram"));
    say_waits(t, m, out);
    return true;
}

/* Blocks that end as soon as they are started: the board starts no more, or their places stand empty before each. */
static bool say_starts(const struct totals *t, struct buf *out) {
    const struct board_launch *b = &t->board->launch;
    u64 places = (u64)t->sms_used * t->occupancy.blocks, again = t->blocks > places ? t->blocks - places : 0;
    double board = t->cycles && t->blocks ? 100 * (double)(t->blocks - 1) * b->interval_cycles / (double)t->cycles : 0;
    double place = percent(again * b->block_cycles, t->cycles * places), share = board > place ? board : place;
    if (share < NEAR_SHARE)
        return false;
    buf_printf(out, "%s the start of blocks, ", share >= BOUND_SHARE ? "Bound by" : "Mostly bound by");
    if (board < place)
        buf_printf(out, "%u cycles after the one before in each place: places stand empty %.0f %% of the time",
                   b->block_cycles, place);
    else if (b->interval_cycles == 1)
        buf_printf(out, "at most one a cycle: that takes %.0f %% of the time", board);
    else
        buf_printf(out, "at most one in %.4g cycles: that takes %.0f %% of the time", b->interval_cycles, board);
    buf_puts(out, "; fewer blocks that do more each would start less often");
    return true;
}

/* Rows that DRAM opens as fast as its timings let it, for few bytes each. */
static bool say_rows(const struct metric *m, double busiest, struct buf *out) {
    double share = value_of(m, "dram.", "row_share");
    if (share < NEAR_SHARE || share <= busiest)
        return false;
    buf_printf(out, "%s the rows that DRAM opens: %.0f %% of what its timings allow (rrd_s, faw, ras + rp)",
               share >= BOUND_SHARE ? "Bound by" : "Mostly bound by", share);
    explain_level(m, "dram", out);
    buf_printf(out, "; its bytes are %.0f %% of its peak", value_of(m, "sol.", "dram"));
    return true;
}

/* ---- the sentence ---- */

/* Nothing is near its peak: work is missing, or warps wait. */
static void say_latency(const struct totals *t, const struct metric *m, const char *busiest, double share,
                        struct buf *out) {
    double imbalance = value_of(m, "launch.", "imbalance");
    if (t->sms_used * 100 < t->board->sms * FEW_SMS)
        buf_printf(out, "Too little work: the grid fills %u of %u SMs; there, ", t->sms_used, t->board->sms);
    else if (imbalance * 100 >= UNEVEN)
        buf_printf(out, "Uneven work: the busiest SM had %.1f times the work of the average one; there, ", imbalance);
    else
        buf_puts(out, "Bound by latency: ");
    say_waits(t, m, out);
    say_room(t, m, out);
    mention_joins(m, out);
    if (share < 1)
        buf_puts(out, "; no resource reaches 1 % of its peak");
    else
        buf_printf(out, "; no resource exceeds %.0f %% of its peak (%s)", share, busiest);
}

static void say(const struct totals *t, const struct metric *m, struct buf *out) {
    double share;
    const struct level *level = busiest_level(m, &share);
    if (!level) {
        buf_puts(out, "Nothing was issued.");
        return;
    }
    bool hot = share < NEAR_SHARE && say_hot(t, m, out);
    if (!hot && !say_rows(m, share, out) && !say_level(m, level, share, out) && !say_starts(t, out))
        say_latency(t, m, level->title, share, out);
    buf_puts(out, ".");
}

void limiter_sentence(const struct totals *t, struct buf *out) {
    struct buf metrics = {0};
    metrics_list(t, &metrics);
    if (metrics.failed)
        out->failed = true;
    else
        say(t, (const struct metric *)(const void *)metrics.data, out);
    buf_free(&metrics);
}
