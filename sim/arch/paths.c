/*
 * Paths: by the hardware's rules lanes of a warp that wait for one another all get on, as since Volta.
 *
 * A warp begins with one path, its stack of divergence (warp.c). While lanes run, others of the warp may wait below
 * them, and do until a turn ends: the running lanes have gone back POLLS times in a row after they accessed the same
 * addresses as before, as who waits for a lock or a flag does; or BRANCHES times, whatever they access. Then those
 * below become a path of their own, with the part of the stack that is theirs. No two paths have a lane in common, so
 * any order of them is one that a machine may have, and so is running lanes together that are at one place:
 *
 *      MEETS   a path that comes to where others of its stack will come waits for them there, and they join it
 *      VOTES   so does one at a shuffle or vote without a member mask, for any
 *      NAMES, SYNC, BARRIER   with a mask, or at a warp or block barrier, for the lanes that have to be there
 *
 * The next to run is the first that is ready. When each of those has had a turn and still polls, one that MEETS or
 * VOTES is let go without the others: the deepest, and of these the last, since it is the likeliest that they wait for;
 * but one that was passed over PATH_PATIENCE times before. So each path gets on after a bounded number of instructions,
 * unless it waits at a barrier or for named lanes. When none is ready, the deepest goes on without those it waits for.
 *
 * The instruction that a path waits at is executed again after it. By the strict rules none of this is called.
 */
#include "sim/arch/state.h"

#include <string.h>

/*
 * Assumed: no manual has them. One look of a loop may be the first after a change, the second is then a poll; and a
 * loop that counts to BRANCHES costs more than meeting late.
 */
enum { POLLS = 2, BRANCHES = 1 << 16 };

static exec_fn strict(const struct warp *w) {
    return w->run->ops->fn[w->run->launch->program->inst[w->pc - 1].op];
}

/* ---- the list ---- */

static struct frame *frames_of(struct paths *p, u32 n) {
    struct frame *f = p->frame;
    for (u32 i = 0; i < n; i++)
        f += p->path[i].depth;
    return f;
}

static void take_out(struct paths *p, u32 n) {
    struct frame *f = frames_of(p, n), *end = p->frame + p->frames;
    u32 depth = p->path[n].depth;
    memmove(f, f + depth, (size_t)(end - (f + depth)) * sizeof *f);
    memmove(&p->path[n], &p->path[n + 1], (p->count - n - 1) * sizeof *p->path);
    p->frames -= depth;
    p->count--;
}

/* Copies the frames that have some of these lanes, or count calls. */
static u32 select_frames(struct frame *to, const struct frame *from, u32 count, u64 lanes) {
    u32 kept = 0;
    for (u32 k = 0; k < count; k++) {
        struct frame f = from[k];
        f.mask &= lanes;
        if (f.mask || f.call)
            to[kept++] = f;
    }
    return kept;
}

/* The running lanes end their turn. False when there is no room: nothing has changed. */
static bool park(struct warp *w, enum path_state state, u32 at) {
    struct paths *p = w->paths;
    if (p->frames + w->depth > PATH_FRAMES)
        return false;
    p->path[p->count++] = (struct path){.active = w->active,
                                        .pc = w->pc,
                                        .reconv = w->reconv,
                                        .depth = w->depth,
                                        .calls = w->calls,
                                        .call = w->call,
                                        .state = (u32)state,
                                        .at = at};
    memcpy(p->frame + p->frames, w->frame, w->depth * sizeof *w->frame);
    p->frames += w->depth;
    return true;
}

static void begin_turn(struct paths *p) {
    p->seen = p->before = 0;
    p->polls = p->branches = 0;
}

/* A path runs. */
static void resume(struct warp *w, u32 n) {
    struct paths *p = w->paths;
    const struct path next = p->path[n];
    memcpy(w->frame, frames_of(p, n), next.depth * sizeof *w->frame);
    w->active = next.active;
    w->pc = next.pc;
    w->reconv = next.reconv;
    w->depth = next.depth;
    w->calls = next.calls;
    w->call = next.call;
    p->forced = next.state == PATH_VOTES || next.state == PATH_NAMES || next.state == PATH_SYNC;
    begin_turn(p);
    take_out(p, n);
}

