/*
 * Inside of `struct heddle`: the named buffers, the text of the last error, the counts of the last launch.
 *
 *   struct heddle --- error                    lines that heddle_error shows
 *                 +-- buffers: struct buffer*  in the order of their creation; each in an arena of its own
 *                 +-- memory                   their addresses, ascending; a buffer keeps its address while it lives
 *                 +-- board                    the machine that launches run on
 *                 +-- result                   arrays of the last launch's result
 */
#ifndef HEDDLE_API_CONTEXT_H
#define HEDDLE_API_CONTEXT_H

#include "isa/program.h"
#include "sim/api/heddle.h"
#include "sim/arch/machine.h"
#include "sim/board/board.h"

/* What happened to a buffer last (contents.def). */
enum content {
#define CONTENT(id, written, doc) CONTENT_##id,
#include "sim/api/contents.def"
    CONTENT_COUNT
};

struct content_row {
    bool written;
    const char *doc;
};

extern const struct content_row content_rows[CONTENT_COUNT];

struct buffer {
    struct arena arena; /* holds this struct, the name and the data */
    const char *name;
    u8 *data;    /* the contents, 64-byte aligned */
    u64 address; /* in global memory */
    u64 count;   /* elements */
    u64 bytes;
    u64 shape[HEDDLE_DIMS_MAX];
    u32 ndim;
    enum etype type;
    enum content content;
};

struct gpu;
struct bus_log;
struct record;
struct record_key;

/* The events of a launch, in order. */
struct recorded {
    const struct record_key *key; /* [events] */
    const struct record *record;  /* the memory of the events, in `gpu`: SMs, then partitions */
    u64 events;
    u32 sms;
    u32 regs, width, transit; /* kernel's registers; lanes of a warp; transit registers, 0 if the program has none */
};

struct state_reader;

/* The contents of a buffer before a recorded launch. */
struct kept {
    const u8 *data;
    u64 address, bytes; /* of the buffer */
};

struct heddle {
    struct arena arena;      /* holds this struct */
    struct arena result;     /* holds the arrays of the last result */
    struct budget budget;    /* of buffers, launches, proofs and results */
    u64 computer;            /* memory of the computer, if the caller knows it; 0 = no limit */
    struct buf error;        /* lines; len 0 = no error */
    struct buf notes;        /* lines; len 0 = no notes */
    struct buf buffers;      /* list of struct buffer * */
    struct memory memory;    /* one allocation for each buffer */
    struct board board;      /* the board of the launches */
    u16 value[BOARD_FIELDS]; /* fields that can have several values, in order; number of them: */
    u32 values;
    bool traces;               /* timed launches keep what DRAM does */
    const struct bus_log *log; /* of the last launch, in `gpu`: what it kept; NULL = nothing */
    bool clocked;              /* a board was loaded, so launches are timed */
    struct gpu *gpu;           /* of the last timed launch; NULL if the board has changed since */
    struct recorded recorded;  /* the recording of the last launch */
    u64 recordings;            /* number of recordings made */
    struct kept *kept;         /* [nkept] the last launch's buffers */
    u32 nkept;
    struct arena keys; /* holds the keys of the events; its room in bytes: */
    size_t keys_room;
    struct record_key *key;
    struct state_reader *state; /* kept by heddle_state; NULL = not called yet */
};

struct heddle_program {
    struct program *program; /* program, whose arena holds this struct */
    u64 *writes;             /* [kernels] parameters whose buffers the kernel may write to, one bit each */
};

/* Clears the error; every public function that can fail starts with this. */
void context_begin(struct heddle *h);

/* Adds a line "WHERE: error: ..." to the error. Returns false. */
bool context_fail(struct heddle *h, const char *where, const char *fmt, ...) PRINTF_LIKE(3, 4);
/* Adds a line "WHERE: note: ..." to the notes: what a reader did to its input, if the user should know it. */
#define NO_ELEMENTS "it has no elements"
void context_note(struct heddle *h, const char *where, const char *fmt, ...) PRINTF_LIKE(3, 4);
bool context_no_memory(struct heddle *h, const char *for_what);

/* Adds the messages of a diag; without any, that memory ran out. Returns false. */
bool context_fail_diag(struct heddle *h, const struct diag *diag);

/* Hands a finished buf to the caller as a malloc'd, NUL-terminated block; NULL with an error if the buf had failed. */
char *context_hand_out(struct heddle *h, struct buf *text, size_t *len);

/* Checks that the board can run a block of the launch; false with an error. */
bool board_admits(struct heddle *h, const struct launch *l);

/* Checks that an SM of the board has room for a block; false with an error. */
bool board_fits(struct heddle *h, const struct launch *l);

/* A size in words: "1.5 GB", in units of 1024. */
struct size_text {
    char text[32];
};
struct size_text size_text(u64 bytes);

/* Gets an instruction's source text and disassembly, kept with the result. False when out of memory. */
bool context_texts(struct heddle *h, const struct program *p, u32 pc, const char **text, const char **disassembly);

struct buffer *context_buffer(const struct heddle *h, const char *name);

/* Finds the buffer with the nearest name, or NULL. */
const char *context_nearest_buffer(const struct heddle *h, const char *name);

/* A suggestion "; did you mean 'x'?"; "" if no name is near. */
struct suggestion {
    char text[80];
};
struct suggestion suggest(const char *near);

#endif
