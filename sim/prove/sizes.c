#include "sim/prove/sizes.h"

#include <string.h>

#include "sim/prove/source.h"

/* An affine form that is congruent to an atom, or to bits of one. */
struct form {
    u8 state;   /* 0 = not computed yet, OPEN, AFFINE */
    bool wraps; /* OPEN because numbers wrap around for some sizes */
    struct affine v;
    u32 of;        /* buffer whose address is added, plus 1; 0: none */
    u64 low, high; /* factors of the halves of that address */
};

enum { OPEN = 1, AFFINE };

#define MOST ((s64)1 << 60) /* beyond it nothing is decided, so that nothing overflows */

static struct form form_const(u64 k) {
    return (struct form){.state = AFFINE, .v = {0, 0, (s64)k}};
}

/* ---- arithmetic, modulo 2^64 ---- */

static struct form scale(struct form a, u64 f) {
    a.v = (struct affine){(s64)((u64)a.v.c * f), (s64)((u64)a.v.q * f), (s64)((u64)a.v.k * f)};
    a.low *= f;
    a.high *= f;
    a.of = a.low || a.high ? a.of : 0;
    return a;
}

static struct form plus(struct form a, struct form b) {
    if (a.state != AFFINE || b.state != AFFINE || (a.of && b.of && a.of != b.of))
        return (struct form){.state = OPEN};
    a.v.c = (s64)((u64)a.v.c + (u64)b.v.c);
    a.v.q = (s64)((u64)a.v.q + (u64)b.v.q);
    a.v.k = (s64)((u64)a.v.k + (u64)b.v.k);
    a.low += b.low;
    a.high += b.high;
    a.of = a.low || a.high ? a.of | b.of : 0;
    return a;
}

static struct form minus(struct form a, struct form b) {
    return plus(a, scale(b, ~(u64)0));
}

static bool is_const(const struct form *f) {
    return f->state == AFFINE && !f->of && !f->v.c && !f->v.q;
}

static struct form times(struct form a, struct form b) {
    if (is_const(&a) && b.state == AFFINE)
        return scale(b, (u64)a.v.k);
    if (is_const(&b) && a.state == AFFINE)
        return scale(a, (u64)b.v.k);
    return (struct form){.state = OPEN};
}

/* The nearest numbers to 0 that are the same in 32 bits. */
static struct form reduce(struct form f, u32 bits) {
    if (bits == 32 && f.state == AFFINE && !f.of)
        f.v = (struct affine){(s32)(u32)f.v.c, (s32)(u32)f.v.q, (s32)(u32)f.v.k};
    return f;
}

/* ---- ranges ---- */

static bool value_at(struct affine v, s64 c, s64 q, s64 *value) {
    s64 x, y;
    return !__builtin_mul_overflow(v.c, c, &x) && !__builtin_mul_overflow(v.q, q, &y) &&
           !__builtin_add_overflow(x, y, &x) && !__builtin_add_overflow(x, v.k, value);
}

/* Smallest and largest value: of all q or, with c, of all inner periods, edge <= c <= q - 1 - edge. */
static bool range(const struct sizes *z, const struct form *f, s64 *low, s64 *high) {
    const s64 q[] = {f->v.c ? sizes_q(z) : 1 + z->edge, z->most, z->most},
              c[] = {z->edge, z->edge, z->most - 1 - z->edge};
    s64 v[3];
    if (f->state != AFFINE || f->of)
        return false;
    for (u32 i = 0; i < 3; i++)
        if (!value_at(f->v, c[i], q[i], &v[i]))
            return false;
    *low = *high = v[0];
    for (u32 i = 1; i < 3; i++) {
        *low = v[i] < *low ? v[i] : *low;
        *high = v[i] > *high ? v[i] : *high;
    }
    return true;
}

/* The number that `n` bits hold, signed or not: OPEN, and a note, if they wrap around for some sizes only. */
static struct form held(struct sizes *z, struct form f, u32 n, bool sign) {
    s64 low, high;
    if (!range(z, &f, &low, &high)) {
        z->wraps |= f.state == AFFINE && !f.of;
        return (struct form){.state = OPEN};
    }
    if (n == 64 && (sign || low >= 0))
        return f;
    if (n == 64 || low < -MOST || high > MOST)
        return (struct form){.state = OPEN};
    s64 half = sign ? (s64)1 << (n - 1) : 0, turns = (low + half) >> n;
    if ((high + half) >> n != turns) {
        z->wraps = true;
        return (struct form){.state = OPEN};
    }
    f.v.k -= (s64)((u64)turns << n);
    return f;
}