/* Makes a path of those who wait right below the running lanes. False when there is no room. */
static bool split_top(struct warp *w, u64 rest) {
    struct paths *p = w->paths;
    if (p->frames + w->depth > PATH_FRAMES)
        return false;
    u32 top = w->depth, calls = w->calls, reconv = w->reconv;
    bool call = w->call;
    while (!(w->frame[top - 1].mask & rest)) {
        top--;
        calls -= call;
        reconv = w->frame[top].reconv;
        call = w->frame[top].call;
    }
    const struct frame *f = &w->frame[top - 1];
    struct path *path = &p->path[p->count++];
    *path = (struct path){.active = f->mask & rest, .pc = f->pc, .reconv = f->reconv, .calls = calls - call};
    path->call = f->call;
    path->state = call || f->pc == reconv ? PATH_MEETS : PATH_READY;
    path->depth = select_frames(p->frame + p->frames, w->frame, top - 1, path->active);
    p->frames += path->depth;
    w->depth = select_frames(w->frame, w->frame, w->depth, ~path->active);
    return true;
}

/* Makes paths of the lanes that wait below the running ones. False when there is no room. */
static bool split(struct warp *w) {
    for (;;) {
        u64 rest = 0;
        for (u32 k = 0; k < w->depth; k++)
            rest |= w->frame[k].mask & ~w->active;
        if (!rest || !split_top(w, rest))
            return !rest;
    }
}

/* Lanes that a lane names at an instruction. */
static u64 named_by(const struct warp *w, const struct uop *u, u32 lane) {
    if (!u->masked)
        return w->live;
    const u32 *row = w->base[u->csel] + u->c;
    return (row[lane] | (u64)row[w->run->width + lane] << 32) & w->live;
}

/* Lanes named by a path: by each of its lanes the same, once it waits. */
static u64 named_at(const struct warp *w, const struct path *o) {
    return named_by(w, &w->run->code[o->pc], first_lane(o->active));
}

/*
 * Lanes of paths that wait at a block barrier, `key` of which is path.at, or at a warp barrier for the lanes `key`;
 * they pass it when `pass`.
 */
static u64 waiting(struct warp *w, enum path_state state, u64 key, bool pass) {
    u64 lanes = 0;
    for (u32 n = 0; n < w->paths->count; n++) {
        struct path *o = &w->paths->path[n];
        if (o->state != state || (state == PATH_SYNC ? named_at(w, o) : o->at) != key)
            continue;
        lanes |= o->active;
        if (pass) {
            o->state = PATH_READY;
            o->pc++;
        }
    }
    return lanes;
}

/* ---- meeting ---- */

static bool same_stack(const struct frame *a, const struct frame *b, u32 depth) {
    for (u32 k = 0; k < depth; k++)
        if (!frame_same(&a[k], &b[k]))
            return false;
    return true;
}

/* True if a path goes on as the running one does, but for its place; `f`: its frames. */
static bool same_way(const struct warp *w, const struct path *o, const struct frame *f) {
    return o->reconv == w->reconv && o->depth == w->depth && o->calls == w->calls && o->call == w->call &&
           same_stack(f, w->frame, w->depth);
}

/*
 * Lanes of other paths that are at w->pc with the same way on join the running ones; `u`: if they name the same lanes
 * at that instruction. True if there are any.
 */
static bool absorb(struct warp *w, const struct uop *u) {
    struct paths *p = w->paths;
    bool any = false;
    for (u32 n = p->count; n-- > 0;) {
        const struct path *o = &p->path[n];
        const struct frame *f = frames_of(p, n);
        if (o->pc != w->pc || !same_way(w, o, f) ||
            (u && named_by(w, u, first_lane(o->active)) != named_by(w, u, first_lane(w->exec))))
            continue;
        w->active |= o->active;
        for (u32 k = 0; k < w->depth; k++)
            w->frame[k].mask |= f[k].mask;
        take_out(p, n);
        any = true;
    }
    return any;
}

/* True if another path will come to w->pc, since its stack has that level. */
static bool others_come(const struct warp *w) {
    const struct frame here = {.pc = w->pc, .reconv = w->reconv, .call = w->call};
    const struct frame *f = w->paths->frame;
    for (u32 n = 0; n < w->paths->count; f += w->paths->path[n++].depth)
        if (w->paths->path[n].depth > w->depth && frame_same(&f[w->depth], &here) && same_stack(f, w->frame, w->depth))
            return true;
    return false;
}

/* ---- whose turn it is ---- */

static bool lets_go(u32 state, bool named) {
    return state == PATH_MEETS || state == PATH_VOTES || (named && (state == PATH_NAMES || state == PATH_SYNC));
}

/* Makes paths ready whose named lanes are all with them now that others have exited. */
static void wake(struct warp *w) {
    for (u32 n = 0; n < w->paths->count; n++) {
        struct path *o = &w->paths->path[n];
        if (o->state != PATH_NAMES && o->state != PATH_SYNC)
            continue;
        u64 named = named_at(w, o);
        if (!(named & ~(o->state == PATH_SYNC ? waiting(w, PATH_SYNC, named, false) : o->active)))
            o->state = PATH_READY;
    }
}

