/* The controller of a channel, for dram.c and for tests that read the log of commands. */
#ifndef HEDDLE_TIME_DRAM_PRIVATE_H
#define HEDDLE_TIME_DRAM_PRIVATE_H

#include "sim/time/dram.h"
#include "sim/time/dram_clock.h"
#include "sim/time/dram_device.h"
#include "sim/time/dram_window.h"

/* A burst that is not in the window yet. */
struct dram_arrival {
    u64 time; /* memory cycles */
    struct dram_burst burst;
};

/* Where a column of all groups is: lines that follow one another share it, and it takes a while to find. */
struct dram_column {
    u64 number; /* number among the channel's columns */
    u64 row;
    u32 bank; /* bank in the first group */
    u32 turn; /* rotation of its lines over the groups */
};

struct dram {
    u64 next;                     /* dram_next, SM cycles */
    u64 now;                      /* time of the next choice, else of the last, memory cycles */
    u64 bus_free;                 /* end of the last data, memory cycles */
    u64 refresh_due;              /* memory cycles; TIME_NEVER: no refresh */
    u64 choices;                  /* choices made */
    u32 quota;                    /* writes left in a drain although reads wait */
    bool writing;                 /* direction of the next choice */
    bool last_write;              /* direction of the last data */
    struct dram_column column;    /* column of the last burst that entered the window */
    u64 pushed_sm, pushed_memory; /* arrival of the last burst, in both clocks */
    struct dram_device device;
    struct dram_window window;
    struct dram_counters *counters;
    struct traffic *traffic;      /* [allocations] */
    struct dram_arrival *arrival; /* ring, [capacity] */
    u32 head, queued, capacity;   /* first entry; entries; size, a power of two */
    u32 ahead;                    /* memory cycles from a choice to the end of the data before it */
    u32 line_shift, group_bits, column_bits, bank_bits; /* fields of an address */
    struct dram_clock clock;
    struct arena *arena;
    struct board_dram cfg;
};

/* Where an address is. */
struct dram_place {
    u64 row;
    u32 bank; /* bank of the channel; its group is the lowest bits */
};
struct dram_place dram_place_of(const struct dram *d, u64 address);

#endif
