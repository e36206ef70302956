/*
 * Matrix shapes: which lane holds which element of A, B, C and D. The rows are isa/shapes.def.
 *
 *   const struct isa_shape *s = &isa_shapes[isa_rows[i->op].shape];
 *   struct cell at = s->a.cell(lane, element);            the element's row and column in A
 *
 * Lanes are counted within the product, elements of a lane through its registers: two to a register where they have 16
 * bits, the low half first. Every cell has one lane and one element.
 */
#ifndef HEDDLE_ISA_SHAPES_H
#define HEDDLE_ISA_SHAPES_H

#include "sim/base/types.h"

/* Work of a lane in one pass of the matrix unit; boards give rates, latencies and energies for it. */
enum {
    MMA_FMAS = 32, /* multiply-adds */
    MMA_DEPTH = 8  /* of them, those that follow one another in a sum */
};

enum {
    MMA_ELEMENTS = 8, /* most of a matrix in a lane: four registers of 16-bit ones */
    MMA_ROWS = 8      /* that are summed together: A and C have a multiple of it */
};

struct cell {
    u32 row, column;
};

/* A matrix of a product. */
struct isa_matrix {
    u32 rows, columns;
    u32 elements; /* of a lane */
    struct cell (*cell)(u32 lane, u32 element);
};

struct isa_shape {
    const char *name;
    u32 lanes;  /* that have a product */
    u32 passes; /* of the matrix unit */
    u32 depth;  /* passes that wait for one another */
    struct isa_matrix a, b, c;
};

enum shape {
    SHAPE_NONE, /* of all instructions that are no matrix products */
#define SHAPE(id, m, n, k, lanes) SHAPE_##id,
#include "isa/shapes.def"
    SHAPE_COUNT
};

/* ---- layouts ---- */

/* Lane i has row i of every matrix. */
static inline struct cell m8n4k8_a(u32 lane, u32 element) {
    return (struct cell){lane, element};
}
static inline struct cell m8n4k8_b(u32 lane, u32 element) {
    return (struct cell){lane, element};
}
static inline struct cell m8n4k8_c(u32 lane, u32 element) {
    return (struct cell){lane, element};
}

/* Fragments of the PTX ISA: rows of C in groups of four lanes, two columns to a lane, and again eight rows below. */
static inline struct cell m16n8k16_a(u32 lane, u32 element) {
    return (struct cell){lane / 4 + element / 2 % 2 * 8, lane % 4 * 2 + element % 2 + element / 4 * 8};
}
static inline struct cell m16n8k16_b(u32 lane, u32 element) {
    return (struct cell){lane % 4 * 2 + element % 2 + element / 2 * 8, lane / 4};
}
static inline struct cell m16n8k16_c(u32 lane, u32 element) {
    return (struct cell){lane / 4 + element / 2 * 8, lane % 4 * 2 + element % 2};
}

/* ---- the table, in a header so that executors are compiled for each of its rows ---- */

static const struct isa_shape isa_shapes[SHAPE_COUNT] = {
    [SHAPE_NONE] = {.name = "", .passes = 1, .depth = 1},
#define SHAPE(id, m, n, k, lanes_) \
    [SHAPE_##id] = {.name = #id, \
                    .lanes = lanes_, \
                    .passes = m * n * k / (lanes_ * MMA_FMAS), \
                    .depth = k / MMA_DEPTH, \
                    .a = {m, k, m * k / lanes_, id##_a}, \
                    .b = {k, n, k * n / lanes_, id##_b}, \
                    .c = {m, n, m * n / lanes_, id##_c}},
#include "isa/shapes.def"
};

#define SHAPE(id, m, n, k, lanes) \
    _Static_assert(m * n * k % (lanes * MMA_FMAS) == 0 && k % MMA_DEPTH == 0, "whole passes of the matrix unit"); \
    _Static_assert(m % MMA_ROWS == 0, "rows that are summed together"); \
    _Static_assert(m * k <= lanes * MMA_ELEMENTS && k * n <= lanes * MMA_ELEMENTS && m * n <= lanes * MMA_ELEMENTS, \
                   "elements of a lane");
#include "isa/shapes.def"

#endif
