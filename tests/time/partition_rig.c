#include "tests/time/partition_rig.h"
#include "sim/time/dram.h"

#include <criterion/criterion.h>
#include <string.h>

void rig_open(struct rig *r, const char *const *settings) {
    static const char *const small[] = {"l2.slices=1", "dram.channels=1", "l2.bytes=2048",  "l2.ways=4",
                                        "dram.refi=0", "l2.latency=100",  "noc.latency=40", NULL};
    *r = (struct rig){0};
    board_default(&r->board);
    struct diag diag = {0};
    for (u32 i = 0; small[i]; i++)
        cr_assert(board_set(&r->board, small[i], &diag), "%s", small[i]);
    for (u32 i = 0; settings && settings[i]; i++)
        cr_assert(board_set(&r->board, settings[i], &diag), "%s", settings[i]);
    r->latency = (u64)r->board.l2.latency + r->board.noc.latency;
    r->p = partition_new(&r->board, 0, NULL);
    cr_assert(r->p);
    rig_reset(r, false);
}

void rig_close(struct rig *r) {
    partition_free(r->p);
    buf_free(&r->in);
    buf_free(&r->out);
}

void rig_reset(struct rig *r, bool warm) {
    memset(&r->n, 0, sizeof r->n);
    memset(r->traffic, 0, sizeof r->traffic);
    r->n.traffic = r->traffic;
    r->in.len = r->out.len = r->taken = 0;
    partition_reset(r->p, &r->n, warm);
}

struct request *rig_add(struct rig *r, u64 time, enum request_kind kind, u64 line, u32 first, u32 count) {
    struct request *q = buf_push(&r->in, sizeof *q);
    cr_assert(q);
    struct placer placer = placer_of(&r->board);
    struct place at = place_of(&placer, line);
    place_route(&placer, r->sm, kind == REQUEST_LOAD && r->board.l2.bytes, &at);
    *q = (struct request){
        .time = time, .local = at.local, .partition = (u16)at.partition, .slice = (u16)at.slice, .kind = (u8)kind};
    q->sm = (u16)r->sm;
    q->ticket = q->seq = (u32)(r->in.len / sizeof *q - 1);
    q->sectors = (u8)((1u << (first + count)) - (1u << first));
    for (u32 s = first; s < first + count; s++)
        q->bytes[s / 2] |= (u64)UINT32_MAX << s % 2 * 32;
    q->atomic.lanes = q->atomic.passes = q->atomic.longest = kind == REQUEST_ATOMIC;
    return q;
}

static const struct request *requests(const struct rig *r) {
    return (const struct request *)(const void *)r->in.data;
}

void rig_until(struct rig *r, u64 horizon) {
    u32 all = (u32)(r->in.len / sizeof(struct request)), from = r->taken, to = from;
    while (to < all && requests(r)[to].time < horizon)
        to++;
    r->taken = to;
    cr_assert(partition_run(r->p, requests(r) + from, to - from, horizon, &r->out));
    r->n.dram = (struct dram_counters){0};
    partition_close(r->p, partition_end(r->p), r->channel);
}

void rig_serve(struct rig *r) {
    rig_until(r, TIME_NEVER);
    cr_assert_eq(partition_next(r->p), TIME_NEVER);
    cr_assert_eq(rig_replies(r), r->in.len / sizeof(struct request));
}

u32 rig_replies(const struct rig *r) {
    return (u32)(r->out.len / sizeof(struct reply));
}

u64 rig_answered(const struct rig *r, u32 ticket) {
    const struct reply *reply = (const struct reply *)(const void *)r->out.data;
    for (u32 i = 0; i < rig_replies(r); i++)
        if (reply[i].ticket == ticket)
            return reply[i].time;
    cr_assert_fail("no reply for request %u", ticket);
    return 0;
}

u64 rig_took(const struct rig *r, u32 ticket) {
    return rig_answered(r, ticket) - requests(r)[ticket].time;
}

u64 rig_channel(const struct rig *r, u64 time, u64 address, u32 count, bool write) {
    SCOPED(arena_free) struct arena arena = {0};
    struct dram_counters counters = {0};
    struct traffic traffic = {0};
    struct dram *d = dram_new(&r->board.dram, r->board.clock_mhz, &arena);
    cr_assert(d);
    dram_reset(d, &counters, &traffic);
    u64 end = 0;
    for (u32 i = 0; i < count; i++) {
        struct dram_burst burst = {.time = time,
                                   .address = address + (u64)i * r->board.dram.burst_bytes,
                                   .id = i,
                                   .write = write};
        cr_assert(dram_push(d, &burst));
    }
    while (dram_next(d) != TIME_NEVER) {
        struct dram_done done;
        if (dram_step(d, &done))
            end = done.time > end ? done.time : end;
    }
    return end;
}
