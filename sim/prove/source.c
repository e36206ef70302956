#include "sim/prove/source.h"

#include <string.h>

#include "sim/prove/logic.h"

/* ---- operands ---- */

static bool is_match(u32 code) {
    return code >= OP_MATCH_ANY_B32 && code <= OP_MATCH_ALL_B64;
}

/* Rows of one lane: words and bits of a, b and c in turn, numbers that are written in the instruction, an immediate. */
static enum operand_is lane_operand(const struct isa_row *row, u32 k) {
    for (u32 i = 1; i <= 3; i++) {
        u32 kind = row->operand[i].kind;
        u32 n = kind == K_REG2 ? 2 : kind == K_NONE ? 0 : 1;
        if (k < n)
            return kind == K_PRED ? OPERAND_BIT : kind == K_NUM ? OPERAND_NUMBER : OPERAND_WORD;
        k -= n;
    }
    return OPERAND_NUMBER;
}

enum operand_is source_operand(const struct terms *e, u32 atom, u32 k) {
    const struct atom *a = term_at(e, atom);
    if (a->code == ATOM_INPUT || a->code == ATOM_FRESH)
        return OPERAND_NUMBER;
    if (a->code >= ATOM_TABLE)
        return a->code == ATOM_TABLE && k < 2 ? OPERAND_NUMBER : OPERAND_BIT;
    if (is_match(a->code))
        return k + 3 < a->count ? OPERAND_WORD : OPERAND_NUMBER; /* the lanes, in two halves, and the own lane */
    const struct isa_row *row = &isa_rows[a->code];
    return row->kind == ROW_LANE || row->kind == ROW_LANEI ? lane_operand(row, k) : OPERAND_WORD;
}

u32 source_together(const struct terms *e, u32 atom, u32 k) {
    const struct atom *a = term_at(e, atom);
    const struct isa_row *row = &isa_rows[a->code];
    if (row->kind == ROW_ATOM)
        return a->count / 3;
    if (row->kind != ROW_LANE && row->kind != ROW_LANEI)
        return row->operand[2].kind == K_REG2 || row->operand[1].kind == K_REG2 ? 2 : 1;
    for (u32 i = 1; i <= 3; i++) {
        u32 kind = row->operand[i].kind, n = kind == K_REG2 ? 2 : kind == K_NONE ? 0 : 1;
        if (k < n)
            return n;
        k -= n;
    }
    return 1;
}

u32 source_atoms(const struct terms *e, u32 atom, u32 k, u32 of[32]) {
    u32 operand = term_operands(e, atom)[k], bit[32], n = 0;
    enum operand_is is = source_operand(e, atom, k);
    if (is == OPERAND_BIT)
        of[n++] = bit_atom(operand);
    if (is != OPERAND_WORD)
        return n;
    term_bits(e, operand, bit);
    for (u32 i = 0; i < 32; i++)
        if (!n || of[n - 1] != bit_atom(bit[i]))
            of[n++] = bit_atom(bit[i]);
    return n;
}

/* ---- origins ---- */

static void join(struct source *s, const struct source *other) {
    s->input = s->input ? s->input : other->input;
    s->fresh = s->fresh ? s->fresh : other->fresh;
    s->size = s->size ? s->size : other->size;
}

struct source *source_table(const struct terms *e, struct arena *arena) {
    struct source *of = arena_alloc(arena, term_atoms(e) * sizeof *of);
    for (u32 atom = 1; of && atom < term_atoms(e); atom++) {
        const struct atom *a = term_at(e, atom);
        of[atom].input = a->code == ATOM_INPUT ? atom : 0;
        enum fresh_kind kind = a->code == ATOM_FRESH ? term_fresh_at(e, atom)->kind : FRESH_BOARD;
        bool size = kind == FRESH_SIZE || kind == FRESH_ADDRESS;
        of[atom].fresh = !size && kind != FRESH_BOARD ? atom : 0;
        of[atom].size = size ? atom : 0;
        for (u32 k = 0; k < a->count; k++) {
            u32 from[32], n = source_atoms(e, atom, k, from);
            for (u32 i = 0; i < n; i++)
                join(&of[atom], &of[from[i]]);
        }
    }
    return of;
}

/* ---- its value ---- */

u64 source_bit(const u64 *value, u32 bit) {
    return (value[bit_atom(bit)] >> (bit & 63) & 1) ^ bit >> 31;
}

u32 source_word(const struct terms *e, const u64 *value, u32 word) {
    u32 bit[32], v = 0;
    term_bits(e, word, bit);
    for (u32 i = 0; i < 32; i++)
        v |= (u32)source_bit(value, bit[i]) << i;
    return v;
}

static u64 input_value(const struct memory *m, const u32 *operands) {
    const struct allocation *a = &m->list[operands[0]];
    u64 at = 4 * (u64)operands[1], left = a->size - at;
    u32 v = 0;
    for (u32 i = 0; i < 4 && i < left; i++)
        v |= (u32)a->bytes[at + i] << 8 * i;
    return v;
}

