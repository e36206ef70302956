#include "sim/api/scalar.h"

#include <stdio.h>
#include <string.h>

#include "sim/base/ascii.h"

enum { BITS_MAX = 62 }; /* no memory holds more elements */

/* Finds the scalar whose name is the first `len` bytes of `name`. */
static const struct param *find_scalar(const struct kernel *k, const char *name, size_t len) {
    for (u32 i = 0; i < k->nparams; i++)
        if (!k->param[i].buffer && !k->param[i].value && strlen(k->param[i].name) == len &&
            memcmp(k->param[i].name, name, len) == 0)
            return &k->param[i];
    return NULL;
}

static bool scalar_value(const struct param *p, const u8 *params, u64 *value, struct reason *why) {
    u32 bytes = etypes[p->etype].bytes;
    *value = 0;
    for (u32 i = bytes; i-- > 0;)
        *value = *value << 8 | params[p->offset + i];
    if (etypes[p->etype].kind == ETYPE_SIGNED && *value >> (bytes * 8 - 1)) {
        snprintf(why->text, sizeof why->text, "'%.100s' is negative", p->name);
        return false;
    }
    return true;
}

/* Reads a number or a parameter at *at, which advances. */
static bool factor(const struct kernel *k, const char **at, const u8 *params, u64 *value, struct reason *why) {
    const char *start = *at;
    size_t len = strcspn(start, "+*");
    *at += len;
    if (is_digit(*start)) {
        *value = 0;
        for (size_t i = 0; i < len; i++) {
            if (start[i] < '0' || start[i] > '9' || *value >> BITS_MAX) {
                snprintf(why->text, sizeof why->text, "'%.100s' is not an extent", start);
                return false;
            }
            *value = *value * 10 + (u64)(start[i] - '0');
        }
        return true;
    }
    const struct param *p = find_scalar(k, start, len);
    if (p)
        return scalar_value(p, params, value, why);
    snprintf(why->text, sizeof why->text, "'%.100s' is not an extent", start);
    return false;
}

bool extent_value(const struct kernel *k, const char *extent, const u8 *params, u64 *value, struct reason *why) {
    const char *at = extent;
    u64 sum = 0, product = 1, n;
    bool fits = true;
    *value = 0;
    if (!*extent)
        return true;
    for (;; at++) {
        if (!factor(k, &at, params, &n, why))
            return false;
        fits &= !__builtin_mul_overflow(product, n, &product);
        if (*at == '*')
            continue;
        fits &= !__builtin_add_overflow(sum, product, &sum);
        product = 1;
        if (!*at)
            break;
    }
    if (!fits || sum >> BITS_MAX) {
        snprintf(why->text, sizeof why->text, "it is more than any memory holds");
        return false;
    }
    *value = sum;
    return true;
}
