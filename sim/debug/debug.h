/*
 * The debugger: a launch is recorded whole, and commands move a cursor in the recording, forward and back by the same
 * code. The machine is never stopped, so that looking changes nothing.
 *
 * The cursor is a warp, and the number of events before it. The next event of a warp that has not ended is mostly the
 * issue of an instruction, which is then shown.
 */
#ifndef HEDDLE_DEBUG_DEBUG_H
#define HEDDLE_DEBUG_DEBUG_H

#include "sim/api/heddle.h"
#include "sim/base/buf.h"
#include "sim/debug/warps.h"

enum stop_kind { STOP_LINE, STOP_PC, STOP_REGISTER, STOP_ADDRESS, STOP_FAULT };

/* A stop: a place, register or bytes that `continue` stops for. */
struct stop {
    u32 number;
    enum stop_kind kind;
    u64 from, to;   /* pcs, of a line its first; or addresses */
    const char *in; /* file of the line; NULL = the file that was loaded */
    u32 line;
    char name[8]; /* name of the register: "r4", "p0" */
    u64 block;    /* block of the register */
    u32 warp;
    bool only_if; /* only if lane `lane` compares with `value` by `cond` */
    char cond[8], op[3];
    u32 lane;
    s64 value;
    char text[256]; /* as given, at most its words */
};

struct debug {
    struct heddle *h; /* context of the launch */
    const struct heddle_program *program;
    u64 recording;   /* heddle_recording */
    u64 cycles;      /* cycles of the launch */
    u32 width;       /* lanes of a warp */
    u64 shared;      /* shared memory that the launch gave a block, bytes */
    bool fault;      /* the launch ended with a fault */
    struct buf code; /* list of struct heddle_instruction_info, by pc */
    const char *kernel;
    bool from_start;  /* every warp of the recording begins in it */
    bool whole;       /* every warp of the launch begins and ends in it */
    bool late;        /* the program has loads that write registers when their data arrive */
    struct buf warps; /* list of struct warp_of, by block */
    u64 block, cycle; /* block and cycle of the cursor */
    u32 warp;
    s32 lane; /* lane whose registers are shown; -1 = all */
    u64 at;   /* number of events before the cursor */
    u64 events;
    bool back;        /* the command moves backwards */
    struct buf stops; /* list of struct stop */
    u32 stopped;      /* last number given to a stop */
    struct buf out;   /* output of the command */
    struct buf error; /* reason for refusing it */
    bool left;        /* after `quit` */
    bool viewable;    /* the caller has a full-screen view, */
    bool view;        /* and `view` opens it */
};

enum event { EVENT_WAIT, EVENT_ISSUE, EVENT_ACCESS, EVENT_ARRIVE, EVENT_BARRIER, EVENT_END, EVENT_OTHER };

/* Gets event number i; EVENT_OTHER past the last. */
enum event debug_event(const struct debug *d, u64 i, struct heddle_event *e);

/* The words of a command line: the rest of the text. */
struct words {
    const char *rest;
    const char *end; /* NULL = the end of the line */
};

enum { WORD_BYTES = 64 }; /* room for a word and its NUL */

/* Reads the next word, "" if there is none; as much of it as fits. */
const char *words_next(struct words *w, char *word, size_t size);

/* Reads the number of a word "NAME[NUMBER]", from the first digit on; false if it is none. */
bool debug_index(const char *digits, u64 *number);

/* Returns the text of an instruction without its guard. */
const char *debug_unguarded(const char *text);

/* Finds the instruction at a pc; NULL if there is none. */
const struct heddle_instruction_info *debug_instruction(const struct debug *d, u32 pc);

/* Runs a command; false with the reason in d->error, and nothing else changed. An empty line does nothing. */
bool debug_command(struct debug *d, const char *line);

/* Runs a command within a command: d->back stays. */
bool debug_perform(struct debug *d, const char *line);

/*
 * Begins with the last launch on `h`, of `program` and watched, and finds the cursor's first place. False if nothing
 * was recorded.
 */
bool debug_begin(struct debug *d, struct heddle *h, const struct heddle_program *program,
                 const struct heddle_result *result);
void debug_free(struct debug *d);

/* ---- for commands ---- */

/* Refuses a command, with the reason and what would do; returns false. */
bool debug_refuse(struct debug *d, const char *format, ...) PRINTF_LIKE(2, 3);

/* Answers in one line, without an error; returns true. */
bool debug_answer(struct debug *d, const char *format, ...) PRINTF_LIKE(2, 3);

/* Gets the state of the warp at the cursor. */
bool debug_state(struct debug *d, struct heddle_state *s);

/* Moves to event number i, an event of that warp. */
void debug_move(struct debug *d, u64 i, u64 block, u32 warp);

/* Finds the warp's issue at or after event i, or before it; UINT64_MAX if there is none. */
u64 debug_issue(struct debug *d, u64 i, bool back);

/* Returns the cycle of the cursor. */
u64 debug_cycle_of(const struct debug *d);

/* Gets line and text of the instruction at pc; the line as in the source if it is known. */
u32 debug_line(const struct debug *d, u32 pc, char *text, size_t size);

/* Names a place: "line 38", or "line 3 of find.hd". */
struct short_text debug_place(const struct debug *d, u32 pc);

/* Compares names of files, NULL being the file that was loaded; one that is included twice has two. */
bool debug_same_file(const char *a, const char *b);

/* The line in a file that a warp of the cursor's block issues from next; 0 = none. */
struct place_of {
    u32 warp, line;
};

/* Lists these lines for all warps of the block, as struct place_of. False when out of memory. */
bool debug_places(struct debug *d, const char *file, struct buf *places);

/* A line as commands name it: "38", or "find.hd:3". */
struct line_spec {
    const char *file;
    size_t len; /* length of the file's name; 0 = the file that was loaded */
    u32 line, pc;
};

/* Result of reading a line: none; a line without an instruction; a line, with `at->pc` its first instruction. */
enum spec { SPEC_NONE, SPEC_EMPTY, SPEC_LINE };
enum spec debug_line_spec(const struct debug *d, const char *word, struct line_spec *at);

/* True if the instruction belongs to that line. */
bool debug_is_at(const struct heddle_instruction_info *l, const struct line_spec *at);

/* Finds the register of a name in the source, or of "r4", in the function of pc: "r4", "p0"; false if there is none. */
bool debug_register(const struct debug *d, u32 pc, const char *name, char found[8]);

/* Reads a lane of a register: predicates are 0 or 1. False if the state has no such register or lane. */
bool debug_value(const struct heddle_state *s, const char *name, u32 lane, u32 *value);

/* Reads BUFFER[ELEMENT], or a number, as bytes. */
bool debug_address(struct debug *d, const char *text, u64 *from, u64 *to);

/* Prints one line: where the warp is. */
void debug_put_where(struct debug *d);

/* Returns the number of shared memory's banks on the board. */
u32 debug_banks(const struct debug *d);

/* True if an access, event i of one of its kinds, has a lane that touches these bytes. */
bool debug_touches(const struct heddle_event *e, u64 from, u64 to);

#define COMMAND(name, brief, arguments, doc) bool debug_##name(struct debug *d, struct words *w);
#include "sim/debug/commands.def"

#endif
