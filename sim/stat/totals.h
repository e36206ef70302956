/*
 * A launch as the clock saw it, added up: the counters of all SMs and partitions, and what the machine was. What is
 * shown to people (metrics, energy, the limiter) is computed from this and nothing else.
 */
#ifndef HEDDLE_STAT_TOTALS_H
#define HEDDLE_STAT_TOTALS_H

#include "sim/base/buf.h"
#include "sim/board/board.h"
#include "sim/stat/counters.h"

/* What keeps more blocks from being resident on an SM. */
enum occupancy_limit {
#define LIMIT(id, name, title, doc) LIMIT_##id,
#include "sim/stat/limits.def"
    LIMIT_COUNT
};

struct occupancy {
    u32 blocks;          /* blocks of an SM: the least limit but the grid */
    u32 warps;           /* warps of those blocks */
    u32 by[LIMIT_COUNT]; /* blocks of an SM that each limit alone would allow */
    u32 registers;       /* registers allocated to a block */
    u32 shared;          /* bytes allocated to a block */
    u32 l1_bytes;        /* bytes left for L1 */
    enum occupancy_limit limit;
};

struct totals {
    const struct board *board;
    u32 width;                 /* lanes of a warp */
    u64 cycles;                /* from the dispatch of the first block to the last event of the launch */
    u64 blocks, warps;         /* blocks and warps of the launch */
    u64 threads;               /* of the launch */
    u64 mma_passes;            /* lanes of matrix instructions, for each pass of the unit */
    u32 sms_used;              /* SMs that had a block */
    u64 busiest, idlest;       /* active cycles of the busiest SM and of the idlest one */
    u64 busiest_slice;         /* cycles that the data path of the busiest slice of L2 was busy */
    u64 busiest_channel;       /* memory cycles that the busiest channel of DRAM moved data */
    u64 idlest_channel;        /* memory cycles that the idlest channel of DRAM moved data */
    u64 busiest_bank;          /* memory cycles that the busiest bank of DRAM at least took to open and close rows */
    u32 busiest_number;        /* which channel is the busiest, the first of equals */
    u32 idlest_number;         /* which one is the idlest, the first of equals */
    u32 hot_channel, hot_bank; /* which bank, and its channel */
    struct occupancy occupancy;
    struct core_counters core; /* sums over the SMs; `traffic` below */
    struct partition_counters mem;
    const struct dram_counters *channel; /* [board_buses] what each channel, or pseudo channel, counted */
    const struct dram_counters *bank;    /* [board_buses][board_banks] what each bank did; NULL: not counted */
    const char *const *allocation;       /* names; the last is "(local)", the local memory of all threads */
    struct traffic *traffic;             /* [allocations] sums of SMs and partitions */
    u32 allocations;
    const struct line_counters *line; /* [ninst] */
    u32 ninst;
};

/* ---- metrics: everything that can be printed, as a list ---- */

struct metric {
    const char *name;    /* "l1.hit_rate" */
    const char *unit;    /* "%", "bytes/cycle", ... */
    const char *doc;     /* meaning */
    const char *formula; /* "100 * l1.hits / l1.load_sectors"; "": a counter */
    double value;
    bool whole;  /* a count, exact up to 2^53 */
    bool absent; /* no value: the denominator is 0 */
};

/*
 * All metrics of the launch in the order of their tables: counters first, then what is derived (metrics.def), energy
 * and power. Appended to `out`, struct metric each.
 */
void metrics_list(const struct totals *t, struct buf *out);

/* Name, unit, doc and formula of the i-th metric; false beyond the last. */
bool metric_row(u32 i, struct metric *m);

/* The value of one metric of metrics_list, by name; false when it is absent or there is none of that name. */
bool metric_value(const struct metric *list, const char *name, double *value);

/* Appends one sentence with numbers: the limiter of the launch. */
void limiter_sentence(const struct totals *t, struct buf *out);

/* ---- advice: what to try (advice.def) ---- */

struct advice {
    const char *rule;
    u32 row;     /* of the rule in advice.def */
    double gain; /* at most: 1.8 = 1.8 times as fast, or as much work in the same time */
    bool more;   /* true: the advice is to run more blocks or warps; the gain is more work */
    u32 pc;      /* the instruction that it is about; ADVICE_NOWHERE = none */
    char text[184];
};

#define ADVICE_NOWHERE UINT32_MAX
#define ADVICE_LEAST 1.1 /* a gain below this is not worth advice */

/*
 * Appends the advice of each rule that applies, struct advice each, by descending gain, then in the order of the rules.
 */
void advice_list(const struct totals *t, struct buf *out);

/* Name, action and documentation of the i-th rule; false beyond the last. */
bool advice_rule(u32 i, const char **name, const char **action, const char **doc);

/* Appends the sentence for when no gain reaches ADVICE_LEAST: a resource is at its peak, or nothing stands out. */
void advice_none(const struct totals *t, struct buf *out);

/* ---- energy ---- */

/* A part of the energy: picojoules are its count times the value of the field. */
struct energy_part {
    enum board_field field;
    double count; /* events; of a power, picoseconds */
    bool given;   /* false: dram.energy leaves it out, and the count is 0 */
};

enum {
#define SPENT(event, given, expression, doc) +1
#define DRAWN(name, key, given, expression, doc) +1
    ENERGY_PARTS = 0
#include "sim/stat/metrics.def"
};

/* True if the energy of DRAM is that of its commands: rows of the choice dram.energy. */
bool energy_by_command(const struct board *b);

/* Lists all parts; they add up to the metric energy.total. */
void energy_parts(const struct totals *t, struct energy_part parts[ENERGY_PARTS]);

/* Joules of the events of L1, L2 and DRAM that one allocation caused. */
double traffic_energy(const struct board *b, const struct traffic *t);

/*
 * Checks identities.def and the sums over lines and allocations. False: `why` gets a line for each one that is broken.
 */
bool totals_check(const struct totals *t, struct buf *why);

#endif
