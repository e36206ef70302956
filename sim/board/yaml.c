/*
 * Board descriptions as YAML. Positions are marks of libyaml, which count from 0.
 *
 *   sms: 54              a key of the top
 *   l2.slices: 40        a key with its section
 *   l2:                  the section, and below it
 *     ways: 16           its keys
 */
#include "sim/board/board.h"

#include <stdio.h>
#include <string.h>

#include "sim/board/shipped.h"
#include "sim/board/yaml_tree.h"

/* Things that a file may set once: the keys, the sections, its name, its base. */
enum { ONCE_SECTION = BOARD_KEYS, ONCE_NAME = ONCE_SECTION + BOARD_SECTIONS, ONCE_BASE, ONCE_DEVICE, ONCE_COUNT };

struct reader {
    struct board *board;
    const struct board_source *source;
    struct diag *diag; /* diagnostics of the file being read */
    const char *file;
    const struct reader *above; /* of the board that builds on this one; NULL: none */
    int depth;
    yaml_document_t doc;
    u32 line[ONCE_COUNT]; /* [key] line that sets it; 0: none yet */
    struct board_given given;
};

static bool read_text(struct reader *r, const char *text, size_t len);

static bool fail(const struct reader *r, struct span at, const char *text) {
    diag_error(r->diag, at, "%s", text);
    return false;
}

/* True if no more errors would be kept. */
static bool enough(const struct reader *r) {
    return r->diag->errors > DIAG_MAX;
}

static const char *without_folder(const char *file) {
    const char *slash = strrchr(file, '/');
    return slash ? slash + 1 : file;
}

/* Finds a board that builds on itself, over however many others: bases lie in one folder. */
static bool is_read(const struct reader *r, const char *file) {
    while (r && strcmp(without_folder(r->file), file) != 0)
        r = r->above;
    return r != NULL;
}

/* Reads a base with diagnostics of its own; the first of them is passed on at the place that names the base. */
static bool read_base(const struct reader *r, const char *name, struct span at) {
    if (r->depth == BOARD_BASE_DEPTH) {
        diag_error(r->diag, at, "more than %d boards build on each other", BOARD_BASE_DEPTH);
        return false;
    }
    const struct description d = description_base(r->source, r->file, name);
    if (!d.text) {
        diag_error(r->diag, at, "there is no board file '%.60s' beside this one, and no board of the name ships; %s",
                   name, description_hint(name).text);
        return false;
    }
    if (!d.shipped && is_read(r, d.file)) {
        diag_error(r->diag, at, "the board '%.60s' builds on itself", name);
        return false;
    }
    struct diag own = {.file = d.file, .source = d.text, .source_len = d.len};
    struct reader base = {.board = r->board, .diag = &own, .file = d.file, .above = r, .depth = r->depth + 1};
    base.source = d.shipped ? NULL : r->source; /* a board that ships builds on nothing of the user's */
    if (read_text(&base, d.text, d.len))
        return true;
    diag_error(r->diag, at, "%s:%u:%u: %s", d.file, own.message[0].at.line, own.message[0].at.col, own.message[0].text);
    return false;
}

/* libyaml accepts a key twice, and l2.slices may be written in two ways; then one of the two is a mistake. */
static bool once(struct reader *r, u32 what, const char *word, struct span at) {
    if (r->line[what]) {
        diag_error(r->diag, at, "'%s' is set twice, first in line %u", word, r->line[what]);
        return false;
    }
    r->line[what] = at.line;
    return true;
}

/* Reads a key that is no section, `word` with its section in front. */
static bool read_value(struct reader *r, const char *word, struct span key_at, const yaml_node_t *value) {
    struct span at = yaml_span(value);
    const char *text = yaml_text(value);
    char origin[sizeof r->board->origin[0]];
    u32 what = strcmp(word, "name") == 0          ? (u32)ONCE_NAME
               : strcmp(word, "base") == 0        ? (u32)ONCE_BASE
               : strcmp(word, "dram.device") == 0 ? (u32)ONCE_DEVICE
                                                  : board_key_find(word, r->given.next, key_at, r->diag);
    if (what == BOARD_KEYS || !once(r, what, word, key_at))
        return false;
    if (!text) {
        diag_error(r->diag, at, "'%s' must be a single value", word);
        return false;
    }
    if (what == ONCE_NAME)
        return board_put_name(r->board, text, at, r->diag);
    if (what == ONCE_BASE) /* has been read */
        return true;
    snprintf(origin, sizeof origin, "%.48s:%u", without_folder(r->file), at.line);
    if (what == ONCE_DEVICE)
        return board_put_device(&r->given, r->source, text, origin, at);
    return board_put(&r->given, what, text, origin, at);
}

