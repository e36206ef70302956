/*
 * Descriptions of sweeps that execute something besides heddle: a program as the solver, Lua as the study, options of
 * sbatch, or words that axes make into options. They look like data, so that they run only if their user trusts them.
 */
#include <ctype.h>
#include <string.h>

#include "sim/cli/sweep/plan/plan.h"
#include "sim/file/solver.h"

/* True for a word that is an option, or may become one: no number. */
static bool is_option(const char *word) {
    return *word == '-' && !isdigit((unsigned char)word[1]) && word[1] != '.';
}

/* True if a value of "n=1,2" is an option, and takes the place of {n} in some item. */
static bool puts_option(const struct description_item *axis, const struct description_item *list, size_t n) {
    size_t name = strcspn(axis->value, "=");
    bool option = false, placed = false;
    for (const char *at = axis->value + name; *at && !option; at += 1 + strcspn(at + 1, ","))
        option = is_option(at + 1);
    for (size_t i = 0; option && i < n && !placed; i++)
        for (const char *at = list[i].value; at && (at = strchr(at, '{')) && !placed; at++)
            placed = strncmp(at + 1, axis->value, name) == 0 && at[1 + name] == '}';
    return placed;
}

static bool is_axis(const char *name) {
    return strcmp(name, "over") == 0 || strcmp(name, "with") == 0 || strcmp(name, "bisect") == 0;
}

static bool is_word(const char *text, size_t len, const char *word) {
    return strlen(word) == len && strncmp(text, word, len) == 0;
}

/* True if the command line has the option, which then replaces that of the file. */
static bool is_given(const struct lines *l, const char *name) {
    bool given = false;
    for (int i = 1; i < l->nown + l->npoint; i++) {
        const char *word = i < l->nown ? l->own[i] : l->point[i - l->nown];
        given |= strncmp(word, "--", 2) == 0 && is_word(word + 2, strcspn(word + 2, "="), name);
    }
    return given;
}

/* Returns what the item executes, in words that precede its value; NULL = nothing. */
static const char *executes(const struct sweep_file *f, const struct description_item *item, const struct lines *l) {
    size_t n, axis = item->value && is_axis(item->name) ? strcspn(item->value, "=") : 0;
    const struct description_item *list = sweep_file_items(f, &n);
    const char *value = item->value ? item->value : "";
    if (strcmp(item->name, "solver") == 0 && solver_is_program(value) && !is_given(l, "solver"))
        return "the program";
    if (axis && is_word(value, axis, "solver"))
        return "the programs";
    if (strcmp(item->name, "slurm") == 0 && !is_given(l, "slurm"))
        return "sbatch with";
    if (strcmp(item->name, f->command) == 0 && is_option(value))
        return "a command with";
    if (axis && puts_option(item, list, n))
        return "a command with";
    if (strcmp(item->name, f->command) != 0 || strcmp(item->name, "study") != 0 || item->value != f->first)
        return NULL;
    return sweep_study_ships(value) ? NULL : "the Lua of";
}

bool sweep_file_trusted(const struct sweep_file *f, const struct lines *l) {
    size_t n;
    const struct description_item *item = sweep_file_items(f, &n);
    struct diag diag = sweep_file_diag(f);
    for (size_t i = 0; i < n; i++) {
        const char *what = f->script || f->shipped ? NULL : executes(f, &item[i], l);
        const char *slash = strrchr(f->path, '/');
        if (strcmp(item[i].name, "trust") == 0)
            diag_error(&diag, item[i].name_at, "a description is trusted on the command line alone, by --trust");
        else if (what && !is_given(l, "trust"))
            diag_error(&diag, item[i].value_at, "this runs %s '%s'; if you trust who wrote it: heddle sweep %s --trust",
                       what, item[i].value ? item[i].value : "", slash ? slash + 1 : f->path);
    }
    sweep_file_show(&diag);
    return !diag.errors;
}
