#include "sim/api/module.h"

#include <stdio.h>
#include <string.h>

#include "sim/api/bind.h"

/* Copies the program with its kernels, which may be changed then; false when out of memory. */
static bool copy_program(struct launch *l, struct arena *arena) {
    const struct program *from = l->program;
    struct program *p = arena_alloc(arena, sizeof *p);
    struct kernel *k = arena_alloc(arena, from->nkernels * sizeof *k);
    u8 *consts = arena_alloc(arena, from->const_bytes);
    if (!p || !k || !consts)
        return false;
    *p = *from;
    if (from->const_bytes)
        memcpy(consts, from->consts, from->const_bytes);
    p->consts = consts;
    memcpy(k, from->kernel, from->nkernels * sizeof *k);
    p->kernel = k;
    l->kernel = &k[l->kernel - from->kernel];
    l->program = p;
    return true;
}

/* The kernel's variable of the launch's size; `nvariables` if there is none. */
static u32 dynamic_variable(const struct kernel *k) {
    u32 n = 0;
    while (n < k->nvariables && !k->variable[n].dynamic)
        n++;
    return n;
}

/* Gives the kernel, which is the launch's own copy, shared memory of the launch's size. */
static bool size_shared(struct launch *l, struct arena *arena) {
    struct kernel *k = &l->program->kernel[l->kernel - l->program->kernel];
    u32 n = dynamic_variable(k);
    if (n < k->nvariables) {
        struct variable *v = arena_alloc(arena, k->nvariables * sizeof *v);
        if (!v)
            return false;
        memcpy(v, k->variable, k->nvariables * sizeof *v);
        v[n].dim[0] = (u32)(l->shared_bytes / etypes[v[n].etype].bytes);
        k->variable = v;
    }
    k->shared += (u32)l->shared_bytes;
    return true;
}

bool module_size(struct heddle *h, struct launch *l, const struct heddle_launch *asked, struct arena *arena) {
    const struct kernel *k = l->kernel;
    l->shared_bytes = asked->shared_bytes;
    if (l->shared_bytes > SHARED_MAX - k->shared)
        return context_fail(h, l->program->file,
                            "kernel '%s': %s bytes of shared memory for the launch beside %s; at most %s", k->name,
                            grouped(l->shared_bytes).text, grouped(k->shared).text, grouped(SHARED_MAX).text);
    if ((!l->shared_bytes && !l->program->nmodule) || (copy_program(l, arena) && size_shared(l, arena)))
        return true;
    return context_no_memory(h, "the launch");
}

/* ---- what has a name ---- */

const struct module_variable *module_named(const struct program *p, const struct kernel *k,
                                           const struct heddle_arg *arg) {
    const char *name = arg->name ? arg->name : "";
    return kernel_param(k, name) ? NULL : program_module(p, name);
}

bool module_copies(const struct program *p, const struct kernel *k, const struct heddle_arg *arg) {
    const struct module_variable *m = module_named(p, k, arg);
    const struct param *param = kernel_param(k, arg->name ? arg->name : "");
    bool copied = param ? param->value : m && m->is.space == SPACE_CONST;
    return copied && arg->buffer && !bind_is_number(arg->buffer);
}

/* "count : u32[4]" */
struct declared {
    char text[200];
};

static struct declared declare(const struct variable *v) {
    struct declared d;
    size_t len = (size_t)snprintf(d.text, sizeof d.text, "%.100s : %s", v->name, etypes[v->etype].name);
    for (u32 i = 0; i < v->ndim; i++)
        len += (size_t)snprintf(d.text + len, sizeof d.text - len, "%s%u%s", i ? "," : "[", v->dim[i],
                                i + 1 == v->ndim ? "]" : "");
    return d;
}

#define FAIL(h, l, fmt, ...) context_fail(h, (l)->program->file, fmt, __VA_ARGS__)

