/* State of the points of a sweep while they run: counts, the line of progress, failures. */
#ifndef HEDDLE_CLI_SWEEP_RUN_TALLY_H
#define HEDDLE_CLI_SWEEP_RUN_TALLY_H

#include "sim/cli/progress.h"
#include "sim/cli/sweep/sweep.h"

struct tally {
    const struct sweep *s;
    const struct sweep_work *w;
    u32 present, done, failed; /* points present before; run; without a result, of all */
    double beat;               /* time of the last store_beat */
    struct progress progress;
    struct buf why; /* errors of the store */
    bool broken;    /* the store cannot be written, or no process could be started */
};

void tally_begin(struct tally *t, const struct sweep *s, const struct sweep_work *w);

/* Prints the result of the sweep; returns an exit status. */
int tally_end(struct tally *t);

bool tally_broken(struct tally *t); /* reports it; false */

/* Counts a point that has its result now; `message`: of a failed one. */
void tally_point(struct tally *t, u32 point, bool present, enum store_state state, const char *message);

/* Writes the line of progress: true if the caller may add its end. */
bool tally_show(struct tally *t);

/* Records that this sweep is alive. */
void tally_beat(struct tally *t);

#endif
