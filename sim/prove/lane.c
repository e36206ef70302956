/* Instructions of one lane: their results on bits that are partly known, or not at all. */
#include "sim/prove/extremes.h"
#include "sim/prove/floats.h"
#include "sim/prove/logic.h"
#include "sim/prove/reassociate.h"
#include "sim/prove/shadow.h"
#include "sim/prove/sizes.h"

#include <string.h>

/* ---- what laws.def knows ---- */

enum form { FORM_OPERATION, FORM_BITWISE, FORM_ROUTES, FORM_FUSED };

enum { CONTROL_A, CONTROL_B, CONTROL_C, CONTROL_NONE };

struct knowledge {
    u8 form;         /* enum form */
    u8 control;      /* of FORM_ROUTES */
    bool commutes;   /* a and b */
    u16 first, then; /* of FORM_FUSED */
};

/* Lists of their own, because rows of two of them may be about one instruction. */
static const struct knowledge forms[OP_COUNT] = {
#define BITWISE(id) [OP_##id] = {.form = FORM_BITWISE},
#define ROUTES(id, which, bits) [OP_##id] = {.form = FORM_ROUTES, .control = CONTROL_##which},
#define FUSED(id, one, two) [OP_##id] = {.form = FORM_FUSED, .first = OP_##one, .then = OP_##two},
#include "isa/laws.def"
};

static const bool commutes[OP_COUNT] = {
#define COMMUTES(id) [OP_##id] = true,
#define FLOAT(type, ...) [OP_ADD_##type] = true, [OP_MUL_##type] = true, [OP_FMA_##type] = true,
#include "isa/laws.def"
};

static const struct comparison {
    u16 like;
    bool swap, flip;
} comparisons[OP_COUNT] = {
#define COMPARES(id, like, swap, flip) [OP_##id] = {OP_##like, swap, flip},
#include "isa/laws.def"
};

static const struct test {
    u16 like;
    bool flip;
    u32 bits, with;
} tests[OP_COUNT] = {
#define TESTS(id, like, bits, with, flip) [OP_##id] = {OP_##like, flip, bits, with},
#include "isa/laws.def"
};

/* Registers of operand k (0 a, 1 b, 2 c) of a row: 0, 1 or 2. Rows of one lane list them after the result. */
static u32 halves(const struct isa_row *row, u32 k) {
    u32 kind = row->operand[k + 1].kind;
    return kind == K_REG2 ? 2 : kind == K_REG ? 1 : 0;
}

static u32 result_halves(const struct isa_row *row) {
    return row->operand[0].kind == K_REG2 ? 2 : row->operand[0].kind == K_REG ? 1 : 0;
}

static bool is_predicate(const struct isa_row *row, u32 k) {
    return row->operand[k + 1].kind == K_PRED;
}

/* ---- operands that are all known ---- */

static bool known(struct terms *e, const struct isa_row *row, const struct lane_in *in) {
    u32 value;
    for (u32 k = 0; k < 3; k++) {
        for (u32 h = 0; h < halves(row, k); h++)
            if (!term_value(e, in->word[k][h], &value))
                return false;
        if (is_predicate(row, k) && !bit_known(in->bit[k]))
            return false;
    }
    return true;
}

static void eval_put(struct terms *e, struct eval *v, const struct isa_row *row, const struct lane_in *in, u32 lane) {
    u64 *of[] = {v->a, v->b, v->c}, *bits[] = {&v->pa, &v->pb, &v->pc}, one = (u64)1 << lane;
    for (u32 k = 0; k < 3; k++) {
        u32 half[2] = {0};
        for (u32 h = 0; h < halves(row, k); h++)
            term_value(e, in->word[k][h], &half[h]);
        of[k][lane] = (u64)half[1] << 32 | half[0];
        *bits[k] = is_predicate(row, k) && in->bit[k] == BIT_1 ? *bits[k] | one : *bits[k] & ~one;
    }
}

static struct lane_out eval_get(struct terms *e, const struct eval *v, const struct isa_row *row, u32 lane) {
    struct lane_out out = {.bit = v->pd >> lane & 1 ? BIT_1 : BIT_0};
    for (u32 h = 0; h < result_halves(row); h++)
        out.word[h] = term_const(e, (u32)(v->d[lane] >> 32 * h));
    return out;
}

/* ---- bit by bit ---- */

/* The function that a bitwise operation is: lane m of eight is given m's bits as operands. */
static u8 truth_table(struct site *t, u32 op) {
    struct eval *v = t->s->lanes;
    u8 table = 0;
    for (u32 m = 0; m < 8; m++) {
        v->a[m] = m & 4 ? ~(u64)0 : 0;
        v->b[m] = m & 2 ? ~(u64)0 : 0;
        v->c[m] = m & 1 ? ~(u64)0 : 0;
    }
    v->pa = 0xf0;
    v->pb = 0xcc;
    v->pc = 0xaa;
    eval_run(v, (u16)op, t->u, 0xff);
    for (u32 m = 0; m < 8; m++)
        table |= (u8)((isa_rows[op].operand[0].kind == K_PRED ? v->pd >> m & 1 : v->d[m] & 1) << m);
    return table;
}

