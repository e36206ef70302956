/* The graph of a run, seen by an executor beneath that of the checkers. */
#include "tests/check/truth.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "sim/arch/deferred.h"
#include "sim/arch/state.h"

enum { W = TRUTH_WIDTH, THREADS = 64, BLOCKS = 4, LINES = 256 };

struct node {
    u32 pc, thread, before; /* `before`: the thread's last node, + 1 */
    u64 first, end;         /* bytes, with the block's number above for shared memory */
    bool access, writes, strong;
    u8 fence;   /* 1: of the block, 2: of all */
    bool known; /* its past is */
};

struct edge {
    u32 from, to, next; /* `next`: of those to the same node, + 1 */
};

/* What a location in memory holds: what happened before a node passes to those who acquire. */
struct head {
    u32 node, block;
    bool wide; /* for other blocks too */
};

struct place {
    u64 word; /* 0: free */
    struct buf heads;
};

/* A strong read that saw a head, and acquires by the next fence, or at once. */
struct sight {
    struct head head;
    u32 node, block;
    bool now;
};

/* A strong access of a warp that L2 is to perform. */
struct request {
    struct performed performed; /* first */
    struct performed *checker;
    struct truth *t;
    struct request *next;
    const struct inst *i;
    u32 node[W], block;
    u64 exec, addr[W];
};

struct truth {
    struct launch launch; /* whose progress_ctx is this */
    struct exec_ops ops;
    const struct exec_ops *real;
    u32 threads;                               /* of a block */
    struct buf node, edge, sight;              /* struct node, edge, sight */
    u32 last[THREADS];                         /* the thread's last node, + 1 */
    struct buf arrived[BLOCKS][BARRIER_COUNT]; /* u32: nodes at a barrier */
    u64 waits[BLOCKS][BARRIER_COUNT];          /* threads that wait there */
    u32 warps[BLOCKS][BARRIER_COUNT];          /* that have arrived */
    struct place place[TRUTH_WORDS * (BLOCKS + 1) * 2];
    struct request *requests;
    u32 *into; /* of each node: the first edge, + 1 */
    u64 *past; /* of each node `words` */
    size_t words;
    bool race[LINES][LINES], any;
};

/* ---- the graph ---- */

BUF_LIST(node, struct truth, node, struct node)
BUF_LIST(edge, struct truth, edge, struct edge)

static u32 add(struct truth *t, u32 thread, struct node what) {
    u32 n = node_count(t);
    what.thread = thread;
    if (thread != UINT32_MAX) {
        what.before = t->last[thread];
        t->last[thread] = n + 1;
    }
    buf_append(&t->node, &what, sizeof what);
    return n;
}

static void connect(struct truth *t, u32 from, u32 to) {
    const struct edge e = {.from = from, .to = to};
    buf_append(&t->edge, &e, sizeof e);
}

/* A node of no thread, after `count` others: what follows it in `lanes` of threads happens after all of these. */
static void meet(struct truth *t, const u32 *nodes, size_t count, u64 lanes, u32 base) {
    u32 meeting = add(t, UINT32_MAX, (struct node){0});
    for (size_t i = 0; i < count; i++)
        connect(t, nodes[i], meeting);
    for (; lanes; lanes &= lanes - 1)
        connect(t, meeting, add(t, base + (u32)__builtin_ctzll(lanes), (struct node){0}));
}

static void warp_barrier(struct truth *t, u64 exec, u32 base) {
    u32 nodes[W], n = 0;
    for (u64 left = exec; left; left &= left - 1)
        nodes[n++] = add(t, base + (u32)__builtin_ctzll(left), (struct node){0});
    meet(t, nodes, n, exec, base);
}

static void arrive(struct truth *t, const struct inst *i, u32 block, u32 warp) {
    u32 id = i->a, expected = i->isel ? (u32)i->imm / W : t->threads / W;
    struct buf *arrived = &t->arrived[block][id];
    for (u32 l = 0; l < W; l++) {
        u32 n = add(t, block * t->threads + warp * W + l, (struct node){0});
        buf_append(arrived, &n, sizeof n);
    }
    if (i->op == OP_BAR_SYNC)
        t->waits[block][id] |= (u64)0xff << warp * W;
    if (++t->warps[block][id] < expected)
        return;
    meet(t, (const u32 *)(void *)arrived->data, arrived->len / sizeof(u32), t->waits[block][id], block * t->threads);
    arrived->len = 0;
    t->warps[block][id] = 0;
    t->waits[block][id] = 0;
}

/* ---- releases and acquires ---- */

static struct buf *heads_of(struct truth *t, u64 addr) {
    u64 word = addr / 4 + 1;
    for (u64 h = word * 0x9e3779b97f4a7c15u >> 40;; h++) {
        struct place *at = &t->place[h % COUNT_OF(t->place)];
        if (!at->word || at->word == word) {
            at->word = word;
            return &at->heads;
        }
    }
}

