/*
 * Inside of heddle_prove: one proof, from request to result.
 *
 *   prove.c     prepares both launches and the buffers
 *   progress.c  ends it when out of time or stopped
 *   derive.c    runs both with their shadows
 *   path.c      control flow that depends on data
 *   decide.c    compares what they leave; the verdict
 *   assume.c    the verdict once more, under an assumption
 *   trial.c     data to run on, and plain runs that look for a difference
 *   solve.c     elements left to a solver, and its data
 *   check.c     races and barriers of both kernels
 *   elements.c  the elements that are compared, in words
 *   text.c      the rest of the result in words
 *   range.c     a proof for a range of a size (sim/api/prove/range.h)
 */
#ifndef HEDDLE_API_PROVE_H
#define HEDDLE_API_PROVE_H

#include "sim/api/context.h"
#include "sim/prove/describe.h"
#include "sim/prove/shadow.h"
#include "sim/prove/source.h"

enum {
    TRIALS = 18,
    TRIAL_MODEL = TRIALS, /* data of a solver's model */
    TRIAL_EXACT,          /* the first set of data that few sums are rounded on */
    TRIALS_ALL = TRIAL_EXACT + 8
};

struct proof {
    struct heddle *h;
    struct heddle_proof *out;
    struct arena arena; /* working memory; the result is in h->result */
    struct launch launch[2];
    u8 params[2][PARAM_BYTES_MAX];
    /* The buffers, in the order of their addresses: allocation numbers index all the arrays. */
    u32 count;
    const struct buffer **buffer;
    enum heddle_role *role;
    bool *written; /* by either kernel */
    struct memory start, after[2];
    bool assuming; /* floating-point sums may be reassociated */
    struct terms terms;
    struct shadow *shadow[2]; /* of the last run of each kernel */
    struct check *check[2];   /* while a shadowed run is checked */
    bool **unlike;            /* elements of each buffer that are equal only as assumed; NULL: none */
    u32 **word[2];            /* words of each buffer as each kernel leaves it */
    u32 bound;                /* 0 = data-dependent control flow is not followed */
    bool depends;             /* control flow depends on data and was not followed */
    bool followed;            /* control flow was followed for all data */
    u32 ended;                /* the kernel that could not be followed */
    struct describe describe;
    struct source *source;
    /* The reported element: the first whose expressions or bits differ. */
    bool differs; /* some expression differs */
    bool refuted; /* some data show a difference */
    u32 at_buffer;
    u64 at_element;
    u64 differing; /* elements */
    u32 trial;     /* the set of data that shows it */
    struct heddle_solver solver;
    double seconds; /* left for the solver */
    u64 issued[2];  /* warp-instructions of each kernel on the first set of data */
    const struct heddle_prove *asked;
    double until;          /* end by `asked->clock`; 0 = no limit */
    double share;          /* done of the present step */
    char step[96];         /* the present step, in words */
    const char *undecided; /* why the proof ends without an answer; NULL = it does not */
    struct buf model;      /* list of struct model_word: differences from set 0 */
    struct buf never;      /* list of struct never: questions about bits */
    struct sizes *sizes;   /* of a launch of unknown size, or NULL */
};

/* A word of a buffer in a solver's model. */
struct model_word {
    u32 buffer, word, value;
};

/* ---- progress.c ---- */

/* Begins a step and reports it as progress: proof_step(p, "running", name). */
void proof_step(struct proof *p, const char *what, const char *name);

/*
 * True while there is time and progress does not end the proof; else sets p->undecided. Callback of struct launch and
 * struct shadow_setup, whose runs then end with HEDDLE_FAULT.
 */
bool proof_progress(void *proof, double share);
bool proof_goes_on(void *proof);

/* Reports that memory ran out; returns the status. */
enum heddle_status proof_no_memory(struct proof *p);

static inline u32 proof_size(const struct proof *p, u32 buffer) {
    return etypes[p->buffer[buffer]->type].bytes;
}

/* ---- trial.c ---- */

/* Fills `start` with a set of data, or the model's; the same number gives the same data. */
void trial_data(struct proof *p, u32 number);

/* Runs a kernel on `start`, with its shadow or without, and leaves the memory in `after`. */
enum heddle_status trial_run(struct proof *p, u32 side, bool shadowed);

