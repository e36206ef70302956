/* Is the arithmetic of a lane right, bit for bit? Sums, products, quotients, special functions, whole-number tricks. */
#include "tests/arch/numerics.h"

#include <float.h>

/* ---- 16-bit numbers ---- */

struct half_format {
    const struct fmt *f;
    u32 (*add)(u32 a, u32 b), (*sub)(u32 a, u32 b), (*mul)(u32 a, u32 b), (*div)(u32 a, u32 b), (*min)(u32 a, u32 b);
    u32 (*max)(u32 a, u32 b), (*fma)(u32 a, u32 b, u32 c);
    u32 (*set[6])(u32 a, u32 b);
};

static const struct half_format halves[] = {
    {&FMT_F16,
     add_f16x2,
     sub_f16x2,
     mul_f16x2,
     div_f16x2,
     min_f16x2,
     max_f16x2,
     fma_f16x2,
     {set_eq_f16x2, set_ne_f16x2, set_lt_f16x2, set_le_f16x2, set_gt_f16x2, set_ge_f16x2}},
    {&FMT_BF16,
     add_bf16x2,
     sub_bf16x2,
     mul_bf16x2,
     div_bf16x2,
     min_bf16x2,
     max_bf16x2,
     fma_bf16x2,
     {set_eq_bf16x2, set_ne_bf16x2, set_lt_bf16x2, set_le_bf16x2, set_gt_bf16x2, set_ge_bf16x2}},
};

/* Smaller (or larger) of two numbers, -0 below +0; the other one if one is NaN. */
static u64 extreme(const struct fmt *f, u32 a, u32 b, bool larger) {
    if (fmt_is_nan(a, f))
        return fmt_is_nan(b, f) ? fmt_canonical_nan(f) : b;
    if (fmt_is_nan(b, f))
        return a;
    int order = num_compare(num_unpack(a, f), num_unpack(b, f));
    bool a_less = order < 0 || (order == 0 && a & fmt_sign(f));
    return a_less != larger ? a : b;
}

static void check_pair(const struct half_format *h, u32 a, u32 b) {
    const struct fmt *f = h->f;
    const struct num x = num_unpack(a & 0xffff, f), y = num_unpack(b & 0xffff, f);
    const struct num u = num_unpack(a >> 16, f), v = num_unpack(b >> 16, f);
    SAME(h->add(a, b), num_pack(num_add(x, y), f, RN) | num_pack(num_add(u, v), f, RN) << 16, "sum", a, b);
    SAME(h->sub(a, b), num_pack(num_add(x, num_neg(y)), f, RN) | num_pack(num_add(u, num_neg(v)), f, RN) << 16,
         "difference", a, b);
    SAME(h->mul(a, b), num_pack(num_mul(x, y), f, RN) | num_pack(num_mul(u, v), f, RN) << 16, "product", a, b);
    SAME(h->div(a, b), num_pack(num_div(x, y), f, RN) | num_pack(num_div(u, v), f, RN) << 16, "quotient", a, b);
    SAME(h->min(a, b), extreme(f, a & 0xffff, b & 0xffff, false) | extreme(f, a >> 16, b >> 16, false) << 16, "min", a,
         b);
    SAME(h->max(a, b), extreme(f, a & 0xffff, b & 0xffff, true) | extreme(f, a >> 16, b >> 16, true) << 16, "max", a,
         b);
    /* -1, 0, 1 and 2 = unordered, when none holds: a bit each. */
    static const u8 holds[6] = {1 << 1, 1 << 0 | 1 << 2, 1 << 0, 1 << 0 | 1 << 1, 1 << 2, 1 << 2 | 1 << 1};
    int low = num_compare(x, y) + 1, high = num_compare(u, v) + 1;
    for (u32 i = 0; i < 6; i++)
        SAME(h->set[i](a, b), (holds[i] >> low & 1 ? 0xffffu : 0) | (holds[i] >> high & 1 ? 0xffff0000u : 0), "set", a,
             b);
}

/* Every number against random ones, half of them with nearly the same exponent or its opposite. */
Test(numerics, half_arithmetic_rounds_once) {
    u64 seed = 3;
    for (u32 i = 0; i < COUNT_OF(halves); i++)
        for (u32 a = 0; a < 0x10000; a++)
            for (u32 k = 0; k < 2; k++) {
                u64 r = next_random(&seed);
                u32 b = (u32)r;
                if (k & 1)
                    b = (a ^ (b & 0x87ffu)) | (b & 0xffff0000u);
                check_pair(&halves[i], a | ((u32)(r >> 32) & 0xffff0000u), b);
            }
}

