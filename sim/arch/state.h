/*
 * The state of a launch: warps, blocks, decoded instructions. For sim/arch, and for the clock, which steps warps and
 * reads what they did, never what their registers hold.
 *
 *   struct run      one launch: decoded code, dimensions, memory            (built once)
 *     struct block  shared and local memory, barriers, its warps            (reused for one block after the other)
 *       struct warp registers, predicates, masks, the stack of divergence
 *         struct paths  by the hardware's rules: lanes that do not run, with their stacks
 *
 * Registers are stored lane-innermost, r[register][lane], so that one instruction over one warp is one short loop.
 */
#ifndef HEDDLE_ARCH_STATE_H
#define HEDDLE_ARCH_STATE_H

#include "sim/arch/deferred.h"
#include "sim/arch/machine.h"
#include "sim/arch/printed.h"

/* The lowest lane of a mask that is not empty. */
static inline u32 first_lane(u64 v) {
    u32 n = 0;
#if defined(__GNUC__)
    n = (u32)__builtin_ctzll(v);
#else
    while (!(v >> n & 1))
        n++;
#endif
    return n;
}

struct warp;
struct uop;

/* The outcome of an instruction for its warp. */
enum step {
    STEP_NEXT,   /* go on at w->pc */
    STEP_WAIT,   /* wait at a barrier */
    STEP_DONE,   /* no lane is left */
    STEP_FAULT,  /* run->fault is filled in */
    STEP_TURN,   /* the budget is used up */
    STEP_PARKED, /* go on at w->pc with other lanes: those that were at the barrier have not arrived yet */
};

typedef enum step (*exec_fn)(struct warp *w, const struct uop *u);

/* What a barrier gives to those who waited, of a predicate of all threads that took part. */
enum reduces { REDUCES_NOTHING, REDUCES_AND, REDUCES_OR, REDUCES_POPC };

/*
 * A decoded instruction. Register fields are offsets of rows, in elements; a source's row lies in the warp's registers
 * (sel 0) or in the run's constant rows (sel 1: immediates, and the zeros of rz). A destination rz is a row that is
 * never read.
 */
struct uop {
    _Alignas(64) exec_fn fn;
    u32 d, a, b, c;
    u8 asel, bsel, csel;
    u8 guard;          /* predicate and PRED_NEG */
    u8 pd, pa, pb, pc; /* predicates and PRED_NEG */
    u8 na, nb, nc;     /* the fields as numbers: NUM operands, barriers, transit and special registers */
    u8 nd;
    u8 rnd;       /* enum rounding */
    bool ftz;     /* flush denormals */
    bool sat;     /* clamp the result */
    bool fixed;   /* memory: the address has no register, every lane uses the same */
    bool masked;  /* a member mask is given */
    bool sync;    /* ld: performed at L2 where there is a clock (acquire, volatile, cv) */
    u8 space;     /* enum space */
    u8 mtype;     /* enum mtype */
    u8 bytes;     /* bytes moved by each lane, from mtype */
    u8 words;     /* registers moved by each lane, from mtype */
    u8 seg;       /* SEG modifier */
    bool counted; /* bar: a thread count is given */
    u8 reduces;   /* enum reduces */
    u64 imm;
};

/* One level of divergence: lanes that wait while others run above them. */
struct frame {
    u64 mask;
    u32 pc;     /* next instruction of the level */
    u32 reconv; /* address where it waits for the level below; NO_RECONVERGENCE: none */
    bool call;  /* first level of a called function; `ret` unwinds to it */
};

/* True if lanes that reach one of them may wait in the other. */
static inline bool frame_same(const struct frame *a, const struct frame *b) {
    return a->pc == b->pc && a->reconv == b->reconv && a->call == b->call;
}

/* Why a path does not run. */
enum path_state {
    PATH_READY,  /* others have their turn */
    PATH_MEETS,  /* waits for others where their branches meet */
    PATH_VOTES,  /* waits for others at a shuffle or vote without a member mask */
    PATH_NAMES,  /* waits for lanes that a member mask names, */
    PATH_SYNC,   /* or at a warp barrier */
    PATH_BARRIER /* waits for the rest of its warp at a block barrier */
};

/* Lanes of a warp that do not run. No padding: they are compared as bytes. */
struct path {
    u64 active;
    u32 pc, reconv, depth, calls, call; /* as in struct warp */
    u32 state;                          /* enum path_state */
    u32 at;                             /* PATH_BARRIER: the barrier, whether it waits there, and its threads */
    u32 age;                            /* turns that ended since, up to PATH_PATIENCE */
};

/* The paths of a warp beside the one that runs (sim/arch/paths.c). */
struct paths {
    u64 seen, before;    /* addresses accessed since the last branch back, and before it: hashes; 0: none */
    u32 polls, branches; /* branches back in this turn: in a row after the same addresses; all */
    u32 turns;           /* that ended since a path that waits was last let go */
    u32 forced;          /* the next instruction does not wait for lanes */
    u32 count, frames;   /* paths, frames in use */
    struct path path[WARP_MAX];
    struct frame frame[PATH_FRAMES]; /* those of the paths, one after the other */
};

