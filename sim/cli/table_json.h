/* A table as JSON: an array of objects, the columns by their keys, bars left out. */
#ifndef HEDDLE_CLI_TABLE_JSON_H
#define HEDDLE_CLI_TABLE_JSON_H

#include "sim/cli/json.h"
#include "sim/file/table.h"

/* Makes the array; NULL when out of memory. */
json_t *table_json(const struct table *t);

#endif
