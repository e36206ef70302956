/*
 * Expressions: whole numbers with the operators of C and their precedence, names, registers. A register may have a
 * number added to it, nothing else; what that means, and whether a register may stand there at all, the user decides.
 */
#include "isa/asm/asm.h"

#include <string.h>

enum { DEPTH_MAX = 64 }; /* of parentheses and signs; people write two or three */

static bool parse_binary(struct assembler *as, u32 least, struct value *v);

static u32 precedence(u32 op) {
    switch (op) {
    case '|': return 1;
    case '^': return 2;
    case '&': return 3;
    case T_SHL:
    case T_SHR: return 4;
    case '+':
    case '-': return 5;
    case '*':
    case '/':
    case '%': return 6;
    default: return 0;
    }
}

enum { LOWEST = 1, SUMS = 5 };

static bool all_digits(const char *text, u32 len) {
    for (u32 i = 0; i < len; i++)
        if (text[i] < '0' || text[i] > '9')
            return false;
    return len > 0;
}

/* r0, p0, x0 and alike. False when the token is no such name; a number that does not exist is reported in `*ok`. */
static bool parse_numbered(struct assembler *as, const struct token *t, struct value *v, bool *ok) {
    *ok = true;
    if (token_is(t, "rz") || token_is(t, "pt")) {
        v->kind = t->text[0] == 'r' ? V_REG : V_PRED;
        v->index = t->text[0] == 'r' ? RZ : PT;
        return true;
    }
    if (!strchr("rpx", t->text[0]) || !all_digits(t->text + 1, t->len - 1))
        return false;
    char kind = t->text[0];
    u32 limit = kind == 'r' ? REG_COUNT : kind == 'p' ? PRED_COUNT : TRANSIT_COUNT, n = 0;
    for (u32 i = 1; i < t->len && n < 1000; i++)
        n = n * 10 + (u32)(t->text[i] - '0');
    if (n >= limit || (t->text[1] == '0' && t->len > 2)) {
        asm_error(as, token_span(t), "there is no %s '%.*s': %s",
                  kind == 'r'   ? "register"
                  : kind == 'p' ? "predicate"
                                : "transit register",
                  token_shown(t), t->text,
                  kind == 'r'   ? "r0 to r254, and rz"
                  : kind == 'p' ? "p0 to p14, and pt"
                                : "x0 to x3");
        *ok = false;
    }
    v->kind = kind == 'r' ? V_REG : kind == 'p' ? V_PRED : V_TRANSIT;
    v->index = n;
    return true;
}

static bool parse_symbol(struct assembler *as, struct value *v) {
    u32 index = symbol_find(as, &as->tok);
    if (index == NONE) {
        names_unknown_symbol(as, &as->tok);
        return false;
    }
    const struct symbol *s = asm_symbol(as, index);
    struct span at = v->at;
    switch ((enum symbol_kind)s->kind) {
    case SYM_EQU:
        *v = *s->value;
        v->at = at;
        break;
    case SYM_REG:
    case SYM_PRED:
        v->kind = s->kind == SYM_REG ? V_REG : V_PRED;
        v->symbol = index;
        break;
    case SYM_PARAM:
    case SYM_SHARED:
    case SYM_LOCAL:
    case SYM_CONST:
    case SYM_GLOBAL:
        v->kind = V_NUMBER;
        v->number.magnitude = s->offset;
        v->address = true;
        v->data = index + 1;
        break;
    }
    return true;
}

static bool parse_name(struct assembler *as, struct value *v) {
    bool ok;
    if (token_is(&as->tok, "inf") || token_is(&as->tok, "nan")) {
        v->kind = V_FLOAT;
        v->literal = as->tok;
    } else if (parse_numbered(as, &as->tok, v, &ok)) {
        if (!ok)
            return false;
    } else if (!parse_symbol(as, v)) {
        return false;
    }
    asm_next(as);
    return true;
}

static bool parse_parenthesis(struct assembler *as, struct value *v) {
    struct token open = as->tok;
    asm_next(as);
    if (!parse_binary(as, LOWEST, v))
        return false;
    if (as->tok.kind != ')')
        return asm_unexpected(as, "')'");
    asm_next(as);
    v->literal.len = v->kind == V_NUMBER ? 0 : v->literal.len; /* (0x10) is a number, no longer bits */
    v->at = token_span_to(&open, &as->last);
    return true;
}

static bool apply_sign(struct assembler *as, u32 op, struct value *v) {
    if (v->kind == V_FLOAT && op != '~') {
        v->minus ^= op == '-';
        return true;
    }
    if (v->kind != V_NUMBER)
        return asm_error(as, v->at, "'%c' needs a whole number", (char)op);
    if (op != '+' && v->data)
        v->data = DATA_MIXED;
    if (op == '~') {
        v->literal.len = 0;
        if (number_invert(v->number, &v->number))
            return true;
    } else if (op == '+') {
        return true;
    } else {
        v->minus = !v->minus;
        v->number = number_negate(v->number);
        if (!v->number.negative || v->number.magnitude <= (u64)1 << 63)
            return true;
    }
    return asm_error(as, v->at, "the result does not fit in 64 bits");
}