enum access { ACCESS_NONE, ACCESS_LOAD, ACCESS_STORE, ACCESS_ATOMIC, ACCESS_SYNC };

/*
 * What the last instruction did, for the clock and for traces. Filled by memory instructions and branches.
 * With a clock (run->writes), lanes of global stores, atomics and sync loads have not been performed: `host`, `b`, `c`
 * and `fn` hold the work left, and stay valid until the warp's next instruction.
 */
struct effect {
    u64 mask;                /* lanes that executed */
    u64 diverged;            /* lanes that branched while others did not; 0: all took one way */
    u8 access;               /* enum access; ACCESS_SYNC: a load that is performed at L2 */
    u8 space;                /* enum space */
    u8 bytes;                /* bytes per lane */
    u64 addr[WARP_MAX];      /* addresses of the lanes in `mask`; generic ones for SPACE_GENERIC */
    u8 *host[WARP_MAX];      /* host addresses of deferred accesses, unless `span` is set */
    u8 *span;                /* host address of lane 0, if all lanes take part and are neighbours; else NULL */
    const u32 *b, *c;        /* operand rows */
    atom_fn fn;              /* operation of an ACCESS_ATOMIC */
    struct performed *watch; /* observer of deferred accesses when they are performed; NULL: none */
};

struct warp {
    /* Every instruction needs these: one line of the host's cache. */
    _Alignas(64) u32 *base[2]; /* registers of this warp, constant rows of the run: indexed by uop.asel */
    u64 active;                /* lanes at w->pc */
    u64 exec;                  /* active lanes whose guard holds, while an instruction runs */
    u32 pc;
    u32 reconv;
    u64 clock;             /* value of %clock: instructions issued, or cycles */
    struct effect *effect; /* the run's, shared by all warps */
    u32 index;             /* warp of the block */
    u8 waiting;            /* barrier it waits at + 1; 0 = none */
    bool call;             /* the running level is the first of a function */
    bool done;
    /* Most instructions need some of these. */
    struct run *run;
    struct block *block;
    const struct allocation *near; /* last allocation hit */
    u64 lane_key;                  /* the mask that lane[] spells out */
    u32 *lane;                     /* [W] 0 or ~0: the mask `lane_key`, for blends */
    u64 live;                      /* lanes that have not exited */
    u64 members;                   /* lanes with a thread of the block */
    u32 depth;                     /* frames in use */
    u32 calls;                     /* nested calls */
    u64 p[PRED_COUNT + 1];         /* predicates, one bit a lane; p[PT] is all ones */
    struct frame *frame;           /* [DIVERGENCE_DEPTH_MAX] those from `depth` on are empty */
    u32 *x;                        /* transit registers [TRANSIT_COUNT][TRANSIT_SLOTS][W] */
    struct paths *paths;           /* NULL by the strict rules */
};

struct barrier {
    u32 arrived;                         /* warps that have arrived */
    u32 expected;                        /* warps to arrive; 0: none has yet */
    bool whole;                          /* a warp named no thread count: the whole block */
    bool partial;                        /* lanes of a warp that arrived had exited */
    u8 reduces;                          /* enum reduces, of all who arrived */
    u32 took, held;                      /* threads that arrived, and those whose predicate holds */
    u64 who[BLOCK_THREADS_MAX / 8 / 64]; /* warps that have arrived, one bit each */
};

struct block {
    u32 index[3];
    u32 warps; /* number of warps */
    u32 left;  /* warps not done */
    u32 sm;
    u8 *shared;
    u8 *local; /* [threads][kernel->local] */
    struct barrier barrier[BARRIER_COUNT];
    struct warp *warp; /* [warps] */
    u32 exited;        /* threads that have exited */
    u64 sectors;       /* as struct block_work has it, where they are counted */
    void *watch;       /* a checker's notes on it; NULL: none */
};

struct exec_ops {
    enum step (*run)(struct warp *w, u64 budget);
    /* Runs the instruction u at w->pc without counting it; its effect is in w->exec and w->effect. */
    enum step (*step)(struct warp *w, const struct uop *u);
    const exec_fn *fn; /* [OP_COUNT] */
};

/* Of an instruction that is watched: what it does. */
struct watched_code {
    exec_fn fn;
    u8 guard;
};

