/* Whole numbers of the assembly language, exact in -2^63 .. 2^64-1; and literals as bits of a type. */
#include "isa/asm/asm.h"

#include <string.h>

#include "sim/base/ascii.h"
#include "sim/base/decimal.h"

/* ---- arithmetic: false when the result is out of range ---- */

static const u64 LOWEST = (u64)1 << 63; /* magnitude of the lowest number */

static bool number_make(u64 magnitude, bool negative, struct number *r) {
    *r = (struct number){.magnitude = magnitude, .negative = negative && magnitude != 0};
    return !r->negative || magnitude <= LOWEST;
}

struct number number_negate(struct number a) {
    return (struct number){.magnitude = a.magnitude, .negative = !a.negative && a.magnitude != 0};
}

bool number_add(struct number a, struct number b, struct number *r) {
    if (a.negative == b.negative)
        return number_make(a.magnitude + b.magnitude, a.negative, r) && a.magnitude + b.magnitude >= a.magnitude;
    if (a.magnitude >= b.magnitude)
        return number_make(a.magnitude - b.magnitude, a.negative, r);
    return number_make(b.magnitude - a.magnitude, b.negative, r);
}

u64 number_bits(struct number n) {
    return n.negative ? 0 - n.magnitude : n.magnitude;
}

/* Number of the low 64 bits and the sign of a two's complement result. */
static bool number_of_bits(u64 bits, bool negative, struct number *r) {
    if (negative && !(bits >> 63))
        return false;
    return number_make(negative ? 0 - bits : bits, negative, r);
}

bool number_invert(struct number a, struct number *r) {
    return number_of_bits(~number_bits(a), !a.negative, r);
}

static bool number_multiply(struct number a, struct number b, struct number *r) {
    if (a.magnitude && b.magnitude > UINT64_MAX / a.magnitude)
        return false;
    return number_make(a.magnitude * b.magnitude, a.negative != b.negative, r);
}

/* Arithmetic shift. */
static bool number_shift(struct number a, bool left, u64 count, struct number *r) {
    if (left)
        return a.magnitude == 0 || (count < 64 && a.magnitude <= UINT64_MAX >> count)
                   ? number_make(a.magnitude ? a.magnitude << count : 0, a.negative, r)
                   : false;
    u64 shifted = count < 64 ? a.magnitude >> count : 0;
    bool lost = count < 64 ? a.magnitude != shifted << count : a.magnitude != 0;
    return number_make(shifted + (a.negative && lost), a.negative, r);
}

bool number_binary(u32 op, struct number a, struct number b, struct number *r, const char **why) {
    *why = "the result does not fit in 64 bits";
    switch (op) {
    case '+': return number_add(a, b, r);
    case '-': return number_add(a, number_negate(b), r);
    case '*': return number_multiply(a, b, r);
    case '&': return number_of_bits(number_bits(a) & number_bits(b), a.negative && b.negative, r);
    case '|': return number_of_bits(number_bits(a) | number_bits(b), a.negative || b.negative, r);
    case '^': return number_of_bits(number_bits(a) ^ number_bits(b), a.negative != b.negative, r);
    case '/':
    case '%':
        *why = "division by zero";
        if (b.magnitude == 0)
            return false;
        return op == '/' ? number_make(a.magnitude / b.magnitude, a.negative != b.negative, r)
                         : number_make(a.magnitude % b.magnitude, a.negative, r);
    default:
        if (b.negative) {
            *why = "a shift count must not be negative";
            return false;
        }
        return number_shift(a, op == T_SHL, b.magnitude, r);
    }
}

bool number_within(struct number n, s64 least, u64 most) {
    if (!n.negative)
        return (least < 0 || n.magnitude >= (u64)least) && n.magnitude <= most;
    return least < 0 && n.magnitude <= 0 - (u64)least;
}

/* ---- tokens ---- */

static int digit_value(char c) {
    if (is_digit(c))
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : 99;
}

enum digits { DIGITS_OK, DIGITS_BAD, DIGITS_BIG };

static enum digits read_digits(const char *text, u32 len, u32 base, u64 *n) {
    bool big = false;
    *n = 0;
    for (u32 i = 0; i < len; i++) {
        u32 digit = (u32)digit_value(text[i]);
        if (digit >= base)
            return DIGITS_BAD;
        big |= *n > (UINT64_MAX - digit) / base;
        *n = *n * base + digit;
    }
    return len == 0 ? DIGITS_BAD : big ? DIGITS_BIG : DIGITS_OK;
}

