/*
 * Documents: JSON as text, to and from jansson's values.
 *
 *   struct buf why = {0};
 *   json_t *all = document_read("a.json", text, len, &why);
 *   if (!all)
 *       ... why.data: "a.json:2:12: error: this is not JSON: ':' expected near '1'", and the line with a caret
 */
#ifndef HEDDLE_FILE_DOCUMENT_H
#define HEDDLE_FILE_DOCUMENT_H

#include <jansson.h>

#include "sim/base/buf.h"

enum { DOCUMENT_DEEPEST = JSON_PARSER_MAX_DEPTH }; /* values inside of one another that are read */

/* The value of a text, which must be the only one in it; names twice in an object are a mistake. */
json_t *document_read(const char *name, const char *text, size_t len, struct buf *why);

/* Appends the value, and the end of its last line; `flags` are those of json_dumps. */
bool document_write(const json_t *value, size_t flags, struct buf *out);

/* A string. Text need not be UTF-8, as names of files, and JSON must be: its bytes above 127 are '?' then. */
json_t *document_string(const char *text, size_t len);

#endif
