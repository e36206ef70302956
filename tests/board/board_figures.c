/* Are the rules between a board's values, the peaks that follow from them, and the warnings true? */
#include "sim/board/board.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* The default machine with values set, "key=value" each, separated by ';'. */
static void make(struct board *b, const char *list) {
    char text[1000];
    board_default(b);
    snprintf(text, sizeof text, "%s", list);
    for (char *word = strtok(text, ";"); word; word = strtok(NULL, ";")) {
        struct diag diag = {.file = "x"};
        cr_assert(board_set(b, word, &diag), "%s: %s", word, diag.message[0].text);
    }
}

/* ---- rules ---- */

/* One for each row of sim/board/rules.def, in order: on the edge, one beyond it, and the message. */
static const struct {
    const char *holds, *breaks, *said;
} rules[] = {
    {"l2.slices=6;dram.channels=3;l2.bytes=0", "l2.slices=6;dram.channels=4;l2.bytes=0",
     "l2.slices (6) must be a multiple of dram.channels (4): each channel has its own slices"},
    {"l2.far_cycles=9;dram.channels=2", "l2.far_cycles=9;dram.channels=1",
     "with l2.far_cycles (9), dram.channels (1) must be even: each half of L2 has half of them"},
    {"l2.bytes=49152;l2.slices=4;l2.ways=3", "l2.bytes=49280;l2.slices=4;l2.ways=3",
     "l2.bytes (49280) must be 0 or a multiple of 128 bytes x l2.slices (4) x l2.ways (3)"},
    {"l2.interleave=256;dram.burst_bytes=256;dram.line_bytes=256",
     "l2.interleave=128;dram.burst_bytes=256;dram.line_bytes=256",
     "l2.interleave (128) must be at least dram.burst_bytes (256)"},
    {"dram.line_bytes=64;dram.burst_bytes=64", "dram.line_bytes=32;dram.burst_bytes=64",
     "dram.line_bytes (32) must be at least dram.burst_bytes (64)"},
    {"dram.row_bytes=256;dram.line_bytes=256", "dram.row_bytes=128;dram.line_bytes=256",
     "dram.row_bytes (128) must be at least dram.line_bytes (256)"},
    {"dram.stacks=0", "dram.stacks=1", "dram.stacks (1) counts the parts of dram.device, and no device is named"},
    {"dram.ccd_l=2;dram.ccd_s=2", "dram.ccd_l=2;dram.ccd_s=3", "dram.ccd_l (2) must be at least dram.ccd_s (3)"},
    {"dram.rrd_l=4;dram.rrd_s=4", "dram.rrd_l=3;dram.rrd_s=4", "dram.rrd_l (3) must be at least dram.rrd_s (4)"},
    {"dram.ras=14;dram.rcd=14", "dram.ras=13;dram.rcd=14", "dram.ras (13) must be at least dram.rcd (14)"},
    {"dram.ras=14;dram.rcd_write=14;dram.rcd=2", "dram.ras=13;dram.rcd_write=14;dram.rcd=2",
     "dram.ras (13) must be at least dram.rcd_write (14)"},
    {"dram.refresh=per_bank;dram.rfc_bank=1", "dram.refresh=same_bank",
     "dram.rfc_bank (0) must be more than 0 where dram.refresh is per_bank or same_bank"},
    {"dram.write_high=48;dram.write_queue=48", "dram.write_high=48;dram.write_queue=47",
     "dram.write_high (48) must be at most dram.write_queue (47)"},
    {"dram.write_idle=1", "dram.write_idle=1;dram.writes=shared",
     "dram.write_idle (1) must be 0 where dram.writes is shared"},
    {"dram.write_low=47", "dram.write_low=48", "dram.write_low (48) must be less than dram.write_high (48)"},
    {"dram.rfc_bank=1;dram.banks=64;dram.refi=256", "dram.rfc_bank=1;dram.banks=64;dram.refi=255",
     "with dram.rfc_bank (1), dram.refi (255) must be at least the number of banks, dram.bank_groups (4) x dram.banks "
     "(64): they take turns"},
    {"dram.rfc_bank=1;dram.rrefd=200;dram.refi=3200", "dram.rfc_bank=1;dram.rrefd=200;dram.refi=3199",
     "dram.refi (3199) must be at least dram.rrefd (200) for each bank: they take turns"},
    {"dram.rfc_bank=99;dram.refi=239", "dram.rfc_bank=100;dram.refi=239",
     "dram.rfc_bank (100) and the other timings together must be less than dram.refi (239), or refreshes leave no time "
     "for a burst"},
    {"dram.rfc=99;dram.refi=239", "dram.rfc=100;dram.refi=239",
     "dram.rfc (100) and the other timings together must be less than dram.refi (239), or refreshes leave no time for "
     "a burst"},
    {"l1.unified_bytes=131200", "l1.unified_bytes=131201", "l1.unified_bytes (131201) must be a multiple of 128"},
    {"l1.own_bytes=256", "l1.own_bytes=200", "l1.own_bytes (200) must be a multiple of 128"},
    {"l1.line_bytes=64;l1.fetch_bytes=64", "l1.line_bytes=64;l1.fetch_bytes=128",
     "l1.fetch_bytes (128) must be at most l1.line_bytes (64): a fetch is of one line"},
    {"sm.shared_bytes=131072", "sm.shared_bytes=131328",
     "sm.shared_bytes (131328) must be at most l1.unified_bytes (131072)"},
    {"sm.shared_bytes=98400;sm.shared_unit=48;", "sm.shared_bytes=98401;sm.shared_unit=48",
     "sm.shared_bytes (98401) must be a multiple of sm.shared_unit (48)"},
    {"max_shared_per_block=97280;sm.shared_reserved=1024", "max_shared_per_block=97281;sm.shared_reserved=1024",
     "max_shared_per_block (97281) and sm.shared_reserved (1024) together must be at most sm.shared_bytes (98304)"},
    {"sm.registers=1000;sm.register_unit=100", "sm.registers=1001;sm.register_unit=100",
     "sm.registers (1001) must be a multiple of sm.register_unit (100)"},
    {"sm.max_warps=4;sm.sub_cores=4", "sm.max_warps=3;sm.sub_cores=4",
     "sm.max_warps (3) must be at least sm.sub_cores (4)"},
    {"sm.max_warps=128;sm.sub_cores=2", "sm.max_warps=129;sm.sub_cores=2",
     "sm.max_warps (129) must be at most 64 x sm.sub_cores (2): a sub-core holds 64"},
    {"fetch.l0_bytes=256", "fetch.l0_bytes=200", "fetch.l0_bytes (200) must be a multiple of 128"},
    {"fetch.l1_bytes=256", "fetch.l1_bytes=200", "fetch.l1_bytes (200) must be a multiple of 128"},
};

