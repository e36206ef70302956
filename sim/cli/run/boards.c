
#include <stdio.h>
#include <string.h>

#include "sim/cli/compare.h"
#include "sim/cli/diff/diff.h"
#include "sim/cli/run/run.h"
#include "sim/cli/run/report.h"
#include "sim/cli/ui.h"

/* Kept parts of the runs. */
struct boards {
    const struct run_options *options;
    struct arena arena;
    struct diff_runs runs;
    struct file_output *files; /* written by the first run */
    u32 nfiles;
    bool alike;          /* all files are the same so far */
    char which_case[16]; /* chosen by the first board; "" = none */
    struct buf verdict;  /* the case, and the verdict on its expectations on each board */
    struct buf print;    /* output of --print */
};

bool run_boards_named(const struct run_options *o) {
    return o->board.name && strchr(o->board.name, ',') && !file_exists(o->board.name);
}

/* Refuses options for one launch only, which have no place in a comparison. */
static bool agree(const struct run_options *o) {
    const struct {
        bool given;
        const char *name;
    } alone[] = {{o->sections.chosen, "--section"},
                 {o->metrics.len, "--metrics"},
                 {o->profile, "--profile"},
                 {explain_asked(&o->explain), "--explain"},
                 {o->sarif, "--sarif"},
                 {o->record.events, "--record"},
                 {o->record.trace, "--trace"},
                 {o->record.konata, "--konata"},
                 {o->dram_trace, "--dram-trace"},
                 {o->request_trace, "--request-trace"},
                 {o->draws, "--uncertainty"},
                 {o->ideal, "--ideal"},
                 {o->beside.len, "--beside"},
                 {o->boards, "--boards"},
                 {o->launch.sample, "--sample"},
                 {o->launch.check, "--check"},
                 {o->launch.schedule, "--schedule"},
                 {o->launch.functional, "--functional"}};
    for (size_t i = 0; i < COUNT_OF(alone); i++)
        if (alone[i].given)
            return ui_error("%s takes one board at a time, not --board %s", alone[i].name, o->board.name);
    return true;
}

/* ---- outputs ---- */

/* Keeps the files of the first run, and checks that the others' are the same. */
static bool keep_files(struct boards *b, struct run *r) {
    struct file_output *list = arena_alloc(&b->arena, (run_tensor_count(&r->options) + 1) * sizeof *list);
    u32 n = 0;
    bool ok = list && run_buffer_files(r, list, &n);
    if (ok && !b->files) {
        b->files = list;
        b->nfiles = n;
        return true;
    }
    for (u32 i = 0; i < n; i++) {
        const struct file_output *first = &b->files[i];
        bool same = !ok || (list[i].len == first->len && memcmp(list[i].bytes, first->bytes, first->len) == 0);
        if (!same)
            ui_error_as(list[i].path, "not written: on %s it would be another than on %s; run one board at a time",
                        r->options.board.name, b->runs.run[0].title);
        b->alike &= same;
        heddle_release((void *)(uintptr_t)list[i].bytes);
    }
    return ok;
}

/* Writes one document of all runs, which heddle diff reads. */
static bool put_json(const struct boards *b, const json_t *diff, struct buf *out) {
    json_t *all = json_make("{s:s,s:s,s:O}", "format", "heddle-runs-2", "heddle", heddle_version(), "diff", diff);
    json_t *list = json_list();
    for (u32 i = 0; i < b->runs.n; i++)
        json_add(list, json_incref(b->runs.run[i].result));
    json_put(all, "runs", list);
    bool ok = json_write(all, out);
    json_decref(all);
    return ok;
}

static bool put_tables(const struct boards *b, const json_t *diff, enum compare_form form, struct buf *out) {
    const struct diff_style style = {.form = form, .more = "'--json FILE', 'heddle diff --all FILE' show them"};
    diff_write(&b->runs, diff, &style, out);
    return !out->failed;
}

/* Writes the comparison, the verdict on the case, and the elements of --print, which are the same on all boards. */
static bool put_text(const struct boards *b, const json_t *diff, struct buf *out) {
    if (!b->options->quiet) {
        put_tables(b, diff, COMPARE_TEXT, out);
        buf_append(out, b->verdict.data, b->verdict.len);
    }
    if (b->alike)
        buf_append(out, b->print.data, b->print.len);
    return !(out->failed || b->verdict.failed || b->print.failed);
}

struct shown {
    const struct boards *boards;
    const json_t *diff;
};

static bool put(const void *ctx, enum compare_form form, struct buf *out) {
    const struct shown *s = ctx;
    switch (form) {
    case COMPARE_JSON: return put_json(s->boards, s->diff, out);
    case COMPARE_TEXT: return put_text(s->boards, s->diff, out);
    case COMPARE_CSV:
    case COMPARE_MARKDOWN: return put_tables(s->boards, s->diff, form, out);
    }
    BUG("a form that nothing writes");
}

