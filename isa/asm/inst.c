/* Second reading: instructions. */
#include "isa/asm/asm.h"

#include "isa/check.h"

/* "@p0", "@!p0" */
static bool parse_guard(struct assembler *as, struct inst_text *it) {
    struct value v;
    if (!asm_accept(as, '@'))
        return true;
    if (as->tok.kind != '!' && as->tok.kind != T_NAME)
        return asm_unexpected(as, "a predicate");
    if (!expr_destination(as, &v))
        return false;
    if (v.kind != V_PRED)
        return asm_error(as, v.at, "a guard is a predicate, as @p0 or @!p0");
    it->guarded = v.symbol != NONE || v.index != PT || v.negated;
    return operand_predicate(as, it, &v, HOLE_GUARD);
}

static bool may_be_left_out(const struct operand *o) {
    return o->kind == K_PRED_OPT || o->kind == K_MASK_OPT || o->kind == K_REG_IMM_OPT || o->kind == K_TEXT_OPT;
}

/* True if the instruction has no such operand: none of its row, or no value of its text. */
static bool is_absent(const struct inst_text *it, const struct operand *o) {
    return o->kind == K_NONE || o->kind == K_WORDS || (o->kind == K_REGT && operand_regs(&it->inst, o) == 0);
}

/* The number of operands that messages name. */
static u32 operand_count(const struct inst_text *it, bool optional_too) {
    u32 n = 0;
    for (const struct operand *o = it->row->operand; o < it->row->operand + OPERANDS_MAX; o++)
        n += !is_absent(it, o) && o->kind != K_PRED_OPT && (optional_too || !may_be_left_out(o));
    return n;
}

static bool wrong_count(struct assembler *as, const struct inst_text *it, const char *what) {
    u32 least = operand_count(it, false), most = operand_count(it, true);
    struct span at = token_span(&as->tok);
    if (most == 0)
        asm_error(as, at, "'%s' takes no operands", it->row->name);
    else if (least == most)
        asm_error(as, at, "'%s' takes %u operand%s%s%s", it->row->name, most, most == 1 ? "" : "s",
                  what ? ": expected " : "", what ? what : "");
    else
        asm_error(as, at, "'%s' takes %u to %u operands%s%s", it->row->name, least, most, what ? ": expected " : "",
                  what ? what : "");
    return false;
}

static bool parse_operands(struct assembler *as, struct inst_text *it) {
    bool first = true;
    for (u32 i = 0; i < OPERANDS_MAX; i++) {
        const struct operand *o = &it->row->operand[i];
        if (is_absent(it, o))
            continue;
        if (may_be_left_out(o) && as->tok.kind != (o->kind == K_PRED_OPT ? (u32)'|' : (u32)',') &&
            !(first && as->tok.kind != T_EOL))
            continue;
        if (as->tok.kind == T_EOL)
            return wrong_count(as, it, operand_wanted(it, o));
        if (o->kind == K_PRED_OPT)
            asm_next(as);
        else if (!first && !asm_expect(as, ',', "','"))
            return false;
        if (!first && as->tok.kind == T_EOL)
            return wrong_count(as, it, operand_wanted(it, o));
        if (!operand_parse(as, it, o))
            return false;
        first = false;
    }
    return as->tok.kind == T_EOL || (as->tok.kind == ',' || first ? wrong_count(as, it, NULL) : asm_end_of_line(as));
}

/* Rules that are not in the table. */
static bool check_space(struct assembler *as, const struct inst_text *it, const struct mnemonic *m) {
    u32 space = inst_mod(&it->inst, GROUP_SPACE);
    if (it->row->kind != ROW_ATOM || space == SPACE_GENERIC || space == SPACE_GLOBAL || space == SPACE_SHARED)
        return true;
    struct token word = mnemonic_word(&it->name, m->word[GROUP_SPACE]);
    return asm_error(as, token_span(&word), "atomics work on global, shared and generic memory, not on '%.*s'",
                     token_shown(&word), word.text);
}

static bool parse_instruction(struct assembler *as, struct inst_text *it) {
    struct mnemonic m;
    bool guarded = as->tok.kind == '@';
    if (!parse_guard(as, it))
        return false;
    it->name = as->tok;
    if (!asm_expect(as, T_NAME, "an instruction") || !mnemonic_match(as, &it->name, guarded, &m))
        return false;
    u8 guard = it->inst.guard;
    it->row = &isa_rows[m.op];
    it->inst = inst_blank((enum op)m.op);
    it->inst.guard = guard;
    it->inst.mods = m.mods;
    return check_space(as, it, &m) && parse_operands(as, it);
}

/* Control must not run past the last instruction of a unit. */
static void check_end(struct assembler *as, const struct inst_text *it, bool ok) {
    const struct body *u = asm_unit(as, as->unit);
    if (!ok || it->index + 1 != u->end || (inst_ends_flow(&it->inst) && !it->guarded))
        return;
    asm_error(as, token_span(&it->name),
              "'%.*s' can run past its end: its last instruction must be exit, ret, "
              "trap or bra, without a guard",
              token_shown(&u->name), u->name.text);
}

void asm_emit(struct assembler *as) {
    struct program *p = as->program;
    for (u32 i = 0; i < as->statements.count && !as->nomem && !as->macros.over; i++) {
        const struct statement *s = AT(struct statement, as->statements, i);
        struct inst_text it = {.inst = inst_blank(OP_NOP), .index = i, .row = &isa_rows[OP_NOP]};
        as->unit = s->unit;
        as->depth = 0;
        asm_seek(as, s->at);
        bool ok = parse_instruction(as, &it);
        check_end(as, &it, ok);
        p->inst[i] = it.inst;
        p->line[i] = s->line;
        text_keep(as, i);
    }
    as->unit = NONE;
}
