/* The option --section: the parts of the report to print. */
#ifndef HEDDLE_CLI_RUN_SECTIONS_H
#define HEDDLE_CLI_RUN_SECTIONS_H

#include "sim/base/types.h"

/* SECTION_time, ... */
enum run_section {
#define SECTION(name, clock, doc) SECTION_##name,
#include "sim/cli/run/sections.def"
    RUN_SECTIONS
};

struct run_sections {
    u32 chosen;        /* one bit each; 0 = the summary */
    const char *timed; /* the first named one that needs a clock; NULL = none */
};

/* Adds "stalls,lines", or "all". False after a message. */
bool run_sections_option(const char *text, struct run_sections *s);

#endif
