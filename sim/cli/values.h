/*
 * Elements of a buffer as text, as statistics, and as a picture: y, y[7], y[0..15], y[0..3,8..15]. A range has its
 * first and last element, both optional; dimensions not named are shown whole.
 */
#ifndef HEDDLE_CLI_VALUES_H
#define HEDDLE_CLI_VALUES_H

#include "sim/api/heddle.h"
#include "sim/base/buf.h"

struct values {
    u64 first[HEDDLE_DIMS_MAX], last[HEDDLE_DIMS_MAX]; /* of each dimension */
    u64 count;                                         /* elements */
    bool whole;                                        /* no range was given */
};

/*
 * Reads "[0..3,8..15]", or nothing, for that buffer; `at` is a part of `given`, the value of `option`. False after a
 * message.
 */
bool values_read(const char *option, const char *given, const char *at, const struct heddle_tensor *t,
                 struct values *v);

/* Prints them below a line that names the buffer, without a range at most 256. */
void values_print(const char *name, const struct heddle_tensor *t, const struct values *v, struct buf *out);

/* Calls `each` with the index of every one of the elements, in order. */
void values_each(const struct heddle_tensor *t, const struct values *v, void (*each)(void *ctx, u64 i), void *ctx);

/* ---- a few numbers, a histogram, a picture of them ---- */

struct values_stats {
    u64 count, nans, infinities, zeros;
    double min, max, mean, deviation; /* of the finite elements; of a c64 the real parts */
    u64 finite;
};
struct values_stats values_stats(const struct heddle_tensor *t, const struct values *v);

void values_print_stats(const struct values_stats *s, struct buf *out);
void values_print_histogram(const struct heddle_tensor *t, const struct values *v, const struct values_stats *s,
                            struct buf *out);

/* Computes the size of a picture of the last two dimensions; false if another one has a range. */
bool values_size(const struct heddle_tensor *t, const struct values *v, u64 *rows, u64 *columns);

/* Writes them as a PGM file, from black (the least) to white, or as characters in at most `width` columns. */
void values_pgm(const struct heddle_tensor *t, const struct values *v, const struct values_stats *s, struct buf *out);
void values_characters(const struct heddle_tensor *t, const struct values *v, const struct values_stats *s, u32 width,
                       struct buf *out);

#endif