/* ---- forms ---- */

static struct form form_of(struct sizes *z, u32 atom);

enum extension { ZEROS, SIGNS, TOP };

/* Bits from `low` on, `n` of them, with zeros or signs above them; or the top of a number: higher ones vanish. */
static struct form run_of(struct sizes *z, u32 bit, u32 n, enum extension above) {
    u32 low = bit & 63, atom = bit_atom(bit);
    struct form f = form_of(z, atom);
    u64 below = ((u64)1 << low) - 1;
    if (f.state != AFFINE)
        return f;
    if (f.of) {
        bool whole = above == TOP || (n == 32 && above == ZEROS && term_at(z->e, atom)->code == ATOM_FRESH);
        return low == 0 && whole ? f : (struct form){.state = OPEN};
    }
    if (((u64)f.v.c | (u64)f.v.q) & below)
        return (struct form){.state = OPEN};
    f.v = (struct affine){f.v.c >> low, f.v.q >> low, f.v.k >> low};
    return above == TOP ? f : held(z, f, n, above == SIGNS);
}

/* Length of the run of neighbouring bits of an atom that begins at bit[i]. */
static u32 run_length(const u32 *bit, u32 i, u32 n) {
    u32 len = 1;
    while (i + len < n && bit[i + len] == bit[i] + len && (bit[i] & 63) + len < 64)
        len++;
    return len;
}

static struct form form_of_bits(struct sizes *z, const u32 *bit, u32 n) {
    struct form all = form_const(0);
    for (u32 i = 0, len; i < n && all.state == AFFINE; i += len) {
        len = 1;
        if (bit_known(bit[i])) {
            all = plus(all, form_const(bit[i] == BIT_1 ? (u64)1 << i : 0));
            continue;
        }
        len = run_length(bit, i, n);
        u32 end = i + len;
        while (end < n && bit[end] == bit[i + len - 1])
            end++;
        enum extension above = i + len == n ? TOP : end == n ? SIGNS : ZEROS;
        struct form f = run_of(z, bit[i] & ~BIT_NOT, len, above);
        if (f.state == AFFINE && bit[i] & BIT_NOT)
            f = minus(form_const(above == ZEROS ? ((u64)1 << len) - 1 : ~(u64)0), f);
        all = plus(all, f.state == AFFINE ? scale(f, (u64)1 << i) : f);
        len = above == SIGNS ? n - i : len;
    }
    return reduce(all, n);
}

/* Number `k` of an atom's operands. */
static struct form operand(struct sizes *z, u32 atom, u32 halves, u32 k) {
    u32 bit[64];
    for (u32 h = 0; h < halves; h++)
        term_bits(z->e, term_operands(z->e, atom)[k * halves + h], bit + 32 * h);
    return form_of_bits(z, bit, 32 * halves);
}

static struct form fresh_form(const struct sizes *z, u32 atom) {
    const struct fresh *f = term_fresh_at(z->e, atom);
    struct form v = form_const(0);
    if (atom == z->q || atom == z->c)
        v.v = (struct affine){atom == z->c, atom == z->q, 0};
    else if (f->kind == FRESH_ADDRESS)
        v = (struct form){.state = AFFINE, .of = f->number / 2 + 1, .low = !(f->number & 1), .high = f->number & 1};
    else
        v.state = OPEN;
    return v;
}

/* The lesser or the greater of two, where that is the same for all sizes. */
static struct form extreme(struct sizes *z, u32 atom, bool wide, bool sign, bool max) {
    struct form a = held(z, operand(z, atom, wide ? 2 : 1, 0), wide ? 64 : 32, sign),
                b = held(z, operand(z, atom, wide ? 2 : 1, 1), wide ? 64 : 32, sign), d = minus(a, b);
    s64 low, high;
    if (!range(z, &d, &low, &high) || (low < 0 && high > 0))
        return (struct form){.state = OPEN};
    return (low >= 0) == max ? a : b;
}

