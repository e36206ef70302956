#define JSON_UNCHECKED
#include "sim/cli/json.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "sim/file/document.h"
#include "sim/file/table.h"

static bool failed; /* a document is incomplete */

/* Allocates for jansson, which does not report each failure itself: a text that is read can lose a byte. */
static void *allocate(size_t size) {
    void *block = malloc(size);
    failed |= !block;
    return block;
}

void json_begin(void) {
    json_set_alloc_funcs(allocate, free);
}

static json_t *checked(json_t *v) {
    failed |= !v;
    return v;
}

json_t *json_new(void) {
    return checked(json_object());
}

json_t *json_list(void) {
    return checked(json_array());
}

json_t *json_make(const char *format, ...) {
    va_list ap;
    va_start(ap, format);
    json_t *v = json_vpack_ex(NULL, 0, format, ap);
    va_end(ap);
    return checked(v);
}

json_t *json_u64(u64 n) {
    return checked(json_integer(n > INT64_MAX ? INT64_MAX : (json_int_t)n));
}

json_t *json_s64(s64 n) {
    return checked(json_integer(n));
}

json_t *json_number(double v) {
    return isfinite(v) ? checked(json_real(v)) : json_null();
}

json_t *json_text_of(const char *text, size_t len) {
    return checked(document_string(text, len));
}

json_t *json_text(const char *text) {
    return json_text_of(text, strlen(text));
}

json_t *json_clone(const json_t *v) {
    return checked(json_deep_copy(v));
}

void json_put(json_t *object, const char *name, json_t *value) {
    failed |= json_object_set_new(object, name, value) != 0;
}

void json_add(json_t *array, json_t *value) {
    failed |= json_array_append_new(array, value) != 0;
}

void json_merge(json_t *object, json_t *from) {
    failed |= json_object_update(object, from) != 0;
}

bool json_complete(void) {
    return !failed;
}

bool json_write_line(json_t *v, struct buf *out) {
    failed |= !v || !document_write(v, JSON_COMPACT | JSON_PRESERVE_ORDER, out);
    json_decref(v);
    return !failed && !out->failed;
}

bool json_write(const json_t *all, struct buf *out) {
    failed |= !all || !document_write(all, JSON_INDENT(2) | JSON_PRESERVE_ORDER, out);
    return !failed && !out->failed;
}

/* ---- tables ---- */

static json_t *cell(const struct table_cell *cell, const char *text) {
    if (cell->kind == CELL_NONE)
        return json_null();
    if (cell->kind == CELL_WORD)
        return json_text(text);
    return cell->number == floor(cell->number) && fabs(cell->number) < 0x1p53 ? json_s64((s64)cell->number)
                                                                              : json_number(cell->number);
}

json_t *json_table(const struct table *t) {
    json_t *all = t->cells.failed || t->texts.failed ? NULL : json_list();
    for (u32 row = 0; all && row < table_rows(t); row++) {
        json_t *one = json_new();
        if (table_cell(t, row, 0)->launch)
            json_put(one, "launch", json_u64(table_cell(t, row, 0)->launch));
        for (u32 c = 0; c < t->columns; c++)
            if (t->column[c].kind != TABLE_BAR)
                json_put(one, t->column[c].key, cell(table_cell(t, row, c), table_cell_text(t, row, c)));
        json_add(all, one);
    }
    return all;
}
