/*
 * The functional machine: runs a kernel over a grid of blocks and returns its outcome. It knows no clock and no board;
 * warps take turns in a fixed order, so a launch gives the same bytes every time.
 *
 *   struct memory m = {0};
 *   u64 address = memory_add(&m, "x", bytes, size);
 *   struct launch l = {.program = p, .kernel = k, .memory = &m, .grid = {4, 1, 1}, .block = {64, 1, 1}, ...};
 *   enum outcome o = machine_run(&l, &fault);
 */
#ifndef HEDDLE_ARCH_MACHINE_H
#define HEDDLE_ARCH_MACHINE_H

#include "isa/program.h"

enum {
    BLOCK_THREADS_MAX = 1024,
    CALL_DEPTH_MAX = 64,
    POISON = 0xcd,              /* content of registers, shared and local memory before they are written */
    DIVERGENCE_DEPTH_MAX = 256, /* nested divergent branches and calls of one warp */
    PATH_FRAMES = 512,          /* the same, of all lanes of a warp that do not run, by the hardware's rules */
    PATH_PATIENCE = 1 << 10     /* turns after which the path that has waited longest is let go first */
};

/* A named run of global memory. */
struct allocation {
    const char *name; /* not owned */
    u64 base;         /* global address, a multiple of 256 */
    u64 size;         /* bytes */
    u8 *bytes;        /* not owned */
};

enum {
    ADDRESS_FIRST = 0x10000000, /* everything below is "null": 256 MiB without data at any offset from 0 */
    ADDRESS_ALIGN = 256,
    ADDRESS_GAP = 4096 /* unused bytes after every allocation, so that running off its end is seen */
};

/* Global memory: allocations by ascending address, with unused addresses between them. */
struct memory {
    struct allocation *list; /* in `store` */
    u32 count;
    struct buf store;
};

/* Adds an allocation at the lowest address with room for it; the address, or 0 when there is none or no memory. */
u64 memory_add(struct memory *m, const char *name, u8 *bytes, u64 size);
void memory_remove(struct memory *m, u64 address);
void memory_free(struct memory *m);

/* Copies the allocations, each with bytes of its own, into the arena. False when out of memory. */
bool memory_clone(const struct memory *from, struct memory *to, struct arena *arena);

/* The allocation that holds the address, or NULL. */
const struct allocation *memory_find(const struct memory *m, u64 address);

enum engine { ENGINE_AUTO, ENGINE_BASELINE, ENGINE_V3, ENGINE_COUNT };

/* "auto", "baseline", "x86-64-v3" */
extern const char *const engine_names[ENGINE_COUNT];

/* Engine that ENGINE_AUTO stands for on this host; whether the host can run an engine. */
enum engine engine_best(void);
bool engine_available(enum engine e);

enum fault_kind {
    FAULT_NONE,
#define FAULT(id, name, doc) FAULT_##id,
#include "sim/arch/faults.def"
    FAULT_COUNT
};

struct fault {
    enum fault_kind kind;
    u32 pc;
    u32 block[3];
    u32 warp;
    u32 lane;
    u8 space;  /* enum space, for memory faults */
    u32 bytes; /* size of the access */
    u64 address;
    bool timed;       /* launch with a clock */
    u64 cycle;        /* cycle of the fault, with a clock */
    u64 limit_cycles; /* FAULT_LIMIT: cycles allowed; 0: the limit is one of instructions */
    char detail[400]; /* the exact cause, in words */
    char advice[400]; /* more about it, and what to do, in lines; "" = nothing */
};

extern const char *const fault_names[FAULT_COUNT];
extern const char *const fault_docs[FAULT_COUNT]; /* one sentence each */

/* What a block did, by which blocks are alike. */
struct block_work {
    u64 instructions; /* issued by its warps */
    u64 sectors; /* of 32 bytes in global memory, where neighbouring lanes do not share one, summed over accesses */
};

struct exec_ops;
struct watch;
struct printed;
struct block;
struct warp;

/*
 * Choice of the next warp, in place of the machine's own order of turns (sim/check/schedule.h). As many blocks as fit
 * are resident from the beginning.
 */
struct chooser {
    void (*begin)(void *ctx); /* a launch begins */
    /* A warp of the resident blocks that is neither done nor waiting; NULL: none. */
    struct warp *(*choose)(void *ctx, struct block *const *resident, u32 count);
    bool (*ends)(void *ctx, struct warp *w); /* called after each instruction: true if the warp's turn ends here */
    /* true: the others run on without this warp, which has faulted. NULL: they do not. */
    bool (*survives)(void *ctx, const struct warp *w);
    void *ctx;
};

/* Events that only the hardware's rules let pass (lenient.def), and the first instruction of each kind. */
enum lenient_kind {
#define LENIENT(id, sentence) LENIENT_##id,
#include "sim/arch/lenient.def"
    LENIENT_COUNT
};

struct lenient {
    u64 count[LENIENT_COUNT];
    u32 pc[LENIENT_COUNT]; /* the lowest */
};

/* Adds events to those of others. */
static inline void lenient_add(struct lenient *sum, const struct lenient *more) {
    for (u32 k = 0; k < LENIENT_COUNT; k++) {
        if (more->count[k] && (!sum->count[k] || more->pc[k] < sum->pc[k]))
            sum->pc[k] = more->pc[k];
        sum->count[k] += more->count[k];
    }
}

struct launch {
    const struct program *program;
    const struct kernel *kernel;
    const struct memory *memory;
    u32 grid[3], block[3]; /* at least 1 each */
    u32 width;             /* 8, 16, 32, 64 */
    u64 shared_bytes;      /* of kernel->shared: what the launch gives besides the declared */
    u32 sms;               /* SMs of the machine, 0 = 1: block n runs on SM n modulo this */
    bool hardware;         /* the hardware's rules, not the strict ones */
    bool cooperative;      /* all blocks are resident at one time */
    bool any_board;        /* the board is a default: nothing that depends on it is proved */
    enum engine engine;
    const struct exec_ops *ops;    /* executor instead of the engine's, for checks of each instruction; NULL: none */
    const struct chooser *chooser; /* NULL: the machine's own order */
    const struct watch *watch;     /* observer of instructions, without a clock; NULL: none */
    const u8 *params;              /* [kernel->param_bytes] */
    struct budget *budget;         /* bounds the memory of the launch; NULL: nothing does */
    u64 max_instructions;          /* 0 = no limit */
    u32 turn;                      /* for tests: branches back in the turn of a path; 0: many */
    u64 look; /* for tests: instructions, or cycles, between two looks for deadlocks; 0: by effort */
    bool (*progress)(void *ctx, double share);
    void *progress_ctx;
    /* Results; arrays of program->ninst, zeroed by the caller. */
    u64 *issues;             /* times each instruction was issued */
    u64 *lanes;              /* lanes that executed each, summed */
    struct lenient *lenient; /* NULL: not counted */
    struct printed *printed; /* lines of prints, in any order; NULL: none are kept */
    struct block_work *work; /* [blocks] without a clock: of each; NULL: not counted */
};

enum outcome { RUN_OK, RUN_FAULT, RUN_NO_MEMORY, RUN_STOPPED };

/* Runs to the end or to the first fault; RUN_STOPPED also when a chooser gave NULL though some could run. */
enum outcome machine_run(const struct launch *l, struct fault *fault);

/*
 * The fault as lines of text with the source line: kernel, file:line, block, warp, lane, address, nearest allocation.
 */
void fault_render(const struct fault *f, const struct launch *l, struct buf *out);

#endif
