/*
 * The debugger: a launch is recorded whole, and commands move a cursor in the recording, forward and back by the same
 * code. The machine is never stopped, so that looking changes nothing.
 *
 * The cursor is a number of events that have happened, and a warp. Of a warp that has not ended, the next event is
 * mostly an instruction that it issues: that is the one which is shown.
 */
#ifndef HEDDLE_DEBUG_DEBUG_H
#define HEDDLE_DEBUG_DEBUG_H

#include "sim/api/heddle.h"
#include "sim/base/buf.h"
#include "sim/debug/warps.h"

enum stop_kind { STOP_LINE, STOP_PC, STOP_REGISTER, STOP_ADDRESS, STOP_FAULT };

/* Registers as they are named in a stop: "r4", "p0". */
struct stop {
    u32 number;
    enum stop_kind kind;
    u64 from, to;   /* pc, of a line its first; addresses */
    const char *in; /* the line's file; NULL: the one that was loaded */
    u32 line;
    char name[8]; /* of a register */
    u64 block;    /* whose register */
    u32 warp;
    bool only_if; /* lane `lane` of `cond` compares so with `value` */
    char cond[8], op[3];
    u32 lane;
    s64 value;
    char text[256]; /* as it was given, its words at most */
};

struct debug {
    struct heddle *h; /* whose last launch is looked at */
    const struct heddle_program *program;
    u64 recording;   /* heddle_recording */
    u64 cycles;      /* of the launch */
    u32 width;       /* lanes of its warps */
    bool fault;      /* it has ended with one */
    struct buf code; /* struct heddle_instruction_info each, by pc */
    const char *kernel;
    bool from_start;  /* the recording begins with every warp, */
    bool whole;       /* and ends with it */
    bool late;        /* the program has loads whose registers come with their data */
    struct buf warps; /* struct warp_of each, by block */
    u64 block, cycle; /* of the cursor */
    u32 warp;
    s32 lane; /* that registers are shown of; -1: all */
    u64 at;   /* events before it have happened */
    u64 events;
    bool back;        /* the command goes backwards */
    struct buf stops; /* struct stop each */
    u32 stopped;      /* numbers that were given */
    struct buf out;   /* what a command prints */
    struct buf error; /* why it could not be carried out */
    bool left;        /* `quit` */
    bool viewable;    /* whoever gives the commands has a full-screen view, */
    bool view;        /* and `view` opens it */
};

enum event { EVENT_WAIT, EVENT_ISSUE, EVENT_ACCESS, EVENT_ARRIVE, EVENT_BARRIER, EVENT_END, EVENT_OTHER };

/* Event number i; EVENT_OTHER behind the last. */
enum event debug_event(const struct debug *d, u64 i, struct heddle_event *e);

/* The words of a command line: text, and what follows. */
struct words {
    const char *rest;
    const char *end; /* NULL: that of the line */
};

enum { WORD_BYTES = 64 }; /* of a word and its NUL at most */

/* The next word, "" when there is none; as much of it as has room. */
const char *words_next(struct words *w, char *word, size_t size);

/* The number of a word that ends in "[NUMBER]", from behind the bracket on; false: it is none. */
bool debug_index(const char *digits, u64 *number);

/* The text of an instruction without its guard. */
const char *debug_unguarded(const char *text);

/* The instruction at a pc; NULL when the program has none there. */
const struct heddle_instruction_info *debug_instruction(const struct debug *d, u32 pc);

/* Carries out a command; false, with all as it was, after d->error has been written. An empty line does nothing. */
bool debug_command(struct debug *d, const char *line);

/* The same for a command in a command: d->back stays. */
bool debug_perform(struct debug *d, const char *line);

/*
 * Looks at the last launch on `h`, which was of `program` and watched, and finds the cursor's first place. False when
 * nothing was recorded.
 */
bool debug_begin(struct debug *d, struct heddle *h, const struct heddle_program *program,
                 const struct heddle_result *result);
void debug_free(struct debug *d);

/* ---- for commands ---- */

/* Why it could not be carried out, and what would do; returns false. */
bool debug_refuse(struct debug *d, const char *format, ...) PRINTF_LIKE(2, 3);

/* An answer of one line, which is no mistake; returns true. */
bool debug_answer(struct debug *d, const char *format, ...) PRINTF_LIKE(2, 3);

/* The state of the warp at the cursor. */
bool debug_state(struct debug *d, struct heddle_state *s);

/* Moves to event number i, which is of that warp. */
void debug_move(struct debug *d, u64 i, u64 block, u32 warp);

/* The warp's issue at or after event i, or before it; UINT64_MAX: there is none. */
u64 debug_issue(struct debug *d, u64 i, bool back);

/* The cycle of the cursor. */
u64 debug_cycle_of(const struct debug *d);

/* Line and text of the instruction at pc; the line as it is in the source where that is known. */
u32 debug_line(const struct debug *d, u32 pc, char *text, size_t size);

/* "line 38", or "line 3 of find.hd". */
struct short_text debug_place(const struct debug *d, u32 pc);

/* Names of files, NULL being the one that was loaded; one that is included twice has two. */
bool debug_same_file(const char *a, const char *b);

/* The line of that file from which a warp of the cursor's block issues next; 0: of none. */
struct place_of {
    u32 warp, line;
};

/* Those of all its warps, a struct place_of each. False when out of memory. */
bool debug_places(struct debug *d, const char *file, struct buf *places);

/* A line as it is named: "38", or "find.hd:3". */
struct line_spec {
    const char *file;
    size_t len; /* of its name; 0: the file that was loaded */
    u32 line, pc;
};

/* What a word is: no line; a line without an instruction; a line, whose first instruction is at `at->pc`. */
enum spec { SPEC_NONE, SPEC_EMPTY, SPEC_LINE };
enum spec debug_line_spec(const struct debug *d, const char *word, struct line_spec *at);

/* Whether the instruction is of that line. */
bool debug_is_at(const struct heddle_instruction_info *l, const struct line_spec *at);

/* The register that a name of the source or "r4" means in the function of pc: "r4", "p0"; false: none. */
bool debug_register(const struct debug *d, u32 pc, const char *name, char found[8]);

/* A lane of it: predicates are 0 or 1. False when the state has no such register or lane. */
bool debug_value(const struct heddle_state *s, const char *name, u32 lane, u32 *value);

/* BUFFER[ELEMENT], or a number: bytes. */
bool debug_address(struct debug *d, const char *text, u64 *from, u64 *to);

/* One line: where the warp is. */
void debug_put_where(struct debug *d);

/* Banks of shared memory on the board. */
u32 debug_banks(const struct debug *d);

/* Whether event i, which is an access of one of its kinds, has a lane that touches these bytes. */
bool debug_touches(const struct heddle_event *e, u64 from, u64 to);

#define COMMAND(name, brief, arguments, doc) bool debug_##name(struct debug *d, struct words *w);
#include "sim/debug/commands.def"

#endif