#define RULE(condition, sentence) +1
enum {
    RULES = 0
#include "sim/board/rules.def"
};

Test(board_rules, each_holds_on_its_edge_and_breaks_beyond) {
    struct board b;
    cr_assert(COUNT_OF(rules) == RULES, "%zu rules are tried, there are %d", COUNT_OF(rules), RULES);
    for (u32 i = 0; i < COUNT_OF(rules); i++) {
        struct diag good = {.file = "x"}, bad = {.file = "x"};
        make(&b, rules[i].holds);
        cr_assert(board_check(&b, &good), "%s: %s", rules[i].holds, good.message[0].text);
        make(&b, rules[i].breaks);
        cr_assert(!board_check(&b, &bad) && bad.errors == 1, "%s: %u errors", rules[i].breaks, bad.errors);
        cr_assert(strncmp(bad.message[0].text, rules[i].said, strlen(rules[i].said)) == 0, "%s", bad.message[0].text);
    }
}

Test(board_rules, exceptions) {
    static const char *const fine[] = {"",
                                       "l2.bytes=0",
                                       "dram.rfc=100;dram.refi=0",
                                       "dram.rfc_bank=100;dram.refi=0",
                                       "dram.rfc_bank=99;dram.rfc=100;dram.refi=239",
                                       "l1.unified_bytes=0",
                                       "max_shared_per_block=0;sm.shared_bytes=0;sm.shared_reserved=1024"};
    for (u32 i = 0; i < COUNT_OF(fine); i++) {
        struct board b;
        struct diag diag = {.file = "x"};
        make(&b, fine[i]);
        cr_assert(board_check(&b, &diag), "%s: %s", fine[i], diag.message[0].text);
    }
}

