/*
 * Decoding: encoded fields become offsets of register rows, immediates become constant rows, once per launch.
 */
#include "sim/arch/state.h"
#include "sim/arch/watch.h"

#include <string.h>

enum { ZERO_ROWS = 4 }; /* constant rows 0..3 are zeros, read for rz, up to 128 bits wide */

/* The distinct immediates of a program, each with the number of its first constant row. Open addressing. */
struct pool {
    u64 *key; /* low word, high word << 32; the top bit of `row` marks a pair */
    u32 *row; /* 0: free */
    u32 mask;
    u32 rows;
};

#define PAIR (1u << 31) /* in pool.row: two rows */

static u32 pool_row(struct pool *p, u64 value, bool pair) {
    u32 h = (u32)((value ^ value >> 29 ^ (u64)pair << 17) * 0x9e3779b97f4a7c15u >> 32);
    for (;; h++) {
        u32 *row = &p->row[h & p->mask];
        if (*row && p->key[h & p->mask] == value && (*row & PAIR) == (pair ? PAIR : 0u))
            return *row & ~PAIR;
        if (*row)
            continue;
        p->key[h & p->mask] = value;
        *row = p->rows | (pair ? PAIR : 0u);
        p->rows += pair ? 2 : 1;
        return *row & ~PAIR;
    }
}

static u32 source(const struct inst *i, const struct operand *o, struct pool *pool, u32 width, u8 *sel) {
    u8 field = inst_field(i, o->place);
    if (operand_is_immediate(i, o)) {
        u32 imm = (u32)i->imm;
        *sel = 1;
        if (o->kind != K_REG2)
            return pool_row(pool, imm, false) * width;
        u64 wide = o->literal == LIT_F64 ? (u64)imm << 32 : (u64)(s64)(s32)imm;
        return pool_row(pool, wide, true) * width;
    }
    *sel = field == RZ;
    return field == RZ ? 0 : field * width;
}

void uop_modify_result(struct uop *u, const struct inst *i) {
    u->rnd = (u8)inst_mod_or(i, GROUP_RI, inst_mod_or(i, GROUP_RF, RN));
    u->ftz = inst_mod_or(i, GROUP_FTZ, false);
    u->sat = inst_mod_or(i, GROUP_SAT, false);
}

static void modify_access(struct uop *u, const struct inst *i) {
    u32 hint = inst_mod_or(i, GROUP_HINT, HINT_NONE);
    u->space = (u8)inst_mod_or(i, GROUP_SPACE, SPACE_GENERIC);
    u->mtype = (u8)inst_mod_or(i, GROUP_MTYPE, MT_B32);
    u->bytes = (u8)mtype_bytes(u->mtype);
    u->words = (u8)mtype_regs(u->mtype);
    if ((i->op == OP_LD && hint == HINT_RELEASE) || (i->op == OP_ST && hint == HINT_ACQUIRE))
        u->fn = warp_illegal;
    u->sync = i->op == OP_LD && (hint == HINT_ACQUIRE || hint == HINT_VOLATILE || hint == HINT_CV);
}

static void decode(const struct inst *i, struct uop *u, struct pool *pool, const struct run *run) {
    const struct isa_row *row = &isa_rows[i->op];
    u32 nowhere = run->launch->kernel->regs * run->width; /* rows after the registers, written and never read */
    *u = (struct uop){.fn = run->ops->fn[i->op], .guard = i->guard, .pd = i->pd, .pa = i->pa, .pb = i->pb, .pc = i->pc};
    u->nd = i->d;
    u->na = i->a;
    u->nb = i->b;
    u->nc = i->c;
    u->d = i->d == RZ ? nowhere : i->d * run->width;
    u->asel = u->bsel = u->csel = 1; /* absent operands read zeros */
    u->imm = i->imm;
    uop_modify_result(u, i);
    modify_access(u, i);
    u->seg = (u8)inst_mod_or(i, GROUP_SEG, 0);
    u->reduces = i->op == OP_BAR_RED_AND    ? REDUCES_AND
                 : i->op == OP_BAR_RED_OR   ? REDUCES_OR
                 : i->op == OP_BAR_RED_POPC ? REDUCES_POPC
                                            : REDUCES_NOTHING;
    for (u32 k = 0; k < OPERANDS_MAX; k++) {
        const struct operand *o = &row->operand[k];
        bool reg = o->kind == K_REG || o->kind == K_REG2 || o->kind == K_REG4 || o->kind == K_REGM ||
                   o->kind == K_REGT || o->kind == K_REG_IMM || o->kind == K_REG_IMM_OPT || o->kind == K_MASK_OPT ||
                   o->kind == K_MEM;
        if (o->kind == K_MEM) {
            u->fixed = i->a == RZ;
            u->imm = (u64)(s64)(s32)(u32)i->imm;
        }
        if (o->kind == K_MASK_OPT)
            u->masked = i->c != RZ;
        if (o->kind == K_REG_IMM || o->kind == K_REG_IMM_OPT)
            u->counted = i->b != RZ || operand_is_immediate(i, o);
        if (!reg || o->place == PLACE_D)
            continue;
        if (o->place == PLACE_A)
            u->a = source(i, o, pool, run->width, &u->asel);
        else if (o->place == PLACE_B)
            u->b = source(i, o, pool, run->width, &u->bsel);
        else
            u->c = source(i, o, pool, run->width, &u->csel);
    }
}

bool run_decode(struct run *run, struct arena *arena) {
    const struct program *p = run->launch->program;
    u32 slots = 64;
    while (slots < 2 * p->ninst)
        slots *= 2;
    struct pool pool = {.mask = slots - 1, .rows = ZERO_ROWS};
    pool.key = arena_alloc(arena, slots * sizeof *pool.key);
    pool.row = arena_alloc(arena, slots * sizeof *pool.row);
    run->code = arena_alloc(arena, p->ninst * sizeof *run->code);
    if (!pool.key || !pool.row || !run->code)
        return false;
    for (u32 pc = 0; pc < p->ninst; pc++) {
        decode(&p->inst[pc], &run->code[pc], &pool, run);
        if (run->launch->hardware)
            run->code[pc].fn = paths_function(&p->inst[pc], pc, run->code[pc].fn);
    }
    if (run->launch->watch && !watch_code(run, arena))
        return false;
    size_t row_bytes = run->width * sizeof(u32);
    run->rows = arena_alloc(arena, pool.rows * row_bytes);
    if (!run->rows)
        return false;
    for (u32 s = 0; s < slots; s++) {
        if (!pool.row[s])
            continue;
        u32 *row = run->rows + (size_t)(pool.row[s] & ~PAIR) * run->width;
        for (u32 l = 0; l < run->width; l++) {
            row[l] = (u32)pool.key[s];
            if (pool.row[s] & PAIR)
                row[run->width + l] = (u32)(pool.key[s] >> 32);
        }
    }
    return true;
}
