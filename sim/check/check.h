/*
 * Checkers: they watch a launch, with a clock or without, and find what a run of it does not show.
 *
 *   struct check *c = check_new(&setup);
 *   enum outcome o = machine_run(check_launch(c), &fault);      or gpu_run, with one host thread
 *   check_fault(c, &fault);                                     if it ended with one
 *   for (u32 i = 0; i < check_count(c); i++)
 *       use(check_finding(c, i));
 *   check_free(c);
 *
 * A checker is an executor of its own (launch.ops) that looks at each instruction before the real one runs it, and
 * keeps a shadow of registers and memory. It changes no register, byte, count or cycle. Other launches pay nothing.
 */
#ifndef HEDDLE_CHECK_CHECK_H
#define HEDDLE_CHECK_CHECK_H

#include "sim/arch/machine.h"

enum check_kind {
#define CHECK_KIND(id, name, standard, doc) CHECK_##id,
#include "sim/check/kinds.def"
    CHECK_KINDS
};

enum check_class {
#define CHECK_CLASS(kind, id, name, doc) FOUND_##kind##_##id,
#include "sim/check/kinds.def"
    FOUND_COUNT
};

enum { CHECK_NAMED = 16 };

struct check_kind_row {
    const char *name, *doc;
    bool standard;
};

struct check_class_row {
    const char *name, *doc;
    u8 kind;
    bool named; /* found if its checker is named: `all` does not mean it */
    bool proof; /* found in proofs alone */
};

extern const struct check_kind_row check_kinds[CHECK_KINDS];
extern const struct check_class_row check_classes[FOUND_COUNT];

/* The way a place touched memory, or what else it did. */
enum check_how { HOW_NONE, HOW_READ, HOW_WRITE, HOW_ATOMIC, HOW_STRONG_READ, HOW_STRONG_WRITE };

/* One end of a finding: an instruction as one lane executed it. */
struct check_place {
    u32 pc;
    u32 warp, lane;
    u64 block; /* linear */
    u64 cycle; /* UINT64_MAX = no clock */
    u8 how;    /* enum check_how */
};

/* Findings of one class at one pair of instructions: the first, and how many. */
struct check_finding {
    u8 class;                 /* enum check_class */
    u8 places;                /* 1 or 2 */
    struct check_place at[2]; /* the one that completed it first, then the earlier one */
    u8 space;                 /* enum space of the address; SPACE_COUNT: there is none */
    u64 address;
    u32 bytes;
    u64 count;      /* lanes and executions that gave it */
    char text[200]; /* exactly what happened, and what would mend it */
};

struct check_setup {
    const struct launch *launch;
    u32 kinds;           /* bits 1 << enum check_kind, and of those that are named 1 << CHECK_NAMED + enum check_kind */
    bool order;          /* report atomics whose order matters as well, which are no races */
    bool timed;          /* launch with a clock: warps' clocks are cycles */
    const bool *written; /* of each allocation: it has content; NULL: all have */
    const u64 *extent;   /* of each allocation: declared bytes; NULL, or 0 for one: all */
    const u64 *row;      /* of each allocation: bytes of a row; NULL, or 0 for one: no rows */
    u64 memory;          /* bytes that shadows may take; 0 = CHECK_MEMORY */
};

#define CHECK_MEMORY ((u64)2 << 30)

struct check;

/* NULL when out of memory. The launch is copied; what it points to remains the caller's. */
struct check *check_new(const struct check_setup *setup);
void check_free(struct check *c);

/* The launch to run in place of setup->launch. */
const struct launch *check_launch(struct check *c);

/*
 * For callers with an executor of their own: called before and after each instruction of a warp; `lanes` are those that
 * may execute it.
 */
struct warp;
void check_before(struct check *c, struct warp *w, u64 lanes);
void check_after(struct check *c, bool done, bool faulted);

/* The launch ended with this fault: it counts as a finding where a checker's class is about it. */
void check_fault(struct check *c, const struct fault *f);

/* Adds what another run of the launch showed and this one did not. */
void check_merge(struct check *c, const struct check *other);

/* True if memory ran out: then the findings are incomplete. */
bool check_failed(const struct check *c);

u32 check_count(const struct check *c);
const struct check_finding *check_finding(const struct check *c, u32 index);

/* Bytes that shadows took at most, and accesses that were forgotten to keep within setup->memory. */
u64 check_bytes(const struct check *c);
u64 check_forgotten(const struct check *c);

#endif
