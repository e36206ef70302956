/*
 * Traffic and issues of a launch over time, from its recording: sums of events in windows of cycles. The sum over a
 * track times the window is the launch's counter.
 *
 *   DRAM     bursts, when they begin       issue       instructions, when they issue
 *   L2       sectors, when a slice first looks up their request    occupancy   warps that issue or wait
 */
#include "sim/cli/run/record.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/bits.h"
#include "sim/cli/json.h"
#include "sim/cli/run/report.h"

enum { WINDOWS = 1000 }; /* most windows */

/* Places of an event's numbers in sim/time/events.def. */
enum { WAIT_UNTIL = 0, L2_REQUEST = 0, L2_SECTORS = 4, BURST_WRITE = 5, SECTOR = 32 };

enum track { TRACK_READ, TRACK_WRITE, TRACK_L2, TRACK_ISSUE, TRACK_WARPS, TRACKS };

static const struct {
    const char *name, *unit;
} tracks[TRACKS] = {{"DRAM read", "GB/s"},
                    {"DRAM write", "GB/s"},
                    {"L2", "GB/s"},
                    {"issue", "instructions/cycle"},
                    {"occupancy", "warps"}};

struct rates {
    u64 from, to, window; /* cycles */
    size_t n;             /* windows */
    double *sum;          /* [n][TRACKS] */
    struct buf seen;      /* list of struct buf for each SM: a bit for each request looked up in L2 */
    double burst_bytes;
};

static void add(struct rates *r, enum track t, u64 cycle, double amount) {
    if (cycle >= r->from && cycle < r->to)
        r->sum[(cycle - r->from) / r->window * TRACKS + t] += amount;
}

/* Adds 1 for each cycle of a span. */
static void add_span(struct rates *r, enum track t, u64 from, u64 to) {
    from = from > r->from ? from : r->from;
    to = to < r->to ? to : r->to;
    while (from < to) {
        u64 end = r->from + ((from - r->from) / r->window + 1) * r->window;
        end = end < to ? end : to;
        add(r, t, from, (double)(end - from));
        from = end;
    }
}

/* True if the request is looked up for the first time: with two halves of L2, both may look it up. */
static bool is_new(struct rates *r, const struct heddle_event *e) {
    static const struct buf none = {0};
    size_t at = (size_t)(e->value[L2_REQUEST] / 8);
    u8 bit = (u8)(1u << e->value[L2_REQUEST] % 8);
    while (r->seen.len / sizeof none <= e->sm && !r->seen.failed)
        buf_append(&r->seen, &none, sizeof none);
    if (r->seen.failed)
        return false;
    struct buf *bits = &((struct buf *)(void *)r->seen.data)[e->sm];
    while (bits->len <= at && !bits->failed)
        buf_append(bits, "", 1);
    r->seen.failed |= bits->failed;
    if (bits->failed || (u8)bits->data[at] & bit)
        return false;
    bits->data[at] = (char)((u8)bits->data[at] | bit);
    return true;
}

static void take(struct rates *r, const struct heddle_event *e) {
    const char *kind = heddle_event_kind(e->kind, NULL, NULL, NULL);
    if (strcmp(kind, "issue") == 0) {
        add(r, TRACK_ISSUE, e->cycle, 1);
        add(r, TRACK_WARPS, e->cycle, 1);
    } else if (strcmp(kind, "wait") == 0) {
        add_span(r, TRACK_WARPS, e->cycle, e->value[WAIT_UNTIL]);
    } else if (strcmp(kind, "burst") == 0) {
        add(r, e->value[BURST_WRITE] ? TRACK_WRITE : TRACK_READ, e->cycle, r->burst_bytes);
    } else if (strcmp(kind, "l2") == 0 && is_new(r, e)) {
        add(r, TRACK_L2, e->cycle, SECTOR * ones_of(e->value[L2_SECTORS]));
    }
}

/* Chooses the first of 1, 2, 5, 10, ... that gives few enough windows. */
static u64 window_of(u64 cycles) {
    static const u32 steps[] = {1, 2, 5};
    for (u64 ten = 1;; ten *= 10)
        for (u32 i = 0; i < COUNT_OF(steps); i++)
            if ((cycles + ten * steps[i] - 1) / (ten * steps[i]) <= WINDOWS)
                return ten * steps[i];
}

static bool collect(const struct run_report *report, struct rates *r) {
    const struct heddle_watch *w = &report->options->record.watch;
    const struct heddle_result *s = report->last;
    struct heddle_event e;
    u64 end = s->complete < s->cycles ? s->complete : s->cycles;
    *r = (struct rates){.from = w->from, .to = w->to && w->to < end ? w->to : end};
    if (r->from >= r->to)
        return true;
    r->window = window_of(r->to - r->from);
    r->n = (size_t)((r->to - r->from + r->window - 1) / r->window);
    r->burst_bytes = report_board_value(report, "dram.burst_bytes");
    r->sum = calloc(r->n * TRACKS, sizeof *r->sum);
    for (u64 i = 0; r->sum && heddle_event(report->h, i, &e); i++)
        take(r, &e);
    return r->sum && !r->seen.failed;
}

static void rates_free(struct rates *r) {
    struct buf *bits = (struct buf *)(void *)r->seen.data;
    for (size_t i = 0; i < r->seen.len / sizeof *bits; i++)
        buf_free(&bits[i]);
    buf_free(&r->seen);
    free(r->sum);
}

static void put_counter(const char *name, u32 pid, u64 cycle, double value, struct buf *out) {
    buf_putc(out, ',');
    json_write_line(json_make("{s:s,s:s,s:o,s:I,s:{s:f}}", "ph", "C", "name", name, "ts", json_u64(cycle), "pid",
                              (json_int_t)pid, "args", "value", value),
                    out);
}

/* Computes the mean over a window. */
static double mean(const struct run_report *report, const struct rates *r, enum track t, size_t i) {
    double sum = r->sum[i * TRACKS + t] / (double)r->window;
    return t <= TRACK_L2 ? sum * report_board_value(report, "clock_mhz") / 1000 : sum;
}

bool run_record_rates(const struct run_report *report, struct buf *out) {
    const u32 pid = (u32)report_board_value(report, "sms"); /* after those of the SMs */
    struct rates r;
    bool ok = collect(report, &r);
    if (ok && r.n)
        run_record_process(pid, "GPU", out);
    for (u32 t = 0; ok && r.n && t < TRACKS; t++) {
        char name[60];
        snprintf(name, sizeof name, "%s [%s]", tracks[t].name, tracks[t].unit);
        for (size_t i = 0; i < r.n; i++)
            put_counter(name, pid, r.from + i * r.window, mean(report, &r, t, i), out);
        put_counter(name, pid, r.to, 0, out);
    }
    rates_free(&r);
    return ok;
}

json_t *run_record_rates_json(const struct run_report *report) {
    json_t *all = json_list();
    struct rates r;
    bool ok = collect(report, &r);
    for (u32 t = 0; ok && t < TRACKS; t++) {
        json_t *values = json_list();
        for (size_t i = 0; i < r.n; i++)
            json_add(values, json_number(mean(report, &r, t, i)));
        json_add(all, json_make("{s:s,s:s,s:o}", "name", tracks[t].name, "unit", tracks[t].unit, "values", values));
    }
    json_t *rates = json_make("{s:o,s:o,s:o}", "from", json_u64(r.from), "window", json_u64(r.window), "tracks", all);
    rates_free(&r);
    return rates;
}
