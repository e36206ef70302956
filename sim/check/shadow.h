/*
 * Inside of the checkers: what they keep beside a launch.
 *
 *   struct check               one launch: decoded operands, findings, shadow of global memory
 *     struct check_block       a resident block: shadows of shared and local memory, what its warps know of one another
 *       struct check_warp      undefined bits of registers; what its lanes know
 *
 * Each instruction is a `struct site`, seen just before the machine executes it:
 *
 *   check.c    finds the site's block, its lanes, the addresses of its accesses; passes it on
 *   order*.c   what happens before what: barriers, fences, releases and acquires (order.h)
 *   cells.c    what was done to each byte of memory
 *   race.c     accesses that are not ordered
 *   keep.c     which accesses a byte keeps
 *   pending.c  loads of shared memory that nothing may race with before the next barrier
 *   init*.c    undefined registers and memory, followed to where something depends on them (init.h)
 *   spread.c   undefined bits of operands: which bits of a result they make undefined
 *   sync.c     barriers and member masks
 *   bounds.c   extents and rows
 *   value*.c   floating-point results, index arithmetic, shift counts (value.h)
 *   found.c    findings, grouped
 *   shadow.c   memory for all of them
 */
#ifndef HEDDLE_CHECK_SHADOW_H
#define HEDDLE_CHECK_SHADOW_H

#include "sim/arch/state.h"
#include "sim/check/check.h"
#include "sim/check/spread.h"

/* ---- instructions, as the checkers want them: decoded once ---- */

enum polled { POLLED_UNKNOWN, POLLED_NO, POLLED_YES };

/* Registers by enum operand_place: [first, first + count); count is 0 for immediates, rz and other operands. */
struct check_inst {
    u8 first[4], count[4];
    u16 predicates; /* read as operands, one bit each; the guard is not among them */
    u16 results;    /* predicates written */
    u8 polled;      /* enum polled: whether the value of a strong load decides a branch, once sync.c has looked */
    u64 named[4];   /* registers read or written, one bit each */
    u16 decides;    /* predicates read, the guard among them, or written */
    u16 commutes;   /* operation by which unordered atomics leave the same in any order; OP_COUNT: they do not */
    bool quiet;     /* it reads and writes nothing but these registers and predicates */
    u8 how;         /* enum check_how of a memory access; HOW_NONE */
    bool lane;      /* a row of one lane */
    bool meets;     /* an access, a fence or a barrier */
};

/* ---- what happens before what (order.h) ---- */

struct knowledge; /* accesses of other blocks, or of single lanes, that a thread knows of; never changed once made */

/* Knowledge of a lane at a fence, which a strong write after it releases. */
struct fence_mark {
    u64 sequence; /* 0: there was no fence */
    u64 lanes_known, all_known;
    struct knowledge *know;
    struct knowledge *exact; /* all knowledge, where some lanes or warps knew more than others; else NULL */
};

/* Knowledge of the lanes of a warp beyond their warp and block; made when one of them acquires or fences. */
struct lane_order {
    struct fence_mark fence[WARP_MAX];       /* the lane's last fence */
    struct fence_mark wide[WARP_MAX];        /* its last one that reaches other blocks */
    struct knowledge *know[WARP_MAX];        /* acquired */
    struct knowledge *seen[WARP_MAX];        /* read by strong accesses; acquired by the next fence */
    struct knowledge *narrow_seen[WARP_MAX]; /* the same, released by the own block: any fence will do */
};

/* A strong read by a warp: a load, or an atomic whose value a thread gets. */
struct strong_read {
    u64 sequence;  /* 0: there was none */
    u32 pc;        /* instruction */
    u32 lane;      /* the first of those that read */
    bool acquires; /* by itself, without a fence */
};

struct check_warp {
    /* init.c: lanes with undefined bits in a register, and those where not all of them are [regs] */
    u64 *any, *part;
    u32 *undefined; /* those bits [regs][W]; NULL until a register has some */
    u64 dirty[4];   /* registers whose `any` is not 0, one bit each */
    u64 predicates[PRED_COUNT];
    u64 transit[TRANSIT_COUNT * TRANSIT_SLOTS], transit_part[TRANSIT_COUNT * TRANSIT_SLOTS]; /* as of registers */
    u32 *transit_bits;
    u32 *origin; /* [regs + PRED_COUNT][W] rows of check.origins; NULL until one is needed */
    /* order.c */
    u64 lanes_known; /* each lane knows all lanes of the warp up to this */
    u64 *lane_known; /* [W][W]: what a lane (first index) knows of another; NULL: nothing beyond lanes_known */
    struct lane_order *order;
    struct note *reader[2];  /* of accesses in flight to L2 that release nothing */
    struct strong_read read; /* the last one */
};

