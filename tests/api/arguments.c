/* Does a scalar argument become exactly the bits that were meant, and an extent the number? */
#include "sim/api/scalar.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static void text_is(enum etype type, const char *text, u64 want) {
    u64 bits = ~want;
    struct reason why = {""};
    cr_assert(scalar_from_text(type, text, &bits, &why), "%s '%s': %s", etypes[type].name, text, why.text);
    cr_assert(bits == want, "%s '%s': %llx, not %llx", etypes[type].name, text, (unsigned long long)bits,
              (unsigned long long)want);
}

static void text_fails(enum etype type, const char *text, const char *message) {
    u64 bits;
    struct reason why = {""};
    cr_assert(!scalar_from_text(type, text, &bits, &why), "%s '%s' was taken", etypes[type].name, text);
    cr_assert(strcmp(why.text, message) == 0, "expected: %s\ngot:      %s", message, why.text);
}

static void number_is(enum etype type, double number, u64 want) {
    u64 bits = ~want;
    struct reason why = {""};
    cr_assert(scalar_from_double(type, number, &bits, &why), "%s %g: %s", etypes[type].name, number, why.text);
    cr_assert(bits == want, "%s %g: %llx, not %llx", etypes[type].name, number, (unsigned long long)bits,
              (unsigned long long)want);
}

static void number_fails(enum etype type, double number, const char *message) {
    u64 bits;
    struct reason why = {""};
    cr_assert(!scalar_from_double(type, number, &bits, &why), "%s %g was taken", etypes[type].name, number);
    cr_assert(strcmp(why.text, message) == 0, "expected: %s\ngot:      %s", message, why.text);
}

Test(arguments, whole_numbers_as_text) {
    text_is(ET_I8, "-128", 0x80);
    text_is(ET_I8, "+127", 0x7f);
    text_is(ET_I8, "0xff", 0xff); /* a pattern */
    text_is(ET_U8, "255", 255);
    text_is(ET_B8, "-1", 0xff);
    text_is(ET_B8, "0b11", 3);
    text_is(ET_U32, "1e6", 1000000);
    text_is(ET_U32, "16384.0", 16384);
    text_is(ET_I64, "-9223372036854775808", (u64)1 << 63);
    text_is(ET_U64, "18446744073709551615", ~(u64)0);
    text_is(ET_U64, "9007199254740993", 9007199254740993u); /* which is no double */
    text_is(ET_U64, "0xFFFFffffFFFFffff", ~(u64)0);
    text_is(ET_BOOL, "true", 1);
    text_is(ET_BOOL, "0", 0);
    text_fails(ET_I8, "128", "128 is out of the range of i8, -128 to 127");
    text_fails(ET_I8, "-129", "-129 is out of the range of i8, -128 to 127");
    text_fails(ET_I8, "0x100", "0x100 is out of the range of i8, -128 to 127");
    text_fails(ET_U8, "-1", "-1 is out of the range of u8, 0 to 255");
    text_fails(ET_B8, "256", "256 is out of the range of b8, -128 to 255");
    text_fails(ET_U64, "18446744073709551616",
               "18446744073709551616 is out of the range of u64, 0 to 18446744073709551615");
    text_fails(ET_I64, "9223372036854775808",
               "9223372036854775808 is out of the range of i64, -9223372036854775808 to 9223372036854775807");
    text_fails(ET_I32, "2.5", "i32 takes a whole number, not '2.5'");
    text_fails(ET_I32, "", "i32 takes a whole number, not ''");
    text_fails(ET_I32, "-", "i32 takes a whole number, not '-'");
    text_fails(ET_I32, "0x", "i32 takes a whole number, not '0x'");
    text_fails(ET_I32, "12 ", "i32 takes a whole number, not '12 '");
    text_fails(ET_I32, "inf", "i32 takes a whole number, not 'inf'");
    text_fails(ET_BOOL, "2", "bool takes 0, 1, true or false, not '2'");
}

Test(arguments, floats_as_text) {
    text_is(ET_F32, "2.5", 0x40200000);
    text_is(ET_F32, "-0", 0x80000000);
    text_is(ET_F32, "1e-45", 1);
    text_is(ET_F32, "16777217", 0x4b800000);         /* a tie, to even */
    text_is(ET_F32, "16777217.0000001", 0x4b800001); /* not one, and a double would not know */
    text_is(ET_F32, "-inf", 0xff800000);
    text_is(ET_F32, "nan", 0x7fffffff);
    text_is(ET_F32, "0x3f800000", 0x3f800000); /* bits, as in the assembly language */
    text_is(ET_F64, "0.1", 0x3fb999999999999a);
    text_is(ET_F16, "65504", 0x7bff);
    text_is(ET_BF16, "1", 0x3f80);
    text_is(ET_C64, "1,-2", 0xc00000003f800000);
    text_is(ET_C64, "1", 0x3f800000);
    text_fails(ET_F32, "1e39", "1e39 is too large for f32, whose largest number is 3.4028235e38");
    text_fails(ET_F16, "65520", "65520 is too large for f16, whose largest number is 65504");
    text_fails(ET_F32, "1,5", "f32 takes a number such as 2.5, -1e-3, inf or nan, or its bits as 0x..., not '1,5'");
    text_fails(ET_F32, "0x100000000", "'0x100000000' has more than the 32 bits of f32");
    text_fails(ET_F32, "0xg", "f32 takes a number or, as 0x..., its bits, not '0xg'");
    text_fails(ET_C64, "1,2,3", "c64 takes a number such as 2.5, -1e-3, inf or nan, or its bits as 0x..., not '2,3'");
}

