/*
 * Does a matrix instruction multiply the matrices that its rows describe? The reference lays out A, B and C as
 * matrices, number by number, and sums each element in exact numbers that are rounded once for each product.
 */
#include "isa/shapes.h"
#include "tests/isa/isa_num.h"
#include "tests/isa/isa_warp.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

const u16 isa_warp_matrix_ops[] = {OP_MMA_F16,           OP_MMA_BF16,         OP_MMA_M16N8K16_F16,
                                   OP_MMA_M16N8K16_BF16, OP_MMA_M16N8K8_F16,  OP_MMA_M16N8K8_BF16,
                                   OP_MMA_M16N8K4_TF32,  OP_MMA_M16N8K8_TF32, OP_COUNT};

enum { N = 64 * 12, A = 0, C = 4 }; /* states; places of a's and c's registers in lane_state.r: r8 and r12 */

/* ---- operands ---- */

static const u16 corners[] = {0,      0x8000, 1,      0x8001, 0x3c00, 0xbc00, 0x0400, 0x03ff, 0x7bff, 0xfbff, 0x7c00,
                              0xfc00, 0x7e01, 0xffff, 0x3f80, 0xbf80, 0x0080, 0x007f, 0x7f7f, 0xff7f, 0x7f80, 0xff80};

/* A half, of bf16 or the upper half of an fp32 if `wide`: any bits, numbers near 1, corner cases, or all of these. */
static u32 random_half(u64 *seed, u32 mode, bool wide) {
    u64 r = rig_random(seed);
    switch (mode == 3 ? r >> 32 & 3 : mode) {
    case 1: return (wide ? 0x3f00u : 0x3800u) + (u32)(r & 0x83ff);
    case 2: return corners[(r & 0xffff) % COUNT_OF(corners)];
    default: return (u32)(r & 0xffff);
    }
}

static u32 random_pair(u64 *seed, u32 mode, bool wide) {
    u32 low = random_half(seed, mode, wide);
    return low | random_half(seed, mode, wide) << 16;
}

static u32 random_sum(u64 *seed, u32 mode) {
    static const u32 sums[] = {0,          0x80000000, 1,          0x3f800000, 0xbf800000,
                               0x7f7fffff, 0xff7fffff, 0x7f800000, 0xffc00001};
    u64 r = rig_random(seed);
    return mode == 1 ? 0x3f000000u + (u32)(r & 0x80ffffff) : mode == 2 ? sums[r % COUNT_OF(sums)] : (u32)r;
}

static void random_states(struct lane_state *in, bool wide) {
    u64 seed = 11;
    memset(in, 0, N * sizeof *in);
    for (u32 i = 0; i < N; i++) {
        u32 mode = i / 64 % 4;
        for (u32 k = 0; k < 4; k++)
            in[i].r[A + k] = random_pair(&seed, mode, wide);
        for (u32 k = 0; k < 2; k++)
            in[i].extra[k] = random_pair(&seed, mode, wide);
        for (u32 k = 0; k < 4; k++)
            in[i].r[C + k] = random_sum(&seed, mode);
    }
}

/* ---- the references: the lanes of a product, three matrices ---- */

struct type {
    const char *name;
    const struct fmt *f;
    u32 bits;
};

static const struct type fp16 = {"f16", &FMT_F16, 16}, bf16 = {"bf16", &FMT_BF16, 16}, tf32 = {"tf32", &FMT_F32, 32};

struct sum { /* of one launch */
    const struct type *type;
    bool from_zero;
    u32 place; /* of the results' registers: over C, over A */
};

static struct num half(u32 pair, u32 which, const struct type *t) {
    return num_unpack(which ? pair >> 16 : pair & 0xffff, t->f);
}

static u32 fused(const struct num a, const struct num b, u32 sum) {
    return (u32)num_pack(num_add(num_mul(a, b), num_unpack(sum, &FMT_F32)), &FMT_F32, RN);
}

/* Row i in lane i. */
static void multiply_m8n4k8(const struct lane_state *in, struct lane_state *want, const struct sum *s) {
    struct num a[8][8], b[8][4];
    for (u32 row = 0; row < 8; row++) {
        for (u32 col = 0; col < 8; col++)
            a[row][col] = half(in[row].r[A + col / 2], col % 2, s->type);
        for (u32 col = 0; col < 4; col++)
            b[row][col] = half(in[row].extra[col / 2], col % 2, s->type);
    }
    for (u32 row = 0; row < 8; row++)
        for (u32 col = 0; col < 4; col++) {
            u32 sum = s->from_zero ? 0 : in[row].r[C + col];
            for (u32 k = 0; k < 8; k++)
                sum = fused(a[row][k], b[k][col], sum);
            want[row].r[s->place + col] = sum;
        }
}

