/*
 * Values of options that several commands have. Each function reads one, and marks a mistake with a caret.
 */
#ifndef HEDDLE_CLI_OPTION_H
#define HEDDLE_CLI_OPTION_H

#include "sim/api/heddle.h"
#include "sim/base/arena.h"
#include "sim/base/buf.h"

/* A whole number of `len` bytes, with blanks around it. No message. */
bool option_number(const char *text, size_t len, u64 *value);

/* X[,Y[,Z]], or with x in place of the commas; of a block at most 1024 in all. */
bool option_dims(const char *option, const char *text, u32 dims[3]);
bool option_block(const char *option, const char *text, u32 block[3]);

bool option_warp(const char *option, const char *text, u32 *warp);

/* A whole number from `least` on; 1e6 and 0x10 too. A count is one from 1 on. */
bool option_whole(const char *option, const char *text, u64 least, u64 *number);
bool option_count(const char *option, const char *text, u64 *count);

/* What a launch's `check` and `schedule` may be. */
bool option_checks(const char *option, const char *text);
bool option_schedule(const char *option, const char *text);

/* --empty: what an empty field of a table is. */
bool option_empty(const char *text, bool *empty_nan);
#define EMPTY_HELP "Empty fields of tables: error (default), or nan, for floating-point types"

/* "512M": K, M, G and T are powers of 1024. */
bool option_size(const char *option, const char *text, u64 *bytes);

/* A context that takes at most so much memory (0 = no bound of its own) and knows what the process may have. */
struct heddle *option_context(u64 max_memory);

/* Splits NAME=REST, of which `form` is the whole form; the name is copied into the arena. */
bool option_name(struct arena *arena, const char *option, const char *form, char *text, const char **name, char **rest);

/* --arg NAME=NUMBER: adds a struct heddle_arg. */
bool option_scalar(struct arena *arena, char *text, struct buf *args);

/* "[4,1024]", which begins at `at`; "[]" is a single number. What follows it, or NULL. */
const char *option_shape(const char *option, const char *text, const char *at, u32 *ndim, u64 shape[HEDDLE_DIMS_MAX]);

#endif
