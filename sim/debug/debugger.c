/* The debugger's functions of heddle.h. */
#include "sim/base/arena.h"
#include "sim/debug/values.h"

struct heddle_debugger {
    struct arena arena; /* holds this struct */
    struct debug d;
};

struct heddle_debugger *heddle_debugger_new(struct heddle *h, const struct heddle_program *p,
                                            const struct heddle_result *result) {
    struct arena arena = {0};
    struct heddle_state s;
    struct heddle_debugger *d = arena_alloc(&arena, sizeof *d);
    if (!d)
        return NULL;
    d->arena = arena;
    if (debug_begin(&d->d, h, p, result))
        return d;
    heddle_debugger_free(d);
    heddle_state(h, 0, 0, 0, &s); /* leaves its reason in heddle_error */
    return NULL;
}

void heddle_debugger_free(struct heddle_debugger *d) {
    if (!d)
        return;
    struct arena arena = d->arena;
    debug_free(&d->d);
    arena_free(&arena);
}

bool heddle_debugger_command(struct heddle_debugger *d, const char *line, const char **text) {
    bool done = debug_command(&d->d, line);
    const struct buf *said = done ? &d->d.out : &d->d.error;
    *text = said->len ? said->data : "";
    return done;
}

struct heddle_debugger_place heddle_debugger_place(const struct heddle_debugger *d) {
    return (struct heddle_debugger_place){d->d.block, d->d.warp, d->d.cycle, d->d.at, d->d.left};
}

bool heddle_debugger_go(struct heddle_debugger *d, uint64_t block, uint32_t warp, uint64_t events) {
    struct heddle_state s;
    if (heddle_recording(d->d.h) != d->d.recording || !heddle_state(d->d.h, block, warp, d->d.events, &s))
        return false;
    debug_move(&d->d, events < d->d.events ? events : d->d.events, block, warp);
    return true;
}

bool heddle_debugger_touches(struct heddle_debugger *d, const struct heddle_range *range,
                             void (*touched)(void *ctx, const struct heddle_touch *touch), void *ctx) {
    return heddle_recording(d->d.h) == d->d.recording && memory_touches(&d->d, range, touched, ctx);
}
