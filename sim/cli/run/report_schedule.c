#include "sim/cli/run/report.h"

#include <stdio.h>
#include <string.h>

#include "sim/cli/format.h"
#include "sim/cli/ui.h"

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
    for (const char *line = one->message; *line; line += strcspn(line, "\n") + 1) {
        ui_put_rows(out, line, strcspn(line, "\n"), 4);
        buf_putc(out, '\n');
    }
}

void schedule_report_text(const struct heddle_result *s, const char *file, struct buf *out) {
    const struct heddle_orders *o = s->orders;
    if (!o)
        return;
    buf_printf(out, "%s%s%s\n", o->same ? "" : ui_paint("\033[1;31m"), o->text, o->same ? "" : ui_paint("\033[0m"));
    for (u32 i = 0; i < 2 && !o->same; i++)
        print_order(o, i, file, out);
    if (!o->same)
        buf_printf(out, "\n  %s orders were executed until this one was found\n", grouped(o->executed).text);
    buf_putc(out, '\n');
}
