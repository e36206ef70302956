/* Does each policy of a memory channel do what it should: pages, writes, forwarding, check bits? */
#include "tests/time/dram_rig.h"

/* An open row is closed without a burst for another one, when its policy has it. */
Test(dram, a_page_policy_closes_rows) {
    static const struct {
        enum page page;
        u64 closes;
    } policies[] = {{page_OPEN, 0},
                    {page_CLOSED, 0},
                    {page_TIMEOUT, 70},
                    {page_ADAPTIVE, 0}}; /* closes: after the column command */
    for (u32 i = 0; i < COUNT_OF(policies); i++) {
        SCOPED(rig_close) struct rig r = {.c = rig_least()};
        r.c.page = policies[i].page;
        r.c.page_timeout = 70;
        rig_open(&r);
        rig_push(&r, 0, (struct at){.bank = 2, .row = 7}, false);
        rig_push(&r, 500, (struct at){.bank = 3, .row = 7}, false);
        rig_next(&r);
        rig_next(&r);
        bool closes = policies[i].page == page_CLOSED || policies[i].page == page_TIMEOUT;
        cr_assert(closes == (rig_command(&r, 2).command == DRAM_PRE), "policy %u", i);
        if (closes)
            cr_assert_eq(rig_command(&r, 2).time - rig_command(&r, 1).time, policies[i].closes);
    }
}

/* Fewer writes than write_high wait for write_idle cycles after the last burst; as many as that, or a read, do not. */
Test(dram, few_writes_wait_for_leisure) {
    const struct {
        u32 writes, idle, reads;
        u64 first; /* cycle of the first write's command: its row takes rcd */
    } cases[] = {{3, 0, 0, 0}, {3, 500, 0, 500}, {4, 500, 0, 0}, {3, 500, 1, 500}};
    for (u32 i = 0; i < COUNT_OF(cases); i++) {
        SCOPED(rig_close) struct rig r = {.c = rig_default()};
        u32 reads = 0;
        r.c.write_high = 4;
        r.c.write_low = 0;
        r.c.write_idle = cases[i].idle;
        rig_open(&r);
        for (u32 k = 0; k < cases[i].writes; k++)
            rig_push(&r, 0, (struct at){.bank = 0, .column = k}, true);
        for (u32 k = 0; k < cases[i].reads; k++)
            rig_push(&r, 0, (struct at){.bank = 1, .column = k}, false);
        struct dram_done done = rig_next(&r);
        for (; !done.write; done = rig_next(&r))
            reads++;
        u64 first = max_u64(cases[i].first, r.c.rcd) + r.c.wl + r.c.burst_cycles;
        cr_assert(reads == cases[i].reads && done.time == first, "case %u: %llu, not %llu", i,
                  (unsigned long long)done.time, (unsigned long long)first);
    }
}

/* A bank with a new row each time learns to close it, and to leave it open when it is wanted again. */
Test(dram, an_adaptive_page_learns) {
    SCOPED(rig_close) struct rig r = {.c = rig_default()};
    r.c.page = page_ADAPTIVE;
    rig_open(&r);
    for (u32 i = 0; i < 8; i++) {
        rig_push(&r, 1000 * i, (struct at){.bank = 2, .row = i}, false);
        rig_next(&r);
    }
    cr_assert(r.n.row_conflicts == 2 && r.n.row_misses == 6, "%llu", (unsigned long long)r.n.row_conflicts);
    for (u32 i = 0; i < 8; i++) {
        rig_push(&r, 10000 + 1000 * i, (struct at){.bank = 2, .row = 9, .column = i}, false);
        rig_next(&r);
    }
    cr_assert_eq(r.n.row_hits, 6);
}

/* A write between two reads waits for both, or for its turn. */
Test(dram, writes_have_a_queue_or_a_turn) {
    for (u32 shared = 0; shared < 2; shared++) {
        SCOPED(rig_close) struct rig r = {.c = rig_default()};
        r.c.writes = shared ? write_handling_SHARED : write_handling_SPLIT;
        rig_open(&r);
        for (u32 i = 0; i < 3; i++)
            rig_push(&r, 0, (struct at){.bank = 2 * i, .row = 7}, i == 1);
        u32 order[3];
        for (u32 i = 0; i < 3; i++)
            order[i] = rig_next(&r).id;
        cr_assert_eq(order[1], shared ? 1u : 2u);
    }
}

