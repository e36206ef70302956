#include "sim/cli/replay/replay.h"

#include <string.h>

#include "sim/cli/file.h"
#include "sim/cli/run/identity.h"
#include "sim/cli/ui.h"
#include "sim/file/document.h"

/* ---- the recording's first line ---- */

static bool wrong(const struct replay *r, const char *name) {
    ui_error_as(r->file, "this is not a recording of 'heddle run --record': '%s' is missing, or is something else",
                name);
    return false;
}

static bool check_head(const struct replay *r) {
    const char *format = json_string_value(json_object_get(r->head, "format"));
    const json_t *of = json_object_get(r->head, "of"), *words = json_object_get(r->head, "command");
    const char *version = json_string_value(json_object_get(r->head, "heddle"));
    size_t i;
    json_t *word;
    if (!format || strcmp(format, "heddle-recording-1") != 0)
        return wrong(r, "format");
    if (!json_is_array(words) || !json_array_size(words))
        return wrong(r, "command");
    json_array_foreach((json_t *)(uintptr_t)words, i, word) if (!json_is_string(word)) return wrong(r, "command");
    if (!json_is_string(json_object_get(of, "kernel")) || !json_is_string(json_object_get(of, "board")) ||
        !json_is_object(json_object_get(of, "buffers")))
        return wrong(r, "of");
    if (!json_is_integer(json_object_get(r->head, "cycles")) || !json_is_integer(json_object_get(r->head, "from")) ||
        !json_is_integer(json_object_get(r->head, "to")))
        return wrong(r, "cycles");
    if (!version || strcmp(version, heddle_version()) != 0) {
        ui_error_as(r->file, "heddle %s has made it, and this is heddle %s: their clocks may differ",
                    version ? version : "?", heddle_version());
        return false;
    }
    return true;
}

static bool read_head(struct replay *r) {
    struct buf text = {0}, why = {0};
    bool ok = file_read_line(r->file, &text);
    if (ok)
        r->head = document_read(r->file, text.data ? text.data : "", text.len, &why);
    if (ok && !r->head)
        ui_show(stderr, why.failed || !why.len ? "heddle: error: out of memory\n" : why.data);
    ok = ok && r->head && check_head(r);
    buf_free(&text);
    buf_free(&why);
    return ok;
}

/* ---- its launch ---- */

/* The command line, without what it wrote and printed. */
static bool open_run(struct replay *r) {
    const json_t *words = json_object_get(r->head, "command");
    size_t n = json_array_size(words);
    struct run_options *o = &r->run.options;
    r->argv = arena_alloc(&r->arena, (n + 2) * sizeof *r->argv);
    for (size_t i = 0; r->argv && i < n; i++) {
        const char *word = json_string_value(json_array_get(words, i));
        r->argv[i + 1] = arena_strndup(&r->arena, word, strlen(word));
        if (!r->argv[i + 1])
            r->argv = NULL;
    }
    if (!r->argv) {
        ui_error("out of memory");
        return false;
    }
    static char name[] = "heddle run";
    r->argv[0] = name;
    if (!run_open(&r->run, (int)n + 1, r->argv))
        return false;
    o->json = o->sarif = o->csv = o->markdown = NULL;
    o->quiet = true;
    o->prints.len = 0;
    for (u32 i = 0; i < run_tensor_count(o); i++)
        run_tensor_at(o, i)->data.out = NULL;
    if (strcmp(o->file, "-") == 0) {
        ui_error_as(r->file, "the kernel came from standard input, and cannot be read again");
        return false;
    }
    return true;
}

/* Of what is not what it was. */
static bool changed(const struct replay *r, const char *what, const char *name) {
    ui_error_as(r->file, "%s%s%s%s is not what was recorded; record the launch again", what, *name ? " '" : "", name,
                *name ? "'" : "");
    return false;
}

static bool check_identity(struct replay *r) {
    const json_t *was = json_object_get(r->head, "of");
    json_t *is = run_identity(&r->run), *hash;
    const json_t *buffers = json_object_get(is, "buffers"), *had = json_object_get(was, "buffers");
    const char *name;
    bool ok = is != NULL;
    if (ok && !json_equal(json_object_get(was, "kernel"), json_object_get(is, "kernel")))
        ok = changed(r, "the kernel", r->run.options.file);
    if (ok && !json_equal(json_object_get(was, "board"), json_object_get(is, "board")))
        ok = changed(r, "the board", heddle_board_name(r->run.h));
    json_object_foreach((json_t *)(uintptr_t)buffers, name, hash) {
        if (ok && !json_equal(hash, json_object_get(had, name)))
            ok = changed(r, "buffer", name);
    }
    if (ok && json_object_size(buffers) != json_object_size(had))
        ok = changed(r, "the number of buffers", "");
    json_decref(is);
    return ok;
}

/* The cycles that the question is about: one before, because a state is of what has happened until then. */
static struct heddle_watch choose_span(const struct replay *r) {
    if (r->state)
        return (struct heddle_watch){.from = r->at ? r->at - 1 : 0, .to = r->at + 1};
    if (r->spanned)
        return r->span;
    if (run_record_given(&r->record))
        return r->record.watch;
    return (struct heddle_watch){.from = (u64)json_integer_value(json_object_get(r->head, "from")),
                                 .to = (u64)json_integer_value(json_object_get(r->head, "to"))};
}

static int check_cycles(const struct replay *r) {
    u64 cycles = (u64)json_integer_value(json_object_get(r->head, "cycles"));
    if (r->run.result.cycles == cycles)
        return EXIT_OK;
    ui_error_as(r->file, "the launch now takes %s cycles, not %s", grouped(r->run.result.cycles).text,
                grouped(cycles).text);
    return EXIT_FAULT;
}

int replay_open(struct replay *r) {
    if (!read_head(r) || !open_run(r))
        return EXIT_INPUT;
    u64 cycles = (u64)json_integer_value(json_object_get(r->head, "cycles"));
    if (r->state && r->at > cycles) {
        ui_error("--at %llu: the launch has %s cycles", (unsigned long long)r->at, grouped(cycles).text);
        return EXIT_INPUT;
    }
    int status = run_prepare(&r->run);
    if (status == EXIT_OK && !check_identity(r))
        status = EXIT_INPUT;
    return status;
}

int replay_launch(struct replay *r) {
    r->run.options.record = r->record;
    r->run.options.record.watch = choose_span(r);
    r->run.options.record.events = r->file; /* whatever is asked, it is recorded */
    int status = run_launches(&r->run);
    return status == EXIT_OK ? check_cycles(r) : status;
}

void replay_free(struct replay *r) {
    run_close(&r->run);
    json_decref(r->head);
    arena_free(&r->arena);
}
