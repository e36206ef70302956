/*
 * Inside of a replay: requests of a trace to the memory of a board, and its levels.
 *
 *      text --> trace_line --> struct trace_request --> a data bus of replay.c
 */
#ifndef HEDDLE_API_REPLAY_H
#define HEDDLE_API_REPLAY_H

#include "sim/api/context.h"

enum trace_format {
#define TRACE_FORMAT(id, name, first, form) TRACE_##id,
#include "sim/api/replay.def"
    TRACE_FORMATS
};

enum { TRACE_LEVELS = 7, TRACE_MOST = 4096 }; /* most levels; bytes of a line */

/* A request: by its address, or by its levels; where the format has one, its cycle. */
struct trace_request {
    u64 address, cycle;
    u64 level[TRACE_LEVELS];
    u32 column[TRACE_LEVELS]; /* of the text, for messages */
    bool write;
};

/* The levels of a place in that memory, from the channel to the column. */
struct trace_levels {
    u32 count;
    const char *name[TRACE_LEVELS];
    u64 size[TRACE_LEVELS]; /* places of the level; 0: any */
};

struct trace_levels trace_levels_of(const struct board_dram *c, u32 buses);

/* The name of a format; finds one by its name, TRACE_FORMATS if there is none. */
const char *trace_format_name(enum trace_format format);
enum trace_format trace_format_of(const char *name);

/* A reader of a trace, with its place for messages. */
struct trace_reader {
    struct heddle *h;
    const char *name;
    u64 line; /* number of the last line read */
    enum trace_format format;
    struct trace_levels levels;
};

/* Reads a line, without its end: 1 a request, 0 none, -1 after a message. */
int trace_line(struct trace_reader *t, const char *text, size_t len, struct trace_request *q);

/* Adds a message at a column of the last line, from 1; false. */
bool trace_fail(const struct trace_reader *t, u32 column, const char *what);

/* Write commands, struct dram_record each, as CSV: the names of the columns, then lines of a data bus. */
void trace_put_head(const struct trace_levels *levels, struct buf *out);
void trace_put_commands(const struct board_dram *c, u32 bus, const struct buf *log, struct buf *out);

/* Splits a bank of a data bus, or a data bus, into its levels, and joins them. */
void trace_place(const struct board_dram *c, u32 bus, u32 bank, u64 level[TRACE_LEVELS]);
void trace_join(const struct board_dram *c, const u64 level[TRACE_LEVELS], u32 *bus, u32 *bank);

#endif
