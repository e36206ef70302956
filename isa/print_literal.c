/* Immediates as text. */
#include "isa/print.h"

#include <stdio.h>
#include <string.h>

#include "sim/base/decimal.h"

static u64 mask_of(const struct float_spec *f) {
    return f->bits == 64 ? UINT64_MAX : ((u64)1 << f->bits) - 1;
}

/* 2^n, without libm. */
static double power_of_2(int n) {
    double p = 1;
    for (; n > 0; n--)
        p *= 2;
    for (; n < 0; n++)
        p /= 2;
    return p;
}

/* The number that finite bits without sign stand for; exact in a double. */
static double value_of(const struct float_spec *f, u64 bits) {
    if (f->bits == 64) {
        double value;
        memcpy(&value, &bits, sizeof value);
        return value;
    }
    int fraction = f->mantissa - 1;
    int bias = (1 << (f->bits - f->mantissa - 1)) - 1;
    int exponent = (int)(bits >> fraction);
    u64 mantissa = bits & (((u64)1 << fraction) - 1);
    mantissa |= exponent != 0 ? (u64)1 << fraction : 0;
    return (double)mantissa * power_of_2((exponent != 0 ? exponent : 1) - bias - fraction);
}

/*
 * Decimal text of a finite number with at most `digits` digits that reads back to the same bits, with a point or an
 * exponent in it; false when there is none.
 */
static bool print_decimal(const struct float_spec *f, u64 bits, int digits, char text[40]) {
    u64 sign = bits & float_sign(f);
    u64 rest = bits & mask_of(f) & ~float_sign(f);
    if (rest >= float_infinity(f))
        return false;
    double value = value_of(f, rest);
    text[0] = '-';
    char *number = text + (sign != 0);
    for (int n = 1; n <= digits; n++) {
        snprintf(number, 32, "%.*g", n, value);
        char *comma = strchr(number, ','); /* decimal comma of some locales */
        if (comma != NULL)
            *comma = '.';
        if (float_is_decimal(number, strlen(number)) && float_from_decimal(f, number, strlen(number)) == rest) {
            if (strpbrk(number, ".e") == NULL)
                memcpy(number + strlen(number), ".0", sizeof ".0");
            return true;
        }
    }
    return false;
}

static void print_float(const struct float_spec *f, u64 bits, struct buf *out) {
    char text[40];
    if (print_decimal(f, bits, 9, text))
        buf_puts(out, text);
    else
        buf_printf(out, f->bits == 64 ? "0d%016llx" : "0f%08llx", (unsigned long long)bits);
}

/* Two equal halves are written as one number. */
static void print_halves(const struct float_spec *f, u64 imm, struct buf *out) {
    char text[40];
    if ((imm >> 16 & 0xffff) == (imm & 0xffff) && print_decimal(f, imm & 0xffff, 9, text))
        buf_puts(out, text);
    else
        buf_printf(out, "0x%08llx", (unsigned long long)imm);
}

static void print_whole(u64 value, bool negative, struct buf *out) {
    if (negative)
        buf_printf(out, "-%llu", (unsigned long long)(0 - value));
    else
        buf_printf(out, value < 65536 ? "%llu" : "0x%llx", (unsigned long long)value);
}

/* True if bits are likely a floating-point number: short, and of common magnitude. */
static bool looks_like_float(const struct float_spec *f, u64 bits, char text[40]) {
    u64 rest = bits & ~float_sign(f);
    double value = rest < float_infinity(f) ? value_of(f, rest) : 0;
    return value >= 1e-6 && value <= 1e9 && print_decimal(f, bits, 6, text);
}

void literal_print(u64 imm, enum literal literal, bool pair, struct buf *out) {
    char text[40];
    switch (literal) {
    case LIT_F32: print_float(&float_fp32, imm, out); return;
    case LIT_F64: print_float(&float_fp64, imm << 32, out); return;
    case LIT_H2: print_halves(&float_fp16, imm, out); return;
    case LIT_W2: print_halves(&float_bf16, imm, out); return;
    case LIT_ANY:
        if (looks_like_float(&float_fp32, imm, text)) {
            buf_puts(out, text);
            return;
        }
        break;
    case LIT_INT:
    case LIT_NONE: break;
    }
    /* Small negative numbers as such; a pair's immediate is sign-extended, so that the sign must be there. */
    bool negative = imm >> 31 != 0 && (pair || imm >= 0xffff0000u);
    print_whole(negative ? imm | 0xffffffff00000000u : imm, negative, out);
}

void literal_print_wide(u64 imm, struct buf *out) {
    char text[40];
    if (looks_like_float(&float_fp64, imm, text))
        buf_puts(out, text);
    else
        print_whole(imm, imm >= 0xffffffffffff0000u, out);
}
