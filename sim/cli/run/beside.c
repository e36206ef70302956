/*
 * `heddle run a.hd ... --beside "b.hd ..."`: launches that share the board, and what each loses by that. Buffers of the
 * N-th --beside are called N.NAME, so that equal names of parameters do not meet.
 */
#include "sim/cli/run/run.h"

#include <stdio.h>
#include <string.h>

#include "sim/cli/format.h"
#include "sim/cli/ui.h"

enum { WORDS = 128, SPACE_OF_NAME = 16 };

struct beside {
    struct run *first;
    struct run *other; /* [n - 1] those of --beside */
    u32 n;             /* launches */
    struct heddle_launch *launch;
    struct heddle_beside *asked;
    struct heddle_result *result;
    struct heddle_result board;
};

static struct run *run_at(const struct beside *b, u32 i) {
    return i ? &b->other[i - 1] : b->first;
}

/* Refuses options of one launch alone, and in --beside those of the whole run. */
static bool agree(const struct run_options *o, bool other) {
    const struct {
        bool given;
        const char *name;
    } refused[] = {{o->sections.chosen, "--section"},
                   {o->metrics.len, "--metrics"},
                   {o->profile, "--profile"},
                   {explain_asked(&o->explain), "--explain"},
                   {o->sarif, "--sarif"},
                   {o->html, "--html"},
                   {o->csv, "--csv"},
                   {o->markdown, "--markdown"},
                   {o->draws, "--uncertainty"},
                   {o->ideal, "--ideal"},
                   {o->link, "--link"},
                   {o->repeat > 1, "--repeat"},
                   {run_entry_count(o) > 1, "several --entry"},
                   {run_record_given(&o->record), "a recording"},
                   {o->dram_trace || o->request_trace, "a trace of DRAM"},
                   {o->launch.warm, "--caches warm"},
                   {o->launch.check, "--check"},
                   {o->launch.schedule, "--schedule"},
                   {o->launch.functional, "--functional"},
                   {other && o->json, "--json"},
                   {other && (o->board.name || o->board.sets.len), "--board, --set"},
                   {other && o->which_case, "--case"},
                   {other && o->beside.len, "--beside"},
                   {other && o->prints.len, "--print"}};
    for (size_t i = 0; i < COUNT_OF(refused); i++)
        if (refused[i].given)
            return ui_error("%s has no place %s --beside", refused[i].name, other ? "in" : "with");
    return true;
}

/* Cuts a command line at its blanks, but for those between quotes. 0 after a message. */
static int split(char *text, const char *name, char **word) {
    int n = 0;
    word[n++] = (char *)(uintptr_t)name;
    for (char *at = text + strspn(text, " \t\n"); *at; at += strspn(at, " \t\n")) {
        char *to = at, quote = 0;
        if (n == WORDS - 1)
            return ui_error("--beside: more than %d words", WORDS - 2), 0;
        for (word[n++] = at; *at && (quote || !strchr(" \t\n", *at)); at++) {
            if (quote ? *at == quote : *at == '\'' || *at == '"')
                quote = quote ? 0 : *at;
            else
                *to++ = *at;
        }
        if (quote)
            return ui_error("--beside: a quote without its end"), 0;
        at += *at != 0;
        *to = 0;
    }
    word[n] = NULL;
    return n;
}

/* Makes the buffers of an other launch, and the arguments that name them. */
static bool make_buffers(struct run *r, u32 number) {
    struct run_options *o = &r->options;
    const char *const *entries = (const char *const *)(const void *)o->entries.data;
    const struct heddle_launch l = {.entry = run_entry_count(o) ? entries[0] : NULL,
                                    .args = (const struct heddle_arg *)(const void *)o->numbers.data,
                                    .nargs = o->arg_count};
    struct data_place to = {.h = r->h, .program = r->program, .launch = &l, .quiet = o->quiet};
    struct run_tensor *t = (struct run_tensor *)(void *)o->tensors.data;
    bool ok = true;
    for (u32 i = 0; i < run_tensor_count(o) && ok; i++) {
        size_t size = strlen(t[i].name) + SPACE_OF_NAME;
        char *buffer = arena_alloc(&o->arena, size);
        struct heddle_arg *a = buffer ? buf_push(&o->numbers, sizeof *a) : NULL;
        if (!a)
            return ui_no_memory();
        snprintf(buffer, size, "%u.%s", number, t[i].name);
        *a = (struct heddle_arg){.name = t[i].name, .buffer = buffer};
        to.param = t[i].name;
        to.empty_nan = o->empty_nan;
        t[i].name = buffer;
        ok = data_make(&t[i].data, buffer, &to);
    }
    r->pressed.session = to.session;
    return ok;
}

