#include "sim/base/decimal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sim/base/ascii.h"

/* ---- numbers of boards ---- */

/* Powers of ten up to 10^22 are exact, so that digits below 2^53 divided by one are rounded once. */
static const double tens[] = {1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};

static const u64 digits_most = 1000000000000000; /* 10^15 < 2^53 */

bool decimal_read(const char *text, double *value) {
    u64 digits = 0;
    u32 places = 0;
    bool point = false;
    if (*text < '0' || *text > '9')
        return false;
    for (; *text; text++) {
        if (*text == '.' && !point && text[1]) {
            point = true;
            continue;
        }
        if (*text < '0' || *text > '9' || digits >= digits_most / 10 || places == COUNT_OF(tens) - 1)
            return false;
        digits = digits * 10 + (u64)(*text - '0');
        places += point;
    }
    *value = (double)digits / tens[places];
    return true;
}

bool decimal_read_whole(const char *text, double *value) {
    return strchr(text, '.') == NULL && decimal_read(text, value) && *value <= 1e12;
}

struct decimal decimal_write(double value) {
    struct decimal t;
    u32 places = 0;
    while (places < COUNT_OF(tens) - 1 && value * tens[places + 1] < 1e15 &&
           round(value * tens[places]) / tens[places] != value)
        places++;
    u64 digits = (u64)round(value * tens[places]), one = (u64)tens[places];
    if (places)
        snprintf(t.text, sizeof t.text, "%llu.%0*llu", (unsigned long long)(digits / one), (int)places,
                 (unsigned long long)(digits % one));
    else
        snprintf(t.text, sizeof t.text, "%llu", (unsigned long long)digits);
    return t;
}

static const struct {
    const char *unit, *suffix;
    double factor;
} suffixes[] = {
    {"bytes", "B", 1},        {"bytes", "KiB", 0x1p10}, {"bytes", "MiB", 0x1p20},
    {"bytes", "GiB", 0x1p30}, {"bytes", "TiB", 0x1p40}, {"bytes", "K", 0x1p10},
    {"bytes", "M", 0x1p20},   {"bytes", "G", 0x1p30},   {"bytes", "T", 0x1p40},
    {"MHz", "kHz", 1e-3},     {"MHz", "MHz", 1},        {"MHz", "GHz", 1e3},
    {"pJ", "pJ", 1},          {"pJ", "nJ", 1e3},        {"W", "W", 1},
    {"W", "mW", 1e-3},        {"s", "ms", 1e-3},        {"s", "us", 1e-6},
    {"s", "ns", 1e-9},        {"J", "mJ", 1e-3},        {"J", "uJ", 1e-6},
    {"J", "nJ", 1e-9},        {"J", "pJ", 1e-12},       {"GB/s", "MB/s", 1e-3},
    {"GB/s", "GB/s", 1},      {"GB/s", "TB/s", 1e3},
};

bool decimal_unit(const char *unit, const char *suffix, double *factor) {
    for (size_t i = 0; i < COUNT_OF(suffixes); i++)
        if (strcmp(suffixes[i].unit, unit) == 0 && strcmp(suffixes[i].suffix, suffix) == 0) {
            *factor = suffixes[i].factor;
            return true;
        }
    return false;
}

/* ---- literals ---- */

const struct float_spec float_fp16 = {"fp16", "65504", 16, 11};
const struct float_spec float_bf16 = {"bf16", "3.3895314e38", 16, 8};
const struct float_spec float_fp32 = {"fp32", "3.4028235e38", 32, 24};
const struct float_spec float_fp64 = {"fp64", "1.7976931348623157e308", 64, 53};

enum {
    DIGITS_MAX = 800, /* a tie between two fp64 numbers has fewer digits; further ones can only break it */
    POINT_MAX = 310,  /* 10^310 is infinite in every format */
    POINT_MIN = -350, /* 10^-350 is zero in every format */
    LIMBS = 96,       /* 5^(800 + 350) has 2671 bits */
    SPARE_BITS = 66   /* of a quotient: what is rounded, and some */
};

/* Natural number, least significant limb first. */
struct big {
    u32 limb[LIMBS];
    u32 n; /* limbs in use */
};

static void big_mul_add(struct big *b, u32 factor, u32 summand) {
    u64 carry = summand;
    for (u32 i = 0; i < b->n; i++) {
        carry += (u64)b->limb[i] * factor;
        b->limb[i] = (u32)carry;
        carry >>= 32;
    }
    if (carry && b->n < LIMBS)
        b->limb[b->n++] = (u32)carry;
}

/* Divides; true when there is a remainder. */
static bool big_div(struct big *b, u32 divisor) {
    u64 rest = 0;
    for (u32 i = b->n; i-- > 0;) {
        rest = rest << 32 | b->limb[i];
        b->limb[i] = (u32)(rest / divisor);
        rest %= divisor;
    }
    while (b->n && b->limb[b->n - 1] == 0)
        b->n--;
    return rest != 0;
}

static void big_shift_limbs(struct big *b, u32 limbs) {
    for (u32 i = b->n; i-- > 0;)
        b->limb[i + limbs] = b->limb[i];
    for (u32 i = 0; i < limbs; i++)
        b->limb[i] = 0;
    b->n += limbs;
}

/* The n-th limb from the top; zero below the lowest. */
static u32 big_limb(const struct big *b, u32 n) {
    return n < b->n ? b->limb[b->n - 1 - n] : 0;
}

