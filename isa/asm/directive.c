/* Directives by name; those of data are in data.c. */
#include "isa/asm/asm.h"

#include <string.h>

static bool need_unit(struct assembler *as, const struct token *word) {
    if (as->unit != NONE)
        return true;
    return asm_error(as, token_span(word), "'%.*s' outside a kernel: '.kernel NAME' must come first", token_shown(word),
                     word->text);
}

/* Requires a kernel, for directives that functions do not have. */
static bool need_kernel(struct assembler *as, const struct token *word) {
    if (!need_unit(as, word))
        return false;
    if (!asm_unit(as, as->unit)->function)
        return true;
    return asm_error(as, token_span(word), "'%.*s' belongs to a kernel; this is a function", token_shown(word),
                     word->text);
}

/* Checks of a unit that has been read to its end. */
static void finish_unit(struct assembler *as, u32 unit) {
    struct body *u = asm_unit(as, unit);
    u->end = as->statements.count;
    if (u->end == u->start && as->diag->errors == u->errors)
        asm_error(as, token_span(&u->name), "'%.*s' has no instructions", token_shown(&u->name), u->name.text);
    for (u32 i = u->first_label; i < as->labels.count && u->end > u->start; i++) {
        const struct label *l = AT(struct label, as->labels, i);
        if (l->target == u->end)
            asm_error(as, token_span(&l->name), "label '%.*s' is not followed by an instruction", token_shown(&l->name),
                      l->name.text);
    }
    param_extents(as, unit);
}

void asm_finish_unit(struct assembler *as) {
    if (as->unit != NONE && !as->nomem)
        finish_unit(as, as->unit);
    as->unit = NONE;
}

static bool start_unit(struct assembler *as, const struct token *word, bool function) {
    struct token name = as->tok;
    if (!asm_expect(as, T_NAME, function ? "the function's name" : "the kernel's name"))
        return false;
    asm_finish_unit(as);
    names_check_length(as, &name);
    u32 old = names_find(as, NAMES_UNITS, NONE, &name);
    if (old != NONE)
        asm_error(as, token_span(&name), "there is already a %s '%.*s', on %s",
                  asm_unit(as, old)->function ? "function" : "kernel", token_shown(&name), name.text,
                  asm_line_name(as, asm_unit(as, old)->name.line).text);
    u32 index = as->units.count;
    struct body *u = list_push(as, &as->units, sizeof *u);
    if (!u)
        return false;
    *u = (struct body){.name = name,
                       .function = function,
                       .line = as->has_file ? as->loc : asm_line(as, word->line),
                       .errors = as->diag->errors,
                       .start = as->statements.count,
                       .first_param = as->params.count,
                       .first_symbol = as->symbols.count,
                       .first_label = as->labels.count,
                       .first_call = as->calls.count};
    as->unit = index;
    if (old == NONE)
        names_add(as, NAMES_UNITS, NONE, &name, index);
    return asm_end_of_line(as);
}

static bool directive_kernel(struct assembler *as, const struct token *word) {
    return start_unit(as, word, false);
}

static bool directive_func(struct assembler *as, const struct token *word) {
    return start_unit(as, word, true);
}

static bool declare_reg(struct assembler *as) {
    struct token name = as->tok;
    if (!asm_expect(as, T_NAME, "a name for a register"))
        return false;
    u64 regs = 1;
    if (asm_accept(as, ':')) {
        struct value v;
        if (!expr_number(as, &v))
            return false;
        regs = v.number.magnitude;
        if (v.number.negative || regs == 0 || regs >= REG_COUNT || (regs > 2 && regs % 4))
            return asm_error(as, v.at, "a name stands for 1 or 2 registers, or a multiple of 4 up to 252");
    }
    u32 s = symbol_add(as, as->unit, &name, SYM_REG);
    if (s != NONE)
        asm_symbol(as, s)->regs = (u8)regs;
    return true;
}

static bool directive_reg(struct assembler *as, const struct token *word) {
    if (!need_unit(as, word))
        return false;
    do {
        if (!declare_reg(as))
            return false;
    } while (asm_accept(as, ','));
    return asm_end_of_line(as);
}

static bool directive_pred(struct assembler *as, const struct token *word) {
    if (!need_unit(as, word))
        return false;
    do {
        struct token name = as->tok;
        if (!asm_expect(as, T_NAME, "a name for a predicate"))
            return false;
        symbol_add(as, as->unit, &name, SYM_PRED);
    } while (asm_accept(as, ','));
    return asm_end_of_line(as);
}