/* Reports a buffer whose elements are of another type, or too few. */
static bool holds(struct heddle *h, const struct launch *l, const struct variable *v, const struct pointer *at) {
    const char *what = v->space == SPACE_CONST ? "constant" : "variable";
    if (v->etype != ET_B8 && !etype_accepts((enum etype)v->etype, at->buffer->type))
        return FAIL(h, l, "%s '%s' has elements of type %s, and buffer '%s' holds %s", what, declare(v).text,
                    etypes[v->etype].name, at->buffer->name, etypes[at->buffer->type].name);
    if (pointer_room(at) < variable_bytes(v))
        return FAIL(h, l, "%s '%s' has %s bytes, and buffer '%s' has %s", what, declare(v).text,
                    grouped(variable_bytes(v)).text, at->buffer->name, grouped(pointer_room(at)).text);
    return true;
}

static bool write_constant(struct heddle *h, const struct launch *l, const struct variable *v,
                           const struct heddle_arg *arg) {
    u8 *to = l->program->consts + v->offset;
    const struct pointer at = bind_pointer(h, arg);
    struct reason why;
    if (at.buffer) {
        bool fits = holds(h, l, v, &at);
        if (fits)
            memcpy(to, at.buffer->data + at.offset, variable_bytes(v));
        return fits;
    }
    if (arg->buffer && !bind_is_number(arg->buffer))
        return FAIL(h, l, "constant '%s': there is no buffer '%s'%s", declare(v).text, arg->buffer,
                    suggest(context_nearest_buffer(h, arg->buffer)).text);
    return bind_numbers(arg, (enum etype)v->etype, to, variable_bytes(v) / etypes[v->etype].bytes, &why) ||
           FAIL(h, l, "constant '%s': %s", declare(v).text, why.text);
}

static bool write_address(struct heddle *h, const struct launch *l, const struct variable *v,
                          const struct heddle_arg *arg) {
    const struct heddle_arg own = {.name = v->name, .buffer = v->name};
    const struct pointer at = bind_pointer(h, arg ? arg : &own);
    if (!at.buffer && !at.null)
        return FAIL(h, l, "variable '%s' takes a buffer, and there is no such", declare(v).text);
    if (!at.null && !holds(h, l, v, &at))
        return false;
    bind_store(l->program->consts + v->offset, at.null ? 0 : at.buffer->address + at.offset, 8);
    return true;
}

bool module_bind(struct heddle *h, const struct launch *l, const struct heddle_launch *asked) {
    const struct program *p = l->program;
    bool ok = true;
    for (u32 n = 0; n < p->nmodule; n++) {
        const struct module_variable *m = &p->module[n];
        const struct heddle_arg *arg = NULL;
        for (u32 i = 0; i < asked->nargs; i++) {
            const struct module_variable *named = module_named(p, l->kernel, &asked->args[i]);
            if (named && named == m)
                arg = &asked->args[i];
        }
        if (m->is.space == SPACE_GLOBAL)
            ok &= write_address(h, l, &m->is, arg);
        else if (arg)
            ok &= write_constant(h, l, &m->is, arg);
    }
    return ok;
}

bool heddle_module_make(struct heddle *h, const struct heddle_program *p) {
    const struct program *program = p->program;
    context_begin(h);
    for (u32 n = 0; n < program->nmodule; n++) {
        const struct module_variable *m = &program->module[n];
        u64 shape[VARIABLE_DIMS_MAX];
        if (m->is.space != SPACE_GLOBAL || context_buffer(h, m->is.name))
            continue;
        for (u32 d = 0; d < m->is.ndim; d++)
            shape[d] = m->is.dim[d];
        shape[0] = m->is.ndim ? shape[0] : 1;
        if (!heddle_buffer(h, m->is.name, etypes[m->is.etype].name, m->is.ndim ? m->is.ndim : 1, shape))
            return false;
        struct buffer *b = context_buffer(h, m->is.name);
        if (m->data_bytes)
            memcpy(b->data, program->data + m->data, m->data_bytes);
        b->content = CONTENT_FILLED;
    }
    return true;
}

bool heddle_module_info(const struct heddle_program *p, uint32_t index, struct heddle_variable_info *info) {
    if (index >= p->program->nmodule)
        return false;
    const struct variable *v = &p->program->module[index].is;
    *info = (struct heddle_variable_info){.name = v->name,
                                          .type = etypes[v->etype].name,
                                          .space = isa_mod_text(GROUP_SPACE, v->space),
                                          .offset = v->offset,
                                          .ndim = v->ndim};
    for (u32 d = 0; d < v->ndim; d++)
        info->shape[d] = v->dim[d];
    return true;
}
