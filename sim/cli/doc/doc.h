/* `heddle doc`: the words that are explained, questions about them, and what is printed. */
#ifndef HEDDLE_CLI_DOC_DOC_H
#define HEDDLE_CLI_DOC_DOC_H

#include "sim/api/heddle.h"
#include "sim/base/arena.h"
#include "sim/base/buf.h"

/*
 * Every word that heddle explains, from the tables that declare them: instructions, metrics, keys of the board,
 * options, ... Directives, the words after ;!, the words of the glossary and those of CUDA, OpenCL, PTX and the
 * profilers are read from the tables of the documentation's pages, whose paragraphs are searched as well. These are
 * missing if the documentation is not installed.
 *
 *   struct doc_words w = {.h = h};
 *   doc_words_collect(&w);
 *   for (size_t i = 0; i < doc_word_count(&w); i++) doc_word_at(&w, i)->name
 *   doc_words_free(&w);
 */

struct doc_word {
    const char *kind;   /* "metric" */
    const char *name;   /* "l2.hit_rate" */
    const char *detail; /* a unit, a synopsis, a formula; or "" */
    const char *text;   /* its meaning */
    bool family;        /* stands for all words that begin so: "dram__bytes" for dram__bytes.sum, "cudaMalloc*" */
};

struct doc_words {
    struct heddle *h;
    struct arena arena;  /* holds the texts that are in no table */
    struct buf words;    /* list of struct doc_word */
    struct buf passages; /* list of struct doc_word, of pages: the page, its section, "", a paragraph */
};

/* Collects the words. False after a message. */
bool doc_words_collect(struct doc_words *w);
void doc_words_free(struct doc_words *w);

BUF_LIST(doc_word, struct doc_words, words, struct doc_word)

/* Adds a word; its texts must stay valid. */
void doc_words_add(struct doc_words *w, const char *kind, const char *name, const char *detail, const char *text);
void doc_words_add_row(struct doc_words *w, const struct doc_word *row);

/* Copies a text into the arena, "" when out of memory. */
const char *doc_words_keep(struct doc_words *w, const char *text, size_t len);

/* Collects the words of the documentation's pages: pages.c. */
void doc_pages_collect(struct doc_words *w);

/* A question about the words that heddle explains, and how texts are compared with it. */

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

/* `heddle doc WORD...`: the meaning of a word, wherever it is declared. */

/* Prints the entries of that name, else those that contain all of the words. EXIT_FAULT if there are none. */
int doc_find(const char *const *word, size_t n, bool markdown);

/* Lists every name of one word, one a line, for completion. */
void doc_find_names(struct buf *out);

/* Passages of the documentation's pages that answer a question. */

/* Appends the best `most` passages, each with its page and section, "docs/memory.md, Sectors"; returns their number. */
size_t passages_put(const struct query *q, size_t most, bool markdown, struct buf *out);

/* Appends a text, folded and indented. */
void doc_put_folded(const char *text, struct buf *out);

/* Output of `heddle doc counters`. */

/* Prints every counter and metric, or those of a name (NULL = all). False after a message. */
bool doc_counters(const char *name, bool markdown);

/* Adds all as struct heddle_metric: metrics, and columns of buffers and lines as "traffic.x", "line.x". */
void doc_counters_list(struct arena *a, struct buf *all);

/* Formats a formula for output. */
void doc_counters_formula(const char *formula, struct buf *out);

#endif