/* The section of that name; BOARD_SECTIONS when there is none. Keys of the top are in no section. */
static enum board_section find_section(const char *word) {
    u32 s = 0;
    while (s < BOARD_SECTIONS && (s == SECTION_top || strcmp(board_sections[s].name, word) != 0))
        s++;
    return (enum board_section)s;
}

static bool read_section(struct reader *r, enum board_section section, struct span at, const yaml_node_t *value) {
    const char *name = board_sections[section].name;
    bool ok = true;
    if (!once(r, ONCE_SECTION + section, name, at))
        return false;
    if (value->type != YAML_MAPPING_NODE) {
        diag_error(r->diag, at, "'%s' is a section: its keys follow it, indented", name);
        return false;
    }
    const yaml_node_pair_t *end = value->data.mapping.pairs.top;
    for (const yaml_node_pair_t *p = value->data.mapping.pairs.start; p < end && !enough(r); p++) {
        const yaml_node_t *key = yaml_document_get_node(&r->doc, p->key);
        struct span key_at = yaml_span(key);
        char word[80];
        if (!yaml_text(key))
            return fail(r, key_at, "a key must be a word");
        snprintf(word, sizeof word, "%s.%.60s", name, yaml_text(key));
        ok &= read_value(r, word, key_at, yaml_document_get_node(&r->doc, p->value));
    }
    return ok;
}

static bool read_pair(struct reader *r, const yaml_node_pair_t *pair) {
    const yaml_node_t *key = yaml_document_get_node(&r->doc, pair->key);
    const yaml_node_t *value = yaml_document_get_node(&r->doc, pair->value);
    struct span at = yaml_span(key);
    if (!yaml_text(key))
        return fail(r, at, "a key must be a word");
    enum board_section section = find_section(yaml_text(key));
    return section == BOARD_SECTIONS ? read_value(r, yaml_text(key), at, value) : read_section(r, section, at, value);
}

/* Read first, wherever it is named: the base must not overwrite what this file sets. */
static bool read_bases(struct reader *r, const yaml_node_pair_t *first, const yaml_node_pair_t *end) {
    for (const yaml_node_pair_t *p = first; p < end; p++) {
        const yaml_node_t *key = yaml_document_get_node(&r->doc, p->key);
        const yaml_node_t *value = yaml_document_get_node(&r->doc, p->value);
        if (yaml_text(key) && strcmp(yaml_text(key), "base") == 0 && yaml_text(value))
            return read_base(r, yaml_text(value), yaml_span(value));
    }
    return true;
}

/*
 * Names a board that builds on another and has no name of its own by its file: "mine" for boards/mine.yaml. It keeps
 * the other's where that would be none.
 */
static void name_by_file(const struct reader *r) {
    const char *file = without_folder(r->file);
    char stem[256];
    struct diag none = {.file = file};
    snprintf(stem, sizeof stem, "%.*s", (int)strcspn(file, "."), file);
    board_put_name(r->board, stem, (struct span){0}, &none);
}

static bool read_document(struct reader *r) {
    const yaml_node_t *root = yaml_document_get_root_node(&r->doc);
    if (!root || root->type != YAML_MAPPING_NODE)
        return fail(r, (struct span){1, 1, 1}, "a board is a list of 'key: value' lines");
    const yaml_node_pair_t *first = root->data.mapping.pairs.start, *end = root->data.mapping.pairs.top;
    bool ok = read_bases(r, first, end);
    r->given = (struct board_given){.board = r->board, .diag = r->diag, .lines = true};
    for (const yaml_node_pair_t *p = first; p < end && !enough(r); p++)
        ok &= read_pair(r, p);
    if (r->line[ONCE_BASE] && !r->line[ONCE_NAME])
        name_by_file(r);
    return ok && board_end(&r->given);
}

static bool read_text(struct reader *r, const char *text, size_t len) {
    if (!yaml_tree(&r->doc, text, len, r->diag))
        return false;
    bool ok = read_document(r);
    yaml_document_delete(&r->doc);
    return ok;
}

bool board_load(struct board *b, const struct board_source *source, const struct board_text *t, struct diag *diag) {
    struct description d = {.text = NULL};
    if (!t->text)
        d = description_shipped(t->file);
    if (!t->text && !d.text) {
        diag_error(diag, (struct span){0, 1, 1}, "no board of this name ships; %s", description_hint(t->file).text);
        return false;
    }
    struct reader r = {.board = b, .source = t->text ? source : NULL, .diag = diag, .file = t->text ? t->file : d.file};
    return read_text(&r, t->text ? t->text : d.text, t->text ? t->len : d.len) && diag->errors == 0;
}
