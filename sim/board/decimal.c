#include "sim/board/decimal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Powers of ten up to 10^22 are exact, so that digits below 2^53 divided by one are rounded once. */
static const double tens[] = {1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};

static const u64 digits_most = 1000000000000000; /* 10^15 < 2^53 */

bool decimal_read(const char *text, double *value) {
    u64 digits = 0;
    u32 behind = 0;
    bool point = false;
    if (*text < '0' || *text > '9')
        return false;
    for (; *text; text++) {
        if (*text == '.' && !point && text[1]) {
            point = true;
            continue;
        }
        if (*text < '0' || *text > '9' || digits >= digits_most / 10 || behind == COUNT_OF(tens) - 1)
            return false;
        digits = digits * 10 + (u64)(*text - '0');
        behind += point;
    }
    *value = (double)digits / tens[behind];
    return true;
}

bool decimal_read_whole(const char *text, double *value) {
    return strchr(text, '.') == NULL && decimal_read(text, value) && *value <= 1e12;
}

struct decimal decimal_write(double value) {
    struct decimal t;
    u32 behind = 0;
    while (behind < COUNT_OF(tens) - 1 && value * tens[behind + 1] < 1e15 &&
           round(value * tens[behind]) / tens[behind] != value)
        behind++;
    u64 digits = (u64)round(value * tens[behind]), one = (u64)tens[behind];
    if (behind)
        snprintf(t.text, sizeof t.text, "%llu.%0*llu", (unsigned long long)(digits / one), (int)behind,
                 (unsigned long long)(digits % one));
    else
        snprintf(t.text, sizeof t.text, "%llu", (unsigned long long)digits);
    return t;
}
