/* The recording of a launch: the events of each SM and partition, in order. */
#ifndef HEDDLE_API_RECORDING_H
#define HEDDLE_API_RECORDING_H

#include "sim/api/context.h"
#include "sim/gpu/gpu.h"

/* Makes the launch's events the context's recording. False when out of memory. */
bool recording_fill(struct heddle *h, const struct launch *l, const struct gpu_result *g, struct heddle_result *r);

/* Keeps the contents of a launch's buffers, as far as there is room: as much as for the recording. */
void recording_keep(struct heddle *h, const struct program *p, const struct heddle_launch *launch);

/* Forgets the recording. Its memory stays, for the next one, until recording_free. */
void recording_forget(struct heddle *h);
void recording_free(struct heddle *h);

/* Finds event number `index`. */
const struct record_event *recording_at(const struct recorded *r, u64 index);

/* Reads a register of a tail, at most HEDDLE_ROW_VALUES values; returns the number of 64-bit words that it takes. */
u32 recording_row(const u64 *from, struct record_row *row, u64 *ready, u32 *to);

/* Sorts by the low `bits` of `order`, keeping the order of equals; the result is in `key` or in `spare`. */
struct record_key *recording_sort(struct record_key *key, struct record_key *spare, u64 n, u32 bits);

#endif