/* ---- the runs ---- */

/* Keeps the parts of a run that has ended. */
static bool keep(struct boards *b, struct run *r) {
    const struct run_options *o = &r->options;
    bool first = b->runs.n == 0, ended = r->report.status == HEDDLE_OK;
    if (!diff_add(&b->runs, o->file, compare_stem(o->board.name).text, run_report_whole(&r->report)))
        return false;
    if (first)
        run_case_line(&r->pressed, o, "ran", &b->verdict);
    if (r->pressed.found.entry) {
        buf_printf(&b->verdict, "%s: ", b->runs.run[b->runs.n - 1].title);
        run_case_verdict(&r->pressed, &b->verdict);
    }
    if (ended && !b->print.len)
        run_buffers_print(o, r->h, &b->print);
    return !ended || keep_files(b, r);
}

static int run_one(struct boards *b, const char *board, int argc, char **argv) {
    struct run r = {0};
    int status = run_open(&r, argc, argv) ? EXIT_OK : EXIT_INPUT;
    r.options.board.name = board;
    r.options.which_case = *b->which_case ? b->which_case : r.options.which_case;
    r.report.keeps_json = true;
    if (status == EXIT_OK)
        status = run_prepare(&r);
    if (status == EXIT_OK && !b->runs.n)
        status = run_promise(&r.options);
    if (status == EXIT_OK && r.pressed.found.entry)
        snprintf(b->which_case, sizeof b->which_case, "%u", r.pressed.found.number);
    if (status == EXIT_OK)
        status = run_launches(&r);
    if (status == EXIT_OK)
        status = keep(b, &r) ? run_status(&r) : EXIT_INPUT;
    run_close(&r);
    return status;
}

/* Runs each of the list; false if one could not run. `worst` is the greatest exit status. */
static bool run_all(struct boards *b, int argc, char **argv, int *worst) {
    for (const char *at = b->options->board.name; *at;) {
        size_t len = strcspn(at, ",");
        const char *name = arena_strndup(&b->arena, at, len);
        if (!name || !len) {
            ui_option_error("--board", b->options->board.name, (size_t)(at - b->options->board.name), 1,
                            name ? "expected the name of a board" : "out of memory");
            *worst = EXIT_INPUT;
            return false;
        }
        int status = run_one(b, name, argc, argv);
        *worst = status > *worst ? status : *worst;
        if (status != EXIT_OK && status != EXIT_FAULT)
            return false;
        at += len + (at[len] == ',');
    }
    return true;
}

/* Lists the files of buffers, if all boards agree on them, and the page, if requested. */
static bool list_files(const struct boards *b, const json_t *diff, struct buf *page, struct buf *list) {
    struct buf json = {0}, changes = {0};
    bool ok = true;
    if (b->alike)
        buf_append(list, b->files, b->nfiles * sizeof *b->files);
    if (b->options->html) {
        ok = put_json(b, diff, &json) && put_tables(b, diff, COMPARE_CSV, &changes);
        ok = ok ? page_put(&json, &changes, page) : (ui_error("out of memory"), false);
        buf_append(list, &(struct file_output){b->options->html, page->data, page->len}, sizeof(struct file_output));
    }
    buf_free(&json);
    buf_free(&changes);
    return ok && (!list->failed || (ui_error("out of memory"), false));
}

static bool report(struct boards *b) {
    const struct run_options *o = b->options;
    const struct shown shown = {b, diff_of(&b->runs)};
    struct buf page = {0}, list = {0};
    if (!shown.diff)
        ui_error("out of memory");
    bool ok = shown.diff && list_files(b, shown.diff, &page, &list);
    const struct compare_output output = {o->json, o->csv, o->markdown, (const struct file_output *)(void *)list.data,
                                          (u32)(list.len / sizeof(struct file_output))};
    ok = ok && compare_output_write(&output, put, &shown);
    json_decref((json_t *)(uintptr_t)shown.diff);
    buf_free(&page);
    buf_free(&list);
    return ok;
}

int run_boards(const struct run_options *o, int argc, char **argv) {
    struct boards b = {.options = o, .alike = true};
    int worst = EXIT_OK;
    if (!agree(o))
        return EXIT_INPUT;
    if (run_all(&b, argc, argv, &worst)) {
        diff_name(&b.runs);
        if (!report(&b))
            worst = EXIT_INPUT;
        else if (!b.alike && worst == EXIT_OK)
            worst = EXIT_FAULT;
    }
    for (u32 i = 0; i < b.nfiles; i++)
        heddle_release((void *)(uintptr_t)b.files[i].bytes);
    diff_free(&b.runs);
    buf_free(&b.verdict);
    buf_free(&b.print);
    arena_free(&b.arena);
    return worst;
}
