/*
 * A recording: what happened on an SM or in a memory partition, as numbers that can be looked at afterwards. Passive:
 * nothing flows back, so a launch that is recorded gives the same bytes, cycles and counters. sim/time/events.def lists
 * the events.
 *
 * Each SM and each partition appends to a recording of its own while it runs, in the order the clock works things out;
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

/* The tail after the numbers of an event. */
enum event_tail {
    TAIL_NONE,
    TAIL_ROWS,     /* registers: struct record_row and its values, each */
    TAIL_LEVELS,   /* levels of divergence: 3 numbers each */
    TAIL_ADDRESSES /* one for each lane that takes part, ascending: enum record_list, and the number that it defines */
};

/* The form of a number. */
enum event_form { FORM_NUMBER, FORM_OPTIONAL, FORM_MASK, FORM_STALL, FORM_SPACE, FORM_OPERATION, FORM_FOUND };

enum { EVENT_FIELDS = 8 }; /* at most */

#define RECORD_NONE 0xffffffffu

/*
 * An event in memory, a multiple of 8 bytes: this, its numbers, its tail. Numbers have 32 bits each where all
 * of them fit, all ones being an optional one that is not there.
 */
struct record_event {
    u64 who;   /* of an SM: record_who; of a partition: the requesting SM, or RECORD_NONE */
    u32 pc;    /* RECORD_NONE: it is of no instruction */
    u16 words; /* of 8 bytes, in all */
    u8 fields;
    u8 wide; /* its numbers have 64 bits */
    u64 value[];
};

/* Block in the grid, and warp of the block or RECORD_NO_WARP; no launch reaches block 2^48. */
enum { RECORD_NO_WARP = 0xffff };

static inline u64 record_who(u64 block, u32 warp) {
    return block << 16 | warp;
}

/*
 * A register in a tail: a cycle of 64 bits if its value is in flight, then `words` of values, or two of them where they
 * are v, v + step, v + 2 step, ...
 */
struct record_row {
    u16 slot;  /* number on the scoreboard: registers, predicates, transit registers */
    u16 words; /* of 32 bits: lane by lane; a predicate's mask */
    u8 steps, late;
    u8 pad[2];
};

/* Forms of a list of addresses: first and step; first, and distances from it in 32 bits each; all of them. */
enum record_list { LIST_STEPS, LIST_NEAR, LIST_PLAIN };

/* The part of a launch that is kept. */
struct record_span {
    u64 from, to; /* cycles: [from, to) */
    u64 bytes;    /* that all SMs and partitions may take together */
    u64 late;     /* an end of this memory that is kept for what warps are and wait for; half of it at most */
};

/* The place of an event in memory, and in the order of cycles, sources and kinds. */
struct record_key {
    u64 order; /* record_order */
    u64 at;    /* byte of the source's `events` */
};

enum { RECORD_KIND_BITS = 5, RECORD_SOURCE_BITS = 13, RECORD_CYCLE = RECORD_KIND_BITS + RECORD_SOURCE_BITS };
_Static_assert(EVENT_COUNT <= 1 << RECORD_KIND_BITS, "a key has room for kinds");
_Static_assert(BOARD_MAX_top_sms + BOARD_MAX_dram_channels <= 1 << RECORD_SOURCE_BITS, "a key has room for sources");

static inline u64 record_order(u64 cycle, u32 source, enum event_kind kind) {
    return cycle << RECORD_CYCLE | (u64)source << RECORD_KIND_BITS | kind;
}

static inline u64 record_cycle(u64 order) {
    return order >> RECORD_CYCLE;
}

static inline u32 record_source(u64 order) {
    return order >> RECORD_KIND_BITS & ((1u << RECORD_SOURCE_BITS) - 1);
}

static inline enum event_kind record_kind(u64 order) {
    return (enum event_kind)(order & ((1u << RECORD_KIND_BITS) - 1));
}

/* State of a warp up to its last event. */
struct record_warp {
    u64 since;  /* cycles before this are recorded */
    u64 active; /* its lanes and its levels of divergence, which only its own instructions change */
    u32 depth;
    bool known; /* its state has been recorded, or its beginning */
};

struct l2;

