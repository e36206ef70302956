/*
 * A JSON document as the columns of a row: {"proofs": [{"verdict": "equal", "paths": 3}]} is proofs.1.verdict = 'equal'
 * and proofs.1.paths = 3. Elements that are called something, by a word in a member "id" or "name", are known by that.
 */
#ifndef HEDDLE_CLI_SWEEP_FLATTEN_H
#define HEDDLE_CLI_SWEEP_FLATTEN_H

#include "sim/cli/json.h"

enum { FLATTEN_MOST = 1000, FLATTEN_TEXT = 200 }; /* columns of a document; bytes of a text, or of a name */

/*
 * Adds numbers, texts and truths, as 0 or 1, to the row: those that lie less deep first. *left: how many there were no
 * columns for.
 */
void flatten(json_t *document, json_t *row, u32 *left);

#endif