static bool directive_equ(struct assembler *as, const struct token *word) {
    (void)word;
    struct token name = as->tok;
    struct value v = {0};
    if (!asm_expect(as, T_NAME, "a name for a number") || !asm_expect(as, ',', "',' and a number"))
        return false;
    bool ok = expr_value(as, &v);
    if (ok && ((v.kind != V_NUMBER && v.kind != V_FLOAT) || v.address)) {
        asm_error(as, v.at, "'.equ' names a number; this is %s",
                  v.address ? "an address of data, not known yet" : "none");
        ok = false;
    }
    if (!ok)
        v = (struct value){.kind = V_NUMBER, .symbol = NONE}; /* a dummy value avoids follow-up errors */
    u32 s = symbol_add(as, as->unit, &name, SYM_EQU);
    if (s != NONE) {
        asm_symbol(as, s)->value = arena_alloc(&as->program->arena, sizeof v);
        as->nomem |= asm_symbol(as, s)->value == NULL;
        if (asm_symbol(as, s)->value)
            *asm_symbol(as, s)->value = v;
    }
    return ok && s != NONE && asm_end_of_line(as);
}

static bool directive_warp(struct assembler *as, const struct token *word) {
    if (!need_kernel(as, word))
        return false;
    do {
        struct value v;
        if (!expr_number(as, &v))
            return false;
        u32 bit = 0;
        while (bit < 4 && (v.number.negative || v.number.magnitude != 8u << bit))
            bit++;
        u8 *warps = &asm_unit(as, as->unit)->warps;
        if (bit == 4)
            return asm_error(as, v.at, "a warp has 8, 16, 32 or 64 lanes");
        *warps = (u8)(*warps | 1u << bit);
    } while (asm_accept(as, ','));
    return asm_end_of_line(as);
}

static bool size_in_numbers(struct assembler *as, u64 most, u32 *size) {
    u64 n;
    if (!expr_in_range(as, 0, most, "the size", &n))
        return false;
    *size = (u32)n > *size ? (u32)n : *size;
    return asm_end_of_line(as);
}

static bool directive_regs(struct assembler *as, const struct token *word) {
    return need_unit(as, word) && size_in_numbers(as, REG_COUNT, &asm_unit(as, as->unit)->regs_min);
}

static bool directive_sharedbytes(struct assembler *as, const struct token *word) {
    return need_unit(as, word) && size_in_numbers(as, SHARED_MAX, &asm_unit(as, as->unit)->shared_min);
}

static bool directive_localbytes(struct assembler *as, const struct token *word) {
    return need_unit(as, word) && size_in_numbers(as, LOCAL_MAX, &asm_unit(as, as->unit)->local_min);
}

static bool directive_loc(struct assembler *as, const struct token *word) {
    u64 line = 0;
    if (!expr_in_range(as, 0, UINT32_MAX, "the line", &line) || !asm_end_of_line(as))
        return false;
    as->loc = (u32)line;
    if (as->has_file)
        return true;
    return asm_error(as, token_span(word), "'.loc' needs a '.file' before it");
}

static bool need_shared(struct assembler *as, const struct token *word) {
    return need_unit(as, word) && directive_data(as, SYM_SHARED);
}

static bool need_local(struct assembler *as, const struct token *word) {
    return need_unit(as, word) && directive_data(as, SYM_LOCAL);
}

static bool need_param(struct assembler *as, const struct token *word) {
    return need_kernel(as, word) && directive_param(as);
}

static const struct {
    const char *name;
    bool (*run)(struct assembler *as, const struct token *word);
} directives[] = {
    {".kernel", directive_kernel},
    {".func", directive_func},
    {".param", need_param},
    {".shared", need_shared},
    {".local", need_local},
    {".const", directive_const},
    {".global", directive_global},
    {".reg", directive_reg},
    {".pred", directive_pred},
    {".equ", directive_equ},
    {".warp", directive_warp},
    {".regs", directive_regs},
    {".sharedbytes", directive_sharedbytes},
    {".localbytes", directive_localbytes},
    {".file", directive_file},
    {".loc", directive_loc},
    {".include", directive_include},
    {".macro", directive_macro},
    {".endmacro", directive_endmacro},
    {".repeat", directive_repeat},
    {".endrepeat", directive_endrepeat},
    {".if", directive_if},
    {".else", directive_else},
    {".endif", directive_endif},
};

static const char *directive_name(const void *ctx, size_t i) {
    (void)ctx;
    return directives[i].name;
}

bool directive(struct assembler *as) {
    struct token word = as->tok;
    for (size_t i = 0; i < COUNT_OF(directives); i++) {
        if (token_is(&word, directives[i].name)) {
            asm_next(as);
            return directives[i].run(as, &word);
        }
    }
    char copy[32] = "";
    memcpy(copy, word.text, word.len < sizeof copy ? word.len : 0);
    const char *near = asm_suggests(as) ? nearest_name(copy, COUNT_OF(directives), directive_name, NULL) : NULL;
    return asm_error(as, token_span(&word), "unknown directive '%.*s'%s%s%s", token_shown(&word), word.text,
                     near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
}
