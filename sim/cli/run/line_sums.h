/* The lines of a launch for reports: rounds of a repeated one are one line, with sums and the text of all. */
#ifndef HEDDLE_CLI_RUN_LINE_SUMS_H
#define HEDDLE_CLI_RUN_LINE_SUMS_H

#include "sim/api/heddle.h"
#include "sim/base/arena.h"

struct line_sum {
    struct heddle_line_count line;
    u32 rounds;
};

/* Lists lines in the order of their first instructions; `each`: one an instruction. NULL when out of memory. */
struct line_sum *line_sums(const struct heddle_result *s, bool each, struct arena *arena, u32 *n);

/* True if a line has several rounds. */
bool line_sums_repeat(const struct line_sum *list, u32 n);

#endif
