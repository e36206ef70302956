/* Cases around every place where a rounding, a quotient or a field could go wrong. */
#include "tests/isa/isa_cases.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct dense {
    struct cases made;
    u32 room;
    const char *types;
    u64 seed;
    u64 last; /* first operand of the case before */
};

static void add(struct dense *d, u64 a, u64 b, u64 c) {
    if (d->made.n == d->room) {
        d->room = d->room ? 2 * d->room : 4096;
        d->made.list = realloc(d->made.list, d->room * sizeof *d->made.list);
    }
    d->made.list[d->made.n++] = case_make(d->types, (u64[]){a, b, c}, (u64[]){c, a, b}, &d->seed);
    d->last = a;
}

static u64 convert(u64 v, const struct fmt *from, const struct fmt *to) {
    return num_pack(num_unpack(v, from), to, RN);
}

static void add_around(struct dense *d, u64 v) {
    for (u64 i = 0; i < 3; i++)
        add(d, v - 1 + i, d->last, 0);
}

/*
 * Every fp16 and bf16 number and every tie between two neighbours, and one unit of fp32 or fp64 to either side: the
 * points where the result of a conversion changes. Then random numbers with exponents in the range of the integers and
 * of the small formats, and, of fp64, ties of fp32.
 */
static void add_points(struct dense *d, bool wide) {
    const struct fmt *f = wide ? &FMT_F64 : &FMT_F32;
    for (u32 h = 0; h < 0x10000; h++)
        for (u32 bf16 = 0; bf16 < 2; bf16++) {
            const struct fmt *half = bf16 ? &FMT_BF16 : &FMT_F16;
            u64 v = convert(h, half, f);
            add_around(d, v);
            add_around(d, v + ((u64)1 << (f->mbits - half->mbits - 1)));
        }
    for (u32 i = 0; i < 50000; i++) {
        u64 r = rig_random(&d->seed), near = (r & 0x800fffffffffffffu) | (980 + (r >> 52) % 140) << 52;
        add(d, wide ? r : (u32)r, 0, 0);
        add(d, wide ? near : convert(near, &FMT_F64, f), 0, 0);
        if (wide)
            add_around(d, (convert((u32)r, &FMT_F32, f) & ~(u64)0x1fffffff) + 0x10000000u);
    }
}

/* Numbers of every length with the tie of a format at every place, and one aside; runs of ones. */
static void add_whole(struct dense *d, u32 bits) {
    static const u32 precision[] = {8, 11, 24, 53};
    for (u32 length = 1; length <= bits; length++)
        for (u32 i = 0; i < 400; i++) {
            u64 v = rig_random(&d->seed) >> (64 - length) | (u64)1 << (length - 1);
            u32 kept = precision[i & 3], cut = length > kept ? length - kept : 0;
            if (cut && i & 4)
                v = (v >> cut << cut) + ((u64)1 << (cut - 1)) + (i >> 3) % 3 - 1;
            if (i & 64)
                v |= v >> 1 << (i & 128 ? 1 : 0); /* long runs of ones carry */
            add(d, v, 0, 0);
            add(d, 0 - v, 0, 0);
        }
    for (u32 i = 0; i < bits; i++)
        for (u32 k = 0; k < bits; k++)
            add_around(d, (~(u64)0 >> i) ^ (~(u64)0 >> k));
}

/* Every 16-bit number with random ones, half of them with nearly the same exponent or its opposite. */
static void add_pairs(struct dense *d) {
    for (u32 a = 0; a < 0x10000; a++)
        for (u32 k = 0; k < 2; k++) {
            u64 r = rig_random(&d->seed);
            u32 b = k ? (a ^ (r & 0x87ffu)) | (r & 0xffff0000u) : (u32)r;
            add(d, a | (r >> 32 & 0xffff0000u), b, 0);
        }
}

/* Products near half a unit of the summand, where a first rounding to a wider format could land on a tie. */
static void add_products(struct dense *d, const struct fmt *f, u64 copies) {
    const u64 sign = fmt_sign(f), all = 2 * sign - 1, fraction = ((u64)1 << f->mbits) - 1;
    const s64 bias = (1 << (f->ebits - 1)) - 1;
    for (u32 n = 0; n < 100000; n++) {
        u64 a = rig_random(&d->seed) & all, b = rig_random(&d->seed) & all, c = rig_random(&d->seed) & all;
        u64 r = rig_random(&d->seed);
        if (n & 1) { /* exponent of b from those of a and c; few bits in the fractions */
            u64 few = r & rig_random(&d->seed);
            s64 e = (s64)(c % sign >> f->mbits) - (s64)(a % sign >> f->mbits) + bias - f->mbits - 3 + (s64)(r >> 61);
            b = (e < 0 || e > 2 * bias ? 0 : (u64)e << f->mbits) | (b & few & fraction) | (b & sign);
            a = n & 2 ? a & ~(fraction & few) : a;
        }
        add(d, a * copies, b * copies, c * copies);
    }
}

/* Quotients just below and above a whole number, and everything else at random. */
static void add_quotients(struct dense *d) {
    for (u32 n = 0; n < 100000; n++) {
        u64 r = rig_random(&d->seed);
        u32 a = (u32)r >> (r >> 58 & 31 & n), b = (u32)(r >> 32) >> (n & 31);
        add(d, a, b, 0);
        if (b) {
            add(d, a / b * b - 1, b, 0);
            add(d, a / b * b, b, 0);
        }
    }
}

static void add_fields(struct dense *d) {
    for (u32 i = 0; i < 2 * 0x10000; i++) /* of BFE_REG the position and the length, of BFI_REG the position */
        add(d, i % 2 ? 0x92345678 : 0x6dcba987, i >> 1 & 0xff, i >> 9);
}

static void add_selectors(struct dense *d) {
    for (u32 c = 0; c < 0x10000; c++)
        add(d, 0xff7f8201, 0x8000aa55, c | 0xdead0000);
}

struct cases cases_dense(const char *types, u64 seed) {
    struct dense d = {.types = types, .seed = seed};
    if (strcmp(types, "f") == 0 || strcmp(types, "F") == 0 || strcmp(types, "rr") == 0)
        add_points(&d, types[0] == 'F');
    else if (strcmp(types, "i") == 0 || strcmp(types, "I") == 0)
        add_whole(&d, types[0] == 'I' ? 64 : 32);
    else if (strcasecmp(types, "hh") == 0 || strcasecmp(types, "ww") == 0)
        add_pairs(&d);
    else if (strcmp(types, "fff") == 0)
        add_products(&d, &FMT_F32, 1);
    else if (strcmp(types, "FFF") == 0)
        add_products(&d, &FMT_F64, 1);
    else if (strcasecmp(types, "hhh") == 0 || strcasecmp(types, "www") == 0)
        add_products(&d, types[0] == 'h' || types[0] == 'H' ? &FMT_F16 : &FMT_BF16, 0x10001);
    else if (strcmp(types, "ii") == 0)
        add_quotients(&d);
    else if (strcmp(types, "iss") == 0)
        add_fields(&d);
    else if (strcmp(types, "iik") == 0)
        add_selectors(&d);
    return d.made;
}
