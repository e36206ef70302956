/*
 * `heddle run --uncertainty`: the same launches on draws of the board, each value with a range within its own
 * (sim/board/draw.c). What the ranges make of time and bound stands beside the run as the board has it.
 */
#include "sim/cli/run/run.h"

#include <stdio.h>
#include <string.h>

#include "sim/cli/format.h"
#include "sim/cli/progress.h"
#include "sim/cli/ui.h"

/* Returns what bounds a launch: "DRAM" of "Mostly bound by DRAM: 5.70 of 8.00 GB/s", else its first part. */
static struct short_text bound_of(const char *limiter) {
    struct short_text t;
    const char *by = strstr(limiter, "ound by "), *from = by ? by + strlen("ound by ") : limiter;
    snprintf(t.text, sizeof t.text, "%.*s", (int)strcspn(from, ":,;."), from);
    return t;
}

/* Counts a bound among those of earlier draws. */
static void count_bound(struct run_draws *d, const char *limiter) {
    const struct short_text bound = bound_of(limiter);
    u32 i = 0;
    while (i < d->nbounds && strcmp(d->bound[i].name.text, bound.text) != 0)
        i++;
    if (i == RUN_BOUNDS)
        return;
    d->nbounds += i == d->nbounds;
    d->bound[i].name = bound;
    d->bound[i].draws++;
    for (; i && d->bound[i].draws > d->bound[i - 1].draws; i--) {
        const struct run_bound earlier = d->bound[i - 1];
        d->bound[i - 1] = d->bound[i];
        d->bound[i] = earlier;
    }
}

static void add(struct run_draws *d, const struct run_report *r) {
    d->low = r->cycles < d->low ? r->cycles : d->low;
    d->high = r->cycles > d->high ? r->cycles : d->high;
    d->done++;
    count_bound(d, r->last->limiter);
}

int run_reopen(struct run *r, const struct run *of, const char *assignment) {
    int status = run_open(r, of->argc, of->argv) ? EXIT_OK : EXIT_INPUT;
    r->options.quiet = true;
    r->options.json = r->options.html = r->options.sarif = r->options.launch.check = NULL;
    r->options.record = (struct run_record){0};
    r->options.explain = (struct heddle_explain){0};
    if (status == EXIT_OK && assignment && !board_choice_set(&r->options.board, assignment))
        status = EXIT_INPUT;
    return status == EXIT_OK ? run_prepare(r) : status;
}

int run_again(struct run *r, const struct run *of, const char *assignment) {
    int status = run_reopen(r, of, assignment);
    return status == EXIT_OK ? run_launches(r) : status;
}

/* Repeats the run on one draw of its board. */
static int run_one(const struct run *of, u32 draw, struct run_draws *d) {
    struct run r = {.draw = draw, .draws = of->options.draws};
    char assignment[24];
    snprintf(assignment, sizeof assignment, "draw=%u", draw);
    int status = run_again(&r, of, assignment);
    if (status == EXIT_OK && r.report.status != HEDDLE_OK)
        status = EXIT_FAULT;
    if (status == EXIT_OK)
        add(d, &r.report);
    run_close(&r);
    return status;
}

/* True for a key without a part in the cycles of a launch. */
static bool apart(const char *key) {
    static const char *const prefix[] = {"energy.", "power.", "launch.overhead_cycles", "launch.own_cycles",
                                         "launch.round_trip_cycles"};
    u32 i = 0;
    while (i < COUNT_OF(prefix) && strncmp(key, prefix[i], strlen(prefix[i])) != 0)
        i++;
    return i < COUNT_OF(prefix);
}

/* Counts the values that are drawn and have a part in the cycles. */
static u32 uncertain(const struct heddle *h) {
    struct heddle_board_value v;
    u32 n = 0;
    for (u32 i = 0; heddle_board_value_at(h, i, &v); i++)
        n += v.ranged && v.low < v.high && !apart(v.key);
    return n;
}

int run_draws(struct run *r) {
    struct run_draws *d = &r->report.draws;
    int status = EXIT_OK;
    d->values = uncertain(r->h);
    d->low = d->high = r->report.cycles;
    if (r->options.draws && !d->values) {
        ui_error("--uncertainty: no value of board '%s' has a range, as in 'l1.loads: 128 assumed 64..512'",
                 heddle_board_name(r->h));
        return EXIT_INPUT;
    }
    for (u32 draw = 1; draw <= r->options.draws && status == EXIT_OK; draw++)
        status = run_one(r, draw, d);
    return progress_interrupted() ? EXIT_INTERRUPTED : status;
}

/* ---- what is shown ---- */

void run_draws_bounds(const struct run_draws *d, struct buf *out) {
    for (u32 i = 0; i < d->nbounds; i++)
        buf_printf(out, "%s%s in %u", i ? ", " : "", d->bound[i].name.text, d->bound[i].draws);
}

void run_draws_text(const struct run_report *r, struct buf *out) {
    const struct run_draws *d = &r->draws;
    double hz = 1e6 * report_board_value(r, "clock_mhz");
    if (!d->done)
        return;
    buf_printf(out, "  range    %s to %s in %u draws of the %u values with a range\n           bound by ",
               format_si((double)d->low / hz, "s").text, format_si((double)d->high / hz, "s").text, d->done, d->values);
    run_draws_bounds(d, out);
    buf_puts(out, "\n");
}

json_t *run_draws_json(const struct run_report *r) {
    const struct run_draws *d = &r->draws;
    double hz = 1e6 * report_board_value(r, "clock_mhz");
    json_t *bounds = json_list();
    for (u32 i = 0; i < d->nbounds; i++)
        json_add(bounds, json_make("{s:o,s:I}", "bound", json_text(d->bound[i].name.text), "draws",
                                   (json_int_t)d->bound[i].draws));
    return json_make("{s:I,s:I,s:{s:o,s:o},s:{s:o,s:o},s:o}", "draws", (json_int_t)d->done, "values",
                     (json_int_t)d->values, "cycles", "low", json_u64(d->low), "high", json_u64(d->high), "seconds",
                     "low", json_number((double)d->low / hz), "high", json_number((double)d->high / hz), "bounds",
                     bounds);
}
