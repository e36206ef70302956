/* Are the bits that sim/check/spread.c calls undefined those that change when undefined bits of operands do? */
#include <criterion/criterion.h>
#include <string.h>

#include "isa/laws.h"
#include "sim/arch/eval.h"
#include "sim/check/spread.h"
#include "tests/lib/random.h"

enum { WIDTH = 32, BITS = 5, ROUNDS = 400 }; /* 2^BITS values of the undefined bits, one in a lane */

enum precision { SOUND, EXACT, EXACT_BUT_CONTROL };

/* Rows that are exact, and the operand (of ROUTES rows) that need not be. */
static const struct {
    u8 precision, control;
} wanted[OP_COUNT] = {
#define A 0
#define B 1
#define C 2
#define NONE 3
#define BITWISE(id) [OP_##id] = {EXACT, 3},
#define ROUTES(id, control, bits) [OP_##id] = {EXACT_BUT_CONTROL, control},
#include "isa/laws.def"
#undef A
#undef B
#undef C
#undef NONE
};

static const u8 likes[OP_COUNT] = {
#define WHOLE(id, like, halves, sign) [OP_##id] = WHOLE_##like,
#include "isa/laws.def"
};

static const u8 halves[OP_COUNT] = {
#define HALVES(id, like) [OP_##id] = HALVES_##like,
#include "isa/laws.def"
};

/* Rows with a law of bits, which covers their halves too. */
static const bool has_law[OP_COUNT] = {
#define BITWISE(id) [OP_##id] = true,
#define ROUTES(id, control, bits) [OP_##id] = true,
#define LOWEST(id) [OP_##id] = true,
#define MONOTONE(id) [OP_##id] = true,
#define FUSED(id, first, then) [OP_##id] = true,
#include "isa/laws.def"
};

struct rig {
    struct arena arena;
    struct spread *s;
    struct eval *v;
    struct uop u;
    u64 state;
    u64 mask[3], value[3]; /* undefined bits; one value */
};

static struct rig rig(void) {
    struct rig r = {.state = 0x9e3779b97f4a7c15};
    r.s = arena_alloc(&r.arena, sizeof *r.s);
    r.v = arena_alloc(&r.arena, sizeof *r.v);
    cr_assert(spread_init(r.s, &r.arena, ENGINE_AUTO, WIDTH) && eval_init(r.v, &r.arena, ENGINE_AUTO, WIDTH));
    return r;
}

static u64 width_of(const struct operand *o) {
    return o->kind == K_REG2 ? 64 : o->kind == K_REG ? 32 : o->kind == K_PRED ? 1 : 0;
}

/* Whole words, short numbers, runs of ones, powers of two. */
static u64 any_value(u64 *state, u64 bits) {
    u64 v = random_bits(state), all = bits < 64 ? ((u64)1 << bits) - 1 : ~(u64)0;
    switch (random_bits(state) % 5) {
    case 0: v &= 0xff; break;
    case 1: v = (u64)1 << v % 64; break;
    case 2: v = 0 - ((u64)1 << v % 64); break;
    case 3: v = v & 1 ? ~(u64)0 : 0; break;
    default: break;
    }
    return bits ? v & all : 0;
}

/* Chooses values of operands, and at most BITS undefined bits in all; `tied`: the second operand is the first. */
static void choose(struct rig *r, u16 op, bool tied) {
    const struct isa_row *row = &isa_rows[op];
    u32 left = BITS;
    for (u32 k = 0; k < 3; k++) {
        u64 bits = width_of(&row->operand[k + 1]);
        r->value[k] = any_value(&r->state, bits);
        r->mask[k] = 0;
        for (u32 n = (u32)(random_bits(&r->state) % (BITS + 1)); bits && n > 0 && left > 0; n--, left--)
            r->mask[k] |= (u64)1 << random_bits(&r->state) % bits;
    }
    r->u.nb = (u8)(random_bits(&r->state) % 40);
    r->u.nc = (u8)(random_bits(&r->state) % 40);
    r->u.imm = random_bits(&r->state) % 256;
    r->u.rnd = (u8)(random_bits(&r->state) % 4);
    if (tied) {
        r->value[1] = r->value[0];
        r->mask[1] = r->mask[0];
    }
}

/* The bits of `m` at the places of the ones of `mask`, from the lowest; `m` loses them. */
static u64 deposit(u64 mask, u32 *m) {
    u64 v = 0;
    for (; mask; mask &= mask - 1, *m >>= 1)
        v |= *m & 1 ? mask & -mask : 0;
    return v;
}