struct record {
    u64 from, to;             /* cycles that are kept: [from, to) */
    size_t room, late;        /* bytes that it may take; and more of them for late events */
    u64 cut;                  /* first cycle with an event that found no room; TIME_NEVER: none */
    struct buf events;        /* struct record_event each */
    struct buf keys;          /* struct record_key of each */
    u32 source;               /* SM, or SMs + partition */
    u32 accesses;             /* numbers given to accesses */
    struct record_warp *warp; /* [sm.max_warps] */
    const struct l2 *l2;      /* of the partition */
    struct record_shape {
        u8 fields, optional; /* how many numbers; which of them may be missing, one bit each */
    } shape[EVENT_COUNT];
};

/*
 * Most bytes that a warp of `regs` registers records when it issues at last: its waits until then, and its whole state
 * if the recording begins in the middle. For record_span.late: these events begin long before others that have found
 * room, and without them the recording would end there.
 */
u64 record_late_bytes(u32 regs, u32 width, bool middle);

/* A recording of the span; nothing has happened yet. */
struct record record_of_span(const struct record_span *span, u32 source, struct budget *budget);

/* Reads the numbers of an event. */
void record_read(enum event_kind kind, const struct record_event *e, u64 value[EVENT_FIELDS]);

struct sm;
struct core_warp;
struct lsu_access;
struct load;

/* ---- events of an SM, called where s->record is not NULL ---- */

void record_begin(struct sm *s, const struct core_warp *w, u64 cycle);

/* An instruction is about to issue in that cycle. */
void record_before(struct sm *s, const struct core_warp *w, u64 cycle);

/* The warp waits until then, from where its last wait ended, to issue `pc`; the end of all its waits. */
u64 record_wait(struct sm *s, const struct core_warp *w, u32 pc, u64 until, enum stall why);

/* Records that the warp issued an instruction in that cycle; its results are ready when the scoreboard has them. */
void record_issue(struct sm *s, const struct core_warp *w, u32 pc, u64 cycle);

/* The part of an access in one space, which takes the memory pipe for `cycles`. */
struct record_part {
    enum space space;
    u32 cycles;
    u64 lanes;
};

/* Records a part of the access that the warp issues in this cycle, and returns its number. */
u32 record_access(struct sm *s, const struct core_warp *w, u32 pc, struct record_part part);

/* Sectors of a line that a cache holds, awaits and evicts, one bit each. */
struct record_found {
    u32 hits, pending, evicted;
    bool asked; /* the last request of the SM is for the line */
};

/* Records line i of it. */
void record_line(struct sm *s, const struct lsu_access *a, u32 i, struct record_found found, u64 cycle);
void record_reply(struct sm *s, u32 ticket, u64 cycle);

/* Records the end of a load whose warp is resident. */
void record_arrive(struct sm *s, const struct load *l);

/* The barrier that the warp waits at has opened, and given it a result: `bar.red`. */
void record_joined(struct sm *s, const struct core_warp *w, u64 cycle);

/* Records that the warp arrives at a barrier, and that it is the last to arrive. */
void record_barrier(struct sm *s, const struct core_warp *w, u32 pc, u32 number, u64 cycle);
void record_release(struct sm *s, const struct core_warp *w, u32 pc, u32 number, u64 cycle);
void record_end(struct sm *s, const struct core_warp *w, u64 cycle);
void record_free(struct sm *s, u32 block, u64 cycle);

/* ---- events of a partition ---- */

struct request;
struct dram;
struct dram_slot;
struct dram_done;
struct cache_line;

/* Records that a slice serves a request for `cycles`. */
void record_lookup(struct record *r, const struct request *q, u32 cycles, struct record_found found, u64 now);

/* Records that its reply arrives at the SM at that time. */
void record_answer(struct record *r, const struct request *q, u64 arrives, u64 now);

/* Times are cycles of the memory's clock. */
void record_row(const struct dram *d, const struct dram_slot *slot, bool close, u64 now);
void record_burst(const struct dram *d, const struct dram_slot *slot, u32 found, u64 until, u64 now);

/* ---- the table ---- */

extern const char *const event_names[EVENT_COUNT], *const event_docs[EVENT_COUNT];

/* Numbers of an event of that kind, in their order, NULL beyond the last; and its tail. */
const char *event_field(enum event_kind kind, u32 index, enum event_form *form, const char **doc);
enum event_tail event_tail(enum event_kind kind, const char **doc);

/* The word for a number that stands for one; NULL for others, and for stall reasons, whose rows name them. */
const char *event_word(enum event_form form, u64 value);

#endif
