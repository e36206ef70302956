#include "sim/cli/doc/find.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "sim/base/diag.h"
#include "sim/cli/command.h"
#include "sim/cli/doc/words.h"
#include "sim/file/table.h"
#include "sim/cli/ui.h"
#include "sim/file/terminal.h"

enum { FOUND = 30 }; /* rows of a list */

/* ---- comparing ---- */

/* Letters alike, and one blank for what separates words: "l2.hit_rate", "L2 hit-rate" and "--l2-hit rate" are one.
   A sign alone is itself. */
static const char *normal(struct doc_words *w, const char *all) {
    struct buf out = {0};
    for (const char *text = all; *text; text++)
        if (isalnum((unsigned char)*text) || (unsigned char)*text > 127)
            buf_putc(&out, (char)tolower((unsigned char)*text));
        else if (out.len && out.data[out.len - 1] != ' ')
            buf_putc(&out, ' ');
    while (out.len && out.data[out.len - 1] == ' ')
        out.len--;
    const char *kept = doc_words_keep(w, out.len ? out.data : all, out.len ? out.len : strlen(all));
    buf_free(&out);
    return kept;
}

/* The name without folder, or object: "saxpy" of classic/saxpy, "launch" of context:launch. */
static const char *tail_of(const char *name) {
    const char *cut = strpbrk(name, "/:");
    return cut && cut[1] ? cut + 1 : name;
}

struct query {
    struct doc_words *w;
    const char *whole;   /* all words, normal */
    const char *word[8]; /* each */
    size_t n;
};

/* "bank conflicts" is the entry "bank conflict". */
static bool same(const char *name, const char *asked) {
    size_t len = strlen(name);
    return *name && strncmp(name, asked, len) == 0 && (!asked[len] || (len > 2 && strcmp(asked + len, "s") == 0));
}

static bool is_exact(const struct query *q, const struct doc_word *d) {
    return same(normal(q->w, d->name), q->whole) || same(normal(q->w, tail_of(d->name)), q->whole);
}

/* Whether a word of the text begins so: "hits" for "hit", but not "string" for "ring". */
static bool has(const char *text, const char *word) {
    const char *at = text;
    while ((at = strstr(at, word)) && at != text && at[-1] != ' ')
        at++;
    return at != NULL;
}

static bool has_all(const struct query *q, const char *text) {
    const char *in = normal(q->w, text);
    bool all = q->n > 0;
    for (size_t i = 0; i < q->n; i++)
        all &= has(in, q->word[i]);
    return all;
}

/* 2: in its name; 1: in what it means; 0: not. */
static u32 rank_of(const struct query *q, const struct doc_word *d) {
    struct buf text = {0};
    if (has_all(q, d->name))
        return 2;
    buf_printf(&text, "%s %s %s", d->name, d->kind, d->text);
    u32 rank = !text.failed && has_all(q, text.data);
    buf_free(&text);
    return rank;
}

/* ---- printing ---- */

static void put_folded(const char *text, struct buf *out) {
    static const struct table_column columns[] = {{"", "", TABLE_WORD}, {"text", "", TABLE_PROSE}};
    struct table t = {.name = "entry", .column = columns, .columns = COUNT_OF(columns)};
    table_word(&t, "");
    table_word(&t, text);
    table_text(&t, terminal_width(), out);
    table_free(&t);
}

static void put_entry(const struct doc_word *d, struct buf *out) {
    if (out->len)
        buf_putc(out, '\n');
    buf_printf(out, "%s (%s)\n", d->name, d->kind);
    if (*d->text)
        put_folded(d->text, out);
    if (*d->detail)
        put_folded(d->detail, out);
}

/* What the manual has of instructions and special registers: all of a first word, "shfl". */
static bool put_manual(const struct query *q, const char *word, bool markdown, struct buf *out) {
    size_t len;
    char *text = heddle_isa_manual(q->w->h, word, markdown, &len);
    if (text)
        buf_append(out, text, len);
    heddle_release(text);
    return text != NULL;
}

static bool of_manual(const struct doc_word *d) {
    return strcmp(d->kind, "instruction") == 0 || strcmp(d->kind, "special register") == 0;
}

static bool put_exact(const struct query *q, const char *given, bool markdown, struct buf *out) {
    bool manual = !strchr(given, ' ') && put_manual(q, given, markdown, out);
    for (size_t i = 0; i < doc_word_count(q->w); i++) {
        const struct doc_word *d = doc_word_at(q->w, i);
        if (is_exact(q, d) && !(manual && of_manual(d)))
            put_entry(d, out);
    }
    return out->len > 0;
}

