/* Included files, and the names of files in line records. */
#include "isa/asm/asm.h"
#include "isa/check.h"

#include <string.h>

void includes_free(struct includes *includes) {
    arena_free(&includes->names);
    includes->count = 0;
}

static u32 hex_digit(char c) {
    const char *digits = "0123456789abcdef", *at = c ? strchr(digits, c) : NULL;
    return at ? (u32)(at - digits) : 16;
}

const char *include_text(struct assembler *as, const struct token *t) {
    char *text = arena_alloc(&as->program->arena, t->len), *out = text;
    as->nomem |= text == NULL;
    for (u32 i = 1; text && i + 1 < t->len; i++) {
        char c = t->text[i];
        if (c == '\\') {
            c = t->text[++i];
            /* the closing quote is no digit, so that this does not read past it */
            if (c == 'x' && hex_digit(t->text[i + 1]) < 16 && hex_digit(t->text[i + 2]) < 16) {
                c = (char)(u8)(hex_digit(t->text[i + 1]) << 4 | hex_digit(t->text[i + 2]));
                i += 2;
            }
        }
        if (c == '\0') {
            asm_error(as, token_span(t), "a name holds no NUL");
            return NULL;
        }
        *out++ = c;
    }
    if (text && out - text > NAME_LEN_MAX) {
        asm_error(as, token_span(t), NAME_TOO_LONG);
        return NULL;
    }
    return text;
}

/* The included text being read; NONE is the file itself. */
static u32 current(const struct assembler *as) {
    return as->include_depth ? as->include[as->include_depth - 1].text : NONE;
}

static const char *file_name(const struct assembler *as, u32 text) {
    return text == NONE ? as->program->name : as->includes->text[text].file;
}

/* Number of the included text with that path; NONE: the file itself; the count of texts: neither. */
static u32 find_text(const struct assembler *as, const char *path) {
    struct buf own = {0};
    source_file_path("", as->program->name, &own);
    bool is_own = !own.failed && strcmp(own.data, path) == 0;
    buf_free(&own);
    u32 i = is_own ? NONE : 0;
    while (i < as->includes->count && strcmp(as->includes->text[i].file, path) != 0)
        i++;
    return i;
}

static bool is_open(const struct assembler *as, u32 text) {
    bool open = text == NONE;
    for (u32 i = 0; i < as->include_depth; i++)
        open |= as->include[i].text == text;
    return open;
}

/* Reads and appends a file. False after reporting. */
static bool read_text(struct assembler *as, const struct token *word, const struct token *name, const char *path) {
    struct includes *in = as->includes;
    struct source_file *s = &in->text[in->count];
    size_t len = 0, before = as->diag->source_len;
    if (in->count == INCLUDES_MAX)
        return asm_error(as, token_span(name), "more than %d files are included", INCLUDES_MAX);
    u32 first = source_file_lines(as->diag->source, before);
    for (u32 i = 0; i < in->count; i++) {
        first = in->text[i].first + source_file_lines(in->text[i].text, in->text[i].len);
        before += in->text[i].len;
    }
    const char *text = in->read(in->ctx, path, &len);
    if (!text)
        return asm_error(as, token_span(name), "'%s' cannot be read; expected a plain file", path);
    if (before + len > SOURCE_MAX) {
        return asm_error(as, token_span(name), "the file and those it includes are larger than %s bytes",
                         grouped(SOURCE_MAX).text);
    }
    *s = (struct source_file){.file = arena_strndup(&in->names, path, strlen(path)),
                              .text = text,
                              .len = len,
                              .first = first};
    as->nomem |= s->file == NULL;
    in->by[in->count] = word->line;
    as->diag->included = in->text;
    as->diag->nincluded = s->file ? ++in->count : in->count;
    return s->file != NULL;
}

