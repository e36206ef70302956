/* Sampled launches: all blocks run without a clock, on the buffers; some of them with one, on copies of the buffers. */
#ifndef HEDDLE_API_SAMPLE_H
#define HEDDLE_API_SAMPLE_H

#include "sim/api/context.h"
#include "sim/gpu/gpu.h"

#define SAMPLE_STANDARD "error:5%"
#define SAMPLE_EXPECTED "expected how well the rate is to be known, from 0.1 to 50 percent, as error:5%%"

/* Reads "error:5%" as a share; false if it is none. */
bool sample_read(const char *text, double *bound);

/* A launch with the option. */
struct sample {
    struct gpu_sample sampler;
    struct launch timed;          /* the launch on copies of the buffers, without prints */
    struct memory memory, before; /* of `timed`; the buffers as they were */
    struct arena arena;
    const char *full; /* why all blocks are to be timed; NULL: time those of `timed` that the sampler chooses */
};

/* Refuses what a sample cannot have; false with an error. */
bool sample_admits(struct heddle *h, const struct launch *l, const struct heddle_launch *asked);

/*
 * Runs all blocks of the launch without a clock, unless they may depend on one another, or on time. RUN_OK: s->full
 * decides what is next. Others: the launch is over.
 */
enum outcome sample_prepare(struct heddle *h, const struct launch *l, const struct heddle_launch *asked,
                            struct sample *s);

/* Makes buffers and counts what they were before. */
void sample_restart(const struct launch *l, const struct sample *s);

/* Ends it, and puts its fields into the result. False when out of memory. */
bool sample_end(struct heddle *h, const struct launch *l, struct sample *s, struct heddle_result *r);

#endif
