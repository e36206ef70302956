/* Checks that the kernel of a point accepts the point's arguments, and gets all that it needs. */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "sim/base/diag.h"
#include "sim/cli/run/run.h"
#include "sim/cli/sweep/sweep.h"
#include "sim/cli/ui.h"

/* The kernels that a point launches, by their numbers in the program. */
struct kernels {
    const struct sweep *s;
    const struct run *r;
    struct buf list; /* list of u32 */
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

/* Finds the named kernels, or the only one; the launch reports several without a name. */
static bool find_kernels(struct kernels *k) {
    const struct run_options *o = &k->r->options;
    for (u32 i = 0; i < run_entry_count(o); i++) {
        const char *entry = run_entry(o, i);
        u32 before = count(k);
        add(k, entry);
        if (count(k) > before || k->list.failed)
            continue;
        ui_option_error("--entry", entry, 0, strlen(entry), "there is no kernel '%s' in %s", entry, o->file);
        buf_free(&k->list);
        return false;
    }
    if (!run_entry_count(o) && k->r->pressed.found.entry)
        add(k, k->r->pressed.found.entry);
    else if (!run_entry_count(o) && heddle_kernel_count(k->r->program) == 1)
        add(k, NULL);
    return true;
}

/* Gets the i-th parameter of all kernels together. */
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

/* Finds an axis that sets the parameter; NULL = none. */
static const struct sweep_axis *axis_of(const struct sweep *s, const char *name) {
    for (u32 i = 0; i < s->naxes; i++)
        if (s->axis[i].form == SWEEP_PART && strcmp(s->axis[i].name, name) == 0)
            return &s->axis[i];
    return NULL;
}

/* Reports an error in `given`, the value of the option, which begins with the name. */
static bool mistake(const struct kernels *k, const char *option, const char *given, const char *name,
                    const char *text) {
    const struct sweep_axis *a = axis_of(k->s, name);
    size_t len = strlen(a ? a->axis.name : name);
    const u32 *kernel = (const u32 *)(const void *)k->list.data;
    struct heddle_kernel_info info = {.name = ""};
    heddle_kernel_info(k->r->program, *kernel, &info);
    return ui_option_error(a ? a->given_by : option, a ? a->axis.given : given, 0, len, "kernel '%s' of %s: %s",
                           info.name, k->r->options.file, text);
}

/* Checks that a parameter has that name and kind, a buffer or a number. */
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

static const struct heddle_arg *args_of(const struct kernels *k) {
    return (const struct heddle_arg *)(const void *)k->r->options.numbers.data;
}

/* Puts each --arg to a check, which also gets its text. */
static bool each_arg(const struct kernels *k, bool (*accepts)(const struct kernels *k, u32 i, const char *given)) {
    bool ok = true;
    for (u32 i = 0; i < k->r->options.arg_count && ok; i++) {
        struct buf given = {0};
        buf_printf(&given, "%s=%s", args_of(k)[i].name, args_of(k)[i].text);
        ok = !given.failed && accepts(k, i, given.data);
        buf_free(&given);
    }
    return ok;
}

static bool names_number(const struct kernels *k, u32 i, const char *given) {
    return check(k, "--arg", given, args_of(k)[i].name, false);
}

static bool check_names(const struct kernels *k) {
    bool ok = each_arg(k, names_number);
    for (u32 i = 0; i < run_tensor_count(&k->r->options) && ok; i++) {
        const struct run_tensor *t = run_tensor_at(&k->r->options, i);
        ok = check(k, t->data.option, t->data.given, t->name, true);
    }
    return ok;
}

static bool is_given(const struct kernels *k, const char *name) {
    const struct run_options *o = &k->r->options;
    bool given = false;
    for (u32 i = 0; i < o->arg_count; i++)
        given |= strcmp(args_of(k)[i].name, name) == 0;
    for (u32 i = 0; i < run_tensor_count(o); i++)
        given |= strcmp(run_tensor_at(o, i)->name, name) == 0;
    return given;
}

/* Checks that no parameter is missing; a case gives the rest. */
static bool check_missing(const struct kernels *k) {
    struct heddle_param_info p;
    for (size_t i = 0; !k->r->pressed.found.entry && nth_param(k, i, &p); i++)
        if (!is_given(k, p.name))
            return ui_error("%s: parameter '%s' is not given: --%s %s=..., or --case 1 for all that is not",
                            k->r->options.file, p.name, p.buffer ? "in" : "arg", p.name);
    return true;
}

/* ---- values ---- */

/* Finds the value in the axis's text: all of its values if it is one of a range. */
static size_t place_of(const struct axis *a, const char *value, size_t *len) {
    const char *first = a->given + strlen(a->name) + 1;
    *len = strlen(value);
    for (const char *at = first; (at = strstr(at, value)); at++)
        if ((at == first || at[-1] == ',') && (!at[*len] || at[*len] == ','))
            return (size_t)(at - a->given);
    *len = strlen(first);
    return (size_t)(first - a->given);
}

/* True for NaN, in any case and with a sign; as an axis it has no place among the numbers. */
static bool is_nan(const char *text) {
    return strcasecmp(text + (*text == '-' || *text == '+'), "nan") == 0;
}

static bool refuse_nan(const struct sweep_axis *a, const char *value) {
    size_t len, place = place_of(&a->axis, value, &len);
    return ui_option_error(a->given_by, a->axis.given, place, len,
                           "an axis takes values that can be compared, not '%s'", value);
}

/* Refuses a value with the text of the library's message: "u32 takes a whole number, not 'x'". */
static bool refuse(const struct kernels *k, const struct sweep_axis *a, const char *value) {
    const char *why = heddle_error(k->r->h), *at = strstr(why, "error: ");
    char text[200];
    size_t len;
    at = at ? at + strlen("error: ") : why;
    snprintf(text, sizeof text, "%.*s", (int)strcspn(at, "\n"), at);
    if (a) {
        size_t place = place_of(&a->axis, value, &len);
        ui_option_error(a->given_by, a->axis.given, place, len, "%s", text);
    } else {
        size_t at_value = strcspn(value, "=") + 1;
        ui_option_error("--arg", value, at_value, strlen(value + at_value), "%s", text);
    }
    return false;
}

/* Checks that the kernels with the parameter accept the value, from an axis or else the option `given`. */
static bool takes(const struct kernels *k, const struct sweep_axis *a, const struct heddle_arg *arg,
                  const char *given) {
    const u32 *kernel = (const u32 *)(const void *)k->list.data;
    for (u32 n = 0; n < count(k); n++) {
        struct heddle_param_info p;
        for (u32 i = 0; heddle_param_info(k->r->program, kernel[n], i, &p); i++)
            if (strcmp(p.name, arg->name) == 0 && !heddle_param_takes(k->r->h, k->r->program, kernel[n], arg))
                return refuse(k, a, given);
    }
    return true;
}

static bool check_axes(const struct kernels *k) {
    bool ok = true;
    for (u32 i = 0; i < k->s->naxes && ok; i++) {
        const struct sweep_axis *a = &k->s->axis[i];
        bool number = a->form == SWEEP_PART && strcmp(a->option, "--arg") == 0;
        for (u32 v = 0; number && v < a->axis.n && ok; v++)
            ok = is_nan(a->axis.value[v])
                     ? refuse_nan(a, a->axis.value[v])
                     : takes(k, a, &(struct heddle_arg){.name = a->name, .text = a->axis.value[v]}, a->axis.value[v]);
    }
    return ok;
}

/* Checks the value of an --arg, which no axis sets. */
static bool arg_fits(const struct kernels *k, u32 i, const char *given) {
    bool ok = takes(k, NULL, &args_of(k)[i], given);
    for (u32 other = 0; other < i && ok; other++)
        if (strcmp(args_of(k)[other].name, args_of(k)[i].name) == 0)
            ok = mistake(k, "--arg", given, args_of(k)[i].name, "it is given twice");
    return ok;
}

bool sweep_params(const struct sweep *s, const struct run *r) {
    struct kernels k = {.s = s, .r = r};
    if (!find_kernels(&k))
        return false;
    bool ok = !k.list.failed &&
              (!count(&k) || (check_names(&k) && check_missing(&k) && check_axes(&k) && each_arg(&k, arg_fits)));
    if (k.list.failed)
        ui_error("out of memory");
    buf_free(&k.list);
    return ok;
}
