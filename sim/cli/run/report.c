#include "sim/cli/run/report.h"

#include <stdio.h>
#include <string.h>

#include "sim/cli/format.h"
#include "sim/cli/ui.h"

enum { CASE_LINES = 2 }; /* after the report of a case */

/* Counts the buffers written to files. */
static u32 outputs_of(const struct run_options *o) {
    u32 n = 0;
    for (u32 i = 0; i < run_tensor_count(o); i++)
        n += run_tensor_at(o, i)->data.out != NULL;
    return n;
}

static void print_shape(const struct heddle_tensor *t, struct buf *out) {
    buf_printf(out, "%s[", t->type);
    for (u32 i = 0; i < t->ndim; i++)
        buf_printf(out, "%s%llu", i ? "," : "", (unsigned long long)t->shape[i]);
    buf_puts(out, "]");
}

/* ---- a launch ---- */

static void print_header(struct run_report *r, const struct heddle_result *s) {
    struct buf *out = &r->text;
    if (r->launches > 1)
        buf_putc(out, '\n');
    if (r->planned > 1)
        buf_printf(out, "launch %u of %u, ", r->launches, r->planned);
    buf_printf(out, "%s%s%s: grid %s, block %s, warp %u, ", s->kernel, s->timed ? " on " : "", s->timed ? s->board : "",
               format_dims(s->grid).text, format_dims(s->block).text, s->warp);
    if (s->timed)
        buf_printf(out, "%s caches\n", s->caches);
    else
        buf_printf(out, "engine %s%s%s\n", s->engine, s->schedule ? ", schedule " : "", s->schedule ? s->schedule : "");
    board_changes(r->h, out); /* needed to judge a time */
}

/* True if --explain is the only request, so that the explanation is everything. */
static bool explains_only(const struct run_options *o) {
    return explain_asked(&o->explain) && !o->sections.chosen && !o->metrics.len && !o->profile;
}

static void print_launch(struct run_report *r, const struct heddle_result *s) {
    if (explains_only(r->options))
        return;
    size_t from = r->text.len;
    print_header(r, s);
    u32 head = report_lines_from(&r->text, from);
    report_sections(r, s);
    if (r->options->sections.chosen || r->options->metrics.len)
        return;
    if (r->options->profile)
        buf_putc(&r->text, '\n');
    if (s->inconsistency)
        buf_printf(&r->text, "  heddle bug: these numbers do not add up (%s). Please report it.\n", s->inconsistency);
    report_summary(r, s, head + outputs_of(r->options) + (r->pressed ? CASE_LINES : 0), &r->text);
}

static void add_findings(struct run_report *r, const struct heddle_result *s, enum heddle_status status,
                         const char *error) {
    struct buf launch = {0};
    if (r->planned > 1)
        buf_printf(&launch, "launch %u of %u, %s: ", r->launches, r->planned, s->kernel);
    r->findings += s->nfindings - s->allowed;
    ui_show(stderr, s->allow_warnings ? s->allow_warnings : "");
    if (r->options->new_baseline)
        check_baseline_add(s, &r->baseline);
    if (s->nfindings > s->allowed || !r->options->quiet)
        check_report_text(s, r->file, launch.len ? launch.data : "", r->options->findings, &r->text);
    r->text.failed |= launch.failed;
    buf_free(&launch);
    if (!r->options->sarif)
        return;
    r->sarif = r->sarif ? r->sarif : json_list();
    check_sarif_add(r->sarif, s, r->file, &r->options->launch);
    if (status != HEDDLE_OK)
        buf_puts(&r->error, error);
}

/* Adds the explanation, after a blank line unless it is first. */
static void add_explanation(struct run_report *r, const struct heddle_result *s) {
    struct buf text = {0};
    if (!explain_asked(&r->options->explain)) /* shown by a page only */
        return;
    explain_report_text(s, &r->options->explain, r->options->details, &text);
    if (text.len)
        buf_puts(&r->text, text.data + (r->text.len == 0 && *text.data == '\n'));
    r->text.failed |= text.failed;
    buf_free(&text);
}

