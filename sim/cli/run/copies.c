/*
 * Copies between host and board (--link): buffers that have content before the first launch are copied to the board,
 * one after the other, those that a kernel may write back to the host after the last one. Nothing overlaps: kernels
 * begin when all has been copied.
 */
#include <stdio.h>
#include <string.h>

#include "sim/cli/format.h"
#include "sim/cli/run/report.h"
#include "sim/cli/ui.h"

bool run_copies_option(const char *name) {
    struct heddle_link_info link;
    struct buf names = {0};
    bool found = false;
    for (u32 i = 0; heddle_link_info(i, &link); i++) {
        found |= strcmp(link.name, name) == 0;
        buf_printf(&names, "%s%s", i ? ", " : "", link.name);
    }
    if (!found)
        ui_error("--link: there is no link '%.40s'; there are %s", name, names.data ? names.data : "none");
    buf_free(&names);
    return found;
}

/* Adds the copy of a buffer to a sum. */
static void add(struct run_report *r, const char *buffer, struct run_copy *to) {
    struct heddle_tensor t;
    struct heddle_transferred moved;
    if (!heddle_buffer_look(r->h, buffer, &t))
        return;
    const struct heddle_transfer copy = {.link = r->options->link, .bytes = t.bytes};
    if (!heddle_transfer(r->h, &copy, &moved))
        BUG("a link that is none");
    to->bytes += t.bytes;
    to->seconds += moved.us * 1e-6;
    to->joules += moved.joules;
}

void run_copies_begin(struct run_report *r) {
    struct heddle_tensor t;
    const char *name;
    for (u32 i = 0; r->options->link && (name = heddle_buffer_name(r->h, i)) != NULL; i++)
        if (heddle_buffer_look(r->h, name, &t) && t.written)
            add(r, name, &r->copied_in);
}

bool run_parameter(const struct heddle_program *p, const char *kernel, const char *name,
                   struct heddle_param_info *info) {
    struct heddle_kernel_info k;
    for (u32 i = 0; heddle_kernel_info(p, i, &k); i++)
        for (u32 n = 0; (!kernel || strcmp(k.name, kernel) == 0) && heddle_param_info(p, i, n, info); n++)
            if (strcmp(info->name, name) == 0)
                return true;
    return false;
}

void run_copies_note(struct run_report *r, const struct heddle_launch *l, const char *kernel) {
    for (u32 i = 0; r->options->link && i < l->nargs; i++) {
        const char *buffer = l->args[i].buffer;
        struct heddle_param_info p;
        bool seen = !buffer || !run_parameter(r->program, kernel, l->args[i].name, &p) || !p.written;
        for (u32 k = 0; !seen && k < run_written_count(r); k++)
            seen = strcmp(*run_written_at(r, k), buffer) == 0;
        if (!seen)
            buf_append(&r->written, &buffer, sizeof buffer);
    }
}

void run_copies_end(struct run_report *r) {
    for (u32 k = 0; k < run_written_count(r); k++)
        add(r, *run_written_at(r, k), &r->copied_out);
}

void run_copies_text(const struct run_report *r, struct buf *out) {
    const struct run_copy *in = &r->copied_in, *back = &r->copied_out;
    double copies = in->seconds + back->seconds, all = copies + r->seconds;
    if (!r->options->link)
        return;
    buf_printf(out, "copies by %s: %s bytes to the board in %s, ", r->options->link, grouped(in->bytes).text,
               format_si(in->seconds, "s").text);
    buf_printf(out, "%s back in %s", grouped(back->bytes).text, format_si(back->seconds, "s").text);
    if (r->timed)
        buf_printf(out, ": %s of %s with the launch%s", format_share(copies, all).text, format_si(all, "s").text,
                   r->planned > 1 ? "es" : "");
    buf_printf(out, "; %s\n", format_si(in->joules + back->joules, "J").text);
}

json_t *run_copy_json(const struct run_copy *c) {
    return json_make("{s:o,s:o,s:o}", "bytes", json_u64(c->bytes), "seconds", json_number(c->seconds), "joules",
                     json_number(c->joules));
}

json_t *run_copies_json(const struct run_report *r) {
    return json_make("{s:s,s:o,s:o}", "link", r->options->link, "in", run_copy_json(&r->copied_in), "out",
                     run_copy_json(&r->copied_out));
}
