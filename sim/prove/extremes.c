#include "sim/prove/extremes.h"

#include <string.h>

#include "sim/prove/tree.h"

static const struct law {
    u8 halves;
    u64 nothing, all; /* see laws.def */
} laws[OP_COUNT] = {
#define EXTREME(id, halves, nothing, all) [OP_##id] = {halves, nothing, all},
#include "isa/laws.def"
};

/* Members that are not constant, as a tree or one leaf or nothing, and the constant, or the neutral one. */
struct set {
    struct number members;
    u64 constant;
};

static struct set set_of(struct site *s, const struct tree *t, struct number v) {
    struct set set = {v, laws[t->op].nothing};
    struct number operand[2];
    u64 value;
    if (number_value(t->e, t->halves, v, &value))
        return (struct set){{{WORD_NONE, WORD_NONE}}, site_constant(s, t->op, value, set.constant)};
    u32 atom = number_atom(t->e, t->halves, v);
    if (!atom || term_at(t->e, atom)->code != t->op || term_at(t->e, atom)->mods != t->mods)
        return set;
    bool tree = tree_operands(t, v, operand);
    if (!tree)
        number_value(t->e, t->halves, operand[1], &set.constant);
    if (!tree || number_same(operand[0], operand[1]))
        set.members = operand[0];
    return set;
}

static struct number number_of_set(const struct tree *t, struct set set) {
    struct number operand[2];
    if (!number_is(set.members) || set.constant == laws[t->op].all)
        return number_const(t->e, t->halves, set.constant);
    if (set.constant != laws[t->op].nothing)
        return tree_link(t, set.members, number_const(t->e, t->halves, set.constant));
    bool one = !tree_operands(t, set.members, operand);
    return one && !tree_canonical(t, set.members) ? tree_link(t, set.members, set.members) : set.members;
}

bool extremes(struct site *s, u32 op, u32 mods, const struct lane_in *in, struct lane_out *out) {
    if (!laws[op].halves)
        return false;
    struct tree t = {.e = s->s->e, .op = (u16)op, .mods = (u16)mods, .halves = laws[op].halves};
    struct set of[2];
    t.key = tree_leaf;
    t.same = tree_once;
    for (u32 k = 0; k < 2; k++)
        of[k] = set_of(s, &t, (struct number){{in->word[k][0], t.halves == 2 ? in->word[k][1] : WORD_NONE}});
    struct number v = number_of_set(&t, (struct set){tree_join(&t, of[0].members, of[1].members),
                                                     site_constant(s, t.op, of[0].constant, of[1].constant)});
    memcpy(out->word, v.word, sizeof out->word);
    return true;
}