/* One queue holds reads and writes together, in the order of arrival. */
Test(dram, a_shared_queue_has_one_size) {
    SCOPED(rig_close) struct rig r = {.c = rig_default()};
    r.c.writes = write_handling_SHARED;
    r.c.read_queue = 1;
    rig_open(&r);
    for (u32 i = 0; i < 6; i++)
        rig_push(&r, 0, (struct at){.bank = 2, .row = 6 - i}, i % 2 == 0);
    for (u32 i = 0; i < 6; i++)
        cr_assert_eq(rig_next(&r).id, i);
}

/* A read of what an older write brings takes no burst; one of another place, or an older read, does. */
Test(dram, a_read_gets_what_a_write_brings) {
    for (u32 forward = 0; forward < 2; forward++) {
        SCOPED(rig_close) struct rig r = {.c = rig_default()};
        r.c.forward = forward ? forward_WRITES : forward_NONE;
        rig_open(&r);
        const struct at place = {.bank = 2, .row = 7}, beside = {.bank = 2, .row = 7, .column = 1};
        rig_push(&r, 0, place, false);
        rig_push(&r, 0, place, true);
        rig_push(&r, 1, place, false);
        rig_push(&r, 1, beside, false);
        struct dram_done done = rig_next(&r);
        cr_assert_eq(done.id, forward ? 2u : 0u);
        cr_assert(!forward || done.time == 1);
        while (dram_event(r.d) != TIME_NEVER)
            dram_step(r.d, &done);
        cr_assert(r.n.forwarded_reads == forward && r.n.reads == 3 - forward && r.n.writes == 1);
    }
}

/* Bursts that an owner gets back, and those of check bits, for reads and writes of bursts at a distance. */
Test(dram, check_bits_in_the_same_memory) {
    static const struct {
        u32 bursts, distance, writes, cache;
        u64 reads, written; /* of data and check bits */
    } cases[] = {{32, 1, 0, 64, 32 + 2, 0},
                 {32, 16, 0, 64, 32 + 32, 0},
                 {32, 1, 1, 64, 2, 32},
                 {32, 16, 1, 0, 32, 32 + 32},
                 {1, 1, 1, 0, 1, 2}};
    for (u32 i = 0; i < COUNT_OF(cases); i++) {
        SCOPED(rig_close) struct rig r = {.c = rig_default()};
        r.c.ecc = ecc_INLINE;
        r.c.ecc_cache = cases[i].cache;
        rig_open(&r);
        u32 got = 0;
        for (u32 n = 0; n < cases[i].bursts; n++)
            rig_push_address(&r, 0, (u64)n * cases[i].distance * r.c.burst_bytes, cases[i].writes);
        for (struct dram_done done; dram_event(r.d) != TIME_NEVER;)
            got += dram_step(r.d, &done);
        cr_expect_eq(got, cases[i].bursts, "case %u", i);
        cr_expect_eq(r.n.reads, cases[i].reads, "case %u: %llu", i, (unsigned long long)r.n.reads);
        cr_expect_eq(r.n.writes, cases[i].written, "case %u: %llu", i, (unsigned long long)r.n.writes);
        cr_expect_eq(r.n.check_bursts, cases[i].reads + cases[i].written - cases[i].bursts, "case %u", i);
    }
}

/* Data that come before their check bits wait for them: both take their row, one after the other at the earliest. */
Test(dram, data_wait_for_their_check_bits) {
    SCOPED(rig_close) struct rig r = {.c = rig_default()};
    r.c.ecc = ecc_INLINE;
    rig_open(&r);
    rig_push_address(&r, 0, 0, false);
    u64 end = rig_next(&r).time;
    cr_assert_eq(end, dram_end(r.d));
    rig_push_address(&r, end, r.c.burst_bytes, false);
    cr_assert_eq(rig_next(&r).time, end + r.c.cl + r.c.burst_cycles);
}

/* Pseudo channels that both have a burst for every cycle of their pins get them in turn. */
Test(dram, pseudo_channels_take_turns) {
    enum { EACH = 16 };
    SCOPED(rig_close) struct rig a = {.c = rig_least()}, b = {.c = rig_least()};
    a.c.pseudo_channels = b.c.pseudo_channels = 2;
    rig_open(&a);
    rig_open(&b);
    dram_share_pins(b.d, a.d);
    for (u32 i = 0; i < EACH; i++) {
        rig_push(&a, 0, (struct at){.column = i}, false);
        rig_push(&b, 0, (struct at){.column = i}, false);
    }
    u32 served[2] = {0};
    struct dram_done done;
    while (served[0] + served[1] < EACH) {
        bool second = dram_before(b.d, a.d);
        served[second] += dram_step(second ? b.d : a.d, &done);
    }
    cr_assert(served[0] == EACH / 2 && served[1] == EACH / 2, "%u and %u", served[0], served[1]);
}
