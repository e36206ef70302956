/* Floating-point results that are born as NaNs, infinities or denormal numbers. */
#include <stdio.h>
#include <string.h>

#include "isa/shapes.h"
#include "sim/check/value.h"

/* In the order of the classes from FOUND_VALUE_NAN on. */
enum { SORT_NAN = 1, SORT_INFINITY = 2, SORT_DENORMAL = 4, SORTS = 3 };

/* An atomic of floating-point numbers that L2 has not performed. */
struct value_note {
    struct performed performed; /* first: what L2 hands back */
    struct performed *inner;    /* next observer */
    struct check *c;
    struct value_note *next; /* in the free list */
    struct check_finding f;
    u32 left; /* lanes */
};

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

/* Value of a number: exact, since a double holds all of the other formats. */
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

static void found(struct check *c, struct check_finding f, u32 sorts, const char *text) {
    for (u32 k = 0; k < SORTS; k++)
        if (sorts >> k & 1) {
            f.class = (u8)(FOUND_VALUE_NAN + k);
            found_add(c, &f, "%s", text);
        }
}

/* ---- rows of one lane ---- */

void value_keep_sources(struct site *t) {
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

/* A result, and the operands that it was made from. */
struct origin {
    char text[160];
};

static struct origin describe(const struct site *t, u32 lane, u32 half, u64 result) {
    const struct value_inst *v = &t->c->value->inst[t->pc];
    char number[NUMBER_TEXT];
    struct origin o;
    const size_t size = sizeof o.text;
    int at = snprintf(o.text, size, "%s", number_text(v->result, result, number));
    const char *word = " from ";
    for (u32 k = 0; k < 3 && (size_t)at < size; k++) {
        u64 operand;
        if (!operand_of(t, k, lane, half, &operand))
            continue;
        at += snprintf(o.text + at, size - (size_t)at, "%s%s", word, number_text(v->operand[k], operand, number));
        word = ", ";
    }
    return o;
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
            found(t->c, value_at_lane(t, l), born, describe(t, l, half, result).text);
        }
}

/* ---- matrix products ---- */

static const struct float_spec *element_format(enum element type) {
    switch (type) {
    case ELEMENT_F16: return &float_fp16;
    case ELEMENT_BF16: return &float_bf16;
    case ELEMENT_TF32: return &float_fp32;
    case ELEMENT_NONE: break;
    }
    BUG("a type of matrix elements that sim/check does not know");
}

/* The bits of an element of A (0) or B (1) before the product. */
static u32 element_bits(const struct site *t, u32 matrix, const struct isa_matrix *m, u32 lane, u32 element) {
    return matrix_bits(m, t->c->value->matrix[matrix][matrix_register(m, element) * t->width + lane], element);
}

static void matrix_results(struct site *t) {
    const struct isa_shape *s = &isa_shapes[t->row->shape];
    const struct float_spec *element = element_format((enum element)t->row->element);
    const struct value *v = t->c->value;
    const u32 *row = t->w->base[0] + t->u->d;
    for (u32 first = 0; first + s->lanes <= t->width; first += s->lanes) {
        u32 of_row[16] = {0}, of_column[16] = {0}; /* sorts among the elements of A and B */
        for (u32 l = 0; l < s->lanes; l++) {
            for (u32 e = 0; e < s->a.elements; e++)
                of_row[s->a.cell(l, e).row] |= sort_of(element, element_bits(t, 0, &s->a, first + l, e));
            for (u32 e = 0; e < s->b.elements; e++)
                of_column[s->b.cell(l, e).column] |= sort_of(element, element_bits(t, 1, &s->b, first + l, e));
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
                found(t->c, value_at_lane(t, l), born, text);
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
    struct check_finding f = value_at_lane(t, lane);
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
void value_atomic(struct site *t) {
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

/* ---- any of them ---- */

void value_results(struct site *t) {
    if (t->row->iclass == CLASS_MMA)
        matrix_results(t);
    else
        lane_results(t);
}
