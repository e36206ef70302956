#include "isa/conversion.h"

#include <stdio.h>
#include <string.h>

#include "sim/base/ascii.h"

static bool is_of(char c, const char *set) {
    return c != '\0' && strchr(set, c) != NULL;
}

/* Reads at most two digits; false if there are more. */
static bool read_number(const char **at) {
    const char *from = *at;
    while (is_digit(**at))
        ++*at;
    return *at - from <= 2;
}

/* Finds what C leaves open for a kind with these flags and a precision. */
static const char *check_flags(const char *flags, size_t n, bool precision, char kind) {
    const bool real = is_of(kind, "fFeEgGaA");
    for (size_t i = 1; i < n; i++)
        if (memchr(flags, flags[i], i))
            return "a flag is there twice";
    if (memchr(flags, '#', n) && !real && !is_of(kind, "xXo"))
        return "'#' is for x, X, o and floats";
    if (memchr(flags, '0', n) && kind == 'c')
        return "'0' is for numbers";
    return precision && kind == 'c' ? "a precision is for numbers" : NULL;
}

/* Reads the conversion after a '%', and moves `*at` past it. */
static const char *read_one(const char **at, struct conversion *c) {
    const char *flags = *at;
    while (is_of(**at, "-+ #0"))
        ++*at;
    const size_t n = (size_t)(*at - flags);
    bool fits = read_number(at), precision = **at == '.';
    if (precision) {
        ++*at;
        fits &= read_number(at);
    }
    c->words = **at == 'l' ? 2 : 1;
    for (u32 i = 0; i < 2 && **at == 'l'; i++)
        ++*at;
    c->kind = **at;
    *at += c->kind != '\0';
    if (!fits)
        return "a width or precision has two digits at most";
    if (c->kind == 's' || c->kind == 'p')
        return c->kind == 's' ? "there are no texts in memory; %c is a character" : "an address is %lx, of a pair";
    if (!is_of(c->kind, "diuxXocfFeEgGaA"))
        return "expected a conversion: d, i, u, x, X, o, c, f, e, g or a, with l before it for 64 bits; "
               "%% is a percent sign";
    if (c->kind == 'c' && c->words == 2)
        return "a character has 32 bits: %c";
    return check_flags(flags, n, precision, c->kind);
}

const char *conversions_read(const char *text, struct conversions *c) {
    *c = (struct conversions){0};
    for (const char *at = text; (at = strchr(at, '%')) != NULL;) {
        const char *from = at++;
        struct conversion one = {.at = (u8)(from - text)};
        if (*at == '%') {
            at++;
            continue;
        }
        const char *why = read_one(&at, &one);
        one.len = (u8)(at - from);
        c->at = one.at;
        c->len = one.len;
        if (why)
            return why;
        if (c->count == CONVERSIONS_MAX)
            return "a print has 3 values at most; print more in another line";
        c->of[c->count++] = one;
    }
    return NULL;
}
_Static_assert(CONVERSIONS_MAX == 3, "the message says so");

u8 conversions_words(const struct conversions *c) {
    u32 words = 0;
    for (u32 i = 0; i < c->count; i++)
        words |= (u32)c->of[i].words << CONVERSION_WORDS * i;
    return (u8)words;
}

/* ---- output ---- */

static double real_of(u64 bits, u32 words) {
    double wide;
    float narrow;
    u32 low = (u32)bits;
    memcpy(&wide, &bits, sizeof wide);
    memcpy(&narrow, &low, sizeof narrow);
    return words == 2 ? wide : (double)narrow;
}

/* Appends a value by a format that conversions_read has checked. */
static void put_value(const char *flags, const struct conversion *c, u64 bits, struct buf *out) {
    char format[24], text[512]; /* a double has 309 digits before its point, and at most 99 after it */
    const bool whole = is_of(c->kind, "diuxXo");
    const u64 value = c->words == 2 ? bits : is_of(c->kind, "di") ? (u64)(s64)(s32)(u32)bits : (u32)bits;
    const char shown = (char)(bits & 0xff);
    snprintf(format, sizeof format, "%.*s%s%c", (int)strcspn(flags, "ldiuxXocfFeEgGaA"), flags, whole ? "ll" : "",
             c->kind);
    if (is_of(c->kind, "di"))
        snprintf(text, sizeof text, format, (long long)value);
    else if (whole)
        snprintf(text, sizeof text, format, (unsigned long long)value);
    else if (c->kind == 'c')
        snprintf(text, sizeof text, format, shown >= ' ' && shown <= '~' ? shown : '.');
    else
        snprintf(text, sizeof text, format, real_of(bits, c->words));
    char *comma = c->kind == 'c' ? NULL : strchr(text, ','); /* decimal comma of some locales */
    if (comma != NULL)
        *comma = '.';
    buf_puts(out, text);
}

/* Appends what is between conversions, with one of two percent signs. */
static void put_plain(const char *text, size_t len, struct buf *out) {
    for (size_t i = 0; i < len; i++) {
        buf_putc(out, text[i]);
        i += text[i] == '%';
    }
}

void conversions_print(const char *text, const struct conversions *c, const u64 *value, struct buf *out) {
    size_t at = 0;
    for (u32 i = 0; i < c->count; i++) {
        put_plain(text + at, c->of[i].at - at, out);
        put_value(text + c->of[i].at, &c->of[i], value[i], out);
        at = (size_t)c->of[i].at + c->of[i].len;
    }
    put_plain(text + at, strlen(text + at), out);
}