static u64 table_value(const struct terms *e, u32 atom, const u64 *value) {
    u32 at = 0;
    for (u32 k = 0; k < logic_table_bits(e, atom); k++)
        at |= (u32)source_bit(value, term_operands(e, atom)[k + 2]) << k;
    return logic_table(e, atom) >> at & 1;
}

static u64 many_value(const u64 *value, const struct atom *a, const u32 *operands) {
    u32 ones = 0;
    for (u32 k = 0; k < a->count; k++)
        ones += (u32)source_bit(value, operands[k]);
    return a->code == ATOM_XOR ? ones & 1 : ones == a->count;
}

/* The decoded instruction of an atom, as far as its value depends on it. */
static struct uop decoded(const struct atom *a) {
    struct inst i = inst_blank((enum op)a->code);
    struct uop u = {0};
    i.mods = a->mods;
    uop_modify_result(&u, &i);
    return u;
}

/* Value of an instruction of one lane: its operands one after the other, as in lane_operand. */
static u64 lane_atom_value(const struct terms *e, u32 atom, const u64 *value, struct eval *v) {
    const struct atom *a = term_at(e, atom);
    const struct isa_row *row = &isa_rows[a->code];
    const u32 *operands = term_operands(e, atom);
    struct uop u = decoded(a);
    u64 *of[] = {v->a, v->b, v->c}, *bits[] = {&v->pa, &v->pb, &v->pc};
    u8 *number[] = {&u.na, &u.nb, &u.nc};
    for (u32 i = 0, k = 0; i < 3; i++) {
        u32 kind = row->operand[i + 1].kind;
        if (kind == K_PRED)
            *bits[i] = source_bit(value, operands[k++]);
        else if (kind == K_NUM)
            *number[i] = (u8)operands[k++];
        else if (kind == K_REG || kind == K_REG2)
            of[i][0] = source_word(e, value, operands[k++]);
        if (kind == K_REG2)
            of[i][0] |= (u64)source_word(e, value, operands[k++]) << 32;
    }
    if (row->kind == ROW_LANEI)
        u.imm = operands[a->count - 2] | (u64)operands[a->count - 1] << 32;
    eval_run(v, a->code, &u, 1);
    return row->operand[0].kind == K_PRED ? v->pd & 1 : v->d[0];
}

/* Old value, b and c: thirds of the list. */
static u64 atomic_value(const struct terms *e, u32 atom, const u64 *value, struct eval *v) {
    const struct atom *a = term_at(e, atom);
    const u32 *operands = term_operands(e, atom);
    u64 *of[] = {&v->cell, v->b, v->c};
    u32 halves = a->count / 3;
    struct uop u = decoded(a);
    for (u32 k = 0; k < 3; k++) {
        *of[k] = source_word(e, value, operands[k * halves]);
        if (halves == 2)
            *of[k] |= (u64)source_word(e, value, operands[k * halves + 1]) << 32;
    }
    eval_atomic(v, a->code, &u);
    return v->cell;
}

/* Value of a match: of the values of its lanes, which lanes those are, and the lane that gets it, if one does. */
static u64 match_value(const struct terms *e, u32 atom, const u64 *value, struct eval *v) {
    const struct atom *a = term_at(e, atom);
    const u32 *operands = term_operands(e, atom);
    u32 halves = a->code == OP_MATCH_ANY_B64 || a->code == OP_MATCH_ALL_B64 ? 2 : 1, k = 0;
    u64 lanes = operands[a->count - 3] | (u64)operands[a->count - 2] << 32;
    struct uop u = decoded(a);
    u32 asking = operands[a->count - 1], who = asking < WARP_MAX ? asking : first_lane(lanes);
    for (u64 left = lanes; left; left &= left - 1) {
        u64 *at = &v->a[first_lane(left)];
        *at = source_word(e, value, operands[k++]);
        if (halves == 2)
            *at |= (u64)source_word(e, value, operands[k++]) << 32;
    }
    eval_run(v, a->code, &u, lanes);
    return v->d[who];
}

u64 *source_values(const struct terms *e, const struct source_values *on) {
    u64 *value = arena_alloc(on->arena, term_atoms(e) * sizeof *value);
    for (u32 atom = 1; value && atom < term_atoms(e); atom++) {
        const struct atom *a = term_at(e, atom);
        const u32 *operands = term_operands(e, atom);
        u32 kind = a->code < OP_COUNT ? isa_rows[a->code].kind : ROW_LANE;
        if (a->code == ATOM_INPUT)
            value[atom] = input_value(on->start, operands);
        else if (a->code == ATOM_FRESH)
            value[atom] = term_fresh_at(e, atom)->value;
        else if (a->code == ATOM_TABLE)
            value[atom] = table_value(e, atom, value);
        else if (a->code >= ATOM_TABLE)
            value[atom] = many_value(value, a, operands);
        else if (kind == ROW_ATOM)
            value[atom] = atomic_value(e, atom, value, on->eval);
        else if (is_match(a->code))
            value[atom] = match_value(e, atom, value, on->eval);
        else
            value[atom] = lane_atom_value(e, atom, value, on->eval);
    }
    return value;
}
