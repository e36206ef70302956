/* State of each point while tasks run elsewhere, and the rows made of their lines. */
#ifndef HEDDLE_CLI_SWEEP_SLURM_COLLECT_H
#define HEDDLE_CLI_SWEEP_SLURM_COLLECT_H

#include "sim/cli/sweep/run/run.h"

enum collect_state {
    COLLECT_NEW,     /* not claimed yet */
    COLLECT_MISSING, /* ours, in no task */
    COLLECT_FLYING,  /* ours, in a task */
    COLLECT_OTHERS,  /* claimed by another sweep */
    COLLECT_OVER,
    COLLECT_STATES
};

struct collect {
    const struct sweep *s;
    const struct sweep_work *w;
    struct tally tally;
    struct arena arena;
    u32 *order; /* points in the order of their keys */
    u8 *state;  /* list of enum collect_state */
    u8 *tries;  /* number of lost tasks that had the point */
    u8 *begun;  /* a lost task had begun it */
    u32 count[COLLECT_STATES];
};

/* Opens with all points new. False after a message. */
bool collect_open(struct collect *c, const struct sweep *s, const struct sweep_work *w);

/* Drops our claims without a result, and prints the summary. Returns an exit status. */
int collect_close(struct collect *c);

/* Finds the point of a key, UINT32_MAX if this sweep has none. */
u32 collect_find(const struct collect *c, const char *key);

void collect_set(struct collect *c, u32 point, enum collect_state state);

/* Claims the points of a state. */
bool collect_claim(struct collect *c, enum collect_state of);

/* Adds the rows that a task has written, all or none; c->begun becomes true for points that have only begun. */
bool collect_lines(struct collect *c, const struct buf *text);

/* Stores the row of our point, or its failure with a reason. */
bool collect_row(struct collect *c, u32 point, enum store_state state, const json_t *row);
bool collect_failure(struct collect *c, u32 point, const char *why);

#endif