struct run {
    const struct launch *launch;
    const struct exec_ops *ops;
    struct uop *code; /* [program->ninst] */
    u32 *rows;        /* constant rows */
    u32 width;
    u64 full; /* all lanes of a warp */
    u32 grid_dim[3], block_dim[3];
    u32 threads;  /* threads of a block */
    bool flat;    /* blocks are one-dimensional */
    bool counted; /* sectors of blocks are counted */
    bool transit; /* the program uses transit registers */
    u32 sms;
    u32 clock_mhz; /* of the SM; 0 without a clock */
    u8 *consts;
    u8 *params;
    u64 *issues;
    u64 *idle;                    /* lanes that did not take part, summed, per instruction */
    struct watched_code *watched; /* [program->ninst] what watch.c has replaced; NULL: nothing is watched */
    struct fault *fault;
    struct lenient lenient;  /* what the hardware's rules let pass */
    struct printed *printed; /* lines of prints; NULL: none are kept */
    struct effect *effect; /* effect of the last instruction of any warp: one, so that it stays in the nearest cache */
    struct writes *writes; /* with a clock: stores of the SM that have not reached L2; NULL without one */
};

/*
 * Prepares a launch (sim/arch/run.c): everything but `issues`, `idle` and `writes`, which are the caller's. False when
 * out of memory.
 */
bool run_begin(struct run *run, const struct launch *l, struct fault *fault, struct arena *arena);

/* A block's memory, for any block of the launch; NULL when out of memory. */
struct block *block_new(struct run *run, struct arena *arena);

/* Makes it block number n of the grid, at its first instruction. */
void block_start(struct run *run, struct block *b, u64 n);

/*
 * Counts a warp that has ended (STEP_DONE). By the hardware's rules its threads have arrived at each barrier that
 * others wait at: returns those that are complete now, one bit each.
 */
u32 block_warp_done(struct block *b, struct warp *w);

/* Counts what only the hardware's rules let pass, at the running instruction; at another. */
void warp_lenient(const struct warp *w, enum lenient_kind kind);
void warp_lenient_at(const struct warp *w, enum lenient_kind kind, u32 pc);

/* True if warps are left and all of them wait at barriers. */
bool block_stuck(const struct block *b);

/* The instruction or cycle limit was reached while this warp ran. */
void warp_limit_fault(const struct warp *w, struct fault *fault);

/* The executor for a width and a level of the host's instruction set; NULL when not built or not runnable here. */
const struct exec_ops *exec_find(enum engine e, u32 width);

/* Sets how a result is rounded, flushed and clamped. */
void uop_modify_result(struct uop *u, const struct inst *i);

/* Decodes the program for the run's width: run->code and run->rows. False when out of memory. */
bool run_decode(struct run *run, struct arena *arena);

/* Records a fault at the running instruction of the warp; always STEP_FAULT. w->pc is already past the instruction. */
enum step warp_fault(struct warp *w, const struct uop *u, enum fault_kind kind, u32 lane, const char *fmt, ...)
    PRINTF_LIKE(5, 6);

/* Adds to the fault's words; what does not fit is cut. */
void fault_say(struct fault *f, const char *fmt, ...) PRINTF_LIKE(2, 3);

/* Records a fault of a lane in the access to `space` that the warp's effect holds. */
enum step warp_memory_fault(struct warp *w, const struct uop *u, enum fault_kind kind, u32 lane, enum space space);

/*
 * Barrier bookkeeping (sim/arch/barrier.c): the warp arrives, for `threads` threads or (0) the whole block, and may
 * wait.
 */
enum step barrier_arrive(struct warp *w, const struct uop *u, u32 threads, bool wait);

/* Opens a barrier for those who have arrived. */
void barrier_open(struct block *b, u32 id);

/* A warp has ended: those that wait for the whole block wait for one less. Returns the barriers that are complete. */
u32 barrier_exit(struct block *b, const struct warp *gone);

/* Records the fault of a block whose warps all wait at barriers: which ones, and why no more warps will arrive. */
void barrier_stuck(struct block *b, struct run *run);

/* Divergence (sim/arch/warp.c): slow paths of branches, calls, returns, exits. */
enum step warp_diverge(struct warp *w, const struct uop *u, u64 taken);
enum step warp_call(struct warp *w, const struct uop *u);
enum step warp_return(struct warp *w);
enum step warp_exit_lanes(struct warp *w, u64 lanes);
/* Faults in place of an instruction whose parts do not fit together. */
enum step warp_illegal(struct warp *w, const struct uop *u);
/*
 * The running level ended, at its reconvergence point or empty: continue the level below. STEP_DONE when none is left.
 */
enum step warp_pop(struct warp *w);

/* The function to execute an instruction by the hardware's rules, of one that `fn` executes by the strict ones. */
exec_fn paths_function(const struct inst *i, u32 pc, exec_fn fn);

/* A level has ended: its lanes meet those that wait here, or wait for those to come. */
void paths_meet(struct warp *w);

/* The running path has no lane left: another one runs. STEP_DONE when there is none. */
enum step paths_end(struct warp *w);

/*
 * Part of the warp is at a block barrier. STEP_NEXT: the rest of it has arrived there before, on other paths.
 * STEP_FAULT, without a fault recorded: the rest can never arrive.
 */
enum step paths_barrier(struct warp *w, u32 at);

#endif
