/* The report as JSON: one launch is part of the object itself, several are an array in it. */
#include "sim/cli/run_report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/cli/explain_report.h"
#include "sim/cli/format.h"

static json_t *json_dims(const u32 d[3]) {
    return json_pack("[I,I,I]", (json_int_t)d[0], (json_int_t)d[1], (json_int_t)d[2]);
}

static json_t *json_u64(u64 n) {
    return json_integer(n > INT64_MAX ? INT64_MAX : (json_int_t)n);
}

/* File names need not be UTF-8, JSON must be: bytes that are not are replaced. */
static json_t *json_name(const char *text) {
    json_t *s = json_string(text);
    struct buf clean = {0};
    if (s)
        return s;
    for (; *text; text++)
        buf_putc(&clean, (unsigned char)*text < 0x80 ? *text : '?');
    s = json_string(clean.data ? clean.data : "");
    buf_free(&clean);
    return s;
}

struct member {
    const char *name;
    u64 value;
};

static json_t *json_members(json_t *to, const struct member *list, size_t n) {
    for (size_t i = 0; i < n; i++)
        json_object_set_new(to, list[i].name, json_u64(list[i].value));
    return to;
}

/* ---- a launch ---- */

static json_t *json_classes(const struct heddle_result *s) {
    json_t *all = json_object();
    for (u32 i = 0; i < s->nclasses; i++)
        json_object_set_new(all, s->classes[i].name, json_u64(s->classes[i].warp_instructions));
    return all;
}

static json_t *json_stalls(const struct heddle_result *s, const struct heddle_line_count *l) {
    json_t *all = json_object();
    for (u32 i = 0; i < s->nstalls; i++)
        if (l->stall[i])
            json_object_set_new(all, heddle_stall_name(i, NULL), json_u64(l->stall[i]));
    return all;
}

static json_t *json_line(const struct heddle_result *s, const struct heddle_line_count *l) {
    json_t *one = json_pack("{s:I,s:o,s:o,s:s}", "line", (json_int_t)l->line, "issued", json_u64(l->warp_instructions),
                            "lanes", json_u64(l->lanes), "text", l->text);
    const struct member memory[] = {{"requests", l->requests},
                                    {"sectors", l->sectors},
                                    {"l1_hits", l->l1_hits},
                                    {"shared_requests", l->shared_requests},
                                    {"shared_passes", l->shared_passes}};
    if (!l->stall)
        return one;
    json_object_set_new(one, "stall", json_stalls(s, l));
    return json_members(one, memory, COUNT_OF(memory));
}

static json_t *json_lines(const struct heddle_result *s) {
    json_t *all = json_array();
    for (u32 i = 0; i < s->nlines; i++)
        json_array_append_new(all, json_line(s, &s->lines[i]));
    return all;
}

static json_t *json_metrics(const struct heddle_result *s) {
    json_t *all = json_object();
    for (u32 i = 0; i < s->nmetrics; i++) {
        const struct heddle_metric *m = &s->metrics[i];
        json_object_set_new(all, m->name,
                            m->absent  ? json_null()
                            : m->whole ? json_u64((u64)m->value)
                                       : json_real(m->value));
    }
    return all;
}

static json_t *json_traffic(const struct heddle_result *s) {
    json_t *all = json_object();
    for (u32 i = 0; i < s->ntraffic; i++) {
        const struct heddle_traffic *t = &s->traffic[i];
        const struct member list[] = {{"requests", t->requests},
                                      {"requested_bytes", t->requested_bytes},
                                      {"useful_bytes", t->useful_bytes},
                                      {"sectors", t->sectors},
                                      {"l1_hits", t->l1_hits},
                                      {"l2_read_sectors", t->l2_read_sectors},
                                      {"l2_write_sectors", t->l2_write_sectors},
                                      {"l2_useful_bytes", t->l2_useful_bytes},
                                      {"l2_hits", t->l2_hits},
                                      {"dram_read_bytes", t->dram_read_bytes},
                                      {"dram_write_bytes", t->dram_write_bytes},
                                      {"dram_useful_bytes", t->dram_useful_bytes}};
        json_t *one = json_members(json_object(), list, COUNT_OF(list));
        json_object_set_new(one, "energy", json_real(t->energy));
        json_object_set_new(all, t->name, one);
    }
    return all;
}

static void add_timed(json_t *all, const struct heddle_result *s) {
    json_object_set_new(all, "cycles", json_u64(s->cycles));
    json_object_set_new(all, "overhead_cycles", json_u64(s->overhead_cycles));
    json_object_set_new(all, "seconds", json_real(s->seconds));
    json_object_set_new(all, "caches", json_string(s->caches));
    json_object_set_new(all, "limiter", json_string(s->limiter));
    if (s->inconsistency)
        json_object_set_new(all, "inconsistency", json_string(s->inconsistency));
    json_object_set_new(all, "occupancy_limit", json_string(s->occupancy_limit));
    json_object_set_new(all, "metrics", json_metrics(s));
    json_object_set_new(all, "traffic", json_traffic(s));
}

