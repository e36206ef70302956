/* A task of Slurm: runs a chunk of the points of a sweep, into a file of its own (array.h). */
#ifndef HEDDLE_CLI_SWEEP_RUN_TASK_H
#define HEDDLE_CLI_SWEEP_RUN_TASK_H

#include "sim/cli/sweep/sweep.h"

/* Splits DIR/7. False after a message. */
bool sweep_task_name(const char *text, char *folder, size_t size, u32 *task);

/* Reads the words of its sweep, the first being the command, into the arena. False after a message. */
bool sweep_task_words(const char *folder, struct arena *arena, int *argc, char ***argv);

/* Runs the points of a task, `jobs` at a time. Returns an exit status. */
int sweep_task(struct sweep *s, const char *folder, u32 task, u32 jobs);

#endif
