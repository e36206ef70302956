/* Does a trace take what its requests must, however its text is cut, and keep every rule of the memory? */
#include "sim/api/context.h"
#include "sim/base/bits.h"
#include "sim/time/dram_device.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "tests/lib/random.h"

static struct heddle *board(const char *device) {
    char text[64];
    snprintf(text, sizeof text, "dram.device=%s", device);
    const char *sets[] = {text, "dram.channels=1", "l2.slices=1", "l2.bytes=0", "dram.stacks=1"};
    struct heddle *h = heddle_new();
    cr_assert(h && heddle_board_load(h, NULL, sets, 4 + (*device == 0)), "%s", heddle_error(h));
    return h;
}

static struct heddle_replayed replay(struct heddle *h, const struct heddle_replay *asked, const struct buf *text) {
    struct heddle_replayed m;
    cr_assert(heddle_replay_text(h, asked, text->data, text->len, &m), "%s", heddle_error(h));
    return m;
}

static u64 parts_of(const struct heddle_replayed *m) {
    u64 sum = 0;
    for (u32 i = 0; i < m->nparts; i++)
        sum += m->parts[i].cycles;
    return sum;
}

/* A stream of reads fills the bus of every device but for what refreshes and groups take; its parts add up. */
Test(replay, a_stream_comes_near_the_peak_of_each_device) {
    const char *name;
    for (u32 i = 0; (name = heddle_device_name(i)); i++) {
        struct heddle *h = board(name);
        struct board_dram *c = &h->board.dram;
        SCOPED(buf_free) struct buf text = {0};
        for (u32 k = 0; k < 20000; k++)
            buf_printf(&text, "LD %u\n", k * c->burst_bytes);
        struct heddle_replayed m = replay(h, &(struct heddle_replay){.channels = 1}, &text);
        double refresh = c->refi == 0 ? 0 : (double)(c->rfc_bank ? c->rfc_bank : c->rfc) / c->refi;
        double groups = c->ccd_s > c->burst_cycles ? (double)c->burst_cycles / c->ccd_s : 1;
        double order = c->ccd_r ? 0.75 : 0.95; /* bursts of two stack ids are ccd_r apart, which no order hides here */
        cr_expect(m.gbs > m.peak_gbs * groups * (1 - refresh) * order, "%s: %.1f of %.1f", name, m.gbs, m.peak_gbs);
        cr_expect_eq(parts_of(&m), m.cycles * m.nchannels, "%s", name);
        heddle_free(h);
    }
}

/* A read of an idle memory takes rcd, cl and its burst. */
Test(replay, a_read_alone_takes_its_latencies) {
    const char *name;
    for (u32 i = 0; (name = heddle_device_name(i)); i++) {
        struct heddle *h = board(name);
        const struct board_dram *c = &h->board.dram;
        SCOPED(buf_free) struct buf text = {0};
        buf_puts(&text, "0x0 READ 100\n0x800000 READ 1000\n");
        struct heddle_replayed m = replay(h, &(struct heddle_replay){.channels = 1, .open = true}, &text);
        double least = (c->rcd + c->cl + c->burst_cycles) * 1e3 / c->clock_mhz;
        cr_expect(m.latency_50 > least - 0.01 && m.latency_50 < least + 0.01, "%s: %f, not %f", name, m.latency_50,
                  least);
        heddle_free(h);
    }
}

/* Rows in turn: no faster than four activates in faw, and than rrd; a little slower for refreshes and conflicts. */
Test(replay, rows_at_random_are_opened_at_their_rate) {
    const char *name;
    u64 random = 99;
    for (u32 i = 0; (name = heddle_device_name(i)); i++) {
        struct heddle *h = board(name);
        const struct board_dram *c = &h->board.dram;
        SCOPED(buf_free) struct buf text = {0};
        for (u32 k = 0; k < 20000; k++)
            buf_printf(&text, "LD %llu\n", (unsigned long long)random_below(&random, 1U << 26) * c->burst_bytes);
        struct heddle_replayed m = replay(h, &(struct heddle_replay){.channels = 1}, &text);
        double each = c->faw / 4.0 > c->rrd_s ? c->faw / 4.0 : c->rrd_s;
        each = each > c->burst_cycles ? each : c->burst_cycles;
        double banks = (double)(c->ras + c->rp) / board_banks(c);
        each = (each > banks ? each : banks) / m.nchannels;
        cr_expect(m.cycles >= (u64)(each * 19900) && (double)m.cycles <= each * 20000 * 1.6,
                  "%s: %.2f a row, least %.2f", name, (double)m.cycles / 20000, each);
        heddle_free(h);
    }
}

