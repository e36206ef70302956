/* The recording of a launch: what each SM and partition wrote down, put in order. */
#ifndef HEDDLE_API_RECORDING_H
#define HEDDLE_API_RECORDING_H

#include "sim/api/context.h"
#include "sim/gpu/gpu.h"

/* Makes the launch's events those of the context. False when out of memory. */
bool recording_fill(struct heddle *h, const struct launch *l, const struct gpu_result *g, struct heddle_result *r);

/* Keeps what the buffers of a launch hold, as far as there is room: as much as for the recording. */
void recording_keep(struct heddle *h, const struct heddle_launch *launch);

/* No launch has been recorded. The memory stays, for the next one, until recording_free. */
void recording_forget(struct heddle *h);
void recording_free(struct heddle *h);

/* Where event number `index` lies. */
const struct record_event *recording_at(const struct recorded *r, u64 index);

/* Reads a register of a tail, with HEDDLE_ROW_VALUES values at most; the 64-bit words that it takes. */
u32 recording_row(const u64 *from, struct record_row *row, u64 *ready, u32 *to);

/* Sorts by the low `bits` of `order`, keeping the order of equals; the result is in `key` or in `spare`. */
struct record_key *recording_sort(struct record_key *key, struct record_key *spare, u64 n, u32 bits);

#endif
