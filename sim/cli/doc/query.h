/* A question about the words that heddle explains, and how texts are compared with it. */
#ifndef HEDDLE_CLI_DOC_QUERY_H
#define HEDDLE_CLI_DOC_QUERY_H

#include "sim/cli/doc/words.h"

struct query {
    struct doc_words *w;
    const char *given;   /* as given */
    const char *whole;   /* all words, normal */
    const char *word[8]; /* each */
    size_t n;
    const char *text[64]; /* texts of entries shown, the first of them */
    size_t shown;
};

/* Reads the words of a question. */
void query_read(struct query *q, const char *given);

/* Shortens "conflicts" to "conflict". False if no word has an ending to drop. */
bool query_shorten(struct query *q);

/* Normalises a text, with letters of one case and one blank between words: "l2.hit_rate", "L2 hit-rate" and "--l2-hit
 * rate" become the same. A sign alone is kept. */
const char *query_normal(struct doc_words *w, const char *text);

/* True if the question is a word's name, or its name without folder or object. */
bool query_exact(const struct query *q, const struct doc_word *d);

/* Measures the family name that the question begins with; 0 if it does not. */
size_t query_family(const struct query *q, const struct doc_word *d);

/* True if a normalised text contains all words. */
bool query_in(const struct query *q, const char *normal);

/* Ranks a word: 2 = in its name; 1 = in its meaning; 0 = not. */
u32 query_rank(const struct query *q, const struct doc_word *d);

#endif
