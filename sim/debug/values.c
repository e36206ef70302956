#include "sim/debug/values.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const struct {
    const char *name;
    int width;
} forms[] = {[FORM_HEX] = {"hex", 8},
             [FORM_SIGNED] = {"signed", 11},
             [FORM_UNSIGNED] = {"unsigned", 11},
             [FORM_FLOAT] = {"float", 11},
             [FORM_HALF] = {"half", 19}};

const char *values_form_name(u32 form) {
    return form < COUNT_OF(forms) ? forms[form].name : NULL;
}

bool values_form(struct debug *d, struct words *w, enum form *form) {
    char word[32], more[32];
    struct words at = *w, before = *w;
    while (*words_next(&at, word, sizeof word) && strcmp(word, "as") != 0)
        before = at;
    if (!*word)
        return true;
    words_next(&at, word, sizeof word);
    u32 i = 0;
    while (i < COUNT_OF(forms) && strcmp(forms[i].name, word) != 0)
        i++;
    if (i == COUNT_OF(forms))
        return debug_refuse(d, "'%s' is none of hex, signed, unsigned, float and half", word);
    if (*words_next(&at, more, sizeof more))
        return debug_refuse(d, "'%s' follows `as %s`, which must be last", more, word);
    *form = (enum form)i;
    w->end = before.rest;
    return true;
}

/* ---- words of 32 bits ---- */

static double half(u32 bits) {
    double m = bits & 0x3ff;
    int e = (int)(bits >> 10 & 0x1f);
    double v = e == 31 ? (m != 0 ? (double)NAN : (double)INFINITY) : e ? ldexp(m + 1024, e - 25) : ldexp(m, -24);
    return bits & 0x8000 ? -v : v;
}

static double single(u32 bits) {
    float f;
    memcpy(&f, &bits, sizeof f);
    return (double)f;
}

void values_put(struct buf *out, char mark, u32 v, enum form form) {
    buf_putc(out, mark);
    switch (form) {
    case FORM_HEX: buf_printf(out, "%08x", v); break;
    case FORM_SIGNED: buf_printf(out, "%11" PRId32, (s32)v); break;
    case FORM_UNSIGNED: buf_printf(out, "%11" PRIu32, v); break;
    case FORM_FLOAT: buf_printf(out, "%11.5g", single(v)); break;
    case FORM_HALF: buf_printf(out, "%9.4g:%-9.4g", half(v >> 16), half(v & 0xffff)); break;
    }
}

void values_put_none(struct buf *out, char mark, char sign, enum form form) {
    buf_printf(out, "%c%*s", mark, forms[form].width - 8, "");
    for (u32 i = 0; i < 8; i++)
        buf_putc(out, sign);
}

/* ---- elements ---- */

static u64 number_of(const u8 *bytes, u32 size) {
    u64 v = 0;
    for (u32 k = 0; k < size && k < 8; k++)
        v |= (u64)bytes[k] << 8 * k;
    return v;
}

static double real_of(const char *type, u64 bits, u32 size) {
    double v;
    if (size == 2)
        return type[0] == 'b' ? single((u32)bits << 16) : half((u32)bits);
    if (size == 4)
        return single((u32)bits);
    memcpy(&v, &bits, sizeof v);
    return v;
}

void values_put_element(struct buf *out, const char *type, const u8 *bytes, u32 size) {
    u64 bits = number_of(bytes, size);
    u32 unused = 64 - 8 * (size < 8 ? size : 8);
    switch (type[0]) {
    case 'i': buf_printf(out, " %11" PRId64, (s64)(bits << unused) >> unused); break;
    case 'u': buf_printf(out, " %11" PRIu64, bits); break;
    case 'f': buf_printf(out, " %11.*g", size == 8 ? 9 : 5, real_of(type, bits, size)); break;
    case 'c': buf_printf(out, " %11.5g:%-11.5g", single((u32)bits), single((u32)(bits >> 32))); break;
    default:
        if (type[1] == 'f')
            buf_printf(out, " %11.5g", real_of(type, bits, size));
        else if (type[1] == 'o')
            buf_printf(out, " %11s", bits ? "true" : "false");
        else
            buf_printf(out, " %*s%0*" PRIx64, (int)(size * 2 < 11 ? 11 - size * 2 : 0), "", (int)size * 2, bits);
    }
}
