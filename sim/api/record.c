#include "sim/api/record.h"

#include <string.h>

const struct heddle_record *heddle_record(const char *name) {
    for (const struct heddle_record *r = heddle_records; r->name; r++)
        if (strcmp(r->name, name) == 0)
            return r;
    return NULL;
}

static const unsigned char *elements(const struct heddle_field *f, const void *record) {
    const unsigned char *at = (const unsigned char *)record + f->offset;
    if (f->far)
        memcpy(&at, at, sizeof at);
    return at;
}

static const char *text_at(const struct heddle_field *f, const unsigned char *at) {
    const char *text;
    if (f->size == 1) /* an array of characters */
        return (const char *)at;
    memcpy(&text, at, sizeof text);
    return text;
}

bool heddle_field_there(const struct heddle_field *f, const void *record) {
    if (f->there && !f->there(record))
        return false;
    const unsigned char *at = elements(f, record);
    if (f->list)
        return at || (f->count && f->count(record) == 0);
    return at && (f->kind != HEDDLE_KIND_TEXT || text_at(f, at));
}

uint64_t heddle_field_count(const struct heddle_field *f, const void *record) {
    uint32_t names = 0;
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
    struct heddle_value v = {.kind = f->kind};
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
    case HEDDLE_KIND_RECORD: v.record = at; break;
    }
    return v;
}
