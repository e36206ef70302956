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

enum { DOCUMENT_DEEPEST = JSON_PARSER_MAX_DEPTH }; /* deepest nesting of values that is read */

/* Reads the only value of a text; a name twice in an object is an error. */
json_t *document_read(const char *name, const char *text, size_t len, struct buf *why);

/* Appends the value, and a final newline; `flags` are those of json_dumps. */
bool document_write(const json_t *value, size_t flags, struct buf *out);

/* Makes a string. Names of files need not be UTF-8, as JSON must: without UTF-8, bytes above 127 become '?'. */
json_t *document_string(const char *text, size_t len);

#endif
