/* Which values has an axis of a sweep, and what is wrong with one that has none? */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "sim/sweep/axis.h"

/* The values, separated by blanks; or "AT+LEN: MESSAGE". */
static const char *values_of(const char *text, char *out, size_t size) {
    SCOPED(arena_free) struct arena arena = {0};
    struct axis axis;
    struct axis_mistake wrong;
    out[0] = 0;
    if (axis_read(text, false, &arena, &axis, &wrong)) {
        for (u32 i = 0; i < axis.n; i++)
            snprintf(out + strlen(out), size - strlen(out), "%s%s", i ? " " : "", axis.value[i]);
    } else {
        snprintf(out, size, "%zu+%zu: %s", wrong.at, wrong.len, wrong.text);
    }
    return out;
}

static void gives(const char *text, const char *want) {
    char got[2000];
    cr_assert_str_eq(values_of(text, got, sizeof got), want, "%s: '%s', not '%s'", text, got, want);
}

Test(axis, lists) {
    gives("a=8", "8");
    gives("a=8,16,32", "8 16 32");
    gives("board=v100,my.yaml,../b.yaml", "v100 my.yaml ../b.yaml");
    gives("in.x=f32[4,8]:iota,expr:(i,2)", "f32[4,8]:iota expr:(i,2)");
    gives("x=a=b", "a=b");
    gives("kernel=a..b,.5x..y", "a..b .5x..y");
}

Test(axis, ranges) {
    gives("a=1..4", "1 2 3 4");
    gives("a=7..7", "7");
    gives("a=100..1000/300", "100 400 700 1000");
    gives("a=1..10/4", "1 5 9");
    gives("a=-2..1", "-2 -1 0 1");
    gives("a=0..0.3/0.1", "0 0.1 0.2 0.3"); /* 0.1 + 0.1 + 0.1 is not 0.3 */
    gives("a=1..100/x10", "1 10 100");
    gives("a=3..50/x2", "3 6 12 24 48");
    gives("a=1..2/x1.5", "1 1.5");
    gives("a=8..32/x2,48,64", "8 16 32 48 64");
}

Test(axis, units) {
    gives("l2.bytes=4MiB..64MiB/x2", "4MiB 8MiB 16MiB 32MiB 64MiB");
    gives("l2.bytes=512KiB..2MiB/x2", "512KiB 1024KiB 2048KiB");
    gives("clock_mhz=0.8GHz..1.2GHz/0.2", "0.8GHz 1GHz 1.2GHz");
    gives("dram.gbs=500GB/s..2TB/s/x2", "500GB/s 1000GB/s 2000GB/s");
    gives("dram.gbs=500GB/s..1TB/s/250", "500GB/s 750GB/s 1000GB/s");
    gives("dram.gbs=1TB/s,500GB/s", "1TB/s 500GB/s");
    gives("dram.gbs=1GB/s..4GB/s", "1GB/s 2GB/s 3GB/s 4GB/s");
    gives("dram.gbs=1GB..4GB/s", "9+10: the ends of a range have the same unit, or the second a larger one");
    gives("a=1%..3%", "1% 2% 3%");
    gives("a=4MiB..64", "2+8: the ends of a range have the same unit, or the second a larger one");
    gives("a=4..64MiB", "2+8: the ends of a range have the same unit, or the second a larger one");
    gives("a=1MiB..2GHz", "2+10: the ends of a range have the same unit, or the second a larger one");
    gives("a=1MiB..2KiB", "2+10: the ends of a range have the same unit, or the second a larger one");
}

Test(axis, mistakes) {
    gives("", "0+1: expected NAME=VALUE,..., such as dram.channels=8,16,32");
    gives("a", "0+1: expected NAME=VALUE,..., such as dram.channels=8,16,32");
    gives("=8", "0+2: expected NAME=VALUE,..., such as dram.channels=8,16,32");
    gives("a=", "1+1: the axis has no values");
    gives("a=8,,16", "4+1: expected a value");
    gives("a=8,", "4+1: expected a value");
    gives("a=8,16,8", "7+1: '8' is there twice");
    gives("a=8,1..9", "4+4: '8' is there twice");
    gives("a=9..1", "2+4: the range ends before it begins");
    gives("a=1..", "5+1: expected the number that the range ends with");
    gives("a=1..x", "5+1: expected the number that the range ends with");
    gives("a=1..8/", "6+1: expected a step such as /2, or a factor such as /x2");
    gives("a=1..8/y", "6+2: expected a step such as /2, or a factor such as /x2");
    gives("a=1..8x2", "7+1: expected a step such as /2, or a factor such as /x2");
    gives("a=1..8/0", "7+1: the step must be more than 0");
    gives("a=1..8/-1", "7+2: the step must be more than 0");
    gives("a=1..8/x1", "8+1: the factor must be more than 1");
    gives("a=0..8/x2", "2+1: a range with a factor begins above 0");
    gives("a=1..1000000", "2+10: more than 100000 values");
}

/* For any text: an axis has values and none of them is empty, or the error is in the text. */
Test(axis, any_text) {
    static const char part[][8] = {"8",   "1", "..", ".", ",", "/", "x", "2",  "MiB",
                                   "KiB", "-", "[",  "]", "(", "a", "=", "0.5"};
    u32 seed = 1;
    for (u32 n = 0; n < 200000; n++) {
        char text[120] = "a=";
        SCOPED(arena_free) struct arena arena = {0};
        struct axis axis;
        struct axis_mistake wrong;
        for (u32 i = 0; i < 8 + n % 4; i++) {
            seed = seed * 1664525 + 1013904223;
            strcat(text, part[(seed >> 16) % COUNT_OF(part)]);
        }
        if (axis_read(text, false, &arena, &axis, &wrong)) {
            cr_assert(axis.n > 0, "%s", text);
            for (u32 i = 0; i < axis.n; i++)
                cr_assert(*axis.value[i], "%s", text);
        } else {
            cr_assert(*wrong.text && wrong.len > 0 && wrong.at <= strlen(text), "%s: %zu+%zu", text, wrong.at,
                      wrong.len);
        }
    }
}
