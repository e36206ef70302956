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

/*
 * Work of a lane in one pass of the matrix unit; boards give rates, latencies and energies for it. Elements of twice
 * the bits: half of it.
 */
enum {
    MMA_FMAS = 32, /* multiply-adds of 16-bit numbers */
    MMA_DEPTH = 8, /* of them, those that follow one another in a sum */
    MMA_BITS = 16
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
    u32 bits;     /* of an element */
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
#define SHAPE(id, ...) SHAPE_##id,
#include "isa/shapes.def"
    SHAPE_COUNT
};

enum element {
    ELEMENT_NONE,
#define ELEMENT(id, bits) ELEMENT_##id,
#include "isa/shapes.def"
};

/* ---- layouts ---- */

/* ROWS: lane i has row i of every matrix. */
#define ROWS_A(lane, element, m, each) ((struct cell){lane, element})
#define ROWS_B(lane, element, each) ((struct cell){lane, element})
#define ROWS_C(lane, element) ((struct cell){lane, element})

/*
 * FRAGMENTS, of the PTX ISA: a register has `each` neighbours along k; four lanes have four times as many, the next
 * register those eight rows below or, of the last eight, those that follow. Rows of C lie in groups of four lanes, two
 * columns to a lane, and again eight rows below.
 */
#define FRAGMENTS_K(lane, element, each, register) ((lane) % 4 * (each) + (element) % (each) + (register) * 4 * (each))
#define FRAGMENTS_A(lane, element, m, each) \
    ((struct cell){(lane) / 4 + (element) / (each) % ((m) / 8) * 8, \
                   FRAGMENTS_K(lane, element, each, (element) / (each) / ((m) / 8))})
#define FRAGMENTS_B(lane, element, each) \
    ((struct cell){FRAGMENTS_K(lane, element, each, (element) / (each)), (lane) / 4})
#define FRAGMENTS_C(lane, element) ((struct cell){(lane) / 4 + (element) / 2 * 8, (lane) % 4 * 2 + (element) % 2})

#define SHAPE(id, m, n, k, bits, lanes, layout) \
    static inline struct cell id##_a(u32 lane, u32 element) { \
        return layout##_A(lane, element, m, 32 / bits); \
    } \
    static inline struct cell id##_b(u32 lane, u32 element) { \
        return layout##_B(lane, element, 32 / bits); \
    } \
    static inline struct cell id##_c(u32 lane, u32 element) { \
        return layout##_C(lane, element); \
    }
#include "isa/shapes.def"

/* ---- the table, in a header so that executors are compiled for each of its rows ---- */

static const struct isa_shape isa_shapes[SHAPE_COUNT] = {
    [SHAPE_NONE] = {.name = "", .passes = 1, .depth = 1},
#define SHAPE(id, m, n, k, bits_, lanes_, layout) \
    [SHAPE_##id] = {.name = #id, \
                    .lanes = lanes_, \
                    .passes = m * n * k * bits_ / (lanes_ * MMA_FMAS * MMA_BITS), \
                    .depth = k * bits_ / (MMA_DEPTH * MMA_BITS), \
                    .a = {m, k, m * k / lanes_, bits_, id##_a}, \
                    .b = {k, n, k * n / lanes_, bits_, id##_b}, \
                    .c = {m, n, m * n / lanes_, 32, id##_c}},
#include "isa/shapes.def"
};

#define SHAPE(id, m, n, k, bits, lanes, layout) \
    _Static_assert(m * n * k * bits % (lanes * MMA_FMAS * MMA_BITS) == 0 && k * bits % (MMA_DEPTH * MMA_BITS) == 0, \
                   "whole passes of the matrix unit"); \
    _Static_assert(m % MMA_ROWS == 0, "rows that are summed together"); \
    _Static_assert(m * k <= lanes * MMA_ELEMENTS && k * n <= lanes * MMA_ELEMENTS && m * n <= lanes * MMA_ELEMENTS, \
                   "elements of a lane");
#include "isa/shapes.def"

/* The register of a lane that has an element, counted from the operand's first, and the element in it. */
static inline u32 matrix_register(const struct isa_matrix *m, u32 element) {
    return element * m->bits / 32;
}
static inline u32 matrix_bits(const struct isa_matrix *m, u32 word, u32 element) {
    return word >> element * m->bits % 32 & (m->bits == 32 ? ~0x1fffu : (1u << m->bits) - 1); /* the rest is no tf32 */
}

#endif
