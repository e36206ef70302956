#include "sim/api/bind.h"

#include <stdio.h>
#include <string.h>

#include "isa/check.h"
#include "sim/api/module.h"
#include "sim/base/ascii.h"

/* One binding in progress. */
struct binding {
    struct heddle *h;
    const struct program *program;
    const struct kernel *kernel;
    const char *file;                   /* file of the program, for messages */
    u8 *params;                         /* parameter space being filled */
    bool given[PARAMS_MAX];             /* parameters that have an argument */
    struct pointer pointer[PARAMS_MAX]; /* of buffer parameters */
};

/* "y : f32[2*n]" */
struct declared {
    char text[200];
};

static struct declared declare(const struct param *p) {
    struct declared d;
    const char *extent = p->extent ? p->extent : "";
    bool sized = p->buffer || p->value;
    snprintf(d.text, sizeof d.text, sized ? "%.100s : %s[%.60s]%s" : "%.100s : %s", p->name, etypes[p->etype].name,
             extent, p->value ? " value" : "");
    return d;
}

#define FAIL(b, fmt, ...) context_fail((b)->h, (b)->file, "kernel '%s': " fmt, (b)->kernel->name, __VA_ARGS__)

/* The words of an argument that may be a pointer; NULL: it is a number. */
static const char *pointer_text(const struct heddle_arg *arg) {
    return arg->buffer ? arg->buffer : arg->text;
}

bool bind_is_number(const char *text) {
    return is_digit(*text) || *text == '-' || *text == '+' || *text == '.';
}

struct pointer bind_pointer(const struct heddle *h, const struct heddle_arg *arg) {
    const char *text = pointer_text(arg), *plus = text ? strrchr(text, '+') : NULL;
    struct pointer at = {.buffer = text ? context_buffer(h, text) : NULL};
    struct reason why;
    char name[256] = "";
    if (at.buffer || !text)
        return at;
    at.null = strcmp(text, "null") == 0;
    if (!plus || (size_t)(plus - text) >= sizeof name || !scalar_from_text(ET_U64, plus + 1, &at.offset, &why))
        return at;
    memcpy(name, text, (size_t)(plus - text));
    at.buffer = context_buffer(h, name);
    return at;
}

void bind_store(u8 *at, u64 value, u32 bytes) {
    for (u32 i = 0; i < bytes; i++)
        at[i] = (u8)(value >> (8 * i));
}

bool bind_numbers(const struct heddle_arg *arg, enum etype type, u8 *to, u64 count, struct reason *why) {
    const char *at = pointer_text(arg);
    char word[80];
    for (u64 i = 0; i < count; i++) {
        u64 bits = 0;
        const size_t len = at ? strcspn(at, ",") : 0;
        bool last = !at || !at[len];
        if ((!at && count > 1) || len >= sizeof word || last != (i + 1 == count)) {
            snprintf(why->text, sizeof why->text, "%s numbers with commas between them expected", grouped(count).text);
            return false;
        }
        snprintf(word, sizeof word, "%.*s", (int)len, at ? at : "");
        if (!(at ? scalar_from_text(type, word, &bits, why) : scalar_from_double(type, arg->number, &bits, why)))
            return false;
        bind_store(to + i * etypes[type].bytes, bits, etypes[type].bytes);
        at += at && !last ? len + 1 : 0;
    }
    return true;
}

static const char *nth_param(const void *ctx, size_t i) {
    return ((const struct kernel *)ctx)->param[i].name;
}

/* .npy files have no bf16, so that u16 stands for it. Bytes are what any buffer has. */
static bool accepts(const struct param *p, const struct buffer *b) {
    return p->etype == ET_B8 || etype_accepts((enum etype)p->etype, b->type) ||
           (p->etype == ET_BF16 && b->type == ET_U16);
}

/* Reports that there is no such buffer. Returns false. */
static bool no_buffer(struct binding *b, const struct param *p, const char *name) {
    return FAIL(b, "parameter '%s': there is no buffer '%s'%s", declare(p).text, name,
                suggest(context_nearest_buffer(b->h, name)).text);
}

