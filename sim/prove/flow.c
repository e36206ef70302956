#include "sim/prove/flow.h"

#include <string.h>

#include "sim/prove/logic.h"

/* ---- state ---- */

enum { LEVELS_BEYOND = DIVERGENCE_DEPTH_MAX + 1 };

bool path_begin(struct shadow *s, struct shadow_warp *sw, u32 width) {
    struct flow *f = sw->flow ? sw->flow : arena_alloc(&s->arena, sizeof *f);
    sw->flow = f;
    if (!f)
        return false;
    f->levels = f->forks = 0;
    f->rounds = 0;
    for (u32 l = 0; l < width; l++)
        f->path[l] = BIT_1;
    if (f->level)
        return true;
    f->most = 2 * s->bound + 32;
    f->level = arena_raw(&s->arena, (2 * (size_t)f->most + LEVELS_BEYOND) * sizeof *f->level);
    f->fork = arena_raw(&s->arena, f->most * sizeof *f->fork);
    return f->level && f->fork;
}

static size_t transit_words(const struct site *t) {
    return t->w->run->transit ? (size_t)TRANSIT_COUNT * TRANSIT_SLOTS * t->width : 0;
}

static struct state *state_take(struct site *t) {
    struct shadow *s = t->s;
    struct state *st = s->free;
    if (st) {
        s->free = st->next;
        return st;
    }
    st = arena_alloc(&s->arena, sizeof *st);
    if (!st)
        return NULL;
    st->r = arena_alloc(&s->arena, (size_t)s->launch.kernel->regs * t->width * sizeof *st->r);
    st->p = arena_alloc(&s->arena, (size_t)PRED_COUNT * t->width * sizeof *st->p);
    st->x = arena_alloc(&s->arena, transit_words(t) * sizeof *st->x);
    return st->r && st->p && st->x ? st : NULL;
}

static void state_give(struct site *t, struct state *st) {
    if (!st)
        return;
    st->next = t->s->free;
    t->s->free = st;
}

struct state *flow_save(struct site *t) {
    struct state *st = state_take(t);
    if (!st) {
        t->s->failed = true;
        return NULL;
    }
    memcpy(st->r, t->sw->r, (size_t)t->s->launch.kernel->regs * t->width * sizeof *st->r);
    memcpy(st->p, t->sw->p, (size_t)PRED_COUNT * t->width * sizeof *st->p);
    if (transit_words(t))
        memcpy(st->x, t->sw->x, transit_words(t) * sizeof *st->x);
    return st;
}

static void copy_lanes(u32 *to, const u32 *from, size_t rows, u32 width, u64 lanes) {
    for (size_t row = 0; row < rows; row++)
        for (u64 left = lanes; left; left &= left - 1)
            to[row * width + first_lane(left)] = from[row * width + first_lane(left)];
}

static void state_restore(struct site *t, const struct state *st, u64 lanes) {
    copy_lanes(t->sw->r, st->r, t->s->launch.kernel->regs, t->width, lanes);
    copy_lanes(t->sw->p, st->p, PRED_COUNT, t->width, lanes);
    copy_lanes(t->sw->x, st->x, transit_words(t) / t->width, t->width, lanes);
}

/* ---- what is known of a bit ---- */

static u32 assumed(const struct shadow *s, u32 bit) {
    for (u32 i = 0; i < s->assumptions; i++)
        if ((s->assumed[i] & ~BIT_NOT) == (bit & ~BIT_NOT))
            return s->assumed[i] == bit ? BIT_1 : BIT_0;
    return bit;
}

u32 flow_both(const struct site *t, u32 a, u32 b) {
    const u32 abc[] = {a, b, BIT_0};
    u32 bit = logic_function(t->s->e, 0xc0, abc);
    return bit_known(bit) ? bit : assumed(t->s, bit);
}

