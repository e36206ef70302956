/* What is looked for in the words that heddle explains, and how a text is compared with it. */
#ifndef HEDDLE_CLI_DOC_QUERY_H
#define HEDDLE_CLI_DOC_QUERY_H

#include "sim/cli/doc/words.h"

struct query {
    struct doc_words *w;
    const char *given;   /* as it was asked */
    const char *whole;   /* all words, normal */
    const char *word[8]; /* each */
    size_t n;
    const char *text[64]; /* of entries that are shown, the first of them */
    size_t shown;
};

/* Reads the words of a question. */
void query_read(struct query *q, const char *given);

/* "conflicts" becomes "conflict". False when no word has an end that could go. */
bool query_shorten(struct query *q);

/* Letters alike, and one blank for what separates words: "l2.hit_rate", "L2 hit-rate" and "--l2-hit rate" are one.
   A sign alone is itself. */
const char *query_normal(struct doc_words *w, const char *text);

/* Whether a word is what was asked for, by its name or the name without folder or object. */
bool query_exact(const struct query *q, const struct doc_word *d);

/* Letters of a family's name with which the question begins; 0: it does not. */
size_t query_family(const struct query *q, const struct doc_word *d);

/* Whether all words stand in a text that is normal. */
bool query_in(const struct query *q, const char *normal);

/* 2: in its name; 1: in what it means; 0: not. */
u32 query_rank(const struct query *q, const struct doc_word *d);

#endif
