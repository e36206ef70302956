/* Directives of what a launch finds by name: constants that have a size, and variables in global memory. */
#include "isa/asm/asm.h"

enum { ADDRESS_BYTES = 8 };

static bool full(struct assembler *as, const struct token *word) {
    return asm_error(as, token_span(word), "more than %s bytes of constants in one file", grouped(CONST_MAX).text);
}

/* "at 64": a place in the constants above; as the disassembler writes it. */
static bool parse_at(struct assembler *as, u64 bytes, bool *given, struct variable *v) {
    u64 offset = 0, have = as->consts.len;
    *given = as->tok.kind == T_NAME && token_is(&as->tok, "at");
    if (!*given)
        return true;
    asm_next(as);
    struct token at = as->tok;
    if (!expr_in_range(as, 0, CONST_MAX, "the offset", &offset))
        return false;
    v->offset = (u32)offset;
    return offset + bytes <= have ||
           asm_error(as, token_span(&at), "the constants above have %s bytes", grouped(have).text);
}

/* Appends zeros up to `len` bytes. */
static void fill(struct assembler *as, struct buf *to, size_t len) {
    while (to->len < len && !to->failed)
        buf_putc(to, 0);
    as->nomem |= to->failed;
}

static bool keep(struct assembler *as, const struct token *name, const struct module_variable *m) {
    enum symbol_kind kind = m->is.space == SPACE_GLOBAL ? SYM_GLOBAL : SYM_CONST;
    u32 s = symbol_add(as, NONE, name, kind);
    struct module_variable *kept = s == NONE ? NULL : list_push(as, &as->module, sizeof *kept);
    if (!kept)
        return false;
    *kept = *m;
    kept->is.name = arena_strndup(&as->program->arena, name->text, name->len);
    as->nomem |= !kept->is.name;
    asm_symbol(as, s)->offset = m->is.offset;
    return true;
}

bool module_constant(struct assembler *as, const struct token *word, const struct token *name, enum etype type) {
    struct module_variable m = {.is = {.space = SPACE_CONST, .etype = (u8)type}};
    bool placed;
    if (!data_dims(as, CONST_MAX / etypes[type].bytes, &m.is) || !parse_at(as, variable_bytes(&m.is), &placed, &m.is))
        return false;
    if (!placed) {
        fill(as, &as->consts, (as->consts.len + DATA_ALIGN - 1) / DATA_ALIGN * DATA_ALIGN);
        const u64 end = as->consts.len + variable_bytes(&m.is);
        m.is.offset = (u32)as->consts.len;
        if (end > CONST_MAX)
            return full(as, word);
        if (asm_accept(as, '=') && !data_values(as, type, &as->consts, end))
            return false;
        fill(as, &as->consts, end);
    }
    return keep(as, name, &m) && asm_end_of_line(as);
}

bool directive_global(struct assembler *as, const struct token *word) {
    struct module_variable m = {.is = {.space = SPACE_GLOBAL}, .data = (u32)as->data.len};
    struct token name;
    enum etype type;
    bool placed;
    if (!data_typed_name(as, &name, &type))
        return false;
    m.is.etype = (u8)type;
    if (!data_dims(as, UINT32_MAX / etypes[type].bytes, &m.is) || !parse_at(as, ADDRESS_BYTES, &placed, &m.is))
        return false;
    if (!placed) {
        fill(as, &as->consts, (as->consts.len + ADDRESS_BYTES - 1) / ADDRESS_BYTES * ADDRESS_BYTES);
        m.is.offset = (u32)as->consts.len;
        if (m.is.offset > CONST_MAX - ADDRESS_BYTES)
            return full(as, word);
        fill(as, &as->consts, m.is.offset + ADDRESS_BYTES);
    }
    const u64 end = as->data.len + variable_bytes(&m.is);
    if (asm_accept(as, '=') && !data_values(as, type, &as->data, end < DATA_MAX ? end : DATA_MAX))
        return false;
    m.data_bytes = (u32)(as->data.len - m.data);
    return keep(as, &name, &m) && asm_end_of_line(as);
}
