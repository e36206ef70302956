/* Does each cycle that a data bus stands still go to the reason that held its burst back? */
#include "tests/time/dram_rig.h"

/* Serves the bursts and ends the launch with the data of the last one. */
static struct dram_counters close_after(struct rig *r, u32 bursts) {
    for (u32 i = 0; i < bursts; i++)
        rig_next(r);
    dram_close(r->d, dram_end(r->d));
    return r->n;
}

/* One read at 100: nothing waits until then; its row takes rcd, and cl is a latency that other bursts would hide. */
Test(dram_parts, a_lone_burst_waits_for_its_row) {
    SCOPED(rig_close) struct rig r = {.c = rig_least()};
    r.c.rcd = 9;
    r.c.cl = 7;
    r.c.burst_cycles = 2;
    rig_open(&r);
    rig_push(&r, 100, (struct at){0}, false);
    struct dram_counters n = close_after(&r, 1);
    cr_expect_eq(n.idle_cycles, 100 + 7);
    cr_expect_eq(n.activate_cycles, 9);
    cr_expect_eq(n.busy_cycles, 2);
    cr_expect_eq(n.bus_cycles, 100 + 7 + 9 + 2);
}

/* Hits of one row follow at once, or after ccd_l where the board has it. */
Test(dram_parts, bursts_of_a_group_are_ccd_l_apart) {
    SCOPED(rig_close) struct rig r = {.c = rig_least()};
    r.c.ccd_l = 6;
    rig_open(&r);
    for (u32 i = 0; i < 4; i++)
        rig_push(&r, 0, (struct at){.column = i}, false);
    struct dram_counters n = close_after(&r, 4);
    cr_expect_eq(n.column_cycles, 3 * 5);
    cr_expect_eq(n.busy_cycles, 4);
}

/* Another row of the bank: from the end of data to the precharge and until it is done, then the activate. */
Test(dram_parts, a_conflict_is_the_bank_until_it_is_precharged) {
    SCOPED(rig_close) struct rig r = {.c = rig_least()};
    r.c.ras = 30;
    r.c.rp = 10;
    r.c.rcd = 4;
    rig_open(&r);
    rig_push(&r, 0, (struct at){.row = 0}, false);
    rig_push(&r, 0, (struct at){.row = 1}, false);
    struct dram_counters n = close_after(&r, 2);
    u64 second = rig_time(&r, DRAM_ACT, 2), first = rig_time(&r, DRAM_RD, 1);
    cr_expect_eq(n.conflict_cycles, second - first - 1);
    cr_expect_eq(n.activate_cycles, 2 * 4);
}

/* A write after a read of the same row: rtw between their commands, less the data of the read. */
Test(dram_parts, a_turn_is_what_the_bus_needs) {
    SCOPED(rig_close) struct rig r = {.c = rig_least()};
    r.c.rtw = 12;
    rig_open(&r);
    rig_push(&r, 0, (struct at){.column = 0}, false);
    rig_push(&r, 0, (struct at){.column = 1}, true);
    struct dram_counters n = close_after(&r, 2);
    cr_expect_eq(n.turn_cycles, 11);
    cr_expect_eq(n.column_cycles, 0);
}

/* All banks are refreshed at 50, in the midst of bursts that wait: rfc, then the row again. */
Test(dram_parts, a_refresh_is_until_its_end) {
    SCOPED(rig_close) struct rig r = {.c = rig_least()};
    r.c.refi = 50;
    r.c.rfc = 20;
    r.c.rcd = 3;
    r.c.burst_cycles = 4;
    rig_open(&r);
    for (u32 i = 0; i < 16; i++)
        rig_push(&r, 0, (struct at){.column = i}, false);
    struct dram_counters n = close_after(&r, 16);
    u64 refresh = rig_time(&r, DRAM_REF, 1);
    cr_expect(n.refresh_cycles > 0 && n.refresh_cycles <= 20);
    cr_expect_geq(refresh, 50);
    cr_expect_eq(n.activate_cycles, 2 * 3);
    cr_expect_eq(n.bus_cycles, n.busy_cycles + n.refresh_cycles + n.activate_cycles + n.idle_cycles);
}

/* Rows opened in turn: the bus waits for rrd, whatever the banks could do. */
Test(dram_parts, activates_in_turn_are_no_conflicts) {
    SCOPED(rig_close) struct rig r = {.c = rig_least()};
    r.c.rrd_s = r.c.rrd_l = 15;
    rig_open(&r);
    for (u32 i = 0; i < 4; i++)
        rig_push(&r, 0, (struct at){.bank = i}, false);
    struct dram_counters n = close_after(&r, 4);
    cr_expect_eq(n.activate_cycles, 1 + 3 * 14); /* the first column follows a cycle after its activate */
    cr_expect_eq(n.conflict_cycles, 0);
}

/* A log names the place of a request; a replay finds the request of a place. */
Test(dram_parts, every_place_has_its_address) {
    const u32 maps = 1 + (u32)board_fields[BOARD_dram_map].max, spreads = 1 + (u32)board_fields[BOARD_dram_spread].max;
    u64 random = 5;
    for (u32 i = 0; i < maps * spreads; i++) {
        SCOPED(rig_close) struct rig r = {.c = rig_default()};
        r.c.map = (enum map)(i % maps);
        r.c.spread = (enum spread)(i / maps);
        rig_open(&r);
        for (u32 n = 0; n < 500; n++) {
            u32 bank, column;
            u64 row, address = (u64)random_below(&random, 1u << 26) * r.c.burst_bytes;
            dram_find(r.d, address, &bank, &row, &column);
            cr_expect_lt(column, r.c.row_bytes / r.c.burst_bytes);
            cr_expect_eq(dram_address_at(r.d, bank, row, column), address, "mapping %u: %llx", i,
                         (unsigned long long)address);
        }
    }
}

