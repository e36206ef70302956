/*
 * The control flow graph of one kernel or function: basic blocks of instructions, and the successors of each.
 *
 *   struct flow f;
 *   if (flow_build(&f, inst, start, end)) { for (u32 b = 0; b < f.count; b++) f.block[b].succ[0] ... }
 *   flow_free(&f);
 *
 * A call continues after itself. A guarded exit, ret or trap continues too; an unguarded one has no successor. Targets
 * out of range, and running past the end, count as ends.
 */
#ifndef HEDDLE_ISA_FLOW_H
#define HEDDLE_ISA_FLOW_H

#include "isa/program.h"

#define FLOW_NONE UINT32_MAX

struct flow_block {
    u32 first, last; /* instructions, both inclusive */
    u32 succ[2];     /* blocks, FLOW_NONE where there is none: [0] fall-through or jump, [1] target of a guarded bra */
    u32 pred;        /* its predecessors are flow.pred[block.pred ... next block.pred) */
};

struct flow {
    struct arena arena;
    const struct inst *inst;
    u32 count;                /* blocks, in address order */
    struct flow_block *block; /* [count + 1] */
    u32 *pred;                /* blocks, grouped by successor */
    u32 start;                /* first instruction */
    u32 *block_of;            /* [end - start] block of each instruction */
};

/* False when out of memory (nothing to free then). start < end. */
bool flow_build(struct flow *f, const struct inst *inst, u32 start, u32 end);
void flow_free(struct flow *f);

/* Immediate post-dominators, see cfg.c: ipdom[b] is a block or FLOW_NONE. False when out of memory. */
bool flow_postdominators(struct flow *f, u32 *ipdom);

#endif
