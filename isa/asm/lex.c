#include "isa/asm/lex.h"

#include <string.h>

#include "sim/base/ascii.h"

struct lex lex_start(const char *text, size_t len) {
    /* byte order mark */
    if (len >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) {
        text += 3;
        len -= 3;
    }
    return (struct lex){.at = text, .end = text + len, .line_start = text, .line = 1};
}

static bool is_name_start(char c) {
    return is_letter(c) || c == '_' || c == '.' || c == '$';
}

static bool is_name_part(char c) {
    return is_name_start(c) || is_digit(c);
}

/* A sign belongs to a number only after the e of a decimal one: 0x2e-1 is a difference. */
static const char *number_end(const char *p, const char *end) {
    bool decimal = !(p[0] == '0' && end - p > 1 && is_name_start(p[1]) && p[1] != '.' && p[1] != 'e' && p[1] != 'E');
    for (; p < end; p++) {
        if (is_name_part(*p))
            continue;
        bool sign = *p == '+' || *p == '-';
        if (!(decimal && sign && (p[-1] == 'e' || p[-1] == 'E')))
            break;
    }
    return p;
}

/* End of a string that starts at p, after its closing quote; NULL when the line ends first. */
static const char *string_end(const char *p, const char *end) {
    for (p++; p < end && *p != '\n'; p++) {
        if (*p == '"')
            return p + 1;
        if (*p == '\\' && p + 1 < end && p[1] != '\n')
            p++;
    }
    return NULL;
}

static const char *bad_end(const char *p, const char *end) {
    if (*p == '"') {
        const char *nl = memchr(p, '\n', (size_t)(end - p));
        return nl ? nl : end;
    }
    /* One message for a run of bytes that are no ASCII: most likely one or more letters of another script. */
    const char *q = p + 1;
    if ((u8)*p >= 0x80)
        while (q < end && (u8)*q >= 0x80)
            q++;
    return q;
}

static const char *token_end(const char *p, const char *end, u32 *kind) {
    char next = end - p > 1 ? p[1] : '\0';
    if (is_digit(*p) || (*p == '.' && is_digit(next))) {
        *kind = T_NUMBER;
        return number_end(p, end);
    }
    if (is_name_start(*p)) {
        *kind = T_NAME;
        while (p < end && is_name_part(*p))
            p++;
        return p;
    }
    if (*p == '"') {
        const char *q = string_end(p, end);
        *kind = q ? T_STRING : T_BAD;
        return q ? q : bad_end(p, end);
    }
    if ((*p == '<' || *p == '>') && next == *p) {
        *kind = *p == '<' ? T_SHL : T_SHR;
        return p + 2;
    }
    if (*p != '\0' && strchr(",:[]()+-*/%&|^~!@=", *p)) {
        *kind = (u8)*p;
        return p + 1;
    }
    *kind = T_BAD;
    return bad_end(p, end);
}

void lex_next(struct lex *lex, struct token *token) {
    const char *p = lex->at, *end = lex->end;
    while (p < end && (*p == ' ' || *p == '\t' || *p == '\r'))
        p++;
    token->text = p;
    token->line = lex->line;
    token->col = (u32)(p - lex->line_start) + 1;
    if (p == end || *p == '\n' || *p == ';' || (*p == '/' && end - p > 1 && p[1] == '/')) {
        token->kind = T_EOL;
        token->text = lex->at; /* end of the last token */
        token->col = (u32)(lex->at - lex->line_start) + 1;
        token->len = 0;
        return;
    }
    lex->at = token_end(p, end, &token->kind);
    token->len = (u32)(lex->at - p);
}

bool lex_newline(struct lex *lex) {
    const char *nl = lex->at < lex->end ? memchr(lex->at, '\n', (size_t)(lex->end - lex->at)) : NULL;
    if (!nl) {
        lex->at = lex->end;
        return false;
    }
    lex->at = lex->line_start = nl + 1;
    lex->line++;
    return true;
}

struct span token_span(const struct token *token) {
    return (struct span){.line = token->line, .col = token->col, .len = token->len ? token->len : 1};
}

struct span token_span_to(const struct token *first, const struct token *last) {
    if (first->line != last->line || last->text < first->text)
        return token_span(first);
    u32 len = (u32)(last->text - first->text) + last->len;
    return (struct span){.line = first->line, .col = first->col, .len = len ? len : 1};
}

bool token_is(const struct token *token, const char *text) {
    return strncmp(token->text, text, token->len) == 0 && text[token->len] == '\0';
}

int token_shown(const struct token *token) {
    return token->len < 40 ? (int)token->len : 40;
}
