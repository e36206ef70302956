#include "sim/cli/doc/doc.h"

#include <stdio.h>
#include <string.h>

#include "sim/base/diag.h"
#include "sim/cli/command.h"
#include "sim/file/table.h"
#include "sim/cli/ui.h"
#include "sim/file/computer.h"

enum { FOUND = 30 }; /* rows of a list */

/* ---- printing ---- */

static void show(struct query *q, const struct doc_word *d) {
    if (q->shown < COUNT_OF(q->text))
        q->text[q->shown++] = d->text;
}

static void put_entry(struct query *q, const struct doc_word *d, struct buf *out) {
    show(q, d);
    if (out->len)
        buf_putc(out, '\n');
    buf_printf(out, "%s (%s)\n", d->name, d->kind);
    if (*d->text)
        doc_put_folded(d->text, out);
    if (*d->detail)
        doc_put_folded(d->detail, out);
}

/* Prints the manual of instructions and special registers: all of a first word, "shfl". */
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

static bool put_exact(struct query *q, const char *given, bool markdown, struct buf *out) {
    bool manual = !strchr(given, ' ') && put_manual(q, given, markdown, out);
    for (size_t i = 0; i < doc_word_count(q->w); i++) {
        const struct doc_word *d = doc_word_at(q->w, i);
        if (query_exact(q, d) && !(manual && of_manual(d)))
            put_entry(q, d, out);
    }
    return out->len > 0;
}

/* True if the entry's row was shown under another name. */
static bool shown(const struct query *q, const struct doc_word *d) {
    bool any = false;
    for (size_t i = 0; i < q->shown; i++)
        any |= d->family && q->text[i] == d->text;
    return any;
}

/* Lists entries that have the words, in names first; after an exact entry in names only. */
static size_t put_list(struct query *q, bool after_exact, bool markdown, struct buf *out) {
    static const struct table_column columns[] = {{"name", "name", TABLE_WORD},
                                                  {"kind", "kind", TABLE_WORD},
                                                  {"meaning", "meaning", TABLE_PROSE}};
    struct table t = {.name = "words", .column = columns, .columns = COUNT_OF(columns)};
    size_t found = 0;
    for (u32 rank = 2; rank > (after_exact ? 1u : 0u); rank--)
        for (size_t i = 0; i < doc_word_count(q->w); i++) {
            const struct doc_word *d = doc_word_at(q->w, i);
            if (query_rank(q, d) != rank || shown(q, d) || (after_exact && (query_exact(q, d) || of_manual(d))) ||
                found++ >= FOUND)
                continue;
            show(q, d);
            table_word(&t, d->name);
            table_word(&t, d->kind);
            table_word(&t, *d->text ? d->text : d->detail);
        }
    if (found && after_exact)
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

/* Lists names, and the words in them: "shfl" of shfl.idx.b32. */
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

/* Measures the longest family name that the question begins with: dram__bytes for dram__bytes.sum. */
static size_t longest_family(const struct query *q) {
    size_t longest = 0;
    for (size_t i = 0; i < doc_word_count(q->w); i++) {
        size_t len = query_family(q, doc_word_at(q->w, i));
        longest = len > longest ? len : longest;
    }
    return longest;
}

static bool put_family(struct query *q, size_t letters, struct buf *out) {
    for (size_t i = 0; i < doc_word_count(q->w) && letters; i++)
        if (query_family(q, doc_word_at(q->w, i)) == letters)
            put_entry(q, doc_word_at(q->w, i), out);
    return letters > 0;
}

/* Prints, for brev.x17, the entry brev, if that is an instruction, of at least `least` letters. */
static bool put_shorter(const struct query *q, const char *given, size_t least, bool markdown, struct buf *out) {
    bool found = false;
    size_t len = strchr(given, ' ') ? 0 : strlen(given);
    while (!found && len) {
        while (len && given[--len] != '.')
            ;
        if (len < least)
            return false;
        const char *word = doc_words_keep(q->w, given, len);
        size_t before = out->len;
        buf_printf(out, "%s'%s' is not there; '%s' is:\n", out->len ? "\n" : "", given, word);
        found = len && put_manual(q, word, markdown, out);
        out->len = found ? out->len : before;
    }
    return found;
}

static int find(struct query *q, const char *given, bool markdown) {
    enum { BESIDE = 3, ALONE = 8 }; /* passages, with entries and without */
    struct buf out = {0};
    query_read(q, given);
    bool exact = put_exact(q, given, markdown, &out);
    size_t family = exact ? 0 : longest_family(q);
    exact = exact || put_shorter(q, given, family, markdown, &out) || put_family(q, family, &out);
    bool found = put_list(q, exact, markdown, &out) > 0 || exact;
    found |= passages_put(q, found ? BESIDE : ALONE, markdown, &out) > 0;
    if (!found && query_shorten(q)) {
        found = put_list(q, false, markdown, &out) > 0;
        found |= passages_put(q, found ? BESIDE : ALONE, markdown, &out) > 0;
    }
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
