/*
 * Does a channel of HBM2 move as much as Ramulator 2.1 finds for the same timings, addresses and window? Shares of the
 * pin rate, closed loop: 256 bursts wait, each that is served is replaced, of copies as many as both queues hold; and
 * how long reads wait when they arrive at random. Ramulator chooses row hits first, then the oldest, as the channel
 * does, and drains writes from 0.8 to 0.2 of their queue.
 */
#include "tests/time/dram_rig.h"

#include <math.h>

/* v100.yaml: Accel-Sim's HBM2 at 850 MHz, with queues of `queue` bursts. */
static struct board_dram hbm2(u32 queue) {
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
    c.read_queue = c.write_queue = queue;
    c.write_high = queue * 4 / 5;
    c.write_low = queue / 5;
    return c;
}

enum { BURSTS = 50000 };

struct pattern {
    const char *what;
    u32 line_bytes, run; /* runs of `run` bytes, */
    bool random;         /* at random or each after the last */
    bool copy;           /* a line read, a line written, and so on */
    u32 queue, waiting;
    double ramulator, apart; /* what is allowed beside it */
};

static double bus_share(const struct pattern *p) {
    SCOPED(rig_close) struct rig r = {.c = hbm2(p->queue)};
    r.c.line_bytes = p->line_bytes;
    rig_open(&r);
    u64 random = 11, now = 0, end = 0, at = 0;
    for (u32 i = 0; i < BURSTS || dram_waiting(r.d);) {
        for (; i < BURSTS && dram_waiting(r.d) < p->waiting; i++) {
            bool write = p->copy && i / 4 % 2;
            bool first = i % (p->run / 32) == 0;
            at = first && p->random ? (u64)random_below(&random, 1 << 22) * p->run : at + (i > 0 ? 32 : 0);
            u64 copied = i / 8 * 128ULL + i % 4 * 32 + ((u64)write << 27);
            rig_push_address(&r, now, p->copy ? copied : at, write);
        }
        now = dram_next(r.d);
        end = rig_next(&r).time;
    }
    double share = (double)r.n.busy_cycles / (double)end;
    return share;
}

Test(dram_patterns, shares_of_the_pin_rate) {
    static const struct pattern patterns[] = {
        {"a stream", 32, 128, false, false, 256, 256, 0.953, 0.01},
        {"random bursts", 32, 32, true, false, 256, 256, 0.320, 0.005},
        {"random bursts, 32 wait", 32, 32, true, false, 32, 32, 0.295, 0.01},
        {"random lines", 32, 128, true, false, 256, 256, 0.321, 0.005},
        {"random 256 bytes", 32, 256, true, false, 256, 256, 0.636, 0.005},
        {"random 512 bytes", 32, 512, true, false, 256, 256, 0.954, 0.01},
        {"random 512 bytes, 64 wait", 32, 512, true, false, 64, 64, 0.867, 0.01},
        {"random 64 bytes, lines kept", 128, 64, true, false, 256, 256, 0.638, 0.01},
        {"random lines kept", 128, 128, true, false, 256, 256, 0.956, 0.02},
        {"a copy", 32, 128, false, true, 128, 256, 0.826, 0.03},
        {"a copy, 64 wait", 32, 128, false, true, 32, 64, 0.652, 0.03},
        {"a copy, 512 wait", 32, 128, false, true, 256, 512, 0.873, 0.03},
    };
    for (u32 i = 0; i < COUNT_OF(patterns); i++) {
        const struct pattern *p = &patterns[i];
        double got = bus_share(p);
        cr_expect(got > p->ramulator - p->apart && got < p->ramulator + p->apart, "%s: %.3f, Ramulator %.3f", p->what,
                  got, p->ramulator);
    }
}

/* Mean memory cycles from arrival to the end of the data; `load` reads arrive in a cycle, as a Poisson process. */
static double mean_latency(double load, bool stream) {
    static u64 arrival[BURSTS];
    SCOPED(rig_close) struct rig r = {.c = hbm2(128)};
    r.c.line_bytes = 32; /* the places that Ramulator was given */
    rig_open(&r);
    u64 random = 12345;
    double time = 0, sum = 0;
    for (u32 i = 0; i < BURSTS; i++) {
        time -= log((random_below(&random, 1 << 24) + 1) / (double)(1 << 24)) / load;
        arrival[i] = (u64)time;
        rig_push_address(&r, arrival[i], stream ? i * 32ULL : random_below(&random, 1 << 22) * 32ULL, false);
    }
    for (u32 i = 0; i < BURSTS; i++) {
        struct dram_done done = rig_next(&r);
        sum += (double)(done.time - arrival[done.id]);
    }
    return sum / (double)BURSTS;
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
