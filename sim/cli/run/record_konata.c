/*
 * Kanata 0004, the format of Konata: a line for each event of an instruction, in the order of cycles. Here an
 * instruction is one issue of a warp, and a warp a thread:
 *
 *      lane 0   W waits | I issues | X until its results can be read       lane 1   reason of the wait
 */
#include "sim/cli/run/record.h"

#include <stdlib.h>
#include <string.h>

#include "sim/cli/run/report.h"

#define NONE UINT32_MAX

struct warp {
    u64 block;
    u32 warp;
    u32 next; /* issue that it waits for; NONE = none */
    u32 open; /* last issue with unknown results; NONE = none */
};

struct issue {
    u64 cycle, done; /* UINT64_MAX = not known */
    u32 pc, warp;
    u32 open; /* the warp's issue before it with unknown results */
    u32 id;   /* number in the file */
};

/* Steps of one cycle, in the order of their lines. */
enum step { RETIRE, BEGIN, STALL_END, STALL, ISSUE, EXECUTE };

struct line {
    u64 cycle;
    u32 step, issue, reason, number;
};

struct konata {
    const struct heddle *h;
    struct buf warps, issues, lines; /* lists of struct warp, issue and line */
    u64 last;
};

static struct warp *warps(const struct konata *k) {
    return (struct warp *)(void *)k->warps.data;
}

static struct issue *issues(const struct konata *k) {
    return (struct issue *)(void *)k->issues.data;
}

static int by_block(const void *a, const void *b) {
    const struct warp *x = a, *y = b;
    if (x->block != y->block)
        return x->block < y->block ? -1 : 1;
    return (x->warp > y->warp) - (x->warp < y->warp);
}

static int by_cycle(const void *a, const void *b) {
    const struct line *x = a, *y = b;
    if (x->cycle != y->cycle)
        return x->cycle < y->cycle ? -1 : 1;
    if (x->step != y->step && (x->step == RETIRE || y->step == RETIRE))
        return x->step == RETIRE ? -1 : 1;
    return (x->number > y->number) - (x->number < y->number);
}

static bool is(const struct heddle_event *e, const char *kind) {
    return strcmp(heddle_event_kind(e->kind, NULL, NULL, NULL), kind) == 0;
}

static void list_warps(struct konata *k) {
    struct heddle_event e;
    for (u64 i = 0; heddle_event(k->h, i, &e); i++) {
        struct warp *w = is(&e, "begin") || is(&e, "state") ? buf_push(&k->warps, sizeof *w) : NULL;
        if (w)
            *w = (struct warp){e.block, e.warp, NONE, NONE};
    }
    if (k->warps.len)
        qsort(k->warps.data, k->warps.len / sizeof(struct warp), sizeof(struct warp), by_block);
}

static struct warp *warp_of(const struct konata *k, const struct heddle_event *e) {
    const struct warp key = {.block = e->block, .warp = e->warp};
    return k->warps.len ? bsearch(&key, warps(k), k->warps.len / sizeof key, sizeof key, by_block) : NULL;
}

static void add_line(struct konata *k, u64 cycle, enum step step, u32 issue, u32 reason) {
    u32 number = (u32)(k->lines.len / sizeof(struct line));
    struct line *l = buf_push(&k->lines, sizeof *l);
    if (l)
        *l = (struct line){cycle, step, issue, reason, number};
    k->last = cycle > k->last ? cycle : k->last;
}

/* Finds the issue that the warp waits for, which begins now if it has not yet; NONE when out of memory. */
static u32 issue_of(struct konata *k, struct warp *w, const struct heddle_event *e) {
    if (w->next != NONE)
        return w->next;
    u32 index = (u32)(k->issues.len / sizeof(struct issue));
    struct issue *i = buf_push(&k->issues, sizeof *i);
    if (!i)
        return NONE;
    *i = (struct issue){UINT64_MAX, UINT64_MAX, e->pc, (u32)(w - warps(k)), NONE, 0};
    w->next = index;
    add_line(k, e->cycle, BEGIN, index, NONE);
    return index;
}

static void add_wait(struct konata *k, struct warp *w, const struct heddle_event *e) {
    u32 index = issue_of(k, w, e);
    if (index == NONE)
        return;
    add_line(k, e->cycle, STALL, index, (u32)e->value[1]);
    add_line(k, e->value[0], STALL_END, index, (u32)e->value[1]);
}

