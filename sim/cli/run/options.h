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
#include "sim/cli/run/sections.h"

enum { REPEAT_MAX = 1000, FINDINGS = 20 };

/* A buffer that --in, --out or --inout names. */
struct run_tensor {
    const char *name;
    struct data_spec data;
};

/* What --print shows: a part of the option's value. */
struct run_print {
    const char *given, *name, *range;
};

struct run_options {
    struct arena arena; /* holds the strings that are parts of options */
    const char *file;
    const char *json, *html, *sarif;
    const char *csv, *markdown; /* "-" without a file; NULL = not given */
    const char *which_case;     /* of the file; NULL = not given */
    u32 repeat;
    u32 findings;                /* pairs of lines that are shown */
    u64 max_memory;              /* bytes; 0 = no bound */
    struct heddle_launch launch; /* its options; 0 = not given */
    struct board_choice board;
    const char *other_board;      /* where neither options nor the case name one; NULL = none */
    struct run_sections sections; /* of the report */
    bool quiet, profile;
    bool empty_nan;                /* of tables that --in reads */
    bool details;                  /* rounds of repeated lines are not added up */
    bool again;                    /* the command line was kept, in a recording */
    struct buf metrics;            /* char * each, from --metrics */
    struct buf entries;            /* char * each, from --entry */
    struct heddle_explain explain; /* line 0 = nothing */
    struct run_record record;
    struct buf tensors; /* struct run_tensor each */
    struct buf prints;  /* struct run_print each */
    struct buf numbers; /* struct heddle_arg each, from --arg; behind them, in a run, its buffers */
    u32 arg_count;      /* of --arg */
};

/* Reads the command line. False after messages. */
bool run_options_parse(struct run_options *o, int argc, char **argv);

/* Whether options that another command has read go together. False after messages. */
bool run_options_agree(struct run_options *o);

/* Whether there is a clock for those that need one, once the case is known, which may name a board. Likewise. */
bool run_options_clock(const struct run_options *o);

void run_options_free(struct run_options *o);

static inline u32 run_tensor_count(const struct run_options *o) {
    return (u32)(o->tensors.len / sizeof(struct run_tensor));
}

static inline u32 run_print_count(const struct run_options *o) {
    return (u32)(o->prints.len / sizeof(struct run_print));
}

static inline u32 run_entry_count(const struct run_options *o) {
    return (u32)(o->entries.len / sizeof(char *));
}

static inline struct run_tensor *run_tensor_at(const struct run_options *o, u32 i) {
    return &((struct run_tensor *)(void *)o->tensors.data)[i];
}

static inline const struct run_print *run_print_at(const struct run_options *o, u32 i) {
    return &((const struct run_print *)(const void *)o->prints.data)[i];
}

#endif
