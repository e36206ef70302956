/*
 * Functions of the WebAssembly module: numbers and texts in, JSON out. Pointers are addresses in its memory.
 *
 *   door = door_new()
 *   p = door_alloc(n), copy UTF-8 with a NUL there, door_load(door, 0, name, p), door_free(p)
 *   door_board(door, name, text), door_set(door, "KEY=VALUE ..."),
 *   then door_buffer(...), door_scalar(...), door_launch(...)
 *   or, for a kernel with cases, door_case(door, "2"), door_run(door, ...): its own buffers, arguments and expectations
 *   door_lua(door, name, script, argument): any script, which finds the files of the page as in the source tree
 *   functions with an answer leave JSON at door_answer(door): {"error": "..."} after a failure
 */
#ifndef HEDDLE_WEB_DOOR_H
#define HEDDLE_WEB_DOOR_H

#include "sim/api/heddle.h"
#include "sim/base/buf.h"

#define EXPORT(name) __attribute__((export_name(#name)))

enum { DOOR_MEMORY = 1 << 30 };              /* limit of buffers, launches and recordings: sizes fit 32 bits */
enum { DOOR_ROW = 6 + HEDDLE_EVENT_VALUES }; /* words of an event: kind, cycle, sm, block, warp, pc, its numbers */
enum { DOOR_TOUCH = 13 };                    /* words of what a lane did to memory: door_memory.c */
enum { DOOR_PROGRAMS = 2, DOOR_ARGS = 64, DOOR_NAME = 64 };

struct door {
    struct heddle *h;
    struct heddle_program *program[DOOR_PROGRAMS];
    char *source, *path;            /* text of program 0, and its name */
    struct heddle_session *session; /* NULL = not made yet */
    bool cased;                     /* door_case has found a case */
    struct heddle_arg arg[DOOR_ARGS];
    char name[DOOR_ARGS][DOOR_NAME], text[DOOR_ARGS][DOOR_NAME];
    u32 nargs;
    struct heddle_result result;
    struct heddle_debugger *debugger; /* on the last launch; NULL = not made yet */
    struct buf out;
};

/* Options of a launch, as words in memory. */
struct door_launch {
    u32 grid[3], block[3], warp;
    u32 functional, watch; /* watch: bytes of the recording, 0 = none */
    u32 max_instructions;  /* 0 = the standard limit */
    u32 check;             /* look for races, unwritten values and misused barriers */
};

/* Begin an answer; end it: false with an error, true with NULL. */
void door_begin(struct door *d);
bool door_end(struct door *d, const char *error);

/* Launches program 0 with the options of `l`, watched and checked as requested, and writes the result. */
enum heddle_status door_perform(struct door *d, struct heddle_launch *l, const struct door_launch *asked);

/* Write the long parts of answers: door_program.c, door_result.c, door_events.c. */
void door_put_program(struct door *d, const struct heddle_program *p);
void door_put_board(struct door *d);
void door_put_result(struct door *d, enum heddle_status status);
void door_put_events(struct door *d, u64 from, u64 count);
void door_put_columns(struct door *d, u64 from, u64 count);
bool door_put_state(struct door *d, u64 block, u32 warp, u64 before);

/* Opens the debugger on the last launch, false if it was not recorded, and closes it: door_debug.c. */
bool door_debugger(struct door *d);
void door_forget(struct door *d);

#endif