/* 'f' or 'd' of 0f3f800000 and 0d3ff0000000000000, 'x' or 'b' of 0x10 and 0b10, 0 of decimal numbers. */
static char prefix_of(const struct token *t) {
    return t->len > 1 && t->text[0] == '0' && strchr("xXbBfd", t->text[1]) ? (char)(t->text[1] | 0x20) : '\0';
}

static bool bad_number(struct assembler *as, const struct token *t, const char *why) {
    return asm_error(as, token_span(t), "'%.*s' is not a number: %s", token_shown(t), t->text, why);
}

static bool read_prefixed(struct assembler *as, const struct token *t, struct value *v) {
    char prefix = prefix_of(t);
    enum digits d = read_digits(t->text + 2, t->len - 2, prefix == 'b' ? 2 : 16, &v->number.magnitude);
    if (prefix == 'f' || prefix == 'd') {
        u32 want = prefix == 'f' ? 8 : 16;
        if (d == DIGITS_BAD || t->len - 2 != want)
            return bad_number(as, t, want == 8 ? "0f takes 8 hexadecimal digits" : "0d takes 16 hexadecimal digits");
        v->kind = V_FLOAT;
        return true;
    }
    if (d == DIGITS_BAD)
        return bad_number(as, t, prefix == 'b' ? "0b takes the digits 0 and 1" : "0x takes hexadecimal digits");
    return d == DIGITS_OK || bad_number(as, t, "it does not fit in 64 bits");
}

/* Reads a number token. Decimal ones that are not a whole number of 64 bits stay text, for literal_bits. */
bool number_read(struct assembler *as, const struct token *t, struct value *v) {
    v->kind = V_NUMBER;
    v->literal = *t;
    if (prefix_of(t))
        return read_prefixed(as, t, v);
    enum digits d = read_digits(t->text, t->len, 10, &v->number.magnitude);
    if (d != DIGITS_OK)
        v->kind = V_FLOAT;
    return d != DIGITS_BAD || float_is_decimal(t->text, t->len) || bad_number(as, t, "digits were expected");
}

/* ---- bits ---- */

static bool is_whole_text(const struct token *t) {
    for (u32 i = 0; i < t->len; i++)
        if (digit_value(t->text[i]) > 9)
            return false;
    return true;
}

/* Reports a value where a whole number is needed. */
static bool not_whole(struct assembler *as, const struct value *v) {
    if (is_whole_text(&v->literal))
        asm_error(as, v->at, "the number does not fit in 64 bits");
    else if (!prefix_of(&v->literal) && v->literal.text[0] != 'i' && v->literal.text[0] != 'n')
        asm_error(as, v->at, "expected a whole number; the bits of '%s%.*s' as fp32 are 0f%08x", v->minus ? "-" : "",
                  token_shown(&v->literal), v->literal.text,
                  (u32)(float_from_decimal(&float_fp32, v->literal.text, v->literal.len) |
                        (v->minus ? float_sign(&float_fp32) : 0)));
    else
        asm_error(as, v->at, "expected a whole number, found '%.*s'", token_shown(&v->literal), v->literal.text);
    return false;
}

static bool whole(struct assembler *as, const struct value *v, s64 least, u64 most, const char *what) {
    if (v->kind != V_NUMBER)
        return not_whole(as, v);
    if (number_within(v->number, least, most))
        return true;
    return asm_error(as, v->at, "%s%llu is out of range: %s is %lld to %llu", v->number.negative ? "-" : "",
                     (unsigned long long)v->number.magnitude, what, (long long)least, (unsigned long long)most);
}

/* A number written as bits: those of the format, or of `width` bits for a packed pair. */
static bool float_of_bits(struct assembler *as, const struct value *v, const struct float_spec *f, u32 width,
                          u64 *bits) {
    char prefix = prefix_of(&v->literal);
    bool fits = prefix == 'f' ? width == 32 && f->bits == 32 : prefix == 'd' ? f->bits == 64 : true;
    if (!fits)
        return asm_error(as, v->at, "'%.*s' is %s; expected %s", token_shown(&v->literal), v->literal.text,
                         prefix == 'f' ? "fp32" : "fp64", f->name);
    if (v->minus) {
        return asm_error(as, v->at, "bits of a floating-point number cannot have a sign");
    }
    *bits = v->number.magnitude;
    if (width == 64 || *bits >> width == 0)
        return true;
    return asm_error(as, v->at, "'%.*s' has more than %u bits", token_shown(&v->literal), v->literal.text, width);
}

