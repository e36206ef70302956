/*
 * Is what sim/prove knows of instructions true? Every row of laws.def is put to the executor on corner and random
 * values, and every truth table over every kind of bits is compared with its evaluation.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "isa/laws.h"
#include "sim/arch/eval.h"
#include "sim/base/mix.h"
#include "sim/prove/logic.h"

enum { ROUNDS = 200, NO_CONTROL = 3 };

/* Small numbers, powers of two, special numbers of floating point, and anything. */
static u64 value(u64 *state) {
    static const u64 corners[] = {0,
                                  1,
                                  2,
                                  31,
                                  32,
                                  33,
                                  63,
                                  64,
                                  0x7f800000,
                                  0x7fc00001,
                                  0x80000000,
                                  0xffffffff,
                                  0x7ff0000000000000,
                                  0x8000000000000000,
                                  0xffffffffffffffff};
    u64 r = splitmix_next(state);
    switch (r & 3) {
    case 0: return corners[(r >> 2) % COUNT_OF(corners)];
    case 1: return (u64)1 << (r >> 2 & 63);
    default: return splitmix_next(state);
    }
}

struct rig {
    struct arena arena;
    struct eval *v;
    struct uop u;
    u64 state;
};

static struct rig rig(void) {
    struct rig r = {.state = 1};
    r.v = arena_alloc(&r.arena, sizeof *r.v);
    cr_assert(r.v && eval_init(r.v, &r.arena, ENGINE_AUTO, WARP_MAX));
    return r;
}

static u64 trimmed(u16 op, u64 d) {
    return isa_rows[op].operand[0].kind == K_REG2 ? d : (u32)d;
}

static u64 apply(struct rig *r, u16 op, u64 a, u64 b, u64 c) {
    r->v->a[0] = a;
    r->v->b[0] = b;
    r->v->c[0] = c;
    cr_assert(eval_run(r->v, op, &r->u, 1));
    return isa_rows[op].operand[0].kind == K_PRED ? r->v->pd & 1 : trimmed(op, r->v->d[0]);
}

static u32 halves(u16 op, u32 k) {
    u32 kind = isa_rows[op].operand[k + 1].kind;
    return kind == K_REG2 ? 2 : kind == K_REG ? 1 : 0;
}

Test(prove_terms, operands_that_may_change_places_do) {
    static const u16 ops[] = {
#define COMMUTES(id) OP_##id,
#define FLOAT(type, ...) OP_ADD_##type, OP_MUL_##type, OP_FMA_##type,
#include "isa/laws.def"
    };
    struct rig r = rig();
    for (u32 i = 0; i < COUNT_OF(ops); i++)
        for (u32 n = 0; n < ROUNDS; n++) {
            u64 a = value(&r.state), b = value(&r.state), c = value(&r.state);
            r.u.ftz = isa_rows[ops[i]].groups & M_FTZ && n & 1;
            r.u.sat = isa_rows[ops[i]].groups & M_SAT && n & 2;
            cr_expect_eq(apply(&r, ops[i], a, b, c), apply(&r, ops[i], b, a, c), "%s", isa_rows[ops[i]].name);
        }
    arena_free(&r.arena);
}

enum { CORNERS = 28 };

/* Returns a number with `fraction` bits of fraction: all kinds of bits that a minimum or maximum distinguishes. */
static u64 float_corner(u32 bits, u32 fraction, u32 i) {
    const u64 sign = (u64)1 << (bits - 1), inf = (sign - 1) >> fraction << fraction, quiet = (u64)1 << (fraction - 1);
    const u64 of[CORNERS / 2] = {0,           1,
                                 quiet,       (quiet << 1) - 1,
                                 quiet << 1,  inf >> 1 >> fraction << fraction,
                                 inf - 1,     inf,
                                 inf | 1,     inf | (quiet - 1),
                                 inf | quiet, inf | quiet | 5,
                                 sign - 1,    (inf >> 1 >> fraction << fraction) + 1};
    return of[i / 2] | (i & 1 ? sign : 0);
}

static u64 whole_corner(u32 halves, u32 i) {
    const u64 top = (u64)1 << (32 * halves - 1),
              of[CORNERS / 2] = {0,     1,       2,       3,   255,     256,        65535,
                                 65536, top - 1, top - 2, top, top + 1, 0xaaaaaaaa, 0x55555555};
    return i & 1 ? ~of[i / 2] : of[i / 2];
}

