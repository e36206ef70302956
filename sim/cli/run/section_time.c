/* Sections of a timed launch: time and its bound, each resource with its peak; memory traffic; stalls. */
#include "sim/cli/run/report.h"

#include <stdio.h>
#include <string.h>

#include "sim/cli/format.h"

static const double SECTOR = 32; /* bytes */

/* ---- time ---- */

static const struct table_column fact_columns[] = {{"fact", "", TABLE_WORD},
                                                   {"value", "", TABLE_NUMBER},
                                                   {"note", "", TABLE_PROSE}};

static void put_fact(struct table *t, const char *fact, double value, struct short_text shown, const char *note) {
    table_word(t, fact);
    table_number(t, value, shown);
    table_word(t, note);
}

static void put_time(struct run_report *r, const struct heddle_result *s) {
    struct table *t = report_table(r, "time", fact_columns, COUNT_OF(fact_columns));
    double mhz = report_board_value(r, "clock_mhz"), overhead = mhz > 0 ? (double)s->overhead_cycles / (mhz * 1e6) : 0;
    char note[80];
    snprintf(note, sizeof note, "at %s MHz", format_number(mhz).text);
    put_fact(t, "time", s->seconds, format_si(s->seconds, "s"), note);
    put_fact(t, "cycles", (double)s->cycles, grouped(s->cycles), "");
    snprintf(note, sizeof note, "%s, not included in the cycles", format_si(overhead, "s").text);
    put_fact(t, "launch overhead", (double)s->overhead_cycles, grouped(s->overhead_cycles), note);
    table_word(t, "bound");
    table_word(t, "");
    table_word(t, s->limiter);
}

static const struct table_column level_columns[] = {{"level", "speed of light", TABLE_WORD},
                                                    {"achieved", "achieved", TABLE_NUMBER},
                                                    {"peak", "peak", TABLE_NUMBER},
                                                    {"unit", "", TABLE_WORD},
                                                    {"percent", "of peak", TABLE_NUMBER},
                                                    {"", "", TABLE_BAR}};

static const char *unit_of(const struct heddle_result *s, const char *metric) {
    for (u32 i = 0; i < s->nmetrics; i++)
        if (strcmp(s->metrics[i].name, metric) == 0)
            return s->metrics[i].unit;
    return "";
}

/* Adds a metric sol.ID, with rate.ID and peak.ID. Its title is the text before the ':'. */
static void put_level(struct table *t, const struct heddle_result *s, const struct heddle_metric *m) {
    const char *id = strchr(m->name, '.') + 1;
    char rate[64], peak[64], title[64];
    snprintf(rate, sizeof rate, "rate.%s", id);
    snprintf(peak, sizeof peak, "peak.%s", id);
    snprintf(title, sizeof title, "%.*s", (int)strcspn(m->doc, ":"), m->doc);
    table_word(t, title);
    table_number(t, metric_or_zero(s, rate), format_metric_number(s, rate));
    table_number(t, metric_or_zero(s, peak), format_metric_number(s, peak));
    table_word(t, unit_of(s, rate));
    table_number(t, m->value, format_share(m->value, 100));
    table_bar(t, format_bar(m->value / 100, 20));
}

void section_time(struct run_report *r, const struct heddle_result *s) {
    put_time(r, s);
    struct table *t = report_table(r, "levels", level_columns, COUNT_OF(level_columns));
    for (u32 i = 0; i < s->nmetrics; i++) {
        const struct heddle_metric *m = &s->metrics[i];
        if (strncmp(m->name, "sol.", 4) == 0 && !m->absent && m->value > 0)
            put_level(t, s, m);
    }
}

/* ---- bytes ---- */

static const struct table_column step_columns[] = {{"step", "memory traffic", TABLE_WORD},
                                                   {"bytes", "bytes", TABLE_NUMBER},
                                                   {"useful_bytes", "useful", TABLE_NUMBER},
                                                   {"useful_percent", "share", TABLE_NUMBER},
                                                   {"bytes_per_cycle", "bytes/cycle", TABLE_NUMBER}};

static void put_share(struct table *t, double part, double whole) {
    if (whole > 0)
        table_number(t, 100 * part / whole, format_share(part, whole));
    else
        table_none(t);
}

/* Adds a step; `useful` below 0 = unknown. */
static void put_step(struct table *t, const struct heddle_result *s, const char *what, double moved, double useful) {
    if (moved <= 0)
        return;
    table_word(t, what);
    table_number(t, moved, grouped((u64)moved));
    if (useful >= 0) {
        table_number(t, useful, grouped((u64)useful));
        put_share(t, useful, moved);
    } else {
        table_word(t, "");
        table_word(t, "");
    }
    table_number(t, moved / (double)s->cycles, format_number(moved / (double)s->cycles));
}

