/* Which command a line means. */
#include <stdio.h>
#include <string.h>

#include "sim/debug/debug.h"

static const struct command_row {
    const char *name, *brief, *arguments, *doc;
    bool (*run)(struct debug *d, struct words *w);
} rows[] = {
#define COMMAND(name, brief, arguments, doc) {#name, brief, arguments, doc, debug_##name},
#include "sim/debug/commands.def"
};

bool heddle_debugger_row(uint32_t index, const char **name, const char **brief, const char **arguments,
                         const char **doc) {
    if (index >= COUNT_OF(rows))
        return false;
    *name = rows[index].name;
    *brief = rows[index].brief;
    *arguments = rows[index].arguments;
    *doc = rows[index].doc;
    return true;
}

/* By its name or its short form; a beginning that only one name has will do. */
static const struct command_row *find(const char *word, u32 *fit) {
    const struct command_row *found = NULL;
    *fit = 0;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        if (strcmp(rows[i].name, word) == 0 || strcmp(rows[i].brief, word) == 0) {
            *fit = 1;
            return &rows[i];
        }
        if (strncmp(rows[i].name, word, strlen(word)) == 0) {
            found = &rows[i];
            ++*fit;
        }
    }
    return found;
}

/* The first word that is longer than any command reads; NULL: there is none. */
static const char *too_long(const char *line) {
    for (size_t n; *(line += strspn(line, " \t")); line += n)
        if ((n = strcspn(line, " \t")) >= WORD_BYTES)
            return line;
    return NULL;
}

bool debug_perform(struct debug *d, const char *line) {
    struct words w = {.rest = line};
    char word[32], more[32];
    u32 fit;
    if (!*words_next(&w, word, sizeof word) || *word == '#')
        return true;
    const char *is_long = too_long(line);
    if (is_long)
        return debug_refuse(d, "'%.16s...' has more than %d characters: give a line's number, or the end of a path",
                            is_long, WORD_BYTES - 1);
    const struct command_row *row = find(word, &fit);
    if (fit != 1)
        return debug_refuse(d,
                            fit ? "'%s' is the beginning of several commands; `help` lists them"
                                : "there is no command '%s'; `help` lists them",
                            word);
    if (!row->run(d, &w))
        return false;
    return !*words_next(&w, more, sizeof more) || debug_refuse(d, "%s takes no '%s' here", row->name, more);
}

/* A command that is refused, perhaps for what stands behind it, changes nothing. */
static bool take_back(struct debug *d, const struct debug *before) {
    d->block = before->block;
    d->warp = before->warp;
    d->cycle = before->cycle;
    d->at = before->at;
    d->lane = before->lane;
    d->stopped = before->stopped;
    d->stops.len = before->stops.len;
    d->left = d->view = false;
    d->out.len = 0;
    return false;
}

bool debug_command(struct debug *d, const char *line) {
    const struct debug before = *d;
    d->back = d->left = d->view = false;
    d->out.len = d->error.len = 0;
    if (heddle_recording(d->h) != d->recording)
        return debug_refuse(d, "the recording is gone: there was another launch, or another board");
    if (!debug_perform(d, line))
        return take_back(d, &before);
    return !d->out.failed || debug_refuse(d, "out of memory");
}

bool debug_reverse(struct debug *d, struct words *w) {
    static const char *const may[] = {"step", "s", "next", "n", "until", "u", "continue", "c"};
    char word[32];
    const char *line = w->rest;
    words_next(w, word, sizeof word);
    for (size_t i = 0; i < COUNT_OF(may); i++)
        if (strcmp(word, may[i]) == 0) {
            d->back = true;
            bool ok = debug_perform(d, line);
            w->rest += strlen(w->rest);
            return ok;
        }
    return debug_refuse(d, "step, next, until and continue have a way back, '%s' has none", word);
}

bool debug_help(struct debug *d, struct words *w) {
    char word[32], head[80];
    u32 fit;
    const struct command_row *only = *words_next(w, word, sizeof word) ? find(word, &fit) : NULL;
    if (*word && (!only || fit != 1))
        return debug_refuse(d, "there is no command '%s'", word);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        if (only && only != &rows[i])
            continue;
        snprintf(head, sizeof head, "%s%s%s %s", rows[i].name, *rows[i].brief ? ", " : "", rows[i].brief,
                 rows[i].arguments);
        bool fits = strlen(head) < 22;
        buf_printf(&d->out, "%-22s%s%s\n", head, fits ? "" : "\n                      ", rows[i].doc);
    }
    return true;
}

bool debug_view(struct debug *d, struct words *w) {
    (void)w;
    d->view = d->viewable;
    return d->view || debug_refuse(d, "the view is of a terminal: `heddle debug --screen`, or the prompt");
}

bool debug_quit(struct debug *d, struct words *w) {
    (void)w;
    d->left = true;
    return true;
}
