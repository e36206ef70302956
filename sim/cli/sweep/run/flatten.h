/*
 * A JSON document as the columns of a row: {"proofs": [{"verdict": "equal", "paths": 3}]} is proofs.1.verdict = 'equal'
 * and proofs.1.paths = 3. Elements with a name, a word in a member "id" or "name", have it in place of the number.
 */
#ifndef HEDDLE_CLI_SWEEP_RUN_FLATTEN_H
#define HEDDLE_CLI_SWEEP_RUN_FLATTEN_H

#include "sim/cli/json.h"

enum { FLATTEN_MOST = 1000, FLATTEN_TEXT = 200 }; /* columns of a document; bytes of a text, or of a name */

/*
 * Adds numbers, texts and truth values, as 0 or 1, to the row, outer ones first. *left: number of values without a
 * column.
 */
void flatten(json_t *document, json_t *row, u32 *left);

#endif
