#include "sim/cli/replay/replay.h"

#include <string.h>

#include "sim/cli/file.h"
#include "sim/cli/run/run.h"
#include "sim/cli/ui.h"

static bool read_head(struct replay *r) {
    struct buf text = {0};
    bool ok = file_read_line(r->file, &text);
    if (ok)
        r->head = replay_head(r->file, text.data ? text.data : "", text.len);
    buf_free(&text);
    return r->head != NULL;
}

/* ---- its launch ---- */

/* Opens the command line, without its outputs and reports. */
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
    if (!r->argv)
        return ui_error("out of memory");
    static char name[] = "heddle run";
    r->argv[0] = name;
    o->again = true;
    if (!run_open(&r->run, (int)n + 1, r->argv))
        return false;
    o->json = o->html = o->sarif = o->csv = o->markdown = NULL;
    o->quiet = true;
    o->prints.len = 0;
    for (u32 i = 0; i < run_tensor_count(o); i++)
        run_tensor_at(o, i)->data.out = NULL;
    if (strcmp(o->file, "-") == 0)
        return ui_error_as(r->file, "the kernel came from standard input, and cannot be read again");
    return true;
}

/* Reports an input that has changed. */
static bool changed(const struct replay *r, const char *what, const char *name) {
    return ui_error_as(r->file, "%s%s%s%s is not what was recorded; record the launch again", what, *name ? " '" : "",
                       name, *name ? "'" : "");
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
    if (ok && !json_equal(json_object_get(was, "launch"), json_object_get(is, "launch")))
        ok = changed(r, "the size of the launch, an option or an argument of its command", "");
    json_object_foreach((json_t *)(uintptr_t)buffers, name, hash) {
        if (ok && !json_equal(hash, json_object_get(had, name)))
            ok = changed(r, "buffer", name);
    }
    if (ok && json_object_size(buffers) != json_object_size(had))
        ok = changed(r, "the number of buffers", "");
    json_decref(is);
    return ok;
}

/* Chooses the cycles of the question, and one before, because a state contains the events before its cycle. */
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

/* Reports that an input was not found: names of files are relative to the folder of the recorded command. */
static int lost(const struct replay *r) {
    ui_error_as(r->file, "its launch cannot be made from here: files are looked for from the folder where it was made");
    return EXIT_INPUT;
}

static bool check_cycle(const char *option, u64 first, u64 end, u64 cycles) {
    if (first < end)
        return true;
    return ui_error("%s %llu: the launch has %s cycles", option, (unsigned long long)first, grouped(cycles).text);
}

int replay_open(struct replay *r) {
    if (!read_head(r))
        return EXIT_INPUT;
    u64 cycles = (u64)json_integer_value(json_object_get(r->head, "cycles"));
    if ((r->state && !check_cycle("--at", r->at, cycles + 1, cycles)) ||
        (r->spanned && !check_cycle("--span from", r->span.from, cycles, cycles)) ||
        (r->record.given && !check_cycle(r->record.given, r->record.watch.from, cycles, cycles)))
        return EXIT_INPUT;
    int status = open_run(r) ? run_prepare(&r->run) : EXIT_INPUT;
    if (status != EXIT_OK)
        return lost(r);
    return check_identity(r) ? EXIT_OK : EXIT_INPUT;
}

/* Checks that the launch has the requested warp. */
static int check_warp(const struct replay *r) {
    const struct heddle_result *s = &r->run.result;
    u64 threads = (u64)s->block[0] * s->block[1] * s->block[2], warps = (threads + s->warp - 1) / s->warp;
    if (!r->one || (r->block < s->blocks && r->warp < warps))
        return EXIT_OK;
    ui_error("there is no warp %u of block %llu: the launch has %s block%s of %s warp%s, from 0.0 on", r->warp,
             (unsigned long long)r->block, grouped(s->blocks).text, s->blocks == 1 ? "" : "s", grouped(warps).text,
             warps == 1 ? "" : "s");
    return EXIT_INPUT;
}

int replay_launch(struct replay *r) {
    r->run.options.record = r->record;
    r->run.options.record.watch = choose_span(r);
    r->run.options.record.events = r->file; /* records in any case */
    int status = run_launches(&r->run);
    status = status == EXIT_OK ? check_cycles(r) : status;
    return status == EXIT_OK ? check_warp(r) : status;
}

void replay_free(struct replay *r) {
    run_close(&r->run);
    json_decref(r->head);
    arena_free(&r->arena);
}