/* The product near half a unit of c, where a first rounding to fp32 or fp64 could land on a tie. */
Test(numerics, half_fused_multiply_add_rounds_once) {
    u64 seed = 4;
    for (u32 i = 0; i < COUNT_OF(halves); i++)
        for (u32 n = 0; n < 400000; n++) {
            const struct half_format *h = &halves[i];
            const int m = h->f->mbits, bias = (1 << (h->f->ebits - 1)) - 1;
            u64 r = next_random(&seed);
            u32 a = r & 0xffff, b = r >> 16 & 0xffff, c = r >> 32 & 0xffff;
            if (n & 1) { /* exponent of b from those of a and c; few bits in the fractions */
                int e =
                    (int)(c >> m) % (2 * bias + 1) - (int)(a >> m) % (2 * bias + 1) + bias - m - 2 + (int)(r >> 48 & 3);
                u32 few = (u32)(next_random(&seed) & next_random(&seed));
                b = (e < 0 ? 0 : e > 2 * bias ? 0 : (u32)e << m) | (b & few & ((1u << m) - 1)) | (b & 0x8000u);
                a = n & 2 ? a & ~(((1u << m) - 1) & few) : a;
            }
            struct num x = num_add(num_mul(num_unpack(a, h->f), num_unpack(b, h->f)), num_unpack(c, h->f));
            SAME(h->fma(a << 16 | a, b << 16 | b, c << 16 | c), num_pack(x, h->f, RN) * 0x10001, "a * b + c",
                 a << 16 | b, c);
        }
}

/* ---- fp32 ---- */

Test(numerics, fused_multiply_add_rounds_once) {
    u64 seed = 5;
    for (u32 n = 0; n < 400000; n++) {
        u64 r = next_random(&seed), s = next_random(&seed), t = next_random(&seed);
        u32 a = (u32)r, b = (u32)(r >> 32), c = (u32)s;
        if (n & 1) { /* product near half a unit of c, fractions with few bits */
            int e = (int)(c >> 23 & 0xff) - (int)(a >> 23 & 0xff) + 127 - 26 + (int)(t & 7);
            b = (e < 0 ? 0 : e > 254 ? 0 : (u32)e << 23) | (b & (u32)(s >> 32) & (u32)(t >> 32) & 0x807fffffu);
            a &= ~((u32)(t >> 8) & (u32)(t >> 40) & 0x7fffffu);
        }
        struct num x = num_add(num_mul(num_unpack(a, &FMT_F32), num_unpack(b, &FMT_F32)), num_unpack(c, &FMT_F32));
        SAME(canon_f32(fma_f32(bits_f32(a), bits_f32(b), bits_f32(c))), num_pack(x, &FMT_F32, RN), "a * b + c",
             (u64)a << 32 | b, c);
    }
}

Test(numerics, results_are_cleaned_up) {
    static const u32 saturated[][2] = {{0, 0},
                                       {0x80000000, 0},
                                       {0x80000001, 0},
                                       {1, 1},
                                       {0x3f800000, 0x3f800000},
                                       {0x3f7fffff, 0x3f7fffff},
                                       {0x3f800001, 0x3f800000},
                                       {0x7f800000, 0x3f800000},
                                       {0x7f800001, 0},
                                       {0x7fffffff, 0},
                                       {0xff800000, 0},
                                       {0xffffffff, 0}};
    for (size_t i = 0; i < COUNT_OF(saturated); i++)
        SAME(sat_f32(saturated[i][0]), saturated[i][1], "saturation", saturated[i][0], 0);
    static const u32 flushed[][2] = {{0, 0},
                                     {0x80000000, 0x80000000},
                                     {1, 0},
                                     {0x807fffff, 0x80000000},
                                     {0x00800000, 0x00800000},
                                     {0x7f800001, 0x7f800001},
                                     {0xff800000, 0xff800000}};
    for (size_t i = 0; i < COUNT_OF(flushed); i++)
        SAME(flush_f32(flushed[i][0]), flushed[i][1], "flush", flushed[i][0], 0);
    static const u32 nans[] = {0x7f800001, 0x7fc00000, 0xffc00000, 0xffffffff};
    for (size_t i = 0; i < COUNT_OF(nans); i++) {
        SAME(canon_f32(bits_f32(nans[i])), 0x7fffffff, "NaN", nans[i], 0);
        SAME(canon_f64((double)bits_f32(nans[i])), 0x7fffffffffffffff, "NaN", nans[i], 0);
    }
}

/* ---- special functions ---- */

struct special {
    const char *name;
    float (*fn)(float x);
    long double (*judge)(long double x);
};

