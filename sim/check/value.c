/*
 * Values: NaNs, infinities and denormal numbers where they are born, that is, in a result none of whose operands was
 * one; index arithmetic that overflows; shift counts that are not below the width.
 *
 * Index arithmetic is what a backward slice over the program finds: a 32-bit sum, product or left shift whose result
 * goes on to an address through moves, selects, conversions to 64 bits and more such arithmetic. What is masked,
 * shifted right or divided on the way is no index any more, so that hashing may wrap. The slice follows registers
 * through the control flow; a function returns to all places from which functions are called.
 */
#include <stdio.h>
#include <string.h>

#include "isa/check.h"
#include "isa/shapes.h"
#include "sim/check/shadow.h"

/* In the order of the classes from FOUND_VALUE_NAN on. */
enum { SORT_NAN = 1, SORT_INFINITY = 2, SORT_DENORMAL = 4, SORTS = 3 };

struct value_inst {
    const struct float_spec *result; /* NULL: no floating-point result */
    const struct float_spec *operand[3];
    u8 halves; /* results in a register: 2 where numbers are packed */
    u8 shift;  /* width of what is shifted; 0: no shift */
    u8 count;  /* enum operand_place of the shift count */
    bool index;
};

/* An atomic of floating-point numbers that L2 has not performed. */
struct value_note {
    struct performed performed; /* first: what L2 hands back */
    struct performed *inner;    /* who else is told */
    struct check *c;
    struct value_note *next; /* in the free list */
    struct check_finding f;
    u32 left; /* lanes */
};

struct value {
    struct value_inst *inst;     /* [ninst] */
    u32 source[3][2 * WARP_MAX]; /* operands, as they were before the instruction */
    u32 matrix[3][4 * WARP_MAX]; /* those of a matrix product */
    struct value_note *free;
};

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

/* ---- the slice ---- */

/* Registers whose values go on to an address. */
struct wanted {
    u64 regs[4];
};

static void want(struct wanted *s, const struct check_inst *t, enum operand_place place) {
    for (u32 i = 0; i < t->count[place]; i++)
        s->regs[(t->first[place] + i) / 64] |= (u64)1 << (t->first[place] + i) % 64;
}

/* The places from which a wanted result takes it over, one bit each. */
static u32 passes(enum op op) {
    enum { A = 1 << PLACE_A, B = 1 << PLACE_B, C = 1 << PLACE_C };
    switch (op) {
    case OP_MOV_B32:
    case OP_MOV_B64:
    case OP_NEG_S32:
    case OP_NEG_S64:
    case OP_SHL_B32:
    case OP_SHL_B64:
    case OP_CVT_S64_S32:
    case OP_CVT_U64_U32:
    case OP_CVT_U32_U64:
    case OP_CVTA_SHARED:
    case OP_CVTA_LOCAL:
    case OP_CVTA_TO_SHARED:
    case OP_CVTA_TO_LOCAL: return A;
    case OP_SEL_B32:
    case OP_SEL_B64:
    case OP_ADD_S32:
    case OP_SUB_S32:
    case OP_MUL_LO_S32:
    case OP_ADD_S64:
    case OP_SUB_S64:
    case OP_MUL_LO_S64:
    case OP_MUL_WIDE_S32:
    case OP_MUL_WIDE_U32:
    case OP_PACK_B64: return A | B;
    case OP_MAD_LO_S32:
    case OP_MAD_LO_S64:
    case OP_MAD_WIDE_S32:
    case OP_MAD_WIDE_U32: return A | B | C;
    case OP_SEL_MSB_B32:
    case OP_SEL_MSB_B64: return B | C;
    default: return 0;
    }
}

static bool is_index_arithmetic(enum op op) {
    return op == OP_ADD_S32 || op == OP_SUB_S32 || op == OP_MUL_LO_S32 || op == OP_MAD_LO_S32 || op == OP_SHL_B32;
}

/* What is wanted before an instruction, from what is wanted behind it; whether its own result is. */
static bool step_back(const struct inst *i, const struct check_inst *t, struct wanted *s) {
    struct wanted own = {{0}};
    bool result = false;
    want(&own, t, PLACE_D);
    for (u32 k = 0; k < 4; k++) {
        result |= (own.regs[k] & s->regs[k]) != 0;
        if (i->guard == PT)
            s->regs[k] &= ~own.regs[k];
    }
    for (u32 place = PLACE_A; result && place <= PLACE_C; place++)
        if (passes(i->op) >> place & 1)
            want(s, t, (enum operand_place)place);
    if (t->how != HOW_NONE)
        want(s, t, PLACE_A);
    return result;
}