/* Releases by a strong write. */
static void release(struct truth *t, const struct request *f, u32 lane, struct buf *heads) {
    u32 n = f->node[lane];
    bool whole = inst_mod_or(f->i, GROUP_HINT, HINT_NONE) == HINT_RELEASE;
    u32 fence = 0, wide = 0;
    if (f->i->op == OP_ST) /* an atomic continues what others released */
        heads->len = 0;
    for (u32 k = node_at(t, n)->before; k && !wide; k = node_at(t, k - 1)->before) {
        fence = !fence && node_at(t, k - 1)->fence ? k : fence;
        wide = node_at(t, k - 1)->fence == 2 ? k : wide;
    }
    const struct head all[] = {{whole ? n : wide - 1, f->block, true}, {fence - 1, f->block, false}};
    if (whole || wide)
        buf_append(heads, &all[0], sizeof all[0]);
    if (!whole && fence && fence != wide)
        buf_append(heads, &all[1], sizeof all[1]);
}

/* Performs a strong access of one lane: a reduction returns nothing. */
static void perform(struct truth *t, const struct request *f, u32 lane) {
    struct buf *heads = heads_of(t, f->addr[lane]);
    bool now = inst_mod_or(f->i, GROUP_HINT, HINT_NONE) == HINT_ACQUIRE;
    bool reads = f->i->op == OP_LD || (f->i->op != OP_ST && f->i->d != RZ);
    const struct head *h = (const struct head *)(void *)heads->data;
    for (size_t k = 0; k < heads->len / sizeof *h && reads; k++) {
        const struct sight s = {h[k], f->node[lane], f->block, now};
        if (h[k].wide || h[k].block == f->block)
            buf_append(&t->sight, &s, sizeof s);
    }
    if (f->i->op != OP_LD)
        release(t, f, lane, heads);
}

/* Joins what a read saw to the node after it, or to the first fence after it that is wide enough. */
static void join(struct truth *t, const struct sight *s, const u32 *after) {
    u32 n = s->now ? after[s->node] : s->node;
    u8 least = s->head.block == s->block ? 1 : 2;
    while (!s->now && n != UINT32_MAX && node_at(t, n)->fence < least)
        n = after[n];
    if (n != UINT32_MAX)
        connect(t, s->head.node, n);
}

/* ---- what is seen of a run ---- */

static void arrived_at_l2(struct performed *p, const struct deferred *d) {
    struct request *f = (struct request *)(void *)p;
    if (f->checker)
        f->checker->see(f->checker, d);
    for (u32 l = 0; l < W; l++)
        if (f->exec >> l & 1 && f->addr[l] - d->line < CHUNK_BYTES)
            perform(f->t, f, l);
}

static void send(struct truth *t, const struct warp *w, const struct request *f) {
    struct request *kept = malloc(sizeof *kept);
    cr_assert_not_null(kept);
    *kept = *f;
    kept->performed.see = arrived_at_l2;
    kept->checker = w->effect->watch;
    kept->next = t->requests;
    w->effect->watch = &kept->performed;
    t->requests = kept;
}

static void access(struct truth *t, struct warp *w, u32 pc, struct request *f) {
    u32 hint = inst_mod_or(f->i, GROUP_HINT, HINT_NONE), base = f->block * t->threads + w->index * W;
    bool strong = hint != HINT_NONE || isa_rows[f->i->op].kind == ROW_ATOM;
    struct node n = {.pc = pc, .access = true, .writes = f->i->op != OP_LD, .strong = strong};
    u64 deferred = 0;
    for (u64 left = f->exec; left; left &= left - 1) {
        u32 l = (u32)__builtin_ctzll(left);
        u64 at = w->effect->addr[l];
        enum space space = (enum space)inst_mod_or(f->i, GROUP_SPACE, SPACE_GENERIC);
        if (space == SPACE_GENERIC)
            space = space_of_generic(&at);
        if (space != SPACE_SHARED && space != SPACE_GLOBAL)
            continue;
        n.first = f->addr[l] = at + (space == SPACE_SHARED ? (u64)(f->block + 1) << 50 : 0);
        n.end = n.first + w->effect->bytes;
        f->node[l] = add(t, base + l, n);
        if (hint == HINT_ACQUIRE) /* orders what follows: the read itself might have come first */
            add(t, base + l, (struct node){0});
        if (strong && space == SPACE_GLOBAL && w->run->writes)
            deferred |= (u64)1 << l;
        else if (strong)
            perform(t, f, l);
    }
    f->exec = deferred;
    if (deferred)
        send(t, w, f);
}

static void look(struct truth *t, struct warp *w, u32 pc, u64 exec) {
    const struct inst *i = &t->launch.program->inst[pc];
    u32 block = w->block->index[0], base = block * t->threads + w->index * W;
    struct request f = {.t = t, .i = i, .block = block, .exec = exec};
    if (i->op == OP_BAR_WARP)
        warp_barrier(t, exec, base);
    else if (isa_rows[i->op].iclass == CLASS_BAR)
        arrive(t, i, block, w->index);
    else if (isa_rows[i->op].iclass == CLASS_FENCE)
        for (u64 left = exec; left; left &= left - 1)
            add(t, base + (u32)__builtin_ctzll(left), (struct node){.fence = i->op == OP_FENCE_BLOCK ? 1 : 2});
    else if (op_accesses(i->op))
        access(t, w, pc, &f);
}

