/*
 * Are the normal forms of sim/prove true, and are they normal? Random programs of instructions on whole numbers and
 * bits are run by the executor and derived as terms, on corner and random data: a wrong rule gives another value.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "sim/base/mix.h"
#include "sim/prove/describe.h"
#include "sim/prove/linear.h"
#include "sim/prove/rounding.h"
#include "sim/prove/shadow.h"
#include "sim/prove/source.h"
#include "tests/lib/samples.h"

enum { INPUTS = 6, SETS = 24, STEPS = 40, PROGRAMS = 1000, POOL = INPUTS + STEPS + 8 };

static u32 corner(u64 *state) {
    static const u32 corners[] = {0,          1,          2,          3,          4,          7,
                                  8,          15,         16,         31,         32,         33,
                                  63,         64,         255,        256,        0xffff,     0x7fffffff,
                                  0x80000000, 0x80000001, 0xfffffffe, 0xffffffff, 0xfffffff8, 0xffffff00};
    u64 r = splitmix_next(state);
    switch (r & 7) {
    case 0: return (u32)1 << (r >> 8 & 31);
    case 1: return (u32)(r >> 8);
    case 2: return (u32)(r >> 8) & 15;
    case 3: return 0 - (u32)(r >> 8 & 15);
    default: return corners[(r >> 8) % COUNT_OF(corners)];
    }
}

/* A value: its term, and what it is on each set of data. Pairs are two neighbours of the pool, low half first. */
struct item {
    u32 word, value[SETS];
    const char *name;
};

struct rig {
    struct arena arena;
    struct terms e;
    struct shadow *s;
    struct inst i;
    struct uop u;
    struct site site;
    struct memory start;
    struct allocation buffer;
    u32 data[SETS][INPUTS];
    u64 state;
    bool floats; /* constants are numbers that floating-point forms are about, and instructions have modifiers */
    struct item word[POOL];
    u32 words;
    struct {
        u32 bit;
        const char *name;
        bool value[SETS];
    } pred[POOL];
    u32 preds;
};

static void rig_begin(struct rig *r, u64 seed) {
    *r = (struct rig){.state = seed};
    r->s = arena_alloc(&r->arena, sizeof *r->s);
    cr_assert(term_init(&r->e));
    r->s->e = &r->e;
    r->s->lanes = arena_alloc(&r->arena, sizeof *r->s->lanes);
    cr_assert(eval_init(r->s->lanes, &r->arena, ENGINE_AUTO, WARP_MAX));
    r->site = (struct site){.s = r->s, .u = &r->u, .i = &r->i};
    r->buffer = (struct allocation){.size = sizeof r->data[0]};
    r->start = (struct memory){.list = &r->buffer, .count = 1};
    for (u32 n = 0; n < SETS; n++)
        for (u32 k = 0; k < INPUTS; k++)
            r->data[n][k] = n == 0                                   ? 0
                            : n == 1                                 ? 0xffffffff
                            : k && splitmix_next(&r->state) % 4 == 0 ? r->data[n][k - 1]
                                                                     : corner(&r->state);
    for (; r->words < INPUTS; r->words++) {
        struct item *w = &r->word[r->words];
        w->word = term_input(&r->e, 0, r->words);
        for (u32 n = 0; n < SETS; n++)
            w->value[n] = r->data[n][r->words];
    }
}

static void rig_end(struct rig *r) {
    term_free(&r->e);
    arena_free(&r->arena);
}

