/* Does each page policy of a memory channel close the rows that it should, and no others? */
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
