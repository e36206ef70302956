#include "sim/api/element.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isa/program.h"
#include "sim/base/decimal.h"

enum { NUMBER = 24 };

const char *element_type(const char *name, size_t len) {
    enum etype type = etype_find(name, len);
    return type == ET_COUNT ? NULL : etypes[type].name;
}

static u64 load(const u8 *p, u32 bytes) {
    u64 v = 0;
    for (u32 i = 0; i < bytes; i++)
        v |= (u64)p[i] << 8 * i;
    return v;
}

static double float_value(const struct float_spec *f, u64 bits) {
    u32 fraction = (u32)f->mantissa - 1, width = f->bits - f->mantissa;
    u64 mask = ((u64)1 << fraction) - 1, top = ((u64)1 << width) - 1;
    int exponent = (int)(bits >> fraction & top), bias = (1 << (width - 1)) - 1;
    double v = exponent == (int)top ? (bits & mask ? NAN : INFINITY)
               : exponent           ? ldexp((double)((bits & mask) | (mask + 1)), exponent - bias - (int)fraction)
                                    : ldexp((double)(bits & mask), 1 - bias - (int)fraction);
    return bits & float_sign(f) ? -v : v;
}

/* Prints the fewest digits that identify the number in its format; with an exponent if it is far from 1. */
static void put_float(char *text, size_t size, const struct float_spec *f, u64 bits) {
    double v = float_value(f, bits);
    int digits = 0, exponent;
    if (!isfinite(v)) {
        snprintf(text, size, isnan(v) ? "nan" : v < 0 ? "-inf" : "inf");
        return;
    }
    do {
        snprintf(text, size, "%.*e", digits, fabs(v));
    } while ((float_from_decimal(f, text, strlen(text)) | (bits & float_sign(f))) != bits && ++digits < 17);
    exponent = atoi(strchr(text, 'e') + 1);
    bool plain = exponent >= -5 && exponent < 16;
    if (plain)
        snprintf(text, size, "%.*f", digits > exponent ? digits - exponent : 0, v);
    else
        snprintf(text, size, "%.*e", digits, v);
}

static enum etype type_of(const struct heddle_tensor *t) {
    return etype_find(t->type, strlen(t->type));
}

struct short_text element_text(const struct heddle_tensor *t, u64 i) {
    struct short_text s;
    enum etype type = type_of(t);
    u32 bytes = etypes[type].bytes, unused = 64 - 8 * bytes;
    u64 bits = load(t->data + i * bytes, bytes);
    char im[NUMBER];
    if (etypes[type].kind == ETYPE_COMPLEX) {
        put_float(s.text, NUMBER, &float_fp32, bits & 0xffffffff);
        put_float(im, sizeof im, &float_fp32, bits >> 32);
        size_t len = strlen(s.text);
        snprintf(s.text + len, sizeof s.text - len, "%s%si", *im == '-' ? "" : "+", im);
    } else if (etype_float_format(type)) {
        put_float(s.text, sizeof s.text, etype_float_format(type), bits);
    } else if (etypes[type].kind == ETYPE_SIGNED) {
        snprintf(s.text, sizeof s.text, "%lld", (long long)(bits << unused) >> unused);
    } else {
        snprintf(s.text, sizeof s.text, "%llu", (unsigned long long)bits);
    }
    return s;
}

double element_number(const struct heddle_tensor *t, u64 i) {
    enum etype type = type_of(t);
    u32 bytes = etypes[type].bytes, unused = 64 - 8 * bytes;
    u64 bits = load(t->data + i * bytes, bytes);
    if (etypes[type].kind == ETYPE_COMPLEX)
        return float_value(&float_fp32, bits & 0xffffffff);
    if (etype_float_format(type))
        return float_value(etype_float_format(type), bits);
    return etypes[type].kind == ETYPE_SIGNED ? (double)((s64)(bits << unused) >> unused) : (double)bits;
}
