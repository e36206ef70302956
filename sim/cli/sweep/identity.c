/* Identity of a point of a sweep: the hash of everything that determines its result. */
#include "sim/cli/sweep/sweep.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/cli/run/run.h"
#include "sim/cli/run/report.h"
#include "sim/cli/ui.h"

enum { SCALED_SHOWN = 16 };

static int by_text(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Facts whose order does not matter: texts of the arena, which are sorted. */
struct facts {
    struct arena *arena;
    struct buf list; /* list of char * */
};

static void add_fact(struct facts *f, const struct buf *text) {
    const char *kept = text->failed ? NULL : arena_strndup(f->arena, text->data, text->len);
    buf_append(&f->list, &kept, sizeof kept);
    f->list.failed |= !kept;
}

static void put_sorted(struct facts *f, struct buf *to) {
    const char **line = (const char **)(void *)f->list.data;
    size_t n = f->list.failed ? 0 : f->list.len / sizeof *line;
    to->failed |= f->list.failed;
    if (n)
        qsort(line, n, sizeof *line, by_text);
    for (size_t i = 0; i < n; i++)
        buf_puts(to, line[i]);
    buf_free(&f->list);
}

static void put_args(struct run_options *o, struct buf *to) {
    const struct heddle_arg *a = (const struct heddle_arg *)(const void *)o->numbers.data;
    struct facts facts = {.arena = &o->arena};
    for (u32 i = 0; i < o->arg_count; i++) {
        struct buf one = {0};
        run_put_fact(&one, a[i].name, a[i].text);
        add_fact(&facts, &one);
        buf_free(&one);
    }
    put_sorted(&facts, to);
}

/* Returns the hash of a file that points read, computed once. NULL after a message. */
static const char *hash_file(struct sweep *s, const char *path) {
    const struct hash name = hash_bytes(path, strlen(path));
    const char *known = json_string_value(json_object_get(s->files, name.text));
    struct buf text = {0};
    if (known)
        return known;
    if (strcmp(path, "-") == 0) {
        ui_error("standard input, '-', can be read only once, and a sweep has many points");
        return NULL;
    }
    if (!file_read_npy(path, &text))
        return NULL;
    json_put(s->files, name.text, json_text(hash_bytes(text.data, text.len).text));
    buf_free(&text);
    return json_string_value(json_object_get(s->files, name.text));
}

/* Appends a buffer by its contents; of a file also the ending, which decides how it is read, but not the name. */
static bool put_tensor(struct sweep *s, const struct run_tensor *t, struct buf *to) {
    const struct data_spec *d = &t->data;
    const char *what = d->kind == DATA_FILE ? hash_file(s, d->text) : d->text, *dot = strrchr(d->text, '.');
    if (!what)
        return false;
    run_put_fact(to, t->name, what);
    buf_printf(to, "%d %s %d", (int)d->kind, d->type ? d->type : "", d->shaped);
    for (u32 i = 0; i < d->ndim; i++)
        buf_printf(to, " %llu", (unsigned long long)d->shape[i]);
    run_put_fact(to, "", d->kind == DATA_FILE && dot ? dot : "");
    return true;
}

static bool put_tensors(struct sweep *s, struct run_options *o, struct buf *to) {
    struct facts facts = {.arena = &o->arena};
    bool ok = true;
    for (u32 i = 0; i < run_tensor_count(o) && ok; i++) {
        struct buf one = {0};
        ok = put_tensor(s, run_tensor_at(o, i), &one);
        add_fact(&facts, &one);
        buf_free(&one);
    }
    put_sorted(&facts, to);
    return ok;
}

/* ---- facts that many points share ---- */

/*
 * Returns all values of the board, as columns "board.KEY". A peak that was set has the given value, not the rounded
 * one: points are grouped by it.
 */
static json_t *settings_of(const struct run *r) {
    struct heddle_board_value v;
    struct buf name = {0};
    json_t *row = json_new();
    for (u32 i = 0; board_key_at(r->h, i, &v); i++) {
        name.len = 0;
        buf_printf(&name, "board.%s", v.key);
        if (!name.failed)
            json_put(row, name.data,
                     v.choice ? json_text(v.choice)
                     : v.real ? json_number(v.scaled ? v.asked : v.number)
                              : json_s64((s64)v.number));
    }
    buf_free(&name);
    return row;
}

static bool has_places(const struct sweep *s) {
    bool any = false;
    for (u32 i = 0; i < s->naxes; i++)
        any |= s->axis[i].form == SWEEP_PLACE;
    return any;
}

/* Appends what selects a kernel and its case, which may depend on the board; values of axes that may be anywhere are
 * checked for each point. */
static void put_kernel_words(const struct sweep *s, struct run_options *o, struct buf *to) {
    if (has_places(s))
        put_args(o, to);
    buf_printf(to, "%s\n%s\n%s\n%d %d %d %u\n", o->file, o->which_case ? o->which_case : "",
               o->board.name ? o->board.name : "", o->arg_count > 0, o->launch.grid[0] > 0, o->launch.block[0] > 0,
               run_tensor_count(o));
    for (u32 i = 0; i < run_entry_count(o); i++)
        buf_printf(to, "%s\n", run_entry(o, i));
}

static void put_board_words(const struct run_options *o, bool timed, struct buf *to) {
    const char *const *set = (const char *const *)(const void *)o->board.sets.data;
    buf_printf(to, "%s\n%d\n", o->board.name ? o->board.name : "", timed);
    for (size_t i = 0; i < o->board.sets.len / sizeof *set; i++)
        buf_printf(to, "%s\n", set[i]);
}

/* Stores facts under the hash of the words, which need not be UTF-8. */
static bool know(json_t *map, const struct buf *words, const struct buf *facts, const char *board) {
    if (words->failed || facts->failed)
        return ui_error("out of memory");
    json_put(map, hash_bytes(words->data, words->len).text,
             json_make("{s:s,s:s?}", "hash", hash_bytes(facts->data, facts->len).text, "board", board));
    return true;
}

static struct hash hash_of(const json_t *known) {
    struct hash h;
    snprintf(h.text, sizeof h.text, "%s", json_string_value(json_object_get(known, "hash")));
    return h;
}

/* Reports once which case of a kernel is run, as `heddle run` does. Boards that choose among cases must not choose
 * differently: their points would not be comparable. False after a message. */
static bool introduce(struct sweep *s, const struct run *r) {
    struct buf one = {0};
    bool chosen = r->pressed.found.entry && !r->options.which_case && !run_entry_count(&r->options);
    json_int_t number = r->pressed.found.number;
    const json_t *before = chosen ? json_object_get(s->cases, r->options.file) : NULL;
    if (before && json_integer_value(before) != number) {
        json_int_t other = json_integer_value(before);
        return ui_error("points would run case %lld and case %lld of %s: choose one for all with --case",
                        (long long)(other < number ? other : number), (long long)(other < number ? number : other),
                        r->options.file);
    }
    if (chosen)
        json_put(s->cases, r->options.file, json_s64(number));
    run_case_line(&r->pressed, &r->options, "points run", &one);
    if (one.len && !(s->intro.len && memmem(s->intro.data, s->intro.len, one.data, one.len)))
        buf_append(&s->intro, one.data, one.len);
    buf_free(&one);
    return true;
}

/* Loads the kernel, with its case and board, unless an earlier point had them. */
static int find_kernel(struct sweep *s, struct run *r, struct sweep_identity *is, bool *loaded) {
    struct buf words = {0}, facts = {0};
    int status = EXIT_OK;
    put_kernel_words(s, &r->options, &words);
    const struct hash key = hash_bytes(words.data, words.len);
    *loaded = !json_object_get(s->kernels, key.text);
    if (*loaded) {
        status = run_find(r);
        s->explained = status == EXIT_OK && !sweep_params(s, r);
        if (status == EXIT_OK && !(!s->explained && run_put_program(r->h, r->program, &r->source, &facts) &&
                                   know(s->kernels, &words, &facts, r->pressed.found.board)))
            status = EXIT_INPUT;
        if (status == EXIT_OK && !introduce(s, r))
            status = EXIT_INPUT;
    }
    const json_t *known = status == EXIT_OK ? json_object_get(s->kernels, key.text) : NULL;
    if (known) {
        const char *board = json_string_value(json_object_get(known, "board"));
        is->kernel = hash_of(known);
        r->options.board.name = r->options.board.name ? r->options.board.name : board;
        status = run_options_clock(&r->options) ? EXIT_OK : EXIT_INPUT;
    }
    buf_free(&words);
    buf_free(&facts);
    return status;
}

/* Reports once the values that setting a peak has scaled. */
static void introduce_scaled(struct sweep *s, const struct run *r) {
    struct heddle_board_value v;
    for (u32 i = 0; heddle_board_derived(r->h, i, &v); i++) {
        if (!v.scaled || (s->intro.len && strstr(s->intro.data, v.scaled)))
            continue;
        if (s->scaled < SCALED_SHOWN)
            buf_printf(&s->intro, "%s\n", v.scaled);
        else if (s->scaled == SCALED_SHOWN)
            buf_puts(&s->intro, "...\n");
        s->scaled++;
    }
}

static int find_board(struct sweep *s, struct run *r, struct sweep_identity *is, bool loaded) {
    struct buf words = {0}, facts = {0};
    int status = EXIT_OK;
    bool timed = r->options.board.name && !r->options.launch.functional;
    put_board_words(&r->options, timed, &words);
    const struct hash key = hash_bytes(words.data, words.len);
    if (!json_object_get(s->boards, key.text)) {
        status = loaded || board_apply(&r->options.board, r->h) ? EXIT_OK : EXIT_INPUT;
        run_put_board(r, timed, &facts);
        if (timed && status == EXIT_OK)
            json_put(s->settings, hash_bytes(facts.data, facts.len).text, settings_of(r));
        if (status == EXIT_OK)
            introduce_scaled(s, r);
        if (status == EXIT_OK && !know(s->boards, &words, &facts, NULL))
            status = EXIT_INPUT;
    }
    if (status == EXIT_OK)
        is->board = hash_of(json_object_get(s->boards, key.text));
    buf_free(&words);
    buf_free(&facts);
    return status;
}

/* Computes the key: the hash of all facts together. */
static int seal(struct sweep *s, const struct sweep_point *p, struct run *r, struct sweep_identity *is) {
    struct buf inputs = {0}, all = {0};
    bool ok = put_tensors(s, &r->options, &inputs);
    is->inputs = hash_bytes(inputs.data, inputs.len);
    buf_printf(&all, "heddle %s %s\nkernel %s\nboard %s\ninputs %s\n", heddle_version(), s->build.text, is->kernel.text,
               is->board.text, is->inputs.text);
    run_put_launch(&r->options, &all);
    put_args(&r->options, &all);
    for (u32 i = 0; i < s->naxes; i++)
        if (s->axis[i].form == SWEEP_SAMPLE)
            run_put_fact(&all, s->axis[i].name, sweep_value(s, p, i));
    if (ok && (inputs.failed || all.failed))
        ui_error("out of memory");
    ok = ok && !inputs.failed && !all.failed;
    is->key = hash_bytes(all.data, all.len);
    buf_free(&inputs);
    buf_free(&all);
    return ok ? EXIT_OK : EXIT_INPUT;
}

/* Refuses options of a report, and files that each point would write. */
static bool agree(const struct run_options *o) {
    const struct {
        bool given;
        const char *name;
    } alone[] = {{o->json, "--json"},
                 {o->html, "--html"},
                 {o->sarif, "--sarif"},
                 {o->csv, "--csv"},
                 {o->markdown, "--markdown"},
                 {o->profile, "--profile"},
                 {explain_asked(&o->explain), "--explain"},
                 {o->metrics.len, "--metrics"},
                 {o->beside.len, "--beside"},
                 {o->boards, "--boards"},
                 {o->ideal, "--ideal"},
                 {o->sections.chosen, "--section"},
                 {o->prints.len, "--print"}};
    for (size_t i = 0; i < COUNT_OF(alone); i++)
        if (alone[i].given)
            return ui_error("%s is of one run; 'heddle results' shows those of a sweep", alone[i].name);
    for (u32 i = 0; i < run_tensor_count(o); i++) {
        const struct data_spec *d = &run_tensor_at(o, i)->data;
        if (d->out)
            return ui_option_error(d->option, d->given, (size_t)(d->out - d->given), strlen(d->out),
                                   "every point would write this file; in a sweep buffers are not written");
    }
    if (o->board.name && strchr(o->board.name, ',') && !file_exists(o->board.name))
        return ui_error("a point runs on one board: --over board=%s in place of --board", o->board.name);
    if (strcmp(o->file, "-") == 0) {
        return ui_error("standard input, '-', can be read only once, and a sweep has many points");
    }
    return true;
}

int sweep_identify(struct sweep *s, struct sweep_point *p) {
    if (!sweep_is_run(s))
        return sweep_identify_other(s, p);
    struct run r = {0};
    struct arena arena = {0};
    int argc, status = EXIT_INPUT;
    char **argv;
    bool loaded;
    if (!sweep_command(s, p, &arena, &argc, &argv))
        ui_error("out of memory");
    else if (run_open(&r, argc, argv) && agree(&r.options))
        status = find_kernel(s, &r, &p->is, &loaded);
    if (status == EXIT_OK)
        status = find_board(s, &r, &p->is, loaded);
    if (status == EXIT_OK)
        status = seal(s, p, &r, &p->is);
    run_close(&r);
    arena_free(&arena);
    return status;
}