/* The first path that is ready; `count`: none is. */
static u32 first_ready(struct warp *w) {
    const struct paths *p = w->paths;
    u32 n = 0;
    wake(w);
    while (n < p->count && p->path[n].state != PATH_READY)
        n++;
    return n;
}

/* The path to be let go; `named`: also one that waits for lanes by name. `count`: there is none. */
static u32 to_let_go(const struct paths *p, bool named) {
    u32 best = p->count, old = p->count;
    for (u32 n = 0; n < p->count; n++) {
        if (!lets_go(p->path[n].state, named))
            continue;
        if (best == p->count || p->path[n].depth >= p->path[best].depth)
            best = n;
        if (p->path[n].age >= PATH_PATIENCE && (old == p->count || p->path[n].age > p->path[old].age))
            old = n;
    }
    return old < p->count ? old : best;
}

/* The next to run when the running path cannot go on; `count`: all are at block barriers. */
static u32 next_path(struct warp *w) {
    const struct paths *p = w->paths;
    u32 n = first_ready(w);
    return n < p->count ? n : to_let_go(p, true);
}

/* The running lanes have had a turn: another path runs, if one can. */
static enum step end_turn(struct warp *w, const struct uop *u, u32 pc) {
    struct paths *p = w->paths;
    p->polls = p->branches = 0;
    bool fits = split(w);
    if (!fits || (p->count && !park(w, PATH_READY, 0))) {
        w->pc = pc + 1;
        return warp_fault(w, u, FAULT_DIVERGENCE, first_lane(w->exec),
                          "more than %d nested divergent branches and calls of lanes that wait", PATH_FRAMES);
    }
    if (!p->count)
        return STEP_NEXT;
    u32 self = p->count - 1, ready = 0;
    for (u32 n = 0; n < p->count; n++) {
        ready += p->path[n].state == PATH_READY;
        p->path[n].age += p->path[n].age < PATH_PATIENCE;
    }
    p->turns = p->turns < ready ? p->turns + 1 : ready;
    u32 waits = p->turns >= ready ? to_let_go(p, false) : p->count, next = first_ready(w);
    if (waits < p->count) {
        p->turns = 0;
        next = waits;
    }
    if (next != self)
        warp_lenient_at(w, LENIENT_PATH, pc);
    resume(w, next);
    absorb(w, NULL);
    return STEP_NEXT;
}

void paths_meet(struct warp *w) {
    struct paths *p = w->paths;
    if (w->active == w->live)
        begin_turn(p);
    if (!p->count)
        return;
    absorb(w, NULL);
    if (others_come(w) && park(w, PATH_MEETS, 0))
        resume(w, next_path(w));
}

enum step paths_end(struct warp *w) {
    u32 n = next_path(w);
    if (!w->paths->count)
        return STEP_DONE;
    resume(w, n < w->paths->count ? n : 0); /* all that are left may be at one barrier now: the first tries again */
    return STEP_NEXT;
}

/* The running path waits at the instruction before w->pc; false: no other can run. */
static bool wait_here(struct warp *w, enum path_state state, u32 at) {
    struct paths *p = w->paths;
    w->pc--;
    if (split(w) && park(w, state, at)) {
        u32 self = p->count - 1, next = next_path(w);
        if (next < self)
            warp_lenient_at(w, LENIENT_PATH, w->pc);
        resume(w, next <= self ? next : self);
        if (next <= self)
            return true;
        p->forced = false;
    }
    w->pc++;
    return false;
}

/* Paths that are at this instruction join the running one, which begins it again; `u`: that name the same lanes. */
static bool join_here(struct warp *w, const struct uop *u) {
    w->pc--;
    if (absorb(w, u))
        return true;
    w->pc++;
    return false;
}

enum step paths_barrier(struct warp *w, u32 at) {
    if (join_here(w, NULL))
        return STEP_PARKED;
    if (!(w->live & ~w->active & ~waiting(w, PATH_BARRIER, at, false))) {
        waiting(w, PATH_BARRIER, at, true);
        return STEP_NEXT;
    }
    return wait_here(w, PATH_BARRIER, at) ? STEP_PARKED : STEP_FAULT;
}

/* ---- instructions ---- */

static enum step branch(struct warp *w, const struct uop *u) {
    u32 pc = w->pc - 1;
    struct paths *p = w->paths;
    enum step step = strict(w)(w, u);
    if (step != STEP_NEXT || w->pc != (u32)u->imm || w->active == w->live)
        return step;
    if (p->seen) { /* a loop within that accesses nothing ends no poll */
        p->polls = p->seen == p->before ? p->polls + 1 : 0;
        p->before = p->seen;
        p->seen = 0;
    }
    p->branches++;
    const u32 turn = w->run->launch->turn ? w->run->launch->turn : BRANCHES;
    return p->polls < POLLS && p->branches < turn ? STEP_NEXT : end_turn(w, u, pc);
}

