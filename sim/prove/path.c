#include "sim/prove/path.h"

#include <string.h>

#include "sim/prove/flow.h"

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

/* Number of times that the lanes have reached this branch with a bit that was not known. */
static u32 times_here(const struct site *t, u64 lanes) {
    const struct flow *f = t->sw->flow;
    u32 n = 0;
    for (u32 i = 0; i < f->forks; i++)
        n += f->fork[i].pc == t->pc && f->fork[i].calls == t->w->calls && (f->fork[i].unknown & lanes) != 0;
    return n;
}

/* True if the bit can never be 1, as far as that can be found out. */
static bool never(struct site *t, u32 bit) {
    return bit == BIT_0 || (t->s->never && !bit_known(bit) && t->s->never(t->s->never_ctx, bit));
}

/* Finds the lanes that branch, and those where it is not known; a side that no data takes is none. */
static void decide(struct site *t, u64 *taken, u64 *unknown) {
    struct flow *f = t->sw->flow;
    bool again = times_here(t, t->w->active) > 0;
    *taken = *unknown = 0;
    for (u64 left = t->w->active; left; left &= left - 1) {
        u32 l = first_lane(left), bit = t->guard[l];
        u32 yes = flow_both(t, f->path[l], bit), no = flow_both(t, f->path[l], bit ^ BIT_NOT);
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
    *k = (struct fork){.pc = t->pc, .calls = t->w->calls, .join = f->levels, .unknown = unknown, .start = flow_save(t)};
    if (!k->start)
        return NULL;
    memcpy(k->before, f->path, sizeof k->before);
    memcpy(k->bit, t->guard, sizeof k->bit);
    return k;
}

/* Enters the fork's first side, that of the lanes that do not branch, or its second. */
static void fork_begin(struct site *t, struct fork *k, bool first) {
    struct flow *f = t->sw->flow;
    f->forks++;
    k->ran[0] = first;
    k->ran[1] = k->second = !first;
    for (u64 left = k->unknown; left; left &= left - 1) {
        u32 l = first_lane(left);
        f->path[l] = flow_both(t, k->before[l], k->bit[l] ^ (first ? BIT_NOT : 0));
    }
}

/*
 * Diverges as warp_diverge does, with the reconvergence point as a level of its own also where the machine needs none;
 * lanes that take both sides are in both.
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
            return flow_stop(t, DEPEND_BOUND, bit);
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
        return flow_stop(t, DEPEND_FAULT, t->guard[first_lane(w->active)]);
    bool first = next != join;
    if (k)
        fork_begin(t, k, first);
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
        return flow_stop(t, DEPEND_LOOP, flow_reason(t, first_lane(taken)));
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
        f->path[l] = flow_both(t, f->path[l], t->guard[l] ^ BIT_NOT);
        if (f->path[l] == BIT_0)
            ended |= (u64)1 << l;
    }
    flow_end_lanes(t, ended);
    return t->w->active ? STEP_NEXT : flow_pop(t);
}

/* True if the lanes are known, as calls and returns require. */
static bool lanes_known(struct site *t) {
    for (u64 left = t->maybe; left; left &= left - 1)
        if (!bit_known(t->guard[first_lane(left)])) {
            flow_stop(t, DEPEND_BRANCH, t->guard[first_lane(left)]);
            return false;
        }
    return true;
}

static enum step enter(struct site *t) {
    struct warp *w = t->w;
    if (!lanes_known(t))
        return STEP_FAULT;
    if (w->calls == CALL_DEPTH_MAX || !push(t, (struct level){w->active, w->pc, w->reconv, w->call, true, ROLE_PLAIN}))
        return flow_stop(t, DEPEND_FAULT, BIT_1);
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
            return flow_stop(t, DEPEND_BRANCH, f->fork[i].bit[first_lane(f->fork[i].unknown & lanes)]);
    w->active &= ~lanes;
    for (u32 i = call; i < f->levels && !w->call; i++)
        f->level[i].mask &= ~lanes;
    return w->active ? STEP_NEXT : flow_pop(t);
}

/* ---- instructions that need to know their lanes ---- */

/*
 * True if all lanes that may be here take part for the same data. Otherwise the run ends, to be divided by the first
 * bit that this depends on.
 */
static bool together(struct site *t) {
    const struct flow *f = t->sw->flow;
    u32 first = first_lane(t->maybe), l;
    u32 all = flow_both(t, f->path[first], t->guard[first]);
    for (u64 left = t->maybe; left; left &= left - 1) {
        l = first_lane(left);
        if (flow_both(t, f->path[l], t->guard[l]) != all) {
            flow_split(t, flow_reason(t, bit_known(flow_both(t, f->path[l], t->guard[l])) ? first : l));
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
        flow_split(t, flow_reason(t, l));
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
            flow_stop(t, DEPEND_FAULT, flow_reason(t, l));
        if (t->s->depends.kind != DEPEND_NONE)
            return false;
    }
    return true;
}

static enum step wait_at(struct site *t) {
    u32 threads = 0;
    if (t->u->reduces)
        return flow_stop(t, DEPEND_JOINED, BIT_1);
    if (!certain(t))
        return STEP_FAULT;
    for (u64 left = t->maybe; t->u->counted && left; left &= left - 1) {
        u32 word = site_source(t, PLACE_B, 0, first_lane(left)), n = 0;
        site_depends_word(t, DEPEND_THREADS, word);
        if (!term_value(t->s->e, word, &n) || (left != t->maybe && n != threads))
            return flow_stop(t, DEPEND_FAULT, BIT_1);
        threads = n;
    }
    t->w->exec = t->maybe;
    return barrier_arrive(t->w, t->u, threads, op_waits(t->i->op));
}

/* ---- one instruction ---- */

static void guards(struct site *t) {
    u8 g = t->i->guard;
    t->maybe = 0;
    for (u64 left = t->w->active; left; left &= left - 1) {
        u32 l = first_lane(left);
        t->guard[l] = path_bit(t->s, t->sw, l, site_predicate(t, g, l));
        if (flow_both(t, t->sw->flow->path[l], t->guard[l]) != BIT_0)
            t->maybe |= (u64)1 << l;
    }
    t->exec = t->maybe;
}

static enum step flow_step(struct site *t) {
    switch (t->i->op) {
    case OP_CALL: return enter(t);
    case OP_RET: return come_back(t);
    case OP_EXIT: return leave(t);
    case OP_TRAP:
        for (u64 left = t->maybe; left; left &= left - 1)
            path_faults(t, first_lane(left));
        return STEP_NEXT;
    case OP_NOP:
    case OP_PMEVENT:
    case OP_PMEVENT_MASK: return STEP_NEXT;
    default: BUG("a branch that sim/prove does not know");
    }
}

/* True if it takes part for all data. */
static bool definite(struct site *t) {
    for (u64 left = t->maybe; left; left &= left - 1) {
        u32 l = first_lane(left);
        if (flow_both(t, t->sw->flow->path[l], t->guard[l]) == BIT_1)
            continue;
        flow_split(t, flow_reason(t, l));
        return false;
    }
    return true;
}

static enum step warp_step(struct site *t) {
    if (op_memory(t->i->op) == MEMORY_BARRIER)
        return wait_at(t);
    /* An instruction that orders memory does so for all data, or for none: the checkers take it as executed. */
    if (op_memory(t->i->op) != MEMORY_NONE && !definite(t))
        return STEP_FAULT;
    bool names = t->row->iclass == CLASS_SREG && isa_sregs[t->i->a].by == BY_LANES;
    bool alone = op_lanes(t->i->op) == LANES_OWN && !names;
    if (!alone && (!together(t) || !members(t)))
        return STEP_FAULT;
    site_warp(t);
    return STEP_NEXT;
}

/* Memory is written on the condition that the lane is here at all. */
static void guard_memory(struct site *t) {
    for (u64 left = t->maybe; left; left &= left - 1) {
        u32 l = first_lane(left);
        t->guard[l] = flow_both(t, t->sw->flow->path[l], t->guard[l]);
    }
}

/* An access that releases or acquires; an atomic does where there are fences. */
static bool orders_memory(const struct site *t) {
    const struct program *p = t->s->launch.program;
    if (op_memory(t->i->op) != MEMORY_ATOMIC)
        return op_accesses(t->i->op) && inst_mod_or(t->i, GROUP_HINT, HINT_NONE) >= HINT_CV;
    for (u32 pc = 0; pc < p->ninst; pc++)
        if (op_memory(p->inst[pc].op) == MEMORY_FENCE)
            return true;
    return false;
}

/* Operands that the checkers read from the machine's registers, as far as they are known. */
static void show_operands(struct site *t) {
    const u8 sel[] = {t->u->asel, t->u->bsel, t->u->csel};
    const u32 row[] = {t->u->a, t->u->b, t->u->c};
    const u32 words[] = {op_accesses(t->i->op) ? space_address_bits(t->u->space) / 32 : 0,
                         op_memory(t->i->op) == MEMORY_BARRIER && t->u->counted, t->u->masked ? 2 : 0};
    for (u32 k = 0; k < 3; k++)
        for (u64 left = sel[k] ? 0 : t->maybe; left; left &= left - 1)
            for (u32 h = 0; h < words[k]; h++) {
                u32 l = first_lane(left);
                t->w->base[0][row[k] + h * t->width + l] = site_value(t, (enum operand_place)(PLACE_A + k), h, l);
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
        return flow_stop(t, DEPEND_FAULT, flow_reason(t, first_lane(t->maybe)));
    if (t->row->iclass == CLASS_BRANCH)
        return flow_step(t);
    if (!lane && !op_accesses(t->i->op))
        return warp_step(t);
    if (orders_memory(t) && !definite(t))
        return STEP_FAULT;
    if (op_writes(t->i->op))
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
            if (flow_pop(&t) == STEP_DONE)
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
