/* Words that the pages of the documentation declare, in rows of their tables, and passages of the pages. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/cli/doc/doc.h"
#include "sim/cli/resource_dir.h"

/* Rows of a page whose first cell begins with a word. */
static const struct source {
    const char *page, *begin;
    const char *kind; /* NULL = the title of the first column, and a word stands for all that begin with it */
    u32 column;       /* column of the meaning; 0 is the first */
    u32 other;        /* column of other names; 0 = none */
} sources[] = {{"assembly", "`.", "directive", 1, 0},
               {"assembly", "`;!", "expectation", 1, 0},
               {"glossary", "", "word", 2, 1},
               {"cuda-to-heddle", "", NULL, 1, 0}};

/* A page being read. */
struct page {
    struct doc_words *w;
    const char *name;    /* "docs/memory.md" */
    const char *title;   /* of the table: its first cell */
    const char *section; /* its heading */
    size_t row;          /* of the table: 1 is the titles, 2 the line below them */
    bool code;           /* inside a block of code */
    struct buf passage;
};

/* Finds a cell of a row "| a | b |"; false if there is none. */
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

/* Converts Markdown to text: "`x`" to x, "[text](page)" to text, "**x**" to x. */
static const char *plain(struct doc_words *w, const char *text, size_t len) {
    struct buf out = {0};
    bool code = false, link = false;
    for (size_t i = 0; i < len; i++) {
        size_t left = len - i, name = text[i] == '[' ? strcspn(text + i, "]") : 0;
        if (text[i] == '`') {
            code = !code;
        } else if (!code && name && name + 1 < left && text[i + name + 1] == '(') {
            link = true;
        } else if (link && text[i] == ']') {
            i += strcspn(text + i, ")");
            link = false;
        } else if (!code && left > 1 && strncmp(text + i, "**", 2) == 0) {
            i++;
        } else {
            buf_putc(&out, text[i]);
        }
    }
    const char *kept = out.failed || !out.data ? "" : doc_words_keep(w, out.data, out.len);
    w->words.failed |= out.failed;
    buf_free(&out);
    return kept;
}

/* Measures the bytes up to a comma outside `code`. */
static size_t piece_of(const char *cell, size_t len) {
    bool code = false;
    size_t n = 0;
    for (; n < len && (code || cell[n] != ','); n++)
        code ^= cell[n] == '`';
    return n;
}

/* Adds a name, "inactive lane", or that of code, up to its operands: ".repeat" of "`.repeat COUNT`". */
static void add_name(struct doc_words *w, const struct doc_word *row, const char *cell, size_t len) {
    struct doc_word one = *row;
    if (*cell == '`') {
        const char *code = cell + 1, *end = memchr(code, '`', len - 1);
        size_t sign = strncmp(code, ";! ", 3) == 0 ? 3 : 0, n = end ? (size_t)(end - code) : len - 1;
        one.name = doc_words_keep(w, code, sign + strcspn(code + sign, " (`"));
        one.detail = *row->detail ? row->detail : doc_words_keep(w, code, n);
    } else {
        one.name = plain(w, cell, len);
    }
    doc_words_add_row(w, &one);
}

/* Adds each name of a cell: "lane", "inactive lane" of "lane, inactive lane". */
static void add_names(struct doc_words *w, const struct doc_word *row, const char *cell, size_t len) {
    for (size_t at = cell[0] == '-' ? strspn(cell, "- ") : 0, n; at < len; at += n + 1) {
        at += strspn(cell + at, " ");
        n = piece_of(cell + at, len - at);
        add_name(w, row, cell + at, n);
    }
}

/* Returns the meaning in a cell, followed by other names: "(Nsight, CUDA: wavefront)". */
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

/* Adds a row of a table; false if its page is no source. */
static bool add_row(struct page *p, const struct source *s, const char *line) {
    const char *cell, *other;
    size_t len, other_len;
    if (!cell_of(line, 0, &cell, &len) || !len || strncmp(cell, s->begin, strlen(s->begin)) != 0)
        return false;
    struct doc_word row = {.kind = s->kind ? s->kind : p->title,
                           .detail = s->kind ? "" : p->name,
                           .text = meaning(p->w, s, line),
                           .family = !s->kind};
    add_names(p->w, &row, cell, len);
    if (*cell != '-' && s->other && cell_of(line, s->other, &other, &other_len) && other_len) {
        struct buf text = {0};
        buf_printf(&text, "in heddle %s: %s", plain(p->w, cell, len), meaning(p->w, s, line));
        row.kind = "word of Nsight or CUDA";
        row.text = text.failed ? "" : doc_words_keep(p->w, text.data, text.len);
        buf_free(&text);
        add_names(p->w, &row, other, other_len);
    }
    return true;
}

