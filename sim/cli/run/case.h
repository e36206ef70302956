/*
 * The case of a kernel file that `heddle run` uses if its command line gives no data, or that --case names: the line
 * `;! run` and those after it (docs/running.md). Options replace parts of it; its expectations are checked if none did.
 */
#ifndef HEDDLE_CLI_RUN_CASE_H
#define HEDDLE_CLI_RUN_CASE_H

#include "sim/cli/json.h"
#include "sim/cli/run/options.h"
#include "sim/lua/session.h"

struct run_case {
    struct heddle_session *session; /* NULL = no case was searched */
    struct heddle_case found;       /* entry NULL = none */
    struct heddle_launch launch;    /* the launch that it describes */
    const char *board;              /* board that the context has, as it ships; NULL = not loaded yet */
    bool own_board;                 /* the launch is on the case's board */
    bool checked;
    bool faulted;                       /* ended with the expected fault */
    struct heddle_case_verdict verdict; /* if checked */
};

/*
 * Finds the case for the options; `file` is the kernel's. Its board becomes the options' unless they name one. False
 * after a message.
 */
bool run_case_find(struct run_case *c, struct run_options *o, struct heddle *h, const struct heddle_file *file);

/* Makes and fills the buffers of the case, if any, once the board is known. False after a message. */
bool run_case_fill(struct run_case *c, const struct run_options *o, struct heddle *h, const struct heddle_program *p);

/* Completes a launch with values of the case that the options leave out, except its arguments. */
void run_case_complete(const struct run_case *c, struct heddle_launch *l);

/* Checks the case, if any, unless options changed it. Expectations not met are shown on stderr. */
bool run_case_check(struct run_case *c, const struct run_options *o, const struct heddle_result *result);

/* True if the case was checked and failed. */
bool run_case_failed(const struct run_case *c);

/* Appends the lines at the end of the report: the case, after `who`, "ran", and the verdict on its expectations. */
void run_case_line(const struct run_case *c, const struct run_options *o, const char *who, struct buf *out);
void run_case_verdict(const struct run_case *c, struct buf *out);
json_t *run_case_json(const struct run_case *c);

void run_case_free(struct run_case *c);

#endif
