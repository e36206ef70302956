/*
 * A job of the benchmark: a kernel with its buffers and arguments, launched a few times; and what it cost.
 *
 *   struct figure f;
 *   struct setting s = {.root = ".", .warp = 32, .threads = 1, .repetitions = 3};
 *   if (job_measure(&job, &s, &f)) printf("%f s\n", f.seconds);
 */
#ifndef HEDDLE_TESTS_BENCH_JOB_H
#define HEDDLE_TESTS_BENCH_JOB_H

#include <stdbool.h>
#include <stdint.h>

enum { JOB_BUFFERS = 4, JOB_SCALARS = 24 };

struct job {
    const char *name; /* name of the kernel, and of its file under kernels/bench/ unless `file` names another */
    uint32_t grid[2]; /* blocks */
    uint32_t block;   /* threads of a block */
    double target;    /* million warp-instructions/s at W = 32 */
    bool fills;       /* the board: two threads of the host should be nearly twice as fast as one */
    struct {          /* name = NULL: no more */
        const char *name;
        uint64_t elements;
    } buffer[JOB_BUFFERS];
    struct {
        const char *name;
        double number;
    } scalar[JOB_SCALARS];
    const char *file, *entry; /* under kernels/, and its kernel */
    const char *type;         /* of elements of all buffers, 4 bytes; NULL = f32 */
    uint32_t rows;            /* of a block's threads; 0: one */
};

struct setting {
    const char *root;   /* of the source tree */
    const char *board;  /* under configs/; NULL = no clock */
    const char *engine; /* NULL = the best */
    const char *check;  /* checkers; NULL = none */
    uint32_t warp;      /* width */
    uint32_t threads;   /* of the host */
    int repetitions;
};

struct figure {
    uint64_t instructions; /* of warps */
    uint64_t cycles;       /* with a clock */
    double seconds;        /* of the best repetition */
    double cpu;            /* the same, of processor time */
    double shadows;        /* bytes of the checkers */
    double resident;       /* bytes beside the buffers, most at any time; of job_measure_apart only */
};

/* Prints why when it fails. */
bool job_measure(const struct job *job, const struct setting *setting, struct figure *figure);

/* Measures in a process of its own, to separate its memory. */
bool job_measure_apart(const struct job *job, const struct setting *setting, struct figure *figure);

/* The bytes of its buffers. */
uint64_t job_bytes(const struct job *job);

/* Seconds on a monotonic clock. */
double job_now(void);

#endif
