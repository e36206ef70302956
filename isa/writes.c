#include "isa/writes.h"

#include <string.h>

#include "isa/flow.h"
#include "isa/shuffle.h"

enum { BUDGET = 10 * 1000 * 1000, ROOM = 64 << 20 }; /* instructions visited, bytes of origins */

#define ANY UINT64_MAX

/* Origin of the content of a register. */
struct origin {
    u64 of;     /* parameters that it depends on, a bit each */
    bool loose; /* it may be no address in one of their buffers */
};

/* One kernel being looked at. */
struct look {
    const struct program *p;
    const struct kernel *k;
    struct flow flow;
    struct origin *before; /* [blocks][regs] */
    struct origin *now;    /* [regs] */
    bool *reached;         /* [blocks] */
    bool *called_writes;   /* [regs] written by the functions of the file, together */
    u64 stored;            /* of all that was written to memory, or to a transit register */
    u64 written;           /* the answer */
    u64 visited;
    bool changed;
};

static const struct origin number = {0, true};

static struct origin either(struct origin a, struct origin b) {
    return (struct origin){a.of | b.of, a.loose || b.loose};
}

/* A sum lies where its one address does. */
static struct origin sum(struct origin a, struct origin b) {
    return (struct origin){a.of | b.of, a.loose == b.loose};
}

static struct origin product(struct origin a, struct origin b) {
    return (struct origin){a.of | b.of, true};
}

/* ---- operands ---- */

static struct origin word_at(const struct look *l, u8 reg, u32 n) {
    return reg == RZ ? number : l->now[reg + n];
}

/* Origin of word n of a source that is written at this place. */
static struct origin source_word(const struct look *l, const struct inst *i, enum operand_place place, u32 n) {
    const struct operand o = {.place = (u8)place};
    return operand_is_immediate(i, &o) ? number : word_at(l, inst_field(i, place), n);
}

/* Origin of a 64-bit source, of both its words. */
static struct origin source_pair(const struct look *l, const struct inst *i, enum operand_place place) {
    return either(source_word(l, i, place, 0), source_word(l, i, place, 1));
}

/* All values that an instruction reads, as a number. */
static struct origin sources(const struct look *l, const struct inst *i) {
    struct origin all = number;
    for (u32 k = 0; k < OPERANDS_MAX; k++) {
        const struct operand *o = &isa_rows[i->op].operand[k];
        u32 words = o->place != PLACE_D && o->kind != K_MEM ? operand_regs(i, o) : 0;
        for (u32 n = 0; n < words; n++)
            all = product(all, word_at(l, inst_field(i, (enum operand_place)o->place), n));
    }
    return all;
}

/* Words of the destination; 0 when it has none that keeps a value. */
static u32 result_words(const struct inst *i) {
    for (u32 k = 0; k < OPERANDS_MAX; k++) {
        const struct operand *o = &isa_rows[i->op].operand[k];
        if (o->place == PLACE_D && operand_regs(i, o) && i->d != RZ)
            return operand_regs(i, o);
    }
    return 0;
}

/* ---- memory ---- */

/* A word of the parameters. */
static struct origin param_word(const struct kernel *k, u32 byte) {
    for (u32 n = 0; n < k->nparams; n++)
        if (k->param[n].buffer && byte - k->param[n].offset < 8)
            return (struct origin){(u64)1 << n, false};
    return number;
}

static bool is_global(const struct inst *i) {
    u32 space = inst_mod(i, GROUP_SPACE);
    return space == SPACE_GLOBAL || space == SPACE_GENERIC;
}

static struct origin loaded(const struct look *l, const struct inst *i, u32 n) {
    u32 space = inst_mod(i, GROUP_SPACE), bytes = mtype_bytes((enum mtype)inst_mod(i, GROUP_MTYPE));
    struct origin memory = {l->stored, true};
    if (space == SPACE_GENERIC && source_pair(l, i, PLACE_A).loose)
        memory.of = ANY; /* the parameters have generic addresses, too */
    if (space != SPACE_PARAM)
        return memory;
    if (i->a != RZ)
        return (struct origin){ANY, true};
    struct origin param = param_word(l->k, (u32)i->imm + 4 * n);
    param.loose |= bytes < 4;
    return param;
}

static void see_write(struct look *l, const struct inst *i) {
    struct origin address = i->a == RZ ? number : source_pair(l, i, PLACE_A);
    l->written |= address.loose ? ANY : address.of;
}

/* ---- instructions ---- */

