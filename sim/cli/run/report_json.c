/* The report as JSON: one launch is part of the object itself, several are an array in it. */
#include "sim/cli/run/report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/cli/run/report_check.h"
#include "sim/cli/run/report_explain.h"
#include "sim/cli/json.h"
#include "sim/cli/run/report_schedule.h"

static json_t *json_dims(const u32 d[3]) {
    return json_make("[I,I,I]", (json_int_t)d[0], (json_int_t)d[1], (json_int_t)d[2]);
}

/* ---- a launch ---- */

static json_t *json_classes(const struct heddle_result *s) {
    json_t *all = json_new();
    for (u32 i = 0; i < s->nclasses; i++)
        json_put(all, s->classes[i].name, json_u64(s->classes[i].warp_instructions));
    return all;
}

static json_t *json_stalls(const struct heddle_result *s, const struct heddle_line_count *l) {
    json_t *all = json_new();
    for (u32 i = 0; i < s->nstalls; i++)
        if (l->stall[i])
            json_put(all, heddle_stall_name(i, NULL), json_u64(l->stall[i]));
    return all;
}

static json_t *json_line(const struct heddle_result *s, const struct heddle_line_count *l) {
    json_t *one = json_make("{s:I,s:s*,s:o,s:o,s:s,s:s,s:I,s:I}", "line", (json_int_t)l->line, "file", l->file,
                            "issued", json_u64(l->warp_instructions), "lanes", json_u64(l->lanes), "text",
                            l->disassembly, "source", l->text, "pc", (json_int_t)l->pc, "first", (json_int_t)l->first);
    struct heddle_column_info column;
    if (strcmp(l->rounds, l->text) != 0)
        json_put(one, "rounds", json_text(l->rounds));
    if (l->used.line)
        json_put(one, "used", json_make("{s:I,s:s*}", "line", (json_int_t)l->used.line, "file", l->used.file));
    if (!l->stall)
        return one;
    json_put(one, "stall", json_stalls(s, l));
    for (u32 i = 0; heddle_line_column(i, &column); i++)
        json_put(one, column.name, json_u64(l->value[i]));
    return one;
}

static json_t *json_lines(const struct heddle_result *s) {
    json_t *all = json_list();
    for (u32 i = 0; i < s->nlines; i++)
        json_add(all, json_line(s, &s->lines[i]));
    return all;
}

static json_t *json_metrics(const struct heddle_result *s) {
    json_t *all = json_new();
    for (u32 i = 0; i < s->nmetrics; i++) {
        const struct heddle_metric *m = &s->metrics[i];
        json_put(all, m->name, m->absent ? json_null() : m->whole ? json_u64((u64)m->value) : json_number(m->value));
    }
    return all;
}

static json_t *json_traffic(const struct heddle_result *s) {
    json_t *all = json_new();
    struct heddle_column_info column;
    for (u32 i = 0; i < s->ntraffic; i++) {
        const struct heddle_traffic *t = &s->traffic[i];
        json_t *one = json_new();
        for (u32 c = 0; heddle_traffic_column(c, &column); c++)
            json_put(one, column.name, json_u64(t->value[c]));
        json_put(one, "energy", json_number(t->energy));
        json_put(all, t->name, one);
    }
    return all;
}

static json_t *json_advice(const struct heddle_result *s) {
    json_t *all = json_list();
    for (u32 i = 0; i < s->nadvice; i++) {
        const struct heddle_advice *a = &s->advice[i];
        json_t *one = json_make("{s:s,s:f,s:o}", "rule", a->rule, "gain", a->gain, "text", json_text(a->text));
        if (a->file)
            json_put(one, "file", json_text(a->file));
        if (a->line)
            json_put(one, "line", json_u64(a->line));
        json_add(all, one);
    }
    return all;
}

static void add_timed(json_t *all, const struct heddle_result *s) {
    json_put(all, "cycles", json_u64(s->cycles));
    json_put(all, "overhead_cycles", json_u64(s->overhead_cycles));
    json_put(all, "seconds", json_number(s->seconds));
    json_put(all, "caches", json_text(s->caches));
    json_put(all, "limiter", json_text(s->limiter));
    json_put(all, "hint", json_text(s->hint));
    json_put(all, "advice", json_advice(s));
    if (s->inconsistency)
        json_put(all, "inconsistency", json_text(s->inconsistency));
    json_put(all, "occupancy_limit", json_text(s->occupancy_limit));
    json_put(all, "metrics", json_metrics(s));
    json_put(all, "traffic", json_traffic(s));
}

