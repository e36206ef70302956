#include "sim/prove/path.h"

#include <string.h>

#include "sim/prove/logic.h"

/* ---- state ---- */

enum role {
    ROLE_PLAIN, /* lanes that wait, as a frame of the machine */
    ROLE_OTHER, /* the second side of a fork */
    ROLE_JOIN   /* the reconvergence point of a fork */
};

/* As a frame of the machine (sim/arch/state.h); a lane that takes both sides of a fork is in both of its levels. */
struct level {
    u64 mask;
    u32 pc, reconv;
    bool call;
    bool counts; /* is a frame in the machine as well, for some data */
    u8 role;     /* enum role */
};

/* Registers, predicates and transit registers of a warp. */
struct state {
    struct state *next; /* of those that are free */
    u32 *r, *p, *x;
};

/* A branch by bits that are not known. */
struct fork {
    u32 pc, calls;
    u32 join;             /* its level */
    bool second;          /* which side is run: 0 falls through, 1 branches */
    bool ran[2];          /* a side that leads to the reconvergence point at once is not run */
    u64 unknown;          /* lanes that take both sides */
    u64 gone[2];          /* those of them that end on a side */
    u32 bit[WARP_MAX];    /* by which each branches */
    u32 before[WARP_MAX]; /* conditions at the fork */
    u32 first[WARP_MAX];  /* and at the end of the first side */
    struct state *start;  /* of the lanes at the fork */
    struct state *end;    /* at the end of the first side, when the second is run */
};

struct flow {
    struct level *level;
    struct fork *fork;
    u32 levels, forks;
    u32 most;           /* forks that there is room for; there are at most two levels for each, and PLAIN ones */
    u64 rounds;         /* times that a known branch has gone back, since the last one that was not known */
    u32 path[WARP_MAX]; /* the condition on which a lane is where it is; BIT_1: for all data */
};

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

static struct state *state_save(struct site *t) {
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
        if ((s->assumed[i] ^ bit) == 0 || (s->assumed[i] ^ bit) == BIT_NOT)
            return s->assumed[i] == bit ? BIT_1 : BIT_0;
    return bit;
}