u32 path_bit(const struct shadow *s, const struct shadow_warp *sw, u32 lane, u32 bit) {
    const struct flow *f = sw->flow;
    bit = bit_known(bit) ? bit : assumed(s, bit);
    for (u32 i = f->forks; i-- > 0 && !bit_known(bit);) {
        const struct fork *k = &f->fork[i];
        if (!(k->unknown >> lane & 1))
            continue;
        u32 holds = k->bit[lane] ^ (k->second ? 0 : BIT_NOT);
        if (holds == bit || holds == (bit ^ BIT_NOT))
            bit = holds == bit ? BIT_1 : BIT_0;
    }
    return bit;
}

/* ---- runs that end ---- */

enum step flow_stop(struct site *t, enum depend_kind kind, u32 bit) {
    struct shadow *s = t->s;
    if (s->depends.kind == DEPEND_NONE)
        s->depends = (struct depend){.kind = kind, .pc = t->pc, .bit = bit};
    return STEP_FAULT;
}

void flow_split(struct site *t, u32 bit) {
    if (bit_known(bit))
        flow_stop(t, DEPEND_GUARD, bit);
    t->s->split = bit;
    t->s->split_pc = t->pc;
}

u32 flow_reason(const struct site *t, u32 lane) {
    const struct flow *f = t->sw->flow;
    if (!bit_known(t->guard[lane]))
        return t->guard[lane];
    for (u32 i = f->forks; i-- > 0;)
        if (f->fork[i].unknown >> lane & 1)
            return f->fork[i].bit[lane];
    return f->path[lane];
}

void path_faults(struct site *t, u32 lane) {
    struct shadow *s = t->s;
    u32 here = flow_both(t, t->sw->flow->path[lane], t->guard[lane]);
    if (here == BIT_0 || (s->never && !bit_known(here) && s->never(s->never_ctx, here)))
        return;
    flow_stop(t, DEPEND_FAULT, flow_reason(t, lane));
}

/* ---- the ends of sides ---- */

void flow_end_lanes(struct site *t, u64 lanes) {
    struct flow *f = t->sw->flow;
    struct warp *w = t->w;
    w->active &= ~lanes;
    for (; lanes; lanes &= lanes - 1) {
        u64 one = lanes & (0 - lanes);
        u32 k = f->forks, above = 0;
        while (k > 0 && !(f->fork[k - 1].unknown & one))
            k--;
        if (k > 0) {
            f->fork[k - 1].gone[f->fork[k - 1].second] |= one;
            /* The side's own levels: right above the reconvergence point is the other side, until that is run. */
            above = f->fork[k - 1].join + 1;
            if (!f->fork[k - 1].second && above < f->levels && f->level[above].role == ROLE_OTHER)
                above++;
        } else {
            w->live &= ~one;
        }
        for (u32 i = above; i < f->levels; i++)
            f->level[i].mask &= ~one;
    }
}

/* The first side has ended, and the second begins. */
static void turn_over(struct site *t, struct fork *k) {
    struct flow *f = t->sw->flow;
    k->end = flow_save(t);
    memcpy(k->first, f->path, sizeof k->first);
    k->second = k->ran[1] = true;
    state_restore(t, k->start, k->unknown);
    for (u64 left = k->unknown; left; left &= left - 1) {
        u32 l = first_lane(left);
        f->path[l] = flow_both(t, k->before[l], k->bit[l]);
    }
}

static void merge_words(struct site *t, struct fork *k, u64 lanes, const u32 *no, const u32 *yes) {
    for (u32 reg = 0; reg < t->s->launch.kernel->regs; reg++)
        for (u64 left = lanes; left; left &= left - 1) {
            u32 l = first_lane(left), at = reg * t->width + l, off;
            u32 *to = &t->sw->r[at];
            *to = no[at];
            if (yes[at] == no[at])
                continue;
            /* written on one side only: site_register makes it an unwritten value on the other */
            off = site_register(t, reg, l);
            *to = yes[at];
            *to = algebra_choose(t->s->e, k->bit[l], site_register(t, reg, l), off);
        }
}

