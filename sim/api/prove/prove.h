/*
 * Inside of heddle_prove: one proof, from request to result.
 *
 *   prove.c           prepares both launches and the buffers
 *   prove_progress.c  ends it when it is told to
 *   prove_derive.c    runs both with their shadows
 *   prove_path.c      control flow that depends on data
 *   prove_decide.c    compares what they leave; the verdict
 *   prove_assume.c    the verdict once more, under an assumption
 *   prove_trial.c     data to run on, and plain runs that look for a difference
 *   prove_solve.c     what is left for a solver, and its data
 *   prove_check.c     races and barriers of both kernels
 *   prove_text.c      the result in words
 */
#ifndef HEDDLE_API_PROVE_H
#define HEDDLE_API_PROVE_H

#include "sim/api/context.h"
#include "sim/prove/describe.h"
#include "sim/prove/shadow.h"
#include "sim/prove/source.h"

enum {
    TRIALS = 18,
    TRIAL_MODEL = TRIALS, /* the data of a solver's model */
    TRIAL_EXACT,          /* from here on: those on which few sums are rounded */
    TRIALS_ALL = TRIAL_EXACT + 8
};

struct proof {
    struct heddle *h;
    struct heddle_proof *out;
    struct arena arena; /* working memory; the result is in h->result */
    struct launch launch[2];
    u8 params[2][PARAM_BYTES_MAX];
    /* The buffers, in the order of their addresses: allocation numbers index all of these. */
    u32 count;
    const struct buffer **buffer;
    enum heddle_role *role;
    bool *written; /* by either kernel */
    struct memory start, after[2];
    bool assuming; /* that floating-point sums may be reassociated */
    struct terms terms;
    struct shadow *shadow[2]; /* the last run of each */
    struct check *check[2];   /* while a shadowed run is watched */
    u32 **word[2];            /* what each kernel leaves: words of each buffer */
    u32 bound;                /* 0: control flow that depends on data is not followed */
    bool depends;             /* it does, and was not followed */
    bool followed;            /* it was, for all data */
    u32 ended;                /* the kernel that could not be followed */
    struct describe describe;
    struct source *source;
    /* The reported element: the first whose expressions differ, or whose bits do. */
    bool differs; /* some expression does */
    bool refuted; /* some data shows a difference */
    u32 at_buffer;
    u64 at_element;
    u64 differing; /* elements */
    u32 trial;     /* the data that shows it */
    struct heddle_solver solver;
    double seconds; /* left for it */
    u64 issued[2];  /* warp-instructions of each kernel on the first set of data */
    const struct heddle_prove *asked;
    double until;          /* by asked->clock; 0: no bound */
    double share;          /* of the step that is done */
    char step[96];         /* what is done, in words */
    const char *undecided; /* why the proof ends without an answer; NULL: it does not */
    struct buf model;      /* struct model_word: what differs from set 0 */
    struct buf never;      /* struct never: what was asked about bits */
};

/* A word of a buffer in a solver's model. */
struct model_word {
    u32 buffer, word, value;
};

/* ---- prove_progress.c ---- */

/* Begins a step, for whoever watches: proof_step(p, "running", name). */
void proof_step(struct proof *p, const char *what, const char *name);

/*
 * Whether there is time, and nobody has ended the proof; else p->undecided. Runs that end for it return HEDDLE_FAULT.
 * Of a struct launch, and of a struct shadow_setup.
 */
bool proof_progress(void *proof, double share);
bool proof_goes_on(void *proof);

/* Memory ran out: the error, and the status that says so. */
enum heddle_status proof_no_memory(struct proof *p);

static inline u32 proof_size(const struct proof *p, u32 buffer) {
    return etypes[p->buffer[buffer]->type].bytes;
}

/* ---- prove_trial.c ---- */

/* Fills `start` with a set of data, or the model's; the same number gives the same data. */
void trial_data(struct proof *p, u32 number);