Test(arguments, numbers) {
    number_is(ET_I32, -5, 0xfffffffb);
    number_is(ET_U64, 9007199254740992.0, (u64)1 << 53);
    number_is(ET_I64, -9223372036854775808.0, (u64)1 << 63);
    number_is(ET_BOOL, 1, 1);
    number_is(ET_F64, -0.0, (u64)1 << 63);
    number_is(ET_F32, 0.1, 0x3dcccccd);
    number_is(ET_F32, -INFINITY, 0xff800000);
    number_is(ET_F32, 1e-60, 0);
    number_is(ET_F32, 3.4028235677973366e38 * 0.9999999999, 0x7f7fffff);
    number_is(ET_F16, 5.960464477539063e-8, 1); /* the least */
    number_is(ET_F16, 2.9e-8, 0);
    number_is(ET_F16, 1 + 1.0 / 2048, 0x3c00); /* ties, to even */
    number_is(ET_F16, 1 + 3.0 / 2048, 0x3c02);
    number_is(ET_F16, 65519.99, 0x7bff);
    number_is(ET_BF16, -1.0078125, 0xbf81);
    number_fails(ET_U32, 2.5, "u32 takes a whole number, not 2.5");
    number_fails(ET_U32, NAN, "u32 takes a whole number, not nan");
    number_fails(ET_U32, 4294967296.0, "4294967296 is out of the range of u32, 0 to 4294967295");
    number_fails(ET_U64, 1e300, "1.0000000000000001e+300 is out of the range of u64, 0 to 18446744073709551615");
    number_fails(ET_F16, 65520, "65520 is too large for f16, whose largest number is 65504");
    number_fails(ET_BOOL, 2, "bool takes 0 or 1, not 2");
}

/* Text and double agree on every number that both can express. */
Test(arguments, text_and_numbers_agree) {
    static const enum etype types[] = {ET_F16, ET_BF16, ET_F32, ET_F64};
    u64 state = 1;
    for (u32 i = 0; i < 20000; i++) {
        char text[512];
        double v;
        state = state * 6364136223846793005u + 1442695040888963407u;
        float f = (float)ldexp((double)(state >> 40) / 16777216.0 - 0.5, (int)(state >> 8 & 63) - 40);
        v = i % 2 ? (double)f : (double)(s64)state * 1e-18;
        snprintf(text, sizeof text, "%.300g", v); /* all digits: a tie stays one */
        for (u32 t = 0; t < COUNT_OF(types); t++) {
            struct reason why;
            u64 a, b;
            bool ok = scalar_from_text(types[t], text, &a, &why);
            cr_assert(ok == scalar_from_double(types[t], v, &b, &why), "%s as %s", text, etypes[types[t]].name);
            cr_assert(!ok || a == b, "%s as %s: %llx and %llx", text, etypes[types[t]].name, (unsigned long long)a,
                      (unsigned long long)b);
        }
    }
}

/* ---- extents ---- */

static struct param params[] = {{.name = "n", .etype = ET_U32, .offset = 0},
                                {.name = "m", .etype = ET_I16, .offset = 4},
                                {.name = "big", .etype = ET_U64, .offset = 8},
                                {.name = "x", .etype = ET_F32, .buffer = true, .offset = 16}};
static const struct kernel kernel = {.name = "k", .nparams = COUNT_OF(params), .param = params};

struct extents {
    u32 n;
    s16 m;
    u64 big;
};

static bool extent(const char *text, struct extents with, u64 *value, struct reason *why) {
    u8 space[24] = {0};
    memcpy(space, &with.n, 4);
    memcpy(space + 4, &with.m, 2);
    memcpy(space + 8, &with.big, 8);
    return extent_value(&kernel, text, space, value, why);
}

Test(arguments, extents) {
    struct reason why = {""};
    u64 v;
    cr_assert(extent("", (struct extents){1, 2, 3}, &v, &why) && v == 0);
    cr_assert(extent("n", (struct extents){7, 2, 3}, &v, &why) && v == 7);
    cr_assert(extent("2*n+1", (struct extents){7, 2, 3}, &v, &why) && v == 15);
    cr_assert(extent("n*m+n*big+4", (struct extents){7, 2, 3}, &v, &why) && v == 39);
    cr_assert(extent("n*n*n", (struct extents){1000000, 2, 3}, &v, &why) && v == 1000000000000000000u);
    cr_assert(!extent("m", (struct extents){1, -1, 3}, &v, &why) && strcmp(why.text, "'m' is negative") == 0);
    cr_assert(!extent("n*n*n", (struct extents){4000000000u, 2, 3}, &v, &why) &&
              strcmp(why.text, "it is more than any memory holds") == 0);
    cr_assert(!extent("big", (struct extents){1, 2, ~(u64)0}, &v, &why) &&
              !extent("big+big", (struct extents){1, 2, ~(u64)0}, &v, &why));
    cr_assert(extent("big*0", (struct extents){1, 2, ~(u64)0}, &v, &why) && v == 0);
    cr_assert(!extent("q", (struct extents){1, 2, 3}, &v, &why) && !extent("n+", (struct extents){1, 2, 3}, &v, &why) &&
              !extent("x", (struct extents){1, 2, 3}, &v, &why));
}
