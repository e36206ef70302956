#include "tests/isa/isa_shape.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

const struct operand *row_operand(const struct isa_row *row, enum operand_place place) {
    for (u32 i = 0; i < OPERANDS_MAX; i++)
        if (row->operand[i].kind != K_NONE && row->operand[i].place == place)
            return &row->operand[i];
    return NULL;
}

/* ---- modifiers ---- */

static u32 add_group(struct mod_choice *out, u32 n, u8 group) {
    u32 total = 0;
    struct mod_choice all[CHOICES_MAX];
    for (size_t m = 0; m <= isa_mod_count; m++) {
        if (m < isa_mod_count && isa_mods[m].group != group)
            continue;
        for (u32 i = 0; i < n && total < CHOICES_MAX; i++) {
            struct mod_choice c = out[i];
            c.value[group] = m < isa_mod_count ? isa_mods[m].value : (u8)isa_groups[group].def;
            size_t used = strlen(c.text);
            if (m < isa_mod_count)
                snprintf(c.text + used, sizeof c.text - used, ".%s", isa_mods[m].text);
            all[total++] = c;
        }
    }
    memcpy(out, all, total * sizeof *out);
    return total;
}

u32 mod_choices(const struct isa_row *row, struct mod_choice out[CHOICES_MAX]) {
    u32 n = 1;
    memset(&out[0], 0, sizeof out[0]);
    for (u8 g = 0; g < GROUP_COUNT; g++)
        if (row->groups >> g & 1)
            n = add_group(out, n, g);
    return n;
}

/* ---- shapes ---- */

static const u32 number_choices[] = {0, 1, 5, 8, 16, 31, 32, 33, 64, 255};

static struct at reg_at(const struct operand *o, u8 reg, u8 pred) {
    struct at at = {.how = AT_NOWHERE};
    if (o) {
        at.how = o->kind == K_PRED ? AT_PRED : AT_REG;
        at.reg = o->kind == K_PRED ? pred : reg;
    }
    return at;
}

static struct at number_at(u64 value) {
    struct at at = {.how = AT_IMM, .value = value};
    snprintf(at.text, sizeof at.text, "%" PRIu64, value);
    return at;
}

static struct at hex_at(u64 value) {
    struct at at = {.how = AT_IMM, .value = value};
    snprintf(at.text, sizeof at.text, "0x%" PRIx64, value);
    return at;
}

/* The i-th immediate for a source that holds a literal of this kind; AT_NOWHERE when there are no more. */
static struct at literal_at(const struct operand *o, char type, u32 i) {
    static const s32 ints[] = {0, 1, -1, 31, 32, INT32_MIN, INT32_MAX, 0x12345678, -2};
    static const u32 floats[] = {0, 0x80000000, 0x3fc00000, 0x7fc12345, 0x00000123, 0xff800000, 0x7f7fffff, 0x4b000001};
    static const u32 doubles[] = {0, 0x80000000, 0x3ff80000, 0x7ff80123, 0x00000123, 0xfff00000, 0x41dfffff};
    struct at at = {.how = AT_NOWHERE};
    u64 value;
    if (o->kind == K_REG2 && o->literal == LIT_F64) {
        if (i < COUNT_OF(doubles)) {
            at = (struct at){.how = AT_IMM, .value = (u64)doubles[i] << 32};
            snprintf(at.text, sizeof at.text, "0d%016" PRIx64, at.value);
        }
    } else if (o->kind == K_REG2) {
        if (i < COUNT_OF(ints)) {
            at = (struct at){.how = AT_IMM, .value = (u64)(s64)ints[i]};
            snprintf(at.text, sizeof at.text, "%" PRId32, ints[i]);
        }
    } else if (o->literal == LIT_F32) {
        if (i < COUNT_OF(floats)) {
            at = (struct at){.how = AT_IMM, .value = floats[i]};
            snprintf(at.text, sizeof at.text, "0f%08" PRIx32, floats[i]);
        }
    } else if (i < 10 && corner_value(type, i, &value)) {
        at = hex_at(value);
    }
    return at;
}

struct list {
    struct shape *out;
    u32 n;
};

static void add(struct list *l, struct shape s) {
    if (l->n < SHAPES_MAX)
        l->out[l->n++] = s;
}

