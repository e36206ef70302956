/* heddle run: files in, a launch, files out, and what happened. */
#include "sim/cli/command.h"

#include <stdio.h>
#include <string.h>

#include "sim/cli/run.h"
#include "sim/cli/run_boards.h"
#include "sim/cli/run_buffers.h"
#include "sim/cli/ui.h"

/* Adds a report to the list of outputs, if it was asked for (`file` is no NULL). */
static bool add_report(const struct run_report *report, const char *file,
                       bool (*write)(const struct run_report *r, struct buf *out), struct buf *text,
                       struct file_output *list, u32 *n) {
    if (!file)
        return true;
    if (!write(report, text)) {
        ui_error("out of memory");
        return false;
    }
    list[(*n)++] = (struct file_output){file, text->data, text->len};
    return true;
}

/* All outputs together, so that there are either all of them or none. */
static int write_outputs(struct run *r) {
    const struct run_options *o = &r->options;
    struct buf json = {0}, sarif = {0};
    u32 n = 0;
    struct file_output *list = arena_alloc(&r->options.arena, (run_tensor_count(o) + 2) * sizeof *list);
    bool ok = list != NULL;
    if (!ok)
        ui_error("out of memory");
    ok = ok && (r->report.status != HEDDLE_OK || run_buffer_files(r, list, &n));
    u32 buffers = n;
    ok = ok && add_report(&r->report, o->json, run_report_json, &json, list, &n) &&
         add_report(&r->report, o->sarif, run_report_sarif, &sarif, list, &n) && file_write_all(list, n);
    for (u32 i = 0; i < buffers; i++)
        heddle_release((void *)(uintptr_t)list[i].bytes);
    buf_free(&json);
    buf_free(&sarif);
    return ok ? EXIT_OK : EXIT_INPUT;
}

static int finish(struct run *r) {
    const struct run_options *o = &r->options;
    struct buf text = {0};
    bool stdout_is_taken = (o->json && strcmp(o->json, "-") == 0) || (o->sarif && strcmp(o->sarif, "-") == 0);
    if (!o->quiet)
        run_case_intro(&r->pressed, o, &text);
    if (!o->quiet || r->report.findings)
        run_report_text(&r->report, &text);
    if (!o->quiet)
        run_case_verdict(&r->pressed, &text);
    if (r->report.status == HEDDLE_OK)
        run_buffers_print(o, r->h, &text);
    if (stdout_is_taken)
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
    int status = run_prepare(r);
    if (status == EXIT_OK)
        status = run_promise(&r->options);
    if (status == EXIT_OK)
        status = run_launches(r);
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
