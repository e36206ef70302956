/* Can the exact arithmetic that judges the instructions be trusted? Where the host has the operation, they agree. */
#include "tests/isa/isa_cases.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

static double f64_of(u64 bits) {
    double d;
    memcpy(&d, &bits, sizeof d);
    return d;
}

static float f32_of(u64 bits) {
    u32 low = (u32)bits;
    float f;
    memcpy(&f, &low, sizeof f);
    return f;
}

static u64 f64_bits(double d) {
    u64 bits;
    memcpy(&bits, &d, sizeof bits);
    return d != d ? fmt_canonical_nan(&FMT_F64) : bits;
}

static u64 f32_bits(float f) {
    u32 bits;
    memcpy(&bits, &f, sizeof bits);
    return f != f ? fmt_canonical_nan(&FMT_F32) : bits;
}

static void check_f64(const u64 v[3]) {
    const struct fmt *f = &FMT_F64;
    double a = f64_of(v[0]), b = f64_of(v[1]), c = f64_of(v[2]);
    struct num x = num_unpack(v[0], f), y = num_unpack(v[1], f), z = num_unpack(v[2], f);
    const u64 got[] = {num_pack(num_add(x, y), f, RN),
                       num_pack(num_mul(x, y), f, RN),
                       num_pack(num_div(x, y), f, RN),
                       num_pack(num_sqrt(x), f, RN),
                       num_pack(num_add(num_mul(x, y), z), f, RN),
                       num_pack(num_round(x, RN), f, RN),
                       num_pack(x, &FMT_F32, RN)};
    const u64 want[] = {f64_bits(a + b),        f64_bits(a * b),        f64_bits(a / b),   f64_bits(sqrt(a)),
                        f64_bits(fma(a, b, c)), f64_bits(nearbyint(a)), f32_bits((float)a)};
    for (size_t i = 0; i < COUNT_OF(got); i++)
        cr_assert(got[i] == want[i], "operation %zu of %016llx %016llx %016llx: %016llx, the host says %016llx", i,
                  (unsigned long long)v[0], (unsigned long long)v[1], (unsigned long long)v[2],
                  (unsigned long long)got[i], (unsigned long long)want[i]);
    cr_assert((num_compare(x, y) == -1) == (a < b) && (num_compare(x, y) == 0) == (a == b));
}

static void check_f32(const u64 v[3]) {
    const struct fmt *f = &FMT_F32;
    float a = f32_of(v[0]), b = f32_of(v[1]), c = f32_of(v[2]);
    struct num x = num_unpack(v[0], f), y = num_unpack(v[1], f), z = num_unpack(v[2], f);
    const u64 got[] = {num_pack(num_add(x, y), f, RN), num_pack(num_mul(x, y), f, RN), num_pack(num_div(x, y), f, RN),
                       num_pack(num_sqrt(x), f, RN), num_pack(num_add(num_mul(x, y), z), f, RN)};
    const u64 want[] = {f32_bits(a + b), f32_bits(a * b), f32_bits(a / b), f32_bits(sqrtf(a)), f32_bits(fmaf(a, b, c))};
    for (size_t i = 0; i < COUNT_OF(got); i++)
        cr_assert(got[i] == want[i], "operation %zu of %08llx %08llx %08llx: %08llx, the host says %08llx", i,
                  (unsigned long long)v[0], (unsigned long long)v[1], (unsigned long long)v[2],
                  (unsigned long long)got[i], (unsigned long long)want[i]);
}

Test(isa_num, agrees_with_the_host) {
    SCOPED(cases_free) struct cases c = cases_make("FFF", 7), d = cases_make("fff", 8);
    for (u32 i = 0; i < c.n; i++) {
        u64 v[3];
        for (u32 k = 0; k < 3; k++)
            v[k] = c.list[i].r[2 * k] | (u64)c.list[i].r[2 * k + 1] << 32;
        check_f64(v);
    }
    for (u32 i = 0; i < d.n; i++)
        check_f32((u64[3]){d.list[i].r[0], d.list[i].r[2], d.list[i].r[4]});
}

Test(isa_num, rounds_in_every_direction) {
    const struct {
        u64 from;
        enum rounding rnd;
        u64 to;
    } want[] = {
        {0x3ff0000010000000, RN, 0x3f800000},    {0x3ff0000010000000, RP, 0x3f800001},
        {0x3ff0000010000000, RM, 0x3f800000},    {0xbff0000010000000, RP, 0xbf800000},
        {0xbff0000010000000, RM, 0xbf800001},    {0x3ff0000030000000, RN, 0x3f800002},
        {0x3ff0000030000000, RZERO, 0x3f800001}, {0x47f0000000000000, RZERO, 0x7f7fffff},
        {0x47f0000000000000, RM, 0x7f7fffff},    {0x47f0000000000000, RP, 0x7f800000},
        {0xc7f0000000000000, RP, 0xff7fffff},    {0xc7f0000000000000, RN, 0xff800000},
        {0x0000000000000001, RP, 0x00000001},    {0x0000000000000001, RN, 0x00000000},
        {0x8000000000000001, RM, 0x80000001},
    };
    for (size_t i = 0; i < COUNT_OF(want); i++) {
        u64 got = num_pack(num_unpack(want[i].from, &FMT_F64), &FMT_F32, want[i].rnd);
        cr_expect(got == want[i].to, "%016llx, mode %d: %08llx, not %08llx", (unsigned long long)want[i].from,
                  (int)want[i].rnd, (unsigned long long)got, (unsigned long long)want[i].to);
    }
}
