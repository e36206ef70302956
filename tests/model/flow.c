/* Where lanes reconverge, by search: the definition at the head of isa/cfg.c, without its algorithm. */
#include "tests/model/model.h"

#include <stdlib.h>
#include <string.h>

struct walk {
    const struct program *p;
    u32 start, end; /* of the kernel or function */
    u8 *seen;       /* [end - start] */
    u32 *todo;      /* [end - start] */
};

static bool named(const struct inst *i, const char *name) {
    return strcmp(isa_rows[i->op].name, name) == 0;
}

static bool ends(const struct inst *i) {
    return i->guard == PT && (named(i, "exit") || named(i, "ret") || named(i, "trap"));
}

static u32 successors(const struct walk *w, u32 pc, u32 to[2]) {
    const struct inst *i = &w->p->inst[pc];
    u32 n = 0;
    if (ends(i))
        return 0;
    if (named(i, "bra"))
        to[n++] = inst_target(i);
    if ((!named(i, "bra") || i->guard != PT) && pc + 1 < w->end)
        to[n++] = pc + 1;
    return n;
}

/* Marks what can be reached from `from` without passing `without`. */
static void reach(struct walk *w, u32 from, u32 without) {
    u32 n = 0, to[2];
    memset(w->seen, 0, w->end - w->start);
    w->seen[from - w->start] = 1;
    w->todo[n++] = from;
    while (n > 0) {
        u32 k = successors(w, w->todo[--n], to);
        while (k-- > 0)
            if (to[k] != without && !w->seen[to[k] - w->start]) {
                w->seen[to[k] - w->start] = 1;
                w->todo[n++] = to[k];
            }
    }
}

/* The end that the others are measured against: the last exit, else the last trap, else the last instruction. */
static u32 main_end(struct walk *w, u32 from) {
    reach(w, from, UINT32_MAX);
    for (u32 rank = 0; rank < 3; rank++)
        for (u32 pc = w->end; pc-- > w->start;) {
            const struct inst *i = &w->p->inst[pc];
            bool trap = ends(i) && named(i, "trap");
            if (w->seen[pc - w->start] && (rank == 2 || (ends(i) && trap == (rank == 1))))
                return pc;
        }
    return w->end - 1;
}

static u32 search(struct walk *w, u32 branch) {
    u32 end = main_end(w, branch), best = NO_RECONVERGENCE;
    for (u32 x = w->start; x < w->end; x++) {
        if (x == branch)
            continue;
        reach(w, branch, x);
        bool around = x != end && w->seen[end - w->start];
        if (around)
            continue;
        /* Every path passes x. It is nearer than the best so far if that one follows it on every path. */
        if (best != (u32)NO_RECONVERGENCE) {
            reach(w, branch, best);
            if (!w->seen[x - w->start])
                continue;
        }
        reach(w, branch, UINT32_MAX);
        if (w->seen[x - w->start])
            best = x;
    }
    return best;
}

u32 model_meeting_point(const struct program *p, u32 pc) {
    struct walk w = {.p = p};
    for (u32 k = 0; k < p->nkernels; k++)
        if (pc >= p->kernel[k].start && pc < p->kernel[k].end) {
            w.start = p->kernel[k].start;
            w.end = p->kernel[k].end;
        }
    w.seen = malloc(w.end - w.start);
    w.todo = malloc((w.end - w.start) * sizeof *w.todo);
    u32 at = w.seen && w.todo ? search(&w, pc) : (u32)NO_RECONVERGENCE;
    free(w.seen);
    free(w.todo);
    return at;
}