/* Halves of a register are numbers of their own, each with all corners. */
static u64 extreme_corner(u16 op, u32 i) {
    const u32 other = (i * 5 + 3) % CORNERS;
    switch (isa_rows[op].operand[1].literal) {
    case LIT_F32: return float_corner(32, 23, i);
    case LIT_F64: return float_corner(64, 52, i);
    case LIT_H2: return float_corner(16, 10, i) | float_corner(16, 10, other) << 16;
    case LIT_W2: return float_corner(16, 7, i) | float_corner(16, 7, other) << 16;
    default: return whole_corner(halves(op, 0), i);
    }
}

/* With all triples of corner values: order, brackets and repetition do not count. */
Test(prove_terms, minima_and_maxima_are_sets) {
    static const struct {
        u16 op;
        bool set, bounded;
        u64 nothing, all;
    } ops[] = {
#define EXTREME(id, halves, nothing, all) {OP_##id, true, true, nothing, all},
#define WHOLE(id, like, halves, sign) {OP_##id, WHOLE_##like == WHOLE_MIN || WHOLE_##like == WHOLE_MAX, false, 0, 0},
#include "isa/laws.def"
    };
    struct rig r = rig();
    u32 sets = 0;
    for (u32 i = 0; i < COUNT_OF(ops); i++) {
        u16 op = ops[i].op;
        sets += ops[i].set;
        for (u32 n = 0; ops[i].set && n < CORNERS * CORNERS * CORNERS * 2; n++) {
            u64 a = extreme_corner(op, n % CORNERS), b = extreme_corner(op, n / CORNERS % CORNERS);
            u64 c = extreme_corner(op, n / CORNERS / CORNERS % CORNERS), ab = 0;
            r.u.ftz = isa_rows[op].groups & M_FTZ && n >= CORNERS * CORNERS * CORNERS;
            ab = apply(&r, op, a, b, 0);
            cr_assert_eq(ab, apply(&r, op, b, a, 0), "%s", isa_rows[op].name);
            cr_assert_eq(apply(&r, op, ab, c, 0), apply(&r, op, a, apply(&r, op, b, c, 0), 0), "%s of %llx %llx %llx",
                         isa_rows[op].name, (unsigned long long)a, (unsigned long long)b, (unsigned long long)c);
            cr_assert_eq(apply(&r, op, ab, a, 0), ab, "%s", isa_rows[op].name);
            cr_assert_eq(apply(&r, op, ab, ab, 0), ab, "%s", isa_rows[op].name);
            cr_assert(!ops[i].bounded || apply(&r, op, ab, ops[i].nothing, 0) == ab, "%s", isa_rows[op].name);
            cr_assert(!ops[i].bounded || apply(&r, op, a, ops[i].all, 0) == ops[i].all, "%s", isa_rows[op].name);
        }
    }
    cr_expect_eq(sets, 16);
    arena_free(&r.arena);
}

/* The type of a FLOAT row, with its instructions. */
struct float_type {
    u16 add, sub, mul, div, fma;
    u32 halves, bits, fraction;
    u64 signs;
};

/* A number in all places of an operand. */
static u64 filled(const struct float_type *t, u64 number) {
    return t->bits == 16 ? number | number << 16 : number;
}