/* Each item's term, evaluated on the data, is its value. */
static void rig_check(struct rig *r, u64 seed) {
    cr_assert(!r->e.failed);
    for (u32 n = 0; n < SETS; n++) {
        SCOPED(arena_free) struct arena arena = {0};
        r->buffer.bytes = (u8 *)r->data[n];
        struct source_values on = {.start = &r->start, .eval = r->s->lanes, .arena = &arena};
        const u64 *value = source_values(&r->e, &on);
        cr_assert(value);
        for (u32 i = 0; i < r->words; i++)
            cr_assert_eq(source_word(&r->e, value, r->word[i].word), r->word[i].value[n],
                         "seed %llu, set %u, value %u of %s: %08x, and the machine has %08x", (unsigned long long)seed,
                         n, i, r->word[i].name, source_word(&r->e, value, r->word[i].word), r->word[i].value[n]);
        for (u32 i = 0; i < r->preds; i++) {
            u32 bit[32] = {r->pred[i].bit};
            cr_assert_eq(source_word(&r->e, value, term_word(&r->e, bit)), r->pred[i].value[n],
                         "seed %llu, set %u, predicate %u of %s", (unsigned long long)seed, n, i, r->pred[i].name);
        }
    }
}

/* True for instructions of one lane on whole numbers and bits. */
static bool wanted(u32 op) {
    const struct isa_row *row = &isa_rows[op];
    if (row->kind != ROW_LANE && row->kind != ROW_LANEI)
        return false;
    switch ((enum iclass)row->iclass) {
    case CLASS_MOV:
    case CLASS_INT:
    case CLASS_IMUL:
    case CLASS_IDIV:
    case CLASS_IDIV64:
    case CLASS_INT64:
    case CLASS_IMUL64:
    case CLASS_LOGIC:
    case CLASS_LOGIC64:
    case CLASS_SHIFT:
    case CLASS_SHIFT64:
    case CLASS_BITS:
    case CLASS_SEL:
    case CLASS_PRED:
    case CLASS_CMP64: return op != OP_MOVI_B64;
    case CLASS_CMP: return op <= OP_SETP_GE_U64;
    case CLASS_CVT: return op <= OP_PACK_B64;
    default: return false;
    }
}

/* 0, 1, 2, powers of two and others, of each type; and NaN. */
static u32 float_corner(u64 *state) {
    static const u32 f[] = {0,          0x80000000, 0x3f800000, 0xbf800000, 0x40000000, 0xc0000000,
                            0x3f000000, 0x00800000, 0x7f000000, 0x7f800000, 0x7fc00001, 0x40400000,
                            0x3ff00000, 0xbff00000, 0x3c003c00, 0xbc003c00, 0x40004000, 0xc0004000,
                            0x80008000, 0x38003400, 0x3f803f80, 0x3f00bf80, 0x7e017e01, 0x7fc17fc1};
    u64 r = splitmix_next(state);
    return r & 3 ? f[(r >> 8) % COUNT_OF(f)] : 0;
}

static void pick_word(struct rig *r, u32 *word, u64 *value, u32 shift) {
    u64 pick = splitmix_next(&r->state) % 10;
    u32 constant = r->floats ? float_corner(&r->state) : corner(&r->state),
        at = pick < 5 && r->words > 8 ? r->words - 1 - (u32)(splitmix_next(&r->state) % 8)
                                      : (u32)(splitmix_next(&r->state) % r->words);
    *word = pick < 3 ? term_const(&r->e, constant) : r->word[at].word;
    for (u32 n = 0; n < SETS; n++)
        value[n] |= (u64)(pick < 3 ? constant : r->word[at].value[n]) << shift;
}

/* Two words, often of one item; or a word that is extended. */
static void pick_operand(struct rig *r, u32 halves, u32 word[2], u64 value[SETS]) {
    memset(value, 0, SETS * sizeof *value);
    if (!halves)
        return;
    pick_word(r, &word[0], value, 0);
    u64 how = splitmix_next(&r->state) % 3;
    if (halves == 1)
        return;
    if (how == 0) {
        pick_word(r, &word[1], value, 32);
    } else if (how == 1) {
        u32 at = (u32)(splitmix_next(&r->state) % (r->words - 1));
        for (u32 n = 0; n < SETS; n++)
            value[n] = r->word[at].value[n] | (u64)r->word[at + 1].value[n] << 32;
        word[0] = r->word[at].word;
        word[1] = r->word[at + 1].word;
    } else {
        bool sign = splitmix_next(&r->state) & 1;
        word[1] = linear_extend(&r->e, sign, word[0]).word[1];
        for (u32 n = 0; n < SETS; n++)
            value[n] = sign ? (u64)(s64)(s32)value[n] : value[n];
    }
}

