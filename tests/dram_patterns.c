/*
 * Does a channel of HBM2 move as much as Ramulator 2.1 finds for the same timings, addresses and window? Shares of the
 * pin rate, closed loop: 256 bursts wait, each that is served is replaced; and how long reads wait when they come at
 * random. Ramulator chooses row hits first, then the oldest, as the channel does.
 */
#include "tests/dram_rig.h"

#include <math.h>

/* v100.yaml: Accel-Sim's HBM2 at 850 MHz. */
static struct board_dram hbm2(void) {
    struct board_dram c = rig_default();
    c.burst_cycles = c.ccd_s = 1;
    c.ccd_l = 2;
    c.row_bytes = 2048;
    c.rcd = c.rp = c.cl = c.faw = 12;
    c.ras = 28;
    c.rrd_s = c.rtp = c.wtr = 3;
    c.rrd_l = 4;
    c.wl = 2;
    c.wr = 10;
    c.rtw = 13;
    c.refi = 3420;
    c.rfc = 100;
    c.queue = 256;
    return c;
}

enum { WINDOW = 256, BURSTS = 50000 };

/* Runs of `run` bytes, at random or each behind the one before. */
static double bus_share(u32 line_bytes, u32 run, bool random_starts, bool copy) {
    struct rig r = {.c = hbm2()};
    r.c.line_bytes = line_bytes;
    rig_open(&r);
    u64 random = 11, now = 0, end = 0, at = 0;
    for (u32 i = 0; i < BURSTS || dram_waiting(r.d);) {
        for (; i < BURSTS && dram_waiting(r.d) < WINDOW; i++) {
            bool first = i % (run / 32) == 0;
            at = first && random_starts ? (u64)rig_random(&random, 1 << 22) * run : at + (i > 0 ? 32 : 0);
            bool write = copy && i / 4 % 2;
            rig_push_address(&r, now, copy ? (u64)i / 8 * 128 + i % 4 * 32 + (write ? 1u << 27 : 0) : at, write);
        }
        now = dram_next(r.d);
        end = rig_next(&r).time;
    }
    double share = (double)r.n.busy_cycles / (double)end;
    rig_close(&r);
    return share;
}

Test(dram_patterns, shares_of_the_pin_rate) {
    static const struct {
        const char *what;
        u32 line_bytes, run;
        bool random, copy;
        double least, most;
    } patterns[] = {
        {"a stream", 128, 128, false, false, 0.945, 0.971},
        {"a copy", 128, 128, false, true, 0.87, 0.91},
        {"random bursts", 128, 32, true, false, 0.315, 0.325},
        {"random 64 bytes", 128, 64, true, false, 0.62, 0.645},
        {"random lines", 128, 128, true, false, 0.91, 0.96},
        {"random 512 bytes", 128, 512, true, false, 0.92, 0.97},
        {"random lines in four rows", 32, 128, true, false, 0.315, 0.325},
    };
    for (u32 i = 0; i < COUNT_OF(patterns); i++) {
        double got = bus_share(patterns[i].line_bytes, patterns[i].run, patterns[i].random, patterns[i].copy);
        cr_expect(got >= patterns[i].least && got <= patterns[i].most, "%s: %.3f", patterns[i].what, got);
    }
}

/* Mean memory cycles from arrival to the end of the data; `load` reads come in a cycle, as a Poisson process. */
static double mean_latency(double load, bool stream) {
    static u64 arrival[BURSTS];
    struct rig r = {.c = hbm2()};
    r.c.line_bytes = 32; /* the places that Ramulator was given */
    rig_open(&r);
    u64 random = 12345;
    double time = 0, sum = 0;
    for (u32 i = 0; i < BURSTS; i++) {
        time -= log((rig_random(&random, 1 << 24) + 1) / (double)(1 << 24)) / load;
        arrival[i] = (u64)time;
        rig_push_address(&r, arrival[i], stream ? i * 32ULL : rig_random(&random, 1 << 22) * 32ULL, false);
    }
    for (u32 i = 0; i < BURSTS; i++) {
        struct dram_done done = rig_next(&r);
        sum += (double)(done.time - arrival[done.id]);
    }
    rig_close(&r);
    return sum / BURSTS;
}

/* Ramulator's means are of a run of its own arrivals, so that the busiest loads agree less closely. */
Test(dram_patterns, latencies_of_reads_at_random) {
    static const struct {
        double load;
        bool stream;
        double ramulator;
    } loads[] = {{0.02, false, 36.9}, {0.1, false, 46.8}, {0.2, false, 66.1}, {0.25, false, 88.9},
                 {0.3, false, 157.7}, {0.5, true, 18.7},  {0.8, true, 29.6}};
    for (u32 i = 0; i < COUNT_OF(loads); i++) {
        double got = mean_latency(loads[i].load, loads[i].stream), ratio = got / loads[i].ramulator;
        cr_expect(ratio > 0.98 && ratio < 1.1, "load %g: %.1f, Ramulator %.1f", loads[i].load, got, loads[i].ramulator);
    }
}
