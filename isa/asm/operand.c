/* One operand: read, checked against what the row wants, put into its field. */
#include "isa/asm/asm.h"

#include <string.h>

#include "isa/check.h"
#include "isa/conversion.h"

static const char *register_wanted(u32 count, bool number_too) {
    switch (count) {
    case 2:
        return number_too ? "a register pair (the even register of two, as r2) or a number"
                          : "a register pair: the even register of two, as r2";
    case 4: return "four registers: the first of them, a multiple of 4, as r4";
    default: return number_too ? "a register or a number" : "a register";
    }
}

/* True if this operand may be an immediate in this row. */
static bool takes_number(const struct inst_text *it, const struct operand *o) {
    if (o->kind == K_REG_IMM || o->kind == K_REG_IMM_OPT)
        return true;
    return it->row->kind == ROW_LANE && o->place != PLACE_D && (o->kind == K_REG || o->kind == K_REG2);
}

const char *operand_wanted(const struct inst_text *it, const struct operand *o) {
    switch ((enum operand_kind)o->kind) {
    case K_NONE: break;
    case K_REG:
    case K_REG2:
    case K_REG4:
    case K_REGM:
    case K_REG_IMM:
    case K_REG_IMM_OPT: return register_wanted(operand_regs(&it->inst, o), takes_number(it, o) && it->inst.isel == 0);
    case K_MASK_OPT: return "a member mask: a register pair, as r2";
    case K_PRED: return o->place == PLACE_D ? "a predicate, as p0" : "a predicate, as p0 or !p0";
    case K_PRED_OPT: return "a predicate after '|'";
    case K_NUM: return "a number, 0 to 255";
    case K_IMM: return it->row->wide ? "a number" : "a number, 0 to 255";
    case K_MEM: return "an address in brackets, as [r2+8]";
    case K_TRANSIT: return "a transit register, x0 to x3";
    case K_PHASE: return "a phase, 0 to 3";
    case K_BARRIER: return "a barrier, 0 to 15";
    case K_SREG: return "a special register, as %tid.x";
    case K_LABEL: return "a label";
    case K_FUNCTION: return "the name of a function";
    case K_TEXT_OPT:
    case K_TEXT: return "a text in quotes";
    case K_WORDS: break;
    case K_REGT: return register_wanted(operand_regs(&it->inst, o), false);
    }
    return "nothing";
}

static bool is_param(const struct assembler *as, const struct value *v) {
    return v->data != 0 && v->data != DATA_MIXED && AT(struct symbol, as->symbols, v->data - 1)->kind == SYM_PARAM;
}

/* Reports a value of the wrong kind. Always false. */
static bool wrong_kind(struct assembler *as, const struct inst_text *it, const struct operand *o,
                       const struct value *v) {
    static const char *const found[] = {
        [V_NUMBER] = "a number",
        [V_FLOAT] = "a number",
        [V_REG] = "a register",
        [V_PRED] = "a predicate",
        [V_TRANSIT] = "a transit register",
        [V_SREG] = "a special register",
    };
    if (v->kind == V_SREG)
        asm_error(as, v->at, "'%s' is not allowed here; read it with %s", isa_sregs[v->index].name,
                  isa_sregs[v->index].bits == 64 ? "s2r.b64 into a register pair" : "s2r into a register");
    else if (v->kind == V_NUMBER && it->inst.isel && takes_number(it, o))
        asm_error(as, v->at, "only one operand can be a number; load this one with mov first");
    else if (v->kind == V_NUMBER && is_param(as, v))
        asm_error(as, v->at, "expected %s, found a parameter; ld.param loads its value into a register",
                  operand_wanted(it, o));
    else
        asm_error(as, v->at, "expected %s, found %s", operand_wanted(it, o), found[v->kind]);
    return false;
}

static void set_reg(struct inst *i, u8 place, u32 value) {
    switch (place) {
    case PLACE_D: i->d = (u8)value; break;
    case PLACE_A: i->a = (u8)value; break;
    case PLACE_B: i->b = (u8)value; break;
    case PLACE_C: i->c = (u8)value; break;
    default: break;
    }
}

