/*
 * Time that passes on this computer.
 *
 *   double start = stopwatch_now();
 *   ...
 *   took = stopwatch_now() - start;
 */
#ifndef HEDDLE_FILE_STOPWATCH_H
#define HEDDLE_FILE_STOPWATCH_H

/* Seconds from some moment on, which never go back. */
double stopwatch_now(void);

#endif
