/*
 * A launch: blocks are started in order of their index and run to their end, one after the other, each warp for a turn.
 * A block whose warps outlast their turns (they spin on something another block will write) stays resident and the next
 * one starts; residents then take turns. All blocks of a cooperative launch are started so. The order is fixed, so a
 * launch gives the same bytes every time.
 */
#include "sim/arch/machine.h"

#include <string.h>

#include "sim/arch/deadlock.h"

enum {
    TURN = 1 << 14,            /* instructions of a warp's turn: long enough for switching to cost nothing */
    TURN_TOGETHER = 1 << 8,    /* of a cooperative launch: blocks that wait for all others wait for this many each */
    RESIDENT_MAX = 256,        /* blocks that take turns */
    RESIDENT_BYTES = 256 << 20 /* and the memory they may take together */
};

struct machine {
    struct run run;
    struct arena arena;
    struct block **resident; /* [residents_max] blocks, running ones first */
    u32 made;                /* blocks with memory */
    u32 running;
    u32 limit;    /* residents allowed */
    u64 turn;     /* instructions of a warp's turn */
    size_t fixed; /* bytes of the arena that belong to no block */
    u64 total;    /* blocks of the grid */
    u64 next;     /* next block to start */
    u64 finished;
    u64 budget; /* instructions left */
    u64 look;   /* budget at the next look at whether anything can still change */
    struct deadlock_past past;
};

enum { LOOK_EVERY = 1 << 20, LOOK_SHARE = 256 }; /* instructions between two looks: at least, and for each of a look */

/* `effort`: of the last look. */
static void look_later(struct machine *m, u64 effort) {
    u64 after = m->run.launch->look ? m->run.launch->look : LOOK_EVERY + LOOK_SHARE * effort;
    m->look = m->budget > after ? m->budget - after : 0;
}

/* True, with the fault, if all residents wait for ever and none can start. */
static bool is_dead(struct machine *m) {
    enum verdict v = DEADLOCK_WAITS;
    look_later(m, 0);
    if (m->running == 0 || (m->next < m->total && m->running < m->limit))
        return false;
    struct deadlock *d = deadlock_begin(&m->run, m->resident[0], &m->past);
    for (u32 k = 0, first = m->past.place; k < m->running && d && v == DEADLOCK_WAITS; k++) {
        m->past.place = (first + k) % m->running;
        deadlock_keep(d, m->resident[m->past.place]);
        v = deadlock_judge(d, m->resident[m->past.place]);
    }
    bool dead = d && v != DEADLOCK_NONE;
    const struct deadlock_places places = {m->total, m->next, m->running, "as many as a launch without a clock keeps",
                                           "keeps all resident"};
    if (dead)
        deadlock_fault(deadlock_found(d), &places, m->run.launch, m->run.fault);
    deadlock_end(d);
    look_later(m, m->past.effort);
    return dead;
}

/*
 * Runs a turn of a block: its warps run until each is done, waits, or has used up its turn. Sets *stuck when every warp
 * left waits at a barrier.
 */
static enum outcome block_turn(struct machine *m, struct block *b, bool *stuck) {
    u64 used[BLOCK_THREADS_MAX / 8] = {0};
    bool moved = true;
    while (moved && b->left) {
        moved = false;
        for (u32 i = 0; i < b->warps; i++) {
            struct warp *w = &b->warp[i];
            if (w->done || w->waiting || used[i] >= m->turn)
                continue;
            u64 turn = m->turn - used[i], clock = w->clock;
            enum step step = m->run.ops->run(w, turn < m->budget ? turn : m->budget);
            u64 spent = w->clock - clock;
            used[i] += spent;
            m->budget -= spent;
            moved = true;
            if (step == STEP_FAULT)
                return RUN_FAULT;
            if (step == STEP_DONE) {
                block_warp_done(b, w);
            } else if (m->budget == 0) {
                warp_limit_fault(w, m->run.fault);
                return RUN_FAULT;
            }
        }
    }
    *stuck = block_stuck(b);
    return RUN_OK;
}

/* Blocks that may be resident, by the memory of those that are. All of a cooperative launch are. */
static u32 residents(const struct machine *m) {
    size_t each = (m->arena.total - m->fixed) / m->made + 1;
    if (m->run.launch->cooperative)
        return (u32)m->total;
    return each * RESIDENT_MAX < RESIDENT_BYTES ? RESIDENT_MAX : (u32)(RESIDENT_BYTES / each) + 1;
}

/* Starts the next block, in memory left by a finished one if there is any. NULL when out of memory. */
static struct block *admit(struct machine *m) {
    if (m->running == m->made) {
        struct block *b = block_new(&m->run, &m->arena);
        if (!b)
            return NULL;
        m->resident[m->made++] = b;
        m->limit = residents(m);
    }
    struct block *b = m->resident[m->running++];
    block_start(&m->run, b, m->next++);
    return b;
}

static void note_work(const struct machine *m, const struct block *b) {
    const u32 *grid = m->run.grid_dim;
    struct block_work *work = &m->run.launch->work[((u64)b->index[2] * grid[1] + b->index[1]) * grid[0] + b->index[0]];
    work->sectors = b->sectors;
    for (u32 i = 0; i < b->warps; i++)
        work->instructions += b->warp[i].clock;
}

