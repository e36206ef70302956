#include "sim/cli/check_report.h"

#include <string.h>

#include "sim/cli/format.h"
#include "sim/cli/ui.h"

static const char *colour(const char *code) {
    return ui_color(stdout) ? code : "";
}

static const char *plural(u64 n) {
    return n == 1 ? "" : "s";
}

/* "reads", from "read" */
static void print_how(const char *how, struct buf *out) {
    if (how && strncmp(how, "strong ", 7) == 0)
        buf_printf(out, "  %s (strong)s", how + 7);
    else if (how)
        buf_printf(out, "  %s", how);
}

static void print_place(const struct heddle_result *s, const struct heddle_finding_place *p, const char *file,
                        struct buf *out) {
    buf_printf(out, "  %s:%u: %s\n   ", p->file ? p->file : file, p->line, p->text);
    print_how(p->how, out);
    buf_printf(out, " by block %u,%u,%u, warp %u, lane %u", p->block[0], p->block[1], p->block[2], p->warp, p->lane);
    if (s->timed)
        buf_printf(out, " in cycle %s", grouped(p->cycle).text);
    buf_putc(out, '\n');
}

static void print_memory(const struct heddle_finding *f, struct buf *out) {
    if (f->buffer)
        buf_printf(out, " of %s, byte %s", f->buffer, grouped(f->address).text);
    else if (f->space)
        buf_printf(out, " of %s memory, byte %s", f->space, grouped(f->address).text);
    if (f->space && f->bytes > 1)
        buf_printf(out, " to %s", grouped(f->address + f->bytes - 1).text);
}

static void print_finding(const struct heddle_result *s, const struct heddle_finding *f, const char *file,
                          struct buf *out) {
    buf_printf(out, "\n%s%s %s%s: %s", colour("\033[1;31m"), f->kind, f->name, colour("\033[0m"), f->doc);
    print_memory(f, out);
    if (f->count > 1)
        buf_printf(out, "; %s times", grouped(f->count).text);
    buf_putc(out, '\n');
    for (u32 i = 0; i < f->nplaces; i++)
        print_place(s, &f->place[i], file, out);
    buf_puts(out, "  ");
    format_folded(f->text, 2, out);
    buf_putc(out, '\n');
}

void check_report_text(const struct heddle_result *s, const char *file, struct buf *out) {
    u32 most = s->nfindings < CHECK_REPORT_MOST ? s->nfindings : CHECK_REPORT_MOST;
    if (!s->checked)
        return;
    if (s->nfindings == 0)
        buf_printf(out, "no findings by %s", s->checked);
    else
        buf_printf(out, "%s%s finding%s%s by %s", colour("\033[1m"), grouped(s->nfindings).text, plural(s->nfindings),
                   colour("\033[0m"), s->checked);
    buf_printf(out, "; shadow memory %s\n", format_si((double)s->check_memory, "B").text);
    if (s->check_forgotten)
        buf_printf(out, "%s accesses were forgotten to bound it: findings may be missing\n",
                   grouped(s->check_forgotten).text);
    for (u32 i = 0; i < most; i++)
        print_finding(s, &s->findings[i], file, out);
    if (most < s->nfindings)
        buf_printf(out, "\n%s more are in --json FILE\n", grouped(s->nfindings - most).text);
    buf_putc(out, '\n');
}