/* A predicate of before, perhaps complemented: its value for each set of data. */
static u64 pick_predicate(struct rig *r, u32 *bit) {
    u32 at = r->preds ? (u32)(splitmix_next(&r->state) % r->preds) : 0;
    bool flip = splitmix_next(&r->state) & 1;
    u64 value = 0;
    *bit = (r->preds ? r->pred[at].bit : BIT_0) ^ (flip ? BIT_NOT : 0);
    for (u32 n = 0; n < SETS; n++)
        value |= (u64)((r->preds && r->pred[at].value[n]) != flip) << n;
    return value;
}

/* Numbers of the instruction, and its modifiers where programs have them. */
static void pick_fields(struct rig *r, const struct isa_row *row) {
    u64 how = r->floats ? splitmix_next(&r->state) : 0;
    r->u = (struct uop){.na = (u8)(splitmix_next(&r->state) % 40), .nb = (u8)(splitmix_next(&r->state) % 34)};
    r->u.nc = (u8)(splitmix_next(&r->state) % 34);
    r->u.imm = splitmix_next(&r->state) & 0xff;
    r->u.rnd = row->groups & M_RF && how % 4 == 1 ? how >> 8 & 3 : 0;
    r->u.ftz = row->groups & M_FTZ && how >> 16 & 1;
    r->u.sat = row->groups & M_SAT && (how >> 24) % 8 == 1;
    r->i.a = r->u.na, r->i.b = r->u.nb, r->i.c = r->u.nc, r->i.imm = r->u.imm;
    r->i.mods |= (u16)(r->u.rnd << isa_groups[GROUP_RF].shift | r->u.ftz << isa_groups[GROUP_FTZ].shift |
                       r->u.sat << isa_groups[GROUP_SAT].shift);
}

static void step(struct rig *r, u32 op) {
    const struct isa_row *row = &isa_rows[op];
    struct eval *v = r->s->lanes;
    struct lane_in in = {.bit = {BIT_0, BIT_0, BIT_0}};
    u64 value[3][SETS], pred[3] = {0};
    r->i = inst_blank((enum op)op);
    pick_fields(r, row);
    for (u32 k = 0; k < 3; k++) {
        u32 kind = row->operand[k + 1].kind;
        pick_operand(r, kind == K_REG2 ? 2 : kind == K_REG ? 1 : 0, in.word[k], value[k]);
        if (kind == K_PRED)
            pred[k] = pick_predicate(r, &in.bit[k]);
    }
    if (splitmix_next(&r->state) % 8 == 0 && row->operand[2].kind == row->operand[1].kind) {
        memcpy(in.word[1], in.word[0], sizeof in.word[0]);
        memcpy(value[1], value[0], sizeof value[0]);
    }
    struct lane_out out = lane_value(&r->site, op, &in);
    for (u32 n = 0; n < SETS; n++)
        v->a[n] = value[0][n], v->b[n] = value[1][n], v->c[n] = value[2][n];
    v->pa = pred[0], v->pb = pred[1], v->pc = pred[2];
    cr_assert(eval_run(v, (u16)op, &r->u, ((u64)1 << SETS) - 1));
    u32 result = row->operand[0].kind;
    for (u32 h = 0; h < 2u && (result == K_REG2 || (result == K_REG && h == 0)); h++) {
        struct item *w = &r->word[r->words++];
        w->word = out.word[h];
        w->name = row->name;
        for (u32 n = 0; n < SETS; n++)
            w->value[n] = (u32)(v->d[n] >> 32 * h);
    }
    if (result == K_PRED) {
        r->pred[r->preds].bit = out.bit;
        r->pred[r->preds].name = row->name;
        for (u32 n = 0; n < SETS; n++)
            r->pred[r->preds].value[n] = v->pd >> n & 1;
        r->preds++;
    }
}