static bool check_type(struct binding *b, const struct param *p, const struct buffer *buffer) {
    return accepts(p, buffer) || FAIL(b, "parameter '%s' takes elements of type %s, and buffer '%s' holds %s",
                                      declare(p).text, etypes[p->etype].name, buffer->name, etypes[buffer->type].name);
}

static bool bind_buffer(struct binding *b, u32 index, const struct heddle_arg *arg) {
    const struct param *p = &b->kernel->param[index];
    const char *text = pointer_text(arg);
    struct pointer at = bind_pointer(b->h, arg);
    if (!text || (!arg->buffer && bind_is_number(text)))
        return FAIL(b, "parameter '%s' takes a buffer, and a number is given", declare(p).text);
    if (!at.buffer && !at.null)
        return no_buffer(b, p, text);
    if (at.null)
        return true;
    if (at.offset > at.buffer->bytes)
        return FAIL(b, "parameter '%s': '%s' is past the end of the buffer, which has %s bytes", declare(p).text, text,
                    grouped(at.buffer->bytes).text);
    if (!check_type(b, p, at.buffer))
        return false;
    b->pointer[index] = at;
    bind_store(b->params + p->offset, at.buffer->address + at.offset, 8);
    return true;
}

/* Copies a value into the parameter space: a buffer's contents, or numbers. */
static bool bind_value(struct binding *b, u32 index, const struct heddle_arg *arg) {
    const struct param *p = &b->kernel->param[index];
    const struct pointer at = bind_pointer(b->h, arg);
    const u32 bytes = param_size(p);
    struct reason why;
    if (!at.buffer && arg->buffer && !bind_is_number(arg->buffer))
        return no_buffer(b, p, arg->buffer);
    if (!at.buffer)
        return bind_numbers(arg, (enum etype)p->etype, b->params + p->offset, bytes / etypes[p->etype].bytes, &why) ||
               FAIL(b, "parameter '%s': %s", declare(p).text, why.text);
    if (!check_type(b, p, at.buffer))
        return false;
    if (pointer_room(&at) < bytes)
        return FAIL(b, "parameter '%s' takes %s bytes, and buffer '%s' has too few", declare(p).text,
                    grouped(bytes).text, at.buffer->name);
    memcpy(b->params + p->offset, at.buffer->data + at.offset, bytes);
    return true;
}

static bool bind_scalar(struct binding *b, u32 index, const struct heddle_arg *arg) {
    const struct param *p = &b->kernel->param[index];
    enum etype type = (enum etype)p->etype;
    struct reason why;
    u64 bits = 0;
    const struct pointer at = bind_pointer(b->h, arg);
    if ((type == ET_U64 || type == ET_B64) && at.buffer && at.offset <= at.buffer->bytes) {
        bind_store(b->params + p->offset, at.buffer->address + at.offset, 8);
        return true;
    }
    if (arg->buffer)
        return FAIL(b, "parameter '%s' takes a number, and buffer '%s' is given", declare(p).text, arg->buffer);
    if (!(arg->text ? scalar_from_text(type, arg->text, &bits, &why)
                    : scalar_from_double(type, arg->number, &bits, &why)))
        return FAIL(b, "parameter '%s': %s", p->name, why.text);
    bind_store(b->params + p->offset, bits, etypes[type].bytes);
    return true;
}

static bool bind_one(struct binding *b, const struct heddle_arg *arg) {
    const struct kernel *k = b->kernel;
    const char *name = arg->name ? arg->name : "";
    const struct param *p = kernel_param(k, name);
    if (!p)
        return FAIL(b, "there is no parameter '%s'%s", name,
                    suggest(nearest_name(name, k->nparams, nth_param, k)).text);
    u32 i = (u32)(p - k->param);
    if (b->given[i])
        return FAIL(b, "parameter '%s' is given twice", name);
    b->given[i] = true;
    return p->buffer ? bind_buffer(b, i, arg) : p->value ? bind_value(b, i, arg) : bind_scalar(b, i, arg);
}

