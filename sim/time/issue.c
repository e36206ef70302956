/*
 * Issue: the cycle of a sub-core, and what an instruction changes on the scoreboard.
 *
 * A warp is not ready (sub_core.wheel: until when, by its registers and its gate), or ready (a bit of sub_core.ready:
 * it waits for its unit and its turn). When it issues, the cycles since its last instruction are charged:
 *
 *      last issue | not ready: the reason in `next` | ready: unit taken -> throttle, else not_selected | selected
 *
 * How long a unit was taken meanwhile is the difference of two readings of one running sum (struct busy): a warp that
 * waits costs nothing. On an FMA loop, 16 warps to a sub-core, an issue takes a quarter of 1390 host instructions.
 */
#include "sim/base/bits.h"
#include "sim/time/issue_policy.h"

static inline void charge(struct sm *s, struct line_counters *line, struct core_warp *w, u64 time, enum stall why) {
    if (time <= w->since)
        return;
    u64 cycles = time - w->since;
    s->counters.stall[why] += cycles;
    line->stall[why] += cycles;
    w->since = time;
}

void sm_charge(struct sm *s, struct core_warp *w, u64 time, enum stall why) {
    if (s->record)
        record_wait(s, w, w->warp->pc, time, why);
    charge(s, &s->line[w->warp->pc], w, time, why);
}

static struct sub_core *home(struct sm *s, const struct core_warp *w) {
    return &s->sub_core[w->sub_core];
}

/* The warp's next instruction is not before that, for that reason. The warp is in no wheel. */
static inline void hold(struct sm *s, struct sub_core *c, struct core_warp *w, when until) {
    u64 at = when_time(until);
    w->next = until;
    if (at == TIME_NEVER)
        return;
    wheel_add(&c->wheel, w->place, at);
    s->next[w->sub_core] = min_u64(at, s->next[w->sub_core]);
}

/* Used only where fetches take time: they follow the last issue, or a branch that is resolved, a block's start. */
static when fetched(struct sm *s, struct sub_core *c, const struct core_warp *w, u32 pc) {
    enum stall gate = when_why(w->gate);
    bool later = gate == STALL_BRANCH_RESOLVING || gate == STALL_NO_INSTRUCTION;
    return when_of(fetch_ready(s, c, pc, later ? when_time(w->gate) : s->now + 1), STALL_NO_INSTRUCTION);
}

static inline void reconsider(struct sm *s, struct sub_core *c, struct core_warp *w) {
    u32 pc = w->warp->pc;
    const struct timing_inst *t = &s->timing->inst[pc];
    const when *slot = w->slot;
    when next = w->gate;
    for (u32 i = 0, n = t->waits; i < n; i++)
        next = max_u64(slot[t->wait[i]], next);
    if (UNLIKELY(t->stores))
        next = max_u64(when_of(w->shared_done, STALL_SHORT_SCOREBOARD), next);
    if (UNLIKELY(s->l1i != NULL))
        next = max_u64(fetched(s, c, w, pc), next);
    c->wants[w->place] = t->unit;
    hold(s, c, w, next);
}

void sm_reconsider(struct sm *s, struct core_warp *w) {
    reconsider(s, home(s, w), w);
}

void sm_wake(struct sm *s, struct core_warp *w) {
    if (w->next >= WHEN_NEVER)
        sm_reconsider(s, w);
}

/* ---- may it? ---- */

static inline u32 bank_conflicts(const struct sm *s, const struct core_warp *w, const struct timing_inst *t, u32 pc) {
    if (t->conflicts == 0 || w->last_pc == NONE)
        return t->conflicts;
    if (LIKELY(w->last_pc + 1 == pc))
        return t->conflicts_next;
    return timing_conflicts(t, &s->timing->inst[w->last_pc], &s->board->sm);
}

/* ---- what instructions do ---- */

/* Holds the warp up until its strong reads are answered, and the writes of its block so far with `writes`. */
static void await(struct sm *s, struct core_warp *w, bool writes, u64 least) {
    const struct core_block *b = &s->block[w->block];
    w->fence_left = writes ? b->writes : 0;
    w->fence_seq = writes ? b->write_seq : 0;
    w->fence_time = least;
    s->awaiting += w->fence_left > 0;
    w->gate = w->fence_left || w->late ? WHEN_NEVER | STALL_MEMBAR : when_of(least, STALL_MEMBAR);
}

