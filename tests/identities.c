/* Do the identities hold for totals that hang together, and are they missed when a number is off by one? */
#include <criterion/criterion.h>
#include <string.h>

#include "tests/made_totals.h"

Test(identities, hold_for_what_hangs_together) {
    struct made m;
    struct buf why = {0};
    made_totals(&m);
    cr_expect(totals_check(&m.t, &why), "%s", why.data);
    buf_free(&why);
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
    {CORE(sm.slots_vacant), "issue slots"},
    {CORE(sm.lane_instructions), "lanes of units"},
    {CORE(sm.blocks), "blocks"},
    {CORE(sm.warps), "warps"},
    {CORE(sm.shared_requests), "shared requests of lines"},
    {CORE(sm.shared_passes), "shared passes of lines"},
    {CORE(stall[STALL_WAIT]), "lines that wait for wait"},
    {CORE(unit_lanes[UNIT_ALU]), "lanes of units"},
    {CORE(l1.requests), "requests of lines"},
    {CORE(l1.requested_bytes), "requested bytes of buffers"},
    {CORE(l1.useful_bytes), "useful bytes of buffers"},
    {CORE(l1.sectors), "sectors of lines"},
    {CORE(l1.load_sectors), "L1"},
    {CORE(l1.hits), "hits of lines"},
    {CORE(l1.misses), "L1"},
    {CORE(noc.requests), "requests reach L2"},
    {CORE(noc.replies), "replies reach SMs"},
    {CORE(noc.reply_bytes), "bytes of replies"},
    {CORE(noc.load_bytes), "data of replies"},
    {MEM(l2.requests), "requests reach L2"},
    {MEM(l2.read_sectors), "L2 reads of buffers"},
    {MEM(l2.write_sectors), "L2 writes of buffers"},
    {MEM(l2.atomic_sectors), "L2"},
    {MEM(l2.useful_bytes), "useful L2 bytes of buffers"},
    {MEM(l2.hits), "L2 hits of buffers"},
    {MEM(l2.misses), "L2"},
    {MEM(dram.reads), "bytes read from DRAM"},
    {MEM(dram.writes), "bytes written to DRAM"},
    {MEM(dram.read_bytes), "DRAM reads of buffers"},
    {MEM(dram.write_bytes), "DRAM writes of buffers"},
    {MEM(dram.useful_bytes), "useful DRAM bytes of buffers"},
    {MEM(dram.row_hits), "rows of DRAM"},
};

/* Any number of the two levels that is one too large breaks some identity, and the message says which. */
Test(identities, miss_nothing_that_is_off_by_one) {
    for (u32 i = 0; i < COUNT_OF(cases); i++) {
        struct made m;
        struct buf why = {0};
        made_totals(&m);
        ++*(u64 *)(void *)((char *)&m.t + cases[i].at);
        cr_expect(!totals_check(&m.t, &why), "case %u: %s", i, cases[i].identity);
        cr_expect(why.data && strstr(why.data, cases[i].identity), "case %u: no '%s' in: %s", i, cases[i].identity,
                  why.data ? why.data : "");
        buf_free(&why);
    }
}

Test(identities, bounds_are_exact) {
    struct made m;
    struct buf why = {0};
    made_totals(&m);
    m.t.mem.dram.busy_cycles = 50; /* memory cycles in 101 cycles of the SMs, at half their clock */
    cr_expect(totals_check(&m.t, &why), "%s", why.data);
    m.t.mem.dram.busy_cycles = 51;
    cr_expect(!totals_check(&m.t, &why) && strstr(why.data, "busy DRAM"));
    buf_free(&why);
}

/* 96 useful bytes of 12 sectors; an atomic may use the same bytes twice. */
Test(identities, useful_bytes_of_l2_have_bounds) {
    struct made m;
    struct buf why = {0};
    made_totals(&m);
    m.t.mem.l2.useful_bytes = m.traffic[0].l2_useful_bytes = 128;
    cr_expect(totals_check(&m.t, &why), "%s", why.data);
    m.t.mem.l2.useful_bytes = m.traffic[0].l2_useful_bytes = 129;
    cr_expect(!totals_check(&m.t, &why) && strstr(why.data, "L2 is asked for useful bytes"));
    m.t.core.l1.useful_bytes = m.traffic[0].useful_bytes = 16 * 32;
    m.t.mem.l2.useful_bytes = m.traffic[0].l2_useful_bytes = 12 * 32;
    why.len = 0;
    cr_expect(totals_check(&m.t, &why), "%s", why.data);
    m.t.mem.l2.useful_bytes = m.traffic[0].l2_useful_bytes = 12 * 32 + 1;
    cr_expect(!totals_check(&m.t, &why) && strstr(why.data, "useful bytes of L2 sectors"));
    buf_free(&why);
}
