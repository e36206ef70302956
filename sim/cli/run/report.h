/*
 * Output of `heddle run`: text or JSON. Results are valid only until the next launch, so each is added to the report
 * after its launch.
 *
 *   struct run_report r = {.options = o, .h = h, .file = name};
 *   run_report_add(&r, &result, status, error)            for each launch
 *   run_report_text / run_report_json
 *   run_report_free(&r)
 */
#ifndef HEDDLE_CLI_RUN_REPORT_H
#define HEDDLE_CLI_RUN_REPORT_H

#include "sim/api/heddle.h"
#include "sim/base/arena.h"
#include "sim/base/buf.h"
#include "sim/base/types.h"
#include "sim/cli/json.h"
#include "sim/cli/run/case.h"
#include "sim/cli/run/options.h"
#include "sim/file/table.h"

enum { REPORT_TABLES = 20, RUN_BOUNDS = 8, RUN_IDEALS = 8 };

/* Cycles of the same launches on ideal machines: one for each loss that heddle_ideal() lists. */
struct run_ideal {
    u32 n;
    u64 cycles[RUN_IDEALS];      /* of all launches; 0 = they did not end there */
    const char *why[RUN_IDEALS]; /* the fault, if they did not; NULL = none */
};

/* What draws of the board make of the time and of the bound (draws.c). */
struct run_draws {
    u32 done, values; /* draws; values of the board that have a range and a part in the time */
    u64 low, high;    /* cycles of all launches, in the draws and on the board as it stands */
    u32 nbounds;
    struct run_bound {
        struct short_text name; /* "DRAM" */
        u32 draws;
    } bound[RUN_BOUNDS]; /* of the last launch, the most frequent first */
};

/* What is copied one way between host and board. */
struct run_copy {
    u64 bytes;
    double seconds, joules;
};

struct report_tables {
    struct table table[REPORT_TABLES];
    u32 n;
};

struct run_report {
    const struct run_options *options;
    struct heddle *h;
    const char *file; /* the kernel file */
    const struct heddle_program *program;
    const char *source; /* its text, for --profile; NULL = an object file */
    size_t source_len;
    const struct heddle_tensor *tensors; /* tensors of the options, after the run */
    const struct run_case *pressed;      /* the file's case; NULL = none */
    const struct heddle_result *last;    /* last launch, while it is valid */
    u32 planned;                         /* launches */
    json_t *recorded;                    /* for a recorded launch: its command, and its inputs */
    bool keeps_json;                     /* keeps JSON even without --json */
    /* filled by run_report_add: */
    u32 launches;
    u64 cycles, overhead_cycles, warp_instructions; /* of all launches */
    double seconds;
    u64 findings; /* of checkers, plus orders that differ */
    bool timed;
    struct report_tables shown;            /* of one launch, as text */
    struct report_tables kept;             /* of all launches, for --csv and --markdown */
    struct report_tables *into;            /* the one that sections are added to */
    struct buf text;                       /* text of the launches */
    struct buf quoted;                     /* other files that the profile quotes */
    json_t *json;                          /* array of launches */
    json_t *fault;                         /* of the last launch, or null */
    json_t *sources;                       /* array of the files that contain the lines */
    json_t *sarif;                         /* array of results, with --sarif */
    struct buf error;                      /* of the last launch, with --sarif */
    struct run_draws draws;                /* with --uncertainty */
    struct run_ideal ideal;                /* with --ideal */
    struct buf baseline;                   /* lines of findings, with --write-baseline */
    struct run_copy copied_in, copied_out; /* with --link */
    struct buf written;                    /* list of char *: buffers that are copied back */
    enum heddle_status status;
};

BUF_LIST(run_written, struct run_report, written, const char *)

/* Adds a launch. `error` is the text of heddle_error. False when out of memory. */
bool run_report_add(struct run_report *r, const struct heddle_result *result, enum heddle_status status,
                    const char *error);

/* Adds the lines that lanes printed, and warns of those that were dropped. */
void report_printed(const struct heddle_result *s, bool quiet, struct buf *out);

/* Writes all launches, and the files that were written. */
void run_report_text(const struct run_report *r, struct buf *out);

/* Makes one JSON object, documented in heddle(1); as text: false when out of memory. */
json_t *run_report_whole(const struct run_report *r);
bool run_report_json(const struct run_report *r, struct buf *out);

/* Writes a page of HTML. False after a message. */
bool run_report_html(const struct run_report *r, struct buf *out);

/* Write the requested tables. False when out of memory. */
bool run_report_csv(const struct run_report *r, struct buf *out);
bool run_report_markdown(const struct run_report *r, struct buf *out);

/* Writes the findings of checkers as a SARIF log. False when out of memory. */
bool run_report_sarif(const struct run_report *r, struct buf *out);

/* Writes the lines of a baseline. False when out of memory. */
bool run_report_baseline(const struct run_report *r, struct buf *out);

void run_report_free(struct run_report *r);

/* ---- parts: section_*.c, report_summary.c, report_json.c ---- */

/* Declares the sections: each adds rows to tables of its own. */
#define SECTION(name, clock, doc) void section_##name(struct run_report *r, const struct heddle_result *s);
#include "sim/cli/run/sections.def"

/* Adds a quotient, or none where `whole` is 0. */
void report_quotient(struct table *t, double part, double whole);

/* Add the sections and metrics of a launch: as text; for the requested files. */
void report_sections(struct run_report *r, const struct heddle_result *s);
void report_keep(struct run_report *r, const struct heddle_result *s);
void report_tables_free(struct run_report *r);
void report_tables_clear(struct report_tables *t);

