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
};

/* Reads the command line and makes the context. False after messages. */
bool run_open(struct run *r, int argc, char **argv);

/* Makes the context, after r->options have been read. False after messages. */
bool run_open_read(struct run *r, int argc, char **argv);

/* Finds the program, its case and the board. Returns an exit status, after messages; so do those below. */
int run_find(struct run *r);

/* Finds them, and makes all buffers. */
int run_prepare(struct run *r);

/* Promises the outputs of the options, after all inputs have been read. */
int run_promise(const struct run_options *o);

/* Runs all launches. EXIT_OK also after a fault, which is in the report. */
int run_launches(struct run *r);

/* Adds the files of buffers, whose bytes the caller releases, to a list with room for all tensors. */
bool run_buffer_files(struct run *r, struct file_output *list, u32 *n);

/* Returns the status of a run that has ended: EXIT_FAULT after a fault that its case does not expect, with findings, or
 * if its case failed. */
int run_status(const struct run *r);

void run_close(struct run *r);

#endif