/* Arrivals at a named barrier so far, and what they know together. */
struct check_barrier {
    u64 *join;                             /* [warps]; NULL until one is needed */
    u64 waits[BLOCK_THREADS_MAX / 8 / 64]; /* warps that wait, one bit each */
    struct knowledge *foreign;
    u32 arrived, expected;   /* warps; 0: none has arrived */
    struct check_place last; /* the last arrival */
};

/* Plain loads of shared memory that cells do not have yet (pending.c). */
struct pending {
    struct buf loads;
    u32 first, last;                 /* bytes that they read, at most: [first, last) */
    u32 touched_first, touched_last; /* bytes that other accesses but plain loads touched since the last barrier */
};

struct check_block {
    const struct block *of;
    u64 number; /* linear index of the block whose state this is */
    struct check_warp *warp;
    struct memory_cell *shared; /* race.c: [words] */
    struct pending pending;
    u8 *shared_undefined; /* init_memory.c: [bytes], 1: unwritten; copies of undefined bytes too */
    u8 *local_undefined;  /* [threads * local] */
    u64 all_known;        /* each warp knows all warps of the block up to this */
    u32 behind;           /* the same, as the first record that is not known */
    u64 *known;           /* [warps][warps] what a warp knows of another; NULL: nothing beyond all_known */
    struct check_barrier barrier[BARRIER_COUNT];
};

/* ---- one instruction ---- */

struct site {
    struct check *c;
    struct warp *w;
    const struct uop *u;
    const struct inst *i;
    const struct isa_row *row;
    const struct check_inst *t;
    struct check_block *block;
    struct check_warp *cw;
    u32 pc, width;
    u64 exec;           /* lanes that execute it */
    u64 addr[WARP_MAX]; /* of an access, in its space; of a generic one too */
    u8 space[WARP_MAX]; /* enum space, never SPACE_GENERIC: SPACE_COUNT where the address is none */
    u32 bytes;          /* moved by each lane */
    bool neighbours;    /* the whole warp accesses neighbours in one space, in the order of lanes */
};

/* Global memory: shadows of one allocation, in pages that are made when touched. */
enum { PAGE_BYTES = 4096 };

struct check_cells {
    struct memory_cell **page; /* race.c: [size / PAGE_BYTES] of PAGE_BYTES / 4 cells */
    u8 **undefined;            /* init_memory.c: the same of PAGE_BYTES each, NULL: nothing of the page was written;
                                  NULL: the buffer has content */
};

struct check {
    struct launch launch; /* first: the machine hands it back in run->launch */
    struct exec_ops ops;
    const struct exec_ops *real;
    u32 kinds;
    bool timed, order;
    struct arena arena;
    struct arena knowledge;    /* order.c: what threads and locations know, until all is forgotten */
    struct check_inst *inst;   /* [ninst] */
    struct check_cells *cells; /* [memory->count] */
    const u64 *extent, *row;
    const bool *written;
    struct buf blocks; /* struct check_block * each */
    struct buf found;  /* struct check_finding */
    struct buf found_index;
    struct race *race;
    struct value *value;
    struct buf origins;        /* struct origin */
    struct spread *spread;     /* init.c */
    struct location *location; /* [locations_size], a power of two: open addressing */
    u32 nlocations, locations_size;
    struct note *notes;              /* of accesses in flight that release something: free ones */
    u8 *all_written, *all_unwritten; /* init_memory.c: pages */
    u64 sequence;                    /* of memory instructions, fences and barriers, from 1 */
    u64 memory, memory_limit;
    u64 pending_bytes; /* of loads that blocks keep */
    u64 forgotten;     /* accesses */
    u64 times;         /* times that all of them were forgotten */
    struct site *site; /* the instruction that is being executed */
    bool seen;         /* its block has a shadow */
    bool unwritten;    /* there are buffers without content */
    bool failed;       /* memory ran out */
};

