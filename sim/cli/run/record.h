/* Recordings of `heddle run`: what is asked for, and the files. */
#ifndef HEDDLE_CLI_RUN_RECORD_H
#define HEDDLE_CLI_RUN_RECORD_H

#include "sim/api/heddle.h"
#include "sim/base/arena.h"
#include "sim/base/buf.h"
#include "sim/cli/json.h"

struct run_report;

/* Where --record, --trace and --konata write, and the cycles that are kept. */
struct run_record {
    const char *events, *trace, *konata; /* NULL = not asked for */
    const char *given;                   /* option and value that name the span; NULL = none does */
    struct heddle_watch watch;
};

/* The first of the options that is given, "--record"; NULL: none is. */
const char *run_record_given(const struct run_record *r);

/* FROM..TO; either bound may be left out. False after messages, which mark it in the option's value. */
bool run_record_span(const char *option, const char *value, const char *span, struct arena *arena,
                     struct heddle_watch *watch);

/* FILE[:FROM..TO]; either bound may be left out. False after messages. */
bool run_record_option(struct run_record *r, const char *option, const char *text, struct arena *arena);

/* A line of JSON for each event, behind one that says what was recorded. */
bool run_record_events(const struct run_report *r, struct buf *out);

/* A level that waits, as an object; a comma stands before it unless it is the first. */
void run_record_level(const struct heddle_level *l, bool first, struct buf *out);

/* The line of one event. */
void run_record_event(const struct heddle *h, const struct heddle_event *e, struct buf *out);

/* The trace event format of Perfetto and chrome://tracing; a microsecond is a cycle. */
bool run_record_trace(const struct run_report *r, struct buf *out);

/* Counter tracks for it: DRAM, L2, issue and occupancy, in windows of cycles. */
bool run_record_rates(const struct run_report *r, struct buf *out);

/* Counter tracks as JSON: {"from": 0, "window": 10, "tracks": [{"name": "L2", "unit": "GB/s", "values": [...]}]}. */
json_t *run_record_rates_json(const struct run_report *r);

/* What a process of the trace is called. */
void run_record_process(u32 pid, const char *name, struct buf *out);

/* A file that Konata shows. */
bool run_record_konata(const struct run_report *r, struct buf *out);

/* The instruction at a pc; NULL when the kernel has none there. */
const struct heddle_line_count *run_record_line(const struct heddle_result *s, u32 pc);

#endif
