/*
 * Where threads meet: which kernels and functions have barriers, and from where a barrier for every thread of the block
 * is surely reached.
 */
#include "isa/lint/lint.h"

/* ---- of the whole file ---- */

bool inst_meets(const struct program *p, const struct inst *i, const bool *meets) {
    if (i->op == OP_CALL) {
        const struct kernel *f = program_at(p, inst_target(i));
        return f != NULL && f->function && meets[f - p->kernel];
    }
    return op_memory(i->op) == MEMORY_BARRIER;
}

void lint_meetings(const struct program *p, bool *meets) {
    bool changed;
    do {
        changed = false;
        for (u32 k = p->nkernels; k-- > 0;) {
            for (u32 pc = p->kernel[k].start; !meets[k] && pc < p->kernel[k].end; pc++) {
                meets[k] = inst_meets(p, &p->inst[pc], meets);
                changed |= meets[k];
            }
        }
    } while (changed);
}

/* ---- ahead in one kernel ---- */

static bool is_for_all(const struct inst *i) {
    return op_waits(i->op) && i->guard == PT && i->isel == 0 && i->b == RZ;
}

static u32 line_from(const struct lint *l, u32 pc, u32 last) {
    for (; pc <= last; pc++)
        if (is_for_all(&l->flow.inst[pc]))
            return l->p->line[pc];
    return 0;
}

/* Goes back from the blocks in the queue to those that pass on what holds for them. */
static void go_back(struct lint *l, u32 depth, const bool *stop, u32 *value) {
    while (depth > 0) {
        u32 at = l->queue[--depth];
        for (u32 n = l->flow.block[at].pred; n < l->flow.block[at + 1].pred; n++) {
            u32 from = l->flow.pred[n];
            if (value[from] == 0 && !stop[from]) {
                value[from] = value[at];
                l->queue[depth++] = from;
            }
        }
    }
}

bool lint_ahead(struct lint *l, u32 *ahead) {
    u32 n = l->flow.count, depth = 0;
    u32 *avoids = arena_alloc(&l->flow.arena, n * sizeof *avoids); /* 1 = can end without a barrier */
    bool *stop = arena_alloc(&l->flow.arena, n * sizeof *stop);
    if (avoids == NULL || stop == NULL)
        return false;
    for (u32 b = 0; b < n; b++) {
        const struct flow_block *block = &l->flow.block[b];
        ahead[b] = line_from(l, block->first, block->last);
        stop[b] = ahead[b] != 0;
        if (!stop[b] && block->succ[0] == FLOW_NONE && block->succ[1] == FLOW_NONE) {
            avoids[b] = 1;
            l->queue[depth++] = b;
        }
    }
    go_back(l, depth, stop, avoids);
    depth = 0;
    for (u32 b = 0; b < n; b++) {
        if (stop[b])
            l->queue[depth++] = b;
        stop[b] = stop[b] || avoids[b] != 0;
    }
    go_back(l, depth, stop, ahead);
    return true;
}

u32 lint_ahead_of(const struct lint *l, const u32 *ahead, u32 block, u32 pc) {
    const struct flow_block *b = &l->flow.block[block];
    u32 line = line_from(l, pc + 1, b->last);
    return line != 0 || b->succ[0] == FLOW_NONE ? line : ahead[b->succ[0]];
}
