/*
 * Writing JSON. Each function records its failure, out of memory or a value that cannot be JSON, and json_write then
 * refuses the document: it is either complete or not written. This header hides jansson's own constructors, whose
 * failure is a silently missing member.
 *
 *   json_t *all = json_make("{s:s}", "kernel", name);
 *   json_put(all, "cycles", json_u64(cycles));
 *   bool ok = json_write(all, &text);
 */
#ifndef HEDDLE_CLI_JSON_H
#define HEDDLE_CLI_JSON_H

#include <jansson.h>

#include "sim/api/record.h"
#include "sim/base/buf.h"

struct table;

/* Prepares writing JSON; called once, before anything else. */
void json_begin(void);

json_t *json_new(void);  /* {} */
json_t *json_list(void); /* [] */

/* Makes a value like json_pack. */
json_t *json_make(const char *format, ...);

json_t *json_u64(u64 n); /* at most 2^63 - 1 */
json_t *json_s64(s64 n);
json_t *json_number(double v); /* null when it is not finite */

/* Makes a string. Names of files need not be UTF-8, as JSON must: other bytes become '?'. */
json_t *json_text(const char *text);
json_t *json_text_of(const char *text, size_t len);

json_t *json_clone(const json_t *v);

/* Adds a member; takes the reference to the value. */
void json_put(json_t *object, const char *name, json_t *value);
void json_add(json_t *array, json_t *value);

/* Adds all members of `from`, whose reference stays the caller's. */
void json_merge(json_t *object, json_t *from);

/* True if nothing has failed, including reading documents. */
bool json_complete(void);

/* Writes the value on one line; takes its reference. False if anything has failed. */
bool json_write_line(json_t *v, struct buf *out);

/* Writes the document, indented, keys in the order of json_put. False if anything has failed. */
bool json_write(const json_t *all, struct buf *out);

/* A table: an array of objects, the columns by their keys, bars left out. NULL when out of memory. */
json_t *json_table(const struct table *t);

#ifndef JSON_UNCHECKED
#pragma GCC poison json_object json_array json_string json_stringn json_integer json_real json_pack json_deep_copy
#pragma GCC poison json_object_set json_object_set_new json_array_append json_array_append_new json_object_update
#pragma GCC poison json_dumps json_dump_callback
#endif

/*
 * Structures of heddle.h as JSON, by their table (sim/api/record.h): a map of all fields that are there.
 *
 *   json_t *all = record_json("heddle_result", &result, NULL);
 *
 * `field` may write a field in another form, with record_json_put, or leave it out, by returning true.
 */

json_t *record_json(const char *name, const void *record, heddle_sink_field field);

/* Makes a list of `count` structures, one after the other in memory. */
json_t *record_json_list(const char *name, const void *records, u64 count, heddle_sink_field field);

/* Takes the reference to the value. */
void record_json_put(const struct heddle_sink *to, const char *name, json_t *value);

/* Writes the text of an instruction as `source`, too: its name in heddle-run-1, for one version. */
void record_json_put_source(const struct heddle_sink *to, const struct heddle_record *of, const void *record);

#endif