/* Ends the waiting of `await`, unless there is more to wait for. */
static void awaited(const struct sm *s, struct core_warp *w, u64 time) {
    if (w->fence_left || w->late)
        return;
    w->gate = when_of(max_u64(time, w->fence_time), STALL_MEMBAR);
    w->released = w->fence_seq && s->timing->inst[w->warp->pc].release;
}

void sm_read(const struct sm *s, struct core_warp *w) {
    w->late--;
    if (w->gate == (WHEN_NEVER | STALL_MEMBAR))
        awaited(s, w, s->replied);
}

static void fence(struct sm *s, struct core_warp *w, const struct timing_inst *t, u64 now) {
    const struct board_barrier *b = &s->board->barrier;
    u32 least = t->level == 0 ? b->fence_block : t->level == 1 ? b->fence_gpu : b->fence_sys;
    u64 done = now + (least ? least : 1);
    s->counters.sm.fences++;
    await(s, w, t->level > 0, done);
}

/*
 * Releases the warps that wait at a complete barrier. The unit passes them one after the other, the last place first:
 * on cards each warp costs its time after the last arrival, and warp 0, which works between barriers most often, too.
 */
static void barrier_release(struct sm *s, struct core_warp *last, u32 pc, u32 id, bool wait) {
    u64 at = max_u64(s->block[last->block].arrived[id] + s->board->barrier.cycles, s->barrier_free);
    s->block[last->block].arrived[id] = 0;
    if (s->record)
        record_release(s, last, pc, id, max_u64(at, s->now + 1));
    for (u32 i = s->board->sm.max_warps; i-- > 0;) {
        struct core_warp *w = &s->warp[i];
        if (!w->warp || w->block != last->block || (w == last && !wait) ||
            (w != last && (w->gate != (WHEN_NEVER | STALL_BARRIER) || w->warp->waiting)))
            continue;
        at += s->board->barrier.per_warp;
        w->gate = when_of(max_u64(at, s->now + 1), STALL_BARRIER);
        sm_gives(s, w, w->gate);
        if (w != last)
            sm_reconsider(s, w);
    }
    s->barrier_free = at;
}

static void barrier_arrived(struct sm *s, struct core_warp *w, u32 pc, enum step step, u64 now) {
    const struct uop *u = &s->run.code[pc];
    struct core_block *b = &s->block[w->block];
    s->counters.sm.barriers++;
    b->arrived[u->na] = now;
    sm_gives(s, w, WHEN_NEVER | STALL_BARRIER);
    if (s->record)
        record_barrier(s, w, pc, u->na, now);
    if (UNLIKELY(s->board->barrier.free)) { /* as if all had arrived */
        barrier_open(b->block, u->na);
        sm_gives(s, w, when_of(now + 1, STALL_BARRIER));
        return;
    }
    if (step == STEP_WAIT)
        w->gate = WHEN_NEVER | STALL_BARRIER;
    if (b->block->barrier[u->na].expected == 0)
        barrier_release(s, w, pc, u->na, op_waits(s->run.launch->program->inst[pc].op));
}

static void check_deadlock(struct sm *s, const struct core_warp *w, u64 now) {
    struct block *b = s->block[w->block].block;
    if (!block_stuck(b))
        return;
    barrier_stuck(b, &s->run);
    s->fault_time = now;
}

static void block_free(struct sm *s, u32 block, u64 time) {
    struct core_block *b = &s->block[block];
    b->end = time;
    s->last_event = max_u64(time, s->last_event);
    if (s->record)
        record_free(s, block, time);
    s->active_until = max_u64(time, s->active_until);
    s->room = min_u64(time, s->room);
    s->ended++;
    if (s->ends)
        s->ends[b->number] = time;
    if (s->taken--, --s->resident == 0)
        s->counters.sm.active_cycles += s->active_until - s->active_since;
}

/* Releases who waits at barriers that the end of a warp completes. Inlined, it cost an FMA loop 0.7 %. */
static NOINLINE void release_exited(struct sm *s, struct core_warp *w, u32 complete) {
    for (; complete; complete &= complete - 1)
        barrier_release(s, w, w->warp->pc - 1, first_lane(complete), false);
}