static bool parse_unary(struct assembler *as, struct value *v) {
    *v = (struct value){.symbol = NONE, .at = token_span(&as->tok)};
    struct token first = as->tok;
    if (as->depth >= DEPTH_MAX)
        return asm_error(as, token_span(&first), "parentheses and signs nested more than %d deep", DEPTH_MAX);
    as->depth++;
    bool ok;
    if (first.kind == '-' || first.kind == '+' || first.kind == '~') {
        asm_next(as);
        ok = parse_unary(as, v) && apply_sign(as, first.kind, v);
        if (ok)
            v->at = token_span_to(&first, &as->last);
    } else if (first.kind == '(') {
        ok = parse_parenthesis(as, v);
    } else if (first.kind == T_NUMBER) {
        ok = number_read(as, &first, v);
        if (ok)
            asm_next(as);
    } else if (first.kind == T_NAME) {
        ok = parse_name(as, v);
    } else {
        ok = asm_unexpected(as, "a number or a name");
    }
    as->depth--;
    return ok;
}

/* Named data that the result of v op w holds. */
static u32 combined_data(u32 op, const struct value *v, const struct value *w) {
    if (!w->data && (op == '+' || op == '-'))
        return v->data;
    if (!v->data && op == '+')
        return w->data;
    return v->data || w->data ? DATA_MIXED : 0;
}

/* v = v op w */
static bool combine(struct assembler *as, u32 op, const struct token *at, struct value *v, const struct value *w) {
    const u32 data = combined_data(op, v, w);
    if (v->kind == V_NUMBER && w->kind == V_REG && op == '+') {
        struct number n = v->number;
        bool address = v->address;
        *v = *w;
        v->data = data;
        v->address |= address;
        if (number_add(v->number, n, &v->number)) {
            v->plus = true;
            return true;
        }
    } else if (v->kind == V_REG && w->kind == V_NUMBER && (op == '+' || op == '-')) {
        struct number n = op == '-' ? number_negate(w->number) : w->number;
        v->address |= w->address;
        v->data = data;
        v->plus = true;
        if (number_add(v->number, n, &v->number))
            return true;
    } else if (v->kind == V_NUMBER && w->kind == V_NUMBER) {
        const char *why;
        v->address |= w->address;
        v->data = data;
        v->literal.len = 0;
        v->minus = false;
        if (number_binary(op, v->number, w->number, &v->number, &why))
            return true;
        return asm_error(as, token_span(at), "%s", why);
    } else {
        bool reg = v->kind == V_REG || w->kind == V_REG;
        return asm_error(as, token_span(at), "'%.*s' is not allowed here: %s", token_shown(at), at->text,
                         reg ? "only a number can be added to a register" : "arithmetic is for whole numbers");
    }
    return asm_error(as, token_span(at), "the result does not fit in 64 bits");
}

static bool parse_binary(struct assembler *as, u32 least, struct value *v) {
    struct token first = as->tok;
    if (!parse_unary(as, v))
        return false;
    while (precedence(as->tok.kind) >= least && precedence(as->tok.kind) != 0) {
        struct token op = as->tok;
        struct value w;
        asm_next(as);
        if (!parse_binary(as, precedence(op.kind) + 1, &w) || !combine(as, op.kind, &op, v, &w))
            return false;
        v->at = token_span_to(&first, &as->last);
    }
    return true;
}

static bool parse_negated(struct assembler *as, struct value *v) {
    struct token mark = as->tok;
    asm_next(as);
    if (as->tok.kind != T_NAME)
        return asm_unexpected(as, "a predicate");
    *v = (struct value){.symbol = NONE, .at = token_span(&as->tok)};
    if (!parse_name(as, v))
        return false;
    v->at = token_span_to(&mark, &as->last);
    v->negated = true;
    if (v->kind == V_PRED)
        return true;
    return asm_error(as, v->at, "'!' needs a predicate");
}

static const char *sreg_name(const void *ctx, size_t i) {
    (void)ctx;
    return isa_sregs[i].name;
}

/* Parses '%' and the name right after it. */
static bool parse_sreg(struct assembler *as, struct value *v) {
    struct token t = as->tok;
    asm_next(as);
    if (as->tok.kind == T_NAME && as->tok.text == t.text + 1) {
        t.len += as->tok.len;
        asm_next(as);
    }
    *v = (struct value){.kind = V_SREG, .symbol = NONE, .at = token_span(&t)};
    for (u32 i = 0; i < SREG_COUNT; i++) {
        if (token_is(&t, isa_sregs[i].name)) {
            v->index = i;
            return true;
        }
    }
    char word[48] = "";
    memcpy(word, t.text, t.len < sizeof word ? t.len : 0);
    const char *near = asm_suggests(as) ? nearest_name(word, SREG_COUNT, sreg_name, NULL) : NULL;
    return asm_error(as, v->at, "unknown special register '%.*s'%s%s%s", token_shown(&t), t.text,
                     near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
}

bool expr_value(struct assembler *as, struct value *v) {
    if (as->tok.kind == '!')
        return parse_negated(as, v);
    if (as->tok.kind == '%')
        return parse_sreg(as, v);
    return parse_binary(as, LOWEST, v);
}

bool expr_destination(struct assembler *as, struct value *v) {
    if (as->tok.kind == '!' || as->tok.kind == '%')
        return expr_value(as, v);
    return parse_binary(as, SUMS, v);
}

bool expr_number(struct assembler *as, struct value *v) {
    if (!parse_binary(as, LOWEST, v))
        return false;
    if (v->kind == V_NUMBER && !v->address)
        return true;
    return asm_error(as, v->at,
                     v->address ? "the address of data is not known here; expected a whole number"
                                : "expected a whole number");
}

bool expr_in_range(struct assembler *as, s64 least, u64 most, const char *what, u64 *n) {
    struct value v;
    if (!expr_number(as, &v))
        return false;
    if (number_within(v.number, least, most)) {
        *n = number_bits(v.number);
        return true;
    }
    return asm_error(as, v.at, "%s must be %lld to %llu", what, (long long)least, (unsigned long long)most);
}