/* Finds the table of that name; the first call makes it, with these columns. */
struct table *report_table(struct run_report *r, const char *name, const struct table_column *columns, u32 n);

/* Write the range of the time over draws of the board; no text where there were none. */
void run_draws_text(const struct run_report *r, struct buf *out);
void run_draws_bounds(const struct run_draws *d, struct buf *out); /* "DRAM in 12, latency in 4" */
json_t *run_draws_json(const struct run_report *r);

/* Write what machines that lack a loss gain: as text, into the tables for files, as JSON. */
void run_ideals_text(const struct run_report *r, struct buf *out);
void run_ideals_keep(struct run_report *r);
json_t *run_ideals_json(const struct run_report *r);

/* Checks the name of a link. False after a message. */
bool run_copies_option(const char *name);

/* Add up what --link copies: before the first launch, after each, after the last. */
void run_copies_begin(struct run_report *r);
void run_copies_note(struct run_report *r, const struct heddle_launch *l, const char *kernel);
void run_copies_end(struct run_report *r);

/* Finds a parameter of the kernel, NULL = of any. False if there is none of that name. */
bool run_parameter(const struct heddle_program *p, const char *kernel, const char *name,
                   struct heddle_param_info *info);

/* Write it; no text without --link. */
json_t *run_copy_json(const struct run_copy *c);
void run_copies_text(const struct run_report *r, struct buf *out);
json_t *run_copies_json(const struct run_report *r);

/* Counts the lines of the text from a place on. */
u32 report_lines_from(const struct buf *text, size_t from);

/* Writes the end of a launch's report; `used` lines are taken already. */
void report_summary(struct run_report *r, const struct heddle_result *s, u32 used, struct buf *out);

static inline double report_board_value(const struct run_report *r, const char *key) {
    struct heddle_board_value v;
    return heddle_board_value(r->h, key, &v) ? v.number : 0;
}

/* Finds the reason with most cycles, without those in `taken`, one bit each; nstalls if there is none. */
u32 report_longest_stall(const struct heddle_result *s, u64 taken);

/* Finds DRAM's largest part of time but data, below `above`, NULL = the largest of all; NULL if there is no more. */
const struct heddle_metric *report_dram_part(const struct heddle_result *s, const struct heddle_metric *above);

/* Adds what the energy of DRAM is made of, where the board has it by command. */
void report_dram_energy(struct run_report *r, const struct heddle_result *s);

/* Returns a line's cycles of warps; its place, "12", "find.hd:12" of another file, or "-". */
u64 report_line_cycles(const struct heddle_result *s, const struct heddle_line_count *l);
struct short_text report_line_label(const struct heddle_line_count *l);
/* Appends the source line; for a line of a compiler's source language, that line if its file is found. */
void report_source(struct run_report *r, const struct heddle_line_count *l, struct buf *out);
void report_lines_free(struct run_report *r);

/* Adds the files of a launch's lines to `sources`, before other parts, which also look up files. */
void report_add_sources(struct run_report *r, const struct heddle_result *s);

/* Makes an object of a launch. */
json_t *run_report_json_launch(const struct heddle_result *s);
json_t *run_report_json_fault(const struct heddle_result *s, const char *error);

/* The lines of a launch for reports: rounds of a repeated one are one line, with sums and the text of all. */

struct line_sum {
    struct heddle_line_count line;
    u32 rounds;
};

/* Lists lines in the order of their first instructions; `each`: one an instruction. NULL when out of memory. */
struct line_sum *line_sums(const struct heddle_result *s, bool each, struct arena *arena, u32 *n);

/* True if a line has several rounds. */
bool line_sums_repeat(const struct line_sum *list, u32 n);

/* Findings of a launch's checkers: as text, as JSON, and as SARIF for services that show findings in code. */

/*
 * Prints the answer, then at most `most` groups of findings: those of one class at one pair of lines. `file`: the
 * kernel file. `launch`: "" or the number among several launches, "launch 2 of 3, ".
 */
void check_report_text(const struct heddle_result *s, const char *file, const char *launch, u32 most, struct buf *out);

/* Lists the checkers that ran, as a list of texts. */
json_t *check_report_kinds(const struct heddle_result *s);

/*
 * Adds the lines of a baseline for the findings of a launch that no allowance covers, where it lacks them: launches may
 * find the same.
 */
void check_baseline_add(const struct heddle_result *s, struct buf *rows);

/* Adds findings to a list of SARIF results, each once; those of the suppressions of `asked` are external. */
void check_sarif_add(json_t *results, const struct heddle_result *s, const char *file,
                     const struct heddle_launch *asked);

/* Makes the log: a run with these results, whose references stay the caller's. `fault`: the final error, or NULL. */
json_t *check_sarif(json_t *results, const char *fault);

/* `heddle run --explain`: the request and the answer. */

/* Reads [FILE:]LINE[:BLOCK[:WARP[:N]]] or worst[:N]. False after a message. */
bool explain_option(struct heddle_explain *x, const char *text, struct arena *arena);

static inline bool explain_asked(const struct heddle_explain *x) {
    return x->line || x->worst;
}

/* Prints tables, sentences and totals of the request; of a repeated line only the first round, unless `each`. */
void explain_report_text(const struct heddle_result *r, const struct heddle_explain *asked, bool each, struct buf *out);

/* Results of all orders of warps (`heddle run --schedule=all`). */

/* Prints the answer, and two orders that differ; nothing if no orders were executed. `file`: the kernel's. */
void schedule_report_text(const struct heddle_result *s, const char *file, struct buf *out);

/* True if the result depends on the order. */
static inline bool schedule_report_differs(const struct heddle_result *s) {
    return s->orders && !s->orders->same;
}

#endif
