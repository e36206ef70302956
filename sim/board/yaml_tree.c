#include "sim/board/yaml_tree.h"

#include <string.h>

#include "sim/base/arena.h"

static bool fail(struct diag *diag, yaml_mark_t at, const char *text) {
    diag_error(diag, (struct span){(u32)at.line + 1, (u32)at.column + 1, 1}, "%s", text);
    return false;
}

static bool no_memory(struct diag *diag) {
    return fail(diag, (yaml_mark_t){0}, "memory ran out");
}

/* Begins to read the text; yaml_parser_delete releases the parser. */
static bool begin(yaml_parser_t *p, const char *text, size_t len, struct diag *diag) {
    if (!yaml_parser_initialize(p))
        return no_memory(diag);
    yaml_parser_set_input_string(p, (const unsigned char *)text, len);
    return true;
}

static bool too_many(struct diag *diag, yaml_mark_t at, int most, const char *what) {
    diag_error(diag, (struct span){(u32)at.line + 1, (u32)at.column + 1, 1}, "more than %d %s", most, what);
    return false;
}

static bool parser_fail(const yaml_parser_t *p, struct diag *diag) {
    if (p->error == YAML_MEMORY_ERROR)
        return no_memory(diag);
    return fail(diag, p->problem_mark, p->problem ? p->problem : "this is not YAML");
}

/* A list or section that has begun. */
struct begun {
    int node, key; /* key: the one whose value is next; 0: a key is next, or it is a list */
};

struct anchor {
    const char *name; /* in `names` */
    int node;
};

struct maker {
    yaml_document_t *tree;
    struct diag *diag;
    struct begun begun[YAML_DEPTH_MOST];
    struct anchor anchor[YAML_ANCHORS_MOST];
    struct arena names;
    int depth, anchors, documents;
};

static const struct anchor *find_anchor(const struct maker *m, const yaml_char_t *name) {
    int i = 0;
    while (i < m->anchors && strcmp(m->anchor[i].name, (const char *)name) != 0)
        i++;
    return i < m->anchors ? &m->anchor[i] : NULL;
}

static bool note_anchor(struct maker *m, const yaml_char_t *name, int node, yaml_mark_t at) {
    if (!name)
        return true;
    if (find_anchor(m, name))
        return fail(m->diag, at, "found duplicate anchor");
    if (m->anchors == YAML_ANCHORS_MOST)
        return too_many(m->diag, at, YAML_ANCHORS_MOST, "anchors");
    const char *kept = arena_strndup(&m->names, (const char *)name, strlen((const char *)name));
    m->anchor[m->anchors++] = (struct anchor){kept, node};
    return kept || no_memory(m->diag);
}

/* Makes a node an entry of the innermost list or section, if there is one. */
static bool enter(struct maker *m, int node) {
    struct begun *in = m->depth ? &m->begun[m->depth - 1] : NULL;
    bool section = in && yaml_document_get_node(m->tree, in->node)->type == YAML_MAPPING_NODE;
    int key = section ? in->key : 0;
    if (section)
        in->key = key ? 0 : node;
    if (!in || (section && !key))
        return true;
    return section ? yaml_document_append_mapping_pair(m->tree, in->node, key, node)
                   : yaml_document_append_sequence_item(m->tree, in->node, node);
}

/* Adds the node that an event begins; `node` is 0 when memory ran out. */
static bool add(struct maker *m, const yaml_event_t *e, int node, const yaml_char_t *anchor) {
    if (!node || !enter(m, node))
        return no_memory(m->diag);
    yaml_node_t *made = yaml_document_get_node(m->tree, node);
    made->start_mark = e->start_mark;
    made->end_mark = e->end_mark;
    bool noted = note_anchor(m, anchor, node, e->start_mark);
    if (!noted || e->type == YAML_SCALAR_EVENT)
        return noted;
    if (m->depth == YAML_DEPTH_MOST)
        return too_many(m->diag, e->start_mark, YAML_DEPTH_MOST, "lists and sections inside one another");
    m->begun[m->depth++] = (struct begun){.node = node};
    return true;
}

static bool take(struct maker *m, const yaml_event_t *e) {
    const struct anchor *anchor;
    switch (e->type) {
    case YAML_DOCUMENT_START_EVENT:
        return !m->documents++ || fail(m->diag, e->start_mark, "a second document; a file has one");
    case YAML_SCALAR_EVENT:
        if (memchr(e->data.scalar.value, '\0', e->data.scalar.length))
            return fail(m->diag, e->start_mark, "a text with a NUL character");
        return add(m, e,
                   yaml_document_add_scalar(m->tree, NULL, e->data.scalar.value, (int)e->data.scalar.length,
                                            e->data.scalar.style),
                   e->data.scalar.anchor);
    case YAML_SEQUENCE_START_EVENT:
        return add(m, e, yaml_document_add_sequence(m->tree, NULL, YAML_ANY_SEQUENCE_STYLE),
                   e->data.sequence_start.anchor);
    case YAML_MAPPING_START_EVENT:
        return add(m, e, yaml_document_add_mapping(m->tree, NULL, YAML_ANY_MAPPING_STYLE),
                   e->data.mapping_start.anchor);
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT:
        yaml_document_get_node(m->tree, m->begun[--m->depth].node)->end_mark = e->end_mark;
        return true;
    case YAML_ALIAS_EVENT:
        anchor = find_anchor(m, e->data.alias.anchor);
        return anchor ? enter(m, anchor->node) || no_memory(m->diag)
                      : fail(m->diag, e->start_mark, "found undefined alias");
    default: return true;
    }
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

/* Reads the text event by event, and makes the tree of what is within the bounds. */
static bool make(struct maker *m, yaml_parser_t *p) {
    bool ok = true, more = true;
    while (more) {
        yaml_event_t e;
        ok = yaml_parser_parse(p, &e) || parser_fail(p, m->diag);
        more = ok && e.type != YAML_STREAM_END_EVENT && (ok = take(m, &e));
        if (e.type != YAML_NO_EVENT)
            yaml_event_delete(&e);
    }
    return ok;
}

bool yaml_tree(yaml_document_t *tree, const char *text, size_t len, struct diag *diag) {
    yaml_parser_t p;
    struct maker m = {.tree = tree, .diag = diag};
    if (!few_directives(text, len, diag) || !begin(&p, text, len, diag))
        return false;
    bool made = yaml_document_initialize(tree, NULL, NULL, NULL, 0, 0);
    bool ok = made ? make(&m, &p) : no_memory(diag);
    yaml_parser_delete(&p);
    arena_free(&m.names);
    if (made && !ok)
        yaml_document_delete(tree);
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
