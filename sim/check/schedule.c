#include "sim/check/schedule.h"

#include "sim/base/mix.h"
#include "sim/check/turn.h"

static bool ends(void *ctx, struct warp *w) {
    (void)ctx;
    return turn_visible(w);
}

static void begin(void *ctx) {
    struct random_turns *r = ctx;
    r->state = r->seed;
}

/* Any warp, or the first after it that can run. */
static struct warp *choose(void *ctx, struct block *const *resident, u32 count) {
    struct random_turns *r = ctx;
    u32 each = resident[0]->warps, all = count * each, first = (u32)(splitmix_next(&r->state) % all);
    for (u32 k = 0; k < all; k++) {
        u32 n = (first + k) % all;
        struct warp *w = &resident[n / each]->warp[n % each];
        if (!w->done && !w->waiting)
            return w;
    }
    return NULL;
}

const struct chooser *schedule_random(struct random_turns *r) {
    r->chooser = (struct chooser){.begin = begin, .choose = choose, .ends = ends, .ctx = r};
    return &r->chooser;
}