/* The error points at the last line of the file that has a part in it; other files and --set have no line here. */
Test(board_rules, the_line_that_is_to_blame) {
    static const char text[] = "l2:\n  bytes: 0\n  slices: 7\n  ways: 4\n";
    struct diag diag = {.file = "dir/b.yaml", .source = text, .source_len = sizeof text - 1};
    struct board b;
    SCOPED(buf_free) struct buf words = {0};
    board_default(&b);
    cr_assert(board_load(&b, NULL, &(struct board_text){diag.file, text, sizeof text - 1}, &diag));
    cr_assert(!board_check(&b, &diag));
    diag_render(&diag, &words);
    cr_assert_str_eq(words.data, "dir/b.yaml:3:1: error: l2.slices (7) must be a multiple of dram.channels (2): each "
                                 "channel has its own slices; l2.slices=6 or 8, dram.channels=1 or 7 would do\n     3 "
                                 "|   slices: 7\n       | ^\n");
}

/* ---- peaks ---- */

/* Values that determine the peaks of a V100, and those peaks, computed by hand from the vendor's numbers. */
static const char v100[] =
    "sms=80;clock_mhz=1380;sm.max_warps=64;l1.latency=30;noc.latency=40;l2.latency=102;l2.slices=64;l2.bytes=0;"
    "l2.bytes_per_cycle=32;l2.sectors=768;dram.channels=32;dram.clock_mhz=877;dram.burst_cycles=1;dram.ccd_s=1;"
    "dram.ccd_l=2;dram.rcd=12;dram.rp=12;dram.cl=12;dram.ras=28;dram.rrd_s=3;dram.faw=12;dram.latency=176;"
    "dram.refi=3420;dram.rfc=171;power.constant_w=32.3;power.sm_w=0.283;power.sm_active_w=0.233;energy.dram=1723";

static const struct {
    const char *name, *unit;
    double value;
} figures[] = {
    {"issue", "warp-instructions/cycle", 320},      /* 80 SMs x 4 schedulers */
    {"fp32", "results/cycle", 5120},                /* 80 x 64 */
    {"fp32_gflops", "GFLOP/s", 14131.2},            /* 5120 x 2 x 1.38 */
    {"half_gflops", "GFLOP/s", 28262.4},            /* 128 results an SM: 31.4 TFLOP/s at 1530 MHz */
    {"mma_gflops", "GFLOP/s", 113049.6},            /* 512 multiply-adds an SM: 125 TFLOP/s at 1530 MHz */
    {"fp64", "results/cycle", 2560},                /* 80 x 32 */
    {"fp64_gflops", "GFLOP/s", 7065.6},             /* half of fp32 */
    {"int32", "results/cycle", 5120},               /* 80 x 64 */
    {"imul", "results/cycle", 5120},                /* 80 x 64 */
    {"sfu", "results/cycle", 1280},                 /* 80 x 16 */
    {"shuffle", "lanes/cycle", 2560},               /* 80 x 32 */
    {"shuffle_bandwidth", "bytes/cycle", 10240},    /* of 4 bytes */
    {"shared_per_sm", "bytes/cycle per SM", 128},   /* 32 banks of 4 bytes */
    {"shared_bandwidth", "bytes/cycle", 10240},     /* 80 of them */
    {"shared_gbs", "GB/s", 14131.2},                /* x 1.38 */
    {"l1_per_sm", "bytes/cycle per SM", 128},       /* a line */
    {"l1_bandwidth", "bytes/cycle", 10240},         /* 80 of them */
    {"l1_gbs", "GB/s", 14131.2},                    /* x 1.38 */
    {"noc_request_bandwidth", "bytes/cycle", 2560}, /* 80 x 32 */
    {"noc_reply_bandwidth", "bytes/cycle", 5120},   /* 80 x 64 */
    {"noc_gbs", "GB/s", 7065.6},                    /* x 1.38 */
    {"l2_bandwidth", "bytes/cycle", 2048},          /* 64 x 32 */
    {"l2_gbs", "GB/s", 2826.24},                    /* x 1.38 */
    {"dram_bandwidth", "bytes/cycle", 898.048 / 1.38},
    {"dram_gbs", "GB/s", 898.048},              /* 4096 bits x 2 x 877 MHz */
    {"dram_refreshed_gbs", "GB/s", 853.1456},   /* 5 % are refreshes */
    {"dram_hit_gbs", "GB/s", 898.048},          /* ccd_s is a burst */
    {"dram_hit_group_gbs", "GB/s", 449.024},    /* ccd_l is two */
    {"dram_row_gbs", "GB/s", 299.349333333333}, /* an activate each 3 cycles */
    {"dram_line_gbs", "GB/s", 898.048},         /* four bursts take longer */
    {"l1_latency", "cycles", 30},
    {"l2_latency", "cycles", 212},            /* 30 + 2 x 40 + 102 */
    {"dram_hit_latency", "cycles", 408.4561}, /* 212 + 176 + 13 x 1380 / 877 */
    {"dram_latency", "cycles", 427.338655},   /* 12 more of them */
    {"dram_conflict_latency", "cycles", 446.221209},
    {"barrier_latency", "cycles", 86},                     /* 22 + 2 x 32 warps */
    {"l1_flight_l2", "bytes/cycle per SM", 77.2830188679}, /* 512 x 32 / 212 */
    {"l1_flight_dram", "bytes/cycle per SM", 38.3396162},
    {"l2_flight_dram", "bytes/cycle", 7304.14149}, /* 64 x 768 x 32 / 215.34 */
    {"warps", "warps per SM", 64},
    {"blocks", "blocks per SM", 32},
    {"threads", "threads per SM", 2048},
    {"registers", "regs per thread", 32},        /* 65536 / 2048 */
    {"shared_per_warp", "bytes per warp", 1536}, /* 96 KB / 64 */
    {"warps_to_fill", "warps per sub-core", 2},  /* latency 4, two cycles each */
    {"register_energy", "pJ/byte", 0.15625},     /* 20 / 128 */
    {"shared_energy", "pJ/byte", 4.7734375},     /* 611 / 128 */
    {"l1_energy", "pJ/byte", 6.375},             /* 204 / 32 */
    {"l2_energy", "pJ/byte", 22.90625},          /* 733 / 32 */
    {"dram_energy", "pJ/byte", 53.84375},        /* 1723 / 32 */
    {"fma_energy", "pJ", 5.875},                 /* 60 / 32 + 4 x 20 / 32 + 1.5 */
    {"shuffle_energy", "pJ", 9.75},              /* 60 / 32 + 3 x 20 / 32 + 6 */
    {"idle_power", "W", 54.94},                  /* 32.3 + 80 x 0.283 */
    {"active_power", "W", 73.58},                /* and 80 x 0.233 */
    {"balance_dram", "FLOP/byte", 15.73546},     /* 14131.2 / 898.048 */
    {"balance_l2", "FLOP/byte", 5},              /* 10240 / 2048 */
    {"balance_shared", "FLOP/byte", 1},          /* 10240 / 10240 */
};

