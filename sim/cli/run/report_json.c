/* The report as JSON: one launch is part of the object itself, several are an array in it. */
#include "sim/cli/run/report.h"

#include <string.h>

#include "sim/cli/json.h"

/* ---- a launch ---- */

static bool report_field(const struct heddle_sink *to, const struct heddle_record *of, const struct heddle_field *f,
                         const void *record);

/* Makes the instructions that --explain shows, below the place that it was given. */
static json_t *json_explain(const struct heddle_result *s) {
    return json_make("{s:I,s:s*,s:o}", "line", (json_int_t)s->explain[0].line, "file", s->explain[0].file,
                     "instructions", record_json_list("heddle_explained", s->explain, s->nexplain, report_field));
}

static void put_explain(const struct heddle_sink *to, const void *result) {
    const struct heddle_result *s = result;
    if (s->nexplain)
        record_json_put(to, "explain", json_explain(s));
}

static void put_lanes(const struct heddle_sink *to, const void *explained) {
    const struct heddle_explained *x = explained;
    if (x->shown)
        heddle_walk_lanes(to, x, 0);
}

/* Writes the rounds of a line in a `.repeat` only. */
static void put_rounds(const struct heddle_sink *to, const void *line) {
    const struct heddle_line_count *l = line;
    if (strcmp(l->rounds, l->text) != 0)
        record_json_put(to, "rounds", json_text(l->rounds));
}

static void put_fault(const struct heddle_sink *to, const void *order) {
    const char *kind = ((const struct heddle_order *)order)->fault.kind;
    record_json_put(to, "fault", kind ? json_text(kind) : json_null());
}

/* The fields of results that have a form of their own in JSON. */
static const struct {
    const char *field;
    void (*put)(const struct heddle_sink *to, const void *record);
} forms[] = {{"explain", put_explain}, {"columns", put_lanes}, {"rounds", put_rounds}, {"fault", put_fault}};

static bool report_field(const struct heddle_sink *to, const struct heddle_record *of, const struct heddle_field *f,
                         const void *record) {
    u32 i = 0;
    if (strcmp(f->name, "disassembly") == 0)
        record_json_put_source(to, of, record);
    if (strcmp(of->name, "heddle_line_count") == 0 && strcmp(f->name, "warp_instructions") == 0)
        record_json_put(to, "issued", json_u64(heddle_field_value(f, record, 0).whole)); /* its name in heddle-run-1 */
    while (f->json && i < COUNT_OF(forms) && strcmp(forms[i].field, f->name) != 0)
        i++;
    if (f->json && i < COUNT_OF(forms))
        forms[i].put(to, record);
    return f->json && i < COUNT_OF(forms);
}

json_t *run_report_json_launch(const struct heddle_result *s) {
    json_t *all = record_json("heddle_result", s, report_field);
    if (s->checked) /* names of heddle-run-1 */
        json_put(all, "check",
                 json_make("{s:o,s:I,s:I,s:O}", "kinds", check_report_kinds(s), "memory", (json_int_t)s->check_memory,
                           "forgotten", (json_int_t)s->check_forgotten, "findings", json_object_get(all, "findings")));
    return all;
}

json_t *run_report_json_fault(const struct heddle_result *s, const char *error) {
    json_t *all = record_json("heddle_fault_info", &s->fault, NULL);
    if (!s->fault.kind)
        json_put(all, "kind", json_text("stopped"));
    json_put(all, "kernel", json_text(s->kernel));
    json_put(all, "message", json_text(error));
    return all;
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
        if (v.ranged) {
            json_put(one, "low", json_number(v.low));
            json_put(one, "high", json_number(v.high));
        }
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
        json_make("{s:s,s:s,s:o}", "format", "heddle-run-2", "heddle", heddle_version(), "file", json_text(r->file));
    if (r->planned > 1) {
        json_put(all, "launches", json_incref(r->json));
        json_put(all, "total", json_total(r));
    } else {
        json_merge(all, json_array_get(r->json, 0));
    }
    if (r->options->board.name)
        json_put(all, "board", json_board(r));
    if (r->options->link)
        json_put(all, "copies", run_copies_json(r));
    if (r->draws.done)
        json_put(all, "uncertainty", run_draws_json(r));
    if (r->ideal.n)
        json_put(all, "ideal", run_ideals_json(r));
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