json_t *run_report_json_launch(const struct heddle_result *s) {
    json_t *all = json_make("{s:s,s:s,s:o,s:o,s:I}", "kernel", s->kernel, "engine", s->engine, "grid",
                            json_dims(s->grid), "block", json_dims(s->block), "warp", (json_int_t)s->warp);
    if (s->schedule)
        json_put(all, "schedule", json_text(s->schedule));
    if (s->orders)
        json_put(all, "orders", schedule_report_json(s));
    json_put(all, "blocks", json_u64(s->blocks));
    json_put(all, "warps", json_u64(s->warps));
    json_put(all, "warp_instructions", json_u64(s->warp_instructions));
    json_put(all, "thread_instructions", json_u64(s->thread_instructions));
    json_put(all, "lanes_per_instruction", json_number(s->lanes_per_instruction));
    json_put(all, "simt_efficiency", json_number(s->simt_efficiency));
    if (s->limiter)
        add_timed(all, s);
    json_put(all, "classes", json_classes(s));
    json_put(all, "lines", json_lines(s));
    if (s->checked)
        json_put(all, "check", check_report_json(s));
    if (s->nexplain)
        json_put(all, "explain", explain_report_json(s));
    return all;
}

json_t *run_report_json_fault(const struct heddle_result *s, const char *error) {
    const struct heddle_fault_info *f = &s->fault;
    char address[32];
    snprintf(address, sizeof address, "0x%llx", (unsigned long long)f->address);
    return json_make("{s:s,s:s,s:I,s:s*,s:o,s:I,s:I,s:s,s:o}", "kind", f->kind ? f->kind : "stopped", "kernel",
                     s->kernel, "line", (json_int_t)f->line, "file", f->file, "block", json_dims(f->block), "warp",
                     (json_int_t)f->warp, "lane", (json_int_t)f->lane, "address", address, "message", json_text(error));
}

/* ---- the whole ---- */

/* Returns the type in a file: a kernel's bf16 is written as u16, because .npy has none. */
static const char *file_type(const struct heddle_tensor *t) {
    return strcmp(t->type, "bf16") == 0 ? "u16" : t->type;
}

static json_t *json_outputs(const struct run_report *r) {
    json_t *all = json_list();
    for (u32 i = 0; i < run_tensor_count(r->options); i++) {
        const struct run_tensor *t = run_tensor_at(r->options, i);
        json_t *shape = json_list();
        for (u32 d = 0; d < r->tensors[i].ndim; d++)
            json_add(shape, json_u64(r->tensors[i].shape[d]));
        if (t->data.out && r->status == HEDDLE_OK)
            json_add(all, json_make("{s:o,s:o,s:s,s:O}", "name", json_text(t->name), "file", json_text(t->data.out),
                                    "type", file_type(&r->tensors[i]), "shape", shape));
        json_decref(shape);
    }
    return all;
}

/* Makes each value with its origin, and the peaks. */
static json_t *json_board(const struct run_report *r) {
    json_t *values = json_new(), *peaks = json_new();
    struct heddle_board_value v;
    struct heddle_board_peak p;
    for (u32 i = 0; heddle_board_value_at(r->h, i, &v); i++) {
        json_t *one = json_new();
        json_put(one, "value", v.choice ? json_text(v.choice) : json_number(v.number));
        json_put(one, "origin", json_text(v.origin));
        if (v.basis)
            json_put(one, "basis", json_text(v.basis));
        json_put(values, v.key, one);
    }
    for (u32 i = 0; heddle_board_peak(r->h, i, &p); i++)
        json_put(peaks, p.name, json_number(p.value));
    return json_make("{s:o,s:o,s:o}", "name", json_text(heddle_board_name(r->h)), "values", values, "peaks", peaks);
}

static json_t *json_total(const struct run_report *r) {
    json_t *total = json_make("{s:I,s:o}", "launches", (json_int_t)r->launches, "warp_instructions",
                              json_u64(r->warp_instructions));
    if (r->timed) {
        json_put(total, "cycles", json_u64(r->cycles));
        json_put(total, "overhead_cycles", json_u64(r->overhead_cycles));
        json_put(total, "seconds", json_number(r->seconds));
    }
    return total;
}

json_t *run_report_whole(const struct run_report *r) {
    json_t *all =
        json_make("{s:s,s:s,s:o}", "format", "heddle-run-1", "heddle", heddle_version(), "file", json_text(r->file));
    if (r->planned > 1) {
        json_put(all, "launches", json_incref(r->json));
        json_put(all, "total", json_total(r));
    } else {
        json_merge(all, json_array_get(r->json, 0));
    }
    if (r->options->board.name)
        json_put(all, "board", json_board(r));
    if (r->last && r->last->timed && run_record_given(&r->options->record))
        json_put(all, "rates", run_record_rates_json(r));
    if (r->pressed)
        json_put(all, "case", run_case_json(r->pressed));
    json_put(all, "outputs", json_outputs(r));
    json_put(all, "sources", json_incref(r->sources));
    json_put(all, "fault", json_incref(r->fault));
    return all;
}

bool run_report_json(const struct run_report *r, struct buf *out) {
    json_t *all = run_report_whole(r);
    bool ok = json_write(all, out);
    json_decref(all);
    return ok;
}
