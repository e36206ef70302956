/*
 * A recording: what happened on an SM, as numbers that can be looked at afterwards. Passive: nothing flows back, so a
 * launch that is recorded gives the same bytes, cycles and counters. sim/time/events.def lists the events.
 *
 * Each SM appends to a recording of its own while its window runs, in the order in which the clock works things out;
 * the cycles of events that it foresees (replies, the end of a wait) may lie ahead. Readers sort them.
 */
#ifndef HEDDLE_TIME_RECORD_H
#define HEDDLE_TIME_RECORD_H

#include "sim/base/buf.h"
#include "sim/time/timing.h"

enum event_kind {
#define EVENT(id, name, doc) EVENT_##id,
#include "sim/time/events.def"
    EVENT_COUNT
};

/* What follows the numbers of an event. */
enum event_tail {
    TAIL_NONE,
    TAIL_ROWS,     /* registers: struct record_row and its values, each */
    TAIL_LEVELS,   /* levels of divergence: 3 numbers each */
    TAIL_ADDRESSES /* one for each lane that takes part, ascending */
};

/* How an event lies in memory: a multiple of 8 bytes. */
struct record_event {
    u64 cycle;
    u32 words; /* of 8 bytes, in all */
    u8 kind;
    u8 fields; /* numbers at the start of `value`; the rest is its tail */
    u16 sm;
    u64 block;    /* number in the grid */
    u32 warp, pc; /* warp of the block; RECORD_NONE: the event is of no warp */
    u64 value[];
};

/* A register in a tail, followed by `words` of values: 32-bit ones of a register, lane by lane; a predicate's mask. */
struct record_row {
    u32 slot; /* number on the scoreboard: registers, predicates, transit registers */
    u32 words;
};

#define RECORD_NONE 0xffffffffu

/* What is to be kept. */
struct record_span {
    u64 from, to; /* cycles: [from, to) */
    u64 bytes;    /* that all SMs may take together */
};

/* Where an event lies, and its place in the order of cycles, SMs and kinds. */
struct record_key {
    u64 order; /* record_order */
    u64 at;    /* byte of the SM's `events` */
};

static inline u64 record_order(u64 cycle, u32 sm, enum event_kind kind) {
    return cycle << 20 | (u64)sm << 4 | kind;
}
_Static_assert(EVENT_COUNT <= 16 && BOARD_MAX_top_sms <= 1 << 16, "a key has room for kind and SM");

/* What is known of a warp up to its last event. */
struct record_warp {
    u64 since;  /* cycles before that are told */
    u64 active; /* its lanes and its levels of divergence, which only its own instructions change */
    u32 depth;
};

struct record {
    u64 from, to;             /* cycles that are kept: [from, to) */
    size_t room;              /* bytes that it may take */
    u64 cut;                  /* first cycle of which an event found no room; TIME_NEVER: none */
    struct buf events;        /* struct record_event each */
    struct buf keys;          /* struct record_key of each */
    u32 accesses;             /* numbers given to accesses */
    struct record_warp *warp; /* [sm.max_warps] */
};

struct sm;
struct core_warp;
struct lsu_access;
struct load;

/* ---- what happens, called where s->record is not NULL ---- */

void record_begin(struct sm *s, const struct core_warp *w, u64 cycle);

/* The warp waits until then, from where its last wait ended, to issue `pc`; the end of all its waits. */
u64 record_wait(struct sm *s, const struct core_warp *w, u32 pc, u64 until, enum stall why);

/* It has issued an instruction in that cycle, whose results are ready when the scoreboard says. */
void record_issue(struct sm *s, const struct core_warp *w, u32 pc, u64 cycle);

/* The lanes' part of the last instruction's access in one space; its number. */
u32 record_access(struct sm *s, const struct core_warp *w, u32 pc, enum space space, u64 lanes, u32 cycles, u64 cycle);
void record_line(struct sm *s, const struct lsu_access *a, u32 i, u32 hits, u32 pending, u32 ticket, u64 cycle);
void record_reply(struct sm *s, u32 ticket, u64 cycle);

/* The load has ended, and its warp is there. */
void record_arrive(struct sm *s, const struct load *l);

/* EVENT_BARRIER or EVENT_RELEASE. */
void record_barrier(struct sm *s, const struct core_warp *w, u32 pc, enum event_kind kind, u32 number, u64 cycle);
void record_end(struct sm *s, const struct core_warp *w, u64 cycle);
void record_free(struct sm *s, u32 block, u64 cycle);

/* ---- the table ---- */

extern const char *const event_names[EVENT_COUNT], *const event_docs[EVENT_COUNT];

/* The numbers of an event of that kind, in their order; NULL behind the last. What follows them. */
const char *event_field(enum event_kind kind, u32 index, const char **doc);
enum event_tail event_tail(enum event_kind kind, const char **doc);

#endif