Test(board_peaks, half_of_the_misses_are_far) {
    struct board b;
    struct board_peak list[BOARD_PEAKS_MAX], far[BOARD_PEAKS_MAX];
    make(&b, v100);
    u32 n = board_peaks(&b, list);
    b.l2.far_cycles = 150;
    board_peaks(&b, far);
    for (u32 i = 0; i < n; i++)
        if (strncmp(list[i].name, "dram_", 5) == 0 && strcmp(list[i].unit, "cycles") == 0)
            cr_expect_eq(far[i].value, list[i].value + 75, "%s", list[i].name);
        else if (strcmp(list[i].name, "l1_flight_dram") != 0)
            cr_expect(far[i].value == list[i].value || isnan(list[i].value), "%s", list[i].name);
}

Test(board_peaks, of_a_v100) {
    struct board b;
    struct board_peak list[BOARD_PEAKS_MAX];
    make(&b, v100);
    u32 n = board_peaks(&b, list);
    cr_assert(n == COUNT_OF(figures), "%u peaks, %zu figures", n, COUNT_OF(figures));
    for (u32 i = 0; i < n; i++) {
        double got = list[i].value, want = figures[i].value;
        cr_assert_str_eq(list[i].name, figures[i].name);
        cr_assert_str_eq(list[i].unit, figures[i].unit);
        cr_assert(*list[i].doc, "%s", list[i].name);
        cr_assert(fabs(got - want) <= 1e-6 * fabs(want), "%s is %.12g, not %.12g", list[i].name, got, want);
        cr_assert(board_peak(&b, list[i].name) == got);
    }
    cr_assert(board_peak(&b, "nothing") == 0);
}

static void peak_is(const char *sets, const char *name, double want) {
    struct board b;
    make(&b, sets);
    double got = board_peak(&b, name);
    cr_assert(fabs(got - want) <= 1e-9 * fabs(want), "%s: %s is %.12g, not %.12g", sets, name, got, want);
}