static void set_pred(struct inst *i, u8 place, u32 value) {
    switch (place) {
    case PLACE_D: i->pd = (u8)value; break;
    case PLACE_A: i->pa = (u8)value; break;
    case PLACE_B: i->pb = (u8)value; break;
    case PLACE_C: i->pc = (u8)value; break;
    default: i->guard = (u8)value; break;
    }
}

static void operand_hole(struct assembler *as, struct inst_text *it, const struct value *v, u8 place) {
    struct hole *h = list_push(as, &as->holes, sizeof *h);
    if (h)
        *h = (struct hole){.inst = it->index,
                           .symbol = v->symbol,
                           .place = place,
                           .offset = (u8)v->number.magnitude,
                           .negated = v->negated};
}

/* ---- registers and predicates ---- */

static bool place_named(struct assembler *as, struct inst_text *it, u32 count, const struct value *v, u8 place) {
    const struct symbol *s = asm_symbol(as, v->symbol);
    u64 offset = v->number.magnitude;
    if (v->number.negative || v->address || offset >= s->regs)
        return asm_error(as, v->at, "'%.*s' names %u register%s: there is none at this distance", token_shown(&s->name),
                         s->name.text, s->regs, s->regs == 1 ? "" : "s");
    if (offset + count > s->regs || offset % count) {
        if (count <= s->regs)
            asm_error(as, v->at, "expected %s", register_wanted(count, false));
        else
            asm_error(as, v->at, "'%.*s' names %u register%s, %u are needed: '.reg %.*s:%u'", token_shown(&s->name),
                      s->name.text, s->regs, s->regs == 1 ? "" : "s", count, token_shown(&s->name), s->name.text,
                      count);
        return false;
    }
    operand_hole(as, it, v, place);
    return true;
}

static bool place_register(struct assembler *as, struct inst_text *it, u32 count, const struct value *v, u8 place) {
    if (v->symbol != NONE)
        return place_named(as, it, count, v, place);
    if (v->plus)
        return asm_error(as, v->at, "write the register itself; a number is added to a register in addresses only");
    if (v->index == RZ)
        return true; /* the field's blank value */
    if (v->index % count)
        return asm_error(as, v->at, "expected %s", register_wanted(count, false));
    if (v->index + count > REG_COUNT) {
        return asm_error(as, v->at, "there are no %u registers from r%u: the last is r254", count, v->index);
    }
    registers_use(&asm_unit(as, as->unit)->numbered, v->index, count);
    set_reg(&it->inst, place, v->index);
    return true;
}

bool operand_predicate(struct assembler *as, struct inst_text *it, const struct value *v, u8 place) {
    if (v->symbol != NONE) {
        operand_hole(as, it, v, place);
        return true;
    }
    struct used *used = &asm_unit(as, as->unit)->numbered;
    if (v->index != PT)
        used->pred = (u16)(used->pred | 1u << v->index);
    set_pred(&it->inst, place, v->index | (v->negated ? (u32)PRED_NEG : 0));
    return true;
}

static bool is_destination(const struct operand *o) {
    return o->place == PLACE_D;
}

static bool parse_predicate(struct assembler *as, struct inst_text *it, const struct operand *o) {
    struct value v;
    if (!(is_destination(o) ? expr_destination(as, &v) : expr_value(as, &v)))
        return false;
    if (v.kind != V_PRED)
        return wrong_kind(as, it, o, &v);
    if (is_destination(o) && v.negated)
        return asm_error(as, v.at, "a predicate that is written cannot be negated");
    return operand_predicate(as, it, &v, o->place);
}

/* ---- numbers ---- */

static bool place_immediate(struct assembler *as, struct inst_text *it, const struct operand *o,
                            const struct value *v) {
    u64 bits = 0;
    if (!literal_bits(as, v, (enum literal)o->literal, o->kind == K_REG2, &bits))
        return false;
    it->inst.isel = o->place;
    it->inst.imm = (u32)bits;
    return true;
}