static bool join(struct wanted *to, const struct wanted *from) {
    bool more = false;
    for (u32 k = 0; k < 4; k++) {
        more |= (from->regs[k] & ~to->regs[k]) != 0;
        to->regs[k] |= from->regs[k];
    }
    return more;
}

/* What is wanted behind instruction pc: `before` of those that may follow it. */
static struct wanted behind(const struct program *p, const struct wanted *before, const struct wanted *returned,
                            u32 pc) {
    const struct inst *i = &p->inst[pc];
    struct wanted s = {{0}};
    if (!inst_ends_flow(i) && pc + 1 < p->ninst)
        s = before[pc + 1];
    if ((i->op == OP_BRA || i->op == OP_CALL) && inst_target(i) < p->ninst)
        join(&s, &before[inst_target(i)]);
    if (i->op == OP_RET)
        join(&s, returned);
    return s;
}

static bool slice(struct check *c) {
    const struct program *p = c->launch.program;
    struct arena arena = {0};
    struct wanted *before = arena_alloc(&arena, p->ninst * sizeof *before), returned = {{0}};
    for (bool more = before != NULL; more;) {
        more = false;
        for (u32 pc = p->ninst; pc-- > 0;) {
            struct wanted s = behind(p, before, &returned, pc);
            c->value->inst[pc].index |=
                step_back(&p->inst[pc], &c->inst[pc], &s) && is_index_arithmetic(p->inst[pc].op);
            more |= join(&before[pc], &s);
            if (p->inst[pc].op == OP_CALL && pc + 1 < p->ninst)
                more |= join(&returned, &before[pc + 1]);
        }
    }
    arena_free(&arena);
    return before != NULL;
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
    return c->value->inst && slice(c);
}

/* ---- numbers ---- */

static u32 sort_of(const struct float_spec *f, u64 v) {
    u32 fraction = f->mantissa - 1u, exponent = f->bits - f->mantissa;
    u64 low = v & (((u64)1 << fraction) - 1), high = v >> fraction & (((u64)1 << exponent) - 1);
    if (high == ((u64)1 << exponent) - 1)
        return low ? SORT_NAN : SORT_INFINITY;
    return !high && low ? SORT_DENORMAL : 0;
}

/* A number, or number `half` of a packed pair, of a row of registers. */
static u64 number_at(const struct float_spec *f, const u32 *row, u32 width, u32 lane, u32 half) {
    if (f->bits == 64)
        return row[lane] | (u64)row[lane + width] << 32;
    return f->bits == 32 ? row[lane] : row[lane] >> 16 * half & 0xffff;
}

/* Its value: exact, since a double holds all of the other formats. */
static double value_of(const struct float_spec *f, u64 v) {
    u32 fraction = f->mantissa - 1u, exponent = f->bits - f->mantissa, bias = (1u << (exponent - 1)) - 1;
    u64 low = v & (((u64)1 << fraction) - 1), high = v >> fraction & (((u64)1 << exponent) - 1);
    u64 bits = v;
    double d;
    if (f->bits < 64 && high) {
        u64 wide = high == ((u64)1 << exponent) - 1 ? 0x7ff : high - bias + 1023;
        bits = wide << 52 | low << (52 - fraction);
    } else if (f->bits < 64) {
        u64 unit = (u64)(1023 + 1 - (int)bias - (int)fraction) << 52; /* of the last place */
        memcpy(&d, &unit, sizeof d);
        d *= (double)low;
        memcpy(&bits, &d, sizeof bits);
    }
    if (f->bits < 64)
        bits |= v >> (f->bits - 1) << 63;
    memcpy(&d, &bits, sizeof d);
    return d;
}

enum { NUMBER_TEXT = 32 };

static const char *number_text(const struct float_spec *f, u64 v, char text[NUMBER_TEXT]) {
    bool negative = v >> (f->bits - 1) & 1;
    switch (sort_of(f, v)) {
    case SORT_NAN: return "nan";
    case SORT_INFINITY: return negative ? "-inf" : "inf";
    default: break;
    }
    if (f->bits == 64)
        snprintf(text, NUMBER_TEXT, "%.17g", value_of(f, v));
    else
        snprintf(text, NUMBER_TEXT, f->bits == 32 ? "%.9g" : "%.5g", value_of(f, v));
    return text;
}

/* ---- findings ---- */

static void found(struct check *c, struct check_finding f, u32 sorts, const char *text) {
    for (u32 k = 0; k < SORTS; k++)
        if (sorts >> k & 1) {
            f.class = (u8)(FOUND_VALUE_NAN + k);
            found_add(c, &f, "%s", text);
        }
}

