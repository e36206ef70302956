/*
 * One run of `heddle run`: its command line, the context, the launches and the report.
 *
 *   struct run r = {0};
 *   int status = run_open(&r, argc, argv) ? run_prepare(&r) : EXIT_INPUT;
 *   if (status == EXIT_OK)
 *       status = run_launches(&r);
 *   ...                                  r.report, the buffers of r.h
 *   run_close(&r);
 */
#ifndef HEDDLE_CLI_RUN_H
#define HEDDLE_CLI_RUN_H

#include "sim/cli/file.h"
#include "sim/cli/json.h"
#include "sim/cli/run/case.h"
#include "sim/cli/run/options.h"
#include "sim/cli/run/report.h"

enum { RUN_PATH = 4096 };

struct run {
    struct run_options options;
    int argc; /* its command line */
    char **argv;
    struct heddle *h;
    struct heddle_program *program;
    struct run_case pressed;
    struct buf source;
    char file[RUN_PATH]; /* path of the kernel file */
    struct heddle_result result;
    struct heddle_tensor *tensors; /* tensors of the options */
    struct heddle_arg *args;       /* arguments of the launch */
    struct run_report report;
    const char *ideal; /* settings of a machine without a loss, whose wrong results and faults are not shown; or NULL */
    u32 draw, draws;   /* which of how many draws of the board; 0 = the board as it stands */
    u32 part, parts;   /* which of how many boards that share a launch; 0 = all of it */
};

/* Reads the command line and makes the context. False after messages. */
bool run_open(struct run *r, int argc, char **argv);

/* Makes the context, after r->options have been read. False after messages. */
bool run_open_read(struct run *r, int argc, char **argv);

/* Reads the program of the options. Returns an exit status, after messages. */
int run_load(struct run *r);

/* Makes a launch of the kernel from the options, and the case for the rest; its arguments lie in r->args. */
struct heddle_launch run_asked(struct run *r, const char *entry);

/* Checks that no option is given that is for one launch on one board. False after a message. */
enum run_several { RUN_BESIDE, RUN_OTHER, RUN_BOARDS }; /* --beside; its own command line; --boards */
bool run_agree(const struct run_options *o, enum run_several several);

/* Runs the launch of a prepared run and those of its --beside at one time, and writes the report and all files. */
int run_beside(struct run *r);

/* Runs the launch of a prepared run on one board, and its rows on each of --boards; writes the report and all files. */
int run_shares(struct run *r);

/* Finds the program, its case and the board. Returns an exit status, after messages; so do those below. */
int run_find(struct run *r);

/* Finds them, and makes all buffers. */
int run_prepare(struct run *r);

/* Promises the outputs of the options, after all inputs have been read. */
int run_promise(const struct run_options *o);

/* Runs all launches. EXIT_OK also after a fault, which is in the report. */
int run_launches(struct run *r);

/* Opens a run with the command line of another one and, unless NULL, an assignment more, and makes its buffers. */
int run_reopen(struct run *r, const struct run *of, const char *assignment);

/* Does that, and runs its launches. */
int run_again(struct run *r, const struct run *of, const char *assignment);

/* Repeats a run that has ended on --ideal's machines, into its report. */
int run_ideals(struct run *r);

/* Repeats a run that has ended on --uncertainty's draws of its board, into its report. */
int run_draws(struct run *r);

/* Adds the files of buffers, whose bytes the caller releases, to a list with room for all tensors. */
bool run_buffer_files(struct run *r, struct file_output *list, u32 *n);

/* Writes `json` and the buffers of n runs, so that either all exist or none; then prints `text`. Frees both. */
bool run_write(const struct run_options *o, struct run *const *runs, u32 n, struct buf *text, struct buf *json);

/* Returns the status of a run that has ended: EXIT_FAULT after a fault that its case does not expect, with findings, or
 * if its case failed. */
int run_status(const struct run *r);

void run_close(struct run *r);

/* `heddle run --board v100,a100`: the same run on several boards, and the differences (sim/cli/diff/diff.h). */

/* True if --board names several; an existing file whose name has a comma is one. */
bool run_boards_named(const struct run_options *o);

/* Runs the command line once for each board. Buffers must not depend on the board: they are compared and written once.
 * Returns the greatest exit status. */
int run_boards(const struct run_options *o, int argc, char **argv);

/* Buffers of `heddle run`: made by --in, --inout and --out, and printed by --print. */

/*
 * Makes and fills the options' buffers, besides or in place of the case's, and adds them to the arguments, under their
 * own names. False after a message.
 */
bool run_buffers_make(struct run_options *o, struct heddle *h, const struct heddle_program *p, struct run_case *c);

/* Checks that everything in --print exists. False after a message. */
bool run_buffers_check(const struct run_options *o, struct heddle *h);

void run_buffers_print(const struct run_options *o, struct heddle *h, struct buf *out);

/* Everything that determines a run, as texts to be hashed: for sweeps, and for replays. */

/* Appends all values of the board; without a clock only the warp width. */
void run_put_board(const struct run *r, bool timed, struct buf *to);

/* Appends the kernel's text, for its cases, and its instructions, for its includes. False after a message. */
bool run_put_program(struct heddle *h, const struct heddle_program *p, const struct buf *source, struct buf *to);

/* Appends a line for each fact, so that no two can run together. */
void run_put_fact(struct buf *to, const char *name, const char *value);

/* Appends the options of a launch, except its arguments. */
void run_put_launch(const struct run_options *o, struct buf *to);

/*
 * Makes {kernel, board, launch, buffers: {name: hash}}, which determines a launch to be recorded. NULL after a message.
 */
json_t *run_identity(struct run *r);

#endif