/* The forms of sim/prove/floats.h, of operands a, b, c and a power of two `p` whose reciprocal is `q`. */
static void expect_forms(struct rig *r, const struct float_type *t, const u64 in[3], u64 p, u64 q) {
    const u64 a = in[0], b = in[1], c = in[2], minus = t->signs,
              inf = ((u64)1 << (t->bits - 1)) - ((u64)1 << t->fraction);
    const u64 bias = ((u64)1 << (t->bits - 2 - t->fraction)) - 1;
    const u64 one = filled(t, bias << t->fraction), two = filled(t, (bias + 1) << t->fraction),
              nan = filled(t, inf | 5);
    const char *name = isa_rows[t->add].name;
    cr_assert_eq(apply(r, t->sub, a, b, 0), apply(r, t->add, a, b ^ minus, 0), "%s", name);
    cr_assert_eq(apply(r, t->mul, a, two, 0), apply(r, t->add, a, a, 0), "%s", name);
    cr_assert_eq(apply(r, t->fma, a, one, c), apply(r, t->add, a, c, 0), "%s", name);
    cr_assert_eq(apply(r, t->mul, a ^ minus, b, 0), apply(r, t->mul, a, b ^ minus, 0), "%s", name);
    cr_assert_eq(apply(r, t->fma, a ^ minus, b, c), apply(r, t->fma, a, b ^ minus, c), "%s", name);
    u64 product = apply(r, t->mul, a, b, 0);
    if (r->u.rnd != RM) {
        cr_assert_eq(apply(r, t->fma, a, b, minus), product, "%s", name);
        cr_assert_eq(apply(r, t->mul, a, one, 0), apply(r, t->add, a, minus, 0), "%s", name);
        if (!r->u.sat)
            cr_assert_eq(apply(r, t->add, product, minus, 0), product, "%s", name);
    }
    cr_assert_eq(apply(r, t->add, a, nan, 0), apply(r, t->add, 0, nan, 0), "%s", name);
    cr_assert_eq(apply(r, t->mul, a, nan, 0), apply(r, t->mul, 0, nan, 0), "%s", name);
    cr_assert_eq(apply(r, t->fma, a, b, nan), apply(r, t->fma, 0, 0, nan), "%s", name);
    cr_assert_eq(apply(r, t->fma, a, nan, c), apply(r, t->fma, 0, nan, 0), "%s", name);
    r->u.sat = 0; /* which divisions do not have */
    cr_assert_eq(apply(r, t->div, a ^ minus, b, 0), apply(r, t->div, a, b ^ minus, 0), "%s", name);
    cr_assert_eq(apply(r, t->div, a, nan, 0), apply(r, t->div, 0, nan, 0), "%s", name);
    cr_assert_eq(apply(r, t->div, nan, a, 0), apply(r, t->div, nan, 0, 0), "%s", name);
    cr_assert_eq(apply(r, t->div, a, p, 0), apply(r, t->mul, a, q, 0), "%s by %llx", name, (unsigned long long)p);
}