static bool parse_register(struct assembler *as, struct inst_text *it, const struct operand *o) {
    struct value v;
    u32 count = operand_regs(&it->inst, o);
    if (!(is_destination(o) ? expr_destination(as, &v) : expr_value(as, &v)))
        return false;
    if (v.kind == V_REG) {
        /* rz in a field that may be left out means that it is left out */
        if (v.index == RZ && v.symbol == NONE && (o->kind == K_MASK_OPT || o->kind == K_REG_IMM_OPT))
            return asm_error(as, v.at,
                             "rz is not allowed here: leave the operand out, or give a register that holds it");
        return place_register(as, it, count, &v, o->place);
    }
    bool number = v.kind == V_NUMBER || v.kind == V_FLOAT;
    if (number && takes_number(it, o) && it->inst.isel == 0)
        return place_immediate(as, it, o, &v);
    return wrong_kind(as, it, o, &v);
}

/*
 * Turns the instruction into the one that takes a register as operand `o`, where this one takes numbers; a number that
 * was read before becomes its immediate. False: no such instruction exists, or it would have two immediates.
 */
static bool take_registers(struct inst_text *it, const struct operand *o) {
    const struct isa_row *row = it->row;
    struct inst i = it->inst;
    if (!isa_in_register(&i.op))
        return false;
    for (const struct operand *before = row->operand; before < o; before++) {
        if (before->kind != K_NUM)
            continue;
        if (i.isel)
            return false;
        i.isel = before->place;
        i.imm = inst_field(&i, (enum operand_place)before->place);
        set_reg(&i, before->place, RZ);
    }
    it->inst = i;
    it->row = &isa_rows[i.op];
    return true;
}

static bool parse_number(struct assembler *as, struct inst_text *it, const struct operand *o) {
    struct value v;
    u32 most = o->kind == K_PHASE ? TRANSIT_SLOTS - 1 : o->kind == K_BARRIER ? BARRIER_COUNT - 1 : 255;
    if (!expr_value(as, &v))
        return false;
    if (o->kind == K_IMM && it->row->wide && (v.kind == V_NUMBER || v.kind == V_FLOAT))
        return literal_wide(as, &v, &it->inst.imm);
    if (v.kind == V_REG && o->kind == K_NUM && take_registers(it, o))
        return place_register(as, it, 1, &v, o->place);
    if (v.kind != V_NUMBER)
        return wrong_kind(as, it, o, &v);
    if (!number_within(v.number, 0, most))
        return asm_error(as, v.at, "expected %s", operand_wanted(it, o));
    if (o->kind == K_IMM)
        it->inst.imm = v.number.magnitude;
    else
        set_reg(&it->inst, o->place, (u32)v.number.magnitude);
    return true;
}

/* ---- the rest ---- */

/* Keeps that the access names a variable of the space that it accesses. */
static void note_named(struct assembler *as, const struct inst_text *it, u32 data) {
    if (data == 0 || data == DATA_MIXED)
        return;
    const struct symbol *s = asm_symbol(as, data - 1);
    u32 space = inst_mod(&it->inst, GROUP_SPACE);
    if (s->kind == SYM_GLOBAL && space != SPACE_CONST)
        asm_error(as, token_span(&it->name),
                  "'%.*s' stands for where its address is: ld.const.b64 r2, [%.*s] loads that", token_shown(&s->name),
                  s->name.text, token_shown(&s->name), s->name.text);
    bool own = (s->kind == SYM_SHARED && space == SPACE_SHARED) || (s->kind == SYM_LOCAL && space == SPACE_LOCAL);
    struct named_access *n = own ? list_push(as, &as->named, sizeof *n) : NULL;
    if (n)
        *n = (struct named_access){.inst = it->index, .symbol = data - 1};
}

static bool parse_memory(struct assembler *as, struct inst_text *it, const struct operand *o) {
    struct value v;
    struct token open = as->tok;
    if (open.kind != '[')
        return asm_unexpected(as, operand_wanted(it, o));
    asm_next(as);
    if (!expr_value(as, &v))
        return false;
    if (as->tok.kind != ']')
        return asm_unexpected(as, "']'");
    asm_next(as);
    if (v.kind != V_REG && v.kind != V_NUMBER)
        return asm_error(as, v.at, "an address is a register, an offset, or both");
    if (!number_within(v.number, INT32_MIN, INT32_MAX)) {
        return asm_error(as, v.at, "an offset is -2147483648 to 2147483647");
    }
    it->inst.imm = (u32)number_bits(v.number);
    note_named(as, it, v.data);
    if (v.kind == V_NUMBER)
        return true;
    v.number = (struct number){0};
    v.plus = v.address = false;
    u32 count = operand_regs(&it->inst, o);
    const struct symbol *s = v.symbol != NONE ? asm_symbol(as, v.symbol) : NULL;
    if (count == 2 && ((s && s->regs < 2) || (!s && v.index != RZ && v.index % 2)))
        return asm_error(as, v.at, "%s addresses have 64 bits: expected a register pair, as r2",
                         inst_mod(&it->inst, GROUP_SPACE) == SPACE_GLOBAL ? "global" : "generic");
    return place_register(as, it, count, &v, o->place);
}