/* The highest 64 bits of a number above 0, the top one set, as m * 2^exponent. `*sticky`: lower bits are lost. */
static u64 big_top(const struct big *b, int *exponent, bool *sticky) {
    u64 m = (u64)big_limb(b, 0) << 32 | big_limb(b, 1), third = big_limb(b, 2);
    u32 zeros = 0;
    while (zeros < 31 && !(m << zeros >> 63))
        zeros++;
    m = m << zeros | third >> (32 - zeros);
    *sticky |= (u32)(third << zeros) != 0;
    for (u32 n = 3; n < b->n; n++)
        *sticky |= big_limb(b, n) != 0;
    *exponent = (int)b->n * 32 - 64 - (int)zeros;
    return m;
}

/* m * 2^exponent, top bit of m set, and a little more when sticky: rounded to nearest even. */
static u64 round_once(const struct float_spec *f, u64 m, int exponent, bool sticky) {
    int exponent_bits = f->bits - f->mantissa;
    int least = 2 - (1 << (exponent_bits - 1)); /* exponent of the smallest normal number */
    int high = exponent + 63;
    int keep = high < least ? f->mantissa - (least - high) : f->mantissa;
    if (keep < 0)
        return 0;
    u64 kept = keep ? m >> (64 - keep) : 0;
    u64 rest = keep ? m << keep : m, half = (u64)1 << 63;
    if (rest > half || (rest == half && (sticky || kept & 1)))
        kept++;
    u64 base = high < least ? 0 : (u64)(high - least) << (f->mantissa - 1);
    u64 bits = base + kept; /* a carry out of the mantissa increments the exponent, as it should */
    return high > -least + 2 || bits > float_infinity(f) ? float_infinity(f) : bits;
}

u64 float_infinity(const struct float_spec *f) {
    u64 exponent = ((u64)1 << (f->bits - f->mantissa)) - 1;
    return exponent << (f->mantissa - 1);
}

u64 float_sign(const struct float_spec *f) {
    return (u64)1 << (f->bits - 1);
}

u64 float_nan(const struct float_spec *f) {
    return float_sign(f) - 1;
}

bool float_is_decimal(const char *text, size_t len) {
    size_t i = 0, digits = 0;
    for (; i < len && is_digit(text[i]); i++)
        digits++;
    if (i < len && text[i] == '.')
        for (i++; i < len && is_digit(text[i]); i++)
            digits++;
    if (digits == 0)
        return false;
    if (i == len)
        return true;
    if (text[i] != 'e' && text[i] != 'E')
        return false;
    i++;
    if (i < len && (text[i] == '+' || text[i] == '-'))
        i++;
    size_t first = i;
    while (i < len && is_digit(text[i]))
        i++;
    return i == len && i > first;
}

static int read_exponent(const char *text, size_t len) {
    int value = 0;
    size_t i = *text == '+' || *text == '-';
    for (; i < len; i++)
        if (value < 100000000)
            value = value * 10 + (text[i] - '0');
    return *text == '-' ? -value : value;
}

/* Digits as a whole number, and the position of the point: 0.DIGITS * 10^point. Leading zeros are dropped. */
struct digits {
    struct big digits;
    s64 point;
    u32 count;
    bool sticky; /* digits were left out that are not all zero */
};

static void read_decimal(struct digits *d, const char *text, size_t len) {
    bool fraction = false;
    u32 chunk = 0, scale = 1;
    d->digits.n = 0;
    d->point = 0;
    d->count = 0;
    d->sticky = false;
    for (size_t i = 0; i < len; i++) {
        char c = text[i];
        if (c == '.') {
            fraction = true;
            continue;
        }
        if (!is_digit(c)) {
            d->point += read_exponent(text + i + 1, len - i - 1);
            break;
        }
        if (d->count == 0 && c == '0') {
            d->point -= fraction;
            continue;
        }
        d->point += !fraction;
        if (d->count == DIGITS_MAX) {
            d->sticky |= c != '0';
            continue;
        }
        d->count++;
        chunk = chunk * 10 + (u32)(c - '0');
        scale *= 10;
        if (scale == 1000000000) {
            big_mul_add(&d->digits, scale, chunk);
            chunk = 0;
            scale = 1;
        }
    }
    big_mul_add(&d->digits, scale, chunk);
}

/* Multiplies by 5^n; the power of 2 that makes it 10^n is left to the exponent. */
static void scale_up(struct big *b, u32 n) {
    for (; n >= 13; n -= 13)
        big_mul_add(b, 1220703125, 0);
    for (; n > 0; n--)
        big_mul_add(b, 5, 0);
}

/* Divided by 5^n after making room below: true when something is lost. Returns the room, in bits. */
static u32 scale_down(struct big *b, u32 n, bool *sticky) {
    u32 want = (n * 2322 / 1000 + 1 + SPARE_BITS) / 32 + 2, limbs = want > b->n ? want - b->n : 0;
    big_shift_limbs(b, limbs);
    for (; n >= 13; n -= 13)
        *sticky |= big_div(b, 1220703125);
    for (; n > 0; n--)
        *sticky |= big_div(b, 5);
    return limbs * 32;
}

u64 float_from_decimal(const struct float_spec *f, const char *text, size_t len) {
    struct digits d;
    read_decimal(&d, text, len);
    if (d.count == 0 || d.point < POINT_MIN)
        return 0;
    if (d.point > POINT_MAX)
        return float_infinity(f);
    int power = (int)d.point - (int)d.count, exponent;
    int shift = power;
    if (power >= 0)
        scale_up(&d.digits, (u32)power);
    else
        shift -= (int)scale_down(&d.digits, (u32)-power, &d.sticky);
    u64 m = big_top(&d.digits, &exponent, &d.sticky);
    return round_once(f, m, exponent + shift, d.sticky);
}

u64 float_from_integer(const struct float_spec *f, u64 n) {
    if (n == 0)
        return 0;
    int shift = 0;
    while (!(n >> 63)) {
        n <<= 1;
        shift++;
    }
    return round_once(f, n, -shift, false);
}
