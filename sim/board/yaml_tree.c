#include "sim/board/yaml_tree.h"

#include <string.h>

static bool fail(struct diag *diag, yaml_mark_t at, const char *text) {
    diag_error(diag, (struct span){(u32)at.line + 1, (u32)at.column + 1, 1}, "%s", text);
    return false;
}

/* Begins to read the text; yaml_parser_delete releases the parser. */
static bool begin(yaml_parser_t *p, const char *text, size_t len, struct diag *diag) {
    if (!yaml_parser_initialize(p))
        return fail(diag, (yaml_mark_t){0}, "memory ran out");
    yaml_parser_set_input_string(p, (const unsigned char *)text, len);
    return true;
}

static bool too_many(struct diag *diag, yaml_mark_t at, int most, const char *what) {
    diag_error(diag, (struct span){(u32)at.line + 1, (u32)at.column + 1, 1}, "more than %d %s", most, what);
    return false;
}

static bool parser_fail(const yaml_parser_t *p, struct diag *diag) {
    if (p->error == YAML_MEMORY_ERROR)
        return fail(diag, (yaml_mark_t){0}, "memory ran out");
    return fail(diag, p->problem_mark, p->problem ? p->problem : "this is not YAML");
}

/* What was met of a text so far. */
struct met {
    int depth, anchors;
};

static bool bounded(struct met *met, const yaml_event_t *e, struct diag *diag) {
    const yaml_char_t *anchor = NULL;
    switch (e->type) {
    case YAML_SEQUENCE_START_EVENT:
        anchor = e->data.sequence_start.anchor;
        met->depth++;
        break;
    case YAML_MAPPING_START_EVENT:
        anchor = e->data.mapping_start.anchor;
        met->depth++;
        break;
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT: met->depth--; break;
    case YAML_SCALAR_EVENT: anchor = e->data.scalar.anchor; break;
    default: break;
    }
    met->anchors += anchor != NULL;
    if (met->depth > YAML_DEPTH_MOST)
        return too_many(diag, e->start_mark, YAML_DEPTH_MOST, "lists and sections inside one another");
    return met->anchors <= YAML_ANCHORS_MOST || too_many(diag, e->start_mark, YAML_ANCHORS_MOST, "anchors");
}

/* Counts the lines that are directives, which libyaml compares with one another. */
static bool few_directives(const char *text, size_t len, struct diag *diag) {
    yaml_mark_t at = {0};
    int n = 0;
    for (const char *line = text, *end = text + len; line && line < end; at.line++) {
        if (*line == '%' && ++n > YAML_ANCHORS_MOST)
            return too_many(diag, at, YAML_ANCHORS_MOST, "directives");
        line = memchr(line, '\n', (size_t)(end - line));
        line = line ? line + 1 : NULL;
    }
    return true;
}

/* Reads the text once, event by event, within the bounds. */
static bool check(const char *text, size_t len, struct diag *diag) {
    yaml_parser_t p;
    struct met met = {0};
    if (!few_directives(text, len, diag) || !begin(&p, text, len, diag))
        return false;
    bool ok = true, more = true;
    while (more) {
        yaml_event_t e;
        ok = yaml_parser_parse(&p, &e) || parser_fail(&p, diag);
        more = ok && e.type != YAML_STREAM_END_EVENT && (ok = bounded(&met, &e, diag));
        if (e.type != YAML_NO_EVENT)
            yaml_event_delete(&e);
    }
    yaml_parser_delete(&p);
    return ok;
}

bool yaml_tree(yaml_document_t *tree, const char *text, size_t len, struct diag *diag) {
    yaml_parser_t p;
    if (!check(text, len, diag) || !begin(&p, text, len, diag))
        return false;
    bool ok = yaml_parser_load(&p, tree) || parser_fail(&p, diag);
    yaml_parser_delete(&p);
    return ok;
}

struct span yaml_span(const yaml_node_t *node) {
    yaml_mark_t start = node->start_mark, end = node->end_mark;
    size_t len = end.line == start.line && end.column > start.column ? end.column - start.column : 1;
    return (struct span){(u32)start.line + 1, (u32)start.column + 1, (u32)len};
}

const char *yaml_text(const yaml_node_t *node) {
    return node->type == YAML_SCALAR_NODE ? (const char *)node->data.scalar.value : NULL;
}
