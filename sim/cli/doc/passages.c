#include "sim/cli/doc/doc.h"

#include <stdlib.h>
#include <string.h>

#include "sim/file/table.h"
#include "sim/file/computer.h"

enum { SHOWN = 280 }; /* characters of a passage, more or less */

struct found {
    const struct doc_word *passage;
    size_t place; /* of the passage among all */
    s64 score;
};

/* Ranks a passage: words side by side, or in the heading, before others; sentences before rows, short before long. */
static s64 score_of(const struct query *q, const struct doc_word *p) {
    const char *text = query_normal(q->w, p->text);
    struct buf both = {0};
    buf_printf(&both, "%s %s", p->name, p->text);
    bool in = !both.failed && query_in(q, query_normal(q->w, both.data));
    buf_free(&both);
    if (!in)
        return 0;
    s64 score = 1000 - (s64)(strlen(text) < 800 ? strlen(text) / 2 : 400);
    score -= strchr(p->text, '|') ? 300 : 0;
    size_t len = strlen(q->whole);
    for (const char *at = text; (at = strstr(at, q->whole)); at++)
        score += (at == text || at[-1] == ' ') && (!at[len] || at[len] == ' ') ? 200 : 50;
    return score + (query_in(q, query_normal(q->w, p->name)) ? 500 : 0);
}

static int by_score(const void *a, const void *b) {
    const struct found *x = a, *y = b;
    return x->score != y->score ? (x->score < y->score) - (x->score > y->score)
                                : (x->place > y->place) - (x->place < y->place);
}

/* Returns the sentence of a passage with the first of the words, and as much after it as fits. */
static const char *excerpt(const struct query *q, const struct doc_word *p) {
    const char *text = p->text, *begin = text, *end;
    struct buf out = {0};
    if (strlen(text) <= SHOWN)
        return text;
    for (const char *at = text; (at = strstr(at, ". ")); at += 2) {
        const char *before = doc_words_keep(q->w, text, (size_t)(at - text));
        if (q->n && strstr(query_normal(q->w, before), q->word[0]))
            break;
        begin = at + 2;
    }
    end = begin + strlen(begin);
    if ((size_t)(end - begin) > SHOWN)
        for (end = begin + SHOWN; *end && *end != ' ';)
            end++;
    buf_printf(&out, "%s%.*s%s", begin > text ? "... " : "", (int)(end - begin), begin, *end ? " ..." : "");
    const char *kept = out.failed ? "" : doc_words_keep(q->w, out.data, out.len);
    buf_free(&out);
    return kept;
}

void doc_put_folded(const char *text, struct buf *out) {
    static const struct table_column columns[] = {{"", "", TABLE_WORD}, {"text", "", TABLE_PROSE}};
    struct table t = {.name = "entry", .column = columns, .columns = COUNT_OF(columns)};
    table_word(&t, "");
    table_word(&t, text);
    table_text(&t, terminal_width(), out);
    table_free(&t);
}

static void put(const struct query *q, const struct doc_word *p, bool markdown, struct buf *out) {
    if (markdown)
        buf_printf(out, "- %s, %s: %s\n", p->kind, p->name, excerpt(q, p));
    else {
        buf_printf(out, "%s, %s:\n", p->kind, p->name);
        doc_put_folded(excerpt(q, p), out);
    }
}

size_t passages_put(const struct query *q, size_t most, bool markdown, struct buf *out) {
    const struct doc_word *all = (const struct doc_word *)(const void *)q->w->passages.data;
    struct buf found = {0};
    for (size_t i = 0; i < q->w->passages.len / sizeof *all; i++) {
        const struct found one = {&all[i], i, score_of(q, &all[i])};
        if (one.score)
            buf_append(&found, &one, sizeof one);
    }
    size_t n = found.len / sizeof(struct found);
    struct found *list = (struct found *)(void *)found.data;
    if (n) {
        qsort(list, n, sizeof *list, by_score);
        buf_puts(out, out->len ? "\n" : "");
        for (size_t i = 0; i < n && i < most; i++)
            put(q, list[i].passage, markdown, out);
    }
    out->failed |= found.failed;
    buf_free(&found);
    return n;
}
