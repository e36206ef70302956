/*
 * Does a channel of HBM2 move as much as Ramulator 2.1 finds for the same timings, addresses and window? Shares of the
 * pin rate, closed loop: 256 bursts wait, each that is served is replaced. Ramulator chooses row hits first, then the
 * oldest, as the channel does.
 */
#include "tests/dram_rig.h"

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
        end = dram_step(r.d).time;
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
