/*
 * Another program, run on a text: no shell, its output in memory, with a time limit. It is always killed and waited
 * for, also when a signal such as Ctrl-C is about to end this program.
 *
 *   struct buf out = {0};
 *   if (process_find("z3", path, sizeof path))
 *       process_run((const char *const[]){path, "-in", NULL}, text, len, &seconds, &out);
 */
#ifndef HEDDLE_FILE_PROCESS_H
#define HEDDLE_FILE_PROCESS_H

#include "sim/base/buf.h"

/* Finds a program: a name with a slash itself, others in PATH. False if there is none that can be executed. */
bool process_find(const char *name, char *path, size_t size);

enum process_end {
    PROCESS_ENDED,
    PROCESS_TIMEOUT,
    PROCESS_SIGNAL, /* a signal that ends programs is pending */
    PROCESS_FAILED  /* could not be run; errno */
};

/*
 * Runs a program and appends its standard output, in every case; its standard error is discarded. *seconds is its time
 * limit and becomes the time left.
 */
enum process_end process_run(const char *const *argv, const void *text, size_t len, double *seconds, struct buf *out);

/*
 * Runs a program and appends the output of both streams. No signal ends it, not even from the terminal, because it must
 * not stop halfway: signals stay pending. *status is as in shells, 128 and more after a signal.
 */
enum process_end process_output(const char *const *argv, double seconds, int *status, struct buf *out);

/* Starts a program that runs on by itself, without input, output and terminal. False, with errno, if that fails. */
bool process_leave(const char *const *argv);

#endif
