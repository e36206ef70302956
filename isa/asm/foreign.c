/* What a file is that does not assemble because it is no heddle kernel: PTX, CUDA C++, a cubin, ... */
#include "isa/asm/foreign.h"

#include <string.h>
#include <strings.h>

#include "sim/base/ascii.h"

enum kind {
#define KIND(name, what, action) KIND_##name,
#include "isa/asm/foreign.def"
    KIND_NONE
};

static const struct {
    const char *what, *action;
} kinds[] = {
#define KIND(name, what, action) {what, action},
#include "isa/asm/foreign.def"
};

static const struct {
    enum kind kind;
    const char *bytes, *more;
    u32 len, offset, more_len;
} starts[] = {
#define BYTES(kind, bytes, offset, more) {KIND_##kind, bytes, more, sizeof bytes - 1, offset, sizeof more - 1},
#include "isa/asm/foreign.def"
};

struct word {
    enum kind kind;
    const char *text;
    bool first; /* of its line */
};

static const struct word words[] = {
#define WORD(kind, word) {KIND_##kind, word, false},
#include "isa/asm/foreign.def"
};
static const struct word hints[] = {
#define HINT(kind, word) {KIND_##kind, word, true},
#include "isa/asm/foreign.def"
};

static const struct {
    enum kind kind;
    const char *text;
} endings[] = {
#define ENDING(kind, ending) {KIND_##kind, "." ending},
#include "isa/asm/foreign.def"
};

static bool has_at(const char *text, size_t len, size_t offset, const char *bytes, size_t n) {
    return offset + n <= len && memcmp(text + offset, bytes, n) == 0;
}

static enum kind by_start(const char *text, size_t len) {
    for (size_t i = 0; i < COUNT_OF(starts); i++)
        if (has_at(text, len, 0, starts[i].bytes, starts[i].len) &&
            has_at(text, len, starts[i].offset, starts[i].more, starts[i].more_len))
            return starts[i].kind;
    return KIND_NONE;
}

static bool of_word(char c) {
    return is_alphanumeric(c) || c == '_' || c == '.';
}

/* Length of a line before what is a comment in some of the languages. */
static size_t code_of(const char *line, size_t len) {
    size_t n = 0;
    while (n < len && line[n] != ';' && (line[n] != '/' || n + 1 == len || line[n + 1] != '/'))
        n++;
    return n;
}

/* Column of the word, from 1 on; 0: the line does not have it. */
static u32 column_of(const char *line, size_t len, const struct word *w) {
    size_t n = strlen(w->text), blanks = 0;
    while (blanks < len && (line[blanks] == ' ' || line[blanks] == '\t'))
        blanks++;
    for (size_t i = blanks; i + n <= len && (i == blanks || !w->first); i++)
        if (memcmp(line + i, w->text, n) == 0 && (i == 0 || !of_word(line[i - 1])) &&
            (i + n == len || !of_word(line[i + n])))
            return (u32)i + 1;
    return 0;
}

static bool find_word(const char *text, size_t len, const struct word *w, struct span *at) {
    const char *end = text + len;
    *at = (struct span){.len = (u32)strlen(w->text)};
    for (const char *line = text; line < end;) {
        const char *newline = memchr(line, '\n', (size_t)(end - line));
        size_t n = (size_t)((newline ? newline : end) - line);
        at->line++;
        at->col = column_of(line, code_of(line, n), w);
        if (at->col)
            return true;
        line += n + 1;
    }
    return false;
}

static enum kind by_words(const char *text, size_t len, const struct word *list, size_t n, struct span *at) {
    for (size_t i = 0; i < n; i++)
        if (find_word(text, len, &list[i], at))
            return list[i].kind;
    *at = (struct span){0};
    return KIND_NONE;
}

static enum kind by_ending(const char *name) {
    const char *dot = strrchr(name, '.');
    for (size_t i = 0; dot && i < COUNT_OF(endings); i++)
        if (strcasecmp(dot, endings[i].text) == 0)
            return endings[i].kind;
    return KIND_NONE;
}

enum { LOOKED_AT = 1 << 18 }; /* bytes: time is not spent on the whole of a long text */

/* Kind of a file; without a name, by its text alone. */
static enum kind kind_of(const char *name, const char *text, size_t len, struct span *at, bool *by_name) {
    *at = (struct span){0};
    *by_name = false;
    len = len < LOOKED_AT ? len : LOOKED_AT;
    enum kind kind = by_start(text, len);
    if (kind == KIND_NONE)
        kind = by_words(text, len, words, COUNT_OF(words), at);
    if (kind == KIND_NONE && name)
        *by_name = (kind = by_ending(name)) != KIND_NONE;
    if (kind == KIND_NONE)
        kind = by_words(text, len, hints, COUNT_OF(hints), at);
    return kind == KIND_OWN ? KIND_NONE : kind;
}

static void replace(struct diag *diag, enum kind kind, struct span at, bool by_name) {
    diag->kept = diag->errors = diag->warnings = 0;
    diag_error(diag, at, "%sthis is %s%s", by_name ? "by its name " : "", kinds[kind].what, kinds[kind].action);
}

void foreign_explain(struct diag *diag) {
    struct span at;
    bool by_name;
    enum kind kind = kind_of(diag->file, diag->source, diag->source_len, &at, &by_name);
    if (kind != KIND_NONE) {
        replace(diag, kind, at, by_name);
        return;
    }
    for (u32 i = 0; i < diag->nincluded; i++) {
        const struct source_file *s = &diag->included[i];
        kind = kind_of(NULL, s->text, s->len, &at, &by_name);
        if (kind == KIND_NONE)
            continue;
        at.line = s->first + (at.line ? at.line : 1);
        at.col = at.col ? at.col : 1;
        at.len = at.len ? at.len : 1;
        replace(diag, kind, at, by_name);
        return;
    }
}
