/* Replay of a recording: repeats its launch, which is deterministic, and records the cycles of the question. */
#ifndef HEDDLE_CLI_REPLAY_H
#define HEDDLE_CLI_REPLAY_H

#include <stddef.h>

#include "sim/cli/json.h"
#include "sim/cli/run/record.h"
#include "sim/cli/run/run.h"
#include "sim/debug/warps.h"

struct replay {
    struct arena arena;
    const char *file; /* the recording */
    const char *json; /* NULL = write text */
    bool events;      /* list events */
    bool one;         /* of one warp: */
    u64 block;
    u32 warp;
    bool state; /* a state is requested: */
    u64 at;     /* its cycle */
    bool spanned;
    struct heddle_watch span;
    struct run_record record; /* files to be written */
    struct run run;           /* the launch */
    char **argv;              /* its command line */
    json_t *head;             /* first line of the recording */
};

/* Reads the recording, and all inputs of its launch. Returns an exit status, after messages; so do those below. */
int replay_open(struct replay *r);

/* Repeats the launch. */
int replay_launch(struct replay *r);

/* Writes the answer as text or lines of JSON; returns an exit status. */
int replay_answer(const struct replay *r, struct buf *out);

void replay_free(struct replay *r);

/* ---- state.c ---- */

/* Gets the state of a warp at the beginning of a cycle. False if the warp is not there then. */
bool replay_state(struct heddle *h, const struct warp_of *w, u64 cycle, struct heddle_state *state);

/* Write the whole state; as text, and as a line of JSON. */
void replay_put_state(const struct replay *r, const struct warp_of *w, const struct heddle_state *s, struct buf *out);
void replay_put_json(const struct replay *r, const struct warp_of *w, const struct heddle_state *s, struct buf *out);

/* The first line of a recording: how to repeat its launch, and what it was. */

/*
 * Reads the line, and checks everything that a replay needs: this heddle, `command` a list of words, `of` hashes,
 * `from`, `to` and `cycles`. NULL after a message.
 */
json_t *replay_head(const char *file, const char *text, size_t len);

#endif
