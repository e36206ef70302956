/* A whole program as text that assembles to the same object. */
#include "isa/program.h"

#include <stdio.h>

#include "isa/print.h"

enum { GUARD_COLUMNS = 8, NAME_COLUMNS = 14, CONSTS_PER_LINE = 8 };

static void pad(struct buf *out, size_t start, size_t columns) {
    while (!out->failed && out->len < start + columns)
        buf_putc(out, ' ');
}

static void print_name(const char *name, struct buf *out) {
    buf_puts(out, ".file ");
    text_print(name, out);
}

static void print_files(const struct program *p, struct buf *out) {
    print_name(p->file, out);
    for (u32 i = 0; i < p->nincluded; i++) {
        buf_puts(out, "\n");
        print_name(p->included[i].file, out);
        buf_printf(out, ", %u", p->included[i].first);
    }
    buf_puts(out, "\n");
}

/* A name that no module variable has. */
static void print_consts_name(const struct program *p, u32 size, struct buf *out) {
    char name[24] = "c0";
    for (u32 n = 1; program_module(p, name); n++)
        snprintf(name, sizeof name, "c%u", n);
    buf_printf(out, "\n.const %s : u%u = ", name, 8 * size);
}

/* Names of constants are not kept; addresses in the code are numbers. */
static void print_consts(const struct program *p, struct buf *out) {
    u32 size = p->const_bytes % 4 == 0 ? 4 : 1;
    for (u32 at = 0; at < p->const_bytes; at += size) {
        const u8 *b = p->consts + at;
        u32 value = size == 4 ? b[0] | (u32)b[1] << 8 | (u32)b[2] << 16 | (u32)b[3] << 24 : b[0];
        if (at == 0)
            print_consts_name(p, size, out);
        else
            buf_puts(out, at / size % CONSTS_PER_LINE == 0 ? ",\n        " : ", ");
        buf_printf(out, value < 10 ? "%u" : "0x%x", value);
    }
    buf_puts(out, p->const_bytes > 0 ? "\n" : "");
}

static void print_declaration(const struct variable *v, struct buf *out) {
    buf_printf(out, ".%s %s : %s", isa_mod_text(GROUP_SPACE, v->space), v->name, etypes[v->etype].name);
    for (u32 d = 0; d < v->ndim && !v->dynamic; d++)
        buf_printf(out, "%s%u", d ? "," : "[", v->dim[d]);
    buf_puts(out, v->dynamic ? "[" : "");
    buf_printf(out, "%s at %u", v->ndim ? "]" : "", v->offset);
}

/* Initial values, as bits. */
static void print_data(const u8 *data, u32 len, u32 size, struct buf *out) {
    for (u32 at = 0; at < len; at += size) {
        u64 value = 0;
        for (u32 i = 0; i < size && at + i < len; i++)
            value |= (u64)data[at + i] << 8 * i;
        buf_puts(out, at == 0 ? " = raw " : at / size % CONSTS_PER_LINE == 0 ? ",\n        " : ", ");
        buf_printf(out, value < 10 ? "%llu" : "0x%llx", (unsigned long long)value);
    }
    buf_putc(out, '\n');
}

/* Module variables, in their places among the constants. */
static void print_module(const struct program *p, struct buf *out) {
    for (u32 i = 0; i < p->nmodule; i++) {
        const struct module_variable *m = &p->module[i];
        print_declaration(&m->is, out);
        print_data(p->data + m->data, m->data_bytes, etypes[m->is.etype].bytes, out);
    }
}

static void print_widths(u32 warps, struct buf *out) {
    const char *before = ".warp ";
    for (u32 w = 0; w < 4; w++) {
        if (warps >> w & 1) {
            buf_printf(out, "%s%u", before, 8u << w);
            before = ", ";
        }
    }
    buf_puts(out, warps != 0 ? "\n" : "");
}

static void print_size(const char *directive, u32 size, struct buf *out) {
    if (size > 0)
        buf_printf(out, "%s %u\n", directive, size);
}

static void print_loc(u32 line, u32 *last, struct buf *out) {
    if (line != *last) {
        buf_printf(out, ".loc %u\n", line);
        *last = line;
    }
}

static void print_header(const struct kernel *k, struct buf *out) {
    buf_printf(out, "%s %s\n", k->function ? ".func" : ".kernel", k->name);
    for (u32 n = 0; n < k->nparams; n++) {
        const struct param *param = &k->param[n];
        buf_printf(out, ".param %s : %s", param->name, etypes[param->etype].name);
        if (param->buffer || param->value)
            buf_printf(out, "[%s]%s", param->extent, param->value ? " value" : "");
        buf_putc(out, '\n');
    }
    for (u32 n = 0; n < k->nvariables; n++) {
        print_declaration(&k->variable[n], out);
        buf_putc(out, '\n');
    }
    print_widths(k->warps, out);
    print_size(".regs", k->regs, out);
    print_size(".sharedbytes", k->shared, out);
    print_size(".localbytes", k->local, out);
}

static void print_line(const struct inst *i, const struct print_names *names, struct buf *out) {
    size_t start = out->len;
    guard_print(i, out);
    pad(out, start, i->guard != PT && out->len - start >= GUARD_COLUMNS ? out->len - start + 1 : GUARD_COLUMNS);
    start = out->len;
    mnemonic_print(i, out);
    size_t end = out->len;
    if (isa_rows[i->op].operand[0].kind != K_NONE) {
        pad(out, start, end - start >= NAME_COLUMNS ? end - start + 1 : NAME_COLUMNS);
        operands_print(i, names, out);
    }
    while (!out->failed && out->data[out->len - 1] == ' ')
        out->data[--out->len] = '\0'; /* every operand was left out */
    buf_putc(out, '\n');
}

static void print_kernel(const struct program *p, const struct kernel *k, const bool *labelled, u32 *line,
                         struct buf *out) {
    struct print_names names = {.program = p, .label = "L", .kernel = k};
    buf_putc(out, '\n');
    print_loc(k->line, line, out);
    print_header(k, out);
    for (u32 pc = k->start; pc < k->end; pc++) {
        print_loc(p->line[pc], line, out);
        if (labelled[pc])
            buf_printf(out, "%s%u:\n", names.label, pc);
        names.base = program_base(p, pc);
        print_line(&p->inst[pc], &names, out);
    }
}

void program_disassemble(const struct program *p, struct buf *out) {
    struct arena arena = {0};
    bool *labelled = arena_alloc(&arena, p->ninst * sizeof *labelled);
    u32 line = 0;
    if (labelled == NULL) {
        out->failed = true;
        return;
    }
    for (u32 pc = 0; pc < p->ninst; pc++)
        if (p->inst[pc].op == OP_BRA)
            labelled[inst_target(&p->inst[pc])] = true;
    print_files(p, out);
    print_consts(p, out);
    print_module(p, out);
    for (u32 k = 0; k < p->nkernels; k++)
        print_kernel(p, &p->kernel[k], labelled, &line, out);
    arena_free(&arena);
}
