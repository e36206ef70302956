/*
 * Board descriptions as board_print writes them, read without libyaml: takes the place of yaml.c where there is none.
 *
 *   sms: 54              # a key of the top
 *   l2.slices: 40        # a key with its section
 *   l2:                  # a section: its keys follow, indented
 *     ways: 16
 */
#include "sim/board/shipped.h"

#include <stdio.h>
#include <string.h>

enum { LINE_MAX_BYTES = 256 };

/* Boards that ship are files there. */
const struct board_shipped board_shipped[1];
const u32 board_shipped_count = 0;

/* No device is known there: a board that names one gives all that it has. */
bool device_read(struct device *d, const struct board_source *source, const char *name, struct span at,
                 struct diag *diag) {
    (void)source, (void)at, (void)diag;
    *d = (struct device){.known = false};
    snprintf(d->name, sizeof d->name, "%s", name);
    return true;
}

const char *device_shipped(u32 index) {
    (void)index;
    return NULL;
}

struct reader {
    struct board_given given;
    struct diag *diag;
    const char *file;
    char section[40];     /* whose keys follow, "" = none */
    u32 seen[BOARD_KEYS]; /* line that sets it; 0: none yet */
    u32 line;
};

/* Length of the text before a comment and its blanks: a '#' after a blank, outside of quotes. */
static size_t without_comment(const char *text, size_t len) {
    bool quoted = false;
    size_t end = 0;
    for (size_t i = 0; i < len && (quoted || text[i] != '#' || (i > 0 && text[i - 1] != ' ')); i++) {
        quoted ^= text[i] == '"' && (i == 0 || text[i - 1] != '\\');
        if (text[i] != ' ' && text[i] != '\r')
            end = i + 1;
    }
    return end;
}

/* A value in quotes without them, in place. */
static void unquote(char *text) {
    size_t len = strlen(text);
    char *to = text;
    if (len < 2 || *text != '"' || text[len - 1] != '"')
        return;
    for (const char *p = text + 1; p < text + len - 1; p++) {
        if (*p == '\\' && p + 1 < text + len - 1)
            p++;
        *to++ = *p;
    }
    *to = 0;
}

static bool read_value(struct reader *r, const char *word, char *text, struct span key, struct span at) {
    char origin[BOARD_ORIGIN_MAX];
    unquote(text);
    if (strcmp(word, "name") == 0)
        return board_put_name(r->given.board, text, at, r->diag);
    if (strcmp(word, "base") == 0) {
        diag_error(r->diag, key, "a board can build on another only in a YAML file");
        return false;
    }
    snprintf(origin, sizeof origin, "%.48s:%u", r->file, r->line);
    if (strcmp(word, "dram.device") == 0)
        return board_put_device(&r->given, NULL, text, origin, at);
    u32 what = board_key_find(word, r->given.next, key, r->diag);
    if (what == BOARD_KEYS)
        return false;
    if (r->seen[what]) {
        diag_error(r->diag, key, "'%s' is set twice, first in line %u", word, r->seen[what]);
        return false;
    }
    r->seen[what] = r->line;
    return board_put(&r->given, what, text, origin, at);
}

/* `line` has no comment and no blanks at its end. */
static bool read_line(struct reader *r, char *line) {
    u32 indent = (u32)strspn(line, " ");
    char *key = line + indent, *colon = strchr(key, ':'), word[LINE_MAX_BYTES + 48];
    struct span at = {r->line, indent + 1, (u32)strlen(key)};
    if (!colon || colon == key || (colon[1] && colon[1] != ' ')) {
        diag_error(r->diag, at, "a board is a list of 'key: value' lines");
        return false;
    }
    *colon = 0;
    char *value = colon + 1 + strspn(colon + 1, " ");
    at.len = (u32)(colon - key);
    if (indent == 0) {
        snprintf(r->section, sizeof r->section, "%s", *value ? "" : key);
        if (!*value)
            return true;
    }
    bool inside = indent > 0 && *r->section;
    snprintf(word, sizeof word, "%s%s%s", inside ? r->section : "", inside ? "." : "", key);
    struct span value_at = {r->line, (u32)(value - line) + 1, (u32)strlen(value) ? (u32)strlen(value) : 1};
    return read_value(r, word, value, at, value_at);
}

bool board_load(struct board *b, const struct board_source *source, const struct board_text *t, struct diag *diag) {
    const char *slash = strrchr(t->file, '/');
    struct reader r = {.given = {.board = b, .diag = diag, .lines = true},
                       .diag = diag,
                       .file = slash ? slash + 1 : t->file};
    char line[LINE_MAX_BYTES];
    (void)source;
    if (!t->text) {
        diag_error(diag, (struct span){0, 1, 1}, "the text of a board is wanted");
        return false;
    }
    for (size_t at = 0; at < t->len && diag->errors <= DIAG_MAX;) {
        const char *stop = memchr(t->text + at, '\n', t->len - at);
        size_t n = stop ? (size_t)(stop - t->text) - at : t->len - at, used = without_comment(t->text + at, n);
        r.line++;
        if (used >= sizeof line || memchr(t->text + at, 0, used)) {
            diag_error(diag, (struct span){r.line, 1, 1}, "a line of a board has at most %d characters",
                       LINE_MAX_BYTES - 1);
            return false;
        }
        memcpy(line, t->text + at, used);
        line[used] = 0;
        if (used)
            read_line(&r, line);
        at += n + 1;
    }
    return diag->errors == 0 && board_end(&r.given);
}