/* Other limits of the same formulas, which the V100 does not show. */
Test(board_peaks, limits) {
    peak_is("lanes.fma=64", "fp32", 128);                          /* four warps of 32 are all that is issued */
    peak_is("lanes.fma=64;sm.issue_width=2", "fp32", 256);         /* or eight */
    peak_is("lanes.fma=8;passes.fp32=2", "fp32", 16);              /* half of the lanes */
    peak_is("lanes.fma=16;lanes.fp16=32", "half_gflops", 4 * 128); /* a pipe of its own */
    peak_is("lanes.fma=16;lanes.fp16=0", "half_gflops", 4 * 64);   /* or that of fp32 */
    peak_is("shared.pass_cycles=2", "shared_per_sm", 64);          /* as on GA102 */
    peak_is("shared.bank_bytes=8", "shared_per_sm", 256);
    peak_is("dram.rfc_bank=260", "dram_refreshed_gbs", 32); /* the other banks work on */
    peak_is("dram.rfc_bank=390;dram.banks=1;dram.bank_groups=1", "dram_refreshed_gbs", 28.8);
    peak_is("dram.refi=0", "dram_refreshed_gbs", 32);  /* 2 channels x 32 bytes / 2 cycles x 1 GHz */
    peak_is("dram.ccd_s=4", "dram_hit_gbs", 16);       /* commands further apart than bursts */
    peak_is("dram.pseudo_channels=2", "dram_gbs", 64); /* twice the data buses */
    peak_is("dram.rfc_bank=260;dram.refresh=all_bank", "dram_refreshed_gbs", 32 * 0.93333333333333333);
    peak_is("dram.pseudo_channels=2;dram.act_cycles=4", "dram_row_gbs", 16); /* an activate of either in 4 cycles */
    peak_is("dram.faw=40", "dram_row_gbs", 6.4);                             /* four rows in 40 cycles */
    peak_is("dram.bank_groups=1;dram.banks=1", "dram_row_gbs", 64 / 47.0);   /* ras + rp */
    peak_is("dram.ppd=10", "dram_row_gbs", 6.4);                             /* each after a precharge */
    peak_is("dram.rc=80;dram.bank_groups=1;dram.banks=1", "dram_row_gbs", 64 / 80.0);
    peak_is("", "dram_line_gbs", 32);                   /* four bursts take longer than an activate */
    peak_is("dram.line_bytes=32", "dram_line_gbs", 16); /* a line of one burst: faw / 4 */
    peak_is("dram.bank_groups=1;dram.banks=1", "dram_line_gbs", 256 / 47.0);
    peak_is("dram.bank_groups=1;dram.banks=1;dram.rcd=30", "dram_line_gbs", 256 / 61.0); /* rcd, 3 ccd_l, rtp, rp */
    peak_is("warp_width=8", "threads", 1024);
    peak_is("warp_width=64", "registers", 8);                   /* 512 a warp */
    peak_is("sm.registers=1048576", "registers", 255);          /* no more has a name */
    peak_is("sm.registers=25600", "registers", 0);              /* 100 units for 128 warps */
    peak_is("max_threads_per_block=33", "barrier_latency", 26); /* two warps */
    peak_is("energy.instruction=60;warp_width=8", "fma_energy", 7.5 + 2.5 + 1.5);
}

/* 909 pJ a row of 1 KB, 686 a burst, 0.8 a bit. */
Test(board_figures, energy_of_dram_by_command) {
    struct board b;
    make(&b, "dram.energy=commands");
    cr_expect_float_eq(board_peak(&b, "dram_energy"), 909 / 1024.0 + 686 / 32.0 + 8 * 0.8, 1e-9);
}

/* ---- warnings ---- */

/* A board without warnings. */
static const char calm[] = "l2.bytes_per_cycle=16;";

