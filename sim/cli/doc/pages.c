/* Words that the pages of the documentation declare, in rows of their tables. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/cli/doc/words.h"
#include "sim/cli/resource_dir.h"

/* Rows of a page whose first cell begins so. */
static const struct source {
    const char *page, *begin, *kind;
    u32 column; /* that says what it means; 0 is the first */
    u32 other;  /* that says how others call it; 0: none does */
} sources[] = {{"assembly", "`.", "directive", 1, 0},
               {"assembly", "`;!", "expectation", 1, 0},
               {"glossary", "", "word", 2, 1}};

/* The cell of a row "| a | b |"; false when there is none. */
static bool cell_of(const char *row, u32 column, const char **cell, size_t *len) {
    for (const char *at = row; *at == '|'; column--) {
        at += 1 + strspn(at + 1, " ");
        const char *end = strchr(at, '|');
        if (!end)
            return false;
        if (column == 0) {
            *cell = at;
            for (*len = (size_t)(end - at); *len && at[*len - 1] == ' ';)
                --*len;
            return true;
        }
        at = end;
    }
    return false;
}

/* Markdown as text: "`x`" is x, "[text](page)" is text. */
static const char *plain(struct doc_words *w, const char *text, size_t len) {
    struct buf out = {0};
    for (size_t i = 0; i < len; i++) {
        if (text[i] == ']' && i + 1 < len && text[i + 1] == '(')
            i += strcspn(text + i, ")");
        else if (text[i] != '`' && text[i] != '[')
            buf_putc(&out, text[i]);
    }
    const char *kept = out.failed || !out.data ? "" : doc_words_keep(w, out.data, out.len);
    w->words.failed |= out.failed;
    buf_free(&out);
    return kept;
}

/* Each name of a cell of code, up to its operands: ".repeat" of "`.repeat COUNT`, `.endrepeat`". */
static void add_code(struct doc_words *w, const char *kind, const char *cell, size_t len, const char *text) {
    for (const char *at = cell; at < cell + len;) {
        const char *name = at + 1, *end = memchr(name, '`', (size_t)(cell + len - name));
        if (!end)
            return;
        size_t sign = strncmp(name, ";! ", 3) == 0 ? 3 : 0;
        doc_words_add(w, kind, doc_words_keep(w, name, sign + strcspn(name + sign, " `")),
                      doc_words_keep(w, name, (size_t)(end - name)), text);
        for (at = end + 1; at < cell + len && *at != '`';)
            at++;
    }
}

/* Each word of a cell: "lane", "inactive lane" of "lane, inactive lane". */
static void add_words(struct doc_words *w, const char *kind, const char *cell, size_t len, const char *text) {
    size_t at = cell[0] == '-' ? strspn(cell, "- ") : 0;
    while (at < len) {
        const char *comma = memchr(cell + at, ',', len - at);
        size_t n = comma ? (size_t)(comma - cell) - at : len - at;
        doc_words_add(w, kind, plain(w, cell + at, n), "", text);
        at += n + 1;
        at += at < len ? strspn(cell + at, " ") : 0;
    }
}

/* The meaning, and behind it the words of others: "(Nsight, CUDA: wavefront)". */
static const char *meaning(struct doc_words *w, const struct source *s, const char *row) {
    const char *text, *other;
    size_t len, other_len;
    struct buf out = {0};
    if (!cell_of(row, s->column, &text, &len))
        return "";
    text = plain(w, text, len);
    if (!s->other || !cell_of(row, s->other, &other, &other_len) || !other_len)
        return text;
    buf_printf(&out, "%s (Nsight, CUDA: %s)", text, plain(w, other, other_len));
    text = out.failed ? text : doc_words_keep(w, out.data, out.len);
    buf_free(&out);
    return text;
}

static void add_row(struct doc_words *w, const struct source *s, const char *row) {
    const char *name;
    size_t len;
    if (!cell_of(row, 0, &name, &len) || !len || strncmp(name, s->begin, strlen(s->begin)) != 0)
        return;
    if (*name == '`')
        add_code(w, s->kind, name, len, meaning(w, s, row));
    else
        add_words(w, s->kind, name, len, meaning(w, s, row));
}

/* "## Sections" is a section of the page. */
static void add_heading(struct doc_words *w, const char *page, const char *line) {
    size_t signs = strspn(line, "#");
    const char *name = line + signs + 1;
    struct buf text = {0};
    if (line[signs] != ' ')
        return;
    buf_printf(&text, "section of docs/%s.md", page);
    doc_words_add(w, "page", plain(w, name, strcspn(name, "\n")), "",
                  text.failed ? "" : doc_words_keep(w, text.data, text.len));
    w->words.failed |= text.failed;
    buf_free(&text);
}

static void read_page(struct doc_words *w, const char *page, FILE *f) {
    char *line = NULL;
    size_t room = 0, row = 0;
    bool code = false;
    while (getline(&line, &room, f) > 0) {
        row = *line == '|' ? row + 1 : 0;
        code ^= strncmp(line, "```", 3) == 0;
        if (*line == '#' && !code)
            add_heading(w, page, line);
        for (size_t i = 0; i < COUNT_OF(sources) && row > 2; i++) /* behind the titles and the line below them */
            if (strcmp(sources[i].page, page) == 0)
                add_row(w, &sources[i], line);
    }
    free(line);
}

/* Of the source tree, or installed. */
void doc_pages_collect(struct doc_words *w) {
    static const char *const folders[] = {"docs", "../doc/heddle/docs"};
    for (size_t i = 0; i < COUNT_OF(folders); i++) {
        struct resource_dir pages;
        resource_dir_open(&pages, folders[i], "page", ".md", "# ");
        for (int k = 0; k < pages.count; k++) {
            char path[RESOURCE_PATH];
            const char *page = pages.entry[k]->d_name;
            FILE *f = resource_dir_own(&pages, page, path, sizeof path) ? fopen(path, "r") : NULL;
            if (f) {
                read_page(w, page, f);
                fclose(f);
            }
        }
        resource_dir_close(&pages);
    }
}