/* The bits of the result that change as the undefined ones take all values. */
static u64 changes(struct rig *r, u16 op, bool tied) {
    struct eval *v = r->v;
    const struct isa_row *row = &isa_rows[op];
    u64 *to[3] = {v->a, v->b, v->c}, *bit[3] = {&v->pa, &v->pb, &v->pc}, all = width_of(&row->operand[0]), out = 0;
    v->pa = v->pb = v->pc = 0;
    for (u32 l = 0; l < WIDTH; l++) {
        u32 m = l;
        for (u32 k = 0; k < 3; k++) {
            u64 value = (r->value[k] & ~r->mask[k]) | deposit(r->mask[k], &m);
            if (tied && k == 1)
                value = to[0][l];
            to[k][l] = value;
            *bit[k] |= (value & 1) << l;
        }
        if (tied && row->operand[1].kind == K_PRED)
            v->pb = v->pa;
    }
    cr_assert(eval_run(v, op, &r->u, UINT32_MAX), "%s", row->name);
    for (u32 l = 0; l < WIDTH; l++)
        out |= all == 1 ? (v->pd ^ v->pd >> l) & 1 : v->d[0] ^ v->d[l];
    return all == 32 ? (u32)out : out;
}

static u64 spread_bits(struct rig *r, u16 op, bool tied) {
    for (u32 l = 0; l < WIDTH; l++)
        for (u32 k = 0; k < 3; k++) {
            r->s->in[k].value[l] = r->value[k] ^ (random_bits(&r->state) & r->mask[k]);
            r->s->in[k].undefined[l] = r->mask[k];
            r->s->like[k] = (u8)(tied && k == 1 ? 0 : k);
        }
    for (u32 l = 0; l < WIDTH && tied; l++)
        r->s->in[1].value[l] = r->s->in[0].value[l];
    spread_run(r->s, op, &r->u);
    for (u32 l = 1; l < WIDTH; l++)
        cr_expect_eq(r->s->out.undefined[l], r->s->out.undefined[0], "%s, by lane", isa_rows[op].name);
    return r->s->out.undefined[0];
}

static bool is_exact(const struct rig *r, u16 op) {
    u8 how = likes[op];
    if (how == WHOLE_CHOOSE || how == WHOLE_CHOOSE_SIGN || how >= WHOLE_EQ || how == WHOLE_ADD || how == WHOLE_SUB)
        return true;
    if (wanted[op].precision == EXACT_BUT_CONTROL)
        return wanted[op].control == 3 || !r->mask[wanted[op].control];
    return wanted[op].precision == EXACT;
}

static bool of_one_lane(u16 op) {
    return isa_rows[op].kind == ROW_LANE || isa_rows[op].kind == ROW_LANEI;
}

Test(check_spread, no_bit_that_changes_is_called_defined) {
    struct rig r = rig();
    u32 rows = 0;
    for (u16 op = 0; op < OP_COUNT; op++) {
        rows += of_one_lane(op);
        for (u32 n = 0; n < ROUNDS && of_one_lane(op); n++) {
            choose(&r, op, false);
            u64 bits = spread_bits(&r, op, false), want = changes(&r, op, false);
            cr_assert_eq(want & ~bits, 0, "%s: %llx of %llx, %llx, %llx with %llx, %llx, %llx undefined",
                         isa_rows[op].name, (unsigned long long)(want & ~bits), (unsigned long long)r.value[0],
                         (unsigned long long)r.value[1], (unsigned long long)r.value[2], (unsigned long long)r.mask[0],
                         (unsigned long long)r.mask[1], (unsigned long long)r.mask[2]);
            if (is_exact(&r, op))
                cr_assert_eq(bits, want, "%s: %llx instead of %llx", isa_rows[op].name, (unsigned long long)bits,
                             (unsigned long long)want);
        }
    }
    cr_expect_gt(rows, 200);
    arena_free(&r.arena);
}

enum { LOW_LOW = 1u, LOW_HIGH = 2u, HIGH_LOW = 4u, HIGH_HIGH = 8u }; /* half of the result, of the operand */