static void merge_predicates(struct site *t, struct fork *k, u64 lanes, const u32 *no, const u32 *yes) {
    for (u32 p = 0; p < PRED_COUNT; p++)
        for (u64 left = lanes; left; left &= left - 1) {
            u32 l = first_lane(left), at = p * t->width + l, a, b;
            u32 *to = &t->sw->p[at];
            if (yes[at] == no[at]) {
                *to = yes[at];
                continue;
            }
            *to = no[at];
            b = site_predicate(t, p, l);
            *to = yes[at];
            a = site_predicate(t, p, l);
            *to = logic_choose(t->s->e, k->bit[l], a, b);
        }
}

static void merge_transit(struct site *t, struct fork *k, u64 lanes, const u32 *no, const u32 *yes) {
    struct terms *e = t->s->e;
    for (u32 at = 0; at < transit_words(t); at++) {
        u32 l = at & (t->width - 1), x = at / (TRANSIT_SLOTS * t->width), on = yes[at], off = no[at];
        if (!(lanes >> l & 1))
            continue;
        if (on != off) {
            off = off ? off : site_fresh(t, FRESH_TRANSIT, x, l);
            on = algebra_choose(e, k->bit[l], on ? on : site_fresh(t, FRESH_TRANSIT, x, l), off);
        }
        t->sw->x[at] = on;
    }
}

/* Condition of the lane where the sides reconverge: the one before, unless part of a side has ended. */
static u32 condition_after(struct site *t, const struct fork *k, u32 l, u32 no, u32 yes) {
    if (no == flow_both(t, k->before[l], k->bit[l] ^ BIT_NOT) && yes == flow_both(t, k->before[l], k->bit[l]))
        return k->before[l];
    u32 bit = logic_choose(t->s->e, k->bit[l], yes, no);
    return bit_known(bit) ? bit : assumed(t->s, bit);
}

/* both sides of the last fork have ended. */
static void meet(struct site *t) {
    struct flow *f = t->sw->flow;
    struct fork *k = &f->fork[--f->forks];
    u64 ended = k->unknown & k->gone[0] & k->gone[1], lost = 0;
    u64 merged = k->unknown & ~k->gone[0] & ~k->gone[1];
    struct state *now = flow_save(t);
    if (!now || t->s->failed)
        return;
    const struct state *no = !k->ran[0] ? k->start : k->ran[1] ? k->end : now, *yes = k->ran[1] ? now : k->start;
    for (u64 left = k->unknown & ~ended; left; left &= left - 1) {
        u32 l = first_lane(left);
        u32 off = !k->ran[0] ? flow_both(t, k->before[l], k->bit[l] ^ BIT_NOT) : k->ran[1] ? k->first[l] : f->path[l];
        u32 on = k->ran[1] ? f->path[l] : flow_both(t, k->before[l], k->bit[l]);
        f->path[l] = k->gone[0] >> l & 1 ? on : k->gone[1] >> l & 1 ? off : condition_after(t, k, l, off, on);
        if (f->path[l] == BIT_0)
            lost |= (u64)1 << l;
    }
    state_restore(t, no, k->unknown & k->gone[1] & ~ended);
    state_restore(t, yes, k->unknown & k->gone[0] & ~ended);
    merge_words(t, k, merged, no->r, yes->r);
    merge_predicates(t, k, merged, no->p, yes->p);
    merge_transit(t, k, merged, no->x, yes->x);
    state_give(t, now);
    state_give(t, k->start);
    state_give(t, k->end);
    flow_end_lanes(t, ended | lost);
}

enum step flow_pop(struct site *t) {
    struct flow *f = t->sw->flow;
    struct warp *w = t->w;
    do {
        w->calls -= w->call;
        if (f->levels == 0) {
            w->active = 0;
            return STEP_DONE;
        }
        struct level v = f->level[--f->levels];
        w->active = v.mask;
        w->pc = v.pc;
        w->reconv = v.reconv;
        w->call = v.call;
        if (v.role == ROLE_OTHER)
            turn_over(t, &f->fork[f->forks - 1]);
        if (v.role == ROLE_JOIN)
            meet(t);
    } while (!w->active && !t->s->failed);
    return STEP_NEXT;
}