static bool open_other(struct beside *b, u32 i) {
    struct run *r = run_at(b, i);
    const char *const *texts = (const char *const *)(const void *)b->first->options.beside.data;
    char *word[WORDS], *text = arena_strndup(&b->first->options.arena, texts[i - 1], strlen(texts[i - 1]));
    int n = text ? split(text, b->first->argv[0], word) : 0;
    r->h = b->first->h;
    if (!n || !run_options_parse(&r->options, n, word) || !agree(&r->options, true) || run_load(r) != EXIT_OK)
        return false;
    if (!heddle_module_make(r->h, r->program))
        return ui_show(stderr, heddle_error(r->h)), false;
    return make_buffers(r, i);
}

/* Takes memory for all launches, and opens those of --beside. */
static bool open(struct beside *b) {
    struct arena *a = &b->first->options.arena;
    b->n = 1 + (u32)(b->first->options.beside.len / sizeof(char *));
    b->other = arena_alloc(a, b->n * sizeof *b->other);
    b->launch = arena_alloc(a, b->n * sizeof *b->launch);
    b->asked = arena_alloc(a, b->n * sizeof *b->asked);
    b->result = arena_alloc(a, b->n * sizeof *b->result);
    if (!b->other || !b->launch || !b->asked || !b->result)
        return b->n = 1, ui_no_memory();
    bool ok = agree(&b->first->options, false);
    for (u32 i = 1; i < b->n && ok; i++)
        ok = open_other(b, i);
    for (u32 i = 0; i < b->n && ok; i++)
        ok = run_promise(&run_at(b, i)->options) == EXIT_OK;
    return ok;
}

static enum heddle_status launch(struct beside *b) {
    for (u32 i = 0; i < b->n; i++) {
        struct run *r = run_at(b, i);
        struct run_options *o = &r->options;
        const char *const *entries = (const char *const *)(const void *)o->entries.data;
        const char *entry = run_entry_count(o) ? entries[0] : NULL;
        b->launch[i] = i ? o->launch : run_asked(r, entry);
        if (i) {
            b->launch[i].entry = entry;
            b->launch[i].args = (const struct heddle_arg *)(const void *)o->numbers.data;
            b->launch[i].nargs = (u32)(o->numbers.len / sizeof(struct heddle_arg));
        }
        b->asked[i] = (struct heddle_beside){r->program, &b->launch[i], (int32_t)o->priority, true};
    }
    return heddle_launch_all(b->first->h, b->asked, b->n, b->result, &b->board);
}

/* ---- the report ---- */

/* Writes a row; `all`: cycles of all SMs, of which the launch has a share. */
static void put_launch(const struct heddle_result *s, u32 number, double all, struct buf *out) {
    buf_printf(out, "  %2u %-20s %8d %9s %11s %12s", number, s->kernel, s->priority, format_dims(s->grid).text,
               grouped(s->first_block).text, grouped(s->cycles).text);
    if (s->alone_cycles)
        buf_printf(out, " %12s %8.2f", grouped(s->alone_cycles).text, s->slowdown);
    else
        buf_printf(out, " %12s %8s", "-", "-");
    buf_printf(out, " %5.1f %%\n", 100 * (double)s->sm_cycles / all);
}

static double metric(const struct heddle_result *s, const char *name) {
    for (u32 i = 0; i < s->nmetrics; i++)
        if (strcmp(s->metrics[i].name, name) == 0)
            return s->metrics[i].value;
    return 0;
}

