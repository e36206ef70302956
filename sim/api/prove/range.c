/* Launches of a size: their buffers and grids, and how far they go. */
#include "sim/api/prove/range.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "sim/api/bind.h"

enum { PERIOD_MOST = 4096 };

struct shape {
    struct affine dim[HEDDLE_DIMS_MAX];
    u32 ndim;
    enum etype type; /* of a buffer */
};

/* ---- counts ---- */

/* Reads counts between commas, `all` characters. False with an error. */
static bool shape_read(struct range *r, const char *text, size_t all, struct count *c, struct shape *s) {
    const char *at = text, *end = text + all;
    c->name = r->name;
    for (s->ndim = 0;;) {
        const char *comma = memchr(at, ',', (size_t)(end - at));
        size_t len = (size_t)((comma ? comma : end) - at);
        bool ok = count_read(c, at, len);
        if (ok && s->ndim == HEDDLE_DIMS_MAX)
            c->wrong = "too many dimensions";
        else if (ok && c->value.q < 0)
            c->wrong = "this shrinks as the size grows";
        if (c->wrong)
            return context_fail(r->h, "heddle", "'%.*s': %s, at '%.*s'", (int)all, text, c->wrong,
                                (int)(end - (ok ? at : c->at)), ok ? at : c->at);
        s->dim[s->ndim++] = c->value;
        if (!comma)
            return true;
        at += len + 1;
    }
}

/* Reads "f32[n,4]". False with an error. */
static bool buffer_read(struct range *r, const struct heddle_prove_shape *b, struct count *c, struct shape *s) {
    size_t type = strcspn(b->shape, "["), all = strlen(b->shape);
    s->type = etype_find(b->shape, type);
    if (s->type == ET_COUNT || all < type + 2 || b->shape[all - 1] != ']')
        return context_fail(r->h, "heddle", "buffer '%s': '%s': expected TYPE[SHAPE], such as f32[%s]", b->buffer,
                            b->shape, r->name);
    return shape_read(r, b->shape + type + 1, all - type - 2, c, s);
}

/* Blocks of a kernel's grid in three dimensions. */
static bool grid_read(struct range *r, u32 side, struct count *c, struct shape *s) {
    const char *text = r->asked->sizes.grid[side];
    *s = (struct shape){.ndim = 0};
    if (text && !shape_read(r, text, strlen(text), c, s))
        return false;
    if (s->ndim > 3)
        return context_fail(r->h, "heddle", "'%s': a grid has at most three dimensions", text);
    for (u32 i = s->ndim; i < 3; i++)
        s->dim[i].k = text ? 1 : r->asked->kernel[side].grid[i];
    return true;
}

/* Bytes of a buffer. */
static bool bytes_read(struct range *r, const struct heddle_prove_shape *b, struct count *c, struct affine *bytes) {
    struct shape s;
    if (!buffer_read(r, b, c, &s))
        return false;
    *bytes = (struct affine){0, 0, etypes[s.type].bytes};
    for (u32 i = 0; i < s.ndim; i++) {
        const struct affine a = *bytes, d = s.dim[i];
        if (a.q && d.q)
            return context_fail(r->h, "heddle", "'%s': two dimensions grow with the size", b->shape);
        if (__builtin_mul_overflow(a.q ? a.q : a.k, a.q ? d.k : d.q, &bytes->q) ||
            __builtin_mul_overflow(a.k, d.k, &bytes->k))
            return context_fail(r->h, "heddle", "'%s': too many elements", b->shape);
    }
    return true;
}

/* ---- launches ---- */

static bool grid_make(struct range *r, u32 side, struct count *c) {
    struct shape s;
    if (!grid_read(r, side, c, &s))
        return false;
    for (u32 i = 0; i < 3; i++) {
        if (r->asked->sizes.grid[side] && (s.dim[i].k < 1 || s.dim[i].k > INT32_MAX))
            return context_fail(r->h, "heddle", "a grid of '%s' has %" PRId64 " blocks; expected 1 to 2^31 - 1",
                                r->asked->sizes.grid[side], s.dim[i].k);
        r->one.kernel[side].grid[i] = (u32)s.dim[i].k;
    }
    return true;
}

