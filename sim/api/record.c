#include "sim/api/record.h"

#include <string.h>

const struct heddle_record *heddle_record(const char *name) {
    for (const struct heddle_record *r = heddle_records; r->name; r++)
        if (strcmp(r->name, name) == 0)
            return r;
    return NULL;
}

const struct heddle_field *heddle_record_field(const struct heddle_record *of, const char *name) {
    for (uint32_t i = 0; i < of->nfields; i++)
        if (strcmp(of->fields[i].name, name) == 0)
            return &of->fields[i];
    return NULL;
}

static const unsigned char *elements(const struct heddle_field *f, const void *record) {
    const unsigned char *at = (const unsigned char *)record + f->offset, *far = at;
    if (f->far && at)
        memcpy(&far, at, sizeof far);
    return far;
}

static const char *text_at(const struct heddle_field *f, const unsigned char *at) {
    const char *text;
    if (f->size == 1) /* an array of characters */
        return (const char *)at;
    memcpy(&text, at, sizeof text);
    return text;
}

/* True unless the structure's field [exists] is NULL or 0. */
static bool exists(const struct heddle_record *of, const void *record) {
    const struct heddle_field *f = of ? of->exists : NULL;
    struct heddle_value v = f ? heddle_field_value(f, record, 0) : (struct heddle_value){0};
    return !f || (f->kind == HEDDLE_KIND_TEXT ? v.text != NULL : v.whole != 0);
}

bool heddle_field_there(const struct heddle_field *f, const void *record) {
    if (f->there && !f->there(record))
        return false;
    const unsigned char *at = elements(f, record);
    if (f->list)
        return at || (f->count && f->count(record) == 0);
    return at && exists(f->record, at) && (f->null || f->kind != HEDDLE_KIND_TEXT || text_at(f, at));
}

uint64_t heddle_field_count(const struct heddle_field *f, const void *record) {
    uint32_t names = 0;
    if (f->kind == HEDDLE_KIND_BYTES)
        return 1;
    if (f->count)
        return f->count(record);
    while (f->element && f->element(names, NULL))
        names++;
    return f->element ? names : 1;
}

static uint64_t whole_at(const unsigned char *at, uint32_t size) {
    uint32_t word;
    uint64_t number;
    if (size == 1)
        return *at;
    if (size == sizeof word)
        return memcpy(&word, at, sizeof word), word;
    return memcpy(&number, at, sizeof number), number;
}

struct heddle_value heddle_field_value(const struct heddle_field *f, const void *record, uint64_t index) {
    const unsigned char *at = elements(f, record) + index * f->size;
    struct heddle_value v = {.kind = f->kind, .field = f};
    int32_t number;
    switch (f->kind) {
    case HEDDLE_KIND_BOOL: v.truth = *at != 0; break;
    case HEDDLE_KIND_WHOLE:
    case HEDDLE_KIND_HEX: v.whole = whole_at(at, f->size); break;
    case HEDDLE_KIND_SIGNED:
        memcpy(&number, at, sizeof number);
        v.number = number;
        break;
    case HEDDLE_KIND_REAL:
        memcpy(&v.real, at, sizeof v.real);
        if (f->whole && f->whole(record)) {
            v.kind = HEDDLE_KIND_WHOLE;
            v.whole = (uint64_t)v.real;
        }
        break;
    case HEDDLE_KIND_TEXT: v.text = text_at(f, at); break;
    case HEDDLE_KIND_BYTES:
        v.text = (const char *)at;
        v.whole = f->count(record);
        break;
    case HEDDLE_KIND_RECORD: v.record = at; break;
    }
    return v;
}

/* ---- the walk ---- */

static void walk_from(const struct heddle_sink *to, const struct heddle_record *of, const void *record, uint32_t first);

static void put_record(const struct heddle_sink *to, const char *name, const struct heddle_record *of,
                       const void *record, uint32_t first) {
    to->open(to->ctx, name, '{');
    walk_from(to, of, record, first);
    to->close(to->ctx, '}');
}

static void put(const struct heddle_sink *to, const char *name, const struct heddle_field *f, const void *record,
                uint64_t i) {
    struct heddle_value v = heddle_field_value(f, record, i);
    if (v.kind == HEDDLE_KIND_RECORD && exists(f->record, v.record))
        put_record(to, name, f->record, v.record, 0);
    else if (v.kind == HEDDLE_KIND_RECORD || (v.kind == HEDDLE_KIND_TEXT && !v.text) ||
             (v.kind == HEDDLE_KIND_WHOLE && f->null && v.whole == UINT64_MAX))
        to->none(to->ctx, name);
    else
        to->value(to->ctx, name, &v);
}

/* Writes structures by their names: each as its value, or a map of its other fields. */
static void put_named(const struct heddle_sink *to, const struct heddle_field *f, const void *record, uint64_t n) {
    const struct heddle_record *of = f->record;
    to->open(to->ctx, f->name, '{');
    for (uint64_t i = 0; i < n; i++) {
        const void *one = heddle_field_value(f, record, i).record;
        const char *name = heddle_field_value(&of->fields[0], one, 0).text;
        if (!of->value)
            put_record(to, name, of, one, 1);
        else if (heddle_field_there(of->value, one))
            put(to, name, of->value, one, 0);
        else
            to->none(to->ctx, name);
    }
    to->close(to->ctx, '}');
}

/* Writes elements that a function names: all as members of the structure, or a map of those above 0. */
static void put_elements(const struct heddle_sink *to, const struct heddle_field *f, const void *record, uint64_t n) {
    if (!f->columns)
        to->open(to->ctx, f->name, '{');
    for (uint32_t i = 0; i < n; i++)
        if (f->columns || heddle_field_value(f, record, i).whole)
            put(to, f->element(i, NULL), f, record, i);
    if (!f->columns)
        to->close(to->ctx, '}');
}

static void put_list(const struct heddle_sink *to, const struct heddle_field *f, const void *record, uint64_t n) {
    uint64_t row = f->row ? f->row(record) : 0;
    to->open(to->ctx, f->name, '[');
    for (uint64_t i = 0; i < n; i++) {
        if (row && i % row == 0)
            to->open(to->ctx, NULL, '[');
        put(to, NULL, f, record, i);
        if (row && i % row == row - 1)
            to->close(to->ctx, ']');
    }
    to->close(to->ctx, ']');
}

static void walk_from(const struct heddle_sink *to, const struct heddle_record *of, const void *record,
                      uint32_t first) {
    for (uint32_t i = first; i < of->nfields; i++) {
        const struct heddle_field *f = &of->fields[i];
        bool own = f->json && to->form == HEDDLE_JSON;
        if ((f->without & to->form) || (!own && !heddle_field_there(f, record)) ||
            (to->field && to->field(to, of, f, record)))
            continue;
        uint64_t n = heddle_field_count(f, record);
        if (f->element)
            put_elements(to, f, record, n);
        else if (f->list && f->record && f->record->named)
            put_named(to, f, record, n);
        else if (f->list)
            put_list(to, f, record, n);
        else
            put(to, f->name, f, record, 0);
    }
}

void heddle_walk(const struct heddle_sink *to, const struct heddle_record *of, const void *record) {
    walk_from(to, of, record, 0);
}
