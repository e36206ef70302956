/*
 * Index arithmetic is what a backward slice over the program finds: a 32-bit sum, product or left shift whose result
 * reaches an address through moves, selects, conversions to 64 bits and more such arithmetic. What is masked, shifted
 * right or divided on the way is no index any more, so that hashing may wrap. The slice follows registers through the
 * control flow; a function returns to all places that call functions.
 */
#include "sim/check/value.h"

/* Registers whose values go on to an address. */
struct wanted {
    u64 regs[4];
};

static void want(struct wanted *s, const struct check_inst *t, enum operand_place place) {
    for (u32 i = 0; i < t->count[place]; i++)
        s->regs[(t->first[place] + i) / 64] |= (u64)1 << (t->first[place] + i) % 64;
}

/* Computes what is wanted before an instruction from what is wanted after it; true if its own result is. */
static bool step_back(const struct inst *i, const struct check_inst *t, struct wanted *s) {
    struct wanted own = {{0}};
    bool result = false;
    want(&own, t, PLACE_D);
    for (u32 k = 0; k < 4; k++) {
        result |= (own.regs[k] & s->regs[k]) != 0;
        if (i->guard == PT)
            s->regs[k] &= ~own.regs[k];
    }
    for (u32 place = PLACE_A; result && place <= PLACE_C; place++)
        if (law_index(i->op) >> place & 1)
            want(s, t, (enum operand_place)place);
    if (t->how != HOW_NONE)
        want(s, t, PLACE_A);
    return result;
}

static bool join(struct wanted *to, const struct wanted *from) {
    bool more = false;
    for (u32 k = 0; k < 4; k++) {
        more |= (from->regs[k] & ~to->regs[k]) != 0;
        to->regs[k] |= from->regs[k];
    }
    return more;
}

/* Wanted after instruction pc: `before` of those that may follow it. */
static struct wanted behind(const struct program *p, const struct wanted *before, const struct wanted *returned,
                            u32 pc) {
    const struct inst *i = &p->inst[pc];
    struct wanted s = {{0}};
    if (!inst_ends_flow(i) && pc + 1 < p->ninst)
        s = before[pc + 1];
    if ((i->op == OP_BRA || i->op == OP_CALL) && inst_target(i) < p->ninst)
        join(&s, &before[inst_target(i)]);
    if (i->op == OP_RET)
        join(&s, returned);
    return s;
}

bool value_slice(struct check *c) {
    const struct program *p = c->launch.program;
    struct arena arena = {0};
    struct wanted *before = arena_alloc(&arena, p->ninst * sizeof *before), returned = {{0}};
    for (bool more = before != NULL; more;) {
        more = false;
        for (u32 pc = p->ninst; pc-- > 0;) {
            struct wanted s = behind(p, before, &returned, pc);
            c->value->inst[pc].index |= step_back(&p->inst[pc], &c->inst[pc], &s) && c->value->inst[pc].arithmetic;
            more |= join(&before[pc], &s);
            if (p->inst[pc].op == OP_CALL && pc + 1 < p->ninst)
                more |= join(&returned, &before[pc + 1]);
        }
    }
    arena_free(&arena);
    return before != NULL;
}