/* What a launch that was cut short left of a bank is of no bank of the next one. */
Test(dram_parts, a_new_launch_finds_banks_closed) {
    SCOPED(rig_close) struct rig r = {.c = rig_default()};
    rig_open(&r);
    rig_push(&r, 0, (struct at){.bank = 3, .row = 5}, false);
    rig_next(&r);
    rig_push(&r, 100, (struct at){.bank = 3, .row = 6}, false);
    struct dram_done done;
    while (r.d->device.row[3] != DRAM_NO_ROW)
        cr_assert(!dram_step(r.d, &done));
    r.n = (struct dram_counters){0};
    dram_reset(r.d, &r.n, r.t);
    rig_push(&r, 0, (struct at){.bank = 3, .row = 6}, false);
    rig_next(&r);
    cr_expect(r.n.row_misses == 1 && r.n.row_conflicts == 0);
}

/* 128 banks, a turn each 100 cycles: that of a bank whose bursts wait comes after them, as it may be postponed. */
Test(dram_parts, a_refresh_waits_for_the_bursts_of_its_bank) {
    static const u32 banks[] = {1, 63, 64, 127};
    enum { READS = 8 };
    for (u32 i = 0; i < 2 * COUNT_OF(banks); i++) {
        u32 bank = banks[i / 2];
        SCOPED(rig_close) struct rig r = {.c = rig_default()};
        r.c.banks = 32;
        r.c.bank_groups = 4;
        r.c.refresh = refresh_PER_BANK;
        r.c.refi = 12800;
        r.c.rfc_bank = 20;
        r.c.postpone = r.c.ras = r.c.rtp = r.c.wr = 1; /* the row may be closed at once */
        rig_open(&r);
        for (u32 n = 0; n < READS; n++)
            rig_push(&r, 100 * (bank + 1) - r.c.rcd - 2, (struct at){.bank = bank, .column = n}, i % 2);
        for (u32 n = 0; n < READS; n++)
            rig_next(&r);
        u32 first = 0;
        while (rig_command(&r, first).bank != bank)
            first++;
        cr_expect_eq(rig_command(&r, first).command, DRAM_ACT, "bank %u, %s", bank, i % 2 ? "writes" : "reads");
        cr_expect_eq(r.n.activates, 1);
    }
}

/* Rounds of refreshes between two bursts are left out, but for the last ones: the second finds its bank refreshed. */
Test(dram_parts, rounds_without_bursts_leave_banks_as_they_are) {
    for (u32 i = 0; i < 2 * 8; i++) {
        SCOPED(rig_close) struct rig r = {.c = rig_default()};
        u32 postpone = i / 2 + 1, late = i % 2 ? 150 : 10; /* before the refresh of the next bank, and after it */
        r.c.refresh = refresh_PER_BANK;
        r.c.refi = 1600;
        r.c.rfc_bank = 80 + late;
        r.c.postpone = postpone;
        rig_open(&r);
        r.d->device.log = NULL;                         /* or else each is in it */
        rig_push(&r, 0, (struct at){.bank = 3}, false); /* from its refresh on all banks are closed */
        rig_next(&r);
        u64 due = 1600 * 100000ULL + 300; /* of bank 2 */
        rig_push(&r, due + late, (struct at){.bank = 2}, false);
        u64 column = due + r.c.rfc_bank + r.c.rcd, got = rig_next(&r).time;
        cr_expect_eq(got, column + r.c.cl + r.c.burst_cycles, "postponed %u: %lld", postpone, (long long)(got - due));
        cr_expect_eq(r.n.refreshes, column / 100, "postponed %u: %llu", postpone, (unsigned long long)r.n.refreshes);
    }
}

/* Banks add up to the channel, but for what is no bank's: idle cycles, refreshes. */
Test(dram_parts, banks_add_up) {
    SCOPED(rig_close) struct rig r = {.c = rig_least()};
    enum { BANKS = 64, COLUMNS = sizeof(struct dram_counters) / sizeof(u64) };
    struct dram_counters bank[BANKS] = {0}, sum = {0};
    r.c.rcd = r.c.rp = 9;
    r.c.ras = 20;
    r.c.faw = 30;
    r.c.rtw = 12;
    r.c.refi = 400;
    r.c.rfc = 20;
    rig_open(&r);
    cr_assert(board_banks(&r.c) <= BANKS);
    dram_count_banks(r.d, bank, 0);
    for (u32 i = 0; i < 300; i++)
        rig_push(&r, i * 3, (struct at){.row = i * 7 % 5, .column = i % 4}, i % 3 == 0);
    struct dram_counters n = close_after(&r, 300);
    for (u32 b = 0; b < BANKS; b++)
        COUNTERS_ADD(&sum, &bank[b]);
    sum.idle_cycles = n.idle_cycles;
    sum.bus_cycles = n.bus_cycles;
    sum.refreshes = n.refreshes;
    cr_expect_gt(n.conflict_cycles, 0);
    cr_expect_gt(n.refresh_cycles, 0);
    for (u32 i = 0; i < COLUMNS; i++)
        cr_expect_eq(((u64 *)&sum)[i], ((u64 *)&n)[i], "column %u", i);
}