/* Destination over each source: the same register, or either half of a pair. */
static void add_overlaps(struct list *l, const struct shape *base, const struct isa_row *row) {
    const struct operand *d = row_operand(row, PLACE_D);
    for (u32 k = 0; k < 3; k++) {
        const struct operand *o = row_operand(row, (enum operand_place)(PLACE_A + k));
        struct shape s = *base;
        s.guard = GUARD_UNLESS;
        if (!o || s.s[k].how == AT_IMM || (s.s[k].how == AT_PRED) != (d->kind == K_PRED))
            continue;
        s.d.reg = s.s[k].reg;
        add(l, s);
        if (d->kind == K_REG2 && o->kind == K_REG)
            s.s[k].reg++;
        else if (d->kind == K_REG && o->kind == K_REG2)
            s.d.reg++;
        else
            continue;
        add(l, s);
    }
}

static void add_predicates(struct list *l, const struct shape *base, const struct isa_row *row) {
    for (u32 neg = 1; neg < 8; neg++) {
        struct shape s = *base;
        bool new = false;
        for (u32 k = 0; k < 3; k++)
            if (s.s[k].how == AT_PRED && neg >> k & 1)
                s.s[k].neg = new = true;
        if (new)
            add(l, s);
        for (u32 k = 0; k < 3; k++)
            if (s.s[k].neg)
                s.s[k].reg = PT;
        if (new)
            add(l, s);
    }
    if (row_operand(row, PLACE_D)->kind == K_PRED) {
        struct shape s = *base;
        s.guard = GUARD_IF;
        s.d.reg = 0; /* the guard itself */
        add(l, s);
    }
}

/* rz and pt where they mean something, odd registers, one register for every source. */
static void add_special_registers(struct list *l, const struct shape *base, const struct isa_row *row) {
    struct shape none = *base, odd = *base, same = *base;
    none.d.reg = none.d.how == AT_PRED ? PT : RZ;
    add(l, none);
    odd.guard = GUARD_IF;
    if (row_operand(row, PLACE_D)->kind == K_REG)
        odd.d.reg++;
    for (u32 k = 0; k < 3; k++) {
        const struct operand *o = row_operand(row, (enum operand_place)(PLACE_A + k));
        if (base->s[k].how != AT_REG)
            continue;
        struct shape zero = *base;
        zero.s[k].reg = RZ;
        add(l, zero);
        odd.s[k].reg = (u8)(odd.s[k].reg + (o->kind == K_REG));
        same.s[k].reg = 8;
    }
    add(l, odd);
    add(l, same);
}

static void add_immediates(struct list *l, const struct shape *base, const struct isa_row *row, const char *types) {
    for (u32 k = 0; k < 3; k++) {
        const struct operand *o = row_operand(row, (enum operand_place)(PLACE_A + k));
        if (base->s[k].how != AT_REG)
            continue;
        for (u32 i = 0;; i++) {
            struct shape s = *base;
            s.s[k] = literal_at(o, types[k], i);
            if (s.s[k].how == AT_NOWHERE)
                break;
            s.guard = i % 2 ? GUARD_NONE : GUARD_IF;
            add(l, s);
        }
    }
}

/* Numbers that stand in the text: fields of bfe and bfi, the table of lop3, the 64 bits of movi. */
static void add_numbers(struct list *l, const struct shape *base, enum op op) {
    const struct isa_row *row = &isa_rows[op];
    const struct operand *b = row_operand(row, PLACE_B), *c = row_operand(row, PLACE_C);
    bool has_b = b && b->kind == K_NUM, has_c = c && c->kind == K_NUM, has_imm = row->kind == ROW_LANEI;
    u64 value;
    struct shape s = *base;
    if (has_c && (has_b || has_imm)) {
        for (u32 i = 0; i < COUNT_OF(number_choices) * COUNT_OF(number_choices); i++) {
            *(has_b ? &s.s[1] : &s.imm) = number_at(number_choices[i / COUNT_OF(number_choices)]);
            s.s[2] = number_at(number_choices[i % COUNT_OF(number_choices)]);
            add(l, s);
        }
    } else if (op == OP_LOP3_B32) {
        for (u32 i = 0; i < 256; i++) {
            s.imm = hex_at(i);
            add(l, s);
        }
    } else if (has_imm && !row->wide) {
        for (u32 i = 0; i < COUNT_OF(number_choices); i++) {
            s.imm = number_at(number_choices[i]);
            add(l, s);
        }
    } else if (has_imm) {
        for (u32 i = 0; corner_value('I', i, &value); i++) {
            s.imm = hex_at(value);
            add(l, s);
        }
    }
}