/* A number of A, from the lane and register that hold it: the inverse of isa/shapes.h, for eight halves along k. */
static struct num of_a(const struct lane_state *in, u32 row, u32 k, const struct type *t) {
    u32 pair = in[4 * (row & 7) + ((k & 7) >> 1)].r[A + (row >= 8 ? 1 : 0) + (k >= 8 ? 2 : 0)];
    return half(pair, k & 1, t);
}
static struct num of_b(const struct lane_state *in, u32 k, u32 col, const struct type *t) {
    return half(in[4 * col + ((k & 7) >> 1)].extra[k >= 8 ? 1 : 0], k & 1, t);
}
/* Four numbers along k, one in each register, of whose bits tf32 has the upper 19. */
static struct num of_a_tf32(const struct lane_state *in, u32 row, u32 k, const struct type *t) {
    u32 lane = (row % 8) << 2 | (k % 4);
    return num_unpack(in[lane].r[A + (row > 7 ? 1 : 0) + (k > 3 ? 2 : 0)] >> 13 << 13, t->f);
}
static struct num of_b_tf32(const struct lane_state *in, u32 k, u32 col, const struct type *t) {
    return num_unpack(in[col << 2 | (k % 4)].extra[k > 3] >> 13 << 13, t->f);
}

/* Sums along `depth` numbers, 16 x 8 of them. */
static void multiply_fragments(const struct lane_state *in, struct lane_state *want, const struct sum *s, u32 depth) {
    bool wide = s->type->bits == 32;
    for (u32 row = 0; row < 16; row++)
        for (u32 col = 0; col < 8; col++) {
            u32 lane = 4 * (row & 7) + (col >> 1), reg = (row >= 8 ? 2 : 0) + (col & 1);
            u32 sum = s->from_zero ? 0 : in[lane].r[C + reg];
            for (u32 k = 0; k < depth; k++)
                sum = fused((wide ? of_a_tf32 : of_a)(in, row, k, s->type),
                            (wide ? of_b_tf32 : of_b)(in, k, col, s->type), sum);
            want[lane].r[s->place + reg] = sum;
        }
}
static void multiply_k16(const struct lane_state *in, struct lane_state *want, const struct sum *s) {
    multiply_fragments(in, want, s, 16);
}
static void multiply_k8(const struct lane_state *in, struct lane_state *want, const struct sum *s) {
    multiply_fragments(in, want, s, 8);
}
static void multiply_k4(const struct lane_state *in, struct lane_state *want, const struct sum *s) {
    multiply_fragments(in, want, s, 4);
}

static const struct reference {
    const char *shape, *name;
    u32 lanes, bits;
    void (*multiply)(const struct lane_state *in, struct lane_state *want, const struct sum *s);
} references[] = {{"m8n4k8", "m8n4k8", 8, 16, multiply_m8n4k8},
                  {"m16n8k16", "m16n8k16", 32, 16, multiply_k16},
                  {"m16n8k8", "m16n8k8", 32, 16, multiply_k8},
                  {"m16n8k4_tf32", "m16n8k4", 32, 32, multiply_k4},
                  {"m16n8k8_tf32", "m16n8k8", 32, 32, multiply_k8}};

static void test_matrix(const struct reference *r, const char *operands, const struct sum *s) {
    static struct lane_state in[N], out[N], want[N];
    char instruction[64];
    snprintf(instruction, sizeof instruction, "mma.%s.f32.%s %s", r->name, s->type->name, operands);
    SCOPED(program_drop) struct program *p = states_assemble(instruction, "");
    if (!p)
        return;
    random_states(in, s->type != &fp16);
    memcpy(want, in, sizeof want);
    for (u32 first = 0; first < N; first += r->lanes)
        r->multiply(in + first, want + first, s);
    u32 width;
    enum engine engine;
    for (u32 i = 0; rig_next(&i, &width, &engine);) {
        if (width < r->lanes)
            continue;
        struct states_launch l = {p, width, engine, width * 2, N, in, out, instruction};
        if (!states_run(&l))
            break;
        for (u32 k = 0; k < N; k++) {
            char wanted[160], got[160];
            state_print(&want[k], wanted);
            state_print(&out[k], got);
            cr_assert(state_equal(&want[k], &out[k]),
                      "'%s', width %u, engine %s, lane %u\n  expected %s\n  got      %s", instruction, width,
                      engine_names[engine], k % width, wanted, got);
        }
    }
}

static void test_type(const struct type *t) {
    for (size_t i = 0; i < COUNT_OF(references); i++) {
        if (references[i].bits != t->bits)
            continue;
        test_matrix(&references[i], "r12, r8, r6, r12", &(struct sum){t, false, C});
        test_matrix(&references[i], "r12, r8, r6, rz", &(struct sum){t, true, C});
        test_matrix(&references[i], "r8, r8, r6, r12", &(struct sum){t, false, A});
    }
}

