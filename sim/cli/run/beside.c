/*
 * `heddle run a.hd ... --beside "b.hd ..."`: launches that share the board, and what each loses by that. Buffers of the
 * N-th --beside are called N.NAME, so that equal names of parameters do not meet.
 */
#include "sim/cli/run/run.h"

#include <stdio.h>
#include <string.h>

#include "sim/cli/format.h"
#include "sim/cli/ui.h"
#include "sim/file/computer.h"
#include "sim/file/table.h"

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

bool run_agree(const struct run_options *o, enum run_several several) {
    static const char *const where[] = {"with --beside", "in --beside", "with --boards"};
    const bool other = several == RUN_OTHER, boards = several == RUN_BOARDS;
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
                   {o->link && !boards, "--link"},
                   {o->boards && !boards, "--boards"},
                   {o->repeat > 1, "--repeat"},
                   {run_entry_count(o) > 1, "several --entry"},
                   {run_record_given(&o->record), "a recording"},
                   {o->dram_trace || o->request_trace, "a trace of DRAM"},
                   {o->launch.warm, "--caches warm"},
                   {o->launch.sample, "--sample"},
                   {o->launch.check, "--check"},
                   {o->launch.schedule, "--schedule"},
                   {o->launch.functional, "--functional"},
                   {other && o->json, "--json"},
                   {other && (o->board.name || o->board.sets.len), "--board, --set"},
                   {other && o->which_case, "--case"},
                   {(other || boards) && o->beside.len, "--beside"},
                   {other && o->prints.len, "--print"}};
    for (size_t i = 0; i < COUNT_OF(refused); i++)
        if (refused[i].given)
            return ui_error("%s has no place %s", refused[i].name, where[several]);
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
    const struct heddle_launch l = {.entry = run_entry(o, 0),
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
    if (!n || !run_options_parse(&r->options, n, word) || !run_agree(&r->options, RUN_OTHER) || run_load(r) != EXIT_OK)
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
    bool ok = run_agree(&b->first->options, RUN_BESIDE);
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
        const char *entry = run_entry(o, 0);
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

static const struct table_column facts[] = {{"fact", "", TABLE_WORD}, {"text", "", TABLE_PROSE}};
static const struct table_column launch_columns[] = {{"number", "", TABLE_NUMBER},
                                                     {"launch", "launch", TABLE_WORD},
                                                     {"priority", "priority", TABLE_NUMBER},
                                                     {"grid", "grid", TABLE_WORD},
                                                     {"first_block", "first block", TABLE_NUMBER},
                                                     {"cycles", "cycles", TABLE_NUMBER},
                                                     {"alone", "alone", TABLE_NUMBER},
                                                     {"slowdown", "slowdown", TABLE_NUMBER},
                                                     {"sms_percent", "SMs", TABLE_NUMBER}};
static const struct table_column buffer_columns[] = {{"buffer", "buffer", TABLE_WORD},
                                                     {"read", "DRAM read", TABLE_NUMBER},
                                                     {"written", "DRAM written", TABLE_NUMBER}};

static void put_count(struct table *t, u64 count) {
    table_number(t, (double)count, grouped(count));
}

static void put_fact(struct table *t, const char *fact, struct buf *text) {
    table_word(t, fact);
    table_word(t, text->data ? text->data : "");
    t->texts.failed |= text->failed;
    text->len = 0;
}

static void put_facts(const struct heddle_result *s, struct buf *out) {
    struct table t = {.name = "facts", .column = facts, .columns = COUNT_OF(facts)};
    struct buf text = {0};
    buf_printf(&text, "%s (%s cycles)", format_si(s->seconds, "s").text, grouped(s->cycles).text);
    put_fact(&t, "time", &text);
    buf_append(&text, s->limiter, strcspn(s->limiter, ";"));
    put_fact(&t, "bound", &text);
    buf_printf(&text, "%s of its peak, L2 %s, hits in L2 %s", format_share(metric_or_zero(s, "sol.dram"), 100).text,
               format_share(metric_or_zero(s, "sol.l2"), 100).text,
               format_share(metric_or_zero(s, "l2.hit_rate"), 100).text);
    put_fact(&t, "DRAM", &text);
    buf_free(&text);
    table_text(&t, terminal_width(), out);
    table_free(&t);
}

/* Adds a row for each launch; `all`: cycles of all SMs, of which it has a share. */
static void put_launches(const struct beside *b, double all, struct buf *out) {
    struct table t = {.name = "launches", .column = launch_columns, .columns = COUNT_OF(launch_columns)};
    for (u32 i = 0; i < b->n; i++) {
        const struct heddle_result *s = &b->result[i];
        struct short_text priority;
        snprintf(priority.text, sizeof priority.text, "%d", s->priority);
        put_count(&t, i + 1);
        table_word(&t, s->kernel);
        table_number(&t, s->priority, priority);
        table_word(&t, format_dims(s->grid).text);
        put_count(&t, s->first_block);
        put_count(&t, s->cycles);
        if (s->alone_cycles) {
            put_count(&t, s->alone_cycles);
            table_number(&t, s->slowdown, format_number(s->slowdown));
        } else {
            table_none(&t);
            table_none(&t);
        }
        table_number(&t, 100 * (double)s->sm_cycles / all, format_share((double)s->sm_cycles, all));
    }
    table_text(&t, terminal_width(), out);
    table_free(&t);
}

static void put_traffic(const struct heddle_result *s, struct buf *out) {
    struct table t = {.name = "buffers", .column = buffer_columns, .columns = COUNT_OF(buffer_columns)};
    for (u32 i = 0; i < s->ntraffic; i++) {
        table_word(&t, s->traffic[i].name);
        put_count(&t, *heddle_traffic_value(&s->traffic[i], "dram_read_bytes"));
        put_count(&t, *heddle_traffic_value(&s->traffic[i], "dram_write_bytes"));
    }
    table_text(&t, terminal_width(), out);
    table_free(&t);
}

static void put_text(const struct beside *b, struct buf *out) {
    const struct heddle_result *s = &b->board;
    struct heddle_board_value sms = {.number = 1};
    heddle_board_value(b->first->h, "sms", &sms);
    buf_printf(out, "%u launches at one time on %s, cold caches\n", b->n, s->board);
    put_facts(s, out);
    buf_puts(out, "\n");
    put_launches(b, sms.number * (double)s->cycles, out);
    buf_puts(out, "\n");
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

static int report(struct beside *b) {
    const struct run_options *o = &b->first->options;
    struct buf text = {0}, json = {0};
    for (u32 i = 0; i < b->n; i++)
        report_printed(&b->result[i], o->quiet, &text);
    if (!o->quiet)
        put_text(b, &text);
    run_buffers_print(o, b->first->h, &text);
    json.failed |= o->json && !put_json(b, &json);
    struct run *all[HEDDLE_BESIDE_MAX];
    for (u32 i = 0; i < b->n; i++)
        all[i] = run_at(b, i);
    return run_write(o, all, b->n, &text, &json) ? EXIT_OK : EXIT_INPUT;
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