static inline bool checks(const struct check *c, enum check_kind kind) {
    return c->kinds >> kind & 1;
}

/* Memory for a shadow: zeroed, counted. NULL when out of memory, which is noted. */
void *check_alloc(struct check *c, size_t bytes);

/* Page of the shadow of global memory, as by check_alloc; NULL also when it has no room, which is counted. */
void *check_page(struct check *c, size_t bytes);

/* The allocation that holds [addr, addr + bytes); its number, or UINT32_MAX. */
u32 site_allocation(const struct site *t, u64 addr);

static inline struct check_place site_place(const struct site *t, u32 lane) {
    return (struct check_place){.pc = t->pc,
                                .warp = t->w->index,
                                .lane = lane,
                                .block = t->block->number,
                                .cycle = t->c->timed ? t->w->clock : UINT64_MAX,
                                .how = t->t->how};
}

/* Sets which instruction of a warp a site is. */
static inline void site_instruction(struct site *t, struct check *c, struct warp *w, u32 pc) {
    t->c = c;
    t->w = w;
    t->u = &w->run->code[pc];
    t->pc = pc;
    t->width = c->launch.width;
    t->i = &c->launch.program->inst[pc];
    t->row = &isa_rows[t->i->op];
    t->t = &c->inst[pc];
}

/* Loads that a block kept back happen before all that follows. */
static inline void pending_drop(struct check_block *b) {
    struct pending *p = &b->pending;
    p->loads.len = 0;
    p->first = p->touched_first = UINT32_MAX;
    p->last = p->touched_last = 0;
}

/* ---- found.c ---- */

/* Counts a finding; the first of its class and pair of instructions is kept, with the text, and returned. */
struct check_finding *found_add(struct check *c, const struct check_finding *f, const char *fmt, ...) PRINTF_LIKE(3, 4);

/* ---- the parts ---- */

bool cells_begin(struct check *c);
void cells_room(struct check *c); /* forgets all accesses if the next instruction might not find room */
void cells_end(struct check *c);
u32 cells_records(const struct check *c);                 /* the number of the next one */
u64 cells_bytes(const struct check *c);                   /* of its growing arrays, at most */
bool cells_block(struct check *c, struct check_block *b); /* memory for it */
void cells_block_start(struct check *c, struct check_block *b);
void race_access(struct site *t); /* a load, store or atomic */

/* A memory instruction of a warp, which the shadow of memory refers to. */
struct check_record {
    u64 sequence;
    u64 block, cycle;
    u32 pc;
    u16 warp;
    u8 how; /* enum check_how */
};

void order_block_start(struct check *c, struct check_block *b);
void order_forget(struct check *c); /* forgets all accesses so far */
void order_fence(struct site *t);
void order_warp_barrier(struct site *t);
void order_arrive(struct site *t); /* after the machine has counted the arrival */
/* Strong accesses: releases at stores and atomics, acquires at loads and atomics. */
void order_strong(struct site *t);
/*
 * Writes which side lacks which fence, if the site's block has read what might have ordered a recorded access by lane
 * `from` before the site; else nothing.
 */
void order_remedy(const struct site *t, const struct check_record *r, u32 from, char *text, size_t size);
/* Common knowledge of the site's lanes about a recorded instruction. */
enum order_answer {
    ORDER_BEFORE, /* it happens before what they do now */
    ORDER_OWN,    /* each lane knows its own part only */
    ORDER_NONE,   /* they know nothing of it */
    ORDER_ASK     /* order_knows answers, lane by lane */
};
enum order_answer order_of(const struct site *t, const struct check_record *r);
/* True if an access by lane `from` of a recorded instruction happens before what a lane of the site does now. */
bool order_knows(const struct site *t, u32 lane, const struct check_record *r, u32 from);

bool init_begin(struct check *c);
bool init_block(struct check *c, struct check_block *b);
void init_block_start(struct check *c, struct check_block *b);
void init_site(struct site *t);

void sync_site(struct site *t);
bool sync_exchanges(const struct site *t, u32 lane, const struct check_record *r);
void sync_warp_done(struct site *t);
void sync_deadlock(struct check *c, u64 block); /* the launch ended in one */

void bounds_site(struct site *t);

bool value_begin(struct check *c);
void value_before(struct site *t);
void value_after(struct site *t); /* of the results */

#endif
