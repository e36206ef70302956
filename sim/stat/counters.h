/*
 * Counters: what components count while the clock runs, as plain numbers in plain structs (counters.def). An increment
 * is `c->hits++`; adding up, walking and printing go by the rows.
 */
#ifndef HEDDLE_STAT_COUNTERS_H
#define HEDDLE_STAT_COUNTERS_H

#include "isa/isa.h"

enum stall {
#define STALL(id, name, wait, doc) STALL_##id,
#include "sim/stat/counters.def"
    STALL_COUNT
};

/* struct sm_counters, l1_counters, noc_counters, l2_counters, dram_counters */
#define BEGIN(group, doc) struct group##_counters {
#define END(group) \
    } \
    ;
#define COUNTER(group, name, unit, doc) u64 name;
#include "sim/stat/counters.def"

/* What one allocation cost, as an SM saw it (requests to L1 hits) and as the partitions did (the rest). */
struct traffic {
#define TRAFFIC(name, unit, relation, total, doc) u64 name;
#include "sim/stat/counters.def"
    u64 activates; /* rows of DRAM opened for its bursts: for its energy, no column */
};

/* What one instruction of the program cost. */
struct line_counters {
    u64 issues;
    u64 lanes;              /* lanes that executed, summed */
    u64 stall[STALL_COUNT]; /* cycles of warps waiting to issue it or issuing it, by reason */
#define LINE(name, unit, total, doc) u64 name;
#include "sim/stat/counters.def"
};

enum {
    TRAFFIC_COLUMNS = 0
#define TRAFFIC(name, unit, relation, total, doc) +1
#include "sim/stat/counters.def"
    ,
    LINE_COLUMNS = 0
#define LINE(name, unit, total, doc) +1
#include "sim/stat/counters.def"
};

/* What the partition counts. */
struct partition_counters {
    struct l2_counters l2;
    struct dram_counters dram;
    struct traffic *traffic; /* one for each allocation */
};

/* What an SM counts. */
struct core_counters {
    struct sm_counters sm;
    struct l1_counters l1;
    struct noc_counters noc;
    u64 stall[STALL_COUNT];     /* cycles of warps */
    u64 unit_busy[UNIT_COUNT];  /* cycles that the unit was taken, summed over sub-cores */
    u64 unit_lanes[UNIT_COUNT]; /* lanes that executed, summed over the warp-instructions that it issued */
    struct traffic *traffic;    /* one for each allocation */
};

/* Adds every number of `from`, an array of `count` u64, to `to`: structs of counters are that. */
void counters_add(u64 *to, const u64 *from, size_t count);
#define COUNTERS_ADD(to, from) counters_add((u64 *)(to), (const u64 *)(from), sizeof *(to) / sizeof(u64))

#endif