/* The number rounded to the format. `width` is that of the field: 32 for a packed pair of 16-bit numbers. */
static bool to_float(struct assembler *as, const struct value *v, const struct float_spec *f, u32 width, u64 *bits) {
    bool pair = width == 2u * f->bits;
    const struct token *t = &v->literal;
    if (t->len && prefix_of(t))
        return float_of_bits(as, v, f, width, bits);
    if (v->address)
        return asm_error(as, v->at, "expected %s, found an address of data", f->name);
    bool minus = v->kind == V_NUMBER ? v->number.negative || (v->minus && v->number.magnitude == 0) : v->minus;
    u64 b;
    if (v->kind == V_NUMBER)
        b = float_from_integer(f, v->number.magnitude);
    else if (token_is(t, "inf"))
        b = float_infinity(f);
    else if (token_is(t, "nan"))
        b = float_nan(f);
    else
        b = float_from_decimal(f, t->text, t->len);
    if (b == float_infinity(f) && !(v->kind == V_FLOAT && token_is(t, "inf")))
        return asm_error(as, v->at, "the number is out of range: %s ends at %s; write 'inf' for infinity", f->name,
                         f->largest);
    b |= minus ? float_sign(f) : 0;
    *bits = pair ? b << f->bits | b : b;
    return true;
}

static bool whole_or_bits32(struct assembler *as, const struct value *v, u64 *bits) {
    if (v->kind == V_FLOAT && prefix_of(&v->literal) == 'f')
        return float_of_bits(as, v, &float_fp32, 32, bits);
    if (!whole(as, v, INT32_MIN, UINT32_MAX, "a 32-bit number"))
        return false;
    *bits = (u32)number_bits(v->number);
    return true;
}

static bool sign_extended(struct assembler *as, const struct value *v, u64 *bits) {
    if (v->kind != V_NUMBER)
        return not_whole(as, v);
    *bits = number_bits(v->number);
    if ((u64)(s64)(s32)(u32)*bits == *bits)
        return true;
    return asm_error(
        as, v->at,
        "a 64-bit operand takes -2147483648 to 2147483647 here, sign-extended; load other numbers with movi.b64");
}

static bool high_word(struct assembler *as, const struct value *v, u64 *bits) {
    if (!to_float(as, v, &float_fp64, 64, bits))
        return false;
    if ((u32)*bits == 0) {
        *bits >>= 32;
        return true;
    }
    return asm_error(as, v->at, "this fp64 number needs more than its high word (0d%016llx); load it with movi.b64",
                     (unsigned long long)*bits);
}

bool literal_bits(struct assembler *as, const struct value *v, enum literal literal, bool pair, u64 *bits) {
    switch (literal) {
    case LIT_NONE: break;
    case LIT_INT: return pair ? sign_extended(as, v, bits) : whole_or_bits32(as, v, bits);
    case LIT_ANY:
        if (v->kind == V_FLOAT && !is_whole_text(&v->literal))
            return to_float(as, v, &float_fp32, 32, bits);
        return whole_or_bits32(as, v, bits);
    case LIT_F32: return to_float(as, v, &float_fp32, 32, bits);
    case LIT_F64: return high_word(as, v, bits);
    case LIT_H2: return to_float(as, v, &float_fp16, 32, bits);
    case LIT_W2: return to_float(as, v, &float_bf16, 32, bits);
    }
    return false;
}

bool literal_wide(struct assembler *as, const struct value *v, u64 *bits) {
    if (v->kind == V_FLOAT && !is_whole_text(&v->literal))
        return to_float(as, v, &float_fp64, 64, bits);
    if (v->kind != V_NUMBER)
        return not_whole(as, v);
    *bits = number_bits(v->number);
    return true;
}

/* The range of an element type; bN takes signed and unsigned numbers. */
static bool element_whole(struct assembler *as, const struct value *v, enum etype type, u64 *bits) {
    u32 width = etypes[type].bytes * 8;
    enum etype_kind kind = etypes[type].kind;
    s64 least = kind == ETYPE_UNSIGNED ? 0 : width == 64 ? INT64_MIN : -((s64)1 << (width - 1));
    u64 most = kind == ETYPE_SIGNED ? ((u64)1 << (width - 1)) - 1 : UINT64_MAX >> (64 - width);
    if (kind == ETYPE_TRUTH) {
        least = 0;
        most = 1;
    }
    if (!whole(as, v, least, most, etypes[type].name))
        return false;
    *bits = number_bits(v->number);
    return true;
}

bool literal_element(struct assembler *as, const struct value *v, enum etype type, u64 *bits) {
    const struct float_spec *f = etype_float_format(type);
    return f ? to_float(as, v, f, f->bits, bits) : element_whole(as, v, type, bits);
}