/* With all triples of corner values, roundings and modifiers, and all powers of two whose reciprocal is normal. */
Test(prove_terms, floating_point_arithmetic_has_its_forms) {
    static const struct float_type types[] = {
#define FLOAT(type, halves, bits, fraction, signs) \
    {OP_ADD_##type, OP_SUB_##type, OP_MUL_##type, OP_DIV_##type, OP_FMA_##type, halves, bits, fraction, signs},
#include "isa/laws.def"
    };
    struct rig r = rig();
    cr_expect_eq(COUNT_OF(types), 4);
    for (const struct float_type *t = types; t < types + COUNT_OF(types); t++)
        for (u32 n = 0; n < CORNERS * CORNERS * CORNERS * 4; n++) {
            const u64 exponents = ((u64)1 << (t->bits - 1 - t->fraction)) - 3, e = 1 + n % exponents;
            const u64 sign = (u64)(n & 1) << (t->bits - 1);
            u64 in[3] = {extreme_corner(t->add, n % CORNERS), extreme_corner(t->add, n / CORNERS % CORNERS),
                         extreme_corner(t->add, n / CORNERS / CORNERS % CORNERS)};
            r.u.rnd = isa_rows[t->add].groups & M_RF ? n / CORNERS / CORNERS / CORNERS & 3 : 0;
            r.u.ftz = isa_rows[t->add].groups & M_FTZ && n & 2;
            r.u.sat = isa_rows[t->add].groups & M_SAT && n & 4;
            expect_forms(&r, t, in, filled(t, e << t->fraction | sign),
                         filled(t, (exponents + 1 - e) << t->fraction | sign));
        }
    arena_free(&r.arena);
}

Test(prove_terms, comparisons_with_itself_and_tests_are_others) {
    static const struct {
        u16 op, like;
        bool holds, flip;
        u64 bits, with;
    } ops[] = {
#define ITSELF(id, holds, num) {OP_##id, OP_##num, holds, false, 0, 0},
#define TESTS(id, like, bits, with, flip) {OP_##id, OP_##like, false, flip, bits, with},
#include "isa/laws.def"
    };
    struct rig r = rig();
    for (u32 i = 0; i < COUNT_OF(ops); i++)
        for (u32 n = 0; n < CORNERS * CORNERS; n++) {
            const u16 op = ops[i].op, like = ops[i].like;
            u64 a = extreme_corner(op, n % CORNERS), b = extreme_corner(op, n / CORNERS),
                num = apply(&r, like, a, a, 0);
            r.u.ftz = isa_rows[op].groups & M_FTZ && n & 1;
            if (ops[i].bits)
                num = apply(&r, like, a & ops[i].bits, ops[i].with, 0) ^ ops[i].flip;
            else
                cr_assert_eq(apply(&r, like, a, b, 0), num & apply(&r, like, b, b, 0), "%s", isa_rows[like].name);
            cr_assert_eq(apply(&r, op, a, a, 0), ops[i].bits || ops[i].holds ? num : 0, "%s", isa_rows[op].name);
        }
    arena_free(&r.arena);
}

Test(prove_terms, comparisons_are_others) {
    static const struct {
        u16 op, like;
        bool swap, flip;
    } ops[] = {
#define COMPARES(id, like, swap, flip) {OP_##id, OP_##like, swap, flip},
#include "isa/laws.def"
    };
    struct rig r = rig();
    for (u32 i = 0; i < COUNT_OF(ops); i++)
        for (u32 n = 0; n < ROUNDS; n++) {
            u64 a = value(&r.state), b = n % 5 ? value(&r.state) : a;
            r.u.ftz = isa_rows[ops[i].op].groups & M_FTZ && n & 1;
            u64 like = ops[i].swap ? apply(&r, ops[i].like, b, a, 0) : apply(&r, ops[i].like, a, b, 0);
            cr_expect_eq(apply(&r, ops[i].op, a, b, 0), like ^ ops[i].flip, "%s", isa_rows[ops[i].op].name);
            cr_assert_eq(isa_rows[ops[i].op].groups, isa_rows[ops[i].like].groups);
        }
    arena_free(&r.arena);
}

Test(prove_terms, fused_instructions_are_two) {
    static const struct {
        u16 whole, first, then;
    } ops[] = {
#define FUSED(id, first, then) {OP_##id, OP_##first, OP_##then},
#include "isa/laws.def"
    };
    struct rig r = rig();
    for (u32 i = 0; i < COUNT_OF(ops); i++)
        for (u32 n = 0; n < ROUNDS; n++) {
            u64 a = value(&r.state), b = value(&r.state), c = value(&r.state);
            u64 steps = apply(&r, ops[i].then, apply(&r, ops[i].first, a, b, 0), c, 0);
            cr_expect_eq(apply(&r, ops[i].whole, a, b, c), steps, "%s", isa_rows[ops[i].whole].name);
        }
    arena_free(&r.arena);
}

Test(prove_terms, atomics_leave_what_their_instruction_gives) {
    static const struct {
        u16 atom, red, lane;
        bool commutes;
    } ops[] = {
#define ATOMIC(id, lane, commutes) {OP_ATOM_##id, OP_RED_##id, OP_##lane, commutes},
#include "isa/laws.def"
    };
    struct rig r = rig();
    for (u32 i = 0; i < COUNT_OF(ops); i++)
        for (u32 n = 0; n < ROUNDS; n++) {
            u64 old = value(&r.state), b = value(&r.state), want = apply(&r, ops[i].lane, old, b, 0);
            const u16 both[] = {ops[i].atom, ops[i].red};
            u64 other = value(&r.state), then = apply(&r, ops[i].lane, want, other, 0);
            u64 first = apply(&r, ops[i].lane, old, other, 0);
            if (ops[i].commutes)
                cr_expect_eq(then, apply(&r, ops[i].lane, first, b, 0), "%s", isa_rows[ops[i].lane].name);
            for (u32 k = 0; k < 2; k++) {
                r.v->cell = trimmed(ops[i].lane, old);
                r.v->b[0] = b;
                cr_assert(eval_atomic(r.v, both[k], &r.u));
                cr_expect_eq(r.v->cell, want, "%s", isa_rows[both[k]].name);
            }
        }
    arena_free(&r.arena);
}

/* Bit i of the result from bit i of the operands, by one table for all i: that of the instruction on single bits. */
Test(prove_terms, bitwise_instructions_treat_all_bits_alike) {
    static const u16 ops[] = {
#define BITWISE(id) OP_##id,
#include "isa/laws.def"
    };
    struct rig r = rig();
    for (u32 i = 0; i < COUNT_OF(ops); i++)
        for (u32 n = 0; n < ROUNDS; n++) {
            const struct isa_row *row = &isa_rows[ops[i]];
            u64 in[3], got, want = 0,
                            bits = row->operand[0].kind == K_REG2  ? 64
                                   : row->operand[0].kind == K_REG ? 32
                                                                   : 1;
            u8 table = 0;
            r.u.imm = splitmix_next(&r.state) & 0xff;
            r.v->pa = 0xf0, r.v->pb = 0xcc, r.v->pc = 0xaa;
            for (u32 m = 0; m < 8; m++) {
                r.v->a[m] = 0 - (u64)(m >> 2);
                r.v->b[m] = 0 - (u64)(m >> 1 & 1);
                r.v->c[m] = 0 - (u64)(m & 1);
            }
            cr_assert(eval_run(r.v, ops[i], &r.u, 0xff));
            for (u32 m = 0; m < 8; m++)
                table |= (u8)((bits == 1 ? r.v->pd >> m & 1 : r.v->d[m] & 1) << m);
            for (u32 k = 0; k < 3; k++) {
                in[k] = value(&r.state);
                in[k] = row->operand[k + 1].kind == K_PRED ? 0 - (in[k] & 1) : in[k];
            }
            r.v->pa = in[0], r.v->pb = in[1], r.v->pc = in[2];
            got = apply(&r, ops[i], in[0], in[1], in[2]);
            got = bits == 1 ? r.v->pd & 1 : got;
            for (u32 k = 0; k < bits; k++)
                want |= (u64)(table >> ((in[0] >> k & 1) * 4 + (in[1] >> k & 1) * 2 + (in[2] >> k & 1)) & 1) << k;
            cr_expect_eq(got, want, "%s", row->name);
        }
    arena_free(&r.arena);
}

/*
 * For a fixed control: the bits of the result that change with one bit of an operand change with no other, and what
 * they are together is the sum of what they are one by one. Bits of the control that do not count change nothing.
 */
static void expect_routes(struct rig *r, u16 op, u32 control, u64 bits) {
    u64 in[3] = {0}, zero, taken = 0, sum, data[3];
    for (u32 k = 0; k < 3; k++)
        data[k] = value(&r->state) & (halves(op, k) == 2 ? ~(u64)0 : 0xffffffff);
    in[control % 3] = control < 3 ? data[control] : 0;
    zero = sum = apply(r, op, in[0], in[1], in[2]);
    for (u32 k = 0; k < 3; k++)
        for (u32 i = 0; i < 32 * halves(op, k) && k != control; i++) {
            u64 one[3] = {in[0], in[1], in[2]};
            one[k] = (u64)1 << i;
            u64 changed = apply(r, op, one[0], one[1], one[2]) ^ zero;
            cr_expect_eq(changed & taken, 0, "%s", isa_rows[op].name);
            taken |= changed;
            sum ^= data[k] >> i & 1 ? changed : 0;
        }
    cr_expect_eq(apply(r, op, data[0], data[1], data[2]), sum, "%s", isa_rows[op].name);
    data[control % 3] ^= control < 3 ? splitmix_next(&r->state) & ~bits : 0;
    cr_expect_eq(apply(r, op, data[0], data[1], data[2]), sum, "%s", isa_rows[op].name);
}

Test(prove_terms, routing_instructions_move_bits) {
    static const struct {
        u16 op;
        u32 control;
        u64 bits;
    } ops[] = {
#define A 0
#define B 1
#define C 2
#define NONE NO_CONTROL
#define ROUTES(id, control, bits) {OP_##id, control, bits},
#include "isa/laws.def"
#undef A
#undef B
#undef C
#undef NONE
    };
    struct rig r = rig();
    for (u32 i = 0; i < COUNT_OF(ops); i++)
        for (u32 n = 0; n < ROUNDS; n++) {
            r.u.nb = (u8)(splitmix_next(&r.state) % 70);
            r.u.nc = (u8)(splitmix_next(&r.state) % 70);
            r.u.imm = splitmix_next(&r.state) % 70;
            expect_routes(&r, ops[i].op, ops[i].control, ops[i].bits);
        }
    arena_free(&r.arena);
}
