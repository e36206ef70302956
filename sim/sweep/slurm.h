/*
 * What Slurm's commands answer, as text. Whatever that is, these functions end, and say when it is not what they know.
 */
#ifndef HEDDLE_SWEEP_SLURM_H
#define HEDDLE_SWEEP_SLURM_H

#include "sim/base/types.h"

struct slurm_job {
    u64 id;           /* 0: not known */
    char cluster[64]; /* "": the one that commands ask by themselves */
};

/* Of `sbatch --parsable`: a line that is "17" or "17;cluster", among what else it says. */
bool slurm_read_job(const char *text, struct slurm_job *job);

/* Of `sbatch --test-only`: "sbatch: Job 7 to start at ... in partition local". */
bool slurm_read_partition(const char *text, char *name, size_t size);

/* Of `scontrol show config`: how many tasks an array may have, and how many jobs there may be at a time. */
struct slurm_limits {
    u64 array, jobs;
};
bool slurm_read_limits(const char *text, struct slurm_limits *limits);

/* Of `squeue --noheader --array --states=all --format='%K|%T|%r|%N'`: a line for each task that Slurm knows of. */
struct slurm_task {
    u32 index;
    bool over, runs, completed; /* without an error */
    char why[160];              /* "NODE_FAIL (NodeDown) on n2"; of one that waits "Priority" */
};
enum slurm_answer { SLURM_TASK, SLURM_END, SLURM_STRANGE };

/* The next one; *text moves behind it. */
enum slurm_answer slurm_read_task(const char **text, struct slurm_task *task);

#endif
