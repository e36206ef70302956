/* How much is enough: which point of a curve is its knee, and how far it stays as near? */
#include <criterion/criterion.h>

#include "sim/base/knee.h"

static void gives(const double *result, u32 n, double within, bool most, struct knee want) {
    struct knee got;
    cr_assert(knee_find(result, n, within, most, &got));
    cr_assert(got.first == want.first && got.last == want.last && got.best == want.best,
              "knee %u up to %u, best %u; expected %u, %u, %u", got.first, got.last, got.best, want.first, want.last,
              want.best);
}

Test(knee, falling_curves) {
    gives((double[]){8, 4, 2.1, 2.05, 2}, 5, 0.05, false, (struct knee){2, 4, 4});
    gives((double[]){8, 4, 2, 1}, 4, 0.05, false, (struct knee){3, 3, 3});
    gives((double[]){8, 4, 2, 1}, 4, 0, false, (struct knee){3, 3, 3});
    gives((double[]){8, 4, 2, 1}, 4, 7, false, (struct knee){0, 3, 3});
    gives((double[]){3}, 1, 0.05, false, (struct knee){0, 0, 0});
}

Test(knee, curves_that_leave_their_best_again) {
    gives((double[]){8, 2, 2.05, 4, 2}, 5, 0.05, false, (struct knee){1, 2, 1});
    gives((double[]){1, 2, 3}, 3, 0.05, false, (struct knee){0, 0, 0});
}

Test(knee, the_most) {
    gives((double[]){1, 9.6, 10, 9}, 4, 0.05, true, (struct knee){1, 2, 2});
    gives((double[]){-10, -1, -1.04, -2}, 4, 0.05, true, (struct knee){1, 2, 1});
    gives((double[]){-1, -9.6, -10}, 3, 0.05, false, (struct knee){1, 2, 2});
}

Test(knee, nothing) {
    struct knee k;
    cr_assert(!knee_find(NULL, 0, 0.05, false, &k));
}
