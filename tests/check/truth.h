/*
 * The truth about races, by definition: of a run each access, fence and barrier is a node, what orders two of them an
 * edge, and accesses to one byte that no path connects are a race. Runs without a clock or with one.
 *
 *   struct truth *t = truth_new(&launch);
 *   machine_run(truth_launch(t), &fault);       or gpu_run; or that of a checker over it
 *   truth_judge(t);
 *   if (truth_races(t, pc, other)) ...
 *   truth_free(t);
 */
#ifndef HEDDLE_TESTS_TRUTH_H
#define HEDDLE_TESTS_TRUTH_H

#include "sim/arch/machine.h"
#include "sim/base/buf.h"

struct truth;

struct truth *truth_new(const struct launch *l);
const struct launch *truth_launch(struct truth *t);
void truth_judge(struct truth *t);

/* True if two instructions race; `any`: some do. */
bool truth_races(const struct truth *t, u32 pc, u32 other);
bool truth_any(const struct truth *t);
void truth_free(struct truth *t);

/*
 * Appends a random program for `grid` blocks of `block` threads, in warps of TRUTH_WIDTH, and a buffer of TRUTH_WORDS
 * words.
 */
enum { TRUTH_WIDTH = 8, TRUTH_WORDS = 64 };
void truth_program(u64 seed, u32 grid, u32 block, struct buf *out);

#endif