static struct lane_out bitwise(struct site *t, u32 op, const struct lane_in *in) {
    const struct isa_row *row = &isa_rows[op];
    struct terms *e = t->s->e;
    struct lane_out out = {{0}, 0};
    u8 table = truth_table(t, op);
    if (row->operand[0].kind == K_PRED)
        out.bit = logic_function(e, table, in->bit);
    for (u32 h = 0; h < result_halves(row); h++) {
        u32 bit[3][32] = {{BIT_0}}, result[32]; /* rows of words take no predicates */
        for (u32 k = 0; k < 3; k++)
            if (halves(row, k) > h)
                term_bits(e, in->word[k][h], bit[k]);
        for (u32 i = 0; i < 32; i++) {
            const u32 abc[] = {bit[0][i], bit[1][i], bit[2][i]};
            result[i] = logic_function(e, table, abc);
        }
        out.word[h] = term_word(e, result);
    }
    return out;
}

/* ---- permuted bits ---- */

/*
 * Origin of each bit of a routing operation. The operands' bits are numbered from 1, 64 for each operand, and
 * the executor runs nine times: in run q < 8 each bit holds bit q of its number, in the last one 0. A result bit's
 * values spell the number of its source, 0 for a constant 0; where the last is 1, complemented.
 */
enum { QUESTIONS = 9, SIGN = 8 };

static void ask(struct eval *v, const struct isa_row *row, u32 control, u64 value) {
    u64 *of[] = {v->a, v->b, v->c};
    for (u32 k = 0; k < 3; k++)
        for (u32 q = 0; q < QUESTIONS; q++) {
            u64 tagged = 0;
            for (u32 i = 0; i < 32 * halves(row, k) && q != SIGN; i++)
                tagged |= (u64)((64 * k + i + 1) >> q & 1) << i;
            of[k][q] = k == control ? value : tagged;
        }
}

static struct lane_out routed(struct site *t, u32 op, const struct lane_in *in, u64 value) {
    const struct isa_row *row = &isa_rows[op];
    struct eval *v = t->s->lanes;
    struct terms *e = t->s->e;
    struct lane_out out = {{0}, 0};
    u32 bit[3][64] = {{0}};
    for (u32 k = 0; k < 3; k++)
        for (u32 h = 0; h < halves(row, k); h++)
            term_bits(e, in->word[k][h], bit[k] + 32 * h);
    ask(v, row, forms[op].control, value);
    eval_run(v, (u16)op, t->u, (1 << QUESTIONS) - 1);
    for (u32 h = 0; h < result_halves(row); h++) {
        u32 result[32];
        for (u32 i = 0; i < 32; i++) {
            u32 number = 0, flip = v->d[SIGN] >> (32 * h + i) & 1 ? BIT_NOT : 0;
            for (u32 q = 0; q < SIGN; q++)
                number |= (u32)(v->d[q] >> (32 * h + i) & 1) << q;
            number ^= flip ? 0xffu : 0;
            if (number == 0)
                result[i] = BIT_0 ^ flip;
            else if (number <= 3 * 64)
                result[i] = bit[(number - 1) / 64][(number - 1) % 64] ^ flip;
            else
                BUG("an instruction does not route its bits");
        }
        out.word[h] = term_word(e, result);
    }
    return out;
}

/* ---- anything else ---- */

/* Operands that may change places: constants last, and otherwise the older term first. */
static bool in_other_order(struct terms *e, const struct lane_in *in, u32 n) {
    u32 value;
    bool constant[2] = {true, true};
    for (u32 h = 0; h < n; h++)
        for (u32 k = 0; k < 2; k++)
            constant[k] &= term_value(e, in->word[k][h], &value);
    if (constant[0] != constant[1])
        return constant[0];
    return in->word[0][0] != in->word[1][0] ? in->word[0][0] > in->word[1][0] : in->word[0][1] > in->word[1][1];
}

static struct lane_out operation(struct site *t, u32 op, const struct lane_in *given) {
    struct terms *e = t->s->e;
    bool own = op == t->i->op || (op && comparisons[t->i->op].like == op);
    u32 list[OPERANDS], n = 0, mods = own ? t->i->mods : 0;
    struct lane_out out = {{0}, 0};
    struct lane_in form = *given, *in = &form;
    if (floats(t, &op, mods, in, &out))
        return out;
    const struct isa_row *row = &isa_rows[op];
    if (e->reassociate && reassociate(t, op, mods, in, &out))
        return out;
    if (extremes(t, op, mods, in, &out))
        return out;
    bool swap = commutes[op] && in_other_order(e, in, halves(row, 0));
    for (u32 k = 0; k < 3; k++) {
        const u32 from = swap && k < 2 ? 1 - k : k;
        for (u32 h = 0; h < halves(row, k); h++)
            list[n++] = in->word[from][h];
        if (is_predicate(row, k))
            list[n++] = in->bit[k];
        if (row->operand[k + 1].kind == K_NUM)
            list[n++] = inst_field(t->i, (enum operand_place)(k + 1));
    }
    if (row->kind == ROW_LANEI) {
        list[n++] = (u32)t->i->imm;
        list[n++] = (u32)(t->i->imm >> 32);
    }
    u32 atom = term_atom(e, op, mods, n, list);
    out.bit = bit_of(atom, 0);
    for (u32 h = 0; h < result_halves(row); h++)
        out.word[h] = term_slice(e, atom, 32 * h);
    return out;
}