static struct form atom_form(struct sizes *z, u32 atom) {
    switch (term_at(z->e, atom)->code) {
    case ATOM_FRESH: return fresh_form(z, atom);
    case OP_ADD_S32: return reduce(plus(operand(z, atom, 1, 0), operand(z, atom, 1, 1)), 32);
    case OP_ADD_S64: return plus(operand(z, atom, 2, 0), operand(z, atom, 2, 1));
    case OP_MUL_LO_S32: return reduce(times(operand(z, atom, 1, 0), operand(z, atom, 1, 1)), 32);
    case OP_MUL_LO_S64: return times(operand(z, atom, 2, 0), operand(z, atom, 2, 1));
    case OP_MIN_U32: return extreme(z, atom, false, false, false);
    case OP_MAX_U32: return extreme(z, atom, false, false, true);
    case OP_MIN_S32: return extreme(z, atom, false, true, false);
    case OP_MAX_S32: return extreme(z, atom, false, true, true);
    default: return (struct form){.state = OPEN};
    }
}

static struct form form_of(struct sizes *z, u32 atom) {
    size_t need = (atom + 1) * sizeof(struct form);
    if (z->forms.len < need && !buf_push(&z->forms, need - z->forms.len + 4096 * sizeof(struct form))) {
        z->e->failed = true;
        return (struct form){.state = OPEN};
    }
    struct form f = ((struct form *)(void *)z->forms.data)[atom];
    if (!f.state) {
        bool wraps = z->wraps;
        z->wraps = false;
        f = atom_form(z, atom);
        f.wraps = z->wraps && f.state == OPEN;
        z->wraps = wraps;
        ((struct form *)(void *)z->forms.data)[atom] = f;
    }
    z->wraps |= f.wraps;
    return f;
}

/* ---- conditions ---- */

/* The bit that is 1 where low..high is below 0; or UNSET where it is not the same for all. */
static u32 below_zero(struct sizes *z, struct form d) {
    s64 low, high;
    if (!range(z, &d, &low, &high))
        return BIT_UNSET;
    z->varies |= low < 0 && high >= 0;
    return high < 0 ? BIT_1 : low >= 0 ? BIT_0 : BIT_UNSET;
}

/* Bit that is 1 where low..high, modulo 2^n, is `want`; UNSET where it depends. */
static u32 within(struct sizes *z, s64 low, s64 high, u32 n, u64 want) {
    s64 l, h;
    u64 mask = n == 64 ? ~(u64)0 : ((u64)1 << n) - 1;
    if (low == high)
        return (((u64)low ^ want) & mask) == 0 ? BIT_1 : BIT_0;
    if (__builtin_sub_overflow(low, (s64)want, &l) || __builtin_sub_overflow(high, (s64)want, &h) || l == INT64_MIN)
        return BIT_UNSET;
    bool meets = n == 64 ? l <= 0 && h >= 0 : (l - 1) >> n != h >> n;
    z->varies |= meets;
    return meets ? BIT_UNSET : BIT_0;
}

/* Equal: the difference decides; else, against a constant, the range of one run of bits. */
static u32 equal(struct sizes *z, u32 atom, u32 halves) {
    struct form a = operand(z, atom, halves, 0), b = operand(z, atom, halves, 1), d = reduce(minus(a, b), 32 * halves);
    u32 bit[64], n = 32 * halves, len;
    s64 low, high;
    if (range(z, &d, &low, &high))
        return within(z, low, high, n, 0);
    for (u32 h = 0; h < halves; h++)
        term_bits(z->e, term_operands(z->e, atom)[h], bit + 32 * h);
    len = run_length(bit, 0, n);
    for (u32 i = len; i < n; i++)
        if (bit[i] != BIT_0)
            return BIT_UNSET;
    if (bit_known(bit[0]) || bit[0] & BIT_NOT || !is_const(&b))
        return BIT_UNSET;
    a = form_of(z, bit_atom(bit[0]));
    if (!range(z, &a, &low, &high))
        return BIT_UNSET;
    u64 want = halves == 1 ? (u32)b.v.k : (u64)b.v.k;
    return len < 64 && want >> len ? BIT_0 : within(z, low >> (bit[0] & 63), high >> (bit[0] & 63), len, want);
}

static u32 less(struct sizes *z, u32 atom, u32 halves, bool sign) {
    struct form a = held(z, operand(z, atom, halves, 0), 32 * halves, sign),
                b = held(z, operand(z, atom, halves, 1), 32 * halves, sign);
    return below_zero(z, minus(a, b));
}

