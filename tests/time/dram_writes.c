/*
 * Does a memory channel keep the order of reads and writes of a place, whatever its choices? Random streams to a few
 * places, judged burst by burst against what had arrived: nothing here knows of banks and rows.
 */
#include "tests/time/dram_rig.h"
#include "tests/lib/samples.h"

enum { BURSTS = 300 };

struct stream {
    u64 time[BURSTS], address[BURSTS];
    bool write[BURSTS], over[BURSTS]; /* over: served, or given what a write brings */
};

static u32 pick(u64 *random, u32 low, u32 high) {
    return low + random_below(random, high - low + 1);
}

static void push_random(struct rig *r, u64 *random, struct stream *s) {
    u32 places = pick(random, 1, 60), pause = pick(random, 1, 60);
    u64 time = 0;
    for (u32 i = 0; i < BURSTS; i++) {
        time += pick(random, 0, 3) ? 0 : random_below(random, pause);
        time += pick(random, 0, 60) ? 0 : random_below(random, 3000);
        s->time[i] = time;
        s->address[i] = (u64)random_below(random, places) * 32 * (1 + i % 2 * 77);
        s->write[i] = pick(random, 0, 1);
        s->over[i] = false;
        rig_push_address(r, time, s->address[i], s->write[i]);
    }
}

/* A write before burst i, to its place, that has not been served. */
static bool write_waits(const struct stream *s, u32 i) {
    for (u32 k = 0; k < i; k++)
        if (s->write[k] && !s->over[k] && s->address[k] == s->address[i])
            return true;
    return false;
}

/* Number of earlier bursts than i that wait. */
static u32 waiting_before(const struct stream *s, u32 i) {
    u32 count = 0;
    for (u32 k = 0; k < i; k++)
        count += !s->over[k];
    return count;
}

/* Checks the rule of one queue: the oldest sets the direction, and only the first few of all are chosen from. */
static void judge_shared(const struct rig *r, const struct stream *s, u32 i) {
    u32 first = 0;
    while (s->over[first])
        first++;
    cr_assert_eq(s->write[i], s->write[first], "burst %u is served, %u is the oldest", i, first);
    cr_assert(waiting_before(s, i) < r->c.read_queue, "burst %u was not in the queue", i);
}

/* Serves all; each burst once, in its order with writes of its place. Returns the reads that were forwarded. */
static u32 serve(struct rig *r, struct stream *s) {
    struct dram_done done;
    u32 served = 0;
    bool forwards = r->c.forward == forward_WRITES;
    while (dram_event(r->d) != TIME_NEVER) {
        u64 now = dram_event(r->d), forwarded = r->n.forwarded_reads;
        if (!dram_step(r->d, &done))
            continue;
        u32 i = done.id;
        bool given = r->n.forwarded_reads > forwarded;
        cr_assert(!s->over[i] && done.write == s->write[i] && s->time[i] <= now, "burst %u", i);
        cr_assert(given ? write_waits(s, i) : s->write[i] || !forwards || !write_waits(s, i),
                  "read %u %s a write to its place", i, given ? "was given data without" : "overtakes");
        if (!given && r->c.writes == write_handling_SHARED && !forwards)
            judge_shared(r, s, i);
        s->over[i] = true;
        served++;
    }
    cr_assert_eq(served, BURSTS);
    return (u32)r->n.forwarded_reads;
}

/* Column commands of either direction in the log. */
static u32 columns(const struct rig *r, enum dram_command command) {
    u32 count = 0;
    for (u32 i = 0; i < rig_commands(r); i++)
        count += rig_command(r, i).command == command;
    return count;
}

Test(dram_writes, each_reaches_memory_once_and_no_read_overtakes_it) {
    u64 random = 99;
    u32 forwarded = 0;
    for (u32 trial = 0; trial < rig_samples(80); trial++) {
        SCOPED(rig_close) struct rig r = {.c = rig_default()};
        struct stream s;
        r.c.writes = (enum write_handling)(trial % 2);
        r.c.forward = (enum forward)(trial / 2 % 2);
        r.c.read_queue = pick(&random, 1, 40);
        r.c.write_queue = pick(&random, 1, 40);
        r.c.write_high = pick(&random, 1, r.c.write_queue);
        r.c.write_low = pick(&random, 0, r.c.write_high - 1);
        r.c.write_idle = pick(&random, 0, 1) ? pick(&random, 1, 500) : 0;
        rig_open(&r);
        push_random(&r, &random, &s);
        u32 writes = 0, given = serve(&r, &s);
        for (u32 i = 0; i < BURSTS; i++)
            writes += s.write[i];
        cr_assert(columns(&r, DRAM_WR) == writes && columns(&r, DRAM_RD) + given == BURSTS - writes, "trial %u", trial);
        cr_assert(r.n.writes == writes && r.n.reads + given == BURSTS - writes);
        forwarded += given;
    }
    cr_assert_gt(forwarded, rig_samples(80)); /* more than one in a trial */
}
