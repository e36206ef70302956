/*
 * The case of a kernel file that `heddle run` runs when its command line gives no data, or that --case names: what a
 * line `;! run` and those behind it say (docs/running.md). Options replace parts of it; its expectations are compared
 * when none did.
 */
#ifndef HEDDLE_CLI_RUN_CASE_H
#define HEDDLE_CLI_RUN_CASE_H

#include "sim/cli/json.h"
#include "sim/cli/run/options.h"
#include "sim/lua/session.h"

struct run_case {
    struct heddle_session *session; /* NULL: no case was looked for */
    struct heddle_case found;       /* entry NULL = there is none */
    struct heddle_launch launch;    /* what it says of the launch */
    bool own_board;                 /* the launch is on the board that it names */
    bool checked;
    bool faulted;                       /* it ended in the fault that the case expects */
    struct heddle_case_verdict verdict; /* if it was checked */
};

/*
 * Looks for the case that the options mean; `file` is the one that is run. Its board becomes that of the options, when
 * they name none. False after a message.
 */
bool run_case_find(struct run_case *c, struct run_options *o, struct heddle *h, const struct heddle_file *file);

/* If there is one: makes and fills its buffers, when the board is known. False after a message. */
bool run_case_fill(struct run_case *c, const struct run_options *o, struct heddle *h, const struct heddle_program *p);

/* What the case says and the options do not. Its arguments are not among it. */
void run_case_complete(const struct run_case *c, struct heddle_launch *l);

/* If there is a case, and nothing of it was changed: compares. Expectations not met are shown on stderr. */
bool run_case_check(struct run_case *c, const struct run_options *o, const struct heddle_result *result);

/* Whether the case was checked and is not met. */
bool run_case_failed(const struct run_case *c);

/* The lines behind the report: the case, after `who`, "ran"; and what became of its expectations. */
void run_case_line(const struct run_case *c, const struct run_options *o, const char *who, struct buf *out);
void run_case_verdict(const struct run_case *c, struct buf *out);
json_t *run_case_json(const struct run_case *c);

void run_case_free(struct run_case *c);

#endif
