/* Basic blocks and their edges. */
#include "isa/flow.h"

#include "isa/check.h"

static bool is_branch(const struct inst *i) {
    return i->op == OP_BRA;
}

static bool ends_block(const struct inst *i) {
    return is_branch(i) || i->op == OP_EXIT || i->op == OP_RET || i->op == OP_TRAP;
}

/* Numbers the blocks: block_of[] first marks leaders, then holds the block of every instruction. */
static void number_blocks(struct flow *f, u32 n) {
    f->block_of[0] = 1;
    for (u32 at = 0; at < n; at++) {
        const struct inst *i = &f->inst[f->start + at];
        if (ends_block(i) && at + 1 < n)
            f->block_of[at + 1] = 1;
        u32 target = inst_target(i) - f->start;
        if (is_branch(i) && target < n)
            f->block_of[target] = 1;
    }
    f->count = 0;
    for (u32 at = 0; at < n; at++) {
        f->count += f->block_of[at];
        f->block_of[at] = f->count - 1;
    }
}

static void link_block(struct flow *f, struct flow_block *block, u32 n) {
    const struct inst *i = &f->inst[block->last];
    u32 next = block->last + 1 - f->start;
    u32 target = inst_target(i) - f->start;
    block->succ[0] = next < n && !inst_ends_flow(i) ? f->block_of[next] : FLOW_NONE;
    block->succ[1] = FLOW_NONE;
    if (is_branch(i) && target < n)
        block->succ[i->guard == PT ? 0 : 1] = f->block_of[target];
}

static void link_preds(struct flow *f) {
    for (u32 b = 0; b < f->count; b++) {
        for (u32 s = 0; s < 2; s++)
            if (f->block[b].succ[s] != FLOW_NONE)
                f->block[f->block[b].succ[s]].pred++;
    }
    u32 sum = 0;
    for (u32 b = 0; b <= f->count; b++) {
        sum += f->block[b].pred;
        f->block[b].pred = sum; /* end of the group; filling below moves it to the start */
    }
    for (u32 b = f->count; b-- > 0;) {
        for (u32 s = 0; s < 2; s++)
            if (f->block[b].succ[s] != FLOW_NONE)
                f->pred[--f->block[f->block[b].succ[s]].pred] = b;
    }
}

bool flow_build(struct flow *f, const struct inst *inst, u32 start, u32 end) {
    u32 n = end - start;
    *f = (struct flow){.inst = inst, .start = start};
    f->block_of = arena_alloc(&f->arena, n * sizeof *f->block_of);
    if (f->block_of == NULL)
        return false;
    number_blocks(f, n);
    f->block = arena_alloc(&f->arena, (f->count + (size_t)1) * sizeof *f->block);
    f->pred = arena_alloc(&f->arena, 2 * (size_t)f->count * sizeof *f->pred);
    if (f->block == NULL || f->pred == NULL) {
        arena_free(&f->arena);
        return false;
    }
    for (u32 at = n; at-- > 0;)
        f->block[f->block_of[at]].first = start + at;
    for (u32 b = 0; b < f->count; b++) {
        f->block[b].last = b + 1 < f->count ? f->block[b + 1].first - 1 : end - 1;
        link_block(f, &f->block[b], n);
    }
    link_preds(f);
    return true;
}

void flow_free(struct flow *f) {
    arena_free(&f->arena);
}