/* Random programs of some instructions. `floats`: on data and constants that floating-point forms distinguish. */
static void expect_machine(const u32 *ops, u32 n, u64 programs, bool floats) {
    static struct rig r;
    for (u64 seed = 1; seed <= programs; seed++) {
        rig_begin(&r, seed);
        r.floats = floats;
        for (u32 i = 0; floats && i < SETS / 2 * INPUTS; i++)
            r.word[i % INPUTS].value[i / INPUTS] = r.data[i / INPUTS][i % INPUTS] = float_corner(&r.state);
        while (r.words + 2 < POOL && r.preds < POOL - 1)
            step(&r, ops[splitmix_next(&r.state) % n]);
        rig_check(&r, seed);
        rig_end(&r);
    }
}

Test(prove_algebra, terms_of_random_programs_are_what_the_machine_computes) {
    u32 ops[OP_COUNT], n = 0;
    for (u32 op = 0; op < OP_COUNT; op++)
        if (wanted(op))
            ops[n++] = op;
    cr_assert_gt(n, 110);
    expect_machine(ops, n, rig_samples(PROGRAMS), false);
}

Test(prove_algebra, floats_of_random_programs_are_what_the_machine_computes) {
    static const u32 ops[] = {
#define FLOAT(type, ...) OP_ADD_##type, OP_SUB_##type, OP_MUL_##type, OP_DIV_##type, OP_FMA_##type, OP_NEG_##type,
#define ITSELF(id, holds, num) OP_##id,
#define TESTS(id, like, bits, with, flip) OP_##id,
#include "isa/laws.def"
    };
    expect_machine(ops, COUNT_OF(ops), 2 * rig_samples(PROGRAMS), true);
}

/* A term that is no sum of 64 bits, or half of one, is itself as a sum. */
Test(prove_algebra, sums_of_one_part_are_that_part) {
    enum { KINDS = 4 };
    struct rig r;
    rig_begin(&r, 1);
    for (u32 round = 0; round < 2000; round++) {
        u32 bit[64], from[32];
        for (u32 i = 0; i < 64; i++) {
            u64 how = splitmix_next(&r.state);
            term_bits(&r.e, r.word[how % KINDS].word, from);
            bit[i] = (how >> 8) % 3 == 0 ? BIT_0 : from[how >> 16 & 31] ^ (how >> 24 & 1 ? BIT_NOT : 0);
            if (i && (how >> 32) % 8)
                bit[i] = (how >> 36) % 8 == 0                             ? bit[i - 1]
                         : (bit[i - 1] & 63) < 31 && bit_atom(bit[i - 1]) ? bit[i - 1] + 1
                                                                          : BIT_1;
        }
        for (u32 halves = 1; halves <= 2; halves++) {
            struct number v = number_from_bits(&r.e, halves, bit);
            cr_assert(number_same(linear_scale(&r.e, halves, v, 1), v), "round %u", round);
        }
    }
    rig_end(&r);
}

/* A word or pair made of all of `list`, in a random order and with random brackets. */
static struct number put_together(struct rig *r, u32 op, u32 halves, struct number *list, u32 n) {
    for (; n > 1; n--) {
        u32 a = (u32)(splitmix_next(&r->state) % n), b = (u32)(splitmix_next(&r->state) % (n - 1));
        b += b >= a;
        struct lane_in in = {.word = {{list[a].word[0], list[a].word[1]}, {list[b].word[0], list[b].word[1]}}};
        struct lane_out out = lane_value(&r->site, op, &in);
        list[a < b ? a : b] = (struct number){{out.word[0], halves == 2 ? out.word[1] : WORD_NONE}};
        list[a < b ? b : a] = list[n - 1];
    }
    return list[0];
}

