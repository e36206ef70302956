#include "sim/api/scalar.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "sim/base/decimal.h"

static bool refuse(struct reason *why, const char *fmt, ...) PRINTF_LIKE(2, 3);

static bool refuse(struct reason *why, const char *fmt, ...) {
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(why->text, sizeof why->text, fmt, ap);
    va_end(ap);
    return false;
}

static u64 mask_of(u32 bits) {
    return bits == 64 ? ~(u64)0 : ((u64)1 << bits) - 1;
}

/* ---- whole numbers ---- */

static bool out_of_range(enum etype type, const char *shown, struct reason *why) {
    u32 width = etypes[type].bytes * 8;
    enum etype_kind kind = etypes[type].kind;
    u64 high = mask_of(kind == ETYPE_SIGNED ? width - 1 : width);
    const char *sign = kind == ETYPE_SIGNED || kind == ETYPE_RAW ? "-" : "";
    u64 low = *sign ? (u64)1 << (width - 1) : 0;
    return refuse(why, "%s is out of the range of %s, %s%llu to %llu", shown, etypes[type].name, sign,
                  (unsigned long long)low, (unsigned long long)high);
}

/* Makes the bits of the type from a sign and a magnitude. A pattern (0x, 0b) may use all bits of a signed type too. */
static bool whole_bits(enum etype type, bool negative, u64 magnitude, bool pattern, u64 *bits) {
    u32 width = etypes[type].bytes * 8;
    enum etype_kind kind = etypes[type].kind;
    u64 least = kind == ETYPE_SIGNED || kind == ETYPE_RAW ? (u64)1 << (width - 1) : 0;
    u64 most = mask_of(kind == ETYPE_SIGNED && !pattern ? width - 1 : width);
    if (magnitude > (negative ? least : most))
        return false;
    *bits = (negative ? (u64)0 - magnitude : magnitude) & mask_of(width);
    return true;
}

/* Reads digits of base 2, 10 or 16. False if the text has others; *overflow if the number does not fit in 64 bits. */
static bool read_digits(const char *text, u32 base, u64 *value, bool *overflow) {
    *value = 0;
    *overflow = false;
    if (!*text)
        return false;
    for (; *text; text++) {
        static const char digits[] = "0123456789abcdef";
        char c = *text >= 'A' && *text <= 'F' ? (char)(*text - 'A' + 'a') : *text;
        const char *found = strchr(digits, c);
        u32 digit = found ? (u32)(found - digits) : base;
        if (digit >= base)
            return false;
        *overflow |= *value > (~(u64)0 - digit) / base;
        *value = *value * base + digit;
    }
    return true;
}

static u32 base_of(const char *text) {
    if (text[0] != '0')
        return 10;
    return text[1] == 'x' || text[1] == 'X' ? 16 : text[1] == 'b' || text[1] == 'B' ? 2 : 10;
}

static bool whole_from_text(enum etype type, const char *text, u64 *bits, struct reason *why) {
    bool negative = *text == '-', overflow;
    const char *digits = text + (*text == '-' || *text == '+');
    u32 base = base_of(digits);
    u64 magnitude;
    if (!read_digits(digits + (base == 10 ? 0 : 2), base, &magnitude, &overflow)) {
        if (!float_is_decimal(digits, strlen(digits)))
            return refuse(why, "%s takes a whole number, not '%.60s'", etypes[type].name, text);
        /* 1e6 and 4096.0 are whole numbers too, as far as a double is exact. */
        u64 image = float_from_decimal(&float_fp64, digits, strlen(digits));
        double value;
        memcpy(&value, &image, sizeof value);
        if (value != floor(value) || value > 9007199254740992.0)
            return refuse(why, "%s takes a whole number, not '%.60s'", etypes[type].name, text);
        magnitude = (u64)value;
        overflow = false;
    }
    if (overflow || !whole_bits(type, negative, magnitude, base != 10, bits)) {
        char shown[64];
        snprintf(shown, sizeof shown, "%.60s", text);
        return out_of_range(type, shown, why);
    }
    return true;
}

/* ---- floating point ---- */

static bool bits_from_text(enum etype type, const char *text, const struct float_spec *f, u64 *bits,
                           struct reason *why) {
    bool overflow;
    if (!read_digits(text + 2, base_of(text), bits, &overflow))
        return refuse(why, "%s takes a number or, as 0x..., its bits, not '%.60s'", etypes[type].name, text);
    if (overflow || *bits > mask_of(f->bits))
        return refuse(why, "'%.60s' has more than the %u bits of %s", text, f->bits, etypes[type].name);
    return true;
}

/* True if the text is that lower-case word, in any case. */
static bool is_word(const char *text, const char *word) {
    for (; *text && (*text | 0x20) == *word; text++)
        word++;
    return !*text && !*word;
}

