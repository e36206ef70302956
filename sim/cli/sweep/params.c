/* Whether the kernel of a point takes what the point gives it, and is given what it takes. */
#include <stdio.h>
#include <string.h>

#include "sim/base/diag.h"
#include "sim/cli/run/run.h"
#include "sim/cli/sweep/sweep.h"
#include "sim/cli/ui.h"

/* The kernels that a point launches, by their numbers in the program. */
struct kernels {
    const struct sweep *s;
    const struct run *r;
    struct buf list; /* u32 each */
};

static u32 count(const struct kernels *k) {
    return (u32)(k->list.len / sizeof(u32));
}

static void add(struct kernels *k, const char *name) {
    struct heddle_kernel_info info;
    for (u32 i = 0; heddle_kernel_info(k->r->program, i, &info); i++)
        if (!name || strcmp(info.name, name) == 0)
            buf_append(&k->list, &i, sizeof i);
}

/* Those that are named, or the only one; of several without a name the launch says so. */
static void find_kernels(struct kernels *k) {
    const struct run_options *o = &k->r->options;
    const char *const *entry = (const char *const *)(const void *)o->entries.data;
    for (u32 i = 0; i < run_entry_count(o); i++)
        add(k, entry[i]);
    if (!run_entry_count(o) && k->r->pressed.found.entry)
        add(k, k->r->pressed.found.entry);
    else if (!run_entry_count(o) && heddle_kernel_count(k->r->program) == 1)
        add(k, NULL);
}

/* The i-th parameter of all kernels together. */
static bool nth_param(const struct kernels *k, size_t i, struct heddle_param_info *p) {
    const u32 *kernel = (const u32 *)(const void *)k->list.data;
    for (u32 n = 0; n < count(k); n++) {
        struct heddle_kernel_info info;
        if (!heddle_kernel_info(k->r->program, kernel[n], &info))
            return false;
        if (i < info.nparams)
            return heddle_param_info(k->r->program, kernel[n], (u32)i, p);
        i -= info.nparams;
    }
    return false;
}

static const char *nth_name(const void *ctx, size_t i) {
    struct heddle_param_info p;
    return nth_param(ctx, i, &p) ? p.name : NULL;
}

/* An axis that gives the parameter; NULL: none. */
static const struct sweep_axis *axis_of(const struct sweep *s, const char *name) {
    for (u32 i = 0; i < s->naxes; i++)
        if (s->axis[i].form == SWEEP_PART && strcmp(s->axis[i].name, name) == 0)
            return &s->axis[i];
    return NULL;
}

/* `given`: the value of the option, which begins with the name. */
static bool mistake(const struct kernels *k, const char *option, const char *given, const char *name,
                    const char *text) {
    const struct sweep_axis *a = axis_of(k->s, name);
    size_t len = strlen(a ? a->axis.name : name);
    const u32 *kernel = (const u32 *)(const void *)k->list.data;
    struct heddle_kernel_info info = {.name = ""};
    heddle_kernel_info(k->r->program, *kernel, &info);
    sweep_mistake(k->s, a ? a->given_by : option, a ? a->axis.given : given, 0, len, "kernel '%s' of %s: %s", info.name,
                  k->r->options.file, text);
    return false;
}

/* Whether a parameter has that name, and takes what is given: a buffer, or a number. */
static bool check(const struct kernels *k, const char *option, const char *given, const char *name, bool buffer) {
    struct heddle_param_info p;
    char text[160];
    size_t n = 0;
    for (; nth_param(k, n, &p); n++)
        if (strcmp(p.name, name) == 0 && p.buffer == buffer)
            return true;
        else if (strcmp(p.name, name) == 0)
            return mistake(k, option, given, name,
                           buffer ? "it takes a number: arg.NAME" : "it takes a buffer: in.NAME");
    const char *near = nearest_name(name, n, nth_name, k);
    snprintf(text, sizeof text, "there is no parameter '%.50s'%s%.50s%s", name, near ? "; did you mean '" : "",
             near ? near : "", near ? "'?" : "");
    return mistake(k, option, given, name, text);
}

