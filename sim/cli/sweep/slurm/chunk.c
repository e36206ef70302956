#include "sim/cli/sweep/slurm/chunk.h"

#include "sim/cli/sweep/run/worker.h"
#include "sim/file/stopwatch.h"

enum { TRIALS = 3, CHUNK_MOST = 1000, LOOK_MS = 100 };
static const double TASK_SECONDS = 10;
static const double TRIAL_SECONDS = 5; /* of all points that are tried */

static bool keep(void *ctx, u32 point, enum store_state state, const json_t *row) {
    return collect_row(ctx, point, state, row);
}

/* The missing point that `share` of them precede. */
static u32 missing_at(const struct collect *c, double share) {
    u32 skip = (u32)(share * (c->count[COLLECT_MISSING] - 1)), i = 0;
    for (;; i++)
        if (c->state[i] == COLLECT_MISSING && skip-- == 0)
            return i;
}

/* Axes mostly grow, so the first, the middle and the last point tell more than three in a row. */
bool chunk_choose(struct collect *c, u32 *chunk) {
    struct workers w = {.s = c->s, .ended = keep, .ctx = c};
    double start = stopwatch_now(), used = 0;
    u32 done = 0;
    bool ok = true;
    for (u32 i = 0; i < TRIALS && ok && used < TRIAL_SECONDS && c->count[COLLECT_MISSING]; i++) {
        ok = workers_start(&w, missing_at(c, i / (double)(TRIALS - 1)));
        while (ok && w.busy && used < TRIAL_SECONDS && !progress_interrupted()) {
            ok = workers_listen(&w, LOOK_MS);
            used = stopwatch_now() - start;
            tally_show(&c->tally);
        }
        done += !w.busy;
    }
    bool cut = w.busy > 0;
    workers_kill(&w, NULL); /* it is still missing */
    double one = cut ? TASK_SECONDS : used / (done ? done : 1);
    double points = one > 0 ? TASK_SECONDS / one : (double)CHUNK_MOST;
    *chunk = points < 1 ? 1 : points > (double)CHUNK_MOST ? CHUNK_MOST : (u32)points;
    return ok || tally_broken(&c->tally);
}
