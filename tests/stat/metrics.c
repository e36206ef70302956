/* Do the metrics compute what their formulas promise? */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "tests/stat/totals_fixture.h"

/* ---- values ---- */

static const struct {
    const char *name;
    double value;
} expected[] = {
    {"cycles", 100},
    {"seconds", 1e-7},
    {"launch.profiled", 1e-7 + 40e-9},
    {"launch.sms_used", 2},
    {"launch.waves", 2 / (2.0 * 2)},
    {"launch.imbalance", 100 * 2 / 150.0},
    {"launch.busiest_to_idlest", 2},
    {"issue.ipc_elapsed", 20 / 200.0},
    {"issue.ipc_active", 20 / 150.0},
    {"issue.issued", 10},
    {"issue.stalled", 65},
    {"issue.vacant", 25},
    {"issue.lanes_per_instruction", 24},
    {"issue.simt_efficiency", 75},
    {"issue.divergent_branches", 25},
    {"issue.warps_active", 1},
    {"issue.warps_eligible", 30 / 150.0},
    {"issue.warp_cycles_per_instruction", 7.5},
    {"occupancy.theoretical", 50},
    {"occupancy.achieved", 25},
    {"occupancy.warps_active", 1},
    {"occupancy.by_registers", 2},
    {"shared.passes_per_request", 4},
    {"shared.conflict_share", 75},
    {"shared.bytes_per_pass", 32},
    {"l1.sectors_per_request", 8},
    {"l1.lines_per_request", 2},
    {"l1.passes_per_request", 2},
    {"l1.conflict_share", 25},
    {"l1.tag_cycles_per_request", 1},
    {"l1.useful_share", 25},
    {"l1.excess_share", 75},
    {"l1.hit_rate", 25},
    {"l1.pending_share", 12.5},
    {"l1.flight_latency", 100},
    {"l1.flight_bytes", 384},
    {"l1.full_share", 10},
    {"l1.crowded_share", 4},
    {"l1.flight_share", 100 * 1200 / (200.0 * 512)},
    {"sol.pipe", 6},
    {"sol.l1", 2}, /* 4 passes of 200 */
    {"noc.reply_data", 100 * 384 / 408.0},
    {"noc.request_data", 0},
    {"l2.hit_rate", 50},
    {"l2.busiest_slice", 4},
    {"dram.busiest_channel", 24}, /* 12 of 50 memory cycles: there is one channel */
    {"dram.idlest_channel", 24},
    {"dram_share.busy", 24},
    {"dram_share.activate", 16},
    {"dram_share.idle", 60},
    {"dram.busiest_bank", 40}, /* 20 of 50 memory cycles */
    {"l2.useful_share", 25},
    {"dram.row_hit_rate", 50},
    {"dram.busy", 24}, /* 12 of 50 memory cycles */
    {"dram.useful_share", 25},
    {"dram.read_bandwidth", 1.92}, /* 192 bytes in 100 ns */
    {"dram.write_bandwidth", 0},
    {"dram.bytes_per_useful_byte", 1.5},
    {"rate.requested", 2.56},
    {"rate.useful", 1.28},
    {"rate.sectors", 5.12},
    {"rate.dram_bytes", 1.92},
    {"roofline.intensity", 2.5},
    {"roofline.ridge", 32 / 8.0}, /* 32 lanes and 8 bytes a nanosecond */
    {"rate.issue", 0.2},
    {"peak.issue", 2},
    {"sol.issue", 10},
    {"rate.fma", 6.4},
    {"peak.fma", 32},
    {"sol.fma", 20},
    {"unit.fma.utilisation", 20},
    {"sol.shared", 4}, /* 8 passes of 200 */
    {"sol.noc_request", 100 * 24 / 6400.0},
    {"sol.noc_reply", 100 * 408 / 12800.0},
    {"sol.l2", 3}, /* 6 of 200 cycles */
    {"peak.dram", 8},
    {"sol.dram", 24},
    {"stall.long_scoreboard", 90},
    {"stall_share.long_scoreboard", 60},
    {"stall_share.selected", 100 * 20 / 150.0},
    {"stall_per_instruction.long_scoreboard", 4.5},
    {"energy.instruction", 20 * 10e-12},
    {"energy.register", 40 * 20e-12},
    {"energy.fma", 480 * 40e-12},
    {"energy.shared", 8 * 90e-12},
    {"energy.l1", 16 * 100e-12},
    {"energy.l2", 12 * 110e-12},
    {"energy.dram", 6 * 120e-12},
    {"energy.memory", (16 * 100 + 12 * 110 + 6 * 120) * 1e-12},
    {"energy.dynamic", (200 + 800 + 19200 + 720 + 1600 + 1320 + 720) * 1e-12},
    {"energy.dynamic_low", (24560 - 6 * 20) * 1e-12}, /* a burst of 120 pJ may take 100 to 150 */
    {"energy.dynamic_high", (24560 + 6 * 30) * 1e-12},
    {"energy.total_low", 14e-7 + (24560 - 6 * 20) * 1e-12}, /* and the SMs 0.5 to 3 W */
    {"energy.total_high", 19e-7 + (24560 + 6 * 30) * 1e-12},
    {"energy.assumed", 100 * 720 / 24560.0},
    {"energy.constant", 10 * 1e-7},
    {"energy.idle", 2 * 1e-7},
    {"energy.active", 2 * 1.5e-7},
    {"energy.static", 15e-7},
    {"energy.total", 15e-7 + 24560e-12},
    {"energy.pj_per_byte", 24560 / 128.0},
    {"energy.pj_per_instruction", 24560 / 20.0},
    {"power.dynamic", 0.2456},
    {"power.average", 15.2456},
};

