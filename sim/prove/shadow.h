/*
 * The shadow of a launch: beside the machine, which runs on one set of data, it keeps for every bit of every register,
 * predicate and memory cell what that bit is as a function of what the buffers held at the start (sim/prove/term.h).
 *
 *   machine                          shadow
 *   r5, lane 3 = 0x2f81c0de          word 3 of buffer 0
 *   p0, lane 3 = 1                   setp.lt.f32(word 3 of buffer 0, 0)
 *   shared[12] = 0x2f81c0de          word 3 of buffer 0
 *
 *   struct shadow_setup setup = {.launch = &l, .terms = &e, .side = 0, .role = roles};
 *   if (shadow_init(s, &setup) && machine_run(&s->launch, &fault) == RUN_OK)
 *       use(shadow_word(s, allocation, word));
 *   shadow_free(s);
 *
 * The machine decides which instruction runs, in which lanes, and at which addresses. As long as that does not depend
 * on the data, the shadow holds for all data; the first time it does is kept in `depends`. It never runs ahead: each
 * instruction is seen just before the machine executes it.
 */
#ifndef HEDDLE_PROVE_SHADOW_H
#define HEDDLE_PROVE_SHADOW_H

#include "sim/prove/algebra.h"
#include "sim/check/check.h"
#include "sim/arch/eval.h"
#include "sim/prove/term.h"

/* What a buffer holds at the start. */
enum shadow_role { ROLE_ANY, ROLE_ZEROS };

/* Which part of a launch's control flow depended on an unknown value. */
enum depend_kind {
    DEPEND_NONE,
    DEPEND_BRANCH,
    DEPEND_GUARD,
    DEPEND_ADDRESS,
    DEPEND_LANE,
    DEPEND_MASK,
    DEPEND_THREADS,
    DEPEND_JOINED, /* a result of other warps, which is not followed */
    /* Where control flow is followed for all data (sim/prove/path.h): */
    DEPEND_BOUND, /* more often than the bound */
    DEPEND_PATHS, /* more runs than the bound */
    DEPEND_FAULT, /* a fault, for some data or all */
    DEPEND_LOOP,  /* a loop whose end does not depend on data, and was not reached */
    DEPEND_LIMIT  /* more instructions than allowed */
};

struct depend {
    enum depend_kind kind;
    u32 pc;
    u32 bit; /* an unknown bit of it */
};

/* The last writer of a byte of global memory. */
struct writer {
    u32 pc;
    u32 block[3], warp, lane;
    u32 reg; /* of the value */
};

struct shadow_warp {
    u32 *r;            /* [kernel->regs][W] words */
    u32 *p;            /* [PRED_COUNT][W] bits */
    u32 *x;            /* [TRANSIT_COUNT * TRANSIT_SLOTS][W] words */
    struct flow *flow; /* sim/prove/path.c */
};

struct shadow_block {
    const struct block *of;
    u64 number; /* linear index of the block whose state this is */
    u32 *shared, *local;
    struct shadow_warp *warp;
};

/* The words of one allocation. */
struct shadow_cells {
    u32 *word;   /* WORD_NONE: as at the start */
    u32 *writer; /* [bytes] number + 1 in `writers`; 0: none */
    u32 words;
    enum shadow_role role;
};

enum { SHADOW_BLOCKS = 256 };

struct shadow {
    struct launch launch; /* first: the machine hands it back in run->launch */
    struct exec_ops ops;  /* steps and shadows in turn */
    const struct exec_ops *real;
    struct check *check; /* shown what each instruction may access; NULL: none */
    struct terms *e;
    u32 side; /* kernel 0 or 1 */
    struct arena arena;
    struct eval *lanes; /* 64 lanes wide, for instructions of one lane */
    struct eval *warp;  /* as wide as the launch */
    struct shadow_block block[SHADOW_BLOCKS];
    u32 blocks;
    struct shadow_cells *cells; /* [memory->count] */
    struct buf writers;         /* struct writer */
    struct depend depends;      /* the first */
    bool joined;                /* a result of other warps was not followed: words may not be the machine's */
    bool failed;                /* memory ran out */
    bool (*goes_on)(void *ctx);
    void *goes_on_ctx;
    bool stopped; /* goes_on returned false */
    u32 ticks;    /* instructions since the last call of goes_on */
    /* Where control flow is followed for all data: */
    u32 bound;
    u64 rounds;
    const u32 *assumed; /* bits that are taken to be 1 */
    u32 assumptions;
    bool (*never)(void *ctx, u32 bit);
    void *never_ctx;
    u32 split, split_pc; /* the bit to divide the run by, 0: none; and the instruction that needs it */
    struct state *free;  /* sim/prove/path.c */
    struct sizes *sizes; /* of a launch of unknown size (sim/prove/sizes.h), or NULL */
};

