/* heddle run: files in, a launch, files out, and what happened. */
#include "sim/cli/command.h"

#include <stdio.h>
#include <string.h>

#include "sim/cli/file.h"
#include "sim/cli/resources.h"
#include "sim/cli/run_buffers.h"
#include "sim/cli/run_case.h"
#include "sim/cli/run_options.h"
#include "sim/cli/option.h"
#include "sim/cli/program.h"
#include "sim/cli/progress.h"
#include "sim/cli/run_report.h"
#include "sim/cli/ui.h"

enum { PATH_BYTES = 4096 };

struct run {
    struct run_options options;
    struct heddle *h;
    struct heddle_program *program;
    struct run_case pressed;
    struct buf source;
    char file[PATH_BYTES]; /* the kernel file that was found */
    struct heddle_result result;
    struct heddle_tensor *tensors; /* of each of the options' tensors */
    struct heddle_arg *args;       /* of the launch */
};

/* ---- while it runs ---- */

struct launches {
    struct progress progress;
    u32 launch, launches;
};

static bool on_progress(void *ctx, double share) {
    struct launches *p = ctx;
    if (!progress_due(&p->progress))
        return !progress_interrupted();
    double taken = progress_seconds(&p->progress);
    if (p->launches > 1)
        fprintf(stderr, "launch %u of %u: ", p->launch, p->launches);
    fprintf(stderr, "%.1f %% of the blocks, %.0f s", 100 * share, taken);
    if (share > 0 && share < 1)
        fprintf(stderr, ", about %.0f s to go", taken * (1 - share) / share);
    return !progress_interrupted();
}

/* Whether the kernel (NULL: the only one) has a parameter of that name. */
static bool takes(const struct heddle_program *p, const char *kernel, const char *name) {
    struct heddle_kernel_info k;
    struct heddle_param_info param;
    for (u32 i = 0; heddle_kernel_info(p, i, &k); i++)
        for (u32 n = 0; (!kernel || strcmp(k.name, kernel) == 0) && heddle_param_info(p, i, n, &param); n++)
            if (strcmp(param.name, name) == 0)
                return true;
    return false;
}

static bool is_given(const struct heddle_arg *all, u32 n, const char *name) {
    bool given = false;
    for (u32 i = 0; i < n; i++)
        given |= strcmp(all[i].name, name) == 0;
    return given;
}

/* Several kernels need not have the same parameters: each gets its own. What none of them has goes to all. */
static u32 choose_args(const struct run *r, const char *entry, struct heddle_arg *to) {
    const struct heddle_arg *all = (const struct heddle_arg *)(const void *)r->options.numbers.data;
    const char *const *entries = (const char *const *)(const void *)r->options.entries.data;
    u32 n = (u32)(r->options.numbers.len / sizeof *all), count = run_entry_count(&r->options), taken = 0;
    for (u32 i = 0; i < n; i++) {
        bool known = false;
        for (u32 e = 0; e < count && count > 1; e++)
            known = known || takes(r->program, entries[e], all[i].name);
        if (!known || takes(r->program, entry, all[i].name))
            to[taken++] = all[i];
    }
    for (u32 i = 0; i < r->pressed.launch.nargs; i++)
        if (!is_given(all, n, r->pressed.launch.args[i].name))
            to[taken++] = r->pressed.launch.args[i];
    return taken;
}

static enum heddle_status launch(struct run *r, const char *entry, struct launches *all) {
    const struct run_options *o = &r->options;
    struct heddle_launch l = o->launch;
    l.functional |= !o->board.name; /* --set alone gives no clock */
    l.entry = entry;
    run_case_complete(&r->pressed, &l);
    l.args = r->args;
    l.nargs = choose_args(r, entry, r->args);
    l.progress = on_progress;
    l.progress_ctx = all;
    l.explain = o->explain.line ? &o->explain : NULL;
    progress_begin(&all->progress);
    enum heddle_status status = heddle_launch(r->h, r->program, &l, &r->result);
    progress_end(&all->progress);
    return status;
}

/* ---- before ---- */

static int failed(const struct run *r) {
    ui_show(stderr, heddle_error(r->h));
    return EXIT_INPUT;
}

static int load(struct run *r) {
    const char *file = r->options.file;
    if (file_exists(file))
        snprintf(r->file, sizeof r->file, "%s", file);
    else if (!resources_kernel(r->file, sizeof r->file, file))
        return EXIT_INPUT;
    r->program = program_read(r->h, r->file, &r->source);
    return r->program ? EXIT_OK : EXIT_INPUT;
}

/* After all inputs have been read. */
static int promise_outputs(const struct run_options *o) {
    bool ok = true;
    for (u32 i = 0; i < run_tensor_count(o) && ok; i++) {
        const struct run_tensor *t = run_tensor_at(o, i);
        ok = !t->data.out || file_promise(t->data.option, t->data.given, t->data.out);
    }
    ok = ok && (!o->json || file_promise("--json", o->json, o->json));
    ok = ok && (!o->sarif || file_promise("--sarif", o->sarif, o->sarif));
    return ok ? EXIT_OK : EXIT_INPUT;
}

/* ---- after ---- */

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
static int write_outputs(struct run *r, const struct run_report *report) {
    const struct run_options *o = &r->options;
    struct buf json = {0}, sarif = {0};
    u32 n = 0, count = run_tensor_count(o);
    struct file_output *list = arena_alloc(&r->options.arena, (count + 2) * sizeof *list);
    bool ok = list != NULL;
    for (u32 i = 0; i < count && ok && report->status == HEDDLE_OK; i++) {
        const struct run_tensor *t = run_tensor_at(o, i);
        if (!t->data.out)
            continue;
        list[n].path = t->data.out;
        list[n].bytes = heddle_npy_write(r->h, t->name, &list[n].len);
        ok = list[n].bytes != NULL;
        n += ok;
    }
    u32 buffers = n;
    if (!ok)
        failed(r);
    ok = ok && add_report(report, o->json, run_report_json, &json, list, &n) &&
         add_report(report, o->sarif, run_report_sarif, &sarif, list, &n) && file_write_all(list, n);
    for (u32 i = 0; i < buffers; i++)
        heddle_release((void *)(uintptr_t)list[i].bytes);
    buf_free(&json);
    buf_free(&sarif);
    return ok ? EXIT_OK : EXIT_INPUT;
}