void report_printed(const struct heddle_result *s, bool quiet, struct buf *out) {
    for (u32 i = 0; i < s->nprinted && !quiet; i++)
        buf_printf(out, "%s\n", s->printed[i].text);
    if (s->printed_dropped)
        fprintf(stderr, "heddle run: warning: %s of print %s left out: a launch keeps %s bytes of them\n",
                format_count(s->printed_dropped, "line").text, s->printed_dropped == 1 ? "is" : "are",
                grouped(HEDDLE_PRINTED_MAX).text);
}

bool run_report_add(struct run_report *r, const struct heddle_result *s, enum heddle_status status, const char *error) {
    r->launches++;
    r->status = status;
    r->timed = s->timed;
    r->cycles += s->cycles;
    r->overhead_cycles += s->overhead_cycles;
    r->seconds += s->seconds;
    r->warp_instructions += s->warp_instructions;
    if (r->options->json || r->keeps_json) {
        r->json = r->json ? r->json : json_list();
        json_add(r->json, run_report_json_launch(s));
        report_add_sources(r, s);
        r->fault = status == HEDDLE_OK ? json_null() : run_report_json_fault(s, error);
    }
    report_printed(s, r->options->quiet, &r->text);
    r->findings += schedule_report_differs(s);
    if (schedule_report_differs(s) || !r->options->quiet)
        schedule_report_text(s, r->file, &r->text);
    ui_show(stderr, s->rule_warnings ? s->rule_warnings : "");
    add_findings(r, s, status, error);
    if (status == HEDDLE_OK)
        report_keep(r, s);
    if (status == HEDDLE_OK && !r->options->quiet)
        print_launch(r, s);
    add_explanation(r, s); /* also after a fault: it may be the reason for the request */
    return !r->text.failed;
}

static void print_total(const struct run_report *r, struct buf *out) {
    double hz = 1e6 * report_board_value(r, "clock_mhz");
    if (r->launches < 2)
        return;
    buf_printf(out, "\n%u launches\n", r->launches);
    if (r->timed)
        buf_printf(out, "  time     %s (%s cycles), and %s of launch overhead\n", format_si(r->seconds, "s").text,
                   grouped(r->cycles).text, format_si((double)r->overhead_cycles / hz, "s").text);
    buf_printf(out, "  work     %s\n", format_count(r->warp_instructions, "warp-instruction").text);
}

static void print_file(const struct run_report *r, u32 i, struct buf *out) {
    const struct run_tensor *t = run_tensor_at(r->options, i);
    buf_printf(out, "  wrote %s = ", t->name);
    print_shape(&r->tensors[i], out);
    buf_printf(out, " to %s%s\n", t->data.out, strcmp(r->tensors[i].type, "bf16") == 0 ? " (as u16)" : "");
}

static void print_files(const struct run_report *r, struct buf *out) {
    for (u32 i = 0; i < run_tensor_count(r->options); i++)
        if (run_tensor_at(r->options, i)->data.out)
            print_file(r, i, out);
}

void run_report_text(const struct run_report *r, struct buf *out) {
    buf_append(out, r->text.data, r->text.len);
    if (r->status != HEDDLE_OK || r->options->quiet || explains_only(r->options))
        return;
    print_total(r, out);
    run_copies_text(r, out);
    run_draws_text(r, out);
    run_ideals_text(r, out);
    print_files(r, out);
}

bool run_report_html(const struct run_report *r, struct buf *out) {
    struct buf json = {0};
    bool ok = run_report_json(r, &json) || (ui_error("out of memory"), false);
    ok = ok && page_put(&json, NULL, out);
    buf_free(&json);
    return ok;
}

bool run_report_sarif(const struct run_report *r, struct buf *out) {
    json_t *all = check_sarif(r->sarif, r->error.len ? r->error.data : NULL);
    bool ok = json_write(all, out) && !r->error.failed;
    json_decref(all);
    return ok;
}

bool run_report_baseline(const struct run_report *r, struct buf *out) {
    buf_puts(out, "# heddle run --baseline FILE: findings that were there before\n");
    buf_append(out, r->baseline.data, r->baseline.len);
    return !out->failed && !r->baseline.failed;
}

void run_report_free(struct run_report *r) {
    report_tables_free(r);
    report_lines_free(r);
    buf_free(&r->text);
    json_decref(r->json);
    json_decref(r->fault);
    json_decref(r->sources);
    json_decref(r->sarif);
    json_decref(r->recorded);
    buf_free(&r->error);
    buf_free(&r->written);
    buf_free(&r->baseline);
}