static u32 decide_atom(struct sizes *z, u32 atom, u32 position) {
    s64 low, high;
    switch (term_at(z->e, atom)->code) {
    case OP_SETP_EQ_S32: return equal(z, atom, 1);
    case OP_SETP_EQ_S64: return equal(z, atom, 2);
    case OP_SETP_LT_U32: return less(z, atom, 1, false);
    case OP_SETP_LT_S32: return less(z, atom, 1, true);
    case OP_SETP_LT_U64: return less(z, atom, 2, false);
    case OP_SETP_LT_S64: return less(z, atom, 2, true);
    default: break; /* functions of bits: each was decided when it was set */
    }
    struct form f = form_of(z, atom);
    if (!range(z, &f, &low, &high))
        return BIT_UNSET;
    z->varies |= low >> position != high >> position;
    return low >> position != high >> position ? BIT_UNSET : low >> position & 1 ? BIT_1 : BIT_0;
}

static u32 decide(struct sizes *z, u32 bit) {
    u32 known = bit_known(bit) ? BIT_0 : decide_atom(z, bit_atom(bit), bit & 63);
    return known == BIT_UNSET ? bit : bit_known(bit) ? bit : known ^ (bit & BIT_NOT);
}

/* Notes the first instruction that depends on numbers that wrap around; `wraps`: some did before it. */
static void note(struct site *t, bool wraps) {
    struct sizes *z = t->s->sizes;
    if (z->wraps && !wraps)
        z->wraps_at = (struct sizes_place){t->s->side, t->pc};
}

u32 sizes_bit(struct site *t, u32 bit) {
    struct sizes *z = t->s->sizes;
    bool wraps = z->wraps, varies = z->varies;
    u32 known = decide(z, bit);
    if (bit_known(known)) {
        z->wraps = wraps;
        z->varies = varies;
    }
    note(t, wraps);
    return known;
}

bool sizes_value(struct sizes *z, const u32 word[2], u32 *value) {
    u32 bit[64], n = word[1] == WORD_NONE ? 32 : 64;
    const bool wraps = z->wraps; /* judged where the number is used */
    for (u32 h = 0; h < n / 32; h++)
        term_bits(z->e, word[h], bit + 32 * h);
    struct form f = form_of_bits(z, bit, n);
    z->wraps = wraps;
    u64 base = f.of ? z->memory->list[f.of - 1].base : 0;
    u64 all =
        (u64)(z->edge * f.v.c) + (u64)sizes_q(z) * (u64)f.v.q + (u64)f.v.k + f.low * (u32)base + f.high * (base >> 32);
    *value = (u32)(all >> (n - 32));
    return f.state == AFFINE;
}

/* ---- what blocks reach ---- */

static void fails(struct sizes *z, struct sizes_place at, u32 buffer, const char *why) {
    z->varies = true;
    if (z->why)
        return;
    z->why = why;
    z->why_at = at;
    z->why_buffer = buffer;
}

static struct reach *reach_at(const struct sizes *z, u32 side, u32 buffer, u32 part) {
    return &z->reach[(side * z->memory->count + buffer) * SIZES_PARTS + part];
}

static void reach_add(struct reach *r, struct affine v, const struct touch *a, struct sizes_place at) {
    if (!r->any)
        *r = (struct reach){.any = true, .c = v.c, .q = v.q, .low = v.k, .high = v.k, .at = at};
    r->mixed |= r->c != v.c || r->q != v.q;
    if (a->writes && !r->written)
        r->at = at;
    r->written |= a->writes;
    r->low = v.k < r->low ? v.k : r->low;
    r->high = v.k + a->bytes > r->high ? v.k + a->bytes : r->high;
}

/* True if both kernels, and all accesses, have one name for each word in a part. */
static bool one_name(struct sizes *z, enum part part, const struct touch *a, struct affine v) {
    struct affine *seen = z->seen[part][a->allocation];
    bool same = true;
    for (u64 w = a->at / 4; w <= (a->at + a->bytes - 1) / 4; w++) {
        same &= !seen[w].k || (seen[w].c == v.c && seen[w].q == v.q);
        seen[w] = (struct affine){v.c, v.q, 1};
    }
    return same;
}