static int finish(struct run *r, struct run_report *report) {
    const struct run_options *o = &r->options;
    for (u32 i = 0; i < run_tensor_count(o); i++)
        heddle_buffer_get(r->h, run_tensor_at(o, i)->name, &r->tensors[i]);
    report->tensors = r->tensors;
    struct buf text = {0};
    bool stdout_is_taken = (o->json && strcmp(o->json, "-") == 0) || (o->sarif && strcmp(o->sarif, "-") == 0);
    if (!o->quiet)
        run_case_intro(&r->pressed, o, &text);
    if (!o->quiet || report->findings)
        run_report_text(report, &text);
    if (!o->quiet)
        run_case_verdict(&r->pressed, &text);
    if (report->status == HEDDLE_OK)
        run_buffers_print(o, r->h, &text);
    if (stdout_is_taken)
        text.len = 0;
    if (text.failed)
        ui_error("out of memory");
    int written = text.failed ? EXIT_INPUT : write_outputs(r, report);
    if (written == EXIT_OK && text.len)
        fwrite(text.data, 1, text.len, stdout);
    buf_free(&text);
    if (written != EXIT_OK || (report->status == HEDDLE_OK && !report->findings && !run_case_failed(&r->pressed)))
        return written;
    return progress_interrupted() ? EXIT_INTERRUPTED : EXIT_FAULT;
}

/* ---- the launches ---- */

/* One launch, added to the report. EXIT_OK also after a fault, which is in the report. */
static int launch_one(struct run *r, const char *entry, struct launches *all, struct run_report *report) {
    struct buf error = {0};
    enum heddle_status status = launch(r, entry, all);
    if (status == HEDDLE_INPUT || status == HEDDLE_MEMORY)
        return failed(r);
    buf_puts(&error, heddle_error(r->h)); /* later calls on the context clear it */
    ui_show(stderr, error.failed ? "" : error.data);
    bool told = run_report_add(report, &r->result, status, error.failed ? "" : error.data);
    if (!told)
        ui_error("out of memory");
    buf_free(&error);
    bool ended = status == HEDDLE_OK || r->result.fault.kind; /* and was not interrupted */
    told = told && (!ended || run_case_check(&r->pressed, &r->options, &r->result));
    return told ? EXIT_OK : EXIT_INPUT;
}

static int launch_all(struct run *r, struct run_report *report) {
    const struct run_options *o = &r->options;
    const char *const *entries = (const char *const *)(const void *)o->entries.data;
    u32 count = run_entry_count(o), rounds = o->repeat ? o->repeat : 1;
    report->planned = rounds * (count ? count : 1);
    struct launches all = {.launches = report->planned};
    for (u32 i = 0; i < report->planned && report->status == HEDDLE_OK; i++) {
        all.launch = i + 1;
        int status = launch_one(r, count ? entries[i % count] : NULL, &all, report);
        if (status != EXIT_OK)
            return status;
    }
    return EXIT_OK;
}

/* The program, its case, the board and all buffers. */
static int begin(struct run *r) {
    struct run_options *o = &r->options;
    int status = load(r);
    const struct heddle_file file = {.name = r->file, .text = r->source.data, .len = r->source.len};
    if (status != EXIT_OK)
        return status;
    if (!run_case_find(&r->pressed, o, r->h, &file) || !board_apply(&o->board, r->h) ||
        !run_case_fill(&r->pressed, o, r->h, r->program))
        return EXIT_INPUT;
    bool ok = run_buffers_make(o, r->h, r->program, &r->pressed) && run_buffers_check(o, r->h);
    return ok ? EXIT_OK : EXIT_INPUT;
}

static int run(struct run *r) {
    int status = begin(r);
    if (status == EXIT_OK)
        status = promise_outputs(&r->options);
    if (status != EXIT_OK)
        return status;
    r->tensors = arena_alloc(&r->options.arena, (run_tensor_count(&r->options) + 1) * sizeof *r->tensors);
    r->args = arena_alloc(&r->options.arena, r->options.numbers.len + (r->pressed.launch.nargs + 1) * sizeof *r->args);
    if (!r->tensors || !r->args) {
        ui_error("out of memory");
        return EXIT_INPUT;
    }
    struct run_report report = {.options = &r->options, .h = r->h, .file = r->file};
    report.pressed = r->pressed.found.entry ? &r->pressed : NULL;
    if (r->source.len && memchr(r->source.data, 0, r->source.len) == NULL) {
        report.source = r->source.data;
        report.source_len = r->source.len;
    }
    status = launch_all(r, &report);
    if (status == EXIT_OK)
        status = finish(r, &report);
    run_report_free(&report);
    return status;
}

int cmd_run(int argc, char **argv) {
    struct run r = {0};
    int status = EXIT_INPUT;
    if (run_options_parse(&r.options, argc, argv)) {
        r.h = option_context(r.options.max_memory);
        if (r.h)
            status = run(&r);
        else
            ui_error("out of memory");
    }
    run_case_free(&r.pressed);
    heddle_program_free(r.program);
    heddle_free(r.h);
    buf_free(&r.source);
    run_options_free(&r.options);
    return status;
}