static bool float_from_text(enum etype type, const char *text, u64 *bits, struct reason *why) {
    const struct float_spec *f = etype_float_format(type);
    const char *digits = text + (*text == '-' || *text == '+');
    if (base_of(text) != 10)
        return bits_from_text(type, text, f, bits, why);
    if (is_word(digits, "inf") || is_word(digits, "infinity")) {
        *bits = float_infinity(f);
    } else if (is_word(digits, "nan")) {
        *bits = float_nan(f);
    } else if (float_is_decimal(digits, strlen(digits))) {
        *bits = float_from_decimal(f, digits, strlen(digits));
        if (*bits == float_infinity(f))
            return refuse(why, "%.60s is too large for %s, whose largest number is %s", text, etypes[type].name,
                          f->largest);
    } else {
        return refuse(why, "%s takes a number such as 2.5, -1e-3, inf or nan, or its bits as 0x..., not '%.60s'",
                      etypes[type].name, text);
    }
    if (*text == '-')
        *bits |= float_sign(f);
    return true;
}

/* Rounds to the nearest number of the format by its spacing near `v`; every step is exact but the rounding. */
static u64 float_from_double(const struct float_spec *f, double v) {
    int bias = (1 << (f->bits - f->mantissa - 1)) - 1, least = 1 - bias;
    u64 sign = signbit(v) ? float_sign(f) : 0;
    if (isnan(v))
        return float_nan(f);
    if (f == &float_fp64 || isinf(v) || v == 0) {
        u64 image;
        memcpy(&image, &v, sizeof image);
        return f == &float_fp64 ? image : sign | (v == 0 ? 0 : float_infinity(f));
    }
    int exponent = ilogb(v) < least ? least : ilogb(v);
    double steps = rint(scalbn(fabs(v), f->mantissa - 1 - exponent)); /* multiples of the spacing; up to 2^mantissa */
    u64 base = (u64)(exponent - least) << (f->mantissa - 1);
    u64 bits = base + (u64)steps; /* the hidden bit, and a carry, are added to the exponent */
    return sign | (bits > float_infinity(f) || exponent > bias ? float_infinity(f) : bits);
}

/* "RE" or "RE,IM" */
static bool complex_from_text(const char *text, u64 *bits, struct reason *why) {
    const char *comma = strchr(text, ',');
    char part[64];
    u64 im = 0;
    size_t len = comma ? (size_t)(comma - text) : strlen(text);
    if (len >= sizeof part)
        return refuse(why, "c64 takes RE or RE,IM, not '%.60s'", text);
    memcpy(part, text, len);
    part[len] = 0;
    if (!float_from_text(ET_C64, part, bits, why) || (comma && !float_from_text(ET_C64, comma + 1, &im, why)))
        return false;
    *bits |= im << 32;
    return true;
}

/* ---- both ---- */

static bool truth(enum etype type, const char *text, u64 *bits, struct reason *why) {
    *bits = is_word(text, "1") || is_word(text, "true");
    if (*bits || is_word(text, "0") || is_word(text, "false"))
        return true;
    return refuse(why, "%s takes 0, 1, true or false, not '%.60s'", etypes[type].name, text);
}

bool scalar_from_text(enum etype type, const char *text, u64 *bits, struct reason *why) {
    if (etypes[type].kind == ETYPE_TRUTH)
        return truth(type, text, bits, why);
    if (etypes[type].kind == ETYPE_COMPLEX)
        return complex_from_text(text, bits, why);
    return etype_float_format(type) ? float_from_text(type, text, bits, why) : whole_from_text(type, text, bits, why);
}

bool scalar_from_double(enum etype type, double number, u64 *bits, struct reason *why) {
    const struct float_spec *f = etype_float_format(type);
    char shown[64];
    snprintf(shown, sizeof shown, "%.17g", number);
    if (etypes[type].kind == ETYPE_TRUTH) {
        *bits = number == 1;
        return number == 0 || number == 1 || refuse(why, "%s takes 0 or 1, not %s", etypes[type].name, shown);
    }
    if (f) {
        *bits = float_from_double(f, number);
        if (isfinite(number) && (*bits & ~float_sign(f)) == float_infinity(f))
            return refuse(why, "%s is too large for %s, whose largest number is %s", shown, etypes[type].name,
                          f->largest);
        return true;
    }
    if (!isfinite(number) || number != floor(number))
        return refuse(why, "%s takes a whole number, not %s", etypes[type].name, shown);
    if (fabs(number) >= 18446744073709551616.0 || !whole_bits(type, number < 0, (u64)fabs(number), false, bits))
        return out_of_range(type, shown, why);
    return true;
}
