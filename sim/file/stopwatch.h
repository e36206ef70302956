/* Elapsed time on this computer. */
#ifndef HEDDLE_FILE_STOPWATCH_H
#define HEDDLE_FILE_STOPWATCH_H

/* Returns seconds since some moment; never decreases. */
double stopwatch_now(void);

#endif