static struct check_finding at_lane(const struct site *t, u32 lane) {
    return (struct check_finding){.places = 1, .at = {site_place(t, lane)}, .space = SPACE_COUNT};
}

/* ---- rows of one lane ---- */

static void keep_sources(struct site *t) {
    const u32 *const row[3] = {t->w->base[t->u->asel] + t->u->a, t->w->base[t->u->bsel] + t->u->b,
                               t->w->base[t->u->csel] + t->u->c};
    struct value *v = t->c->value;
    for (u32 k = 0; k < 3; k++)
        if (t->row->iclass == CLASS_MMA)
            memcpy(v->matrix[k], row[k], (k == 1 ? 2u : 4u) * t->width * sizeof *row[k]);
        else if (v->inst[t->pc].operand[k])
            memcpy(v->source[k], row[k], (v->inst[t->pc].operand[k]->bits == 64 ? 2u : 1u) * t->width * sizeof *row[k]);
}

/* The number that an operand is to number `half` of the result; false: none. */
static bool operand_of(const struct site *t, u32 k, u32 lane, u32 half, u64 *number) {
    const struct value_inst *v = &t->c->value->inst[t->pc];
    const struct float_spec *f = v->operand[k];
    if (!f || (v->halves == 2 && f->bits == 32 && k != half)) /* cvt.f16x2.f32: a source for each half */
        return false;
    *number = number_at(f, t->c->value->source[k], t->width, lane, half);
    return true;
}

static void describe(const struct site *t, u32 lane, u32 half, u64 result, char *text, size_t size) {
    const struct value_inst *v = &t->c->value->inst[t->pc];
    char number[NUMBER_TEXT];
    int at = snprintf(text, size, "%s", number_text(v->result, result, number));
    const char *word = " from ";
    for (u32 k = 0; k < 3 && at >= 0 && (size_t)at < size; k++) {
        u64 operand;
        if (!operand_of(t, k, lane, half, &operand))
            continue;
        at += snprintf(text + at, size - (size_t)at, "%s%s", word, number_text(v->operand[k], operand, number));
        word = ", ";
    }
}

static void lane_results(struct site *t) {
    const struct value_inst *v = &t->c->value->inst[t->pc];
    const u32 *row = t->w->base[0] + t->u->d;
    for (u64 left = t->exec; left; left &= left - 1)
        for (u32 l = first_lane(left), half = 0; half < v->halves; half++) {
            u64 result = number_at(v->result, row, t->width, l, half), operand;
            u32 born = sort_of(v->result, result);
            for (u32 k = 0; k < 3 && born; k++)
                if (operand_of(t, k, l, half, &operand))
                    born &= ~sort_of(v->operand[k], operand);
            if (!born)
                continue;
            char text[160];
            describe(t, l, half, result, text, sizeof text);
            found(t->c, at_lane(t, l), born, text);
        }
}

/* ---- matrix products ---- */

static void matrix_results(struct site *t) {
    const struct isa_shape *s = &isa_shapes[t->row->shape];
    const struct float_spec *element = etype_float_format(t->row->etype);
    const struct value *v = t->c->value;
    const u32 *row = t->w->base[0] + t->u->d;
    for (u32 first = 0; first + s->lanes <= t->width; first += s->lanes) {
        u32 of_row[16] = {0}, of_column[16] = {0}; /* sorts among the elements of A and B */
        for (u32 l = 0; l < s->lanes; l++) {
            for (u32 e = 0; e < s->a.elements; e++)
                of_row[s->a.cell(l, e).row] |=
                    sort_of(element, v->matrix[0][e / 2 * t->width + first + l] >> e % 2 * 16 & 0xffff);
            for (u32 e = 0; e < s->b.elements; e++)
                of_column[s->b.cell(l, e).column] |=
                    sort_of(element, v->matrix[1][e / 2 * t->width + first + l] >> e % 2 * 16 & 0xffff);
        }
        for (u32 l = first; l < first + s->lanes; l++)
            for (u32 e = 0; e < s->c.elements; e++) {
                struct cell at = s->c.cell(l - first, e);
                u32 sum = row[e * t->width + l], c = v->matrix[2][e * t->width + l];
                u32 born = sort_of(&float_fp32, sum) & ~sort_of(&float_fp32, c);
                born &= ~(of_row[at.row] | of_column[at.column]);
                char text[160], number[2][NUMBER_TEXT];
                if (!born)
                    continue;
                snprintf(text, sizeof text, "%s in row %u, column %u of D, from %s there in C",
                         number_text(&float_fp32, sum, number[0]), at.row, at.column,
                         number_text(&float_fp32, c, number[1]));
                found(t->c, at_lane(t, l), born, text);
            }
    }
}