static void warp_end(struct sm *s, struct core_warp *w, u64 now) {
    struct core_block *b = &s->block[w->block];
    struct sub_core *c = home(s, w);
    if (s->record)
        record_end(s, w, now + 1);
    release_exited(s, w, block_warp_done(b->block, w->warp));
    w->next = WHEN_NEVER;
    if (--c->resident == 0)
        s->counters.sm.slots_vacant += now + 1 - c->resident_since; /* occupied slots; sm_close turns them */
    if (b->block->left)
        check_deadlock(s, w, now);
    w->warp = NULL;
    c->held &= ~((u64)1 << w->place);
    if (b->block->left == 0) {
        b->exited = now + 1;
        if (b->loads == 0)
            block_free(s, w->block, now + 1);
    }
}

void sm_loaded(struct sm *s, u32 block, u64 time) {
    struct core_block *b = &s->block[block];
    b->loads--;
    if (b->loads == 0 && b->block->left == 0)
        block_free(s, block, max_u64(time, b->exited));
}

void sm_written(struct sm *s, u32 block, u64 seq, u64 time) {
    struct core_block *b = &s->block[block];
    if (seq < b->first_write)
        return;
    b->writes--;
    for (u32 i = 0; i < s->board->sm.max_warps && s->awaiting; i++) {
        struct core_warp *w = &s->warp[i];
        if (!w->warp || w->block != block || w->fence_left == 0 || seq >= w->fence_seq || --w->fence_left)
            continue;
        s->awaiting--;
        awaited(s, w, time);
        sm_wake(s, w);
    }
}

/* ---- the cycle ---- */

static inline void count_issue(struct sm *s, struct line_counters *line, const struct timing_inst *t, u64 exec) {
    struct core_counters *n = &s->counters;
    u32 lanes = LIKELY(exec == s->run.full) ? s->run.width : ones_of(exec), unit = t->unit;
    line->issues++;
    line->lanes += lanes;
    n->sm.slots_issued++;
    n->sm.lane_instructions += lanes;
    n->sm.register_reads += t->reads;
    n->sm.register_writes += t->registers_written;
    n->unit_busy[unit] += t->interval;
    n->unit_lanes[unit] += lanes;
}

static void count_branch(struct sm *s, const struct warp *w, u32 pc) {
    bool diverged = w->effect->diverged != 0;
    s->counters.sm.branches++;
    s->counters.sm.divergent_branches += diverged;
    s->line[pc].divergent_branches += diverged;
}

static inline void result(struct core_warp *w, const struct timing_inst *t, u64 now) {
    when ready = (now << WHY_BITS) + t->result;
    when *slot = w->slot;
    for (u32 i = 0, n = t->writes; i < n; i++)
        slot[t->write[i]] = ready;
}

static struct unit_queue *queue_of(struct sub_core *c, enum unit unit) {
    return unit == UNIT_XU ? &c->xu : &c->xlane;
}

/* Takes a place in the queue of its unit; the cycle in which the unit begins with it. */
static u64 enqueue(const struct sm *s, struct sub_core *c, const struct timing_inst *t, u64 now) {
    struct unit_queue *q = queue_of(c, t->unit);
    u64 begins = max_u64(now, q->free);
    q->free = begins + t->interval;
    q->begins[q->at] = begins;
    q->at = q->at + 1 < s->board->sm.unit_queue ? q->at + 1 : 0;
    return begins;
}

/* Takes the further issue slots of a routine at once, where a card lets other warps issue between them. */
static void take_slots(struct sm *s, struct core_warp *w, const struct timing_inst *t, u64 now) {
    u64 until = now + 1 + (t->slots - 1 + s->board->sm.issue_width - 1) / s->board->sm.issue_width;
    struct sub_core *c = home(s, w);
    c->port_free = max_u64(c->port_free, until);
    w->gate = when_of(until, STALL_WAIT);
    s->counters.sm.slots_routine += t->slots - 1;
}