u32 shapes_of(enum op op, const char *types, struct shape *out, u32 *plain) {
    const struct isa_row *row = &isa_rows[op];
    struct list l = {.out = out};
    struct shape base = {.d = reg_at(row_operand(row, PLACE_D), 14, 4)};
    for (u32 k = 0; k < 3; k++) {
        const struct operand *o = row_operand(row, (enum operand_place)(PLACE_A + k));
        base.s[k] = o && o->kind == K_NUM ? number_at(9) : reg_at(o, (u8)(8 + 2 * k), (u8)(1 + k));
    }
    if (row->kind == ROW_LANEI)
        base.imm = number_at(7);
    add(&l, base);
    *plain = 1;
    base.guard = GUARD_IF;
    add(&l, base);
    base.guard = GUARD_NONE;
    add_overlaps(&l, &base, row);
    add_special_registers(&l, &base, row);
    add_predicates(&l, &base, row);
    if (row->kind == ROW_LANE)
        add_immediates(&l, &base, row, types);
    add_numbers(&l, &base, op);
    return l.n;
}

/* ---- text ---- */

static void print_at(const struct at *at, struct buf *out) {
    if (at->how == AT_IMM)
        buf_puts(out, at->text);
    else if (at->how == AT_PRED && at->reg == PT)
        buf_puts(out, at->neg ? "!pt" : "pt");
    else if (at->how == AT_PRED)
        buf_printf(out, "%sp%u", at->neg ? "!" : "", at->reg);
    else if (at->reg == RZ)
        buf_puts(out, "rz");
    else
        buf_printf(out, "r%u", at->reg);
}

void shape_print(enum op op, const struct shape *s, const struct mod_choice *mods, struct buf *out) {
    const struct isa_row *row = &isa_rows[op];
    if (s->guard)
        buf_puts(out, s->guard == GUARD_IF ? "@p0 " : "@!p0 ");
    buf_printf(out, "%s%s ", row->name, mods->text);
    for (u32 i = 0; i < OPERANDS_MAX; i++) {
        u8 place = row->operand[i].place;
        if (row->operand[i].kind == K_NONE)
            continue;
        if (i > 0)
            buf_puts(out, ", ");
        print_at(place == PLACE_D ? &s->d : place == PLACE_IMM ? &s->imm : &s->s[place - PLACE_A], out);
    }
}

/* ---- what it must do ---- */

static u64 read_at(const struct at *at, const struct operand *o, const struct lane_state *k) {
    switch (at->how) {
    case AT_IMM: return at->value;
    case AT_PRED: return (at->reg == PT ? 1 : k->preds >> at->reg & 1) ^ at->neg;
    case AT_REG:
        if (at->reg == RZ)
            return 0;
        return k->r[at->reg - 8] | (o->kind == K_REG2 ? (u64)k->r[at->reg - 7] << 32 : 0);
    default: return 0;
    }
}

struct lane_state shape_expect(enum op op, const struct ref *ref, const struct shape *s, const struct mod_choice *mods,
                               const struct lane_state *before) {
    const struct isa_row *row = &isa_rows[op];
    struct lane_state after = *before;
    bool guard = before->preds & 1;
    if ((s->guard == GUARD_IF && !guard) || (s->guard == GUARD_UNLESS && guard))
        return after;
    u64 v[3];
    for (u32 k = 0; k < 3; k++)
        v[k] = read_at(&s->s[k], row_operand(row, (enum operand_place)(PLACE_A + k)), before);
    struct ref_in in = {.a = v[0], .b = v[1], .c = v[2], .imm = s->imm.value};
    in.rnd = mods->value[row->groups & M_RI ? GROUP_RI : GROUP_RF];
    in.ftz = mods->value[GROUP_FTZ];
    in.sat = mods->value[GROUP_SAT];
    u64 d = ref->fn(&in, ref);
    if (s->d.how == AT_PRED) {
        if (s->d.reg != PT)
            after.preds = (before->preds & ~(1u << s->d.reg)) | (u32)(d & 1) << s->d.reg;
    } else if (s->d.reg != RZ) {
        after.r[s->d.reg - 8] = (u32)d;
        if (row_operand(row, PLACE_D)->kind == K_REG2)
            after.r[s->d.reg - 7] = (u32)(d >> 32);
    }
    return after;
}
