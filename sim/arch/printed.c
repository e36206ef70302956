#include "sim/arch/printed.h"

#include <stdlib.h>
#include <string.h>

#include "isa/conversion.h"
#include "sim/arch/state.h"
#include "sim/base/bits.h"

static int compare(const struct printed_key *a, const struct printed_key *b) {
    if (a->block != b->block)
        return a->block < b->block ? -1 : 1;
    if (a->warp != b->warp)
        return a->warp < b->warp ? -1 : 1;
    return a->order < b->order ? -1 : a->order > b->order;
}

static int by_key(const void *a, const void *b) {
    return compare(&((const struct printed_line *)a)->key, &((const struct printed_line *)b)->key);
}

static void drop_from(struct printed *p, const struct printed_key *least) {
    if (!p->cut || compare(least, &p->least) < 0)
        p->least = *least;
    p->cut = true;
}

static bool is_dropped(const struct printed *p, const struct printed_key *k) {
    return p->cut && compare(k, &p->least) >= 0;
}

/* Adds a line, whose text is the end of the texts; `key` is that of its run. */
static void keep(struct printed *p, struct printed_line line, const char *text, size_t len) {
    struct printed_line *to = buf_push(&p->lines, sizeof *to);
    if (!to)
        return;
    line.at = (u32)p->texts.len;
    line.len = (u32)len;
    *to = line;
    buf_append(&p->texts, text, len + 1);
    p->size += len + PRINTED_LINE;
}

void printed_close(struct printed *p) {
    struct buf lines = p->lines, texts = p->texts;
    const struct printed_line *from = (const struct printed_line *)(const void *)lines.data;
    size_t n = lines.len / sizeof *from;
    if (n == 0 || printed_failed(p))
        return;
    qsort(lines.data, n, sizeof *from, by_key);
    p->lines = (struct buf){.budget = lines.budget};
    p->texts = (struct buf){.budget = texts.budget};
    p->size = 0;
    for (size_t i = 0; i < n && !printed_failed(p); i++) {
        if (p->size + from[i].len + PRINTED_LINE > PRINTED_MAX)
            drop_from(p, &from[i].key);
        if (is_dropped(p, &from[i].key))
            break;
        keep(p, from[i], texts.data + from[i].at, from[i].len);
    }
    buf_free(&lines);
    buf_free(&texts);
}

/* Keeps the memory of a run bounded: sorting that much is rare, and a small part of the time that printing it took. */
static void settle(struct printed *p) {
    if (p->size > 2 * (u64)PRINTED_MAX)
        printed_close(p);
}

static u64 block_number(const struct run *run, const struct block *b) {
    return b->index[0] + (u64)run->grid_dim[0] * (b->index[1] + (u64)run->grid_dim[1] * b->index[2]);
}

void printed_warp(struct printed *p, const struct warp *w, const struct uop *u, const u32 *const value[]) {
    const char *text = w->run->launch->program->message[u->imm - 1];
    struct printed_line line = {.key = {block_number(w->run, w->block), p->made, w->index}, .pc = w->pc - 1};
    struct conversions c;
    struct buf out = {.budget = p->texts.budget};
    p->made += ones_of(w->exec);
    if (is_dropped(p, &line.key) || conversions_read(text, &c))
        return;
    for (u64 left = w->exec; left; left &= left - 1, line.key.order++) {
        u64 v[CONVERSIONS_MAX] = {0};
        line.lane = first_lane(left);
        for (u32 i = 0; i < c.count; i++)
            v[i] = value[i][line.lane] | (c.of[i].words > 1 ? (u64)value[i][line.lane + w->run->width] << 32 : 0);
        out.len = 0;
        conversions_print(text, &c, v, &out);
        p->texts.failed |= out.failed;
        if (!out.failed)
            keep(p, line, out.data, out.len);
    }
    buf_free(&out);
    settle(p);
}

void printed_add(struct printed *all, struct printed *own) {
    all->made += own->made;
    all->texts.failed |= printed_failed(own);
    for (u32 i = 0; i < printed_count(own) && !printed_failed(all); i++) {
        const struct printed_line *line = printed_at(own, i);
        keep(all, *line, own->texts.data + line->at, line->len);
    }
    if (own->cut)
        drop_from(all, &own->least);
    printed_free(own);
    settle(all);
}

void printed_free(struct printed *p) {
    buf_free(&p->lines);
    buf_free(&p->texts);
    *p = (struct printed){.lines.budget = p->lines.budget, .texts.budget = p->texts.budget};
}
