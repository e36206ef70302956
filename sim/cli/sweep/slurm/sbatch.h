/* Slurm, through its own commands. Their refusals are reported in their words. */
#ifndef HEDDLE_CLI_SWEEP_SLURM_SBATCH_H
#define HEDDLE_CLI_SWEEP_SLURM_SBATCH_H

#include <wordexp.h>

#include "sim/cli/sweep/slurm/array.h"

struct cluster {
    wordexp_t options; /* for sbatch, as given by the user */
    char processors[24];
    char heddle[PATH_MAX]; /* path of this program */
    struct slurm_limits limits;
};

/*
 * Checks that tasks with these options, of that many processors, could run now: the commands exist, the controller
 * answers, sbatch would accept such a job, and its partition is up. False after a message.
 */
bool cluster_open(struct cluster *c, const char *options, u32 processors);
void cluster_close(struct cluster *c);

/* Submits the tasks of an array, and records their job in it. False with the reason of sbatch in `said`. */
bool cluster_submit(const struct cluster *c, struct array *a, struct buf *said);

/* Gets squeue's answer on its tasks, for slurm_read_task(). False if there is none, with the reason in `answer`. */
bool cluster_look(const struct array *a, struct buf *answer);

void cluster_cancel(const struct array *a);

#endif
