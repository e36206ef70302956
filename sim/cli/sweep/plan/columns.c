#include "sim/cli/sweep/plan/plan.h"

#include <string.h>

#include "sim/api/heddle.h"
#include "sim/cli/board/board.h"
#include "sim/cli/sweep/sweep.h"

/* Options that affect a run; the others concern its report, or files. */
static const char *const options[] = {
    "entry",
    "case",
    "board",
    "repeat",
#define LAUNCH_OPTION(declaration, member, kind, key, name, argument, group, standard, help, doc) name,
#include "sim/base/launch.def"
};

static const char *const own[] = {"id",    "key",   "state",       "command",      "runner",      "attempts",
                                  "begun", "ended", "message",     "wall_seconds", "cpu_seconds", "json",
                                  "build", "file",  "exit_status", "inputs_hash"};

static const char *const configuration[] = {"heddle", "build",  "kernel_hash", "inputs_hash",
                                            "file",   "kernel", "sample",      "uncertainty"};
static const char *const parts[] = {"board.", "arg.", "in.", "inout.", SWEEP_OVER};

static const char *const of_all[] = {"message",     "heddle",       "build",       "inputs_hash",
                                     "exit_status", "wall_seconds", "cpu_seconds", "json"};
static const char *const of_run[] = {"message",
                                     "heddle",
                                     "build",
                                     "kernel_hash",
                                     "board_hash",
                                     "inputs_hash",
                                     "file",
                                     "board",
                                     "kernel",
                                     "grid",
                                     "block",
                                     "warp",
                                     "caches",
                                     "wall_seconds",
                                     "cpu_seconds",
                                     "limiter",
                                     "warp_instructions",
                                     "thread_instructions"};

static bool is_one(const char *name, const char *const *list, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (strcmp(list[i], name) == 0)
            return true;
    return false;
}

bool column_is_own(const char *name) {
    return is_one(name, own, COUNT_OF(own));
}

bool column_is_configuration(const char *name) {
    for (u32 i = 0; i < COUNT_OF(parts); i++)
        if (strncmp(name, parts[i], strlen(parts[i])) == 0)
            return true;
    return is_one(name, configuration, COUNT_OF(configuration)) || is_one(name, options, COUNT_OF(options));
}

bool column_is_peak(const char *name) {
    struct heddle_board_value v;
    struct heddle *h = strncmp(name, "board.", 6) == 0 ? heddle_new() : NULL;
    bool peak = false;
    for (u32 i = 0; h && heddle_board_derived(h, i, &v); i++)
        peak |= strcmp(v.key, name + 6) == 0;
    heddle_free(h);
    return peak;
}

bool column_is_hash(const char *name) {
    const char *end = strrchr(name, '_');
    return strcmp(name, "build") == 0 || (end && strcmp(end, "_hash") == 0);
}

const char *column_option(size_t i) {
    return i < COUNT_OF(options) ? options[i] : NULL;
}

static void add(struct arena *arena, struct buf *to, const char *prefix, const char *name) {
    struct buf text = {0};
    buf_printf(&text, "%s%s", prefix, name);
    const char *kept = text.failed ? NULL : arena_strndup(arena, text.data, text.len);
    buf_append(to, &kept, sizeof kept);
    to->failed |= !kept;
    buf_free(&text);
}

static bool add_measured(struct arena *arena, struct buf *to) {
    struct heddle_metric m;
    struct heddle_board_value v;
    struct heddle *h = heddle_new();
    for (u32 i = 0; heddle_metric_row(i, &m); i++)
        add(arena, to, "", m.name);
    for (u32 i = 0; h && board_key_at(h, i, &v); i++)
        add(arena, to, "board.", v.key);
    heddle_free(h);
    return h != NULL;
}

bool columns_list(struct arena *arena, bool run, struct buf *columns) {
    const char *const *first = run ? of_run : of_all;
    for (size_t i = 0; i < (run ? COUNT_OF(of_run) : COUNT_OF(of_all)); i++)
        add(arena, columns, "", first[i]);
    bool ok = !run || add_measured(arena, columns);
    return (ok && !columns->failed) || ui_no_memory();
}