static long double rsqrt_judge(long double x) {
    return 1 / sqrtl(x);
}

static const struct special specials[] = {
    {"2^x", exp2_f32, exp2l}, {"log2", log2_f32, log2l}, {"sin", sin_f32, sinl},
    {"cos", cos_f32, cosl},   {"tanh", tanh_f32, tanhl}, {"1/sqrt", rsqrt_f32, rsqrt_judge},
};

/*
 * Correctly rounded, unless the exact value is so near a tie that a double could not decide; then either neighbour.
 * Where long double is no wider than double, the reference may be off in the same way.
 */
static void check_special(const struct special *s, u32 bits) {
    const long double want = s->judge((long double)bits_f32(bits));
    const long double doubt = fabsl(want) * (LDBL_MANT_DIG >= 64 ? 0x1p-50L : 0x1p-48L);
    const u32 got = canon_f32(s->fn(bits_f32(bits)));
    if (got != canon_f32((float)(want - doubt)) && got != canon_f32((float)(want + doubt)))
        SAME(got, canon_f32((float)want), s->name, bits, 0);
}

/* The bits of fp32 at an odd stride, and stretches where a function has its zeros and its ends. */
Test(numerics, special_functions_round_correctly) {
    for (size_t i = 0; i < COUNT_OF(specials); i++) {
        for (u64 bits = i; bits < (u64)1 << 32; bits += 10007)
            check_special(&specials[i], (u32)bits);
        static const float around[] = {0.0f,    1.0f,    9.0f,   3.14159265f, 1.57079637f,
                                       -126.0f, -149.0f, 128.0f, 0x1p20f,     0x1p127f};
        for (size_t k = 0; k < COUNT_OF(around); k++)
            for (u32 d = 0; d < 4000; d++)
                check_special(&specials[i], f32_bits(around[k]) - 2000 + d);
    }
}

/* fp32 numbers next to multiples of pi/2, where what is left of the angle is small. */
Test(numerics, angles_near_their_zeros_are_reduced) {
    for (u32 k = 1; k < 0x1p20; k += 1 + k / 2048) {
        const u32 bits = f32_bits((float)(k * 0x1.921fb54442d18469898p+0L));
        for (u32 d = 0; d < 3; d++) {
            check_special(&specials[2], bits - 1 + d);
            check_special(&specials[3], (bits - 1 + d) | 0x80000000u);
        }
    }
    for (u32 exponent = 0; exponent < 0xff; exponent++) /* 16367173 * 2^72 is the one nearest to a multiple of pi/2 */
        for (u32 fraction = 0x79be00; fraction < 0x79be80; fraction++)
            check_special(&specials[2 + (fraction & 1)], exponent << 23 | fraction);
}

/*
 * The inputs, of all 2^32, with results nearest to a tie (up to 2^-35 of a unit): they expose a polynomial that lost a
 * digit. The last column is heddle's known error in units, on these five inputs and, for sine and cosine, their
 * negatives.
 */
Test(numerics, hardest_inputs_of_special_functions) {
    static const struct {
        u32 fn, x, rounded;
        s32 off;
    } hard[] = {
        {0, 0xb52d1f9a, 0x3f7ffff8, 0},  {0, 0xb8d3d026, 0x3f7ffb69, 0}, {0, 0x3b429d37, 0x3f804385, -1},
        {0, 0xbcf3a937, 0x3f7ac6b1, -1}, {0, 0x3a07857c, 0x3f800bbe, 0}, {0, 0xbaec2b40, 0x3f7fae34, 0},
        {0, 0x3c02a9ad, 0x3f80b5a3, 0},  {0, 0x36879cf7, 0x3f800018, 0}, {0, 0xc3160000, 0x00000000, 0},
        {1, 0x3ea07ab9, 0xbfd63da2, 0},  {1, 0x40207ab9, 0x3fa9c25e, 0}, {1, 0x002452a4, 0xc2ffa268, 0},
        {1, 0x63914a90, 0x42905d98, 0},  {2, 0x46199998, 0xbeb1fa5d, 1}, {2, 0x73243f06, 0x3e943a84, 0},
        {2, 0x55cafb2a, 0xbf7e7a17, 0},  {2, 0x67a9242b, 0xbf7fab81, 0}, {2, 0x4371ade3, 0x3e62da56, 0},
        {2, 0x3ef3830f, 0x3eea6f45, 0},  {3, 0x5f18b878, 0x3f7f14bb, 1}, {3, 0x6115cb11, 0x3f78142f, -1},
        {3, 0x59443c0a, 0x3f425f62, 0},  {3, 0x7a4b1a27, 0x3f7c54da, 0}, {3, 0x5922aa80, 0x3f08aebf, 0},
        {3, 0x7908cd73, 0x3f798bb5, 0},  {3, 0x3c107fe6, 0x3f7ffd74, 0},
    };
    for (size_t i = 0; i < COUNT_OF(hard); i++) {
        const struct special *s = &specials[hard[i].fn];
        SAME(canon_f32(s->fn(bits_f32(hard[i].x))), hard[i].rounded + (u32)hard[i].off, s->name, hard[i].x, 0);
    }
}