static void put_traffic(const struct heddle_result *s, struct buf *out) {
    buf_printf(out, "\n  %-24s %14s %14s\n", "buffer", "DRAM read", "DRAM written");
    for (u32 i = 0; i < s->ntraffic; i++)
        buf_printf(out, "  %-24s %14s %14s\n", s->traffic[i].name,
                   grouped(*heddle_traffic_value(&s->traffic[i], "dram_read_bytes")).text,
                   grouped(*heddle_traffic_value(&s->traffic[i], "dram_write_bytes")).text);
}

static void put_text(const struct beside *b, struct buf *out) {
    const struct heddle_result *s = &b->board;
    struct heddle_board_value sms = {.number = 1};
    heddle_board_value(b->first->h, "sms", &sms);
    buf_printf(out, "%u launches at one time on %s, cold caches\n", b->n, s->board);
    buf_printf(out, "  time     %s (%s cycles)\n", format_si(s->seconds, "s").text, grouped(s->cycles).text);
    buf_printf(out, "  bound    %s\n", s->limiter);
    buf_printf(out, "  DRAM     %.1f %% of its peak, L2 %.1f %%, hits in L2 %.1f %%\n\n", metric(s, "sol.dram"),
               metric(s, "sol.l2"), metric(s, "l2.hit_rate"));
    buf_printf(out, "     %-20s %8s %9s %11s %12s %12s %8s %7s\n", "launch", "priority", "grid", "first block",
               "cycles", "alone", "slowdown", "SMs");
    for (u32 i = 0; i < b->n; i++)
        put_launch(&b->result[i], i + 1, sms.number * (double)s->cycles, out);
    put_traffic(s, out);
}

static bool put_json(const struct beside *b, struct buf *out) {
    const struct run *r = b->first;
    json_t *all = json_make("{s:s,s:s,s:s}", "format", "heddle-beside-1", "heddle", heddle_version(), "file", r->file);
    json_t *list = json_list();
    for (u32 i = 0; i < b->n; i++)
        json_add(list, run_report_json_launch(&b->result[i]));
    json_put(all, "launches", list);
    json_put(all, "shared", run_report_json_launch(&b->board));
    bool ok = json_write(all, out);
    json_decref(all);
    return ok;
}

/* Writes the files of all, so that either all exist or none. */
static int write_all(struct beside *b, struct buf *json) {
    u32 n = 0, most = 1;
    for (u32 i = 0; i < b->n; i++)
        most += run_tensor_count(&run_at(b, i)->options);
    struct file_output *list = arena_alloc(&b->first->options.arena, most * sizeof *list);
    bool ok = list || ui_no_memory();
    for (u32 i = 0; i < b->n && ok; i++)
        ok = run_buffer_files(run_at(b, i), list, &n);
    u32 buffers = n;
    if (ok && b->first->options.json)
        list[n++] = (struct file_output){b->first->options.json, json->data, json->len};
    ok = ok && file_write_all(list, n);
    for (u32 i = 0; i < buffers; i++)
        heddle_release((void *)(uintptr_t)list[i].bytes);
    return ok ? EXIT_OK : EXIT_INPUT;
}

static int report(struct beside *b) {
    const struct run_options *o = &b->first->options;
    struct buf text = {0}, json = {0};
    if (!o->quiet)
        put_text(b, &text);
    run_buffers_print(o, b->first->h, &text);
    bool ok = (!o->json || put_json(b, &json)) && !text.failed && !json.failed;
    int status = ok ? write_all(b, &json) : (ui_error("out of memory"), EXIT_INPUT);
    if (status == EXIT_OK && text.len && !(o->json && strcmp(o->json, "-") == 0))
        fwrite(text.data, 1, text.len, stdout);
    buf_free(&text);
    buf_free(&json);
    return status;
}

int run_beside(struct run *r) {
    struct beside b = {.first = r};
    int status = EXIT_INPUT;
    if (open(&b)) {
        enum heddle_status s = launch(&b);
        if (s != HEDDLE_OK)
            ui_show(stderr, heddle_error(r->h));
        status = s == HEDDLE_OK ? report(&b) : s == HEDDLE_FAULT ? EXIT_FAULT : EXIT_INPUT;
    }
    for (u32 i = 1; i < b.n; i++) {
        b.other[i - 1].h = NULL;
        run_close(&b.other[i - 1]);
    }
    return status;
}
