/*
 * Another program, run on a text: no shell, its output in memory, never longer than a limit of time. It is killed and
 * waited for in every case, also when a signal such as Ctrl-C is about to end this program.
 *
 *   struct buf out = {0};
 *   if (process_find("z3", path, sizeof path))
 *       process_run((const char *const[]){path, "-in", NULL}, text, len, &seconds, &out);
 */
#ifndef HEDDLE_FILE_PROCESS_H
#define HEDDLE_FILE_PROCESS_H

#include "sim/base/buf.h"

/* The program as a name with a slash is, or as PATH has it. False when there is none that can be executed. */
bool process_find(const char *name, char *path, size_t size);

enum process_end {
    PROCESS_ENDED,
    PROCESS_TIMEOUT,
    PROCESS_SIGNAL, /* one that ends programs waits for this thread */
    PROCESS_FAILED  /* it could not be run; errno */
};

/*
 * Appends what it writes to its standard output, in every case; its standard error goes nowhere. *seconds are what it
 * may take, and become what is left of them.
 */
enum process_end process_run(const char *const *argv, const void *text, size_t len, double *seconds, struct buf *out);

/*
 * Appends what it writes to both of its streams. No signal ends it, not even one of the terminal, because what it does
 * may not stop in the middle: signals wait. *status is as shells have it, 128 and more after a signal.
 */
enum process_end process_output(const char *const *argv, double seconds, int *status, struct buf *out);

/* Starts a program that goes on by itself, without input, output and terminal. False, with errno, when it cannot be. */
bool process_leave(const char *const *argv);

#endif
