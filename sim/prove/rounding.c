#include "sim/prove/rounding.h"

#include <math.h>

#include "sim/prove/reassociate.h"
#include "sim/prove/source.h"
#include "sim/prove/tree.h"

enum { MANY = 3 };

/* The summands of one number, through all sums below it. */
struct summands {
    double total; /* of their magnitudes */
    s32 lowest;   /* all are multiples of this power of two */
    u8 count;     /* up to MANY, as the next */
    u8 numbers;   /* that are not 0 */
    bool inexact; /* one is a product that is no number of the type */
    bool special; /* one is infinite or NaN */
};

static const struct summands nothing = {.lowest = 2000};

/* ---- numbers ---- */

static double number(const struct sums *s, u64 bits) {
    u64 fraction = bits & (((u64)1 << s->fraction) - 1), top = (u64)1 << (s->bits - 1);
    s32 exponents = 1 << (s->bits - 1 - s->fraction), exponent = (s32)((bits & (top - 1)) >> s->fraction);
    double v = exponent ? (double)(fraction | (u64)1 << s->fraction) : (double)fraction;
    if (exponent == exponents - 1)
        v = fraction ? (double)NAN : (double)INFINITY;
    else
        v = ldexp(v, (exponent ? exponent : 1) - (exponents / 2 - 1) - s->fraction);
    return bits & top ? -v : v;
}

/* Exponent of the largest power of two that divides a number which is finite and not 0. */
static s32 granularity(double v) {
    int exponent;
    u64 whole = (u64)ldexp(frexp(fabs(v), &exponent), 53);
    while (!(whole & 1)) {
        whole >>= 1;
        exponent++;
    }
    return exponent - 53;
}

/* The exponent of the smallest number above 0. */
static s32 smallest(const struct sums *s, bool flushed) {
    s32 bias = (1 << (s->bits - 2 - s->fraction)) - 1;
    return 1 - bias - (flushed ? 0 : s->fraction);
}

/* The exponent of the lowest power of two above every finite number. */
static s32 above(const struct sums *s) {
    return 1 << (s->bits - 2 - s->fraction);
}

/* ---- summands ---- */

static struct summands joined(struct summands a, struct summands b) {
    a.total += b.total;
    a.lowest = a.lowest < b.lowest ? a.lowest : b.lowest;
    a.count = a.count + b.count < MANY ? (u8)(a.count + b.count) : MANY;
    a.numbers = a.numbers + b.numbers < MANY ? (u8)(a.numbers + b.numbers) : MANY;
    a.inexact |= b.inexact;
    a.special |= b.special;
    return a;
}

static bool is_finite(double v) {
    return fabs(v) <= 0x1.fffffffffffffp1023;
}

static struct summands summand(const struct sums *s, double v, bool flushed) {
    struct summands one = nothing;
    one.count = 1;
    one.special = !is_finite(v);
    if (one.special || v == 0)
        return one;
    one.numbers = 1;
    one.total = fabs(v);
    one.lowest = granularity(v);
    one.inexact = one.lowest < smallest(s, flushed) || one.total >= ldexp(1, one.lowest + s->fraction + 1);
    return one;
}

/* Product of two numbers; of fp64 it may be no double, and then counts as beyond all numbers. */
static struct summands product(const struct sums *s, double a, double b, bool flushed) {
    const double p = a * b;
    struct summands one = summand(s, p, flushed);
    if (!is_finite(a) || !is_finite(b) || a == 0 || b == 0)
        return one;
    if (fabs(p) < 0x1p-900 || !is_finite(p) || fma(a, b, -p) != 0)
        one.total = (double)INFINITY;
    return one;
}

/* True if every sum of some of them is a number of the type. */
static bool is_exact(const struct sums *s, struct summands all, bool flushed) {
    return all.lowest >= smallest(s, flushed) && all.total < ldexp(1, all.lowest + s->fraction + 1) &&
           all.total < ldexp(1, above(s) - 1);
}

/* True if another order leaves the same bits. What is infinite or NaN does if no sum of the others overflows. */
static bool has_no_order(const struct sums *s, struct summands all, bool flushed) {
    if (!(all.total < ldexp(1, above(s) - 1)))
        return false;
    return all.special || (all.numbers < MANY && !all.inexact && (!flushed || all.count < MANY)) ||
           is_exact(s, all, flushed);
}

/* ---- atoms ---- */

