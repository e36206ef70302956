#include "sim/cli/json.h"

#include <stdio.h>

enum { DEPTH = 16 }; /* of structures in one another */

/* The maps and lists that are open; each belongs to the one around it. */
struct tree {
    json_t *open[DEPTH];
    u32 depth;
    heddle_sink_field field;
};

static void add(struct tree *t, const char *name, json_t *value) {
    if (name)
        json_put(t->open[t->depth - 1], name, value);
    else
        json_add(t->open[t->depth - 1], value);
}

static void open(void *ctx, const char *name, char bracket) {
    struct tree *t = ctx;
    if (t->depth == DEPTH)
        BUG("structures too deep");
    json_t *inner = bracket == '{' ? json_new() : json_list();
    add(t, name, inner);
    t->open[t->depth++] = inner;
}

static void close(void *ctx, char bracket) {
    (void)bracket;
    ((struct tree *)ctx)->depth--;
}

static json_t *json_hex(u64 n) {
    char text[24];
    snprintf(text, sizeof text, "0x%llx", (unsigned long long)n);
    return json_text(text);
}

static json_t *json_value(const struct heddle_value *v) {
    switch (v->kind) {
    case HEDDLE_KIND_BOOL: return json_boolean(v->truth);
    case HEDDLE_KIND_WHOLE: return json_u64(v->whole);
    case HEDDLE_KIND_SIGNED: return json_s64(v->number);
    case HEDDLE_KIND_HEX: return json_hex(v->whole);
    case HEDDLE_KIND_REAL: return json_number(v->real);
    case HEDDLE_KIND_TEXT: return json_text(v->text);
    case HEDDLE_KIND_BYTES:
    case HEDDLE_KIND_RECORD: break;
    }
    return json_null();
}

static void value(void *ctx, const char *name, const struct heddle_value *v) {
    add(ctx, name, json_value(v));
}

static void none(void *ctx, const char *name) {
    add(ctx, name, json_null());
}

void record_json_put(const struct heddle_sink *to, const char *name, json_t *v) {
    add(to->ctx, name, v);
}

void record_json_put_source(const struct heddle_sink *to, const struct heddle_record *of, const void *record) {
    const struct heddle_field *text = heddle_record_field(of, "text");
    if (text && !heddle_record_field(of, "source"))
        record_json_put(to, "source", json_text(heddle_field_value(text, record, 0).text));
}

/* Checks that whatever prints JSON knows the fields that have a form of their own there. */
static bool own_field(const struct heddle_sink *to, const struct heddle_record *of, const struct heddle_field *f,
                      const void *record) {
    const struct tree *t = to->ctx;
    bool written = t->field && t->field(to, of, f, record);
    if (f->json && !written)
        BUG("a field with a form of its own in JSON that nothing writes");
    return written;
}

json_t *record_json(const char *name, const void *record, heddle_sink_field field) {
    struct tree t = {.open = {json_new()}, .depth = 1, .field = field};
    const struct heddle_sink to = {&t, HEDDLE_JSON, open, close, value, none, own_field};
    heddle_walk(&to, heddle_record(name), record);
    return t.open[0];
}

json_t *record_json_list(const char *name, const void *records, u64 count, heddle_sink_field field) {
    const struct heddle_record *of = heddle_record(name);
    json_t *all = json_list();
    for (u64 i = 0; i < count; i++)
        json_add(all, record_json(name, (const char *)records + i * of->size, field));
    return all;
}
