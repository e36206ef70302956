#include "sim/cli/run/report_schedule.h"

#include <stdio.h>
#include <string.h>

#include "sim/cli/format.h"
#include "sim/cli/ui.h"

static const char *colour(const char *code) {
    return ui_color(stdout) ? code : "";
}

/* Prints "  block 0, warp 1, lane 3 reads y[32]       k.hd:12: ld.global.b32 r4, [r2]". */
static void print_step(const struct heddle_order_step *s, const char *file, struct buf *out) {
    struct buf who = {0};
    buf_printf(&who, "block %s, warp %u", format_dims(s->block).text, s->warp);
    if (strcmp(s->how, "arrives at") != 0)
        buf_printf(&who, ", lane %u", s->lane);
    buf_printf(&who, " %s %s", s->how, s->what);
    buf_printf(out, "    %-52s  %s:%u: %s\n", who.failed ? "" : who.data, s->file ? s->file : file, s->line, s->text);
    out->failed |= who.failed;
    buf_free(&who);
}

static void print_order(const struct heddle_orders *o, u32 i, const char *file, struct buf *out) {
    const struct heddle_order *one = &o->order[i];
    buf_printf(out, "\n  in %s order", i ? "the other" : "one");
    if (one->value)
        buf_printf(out, ", %s[%llu] = %s", o->buffer, (unsigned long long)o->element, one->value);
    buf_puts(out, one->nsteps ? ":\n" : "\n");
    for (u32 k = 0; k < one->nsteps; k++)
        print_step(&one->steps[k], file, out);
    if (!one->message) {
        buf_puts(out, one->value ? "" : "    and the launch ends without a fault\n");
        return;
    }
    for (const char *line = one->message; *line; line += strcspn(line, "\n") + 1)
        buf_printf(out, "    %.*s\n", (int)strcspn(line, "\n"), line);
}

void schedule_report_text(const struct heddle_result *s, const char *file, struct buf *out) {
    const struct heddle_orders *o = s->orders;
    if (!o)
        return;
    buf_printf(out, "%s%s%s\n", o->same ? "" : colour("\033[1;31m"), o->text, o->same ? "" : colour("\033[0m"));
    for (u32 i = 0; i < 2 && !o->same; i++)
        print_order(o, i, file, out);
    if (!o->same)
        buf_printf(out, "\n  %s orders were executed until this one was found\n", grouped(o->executed).text);
    buf_putc(out, '\n');
}

static json_t *json_dims(const u32 d[3]) {
    return json_make("[I,I,I]", (json_int_t)d[0], (json_int_t)d[1], (json_int_t)d[2]);
}

static json_t *json_order(const struct heddle_order *o) {
    json_t *steps = json_list(), *one = json_new();
    for (u32 i = 0; i < o->nsteps; i++) {
        const struct heddle_order_step *s = &o->steps[i];
        json_add(steps,
                 json_make("{s:s,s:s,s:I,s:s*,s:s,s:s,s:o,s:I,s:I}", "how", s->how, "what", s->what, "line",
                           (json_int_t)s->line, "file", s->file, "text", s->disassembly, "source", s->text, "block",
                           json_dims(s->block), "warp", (json_int_t)s->warp, "lane", (json_int_t)s->lane));
    }
    json_put(one, "value", o->value ? json_text(o->value) : json_null());
    json_put(one, "fault", o->fault.kind ? json_text(o->fault.kind) : json_null());
    json_put(one, "message", o->message ? json_text(o->message) : json_null());
    json_put(one, "steps", steps);
    return one;
}

json_t *schedule_report_json(const struct heddle_result *s) {
    const struct heddle_orders *o = s->orders;
    json_t *all = json_make("{s:o,s:o,s:b,s:b,s:s}", "executed", json_u64(o->executed), "bound", json_u64(o->bound),
                            "all", (int)o->all, "same", (int)o->same, "text", o->text);
    if (o->buffer) {
        json_put(all, "buffer", json_text(o->buffer));
        json_put(all, "element", json_u64(o->element));
    }
    if (!o->same) {
        json_t *both = json_list();
        for (u32 i = 0; i < 2; i++)
            json_add(both, json_order(&o->order[i]));
        json_put(all, "order", both);
    }
    return all;
}