static const struct {
    const char *sets, *said;
} warnings[] = {
    {"lanes.fma=12", "lanes.fma (12) does not divide warp_width (32): 4 lanes are idle in the last of the 3 cycles"},
    {"max_threads_per_block=1024;sm.max_warps=31",
     "a block of max_threads_per_block (1024) is 32 warps; an SM holds sm.max_warps (31)"},
    {"sm.registers=65280",
     "with sm.registers (65280) a thread has 8 registers when all sm.max_warps (128) are resident"},
    {"sm.shared_bytes=131072", "sm.shared_bytes is all of l1.unified_bytes (131072)"},
    {"lsu.address_cycles=5", "with lsu.address_cycles (5) all sub-cores together ask for 102.4 bytes/cycle"},
    {"shared.return_bytes=31",
     "shared.return_bytes (31) of each sub-core are 124 bytes/cycle for the SM, below the 128"},
    {"lsu.queue=1", "lsu.queue is 1"},
    {"l1.sectors=419;dram.clock_mhz=500", /* 419 x 32 / 210 = 63.8 */
     "L1 can have 419 sectors in flight (l1.sectors): at the 210 cycles of L2 that is 63.8 bytes/cycle, below its "
     "64-byte"},
    {"l1.sectors=299", /* 299 x 32 / 300 = 31.9; DRAM moves 32 */
     "L1 can have 299 sectors in flight (l1.sectors): at the 300 cycles of DRAM that is 31.9 bytes/cycle, below an "
     "SM's "
     "share of 32"},
    {"l1.sectors=500;dram.clock_mhz=5000", /* 500 x 32 / 276 = 58; DRAM moves 160, the wire 64 */
     "L1 can have 500 sectors in flight (l1.sectors): at the 276 cycles of DRAM that is 58 bytes/cycle, below its wire "
     "of "
     "64"},
    {"noc.reply_bytes=63;l1.sectors=1024", "the ports of all SMs (noc.reply_bytes) take 63 bytes/cycle, below the 64"},
    {"l2.bytes_per_cycle=7", "L2 moves 28 bytes/cycle (l2.slices x l2.bytes_per_cycle), below the 32 of DRAM"},
    {"l2.sectors=22", /* 4 x 22 x 32 / 90 */
     "L2 can have l2.sectors (22) of each slice in flight: that is 31.29 bytes/cycle from DRAM, below its 32"},
    {"dram.ccd_s=3", "dram.ccd_s (3) is more than dram.burst_cycles (2)"},
    {"dram.bank_groups=1",
     "dram.bank_groups (1) taking turns come round in 2 cycles, before dram.ccd_l (4) has passed: "
     "bursts move at 0.5 of the wire"},
    {"dram.read_queue=13", "dram.read_queue (13) bursts take 26 cycles; opening another row takes 28 (rp + rcd)"},
    {"dram.row_bytes=128;dram.faw=36",
     "a row of dram.row_bytes (128) is read in 8 cycles; rows can be opened only every 9"},
    {"dram.rfc=391", "refreshes (dram.rfc of dram.refi) take 10 % of the time"},
    {"dram.burst_bytes=64;l2.bytes_per_cycle=16", "dram.burst_bytes (64): a miss of one sector moves 32 bytes"},
};

static bool warned(const char *sets, const char *said) {
    struct board b;
    struct diag diag = {.file = "x"};
    char all[1000];
    bool found = false;
    snprintf(all, sizeof all, "%s%s", calm, sets);
    make(&b, all);
    board_warnings(&b, &diag);
    for (u32 i = 0; i < diag.kept; i++)
        found |= strncmp(diag.message[i].text, said, strlen(said)) == 0;
    if (!found)
        for (u32 i = 0; i < diag.kept; i++)
            fprintf(stderr, "%s: %s\n", sets, diag.message[i].text);
    cr_assert(diag.errors == 0);
    return found;
}

Test(board_warnings, each_is_said) {
    for (u32 i = 0; i < COUNT_OF(warnings); i++)
        cr_assert(warned(warnings[i].sets, warnings[i].said), "%s", warnings[i].sets);
}

/* On the other side of the edge, no warning. */
Test(board_warnings, none_without_reason) {
    static const char *const quiet[] = {"",
                                        "lanes.fma=8",
                                        "lanes.ctrl=64",
                                        "sm.max_warps=32",
                                        "sm.registers=65536",
                                        "sm.shared_bytes=130816",
                                        "lsu.address_cycles=4",
                                        "shared.return_bytes=32",
                                        "lsu.queue=2",
                                        "l1.sectors=420",
                                        "noc.reply_bytes=64",
                                        "l2.bytes_per_cycle=8",
                                        "l2.sectors=23",
                                        "dram.ccd_s=2",
                                        "dram.bank_groups=2",
                                        "dram.read_queue=14",
                                        "dram.row_bytes=128;dram.faw=32",
                                        "dram.rfc=390",
                                        "l1.unified_bytes=0;l1.sectors=1"};
    for (u32 i = 0; i < COUNT_OF(quiet); i++) {
        struct board b;
        struct diag diag = {.file = "x"};
        char all[1000];
        snprintf(all, sizeof all, "%s%s", calm, quiet[i]);
        make(&b, all);
        board_warnings(&b, &diag);
        cr_assert(diag.warnings == 0, "%s: %s", quiet[i], diag.message[0].text);
    }
}