static void put_steps(struct run_report *r, const struct heddle_result *s) {
    struct table *t = report_table(r, "traffic", step_columns, COUNT_OF(step_columns));
    double atomics = metric_or_zero(s, "l2.atomic_sectors"), reads = metric_or_zero(s, "dram.read_bytes");
    double useful = metric_or_zero(s, "l1.useful_bytes"), writes = metric_or_zero(s, "dram.write_bytes");
    double l2_reads = metric_or_zero(s, "l2.read_sectors") + atomics;
    double l2_writes = metric_or_zero(s, "l2.write_sectors") + atomics;
    double hits = metric_or_zero(s, "l1.hits") + metric_or_zero(s, "l1.pending_hits");
    put_step(t, s, "requested", metric_or_zero(s, "l1.requested_bytes"), -1);
    put_step(t, s, "requested, without repeats", useful, -1);
    put_step(t, s, "L1 sectors", SECTOR * metric_or_zero(s, "l1.sectors"), useful);
    put_step(t, s, "L1 hits", SECTOR * hits, -1);
    put_step(t, s, "network to L2", metric_or_zero(s, "noc.request_bytes"), metric_or_zero(s, "noc.store_bytes"));
    put_step(t, s, "network from L2", metric_or_zero(s, "noc.reply_bytes"), metric_or_zero(s, "noc.load_bytes"));
    put_step(t, s, "L2 reads", SECTOR * l2_reads, -1);
    put_step(t, s, "L2 writes", SECTOR * l2_writes, -1);
    put_step(t, s, "L2 total", SECTOR * (l2_reads + l2_writes), metric_or_zero(s, "l2.useful_bytes"));
    put_step(t, s, "DRAM reads", reads, -1);
    put_step(t, s, "DRAM writes", writes, -1);
    put_step(t, s, "DRAM total", reads + writes, metric_or_zero(s, "dram.useful_bytes"));
    put_step(t, s, "dirty in L2 at the end", metric_or_zero(s, "l2.dirty_bytes"), -1);
}

static double column(const struct heddle_traffic *t, const char *name) {
    return (double)*heddle_traffic_value(t, name);
}

static const struct table_column buffer_columns[] = {{"buffer", "buffer", TABLE_WORD},
                                                     {"requests", "requests", TABLE_NUMBER},
                                                     {"sectors_per_request", "sectors", TABLE_NUMBER},
                                                     {"useful_percent", "useful", TABLE_NUMBER},
                                                     {"l1_hit_percent", "L1 hits", TABLE_NUMBER},
                                                     {"l2_bytes", "L2 bytes", TABLE_NUMBER},
                                                     {"l2_useful_percent", "useful", TABLE_NUMBER},
                                                     {"l2_hit_percent", "L2 hits", TABLE_NUMBER},
                                                     {"dram_bytes", "DRAM bytes", TABLE_NUMBER},
                                                     {"dram_useful_percent", "useful", TABLE_NUMBER}};

static void put_buffer(struct table *to, const struct heddle_traffic *t) {
    double requests = column(t, "requests"), sectors = column(t, "sectors");
    double l2_reads = column(t, "l2_read_sectors"), l2 = SECTOR * (l2_reads + column(t, "l2_write_sectors"));
    double dram = column(t, "dram_read_bytes") + column(t, "dram_write_bytes");
    table_word(to, t->name);
    table_number(to, requests, grouped((u64)requests));
    report_quotient(to, sectors, requests);
    put_share(to, column(t, "useful_bytes"), SECTOR * sectors);
    put_share(to, column(t, "l1_hits"), sectors);
    table_number(to, l2, grouped((u64)l2));
    put_share(to, column(t, "l2_useful_bytes"), l2);
    put_share(to, column(t, "l2_hits"), l2_reads);
    table_number(to, dram, grouped((u64)dram));
    put_share(to, column(t, "dram_useful_bytes"), dram);
}

void section_traffic(struct run_report *r, const struct heddle_result *s) {
    put_steps(r, s);
    struct table *t = report_table(r, "buffers", buffer_columns, COUNT_OF(buffer_columns));
    for (u32 i = 0; i < s->ntraffic; i++)
        put_buffer(t, &s->traffic[i]);
}

/* ---- stalls ---- */

static const struct table_column stall_columns[] = {{"stall", "stall reason", TABLE_WORD},
                                                    {"percent", "share", TABLE_NUMBER},
                                                    {"cycles_per_instruction", "cycles", TABLE_NUMBER},
                                                    {"", "", TABLE_BAR},
                                                    {"meaning", "meaning", TABLE_PROSE}};

static double stalled(const struct heddle_result *s, u32 reason) {
    char name[64];
    snprintf(name, sizeof name, "stall.%s", heddle_stall_name(reason, NULL));
    return metric_or_zero(s, name);
}

u32 report_longest_stall(const struct heddle_result *s, u64 taken) {
    u32 best = s->nstalls;
    for (u32 i = 0; i < s->nstalls; i++)
        if (!(taken >> i & 1) && stalled(s, i) > (best == s->nstalls ? 0 : stalled(s, best)))
            best = i;
    return best;
}

void section_stalls(struct run_report *r, const struct heddle_result *s) {
    struct table *t = report_table(r, "stalls", stall_columns, COUNT_OF(stall_columns));
    double all = metric_or_zero(s, "sm.warp_cycles"), issued = metric_or_zero(s, "sm.slots_issued");
    u64 taken = 0;
    t->caption = "cycles: warp cycles per issued instruction; they add up to the time from one issue to the next";
    for (u32 best; (best = report_longest_stall(s, taken)) < s->nstalls; taken |= (u64)1 << best) {
        const char *doc, *name = heddle_stall_name(best, &doc);
        table_word(t, name);
        put_share(t, stalled(s, best), all);
        report_quotient(t, stalled(s, best), issued);
        table_bar(t, format_bar(all > 0 ? stalled(s, best) / all : 0, 10));
        table_word(t, doc);
    }
}
