/*
 * Values: NaNs, infinities and denormal numbers where they are born, that is, in a result without such an operand;
 * index arithmetic that overflows; shift counts that are not below the width.
 */
#include "sim/check/value.h"

#include <string.h>

/* ---- what instructions are ---- */

/* The first type in a name, which is the result's: f32 of cvt.f32.s32. NULL: no floating-point one. */
static const struct float_spec *first_type(const char *name, u8 *halves) {
    *halves = 1;
    for (const char *at = strchr(name, '.'); at; at = strchr(at, '.')) {
        size_t len = strcspn(++at, "."), digits = at[0] == 'b' && at[1] == 'f' ? 2 : 1;
        if (len <= digits || !strchr("subf", at[0]) || at[digits] < '0' || at[digits] > '9')
            continue;
        bool pair = len > 2 && at[len - 2] == 'x' && at[len - 1] == '2';
        enum etype type = etype_find(at, pair ? len - 2 : len);
        *halves = pair ? 2 : 1;
        return type != ET_COUNT && etypes[type].kind == ETYPE_FLOAT ? etype_float_format(type) : NULL;
    }
    return NULL;
}

static const struct float_spec *of_literal(u8 literal) {
    switch (literal) {
    case LIT_F32: return &float_fp32;
    case LIT_F64: return &float_fp64;
    case LIT_H2: return &float_fp16;
    case LIT_W2: return &float_bf16;
    default: return NULL;
    }
}

static void decode_float(const struct inst *i, struct value_inst *v) {
    const struct isa_row *row = &isa_rows[i->op];
    bool bits = row->iclass == CLASS_MOV || row->iclass == CLASS_SEL || strncmp(row->name, "set.", 4) == 0;
    if (row->operand[0].place != PLACE_D && row->kind != ROW_ATOM)
        return;
    if (row->operand[0].kind == K_PRED || bits)
        return;
    if (row->kind == ROW_WARP && row->iclass != CLASS_MMA)
        return;
    if (row->kind == ROW_ATOM && row->operand[row->operand[0].place == PLACE_D ? 2 : 1].kind == K_REG2)
        return; /* value_atomic follows single words */
    v->result = first_type(row->name, &v->halves);
    for (u32 k = 0; v->result && k < OPERANDS_MAX; k++)
        if (row->operand[k].place >= PLACE_A && row->operand[k].place <= PLACE_C)
            v->operand[row->operand[k].place - PLACE_A] = of_literal(row->operand[k].literal);
}

static void decode_shift(const struct inst *i, struct value_inst *v) {
    switch (i->op) {
    case OP_SHL_B32:
    case OP_SHR_U32:
    case OP_SHR_S32:
        v->shift = 32;
        v->count = PLACE_B;
        break;
    case OP_SHL_B64:
    case OP_SHR_U64:
    case OP_SHR_S64:
        v->shift = 64;
        v->count = PLACE_B;
        break;
    case OP_SHF_L_WRAP_B32:
    case OP_SHF_L_CLAMP_B32:
    case OP_SHF_R_WRAP_B32:
    case OP_SHF_R_CLAMP_B32:
        v->shift = 32;
        v->count = PLACE_C;
        break;
    default: break;
    }
}

bool value_begin(struct check *c) {
    const struct program *p = c->launch.program;
    c->value = check_alloc(c, sizeof *c->value);
    if (!c->value)
        return false;
    c->value->inst = check_alloc(c, p->ninst * sizeof *c->value->inst);
    for (u32 pc = 0; c->value->inst && pc < p->ninst; pc++) {
        decode_float(&p->inst[pc], &c->value->inst[pc]);
        decode_shift(&p->inst[pc], &c->value->inst[pc]);
    }
    return c->value->inst && value_slice(c);
}

/* ---- shifts and indices ---- */

static const char *shifted(enum op op) {
    switch (op) {
    case OP_SHR_S32:
    case OP_SHR_S64: return "only copies of the sign are left";
    case OP_SHF_L_WRAP_B32:
    case OP_SHF_R_WRAP_B32: return "it is taken modulo 32";
    case OP_SHF_L_CLAMP_B32:
    case OP_SHF_R_CLAMP_B32: return "it is clamped to 32";
    default: return "nothing is left";
    }
}

static void shift_count(struct site *t, const struct value_inst *v) {
    bool b = v->count == PLACE_B, clamps = t->i->op == OP_SHF_L_CLAMP_B32 || t->i->op == OP_SHF_R_CLAMP_B32;
    const u32 *count = t->w->base[b ? t->u->bsel : t->u->csel] + (b ? t->u->b : t->u->c);
    for (u64 left = t->exec; left; left &= left - 1) {
        u32 l = first_lane(left);
        if (count[l] < v->shift + (clamps ? 1u : 0u)) /* a funnel shift by 32 gives the other word */
            continue;
        struct check_finding f = value_at_lane(t, l);
        f.class = FOUND_VALUE_SHIFT;
        found_add(t->c, &f, "the count is %u, the width %u: %s", count[l], v->shift, shifted(t->i->op));
    }
}

/* The exact result fits 32 bits with its operands read as signed or as unsigned numbers. */
static bool fits(enum op op, u32 a, u32 b, u32 c, bool b_immediate) {
    s64 x = (s32)a, y = (s32)b, z = (s32)c, s = 0;
    u64 u = 0;
    bool negative = false;
    switch (op) {
    case OP_ADD_S32:
        s = x + y;
        u = b_immediate ? (u64)a + (u64)y : (u64)a + b; /* unsigned number - constant */
        break;
    case OP_SUB_S32:
        s = x - y;
        u = (u64)a - b;
        negative = a < b;
        break;
    case OP_MUL_LO_S32:
    case OP_MAD_LO_S32:
        s = x * y + (op == OP_MAD_LO_S32 ? z : 0);
        u = (u64)a * b + (op == OP_MAD_LO_S32 ? c : 0);
        break;
    case OP_SHL_B32:
        if (b >= 32)
            return true; /* a count out of range */
        s = x * ((s64)1 << b);
        u = (u64)a << b;
        break;
    default: return true;
    }
    return s == (s32)s || (!negative && u <= UINT32_MAX);
}

static void index_overflow(struct site *t) {
    const u32 *a = t->w->base[t->u->asel] + t->u->a, *b = t->w->base[t->u->bsel] + t->u->b;
    const u32 *c = t->w->base[t->u->csel] + t->u->c;
    bool three = t->i->op == OP_MAD_LO_S32;
    for (u64 left = t->exec; left; left &= left - 1) {
        u32 l = first_lane(left);
        if (fits(t->i->op, a[l], b[l], three ? c[l] : 0, t->i->isel == 2))
            continue;
        struct check_finding f = value_at_lane(t, l);
        f.class = FOUND_VALUE_INDEX_OVERFLOW;
        if (three)
            found_add(t->c, &f, "%u times %u plus %u does not fit 32 bits, and goes on to an address", a[l], b[l],
                      c[l]);
        else
            found_add(t->c, &f, "the result of %u and %u does not fit 32 bits, and goes on to an address", a[l], b[l]);
    }
}

/* ---- an instruction ---- */

void value_before(struct site *t) {
    const struct value_inst *v = &t->c->value->inst[t->pc];
    if (v->shift)
        shift_count(t, v);
    if (v->index)
        index_overflow(t);
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