static void expect_one_form(const u16 *ops, u32 count, u32 rounds) {
    enum { MOST = 12 };
    static struct rig r;
    rig_begin(&r, 1);
    for (u32 round = 0; round < rounds; round++) {
        u32 op = ops[round % count], halves = isa_rows[op].operand[0].kind == K_REG2 ? 2 : 1;
        u32 n = 2 + (u32)(splitmix_next(&r.state) % (MOST - 1));
        struct number list[MOST], copy[MOST];
        for (u32 i = 0; i < n; i++) {
            bool constant = splitmix_next(&r.state) % 8 == 0;
            for (u32 h = 0; h < 2; h++) {
                u32 word = constant ? term_const(&r.e, corner(&r.state)) : r.word[splitmix_next(&r.state) % 4].word;
                list[i].word[h] = h < halves ? word : WORD_NONE;
            }
        }
        for (u32 i = 0; i < n && op == OP_MUL_LO_S64; i++) /* others are sums; long ones are not multiplied out */
            list[i] = linear_extend(&r.e, splitmix_next(&r.state) & 1, list[i].word[0]);
        memcpy(copy, list, sizeof copy);
        r.i = inst_blank((enum op)op);
        struct number one = put_together(&r, op, halves, list, n), other = put_together(&r, op, halves, copy, n);
        cr_assert(number_same(one, other), "%s of %u, round %u", isa_rows[op].name, n, round);
    }
    rig_end(&r);
}

Test(prove_algebra, order_and_brackets_do_not_matter) {
    static const u16 whole[] = {OP_ADD_S32, OP_MUL_LO_S32, OP_MIN_S32, OP_MAX_S32, OP_MIN_U32, OP_MAX_U32,
                                OP_ADD_S64, OP_MUL_LO_S64, OP_MIN_S64, OP_MAX_S64, OP_MIN_U64, OP_MAX_U64};
    static const u16 floats[] = {
#define EXTREME(id, halves, nothing, all) OP_##id,
#include "isa/laws.def"
    };
    expect_one_form(whole, COUNT_OF(whole), 3000);
    expect_one_form(floats, COUNT_OF(floats), 2000);
}

/* Random minima and maxima, of what each instruction on numbers gives: a set is what the machine computes. */
Test(prove_algebra, minima_and_maxima_of_random_programs_are_what_the_machine_computes) {
    static const u16 extreme[] = {
#define EXTREME(id, halves, nothing, all) OP_##id,
#include "isa/laws.def"
    };
    u32 ops[4 * OP_COUNT], n = 0;
    for (u32 op = 0; op < OP_COUNT; op++) {
        const struct operand *o = isa_rows[op].operand;
        if (isa_rows[op].kind == ROW_LANE && (o[0].literal >= LIT_F32 || op == OP_NEG_F32 || op == OP_NEG_F16X2))
            ops[n++] = op;
    }
    cr_assert_gt(n, 20);
    for (u32 k = 0, others = n; k < 3 * others; k++)
        ops[n++] = extreme[k % COUNT_OF(extreme)];
    expect_machine(ops, n, rig_samples(PROGRAMS), false);
}

/* ---- sums and their order ---- */

/* Numbers that sum exactly, and others that do not: small whole ones, zeros, corners, any. Halves are numbers too. */
static u32 summand(u64 *state, bool packed) {
    static const u32 f32[] = {0x3f800000, 0xbf800000, 0x40000000, 0xc0400000, 0, 0x80000000, 0x7f800000, 0xff800000,
                              0x7fc00001, 0x7f7fffff, 1, 0x80000001, 0x00800000, 0x3f800001, 0x5f000000, 0x4b800000,
                              /* beside the largest number: half a step, a quarter and three less */
                              0x73000000, 0x72800000, 0xf3000000, 0x7f7ffffd};
    static const u32 f16[] = {0x3c00, 0xbc00, 0x4000, 0xc200, 0,      0x8000, 0x7c00, 0xfc00,
                              0x7e01, 0x7bff, 1,      0x8001, 0x0400, 0x3c01, 0x7800, 0x6800};
    u64 r = splitmix_next(state), most = r % 4 ? 6 : packed ? COUNT_OF(f16) : COUNT_OF(f32);
    if (r % 31 == 0)
        return (u32)splitmix_next(state);
    return packed ? f16[(r >> 8) % most] | f16[(r >> 16) % most] << 16 : f32[(r >> 8) % most];
}

