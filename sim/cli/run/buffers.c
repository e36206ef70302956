#include "sim/cli/run/run.h"

#include <string.h>

#include "sim/base/diag.h"
#include "sim/cli/ui.h"
#include "sim/cli/values.h"

/* Fills a buffer. Those of a case exist already; expressions see the scalars of --arg. */
static bool fill(const struct run_tensor *t, const struct run_options *o, struct heddle *h,
                 const struct heddle_program *p, struct run_case *c) {
    const struct heddle_launch l = {.entry = run_entry_count(o) ? run_entry(o, 0) : c->found.entry,
                                    .args = (const struct heddle_arg *)(const void *)o->numbers.data,
                                    .nargs = o->arg_count};
    struct data_place to = {.h = h, .program = p, .launch = &l, .session = c->session};
    to.has_case = c->found.entry != NULL;
    to.empty_nan = o->empty_nan;
    to.quiet = o->quiet;
    bool ok = data_make(&t->data, t->name, &to);
    c->session = to.session;
    return ok;
}

bool run_buffers_make(struct run_options *o, struct heddle *h, const struct heddle_program *p, struct run_case *c) {
    for (u32 i = 0; i < run_tensor_count(o); i++) {
        const struct run_tensor *t = run_tensor_at(o, i);
        if (!fill(t, o, h, p, c))
            return false;
        struct heddle_arg *a = buf_push(&o->numbers, sizeof *a);
        if (!a)
            return ui_error("out of memory");
        *a = (struct heddle_arg){.name = t->name, .buffer = t->name};
    }
    return true;
}

/* ---- --print ---- */

static const char *nth_buffer(const void *ctx, size_t i) {
    return heddle_buffer_name(ctx, (u32)i);
}

static bool find(const struct run_print *p, struct heddle *h, struct heddle_tensor *t, struct values *v) {
    if (heddle_buffer_look(h, p->name, t))
        return values_read("--print", p->given, p->range, t, v);
    const char *near = nearest_name(p->name, heddle_buffer_count(h), nth_buffer, h);
    return ui_option_error("--print", p->given, 0, strlen(p->name), "there is no buffer '%s'%s%s%s", p->name,
                           near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
}

bool run_buffers_check(const struct run_options *o, struct heddle *h) {
    struct heddle_tensor t;
    struct values v;
    bool ok = true;
    for (u32 i = 0; i < run_print_count(o) && ok; i++)
        ok = find(run_print_at(o, i), h, &t, &v);
    return ok;
}

void run_buffers_print(const struct run_options *o, struct heddle *h, struct buf *out) {
    struct heddle_tensor t;
    struct values v;
    for (u32 i = 0; i < run_print_count(o); i++)
        if (find(run_print_at(o, i), h, &t, &v)) {
            buf_puts(out, out->len && !i ? "\n" : "");
            values_print(run_print_at(o, i)->name, &t, &v, out);
        }
}
