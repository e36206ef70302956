/* How many of the bytes that L2 moves were requested? Each answer follows from the addresses of the lanes. */
#include "tests/time/clock.h"

#include <criterion/criterion.h>
#include <string.h>

#define AT(bytes) "mad.wide.u32 wide, id, " bytes ", pd\n"
#define LOAD AT("4") "ld.global.b32 e, [wide]\nadd.u32 f, e, 1\n"
#define FIRST(lanes) AT("4") "setp.lt.u32 q, id, " lanes "\n@q ld.global.b32 e, [wide]\nadd.u32 f, e, 1\n"

/* One warp. Bytes read, written and useful with caches, and read and useful without; an atomic reads and writes. */
static const struct {
    const char *what, *body;
    u64 read, written, useful, read_without, useful_without;
} cases[] = {
    {"a line", LOAD, 4, 0, 128, 4, 128},
    {"every other word", AT("8") "ld.global.b32 e, [wide]", 8, 0, 128, 8, 128},
    {"bytes side by side", AT("1") "ld.global.u8 e, [wide]", 1, 0, 32, 1, 32},
    {"a word for all lanes", "ld.global.b32 e, [pd]", 1, 0, 4, 1, 4},
    {"words that overlap in lines", AT("4") "ld.global.b32 e, [wide+16]", 5, 0, 128, 5, 128},
    {"a store of words", AT("4") "st.global.b32 [wide], b", 0, 4, 128, 0, 128},
    {"a store of a byte in each sector", AT("32") "st.global.b8 [wide], b", 0, 32, 32, 0, 32},
    {"a store of all lanes to a word", "st.global.b32 [pd], id", 0, 1, 4, 0, 4},
    {"atomics on a line", AT("4") "atom.global.add.u32 e, [wide], b", 4, 4, 2 * 128, 4, 2 * 128},
    {"atomics on a word", "atom.global.add.u32 e, [pd], b", 1, 1, 2 * 4, 1, 2 * 4},
    {"the line again", LOAD LOAD, 4, 0, 128, 8, 256},
    {"the line again, in flight", AT("4") "ld.global.b32 e, [wide]\nld.global.b32 f, [wide]", 4, 0, 128, 8, 256},
    {"the line again, past L1", AT("4") "ld.global.b32.cg e, [wide]\nld.global.b32.cg f, [wide]", 8, 0, 256, 8, 256},
    {"a sector, then the line", FIRST("8") LOAD, 4, 0, 128, 5, 32 + 128},
    {"a word, then the line", FIRST("1") LOAD, 4, 0, 4 + 96, 5, 4 + 128},
    {"two words, then the line past L1", FIRST("2") AT("4") "ld.global.b32.cg e, [wide]", 5, 0, 8 + 128, 5, 8 + 128},
    {"acquire", "ld.global.b32.acquire e, [pd]", 1, 0, 4, 1, 4},
};

Test(clock_useful, bytes_follow_from_the_addresses) {
    static const char *const caches[] = {"", "l1.unified_bytes=0", "l1.unified_bytes=0 l2.bytes=0"};
    for (u32 k = 0; k < 3; k++)
        for (u32 i = 0; i < COUNT_OF(cases); i++) {
            CLOCK(c, caches[k]);
            clock_span(&c, cases[i].body, 32);
            const struct traffic *t = &c.result.totals.traffic[1];
            cr_expect_eq(t->l2_read_sectors, k ? cases[i].read_without : cases[i].read, "%s, %s", cases[i].what,
                         caches[k]);
            cr_expect_eq(t->l2_write_sectors, cases[i].written, "%s, %s", cases[i].what, caches[k]);
            cr_expect_eq(t->l2_useful_bytes, k ? cases[i].useful_without : cases[i].useful, "%s, %s: %llu",
                         cases[i].what, caches[k], (unsigned long long)t->l2_useful_bytes);
        }
}

Test(clock_useful, it_does_not_matter_whether_l2_has_the_bytes) {
    CLOCK(c, "");
    clock_span(&c, AT("8") "ld.global.b32 e, [wide]", 32);
    c.warm = true;
    clock_span(&c, AT("8") "ld.global.b32 e, [wide]", 32);
    const struct traffic *t = &c.result.totals.traffic[1];
    cr_expect_eq(t->l2_hits, 8);
    cr_expect_eq(t->l2_useful_bytes, 128);
    cr_expect_eq(t->dram_useful_bytes, 0);
}