/* LOW_LOW and so on: which half of an operand changes the lowest 16 bits of a result, and which those above. */
static u32 halves_that_matter(struct rig *r, u16 op, u32 k) {
    const struct isa_row *row = &isa_rows[op];
    u64 bits = width_of(&row->operand[k + 1]);
    u32 found = 0;
    for (u32 n = 0; n < ROUNDS && bits >= 32; n++) {
        choose(r, op, false);
        memset(r->mask, 0, sizeof r->mask);
        if (n & 1) /* small numbers of 16 and of 32 bits */
            r->value[k] = (n & 2 ? 0x00010001u : 0x3c003c00u) * (u32)(1 + n % 3);
        for (u32 high = 0; high < 2; high++) {
            r->mask[k] = (u64)0x1f << random_bits(&r->state) % (bits / 2 - 4) << bits / 2 * high;
            u64 changed = changes(r, op, false);
            found |=
                (changed & 0xffff ? (u32)LOW_LOW << high : 0) | (changed & ~(u64)0xffff ? (u32)HIGH_LOW << high : 0);
        }
    }
    return found;
}

/* A row without a law must be an operation of its own; else its law was forgotten. */
Test(check_spread, no_row_treats_halves_apart_without_a_law) {
    struct rig r = rig();
    for (u16 op = 0; op < OP_COUNT; op++) {
        u32 a, b, c, any;
        if (!of_one_lane(op) || isa_rows[op].operand[0].kind == K_PRED)
            continue;
        a = halves_that_matter(&r, op, 0);
        b = halves_that_matter(&r, op, 1);
        c = halves_that_matter(&r, op, 2);
        any = a | b | c;
        const char *name = isa_rows[op].name;
        switch (halves[op]) {
        case HALVES_EACH: cr_expect_eq(any, LOW_LOW | HIGH_HIGH, "%s", name); break;
        case HALVES_PACK:
            cr_expect_eq(a, LOW_LOW | LOW_HIGH, "%s", name);
            cr_expect_eq(b, HIGH_LOW | HIGH_HIGH, "%s", name);
            break;
        case HALVES_FROM: cr_expect_eq(any & ~(u32)LOW_LOW, HIGH_LOW, "%s", name); break;
        case HALVES_INTO: cr_expect(!(any & (HIGH_LOW | HIGH_HIGH)), "%s", name); break;
        case HALVES_CONVERT: cr_expect_eq(any, LOW_LOW, "%s", name); break;
        default:
            if (has_law[op] || likes[op] || !any)
                break;
            cr_expect(any & (LOW_HIGH | HIGH_LOW), "%s: EACH", name);
            cr_expect(b || any & (LOW_HIGH | HIGH_HIGH), "%s: FROM", name); /* whose rows have one operand */
            cr_expect(any & (HIGH_LOW | HIGH_HIGH), "%s: INTO", name);
            cr_expect(!b || a & (HIGH_LOW | HIGH_HIGH) || b & (LOW_LOW | LOW_HIGH), "%s: PACK", name);
            break;
        }
    }
    arena_free(&r.arena);
}

/* The checker of values knows what each shift leaves of a value. */
Test(check_spread, shifts_have_a_law) {
    for (u16 op = 0; op < OP_COUNT; op++)
        if (isa_rows[op].iclass == CLASS_SHIFT || isa_rows[op].iclass == CLASS_SHIFT64)
            cr_expect_neq(law_shift(op).past, PAST_NONE, "%s", isa_rows[op].name);
}

/* x - x, x ^ x and x == x are known, whatever x is. */
Test(check_spread, a_register_is_equal_to_itself) {
    static const u16 zero[] = {OP_XOR_B32, OP_XOR_B64, OP_SUB_S32, OP_SUB_S64, OP_SETP_EQ_S32, OP_SETP_LT_U64};
    struct rig r = rig();
    for (u16 op = 0; op < OP_COUNT; op++) {
        const struct isa_row *row = &isa_rows[op];
        bool pair = of_one_lane(op) && row->operand[1].kind == row->operand[2].kind && width_of(&row->operand[1]);
        for (u32 n = 0; n < ROUNDS / 4 && pair; n++) {
            choose(&r, op, true);
            u64 bits = spread_bits(&r, op, true), want = changes(&r, op, true);
            cr_assert_eq(want & ~bits, 0, "%s", row->name);
        }
    }
    for (u32 i = 0; i < COUNT_OF(zero); i++) {
        choose(&r, zero[i], true);
        cr_expect_eq(spread_bits(&r, zero[i], true), 0, "%s", isa_rows[zero[i]].name);
    }
    arena_free(&r.arena);
}
