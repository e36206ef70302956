/* What `heddle prove --json` writes. */
#ifndef HEDDLE_CLI_PROVE_REPORT_H
#define HEDDLE_CLI_PROVE_REPORT_H

#include "sim/api/heddle.h"
#include "sim/base/buf.h"
#include "sim/cli/json.h"

/* One proof, as an object of the list "proofs". */
json_t *prove_report_proof(const struct heddle_proof *proof);

/* The whole: names of the files, the context of a board that was chosen (NULL: none was), and the list, whose reference
 * it takes. False when out of memory. */
bool prove_report(const char *const file[2], const struct heddle *h, json_t *proofs, struct buf *out);

#endif
