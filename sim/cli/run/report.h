/*
 * What `heddle run` prints: text or JSON. Results are valid only until the next launch, so each is added to the report
 * when its launch has ended.
 *
 *   struct run_report r = {.options = o, .h = h, .file = name};
 *   run_report_add(&r, &result, status, error)            for each launch
 *   run_report_text / run_report_json
 *   run_report_free(&r)
 */
#ifndef HEDDLE_CLI_RUN_REPORT_H
#define HEDDLE_CLI_RUN_REPORT_H

#include "sim/cli/json.h"
#include "sim/cli/run/case.h"
#include "sim/cli/run/options.h"
#include "sim/file/table.h"

enum { REPORT_TABLES = 20 };

struct report_tables {
    struct table table[REPORT_TABLES];
    u32 n;
};

struct run_report {
    const struct run_options *options;
    struct heddle *h;
    const char *file; /* the kernel file that was run */
    const struct heddle_program *program;
    const char *source; /* its text, for --profile; NULL when it is an object file */
    size_t source_len;
    const struct heddle_tensor *tensors; /* of each of the options' tensors, at the end */
    const struct run_case *pressed;      /* the case of the file that was run; NULL = none */
    const struct heddle_result *last;    /* of the launches, while it is valid */
    u32 planned;                         /* launches */
    json_t *recorded;                    /* of a launch that is recorded: its command, and what it follows from */
    bool keeps_json;                     /* without --json too */
    /* filled by run_report_add: */
    u32 launches;
    u64 cycles, overhead_cycles, warp_instructions; /* of all */
    double seconds;
    u64 findings; /* of checkers, and orders that differ */
    bool timed;
    struct report_tables shown; /* of one launch, as text */
    struct report_tables kept;  /* of all launches, for --csv and --markdown */
    struct report_tables *into; /* that of them to which sections are added */
    struct buf text;            /* of the launches */
    struct buf quoted;          /* other files that the profile quotes */
    json_t *json;               /* array of them */
    json_t *fault;              /* of the last one, or null */
    json_t *sources;            /* array of the files that lines lie in */
    json_t *sarif;              /* array of results, with --sarif */
    struct buf error;           /* of the last one, with --sarif */
    enum heddle_status status;
};

/* After a launch. `error` is the text of heddle_error. False when out of memory. */
bool run_report_add(struct run_report *r, const struct heddle_result *result, enum heddle_status status,
                    const char *error);

/* All launches, and the files that were written. */
void run_report_text(const struct run_report *r, struct buf *out);

/* The same as one JSON object, documented in heddle(1); as text: false when out of memory. */
json_t *run_report_whole(const struct run_report *r);
bool run_report_json(const struct run_report *r, struct buf *out);

/* That as a page of HTML. False after a message. */
bool run_report_html(const struct run_report *r, struct buf *out);

/* The tables that were asked for, likewise. */
bool run_report_csv(const struct run_report *r, struct buf *out);
bool run_report_markdown(const struct run_report *r, struct buf *out);

/* What checkers found as a SARIF log, likewise. */
bool run_report_sarif(const struct run_report *r, struct buf *out);

void run_report_free(struct run_report *r);

/* ---- parts: section_*.c, report_summary.c, report_json.c ---- */

/* The sections: each adds rows to tables of its own. */
#define SECTION(name, clock, doc) void section_##name(struct run_report *r, const struct heddle_result *s);
#include "sim/cli/run/sections.def"

/* The sections and metrics of a launch: as text; for the files that were asked for. */
void report_sections(struct run_report *r, const struct heddle_result *s);
void report_keep(struct run_report *r, const struct heddle_result *s);
void report_tables_free(struct run_report *r);

/* The table of that name; the first call gives it its columns. */
struct table *report_table(struct run_report *r, const char *name, const struct table_column *columns, u32 n);

/* How many lines the text has from a place on. */
u32 report_lines_from(const struct buf *text, size_t from);

/* The end of a launch's report, of which `used` lines are taken already. */
void report_summary(struct run_report *r, const struct heddle_result *s, u32 used, struct buf *out);

double report_board_value(const struct run_report *r, const char *key);

/* The reason with most cycles, without those in `taken`, one bit each; nstalls when there is none. */
u32 report_longest_stall(const struct heddle_result *s, u64 taken);

/* Of a line: cycles of warps; "12", "find.hd:12" of another file, or "-". */
u64 report_line_cycles(const struct heddle_result *s, const struct heddle_line_count *l);
struct short_text report_line_label(const struct heddle_line_count *l);
/* The source line; for a line in another language that a compiler names, that line if its file is there. */
void report_source(struct run_report *r, const struct heddle_line_count *l, struct buf *out);
void report_lines_free(struct run_report *r);

/* Adds to `sources` what the lines of a launch lie in. Called before other parts, which look files up too. */
void report_add_sources(struct run_report *r, const struct heddle_result *s);

/* A launch as an object. */
json_t *run_report_json_launch(const struct heddle_result *s);
json_t *run_report_json_fault(const struct heddle_result *s, const char *error);

#endif
