/* Values of options that several commands have. Each function reads one, and marks an error with a caret. */
#ifndef HEDDLE_CLI_OPTION_H
#define HEDDLE_CLI_OPTION_H

#include "sim/api/heddle.h"
#include "sim/base/arena.h"
#include "sim/base/buf.h"

/* Reads a whole number of `len` bytes, with blanks around it. No message. */
bool option_number(const char *text, size_t len, u64 *value);

/* Reads X[,Y[,Z]], or with x in place of the commas; a block has at most 1024 in all. */
bool option_dims(const char *option, const char *text, u32 dims[3]);
bool option_block(const char *option, const char *text, u32 block[3]);

bool option_warp(const char *option, const char *text, u32 *warp);

/* Reads a whole number from `least` on; 1e6 and 0x10 too. A count is one from 1 on. */
bool option_whole(const char *option, const char *text, u64 least, u64 *number);
bool option_count(const char *option, const char *text, u64 *count);

/* Check the values of a launch's `check` and `schedule`. */
bool option_checks(const char *option, const char *text);
bool option_schedule(const char *option, const char *text);

/* Reads --sample; `text` NULL = as by default. */
bool option_sample(const char *option, const char *text, const char **sample);

/* Reads --empty, the value of an empty field of a table. */
bool option_empty(const char *text, bool *empty_nan);
#define EMPTY_HELP "Empty fields of tables: error (default), or nan, for floating-point types"

/* Reads "512M": K, M, G and T are powers of 1024. */
bool option_size(const char *option, const char *text, u64 *bytes);

/* Makes a context with at most this memory (0 = no limit of its own), which knows the limit of the process. */
struct heddle *option_context(u64 max_memory);

/* Splits NAME=REST, the form being `form`; returns the name, in the arena, or NULL after a message. */
const char *option_name(struct arena *arena, const char *option, const char *form, char *text, char **rest);

/* Reads --arg NAME=NUMBER: adds a struct heddle_arg. */
bool option_scalar(struct arena *arena, char *text, struct buf *args);

/* Reads "[4,1024]" at `at`; "[]" is a single number. Returns the text after it, or NULL. */
const char *option_shape(const char *option, const char *text, const char *at, u32 *ndim, u64 shape[HEDDLE_DIMS_MAX]);

/*
 * The option --metrics: names of metrics with commas between them; "l1" is every metric with that first word, * stands
 * for any characters and ? for any one.
 */

/* Finds the row of a metric. False if the name is unknown. */
bool metric_find(const char *name, struct heddle_metric *row);

/* True if the first `len` bytes of `name` mean the metric. */
bool metric_meant(const char *metric, const char *name, size_t len);

/* Adds a list of names, which stay in the text, to `names`, a list of const char *. False after a message. */
bool metrics_option(const char *text, struct buf *names);

/* Calls `put` for each metric, by its index in heddle_metric_row, in the order of the names; each once. */
void metrics_each(const struct buf *names, void (*put)(void *ctx, u32 metric), void *ctx);

enum { OPTION_BUFFERS_MAX = 4096 }; /* of a command: 64 for each of as many kernels */

#endif