/* Those whose names have the words come first; with `behind` an entry, only they. */
static size_t put_list(const struct query *q, bool behind, bool markdown, struct buf *out) {
    static const struct table_column columns[] = {{"name", "name", TABLE_WORD},
                                                  {"kind", "kind", TABLE_WORD},
                                                  {"meaning", "meaning", TABLE_PROSE}};
    struct table t = {.name = "words", .column = columns, .columns = COUNT_OF(columns)};
    size_t found = 0;
    for (u32 rank = 2; rank > (behind ? 1u : 0u); rank--)
        for (size_t i = 0; i < doc_word_count(q->w); i++) {
            const struct doc_word *d = doc_word_at(q->w, i);
            if (rank_of(q, d) != rank || (behind && (is_exact(q, d) || of_manual(d))) || found++ >= FOUND)
                continue;
            table_word(&t, d->name);
            table_word(&t, d->kind);
            table_word(&t, *d->text ? d->text : d->detail);
        }
    if (found && behind)
        buf_puts(out, "\n");
    if (found && markdown)
        table_markdown(&t, out);
    else if (found)
        table_text(&t, terminal_width(), out);
    if (found > FOUND)
        buf_printf(out, "%s... and %zu more: a further word narrows it\n", markdown ? "\n" : "  ", found - FOUND);
    table_free(&t);
    return found;
}

/* ---- the query ---- */

/* Names, and the words in them: "shfl" of shfl.idx.b32. */
static void list_names(struct doc_words *w, struct buf *names) {
    for (size_t i = 0; i < doc_word_count(w); i++) {
        const char *name = doc_word_at(w, i)->name;
        buf_append(names, &name, sizeof name);
        for (size_t at = 0, len; name[at]; at += len + (name[at + len] != 0)) {
            len = strcspn(name + at, "./:_ ");
            const char *part = doc_words_keep(w, name + at, len);
            if (len > 2)
                buf_append(names, &part, sizeof part);
        }
    }
}

static const char *nth_name(const void *ctx, size_t i) {
    const struct buf *names = ctx;
    return ((const char *const *)(const void *)names->data)[i];
}

static int nothing(const struct query *q, const char *given) {
    struct buf names = {0};
    list_names(q->w, &names);
    size_t n = names.len / sizeof(char *);
    const char *near = *given ? nearest_name(given, n, nth_name, &names) : NULL;
    near = near || !*given ? near : nearest_name(q->whole, n, nth_name, &names);
    ui_error("nothing is called '%s'%s%s%s", given, near ? "; did you mean '" : ", and no text has it",
             near ? near : "", near ? "'?" : "");
    buf_free(&names);
    return EXIT_FAULT;
}

static void read_words(struct query *q) {
    for (const char *at = q->whole; *at && q->n < COUNT_OF(q->word);) {
        size_t len = strcspn(at, " ");
        q->word[q->n++] = doc_words_keep(q->w, at, len);
        at += len + (at[len] == ' ');
    }
}

/* "conflicts" is looked for as "conflict". False when no word has an end that could go. */
static bool shorten(struct query *q) {
    bool any = false;
    for (size_t i = 0; i < q->n; i++) {
        size_t len = strlen(q->word[i]);
        bool plural = len > 3 && q->word[i][len - 1] == 's' && q->word[i][len - 2] != 's';
        if (plural)
            q->word[i] = doc_words_keep(q->w, q->word[i], len - 1);
        any |= plural;
    }
    return any;
}

static int find(struct query *q, const char *given, bool markdown) {
    struct buf out = {0};
    q->whole = normal(q->w, given);
    read_words(q);
    bool exact = put_exact(q, given, markdown, &out);
    bool found = put_list(q, exact, markdown, &out) > 0 || exact;
    if (!found && shorten(q))
        found = put_list(q, false, markdown, &out) > 0;
    if (found && !out.failed)
        fwrite(out.data, 1, out.len, stdout);
    else if (out.failed)
        ui_error("out of memory");
    int status = out.failed ? EXIT_INPUT : found ? EXIT_OK : nothing(q, given);
    buf_free(&out);
    return status;
}

int doc_find(const char *const *word, size_t n, bool markdown) {
    struct doc_words w = {.h = heddle_new()};
    struct query q = {.w = &w};
    struct buf given = {0};
    int status = EXIT_INPUT;
    for (size_t i = 0; i < n; i++)
        buf_printf(&given, "%s%s", i ? " " : "", word[i]);
    if (!w.h || given.failed)
        ui_error("out of memory");
    else if (doc_words_collect(&w))
        status = find(&q, given.data ? given.data : "", markdown);
    doc_words_free(&w);
    heddle_free(w.h);
    buf_free(&given);
    return status;
}

void doc_find_names(struct buf *out) {
    struct doc_words w = {.h = heddle_new()};
    bool ok = w.h && doc_words_collect(&w);
    for (size_t i = 0; ok && i < doc_word_count(&w); i++)
        if (!strpbrk(doc_word_at(&w, i)->name, " ;"))
            buf_printf(out, "%s\n", doc_word_at(&w, i)->name);
    doc_words_free(&w);
    heddle_free(w.h);
}
