/*
 * Where diverging lanes meet again: immediate post-dominators, by Lengauer and Tarjan's algorithm on the reversed graph
 * (O(edges * log blocks), without recursion).
 *
 * A lane that ends is not waited for. So a point that every lane passes that does not end before is as good as one that
 * every lane passes, and paths that end early are left out: guarded exits have no edge to the end, and of several ends
 * the last one in the code is what the others are measured against; a block that can only reach an earlier end counts
 * with that one. Exits go before traps, and in a loop without end its last block plays the end. Wherever the plain
 * graph has an immediate post-dominator, this is the same one.
 *
 *       @p bra work         plain: none, one way exits          here: work
 *       exit
 *   work: ...
 */
#include "isa/flow.h"

/* One run of the algorithm. Nodes are numbers in the order of the search; node 0 is the end of the thread. */
struct dominators {
    struct flow *f;
    u32 count;     /* nodes numbered so far */
    u32 *number;   /* [blocks] node of each block, 0 = unreached */
    u32 *block;    /* [nodes] block of each node */
    u32 *root;     /* [nodes] exit whose tree has this node */
    u32 *parent;   /* [nodes] in the search tree */
    u32 *semi;     /* [nodes] semidominator */
    u32 *idom;     /* [nodes] */
    u32 *ancestor; /* [nodes] forest of linked nodes, FLOW_NONE at its roots */
    u32 *label;    /* [nodes] node of least semidominator on the way up */
    u32 *bucket;   /* [nodes] nodes whose semidominator this is: first of a list */
    u32 *next;     /* [nodes] rest of that list */
    u32 *stack;    /* [nodes] */
};

static bool dominators_init(struct dominators *d, struct flow *f) {
    size_t n = f->count + (size_t)1;
    u32 **array[] = {&d->number,   &d->block, &d->root,   &d->parent, &d->semi, &d->idom,
                     &d->ancestor, &d->label, &d->bucket, &d->next,   &d->stack};
    u32 *memory = arena_alloc(&f->arena, COUNT_OF(array) * n * sizeof *memory);
    if (memory == NULL)
        return false;
    for (size_t i = 0; i < COUNT_OF(array); i++)
        *array[i] = memory + i * n;
    d->f = f;
    d->count = 1;
    return true;
}

static void number_node(struct dominators *d, u32 block, u32 parent, u32 root) {
    u32 node = d->count++;
    d->number[block] = node;
    d->block[node] = block;
    d->parent[node] = parent;
    d->root[node] = root;
}

/* Depth-first search against the edges, from an end. `next` holds how far each open node's predecessors are done. */
static void search(struct dominators *d, u32 end) {
    u32 depth = 0;
    u32 root = d->count;
    number_node(d, end, 0, root);
    d->stack[depth++] = root;
    d->next[root] = d->f->block[end].pred;
    while (depth > 0) {
        u32 node = d->stack[depth - 1];
        u32 block = d->block[node];
        if (d->next[node] == d->f->block[block + 1].pred) {
            depth--;
            continue;
        }
        u32 pred = d->f->pred[d->next[node]++];
        if (d->number[pred] == 0) {
            d->next[d->count] = d->f->block[pred].pred;
            d->stack[depth++] = d->count;
            number_node(d, pred, node, root);
        }
    }
}

/* Rank of a block as an exit: 0 exit or ret, 1 trap, 2 none. */
static u32 end_rank(const struct flow *f, u32 block) {
    const struct inst *i = &f->inst[f->block[block].last];
    if (f->block[block].succ[0] != FLOW_NONE || f->block[block].succ[1] != FLOW_NONE)
        return 2;
    return i->op == OP_TRAP ? 1 : 0;
}

static void search_all(struct dominators *d) {
    for (u32 rank = 0; rank <= 2; rank++) {
        for (u32 b = d->f->count; b-- > 0;)
            if (d->number[b] == 0 && end_rank(d->f, b) == rank)
                search(d, b);
    }
}

/* The node of least semidominator between v and the root of its tree; makes the way shorter for the next time. */
static u32 eval(struct dominators *d, u32 v) {
    if (d->ancestor[v] == FLOW_NONE)
        return v;
    u32 depth = 0;
    for (u32 u = v; d->ancestor[d->ancestor[u]] != FLOW_NONE; u = d->ancestor[u])
        d->stack[depth++] = u;
    while (depth > 0) {
        u32 u = d->stack[--depth];
        u32 above = d->ancestor[u];
        if (d->semi[d->label[above]] < d->semi[d->label[u]])
            d->label[u] = d->label[above];
        d->ancestor[u] = d->ancestor[above];
    }
    return d->label[v];
}

static void find_semidominator(struct dominators *d, u32 node) {
    const struct flow_block *block = &d->f->block[d->block[node]];
    d->semi[node] = d->parent[node];
    for (u32 s = 0; s < 2; s++) {
        u32 v = block->succ[s] != FLOW_NONE ? d->number[block->succ[s]] : 0;
        if (v != 0 && d->root[v] == d->root[node]) {
            u32 u = d->semi[eval(d, v)];
            d->semi[node] = u < d->semi[node] ? u : d->semi[node];
        }
    }
}

static void find_dominators(struct dominators *d) {
    for (u32 v = 0; v < d->count; v++) {
        d->ancestor[v] = FLOW_NONE;
        d->label[v] = v;
        d->semi[v] = v;
    }
    for (u32 w = d->count - 1; w > 0; w--) {
        u32 p = d->parent[w];
        find_semidominator(d, w);
        d->next[w] = d->bucket[d->semi[w]];
        d->bucket[d->semi[w]] = w;
        d->ancestor[w] = p;
        for (u32 v = d->bucket[p]; v != 0; v = d->next[v]) {
            u32 u = eval(d, v);
            d->idom[v] = d->semi[u] < d->semi[v] ? u : p;
        }
        d->bucket[p] = 0;
    }
    for (u32 w = 1; w < d->count; w++)
        if (d->idom[w] != d->semi[w])
            d->idom[w] = d->idom[d->idom[w]];
}

bool flow_postdominators(struct flow *f, u32 *ipdom) {
    struct dominators d = {0};
    if (!dominators_init(&d, f))
        return false;
    search_all(&d);
    find_dominators(&d);
    for (u32 w = 1; w < d.count; w++)
        ipdom[d.block[w]] = d.idom[w] == 0 ? FLOW_NONE : d.block[d.idom[w]];
    return true;
}

bool cfg_reconverge(struct inst *inst, u32 start, u32 end) {
    struct flow f;
    if (start >= end)
        return true;
    if (!flow_build(&f, inst, start, end))
        return false;
    u32 *ipdom = arena_alloc(&f.arena, f.count * sizeof *ipdom);
    bool ok = ipdom != NULL && flow_postdominators(&f, ipdom);
    for (u32 b = 0; ok && b < f.count; b++) {
        struct inst *i = &inst[f.block[b].last];
        if (i->op == OP_BRA) {
            u32 meet = ipdom[b] == FLOW_NONE ? (u32)NO_RECONVERGENCE : f.block[ipdom[b]].first;
            i->imm = inst_target(i) | (u64)meet << 32;
        }
    }
    flow_free(&f);
    return ok;
}
