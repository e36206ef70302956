/* What is known of each point while tasks run elsewhere, and how their lines become rows of the store. */
#ifndef HEDDLE_CLI_SWEEP_COLLECT_H
#define HEDDLE_CLI_SWEEP_COLLECT_H

#include "sim/cli/sweep/run/tally.h"

enum collect_state {
    COLLECT_NEW,     /* not claimed yet */
    COLLECT_MISSING, /* ours, in no task */
    COLLECT_FLYING,  /* ours, in a task */
    COLLECT_OTHERS,  /* somebody else's */
    COLLECT_OVER,
    COLLECT_STATES
};

struct collect {
    const struct sweep *s;
    const struct sweep_work *w;
    struct tally tally;
    struct arena arena;
    u32 *order; /* points in the order of their keys */
    u8 *state;  /* enum collect_state */
    u8 *tries;  /* how often a task was lost with it */
    u8 *begun;  /* a lost task had begun it */
    u32 count[COLLECT_STATES];
};

/* All points are new. False after a message. */
bool collect_open(struct collect *c, const struct sweep *s, const struct sweep_work *w);

/* Gives up what is ours and not over, and says what became of all. An exit status. */
int collect_close(struct collect *c);

/* The point with a key, UINT32_MAX when it is none of this sweep. */
u32 collect_find(const struct collect *c, const char *key);

void collect_set(struct collect *c, u32 point, enum collect_state state);

/* Claims the points of a state. */
bool collect_claim(struct collect *c, enum collect_state of);

/* Adds the rows that a task has written, all or none; `begun` becomes true of points that have only begun. */
bool collect_lines(struct collect *c, const struct buf *text);

/* A point that is ours and has its row, or failed for a reason. */
bool collect_row(struct collect *c, u32 point, enum store_state state, const json_t *row);
bool collect_failure(struct collect *c, u32 point, const char *why);

#endif
