/* Slurm, through its own commands. What they refuse is said in their words. */
#ifndef HEDDLE_CLI_SWEEP_SBATCH_H
#define HEDDLE_CLI_SWEEP_SBATCH_H

#include <wordexp.h>

#include "sim/cli/sweep/slurm/array.h"

struct cluster {
    wordexp_t options; /* for sbatch, as the user gave them */
    char processors[24];
    char heddle[PATH_MAX]; /* this program */
    struct slurm_limits limits;
};

/*
 * Whether tasks with these options, of so many processors, could run now: the commands are there, the controller
 * answers, sbatch would take such a job, and its partition is up. False after a message.
 */
bool cluster_open(struct cluster *c, const char *options, u32 processors);
void cluster_close(struct cluster *c);

/* Submits the tasks of an array, and notes their job in it. False: `said` is what sbatch had against it. */
bool cluster_submit(const struct cluster *c, struct array *a, struct buf *said);

/* What squeue knows of its tasks, for slurm_read_task(). False when there is no answer: `answer` says why. */
bool cluster_look(const struct array *a, struct buf *answer);

void cluster_cancel(const struct array *a);

#endif
