/*
 * The clocks of the SMs and of the memory, both from 0, with whole numbers only.
 *
 *      SM cycle s is at s / sm        memory cycle m is at m / memory
 *
 * What happens at an edge of one clock is seen at the first edge of the other that is not earlier: a burst that arrives
 * at s counts from memory cycle ceil(s x memory / sm), data that end at m from SM cycle ceil(m x sm / memory). Exact as
 * long as the result fits in 64 bits, because whole periods are taken out before multiplying.
 */
#ifndef HEDDLE_TIME_DRAM_CLOCK_H
#define HEDDLE_TIME_DRAM_CLOCK_H

#include "sim/time/fold.h"

struct dram_clock {
    u32 sm, memory; /* their ratio is that of the clocks; no common divisor, product below 2^31 */
};

static inline struct dram_clock dram_clock_of(u32 sm_mhz, u32 memory_mhz) {
    u32 a = sm_mhz, b = memory_mhz;
    while (b) {
        u32 rest = a % b;
        a = b;
        b = rest;
    }
    return (struct dram_clock){sm_mhz / a, memory_mhz / a};
}

static inline u64 dram_clock_convert(u64 time, u32 from, u32 to) {
    u64 periods = fold_divide(time, from);
    u32 rest = (u32)(time - periods * from);
    return periods * to + (rest * to + from - 1) / from;
}

static inline u64 dram_clock_memory(struct dram_clock c, u64 sm_time) {
    return dram_clock_convert(sm_time, c.sm, c.memory);
}

static inline u64 dram_clock_sm(struct dram_clock c, u64 memory_time) {
    return dram_clock_convert(memory_time, c.memory, c.sm);
}

#endif
