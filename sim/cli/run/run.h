/*
 * One run of `heddle run`: its command line, the context, the launches and what they are reported as.
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
    char file[RUN_PATH]; /* the kernel file that was found */
    struct heddle_result result;
    struct heddle_tensor *tensors; /* of each of the options' tensors */
    struct heddle_arg *args;       /* of the launch */
    struct run_report report;
};

/* Reads the command line and makes the context. False after messages. */
bool run_open(struct run *r, int argc, char **argv);

/* The same when r->options have been read from it. */
bool run_open_read(struct run *r, int argc, char **argv);

/* The program, its case and the board. An exit status, which messages explain; so below. */
int run_find(struct run *r);

/* The same, and all buffers. */
int run_prepare(struct run *r);

/* The outputs that the options name, after all inputs have been read. */
int run_promise(const struct run_options *o);

/* All launches. EXIT_OK also after a fault, which is in the report. */
int run_launches(struct run *r);

/* Adds the files of buffers, whose bytes the caller releases, to a list with room for all tensors. */
bool run_buffer_files(struct run *r, struct file_output *list, u32 *n);

/* The status of a run that has ended: EXIT_FAULT after a fault that its case does not expect, with findings, or when
 * the case is not met. */
int run_status(const struct run *r);

void run_close(struct run *r);

#endif
