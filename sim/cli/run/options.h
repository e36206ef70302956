/* The command line of `heddle run`. */
#ifndef HEDDLE_CLI_RUN_OPTIONS_H
#define HEDDLE_CLI_RUN_OPTIONS_H

#include "sim/api/heddle.h"
#include "sim/base/arena.h"
#include "sim/base/buf.h"
#include "sim/cli/board/board.h"
#include "sim/cli/command.h"
#include "sim/cli/data_spec.h"
#include "sim/cli/run/record.h"

/* The option --section: the parts of the report to print. */

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

enum { PRIORITY_MAX = 1000, BOARDS_MAX = 64, REPEAT_MAX = 1000, DRAWS_MAX = 10000, FINDINGS = 20 };

/* A buffer of --in, --out or --inout. */
struct run_tensor {
    const char *name;
    struct data_spec data;
};

/* An item of --print: a part of the option's value. */
struct run_print {
    const char *given, *name, *range;
};

struct run_options {
    struct arena arena; /* holds the strings that are parts of options */
    const char *file;
    const char *json, *html, *sarif;
    const char *new_baseline;   /* for findings, - is standard output; NULL = not given */
    const char *csv, *markdown; /* "-" without a file; NULL = not given */
    const char *which_case;     /* of the file; NULL = not given */
    u32 repeat;
    u32 draws;                   /* of the board, for --uncertainty */
    u32 findings;                /* pairs of lines shown */
    u64 max_memory;              /* bytes; 0 = no limit */
    struct heddle_launch launch; /* its options; 0 = not given */
    struct board_choice board;
    const char *other_board;      /* used if neither options nor the case name a board; NULL = none */
    struct run_sections sections; /* of the report */
    bool ideal;                   /* run again on machines that lack a loss */
    bool quiet, profile;
    bool empty_nan;                /* for tables of --in */
    bool details;                  /* show rounds of repeated lines separately */
    bool again;                    /* read again, from a recording */
    u32 priority;                  /* among launches at one time */
    struct buf beside;             /* list of char *, from --beside */
    u32 boards;                    /* that share the launch; 0 = not given */
    const char *share, *gather;    /* by what, "n:y"; over which link all get all rows, "nvlink3:direct"; NULL = none */
    struct buf metrics;            /* list of char *, from --metrics */
    struct buf entries;            /* list of char *, from --entry */
    struct heddle_explain explain; /* line 0 = none */
    struct run_record record;
    const char *dram_trace, *request_trace; /* files of DRAM's commands, of its requests; NULL = none */
    const char *link;                       /* that copies take; NULL = none */
    const char *request_format;             /* NULL = with cycles */
    struct buf tensors;                     /* list of struct run_tensor */
    struct buf prints;                      /* list of struct run_print */
    struct buf numbers; /* list of struct heddle_arg, from --arg; in a run, followed by its buffers */
    u32 arg_count;      /* from --arg */
};

/* Reads the command line. False after messages. */
bool run_options_parse(struct run_options *o, int argc, char **argv);

/* Checks that options read by another command agree. False after messages. */
bool run_options_agree(struct run_options *o);

/* Checks that options have the clock that they need, once the case, which may name a board, is known. */
bool run_options_clock(const struct run_options *o);

void run_options_free(struct run_options *o);

BUF_LIST(run_tensor, struct run_options, tensors, struct run_tensor)
BUF_LIST(run_print, struct run_options, prints, struct run_print)

static inline u32 run_entry_count(const struct run_options *o) {
    return (u32)(o->entries.len / sizeof(char *));
}

/* The i-th --entry; NULL past the last. */
static inline const char *run_entry(const struct run_options *o, u32 i) {
    const char *const *list = (const char *const *)(const void *)o->entries.data;
    return i < run_entry_count(o) ? list[i] : NULL;
}

#endif
