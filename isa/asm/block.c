/* Blocks, from .macro, .repeat and .if to their ends; conditions. */
#include "isa/asm/asm.h"

#include <string.h>

static const struct {
    const char *open, *close;
} words[] = {
    [BLOCK_MACRO] = {".macro", ".endmacro"},
    [BLOCK_REPEAT] = {".repeat", ".endrepeat"},
    [BLOCK_IF] = {".if", ".endif"},
};

static const char *skip_blanks(const char *s, const char *end) {
    while (s < end && (*s == ' ' || *s == '\t'))
        s++;
    return s;
}

/* First word of an unexpanded line, after its labels. */
static struct token first_word(const char *s, const char *end) {
    for (;;) {
        s = skip_blanks(s, end);
        const char *q = s;
        while (q < end && *q != '\0' && !strchr(" \t\r:;,/\"", *q))
            q++;
        const char *colon = skip_blanks(q, end);
        if (q == s || colon == end || *colon != ':')
            return (struct token){.text = s, .len = (u32)(q - s)};
        s = colon + 1;
    }
}

/* Moves *at to the line that ends the block, or to its .else if `other_too`. False when there is none. */
static bool find_end(struct assembler *as, enum block_kind kind, bool other_too, struct cursor *at) {
    u32 depth = 0;
    while (at->at < at->end) {
        const char *nl = memchr(at->at, '\n', (size_t)(at->end - at->at));
        const char *end = nl ? nl : at->end, *next = nl ? nl + 1 : at->end;
        if (as->macros.depth && !reader_charge(as, (size_t)(next - at->at)))
            return false;
        struct token word = first_word(at->at, end);
        if (depth == 0 && (token_is(&word, words[kind].close) || (other_too && token_is(&word, ".else"))))
            return true;
        if (token_is(&word, words[kind].close))
            depth--;
        else if (token_is(&word, words[kind].open))
            depth++;
        at->at = next;
        at->line++;
    }
    return false;
}

static u32 blocks_before(const struct assembler *as) {
    u32 depth = as->macros.depth, files = as->include_depth;
    return depth ? as->macros.reader[depth - 1].blocks : files ? as->include[files - 1].blocks : 0;
}

/* The innermost block of this text; NULL when there is none. */
static struct block *innermost(const struct assembler *as) {
    u32 n = as->macros.blocks.count;
    return n > blocks_before(as) ? AT(struct block, as->macros.blocks, n - 1) : NULL;
}

static void pop(struct assembler *as) {
    as->macros.blocks.count--;
    as->macros.blocks.bytes.len -= sizeof(struct block);
}

static void no_end(struct assembler *as, const struct block *b) {
    const struct macros *m = &as->macros;
    const char *where = m->depth == 0                           ? "before the end of the file"
                        : m->reader[m->depth - 1].macro->repeat ? "in this '.repeat'"
                                                                : "in this macro";
    asm_error(as, token_span(&b->word), "'%s' has no '%s' %s", words[b->kind].open, words[b->kind].close, where);
}

/* Skips to the end of the innermost block, or to its .else; to the end of the text if there is none. */
static bool go_to_end(struct assembler *as, bool other_too, struct cursor *end) {
    const struct block b = *innermost(as);
    *end = reader_next(as);
    bool found = find_end(as, b.kind, other_too, end);
    if (as->macros.over)
        return false;
    if (!found) {
        no_end(as, &b);
        pop(as);
    }
    reader_set_next(as, end);
    return found;
}

static struct block *push(struct assembler *as, enum block_kind kind, const struct token *word) {
    struct block *b = list_push(as, &as->macros.blocks, sizeof *b);
    if (b)
        *b = (struct block){.word = *word, .kind = kind};
    return b;
}

bool block_begin(struct assembler *as, enum block_kind kind, const struct token *word, struct cursor *end) {
    return push(as, kind, word) && go_to_end(as, false, end);
}

