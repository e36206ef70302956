/*
 * Is what sim/prove knows of instructions true? Every row of laws.def is put to the executor on corner and random
 * values, and every truth table over every kind of bits is compared with its evaluation.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "isa/laws.h"
#include "sim/arch/eval.h"
#include "sim/prove/logic.h"

enum { ROUNDS = 200, NO_CONTROL = 3 };

static u64 next(u64 *state) {
    u64 z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

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
    u64 r = next(state);
    switch (r & 3) {
    case 0: return corners[(r >> 2) % COUNT_OF(corners)];
    case 1: return (u64)1 << (r >> 2 & 63);
    default: return next(state);
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
            r.u.imm = next(&r.state) & 0xff;
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
    data[control % 3] ^= control < 3 ? next(&r->state) & ~bits : 0;
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
            r.u.nb = (u8)(next(&r.state) % 70);
            r.u.nc = (u8)(next(&r.state) % 70);
            r.u.imm = next(&r.state) % 70;
            expect_routes(&r, ops[i].op, ops[i].control, ops[i].bits);
        }
    arena_free(&r.arena);
}

/* ---- terms ---- */

/* The value of a bit when inputs 1, 2, 3, ... have the bits of `m`. */
static u32 worth(const struct terms *e, u32 bit, u32 m) {
    u32 atom = bit_atom(bit), not = bit >> 31, at = 0;
    if (bit_known(bit))
        return not ;
    const struct atom *a = term_at(e, atom);
    const u32 *list = term_operands(e, atom);
    if (a->code == ATOM_INPUT)
        return (list[1] < 32 ? m >> list[1] & 1 : 0) ^ not ;
    u32 from = a->code == ATOM_TABLE ? 2 : 0, ones = 0;
    for (u32 k = from; k < a->count; k++) {
        at |= worth(e, list[k], m) << (k - from) % 32;
        ones += worth(e, list[k], m);
    }
    if (a->code == ATOM_TABLE)
        return (logic_table(e, atom) >> at & 1) ^ not ;
    return (a->code == ATOM_XOR ? ones & 1 : ones == a->count) ^ not ;
}

Test(prove_terms, a_function_of_bits_is_its_table) {
    struct terms e;
    u32 kind[8] = {BIT_0, BIT_1};
    cr_assert(term_init(&e));
    for (u32 i = 0; i < 3; i++) {
        u32 bit[32];
        term_bits(&e, term_input(&e, 0, i), bit);
        kind[2 + 2 * i] = bit[0];
        kind[3 + 2 * i] = bit[0] ^ BIT_NOT;
    }
    for (u32 table = 0; table < 256; table++)
        for (u32 n = 0; n < 512; n++) {
            const u32 abc[] = {kind[n & 7], kind[n >> 3 & 7], kind[n >> 6]};
            u32 f = logic_function(&e, (u8)table, abc);
            for (u32 m = 0; m < 8; m++) {
                u32 at = worth(&e, abc[0], m) * 4 + worth(&e, abc[1], m) * 2 + worth(&e, abc[2], m);
                cr_assert_eq(worth(&e, f, m), table >> at & 1, "table %u of bits %u", table, n);
            }
        }
    /* Of 256 functions of three bits 2 are constant and 6 are a bit or its complement; half of the rest is kept. */
    cr_assert_eq(term_atoms(&e), 1 + 3 + (256 - 2 - 6) / 2);
    term_free(&e);
}

static u32 random_bit(u64 *state) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (u32)(*state >> 33);
}

struct inputs {
    struct terms e;
    u32 in[6];
    u64 state;
};

/* A random expression of bits in[0..n): the bit, and its truth table over all of them. */
static u32 expression(struct inputs *x, u32 n, u32 depth, u64 *table) {
    u32 abc[3], code = (u8)(random_bit(&x->state) & 0xff);
    u64 of[3];
    if (depth == 0) {
        u32 k = random_bit(&x->state) % n;
        *table = logic_column(k, 6);
        return x->in[k];
    }
    for (u32 i = 0; i < 3; i++)
        abc[i] = expression(x, n, depth - 1, &of[i]);
    *table = 0;
    for (u32 m = 0; m < 64; m++)
        *table |= (u64)(code >> ((of[0] >> m & 1) * 4 + (of[1] >> m & 1) * 2 + (of[2] >> m & 1)) & 1) << m;
    return logic_function(&x->e, (u8)code, abc);
}

static void input_bits(struct terms *e, u32 *in, u32 n) {
    for (u32 i = 0; i < n; i++) {
        u32 bit[32];
        term_bits(e, term_input(e, 0, i), bit);
        in[i] = bit[0];
    }
}

/* However it is put together: of two expressions with one table there is one bit, and of others there are two. */
Test(prove_terms, functions_of_up_to_six_bits_have_one_form) {
    enum { MANY = 600 };
    struct inputs x = {.state = 1};
    static u64 table[MANY];
    static u32 bit[MANY];
    u32 again = 0;
    cr_assert(term_init(&x.e));
    input_bits(&x.e, x.in, 6);
    for (u32 i = 0; i < MANY; i++) {
        bit[i] = expression(&x, i < MANY / 2 ? 3 : 6, 1 + i % 4, &table[i]);
        for (u32 m = 0; m < 64; m++)
            cr_assert_eq(worth(&x.e, bit[i], m), table[i] >> m & 1, "expression %u at %u", i, m);
        for (u32 k = 0; k < i; k++) {
            cr_assert_eq(bit[i] == bit[k], table[i] == table[k], "expressions %u and %u", i, k);
            again += bit[i] == bit[k];
        }
    }
    cr_expect_gt(again, MANY);
    term_free(&x.e);
}

enum { BITS_MOST = 64 };

