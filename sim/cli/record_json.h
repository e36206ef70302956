/*
 * Structures of heddle.h as JSON, by their table (sim/api/record.h): a map of all fields that are there.
 *
 *   json_t *all = record_json("heddle_result", &result, NULL);
 *
 * `field` may write a field in another form, with record_json_put, or leave it out, by returning true.
 */
#ifndef HEDDLE_CLI_RECORD_JSON_H
#define HEDDLE_CLI_RECORD_JSON_H

#include "sim/api/record.h"
#include "sim/cli/json.h"

json_t *record_json(const char *name, const void *record, heddle_sink_field field);

/* Makes a list of `count` structures, one after the other in memory. */
json_t *record_json_list(const char *name, const void *records, u64 count, heddle_sink_field field);

/* Takes the reference to the value. */
void record_json_put(const struct heddle_sink *to, const char *name, json_t *value);

/* Writes the text of an instruction as `source`, too: its name in heddle-run-1, for one version. */
void record_json_put_source(const struct heddle_sink *to, const struct heddle_record *of, const void *record);

#endif