void blocks_close(struct assembler *as, u32 count) {
    while (as->macros.blocks.count > count) {
        no_end(as, AT(struct block, as->macros.blocks, as->macros.blocks.count - 1));
        pop(as);
    }
}

/* ---- ends of blocks ---- */

static bool end_block(struct assembler *as, const struct token *word, enum block_kind kind) {
    const struct block *b = innermost(as);
    if (b && b->kind == kind) {
        pop(as);
        return asm_end_of_line(as);
    }
    return asm_error(as, token_span(word), "'%s' without %s '%s' before it", words[kind].close,
                     kind == BLOCK_IF ? "an" : "a", words[kind].open);
}

bool directive_endmacro(struct assembler *as, const struct token *word) {
    return end_block(as, word, BLOCK_MACRO);
}

bool directive_endrepeat(struct assembler *as, const struct token *word) {
    return end_block(as, word, BLOCK_REPEAT);
}

bool directive_endif(struct assembler *as, const struct token *word) {
    return end_block(as, word, BLOCK_IF);
}

/* ---- conditions ---- */

static int compare(struct number a, struct number b) {
    if (a.negative != b.negative)
        return a.negative ? -1 : 1;
    int larger = (a.magnitude > b.magnitude) - (a.magnitude < b.magnitude);
    return a.negative ? -larger : larger;
}

enum { LESS = 1, EQUAL = 2, GREATER = 4 };

static const struct {
    const char *text;
    u32 holds; /* bits of LESS, EQUAL, GREATER that make it true */
} comparisons[] = {
    {"==", EQUAL}, {"!=", LESS | GREATER}, {"<=", LESS | EQUAL}, {">=", GREATER | EQUAL}, {"<", LESS}, {">", GREATER},
};

/* A comparison's sign, of one or two tokens; 0 when there is none. */
static u32 accept_comparison(struct assembler *as) {
    const char *text = as->tok.text;
    for (size_t i = 0; i < COUNT_OF(comparisons); i++) {
        size_t len = strlen(comparisons[i].text);
        if (as->tok.kind == T_EOL || (size_t)(as->lex.end - text) < len || memcmp(text, comparisons[i].text, len) != 0)
            continue;
        while (as->tok.text < text + len)
            asm_next(as);
        return comparisons[i].holds;
    }
    return 0;
}

/* EXPRESSION, or EXPRESSION < EXPRESSION and alike. */
static bool condition(struct assembler *as, bool *holds) {
    struct value a, b;
    if (!expr_number(as, &a))
        return false;
    *holds = a.number.magnitude != 0;
    if (as->tok.kind == T_EOL)
        return true;
    u32 sign = accept_comparison(as);
    if (!sign)
        return asm_unexpected(as, "==, !=, <, <=, >, >= or the end of the line");
    if (!expr_number(as, &b))
        return false;
    int order = compare(a.number, b.number);
    *holds = (sign & (order < 0 ? LESS : order == 0 ? EQUAL : GREATER)) != 0;
    return asm_end_of_line(as);
}

bool directive_if(struct assembler *as, const struct token *word) {
    struct cursor end;
    bool holds = false, ok = condition(as, &holds);
    struct block *b = push(as, BLOCK_IF, word);
    if (!b)
        return false;
    b->taken = holds;
    if (!ok) /* skip both halves, which would cause follow-up errors */
        b->other = true;
    if (!ok || !holds)
        return go_to_end(as, ok, &end) && ok;
    return true;
}

bool directive_else(struct assembler *as, const struct token *word) {
    struct block *b = innermost(as);
    struct cursor end;
    if (!b || b->kind != BLOCK_IF)
        return asm_error(as, token_span(word), "'.else' without an '.if' before it");
    bool ok = !b->other, left_out = b->taken || b->other;
    if (b->other)
        asm_error(as, token_span(word), "expected '.endif'; this '.if' already has an '.else'");
    b->other = true;
    ok = ok && asm_end_of_line(as);
    return (!left_out || go_to_end(as, true, &end)) && ok; /* a second .else is found and reported */
}
