/* Recordings of `heddle run`: the options, and the files. */
#ifndef HEDDLE_CLI_RUN_RECORD_H
#define HEDDLE_CLI_RUN_RECORD_H

#include "sim/api/write.h"
#include "sim/base/arena.h"
#include "sim/base/buf.h"
#include "sim/cli/json.h"

struct run_report;

/* Files of --record, --trace and --konata, and the cycles to record. */
struct run_record {
    const char *events, *trace, *konata; /* NULL = not given */
    const char *given;                   /* option and value with the span; NULL = none */
    struct heddle_watch watch;
};

/* Returns the first of the options that is given, "--record"; NULL if none is. */
const char *run_record_given(const struct run_record *r);

/* Reads FROM..TO, with optional bounds. False after messages, which mark it in the option's value. */
bool run_record_span(const char *option, const char *value, const char *span, struct arena *arena,
                     struct heddle_watch *watch);

/* Reads FILE[:FROM..TO], with optional bounds. False after messages. */
bool run_record_option(struct run_record *r, const char *option, const char *text, struct arena *arena);

/* Writes a line of JSON for each event, after one that describes the launch. */
bool run_record_events(const struct run_report *r, struct buf *out);

/* Makes a sink for JSON where masks are numbers. */
struct heddle_sink run_record_sink(struct buf *out);

/* Appends the line of an event. */
void run_record_event(const struct heddle *h, const struct heddle_event *e, struct buf *out);

/* Writes the trace event format of Perfetto and chrome://tracing; a microsecond is a cycle. */
bool run_record_trace(const struct run_report *r, struct buf *out);

/* Writes counter tracks for it: DRAM, L2, issue and occupancy, in windows of cycles. */
bool run_record_rates(const struct run_report *r, struct buf *out);

/* Counter tracks as JSON: {"from": 0, "window": 10, "tracks": [{"name": "L2", "unit": "GB/s", "values": [...]}]}. */
json_t *run_record_rates_json(const struct run_report *r);

/* Names a process of the trace. */
void run_record_process(u32 pid, const char *name, struct buf *out);

/* Writes a file for Konata. */
bool run_record_konata(const struct run_report *r, struct buf *out);

/* Finds the instruction at a pc; NULL if the kernel has none there. */
const struct heddle_line_count *run_record_line(const struct heddle_result *s, u32 pc);

#endif
