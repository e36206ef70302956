#include "sim/arch/eval.h"

#include <string.h>

enum { ROW_A = 0, ROW_B = 2, ROW_C = 4, ROW_D = 6, ROWS = 8, PRED_A = 0, PRED_B, PRED_C, PRED_D };

enum { CELL_ADDRESS = 0x10000 }; /* somewhere in global memory */

bool eval_init(struct eval *v, struct arena *arena, enum engine engine, u32 width) {
    *v = (struct eval){.width = width, .ops = exec_find(engine, width)};
    v->rows = arena_alloc(arena, (size_t)ROWS * width * sizeof *v->rows);
    v->x = arena_alloc(arena, (size_t)TRANSIT_COUNT * TRANSIT_SLOTS * width * sizeof *v->x);
    v->warp.lane = arena_alloc(arena, width * sizeof *v->warp.lane);
    if (!v->rows || !v->x || !v->warp.lane)
        return false;
    v->allocation = (struct allocation){.name = "cell", .base = CELL_ADDRESS, .size = sizeof v->cell};
    v->allocation.bytes = (u8 *)&v->cell;
    v->memory = (struct memory){.list = &v->allocation, .count = 1};
    v->launch = (struct launch){.program = &v->program, .kernel = &v->kernel, .memory = &v->memory, .width = width};
    v->run = (struct run){.launch = &v->launch, .ops = v->ops, .code = &v->code, .width = width, .fault = &v->fault};
    v->run.effect = v->warp.effect = &v->effect;
    v->run.full = width == 64 ? ~(u64)0 : ((u64)1 << width) - 1;
    v->block.warps = 1;
    v->warp.base[0] = v->warp.base[1] = v->rows;
    v->warp.x = v->x;
    v->warp.run = &v->run;
    v->warp.block = &v->block;
    v->warp.p[PT] = ~(u64)0;
    return true;
}

static void put(struct eval *v, u32 row, const u64 *value) {
    u32 *low = v->rows + (size_t)row * v->width, *high = low + v->width;
    for (u32 l = 0; l < v->width; l++) {
        low[l] = (u32)value[l];
        high[l] = (u32)(value[l] >> 32);
    }
}

bool eval_run(struct eval *v, u16 op, const struct uop *u, u64 lanes) {
    struct warp *w = &v->warp;
    v->code = *u;
    struct uop *code = &v->code;
    code->fn = v->ops->fn[op];
    code->a = ROW_A * v->width;
    code->b = ROW_B * v->width;
    code->c = ROW_C * v->width;
    code->d = ROW_D * v->width;
    code->asel = code->bsel = code->csel = 0;
    code->guard = PT;
    code->pa = PRED_A;
    code->pb = PRED_B;
    code->pc = PRED_C;
    code->pd = PRED_D;
    code->masked = false; /* the machine checks its member masks itself */
    put(v, ROW_A, v->a);
    put(v, ROW_B, v->b);
    put(v, ROW_C, v->c);
    w->p[PRED_A] = v->pa;
    w->p[PRED_B] = v->pb;
    w->p[PRED_C] = v->pc;
    w->p[PRED_D] = 0;
    w->active = w->live = w->members = w->exec = lanes;
    if (code->fn(w, code) != STEP_NEXT)
        return false;
    const u32 *low = v->rows + (size_t)ROW_D * v->width, *high = low + v->width;
    for (u32 l = 0; l < v->width; l++)
        v->d[l] = (u64)low[l] | (u64)high[l] << 32;
    v->pd = w->p[PRED_D];
    return true;
}

bool eval_atomic(struct eval *v, u16 op, const struct uop *u) {
    struct uop on_cell = *u;
    on_cell.space = SPACE_GLOBAL;
    on_cell.imm = 0;
    on_cell.fixed = false;
    v->a[0] = CELL_ADDRESS;
    return eval_run(v, op, &on_cell, 1);
}
