/*
 * What the clock saw, as tables: time, what bounds it, each resource against its peak, memory traffic, buffers,
 * stalls, occupancy, energy. Everything comes from the metrics of the result.
 */
#include "sim/cli/run_report.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sim/cli/format.h"

enum { BAR = 20, SHORT_BAR = 10, SECTOR = 32 };

/* The value of a metric, 0 when it is absent. */
static double value(const struct heddle_result *s, const char *name) {
    double v;
    return format_metric(s, name, &v) ? v : 0;
}

static double board_value(const struct run_report *r, const char *key) {
    struct heddle_board_value v;
    return heddle_board_value(r->h, key, &v) ? v.number : 0;
}

/* ---- time ---- */

static void print_time(const struct run_report *r, const struct heddle_result *s, struct buf *out) {
    double mhz = board_value(r, "clock_mhz");
    buf_printf(out, "  %-22s %16s  %s at %s MHz\n", "cycles", grouped(s->cycles).text, format_si(s->seconds, "s").text,
               format_number(mhz).text);
    buf_printf(out, "  %-22s %16s  %s, not included in the cycles\n\n", "launch overhead",
               grouped(s->overhead_cycles).text,
               format_si(mhz > 0 ? (double)s->overhead_cycles / (mhz * 1e6) : 0, "s").text);
    buf_puts(out, "  ");
    format_folded(s->limiter, 2, 2, out);
    if (s->inconsistency)
        buf_printf(out, "  heddle bug: these numbers do not add up (%s). Please report it.\n", s->inconsistency);
}

/* ---- resources ---- */

/* A metric sol.ID, of which rate.ID and peak.ID are the two sides. Its title is what stands before the ':'. */
static void print_level(const struct heddle_result *s, const struct heddle_metric *m, struct buf *out) {
    const char *id = strchr(m->name, '.') + 1;
    char rate[64], peak[64];
    snprintf(rate, sizeof rate, "rate.%s", id);
    snprintf(peak, sizeof peak, "peak.%s", id);
    const char *unit = "";
    for (u32 i = 0; i < s->nmetrics; i++)
        if (strcmp(s->metrics[i].name, rate) == 0)
            unit = s->metrics[i].unit;
    buf_printf(out, "  %-20.*s %10s %10s  %-18s %8s  |%s|\n", (int)strcspn(m->doc, ":"), m->doc,
               format_metric_number(s, rate).text, format_metric_number(s, peak).text, unit,
               format_share(m->value, 100).text, format_bar(m->value / 100, BAR).text);
}

static void print_levels(const struct heddle_result *s, struct buf *out) {
    buf_printf(out, "\n  %-20s %10s %10s  %-18s %8s\n", "speed of light", "achieved", "peak", "", "of peak");
    for (u32 i = 0; i < s->nmetrics; i++) {
        const struct heddle_metric *m = &s->metrics[i];
        if (strncmp(m->name, "sol.", 4) == 0 && !m->absent && m->value > 0)
            print_level(s, m, out);
    }
}

/* ---- bytes ---- */

static void print_step(const struct heddle_result *s, const char *what, double moved, double useful, struct buf *out) {
    if (moved <= 0)
        return;
    buf_printf(out, "  %-28s %14s", what, grouped((u64)moved).text);
    if (useful >= 0)
        buf_printf(out, " %14s %8s", grouped((u64)useful).text, format_share(useful, moved).text);
    else
        buf_printf(out, " %14s %8s", "", "");
    buf_printf(out, " %14s\n", format_number(moved / (double)s->cycles).text);
}

