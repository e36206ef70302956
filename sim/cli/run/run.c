#include "sim/cli/run/run.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/cli/compare.h"
#include "sim/cli/option.h"
#include "sim/cli/program.h"
#include "sim/cli/progress.h"
#include "sim/cli/resource_dir.h"
#include "sim/cli/run/report.h"
#include "sim/cli/ui.h"

enum { PAGE_ACCESSES = 3 }; /* shown lane by lane on a page, if --explain requests none */

/* ---- while it runs ---- */

struct launches {
    struct progress progress;
    const struct run *run;
    u32 launch, launches;
};

static bool on_progress(void *ctx, double share) {
    struct launches *p = ctx;
    if (!progress_due(&p->progress))
        return !progress_interrupted();
    double taken = progress_seconds(&p->progress);
    if (p->run->draw)
        fprintf(stderr, "draw %u of %u: ", p->run->draw, p->run->draws);
    if (p->run->part)
        fprintf(stderr, "board %u of %u: ", p->run->part, p->run->parts);
    if (p->launches > 1)
        fprintf(stderr, "launch %u of %u: ", p->launch, p->launches);
    fprintf(stderr, "%.1f %% of the blocks, %.0f s", 100 * share, taken);
    if (share > 0 && share < 1)
        fprintf(stderr, ", about %.0f s to go", taken * (1 - share) / share);
    return !progress_interrupted();
}

static bool is_given(const struct heddle_arg *all, u32 n, const char *name) {
    bool given = false;
    for (u32 i = 0; i < n; i++)
        given |= strcmp(all[i].name, name) == 0;
    return given;
}

/* Chooses each kernel's own arguments: several kernels need not have the same. Names unknown to all go to each. */
static u32 choose_args(const struct run *r, const char *entry, struct heddle_arg *to) {
    const struct heddle_arg *all = (const struct heddle_arg *)(const void *)r->options.numbers.data;
    u32 n = (u32)(r->options.numbers.len / sizeof *all), count = run_entry_count(&r->options), taken = 0;
    struct heddle_param_info param;
    for (u32 i = 0; i < n; i++) {
        bool known = false;
        for (u32 e = 0; e < count && count > 1; e++)
            known = known || run_parameter(r->program, run_entry(&r->options, e), all[i].name, &param);
        if (!known || run_parameter(r->program, entry, all[i].name, &param))
            to[taken++] = all[i];
    }
    for (u32 i = 0; i < r->pressed.launch.nargs; i++)
        if (!is_given(all, n, r->pressed.launch.args[i].name))
            to[taken++] = r->pressed.launch.args[i];
    return taken;
}

struct heddle_launch run_asked(struct run *r, const char *entry) {
    struct heddle_launch l = r->options.launch;
    l.functional |= !r->options.board.name; /* --set alone does not start the clock */
    l.entry = entry;
    run_case_complete(&r->pressed, &l);
    l.args = r->args;
    l.nargs = choose_args(r, entry, r->args);
    return l;
}

static enum heddle_status launch(struct run *r, const char *entry, struct launches *all) {
    const struct run_options *o = &r->options;
    struct heddle_launch l = run_asked(r, entry);
    l.dram_banks |= o->board.name && !l.sample && o->sections.chosen >> SECTION_dram & 1;
    l.progress = on_progress;
    l.progress_ctx = all;
    const struct heddle_explain worst = {.worst = PAGE_ACCESSES};
    l.explain = explain_asked(&o->explain) ? &o->explain : o->html ? &worst : NULL;
    l.watch = run_record_given(&o->record) ? &o->record.watch : NULL;
    heddle_trace_memory(r->h, o->dram_trace || o->request_trace);
    progress_begin(&all->progress);
    enum heddle_status status = heddle_launch(r->h, r->program, &l, &r->result);
    progress_end(&all->progress);
    if (status == HEDDLE_OK)
        run_copies_note(&r->report, &l, r->result.kernel);
    return status;
}

/* ---- before ---- */

/* Reports missing data; a case of the file may have them, which the given data have replaced. */
static int lacking(const struct run *r) {
    const struct buf *s = &r->source;
    bool none = r->pressed.found.entry || !s->len || !memmem(s->data, s->len, ";! run ", strlen(";! run "));
    ui_show(stderr, none ? "" : "  --case 1 takes all that is not given from the file's first case\n");
    return EXIT_INPUT;
}

static int failed(const struct run *r) {
    ui_show(stderr, heddle_error(r->h));
    return strstr(heddle_error(r->h), "' is not given") ? lacking(r) : EXIT_INPUT;
}

int run_load(struct run *r) {
    const char *file = r->options.file;
    if (file_exists(file))
        snprintf(r->file, sizeof r->file, "%s", file);
    else if (!resources_kernel(r->file, sizeof r->file, file))
        return EXIT_INPUT;
    r->program = program_read(r->h, r->file, &r->source);
    return r->program ? EXIT_OK : EXIT_INPUT;
}