/* ---- atomics ---- */

static u32 sum_of(u32 old, u32 b) {
    float x, y;
    memcpy(&x, &old, sizeof x);
    memcpy(&y, &b, sizeof y);
    x += y;
    memcpy(&old, &x, sizeof old);
    return old;
}

static void add_result(struct check *c, const struct check_finding *f, u32 old, u32 b) {
    const struct float_spec *s = &float_fp32;
    u32 sum = sum_of(old, b), born = sort_of(s, sum) & ~(sort_of(s, old) | sort_of(s, b));
    char text[160], number[3][NUMBER_TEXT];
    if (!born)
        return;
    snprintf(text, sizeof text, "%s from %s in memory and %s", number_text(s, sum, number[0]),
             number_text(s, old, number[1]), number_text(s, b, number[2]));
    found(c, *f, born, text);
}

static void performed(struct performed *p, const struct deferred *d) {
    struct value_note *n = (struct value_note *)(void *)p;
    struct value *v = n->c->value;
    if (n->inner)
        n->inner->see(n->inner, d);
    for (u32 i = 0; i < d->lanes; i++) {
        n->f.at[0].lane = d->lane[i].lane;
        n->f.address = d->line + d->lane[i].offset;
        add_result(n->c, &n->f, (u32)d->lane[i].old[0], (u32)d->lane[i].b);
    }
    n->left -= d->lanes < n->left ? d->lanes : n->left;
    if (!n->left) {
        n->next = v->free;
        v->free = n;
    }
}

/* The word that an atomic of a lane changes; NULL: it faults. */
static const u8 *word_at(const struct site *t, u32 lane) {
    u64 addr = t->addr[lane];
    if (addr % 4)
        return NULL;
    if (t->space[lane] == SPACE_SHARED)
        return addr + 4 <= t->c->launch.kernel->shared ? t->w->block->shared + addr : NULL;
    u32 number = t->space[lane] == SPACE_GLOBAL ? site_allocation(t, addr) : UINT32_MAX;
    if (number == UINT32_MAX)
        return NULL;
    const struct allocation *a = &t->c->launch.memory->list[number];
    return addr - a->base + 4 <= a->size ? a->bytes + (addr - a->base) : NULL;
}

static struct check_finding at_word(const struct site *t, u32 lane) {
    struct check_finding f = at_lane(t, lane);
    f.space = t->space[lane];
    f.address = t->addr[lane];
    f.bytes = 4;
    return f;
}

static void later(struct site *t, u64 lanes) {
    struct value *v = t->c->value;
    struct value_note *n = v->free;
    if (n)
        v->free = n->next;
    else if (!(n = check_alloc(t->c, sizeof *n)))
        return;
    *n = (struct value_note){.performed.see = performed, .inner = t->w->effect->watch, .c = t->c};
    n->f = at_word(t, first_lane(lanes));
    for (; lanes; lanes &= lanes - 1)
        n->left++;
    t->w->effect->watch = &n->performed;
}

/* Lanes that add to one word add in their order. */
static void atomic_results(struct site *t) {
    const u32 *b = t->w->base[t->u->bsel] + t->u->b;
    u32 sum[WARP_MAX];
    u64 done = 0, deferred = 0;
    for (u64 left = t->exec; left; left &= left - 1) {
        u32 l = first_lane(left), old = 0;
        const u8 *word = word_at(t, l);
        if (!word)
            return;
        if (t->w->run->writes && t->space[l] == SPACE_GLOBAL) {
            deferred |= (u64)1 << l;
            continue;
        }
        memcpy(&old, word, sizeof old);
        for (u64 before = done; before; before &= before - 1)
            if (t->addr[first_lane(before)] == t->addr[l] && t->space[first_lane(before)] == t->space[l])
                old = sum[first_lane(before)];
        struct check_finding f = at_word(t, l);
        add_result(t->c, &f, old, b[l]);
        sum[l] = sum_of(old, b[l]);
        done |= (u64)1 << l;
    }
    if (deferred)
        later(t, deferred);
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
        struct check_finding f = at_lane(t, l);
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
        struct check_finding f = at_lane(t, l);
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
        atomic_results(t);
    else
        keep_sources(t);
}

void value_after(struct site *t) {
    if (!t->c->value->inst[t->pc].result || t->row->kind == ROW_ATOM)
        return;
    if (t->row->iclass == CLASS_MMA)
        matrix_results(t);
    else
        lane_results(t);
}
