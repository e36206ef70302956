/* Do the identities hold for consistent totals, and fail when a number is off by one? */
#include <criterion/criterion.h>
#include <string.h>

#include "tests/stat/totals_fixture.h"

Test(identities, hold_for_what_hangs_together) {
    struct made m;
    SCOPED(buf_free) struct buf why = {0};
    totals_fixture(&m);
    cr_expect(totals_check(&m.t, &why), "%s", why.data);
}

static const struct {
    size_t at;
    const char *identity;
} cases[] = {
#define CORE(member) offsetof(struct totals, core) + offsetof(struct core_counters, member)
#define MEM(member) offsetof(struct totals, mem) + offsetof(struct partition_counters, member)
    {CORE(sm.warp_cycles), "resident warps wait or issue"},
    {CORE(sm.slots), "issue slots"},
    {CORE(sm.slots_issued), "an issue selects a warp"},
    {CORE(sm.slots_stalled), "issue slots"},
    {CORE(sm.slots_routine), "issue slots"},
    {CORE(sm.slots_vacant), "issue slots"},
    {CORE(sm.lane_instructions), "lanes of units"},
    {CORE(sm.blocks), "blocks"},
    {CORE(sm.warps), "warps"},
    {CORE(sm.shared_requests), "line.shared_requests"},
    {CORE(sm.shared_passes), "line.shared_passes"},
    {CORE(stall[STALL_WAIT]), "lines that wait for wait"},
    {CORE(unit_lanes[UNIT_ALU]), "lanes of units"},
    {CORE(l1.requests), "line.requests == l1.requests: 2 against 3"},
    {CORE(l1.requested_bytes), "traffic.requested_bytes"},
    {CORE(l1.useful_bytes), "traffic.useful_bytes"},
    {CORE(l1.sectors), "line.sectors"},
    {CORE(l1.packed_sectors), "line.packed_sectors"},
    {CORE(sm.shared_conflicts), "line.shared_conflicts"},
    {CORE(sm.atomic_repeats), "line.atomic_repeats"},
    {CORE(l1.load_sectors), "L1"},
    {CORE(l1.hits), "line.l1_hits"},
    {CORE(l1.misses), "L1"},
    {CORE(noc.requests), "requests reach L2"},
    {CORE(noc.replies), "replies reach SMs"},
    {CORE(noc.reply_bytes), "bytes of replies"},
    {CORE(noc.load_bytes), "data of replies"},
    {MEM(l2.requests), "requests reach L2"},
    {MEM(l2.read_sectors), "traffic.l2_read_sectors"},
    {MEM(l2.write_sectors), "traffic.l2_write_sectors"},
    {MEM(l2.atomic_sectors), "L2"},
    {MEM(l2.useful_bytes), "traffic.l2_useful_bytes"},
    {MEM(l2.hits), "traffic.l2_hits"},
    {MEM(l2.misses), "L2"},
    {MEM(dram.reads), "bytes read from DRAM"},
    {MEM(dram.writes), "bytes written to DRAM"},
    {MEM(dram.read_bytes), "traffic.dram_read_bytes"},
    {MEM(dram.write_bytes), "traffic.dram_write_bytes"},
    {MEM(dram.useful_bytes), "traffic.dram_useful_bytes"},
    {MEM(dram.row_hits), "rows of DRAM"},
    {MEM(dram.bus_cycles), "time of DRAM"},
    {MEM(dram.busy_cycles), "data of DRAM"},
    {MEM(dram.turn_cycles), "parts of DRAM"},
    {MEM(dram.refresh_cycles), "parts of DRAM"},
    {MEM(dram.conflict_cycles), "parts of DRAM"},
    {MEM(dram.activate_cycles), "parts of DRAM"},
    {MEM(dram.column_cycles), "parts of DRAM"},
    {MEM(dram.idle_cycles), "parts of DRAM"},
};

/* Any count of the two levels that is one too large breaks an identity, and the message names it. */
Test(identities, miss_nothing_that_is_off_by_one) {
    for (u32 i = 0; i < COUNT_OF(cases); i++) {
        struct made m;
        SCOPED(buf_free) struct buf why = {0};
        totals_fixture(&m);
        ++*(u64 *)(void *)((char *)&m.t + cases[i].at);
        cr_expect(!totals_check(&m.t, &why), "case %u: %s", i, cases[i].identity);
        cr_expect(why.data && strstr(why.data, cases[i].identity), "case %u: no '%s' in: %s", i, cases[i].identity,
                  why.data ? why.data : "");
    }
}

