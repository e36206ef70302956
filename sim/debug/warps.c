#include "sim/debug/warps.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int by_block(const void *a, const void *b) {
    const struct warp_of *x = a, *y = b;
    if (x->block != y->block)
        return x->block < y->block ? -1 : 1;
    return (x->warp > y->warp) - (x->warp < y->warp);
}

void warps_recorded(const struct heddle *h, struct buf *list) {
    struct heddle_event e;
    for (u64 i = 0; heddle_event(h, i, &e); i++) {
        const char *kind = heddle_event_kind(e.kind, NULL, NULL, NULL);
        struct warp_of w = {e.block, e.warp};
        if (strcmp(kind, "begin") == 0 || strcmp(kind, "state") == 0)
            buf_append(list, &w, sizeof w);
    }
    if (list->len)
        qsort(list->data, list->len / sizeof(struct warp_of), sizeof(struct warp_of), by_block);
}

struct short_text warps_name(const struct heddle_program *p, u32 pc, const char *kind, u32 number) {
    struct heddle_name_info n;
    struct heddle_instruction_info here;
    struct short_text found = {""};
    if (!heddle_instruction_info(p, pc, &here))
        return found;
    for (u32 i = 0; heddle_name_info(p, i, &n); i++) {
        u32 offset = number - n.number;
        if (strcmp(n.kind, kind) != 0 || number < n.number || offset >= n.count || strcmp(n.kernel, here.kernel) != 0)
            continue;
        snprintf(found.text, sizeof found.text, offset ? "%.30s+%u" : "%.30s", n.name, offset);
    }
    return found;
}

void warps_put_head(struct buf *out) {
    buf_printf(out, "%11s %4s  %5s  %-18s %s\n", "block.warp", "SM", "line", "waits for", "next instruction");
}

void warps_put_line(const struct heddle_program *p, const struct warp_of *w, const struct heddle_state *s, u64 cycle,
                    struct buf *out) {
    struct heddle_instruction_info i = {.text = ""};
    heddle_instruction_info(p, s->pc, &i);
    buf_printf(out, "%6llu.%-4u %4u  %5u  %-18s %s\n", (unsigned long long)w->block, w->warp, s->sm, i.line,
               s->reason && s->until > cycle ? s->reason : "-", i.text);
}