static enum outcome run_blocks(struct machine *m) {
    const struct launch *l = m->run.launch;
    u32 turn = 0;
    m->limit = 1;
    m->fixed = m->arena.total;
    while (m->finished < m->total) {
        struct block *b;
        bool stuck = false;
        if (m->next < m->total && m->running < m->limit) {
            b = admit(m);
            if (!b)
                return RUN_NO_MEMORY;
            turn = m->running - 1;
        } else {
            turn = turn + 1 < m->running ? turn + 1 : 0;
            b = m->resident[turn];
        }
        enum outcome o = block_turn(m, b, &stuck);
        if (o != RUN_OK)
            return o;
        if (stuck) {
            barrier_stuck(b, &m->run);
            return RUN_FAULT;
        }
        if (b->left == 0) {
            if (l->work)
                note_work(m, b);
            m->finished++;
            m->resident[turn] = m->resident[--m->running];
            m->resident[m->running] = b;
            turn--;
        }
        if (m->budget < m->look && m->finished < m->total && is_dead(m))
            return RUN_FAULT;
        if (l->progress && !l->progress(l->progress_ctx, (double)m->finished / (double)m->total))
            return RUN_STOPPED;
    }
    return RUN_OK;
}

/* ---- turns by choice ---- */

/* Runs a turn of the warp that was chosen. */
static enum outcome chosen_turn(struct machine *m, struct warp *w) {
    const struct chooser *c = m->run.launch->chooser;
    enum step step;
    do {
        step = m->run.ops->run(w, 1);
        m->budget--;
        if (m->budget < m->look && step == STEP_TURN && is_dead(m))
            return RUN_FAULT;
    } while (step == STEP_TURN && m->budget && !c->ends(c->ctx, w));
    if (step == STEP_FAULT && !(c->survives && c->survives(c->ctx, w)))
        return RUN_FAULT;
    if (step == STEP_DONE || step == STEP_FAULT) {
        block_warp_done(w->block, w);
    } else if (m->budget == 0) {
        warp_limit_fault(w, m->run.fault);
        return RUN_FAULT;
    }
    return RUN_OK;
}

/* Nobody was chosen: blocks whose warps all wait are a fault. */
static enum outcome chosen_nobody(struct machine *m) {
    for (u32 i = 0; i < m->running; i++)
        if (block_stuck(m->resident[i])) {
            barrier_stuck(m->resident[i], &m->run);
            return RUN_FAULT;
        }
    return RUN_STOPPED;
}

static void retire(struct machine *m, struct block *b) {
    u32 i = 0;
    while (m->resident[i] != b)
        i++;
    m->finished++;
    m->resident[i] = m->resident[--m->running];
    m->resident[m->running] = b;
}

static enum outcome run_chosen(struct machine *m) {
    enum { PROGRESS = 1 << 14 }; /* turns between two reports of progress */
    const struct launch *l = m->run.launch;
    l->chooser->begin(l->chooser->ctx);
    m->limit = 1;
    m->fixed = m->arena.total;
    if (l->chooser->survives) /* a chooser that explores orders finds the warps that wait, and what for */
        m->look = 0;
    for (u32 turn = 0; m->finished < m->total; turn++) {
        while (m->next < m->total && m->running < m->limit)
            if (!admit(m))
                return RUN_NO_MEMORY;
        struct warp *w = l->chooser->choose(l->chooser->ctx, m->resident, m->running);
        if (!w)
            return chosen_nobody(m);
        enum outcome o = chosen_turn(m, w);
        if (o != RUN_OK)
            return o;
        if (w->block->left == 0)
            retire(m, w->block);
        if (turn % PROGRESS == 0 && l->progress &&
            !l->progress(l->progress_ctx, (double)m->finished / (double)m->total))
            return RUN_STOPPED;
    }
    return RUN_OK;
}

static void count_lanes(const struct launch *l, const u64 *idle) {
    for (u32 pc = 0; pc < l->program->ninst; pc++)
        l->lanes[pc] = l->issues[pc] * l->width - idle[pc];
}

enum outcome machine_run(const struct launch *l, struct fault *fault) {
    struct machine m = {.arena = {.budget = l->budget}};
    struct run *run = &m.run;
    enum outcome o = RUN_NO_MEMORY;
    bool ready = run_begin(run, l, fault, &m.arena);
    run->issues = l->issues;
    run->printed = l->printed;
    run->counted = l->work != NULL;
    run->idle = arena_alloc(&m.arena, l->program->ninst * sizeof *run->idle);
    m.total = (u64)l->grid[0] * l->grid[1] * l->grid[2];
    if (l->cooperative && m.total > UINT32_MAX)
        return RUN_NO_MEMORY;
    m.turn = l->cooperative ? TURN_TOGETHER : TURN;
    m.resident = arena_alloc(&m.arena, (l->cooperative ? m.total : RESIDENT_MAX) * sizeof(struct block *));
    m.budget = l->max_instructions ? l->max_instructions : ~(u64)0;
    if (ready && run->idle && m.resident) {
        look_later(&m, 0);
        o = l->chooser ? run_chosen(&m) : run_blocks(&m);
        count_lanes(l, run->idle);
        if (l->lenient)
            lenient_add(l->lenient, &run->lenient);
    }
    arena_free(&m.arena);
    return o;
}