Test(identities, bounds_are_exact) {
    struct made m;
    SCOPED(buf_free) struct buf why = {0};
    totals_fixture(&m);
    m.t.busiest_channel = 11; /* of one channel that moved data for 12 cycles */
    cr_expect(!totals_check(&m.t, &why) && strstr(why.data, "channels are no busier"));
}

/* Twelve cycles of the pipe hold 8 passes of shared memory and 4 of L1; 2 cycles of 4 banks of tags look up 8 lines. */
Test(identities, the_memory_pipe_holds_its_passes) {
    static const struct {
        size_t at;
        u64 most;
        const char *bound;
    } limits[] = {{CORE(l1.passes), 4, "passes of L1"},
                  {CORE(l1.data_cycles), 4, "data of memory pipes"},
                  {CORE(l1.tag_cycles), 12, "look-ups of memory pipes"},
                  {CORE(l1.conflicts), 4, "conflicts of L1 are passes"},
                  {CORE(l1.lines), 8, "banks of tags"}};
    for (u32 i = 0; i < COUNT_OF(limits); i++) {
        struct made m;
        SCOPED(buf_free) struct buf why = {0};
        totals_fixture(&m);
        u64 *value = (u64 *)(void *)((char *)&m.t + limits[i].at);
        *value = limits[i].most;
        cr_expect(totals_check(&m.t, &why), "%s: %s", limits[i].bound, why.data);
        *value = limits[i].most + 1;
        cr_expect(!totals_check(&m.t, &why) && strstr(why.data, limits[i].bound), "%s", limits[i].bound);
    }
}

/* 96 useful bytes of 12 sectors; an atomic may use the same bytes twice. */
Test(identities, useful_bytes_of_l2_have_bounds) {
    struct made m;
    SCOPED(buf_free) struct buf why = {0};
    totals_fixture(&m);
    m.t.mem.l2.useful_bytes = m.traffic[0].l2_useful_bytes = 128;
    cr_expect(totals_check(&m.t, &why), "%s", why.data);
    m.t.mem.l2.useful_bytes = m.traffic[0].l2_useful_bytes = 129;
    cr_expect(!totals_check(&m.t, &why) && strstr(why.data, "L2 requests have useful bytes"));
    m.t.core.l1.useful_bytes = m.traffic[0].useful_bytes = 16 * 32;
    m.t.mem.l2.useful_bytes = m.traffic[0].l2_useful_bytes = 12 * 32;
    why.len = 0;
    cr_expect(totals_check(&m.t, &why), "%s", why.data);
    m.t.mem.l2.useful_bytes = m.traffic[0].l2_useful_bytes = 12 * 32 + 1;
    cr_expect(!totals_check(&m.t, &why) && strstr(why.data, "useful bytes of L2 sectors"));
}

/* A column that is one too large for some buffer or line breaks its total, but a buffer may count a request again. */
Test(identities, columns_have_totals) {
    static const struct {
        const char *name, *relation;
        size_t at;
    } columns[] = {
#define TRAFFIC(name, unit, relation, total, doc) {"traffic." #name, #relation, offsetof(struct made, traffic[1].name)},
#define LINE(name, unit, total, doc) {"line." #name, "==", offsetof(struct made, line[1].name)},
#include "sim/stat/counters.def"
    };
    for (u32 i = 0; i < COUNT_OF(columns); i++) {
        struct made m;
        SCOPED(buf_free) struct buf why = {0};
        bool exact = strcmp(columns[i].relation, "==") == 0;
        totals_fixture(&m);
        ++*(u64 *)(void *)((char *)&m + columns[i].at);
        cr_expect_eq(totals_check(&m.t, &why), !exact, "%s", columns[i].name);
        cr_expect(!exact || (why.data && strstr(why.data, columns[i].name)), "%s: %s", columns[i].name, why.data);
    }
}

Test(identities, buffers_have_all_requests) {
    struct made m;
    SCOPED(buf_free) struct buf why = {0};
    totals_fixture(&m);
    m.traffic[0].requests--;
    cr_expect(!totals_check(&m.t, &why) && strstr(why.data, "traffic.requests >= l1.requests: 1 against 2"));
}