/* Both bits are 1, on the assumptions. */
static u32 both(const struct site *t, u32 a, u32 b) {
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

/* ---- comparisons of words that are known in part ---- */

struct range {
    u32 least, most; /* unsigned */
    s32 low, high;   /* signed */
    u32 ones, zeros; /* bits that are known */
};

static struct range range(const struct terms *e, u32 word) {
    struct range r = {0};
    u32 bit[32];
    term_bits(e, word, bit);
    for (u32 i = 0; i < 32; i++) {
        r.ones |= (u32)(bit[i] == BIT_1) << i;
        r.zeros |= (u32)(bit[i] == BIT_0) << i;
    }
    r.least = r.ones;
    r.most = ~r.zeros;
    r.low = (s32)(r.least | (r.zeros & 0x80000000u ? 0 : 0x80000000u));
    r.high = (s32)(r.most & (r.ones & 0x80000000u ? ~0u : 0x7fffffffu));
    return r;
}

/* -1: not known. */
static int less(const struct range *a, const struct range *b, bool sign) {
    bool yes = sign ? a->high < b->low : a->most < b->least, no = sign ? a->low >= b->high : a->least >= b->most;
    return yes ? 1 : no ? 0 : -1;
}

static int opposite(int known) {
    return known < 0 ? known : !known;
}

/* A comparison of 32-bit integers whose known bits decide it; the bit itself where they do not. */
static u32 compared(const struct terms *e, u32 bit) {
    const struct atom *at = term_at(e, bit_atom(bit));
    if (at->code < OP_SETP_EQ_S32 || at->code > OP_SETP_GE_U32)
        return bit;
    struct range a = range(e, term_operands(e, bit_atom(bit))[0]), b = range(e, term_operands(e, bit_atom(bit))[1]);
    bool sign = at->code <= OP_SETP_GE_S32;
    int is = -1;
    switch (at->code) {
    case OP_SETP_EQ_S32:
    case OP_SETP_NE_S32: is = (a.ones & b.zeros) | (a.zeros & b.ones) ? at->code == OP_SETP_NE_S32 : -1; break;
    case OP_SETP_LT_S32:
    case OP_SETP_LT_U32: is = less(&a, &b, sign); break;
    case OP_SETP_GT_S32:
    case OP_SETP_GT_U32: is = less(&b, &a, sign); break;
    case OP_SETP_GE_S32:
    case OP_SETP_GE_U32: is = opposite(less(&a, &b, sign)); break;
    default: is = opposite(less(&b, &a, sign)); break;
    }
    return is < 0 ? bit : (is ? BIT_1 : BIT_0) ^ (bit & BIT_NOT);
}

/* ---- runs that end ---- */

static enum step stop(struct site *t, enum depend_kind kind, u32 bit) {
    struct shadow *s = t->s;
    if (s->depends.kind == DEPEND_NONE)
        s->depends = (struct depend){.kind = kind, .pc = t->pc, .bit = bit};
    return STEP_FAULT;
}

static void split(struct site *t, u32 bit) {
    if (bit_known(bit))
        stop(t, DEPEND_GUARD, bit);
    t->s->split = bit;
    t->s->split_pc = t->pc;
}

/* A bit that a lane's being here depends on. */
static u32 reason(const struct site *t, u32 lane) {
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
    u32 here = both(t, t->sw->flow->path[lane], t->guard[lane]);
    if (here == BIT_0 || (s->never && !bit_known(here) && s->never(s->never_ctx, here)))
        return;
    stop(t, DEPEND_FAULT, reason(t, lane));
}

/* ---- the ends of sides ---- */

/* The lanes end where they are: on one side of the last fork that they take both sides of, or for good. */
static void end_lanes(struct site *t, u64 lanes) {
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
    k->end = state_save(t);
    memcpy(k->first, f->path, sizeof k->first);
    k->second = k->ran[1] = true;
    state_restore(t, k->start, k->unknown);
    for (u64 left = k->unknown; left; left &= left - 1) {
        u32 l = first_lane(left);
        f->path[l] = both(t, k->before[l], k->bit[l]);
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
            /* What one side has not written and the other has: site_register makes it an unwritten value. */
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

/* What the lane's condition is where the sides reconverge: the one before, unless part of a side has ended. */
static u32 condition_after(struct site *t, const struct fork *k, u32 l, u32 no, u32 yes) {
    if (no == both(t, k->before[l], k->bit[l] ^ BIT_NOT) && yes == both(t, k->before[l], k->bit[l]))
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
    struct state *now = state_save(t);
    if (!now || t->s->failed)
        return;
    const struct state *no = !k->ran[0] ? k->start : k->ran[1] ? k->end : now, *yes = k->ran[1] ? now : k->start;
    for (u64 left = k->unknown & ~ended; left; left &= left - 1) {
        u32 l = first_lane(left);
        u32 off = !k->ran[0] ? both(t, k->before[l], k->bit[l] ^ BIT_NOT) : k->ran[1] ? k->first[l] : f->path[l];
        u32 on = k->ran[1] ? f->path[l] : both(t, k->before[l], k->bit[l]);
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
    end_lanes(t, ended | lost);
}

/* The running level has ended: as warp_pop. */
static enum step pop(struct site *t) {
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

/* ---- branches ---- */

static bool push(struct site *t, struct level v) {
    struct flow *f = t->sw->flow;
    u32 counted = v.counts;
    for (u32 i = 0; i < f->levels; i++)
        counted += f->level[i].counts;
    if (counted > DIVERGENCE_DEPTH_MAX)
        return false;
    f->level[f->levels++] = v;
    return true;
}

/* How often the lanes have come to this branch, each time by a bit that is not known. */
static u32 times_here(const struct site *t, u64 lanes) {
    const struct flow *f = t->sw->flow;
    u32 n = 0;
    for (u32 i = 0; i < f->forks; i++)
        n += f->fork[i].pc == t->pc && f->fork[i].calls == t->w->calls && (f->fork[i].unknown & lanes) != 0;
    return n;
}

/* Whether the bit can never be 1, as far as that can be found out. */
static bool never(struct site *t, u32 bit) {
    return bit == BIT_0 || (t->s->never && !bit_known(bit) && t->s->never(t->s->never_ctx, bit));
}

/* Which lanes branch, and for which it is not known; a side that no data takes is none. */
static void decide(struct site *t, u64 *taken, u64 *unknown) {
    struct flow *f = t->sw->flow;
    bool again = times_here(t, t->w->active) > 0;
    *taken = *unknown = 0;
    for (u64 left = t->w->active; left; left &= left - 1) {
        u32 l = first_lane(left), bit = t->guard[l];
        u32 yes = both(t, f->path[l], bit), no = both(t, f->path[l], bit ^ BIT_NOT);
        if (!bit_known(bit) && (yes == BIT_0 || (again && never(t, yes))))
            bit = BIT_0;
        else if (!bit_known(bit) && (no == BIT_0 || (again && never(t, no))))
            bit = BIT_1;
        if (bit == BIT_1)
            *taken |= (u64)1 << l;
        else if (!bit_known(bit))
            *unknown |= (u64)1 << l;
    }
}

/* The fork's record, for lanes that take both sides; NULL when there is no room. */
static struct fork *fork_make(struct site *t, u64 unknown) {
    struct flow *f = t->sw->flow;
    struct fork *k = &f->fork[f->forks];
    *k =
        (struct fork){.pc = t->pc, .calls = t->w->calls, .join = f->levels, .unknown = unknown, .start = state_save(t)};
    if (!k->start)
        return NULL;
    memcpy(k->before, f->path, sizeof k->before);
    memcpy(k->bit, t->guard, sizeof k->bit);
    return k;
}

/*
 * As warp_diverge, with the reconvergence point as a level of its own also where the machine needs none; lanes that
 * take both sides are in both.
 */
static enum step diverge(struct site *t, u64 taken, u64 unknown) {
    struct flow *f = t->sw->flow;
    struct warp *w = t->w;
    u32 target = (u32)t->u->imm, join = (u32)(t->u->imm >> 32), next = w->pc;
    u64 rest = w->active & ~taken;
    bool fits = true;
    if (target == next)
        return STEP_NEXT;
    if (join == NO_RECONVERGENCE)
        join = w->reconv;
    bool meets = join != NO_RECONVERGENCE, waits = meets && join != w->reconv, other = next != join && target != join;
    struct fork *k = NULL;
    if (unknown) {
        u32 bit = t->guard[first_lane(unknown)];
        if (f->forks == f->most || times_here(t, unknown) >= t->s->bound)
            return stop(t, DEPEND_BOUND, bit);
        k = fork_make(t, unknown);
        if (!k)
            return STEP_FAULT;
    }
    struct level join_level = {meets ? w->active : 0, join, w->reconv, w->call, waits, k ? ROLE_JOIN : ROLE_PLAIN};
    if (k || waits)
        fits = push(t, join_level);
    if (fits && other)
        fits = push(t, (struct level){taken | unknown, target, join, !meets && w->call, true,
                                      k ? ROLE_OTHER : ROLE_PLAIN});
    if (!fits)
        return stop(t, DEPEND_FAULT, t->guard[first_lane(w->active)]);
    bool first = next != join;
    if (k) {
        f->forks++;
        k->ran[0] = first;
        k->ran[1] = k->second = !first;
        for (u64 left = unknown; left; left &= left - 1) {
            u32 l = first_lane(left);
            f->path[l] = both(t, k->before[l], k->bit[l] ^ (first ? BIT_NOT : 0));
        }
    }
    w->active = first ? rest : taken | unknown;
    w->pc = first ? next : target;
    w->reconv = join;
    w->call = false;
    return STEP_NEXT;
}

static enum step branch(struct site *t) {
    struct flow *f = t->sw->flow;
    u64 taken, unknown;
    decide(t, &taken, &unknown);
    f->rounds = unknown ? 0 : f->rounds + (taken && (u32)t->u->imm <= t->pc);
    if (t->s->rounds && f->rounds > t->s->rounds)
        return stop(t, DEPEND_LOOP, reason(t, first_lane(taken)));
    if (!unknown && taken == t->w->active)
        t->w->pc = (u32)t->u->imm;
    else if (taken || unknown)
        return diverge(t, taken, unknown);
    return STEP_NEXT;
}

static enum step leave(struct site *t) {
    struct flow *f = t->sw->flow;
    u64 ended = 0;
    for (u64 left = t->maybe; left; left &= left - 1) {
        u32 l = first_lane(left);
        f->path[l] = both(t, f->path[l], t->guard[l] ^ BIT_NOT);
        if (f->path[l] == BIT_0)
            ended |= (u64)1 << l;
    }
    end_lanes(t, ended);
    return t->w->active ? STEP_NEXT : pop(t);
}

/* Of calls and returns the lanes must be known. */
static bool lanes_known(struct site *t) {
    for (u64 left = t->maybe; left; left &= left - 1)
        if (!bit_known(t->guard[first_lane(left)])) {
            stop(t, DEPEND_BRANCH, t->guard[first_lane(left)]);
            return false;
        }
    return true;
}

static enum step enter(struct site *t) {
    struct warp *w = t->w;
    if (!lanes_known(t))
        return STEP_FAULT;
    if (w->calls == CALL_DEPTH_MAX || !push(t, (struct level){w->active, w->pc, w->reconv, w->call, true, ROLE_PLAIN}))
        return stop(t, DEPEND_FAULT, BIT_1);
    w->active = t->maybe;
    w->pc = (u32)t->u->imm;
    w->reconv = NO_RECONVERGENCE;
    w->call = true;
    w->calls++;
    return STEP_NEXT;
}

static enum step come_back(struct site *t) {
    struct flow *f = t->sw->flow;
    struct warp *w = t->w;
    u64 lanes = t->maybe;
    if (w->calls == 0)
        return leave(t);
    if (!lanes_known(t))
        return STEP_FAULT;
    u32 call = f->levels;
    bool mine = w->call;
    while (!mine)
        mine = f->level[--call].call;
    for (u32 i = 0; i < f->forks; i++)
        if (f->fork[i].join >= call && (f->fork[i].unknown & lanes))
            return stop(t, DEPEND_BRANCH, f->fork[i].bit[first_lane(f->fork[i].unknown & lanes)]);
    w->active &= ~lanes;
    for (u32 i = call; i < f->levels && !w->call; i++)
        f->level[i].mask &= ~lanes;
    return w->active ? STEP_NEXT : pop(t);
}

/* ---- instructions that need to know their lanes ---- */

/*
 * Whether all lanes that may be here take part for the same data. Otherwise the run ends, to be divided by the first
 * bit on which that depends.
 */
static bool together(struct site *t) {
    const struct flow *f = t->sw->flow;
    u32 first = first_lane(t->maybe), l;
    u32 all = both(t, f->path[first], t->guard[first]);
    for (u64 left = t->maybe; left; left &= left - 1) {
        l = first_lane(left);
        if (both(t, f->path[l], t->guard[l]) != all) {
            split(t, reason(t, bit_known(both(t, f->path[l], t->guard[l])) ? first : l));
            return false;
        }
    }
    return true;
}

/* All lanes of the warp that have not ended, and for all data. */
static bool certain(struct site *t) {
    const struct flow *f = t->sw->flow;
    for (u64 left = t->w->live; left; left &= left - 1) {
        u32 l = first_lane(left);
        bool here = t->maybe >> l & 1;
        if (f->path[l] == BIT_1 && (!here || t->guard[l] == BIT_1))
            continue;
        if (!here)
            t->guard[l] = BIT_1;
        split(t, reason(t, l));
        return false;
    }
    return true;
}

/* The member mask of every lane must name the lanes that are here. */
static bool members(struct site *t) {
    for (u64 left = t->maybe; t->u->masked && left; left &= left - 1) {
        u32 l = first_lane(left), low = 0, high = 0;
        u32 word[] = {site_source(t, PLACE_C, 0, l), site_source(t, PLACE_C, 1, l)};
        bool known = term_value(t->s->e, word[0], &low) && term_value(t->s->e, word[1], &high);
        if (!known)
            site_depends_word(t, DEPEND_MASK, word[term_value(t->s->e, word[0], &low)]);
        else if (((low | (u64)high << 32) & t->w->run->full) != t->maybe)
            stop(t, DEPEND_FAULT, reason(t, l));
        if (t->s->depends.kind != DEPEND_NONE)
            return false;
    }
    return true;
}

static enum step wait_at(struct site *t) {
    u32 threads = 0;
    if (!certain(t))
        return STEP_FAULT;
    for (u64 left = t->maybe; t->u->counted && left; left &= left - 1) {
        u32 word = site_source(t, PLACE_B, 0, first_lane(left)), n = 0;
        site_depends_word(t, DEPEND_THREADS, word);
        if (!term_value(t->s->e, word, &n) || (left != t->maybe && n != threads))
            return stop(t, DEPEND_FAULT, BIT_1);
        threads = n;
    }
    t->w->exec = t->maybe;
    return barrier_arrive(t->w, t->u, threads, t->i->op == OP_BAR_SYNC);
}

/* ---- one instruction ---- */

static void guards(struct site *t) {
    u8 g = t->i->guard;
    t->maybe = 0;
    for (u64 left = t->w->active; left; left &= left - 1) {
        u32 l = first_lane(left);
        t->guard[l] = path_bit(t->s, t->sw, l, site_predicate(t, g, l));
        t->guard[l] = bit_known(t->guard[l]) ? t->guard[l] : compared(t->s->e, t->guard[l]);
        if (both(t, t->sw->flow->path[l], t->guard[l]) != BIT_0)
            t->maybe |= (u64)1 << l;
    }
    t->exec = t->maybe;
}

static enum step flow_step(struct site *t) {
    switch (t->i->op) {
    case OP_BRA: return branch(t);
    case OP_CALL: return enter(t);
    case OP_RET: return come_back(t);
    case OP_EXIT: return leave(t);
    case OP_TRAP:
        for (u64 left = t->maybe; left; left &= left - 1)
            path_faults(t, first_lane(left));
        return STEP_NEXT;
    default: return STEP_NEXT;
    }
}

/* Whether it takes part for all data. */
static bool definite(struct site *t) {
    for (u64 left = t->maybe; left; left &= left - 1) {
        u32 l = first_lane(left);
        if (both(t, t->sw->flow->path[l], t->guard[l]) == BIT_1)
            continue;
        split(t, reason(t, l));
        return false;
    }
    return true;
}

static enum step warp_step(struct site *t) {
    if (t->row->iclass == CLASS_BAR)
        return wait_at(t);
    /* What orders memory does so for all data, or for none: the checkers take it as executed. */
    if ((t->row->iclass == CLASS_FENCE || t->row->iclass == CLASS_BARW) && !definite(t))
        return STEP_FAULT;
    if (t->row->iclass != CLASS_FENCE && t->row->iclass != CLASS_SREG && (!together(t) || !members(t)))
        return STEP_FAULT;
    site_warp(t);
    return STEP_NEXT;
}

/* Memory is written on the condition that the lane is here at all. */
static void guard_memory(struct site *t) {
    for (u64 left = t->maybe; left; left &= left - 1) {
        u32 l = first_lane(left);
        t->guard[l] = both(t, t->sw->flow->path[l], t->guard[l]);
    }
}

/* An access that releases or acquires; an atomic does where there are fences. */
static bool orders_memory(const struct site *t) {
    const struct program *p = t->s->launch.program;
    if (t->row->kind != ROW_ATOM)
        return (t->i->op == OP_LD || t->i->op == OP_ST) && inst_mod_or(t->i, GROUP_HINT, HINT_NONE) >= HINT_CV;
    for (u32 pc = 0; pc < p->ninst; pc++)
        if (isa_rows[p->inst[pc].op].iclass == CLASS_FENCE)
            return true;
    return false;
}

/* Operands that the checkers read from the machine's registers, as far as they are known. */
static void show_operands(struct site *t) {
    const u8 sel[] = {t->u->asel, t->u->bsel, t->u->csel};
    const u32 row[] = {t->u->a, t->u->b, t->u->c};
    bool memory = t->row->kind == ROW_ATOM || t->i->op == OP_LD || t->i->op == OP_ST;
    const u32 words[] = {memory ? space_address_bits(t->u->space) / 32 : 0,
                         t->row->iclass == CLASS_BAR && t->u->counted, t->u->masked ? 2 : 0};
    for (u32 k = 0; k < 3; k++)
        for (u64 left = sel[k] ? 0 : t->maybe; left; left &= left - 1)
            for (u32 h = 0; h < words[k]; h++) {
                u32 l = first_lane(left), value = 0;
                term_value(t->s->e, site_source(t, (enum operand_place)(PLACE_A + k), h, l), &value);
                t->w->base[0][row[k] + h * t->width + l] = value;
            }
}

static enum step step(struct site *t) {
    bool lane = t->row->kind == ROW_LANE || t->row->kind == ROW_LANEI;
    t->w->pc++;
    t->w->clock++;
    if (t->i->op == OP_BRA)
        return branch(t);
    if (!t->maybe)
        return STEP_NEXT;
    if (t->u->fn == warp_illegal)
        return stop(t, DEPEND_FAULT, reason(t, first_lane(t->maybe)));
    if (t->row->iclass == CLASS_BRANCH)
        return flow_step(t);
    if (!lane && t->row->kind != ROW_ATOM && t->i->op != OP_LD && t->i->op != OP_ST)
        return warp_step(t);
    if (orders_memory(t) && !definite(t))
        return STEP_FAULT;
    if (t->row->kind == ROW_ATOM || t->i->op == OP_ST)
        guard_memory(t);
    site_perform(t);
    return STEP_NEXT;
}

enum step path_run(struct warp *w, u64 budget) {
    struct shadow *s = (struct shadow *)(uintptr_t)w->run->launch;
    for (; budget > 0; budget--) {
        struct site t;
        if (!shadow_goes_on(s) || !site_begin(&t, s, w))
            return STEP_FAULT;
        while (w->pc == w->reconv && !s->failed)
            if (pop(&t) == STEP_DONE)
                return STEP_DONE;
        site_at(&t);
        if (s->failed)
            return STEP_FAULT;
        guards(&t);
        if (s->check) {
            show_operands(&t);
            check_before(s->check, w, t.maybe);
        }
        enum step did = step(&t);
        if (s->check)
            check_after(s->check, did == STEP_DONE, did == STEP_FAULT);
        if (s->failed || s->e->failed || s->depends.kind != DEPEND_NONE || s->split)
            return STEP_FAULT;
        if (did != STEP_NEXT)
            return did;
    }
    return STEP_TURN;
}
