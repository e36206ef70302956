/* What the parts of a comparison share. */
#ifndef HEDDLE_CLI_DIFF_PART_H
#define HEDDLE_CLI_DIFF_PART_H

#include "sim/cli/diff/diff.h"

/* The same part of each run; NULL where it has none. */
struct sides {
    u32 n;
    const json_t *of[DIFF_RUNS];
};

struct sides diff_launch_sides(const struct diff_runs *r, size_t launch);

/* A member of each. */
struct sides diff_member(const struct sides *s, const char *name);

/* Whether they are not all equal; a missing one equals null, and 4 equals 4.0. */
bool diff_differ(const struct sides *s);

/* [a, b, ...] */
json_t *diff_values(const struct sides *s);

/* The members that differ, of objects: {"NAME": [a, b, ...]}. */
json_t *diff_members(const struct sides *objects);

/* rounds.c: the lines of a launch, with `count` rounds of a repeated one added up; and how such a line is called. */
json_t *diff_sums(const json_t *lines);
const char *diff_text(const json_t *line);

/* lines.c: instructions that differ. */
json_t *diff_lines(const struct sides *launches);

/* lines_text.c: the same as a table of at most so many rows. */
void diff_write_lines(struct compare *c, const json_t *lines, int most);

/*
 * weight.c: how much of the time of a launch has to do with the part of the machine that a metric or a key of the
 * board names, from 0 to 1: how busy that part, or one behind it on the way to DRAM, was in the run that used it most;
 * of a latency, for how long warps waited at all; of a class of instructions, its share of them. 1 when the name tells
 * no part, or there was no clock; 0 of energy, which takes no time.
 */
double diff_use(const struct sides *launches, const char *name);

#endif