/* Instructions that do more than to wait for their unit and to give a result. */
static void issue_variable(struct sm *s, struct core_warp *w, u32 pc, enum step step, u64 now) {
    const struct timing_inst *t = &s->timing->inst[pc];
    switch ((enum timing_kind)t->kind) {
    case TIMING_FIXED: break;
    case TIMING_OPERAND:
        s->counters.sm.constant_requests += w->warp->exec != 0;
        result(w, t, now);
        break;
    case TIMING_ROUTINE:
        result(w, t, now);
        take_slots(s, w, t, now);
        break;
    case TIMING_QUEUED:
        result(w, t, enqueue(s, home(s, w), t, now));
        if (t->slots > 1)
            take_slots(s, w, t, now);
        break;
    case TIMING_MEMORY: lsu_issue(s, w, pc, now); break;
    case TIMING_BARRIER:
        if (w->warp->exec && step != STEP_PARKED)
            barrier_arrived(s, w, pc, step, now);
        break;
    case TIMING_FENCE:
        if (w->warp->exec)
            fence(s, w, t, now);
        break;
    case TIMING_SLEEP: w->gate = when_of(now + sm_sleep(s, w->warp, pc), STALL_SLEEPING); break;
    case TIMING_BAR_WARP: w->gate = when_of(now + t->latency, STALL_WAIT); break;
    case TIMING_BRANCH:
        count_branch(s, w->warp, pc);
        w->gate = when_of(now + t->latency, STALL_BRANCH_RESOLVING);
        break;
    case TIMING_JUMP: w->gate = when_of(now + t->latency, STALL_BRANCH_RESOLVING); break;
    }
}

/* Cycles that the warp's unit was taken since the warp became ready. */
static inline u64 unit_taken(const struct sub_core *c, const struct core_warp *w, const struct timing_inst *t,
                             u64 now) {
    return busy_before(&c->unit[t->unit], now) - c->busy_at_ready[w->place];
}

/* Accounts for the time up to `now` of a warp that has been ready for a while. */
static inline void charge_ready(struct sm *s, const struct sub_core *c, struct core_warp *w, u32 pc, u64 now) {
    const struct timing_inst *t = &s->timing->inst[pc];
    struct line_counters *line = &s->line[pc];
    charge(s, line, w, w->next >> WHY_BITS, when_why(w->next));
    if (w->since >= now)
        return;
    u64 taken = unit_taken(c, w, t, now);
    if (taken)
        charge(s, line, w, w->since + taken, (enum stall)t->throttle);
    charge(s, line, w, now, STALL_NOT_SELECTED);
}

/*
 * Records the waits that charge_ready accounts for; also after it, while the warp's `next` and its unit are unchanged.
 */
static void record_ready(struct sm *s, const struct sub_core *c, const struct core_warp *w, u32 pc, u64 now) {
    const struct timing_inst *t = &s->timing->inst[pc];
    u64 ready = record_wait(s, w, pc, w->next >> WHY_BITS, when_why(w->next));
    if (ready < now)
        record_wait(s, w, pc, ready + unit_taken(c, w, t, now), (enum stall)t->throttle);
    record_wait(s, w, pc, now, STALL_NOT_SELECTED);
}

static void record_issued(struct sm *s, const struct sub_core *c, const struct core_warp *w, u32 pc, u64 now) {
    record_ready(s, c, w, pc, now);
    record_issue(s, w, pc, now);
}

static inline void read_operands(struct sm *s, struct sub_core *c, struct core_warp *w, const struct timing_inst *t,
                                 u32 pc) {
    const u64 now = w->warp->clock;
    u32 conflicts = bank_conflicts(s, w, t, pc);
    c->port_free = c->port_free > now + 1 + conflicts ? c->port_free : now + 1 + conflicts;
    if (LIKELY(conflicts == 0))
        return;
    s->counters.sm.register_conflicts += conflicts;
    if (w->gate < when_of(c->port_free, STALL_DISPATCH_STALL))
        w->gate = when_of(c->port_free, STALL_DISPATCH_STALL);
}

/* After a fault nothing more issues; stopped here rather than tested before each issue. */
static void stop(struct sm *s, u64 now) {
    s->fault_time = now;
    for (u32 c = 0; c < SUB_CORES_MAX; c++) {
        s->next[c] = TIME_NEVER;
        s->sub_core[c].wanted = 0;
    }
}

/* Takes the instruction's unit, or with a queue the place before it: that also while the queue is full. */
static inline void take_unit(struct sub_core *c, const struct timing_inst *t, u64 now) {
    u64 until = now + t->interval;
    if (t->kind == TIMING_QUEUED) {
        const struct unit_queue *q = queue_of(c, t->unit);
        until = max_u64(now + 1, q->begins[q->at]);
    } else if (t->unit == UNIT_LSU) {
        c->lsu_free = until;
        until = lsu_room(c);
    }
    busy_begin(&c->unit[t->unit], now, until);
}

