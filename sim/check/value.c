/*
 * Values: NaNs, infinities and denormal numbers where they are born, that is, in a result without such an operand;
 * index arithmetic that overflows; shift counts that are not below the width.
 */
#include "sim/check/value.h"

/* ---- what instructions are ---- */

static const struct {
    const struct float_spec *format;
    u8 halves;
} numbers[] = {
    [NUMBERS_NONE] = {NULL, 1},         [NUMBERS_F16] = {&float_fp16, 1},    [NUMBERS_BF16] = {&float_bf16, 1},
    [NUMBERS_F16X2] = {&float_fp16, 2}, [NUMBERS_BF16X2] = {&float_bf16, 2}, [NUMBERS_F32] = {&float_fp32, 1},
    [NUMBERS_F64] = {&float_fp64, 1},
};

static void decode_lane(const struct isa_row *row, struct value_inst *v) {
    if (row->operand[0].place != PLACE_D)
        return;
    v->result = numbers[row->operand[0].numbers].format;
    v->halves = numbers[row->operand[0].numbers].halves;
    for (u32 k = 0; v->result && k < OPERANDS_MAX; k++)
        if (row->operand[k].place >= PLACE_A && row->operand[k].place <= PLACE_C)
            v->operand[row->operand[k].place - PLACE_A] = numbers[row->operand[k].numbers].format;
}

/* Numbers that an atomic or a reduction makes. */
static enum numbers applied_numbers(const struct inst *i) {
    u32 lane = law_applied(i->op);
    return lane == OP_COUNT ? NUMBERS_NONE : (enum numbers)isa_rows[lane].operand[0].numbers;
}

/* Sums of fp32 are followed; those of fp64, to which L2 adds in an order of its own, and of pairs are not. */
static void decode_atomic(const struct inst *i, struct value_inst *v) {
    enum numbers made = applied_numbers(i);
    u32 lane = law_applied(i->op);
    if (made == NUMBERS_NONE || lane == OP_ADD_F64 || lane == OP_ADD_F16X2 || lane == OP_ADD_BF16X2)
        return;
    if (law_applied(i->op) != OP_ADD_F32)
        BUG("an atomic of floating-point numbers that the checker of values does not know");
    v->result = numbers[made].format;
}

static void decode_warp(const struct inst *i, const struct isa_row *row, struct value_inst *v) {
    switch ((enum unit)isa_classes[row->iclass].unit) {
    case UNIT_MMA: v->result = &float_fp32; return;
    case UNIT_XLANE:
    case UNIT_ALU:
    case UNIT_LSU:
    case UNIT_CTRL:
        if (applied_numbers(i) == NUMBERS_NONE || law_redux(i->op).bits)
            return; /* it moves bits, as of one lane or a NaN, or its results are whole numbers and predicates */
        break;
    case UNIT_FMA:
    case UNIT_FP16:
    case UNIT_FP64:
    case UNIT_XU:
    case UNIT_COUNT: break;
    }
    BUG("an instruction of the whole warp that the checker of values does not know");
}

static void decode_numbers(const struct inst *i, struct value_inst *v) {
    const struct isa_row *row = &isa_rows[i->op];
    switch ((enum row_kind)row->kind) {
    case ROW_LANE:
    case ROW_LANEI: decode_lane(row, v); return;
    case ROW_ATOM: decode_atomic(i, v); return;
    case ROW_WARP: decode_warp(i, row, v); return;
    }
}

static void decode_whole(const struct inst *i, struct value_inst *v) {
    u8 class = isa_rows[i->op].iclass;
    v->shift = law_shift(i->op);
    v->arithmetic = (u8)law_arithmetic(i->op, &v->fused);
    if (v->shift.past == PAST_NONE && (class == CLASS_SHIFT || class == CLASS_SHIFT64))
        BUG("a shift that laws.def does not have");
}