/* Runs both kernels, without shadows, on a set of data. */
enum heddle_status trial_both(struct proof *p, u32 number);

/* True if both kernels have left the same in an element. */
bool trial_same(const struct proof *p, u32 buffer, u64 element);

/* Looks for an element that differs after both runs: the one at `at_element` if it does, else the first. */
bool trial_differs(struct proof *p);

/* ---- check.c ---- */

/*
 * Begin the checkers for the shadowed run of a kernel that follows; put their findings into the result. False when out
 * of memory.
 */
bool proof_check_begin(struct proof *p, u32 side);
bool proof_check_end(struct proof *p, u32 side);

/* True if there are no findings, so that the order of warps cannot matter. */
bool proof_ordered(const struct proof *p);

/* ---- derive.c ---- */

/* Makes a shadow of a kernel, in place of the last; fills in the setup's first members. False when out of memory. */
bool proof_shadow(struct proof *p, u32 side, struct shadow_setup setup);

/* Returns the words of the kernel's shadow; NULL when out of memory. */
u32 **proof_words(struct proof *p, u32 side);

/* Notes which buffers the kernel has written; writing to one with the role IN is an error. */
enum heddle_status proof_note_written(struct proof *p, u32 side);

/*
 * Checks that the terms give, on the data of a run, the bytes that the machine left: *right becomes false if not.
 * Unwritten values exist only in shadowed runs. False when out of memory.
 */
bool proof_agrees(struct proof *p, bool *right);

/* Checks it, too: a mistake in the derivation would be a wrong "equal", so it is a bug. False when out of memory. */
bool proof_verify(struct proof *p);

/* Runs both kernels with their shadows on a set of data, and verifies what they derive. */
enum heddle_status proof_derive(struct proof *p, u32 number);

/* Drops all expressions, for another run of both kernels. */
bool proof_begin(struct proof *p);
void proof_forget(struct proof *p);

/* ---- path.c ---- */

/*
 * Runs both kernels for all data: p->followed, and p->word. If that fails, the shadow of kernel p->ended has the
 * reason.
 */
enum heddle_status proof_explore(struct proof *p);

/*
 * Follows data-dependent control flow, and confirms the result by runs; if that fails, restores everything and reports
 * the reason.
 */
enum heddle_status proof_follow(struct proof *p);

/* ---- solve.c ---- */

/* Asks the solver for a proof that a bit is 0 for all data. Callback of struct shadow_setup. */
bool proof_never(void *proof, u32 bit);

/*
 * Runs the solver on the elements whose expressions differ: p->refuted if one differs on data that was run. The answer
 * is in p->out->solver.
 */
enum heddle_status proof_solve(struct proof *p);

/* ---- compare.c ---- */

/* Gets the bits of an element from a kernel's shadow. */
void proof_bits(struct proof *p, u32 side, u32 buffer, u64 element, u32 bit[64]);

/* True if a compared element has different forms, which are left in a and b. */
bool proof_unlike(struct proof *p, u32 buffer, u64 element, u32 a[64], u32 b[64]);

/* Finds the elements whose expressions differ. */
void proof_compare(struct proof *p);

/* ---- decide.c ---- */

/* Carries out the proof, once the launches are prepared. */
enum heddle_status proof_conclude(struct proof *p);

/* ---- assume.c ---- */

/*
 * Tries the verdict under the assumption, if it is not "equal" without it. A difference needs data that no order of
 * sums explains.
 */
enum heddle_status proof_assume(struct proof *p);

/* ---- elements.c ---- */

/* Lists the compared elements in the result. False when out of memory. */
bool proof_tell_elements(struct proof *p);

/* Prints them, alike ones as one. */
void proof_say_elements(struct proof *p, struct buf *out);

/* ---- text.c ---- */

/* Describes the data that control flow depends on. False when out of memory. */
bool proof_tell_depends(struct proof *p, u32 side);

/* Describes the kernels in the result: words, difference, elements. False when out of memory. */
bool proof_tell(struct proof *p);

/* Cuts the ends off the long words of lines for people. */
void proof_shorten(struct buf *text);

/* Reports that the proof was ended early, and nothing else. False when out of memory. */
bool proof_tell_undecided(struct proof *p);

#endif
