/*
 * Parameters whose address is used where their value is meant: as an operand, the name of a parameter is the number of
 * its first byte. Kernels that compute with such addresses, and load through a register, are left alone.
 */
#include "isa/lint/lint.h"

#include <string.h>

#include "sim/base/ascii.h"

static bool loads(const struct inst *i) {
    return i->op == OP_LD && inst_mod(i, GROUP_SPACE) == SPACE_PARAM;
}

/* True if the kernel, or a function, loads from the parameters at an address in a register. */
static bool computes_addresses(const struct lint *l) {
    bool any = false;
    for (u32 n = 0; n < l->p->nkernels; n++) {
        const struct kernel *k = &l->p->kernel[n];
        for (u32 pc = k->start; pc < k->end && (k == l->k || k->function); pc++)
            any |= l->p->inst[pc].op == OP_CVTA_PARAM || (loads(&l->p->inst[pc]) && l->p->inst[pc].a != RZ);
    }
    return any;
}

static bool of_name(char c) {
    return is_alphanumeric(c) || (c != '\0' && strchr("_$.%\\", c));
}

/* The operands in the text of an instruction; its end: they are labels or a text, or a macro's use or body. */
static const char *operands_of(const struct inst *i, const char *text, const char *end) {
    const char *name = isa_rows[i->op].name, *at = text;
    if (i->op == OP_BRA || i->op == OP_CALL || i->op == OP_TRAP || i->op == OP_PRINT ||
        memchr(text, '\\', (size_t)(end - text)))
        return end;
    if (*at == '@') {
        while (at < end && *at != ' ')
            at++;
        while (at < end && *at == ' ')
            at++;
    }
    size_t n = strcspn(name, ".");
    return (size_t)(end - at) > n && memcmp(at, name, n) == 0 && !of_name(at[n] == '.' ? ' ' : at[n]) ? at + n : end;
}

/* True if the name is one of those in the text. */
static bool has_name(const char *text, const char *end, const char *name) {
    size_t n = strlen(name);
    for (const char *at = text; at + n <= end; at++)
        if (memcmp(at, name, n) == 0 && !of_name(at[-1]) && (at + n == end || !of_name(at[n])))
            return true;
    return false;
}

void lint_parameters(struct lint *l) {
    const char *text;
    if (l->k->function || !l->k->nparams || computes_addresses(l))
        return;
    for (u32 pc = l->k->start; pc < l->k->end; pc++) {
        const struct inst *i = &l->p->inst[pc];
        struct span at = lint_span(l, pc, &text);
        for (u32 k = 0; k < l->k->nparams && text && !loads(i); k++) {
            const struct param *p = &l->k->param[k];
            if (has_name(operands_of(i, text, text + at.len), text + at.len, p->name))
                lint_warn(l, LINT_PARAMETER, pc,
                          "'%.60s' is the address of a parameter here, the number %u; ld.param.b%u loads its value",
                          p->name, p->offset, p->buffer ? 64 : etypes[p->etype].bytes * 8);
        }
    }
}