Test(isa_warp_matrix, multiplies_fp16) {
    test_type(&fp16);
}

Test(isa_warp_matrix, multiplies_bf16) {
    test_type(&bf16);
}

Test(isa_warp_matrix, multiplies_tf32) {
    test_type(&tf32);
}

Test(isa_warp_matrix, every_shape_has_a_reference) {
    cr_assert(COUNT_OF(references) == SHAPE_COUNT - 1);
    for (u32 s = SHAPE_NONE + 1; s < SHAPE_COUNT; s++)
        cr_expect_str_eq(references[s - 1].shape, isa_shapes[s].name);
}

Test(isa_warp_matrix, a_product_needs_as_many_lanes_as_hold_it) {
    struct rig r = {.text = ".kernel t\nmma.m16n8k16.f32.f16 r8, r4, r2, rz\nexit\n"};
    for (r.width = 8; r.width <= 64; r.width *= 2) {
        r.block[0] = r.width;
        cr_expect(rig_fault(&r) == (r.width < 32 ? FAULT_PARTIAL_WARP : FAULT_NONE), "width %u", r.width);
    }
}

Test(isa_warp_matrix, needs_every_lane) {
    struct rig r = {.text = ".kernel t\nmma.m8n4k8.f32.f16 r8, r4, r2, rz\nexit\n", .width = 32, .block = {31}};
    cr_expect(rig_fault(&r) == FAULT_PARTIAL_WARP);
    r.block[0] = 32;
    cr_expect(rig_fault(&r) == FAULT_NONE);
    r.text = ".kernel t\ns2r r0, %laneid\nsetp.ne.s32 p0, r0, 5\n@p0 mma.m8n4k8.f32.bf16 r8, r4, r2, r8\nexit\n";
    cr_expect(rig_fault(&r) == FAULT_PARTIAL_WARP);
    r.text = ".kernel t\n@!pt mma.m8n4k8.f32.bf16 r8, r4, r2, r8\nexit\n"; /* in no lane at all */
    cr_expect(rig_fault(&r) == FAULT_NONE);
}

/* ---- every row of isa/shapes.def ---- */

static void covers(const char *shape, const char *name, const struct isa_matrix *m, u32 lanes) {
    bool held[64][64] = {{false}};
    cr_assert(m->rows * m->columns == lanes * m->elements, "%s: %s has a lane's elements in every lane", shape, name);
    for (u32 l = 0; l < lanes; l++)
        for (u32 e = 0; e < m->elements; e++) {
            struct cell at = m->cell(l, e);
            cr_assert(at.row < m->rows && at.column < m->columns, "%s: %s, lane %u, element %u", shape, name, l, e);
            cr_expect(!held[at.row][at.column], "%s: two lanes hold %s[%u][%u]", shape, name, at.row, at.column);
            held[at.row][at.column] = true;
        }
}

Test(isa_warp_matrix, every_cell_has_one_lane_and_one_element) {
    for (u32 s = SHAPE_NONE + 1; s < SHAPE_COUNT; s++) {
        covers(isa_shapes[s].name, "A", &isa_shapes[s].a, isa_shapes[s].lanes);
        covers(isa_shapes[s].name, "B", &isa_shapes[s].b, isa_shapes[s].lanes);
        covers(isa_shapes[s].name, "C", &isa_shapes[s].c, isa_shapes[s].lanes);
    }
}

/* 32 bits to a register. */
Test(isa_warp_matrix, operands_have_the_registers_of_their_elements) {
    for (u32 op = 0; op < OP_COUNT; op++) {
        const struct isa_row *row = &isa_rows[op];
        const struct isa_shape *s = &isa_shapes[row->shape];
        const u32 bits[] = {[PLACE_D] = s->c.elements * 32,
                            [PLACE_A] = s->a.elements * s->a.bits,
                            [PLACE_B] = s->b.elements * s->b.bits,
                            [PLACE_C] = s->c.elements * 32};
        cr_expect((row->shape != SHAPE_NONE) == (row->iclass == CLASS_MMA), "%s", row->name);
        for (u32 n = 0; n < OPERANDS_MAX && row->shape != SHAPE_NONE; n++) {
            struct inst i = inst_blank((enum op)op);
            const struct operand *o = &row->operand[n];
            if (o->kind != K_NONE)
                cr_expect(operand_regs(&i, o) * 32 == bits[o->place], "operand %u of %s", n, row->name);
        }
        cr_expect(row->shape == SHAPE_NONE || strncmp(strchr(row->name, '.') + 1, s->name, strcspn(s->name, "_")) == 0,
                  "%s", row->name);
    }
}
