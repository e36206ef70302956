/*
 * Occupancy: how many blocks fit on an SM. Each resource alone allows
 *
 *   warps       sm.max_warps / warps of a block
 *   blocks      sm.max_blocks
 *   registers   sm.registers / (warps x registers of a warp, rounded up to sm.register_unit)
 *   shared      sm.shared_bytes / (shared memory of a block + sm.shared_reserved, rounded up to sm.shared_unit)
 *
 * and the least of them is what an SM holds (CUDA programming guide, "Hardware Multithreading").
 */
#include "sim/gpu/gpu.h"

static u32 round_up(u32 n, u32 unit) {
    return (n + unit - 1) / unit * unit;
}

/* L1: its own storage, and the part of the unified that the resident blocks leave. */
static u32 l1_bytes(const struct board *b, const struct occupancy *o) {
    u32 used = o->blocks * o->shared;
    return b->l1.own_bytes + (b->l1.unified_bytes > used ? b->l1.unified_bytes - used : 0);
}

struct occupancy occupancy_of(const struct board *b, const struct launch *l) {
    const struct kernel *k = l->kernel;
    u32 threads = l->block[0] * l->block[1] * l->block[2], warps = (threads + l->width - 1) / l->width;
    u64 total = (u64)l->grid[0] * l->grid[1] * l->grid[2];
    struct occupancy o = {.limit = LIMIT_WARPS};
    o.registers = warps * round_up(k->regs * l->width, b->sm.register_unit);
    o.shared = k->shared + b->sm.shared_reserved ? round_up(k->shared + b->sm.shared_reserved, b->sm.shared_unit) : 0;
    o.by[LIMIT_WARPS] = b->sm.max_warps / warps;
    o.by[LIMIT_BLOCKS] = b->sm.max_blocks;
    o.by[LIMIT_REGISTERS] = o.registers ? b->sm.registers / o.registers : b->sm.max_blocks;
    o.by[LIMIT_SHARED] = o.shared ? b->sm.shared_bytes / o.shared : b->sm.max_blocks;
    u64 share = (total + b->sms - 1) / b->sms;
    o.by[LIMIT_GRID] = share < b->sm.max_blocks ? (u32)share : b->sm.max_blocks;
    for (u32 i = 1; i < LIMIT_COUNT; i++)
        if (o.by[i] < o.by[o.limit])
            o.limit = (enum occupancy_limit)i;
    /* What an SM holds does not depend on the grid; only whether it is filled does. */
    o.blocks = o.by[LIMIT_WARPS];
    for (u32 i = 1; i < LIMIT_GRID; i++)
        o.blocks = o.by[i] < o.blocks ? o.by[i] : o.blocks;
    o.warps = o.blocks * warps;
    o.l1_bytes = l1_bytes(b, &o);
    return o;
}