/* Runs a kernel on `start`, with its shadow or without, and leaves the memory in `after`. */
enum heddle_status trial_run(struct proof *p, u32 side, bool shadowed);

/* Runs both kernels, without shadows, on a set of data. */
enum heddle_status trial_both(struct proof *p, u32 number);

/* Whether both kernels have left the same in an element. */
bool trial_same(const struct proof *p, u32 buffer, u64 element);

/* Looks for an element that differs after both runs: the one at `at_element` if it does, else the first. */
bool trial_differs(struct proof *p);

/* ---- prove_check.c ---- */

/*
 * Checkers for the shadowed run of a kernel that follows, and what they found, into the result. False when out of
 * memory.
 */
bool proof_check_begin(struct proof *p, u32 side);
bool proof_check_end(struct proof *p, u32 side);

/* Whether nothing was found, so that the order of warps cannot matter. */
bool proof_ordered(const struct proof *p);

/* ---- prove_derive.c ---- */

/* A shadow of a kernel, in place of the last; fills in the first members of the setup. False when out of memory. */
bool proof_shadow(struct proof *p, u32 side, struct shadow_setup setup);

/* The words that the kernel's shadow has; NULL when out of memory. */
u32 **proof_words(struct proof *p, u32 side);

/* Which buffers it has written: not those that are inputs only. */
enum heddle_status proof_note_written(struct proof *p, u32 side);

/*
 * Whether the terms give, on the data of a run, the bytes that the machine left: *right is left as it is, or made
 * false. Unwritten values are only there in runs that are shadowed. False when out of memory.
 */
bool proof_agrees(struct proof *p, bool *right);

/* The same, where a mistake in the derivation would be a wrong "equal": it is a bug. False when out of memory. */
bool proof_verify(struct proof *p);

/* Runs both kernels with their shadows on a set of data, and verifies what they derive. */
enum heddle_status proof_derive(struct proof *p, u32 number);

/* No expressions, for another run of both kernels. */
bool proof_begin(struct proof *p);
void proof_forget(struct proof *p);

/* ---- prove_path.c ---- */

/*
 * Runs both kernels for all data: p->followed, and p->word. If that cannot be done, the shadow of kernel p->ended says
 * what it depends on.
 */
enum heddle_status proof_explore(struct proof *p);

/*
 * Follows control flow that depends on data, and confirms that by runs; if that cannot be done, all is as it was, and
 * the reason is told.
 */
enum heddle_status proof_follow(struct proof *p);

/* ---- prove_solve.c ---- */

/* Whether a bit is 0 for all data, by the solver: of a struct shadow_setup. */
bool proof_never(void *proof, u32 bit);

/*
 * Asks the solver about the elements whose expressions differ: p->refuted when one does on data that was run. What it
 * said is in p->out->solver.
 */
enum heddle_status proof_solve(struct proof *p);

/* ---- prove_decide.c ---- */

/* The bits of an element as a kernel's shadow has it. */
void proof_bits(struct proof *p, u32 side, u32 buffer, u64 element, u32 bit[64]);

/* Whether a compared element has different forms, which are left in a and b. */
bool proof_unlike(struct proof *p, u32 buffer, u64 element, u32 a[64], u32 b[64]);

/* Finds the elements of which the expressions differ. */
void proof_compare(struct proof *p);

/* All of it, once the launches are prepared. */
enum heddle_status proof_conclude(struct proof *p);

/* ---- prove_assume.c ---- */

/*
 * The verdict with what is assumed, where it is not "equal" without. A difference is one only on data on which no
 * order of sums explains it.
 */
enum heddle_status proof_assume(struct proof *p);

/* ---- prove_text.c ---- */

/* Fills in on what control flow depends. False when out of memory. */
bool proof_tell_depends(struct proof *p, u32 side);

/* Fills in what else is reported of the kernels: words, difference, elements. False when out of memory. */
bool proof_tell(struct proof *p);

/* The result of a proof that was ended: nothing but that. False when out of memory. */
bool proof_tell_undecided(struct proof *p);

#endif
