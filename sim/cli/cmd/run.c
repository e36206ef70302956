/* heddle run: files in, a launch, files out, and a report. */
#include "sim/cli/command.h"

#include <stdio.h>
#include <string.h>

#include "sim/cli/run/run.h"
#include "sim/cli/run/record.h"
#include "sim/cli/ui.h"

/* A form of the report other than text. */
struct form {
    const char *file; /* NULL = not requested */
    bool (*write)(const struct run_report *r, struct buf *out);
    bool always; /* also after a fault */
    bool told;   /* `write` reports its own errors; other failures are of memory */
};

enum { FORMS = 11 };

static bool write_trace(const struct run_report *r, const char *form, struct buf *out) {
    size_t len = 0;
    char *text = heddle_memory_trace(r->h, form, &len);
    if (text)
        buf_append(out, text, len);
    else
        ui_show(stderr, heddle_error(r->h));
    heddle_release(text);
    return text && !out->failed;
}

static bool write_commands(const struct run_report *r, struct buf *out) {
    return write_trace(r, "commands", out);
}

static bool write_requests(const struct run_report *r, struct buf *out) {
    return write_trace(r, r->options->request_format ? r->options->request_format : "dramsim3", out);
}

static void list_forms(const struct run_options *o, struct form form[FORMS]) {
    form[0] = (struct form){o->json, run_report_json, true, false};
    form[1] = (struct form){o->sarif, run_report_sarif, true, false};
    form[2] = (struct form){o->csv, run_report_csv, false, false};
    form[3] = (struct form){o->markdown, run_report_markdown, false, false};
    form[4] = (struct form){o->record.events, run_record_events, true, false};
    form[5] = (struct form){o->record.trace, run_record_trace, true, false};
    form[6] = (struct form){o->html, run_report_html, true, true};
    form[7] = (struct form){o->record.konata, run_record_konata, true, false};
    form[9] = (struct form){o->dram_trace, write_commands, false, true};
    form[10] = (struct form){o->request_trace, write_requests, false, true};
    form[8] = (struct form){o->new_baseline, run_report_baseline, true, false};
}

static bool stdout_is_taken(const struct run_options *o) {
    struct form form[FORMS];
    bool taken = false;
    list_forms(o, form);
    for (u32 i = 0; i < FORMS; i++)
        taken |= form[i].file && strcmp(form[i].file, "-") == 0;
    return taken;
}

/* Adds the reports to the list of outputs. */
static bool add_reports(const struct run *r, struct buf text[FORMS], struct file_output *list, u32 *n) {
    struct form form[FORMS];
    list_forms(&r->options, form);
    for (u32 i = 0; i < FORMS; i++) {
        if (!form[i].file || !(form[i].always || r->report.status == HEDDLE_OK))
            continue;
        if (!form[i].write(&r->report, &text[i])) {
            if (!form[i].told)
                ui_error("out of memory");
            return false;
        }
        list[(*n)++] = (struct file_output){form[i].file, text[i].data, text[i].len};
    }
    return true;
}

/* Writes all outputs together, so that either all exist or none. */
static int write_outputs(struct run *r) {
    const struct run_options *o = &r->options;
    struct buf text[FORMS] = {{0}};
    u32 n = 0;
    struct file_output *list = arena_alloc(&r->options.arena, (run_tensor_count(o) + FORMS) * sizeof *list);
    bool ok = list != NULL;
    if (!ok)
        ui_error("out of memory");
    ok = ok && (r->report.status != HEDDLE_OK || run_buffer_files(r, list, &n));
    u32 buffers = n;
    ok = ok && add_reports(r, text, list, &n) && file_write_all(list, n);
    for (u32 i = 0; i < buffers; i++)
        heddle_release((void *)(uintptr_t)list[i].bytes);
    for (u32 i = 0; i < FORMS; i++)
        buf_free(&text[i]);
    return ok ? EXIT_OK : EXIT_INPUT;
}

static int finish(struct run *r) {
    const struct run_options *o = &r->options;
    struct buf text = {0};
    if (!o->quiet || r->report.findings)
        run_report_text(&r->report, &text);
    if (!o->quiet) {
        run_case_line(&r->pressed, o, "ran", &text);
        run_case_verdict(&r->pressed, &text);
    }
    if (r->report.status == HEDDLE_OK)
        run_buffers_print(o, r->h, &text);
    if (stdout_is_taken(o))
        text.len = 0;
    if (text.failed)
        ui_error("out of memory");
    int written = text.failed ? EXIT_INPUT : write_outputs(r);
    if (written == EXIT_OK && text.len)
        fwrite(text.data, 1, text.len, stdout);
    buf_free(&text);
    return written != EXIT_OK ? written : run_status(r);
}

static int run(struct run *r) {
    if (r->options.priority && !r->options.beside.len)
        return ui_error("--priority is among launches at one time: give the others with --beside"), EXIT_INPUT;
    int status = run_prepare(r);
    if (status == EXIT_OK && (r->options.beside.len || r->options.boards))
        return r->options.boards ? run_shares(r) : run_beside(r);
    if (status == EXIT_OK)
        status = run_promise(&r->options);
    if (status == EXIT_OK)
        status = run_launches(r);
    if (status == EXIT_OK && r->report.status == HEDDLE_OK)
        status = run_draws(r);
    if (status == EXIT_OK && r->report.status == HEDDLE_OK && r->options.ideal)
        status = run_ideals(r);
    return status == EXIT_OK ? finish(r) : status;
}

int cmd_run(int argc, char **argv) {
    struct run r = {0};
    int status = EXIT_INPUT;
    if (run_open(&r, argc, argv))
        status = run_boards_named(&r.options) ? run_boards(&r.options, argc, argv) : run(&r);
    run_close(&r);
    return status;
}
