/* Are two results that differ described by what differs in them, in full where that is short, and cut alike? */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "sim/base/buf.h"
#include "tests/prove/prove_kernel.h"
#include "tests/prove/prove_lines.h"

/* The text of a proof without line ends and the spaces that follow them. */
static void flatten(char *text) {
    char *to = text;
    for (const char *from = text; *from; from++)
        if (*from != '\n' || from[1] != ' ')
            *to++ = *from;
        else
            for (*to++ = ' '; from[1] == ' ';)
                from++;
    *to = 0;
}

/* Expects that the proof of these lines describes A's and B's result in these words. */
static void expect_text(const char *a, const char *b, const char *in_a, const char *in_b) {
    SCOPED(buf_free) struct buf one = {0}, other = {0};
    char text[4096];
    buf_printf(&one, "%s%s%s", HEAD, a, TAIL);
    buf_printf(&other, "%s%s%s", HEAD, b, TAIL);
    struct pair r = prove(one.data, other.data);
    cr_expect_neq(r.proof.verdict, HEDDLE_EQUAL, "%s", b);
    snprintf(text, sizeof text, "%s", r.proof.text);
    flatten(text);
    cr_expect(strstr(text, in_a) && strstr(text, in_b), "%s\n%s\n%s", text, in_a, in_b);
    pair_done(&r);
}

Test(prove_text, choices_have_both_values) {
#define LESS " setp.lt.u32 p, v, w\n"
    static const char *const row[][4] = {
        {LESS " sel.b32 v, v, 5, p\n", LESS " sel.b32 v, v, 6, p\n", "A k: setp.lt.u32(x[0], x[64]) ? x[0] : 5,",
         "B k: setp.lt.u32(x[0], x[64]) ? x[0] : 6,"},
        {LESS " not.b32 t, v\n sel.b32 v, t, 5, p\n", LESS " not.b32 t, v\n sel.b32 v, t, 6, p\n", "? ~x[0] : 5,",
         "? ~x[0] : 6,"},
        {LESS " sel.b32 v, v, 5, p\n not.b32 v, v\n", LESS " sel.b32 v, v, 6, p\n not.b32 v, v\n",
         "? ~x[0] : 0xfffffffa,", "? ~x[0] : 0xfffffff9,"},
        {LESS " sel.b32 v, w, v, p\n and.b32 v, v, 0xff00\n", LESS " sel.b32 v, v, w, p\n and.b32 v, v, 0xff00\n",
         "{0..7: 0; 8..15:", "; 16..31: 0}"},
        {" and.b32 v, v, 3\n", " and.b32 v, w, 3\n", "A k: {0..1: bits 0..1 of x[0]; 2..31: 0},",
         "B k: {0..1: bits 0..1 of x[64]; 2..31: 0},"},
        {" xor.b32 v, v, w\n and.b32 v, v, 3\n", " or.b32 v, v, w\n and.b32 v, v, 3\n", "A k: {0", "B k: {0"},
    };
    for (u32 i = 0; i < COUNT_OF(row); i++)
        expect_text(row[i][0], row[i][1], row[i][2], row[i][3]);
}

/* A chain over 41 elements, and an operation of it and a number: 32 bits wide, or 64. */
static void chain(struct buf *out, const char *op, const char *then, const char *last, bool wide) {
    buf_puts(out, wide ? " pack.b64 pair, v, w\n ld.param.b64 px, [x]\n" : "");
    for (u32 i = 0; i < 41; i++)
        buf_printf(out,
                   wide ? " ld.global.b64 wide, [px+%u]\n %s pair, pair, wide\n"
                        : " ld.global.b32 t, [px+%u]\n %s v, v, t\n",
                   8 * i % 256, op);
    buf_printf(out, wide ? " movi.b64 wide, %s\n %s pair, pair, wide\n" : " mov.b32 t, %s\n %s v, v, t\n", last, then);
    buf_puts(out, wide ? " cvt.u32.u64 v, pair\n" : "");
}

Test(prove_text, of_operands_without_order_those_that_differ_are_named) {
    static const struct {
        const char *op, *then;
        bool wide;
        const char *a, *b, *in_a, *in_b;
    } row[] = {
        {"max.u32", "max.u32", false, "7", "9", "max.u32(..., 7)", "max.u32(..., 9)"},
        {"min.s32", "min.s32", false, "7", "9", "min.s32(..., 7)", "min.s32(..., 9)"},
        {"max.u64", "max.u64", true, "7", "9", "max.u64(..., 7)", "max.u64(..., 9)"},
        {"max.u64", "max.u64", true, "0x700000000", "0x900000000", "max.u64(..., 0x700000000)",
         "max.u64(..., 0x900000000)"},
        {"min.s64", "min.s64", true, "0x500000003", "0x500000004", "min.s64(..., 0x500000003)",
         "min.s64(..., 0x500000004)"},
        {"max.u32", "div.u32", false, "7", "9", "div.u32(..., 7)", "div.u32(..., 9)"},
        {"max.u64", "div.u64", true, "7", "9", "div.u64(..., 7)", "div.u64(..., 9)"},
        {"max.u64", "div.u64", true, "0x700000000", "0x900000000", "div.u64(..., 0x700000000)",
         "div.u64(..., 0x900000000)"},
    };
    for (u32 i = 0; i < COUNT_OF(row); i++) {
        SCOPED(buf_free) struct buf one = {0}, other = {0};
        chain(&one, row[i].op, row[i].then, row[i].a, row[i].wide);
        chain(&other, row[i].op, row[i].then, row[i].b, row[i].wide);
        expect_text(one.data, other.data, row[i].in_a, row[i].in_b);
    }
}

/* A text is cut after as many operands whatever the number of an element: 9 or 100, one digit or three. */
Test(prove_text, texts_are_cut_alike) {
    for (u32 n = 15; n < 28; n++) {
        u32 parts[2] = {0, 0};
        for (u32 far = 0; far < 2; far++) {
            SCOPED(buf_free) struct buf one = {0}, other = {0};
            char text[4096];
            buf_printf(&one, "%s ld.global.b32 v, [px]\n", HEAD);
            buf_printf(&other, "%s mov.b32 v, 0\n", HEAD);
            for (u32 i = 0; i < n; i++)
                buf_printf(&one, " ld.global.b32 t, [px+%u]\n max.u32 v, v, t\n", 4 * ((far ? 100 : 10) + i));
            buf_puts(&one, TAIL);
            buf_puts(&other, TAIL);
            struct pair r = pair_load(one.data, other.data);
            r.asked.kernel[0].block[0] = r.asked.kernel[1].block[0] = 1;
            r.asked.kernel[0].block[1] = r.asked.kernel[1].block[1] = 1;
            r.asked.kernel[0].block[2] = r.asked.kernel[1].block[2] = 1;
            r.asked.warp = 8;
            pair_go(&r);
            cr_assert_eq(r.status, HEDDLE_OK, "%s", heddle_error(r.h));
            snprintf(text, sizeof text, "%s", r.proof.text);
            for (const char *at = text; (at = strstr(at, "x[")); at++)
                parts[far]++;
            pair_done(&r);
        }
        cr_expect_eq(parts[0], parts[1], "%u operands: %u and %u are described", n, parts[0], parts[1]);
    }
}
