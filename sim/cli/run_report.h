/* What `heddle run` says about a launch: a table to read, or JSON. */
#ifndef HEDDLE_CLI_RUN_REPORT_H
#define HEDDLE_CLI_RUN_REPORT_H

#include "sim/cli/run_options.h"

struct run_report {
    const struct run_options *options;
    const char *file;   /* the kernel file that was run */
    const char *source; /* its text, for --profile; NULL when it is an object file */
    size_t source_len;
    const struct heddle_result *result;
    enum heddle_status status;
    const char *error;                   /* what heddle_error said */
    const struct heddle_tensor *tensors; /* of each of the options' tensors */
};

/* The summary, and with --profile the listing. */
void run_report_text(const struct run_report *r, struct buf *out);

/* The same as one JSON object, documented in heddle(1). False when memory is out. */
bool run_report_json(const struct run_report *r, struct buf *out);

#endif