static void add_issue(struct konata *k, struct warp *w, const struct heddle_event *e) {
    u32 index = issue_of(k, w, e);
    u64 ready = e->value[4];
    if (index == NONE)
        return;
    struct issue *i = &issues(k)[index];
    w->next = NONE;
    i->cycle = e->cycle;
    add_line(k, e->cycle, ISSUE, index, NONE);
    if (ready > e->cycle + 1)
        add_line(k, e->cycle + 1, EXECUTE, index, NONE);
    if (ready != UINT64_MAX) {
        i->done = ready > e->cycle ? ready : e->cycle + 1;
        add_line(k, i->done, RETIRE, index, NONE);
    } else {
        i->open = w->open;
        w->open = index;
    }
}

/* Ends the oldest load at that pc with unknown results. */
static void add_arrival(struct konata *k, struct warp *w, const struct heddle_event *e) {
    u32 *link = &w->open, *found = NULL;
    for (; *link != NONE; link = &issues(k)[*link].open)
        if (issues(k)[*link].pc == e->pc)
            found = link;
    if (!found)
        return;
    struct issue *i = &issues(k)[*found];
    i->done = e->cycle;
    add_line(k, e->cycle, RETIRE, *found, NONE);
    *found = i->open;
}

static void read_events(struct konata *k) {
    struct heddle_event e;
    for (u64 i = 0; heddle_event(k->h, i, &e); i++) {
        struct warp *w = e.warp == UINT32_MAX ? NULL : warp_of(k, &e);
        if (w && is(&e, "wait"))
            add_wait(k, w, &e);
        else if (w && is(&e, "issue"))
            add_issue(k, w, &e);
        else if (w && is(&e, "arrive"))
            add_arrival(k, w, &e);
    }
    u64 end = k->last + 1;
    for (u32 i = 0; i < k->issues.len / sizeof(struct issue); i++)
        if (issues(k)[i].done == UINT64_MAX) /* before the recording ends */
            add_line(k, end, RETIRE, i, NONE);
}

static void put_begin(const struct konata *k, const struct issue *i, const struct heddle_line_count *l, u64 now,
                      struct buf *out) {
    const struct warp *w = &warps(k)[i->warp];
    const u32 id = i->id;
    buf_printf(out, "I\t%u\t%u\t%u\nL\t%u\t0\tblock %llu warp %u: %s\nL\t%u\t1\tline %u, pc %u\n", id, id, i->warp, id,
               (unsigned long long)w->block, w->warp, l ? l->text : "", id, l ? l->line : 0, i->pc);
    if (i->cycle != now)
        buf_printf(out, "S\t%u\t0\tW\n", id);
}

static void put_lines(const struct run_report *r, const struct konata *k, struct buf *out) {
    const struct line *l = (const struct line *)(const void *)k->lines.data;
    u64 now = k->lines.len ? l->cycle : 0;
    u32 begun = 0, ended = 0;
    buf_printf(out, "Kanata\t0004\nC=\t%llu\n", (unsigned long long)now);
    for (size_t n = k->lines.len / sizeof *l; n--; l++) {
        struct issue *i = &issues(k)[l->issue];
        if (l->cycle > now)
            buf_printf(out, "C\t%llu\n", (unsigned long long)(l->cycle - now));
        now = l->cycle;
        switch ((enum step)l->step) {
        case BEGIN:
            i->id = begun++;
            put_begin(k, i, run_record_line(r->last, i->pc), now, out);
            break;
        case STALL: buf_printf(out, "S\t%u\t1\t%s\n", i->id, heddle_stall_name(l->reason, NULL)); break;
        case STALL_END: buf_printf(out, "E\t%u\t1\t%s\n", i->id, heddle_stall_name(l->reason, NULL)); break;
        case ISSUE: buf_printf(out, "S\t%u\t0\tI\n", i->id); break;
        case EXECUTE: buf_printf(out, "S\t%u\t0\tX\n", i->id); break;
        case RETIRE: buf_printf(out, "R\t%u\t%u\t%d\n", i->id, ended++, i->done == UINT64_MAX); break;
        }
    }
}

bool run_record_konata(const struct run_report *r, struct buf *out) {
    struct konata k = {.h = r->h};
    list_warps(&k);
    read_events(&k);
    if (k.lines.len)
        qsort(k.lines.data, k.lines.len / sizeof(struct line), sizeof(struct line), by_cycle);
    bool ok = !k.warps.failed && !k.issues.failed && !k.lines.failed;
    if (ok)
        put_lines(r, &k, out);
    buf_free(&k.warps);
    buf_free(&k.issues);
    buf_free(&k.lines);
    return ok && !out->failed;
}