static void print_memory_traffic(const struct heddle_result *s, struct buf *out) {
    if (value(s, "l1.requests") <= 0)
        return;
    double atomics = value(s, "l2.atomic_sectors"), reads = value(s, "dram.read_bytes");
    double useful = value(s, "l1.useful_bytes"), writes = value(s, "dram.write_bytes");
    double l2_reads = value(s, "l2.read_sectors") + atomics, l2_writes = value(s, "l2.write_sectors") + atomics;
    buf_printf(out, "\n  %-28s %14s %14s %8s %14s\n", "memory traffic", "bytes", "useful", "share", "bytes/cycle");
    print_step(s, "requested", value(s, "l1.requested_bytes"), -1, out);
    print_step(s, "requested, without repeats", useful, -1, out);
    print_step(s, "L1 sectors", SECTOR * value(s, "l1.sectors"), useful, out);
    print_step(s, "L1 hits", SECTOR * (value(s, "l1.hits") + value(s, "l1.pending_hits")), -1, out);
    print_step(s, "network to L2", value(s, "noc.request_bytes"), value(s, "noc.store_bytes"), out);
    print_step(s, "network from L2", value(s, "noc.reply_bytes"), value(s, "noc.load_bytes"), out);
    print_step(s, "L2 reads", SECTOR * l2_reads, -1, out);
    print_step(s, "L2 writes", SECTOR * l2_writes, -1, out);
    print_step(s, "L2 total", SECTOR * (l2_reads + l2_writes), value(s, "l2.useful_bytes"), out);
    print_step(s, "DRAM reads", reads, -1, out);
    print_step(s, "DRAM writes", writes, -1, out);
    print_step(s, "DRAM total", reads + writes, value(s, "dram.useful_bytes"), out);
    print_step(s, "dirty in L2 at the end", value(s, "l2.dirty_bytes"), -1, out);
}

static double column(const struct heddle_traffic *t, const char *name) {
    return (double)*heddle_traffic_value(t, name);
}

static void print_buffers(const struct heddle_result *s, struct buf *out) {
    if (s->ntraffic == 0)
        return;
    buf_printf(out, "\n  %-11s %10s %7s %7s %7s %13s %7s %7s %13s %7s\n", "buffer", "requests", "sectors", "useful",
               "L1 hits", "L2 bytes", "useful", "L2 hits", "DRAM bytes", "useful");
    for (u32 i = 0; i < s->ntraffic; i++) {
        const struct heddle_traffic *t = &s->traffic[i];
        double requests = column(t, "requests"), sectors = column(t, "sectors");
        double l2_reads = column(t, "l2_read_sectors"), l2 = SECTOR * (l2_reads + column(t, "l2_write_sectors"));
        double dram = column(t, "dram_read_bytes") + column(t, "dram_write_bytes");
        buf_printf(out, "  %-11.11s %10s %7s %7s %7s", t->name, grouped((u64)requests).text,
                   format_quotient(sectors, requests).text,
                   format_share(column(t, "useful_bytes"), SECTOR * sectors).text,
                   format_share(column(t, "l1_hits"), sectors).text);
        buf_printf(out, " %13s %7s %7s", grouped((u64)l2).text, format_share(column(t, "l2_useful_bytes"), l2).text,
                   format_share(column(t, "l2_hits"), l2_reads).text);
        buf_printf(out, " %13s %7s\n", grouped((u64)dram).text,
                   format_share(column(t, "dram_useful_bytes"), dram).text);
    }
}

/* ---- stalls ---- */

static double stalled(const struct heddle_result *s, u32 reason) {
    char name[64];
    snprintf(name, sizeof name, "stall.%s", heddle_stall_name(reason, NULL));
    return value(s, name);
}

static void print_stall(const struct heddle_result *s, u32 reason, struct buf *out) {
    const char *doc, *name = heddle_stall_name(reason, &doc);
    double cycles = stalled(s, reason), all = value(s, "sm.warp_cycles"), issued = value(s, "sm.slots_issued");
    buf_printf(out, "  %-18s %7s %7s  %s  %s\n", name, format_share(cycles, all).text,
               issued > 0 ? format_number(cycles / issued).text : "-",
               format_bar(all > 0 ? cycles / all : 0, SHORT_BAR).text, doc);
}

static void print_stalls(const struct heddle_result *s, struct buf *out) {
    u64 taken = 0;
    buf_printf(out, "\n  %-18s %7s %7s\n", "stall reasons", "share", "cycles");
    for (u32 n = 0; n < s->nstalls; n++) {
        u32 best = s->nstalls;
        for (u32 i = 0; i < s->nstalls; i++)
            if (!(taken >> i & 1) && stalled(s, i) > (best == s->nstalls ? 0 : stalled(s, best)))
                best = i;
        if (best == s->nstalls)
            break;
        taken |= (u64)1 << best;
        print_stall(s, best, out);
    }
    buf_puts(out, "  cycles: warp cycles per issued instruction; they add up to the time from one issue to the next\n");
}

/* ---- occupancy ---- */

