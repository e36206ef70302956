/* One instruction as text. */
#include "isa/print.h"

#include <string.h>

#include "sim/base/ascii.h"

static void print_predicate(u8 p, struct buf *out) {
    buf_puts(out, p & PRED_NEG ? "!" : "");
    if ((p & ~PRED_NEG) == PT)
        buf_puts(out, "pt");
    else
        buf_printf(out, "p%u", p & ~PRED_NEG);
}

static void print_register(u8 reg, struct buf *out) {
    if (reg == RZ)
        buf_puts(out, "rz");
    else
        buf_printf(out, "r%u", reg);
}

/* The parameter that starts at this offset, or NULL. */
static const char *param_at(const struct kernel *k, u32 offset) {
    for (u32 n = 0; k != NULL && n < k->nparams; n++)
        if (k->param[n].offset == offset)
            return k->param[n].name;
    return NULL;
}

static void print_address(const struct inst *i, const struct print_names *names, struct buf *out) {
    s64 offset = (s32)(u32)i->imm;
    buf_putc(out, '[');
    if (names->base != NULL) {
        buf_puts(out, names->base->name);
        if (i->a != RZ) {
            buf_putc(out, '+');
            print_register(i->a, out);
        }
        if (offset != names->base->offset)
            buf_printf(out, "%+lld", (long long)offset - names->base->offset);
    } else if (i->a != RZ) {
        print_register(i->a, out);
        if (offset != 0)
            buf_printf(out, "%+lld", (long long)offset);
    } else {
        const char *name = inst_mod(i, GROUP_SPACE) == SPACE_PARAM ? param_at(names->kernel, (u32)offset) : NULL;
        if (name != NULL)
            buf_puts(out, name);
        else
            buf_printf(out, "%lld", (long long)offset);
    }
    buf_putc(out, ']');
}

static void print_code_address(const struct inst *i, bool function, const struct print_names *names, struct buf *out) {
    const struct kernel *f = function && names->program != NULL ? program_at(names->program, inst_target(i)) : NULL;
    if (f != NULL && f->start == inst_target(i))
        buf_puts(out, f->name);
    else
        buf_printf(out, "%s%u", function || names->label == NULL ? "" : names->label, inst_target(i));
}

void text_print(const char *text, struct buf *out) {
    buf_putc(out, '"');
    for (const char *c = text; *c != '\0'; c++)
        if (*c == '"' || *c == '\\' || (u8)*c < ' ')
            buf_printf(out, "\\x%02x", (u8)*c);
        else
            buf_putc(out, *c);
    buf_putc(out, '"');
}

/* True if the operand is optional and omitted. */
static bool left_out(const struct inst *i, const struct operand *o) {
    switch ((enum operand_kind)o->kind) {
    case K_NONE:
    case K_WORDS: return true;
    case K_TEXT_OPT: return i->imm == 0;
    case K_REGT: return operand_regs(i, o) == 0;
    case K_PRED_OPT: return inst_pred_field(i, (enum operand_place)o->place) == PT;
    case K_MASK_OPT:
    case K_REG_IMM_OPT: return !operand_is_immediate(i, o) && inst_field(i, (enum operand_place)o->place) == RZ;
    case K_REG:
    case K_REG2:
    case K_REG4:
    case K_REGM:
    case K_REG_IMM:
    case K_PRED:
    case K_NUM:
    case K_IMM:
    case K_MEM:
    case K_TRANSIT:
    case K_PHASE:
    case K_BARRIER:
    case K_SREG:
    case K_LABEL:
    case K_FUNCTION:
    case K_TEXT: break;
    }
    return false;
}

