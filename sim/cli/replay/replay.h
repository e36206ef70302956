/*
 * A recording that is looked into: its launch is made again, which a launch allows because it is deterministic, with
 * the cycles recorded that the question is about.
 */
#ifndef HEDDLE_CLI_REPLAY_H
#define HEDDLE_CLI_REPLAY_H

#include "sim/cli/json.h"
#include "sim/cli/run/record.h"
#include "sim/cli/run/run.h"
#include "sim/debug/warps.h"

struct replay {
    struct arena arena;
    const char *file; /* the recording */
    const char *json; /* NULL = text */
    bool events;      /* are listed */
    bool one;         /* a warp is asked for: */
    u64 block;
    u32 warp;
    bool state; /* is asked for: */
    u64 at;     /* cycle */
    bool spanned;
    struct heddle_watch span;
    struct run_record record; /* files that are to be written */
    struct run run;           /* the launch */
    char **argv;              /* its command line */
    json_t *head;             /* first line of the recording */
};

/* Reads the recording, and all that its launch reads. An exit status, which messages explain; so below. */
int replay_open(struct replay *r);

/* Makes the launch again. */
int replay_launch(struct replay *r);

/* What is asked, as text or lines of JSON; an exit status. */
int replay_answer(const struct replay *r, struct buf *out);

void replay_free(struct replay *r);

/* ---- state.c ---- */

/* The state of a warp at the beginning of a cycle. False when the warp is not there then. */
bool replay_state(struct heddle *h, const struct warp_of *w, u64 cycle, struct heddle_state *state);

/* All that it is; the same as a line of JSON. */
void replay_put_state(const struct replay *r, const struct warp_of *w, const struct heddle_state *s, struct buf *out);
void replay_put_json(const struct replay *r, const struct warp_of *w, const struct heddle_state *s, struct buf *out);

#endif