int run_promise(const struct run_options *o) {
    bool ok = true;
    for (u32 i = 0; i < run_tensor_count(o) && ok; i++) {
        const struct run_tensor *t = run_tensor_at(o, i);
        ok = !t->data.out || file_promise(t->data.option, t->data.given, t->data.out);
    }
    ok = ok && compare_output_promise(&(struct compare_output){o->json, o->csv, o->markdown, NULL, 0});
    ok = ok && (!o->html || file_promise("--html", o->html, o->html));
    ok = ok && (!o->sarif || file_promise("--sarif", o->sarif, o->sarif));
    ok = ok && (!o->new_baseline || file_promise("--write-baseline", o->new_baseline, o->new_baseline));
    ok = ok && (!o->dram_trace || file_promise("--dram-trace", o->dram_trace, o->dram_trace));
    ok = ok && (!o->request_trace || file_promise("--request-trace", o->request_trace, o->request_trace));
    ok = ok && (!o->record.events || file_promise("--record", o->record.events, o->record.events));
    ok = ok && (!o->record.konata || file_promise("--konata", o->record.konata, o->record.konata));
    ok = ok && (!o->record.trace || file_promise("--trace", o->record.trace, o->record.trace));
    return ok ? EXIT_OK : EXIT_INPUT;
}

bool run_open(struct run *r, int argc, char **argv) {
    return run_options_parse(&r->options, argc, argv) && run_open_read(r, argc, argv);
}

bool run_open_read(struct run *r, int argc, char **argv) {
    r->argc = argc;
    r->argv = argv;
    r->h = option_context(r->options.max_memory);
    if (!r->h)
        ui_error("out of memory");
    return r->h != NULL;
}

/* Allocates for the launches, once the case is known. */
static bool make_room(struct run *r) {
    struct arena *a = &r->options.arena;
    r->tensors = arena_alloc(a, (run_tensor_count(&r->options) + 1) * sizeof *r->tensors);
    r->args = arena_alloc(a, r->options.numbers.len + (r->pressed.launch.nargs + 1) * sizeof *r->args);
    if (!r->tensors || !r->args)
        ui_error("out of memory");
    return r->tensors && r->args;
}

static void begin_report(struct run *r) {
    struct run_report *report = &r->report;
    report->options = &r->options;
    report->h = r->h;
    report->file = r->file;
    report->program = r->program;
    report->last = &r->result;
    report->keeps_json |= r->options.html != NULL;
    report->pressed = r->pressed.found.entry ? &r->pressed : NULL;
    if (r->source.len && memchr(r->source.data, 0, r->source.len) == NULL) {
        report->source = r->source.data;
        report->source_len = r->source.len;
    }
}

/* Changes the finished board: beside --set noc.gbs, the ideal noc.reply_bytes would be a contradiction. */
static bool idealize(struct run *r) {
    enum { SETTINGS = 64 };
    const char *list[SETTINGS], *at = r->ideal;
    u32 n = 0;
    for (size_t len; *at && n < SETTINGS; at += len + (at[len] == ' ')) {
        len = strcspn(at, " ");
        list[n] = arena_strndup(&r->options.arena, at, len);
        if (!list[n++])
            return ui_no_memory();
    }
    return heddle_board_load(r->h, NULL, list, n) || (ui_show(stderr, heddle_error(r->h)), false);
}

int run_find(struct run *r) {
    struct run_options *o = &r->options;
    int status = run_load(r);
    const struct heddle_file file = {.name = r->file, .text = r->source.data, .len = r->source.len};
    if (status != EXIT_OK)
        return status;
    if (!run_case_find(&r->pressed, o, r->h, &file))
        return EXIT_INPUT;
    o->board.name = o->board.name ? o->board.name : o->other_board;
    /* A board is a fifth of the start of a short run: it is read once. */
    const bool read = r->pressed.board == o->board.name;
    const struct board_choice left = {.name = read ? NULL : o->board.name, .sets = o->board.sets};
    bool ok = run_options_clock(o) && board_apply(&left, r->h);
    return ok && (!r->ideal || idealize(r)) ? EXIT_OK : EXIT_INPUT;
}

int run_prepare(struct run *r) {
    struct run_options *o = &r->options;
    int status = run_find(r);
    if (status != EXIT_OK)
        return status;
    bool ok = heddle_module_make(r->h, r->program);
    if (!ok)
        ui_show(stderr, heddle_error(r->h));
    ok = ok && run_case_fill(&r->pressed, o, r->h, r->program);
    ok = ok && run_buffers_make(o, r->h, r->program, &r->pressed);
    if (ok && !run_buffers_check(o, r->h))
        return lacking(r);
    ok = ok && make_room(r);
    begin_report(r);
    return ok ? EXIT_OK : EXIT_INPUT;
}

