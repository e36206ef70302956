/*
 * Inside of proofs for a range of a size (docs/prove.md).
 *
 *   count.c    counts that depend on the size
 *   range.c    launches of a size: buffers, grids, how far they go
 *   induct.c   the proofs: of small sizes by themselves, of the others by induction; the result in words
 */
#ifndef HEDDLE_API_PROVE_RANGE_H
#define HEDDLE_API_PROVE_RANGE_H

#include "sim/api/prove/prove.h"
#include "sim/prove/sizes.h"

enum { SIZE_BITS = 40 }; /* of a size, and of a number in a count */

/* A count that depends on the size period * q + rest; where the size is known, the period is 0. */
struct count {
    const char *name; /* of the size */
    u64 period, rest;
    struct affine value; /* of q */
    u64 longer;          /* factor by which the period has to be longer, for whole numbers; 0 = it is long enough */
    const char *wrong;   /* why the text is no count, and where */
    const char *at;
};

/* Reads "ceil(n/256)"; false, and c->wrong, where it is none. */
bool count_read(struct count *c, const char *text, size_t len);

/* True if the text is the name of a size, as those of parameters, and not "ceil". */
bool count_name(const char *text, size_t len);

struct range {
    struct heddle *h;
    const struct heddle_prove *asked;
    struct heddle_prove one; /* the proof of a size */
    struct heddle_proof *out;
    struct arena arena;
    const char *name; /* of the size */
    u64 first, last, step;
    bool bounded;      /* the range has an end */
    u64 period;        /* 0 = no induction */
    const char *apart; /* why there is none; NULL = there is */
    struct sizes sizes;
    u64 n;     /* the size of the present proof */
    bool many; /* the present proof stands for all sizes of one rest */
    double until;
    char number[24], said[160]; /* texts of the size, and of the present step */
    char *line;                 /* the longest first line of answers "equal", which names most conditions */
    u32 assumed;
    u64 next;       /* first size that is not proved */
    u64 from;       /* first size that induction proves; 0 = none */
    struct buf why; /* why `next` is not proved */
    bool wraps;     /* `next` is not proved because numbers wrap around */
};

/* Reads the range: "n=1..". False with an error. */
bool range_read(struct range *r);

/* Makes the launch of a size: buffers and grids. False with an error. */
bool range_launch(struct range *r, u64 n);

/* Bytes that its buffers take of global memory; false if no launch is possible. */
bool range_bytes(struct range *r, u64 n, u64 *bytes);

/* Finds the period, in which all counts grow by the same, and the last size. False with an error. */
bool range_period(struct range *r);
bool range_last(struct range *r);

/* True if addresses are those of whole buffers, which a proof for every size follows; else false with an error. */
bool range_addresses(struct range *r);

/* Fills r->sizes for the sizes of a rest; false with an error, or with r->apart. The buffers are those of a launch. */
bool range_sizes(struct range *r, u64 rest);

/* ---- prove.c ---- */

/* Proves once: of a launch, or with `sizes` for all sizes of one rest. */
enum heddle_status proof_once(struct heddle *h, const struct heddle_prove *asked, struct sizes *sizes,
                              struct heddle_proof *proof);

/* ---- induct.c ---- */

enum heddle_status proof_range(struct heddle *h, const struct heddle_prove *asked, struct heddle_proof *proof);

#endif
