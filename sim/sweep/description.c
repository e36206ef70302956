#include "sim/sweep/description.h"

#include <string.h>

#include "sim/board/yaml_tree.h"

struct reader {
    struct arena *arena;
    struct buf *items;
    struct diag *diag;
    yaml_document_t doc;
};

static yaml_node_t *node(struct reader *r, int index) {
    return yaml_document_get_node(&r->doc, index);
}

static bool fail(struct reader *r, const yaml_node_t *at, const char *text) {
    return diag_error(r->diag, yaml_span(at), "%s", text);
}

/* A value while it is composed, and the sources of its pieces. */
struct value {
    struct buf text, pieces; /* pieces: list of struct description_piece */
};

static void mark(struct value *v, const yaml_node_t *n, bool as_written) {
    const struct description_piece piece = {v->text.len, yaml_span(n), as_written};
    buf_append(&v->pieces, &piece, sizeof piece);
}

static void put_scalar(struct value *v, const yaml_node_t *n) {
    mark(v, n, n->data.scalar.style == YAML_PLAIN_SCALAR_STYLE);
    buf_puts(&v->text, yaml_text(n));
}

static void free_value(struct value *v) {
    buf_free(&v->text);
    buf_free(&v->pieces);
}

/* Appends a value, or the values of a list with commas between them. */
static bool put_values(struct reader *r, const yaml_node_t *value, struct value *out) {
    if (yaml_text(value)) {
        put_scalar(out, value);
        return true;
    }
    if (value->type != YAML_SEQUENCE_NODE)
        return fail(r, value, "expected a value, or a list of values");
    for (const yaml_node_item_t *i = value->data.sequence.items.start; i < value->data.sequence.items.top; i++) {
        const yaml_node_t *one = node(r, *i);
        if (!yaml_text(one))
            return fail(r, one, "expected a value");
        buf_puts(&out->text, i > value->data.sequence.items.start ? "," : "");
        put_scalar(out, one);
    }
    return true;
}

/* Adds an item; `v` NULL = without a value. */
static bool add(struct reader *r, const yaml_node_t *key, const struct value *v, const yaml_node_t *at) {
    struct description_item *item = buf_push(r->items, sizeof *item);
    void *piece = v && !v->pieces.failed ? arena_alloc(r->arena, v->pieces.len) : NULL;
    if (!item)
        return fail(r, key, "memory ran out");
    *item = (struct description_item){.name = arena_strndup(r->arena, yaml_text(key), strlen(yaml_text(key))),
                                      .name_at = yaml_span(key),
                                      .value_at = yaml_span(at)};
    if (v && piece && !v->text.failed) {
        memcpy(piece, v->pieces.data, v->pieces.len);
        item->value = arena_strndup(r->arena, v->text.data ? v->text.data : "", v->text.len);
        item->piece = piece;
        item->pieces = (u32)(v->pieces.len / sizeof *item->piece);
    }
    return (item->name && (item->value || !v)) || fail(r, key, "memory ran out");
}

static bool add_scalar(struct reader *r, const yaml_node_t *key, const yaml_node_t *value) {
    struct value v = {0};
    put_scalar(&v, value);
    bool ok = add(r, key, &v, value);
    free_value(&v);
    return ok;
}

/* Adds "sms: [40, 80]" below "over:" as an item sms=40,80. */
static bool add_named(struct reader *r, const yaml_node_t *key, const yaml_node_t *map) {
    const yaml_node_pair_t *end = map->data.mapping.pairs.top;
    bool ok = true;
    for (const yaml_node_pair_t *p = map->data.mapping.pairs.start; p < end && ok; p++) {
        const yaml_node_t *name = node(r, p->key), *value = node(r, p->value);
        struct value v = {0};
        if (!yaml_text(name))
            return fail(r, name, "a key must be a word");
        put_scalar(&v, name);
        mark(&v, value, false);
        buf_putc(&v.text, '=');
        ok = put_values(r, value, &v) && add(r, key, &v, value);
        free_value(&v);
    }
    return ok;
}

static bool add_pair(struct reader *r, const yaml_node_pair_t *pair) {
    const yaml_node_t *key = node(r, pair->key), *value = node(r, pair->value);
    bool ok = true;
    if (!yaml_text(key))
        return fail(r, key, "a key must be a word");
    if (value->type == YAML_MAPPING_NODE)
        return add_named(r, key, value);
    if (yaml_text(value)) {
        bool plain = value->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
        return plain && strcmp(yaml_text(value), "true") == 0 ? add(r, key, NULL, value) : add_scalar(r, key, value);
    }
    for (const yaml_node_item_t *i = value->data.sequence.items.start; i < value->data.sequence.items.top && ok; i++)
        ok = yaml_text(node(r, *i)) ? add_scalar(r, key, node(r, *i)) : fail(r, node(r, *i), "expected a value");
    return ok;
}

struct span description_place(const struct description_item *item, size_t at, size_t len) {
    struct span where = item->value_at;
    for (u32 i = 0; i < item->pieces && item->piece[i].at <= at; i++) {
        size_t before = at - item->piece[i].at, whole = item->piece[i].where.len;
        where = item->piece[i].where;
        if (!item->piece[i].as_written || before >= whole)
            continue;
        where.col += (u32)before;
        where.len = (u32)(len && len < whole - before ? len : whole - before);
    }
    return where;
}

static bool read_document(struct reader *r) {
    const yaml_node_t *root = yaml_document_get_root_node(&r->doc);
    if (!root || root->type != YAML_MAPPING_NODE)
        return diag_error(r->diag, (struct span){1, 1, 1},
                          "the description of a sweep is a list of 'option: value' lines");
    const yaml_node_pair_t *first = root->data.mapping.pairs.start, *end = root->data.mapping.pairs.top;
    for (const yaml_node_pair_t *p = first; p < end; p++)
        if (!add_pair(r, p))
            return false;
    return true;
}

bool description_read(const char *text, size_t len, struct arena *arena, struct buf *items, struct diag *diag) {
    struct reader r = {.arena = arena, .items = items, .diag = diag};
    if (!yaml_tree(&r.doc, text, len, diag))
        return false;
    bool ok = read_document(&r);
    yaml_document_delete(&r.doc);
    return ok;
}