/* A test or comparison as its like. */
static struct lane_out as_other(struct site *t, u32 op, const struct lane_in *in) {
    const struct comparison *c = &comparisons[op];
    struct lane_in as = *in;
    if (tests[op].like) {
        as.word[1][0] = term_const(t->s->e, tests[op].bits);
        const struct lane_out masked = lane_value(t, OP_AND_B32, &as);
        as.word[0][0] = masked.word[0];
        as.word[1][0] = term_const(t->s->e, tests[op].with);
    } else {
        memcpy(as.word[0], in->word[c->swap], sizeof as.word[0]);
        memcpy(as.word[1], in->word[1 - c->swap], sizeof as.word[1]);
    }
    struct lane_out out = lane_value(t, tests[op].like ? tests[op].like : c->like, &as);
    out.bit ^= tests[op].flip || c->flip ? BIT_NOT : 0;
    return out;
}

struct lane_out lane_value(struct site *t, u32 op, const struct lane_in *in) {
    const struct isa_row *row = &isa_rows[op];
    struct terms *e = t->s->e;
    const struct knowledge *know = &forms[op];
    u32 low = 0, high = 0;
    if (known(e, row, in)) {
        eval_put(e, t->s->lanes, row, in, 0);
        eval_run(t->s->lanes, (u16)op, t->u, 1);
        return eval_get(e, t->s->lanes, row, 0);
    }
    struct lane_out out = {{0}, 0};
    if (algebra(e, op, in, &out))
        return out;
    if (know->form == FORM_BITWISE)
        return bitwise(t, op, in);
    if (tests[op].like || comparisons[op].like)
        return as_other(t, op, in);
    if (know->form == FORM_FUSED) {
        struct lane_in then = *in;
        memcpy(then.word[0], lane_value(t, know->first, in).word, sizeof then.word[0]);
        memcpy(then.word[1], in->word[2], sizeof then.word[1]);
        return lane_value(t, know->then, &then);
    }
    if (know->form == FORM_ROUTES) {
        u32 c = know->control, n = c == CONTROL_NONE ? 0 : halves(row, c);
        if ((n < 1 || term_value(e, in->word[c][0], &low)) && (n < 2 || term_value(e, in->word[c][1], &high)))
            return routed(t, op, in, (u64)high << 32 | low);
    }
    return operation(t, op, in);
}

/* ---- an instruction in all its lanes ---- */

static struct lane_in operands(struct site *t, u32 lane) {
    struct lane_in in = {.bit = {BIT_0, BIT_0, BIT_0}};
    const u8 predicate[] = {t->i->pa, t->i->pb, t->i->pc};
    for (u32 k = 0; k < 3; k++) {
        for (u32 h = 0; h < halves(t->row, k); h++)
            in.word[k][h] = site_source(t, (enum operand_place)(k + 1), h, lane);
        if (is_predicate(t->row, k))
            in.bit[k] = site_predicate(t, predicate[k], lane);
    }
    return in;
}

void site_lane(struct site *t) {
    struct terms *e = t->s->e;
    struct eval *v = t->s->lanes;
    struct lane_in in[WARP_MAX];
    struct lane_out out[WARP_MAX];
    u64 folded = 0;
    for (u64 left = t->maybe; left; left &= left - 1) {
        u32 l = first_lane(left);
        in[l] = operands(t, l);
        if (known(e, t->row, &in[l])) {
            folded |= (u64)1 << l;
            eval_put(e, v, t->row, &in[l], l);
        }
    }
    if (folded)
        eval_run(v, t->i->op, t->u, folded); /* all of them at once: addresses are most of what kernels compute */
    for (u64 left = folded; left; left &= left - 1) {
        u32 l = first_lane(left);
        out[l] = eval_get(e, v, t->row, l);
    }
    for (u64 left = t->maybe & ~folded; left; left &= left - 1) {
        u32 l = first_lane(left);
        out[l] = lane_value(t, t->i->op, &in[l]);
    }
    for (u64 left = t->maybe; left; left &= left - 1) {
        u32 l = first_lane(left);
        for (u32 h = 0; h < result_halves(t->row); h++)
            if (t->i->d != RZ)
                site_set(t, t->i->d + h, l, out[l].word[h]);
        if (t->row->operand[0].kind == K_PRED)
            site_set_predicate(t, t->i->pd, l, t->s->sizes ? sizes_bit(t, out[l].bit) : out[l].bit);
    }
}