/* Reads and writes of one row in turn, in order: the bus turns twice for each pair, and there is nothing else. */
Test(replay, turns_of_the_bus_take_their_time) {
    const char *name;
    for (u32 i = 0; (name = heddle_device_name(i)); i++) {
        struct heddle *h = board(name);
        struct board_dram *c = &h->board.dram;
        c->writes = write_handling_SHARED;
        c->scheduler = scheduler_FCFS;
        c->refi = 0;
        c->pseudo_channels = 1;
        c->pins = pins_APART;
        SCOPED(buf_free) struct buf text = {0};
        u32 pairs = (u32)min_u64(c->line_bytes / c->burst_bytes, 2), rounds = 1000; /* bursts of one row of one bank */
        for (u32 k = 0; k < 2 * rounds; k++)
            buf_printf(&text, "%s %u\n", k % 2 ? "ST" : "LD", k % pairs * c->burst_bytes);
        struct heddle_replayed m = replay(h, &(struct heddle_replay){.channels = 1}, &text);
        u64 data = c->cl + c->burst_cycles > c->wl ? c->cl + c->burst_cycles - c->wl : 0;
        u64 pair = max_u64(c->rtw, data) + c->wl + c->burst_cycles + max_u64(c->wtr, c->wtr_l);
        u64 last = c->rcd + (rounds - 1) * pair + max_u64(c->rtw, data) + c->wl + c->burst_cycles;
        cr_expect_eq(m.cycles, last, "%s: %llu, not %llu", name, (unsigned long long)m.cycles,
                     (unsigned long long)last);
        heddle_free(h);
    }
}

/* A stream loses to a refresh of all banks its time, and that of closing rows before it and opening them after it. */
Test(replay, refreshes_take_their_share) {
    const char *name;
    for (u32 i = 0; (name = heddle_device_name(i)); i++) {
        struct heddle *h = board(name);
        struct board_dram *c = &h->board.dram;
        SCOPED(buf_free) struct buf text = {0};
        c->refresh = refresh_ALL_BANK;
        c->postpone = 0;
        for (u32 k = 0; k < 16000; k++)
            buf_printf(&text, "LD %u\n", k * c->burst_bytes);
        u64 with = replay(h, &(struct heddle_replay){.channels = 1}, &text).cycles;
        u64 refreshes = (with - 1) / c->refi, row = c->ras + c->rp + c->rcd + c->cl;
        c->refi = 0;
        u64 without = replay(h, &(struct heddle_replay){.channels = 1}, &text).cycles;
        u64 lost = (with - without) / refreshes;
        cr_expect(refreshes > 0 && lost > c->rfc - c->rfc / 20 && lost < c->rfc + 2 * row, "%s: %llu for %u", name,
                  (unsigned long long)lost, c->rfc);
        heddle_free(h);
    }
}

/* Feeds a trace in pieces of any length: the result is that of the whole. */
Test(replay, pieces_of_the_text_make_no_difference) {
    struct heddle *h = heddle_new();
    SCOPED(buf_free) struct buf text = {0};
    u64 random = 5;
    for (u32 k = 0; k < 500; k++)
        buf_printf(&text, "0x%llx %s %u\n", (unsigned long long)random_below(&random, 1U << 24) * 32,
                   k % 3 ? "READ" : "WRITE", k);
    const struct heddle_replay asked = {.open = true};
    struct heddle_replayed whole = replay(h, &asked, &text), cut;
    for (size_t piece = 1; piece < 40; piece += 6) {
        struct heddle_replayer *r = heddle_replay_begin(h, &asked);
        cr_assert(r);
        for (size_t at = 0; at < text.len; at += piece)
            cr_assert(heddle_replay_feed(r, text.data + at, text.len - at < piece ? text.len - at : piece));
        cr_assert(heddle_replay_end(r, &cut));
        cr_expect(cut.cycles == whole.cycles && cut.requests == 500 && cut.latency_mean == whole.latency_mean);
        heddle_replay_free(r);
    }
    heddle_free(h);
}

/* A request by its place arrives at that place, in every mapping. */
Test(replay, places_are_those_of_the_commands) {
    for (u32 map = 0; map < 6; map++)
        for (u32 spread = 0; spread < 3; spread++) {
            struct heddle *h = heddle_new();
            h->board.dram.map = (enum map)map;
            h->board.dram.spread = (enum spread)spread;
            SCOPED(buf_free) struct buf text = {0};
            buf_puts(&text, "R 1,2,1,17,3\n");
            struct heddle_replayed m = replay(h, &(struct heddle_replay){.commands = true}, &text);
            cr_expect(strstr(m.commands, ",RD,1,2,1,17,3,read,0\n"), "%u, %u: %s", map, spread, m.commands);
            heddle_free(h);
        }
}