static enum step access_memory(struct warp *w, const struct uop *u) {
    const struct effect *e = w->effect;
    struct paths *p = w->paths;
    enum step step = strict(w)(w, u);
    if (step != STEP_NEXT || w->active == w->live)
        return step;
    u64 h = p->seen ^ e->mask;
    for (u64 left = e->mask; left; left &= left - 1)
        h = (h ^ e->addr[first_lane(left)]) * 0x9e3779b97f4a7c15u, h ^= h >> 29;
    p->seen = h | 1;
    return step;
}

/* Lanes that name others than the first does become a path, which begins the instruction again. False: no room. */
static bool split_names(struct warp *w, const struct uop *u) {
    struct paths *p = w->paths;
    const u64 named = named_by(w, u, first_lane(w->exec));
    u64 others = 0;
    for (u64 left = w->exec; u->masked && left; left &= left - 1)
        others |= named_by(w, u, first_lane(left)) != named ? left & -left : 0;
    if (!others)
        return true;
    if (!split(w) || p->frames + w->depth > PATH_FRAMES)
        return false;
    struct path *path = &p->path[p->count++];
    *path = (struct path){.active = others, .pc = w->pc - 1, .reconv = w->reconv, .calls = w->calls, .call = w->call};
    path->state = PATH_READY;
    path->depth = select_frames(p->frame + p->frames, w->frame, w->depth, others);
    p->frames += path->depth;
    w->active &= ~others;
    w->exec &= ~others;
    w->depth = select_frames(w->frame, w->frame, w->depth, w->active);
    return true;
}

/* Ends an instruction with a mask: lanes that name others have their turn at it, then all go on together. */
static enum step with_others(struct warp *w, u32 pc, enum step step) {
    struct paths *p = w->paths;
    const struct frame *f = p->frame;
    if (step != STEP_NEXT || !p->count)
        return step;
    for (u32 n = 0; n < p->count; f += p->path[n++].depth) {
        const struct path *o = &p->path[n];
        if (o->state != PATH_READY || o->pc != pc || !same_way(w, o, f) || !park(w, PATH_READY, 0))
            continue;
        resume(w, n);
        return step;
    }
    absorb(w, NULL);
    return step;
}

static enum step meet_at(struct warp *w, const struct uop *u, enum path_state state) {
    struct paths *p = w->paths;
    const u32 pc = w->pc - 1;
    bool forced = p->forced;
    p->forced = false;
    if (forced || !split_names(w, u))
        return strict(w)(w, u);
    const u64 named = named_by(w, u, first_lane(w->exec)), missing = named & ~w->active;
    if (!missing || (!u->masked && !p->count))
        return u->masked ? with_others(w, pc, strict(w)(w, u)) : strict(w)(w, u);
    if (join_here(w, u))
        return STEP_NEXT;
    if (state == PATH_SYNC && !(missing & ~waiting(w, PATH_SYNC, named, false))) {
        waiting(w, PATH_SYNC, named, true);
        return with_others(w, pc, STEP_NEXT);
    }
    return wait_here(w, state, 0) ? STEP_NEXT : strict(w)(w, u);
}

/* A shuffle, a vote: a mask names who takes part. */
static enum step exchange(struct warp *w, const struct uop *u) {
    return meet_at(w, u, u->masked ? PATH_NAMES : PATH_VOTES);
}

static enum step whole(struct warp *w, const struct uop *u) {
    return meet_at(w, u, PATH_NAMES);
}

static enum step sync(struct warp *w, const struct uop *u) {
    return meet_at(w, u, PATH_SYNC);
}

exec_fn paths_function(const struct inst *i, u32 pc, exec_fn fn) {
    u32 space = inst_mod_or(i, GROUP_SPACE, SPACE_GENERIC);
    if (i->op == OP_BRA)
        return (u32)i->imm <= pc ? branch : fn;
    if (op_accesses(i->op))
        return space == SPACE_GLOBAL || space == SPACE_SHARED || space == SPACE_GENERIC ? access_memory : fn;
    if (op_memory(i->op) == MEMORY_BARRIER)
        return fn;
    if (op_memory(i->op) == MEMORY_WARP_BARRIER)
        return sync;
    return op_lanes(i->op) == LANES_ALL ? whole : op_lanes(i->op) == LANES_OTHERS ? exchange : fn;
}
