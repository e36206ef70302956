/* Totals made by hand, small enough to work out on paper what follows from them. */
#ifndef HEDDLE_TESTS_TOTALS_FIXTURE_H
#define HEDDLE_TESTS_TOTALS_FIXTURE_H

#include "sim/stat/totals.h"

enum { LINES = 2, BUFFERS = 2 };

/* A consistent launch: 2 SMs of 1 sub-core for 100 cycles at 1 GHz, two warps of 32 lanes, one block each. */
struct made {
    struct board board;
    struct totals t;
    struct line_counters line[LINES];
    struct traffic traffic[BUFFERS];
};

void totals_fixture(struct made *m);

#endif
