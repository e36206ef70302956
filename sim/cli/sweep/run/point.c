/* The run of one point of a sweep, and the row that it becomes. */
#include "sim/cli/sweep/sweep.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/base/decimal.h"
#include "sim/cli/run/run.h"
#include "sim/cli/ui.h"
#include "sim/file/document.h"
#include "sim/file/write.h"

/* Puts a number if the text is one. */
static void put_text(json_t *row, const char *name, const char *text) {
    double v;
    char *end;
    s64 whole = strtoll(text, &end, 10);
    if (*text && !*end && strlen(text) < 16)
        json_put(row, name, json_s64(whole));
    else if (decimal_read(text, &v))
        json_put(row, name, json_number(v));
    else
        json_put(row, name, json_text(text));
}

static void put_part(json_t *row, const char *kind, const char *name, const char *text) {
    struct buf column = {0};
    buf_printf(&column, "%s%s", kind, name);
    if (!column.failed)
        put_text(row, column.data, text);
    buf_free(&column);
}

static void put_dims(json_t *row, const char *name, const u32 d[3]) {
    char text[40];
    u32 n = d[2] > 1 ? 3 : d[1] > 1 ? 2 : 1;
    int at = snprintf(text, sizeof text, "%u", d[0]);
    for (u32 i = 1; i < n; i++)
        at += snprintf(text + at, sizeof text - (size_t)at, "x%u", d[i]);
    put_text(row, name, text);
}

static void put_configuration(const struct sweep *s, const struct sweep_point *p, const struct run *r, json_t *row) {
    const struct run_options *o = &r->options;
    const struct heddle_arg *a = (const struct heddle_arg *)(const void *)o->numbers.data;
    bool timed = o->board.name && !o->launch.functional;
    json_put(row, "heddle", json_text(heddle_version()));
    json_put(row, "build", json_text_of(s->build.text, SWEEP_BUILD_SHOWN));
    json_put(row, "kernel_hash", json_text(p->is.kernel.text));
    json_put(row, "board_hash", json_text(p->is.board.text));
    json_put(row, "inputs_hash", json_text(p->is.inputs.text));
    json_put(row, "file", json_text(o->file));
    json_put(row, "board", timed ? json_text(heddle_board_name(r->h)) : json_null());
    json_put(row, "kernel", json_text(r->result.kernel ? r->result.kernel : ""));
    put_dims(row, "grid", r->result.grid);
    put_dims(row, "block", r->result.block);
    json_put(row, "warp", json_u64(r->result.warp));
    for (u32 i = 0; i < o->arg_count; i++)
        put_part(row, "arg.", a[i].name, a[i].text);
    for (u32 i = 0; i < run_tensor_count(o); i++)
        put_part(row, "in.", run_tensor_at(o, i)->name, run_tensor_at(o, i)->data.at);
}

void sweep_put_axes(const struct sweep *s, const struct sweep_point *p, json_t *row) {
    json_t *settings = json_object_get(s->settings, p->is.board.text);
    if (settings)
        json_merge(row, settings);
    for (u32 i = 0; i < s->naxes; i++)
        if (s->axis[i].form != SWEEP_NUMBER && !json_object_get(row, s->axis[i].column))
            put_text(row, s->axis[i].column, sweep_value(s, p, i));
}

static void put_result(const struct heddle_result *s, json_t *row) {
    json_put(row, "warp_instructions", json_u64(s->warp_instructions));
    json_put(row, "thread_instructions", json_u64(s->thread_instructions));
    if (!s->timed)
        return;
    json_put(row, "caches", json_text(s->caches));
    json_put(row, "limiter", json_text(s->limiter));
    if (s->sample) {
        json_put(row, "sampled", json_text(s->sample));
        json_put(row, "cycles_low", json_u64(s->cycles_low));
        json_put(row, "cycles_high", json_u64(s->cycles_high));
    }
    for (u32 i = 0; i < s->nmetrics; i++) {
        const struct heddle_metric *m = &s->metrics[i];
        json_put(row, m->name, m->absent ? json_null() : m->whole ? json_u64((u64)m->value) : json_number(m->value));
    }
}

bool sweep_write_row(json_t *row, int fd) {
    struct buf text = {0};
    bool ok = json_complete() && document_write(row, JSON_COMPACT, &text) && output_write_open(fd, text.data, text.len);
    buf_free(&text);
    return ok || ui_no_memory();
}

/* Puts what draws of the board make of the time of all launches. */
static void put_draws(const struct run_draws *d, json_t *row) {
    struct buf bounds = {0};
    run_draws_bounds(d, &bounds);
    json_put(row, "uncertainty", json_u64(d->done));
    json_put(row, "cycles_low", json_u64(d->low));
    json_put(row, "cycles_high", json_u64(d->high));
    json_put(row, "bounds", json_text(bounds.data && !bounds.failed ? bounds.data : ""));
    buf_free(&bounds);
}

/* Writes the row; of several launches the last is kept. */
static bool write_row(const struct sweep *s, const struct sweep_point *p, const struct run *r, int fd) {
    json_t *row = json_new();
    put_configuration(s, p, r, row);
    if (r->report.status == HEDDLE_OK)
        put_result(&r->result, row);
    if (r->report.draws.done)
        put_draws(&r->report.draws, row);
    bool ok = sweep_write_row(row, fd);
    json_decref(row);
    return ok;
}

int sweep_run(const struct sweep *s, const struct sweep_point *p, int fd) {
    if (!sweep_is_run(s))
        return sweep_run_other(s, p, fd);
    struct run r = {0};
    struct arena arena = {0};
    int argc, status = EXIT_INPUT;
    char **argv;
    if (!sweep_command(s, p, &arena, &argc, &argv))
        ui_error("out of memory");
    else if (run_open(&r, argc, argv))
        status = run_prepare(&r);
    if (status == EXIT_OK)
        status = run_launches(&r);
    if (status == EXIT_OK && r.options.draws && r.report.status == HEDDLE_OK)
        status = run_draws(&r);
    if (status == EXIT_OK)
        status = write_row(s, p, &r, fd) ? run_status(&r) : EXIT_INPUT;
    run_close(&r);
    arena_free(&arena);
    return status;
}
