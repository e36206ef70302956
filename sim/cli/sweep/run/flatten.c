#include "sim/cli/sweep/run/run.h"

#include <stdio.h>
#include <string.h>

#include "sim/base/arena.h"
#include "sim/cli/sweep/plan/plan.h"

/* A value to be visited. */
struct place {
    const char *name;
    json_t *value;
};

struct flattening {
    struct arena arena;
    struct buf queue; /* list of struct place */
    json_t *row;
    u32 columns, left;
};

static void wait_for(struct flattening *f, const char *before, const char *name, json_t *value) {
    char text[FLATTEN_TEXT];
    int len = snprintf(text, sizeof text, "%s%s%s", before, *before ? "." : "", name);
    bool fits = len > 0 && len < (int)sizeof text;
    struct place place = {fits ? arena_strndup(&f->arena, text, (size_t)len) : NULL, value};
    if (place.name)
        buf_append(&f->queue, &place, sizeof place);
    else
        f->left += !json_is_null(value);
}

/* Returns the name of an element; NULL if it has none, or one that describes its contents, such as "L = 64". */
static const char *called(const json_t *element) {
    const char *id = json_string_value(json_object_get(element, "id"));
    id = id ? id : json_string_value(json_object_get(element, "name"));
    return id && *id && !strpbrk(id, " =,:") ? id : NULL;
}

/* True if all elements have names, each a different one. */
static bool are_called(const json_t *list) {
    size_t n = json_array_size(list);
    json_t *seen = json_new();
    bool all = n > 0;
    for (size_t i = 0; i < n && all; i++) {
        const char *name = called(json_array_get(list, i));
        all = name && !json_object_get(seen, name);
        if (all)
            json_put(seen, name, json_null());
    }
    json_decref(seen);
    return all;
}

static void open_list(struct flattening *f, const char *name, const json_t *list) {
    bool names = are_called(list);
    for (size_t i = 0; i < json_array_size(list); i++) {
        char number[24];
        snprintf(number, sizeof number, "%zu", i + 1);
        wait_for(f, name, names ? called(json_array_get(list, i)) : number, json_array_get(list, i));
    }
}

/* Returns the column of a name, unless it would be one of the configuration or the state of a point. */
static const char *column_of(struct flattening *f, const char *name) {
    static const char before[] = "result.";
    char text[FLATTEN_TEXT + sizeof before];
    if (!column_is_own(name) && !column_is_configuration(name) && !json_object_get(f->row, name))
        return name;
    snprintf(text, sizeof text, "%s%s", before, name);
    return arena_strndup(&f->arena, text, strlen(text));
}

static void take(struct flattening *f, const struct place *p) {
    const char *text = json_string_value(p->value), *column = NULL;
    bool is_long = text && strlen(text) > FLATTEN_TEXT;
    if (f->columns < FLATTEN_MOST && !is_long)
        column = column_of(f, p->name);
    f->left += !column;
    f->columns += column != NULL;
    if (column)
        json_put(f->row, column, json_is_boolean(p->value) ? json_s64(json_is_true(p->value)) : json_incref(p->value));
}

static void open_place(struct flattening *f, const struct place *p) {
    const char *key;
    json_t *value;
    if (json_is_array(p->value))
        open_list(f, p->name, p->value);
    else if (json_is_object(p->value))
        json_object_foreach(p->value, key, value) {
            wait_for(f, p->name, key, value);
        }
    else if (!json_is_null(p->value))
        take(f, p);
}

void flatten(json_t *document, json_t *row, u32 *left) {
    struct flattening f = {.row = row};
    open_place(&f, &(struct place){"", document});
    for (size_t i = 0; i < f.queue.len / sizeof(struct place); i++) {
        const struct place p = ((const struct place *)(const void *)f.queue.data)[i]; /* the queue may move */
        open_place(&f, &p);
    }
    *left = f.left;
    buf_free(&f.queue);
    arena_free(&f.arena);
}
