/* Output of `heddle prove --json`. */
#ifndef HEDDLE_CLI_PROVE_REPORT_H
#define HEDDLE_CLI_PROVE_REPORT_H

#include "sim/api/heddle.h"
#include "sim/base/buf.h"
#include "sim/cli/json.h"

/* Makes an object of one proof, for the list "proofs". */
json_t *prove_report_proof(const struct heddle_proof *proof);

/* Writes the document: names of the files, the context of a chosen board (NULL = none), and the list, whose reference
 * it takes. False when out of memory. */
bool prove_report(const char *const file[2], const struct heddle *h, json_t *proofs, struct buf *out);

#endif