static u64 executing(const struct warp *w) {
    const u8 guard = w->run->code[w->pc].guard;
    return w->active & (w->p[guard & PT] ^ (guard & PRED_NEG ? ~(u64)0 : 0));
}

static enum step after(struct warp *w, u32 pc, u64 exec, enum step step) {
    if (exec && step != STEP_FAULT)
        look(w->run->launch->progress_ctx, w, pc, exec);
    return step;
}

static enum step step_seen(struct warp *w, const struct uop *u) {
    const struct truth *t = w->run->launch->progress_ctx;
    u32 pc = w->pc;
    u64 exec = executing(w);
    return after(w, pc, exec, t->real->step(w, u));
}

static enum step run_seen(struct warp *w, u64 budget) {
    const struct truth *t = w->run->launch->progress_ctx;
    enum step step = STEP_TURN;
    for (; budget > 0 && step == STEP_TURN; budget--) {
        while (w->pc == w->reconv)
            warp_pop(w);
        u32 pc = w->pc;
        u64 exec = executing(w);
        step = after(w, pc, exec, t->real->run(w, 1));
    }
    return step;
}

/* ---- judgement ---- */

static const u64 *past_of(struct truth *t, u32 n);

static void follow(struct truth *t, u64 *past, u32 other) {
    const u64 *more = past_of(t, other);
    for (size_t k = 0; k < t->words; k++)
        past[k] |= more[k];
    past[other / 64] |= (u64)1 << other % 64;
}

/* Finds what happens before a node, and before that first. */
static const u64 *past_of(struct truth *t, u32 n) {
    u64 *past = t->past + n * t->words;
    struct node *at = node_at(t, n);
    if (at->known)
        return past;
    at->known = true;
    if (at->before)
        follow(t, past, at->before - 1);
    for (u32 e = t->into[n]; e; e = edge_at(t, e - 1)->next)
        follow(t, past, edge_at(t, e - 1)->from);
    cr_assert_not(past[n / 64] >> n % 64 & 1, "an access happens before itself");
    return past;
}

static bool conflict(const struct node *a, const struct node *b) {
    return a->access && b->access && a->thread != b->thread && a->first < b->end && b->first < a->end &&
           (a->writes || b->writes) && !(a->strong && b->strong);
}

void truth_judge(struct truth *t) {
    u32 count = node_count(t), *next = calloc(count + 1, sizeof *next);
    t->words = count / 64 + 1;
    t->into = calloc(count + 1, sizeof *t->into);
    t->past = calloc(count + 1, t->words * sizeof *t->past);
    cr_assert(next && t->into && t->past);
    memset(next, 0xff, count * sizeof *next);
    for (u32 n = 0; n < count; n++)
        if (node_at(t, n)->before)
            next[node_at(t, n)->before - 1] = n;
    for (size_t k = 0; k < t->sight.len / sizeof(struct sight); k++)
        join(t, (const struct sight *)(void *)t->sight.data + k, next);
    for (u32 e = 0; e < t->edge.len / sizeof(struct edge); e++) {
        edge_at(t, e)->next = t->into[edge_at(t, e)->to];
        t->into[edge_at(t, e)->to] = e + 1;
    }
    for (u32 n = 0; n < count; n++)
        past_of(t, n);
    for (u32 n = 0; n < count; n++)
        for (u32 k = 0; k < n; k++) {
            const struct node *a = node_at(t, n), *b = node_at(t, k);
            if (!conflict(a, b) || t->past[n * t->words + k / 64] >> k % 64 & 1 ||
                t->past[k * t->words + n / 64] >> n % 64 & 1)
                continue;
            t->race[a->pc][b->pc] = t->race[b->pc][a->pc] = t->any = true;
        }
    free(next);
}

bool truth_races(const struct truth *t, u32 pc, u32 other) {
    return t->race[pc][other];
}

bool truth_any(const struct truth *t) {
    return t->any;
}

/* ---- the whole ---- */

struct truth *truth_new(const struct launch *l) {
    struct truth *t = calloc(1, sizeof *t);
    cr_assert(t && l->program->ninst <= LINES);
    t->launch = *l;
    t->launch.progress_ctx = t;
    t->launch.ops = &t->ops;
    t->threads = l->block[0];
    t->real = exec_find(l->engine, l->width);
    t->ops = *t->real;
    t->ops.run = run_seen;
    t->ops.step = step_seen;
    return t;
}

const struct launch *truth_launch(struct truth *t) {
    return &t->launch;
}

void truth_free(struct truth *t) {
    for (struct request *f = t->requests, *next; f; f = next) {
        next = f->next;
        free(f);
    }
    for (u32 b = 0; b < BLOCKS; b++)
        for (u32 k = 0; k < BARRIER_COUNT; k++)
            buf_free(&t->arrived[b][k]);
    for (u32 k = 0; k < COUNT_OF(t->place); k++)
        buf_free(&t->place[k].heads);
    buf_free(&t->node);
    buf_free(&t->edge);
    buf_free(&t->sight);
    free(t->into);
    free(t->past);
    free(t);
}