Test(numerics, special_functions_have_their_special_values) {
    enum { ZERO = 0, MINUS_ZERO = (s32)0x80000000, ONE = 0x3f800000, MINUS_ONE = (s32)0xbf800000 };
    enum { INF = 0x7f800000, MINUS_INF = (s32)0xff800000, NOTHING = 0x7fffffff };
    static const s32 want[][1 + COUNT_OF(specials)] = {
        /* x          2^x      log2       sin         cos      tanh        1/sqrt */
        {ZERO, ONE, MINUS_INF, ZERO, ONE, ZERO, INF},
        {MINUS_ZERO, ONE, MINUS_INF, MINUS_ZERO, ONE, MINUS_ZERO, MINUS_INF},
        {INF, INF, INF, NOTHING, NOTHING, ONE, ZERO},
        {MINUS_INF, ZERO, NOTHING, NOTHING, NOTHING, MINUS_ONE, NOTHING},
        {NOTHING, NOTHING, NOTHING, NOTHING, NOTHING, NOTHING, NOTHING},
        {0x7f800001, NOTHING, NOTHING, NOTHING, NOTHING, NOTHING, NOTHING},
        {1, ONE, (s32)0xc3150000, 1, ONE, 1, 0x64b504f3},
    };
    for (size_t i = 0; i < COUNT_OF(want); i++)
        for (size_t k = 0; k < COUNT_OF(specials); k++)
            SAME(canon_f32(specials[k].fn(bits_f32((u32)want[i][0]))), (u32)want[i][1 + k], specials[k].name,
                 (u32)want[i][0], 0);
}

/* ---- whole numbers ---- */

static const u32 corners[] = {0,          1,          2,          3,          5,          7,
                              10,         0xffff,     0x10000,    0x10001,    0x7ffffffe, 0x7fffffff,
                              0x80000000, 0x80000001, 0xaaaaaaaa, 0xfffffffd, 0xfffffffe, 0xffffffff};

static void check_quotients(u32 a, u32 b) {
    const s64 x = (s32)a, y = (s32)b;
    SAME(div_u32(a, b), b ? a / b : ~0u, "a / b", a, b);
    SAME(rem_u32(a, b), b ? a % b : a, "a % b", a, b);
    SAME(div_s32((s32)a, (s32)b), (u32)(b ? x / y : -1), "signed a / b", a, b);
    SAME(rem_s32((s32)a, (s32)b), (u32)(b ? x % y : x), "signed a % b", a, b);
}

/* Quotients just below and above a whole number, and everything else at random. */
Test(numerics, division_in_double_is_exact) {
    u64 seed = 6;
    for (size_t i = 0; i < COUNT_OF(corners); i++)
        for (size_t k = 0; k < COUNT_OF(corners); k++)
            check_quotients(corners[i], corners[k]);
    for (u32 n = 0; n < 1000000; n++) {
        u64 r = next_random(&seed);
        u32 a = (u32)r >> (r >> 58 & 31 & n), b = (u32)(r >> 32) >> (n & 31);
        check_quotients(a, b);
        check_quotients(b ? a / b * b - 1 : a, b);
        check_quotients(b ? a / b * b : a, b);
    }
    const u64 least = (u64)1 << 63;
    SAME(div_s64((s64)least, -1), least, "a / b", least, -1);
    SAME(rem_s64((s64)least, -1), 0, "a % b", least, -1);
    SAME(div_s64(-7, 0), ~(u64)0, "a / b", -7, 0);
    SAME(rem_s64(-7, 0), (u64)-7, "a % b", -7, 0);
    SAME(div_s64(-7, 2), (u64)-3, "a / b", -7, 2);
    SAME(rem_s64(-7, 2), (u64)-1, "a % b", -7, 2);
    SAME(div_u64(7, 0), ~(u64)0, "a / b", 7, 0);
    SAME(rem_u64(7, 0), 7, "a % b", 7, 0);
}

