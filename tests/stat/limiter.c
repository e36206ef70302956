/* Does the limiter name what bounds a launch? */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "tests/stat/totals_fixture.h"

static void says(const struct totals *t, const char *sentence) {
    SCOPED(buf_free) struct buf out = {0};
    limiter_sentence(t, &out);
    cr_expect(strcmp(out.data, sentence) == 0, "%s\nnot: %s", out.data, sentence);
}

Test(limiter, latency) {
    struct made m;
    totals_fixture(&m);
    says(&m.t, "Bound by latency: warps wait 60 % of their time for results from global or local memory and 20 % for "
               "results of earlier arithmetic; an SM has 2 of 4 warps, limited by registers; no "
               "resource exceeds 24 % of its peak (DRAM).");
    m.t.occupancy.limit = LIMIT_WARPS;
    m.t.core.stall[STALL_WAIT] = 20; /* too little to be mentioned */
    says(&m.t, "Bound by latency: warps wait 60 % of their time for results from global or local memory; an SM has its "
               "maximum of 2 warps; no resource exceeds 24 % of its peak (DRAM).");
}

Test(limiter, a_resource) {
    struct made m;
    totals_fixture(&m);
    m.t.mem.dram.read_bytes = 640; /* of 800 */
    m.t.mem.dram.useful_bytes = 320;
    says(&m.t, "Bound by DRAM: 6.40 of 8.00 GB/s, 80 % of its peak; 50 % of its bytes are useful; 50 % of the "
               "bursts are row hits.");
    m.t.mem.l2.misses = 5;
    m.t.mem.l2.joined_sectors = 15;
    says(&m.t, "Bound by DRAM: 6.40 of 8.00 GB/s, 80 % of its peak; 50 % of its bytes are useful; 50 % of the "
               "bursts are row hits; 75 % of the sectors read from DRAM are read because stores filled them in part.");
    m.t.mem.l2.joined_sectors = 0;
    m.t.mem.dram.read_bytes = 480;
    m.t.mem.dram.useful_bytes = 480;
    m.t.mem.dram.row_hits = 6;
    says(&m.t, "Mostly bound by DRAM: 4.80 of 8.00 GB/s, 60 % of its peak.");
    totals_fixture(&m);
    m.board.l2.slices = 20;
    m.t.mem.l2.busy_cycles = 1700;
    m.t.core.l1.useful_bytes = 512;
    says(&m.t, "Bound by L2: 1,088 of 1,280 bytes/cycle, 85 % of its peak.");
    totals_fixture(&m);
    m.t.core.sm.shared_passes = m.t.core.sm.shared_cycles = 180;
    m.t.core.sm.shared_conflicts = 90;
    says(&m.t, "Bound by shared memory: 230 of 256 bytes/cycle, 90 % of its peak; 50 % of its passes are due to bank "
               "conflicts.");
}

Test(limiter, room_in_l1) {
    struct made m;
    totals_fixture(&m);
    m.t.occupancy.limit = LIMIT_WARPS;
    m.t.core.stall[STALL_WAIT] = 20;
    m.t.core.l1.full_cycles = 22; /* of 150 */
    m.t.core.l1.crowded_cycles = 30;
    says(&m.t, "Bound by latency: warps wait 60 % of their time for results from global or local memory; an SM has its "
               "maximum of 2 warps; 20 % of the time L1 has its 128 loads waiting for lines; no resource exceeds 24 % "
               "of its peak (DRAM).");
    m.t.core.l1.full_cycles = 45;
    m.t.core.l1.crowded_cycles = 0;
    says(&m.t, "Bound by latency: warps wait 60 % of their time for results from global or local memory; an SM has its "
               "maximum of 2 warps; 30 % of the time L1 has its 512 sectors in flight; no resource exceeds 24 % of its "
               "peak (DRAM).");
}

Test(limiter, missing_and_uneven_work) {
    struct made m;
    totals_fixture(&m);
    m.board.sms = 3;
    m.t.occupancy.limit = LIMIT_GRID;
    says(&m.t, "Too little work: the grid fills 2 of 3 SMs; there, warps wait 60 % of their time for results "
               "from global or local memory and 20 % for results of earlier arithmetic; an active SM has 1.00 of 4 "
               "warps, limited by the grid size; no resource exceeds 24 % of its peak (DRAM).");
    totals_fixture(&m);
    m.t.core.sm.active_cycles = 125;
    says(&m.t,
         "Uneven work: the busiest SM had 1.6 times the work of the average one; there, warps wait 60 % of their "
         "time for results from global or local memory and 20 % for results of earlier arithmetic; an SM has 2 of 4 "
         "warps, limited by registers; no resource exceeds 24 % of its peak (DRAM).");
}

