/* Views of a tensor's elements for `heddle show`: a few numbers, a histogram, a picture. */
#ifndef HEDDLE_CLI_SHOW_H
#define HEDDLE_CLI_SHOW_H

#include "sim/cli/values.h"

struct show_stats {
    u64 count, nans, infinities, zeros;
    double min, max, mean, deviation; /* of the finite elements; of a c64 the real parts */
    u64 finite;
};
struct show_stats show_stats(const struct heddle_tensor *t, const struct values *v);

void show_print_stats(const struct show_stats *s, struct buf *out);
void show_print_histogram(const struct heddle_tensor *t, const struct values *v, const struct show_stats *s,
                          struct buf *out);

/* Computes the size of a picture of the last two dimensions; false if another one has a range. */
bool show_size(const struct heddle_tensor *t, const struct values *v, u64 *rows, u64 *columns);

/* Writes them as a PGM file, from black (the least) to white, or as characters in at most `width` columns. */
void show_pgm(const struct heddle_tensor *t, const struct values *v, const struct show_stats *s, struct buf *out);
void show_characters(const struct heddle_tensor *t, const struct values *v, const struct show_stats *s, u32 width,
                     struct buf *out);

#endif