struct table {
    const struct terms *e;
    const u64 *value;
    struct summands (*sum)[2]; /* of each atom that is a sum: for each number of a pair */
    bool *rounded;             /* of each atom: a sum that is rounded, or bits of one, as of a choice or a negation */
    bool *loose;
};

/* True if operand k of an atom has bits of one of a set. */
static bool has_bits_of(const struct terms *e, const bool *set, u32 atom, u32 k) {
    u32 of[32], n = source_atoms(e, atom, k, of);
    while (n > 0)
        if (set[of[--n]])
            return true;
    return false;
}

static u64 operand_value(const struct table *t, const struct sums *s, u32 atom, u32 k) {
    const u32 *word = term_operands(t->e, atom) + k * s->halves;
    u64 v = source_word(t->e, t->value, word[0]);
    return s->halves == 2 ? v | (u64)source_word(t->e, t->value, word[1]) << 32 : v;
}

/* Sum that an operand is; 0 if it is none that may be taken apart. */
static u32 operand_sum(const struct table *t, const struct sums *s, u32 atom, u32 k) {
    const u32 *word = term_operands(t->e, atom) + k * s->halves;
    u32 of = number_atom(t->e, s->halves, (struct number){{word[0], s->halves == 2 ? word[1] : WORD_NONE}});
    const struct atom *a = term_at(t->e, of);
    return of && a->mods == term_at(t->e, atom)->mods && sums_of(a->code, a->mods) == s ? of : 0;
}

static double lane_number(const struct sums *s, u64 word, u32 n, bool flushed) {
    double v = number(s, word >> s->bits % 64 * n);
    return flushed && fabs(v) < ldexp(1, smallest(s, true)) ? 0 : v;
}

/* True if an operand is no sum itself, but has bits of one that is rounded: its summands might join those around it. */
static bool hides_sum(const struct table *t, const struct sums *s, u32 atom, u32 k) {
    bool rounded = false;
    for (u32 h = 0; h < s->halves; h++)
        rounded |= has_bits_of(t->e, t->rounded, atom, k * s->halves + h);
    return rounded && !operand_sum(t, s, atom, k);
}

/* True if a sum might give something else in another order. */
static bool sum_is_loose(const struct table *t, const struct sums *s, u32 atom) {
    const struct atom *a = term_at(t->e, atom);
    const bool fused = a->code == s->fma, flushed = a->mods != 0;
    const u32 first = fused ? 2 : 0, last = fused ? 2 : 1;
    bool loose = false, alone = true;
    for (u32 k = first; k <= last; k++)
        if (hides_sum(t, s, atom, k))
            loose = true, alone = false;
    for (u32 n = 0; n * s->bits < 32u * s->halves; n++) {
        struct summands all = nothing;
        for (u32 k = first; k <= last; k++) {
            u32 of = operand_sum(t, s, atom, k);
            alone &= of == 0;
            all = joined(all, of ? t->sum[of][n]
                                 : summand(s, lane_number(s, operand_value(t, s, atom, k), n, flushed), flushed));
        }
        if (fused)
            all = joined(all, product(s, lane_number(s, operand_value(t, s, atom, 0), n, flushed),
                                      lane_number(s, operand_value(t, s, atom, 1), n, flushed), flushed));
        t->sum[atom][n] = all;
        t->rounded[atom] |= !is_exact(s, all, flushed);
        loose |= !has_no_order(s, all, flushed);
    }
    return loose && !alone;
}

bool *rounding_table(const struct terms *e, const u64 *value, struct arena *arena) {
    struct table t = {.e = e, .value = value};
    t.rounded = arena_alloc(arena, term_atoms(e) * sizeof *t.rounded);
    t.loose = arena_alloc(arena, term_atoms(e) * sizeof *t.loose);
    t.sum = arena_alloc(arena, term_atoms(e) * sizeof *t.sum);
    if (!t.rounded || !t.loose || !t.sum)
        return NULL;
    for (u32 atom = 1; atom < term_atoms(e); atom++) {
        const struct atom *a = term_at(e, atom);
        const struct sums *s = sums_of(a->code, a->mods);
        t.loose[atom] = s && sum_is_loose(&t, s, atom);
        for (u32 k = 0; k < a->count; k++) {
            t.loose[atom] |= has_bits_of(e, t.loose, atom, k);
            t.rounded[atom] |= a->code >= ATOM_TABLE && has_bits_of(e, t.rounded, atom, k);
        }
    }
    return t.loose;
}