static void print_occupancy(const struct run_report *r, const struct heddle_result *s, struct buf *out) {
    const char *limit, *title, *by = "";
    for (u32 i = 0; (limit = heddle_limit_name(i, &title)); i++)
        if (strcmp(limit, s->occupancy_limit) == 0)
            by = title;
    buf_printf(out, "\n  %-20s %.0f of %.0f warps per SM; achieved %s (%s %%); limited by %s\n", "occupancy",
               value(s, "occupancy.warps"), board_value(r, "sm.max_warps"),
               format_metric_number(s, "occupancy.warps_active").text,
               format_metric_number(s, "occupancy.achieved").text, by);
    buf_printf(out, "  %-20s", "blocks per SM");
    for (u32 i = 0; (limit = heddle_limit_name(i, &title)); i++) {
        char name[64];
        snprintf(name, sizeof name, "occupancy.by_%s", limit);
        buf_printf(out, "%s %s %.0f", i ? "," : "", title, value(s, name));
    }
    buf_printf(out, "\n  %-20s %s registers, %s bytes of shared memory; L1 has %s bytes\n", "per block",
               format_metric_number(s, "occupancy.registers").text, format_metric_number(s, "occupancy.shared").text,
               format_metric_number(s, "occupancy.l1_bytes").text);
    buf_printf(out, "  %-20s %.0f of %.0f; waves per SM %s\n", "SMs used", value(s, "launch.sms_used"),
               board_value(r, "sms"), format_metric_number(s, "launch.waves").text);
}

/* ---- energy ---- */

/* Registers of warps narrower than 32 lanes are parts of an event. */
static struct short_text format_events(double events) {
    return fabs(events - round(events)) < 0.005 ? grouped((u64)llround(events)) : format_number(events);
}

/* An energy of the board, whose key is also the name of the metric. */
static void print_event(const struct heddle_result *s, const struct heddle_board_value *energy, struct buf *out) {
    double joules = value(s, energy->key), all = value(s, "energy.dynamic");
    if (joules <= 0)
        return;
    buf_printf(out, "  %-20s %12s %8s  %s  %s x %s pJ, %s\n", strchr(energy->key, '.') + 1, format_si(joules, "J").text,
               format_share(joules, all).text, format_bar(joules / all, SHORT_BAR).text,
               format_events(joules / (energy->number * 1e-12)).text, format_number(energy->number).text,
               energy->basis);
}

static void print_static(const struct heddle_result *s, struct buf *out) {
    buf_printf(out, "  %-20s %12s           %s of it assumed\n", "total dynamic",
               format_si(value(s, "energy.dynamic"), "J").text, format_share(value(s, "energy.assumed"), 100).text);
    buf_printf(out, "  %-20s %12s           chip %s, SMs idle %s, SMs active %s\n", "static energy",
               format_si(value(s, "energy.static"), "J").text, format_si(value(s, "energy.constant"), "J").text,
               format_si(value(s, "energy.idle"), "J").text, format_si(value(s, "energy.active"), "J").text);
    buf_printf(out, "  %-20s %12s           %s W on average\n", "total energy",
               format_si(value(s, "energy.total"), "J").text, format_metric_number(s, "power.average").text);
}

static void print_energy(const struct run_report *r, const struct heddle_result *s, struct buf *out) {
    struct heddle_board_value energy;
    struct buf buffers = {0};
    buf_printf(out, "\n  %-20s %12s %8s\n", "dynamic energy", "", "share");
    for (u32 i = 0; heddle_board_value_at(r->h, i, &energy); i++)
        if (energy.basis)
            print_event(s, &energy, out);
    print_static(s, out);
    for (u32 i = 0; i < s->ntraffic; i++)
        buf_printf(&buffers, "%s%s %s", i ? ", " : "L1, L2 and DRAM by buffer: ", s->traffic[i].name,
                   format_si(s->traffic[i].energy, "J").text);
    if (buffers.len) {
        buf_puts(out, "  ");
        format_folded(buffers.data, 2, 2, out);
    }
    out->failed |= buffers.failed;
    buf_free(&buffers);
}

void run_report_timed(const struct run_report *r, const struct heddle_result *s, struct buf *out) {
    print_time(r, s, out);
    print_levels(s, out);
    print_memory_traffic(s, out);
    print_buffers(s, out);
    print_stalls(s, out);
    print_occupancy(r, s, out);
    print_energy(r, s, out);
    buf_putc(out, '\n');
}