/* Word n of what an instruction leaves. */
static struct origin result(const struct look *l, const struct inst *i, u32 n) {
    switch (i->op) {
    case OP_LD: return loaded(l, i, n);
    case OP_MOV_B32:
    case OP_MOV_B64:
    case OP_MOV_F32:
    case OP_MOV_F64:
    case OP_SHFL_IDX_B32:
    case OP_SHFL_UP_B32:
    case OP_SHFL_DOWN_B32:
    case OP_SHFL_BFLY_B32:
    CASES_SHFL_CLAMP:
        return source_word(l, i, PLACE_A, n);
    case OP_SEL_B32:
    case OP_SEL_B64:
    case OP_SEL_F32:
    case OP_SEL_F64: return either(source_word(l, i, PLACE_A, n), source_word(l, i, PLACE_B, n));
    case OP_ADD_S64: return sum(source_pair(l, i, PLACE_A), source_pair(l, i, PLACE_B));
    case OP_SUB_S64: {
        struct origin a = source_pair(l, i, PLACE_A), b = source_pair(l, i, PLACE_B);
        return (struct origin){a.of | b.of, a.loose || b.of != 0}; /* the distance of two addresses is none */
    }
    case OP_MAD_WIDE_S32:
    case OP_MAD_WIDE_U32:
        return sum(product(source_word(l, i, PLACE_A, 0), source_word(l, i, PLACE_B, 0)), source_pair(l, i, PLACE_C));
    case OP_MAD_LO_S64:
        return sum(product(source_pair(l, i, PLACE_A), source_pair(l, i, PLACE_B)), source_pair(l, i, PLACE_C));
    default: break;
    }
    bool memory = op_accesses(i->op) || i->op == OP_XEXT;
    return memory ? (struct origin){l->stored, true} : sources(l, i);
}

static void step(struct look *l, const struct inst *i) {
    struct origin words[4];
    u32 n = result_words(i);
    bool writes = op_writes(i->op);
    if (writes && is_global(i))
        see_write(l, i);
    if (writes || i->op == OP_XPUSH)
        l->stored |= sources(l, i).of;
    for (u32 w = 0; w < n; w++)
        words[w] = result(l, i, w);
    for (u32 w = 0; w < n; w++)
        l->now[i->d + w] = i->guard == PT ? words[w] : either(l->now[i->d + w], words[w]);
    for (u32 r = 0; i->op == OP_CALL && r < l->k->regs; r++)
        if (l->called_writes[r])
            l->now[r] = (struct origin){ANY, true};
}

/* ---- the kernel ---- */

/* Merges the origins at the end of the current block into those at the start of block `to`. */
static void join(struct look *l, u32 to) {
    struct origin *before = l->before + (size_t)to * l->k->regs;
    for (u32 r = 0; r < l->k->regs; r++) {
        struct origin both = l->reached[to] ? either(before[r], l->now[r]) : l->now[r];
        l->changed |= both.of != before[r].of || both.loose != before[r].loose;
        before[r] = both;
    }
    l->changed |= !l->reached[to];
    l->reached[to] = true;
}

static void visit(struct look *l, u32 block) {
    const struct flow_block *b = &l->flow.block[block];
    if (!l->reached[block])
        return;
    l->visited += b->last - b->first + (u64)1 + l->k->regs;
    memcpy(l->now, l->before + (size_t)block * l->k->regs, l->k->regs * sizeof *l->now);
    for (u32 pc = b->first; pc <= b->last; pc++)
        step(l, &l->p->inst[pc]);
    for (u32 s = 0; s < 2; s++)
        if (b->succ[s] != FLOW_NONE)
            join(l, b->succ[s]);
}

/* Looks at the code of functions; a store in one of them may be to any buffer. */
static void look_at_functions(struct look *l) {
    bool calls = false;
    for (u32 pc = l->k->start; pc < l->k->end; pc++)
        calls |= l->p->inst[pc].op == OP_CALL;
    for (u32 k = 0; calls && k < l->p->nkernels; k++)
        for (u32 pc = l->p->kernel[k].start; l->p->kernel[k].function && pc < l->p->kernel[k].end; pc++) {
            const struct inst *i = &l->p->inst[pc];
            bool writes = op_writes(i->op);
            l->written |= writes && is_global(i) ? ANY : 0;
            l->stored |= writes || i->op == OP_XPUSH ? ANY : 0;
            for (u32 w = 0, n = result_words(i); w < n; w++)
                if (i->d + w < l->k->regs)
                    l->called_writes[i->d + w] = true;
        }
}

static void solve(struct look *l) {
    u32 regs = l->k->regs;
    for (u32 r = 0; r < regs; r++)
        l->before[r] = number;
    l->reached[0] = true;
    look_at_functions(l);
    do {
        u64 stored = l->stored;
        l->changed = false;
        for (u32 b = 0; b < l->flow.count && l->visited < BUDGET; b++)
            visit(l, b);
        l->changed |= stored != l->stored;
    } while (l->changed && l->visited < BUDGET);
    if (l->visited >= BUDGET)
        l->written = ANY;
}

u64 kernel_writes(const struct program *p, const struct kernel *k) {
    struct look l = {.p = p, .k = k};
    if (!flow_build(&l.flow, p->inst, k->start, k->end))
        return ANY;
    size_t blocks = l.flow.count, row = k->regs * sizeof *l.now;
    bool fits = !row || blocks <= ROOM / row;
    l.before = fits ? arena_alloc(&l.flow.arena, blocks * row) : NULL;
    l.now = arena_alloc(&l.flow.arena, row);
    l.reached = arena_alloc(&l.flow.arena, blocks * sizeof *l.reached);
    l.called_writes = arena_alloc(&l.flow.arena, k->regs * sizeof *l.called_writes);
    if (l.before && l.now && l.reached && l.called_writes)
        solve(&l);
    else
        l.written = ANY;
    flow_free(&l.flow);
    return l.written;
}
