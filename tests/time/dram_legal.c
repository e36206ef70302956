/* Does every command of a memory channel keep the standard, whatever its board chooses? */
#include "tests/time/dram_judge.h"
#include "tests/lib/samples.h"

enum { BURSTS = 400 };

static u32 pick(u64 *random, u32 low, u32 high) {
    return low + random_below(random, high - low + 1);
}

/* A random memory, without its choices. */
static struct board_dram random_memory(u64 *random) {
    struct board_dram c = rig_default();
    u32 *times[] = {&c.rcd, &c.rcd_write, &c.rp,    &c.ras, &c.rrd_s,       &c.faw,   &c.rtp,
                    &c.wr,  &c.wtr,       &c.wtr_l, &c.rtw, &c.ccd_l_write, &c.ccd_r, &c.rc};
    for (u32 i = 0; i < COUNT_OF(times); i++)
        *times[i] = pick(random, 0, 4) ? pick(random, 0, 30) : 0;
    c.ppd = pick(random, 0, 6);
    c.rrd_l = c.rrd_s + pick(random, 0, 5);
    c.ccd_s = pick(random, 1, 6);
    c.ccd_l = c.ccd_s + pick(random, 0, 5);
    c.cl = pick(random, 1, 30);
    c.wl = pick(random, 1, 30);
    c.burst_cycles = pick(random, 1, 8);
    c.bank_groups = 1U << pick(random, 0, 3);
    c.banks = 1U << pick(random, 0, 2);
    c.stack_ids = 1U << pick(random, 0, 1);
    c.read_queue = pick(random, 1, 64);
    c.write_queue = pick(random, 1, 64);
    c.write_high = pick(random, 1, c.write_queue);
    c.write_low = pick(random, 0, c.write_high - 1);
    c.write_idle = pick(random, 0, 1) ? pick(random, 1, 500) : 0;
    c.patience = pick(random, 20, 400);
    c.refi = pick(random, 0, 4) ? pick(random, 2000, 4000) : 0;
    c.rfc = pick(random, 1, 300);
    c.rfc_bank = pick(random, 1, 150);
    c.rrefd = pick(random, 0, 1) ? pick(random, 1, 10) : 0;
    c.postpone = pick(random, 0, 1) ? pick(random, 1, 8) : 0;
    c.act_cycles = pick(random, 1, 3);
    c.column_cycles = pick(random, 1, 2);
    c.pins = pick(random, 0, 1) ? pins_APART : pins_SHARED;
    return c;
}

/* Bursts in bunches and with long pauses, in a few rows and all over. */
static void push_random(struct rig *r, u64 *random) {
    u64 time = 0;
    u32 writes = pick(random, 0, 3), pause = pick(random, 1, 300), base = 0;
    for (u32 i = 0; i < BURSTS; i++) {
        time += pick(random, 0, 15) ? random_below(random, r->c.burst_cycles + 1) : random_below(random, pause);
        time += pick(random, 0, 99) ? 0 : random_below(random, 20000);
        base = pick(random, 0, 7) ? base : random_below(random, 1 << 16);
        u32 number = pick(random, 0, 3) ? base++ : random_below(random, 1 << 12);
        rig_push_address(r, time, (u64)number * r->c.burst_bytes, random_below(random, 4) < writes);
    }
}

/* Serves all bursts of one data bus, or of two that share pins, and notes how often each is served. */
static void serve(struct rig *a, struct rig *b, u8 *served) {
    struct dram_done done;
    for (;;) {
        bool second = b && dram_before(b->d, a->d);
        struct rig *r = second ? b : a;
        if (dram_event(r->d) == TIME_NEVER)
            return;
        if (dram_step(r->d, &done))
            served[second * BURSTS + done.id]++;
    }
}

static void judge(const struct rig *r) {
    const struct dram_record *log = (const struct dram_record *)(const void *)r->log.data;
    judge_commands(log, rig_commands(r), &r->c);
    judge_banks(log, rig_commands(r), &r->c);
    judge_bus(log, rig_commands(r), &r->c);
    if (r->c.refresh != refresh_AT_DUE) /* which leaves out refreshes of a channel that has no bursts */
        judge_refreshes(log, rig_commands(r), &r->c);
}

/* Tries a memory: two pseudo channels, or one channel. */
static void try_memory(const struct board_dram *c, u64 *random, bool pins) {
    SCOPED(rig_close) struct rig a = {.c = *c}, b = {.c = *c};
    u8 served[2 * BURSTS] = {0};
    bool two = c->pseudo_channels == 2;
    rig_open(&a);
    rig_open(&b);
    if (two)
        dram_share_pins(b.d, a.d);
    push_random(&a, random);
    if (two)
        push_random(&b, random);
    serve(&a, two ? &b : NULL, served);
    for (u32 i = 0; i < (two ? 2 : 1) * BURSTS; i++)
        cr_assert_eq(served[i], 1, "burst %u is served %u times", i, served[i]);
    judge(&a);
    judge(&b);
    judge_parts(&a);
    judge_parts(&b);
    if (pins)
        judge_pins((const struct dram_record *)(const void *)a.log.data, rig_commands(&a),
                   (const struct dram_record *)(const void *)b.log.data, rig_commands(&b), c);
}

/* Each way to refresh, with one channel and with two pseudo channels. */
Test(dram_legal, refreshes_pins_and_pseudo_channels) {
    u64 random = 4711;
    for (u32 trial = 0; trial < rig_samples(120); trial++) {
        struct board_dram c = random_memory(&random);
        c.refresh = (enum refresh)(trial % 4);
        c.pseudo_channels = 1 + trial / 4 % 2;
        bool counts = c.refresh != refresh_AT_DUE || c.refi == 0; /* its refreshes take no pins */
        try_memory(&c, &random, counts);
    }
}

/* Each page policy, scheduler, mapping, write handling and error correction with each way to refresh. */
Test(dram_legal, pages_schedulers_and_mappings) {
    u64 random = 815;
    for (u32 trial = 0; trial < rig_samples(192); trial++) {
        struct board_dram c = random_memory(&random);
        c.page = (enum page)(trial % 4);
        c.scheduler = (enum scheduler)(trial / 4 % 4);
        c.refresh = (enum refresh)(trial / 16 % 4);
        c.pseudo_channels = 1 + trial / 64 % 2;
        c.map = (enum map)pick(&random, 0, 5);
        c.spread = (enum spread)pick(&random, 0, 2);
        c.hit_cap = pick(&random, 1, 8);
        c.page_timeout = pick(&random, 1, 200);
        c.writes = (enum write_handling)pick(&random, 0, 1);
        c.forward = (enum forward)pick(&random, 0, 1);
        c.ecc = (enum ecc)pick(&random, 0, 2);
        c.ecc_bursts = pick(&random, 1, 16);
        c.ecc_cache = pick(&random, 0, 8);
        try_memory(&c, &random, c.refresh != refresh_AT_DUE || c.refi == 0);
    }
}
