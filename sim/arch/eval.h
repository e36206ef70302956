/*
 * One instruction, run by the machine's own executor on chosen values, so that its semantics stand in one place, its
 * row, and never again here.
 *
 *   eval_init(&v, &arena, engine, 16);                   a warp of 16 lanes, with a few registers and nothing else
 *   v.a[l], v.b[l], v.c[l] = ...                         64 bits each; a 32-bit operand is the low half
 *   v.pa, v.pb, v.pc = ...                               one bit a lane
 *   if (eval_run(&v, op, uop, lanes))
 *       use(v.d[l], v.pd);
 */
#ifndef HEDDLE_ARCH_EVAL_H
#define HEDDLE_ARCH_EVAL_H

#include "sim/arch/state.h"

struct eval {
    u64 a[WARP_MAX], b[WARP_MAX], c[WARP_MAX]; /* operands */
    u64 pa, pb, pc;
    u64 d[WARP_MAX]; /* results */
    u64 pd;
    u64 cell; /* the cell of an atomic; eval_atomic puts its address in `a` */
    u32 *x;   /* transit registers, as in struct warp */
    /* The machine around it. */
    u32 width;
    const struct exec_ops *ops;
    u32 *rows; /* [ROWS][width] */
    struct warp warp;
    struct block block;
    struct effect effect;
    struct run run;
    struct launch launch;
    struct kernel kernel;
    struct program program;
    struct memory memory;
    struct allocation allocation;
    struct fault fault;
    struct uop code;
};

/* Memory is taken from the arena; false when it has none. A `struct eval` is not moved afterwards. */
bool eval_init(struct eval *v, struct arena *arena, enum engine engine, u32 width);

/* Runs the operation of `op` in these lanes. False when it faults, as it does where the machine would. */
bool eval_run(struct eval *v, u16 op, const struct uop *u, u64 lanes);

/* Runs one lane's atomic on v->cell, with operands b[0] and c[0]: the old value is in d[0], the new one in the cell. */
bool eval_atomic(struct eval *v, u16 op, const struct uop *u);

#endif