json_t *run_json_launch(const struct heddle_result *s) {
    double lanes = s->warp_instructions ? (double)s->thread_instructions / (double)s->warp_instructions : 0;
    const struct member counts[] = {{"blocks", s->blocks},
                                    {"warps", s->warps},
                                    {"warp_instructions", s->warp_instructions},
                                    {"thread_instructions", s->thread_instructions}};
    json_t *all = json_pack("{s:s,s:s,s:o,s:o,s:I}", "kernel", s->kernel, "engine", s->engine, "grid",
                            json_dims(s->grid), "block", json_dims(s->block), "warp", (json_int_t)s->warp);
    json_members(all, counts, COUNT_OF(counts));
    json_object_set_new(all, "lanes_per_instruction", json_real(lanes));
    json_object_set_new(all, "simt_efficiency", json_real(lanes / s->warp));
    if (s->limiter)
        add_timed(all, s);
    json_object_set_new(all, "classes", json_classes(s));
    json_object_set_new(all, "lines", json_lines(s));
    if (s->nexplained)
        json_object_set_new(all, "explain", explain_report_json(s));
    return all;
}

json_t *run_json_fault(const struct heddle_result *s, const char *error) {
    const struct heddle_fault_info *f = &s->fault;
    char address[32];
    snprintf(address, sizeof address, "0x%llx", (unsigned long long)f->address);
    return json_pack("{s:s,s:s,s:I,s:o,s:I,s:I,s:s,s:o}", "kind", f->kind ? f->kind : "stopped", "kernel", s->kernel,
                     "line", (json_int_t)f->line, "block", json_dims(f->block), "warp", (json_int_t)f->warp, "lane",
                     (json_int_t)f->lane, "address", address, "message", json_name(error));
}

/* ---- the whole ---- */

/* The bf16 of a kernel is written as u16, because .npy has no bf16. */
static const char *file_type(const struct heddle_tensor *t) {
    return strcmp(t->type, "bf16") == 0 ? "u16" : t->type;
}

static json_t *json_outputs(const struct run_report *r) {
    json_t *all = json_array();
    for (u32 i = 0; i < run_tensor_count(r->options); i++) {
        const struct run_tensor *t = run_tensor_at(r->options, i);
        json_t *shape = json_array();
        for (u32 d = 0; d < r->tensors[i].ndim; d++)
            json_array_append_new(shape, json_u64(r->tensors[i].shape[d]));
        if (t->out && r->status == HEDDLE_OK)
            json_array_append_new(all, json_pack("{s:o,s:o,s:s,s:O}", "name", json_name(t->name), "file",
                                                 json_name(t->out), "type", file_type(&r->tensors[i]), "shape", shape));
        json_decref(shape);
    }
    return all;
}

/* Each value with where it comes from, and the peaks that follow. */
static json_t *json_board(const struct run_report *r) {
    json_t *values = json_object(), *peaks = json_object();
    struct heddle_board_value v;
    struct heddle_board_peak p;
    for (u32 i = 0; heddle_board_value_at(r->h, i, &v); i++) {
        json_t *one = json_object();
        json_object_set_new(one, "value", v.choice ? json_string(v.choice) : json_real(v.number));
        json_object_set_new(one, "origin", json_name(v.origin));
        if (v.basis)
            json_object_set_new(one, "basis", json_string(v.basis));
        json_object_set_new(values, v.key, one);
    }
    for (u32 i = 0; heddle_board_peak(r->h, i, &p); i++)
        json_object_set_new(peaks, p.name, json_real(p.value));
    return json_pack("{s:o,s:o,s:o}", "name", json_name(heddle_board_name(r->h)), "values", values, "peaks", peaks);
}

static json_t *json_total(const struct run_report *r) {
    json_t *total = json_pack("{s:I,s:o}", "launches", (json_int_t)r->launches, "warp_instructions",
                              json_u64(r->warp_instructions));
    if (r->timed) {
        json_object_set_new(total, "cycles", json_u64(r->cycles));
        json_object_set_new(total, "overhead_cycles", json_u64(r->overhead_cycles));
        json_object_set_new(total, "seconds", json_real(r->seconds));
    }
    return total;
}

static json_t *whole(const struct run_report *r) {
    json_t *all = json_pack("{s:s,s:o}", "heddle", heddle_version(), "file", json_name(r->file));
    if (r->planned > 1) {
        json_object_set(all, "launches", r->json);
        json_object_set_new(all, "total", json_total(r));
    } else {
        json_object_update(all, json_array_get(r->json, 0));
    }
    if (r->options->board.name)
        json_object_set_new(all, "board", json_board(r));
    json_object_set_new(all, "outputs", json_outputs(r));
    json_object_set(all, "fault", r->fault);
    return all;
}

bool run_report_json(const struct run_report *r, struct buf *out) {
    json_t *all = whole(r);
    bool ok = format_json(all, out);
    json_decref(all);
    return ok;
}