static bool parse_code_address(struct assembler *as, struct inst_text *it, const struct operand *o) {
    struct token name = as->tok;
    if (!asm_expect(as, T_NAME, operand_wanted(it, o)))
        return false;
    u32 found = o->kind == K_LABEL ? names_label(as, &name) : names_function(as, &name);
    if (found == NONE)
        return false;
    it->inst.imm = o->kind == K_LABEL ? AT(struct label, as->labels, found)->target : asm_unit(as, found)->start;
    return true;
}

/* An escape that is no character of the text, as "\\n" is in C; NULL: there is none. */
static const char *odd_escape(const struct token *t) {
    const char *end = t->text + t->len;
    for (const char *at = t->text; (at = memchr(at, '\\', (size_t)(end - at))) != NULL; at += 2)
        if (!strchr("x\\\"", at[1]))
            return at;
    return NULL;
}

/* Reads the conversions of a print's text, which give the registers of its values. */
static bool parse_conversions(struct assembler *as, struct inst_text *it, const struct token *t, const char *text) {
    struct conversions c;
    struct span at = token_span(t);
    const char *escape = odd_escape(t), *why = conversions_read(text, &c);
    if (escape) {
        at = (struct span){.line = t->line, .col = t->col + (u32)(escape - t->text), .len = 2};
        return asm_error(as, at, "each lane prints a line, without control characters: leave '%.2s' out", escape);
    }
    if (why && !memchr(t->text, '\\', t->len)) { /* else the text is not what is written */
        at.col += 1 + c.at;
        at.len = c.len;
    }
    it->inst.d = conversions_words(&c);
    return !why || asm_error(as, at, "%s", why);
}

/* Keeps a message; its number, from 1 on, is the immediate. */
static bool parse_text(struct assembler *as, struct inst_text *it, const struct operand *o) {
    struct token t = as->tok;
    if (!asm_expect(as, T_STRING, operand_wanted(it, o)))
        return false;
    const char *text = include_text(as, &t);
    if (text && !message_allows(text))
        return asm_error(as, token_span(&t), MESSAGE_BAD);
    if (text && o->kind == K_TEXT && !parse_conversions(as, it, &t, text))
        return false;
    const char **kept = text ? list_push(as, &as->messages, sizeof *kept) : NULL;
    if (kept)
        *kept = text;
    it->inst.imm = as->messages.count;
    return kept != NULL;
}

bool operand_parse(struct assembler *as, struct inst_text *it, const struct operand *o) {
    struct value v;
    switch ((enum operand_kind)o->kind) {
    case K_NONE:
    case K_WORDS: return true;
    case K_PRED:
    case K_PRED_OPT: return parse_predicate(as, it, o);
    case K_NUM:
    case K_IMM:
    case K_PHASE:
    case K_BARRIER: return parse_number(as, it, o);
    case K_MEM: return parse_memory(as, it, o);
    case K_LABEL:
    case K_FUNCTION: return parse_code_address(as, it, o);
    case K_TEXT_OPT:
    case K_TEXT: return parse_text(as, it, o);
    case K_TRANSIT:
    case K_SREG:
        if (!expr_value(as, &v))
            return false;
        if (v.kind != (o->kind == K_SREG ? V_SREG : V_TRANSIT))
            return wrong_kind(as, it, o, &v);
        set_reg(&it->inst, o->place, v.index);
        return true;
    case K_REG:
    case K_REG2:
    case K_REG4:
    case K_REGM:
    case K_REGT:
    case K_REG_IMM:
    case K_REG_IMM_OPT:
    case K_MASK_OPT: return parse_register(as, it, o);
    }
    return false;
}