static inline void issue(struct sm *s, struct sub_core *c, struct core_warp *w, u64 now) {
    struct warp *warp = w->warp;
    u32 pc = warp->pc;
    const struct timing_inst *t = &s->timing->inst[pc];
    charge_ready(s, c, w, pc, now);
    charge(s, &s->line[pc], w, now + 1, STALL_SELECTED);
    w->released = false;
    warp->clock = now;
    if (UNLIKELY(s->record != NULL))
        record_before(s, w, now);
    enum step step = s->run.ops->step(warp, &s->run.code[pc]);
    count_issue(s, &s->line[pc], t, warp->exec);
    c->last = w->place;
    s->last_event = max_u64(now + 1, s->last_event);
    if (UNLIKELY(step == STEP_FAULT)) {
        if (s->record)
            record_issued(s, c, w, pc, now);
        stop(s, now);
        return;
    }
    w->gate = when_of(now + 1, STALL_WAIT);
    if (t->kind == TIMING_FIXED)
        result(w, t, now);
    else
        issue_variable(s, w, pc, step, now);
    if (UNLIKELY(s->record != NULL))
        record_issued(s, c, w, pc, now);
    take_unit(c, t, now);
    if (s->board->sm.register_banks)
        read_operands(s, c, w, t, pc);
    w->last_pc = pc;
    if (UNLIKELY(step == STEP_DONE)) {
        warp_end(s, w, now);
        return;
    }
    reconsider(s, c, w);
    if (UNLIKELY(step == STEP_WAIT && warp->waiting))
        check_deadlock(s, w, now);
}

/* Warps whose registers and gate have let them go: they now wait for their unit. */
static inline void become_ready(struct sub_core *c, u64 due, u64 now) {
    for (; due; due &= due - 1) {
        u32 place = first_lane(due), unit = c->wants[place];
        c->ready[unit] |= (u64)1 << place;
        c->wanted |= 1u << unit;
        c->busy_at_ready[place] = busy_before(&c->unit[unit], now);
    }
}

/* Ready warps whose unit is free; *next: when the next unit that is wanted will be free. */
static u64 candidates(const struct sub_core *c, u64 now, u64 *next) {
    u64 found = 0;
    *next = TIME_NEVER;
    for (u32 left = c->wanted; left; left &= left - 1) {
        u32 u = first_lane(left);
        if (c->unit[u].until <= now)
            found |= c->ready[u];
        else if (c->unit[u].until < *next)
            *next = c->unit[u].until;
    }
    return found;
}

static void leave_ready(struct sub_core *c, u32 unit, u32 place) {
    c->ready[unit] &= ~((u64)1 << place);
    if (!c->ready[unit])
        c->wanted &= ~(1u << unit);
}

/* A release whose earlier accesses are not done waits for them instead. */
static bool must_wait(struct sm *s, struct sub_core *c, struct core_warp *w, u64 now) {
    u32 pc = w->warp->pc;
    if (LIKELY(!s->timing->inst[pc].release) || w->released || s->block[w->block].writes + w->late == 0)
        return false;
    if (s->record)
        record_ready(s, c, w, pc, now);
    charge_ready(s, c, w, pc, now);
    await(s, w, true, now);
    w->next = WHEN_NEVER | STALL_MEMBAR;
    return true;
}

/* Issues what can issue; the next cycle with something to do. */
static u64 cycle(struct sm *s, struct sub_core *c, struct core_warp *first, u64 now) {
    const struct board_sm *b = &s->board->sm;
    u32 left = b->issue_width;
    u64 found, unit = TIME_NEVER;
    if (c->wheel.soonest <= now)
        become_ready(c, wheel_take(&c->wheel, now), now);
    if (c->port_free > now)
        return min_u64(c->port_free, c->wheel.soonest);
    while ((found = candidates(c, now, &unit)) != 0 && left) {
        if (UNLIKELY(b->policy == policy_SINGLE) && !(found = policy_single(c, first, b->sub_cores, found)))
            break;
        u32 place = policy_choose(c, b->policy, found);
        struct core_warp *w = &first[place * b->sub_cores];
        leave_ready(c, c->wants[place], place);
        if (must_wait(s, c, w, now))
            continue;
        issue(s, c, w, now);
        left--;
    }
    u64 soonest = c->wheel.soonest, next = found ? now + 1 : min_u64(unit, soonest);
    return next > now ? next : now + 1;
}

void sub_core_cycle(struct sm *s, u32 sub_core, u64 now) {
    s->next[sub_core] = cycle(s, &s->sub_core[sub_core], &s->warp[sub_core], now);
}