/* Continues with the text at a path from the next line on, unless it was read before. */
static bool enter(struct assembler *as, const struct token *word, const struct token *name, const char *path) {
    u32 text = find_text(as, path);
    if (is_open(as, text))
        return asm_error(as, token_span(name), "'%s' includes itself%s", path,
                         text == current(as) ? "" : ", by way of other files");
    if (as->include_depth == INCLUDE_DEPTH_MAX) {
        return asm_error(as, token_span(name), "includes nested more than %d deep", INCLUDE_DEPTH_MAX);
    }
    if (text < as->includes->count)
        return true;
    if (!read_text(as, word, name, path))
        return false;
    const struct source_file *s = &as->includes->text[text];
    as->entered = lex_start(s->text, s->len);
    as->entered.line += s->first;
    as->enters = true;
    return true;
}

bool directive_include(struct assembler *as, const struct token *word) {
    struct token name = as->tok;
    if (!asm_expect(as, T_STRING, "the file's name in quotes") || !asm_end_of_line(as))
        return false;
    if (as->macros.depth)
        return asm_error(as, token_span(word), "'.include' is not allowed in a macro or '.repeat'");
    if (!as->includes || !as->includes->read) {
        return asm_error(as, token_span(word),
                         "'.include' is not possible here: this text was given without its files");
    }
    const char *text = include_text(as, &name);
    if (text && !*text)
        asm_error(as, token_span(&name), "the name is empty");
    struct buf path = {0};
    if (text)
        source_file_path(file_name(as, current(as)), text, &path);
    as->nomem |= path.failed;
    bool ok = text && *text && !path.failed && enter(as, word, &name, path.data);
    buf_free(&path);
    return ok;
}

bool include_newline(struct assembler *as) {
    if (as->enters) {
        as->enters = false;
        as->include[as->include_depth++] =
            (struct open_include){.lex = as->lex, .text = as->includes->count - 1, .blocks = as->macros.blocks.count};
        as->lex = as->entered;
        return true;
    }
    while (!lex_newline(&as->lex)) {
        if (as->include_depth == 0)
            return false;
        const struct open_include *o = &as->include[as->include_depth - 1];
        blocks_close(as, o->blocks);
        as->lex = o->lex;
        as->include_depth--;
    }
    return true;
}

/* ---- the program's texts ---- */

/* A file of line records: .file "NAME", FIRST. */
static bool push_file(struct assembler *as, const char *name, u32 first) {
    struct source_file *s = list_push(as, &as->files, sizeof *s);
    if (s)
        *s = (struct source_file){.file = name, .first = first};
    return s != NULL;
}

bool directive_file(struct assembler *as, const struct token *word) {
    struct token name = as->tok;
    u64 first = 0;
    if (!asm_expect(as, T_STRING, "the file's name in quotes"))
        return false;
    if (as->has_file && asm_accept(as, ',')) {
        u32 n = as->files.count, least = n ? AT(struct source_file, as->files, n - 1)->first + 1 : 1;
        if (!expr_in_range(as, least, UINT32_MAX - 1, "the number of lines before", &first))
            return false;
    }
    if (as->units.count || (as->has_file && !first))
        return asm_error(as, token_span(word), "'.file' is allowed once, before the first kernel");
    const char *text = include_text(as, &name);
    if (text && as->has_file)
        push_file(as, text, (u32)first);
    else if (text)
        as->program->file = text;
    as->has_file = true;
    return asm_end_of_line(as);
}

/* Copies the texts, which the program outlives. */
bool include_keep(struct assembler *as) {
    struct program *p = as->program;
    u32 n = as->has_file ? as->files.count : as->includes ? as->includes->count : 0;
    const struct source_file *from = n == 0         ? NULL
                                     : as->has_file ? AT(struct source_file, as->files, 0)
                                                    : as->includes->text;
    p->nincluded = n;
    p->included = arena_alloc(&p->arena, n * sizeof *p->included);
    for (u32 i = 0; p->included && i < n; i++) {
        struct source_file *to = &p->included[i];
        *to = from[i];
        to->file = arena_strndup(&p->arena, to->file, strlen(to->file));
        to->text = to->text ? arena_strndup(&p->arena, to->text, to->len) : NULL;
        if (!to->file || (from[i].text && !to->text))
            return false;
    }
    return p->included != NULL;
}
