/*
 * Suggestions for a name that is none: names with the same words, in any order and with synonyms (synonyms.def), else
 * the one that is spelt nearly so.
 *
 *   "channels" -> dram.channels   "l2_size" -> l2.bytes   "dram.bandwidth" -> dram.gbs   "smss" -> sms
 */
#ifndef HEDDLE_BASE_MEANING_H
#define HEDDLE_BASE_MEANING_H

#include "sim/base/diag.h"

struct meaning {
    char text[200]; /* "; did you mean 'l2.gbs' or 'dram.gbs'?"; "" when nothing is meant */
};

/* `name(ctx, i)` gives the i-th of `n` candidates, NULL to pass it over. */
struct meaning meaning_of(const char *word, size_t n, const char *(*name)(const void *ctx, size_t i), const void *ctx);

#endif