static bool small(s64 v) {
    return -MOST < v && v < MOST;
}

void sizes_access(struct site *t, const struct touch *a) {
    struct sizes *z = t->s->sizes;
    const struct sizes_place at = {t->s->side, t->pc};
    const s64 unit = a->bytes > 4 ? a->bytes : 4;
    bool wraps = z->wraps;
    u32 bit[64];
    s64 low, high;
    for (u32 h = 0; h < 2; h++)
        term_bits(z->e, site_source(t, PLACE_A, h, a->lane), bit + 32 * h);
    z->wraps = false; /* noted of this address alone: one of another lane or access may have wrapped before */
    struct form f = plus(form_of_bits(z, bit, 64), form_const(t->u->imm));
    const bool wrapped = z->wraps;
    z->wraps |= wraps;
    bool own = f.state == AFFINE && f.of == a->allocation + 1 && f.low == 1 && f.high == (u64)1 << 32;
    f.of = 0;
    struct form left = minus((struct form){.state = AFFINE, .v = z->bytes[a->allocation]}, f);
    left.v.k -= a->bytes;
    if (!own && !wrapped)
        fails(z, at, a->allocation, "an address that is not affine in the size and the block, in");
    else if (!own)
        z->open = true;
    else if (!range(z, &f, &low, &high) || low < 0 || !range(z, &left, &low, &high) || low < 0)
        fails(z, at, a->allocation, "some size has an access outside of");
    else if (f.v.c % unit || f.v.q % unit)
        fails(z, at, a->allocation, "blocks begin within a word of");
    else if (!small(f.v.c) || !small(f.v.q) || !small(f.v.k))
        fails(z, at, a->allocation, "an address is too large, in");
    else if (!one_name(z, sizes_part(t), a, f.v))
        fails(z, at, a->allocation, "an element is reached by two addresses that differ for other sizes, in");
    else
        reach_add(reach_at(z, t->s->side, a->allocation, sizes_part(t)), f.v, a, at);
    note(t, wraps);
}

/* Joins what the kernels that write to a buffer reach of it in a part. */
static struct reach joined(const struct sizes *z, u32 buffer, u32 part, const bool writes[2]) {
    struct reach all = {.any = false};
    for (u32 side = 0; side < 2; side++) {
        const struct reach *r = reach_at(z, side, buffer, part);
        if (!writes[side] || !r->any)
            continue;
        if (!all.any)
            all = *r;
        all.mixed |= r->mixed || r->c != all.c || r->q != all.q;
        all.low = r->low < all.low ? r->low : all.low;
        all.high = r->high > all.high ? r->high : all.high;
    }
    return all;
}

/*
 * Each period must reach a stretch of its own: stride * period + c * q + [low, high), of at most `stride` bytes. Both
 * kernels have the same stretches where both write.
 */
static void check_buffer(struct sizes *z, u32 buffer) {
    bool writes[2] = {false, false};
    for (u32 side = 0; side < 2; side++)
        for (u32 part = FIRST; part <= REST; part++)
            writes[side] |= reach_at(z, side, buffer, part)->written;
    const struct reach inner = joined(z, buffer, INNER, writes);
    struct sizes_place at = inner.at;
    s64 stride = inner.c, low = inner.low, high = inner.high;
    u32 parts = 0;
    bool mixed = false;
    for (u32 part = FIRST; part <= REST; part++) {
        struct reach r = joined(z, buffer, part, writes);
        if (!r.any)
            continue;
        at = parts++ && inner.any ? at : r.at;
        s64 move = part == LAST ? stride : 0;
        mixed |= r.mixed || (inner.any && r.q != inner.q + (part == LAST || part == REST ? stride : 0));
        low = r.low + move < low ? r.low + move : low;
        high = r.high + move > high ? r.high + move : high;
    }
    if (mixed || (parts > 1 && !inner.any))
        fails(z, at, buffer, "blocks reach elements in ways that depend on the size, in");
    else if (inner.any && !stride)
        fails(z, at, buffer, "all blocks reach the same elements of");
    else if (inner.any && high - low > (stride < 0 ? -stride : stride))
        fails(z, at, buffer, "blocks reach elements of each other in");
}

void sizes_end(struct sizes *z) {
    for (u32 i = 0; i < z->memory->count; i++)
        check_buffer(z, i);
}