static const u8 codes[] = {0x3c, 0xc0, 0xfc}; /* a ^ b, a & b, a | b */

/* Input i, in every third place complemented. */
static u32 literal(const u32 *in, u32 i) {
    return in[i] ^ (i % 3 ? 0 : BIT_NOT);
}

/* The sum, product or union of n literals put together in a random order, with or without some of them twice. */
static u32 put_together(struct terms *e, const u32 *in, u32 n, u32 code, u64 *state) {
    u32 list[2 * BITS_MOST], count = n, again = *state & 1 && code ? 3 : 0;
    for (u32 i = 0; i < n; i++)
        list[i] = literal(in, i);
    for (u32 i = 0; i < again; i++)
        list[count++] = list[random_bit(state) % n];
    for (; count > 1; count--) {
        u32 a = random_bit(state) % count, kept = list[a];
        list[a] = list[count - 1];
        u32 b = random_bit(state) % (count - 1);
        const u32 abc[] = {kept, list[b], BIT_0};
        list[b] = logic_function(e, codes[code], abc);
    }
    return list[0];
}

/* Its value where all inputs that are not complemented are 0, and where the first 32 of them are 1. */
static void expect_values(const struct terms *e, u32 bit, u32 n, u32 code) {
    for (u32 m = 0; m < 2; m++) {
        u32 ones = 0, at = 0;
        for (u32 i = 0; i < n; i++)
            ones += i % 3 ? i < 32 && m : 1;
        const u32 want[] = {ones & 1, ones == n, ones > 0};
        for (u32 i = 0; i < 32 && m; i++)
            at |= (u32)(i % 3 != 0) << i;
        cr_assert(n > 32 || worth(e, bit, at) == want[code], "code %x of %u bits", codes[code], n);
    }
}

/* Sums, products and their complements of many bits, in random orders and brackets, some of them repeated. */
Test(prove_terms, sums_and_products_of_bits_have_one_form) {
    struct terms e;
    u32 in[BITS_MOST + 6];
    u64 state = 2;
    cr_assert(term_init(&e));
    input_bits(&e, in, BITS_MOST + 6);
    for (u32 round = 0; round < 60; round++) {
        u32 n = 2 + random_bit(&state) % (BITS_MOST - 1), first = 0, code = round % 3;
        for (u32 way = 0; way < 4; way++) {
            u32 bit = put_together(&e, in, n, code, &state);
            first = way ? first : bit;
            cr_assert_eq(bit, first, "code %x of %u bits", codes[code], n);
            expect_values(&e, bit, n, code);
        }
        /* A subtracted bit no longer occurs, and a bit beside its complement decides. */
        u32 rest = first;
        for (u32 i = 1; i < n && code == 0; i++) {
            const u32 abc[] = {rest, literal(in, i), BIT_0};
            rest = logic_function(&e, codes[0], abc);
        }
        const u32 other[] = {first, in[0], BIT_0};
        cr_assert_eq(code ? logic_function(&e, codes[code], other) : rest, code == 1 ? BIT_0
                                                                           : code    ? BIT_1
                                                                                     : in[0] ^ BIT_NOT);
    }
    term_free(&e);
}

/* More than there is room for: right, in whatever form. */
Test(prove_terms, long_sums_and_products_of_bits_are_right) {
    struct terms e;
    u32 in[BITS_MOST + 6], sum = BIT_0, all = BIT_1;
    cr_assert(term_init(&e));
    input_bits(&e, in, BITS_MOST + 6);
    for (u32 i = 0; i < BITS_MOST + 6; i++) {
        const u32 a[] = {sum, in[i], BIT_0}, b[] = {all, in[i] ^ BIT_NOT, BIT_0};
        sum = logic_function(&e, codes[0], a);
        all = logic_function(&e, codes[1], b);
    }
    cr_expect_eq(worth(&e, sum, 0x80000003), 1);
    cr_expect_eq(worth(&e, sum, 0x00000041), 0);
    cr_expect_eq(worth(&e, all, 0), 1);
    cr_expect_eq(worth(&e, all, 0x00010000), 0);
    term_free(&e);
}

Test(prove_terms, equal_words_are_one) {
    struct terms e;
    u32 bit[32], value;
    cr_assert(term_init(&e));
    u32 x = term_input(&e, 2, 7), y = term_input(&e, 2, 8);
    cr_expect_neq(x, y);
    cr_expect_eq(x, term_input(&e, 2, 7));
    term_bits(&e, x, bit);
    cr_expect_eq(term_word(&e, bit), x);
    bit[31] ^= BIT_NOT;
    u32 flipped = term_word(&e, bit);
    cr_expect_neq(flipped, x);
    cr_expect_eq(term_word(&e, bit), flipped);
    for (u32 i = 0; i < 32; i++)
        bit[i] = i % 3 ? BIT_0 : BIT_1;
    cr_expect(term_value(&e, term_word(&e, bit), &value));
    cr_expect_eq(value, 0x49249249);
    cr_expect_not(term_value(&e, x, &value));
    struct fresh f = {.kind = FRESH_REGISTER};
    cr_expect_neq(term_fresh(&e, &f), term_fresh(&e, &f));
    term_free(&e);
}

Test(prove_terms, tables_grow) {
    enum { LITERALS = 100000 };
    struct terms e;
    cr_assert(term_init(&e));
    static u32 word[LITERALS];
    for (u32 i = 0; i < LITERALS; i++)
        word[i] = term_input(&e, 0, i);
    for (u32 i = 0; i < LITERALS; i++) {
        cr_assert_eq(term_input(&e, 0, i), word[i]);
        cr_assert_eq(term_const(&e, i), term_const(&e, i));
    }
    cr_assert_eq(term_atoms(&e), 1 + LITERALS);
    term_free(&e);
}