/* 64 threads store two words each and read one: local memory lies so that neighbours are side by side. */
Test(clock_useful, local_memory_is_charged_to_nobody_else) {
    static const char text[] = ".kernel k\n.param y : u32[]\n.local mine : u32[16]\n.reg i, v, to:2\n"
                               " s2r i, %tid.x\n ld.param.b64 to, [y]\n mad.wide.u32 to, i, 4, to\n"
                               " st.local.b32 [mine], i\n st.local.b8 [mine+4], i\n"
                               " ld.local.b32 v, [mine]\n st.global.b32 [to], v\n exit\n";
    u32 y[64];
    CLOCK(c, "");
    clock_buffer(&c, "y", y, sizeof y);
    clock_run(&c, text, 1, 64);
    const struct traffic *t = c.result.totals.traffic;
    cr_expect_str_eq(c.result.totals.allocation[1], "(local)");
    cr_expect_eq(t[1].l2_useful_bytes, 2 * (128 + 32 + 128));
    cr_expect_eq(t[0].l2_useful_bytes, 2 * 128);
    cr_expect_eq(c.result.totals.mem.l2.useful_bytes, t[0].l2_useful_bytes + t[1].l2_useful_bytes);
}

/* Loads, stores and atomics of 32 blocks on 4 SMs, which share lines: the sums do not depend on the threads. */
Test(clock_useful, threads_change_nothing) {
    static const char text[] = ".kernel k\n.param y : u32[]\n.param x : u32[]\n.reg i, v, at:2, to:2\n"
                               " s2r i, %ctaid.x\n s2r v, %tid.x\n mad.lo.u32 i, i, 40, v\n"
                               " ld.param.b64 at, [x]\n ld.param.b64 to, [y]\n mad.wide.u32 at, i, 12, at\n"
                               " ld.global.b32 v, [at]\n and.b32 i, i, 255\n mad.wide.u32 to, i, 4, to\n"
                               " atom.global.add.u32 v, [to], v\n st.global.b8 [at+4], i\n exit\n";
    static u32 x[3 * (31 * 40 + 64)], y[256];
    u64 first[3] = {0};
    for (u32 threads = 0; threads < 4; threads++) {
        CLOCK(c, "sms=4 l2.slices=4 dram.channels=2");
        c.threads = threads;
        clock_buffer(&c, "y", y, sizeof y);
        clock_buffer(&c, "x", x, sizeof x);
        clock_run(&c, text, 32, 64);
        const struct traffic *t = c.result.totals.traffic;
        u64 now[] = {t[0].l2_useful_bytes, t[1].l2_useful_bytes, c.result.totals.mem.l2.useful_bytes};
        cr_expect_eq(now[0], 2 * 4 * 32 * 64); /* every lane reads and writes a word that no other of its warp has */
        for (u32 k = 0; k < COUNT_OF(now); k++) {
            cr_expect(threads == 0 || now[k] == first[k], "%u threads", threads);
            first[k] = now[k];
        }
    }
}

/* The least need of an access, and lanes of atomics that take turns; beyond the counts of the empty body. */
Test(clock_useful, packed_sectors_and_repeats_follow_from_the_addresses) {
    static const struct {
        const char *body;
        u64 packed, repeats;
    } accesses[] = {
        {LOAD, 4, 0},
        {AT("8") "ld.global.b32 e, [wide]", 4, 0},
        {AT("32") "st.global.b8 [wide], b", 1, 0},
        {AT("4") "ld.global.b32 e, [wide+16]", 4, 0},
        {"ld.global.b32 e, [pd]", 1, 0},
        {FIRST("9"), 2, 0},
        {AT("4") "ld.global.b32 e, [wide]\nld.global.b32 f, [wide]", 8, 0},
        {AT("4") "atom.global.add.u32 e, [wide], b", 4, 0},
        {"atom.global.add.u32 e, [pd], b", 1, 31},
        {"and.b32 g, id, 28\nmad.wide.u32 wide, g, 4, pd\natom.global.add.u32 e, [wide], b", 1, 3},
        {"mov.b32 g, tile\natom.shared.add.u32 e, [g], b", 0, 31},
        {"atom.shared.add.u32 e, [ps], b", 0, 0},
    };
    CLOCK(c, "");
    clock_span(&c, "", 32);
    u64 packed = c.result.totals.core.l1.packed_sectors;
    for (u32 i = 0; i < COUNT_OF(accesses); i++) {
        clock_span(&c, accesses[i].body, 32);
        const struct core_counters *core = &c.result.totals.core;
        cr_expect_eq(core->l1.packed_sectors - packed, accesses[i].packed, "%s: %llu", accesses[i].body,
                     (unsigned long long)(core->l1.packed_sectors - packed));
        cr_expect_eq(core->sm.atomic_repeats, accesses[i].repeats, "%s", accesses[i].body);
        cr_expect_eq(core->sm.atomics, strstr(accesses[i].body, "atom.") != NULL, "%s", accesses[i].body);
    }
}