static void check_counts(u32 a) {
    u32 ones = 0, leading = 32, lowest = 0, reversed = 0;
    for (u32 i = 0; i < 32; i++)
        if (a >> i & 1) {
            ones++;
            leading = 31 - i;
            lowest = lowest ? lowest : i + 1;
            reversed |= 1u << (31 - i);
        }
    SAME(popcount32(a), ones, "ones", a, 0);
    SAME(clz32(a), leading, "leading zeros", a, 0);
    SAME(ffs32(a), lowest, "lowest one", a, 0);
    SAME(brev32(a), reversed, "reversal", a, 0);
    SAME(popcount64((u64)a << 32 | 5), ones + 2, "ones", a, 5);
    SAME(clz64((u64)a << 32 | 5), a ? leading : 61, "leading zeros", a, 5);
    SAME(clz64(a), 32 + leading, "leading zeros", 0, a);
    SAME(ffs64((u64)a << 32), lowest ? lowest + 32 : 0, "lowest one", a, 0);
    SAME(ffs64((u64)5 << 32 | a), lowest ? lowest : 33, "lowest one", 5, a);
    SAME(brev64((u64)a << 32 | 1), (u64)1 << 63 | reversed, "reversal", a, 1);
}

Test(numerics, bits_are_counted_through_fp32) {
    u64 seed = 7;
    for (u32 n = 0; n < 200000; n++)
        check_counts((u32)next_random(&seed) >> (n & 31));
    for (u32 i = 0; i < 32; i++)
        for (u32 k = 0; k < 32; k++)
            for (u32 d = 0; d < 3; d++)
                check_counts((~0u >> i ^ ~0u >> k) + d - 1);
}

static u32 bit(u32 v, u32 i) {
    return i < 32 ? v >> i & 1 : 0;
}

static void check_field(u32 a, u32 b, u32 pos, u32 len) {
    u32 extracted = 0, inserted = b;
    for (u32 i = 0; i < len && pos + i < 32; i++) {
        extracted |= bit(a, pos + i) << (i & 31);
        inserted = (inserted & ~(1u << (pos + i))) | bit(a, i) << (pos + i);
    }
    u32 top = pos + len - 1 < 31 ? pos + len - 1 : 31;
    u32 sign = len && bit(a, top) ? ~0u : 0, width = len && pos < 32 ? top - pos + 1 : 0;
    SAME(bfe_u32(a, pos, len), extracted, "field", a, pos << 8 | len);
    SAME(bfe_s32(a, pos, len), extracted | (width < 32 ? sign << width : 0), "signed field", a, pos << 8 | len);
    SAME(bfi_b32(a, b, pos, len), inserted, "insertion", a, pos << 8 | len);
}

Test(numerics, fields_reach_past_the_end) {
    for (u32 pos = 0; pos < 256; pos++)
        for (u32 len = 0; len < 256; len++) {
            check_field(0x92345678, 0xabcdef01, pos, len);
            check_field(0x6dcba987, 0x12345678, pos, len);
        }
}

Test(numerics, logic_follows_its_table) {
    u64 seed = 8;
    for (u32 table = 0; table < 256; table++) {
        const u32 a = (u32)next_random(&seed), b = (u32)next_random(&seed), c = (u32)next_random(&seed);
        u32 want = 0;
        for (u32 i = 0; i < 32; i++)
            want |= (table >> (bit(a, i) * 4 + bit(b, i) * 2 + bit(c, i)) & 1) << i;
        SAME(lop3_b32(a, b, c, table), want, "table", table, a);
    }
    for (u32 c = 0; c < 0x10000; c++) {
        const u8 bytes[8] = {0x01, 0x82, 0x7f, 0xff, 0x55, 0xaa, 0x00, 0x80};
        u32 want = 0;
        for (u32 i = 0; i < 4; i++) {
            u32 n = c >> 4 * i & 15, byte = bytes[n & 7];
            want |= (n & 8 ? (byte & 0x80 ? 0xffu : 0) : byte) << 8 * i;
        }
        SAME(prmt_b32(0xff7f8201, 0x8000aa55, c | 0xdead0000), want, "selector", c, 0);
    }
    for (u32 s = 0; s <= 32; s++) {
        const u64 pair = 0x89abcdef01234567;
        SAME(funnel_l((u32)pair, (u32)(pair >> 32), s), (u32)(s < 32 ? pair << s >> 32 : pair), "left by", s, 0);
        SAME(funnel_r((u32)pair, (u32)(pair >> 32), s), (u32)(pair >> s), "right by", s, 0);
    }
    SAME(sel_pk16(0x80007fff, 0x11112222, 0x33334444), 0x11114444, "halves", 0x80007fff, 0);
    SAME(sel_pk16(0x7fff8000, 0x11112222, 0x33334444), 0x33332222, "halves", 0x7fff8000, 0);
}