static bool check_given(const struct kernels *k) {
    const struct run_options *o = &k->r->options;
    const struct heddle_arg *a = (const struct heddle_arg *)(const void *)o->numbers.data;
    bool ok = true;
    for (u32 i = 0; i < o->arg_count && ok; i++) {
        struct buf given = {0};
        buf_printf(&given, "%s=%s", a[i].name, a[i].text);
        ok = !given.failed && check(k, "--arg", given.data, a[i].name, false);
        buf_free(&given);
    }
    for (u32 i = 0; i < run_tensor_count(o) && ok; i++) {
        const struct run_tensor *t = run_tensor_at(o, i);
        ok = check(k, t->data.option, t->data.given, t->name, true);
    }
    return ok;
}

static bool is_given(const struct run_options *o, const char *name) {
    const struct heddle_arg *a = (const struct heddle_arg *)(const void *)o->numbers.data;
    bool given = false;
    for (u32 i = 0; i < o->arg_count; i++)
        given |= strcmp(a[i].name, name) == 0;
    for (u32 i = 0; i < run_tensor_count(o); i++)
        given |= strcmp(run_tensor_at(o, i)->name, name) == 0;
    return given;
}

/* A case gives the rest. */
static bool check_missing(const struct kernels *k) {
    struct heddle_param_info p;
    for (size_t i = 0; !k->r->pressed.found.entry && nth_param(k, i, &p); i++)
        if (!is_given(&k->r->options, p.name)) {
            ui_error("%s: parameter '%s' is not given: --%s %s=..., or --case 1 for all that is not",
                     k->r->options.file, p.name, p.buffer ? "in" : "arg", p.name);
            return false;
        }
    return true;
}

/* ---- values ---- */

/* The first buffer of the kernels: what it needs follows from numbers, which are read for that. NULL: there is none. */
static const char *any_buffer(const struct kernels *k) {
    struct heddle_param_info p;
    for (size_t i = 0; nth_param(k, i, &p); i++)
        if (p.buffer)
            return p.name;
    return NULL;
}

/* "u32 takes a whole number, not 'x'" of the library's message. */
static void refuse(const struct kernels *k, const struct sweep_axis *a) {
    const char *why = heddle_error(k->r->h), *at = strstr(why, "error: ");
    char text[200];
    at = at ? at + strlen("error: ") : why;
    snprintf(text, sizeof text, "%.*s", (int)strcspn(at, "\n"), at);
    size_t name = strlen(a->axis.name) + 1;
    sweep_mistake(k->s, a->given_by, a->axis.given, name, strlen(a->axis.given + name), "%s", text);
}

/* Whether a parameter takes every value of its axis. */
static bool check_values(const struct kernels *k, const struct sweep_axis *a, const char *buffer) {
    const struct run_options *o = &k->r->options;
    struct buf args = {0};
    const char *type;
    u64 count;
    buf_append(&args, o->numbers.data, o->arg_count * sizeof(struct heddle_arg));
    struct heddle_arg *one = (struct heddle_arg *)(void *)args.data, *end = args.failed ? one : one + o->arg_count;
    while (one < end && strcmp(one->name, a->name) != 0)
        one++;
    const struct heddle_launch l = {.args = (const struct heddle_arg *)(const void *)args.data, .nargs = o->arg_count};
    bool ok = true;
    for (u32 i = 0; i < a->axis.n && one < end && ok; i++) {
        one->text = a->axis.value[i];
        ok = heddle_param_needs(k->r->h, k->r->program, &l, buffer, &type, &count);
    }
    if (!ok)
        refuse(k, a);
    buf_free(&args);
    return ok;
}

static bool check_axes(const struct kernels *k) {
    const char *buffer = any_buffer(k);
    bool ok = true;
    for (u32 i = 0; buffer && !k->r->pressed.found.entry && i < k->s->naxes && ok; i++)
        if (k->s->axis[i].form == SWEEP_PART)
            ok = check_values(k, &k->s->axis[i], buffer);
    return ok;
}

bool sweep_params(const struct sweep *s, const struct run *r) {
    struct kernels k = {.s = s, .r = r};
    find_kernels(&k);
    bool ok = !k.list.failed && (!count(&k) || (check_given(&k) && check_missing(&k) && check_axes(&k)));
    if (k.list.failed)
        ui_error("out of memory");
    buf_free(&k.list);
    return ok;
}
