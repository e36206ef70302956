/* Output of `heddle board` besides the values: peaks and warnings, as comments of the YAML, or everything as JSON. */
#ifndef HEDDLE_CLI_BOARD_REPORT_H
#define HEDDLE_CLI_BOARD_REPORT_H

#include "sim/api/heddle.h"
#include "sim/base/buf.h"

/* False after a message. */
bool board_report_text(struct heddle *h, struct buf *out);
bool board_report_json(struct heddle *h, struct buf *out);

#endif
