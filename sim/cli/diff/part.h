/* Types and functions that the parts of a comparison share. */
#ifndef HEDDLE_CLI_DIFF_PART_H
#define HEDDLE_CLI_DIFF_PART_H

#include "sim/cli/diff/diff.h"

/* A part of the JSON, in each run; NULL = missing. */
struct sides {
    u32 n;
    const json_t *of[DIFF_RUNS];
};

struct sides diff_launch_sides(const struct diff_runs *r, size_t launch);

/* Gets a member of each side. */
struct sides diff_member(const struct sides *s, const char *name);

/* True if they are not all equal; a missing one equals null, and 4 equals 4.0. */
bool diff_differ(const struct sides *s);

/* [a, b, ...] */
json_t *diff_values(const struct sides *s);

/* Collects the members of objects that differ: {"NAME": [a, b, ...]}. */
json_t *diff_members(const struct sides *objects);

/* Add up the `count` rounds of a repeated line of a launch; name such a line: rounds.c. */
json_t *diff_sums(const json_t *lines);
const char *diff_text(const json_t *line);

/* Lists the instructions that differ: lines.c. */
json_t *diff_lines(const struct sides *launches);

/* Writes them as a table of at most `most` rows: lines_text.c. */
void diff_write_lines(struct compare *c, const json_t *lines, int most);

/*
 * Weighs a metric or a key of the board, from 0 to 1: weight.c. By the use of the part of the machine that it names, or
 * of one after it on the way to DRAM, in the run that used it most; for a latency, by how long warps waited at all; for
 * a class of instructions, by its share. 1 if the name means no part, or without a clock; 0 for energy, which takes no
 * time.
 */
double diff_use(const struct sides *launches, const char *name);

#endif