bool range_launch(struct range *r, u64 n) {
    struct count c = {.rest = n};
    for (u32 i = 0; i < r->asked->sizes.nshapes; i++) {
        const struct heddle_prove_shape *b = &r->asked->sizes.shapes[i];
        struct shape s;
        u64 dim[HEDDLE_DIMS_MAX];
        if (!buffer_read(r, b, &c, &s))
            return false;
        for (u32 k = 0; k < s.ndim; k++) {
            if (s.dim[k].k < 0)
                return context_fail(r->h, "heddle", "buffer '%s': '%s' is negative", b->buffer, b->shape);
            dim[k] = (u64)s.dim[k].k;
        }
        if (!heddle_buffer(r->h, b->buffer, etypes[s.type].name, s.ndim, dim))
            return false;
    }
    snprintf(r->number, sizeof r->number, "%" PRIu64, n);
    return grid_make(r, 0, &c) && grid_make(r, 1, &c);
}

bool range_bytes(struct range *r, u64 n, u64 *bytes) {
    struct count c = {.rest = n};
    bool fit = true;
    *bytes = 0;
    for (u32 i = 0; i < r->asked->sizes.nshapes && fit; i++) {
        struct affine b = {0};
        fit = bytes_read(r, &r->asked->sizes.shapes[i], &c, &b) && b.k <= (s64)WINDOW_SHARED;
        *bytes += (u64)b.k + ADDRESS_GAP + ADDRESS_ALIGN;
    }
    for (u32 side = 0; side < 2 && fit; side++)
        fit = grid_make(r, side, &c);
    context_begin(r->h);
    return fit && *bytes <= WINDOW_SHARED - ADDRESS_FIRST;
}

/* ---- the range ---- */

/* Reads a whole number below 2^SIZE_BITS. */
static bool read_number(const char **at, u64 *value) {
    const char *from = *at;
    for (*value = 0; **at >= '0' && **at <= '9' && *value >> SIZE_BITS == 0; ++*at)
        *value = 10 * *value + (u64)(**at - '0');
    return *at > from && *value >> SIZE_BITS == 0;
}

bool range_read(struct range *r) {
    const char *text = r->asked->sizes.range, *at = text + strcspn(text, "=");
    r->name = arena_strndup(&r->arena, text, (size_t)(at - text));
    if (!r->name)
        return context_no_memory(r->h, "a proof");
    bool ok = count_name(text, (size_t)(at - text)) && *at++ == '=' && read_number(&at, &r->first) && r->first &&
              strncmp(at, "..", 2) == 0;
    r->step = 1;
    at += ok ? 2 : 0;
    r->bounded = ok && *at && *at != ':';
    if (r->bounded)
        ok = read_number(&at, &r->last) && r->last >= r->first;
    if (ok && *at == ':')
        ok = (at++, read_number(&at, &r->step)) && r->step;
    if (ok && !*at)
        return true;
    return context_fail(r->h, "heddle",
                        "--for: '%s': expected NAME=FIRST..LAST, such as n=1..1000, n=32..4096:32 or n=1.., "
                        "from 1 on, at '%s'",
                        text, at);
}

bool range_period(struct range *r) {
    u64 period = r->step;
    for (bool found = false; !found && period <= PERIOD_MOST;) {
        struct count c = {.period = period};
        struct shape s;
        for (u32 i = 0; i < r->asked->sizes.nshapes && !c.longer; i++)
            if (!buffer_read(r, &r->asked->sizes.shapes[i], &c, &s))
                return false;
        for (u32 side = 0; side < 2 && !c.longer; side++)
            if (!grid_read(r, side, &c, &s))
                return false;
        found = !c.longer;
        period *= found ? 1 : c.longer;
    }
    r->period = period <= PERIOD_MOST ? period : 0;
    r->apart = r->period ? NULL : "buffers and grids grow alike only after more than 4,096 sizes";
    return true;
}