/* Adds a section of the page: "## Sections". */
static void add_heading(struct page *p, const char *line) {
    size_t signs = strspn(line, "#");
    struct buf text = {0};
    if (line[signs] != ' ')
        return;
    buf_printf(&text, "section of %s", p->name);
    p->section = plain(p->w, line + signs + 1, strcspn(line + signs + 1, "\n"));
    doc_words_add(p->w, "page", p->section, "", text.failed ? "" : doc_words_keep(p->w, text.data, text.len));
    p->w->words.failed |= text.failed;
    buf_free(&text);
}

/* ---- passages: paragraphs, points of lists, rows of other tables ---- */

enum { SHORTEST = 30 }; /* characters of a useful passage */

static void end_passage(struct page *p) {
    struct doc_words *w = p->w;
    struct buf *text = &p->passage;
    if (text->len > 2 && text->data[0] == '|') { /* a row, whose ends are removed */
        text->len -= text->data[text->len - 1] == '|' ? 2 : 0;
        memmove(text->data, text->data + 2, text->len -= 2);
    }
    if (text->len >= SHORTEST) {
        const struct doc_word one = {p->name, p->section, "", plain(w, text->data, text->len), false};
        buf_append(&w->passages, &one, sizeof one);
        w->words.failed |= p->passage.failed || w->passages.failed;
    }
    p->passage.len = 0;
}

static void add_line(struct page *p, const char *line) {
    size_t indent = strspn(line, " "), len = strcspn(line, "\n"), digits = strspn(line + indent, "0123456789");
    bool point = strncmp(line + indent, "- ", 2) == 0 || (digits && line[indent + digits] == '.');
    if (len == indent || point || *line == '|' || strncmp(line, "<!--", 4) == 0)
        end_passage(p);
    bool code = indent >= 4 && !p->passage.len;
    if (len == indent || code || strncmp(line, "<!--", 4) == 0)
        return;
    if (p->passage.len)
        buf_putc(&p->passage, ' ');
    buf_append(&p->passage, line + indent, len - indent);
}

static bool read_table(struct page *p, const char *page, const char *line) {
    const char *cell;
    size_t len;
    bool entry = false;
    if (p->row == 1 && cell_of(line, 0, &cell, &len))
        p->title = plain(p->w, cell, len);
    for (size_t i = 0; i < COUNT_OF(sources) && p->row > 2; i++)
        if (strcmp(sources[i].page, page) == 0)
            entry |= add_row(p, &sources[i], line);
    return entry || p->row <= 2;
}

static void read_page(struct page *p, const char *page, FILE *f) {
    char *line = NULL;
    size_t room = 0;
    while (getline(&line, &room, f) > 0) {
        bool fence = strncmp(line, "```", 3) == 0;
        p->row = *line == '|' ? p->row + 1 : 0;
        p->code ^= fence;
        if (p->code || fence || *line == '#')
            end_passage(p);
        if (*line == '#' && !p->code)
            add_heading(p, line);
        else if (!p->code && !fence && (!p->row || !read_table(p, page, line)))
            add_line(p, line);
    }
    end_passage(p);
    free(line);
}

/* Reads the pages of a folder, of the source tree or installed. */
static void read_folder(struct doc_words *w, const char *folder, const char *shown) {
    struct resource_dir pages;
    resource_dir_open(&pages, folder, "page", ".md", "# ");
    for (int k = 0; k < pages.count; k++) {
        char path[RESOURCE_PATH], name[RESOURCE_PATH];
        const char *page = pages.entry[k]->d_name;
        FILE *f = resource_dir_own(&pages, page, path, sizeof path) ? fopen(path, "r") : NULL;
        snprintf(name, sizeof name, "%s/%s.md", shown, page);
        struct page p = {.w = w, .name = doc_words_keep(w, name, strlen(name)), .title = "", .section = page};
        if (f) {
            read_page(&p, page, f);
            fclose(f);
        }
        buf_free(&p.passage);
    }
    resource_dir_close(&pages);
}

void doc_pages_collect(struct doc_words *w) {
    static const char *const folders[] = {"docs", "../doc/heddle/docs"};
    static const char *const parts[] = {"", "/lessons"};
    char folder[64], shown[64];
    for (size_t i = 0; i < COUNT_OF(folders); i++)
        for (size_t k = 0; k < COUNT_OF(parts); k++) {
            snprintf(folder, sizeof folder, "%s%s", folders[i], parts[k]);
            snprintf(shown, sizeof shown, "docs%s", parts[k]);
            read_folder(w, folder, shown);
        }
}
