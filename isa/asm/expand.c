/* Lines of bodies: their text with the arguments in it, and the way back from a place in that to the file. */
#include "isa/asm/asm.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { ROOM = 64 * 1024 };

/* A part of a made line. */
struct piece {
    const char *text;
    u32 len;
    u32 from, width;  /* where it stands in the file's line: offset and bytes */
    bool as_written;  /* else it replaces a \NAME */
    bool unknown;     /* there is no such name */
    char decimal[12]; /* what `text` may point to */
};

static bool is_param_part(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

static bool same_name(const struct token *a, const char *text, u32 len) {
    return a->len == len && memcmp(a->text, text, len) == 0;
}

static void put_decimal(struct piece *p, u32 n) {
    p->len = (u32)snprintf(p->decimal, sizeof p->decimal, "%u", n);
    p->text = p->decimal;
}

/* The parameter of that name and the expansion whose it is; a repeat sees what the text around it sees. */
static const struct expansion *find_param(const struct assembler *as, u32 e, const char *name, u32 len, u32 *param) {
    while (e != NONE) {
        const struct expansion *x = AT(struct expansion, as->macros.expansions, e);
        for (*param = 0; *param < x->macro->nparams; ++*param)
            if (same_name(&x->macro->param[*param], name, len))
                return x;
        e = x->macro->repeat ? x->parent : NONE;
    }
    return NULL;
}

bool expand_knows(const struct assembler *as, const struct token *name) {
    const struct macros *m = &as->macros;
    u32 e = m->depth ? m->reader[m->depth - 1].expansion : NONE, param;
    return find_param(as, e, name->text, name->len, &param) != NULL;
}

/* What stands for a backslash and what follows it. */
static void replace(const struct assembler *as, u32 expansion, const char *s, const char *end, struct piece *p) {
    const char *name = s + 1, *q = name;
    if (end - name >= 2 && name[0] == '(' && name[1] == ')') {
        p->width = 3;
        return;
    }
    if (name < end && *name == '@') {
        p->width = 2;
        put_decimal(p, AT(struct expansion, as->macros.expansions, expansion)->number);
        return;
    }
    while (q < end && is_param_part(*q))
        q++;
    u32 param;
    const struct expansion *x = find_param(as, expansion, name, (u32)(q - name), &param);
    p->width = (u32)(q - s);
    p->unknown = x == NULL;
    if (x && x->macro->repeat) {
        put_decimal(p, x->round);
    } else if (x) {
        p->text = x->arg[param].text;
        p->len = x->arg[param].len;
    }
}

/* The end of what is taken as it is written: up to a backslash outside of strings, or to the comment. */
static const char *written_end(const char *s, const char *end) {
    bool in_string = false;
    for (; s < end; s++) {
        if (in_string && *s == '\\' && end - s > 1)
            s++;
        else if (*s == '"')
            in_string = !in_string;
        else if (!in_string && (*s == '\\' || *s == ';' || (*s == '/' && end - s > 1 && s[1] == '/')))
            break;
    }
    return s;
}

/* The next piece of a line, from the offset `at`; false at its end. */
static bool next_piece(const struct assembler *as, u32 expansion, const char *line, const char *end, u32 at,
                       struct piece *p) {
    const char *s = line + at, *q = written_end(s, end);
    *p = (struct piece){.text = s, .from = at, .as_written = q > s};
    if (q > s)
        p->len = p->width = (u32)(q - s);
    else if (s < end && *s == '\\')
        replace(as, expansion, s, end, p);
    return p->width > 0;
}

/* Keeps text as long as the assembler works. */
static char *keep(struct assembler *as, const char *text, u32 len) {
    struct macros *m = &as->macros;
    if (!m->room || m->room_left < len) {
        m->room = arena_alloc(&as->scratch, ROOM);
        m->room_left = ROOM;
    }
    if (!m->room) {
        as->nomem = true;
        return NULL;
    }
    char *kept = m->room;
    memcpy(kept, text, len);
    m->room += len;
    m->room_left -= len;
    return kept;
}

/* ---- messages ---- */

u32 asm_line(const struct assembler *as, u32 line) {
    return line & LINE_MADE ? AT(struct made_line, as->macros.lines, line & ~LINE_MADE)->line : line;
}

struct line_name asm_line_name(const struct assembler *as, u32 line) {
    return line_name(as->diag->included, as->diag->nincluded, asm_line(as, line));
}

static const char *line_end(const char *text, const char *end) {
    const char *nl = memchr(text, '\n', (size_t)(end - text));
    return nl ? nl : end;
}

/* Where a place in a made line lies in the file, and whose expansion that is: what replaces a name lies at the name. */
static struct span place_in_file(const struct assembler *as, struct span at, u32 *expansion) {
    *expansion = NONE;
    if (!(at.line & LINE_MADE))
        return at;
    const struct made_line *made = AT(struct made_line, as->macros.lines, at.line & ~LINE_MADE);
    const struct source_file *included = source_file_at(as->diag->included, as->diag->nincluded, made->line);
    const char *text_end = included ? included->text + included->len : as->diag->source + as->diag->source_len;
    const char *end = line_end(made->text, text_end);
    u32 begin = at.col - 1, last = begin + at.len - 1, from = NONE, to = NONE, in_made = 0, in_file = 0;
    struct piece p;
    *expansion = made->expansion;
    while (to == NONE && next_piece(as, made->expansion, made->text, end, in_file, &p)) {
        if (from == NONE && begin < in_made + p.len)
            from = p.as_written ? in_file + (begin - in_made) : in_file;
        if (last < in_made + p.len)
            to = p.as_written ? in_file + (last - in_made) + 1 : in_file + p.width;
        in_made += p.len;
        in_file += p.width;
    }
    if (from == NONE) /* behind the last character */
        from = in_file;
    if (to == NONE)
        to = in_file > from ? in_file : from + 1;
    return (struct span){.line = made->line, .col = from + 1, .len = to - from};
}

/* The use that note n below a message is for, going up: the last note is for the one in the text of the file itself. */
static const struct expansion *noted_use(const struct assembler *as, u32 expansion, u32 n, bool *skips) {
    const struct expansion *x = AT(struct expansion, as->macros.expansions, expansion);
    *skips = n == DIAG_NOTES - 1 && x->parent != NONE;
    while (*skips && x->parent != NONE)
        x = AT(struct expansion, as->macros.expansions, x->parent);
    return x;
}

/* Whether the uses that led to an expansion are those that led to a message, but for the rounds of repeats. */
static bool same_way(const struct assembler *as, const struct diag_message *m, u32 expansion) {
    bool skips;
    for (u32 n = 0; n < m->notes; n++) {
        const struct expansion *x = expansion != NONE ? noted_use(as, expansion, n, &skips) : NULL;
        if (!x || m->note[n].line != asm_line(as, x->use.line))
            return false;
        expansion = x->parent;
    }
    return expansion == NONE;
}

/*
 * Every use of a body would repeat what is wrong with it, and every round of a repeat would say it of other names. When
 * that has been found often enough, one message for a place will do: they have no suggestions any more, by which they
 * might differ.
 */
static bool is_said(const struct assembler *as, struct span at, u32 expansion, const char *text) {
    for (u32 i = 0; i < as->diag->kept; i++) {
        const struct diag_message *m = &as->diag->message[i];
        bool same_place = m->at.line == at.line && m->at.col == at.col;
        if (same_place && (!names_suggest(as) || strcmp(m->text, text) == 0 || same_way(as, m, expansion)))
            return true;
    }
    return false;
}

static void note_way(struct assembler *as, u32 expansion) {
    bool skips;
    for (u32 n = 0; expansion != NONE && n < DIAG_NOTES; n++) {
        const struct expansion *x = noted_use(as, expansion, n, &skips);
        const struct token *name = &x->macro->name;
        const char *dots = skips ? "... " : "";
        u32 line = asm_line(as, x->use.line);
        if (x->macro->repeat)
            diag_note(as->diag, line, "%sin round %u of the '.repeat'", dots, x->round);
        else
            diag_note(as->diag, line, "%sin the expansion of '%.*s'", dots, token_shown(name), name->text);
        expansion = x->parent;
    }
}

static void report(struct assembler *as, struct span at, u32 expansion, const char *text) {
    const u32 mistakes = as->diag->errors + as->macros.said_again;
    as->macros.over |= expansion != NONE && mistakes >= MACRO_MISTAKES_MAX;
    if (expansion != NONE && is_said(as, at, expansion, text)) {
        as->macros.said_again++;
        return;
    }
    diag_error(as->diag, at, "%s", text);
    if (expansion == NONE)
        include_note(as, at.line);
    else
        note_way(as, expansion);
}

void asm_error(struct assembler *as, struct span at, const char *fmt, ...) {
    char text[sizeof as->diag->message[0].text];
    u32 expansion;
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    struct span place = place_in_file(as, at, &expansion);
    report(as, place, expansion, text);
}

enum { COPY = 48 };

static const char *copied(const void *ctx, size_t i) {
    return (const char *)ctx + i * COPY;
}

/* Reports a \NAME that means nothing here, with the nearest that does. */
static void unknown_name(struct assembler *as, u32 expansion, struct span at, const char *name, u32 len) {
    char known[MACRO_PARAMS_MAX + MACRO_DEPTH_MAX][COPY] = {0}, word[COPY] = "", text[200];
    u32 n = 0;
    for (u32 e = expansion; e != NONE;) {
        const struct expansion *x = AT(struct expansion, as->macros.expansions, e);
        for (u32 i = 0; i < x->macro->nparams && n < COUNT_OF(known); i++)
            if (x->macro->param[i].len < COPY)
                memcpy(known[n++], x->macro->param[i].text, x->macro->param[i].len);
        e = x->macro->repeat ? x->parent : NONE;
    }
    memcpy(word, name, len < COPY ? len : 0);
    const char *near = len > 1 && names_suggest(as) ? nearest_name(word, n, copied, known) : NULL;
    if (len == 0)
        snprintf(text, sizeof text, "expected a parameter's name, '@' or '()' behind '\\'");
    else
        snprintf(text, sizeof text, "'\\%.*s' is no parameter or counter here%s%s%s", (int)(len < 40 ? len : 40), name,
                 near ? "; did you mean '\\" : "", near ? near : "", near ? "'?" : "");
    report(as, at, expansion, text);
}

/* ---- lines ---- */

/* Puts the pieces of a line together. False after reporting what is wrong with it. */
static bool fill_in(struct assembler *as, const struct made_line *made, const char *end, char *out, u32 *len) {
    static const char too_long[] = "the arguments make the line longer than 4096 characters";
    _Static_assert(MACRO_LINE_MAX == 4096, "the message says so");
    struct piece p;
    *len = 0;
    for (u32 at = 0; next_piece(as, made->expansion, made->text, end, at, &p); at += p.width) {
        struct span place = {.line = made->line, .col = at + 1, .len = p.width};
        if (p.unknown) {
            unknown_name(as, made->expansion, place, made->text + at + 1, p.width - 1);
            return false;
        }
        if (p.len > MACRO_LINE_MAX - *len) {
            report(as, place, made->expansion, too_long);
            return false;
        }
        memcpy(out + *len, p.text, p.len);
        *len += p.len;
    }
    return true;
}

void expand_line(struct assembler *as, u32 expansion, const char *text, const char *end, u32 line) {
    const struct made_line made = {.text = text, .line = line, .expansion = expansion};
    u32 index = as->macros.lines.count, len;
    struct made_line *kept = list_push(as, &as->macros.lines, sizeof *kept);
    as->lex = (struct lex){.at = text, .end = end, .line_start = text, .line = kept ? LINE_MADE | index : line};
    if (kept)
        *kept = made;
    if (!kept || !memchr(text, '\\', (size_t)(end - text)))
        return;
    char out[MACRO_LINE_MAX];
    const char *made_text = fill_in(as, &made, end, out, &len) ? keep(as, out, len) : NULL;
    if (made_text) {
        as->lex.at = as->lex.line_start = made_text;
        as->lex.end = made_text + len;
        as->macros.bytes_read += len;
    } else {
        as->lex.at = end; /* nothing */
    }
}