/* Largest size that parameters of its name can hold; 0 with an error. */
static u64 most_of_type(struct range *r) {
    u64 most = (u64)1 << SIZE_BITS;
    for (u32 side = 0; side < 2; side++) {
        const struct heddle_prove_kernel *of = &r->asked->kernel[side];
        const struct kernel *k = program_kernel(of->program->program, of->entry);
        for (u32 i = 0; k && i < k->nparams; i++) {
            const struct param *p = &k->param[i];
            const struct etype_row *t = &etypes[p->etype];
            bool whole = t->kind == ETYPE_SIGNED || t->kind == ETYPE_UNSIGNED || t->kind == ETYPE_RAW;
            u64 own = t->bytes == 8 ? most : p->etype == ET_I32 ? INT32_MAX : UINT32_MAX;
            if (p->buffer || strcmp(p->name, r->name) != 0)
                continue;
            if (!whole || t->bytes < 4) {
                context_fail(r->h, "heddle",
                             "size '%s' is a parameter of type %s; expected a whole number of 32 or 64 bits", p->name,
                             t->name);
                return 0;
            }
            most = own < most ? own : most;
        }
    }
    return most;
}

bool range_addresses(struct range *r) {
    const struct heddle_prove *asked = r->asked;
    for (u32 side = 0; side < 2; side++) {
        const struct program *p = asked->kernel[side].program->program;
        for (u32 i = 0; i < p->nmodule; i++)
            if (p->module[i].is.space == SPACE_GLOBAL)
                return context_fail(r->h, p->file, "'%s' has an address of its own: a range of sizes is not proved",
                                    p->module[i].is.name);
    }
    for (u32 i = 0; i < asked->nargs; i++) {
        const struct heddle_arg *arg = &asked->args[i];
        const char *text = arg->buffer ? arg->buffer : arg->text;
        if (text && strchr(text, '+') && bind_pointer(r->h, arg).buffer)
            return context_fail(r->h, "heddle", "'%s' points into a buffer: a range of sizes is not proved", arg->name);
    }
    return true;
}

bool range_last(struct range *r) {
    u64 high = most_of_type(r), low = r->first, bytes;
    if (!high)
        return false;
    high = r->period && high / r->period > UINT32_MAX ? r->period * UINT32_MAX : high;
    if (r->bounded && (r->last > high || !range_bytes(r, r->last, &bytes)))
        return context_fail(r->h, "heddle",
                            "no launch has %s = %" PRIu64 ": it is too large for memory, grid or parameter", r->name,
                            r->last);
    while (!r->bounded && low < high) {
        u64 middle = low + (high - low + 1) / 2;
        if (range_bytes(r, middle, &bytes))
            low = middle;
        else
            high = middle - 1;
    }
    r->last = r->bounded ? r->last : low;
    r->last -= (r->last - r->first) % r->step;
    return true;
}

/* ---- the sizes of a rest ---- */

static bool grid_grows(struct range *r, u32 side, struct count *c) {
    struct shape s;
    u32 grow = 0;
    if (!grid_read(r, side, c, &s))
        return false;
    for (u32 i = 0; i < 3; i++) {
        if (s.dim[i].q) {
            grow++;
            r->sizes.dim[side] = i;
            r->sizes.blocks[side] = s.dim[i].q;
        }
        if (s.dim[i].k < 0)
            r->apart = "a grid is smaller than its whole periods";
    }
    if (grow != 1)
        r->apart = grow ? "a grid grows in more than one dimension" : "a grid does not grow with it";
    return !r->apart;
}

bool range_sizes(struct range *r, u64 rest) {
    struct count c = {.period = r->period, .rest = rest};
    const struct memory *m = &r->h->memory;
    r->sizes.name = r->name;
    r->sizes.period = r->period;
    r->sizes.rest = rest;
    r->sizes.bytes = arena_alloc(&r->arena, m->count * sizeof *r->sizes.bytes);
    if (!r->sizes.bytes)
        return context_no_memory(r->h, "a proof");
    for (u32 i = 0; i < m->count; i++) {
        r->sizes.bytes[i].k = (s64)m->list[i].size;
        for (u32 k = 0; k < r->asked->sizes.nshapes; k++) {
            const struct heddle_prove_shape *b = &r->asked->sizes.shapes[k];
            if (strcmp(b->buffer, m->list[i].name) == 0 && !bytes_read(r, b, &c, &r->sizes.bytes[i]))
                return false;
        }
    }
    return grid_grows(r, 0, &c) && grid_grows(r, 1, &c);
}
