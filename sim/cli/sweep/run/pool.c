/* A sweep on this computer: as many points at a time as there are jobs. Only this process writes to the store. */
#include <stdio.h>

#include "sim/cli/sweep/run/run.h"

enum { LOOK_MS = 100 }; /* between looks at the clock, at Ctrl-C and at the points of other sweeps */

struct pool {
    const struct sweep *s;
    const struct sweep_work *w;
    struct workers workers;
    struct tally tally;
    u32 next;         /* next new point */
    struct buf later; /* list of u32: points that another sweep runs */
};

static bool keep_result(void *ctx, u32 point, enum store_state state, const json_t *row) {
    struct pool *p = ctx;
    return tally_result(&p->tally, point, state, row);
}

static void drop(void *ctx, u32 point) {
    struct pool *p = ctx;
    struct buf ignored = {0};
    store_drop(p->w->store, sweep_point_at(p->s, point)->is.key.text, &ignored);
    buf_free(&ignored);
}

/* Claims a point and starts it, or finds that it need not run. */
static bool look_at(struct pool *p, u32 point) {
    enum store_state state;
    switch (sweep_claim(p->s, p->w->store, point, &state, &p->tally.why)) {
    case STORE_MINE:
        if (workers_start(&p->workers, point))
            return true;
        drop(p, point);
        break;
    case STORE_PRESENT: tally_point(&p->tally, point, true, state, NULL); return true;
    case STORE_TAKEN:
        buf_append(&p->later, &point, sizeof point);
        if (!p->later.failed)
            return true;
        break;
    case STORE_ERROR: break;
    }
    return tally_broken(&p->tally);
}

/* Tries again the points that other sweeps were running; those still running stay in the list. */
static bool look_again(struct pool *p) {
    struct buf list = p->later;
    const u32 *point = (const u32 *)(const void *)list.data;
    size_t n = list.len / sizeof *point, i;
    p->later = (struct buf){0};
    for (i = 0; i < n && p->workers.busy < p->w->jobs && !p->tally.broken; i++)
        look_at(p, point[i]);
    for (; i < n; i++)
        buf_append(&p->later, &point[i], sizeof *point);
    buf_free(&list);
    return !p->tally.broken;
}

static void show(struct pool *p) {
    if (tally_show(&p->tally) && p->later.len && !p->workers.busy)
        fprintf(stderr, ", waiting for another sweep");
}

static bool go_on(const struct pool *p) {
    return !p->tally.broken && !progress_interrupted();
}

static void work(struct pool *p) {
    u32 all = sweep_point_count(p->s);
    while (go_on(p) && (p->next < all || p->workers.busy || p->later.len)) {
        while (p->workers.busy < p->w->jobs && p->next < all && go_on(p)) {
            look_at(p, p->next++);
            show(p);
        }
        workers_listen(&p->workers, LOOK_MS);
        if (p->next == all && p->later.len)
            look_again(p);
        show(p);
        tally_beat(&p->tally);
    }
}

int sweep_work(const struct sweep *s, const struct sweep_work *w) {
    if (w->cluster)
        return sweep_slurm(s, w);
    struct pool p = {.s = s, .w = w};
    p.workers = (struct workers){.s = s, .ended = keep_result, .ctx = &p};
    tally_begin(&p.tally, s, w);
    work(&p);
    workers_kill(&p.workers, drop); /* after Ctrl-C, or if the store cannot be written */
    buf_free(&p.later);
    return tally_end(&p.tally);
}