/* Extents are looked at when every scalar is known. */
static bool check_extents(struct binding *b) {
    const struct kernel *k = b->kernel;
    bool ok = true;
    for (u32 i = 0; i < k->nparams; i++) {
        const struct param *p = &k->param[i];
        struct reason why;
        u64 need;
        const struct pointer *at = &b->pointer[i];
        if (!p->buffer || !at->buffer)
            continue;
        u64 have = pointer_room(at) / etypes[p->etype].bytes;
        if (!extent_value(k, p->extent ? p->extent : "", b->params, &need, &why))
            ok = FAIL(b, "the extent of parameter '%s': %s", declare(p).text, why.text);
        else if (have < need)
            ok = FAIL(b, "parameter '%s' needs at least %s elements, and buffer '%s' has %s%s", declare(p).text,
                      grouped(need).text, at->buffer->name, grouped(have).text, at->offset ? " from there on" : "");
    }
    return ok;
}

/* A number that a buffer's declared size needs and the launch does not give: "; n=1024 fits x : f32[n]". */
static struct declared guess(const struct binding *b, const struct param *asked) {
    struct declared d = {""};
    for (u32 i = 0; i < b->kernel->nparams && !asked->buffer && !*d.text; i++) {
        const struct param *p = &b->kernel->param[i];
        const struct pointer *at = &b->pointer[i];
        if (at->buffer && p->extent && strcmp(p->extent, asked->name) == 0)
            snprintf(d.text, sizeof d.text, "; %.60s=%llu fits %.100s", asked->name,
                     (unsigned long long)(pointer_room(at) / etypes[p->etype].bytes), declare(p).text);
    }
    return d;
}

/* "saxpy.hd: kernel 'saxpy' takes x : f32[n], y : f32[n], a : f32, n : u32" */
static void list_params(const struct binding *b) {
    const struct kernel *k = b->kernel;
    struct buf *out = &b->h->error;
    buf_printf(out, "%s: kernel '%s' takes ", b->file, k->name);
    if (k->nparams == 0)
        buf_puts(out, "no arguments");
    for (u32 i = 0; i < k->nparams; i++)
        buf_printf(out, "%s%s", i ? ", " : "", declare(&k->param[i]).text);
    buf_puts(out, "\n");
}

/* True for what is no parameter's: the module's, or a buffer that another argument points to, `x=x` beside `p=x+16`. */
static bool is_other(const struct binding *b, const struct heddle_launch *l, u32 index) {
    const struct heddle_arg *arg = &l->args[index];
    bool pointed = false;
    if (module_named(b->program, b->kernel, arg))
        return true;
    if (!arg->buffer || !arg->name || strcmp(arg->name, arg->buffer) != 0 || kernel_param(b->kernel, arg->name))
        return false;
    const struct buffer *own = context_buffer(b->h, arg->buffer);
    for (u32 i = 0; i < l->nargs && own; i++)
        pointed |= i != index && bind_pointer(b->h, &l->args[i]).buffer == own;
    return pointed;
}

bool bind_arguments(struct heddle *h, const struct heddle_program *p, const struct kernel *k,
                    const struct heddle_launch *l, u8 *params) {
    struct binding b = {.h = h, .program = p->program, .kernel = k, .file = p->program->file, .params = params};
    bool ok = true, names_ok = true;
    for (u32 i = 0; i < l->nargs; i++)
        ok &= is_other(&b, l, i) || bind_one(&b, &l->args[i]);
    for (u32 i = 0; i < k->nparams; i++)
        if (!b.given[i])
            names_ok =
                FAIL(&b, "parameter '%s' is not given%s", declare(&k->param[i]).text, guess(&b, &k->param[i]).text);
    if (!ok || !names_ok) {
        list_params(&b);
        return false;
    }
    return check_extents(&b);
}

/* ---- what a parameter needs ---- */