/* One instruction of one warp. */
struct site {
    struct shadow *s;
    struct warp *w;
    const struct uop *u;
    const struct inst *i;
    const struct isa_row *row;
    struct shadow_block *block;
    struct shadow_warp *sw;
    u32 pc;
    u32 width;
    u64 exec;            /* lanes that execute it in the machine */
    u64 maybe;           /* lanes that execute it for some data: more than `exec` only where a guard is unknown */
    u32 guard[WARP_MAX]; /* of the lanes in `maybe`: a bit */
};

struct shadow_setup {
    const struct launch *launch;
    struct terms *terms;
    u32 side;
    const enum shadow_role *role; /* of each allocation */
    struct check *check;          /* of the same launch; NULL: none */
    /*
     * 0: control flow is the machine's on its data. Else it is followed for all data (sim/prove/path.h), through a
     * branch by unknown bits at most so often; the machine's data are then neither read nor written.
     */
    u32 bound;
    const u32 *assumed; /* bits that are taken to be 1 */
    u32 assumptions;
    bool (*never)(void *ctx, u32 bit); /* whether a bit is 0 for all data, as far as that can be found out; or NULL */
    void *never_ctx;
    u64 rounds;                 /* most rounds in a row of loops that do not depend on data, of a warp */
    bool (*goes_on)(void *ctx); /* called now and then; false ends the run. NULL: runs on */
    void *goes_on_ctx;
    struct sizes *sizes; /* of a launch of unknown size (sim/prove/sizes.h); NULL: its size is known */
};

/* False when out of memory; shadow_free in either case. A `struct shadow` is not moved afterwards. */
bool shadow_init(struct shadow *s, const struct shadow_setup *setup);
void shadow_free(struct shadow *s);

/* A word of global memory as it is now; and the last writer of a byte of it, NULL when there is none. */
u32 shadow_word(struct shadow *s, u32 allocation, u32 word);
const struct writer *shadow_writer(const struct shadow *s, u32 allocation, u64 byte);

/* ---- inside: what the parts need of each other ---- */

#define BIT_UNSET 0x7fffffffu /* an uninitialised predicate; no atom has this number */

/* The warp's next instruction: first its warp (false when out of memory), then the instruction at its pc; and doing it,
   where it belongs to one lane or to memory, in the lanes `maybe`. */
bool site_begin(struct site *t, struct shadow *s, struct warp *w);
void site_at(struct site *t);
void site_perform(struct site *t);

/* Content of a source operand in a lane, half 1 being the high half of a pair; its value if known, or the machine's. */
u32 site_source(struct site *t, enum operand_place place, u32 half, u32 lane);
u32 site_value(struct site *t, enum operand_place place, u32 half, u32 lane);

/* A register or a predicate; a write leaves the old value where the guard does not hold. */
u32 site_register(struct site *t, u32 reg, u32 lane);
u32 site_predicate(struct site *t, u32 field, u32 lane);
void site_set(struct site *t, u32 reg, u32 lane, u32 word);
void site_set_predicate(struct site *t, u32 p, u32 lane, u32 bit);

/* `yes` where the lane's guard holds, else `no`. */
u32 site_choice(struct site *t, u32 lane, u32 yes, u32 no);

/* The machine faults here, if the lane's guard holds. */
void site_faults(struct site *t, u32 lane);

/* An uninitialised value. */
u32 site_fresh(struct site *t, enum fresh_kind kind, u32 number, u32 lane);

/* Records that control flow depends on this word or bit, unless it is known. */
void site_depends(struct site *t, enum depend_kind kind, u32 bit);
void site_depends_word(struct site *t, enum depend_kind kind, u32 word);

/* Result of the operation: sim/prove/lane.c. */
struct lane_out lane_value(struct site *t, u32 op, const struct lane_in *in);

/* An instruction of one lane on two constants, by the executor, with the modifiers of the site's. */
static inline u64 site_constant(struct site *t, u16 op, u64 a, u64 b) {
    struct eval *v = t->s->lanes;
    v->a[0] = a;
    v->b[0] = b;
    eval_run(v, op, t->u, 1);
    u32 kind = isa_rows[op].operand[0].kind;
    return kind == K_REG2 ? v->d[0] : kind == K_PRED ? v->pd & 1 : (u32)v->d[0];
}

/* A function for each kind of instruction. */
void site_lane(struct site *t); /* sim/prove/lane.c */
void site_load(struct site *t); /* sim/prove/cells.c */
void site_store(struct site *t);
void site_atomic(struct site *t);
void site_warp(struct site *t); /* sim/prove/warp.c */

/* site_faults on a side that is followed for all data: sim/prove/path.c. */
void path_faults(struct site *t, u32 lane);

/* True if the run may go on; `goes_on` is called now and then. */
bool shadow_goes_on(struct shadow *s);

#endif
