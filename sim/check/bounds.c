/*
 * Accesses that stay inside an allocation, or inside shared or local memory, and leave what the kernel declares of it:
 * the extent of a buffer, a row, a variable.
 */
#include "sim/check/shadow.h"

/* What the kernel declares, or a row of it. */
struct declared {
    const char *name;
    u64 bytes;
};

static void report(const struct site *t, u32 class, u32 lane, const char *text, struct declared of) {
    if (check_classes[class].named && !(t->c->kinds >> (CHECK_NAMED + check_classes[class].kind) & 1))
        return;
    struct check_finding f = {.class = (u8) class, .places = 1, .at = {site_place(t, lane)}, .space = t->space[lane]};
    f.address = t->addr[lane];
    f.bytes = t->bytes;
    found_add(t->c, &f, text, of.name, (unsigned long long)of.bytes);
}

static void check_buffer(const struct site *t, u32 lane) {
    const struct check *c = t->c;
    u32 number = c->extent || c->row ? site_allocation(t, t->addr[lane]) : UINT32_MAX;
    if (number == UINT32_MAX)
        return;
    const struct allocation *a = &c->launch.memory->list[number];
    u64 at = t->addr[lane] - a->base, extent = c->extent ? c->extent[number] : 0, row = c->row ? c->row[number] : 0;
    if (at + t->bytes > a->size)
        return;
    if (extent && at + t->bytes > extent)
        report(t, FOUND_MEM_EXTENT, lane, "of '%.60s', the kernel declares %llu bytes",
               (struct declared){a->name, extent});
    else if (row && at / row != (at + t->bytes - 1) / row)
        report(t, FOUND_MEM_ROW, lane, "a row of '%.60s' has %llu bytes", (struct declared){a->name, row});
}

/* ---- shared and local memory ---- */

static bool holds(const struct variable *v, u64 at, u32 bytes) {
    return at >= v->offset && at + bytes <= v->offset + variable_bytes(v);
}

/* Bytes of a row; 0: it has none. */
static u64 bytes_of_row(const struct variable *v) {
    return v->ndim > 1 ? (u64)v->dim[v->ndim - 1] * etypes[v->etype].bytes : 0;
}

/* The variable before a byte that lies between two variables of one kernel or function; NULL: it does not. */
static const struct variable *find_variable_before(const struct kernel *k, enum space space, u64 at) {
    const struct variable *before = NULL;
    for (u32 n = 0; n < k->nvariables; n++) {
        const struct variable *v = &k->variable[n];
        if (v->space == space && v->offset > at)
            return before;
        if (v->space == space)
            before = v;
    }
    return NULL;
}

/* `base` is the variable that the address names, or NULL; `own` the kernel or function of the instruction. */
static void check_variable(const struct site *t, u32 lane, const struct variable *base, const struct kernel *own) {
    const struct kernel *k = t->c->launch.kernel;
    const struct program *p = t->c->launch.program;
    const u64 at = t->addr[lane], size = t->space[lane] == SPACE_SHARED ? k->shared : k->local;
    enum space space = (enum space)t->space[lane];
    if (at >= size || size - at < t->bytes)
        return; /* a fault */
    if (base && !holds(base, at, t->bytes)) {
        report(t, FOUND_MEM_EXTENT, lane, "its address names '%.60s', which has %llu bytes",
               (struct declared){base->name, variable_bytes(base)});
        return;
    }
    const struct variable *v = base ? base : program_variable(p, k, t->pc, space, at), *before = NULL;
    if (!v && !(before = find_variable_before(own, space, at)))
        before = find_variable_before(k, space, at);
    if (before)
        report(t, FOUND_MEM_EXTENT, lane,
               "it begins in bytes that belong to no variable, after '%.60s', which has %llu",
               (struct declared){before->name, variable_bytes(before)});
    if (!v)
        return;
    const u64 row = bytes_of_row(v), from = at - v->offset;
    if (!holds(v, at, t->bytes))
        report(t, FOUND_MEM_EXTENT, lane, "it begins in '%.60s', which has %llu bytes, and ends after it",
               (struct declared){v->name, variable_bytes(v)});
    else if (row && from / row != (from + t->bytes - 1) / row)
        report(t, FOUND_MEM_ROW, lane, "a row of '%.60s' has %llu bytes", (struct declared){v->name, row});
}

/* True if a whole warp that accesses neighbours stays inside the variable, which has no rows. */
static bool stays_inside(const struct site *t, const struct variable *v) {
    return t->neighbours && v && v->ndim < 2 && holds(v, t->addr[0], t->width * t->bytes);
}

void bounds_site(struct site *t) {
    const struct program *p = t->c->launch.program;
    const struct kernel *own = NULL;
    const struct variable *base = program_base(p, t->pc);
    if (t->u->space == SPACE_GLOBAL ? !t->c->extent && !t->c->row : stays_inside(t, base))
        return;
    for (u64 left = t->exec; left; left &= left - 1) {
        u32 l = first_lane(left);
        if (t->space[l] == SPACE_GLOBAL)
            check_buffer(t, l);
        if (t->space[l] != SPACE_SHARED && t->space[l] != SPACE_LOCAL)
            continue;
        own = own ? own : program_at(p, t->pc);
        if (own->nvariables || t->c->launch.kernel->nvariables)
            check_variable(t, l, base, own);
    }
}
