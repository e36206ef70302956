/* Finds the command that a line means. */
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

/* Commands of other debuggers. */
static const struct other_row {
    const char *words, *line, *answer; /* exactly one of `line` and `answer` is NULL */
} others[] = {
#define ALIAS(words, line) {words, line, NULL},
#define INSTEAD(words, answer) {words, NULL, answer},
#include "sim/debug/commands.def"
};

/* Finds a command by its name or short form; NULL if unknown. */
static const struct command_row *named(const char *word) {
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        if (strcmp(rows[i].name, word) == 0 || (*word && strcmp(rows[i].brief, word) == 0))
            return &rows[i];
    return NULL;
}

/* Finds a command by name, short form, or a beginning that only one name has; *fit: the number of names that fit. */
static const struct command_row *find(const char *word, u32 *fit) {
    const struct command_row *found = named(word);
    *fit = found != NULL;
    for (size_t i = 0; i < COUNT_OF(rows) && !named(word); i++)
        if (strncmp(rows[i].name, word, strlen(word)) == 0) {
            found = &rows[i];
            ++*fit;
        }
    return found;
}

/* True if the line begins with the words up to `end`: several by their beginnings, one exactly or up to a slash. */
static bool begins_with(const char *line, const char *words, const char *end, const char **rest) {
    struct words given = {.rest = line}, wanted = {.rest = words, .end = end};
    char word[WORD_BYTES], want[WORD_BYTES];
    bool several = memchr(words, ' ', (size_t)(end - words)) != NULL;
    while (*words_next(&wanted, want, sizeof want)) {
        size_t len = strlen(words_next(&given, word, sizeof word));
        if (!several && !strchr(want, '/'))
            len = strcspn(word, "/");
        if (!len || strncmp(word, want, len) != 0 || (!several && want[len]))
            return false;
    }
    *rest = given.rest;
    return true;
}

/* Finds the row of another debugger's words at the start of the line, and the rest of it; NULL if there is none. */
static const struct other_row *find_other(const char *line, const char **rest) {
    for (size_t i = 0; i < COUNT_OF(others); i++)
        for (const char *at = others[i].words, *end; *at; at = end + strspn(end, ", ")) {
            end = at + strcspn(at, ",");
            if (begins_with(line, at, end, rest))
                return &others[i];
        }
    return NULL;
}

/* Returns the first word that is too long for any command; NULL if there is none. */
static const char *too_long(const char *line) {
    for (size_t n; *(line += strspn(line, " \t")); line += n)
        if ((n = strcspn(line, " \t")) >= WORD_BYTES)
            return line;
    return NULL;
}

/* Handles another debugger's words, with `rest` after them: runs the command that they mean, or names one to use. */
static bool perform_other(struct debug *d, const struct other_row *row, const char *line, const char *rest) {
    struct buf meant = {0};
    line += strspn(line, " \t");
    if (row->answer)
        return debug_refuse(d, "there is no '%.*s' here: %s", (int)(rest - line), line, row->answer);
    size_t at = strcspn(row->line, "*");
    buf_printf(&meant, "%.*s%s%s%s", (int)at, row->line, row->line[at] ? "" : " ", rest,
               row->line[at] ? row->line + at + 1 : "");
    bool ok = meant.failed ? debug_refuse(d, "out of memory") : debug_perform(d, meant.data);
    buf_free(&meant);
    return ok;
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
    const char *rest;
    const struct other_row *other = named(word) ? NULL : find_other(line, &rest);
    if (other)
        return perform_other(d, other, line, rest);
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

/* Undoes a command that is refused, perhaps for its later words. */
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
        return debug_refuse(d, "the recording was replaced by another launch or board");
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
    return debug_refuse(d, "expected step, next, until or continue, which have a way back, not '%s'", word);
}

/* Column of the documentation; a longer head has a line of its own. */
enum { DOC_COLUMN = 22 };

static void put_row(struct debug *d, const char *head, const char *doc) {
    buf_printf(&d->out, "%-*s", DOC_COLUMN, head);
    if (strlen(head) >= DOC_COLUMN)
        buf_printf(&d->out, "\n%*s", DOC_COLUMN, "");
    buf_printf(&d->out, "%s\n", doc);
}

static void put_command(struct debug *d, const struct command_row *row) {
    char head[80];
    snprintf(head, sizeof head, "%s%s%s %s", row->name, *row->brief ? ", " : "", row->brief, row->arguments);
    put_row(d, head, row->doc);
}

static void put_other(struct debug *d, const struct other_row *row) {
    char line[64];
    snprintf(line, sizeof line, "`%s`", row->line ? row->line : "");
    put_row(d, row->words, row->answer ? row->answer : line);
}

/* Prints one row, for `help WORD`; false if the command is unknown. */
static bool help_one(struct debug *d, struct words *w) {
    char word[32];
    const char *line = w->rest, *rest;
    u32 fit;
    words_next(w, word, sizeof word);
    const struct other_row *other = named(word) ? NULL : find_other(line, &rest);
    if (other) {
        put_other(d, other);
        w->rest = rest;
        return true;
    }
    const struct command_row *row = find(word, &fit);
    if (fit != 1)
        return debug_refuse(d, "there is no command '%s'", word);
    put_command(d, row);
    return true;
}

bool debug_help(struct debug *d, struct words *w) {
    struct words ahead = *w;
    char word[32];
    words_next(&ahead, word, sizeof word);
    bool gdb = strcmp(word, "gdb") == 0;
    if (*word && !gdb)
        return help_one(d, w);
    *w = ahead;
    for (size_t i = 0; i < COUNT_OF(others) && gdb; i++)
        put_other(d, &others[i]);
    for (size_t i = 0; i < COUNT_OF(rows) && !gdb; i++)
        put_command(d, &rows[i]);
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
