/* Parsers for the output of Slurm's commands. They terminate on any text, and report one that they do not know. */
#ifndef HEDDLE_SWEEP_SLURM_H
#define HEDDLE_SWEEP_SLURM_H

#include "sim/base/types.h"

struct slurm_job {
    u64 id;           /* 0 = unknown */
    char cluster[64]; /* "" = the default cluster of the commands */
};

/* Reads `sbatch --parsable`: a line "17" or "17;cluster" among other output. */
bool slurm_read_job(const char *text, struct slurm_job *job);

/* Reads `sbatch --test-only`: "sbatch: Job 7 to start at ... in partition local". */
bool slurm_read_partition(const char *text, char *name, size_t size);

/* Limits from `scontrol show config`: tasks of an array, and jobs at a time. */
struct slurm_limits {
    u64 array, jobs;
};
bool slurm_read_limits(const char *text, struct slurm_limits *limits);

/* A task from `squeue --noheader --array --states=all --format='%K|%T|%r|%N'`: one line for each known task. */
struct slurm_task {
    u32 index;
    bool over, runs, completed; /* ended; runs; ended without an error */
    char why[160];              /* "NODE_FAIL (NodeDown) on n2"; "Priority" while it waits */
};
enum slurm_answer { SLURM_TASK, SLURM_END, SLURM_STRANGE };

/* Reads the next task; *text advances. */
enum slurm_answer slurm_read_task(const char **text, struct slurm_task *task);

#endif
