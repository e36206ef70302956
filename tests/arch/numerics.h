/* Checks that the tests of a lane's arithmetic share. */
#ifndef HEDDLE_TESTS_NUMERICS_H
#define HEDDLE_TESTS_NUMERICS_H

#include "sim/arch/lane.h"
#include "tests/isa/isa_num.h"

#include <criterion/criterion.h>

static inline u64 next_random(u64 *state) {
    u64 z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

/* The message is made only when it is needed: these checks run by the million. */
#define SAME(got, want, what, x, y) \
    do { \
        const u64 got_ = (got), want_ = (want); \
        if (got_ != want_) \
            cr_assert_fail("%s of %llx, %llx: %llx, not %llx", what, (unsigned long long)(x), (unsigned long long)(y), \
                           (unsigned long long)got_, (unsigned long long)want_); \
    } while (0)

#endif