/* a * b + sum, in a random order of the products. */
static struct number chained(struct rig *r, u32 op, u32 halves, u32 n) {
    u32 left[INPUTS], sum = r->word[0].word, high = r->word[1].word;
    for (u32 i = 0; i < n; i++)
        left[i] = i;
    for (; n > 0; n--) {
        u32 k = (u32)(splitmix_next(&r->state) % n), i = left[k];
        left[k] = left[n - 1];
        struct lane_in in = {.word = {{r->word[i].word, r->word[(i + 1) % INPUTS].word},
                                      {r->word[(i + 2) % INPUTS].word, r->word[(i + 3) % INPUTS].word},
                                      {sum, high}}};
        struct lane_out out = lane_value(&r->site, op, &in);
        sum = out.word[0], high = out.word[1];
    }
    return (struct number){{sum, halves == 2 ? high : WORD_NONE}};
}

/* Sums that rounding should not change are the same in all orders and brackets. */
enum { WAYS = 6 };

/* Counts the ways of one sum whose value on a set of data differs, each of which must be loose, and the loose ones. */
static u32 judge_ways(struct rig *r, u32 set, u32 halves, const struct number way[WAYS], u32 said[2]) {
    SCOPED(arena_free) struct arena arena = {0};
    r->buffer.bytes = (u8 *)r->data[set];
    struct source_values on = {.start = &r->start, .eval = r->s->lanes, .arena = &arena};
    const u64 *value = source_values(&r->e, &on);
    const bool *loose = rounding_table(&r->e, value, &arena);
    u32 changed = 0;
    cr_assert(value && loose);
    for (u32 w = 1; w < WAYS; w++) {
        bool same = true, is_loose = loose[number_atom(&r->e, halves, way[w])];
        for (u32 h = 0; h < halves; h++)
            same &= source_word(&r->e, value, way[0].word[h]) == source_word(&r->e, value, way[w].word[h]);
        said[is_loose]++;
        changed += !same;
        cr_assert(same || (is_loose && loose[number_atom(&r->e, halves, way[0])]), "%s", isa_rows[r->i.op].name);
    }
    return changed;
}

Test(prove_algebra, sums_that_are_free_of_rounding_have_no_order) {
    static const u16 ops[] = {OP_ADD_F32,   OP_FMA_F32,   OP_ADD_F64,   OP_FMA_F64,
                              OP_ADD_F16X2, OP_FMA_F16X2, OP_ADD_BF16X2};
    u32 said[2] = {0}, changed = 0;
    static struct rig r;
    for (u64 round = 0; round < 1400; round++) {
        u32 op = ops[round % COUNT_OF(ops)], halves = isa_rows[op].operand[0].kind == K_REG2 ? 2 : 1;
        u32 n = 2 + (u32)(round / COUNT_OF(ops) % 4);
        struct number way[WAYS], list[INPUTS];
        rig_begin(&r, round + 1);
        for (u32 i = 0; i < SETS * INPUTS; i++)
            r.data[i / INPUTS][i % INPUTS] = summand(&r.state, isa_rows[op].operand[1].literal == LIT_H2);
        r.i = inst_blank((enum op)op);
        if (isa_rows[op].groups & M_FTZ && round & 1)
            r.i.mods = (u16)(1u << isa_groups[GROUP_FTZ].shift);
        for (u32 w = 0; w < WAYS; w++) {
            for (u32 i = 0; i < n; i++)
                list[i] = (struct number){{r.word[i].word, halves == 2 ? r.word[(i + 1) % INPUTS].word : WORD_NONE}};
            way[w] = isa_rows[op].operand[3].kind == K_NONE ? put_together(&r, op, halves, list, n)
                                                            : chained(&r, op, halves, n);
        }
        for (u32 set = 0; set < SETS; set++)
            changed += judge_ways(&r, set, halves, way, said);
        rig_end(&r);
    }
    cr_expect_gt(said[0], said[1] / 3);
    cr_expect_gt(changed, said[1] / 40);
}

