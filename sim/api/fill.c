#include "sim/api/scalar.h"

#include <stdio.h>
#include <string.h>

#include "sim/base/decimal.h"
#include "sim/base/mix.h"

static const char *const words[FILL_NONE] = {"iota", "zeros", "ones", "fill", "random"};

const char *fill_word(size_t i) {
    return i < FILL_NONE ? words[i] : NULL;
}

/* Finds the word at the start, up to a ':' or the end. */
static enum fill first_word(const char *text) {
    size_t len = strcspn(text, ":");
    u32 i = 0;
    while (i < FILL_NONE && (strlen(words[i]) != len || memcmp(words[i], text, len) != 0))
        i++;
    return (enum fill)i;
}

static size_t digits(const char *text) {
    bool hex = text[0] == '0' && text[1] == 'x';
    return hex ? 2 + strspn(text + 2, "0123456789abcdefABCDEF") : strspn(text, "0123456789");
}

size_t fill_length(const char *text) {
    enum fill word = first_word(text);
    if (word == FILL_NONE)
        return 0;
    size_t len = strlen(words[word]), more;
    if (text[len] != ':')
        return len;
    more = word == FILL_VALUE ? strcspn(text + len + 1, ":") : word == FILL_RANDOM ? digits(text + len + 1) : 0;
    char next = more ? text[len + 1 + more] : 0;
    return more && (next == ':' || next == 0) ? len + 1 + more : len;
}

/* Makes a number of the format from sign and magnitude, divided by 2^scale. A value that is not 0 stays normal. */
static u64 float_bits(const struct float_spec *f, bool negative, u64 magnitude, u32 scale) {
    u64 bits = float_from_integer(f, magnitude);
    if (magnitude)
        bits -= (u64)scale << (f->mantissa - 1);
    return negative && magnitude ? bits | float_sign(f) : bits;
}

static u64 random_bits(enum etype type, u64 seed, u64 i) {
    const struct float_spec *f = etype_float_format(type);
    u64 z = splitmix(seed + (i + 1) * SPLITMIX_STEP);
    if (!f)
        return etypes[type].kind == ETYPE_TRUTH ? z >> 63 : (z >> 32) % 100;
    u32 bits = f->mantissa < 24 ? f->mantissa : 24;
    u64 k = z >> 40 >> (24 - bits), one = (u64)1 << 23 >> (24 - bits); /* the top `bits` bits, and half their range */
    return float_bits(f, k < one, k < one ? one - k : k - one, bits - 1);
}

static u64 iota_bits(enum etype type, u64 i) {
    const struct float_spec *f = etype_float_format(type);
    return f ? float_from_integer(f, i) : etypes[type].kind == ETYPE_TRUTH ? i != 0 : i;
}

static bool read_seed(const char *text, u64 *seed, struct reason *why) {
    *seed = 0;
    return !*text || scalar_from_text(ET_U64, text, seed, why);
}

bool fill_elements(const char *text, enum etype type, u8 *data, u64 count, struct reason *why) {
    enum fill word = first_word(text);
    const char *value = text + strcspn(text, ":");
    bool needs = word == FILL_VALUE, takes = needs || word == FILL_RANDOM;
    u64 bits = 0, bytes = etypes[type].bytes;
    if (word == FILL_NONE || (*value && !takes) || (!*value && needs)) {
        snprintf(why->text, sizeof why->text, "'%.60s': " FILL_EXPECTED, text);
        return false;
    }
    value += *value == ':';
    if (word == FILL_ONES)
        bits = iota_bits(type, 1);
    if (word == FILL_VALUE ? !scalar_from_text(type, value, &bits, why)
                           : word == FILL_RANDOM && !read_seed(value, &bits, why))
        return false;
    u64 seed = bits;
    for (u64 i = 0; i < count; i++) {
        if (word == FILL_IOTA)
            bits = iota_bits(type, i);
        else if (word == FILL_RANDOM)
            bits = random_bits(type, seed, i);
        for (u64 b = 0; b < bytes; b++)
            data[i * bytes + b] = (u8)(bits >> 8 * b);
    }
    return true;
}
