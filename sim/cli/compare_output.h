/* Destinations of a comparison: --json FILE, --csv[=FILE] and --markdown[=FILE]. */
#ifndef HEDDLE_CLI_COMPARE_OUTPUT_H
#define HEDDLE_CLI_COMPARE_OUTPUT_H

#include "sim/cli/compare.h"
#include "sim/cli/file.h"

struct compare_output {
    const char *json, *csv, *markdown; /* "-" is standard output, replacing the text; NULL = not given */
    const struct file_output *files;   /* written with them: `count` files */
    u32 count;
};

/* Promises the files (sim/cli/file.h). False after a message. */
bool compare_output_promise(const struct compare_output *o);

/* Writes a form of the comparison; false when out of memory. */
typedef bool compare_put(const void *ctx, enum compare_form form, struct buf *out);

/* Writes all files, or none, and text on standard output unless a form is written there. False after a message. */
bool compare_output_write(const struct compare_output *o, compare_put *put, const void *ctx);

#endif