/* ---- in words ---- */

static void expect_told_apart(struct rig *r, u32 x, u32 y) {
    static const struct describe_buffer buffers[] = {{.name = "x", .bytes = 4}};
    static const struct program program;
    static const struct kernel kernel;
    static const struct launch launches[2] = {{.program = &program, .kernel = &kernel},
                                              {.program = &program, .kernel = &kernel}};
    const struct describe d = {.e = &r->e, .buffer = buffers, .launch = launches};
    u32 a[32], b[32];
    struct buf out[2] = {{0}, {0}};
    term_bits(&r->e, x, a);
    term_bits(&r->e, y, b);
    describe_difference(&d, a, b, 32, out);
    cr_assert(out[0].data && out[1].data && !out[0].failed && !out[1].failed);
    cr_assert_str_neq(out[0].data, out[1].data);
    cr_assert_lt(out[0].len, 1000);
    cr_assert_lt(out[1].len, 1000);
    buf_free(&out[0]);
    buf_free(&out[1]);
}

Test(prove_algebra, what_differs_is_never_told_in_the_same_words) {
    u32 ops[OP_COUNT], n = 0, pairs = 0;
    for (u32 op = 0; op < OP_COUNT; op++)
        if (wanted(op) || isa_rows[op].iclass == CLASS_FP32 || isa_rows[op].iclass == CLASS_HALF ||
            isa_rows[op].iclass == CLASS_BF16)
            ops[n++] = op;
    static struct rig r;
    for (u64 seed = 1; seed <= rig_samples(60); seed++) {
        rig_begin(&r, seed);
        while (r.words + 2 < POOL && r.preds < POOL - 1)
            step(&r, ops[splitmix_next(&r.state) % n]);
        for (u32 i = 0; i < r.words; i++)
            for (u32 k = 0; k < i; k++)
                if (r.word[i].word != r.word[k].word) {
                    expect_told_apart(&r, r.word[i].word, r.word[k].word);
                    pairs++;
                }
        rig_end(&r);
    }
    cr_expect_gt(pairs, rig_samples(10000));
}

/* Makes a chain of `n` operations on a value. */
static u32 chain(struct rig *r, u32 op, u32 first, u32 n) {
    r->i = inst_blank((enum op)op);
    for (u32 i = 0; i < n; i++) {
        struct lane_in in = {.word = {{first}, {r->word[i % 3].word}, {r->word[3].word}}};
        first = lane_value(&r->site, op, &in).word[0];
    }
    return first;
}

Test(prove_algebra, deep_differences_are_told) {
    static const u16 ops[] = {OP_FMA_F32, OP_ADD_F32, OP_ADD_S32, OP_XOR_B32, OP_PRMT_B32, OP_DIV_S32, OP_MUL_HI_U32};
    static struct rig r;
    rig_begin(&r, 1);
    for (u32 i = 0; i < COUNT_OF(ops); i++)
        expect_told_apart(&r, chain(&r, ops[i], r.word[4].word, 501), chain(&r, ops[i], r.word[5].word, 501));
    struct lane_in in = {.word = {{r.word[0].word}, {r.word[1].word}}};
    r.i = inst_blank(OP_ADD_F32);
    u32 plain = lane_value(&r.site, OP_ADD_F32, &in).word[0];
    r.i.mods = (u16)(1u << isa_groups[GROUP_FTZ].shift);
    expect_told_apart(&r, plain, lane_value(&r.site, OP_ADD_F32, &in).word[0]);
    struct fresh f = {.kind = FRESH_REGISTER, .number = 4}, other = {.kind = FRESH_REGISTER, .number = 4, .side = 1};
    expect_told_apart(&r, term_fresh(&r.e, &f), term_fresh(&r.e, &other));
    rig_end(&r);
}