/* The kernel of the launch, or the first with a buffer of that name. */
static const struct kernel *kernel_with(const struct program *p, const char *entry, const char *name, u32 *index) {
    for (u32 i = 0; i < p->nkernels; i++) {
        const struct kernel *k = &p->kernel[i];
        if (entry && strcmp(k->name, entry) != 0)
            continue;
        for (*index = 0; *index < k->nparams; ++*index)
            if (k->param[*index].buffer && strcmp(k->param[*index].name, name) == 0)
                return k;
    }
    return NULL;
}

/* Finds a scalar that the extent names and no argument gives, or NULL. */
static const struct param *missing(const struct binding *b, const char *extent) {
    for (const char *at = extent; *at; at += *at == '+' || *at == '*') {
        size_t len = strcspn(at, "+*");
        for (u32 i = 0; i < b->kernel->nparams; i++) {
            const struct param *p = &b->kernel->param[i];
            if (strlen(p->name) == len && memcmp(p->name, at, len) == 0 && !b->given[i])
                return p;
        }
        at += len;
    }
    return NULL;
}

/* Names the type for elements of `type` in an .npy file: whole numbers of the same size if it has none. */
static const char *stored_type(enum etype type) {
    static const enum etype whole[] = {[1] = ET_U8, [2] = ET_U16, [4] = ET_U32, [8] = ET_U64};
    return etypes[etypes[type].kind == ETYPE_RAW ? whole[etypes[type].bytes] : type].name;
}

bool heddle_param_needs(struct heddle *h, const struct heddle_program *p, const struct heddle_launch *l,
                        const char *name, const char **type, uint64_t *count) {
    u8 params[PARAMS_MAX * 16] = {0};
    u32 index;
    struct reason why;
    context_begin(h);
    struct binding b = {.h = h, .kernel = kernel_with(p->program, l->entry, name, &index), .file = p->program->file};
    if (!b.kernel)
        return context_fail(h, b.file, "no kernel takes a buffer '%s'", name);
    b.params = params;
    for (u32 i = 0; i < l->nargs; i++) {
        const struct param *scalar = kernel_param(b.kernel, l->args[i].name);
        if (scalar && !l->args[i].buffer && !scalar->buffer && !bind_one(&b, &l->args[i]))
            return false;
    }
    const struct param *asked = &b.kernel->param[index];
    const char *extent = asked->extent ? asked->extent : "";
    const struct param *lacks = missing(&b, extent);
    *type = stored_type((enum etype)asked->etype);
    if (!*extent)
        return FAIL(&b, "parameter '%s' declares no size: give one, such as %s[1024]", declare(asked).text, *type);
    if (lacks)
        return FAIL(&b, "the size of parameter '%s' needs '%s', which is not given", declare(asked).text, lacks->name);
    return extent_value(b.kernel, extent, params, count, &why) ||
           FAIL(&b, "the extent of parameter '%s': %s", declare(asked).text, why.text);
}

bool heddle_param_takes(struct heddle *h, const struct heddle_program *p, uint32_t kernel,
                        const struct heddle_arg *arg) {
    u8 params[PARAMS_MAX * 16] = {0};
    context_begin(h);
    if (kernel >= p->program->nkernels)
        return context_fail(h, p->program->file, "there is no kernel %u", kernel);
    struct binding b = {.h = h, .kernel = &p->program->kernel[kernel], .file = p->program->file, .params = params};
    return bind_one(&b, arg);
}

u64 bind_extent(const struct heddle *h, const struct launch *l, const struct heddle_launch *asked,
                const struct buffer *buffer) {
    u64 most = 0;
    for (u32 i = 0; i < asked->nargs; i++) {
        const struct heddle_arg *arg = &asked->args[i];
        const struct pointer at = bind_pointer(h, arg);
        const struct param *p = at.buffer == buffer ? kernel_param(l->kernel, arg->name) : NULL;
        struct reason why;
        u64 count = 0;
        if (!p || !p->buffer)
            continue;
        if (!p->extent || !*p->extent || !extent_value(l->kernel, p->extent, l->params, &count, &why))
            return 0;
        count = at.offset + count * etypes[p->etype].bytes;
        most = count > most ? count : most;
    }
    return most;
}
