/*
 * The winner among numbers of fp32, none of them NaN, in normal form: the largest or smallest, of equal ones the first
 * or last, or a constant that belongs to it, such as its index. Kernels that compare in trees of other shapes choose by
 * other conditions; the winner does not depend on the shape, as the order of the candidates is total: by their values,
 * and by their places in the buffers.
 *
 *   setp.gt.f32 p, w, v     sel.f32 v, w, v, p     sel.b32 i, k, i, p
 */
#ifndef HEDDLE_PROVE_WINNER_H
#define HEDDLE_PROVE_WINNER_H

#include "sim/prove/term.h"

/* True if `condition` ? `yes` : `no` is such a choice: its form. The condition is unknown and not complemented. */
bool winner(struct terms *e, u32 condition, u32 yes, u32 no, u32 *word);

#endif
