/* What is known of the points of a sweep while they are run: counts, the line of progress, what has failed. */
#ifndef HEDDLE_CLI_SWEEP_TALLY_H
#define HEDDLE_CLI_SWEEP_TALLY_H

#include "sim/cli/progress.h"
#include "sim/cli/sweep/sweep.h"

struct tally {
    const struct sweep *s;
    const struct sweep_work *w;
    u32 present, done, failed; /* points that were there; that were run; of all, those without a result */
    double beat;               /* when the store last heard of this sweep */
    struct progress progress;
    struct buf why; /* of the store */
    bool broken;    /* the store cannot be written, or no process started */
};

void tally_begin(struct tally *t, const struct sweep *s, const struct sweep_work *w);

/* Prints what became of the sweep. An exit status. */
int tally_end(struct tally *t);

bool tally_broken(struct tally *t); /* false */

/* A point that has its result by now; `message` of one that failed. */
void tally_point(struct tally *t, u32 point, bool present, enum store_state state, const char *message);

/* Writes the line of progress: true when its end can be added. */
bool tally_show(struct tally *t);

/* Keeps others from taking this sweep for dead. */
void tally_beat(struct tally *t);

#endif
