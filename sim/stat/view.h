/*
 * Totals as the expressions of metrics.def see them: every counter under its printed name, as a double.
 *
 *   struct view v;
 *   view_of(t, &v);      v.l1.hits, v.stall.WAIT, v.unit.FMA.lanes
 */
#ifndef HEDDLE_STAT_VIEW_H
#define HEDDLE_STAT_VIEW_H

#include "sim/stat/totals.h"

#define BEGIN(group, doc) struct group##_view {
#define END(group) \
    } \
    ;
#define COUNTER(group, name, unit, doc) double name;
#include "sim/stat/counters.def"

struct stall_view {
#define STALL(id, name, wait, doc) double id;
#include "sim/stat/counters.def"
};

struct unit_view {
#define UNIT(id, name, doc) \
    struct { \
        double busy_cycles, lanes; \
    } id;
#include "isa/classes.def"
};

struct lanes_view {
#define UNIT(id, name, doc) double id;
#include "isa/classes.def"
};

struct occupancy_view {
    double blocks, warps, by[LIMIT_COUNT], registers, shared, l1_bytes;
};

struct view {
    double cycles, seconds, blocks, warps, threads, mma_passes, width, sms_used, busiest, idlest, busiest_slice,
        busiest_channel, idlest_channel, busiest_number, idlest_number, busiest_bank, by_command;
    struct occupancy_view occupancy;
    struct sm_view sm;
    struct l1_view l1;
    struct noc_view noc;
    struct l2_view l2;
    struct dram_view dram;
    struct stall_view stall;
    struct unit_view unit;
    struct lanes_view lanes; /* of each unit of a sub-core */
};

static const double SECTOR = 32; /* bytes */

/* The names that expressions use, as constants of a function: of the totals `t` and their view `v`. */
#define VIEW_NAMES(t, v) \
    UNUSED const struct board board = *(t)->board; \
    UNUSED const struct sm_view sm = (v)->sm; \
    UNUSED const struct l1_view l1 = (v)->l1; \
    UNUSED const struct noc_view noc = (v)->noc; \
    UNUSED const struct l2_view l2 = (v)->l2; \
    UNUSED const struct dram_view dram = (v)->dram; \
    UNUSED const struct stall_view stall = (v)->stall; \
    UNUSED const struct unit_view unit = (v)->unit; \
    UNUSED const struct lanes_view lanes = (v)->lanes; \
    UNUSED const struct occupancy_view occupancy = (v)->occupancy; \
    UNUSED const double cycles = (v)->cycles, seconds = (v)->seconds, blocks = (v)->blocks, warps = (v)->warps, \
                        threads = (v)->threads, width = (v)->width, sms_used = (v)->sms_used, busiest = (v)->busiest, \
                        idlest = (v)->idlest, busiest_slice = (v)->busiest_slice, \
                        busiest_channel = (v)->busiest_channel, idlest_channel = (v)->idlest_channel, \
                        busiest_number = (v)->busiest_number, idlest_number = (v)->idlest_number, \
                        busiest_bank = (v)->busiest_bank, mma_passes = (v)->mma_passes, by_command = (v)->by_command
#define peak(name) board_peak(&board, name)

void view_of(const struct totals *t, struct view *v);

#endif
