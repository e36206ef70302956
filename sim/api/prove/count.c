/*
 * Counts that depend on a size: "n", "4*n+1", "ceil(n/256)". A division rounds down at once; within ceil it is exact,
 * and the whole is rounded up.
 */
#include "sim/api/prove/range.h"

#include <ctype.h>
#include <string.h>

/* (q * periods + k) / per */
struct ratio {
    s64 q, k, per;
};

struct reading {
    const char *at, *end, *wrong;
    struct count *c;
    u32 exact; /* levels of ceil */
    u32 depth;
};

static const struct ratio zero = {0, 0, 1};

static struct ratio sum(struct reading *r);

static struct ratio fail(struct reading *r, const char *wrong) {
    if (!r->wrong)
        r->c->at = r->at;
    r->wrong = r->wrong ? r->wrong : wrong;
    r->at = r->end;
    return zero;
}

static u64 gcd(u64 a, u64 b) {
    return b ? gcd(b, a % b) : a;
}

static s64 down(s64 a, s64 b) {
    return a / b - (a % b < 0);
}

/* Rounds to a whole number. Where it grows by none with each period, notes how much longer a period has to be. */
static struct ratio whole(struct reading *r, struct ratio v, bool up) {
    u64 common = gcd((u64)(v.q < 0 ? -v.q : v.q), (u64)v.per);
    if (v.q % v.per) {
        r->c->longer = (u64)v.per / common;
        return (struct ratio){v.q, v.k, 1};
    }
    return (struct ratio){v.q / v.per, up ? -down(-v.k, v.per) : down(v.k, v.per), 1};
}

static struct ratio times(struct reading *r, struct ratio a, struct ratio b) {
    struct ratio v;
    if (a.q && b.q)
        return fail(r, "a product of sizes is not of the first degree");
    if (a.q)
        return times(r, b, a);
    if (__builtin_mul_overflow(a.k, b.q, &v.q) || __builtin_mul_overflow(a.k, b.k, &v.k) ||
        __builtin_mul_overflow(a.per, b.per, &v.per))
        return fail(r, "this is too large");
    return v;
}

static struct ratio plus(struct reading *r, struct ratio a, struct ratio b) {
    struct ratio x = times(r, (struct ratio){0, b.per, b.per}, a), y = times(r, (struct ratio){0, a.per, a.per}, b);
    if (__builtin_add_overflow(x.q, y.q, &x.q) || __builtin_add_overflow(x.k, y.k, &x.k))
        return fail(r, "this is too large");
    return x;
}

static void skip(struct reading *r) {
    while (r->at < r->end && *r->at == ' ')
        r->at++;
}

static bool take(struct reading *r, const char *word) {
    skip(r);
    size_t n = strlen(word);
    if ((size_t)(r->end - r->at) < n || strncmp(r->at, word, n) != 0)
        return false;
    bool longer =
        isalpha((unsigned char)*word) && r->at + n < r->end && (isalnum((unsigned char)r->at[n]) || r->at[n] == '_');
    r->at += longer ? 0 : n;
    return !longer;
}

static struct ratio number(struct reading *r) {
    s64 v = 0;
    for (; r->at < r->end && isdigit((unsigned char)*r->at); r->at++) {
        v = 10 * v + (*r->at - '0');
        if (v >> SIZE_BITS)
            return fail(r, "this is too large");
    }
    return (struct ratio){0, v, 1};
}

static struct ratio in_brackets(struct reading *r) {
    enum { DEPTH = 32 };
    struct ratio v = ++r->depth > DEPTH ? fail(r, "too many brackets") : sum(r);
    r->depth--;
    return take(r, ")") ? v : fail(r, "expected ')'");
}

static struct ratio atom(struct reading *r) {
    skip(r);
    if (r->at < r->end && isdigit((unsigned char)*r->at))
        return number(r);
    if (take(r, r->c->name))
        return (struct ratio){(s64)r->c->period, (s64)r->c->rest, 1};
    if (take(r, "("))
        return in_brackets(r);
    if (!take(r, "ceil") || !take(r, "("))
        return fail(r, "expected a number, the size, '(' or 'ceil('");
    r->exact++;
    struct ratio v = in_brackets(r);
    r->exact--;
    return whole(r, v, true);
}

static struct ratio product(struct reading *r) {
    struct ratio v = atom(r);
    for (;;) {
        bool divides = take(r, "/");
        if (!divides && !take(r, "*"))
            return v;
        struct ratio by = atom(r);
        if (!divides) {
            v = times(r, v, by);
            continue;
        }
        if (by.q || by.k <= 0 || by.per != 1)
            return fail(r, "a size is divided by a number above 0");
        v = times(r, v, (struct ratio){0, 1, by.k});
        v = r->exact ? v : whole(r, v, false);
    }
}

static struct ratio sum(struct reading *r) {
    struct ratio v = product(r);
    for (;;) {
        bool minus = take(r, "-");
        if (!minus && !take(r, "+"))
            return v;
        struct ratio by = product(r);
        v = plus(r, v, minus ? times(r, (struct ratio){0, -1, 1}, by) : by);
    }
}

bool count_read(struct count *c, const char *text, size_t len) {
    struct reading r = {.at = text, .end = text + len, .c = c};
    struct ratio v = sum(&r);
    skip(&r);
    if (!r.wrong && r.at < r.end)
        fail(&r, "expected '+', '-', '*' or '/'");
    c->value = (struct affine){0, v.q, v.k};
    c->wrong = r.wrong;
    return !r.wrong;
}

bool count_name(const char *text, size_t len) {
    bool ok = len && !isdigit((unsigned char)*text) && (len != 4 || memcmp(text, "ceil", 4) != 0);
    for (size_t i = 0; i < len && ok; i++)
        ok = isalnum((unsigned char)text[i]) || text[i] == '_';
    return ok;
}
