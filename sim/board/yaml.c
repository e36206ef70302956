/* Board descriptions as YAML: the only file that knows libyaml. Positions come from its marks, 0-based there. */
#include "sim/board/board.h"

#include <stdio.h>
#include <string.h>
#include <yaml.h>

enum { KEYS_MAX = 1000 }; /* each is compared with those before it */

struct reader {
    struct board *board;
    const struct board_source *source;
    struct diag *diag; /* of the file being read */
    const char *file;
    int depth;
};

static struct span span_of(yaml_mark_t start, yaml_mark_t end) {
    size_t len = end.line == start.line && end.column > start.column ? end.column - start.column : 1;
    return (struct span){(u32)start.line + 1, (u32)start.column + 1, (u32)len};
}

static bool read_text(const struct reader *r, const char *text, size_t len);

/* A base is read with its own diagnostics; the first of them is passed on at the place that names the base. */
static bool read_base(const struct reader *r, const char *name, struct span at) {
    size_t len = 0;
    if (r->depth == BOARD_BASE_DEPTH) {
        diag_error(r->diag, at, "more than %d boards build on each other; does one build on itself?", BOARD_BASE_DEPTH);
        return false;
    }
    const char *text = r->source && r->source->read ? r->source->read(r->source->ctx, name, &len) : NULL;
    if (!text) {
        diag_error(r->diag, at, "there is no board file '%.80s' beside this one", name);
        return false;
    }
    struct diag own = {.file = name, .source = text, .source_len = len};
    struct reader base = {r->board, r->source, &own, name, r->depth + 1};
    if (read_text(&base, text, len))
        return true;
    diag_error(r->diag, at, "%s:%u:%u: %s", name, own.message[0].at.line, own.message[0].at.col, own.message[0].text);
    return false;
}

static bool read_pair(const struct reader *r, const yaml_node_t *key, const yaml_node_t *value, bool bases) {
    struct span key_at = span_of(key->start_mark, key->end_mark), at = span_of(value->start_mark, value->end_mark);
    if (key->type != YAML_SCALAR_NODE) {
        diag_error(r->diag, key_at, "a key must be a word");
        return false;
    }
    const char *word = (const char *)key->data.scalar.value;
    bool base = strcmp(word, "base") == 0, name = strcmp(word, "name") == 0;
    enum board_field field = BOARD_FIELDS;
    if (bases != base)
        return true;
    if (!base && !name && (field = board_field_find(word, key_at, r->diag)) == BOARD_FIELDS)
        return false;
    if (value->type != YAML_SCALAR_NODE) {
        diag_error(r->diag, at, "'%s' must be a single value", word);
        return false;
    }
    const char *text = (const char *)value->data.scalar.value;
    if (base)
        return read_base(r, text, at);
    if (!name) {
        char origin[sizeof r->board->origin[0]];
        snprintf(origin, sizeof origin, "%.80s:%u", r->file, at.line);
        return board_put(r->board, field, text, origin, at, r->diag);
    }
    if (strlen(text) >= sizeof r->board->name || !*text) {
        diag_error(r->diag, at, "a name has 1 to %zu characters", sizeof r->board->name - 1);
        return false;
    }
    snprintf(r->board->name, sizeof r->board->name, "%s", text);
    return true;
}

/* libyaml lets a key come twice; then one of the two is a mistake. */
static bool unique(const struct reader *r, yaml_document_t *doc, const yaml_node_pair_t *first,
                   const yaml_node_pair_t *pair) {
    const yaml_node_t *key = yaml_document_get_node(doc, pair->key);
    for (const yaml_node_pair_t *p = first; p < pair; p++) {
        const yaml_node_t *other = yaml_document_get_node(doc, p->key);
        if (other->type != YAML_SCALAR_NODE || key->type != YAML_SCALAR_NODE ||
            strcmp((const char *)other->data.scalar.value, (const char *)key->data.scalar.value) != 0)
            continue;
        diag_error(r->diag, span_of(key->start_mark, key->end_mark),
                   "'%s' stands here for the second time, first in line %zu", (const char *)key->data.scalar.value,
                   other->start_mark.line + 1);
        return false;
    }
    return true;
}

static bool read_document(const struct reader *r, yaml_document_t *doc) {
    const yaml_node_t *root = yaml_document_get_root_node(doc);
    bool ok = true;
    if (!root || root->type != YAML_MAPPING_NODE) {
        diag_error(r->diag, (struct span){1, 1, 1}, "a board is a list of 'key: value' lines");
        return false;
    }
    const yaml_node_pair_t *first = root->data.mapping.pairs.start, *end = root->data.mapping.pairs.top;
    if (end - first > KEYS_MAX) {
        diag_error(r->diag, (struct span){1, 1, 1}, "%td keys; a board has at most %d", end - first, KEYS_MAX);
        return false;
    }
    /* The base first, wherever it stands: it must not overwrite what this file says. */
    for (int bases = 1; bases >= 0; bases--)
        for (const yaml_node_pair_t *p = first; p < end; p++) {
            ok &= !bases || unique(r, doc, first, p);
            ok &= read_pair(r, yaml_document_get_node(doc, p->key), yaml_document_get_node(doc, p->value), bases);
        }
    return ok;
}

static bool read_text(const struct reader *r, const char *text, size_t len) {
    yaml_parser_t parser;
    yaml_document_t doc;
    bool ok = false;
    if (!yaml_parser_initialize(&parser)) {
        diag_error(r->diag, (struct span){0, 0, 1}, "memory ran out");
        return false;
    }
    yaml_parser_set_input_string(&parser, (const unsigned char *)text, len);
    if (yaml_parser_load(&parser, &doc)) {
        ok = read_document(r, &doc);
        yaml_document_delete(&doc);
    } else {
        struct span at = {(u32)parser.problem_mark.line + 1, (u32)parser.problem_mark.column + 1, 1};
        diag_error(r->diag, at, "%s", parser.problem ? parser.problem : "this is not YAML");
    }
    yaml_parser_delete(&parser);
    return ok;
}

bool board_load(struct board *b, const struct board_source *source, const char *file, const char *text, size_t len,
                struct diag *diag) {
    struct reader r = {b, source, diag, file, 0};
    return read_text(&r, text, len) && diag->errors == 0;
}