Test(limiter, blocks_that_only_start) {
    struct made m;
    totals_fixture(&m);
    m.t.blocks = (u32)m.t.cycles / 2;
    m.board.launch.interval_cycles = 2;
    m.board.launch.block_cycles = 1;
    memset(m.t.core.stall, 0, sizeof m.t.core.stall);
    m.t.core.stall[STALL_SELECTED] = m.t.core.sm.warp_cycles;
    struct buf out = {0};
    limiter_sentence(&m.t, &out);
    cr_expect(strstr(out.data, "ound by the start of blocks, at most one in 2 cycles: that takes 9"), "%s", out.data);
    buf_free(&out);
    m.board.launch.interval_cycles = 1.9;
    limiter_sentence(&m.t, &out);
    cr_expect(strstr(out.data, "ound by the start of blocks, at most one in 1.9 cycles"), "%s", out.data);
    buf_free(&out);
    m.board.launch.interval_cycles = 0; /* 50 blocks in 2 x 5 places: 40 follow another */
    m.t.occupancy.blocks = 5;
    m.board.launch.block_cycles = 20;
    limiter_sentence(&m.t, &out);
    cr_expect(strstr(out.data,
                     "Bound by the start of blocks, 20 cycles after the one before in each place: places stand "
                     "empty 80 %"),
              "%s", out.data);
    buf_free(&out);
    m.board.launch.block_cycles = 1;
    m.board.launch.interval_cycles = 1; /* half of the time */
    limiter_sentence(&m.t, &out);
    cr_expect(strncmp(out.data, "Bound by latency: warps never wait", 34) == 0, "%s", out.data);
    buf_free(&out);
}

/* Rows: 2 channels that open one in 4 cycles of theirs at most. */
Test(limiter, rows_of_dram) {
    struct made m;
    struct buf out = {0};
    totals_fixture(&m);
    double share = 0;
    for (u64 n = 0; n < 1000 && share < 85; n++) {
        SCOPED(buf_free) struct buf metrics = {0};
        m.t.mem.dram.activates = n;
        metrics_list(&m.t, &metrics);
        cr_assert(metric_value((const struct metric *)(const void *)metrics.data, "dram.row_share", &share));
        const struct board_dram *d = &m.board.dram;
        double each = fmax(fmax(d->rrd_s, d->faw / 4.0), (double)(d->ras + d->rp) / (d->bank_groups * d->banks));
        double cycles = (double)m.t.cycles / m.board.clock_mhz * d->clock_mhz * d->channels;
        cr_assert_float_eq(share, 100 * (double)n * fmax(each, d->burst_cycles) / cycles, 1e-6 * (share + 1));
    }
    limiter_sentence(&m.t, &out);
    cr_expect(strstr(out.data, "Bound by the rows that DRAM opens: 8") == out.data, "%s", out.data);
    buf_free(&out);
}

/* Slices and channels are many; that one of them is at its end shows in no share of all. */
Test(limiter, one_of_many) {
    struct made m;
    totals_fixture(&m);
    m.board.l2.slices = 20;
    m.t.busiest_slice = 85;
    says(&m.t, "Bound by one L2 slice of 20: it is busy 85 % of the time, all together 0 %; warps wait 60 % of their "
               "time for results from global or local memory and 20 % for results of earlier arithmetic; an SM has 2 "
               "of 4 warps, limited by registers.");
    m.t.busiest_slice = 4;
    m.t.busiest_channel = 31; /* of 50 memory cycles */
    m.board.dram.channels = 8;
    says(&m.t,
         "Mostly bound by one DRAM channel of 8: it is busy 62 % of the time, all together 3 %; warps wait 60 % of "
         "their time for results from global or local memory and 20 % for results of earlier arithmetic; an SM "
         "has 2 of 4 warps, limited by registers.");
    m.board.dram.bank_groups = m.board.dram.banks = 4;
    m.t.busiest_bank = 45;
    m.t.hot_channel = 3;
    m.t.hot_bank = 5;
    says(&m.t,
         "Bound by one DRAM bank of 128, bank 5 of channel 3: it opens and closes rows 90 % of the time, all together "
         "2 %; warps wait 60 % of their time for results from global or local memory and 20 % for results of earlier "
         "arithmetic; an SM has 2 of 4 warps, limited by registers.");
    m.t.mem.dram.activates = 64; /* in all banks alike */
    says(&m.t,
         "Mostly bound by one DRAM channel of 8: it is busy 62 % of the time, all together 3 %; warps wait 60 % of "
         "their time for results from global or local memory and 20 % for results of earlier arithmetic; an SM "
         "has 2 of 4 warps, limited by registers.");
}

Test(limiter, nothing) {
    struct made m;
    totals_fixture(&m);
    m.t = (struct totals){.board = &m.board, .width = 32};
    says(&m.t, "Nothing was issued.");
}
