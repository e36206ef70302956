#include "sim/cli/run/report.h"

#include <string.h>

static u32 columns(void) {
    struct heddle_column_info column;
    u32 n = 0;
    while (heddle_line_column(n, &column))
        n++;
    return n;
}

/* Copies the counts, to add others to them. */
static bool copy_counts(struct heddle_line_count *l, u32 stalls, u32 values, struct arena *arena) {
    u64 *own = l->stall ? arena_alloc(arena, (stalls + values) * sizeof *own) : NULL;
    if (!l->stall)
        return true;
    if (!own)
        return false;
    memcpy(own, l->stall, stalls * sizeof *own);
    memcpy(own + stalls, l->value, values * sizeof *own);
    l->stall = own;
    l->value = own + stalls;
    return true;
}

static void add_counts(struct heddle_line_count *to, const struct heddle_line_count *from, u32 stalls, u32 values) {
    to->warp_instructions += from->warp_instructions;
    to->lanes += from->lanes;
    u64 *own = (u64 *)(uintptr_t)to->stall;
    for (u32 i = 0; own && i < stalls + values; i++)
        own[i] += i < stalls ? from->stall[i] : from->value[i - stalls];
}

struct line_sum *line_sums(const struct heddle_result *s, bool each, struct arena *arena, u32 *n) {
    u32 pcs = s->nlines ? s->lines[s->nlines - 1].pc + 1 : 0, values = columns();
    struct line_sum *list = arena_alloc(arena, s->nlines * sizeof *list);
    u32 *known = arena_alloc(arena, pcs * sizeof *known); /* number + 1 of the sum of each first round */
    *n = 0;
    for (u32 i = 0; list && known && i < s->nlines; i++) {
        const struct heddle_line_count *l = &s->lines[i];
        u32 at = each ? 0 : known[l->first];
        if (at) {
            add_counts(&list[at - 1].line, l, s->nstalls, values);
            list[at - 1].rounds++;
            continue;
        }
        list[*n] = (struct line_sum){*l, 1};
        if (!copy_counts(&list[*n].line, s->nstalls, values, arena))
            return NULL;
        if (!each)
            list[*n].line.text = l->rounds;
        known[l->first] = ++*n;
    }
    return known ? list : NULL;
}

bool line_sums_repeat(const struct line_sum *list, u32 n) {
    bool any = false;
    for (u32 i = 0; i < n; i++)
        any |= list[i].rounds > 1;
    return any;
}
