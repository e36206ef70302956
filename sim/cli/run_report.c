#include "sim/cli/run_report.h"

#include <string.h>

#include "sim/cli/check_report.h"
#include "sim/cli/explain_report.h"
#include "sim/cli/format.h"
#include "sim/cli/schedule_report.h"

static double per(u64 part, u64 whole) {
    return whole ? (double)part / (double)whole : 0;
}

static void print_shape(const struct heddle_tensor *t, struct buf *out) {
    buf_printf(out, "%s[", t->type);
    for (u32 i = 0; i < t->ndim; i++)
        buf_printf(out, "%s%llu", i ? "," : "", (unsigned long long)t->shape[i]);
    buf_puts(out, "]");
}

static void print_classes(const struct heddle_result *r, struct buf *out) {
    buf_printf(out, "\n  %-16s %16s  %8s\n", "class", "issued", "share");
    for (u32 i = 0; i < r->nclasses; i++)
        buf_printf(out, "  %-16s %16s  %6.2f %%\n", r->classes[i].name, grouped(r->classes[i].warp_instructions).text,
                   100 * per(r->classes[i].warp_instructions, r->warp_instructions));
}

static void print_counts(const struct heddle_result *s, struct buf *out) {
    double lanes = per(s->thread_instructions, s->warp_instructions);
    buf_printf(out, "  %-22s %16s\n", "blocks", grouped(s->blocks).text);
    buf_printf(out, "  %-22s %16s\n", "warps", grouped(s->warps).text);
    buf_printf(out, "  %-22s %16s\n", "warp-instructions", grouped(s->warp_instructions).text);
    buf_printf(out, "  %-22s %16s\n", "thread-instructions", grouped(s->thread_instructions).text);
    buf_printf(out, "  %-22s %16.2f  of %u, %.1f %%\n", "lanes per instruction", lanes, s->warp, 100 * lanes / s->warp);
}

static void print_launch(struct run_report *r, const struct heddle_result *s) {
    struct buf *out = &r->text;
    if (r->launches > 1)
        buf_putc(out, '\n');
    if (r->planned > 1)
        buf_printf(out, "launch %u of %u, ", r->launches, r->planned);
    buf_printf(out, "%s%s%s: grid %s, block %s, warp %u, ", s->kernel, s->timed ? " on " : "", s->timed ? s->board : "",
               format_dims(s->grid).text, format_dims(s->block).text, s->warp);
    if (s->timed)
        buf_printf(out, "%s caches\n\n", s->caches);
    else
        buf_printf(out, "engine %s%s%s\n\n", s->engine, s->schedule ? ", schedule " : "",
                   s->schedule ? s->schedule : "");
    if (s->timed)
        run_report_timed(r, s, out);
    print_counts(s, out);
    print_classes(s, out);
    if (r->options->profile)
        run_report_profile(r, s, out);
}

static void add_findings(struct run_report *r, const struct heddle_result *s, enum heddle_status status,
                         const char *error) {
    struct buf launch = {0};
    if (r->planned > 1)
        buf_printf(&launch, "launch %u of %u, %s: ", r->launches, r->planned, s->kernel);
    r->findings += s->nfindings;
    if (s->nfindings || !r->options->quiet)
        check_report_text(s, r->file, launch.len ? launch.data : "", r->options->findings, &r->text);
    r->text.failed |= launch.failed;
    buf_free(&launch);
    if (!r->options->sarif)
        return;
    r->sarif = r->sarif ? r->sarif : json_list();
    check_sarif_add(r->sarif, s, r->file);
    if (status != HEDDLE_OK)
        buf_puts(&r->error, error);
}

bool run_report_add(struct run_report *r, const struct heddle_result *s, enum heddle_status status, const char *error) {
    r->launches++;
    r->status = status;
    r->timed = s->timed;
    r->cycles += s->cycles;
    r->overhead_cycles += s->overhead_cycles;
    r->seconds += s->seconds;
    r->warp_instructions += s->warp_instructions;
    if (r->options->json) {
        r->json = r->json ? r->json : json_list();
        json_add(r->json, run_report_json_launch(s));
        r->fault = status == HEDDLE_OK ? json_null() : run_report_json_fault(s, error);
    }
    r->findings += schedule_report_differs(s);
    if (schedule_report_differs(s) || !r->options->quiet)
        schedule_report_text(s, r->file, &r->text);
    add_findings(r, s, status, error);
    if (status == HEDDLE_OK && !r->options->quiet)
        print_launch(r, s);
    explain_report_text(s, &r->text); /* after a fault too: it may be why the line was requested */
    return !r->text.failed;
}

static void print_total(const struct run_report *r, struct buf *out) {
    if (r->launches < 2)
        return;
    buf_printf(out, "\n%u launches\n\n", r->launches);
    if (r->timed) {
        buf_printf(out, "  %-22s %16s  %s\n", "cycles", grouped(r->cycles).text, format_si(r->seconds, "s").text);
        buf_printf(out, "  %-22s %16s  apart\n", "launch overhead", grouped(r->overhead_cycles).text);
    }
    buf_printf(out, "  %-22s %16s\n", "warp-instructions", grouped(r->warp_instructions).text);
}

static void print_files(const struct run_report *r, struct buf *out) {
    const char *head = "\n";
    for (u32 i = 0; i < run_tensor_count(r->options); i++) {
        const struct run_tensor *t = run_tensor_at(r->options, i);
        if (!t->out)
            continue;
        buf_printf(out, "%s  wrote %s = ", head, t->name);
        print_shape(&r->tensors[i], out);
        buf_printf(out, " to %s%s\n", t->out, strcmp(r->tensors[i].type, "bf16") == 0 ? " (as u16)" : "");
        head = "";
    }
}

void run_report_text(const struct run_report *r, struct buf *out) {
    buf_append(out, r->text.data, r->text.len);
    if (r->status != HEDDLE_OK || r->options->quiet)
        return;
    print_total(r, out);
    print_files(r, out);
}

bool run_report_sarif(const struct run_report *r, struct buf *out) {
    json_t *all = check_sarif(r->sarif, r->error.len ? r->error.data : NULL);
    bool ok = json_write(all, out) && !r->error.failed;
    json_decref(all);
    return ok;
}

void run_report_free(struct run_report *r) {
    run_report_profile_free(r);
    buf_free(&r->text);
    json_decref(r->json);
    json_decref(r->fault);
    json_decref(r->sarif);
    buf_free(&r->error);
}