static void print_operand(const struct inst *i, const struct operand *o, const struct print_names *names,
                          struct buf *out) {
    u8 field = inst_field(i, (enum operand_place)o->place);
    if (operand_is_immediate(i, o)) {
        literal_print(i->imm, (enum literal)o->literal, o->kind == K_REG2, out);
        return;
    }
    switch ((enum operand_kind)o->kind) {
    case K_NONE:
    case K_WORDS: break;
    case K_REG:
    case K_REG2:
    case K_REG4:
    case K_REGM:
    case K_REGT:
    case K_REG_IMM:
    case K_REG_IMM_OPT:
    case K_MASK_OPT: print_register(field, out); break;
    case K_PRED:
    case K_PRED_OPT: print_predicate(inst_pred_field(i, (enum operand_place)o->place), out); break;
    case K_NUM:
    case K_PHASE:
    case K_BARRIER: buf_printf(out, "%u", field); break;
    case K_IMM:
        if (isa_rows[i->op].wide)
            literal_print_wide(i->imm, out);
        else
            buf_printf(out, i->imm > 32 ? "0x%02x" : "%u", (u32)i->imm); /* a truth table, or a number of bits */
        break;
    case K_MEM: print_address(i, names, out); break;
    case K_TRANSIT: buf_printf(out, "x%u", field); break;
    case K_SREG: buf_puts(out, field < SREG_COUNT ? isa_sregs[field].name : "%?"); break;
    case K_LABEL: print_code_address(i, false, names, out); break;
    case K_FUNCTION: print_code_address(i, true, names, out); break;
    case K_TEXT_OPT:
    case K_TEXT:
        if (names->program && i->imm <= names->program->nmessages)
            text_print(names->program->message[i->imm - 1], out);
        break;
    }
}

void operands_print(const struct inst *i, const struct print_names *names, struct buf *out) {
    const char *before = "";
    for (u32 n = 0; n < OPERANDS_MAX; n++) {
        const struct operand *o = &isa_rows[i->op].operand[n];
        if (!left_out(i, o)) {
            buf_puts(out, o->kind == K_PRED_OPT ? "|" : before);
            print_operand(i, o, names, out);
            before = ", ";
        }
    }
}

void mnemonic_print(const struct inst *i, struct buf *out) {
    const struct isa_row *row = &isa_rows[i->op];
    buf_puts(out, row->name);
    for (u32 g = 0; g < GROUP_COUNT; g++) {
        u32 value = inst_mod(i, (enum mod_group)g);
        if (row->groups >> g & 1 && (s32)value != isa_groups[g].def)
            buf_printf(out, ".%s", isa_mod_text((enum mod_group)g, value));
    }
}

void guard_print(const struct inst *i, struct buf *out) {
    if (i->guard != PT) {
        buf_putc(out, '@');
        print_predicate(i->guard, out);
    }
}

void inst_print(const struct program *p, const struct inst *i, struct buf *out) {
    const struct print_names names = {.program = p, .label = p != NULL ? "L" : NULL};
    guard_print(i, out);
    buf_puts(out, i->guard != PT ? " " : "");
    mnemonic_print(i, out);
    if (!left_out(i, &isa_rows[i->op].operand[0]))
        buf_putc(out, ' ');
    operands_print(i, &names, out);
}

/* ---- as in the source ---- */

void source_print(const struct program *p, u32 pc, struct buf *out) {
    if (p->texts)
        buf_puts(out, p->texts + p->text[pc]);
    else
        inst_print(p, &p->inst[pc], out);
}

u32 program_first(const struct program *p, u32 pc) {
    return p->texts ? p->first[pc] : pc;
}

static bool is_word(char c) {
    return is_alphanumeric(c) || c == '_' || c == '.' || c == '$';
}

/* Bytes of the word that begins here, or of the one other character. */
static size_t piece_len(const char *text) {
    size_t len = 0;
    while (is_word(text[len]))
        len++;
    return len ? len : *text != 0;
}

void source_print_rounds(const struct program *p, u32 first, u32 last, struct buf *out) {
    if (!p->texts) {
        source_print(p, first, out);
        return;
    }
    const char *a = p->texts + p->text[first], *b = p->texts + p->text[last];
    while (*a || *b) {
        size_t n = piece_len(a), m = piece_len(b);
        buf_append(out, a, n);
        if (n != m || memcmp(a, b, n) != 0) {
            buf_puts(out, n && m ? ".." : "");
            buf_append(out, b, m);
        }
        a += n;
        b += m;
    }
}

void register_print(const struct program *p, u32 pc, enum name_kind kind, u32 number, struct buf *out) {
    const struct kernel *here = program_at(p, pc);
    for (u32 i = 0; i < p->nnames; i++) {
        const struct program_name *n = &p->names[i];
        u32 offset = number - n->number;
        if (n->kind != kind || number < n->number || offset >= n->count || &p->kernel[n->kernel] != here)
            continue;
        buf_printf(out, offset ? "%s+%u" : "%s", n->text, offset);
        return;
    }
    buf_printf(out, "%c%u", kind == NAME_PREDICATE ? 'p' : 'r', number);
}