static const struct metric *list_of(const struct totals *t, struct buf *store, size_t *n) {
    metrics_list(t, store);
    *n = store->len / sizeof(struct metric);
    return (const struct metric *)(const void *)store->data;
}

static bool value_of(const struct totals *t, const char *name, double *value) {
    SCOPED(buf_free) struct buf store = {0};
    size_t n;
    bool there = metric_value(list_of(t, &store, &n), name, value);
    return there;
}

Test(metrics, closed_forms) {
    struct made m;
    totals_fixture(&m);
    for (u32 i = 0; i < COUNT_OF(expected); i++) {
        double value, want = expected[i].value;
        cr_assert(value_of(&m.t, expected[i].name, &value), "%s is absent", expected[i].name);
        cr_expect(fabs(value - want) <= 1e-12 * fabs(want), "%s: %.17g, not %.17g", expected[i].name, value, want);
    }
}

/* Every counter is printed under its own name: each is given a number of its own and found again. */
Test(metrics, every_counter_has_its_name) {
    struct made m;
    double value;
    u64 n = 1;
    totals_fixture(&m);
#define COUNTER(group, name, unit, doc) *counter_##group(&m.t, offsetof(struct group##_counters, name)) = n++;
#define counter_sm(t, at) (u64 *)(void *)((char *)&(t)->core.sm + (at))
#define counter_l1(t, at) (u64 *)(void *)((char *)&(t)->core.l1 + (at))
#define counter_noc(t, at) (u64 *)(void *)((char *)&(t)->core.noc + (at))
#define counter_l2(t, at) (u64 *)(void *)((char *)&(t)->mem.l2 + (at))
#define counter_dram(t, at) (u64 *)(void *)((char *)&(t)->mem.dram + (at))
#define STALL(id, name, wait, doc) m.t.core.stall[STALL_##id] = n++;
#include "sim/stat/counters.def"
    n = 1;
#define COUNTER(group, name, unit, doc) \
    cr_expect(value_of(&m.t, #group "." #name, &value) && value == (double)n++, "%s", #group "." #name);
#define STALL(id, name, wait, doc) cr_expect(value_of(&m.t, "stall." name, &value) && value == (double)n++, "%s", name);
#include "sim/stat/counters.def"
}

Test(metrics, peaks_are_those_of_the_board) {
    static const char *const pairs[][2] = {{"peak.issue", "issue"},
                                           {"peak.shared", "shared_bandwidth"},
                                           {"peak.l1", "l1_bandwidth"},
                                           {"peak.noc_request", "noc_request_bandwidth"},
                                           {"peak.noc_reply", "noc_reply_bandwidth"},
                                           {"peak.l2", "l2_bandwidth"},
                                           {"peak.dram", "dram_gbs"}};
    struct made m;
    totals_fixture(&m);
    for (u32 i = 0; i < COUNT_OF(pairs); i++) {
        double value;
        cr_expect(value_of(&m.t, pairs[i][0], &value) && value > 0 && value == board_peak(&m.board, pairs[i][1]), "%s",
                  pairs[i][0]);
    }
}

/* ---- the list ---- */

Test(metrics, names_are_unique_and_explained) {
    struct metric m, other;
    u32 n = 0;
    for (; metric_row(n, &m); n++) {
        cr_expect(*m.doc && *m.unit, "%s", m.name);
        cr_expect(m.absent, "%s has a value of no launch", m.name);
        for (u32 k = 0; k < n && metric_row(k, &other); k++)
            cr_expect(strcmp(m.name, other.name) != 0, "%s stands twice", m.name);
    }
    cr_assert(n > 200);
}

/* A launch without events has no ratio with a value, and no value is made up. */
Test(metrics, nothing_over_nothing_is_absent) {
    struct made m;
    SCOPED(buf_free) struct buf store = {0};
    size_t n;
    totals_fixture(&m);
    m.t = (struct totals){.board = &m.board, .width = 32};
    const struct metric *list = list_of(&m.t, &store, &n);
    for (size_t i = 0; i < n; i++) {
        bool ratio = strchr(list[i].formula, '/') && strcmp(list[i].unit, "J") != 0;
        cr_expect(isfinite(list[i].value), "%s", list[i].name);
        if (list[i].absent)
            cr_expect(list[i].value == 0 && !list[i].whole, "%s", list[i].name);
        else if (ratio) /* over something that the board has */
            cr_expect(strcmp(list[i].name, "seconds") == 0 || strcmp(list[i].name, "roofline.ridge") == 0 ||
                          strcmp(list[i].name, "launch.profiled") == 0 ||
                          strcmp(list[i].name, "occupancy.theoretical") == 0,
                      "%s has a value: %g", list[i].name, list[i].value);
    }
    double value;
    cr_expect(!value_of(&m.t, "l1.hit_rate", &value) && !value_of(&m.t, "no.such", &value));
}

Test(metrics, counters_add_up) {
    struct made m;
    struct core_counters sum = {.sm.slots = 1};
    totals_fixture(&m);
    COUNTERS_ADD(&sum.sm, &m.t.core.sm);
    COUNTERS_ADD(&sum.sm, &m.t.core.sm);
    cr_expect(sum.sm.slots == 401 && sum.sm.shared_bytes == 512);
}

/* ---- energy ---- */

Test(metrics, an_assumed_energy_without_a_range_has_no_bounds) {
    struct made m;
    double value;
    totals_fixture(&m);
    m.board.basis[BOARD_energy_xu] = BASIS_ASSUMED; /* of which there are none in the launch */
    cr_assert(value_of(&m.t, "energy.dynamic_low", &value));
    m.board.basis[BOARD_energy_l1] = BASIS_ASSUMED;
    cr_assert(!value_of(&m.t, "energy.dynamic_low", &value) && !value_of(&m.t, "energy.total_high", &value));
}

/* The parts, each linear in a value of the board, are all of the energy. */
Test(metrics, parts_of_the_energy_add_up) {
    struct made m;
    struct energy_part part[ENERGY_PARTS];
    double sum = 0, total;
    totals_fixture(&m);
    energy_parts(&m.t, part);
    for (u32 i = 0; i < ENERGY_PARTS; i++)
        sum += part[i].count * board_value(&m.board, part[i].field);
    cr_assert(part[ENERGY_dram].given && !part[ENERGY_dram_read].given && part[ENERGY_dram_read].count == 0);
    cr_assert(value_of(&m.t, "energy.total", &total));
    cr_assert_float_eq(1e-12 * sum, total, 1e-14 * total);
    cr_assert(part[ENERGY_l1].field == BOARD_energy_l1 && part[ENERGY_l1].count == 16);
}

/* By command: 3 rows, 6 bursts of 32 bytes, refreshes of 16 banks in 3900 cycles of 50, at 130 to 170 pJ. */
Test(metrics, energy_of_dram_by_command) {
    struct made m;
    double value, refreshes = 50 * 16 / 3900.0, memory, sum = 0;
    totals_fixture(&m);
    cr_assert(!value_of(&m.t, "energy.dram_read", &value) && !value_of(&m.t, "energy.standby", &value));
    m.board.dram.energy = dram_energy_COMMANDS;
    m.board.power.dram_w = 3;
    m.traffic[0].activates = 2;
    m.traffic[1].activates = 1;
    cr_assert(value_of(&m.t, "energy.dram", &value));
    cr_assert_float_eq(value, 1e-12 * (3 * 130 + 6 * 140 + refreshes * 160 + 6 * 256 * 170), 1e-20);
    cr_assert(value_of(&m.t, "energy.standby", &value));
    cr_assert_float_eq(value, 3 * 100e-9, 1e-20);
    for (u32 i = 0; i < BUFFERS; i++)
        sum += traffic_energy(&m.board, &m.traffic[i]);
    cr_assert(value_of(&m.t, "energy.memory", &memory));
    cr_expect_float_eq(sum, memory, 1e-18, "all but refreshes");
}

Test(metrics, energy_of_buffers_is_that_of_memory) {
    struct made m;
    double memory, sum = 0;
    totals_fixture(&m);
    for (u32 i = 0; i < BUFFERS; i++)
        sum += traffic_energy(&m.board, &m.traffic[i]);
    cr_assert(value_of(&m.t, "energy.memory", &memory));
    cr_expect(fabs(sum - memory) < 1e-18);
}
