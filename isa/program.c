/* Looking things up in a program, and giving it back. */
#include "isa/program.h"

#include <string.h>

const struct kernel *program_kernel(const struct program *p, const char *name) {
    const struct kernel *found = NULL;
    for (u32 k = 0; k < p->nkernels; k++) {
        if (p->kernel[k].function || (name != NULL && strcmp(p->kernel[k].name, name) != 0))
            continue;
        if (found != NULL)
            return NULL; /* no name, several kernels */
        found = &p->kernel[k];
    }
    return found;
}

const struct param *kernel_param(const struct kernel *k, const char *name) {
    for (u32 i = 0; i < k->nparams; i++)
        if (strcmp(k->param[i].name, name) == 0)
            return &k->param[i];
    return NULL;
}

struct source_file program_source(const struct program *p, u32 line) {
    const struct source_file *s = source_file_at(p->included, p->nincluded, line);
    return s ? *s : (struct source_file){.file = p->file, .text = p->source, .len = p->source_len};
}

static struct line_place place_of(const struct program *p, u32 line) {
    const struct source_file source = program_source(p, line);
    bool own = !line || strcmp(source.file, p->name) == 0;
    return (struct line_place){.file = own ? NULL : source.file, .line = line - source.first};
}

struct line_place program_place(const struct program *p, u32 pc) {
    return place_of(p, pc < p->ninst ? p->line[pc] : 0);
}

struct line_place program_use(const struct program *p, u32 pc) {
    return place_of(p, p->texts ? p->used[pc] : 0);
}

struct line_name program_line(const struct program *p, u32 line) {
    return line_name(p->included, p->nincluded, line);
}

const struct kernel *program_at(const struct program *p, u32 pc) {
    u32 low = 0, high = p->nkernels;
    while (low < high) {
        u32 middle = low + (high - low) / 2;
        if (pc >= p->kernel[middle].end)
            low = middle + 1;
        else
            high = middle;
    }
    return low < p->nkernels && pc >= p->kernel[low].start ? &p->kernel[low] : NULL;
}

/* ---- variables ---- */

const struct module_variable *program_module(const struct program *p, const char *name) {
    for (u32 i = 0; i < p->nmodule; i++)
        if (strcmp(p->module[i].is.name, name) == 0)
            return &p->module[i];
    return NULL;
}

u64 variable_bytes(const struct variable *v) {
    u64 n = etypes[v->etype].bytes;
    for (u32 d = 0; d < v->ndim; d++)
        n *= v->dim[d];
    return n;
}

const struct variable *kernel_variable(const struct kernel *k, enum space space, u64 byte) {
    for (u32 n = 0; n < k->nvariables; n++) {
        const struct variable *v = &k->variable[n];
        if (v->space == space && byte - v->offset < variable_bytes(v))
            return v;
    }
    return NULL;
}

const struct variable *program_variable(const struct program *p, const struct kernel *k, u32 pc, enum space space,
                                        u64 byte) {
    const struct kernel *own = program_at(p, pc);
    const struct variable *v = own && own != k ? kernel_variable(own, space, byte) : NULL;
    return v ? v : kernel_variable(k, space, byte);
}

const struct variable *program_base(const struct program *p, u32 pc) {
    return p->base[pc] ? &program_at(p, pc)->variable[p->base[pc] - 1] : NULL;
}

void variable_print_element(const struct variable *v, u64 byte, struct buf *out) {
    u64 element = (byte - v->offset) / etypes[v->etype].bytes;
    u32 index[VARIABLE_DIMS_MAX] = {0};
    for (u32 d = v->ndim; d-- > 0; element /= v->dim[d])
        index[d] = (u32)(element % v->dim[d]);
    buf_puts(out, v->name);
    for (u32 d = 0; d < v->ndim; d++)
        buf_printf(out, "%s%u", d ? "," : "[", index[d]);
    buf_puts(out, v->ndim ? "]" : "");
}

void program_free(struct program *p) {
    if (p != NULL) {
        struct arena arena = p->arena; /* the program itself lies in its arena */
        arena_free(&arena);
    }
}
