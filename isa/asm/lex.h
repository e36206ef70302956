/*
 * Tokens of one line of assembly, with positions. The lexer holds no buffer: a copy of `struct lex` is a place in the
 * text, for returning there.
 *
 *   struct lex lex = lex_start(text, len);
 *   struct token t;
 *   do
 *       for (lex_next(&lex, &t); t.kind != T_EOL; lex_next(&lex, &t)) ...
 *   while (lex_newline(&lex));
 */
#ifndef HEDDLE_ISA_ASM_LEX_H
#define HEDDLE_ISA_ASM_LEX_H

#include "sim/base/diag.h"

/* Tokens of one character have that character as their kind. */
enum token_kind {
    T_EOL = 256, /* end of the line or of the text, or a comment */
    T_NAME,      /* letters, digits, '_', '.', '$', not starting with a digit */
    T_NUMBER,    /* starts with a digit; its spelling is checked by literal_read */
    T_STRING,    /* with its quotes */
    T_SHL,
    T_SHR,
    T_BAD /* invalid byte, or an unterminated string */
};

struct token {
    const char *text;
    u32 len;
    u32 line, col; /* 1-based */
    u32 kind;      /* enum token_kind, or a character */
};

struct lex {
    const char *at, *end;
    const char *line_start;
    u32 line;
};

struct lex lex_start(const char *text, size_t len);

/* The next token of the line; T_EOL again and again at its end. */
void lex_next(struct lex *lex, struct token *token);

/* Moves to the start of the next line, wherever in the line it stands; false when there is none. */
bool lex_newline(struct lex *lex);

struct span token_span(const struct token *token);

/* Span from the first character of one token to the last of another in the same line. */
struct span token_span_to(const struct token *first, const struct token *last);

/* True if the token's text is exactly this. */
bool token_is(const struct token *token, const char *text);

/* Bytes of a name that a message shows; longer ones are cut. Use with "%.*s". */
int token_shown(const struct token *token);

#endif
