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

struct buffer {
    struct arena arena; /* holds this struct, the name and the data */
    const char *name;
    u8 *data;    /* 64-byte aligned */
    u64 address; /* in global memory */
    u64 count;   /* elements */
    u64 bytes;
    u64 shape[HEDDLE_DIMS_MAX];
    u32 ndim;
    enum etype type;
    bool written; /* it may hold more than the zeros that it was made with */
};

struct gpu;
struct record;
struct record_key;

/* Events of a launch, in their order. */
struct recorded {
    const struct record_key *key; /* [events] */
    const struct record *record;  /* where they lie, in `gpu`: of SMs, then of partitions */
    u64 events;
    u32 sms;
    u32 regs, width, transit; /* of its kernel; of its warps; transit registers, 0 where the program has none */
};

struct state_reader;

/* What a buffer held before a launch that was watched. */
struct kept {
    const u8 *data;
    u64 address, bytes; /* of the buffer */
};

struct heddle {
    struct arena arena;       /* holds this struct */
    struct arena result;      /* holds the arrays of the last result */
    struct budget budget;     /* of buffers, launches, proofs and results */
    u64 computer;             /* bytes that the computer gives, as far as the caller knows; 0 = no bound */
    struct buf error;         /* lines; len 0 = none */
    struct buf notes;         /* likewise */
    struct buf buffers;       /* struct buffer * each */
    struct memory memory;     /* one allocation for each buffer */
    struct board board;       /* the machine of the launches */
    bool clocked;             /* a board was loaded, so launches are timed */
    struct gpu *gpu;          /* of the last timed launch; NULL when the board has changed since */
    struct recorded recorded; /* what the last launch recorded */
    u64 recordings;           /* that were made */
    struct kept *kept;        /* [nkept] of its buffers */
    u32 nkept;
    struct arena keys; /* of its events; in it room for so many bytes: */
    size_t keys_room;
    struct record_key *key;
    struct state_reader *state; /* what heddle_state keeps of it; NULL: it has not been asked */
};

struct heddle_program {
    struct program *program; /* whose arena holds this struct */
    u64 *writes;             /* [kernels] the parameters whose buffers it may write to, a bit each */
};

/* Every public function that can fail starts with this: there is no error yet. */
void context_begin(struct heddle *h);

/* Adds a line "WHERE: error: ..." to the error; always false. */
bool context_fail(struct heddle *h, const char *where, const char *fmt, ...) PRINTF_LIKE(3, 4);
/* Adds a line "WHERE: note: ..." to the notes: what a reader did to its input that the user should know. */
#define NO_ELEMENTS "it has no elements"
void context_note(struct heddle *h, const char *where, const char *fmt, ...) PRINTF_LIKE(3, 4);
bool context_no_memory(struct heddle *h, const char *for_what);

/* Adds the messages of a diag; when it has none, memory ran out. Always false. */
bool context_fail_diag(struct heddle *h, const struct diag *diag);

/* Hands a finished buf to the caller as a malloc'd, NUL-terminated block; NULL with an error when it had failed. */
char *context_hand_out(struct heddle *h, struct buf *text, size_t *len);

/* Whether the board can run a block of the launch; false with an error in words. */
bool board_admits(struct heddle *h, const struct launch *l);

/* Whether an SM of the board has room for one; likewise. */
bool board_fits(struct heddle *h, const struct launch *l);

/* "1.5 GB": of 1024 MB. */
struct size_text {
    char text[32];
};
struct size_text size_text(u64 bytes);

/* An instruction as it is written, and disassembled; kept with the result. False when out of memory. */
bool context_texts(struct heddle *h, const struct program *p, u32 pc, const char **text, const char **disassembly);

struct buffer *context_buffer(const struct heddle *h, const char *name);

/* The buffer whose name is nearest, or NULL. */
const char *context_nearest_buffer(const struct heddle *h, const char *name);

/* "; did you mean 'x'?", or "" when there is nothing near. */
struct suggestion {
    char text[80];
};
struct suggestion suggest(const char *near);

#endif