/* ---- the launches ---- */

/* Runs one launch and adds it to the report. EXIT_OK also after a fault, which is in the report. */
static int launch_one(struct run *r, const char *entry, struct launches *all) {
    struct buf error = {0};
    enum heddle_status status = launch(r, entry, all);
    if (status == HEDDLE_MEMORY || status == HEDDLE_INPUT)
        return failed(r);
    buf_puts(&error, heddle_error(r->h)); /* later calls on the context clear it */
    ui_show(stderr, error.failed || r->ideal ? "" : error.data);
    bool told = run_report_add(&r->report, &r->result, status, error.failed ? "" : error.data);
    if (!told)
        ui_error("out of memory");
    buf_free(&error);
    bool ended = status == HEDDLE_OK || r->result.fault.kind; /* and was not interrupted */
    told = told && (!ended || r->ideal || run_case_check(&r->pressed, &r->options, &r->result));
    return told ? EXIT_OK : EXIT_INPUT;
}

/* Notes the inputs of the recording, before anything changes. */
static bool begin_record(struct run *r) {
    json_t *words = json_list();
    for (int i = 1; i < r->argc; i++)
        json_add(words, json_text(r->argv[i]));
    json_t *of = run_identity(r);
    r->report.recorded = of ? json_make("{s:o,s:o}", "command", words, "of", of) : NULL;
    return of != NULL;
}

int run_launches(struct run *r) {
    const struct run_options *o = &r->options;
    u32 count = run_entry_count(o), rounds = o->repeat ? o->repeat : 1;
    if (run_record_given(&o->record) && !begin_record(r))
        return EXIT_INPUT;
    r->report.planned = rounds * (count ? count : 1);
    struct launches all = {.run = r, .launches = r->report.planned};
    run_copies_begin(&r->report);
    for (u32 i = 0; i < r->report.planned && r->report.status == HEDDLE_OK; i++) {
        all.launch = i + 1;
        int status = launch_one(r, count ? run_entry(o, i % count) : NULL, &all);
        if (status != EXIT_OK)
            return status;
    }
    for (u32 i = 0; i < run_tensor_count(o); i++)
        heddle_buffer_get(r->h, run_tensor_at(o, i)->name, &r->tensors[i]);
    r->report.tensors = r->tensors;
    run_copies_end(&r->report);
    return EXIT_OK;
}

/* ---- after ---- */

bool run_buffer_files(struct run *r, struct file_output *list, u32 *n) {
    for (u32 i = 0; i < run_tensor_count(&r->options); i++) {
        const struct run_tensor *t = run_tensor_at(&r->options, i);
        struct file_output *one = &list[*n];
        if (!t->data.out)
            continue;
        one->path = t->data.out;
        one->bytes = heddle_npy_write(r->h, t->name, &one->len);
        if (!one->bytes) {
            failed(r);
            return false;
        }
        ++*n;
    }
    return true;
}

static bool write_several(const struct run_options *o, struct run *const *runs, u32 n, const struct buf *json) {
    u32 most = 1, files = 0;
    for (u32 i = 0; i < n; i++)
        most += run_tensor_count(&runs[i]->options);
    struct file_output *list = calloc(most, sizeof *list);
    if (!list)
        return ui_no_memory();
    bool ok = true;
    for (u32 i = 0; i < n && ok; i++)
        ok = run_buffer_files(runs[i], list, &files);
    const u32 buffers = files;
    if (ok && o->json)
        list[files++] = (struct file_output){o->json, json->data, json->len};
    ok = ok && file_write_all(list, files);
    for (u32 i = 0; i < buffers; i++)
        heddle_release((void *)(uintptr_t)list[i].bytes);
    free(list);
    return ok;
}

bool run_write(const struct run_options *o, struct run *const *runs, u32 n, struct buf *text, struct buf *json) {
    bool ok = !(text->failed || json->failed) || ui_no_memory();
    ok = ok && write_several(o, runs, n, json);
    if (ok && text->len && !(o->json && strcmp(o->json, "-") == 0))
        fwrite(text->data, 1, text->len, stdout);
    buf_free(text);
    buf_free(json);
    return ok;
}

int run_status(const struct run *r) {
    bool ended = r->report.status == HEDDLE_OK || r->pressed.faulted;
    if (ended && !r->report.findings && !run_case_failed(&r->pressed))
        return EXIT_OK;
    return progress_interrupted() ? EXIT_INTERRUPTED : EXIT_FAULT;
}

void run_close(struct run *r) {
    run_report_free(&r->report);
    run_case_free(&r->pressed);
    heddle_program_free(r->program);
    heddle_free(r->h);
    buf_free(&r->source);
    run_options_free(&r->options);
}
