/* What the DRAM of a launch did, as traces that other simulators of memory read. */
#include <stdlib.h>
#include <string.h>

#include "sim/api/replay.h"
#include "sim/time/dram_device.h"
#include "sim/time/partition.h"
#include "sim/time/dram.h"

void heddle_trace_memory(struct heddle *h, bool on) {
    h->traces = on;
}

/* ---- commands ---- */

void trace_put_head(const struct trace_levels *levels, struct buf *out) {
    buf_puts(out, "clock,command");
    for (u32 i = 0; i < levels->count; i++)
        buf_printf(out, ",%s", levels->name[i]);
    buf_puts(out, ",type,source\n");
}

static void put_command(const struct board_dram *c, u32 bus, const struct dram_record *a, struct buf *out) {
    static const char *const names[DRAM_COMMANDS] = {
        [DRAM_PRE] = "PRE", [DRAM_PREA] = "PREA", [DRAM_ACT] = "ACT",    [DRAM_RD] = "RD",
        [DRAM_WR] = "WR",   [DRAM_REF] = "REFab", [DRAM_REFB] = "REFpb",
    };
    u64 level[TRACE_LEVELS];
    u32 channel = c->pseudo_channels > 1 ? 2 : 1, n = channel + (c->stack_ids > 1) + 2;
    bool column = a->command == DRAM_RD || a->command == DRAM_WR, own = a->cause.column == DRAM_NO_COLUMN;
    bool all = a->command == DRAM_REF || a->command == DRAM_PREA, row = column || a->command == DRAM_ACT;
    trace_place(c, bus, a->bank, level);
    buf_printf(out, "%llu,%s", (unsigned long long)a->time, names[a->command]);
    for (u32 i = 0; i < n; i++)
        if (all && i >= channel)
            buf_puts(out, ",-1");
        else
            buf_printf(out, ",%llu", (unsigned long long)level[i]);
    buf_printf(out, ",%lld,%lld", row ? (long long)a->row : -1LL, column ? (long long)a->cause.column : -1LL);
    buf_printf(out, ",%s,%d\n", own ? "none" : a->cause.write ? "write" : "read", (int)a->cause.source - 1);
}

void trace_put_commands(const struct board_dram *c, u32 bus, const struct buf *log, struct buf *out) {
    const struct dram_record *list = (const struct dram_record *)(const void *)log->data;
    for (size_t i = 0; i < log->len / sizeof *list; i++)
        put_command(c, bus, &list[i], out);
}

/* ---- requests ---- */

/* A request of any data bus, and its place in the order of all. */
struct traced {
    struct dram_request request;
    size_t number; /* among those of its data bus */
    u32 bus;
};

static int by_time(const void *a, const void *b) {
    const struct traced *x = a, *y = b;
    if (x->request.time != y->request.time)
        return x->request.time < y->request.time ? -1 : 1;
    if (x->bus != y->bus)
        return x->bus < y->bus ? -1 : 1;
    return (x->number > y->number) - (x->number < y->number);
}

/* Lists the requests of all data buses. */
static void collect(const struct heddle *h, struct buf *all) {
    for (u32 b = 0; b < board_buses(&h->board.dram); b++) {
        const struct dram_request *list = (const struct dram_request *)(const void *)h->log[b].requests.data;
        all->failed |= h->log[b].requests.failed || h->log[b].commands.failed;
        for (size_t i = 0; i < h->log[b].requests.len / sizeof *list; i++) {
            struct traced *to = buf_push(all, sizeof *to);
            if (to)
                *to = (struct traced){list[i], i, b};
        }
    }
}

static void put_place(const struct heddle *h, const struct dram *d, const struct traced *q, struct buf *out) {
    const struct board_dram *c = &h->board.dram;
    u64 level[TRACE_LEVELS], row;
    u32 bank, column, n = (c->pseudo_channels > 1 ? 2U : 1U) + (c->stack_ids > 1) + 2;
    dram_find(d, q->request.address, &bank, &row, &column);
    trace_place(c, q->bus, bank, level);
    buf_printf(out, "%c ", q->request.write ? 'W' : 'R');
    for (u32 i = 0; i < n; i++)
        buf_printf(out, "%llu,", (unsigned long long)level[i]);
    buf_printf(out, "%llu,%u\n", (unsigned long long)row, column);
}

static void put_request(const struct heddle *h, const struct traced *q, enum trace_format format, struct buf *out) {
    const struct board_dram *c = &h->board.dram;
    u64 line = q->request.address / c->line_bytes, within = q->request.address % c->line_bytes;
    unsigned long long address = (line * board_buses(c) + q->bus) * c->line_bytes + within;
    if (format == TRACE_ADDRESS)
        buf_printf(out, "%s 0x%llx\n", q->request.write ? "ST" : "LD", address);
    else
        buf_printf(out, "0x%llx %s %llu\n", address, q->request.write ? "WRITE" : "READ",
                   (unsigned long long)q->request.time);
}

static bool put_requests(struct heddle *h, enum trace_format format, struct buf *out) {
    SCOPED(arena_free) struct arena arena = {0};
    struct buf all = {0};
    collect(h, &all);
    struct traced *list = (struct traced *)(void *)all.data;
    size_t n = all.failed ? 0 : all.len / sizeof *list;
    const struct dram *d = dram_new(&h->board.dram, h->board.clock_mhz, &arena);
    out->failed |= all.failed || !d;
    if (n)
        qsort(list, n, sizeof *list, by_time);
    for (size_t i = 0; i < n && !out->failed; i++)
        if (format == TRACE_PLACES)
            put_place(h, d, &list[i], out);
        else
            put_request(h, &list[i], format, out);
    buf_free(&all);
    return !out->failed;
}

char *heddle_memory_trace(struct heddle *h, const char *form, size_t *len) {
    struct buf out = {0};
    enum trace_format format = trace_format_of(form);
    bool commands = strcmp(form, "commands") == 0;
    context_begin(h);
    if (!h->log || (!commands && format == TRACE_FORMATS)) {
        context_fail(h, "heddle",
                     !h->log ? "no memory was traced in the last launch"
                             : "'%s' is no trace; there are commands, ramulator, ramulator-rw, dramsim3",
                     form);
        return NULL;
    }
    if (commands) {
        struct trace_levels levels = trace_levels_of(&h->board.dram, board_buses(&h->board.dram));
        trace_put_head(&levels, &out);
        for (u32 b = 0; b < board_buses(&h->board.dram); b++) {
            trace_put_commands(&h->board.dram, b, &h->log[b].commands, &out);
            out.failed |= h->log[b].commands.failed;
        }
    } else {
        put_requests(h, format, &out);
    }
    return context_hand_out(h, &out, len);
}
