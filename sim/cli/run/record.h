/* Recordings of `heddle run`: what is asked for, and the files. */
#ifndef HEDDLE_CLI_RUN_RECORD_H
#define HEDDLE_CLI_RUN_RECORD_H

#include "sim/api/heddle.h"
#include "sim/base/arena.h"
#include "sim/base/buf.h"

struct run_report;

/* Where --record and --trace write, and the cycles that are kept. */
struct run_record {
    const char *events, *trace; /* NULL = not asked for */
    const char *given;          /* option and value that name the span; NULL = none does */
    struct heddle_watch watch;
};

/* FILE[:FROM..TO]; either bound may be left out. False after messages. */
bool run_record_option(struct run_record *r, const char *option, const char *text, struct arena *arena);

/* A line of JSON for each event, behind one that says what was recorded. */
bool run_record_events(const struct run_report *r, struct buf *out);

/* The trace event format of Perfetto and chrome://tracing; a microsecond is a cycle. */
bool run_record_trace(const struct run_report *r, struct buf *out);

#endif
