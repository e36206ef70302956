#include "sim/api/module.h"

#include <string.h>

/* Copies the program with its kernels, which may be changed then; false when out of memory. */
static bool copy_program(struct launch *l, struct arena *arena) {
    const struct program *from = l->program;
    struct program *p = arena_alloc(arena, sizeof *p);
    struct kernel *k = arena_alloc(arena, from->nkernels * sizeof *k);
    if (!p || !k)
        return false;
    *p = *from;
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
    if (!l->shared_bytes || (copy_program(l, arena) && size_shared(l, arena)))
        return true;
    return context_no_memory(h, "the launch");
}