bool value_begin(struct check *c) {
    const struct program *p = c->launch.program;
    c->value = check_alloc(c, sizeof *c->value);
    if (!c->value)
        return false;
    c->value->inst = check_alloc(c, p->ninst * sizeof *c->value->inst);
    for (u32 pc = 0; c->value->inst && pc < p->ninst; pc++) {
        decode_numbers(&p->inst[pc], &c->value->inst[pc]);
        decode_whole(&p->inst[pc], &c->value->inst[pc]);
    }
    return c->value->inst && value_slice(c);
}

/* ---- shifts and indices ---- */

static const char *shifted(enum past past) {
    switch (past) {
    case PAST_SIGN: return "only copies of the sign are left";
    case PAST_WRAPS: return "it is taken modulo 32";
    case PAST_CLAMPS: return "it is clamped to 32";
    case PAST_NOTHING: return "nothing is left";
    case PAST_NONE:
    case PAST_FIELD: break;
    }
    BUG("what is no shift has no count");
}

static void shift_count(struct site *t, struct law_shift s) {
    bool b = s.count == PLACE_B;
    const u32 *count = t->w->base[b ? t->u->bsel : t->u->csel] + (b ? t->u->b : t->u->c);
    u32 most = s.width - (s.past == PAST_CLAMPS ? 0u : 1u); /* a funnel shift by 32 gives the other word */
    for (u64 left = t->exec; left; left &= left - 1) {
        u32 l = first_lane(left);
        if (count[l] <= most)
            continue;
        struct check_finding f = value_at_lane(t, l);
        f.class = FOUND_VALUE_SHIFT;
        found_add(t->c, &f, "the count is %u, the width %u: %s", count[l], s.width, shifted((enum past)s.past));
    }
}

/* The exact result fits 32 bits with its operands read as signed or as unsigned numbers. */
static bool fits(enum whole like, u32 a, u32 b, u32 c, bool b_immediate) {
    s64 x = (s32)a, y = (s32)b, z = (s32)c, s;
    u64 u;
    bool negative = false;
    if (like == WHOLE_ADD) {
        s = x + y;
        u = b_immediate ? (u64)a + (u64)y : (u64)a + b; /* unsigned number - constant */
    } else if (like == WHOLE_SUB) {
        s = x - y;
        u = (u64)a - b;
        negative = a < b;
    } else if (like == WHOLE_MUL) {
        s = x * y + z;
        u = (u64)a * b + c;
    } else if (like == WHOLE_SHL) {
        if (b >= 32)
            return true; /* a count out of range */
        s = x * ((s64)1 << b);
        u = (u64)a << b;
    } else {
        BUG("arithmetic that the checker of values does not know");
    }
    return s == (s32)s || (!negative && u <= UINT32_MAX);
}

static void index_overflow(struct site *t, const struct value_inst *v) {
    const u32 *a = t->w->base[t->u->asel] + t->u->a, *b = t->w->base[t->u->bsel] + t->u->b;
    const u32 *c = t->w->base[t->u->csel] + t->u->c;
    for (u64 left = t->exec; left; left &= left - 1) {
        u32 l = first_lane(left);
        if (fits((enum whole)v->arithmetic, a[l], b[l], v->fused ? c[l] : 0, t->i->isel == 2))
            continue;
        struct check_finding f = value_at_lane(t, l);
        f.class = FOUND_VALUE_INDEX_OVERFLOW;
        if (v->fused)
            found_add(t->c, &f, "%u times %u plus %u does not fit 32 bits, and goes on to an address", a[l], b[l],
                      c[l]);
        else
            found_add(t->c, &f, "the result of %u and %u does not fit 32 bits, and goes on to an address", a[l], b[l]);
    }
}

/* ---- an instruction ---- */

void value_before(struct site *t) {
    const struct value_inst *v = &t->c->value->inst[t->pc];
    if (v->shift.width)
        shift_count(t, v->shift);
    if (v->index)
        index_overflow(t, v);
    if (!v->result)
        return;
    if (t->row->kind == ROW_ATOM)
        value_atomic(t);
    else
        value_keep_sources(t);
}

void value_after(struct site *t) {
    if (t->c->value->inst[t->pc].result && t->row->kind != ROW_ATOM)
        value_results(t);
}
