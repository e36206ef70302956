/*
 * Who calls whom: what a function needs, its callers need too.
 *
 * For each need, functions are taken from the most demanding down, and their number is handed to all direct and
 * indirect callers that have none yet. So each function is visited once, however calls go in circles.
 */
#include "isa/check.h"

struct call_graph {
    struct arena arena;
    u32 count;
    u32 *first; /* [count + 1] callers of function f: caller[first[f] .. first[f + 1]) */
    u32 *caller;
    u32 *order; /* [count] functions, most demanding first */
    u32 *merge; /* [count] */
    u32 *queue; /* [count] */
    u32 *need;  /* [count] */
    bool *done; /* [count] */
};

/* The function that this instruction calls; nkernels when it is no such call. */
static u32 callee(const struct program *p, const struct inst *i) {
    if (i->op != OP_CALL)
        return p->nkernels;
    const struct kernel *f = program_at(p, inst_target(i));
    return f != NULL && f->function ? (u32)(f - p->kernel) : p->nkernels;
}

static bool graph_build(struct call_graph *g, const struct program *p) {
    u32 n = p->nkernels;
    u32 **array[] = {&g->order, &g->merge, &g->queue, &g->need};
    *g = (struct call_graph){.count = n};
    g->first = arena_alloc(&g->arena, (n + (size_t)1) * sizeof *g->first);
    g->done = arena_alloc(&g->arena, n * sizeof *g->done);
    bool ok = g->first != NULL && g->done != NULL;
    for (size_t i = 0; i < COUNT_OF(array); i++) {
        *array[i] = arena_alloc(&g->arena, n * sizeof(u32));
        ok = ok && *array[i] != NULL;
    }
    u32 calls = 0;
    for (u32 pc = 0; ok && pc < p->ninst; pc++) {
        u32 f = callee(p, &p->inst[pc]);
        if (f < n) {
            g->first[f]++;
            calls++;
        }
    }
    g->caller = ok ? arena_alloc(&g->arena, calls * sizeof *g->caller) : NULL;
    if (g->caller == NULL) {
        arena_free(&g->arena);
        return false;
    }
    for (u32 f = 0, sum = 0; f <= n; f++) {
        sum += g->first[f];
        g->first[f] = sum;
    }
    for (u32 k = 0; k < n; k++) {
        for (u32 pc = p->kernel[k].start; pc < p->kernel[k].end; pc++) {
            u32 f = callee(p, &p->inst[pc]);
            if (f < n)
                g->caller[--g->first[f]] = k;
        }
    }
    return true;
}

/* Merge sort of `order` by descending need: no recursion, no bad case. */
static void sort_by_need(struct call_graph *g) {
    for (u32 f = 0; f < g->count; f++)
        g->order[f] = f;
    for (size_t width = 1; width < g->count; width *= 2) {
        for (size_t low = 0; low < g->count; low += 2 * width) {
            size_t middle = low + width < g->count ? low + width : g->count;
            size_t high = low + 2 * width < g->count ? low + 2 * width : g->count;
            size_t a = low, b = middle;
            for (size_t out = low; out < high; out++) {
                bool left = b == high || (a < middle && g->need[g->order[a]] >= g->need[g->order[b]]);
                g->merge[out] = g->order[left ? a++ : b++];
            }
        }
        u32 *swap = g->order;
        g->order = g->merge;
        g->merge = swap;
    }
}

static void hand_up(struct call_graph *g) {
    sort_by_need(g);
    for (u32 f = 0; f < g->count; f++)
        g->done[f] = false;
    for (u32 n = 0; n < g->count; n++) {
        u32 head = 0, tail = 0;
        u32 most = g->need[g->order[n]];
        if (!g->done[g->order[n]]) {
            g->done[g->order[n]] = true;
            g->queue[tail++] = g->order[n];
        }
        while (head < tail) {
            u32 f = g->queue[head++];
            g->need[f] = most;
            for (u32 c = g->first[f]; c < g->first[f + 1]; c++) {
                if (!g->done[g->caller[c]]) {
                    g->done[g->caller[c]] = true;
                    g->queue[tail++] = g->caller[c];
                }
            }
        }
    }
}

/* The kernel's need by index: registers, shared, local. */
static u32 *need_of(struct kernel *k, u32 which) {
    return which == 0 ? &k->regs : which == 1 ? &k->shared : &k->local;
}

static void count_registers(struct program *p) {
    for (u32 k = 0; k < p->nkernels; k++) {
        for (u32 pc = p->kernel[k].start; pc < p->kernel[k].end; pc++) {
            u32 used = inst_regs_used(&p->inst[pc]);
            p->kernel[k].regs = used > p->kernel[k].regs ? used : p->kernel[k].regs;
        }
    }
}

bool program_close_calls(struct program *p) {
    struct call_graph g;
    if (!graph_build(&g, p))
        return false;
    count_registers(p);
    for (u32 which = 0; which < 3; which++) {
        for (u32 k = 0; k < p->nkernels; k++)
            g.need[k] = *need_of(&p->kernel[k], which);
        hand_up(&g);
        for (u32 k = 0; k < p->nkernels; k++)
            *need_of(&p->kernel[k], which) = g.need[k];
    }
    arena_free(&g.arena);
    return true;
}
