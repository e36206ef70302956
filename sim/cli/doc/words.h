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
#ifndef HEDDLE_CLI_DOC_WORDS_H
#define HEDDLE_CLI_DOC_WORDS_H

#include "sim/api/heddle.h"
#include "sim/base/arena.h"
#include "sim/base/buf.h"

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

static inline size_t doc_word_count(const struct doc_words *w) {
    return w->words.len / sizeof(struct doc_word);
}

static inline const struct doc_word *doc_word_at(const struct doc_words *w, size_t i) {
    return &((const struct doc_word *)(const void *)w->words.data)[i];
}

/* Adds a word; its texts must stay valid. */
void doc_words_add(struct doc_words *w, const char *kind, const char *name, const char *detail, const char *text);
void doc_words_add_row(struct doc_words *w, const struct doc_word *row);

/* Copies a text into the arena, "" when out of memory. */
const char *doc_words_keep(struct doc_words *w, const char *text, size_t len);

/* Collects the words of the documentation's pages: pages.c. */
void doc_pages_collect(struct doc_words *w);

#endif
