/* What an instruction reads and writes of the shadow: registers, predicates, memory, and what it depends on. */
#include "sim/prove/logic.h"
#include "sim/prove/shadow.h"
#include "sim/prove/sizes.h"

u32 site_fresh(struct site *t, enum fresh_kind kind, u32 number, u32 lane) {
    struct fresh f = {.kind = kind, .number = number, .side = t->s->side, .block = (u32)t->block->number};
    f.warp = t->w->index;
    f.lane = lane;
    f.value = kind == FRESH_PREDICATE ? 0 : 0xcdcdcdcd; /* as sim/arch/machine.c leaves them */
    return term_fresh(t->s->e, &f);
}

u32 site_register(struct site *t, u32 reg, u32 lane) {
    if (reg == RZ)
        return term_const(t->s->e, 0);
    u32 *word = &t->sw->r[reg * t->width + lane];
    if (*word == WORD_NONE)
        *word = site_fresh(t, FRESH_REGISTER, reg, lane);
    return *word;
}

static u32 machine(const struct site *t, enum operand_place place, u32 half, u32 lane) {
    const u8 sel[] = {0, t->u->asel, t->u->bsel, t->u->csel};
    const u32 row[] = {0, t->u->a, t->u->b, t->u->c};
    return t->w->base[sel[place]][row[place] + half * t->width + lane];
}

/* Constant rows, immediates and rz, are the machine's own; the rest are registers. */
u32 site_source(struct site *t, enum operand_place place, u32 half, u32 lane) {
    const u8 sel[] = {0, t->u->asel, t->u->bsel, t->u->csel};
    if (sel[place])
        return term_const(t->s->e, machine(t, place, half, lane));
    return site_register(t, inst_field(t->i, place) + half, lane);
}

/* The value of a word that is known but for the size of the launch; a high word is the top of a pair. */
static bool sized_value(struct site *t, enum operand_place place, u32 half, u32 lane, u32 *value) {
    const u32 word[] = {site_source(t, place, 0, lane), half ? site_source(t, place, 1, lane) : WORD_NONE};
    return sizes_value(t->s->sizes, word, value);
}

u32 site_value(struct site *t, enum operand_place place, u32 half, u32 lane) {
    u32 value;
    bool known = term_value(t->s->e, site_source(t, place, half, lane), &value) ||
                 (t->s->sizes && sized_value(t, place, half, lane, &value));
    return known ? value : machine(t, place, half, lane);
}

u32 site_predicate(struct site *t, u32 field, u32 lane) {
    u32 p = field & PT, flip = field & PRED_NEG ? BIT_NOT : 0;
    if (p == PT)
        return BIT_1 ^ flip;
    u32 *bit = &t->sw->p[p * t->width + lane], any[32];
    if (*bit == BIT_UNSET) {
        term_bits(t->s->e, site_fresh(t, FRESH_PREDICATE, p, lane), any);
        *bit = any[0];
    }
    return *bit ^ flip;
}

u32 site_choice(struct site *t, u32 lane, u32 yes, u32 no) {
    return t->guard[lane] == BIT_1 ? yes : algebra_choose(t->s->e, t->guard[lane], yes, no);
}

void site_set(struct site *t, u32 reg, u32 lane, u32 word) {
    if (reg == RZ)
        return;
    if (t->guard[lane] != BIT_1)
        word = site_choice(t, lane, word, site_register(t, reg, lane));
    t->sw->r[reg * t->width + lane] = word;
}

void site_set_predicate(struct site *t, u32 p, u32 lane, u32 bit) {
    if (p == PT)
        return;
    if (t->guard[lane] != BIT_1)
        bit = logic_choose(t->s->e, t->guard[lane], bit, site_predicate(t, p, lane));
    t->sw->p[p * t->width + lane] = bit;
}

void site_depends(struct site *t, enum depend_kind kind, u32 bit) {
    if (!bit_known(bit) && t->s->depends.kind == DEPEND_NONE)
        t->s->depends = (struct depend){.kind = kind, .pc = t->pc, .bit = bit};
}

void site_depends_word(struct site *t, enum depend_kind kind, u32 word) {
    u32 bit[32], value;
    if (t->s->depends.kind != DEPEND_NONE || term_value(t->s->e, word, &value))
        return;
    term_bits(t->s->e, word, bit);
    for (u32 i = 0; i < 32; i++)
        site_depends(t, kind, bit[i]);
}

void site_faults(struct site *t, u32 lane) {
    if (t->s->bound)
        path_faults(t, lane);
    else
        site_depends(t, DEPEND_GUARD, t->guard[lane]);
}

u32 shadow_word(struct shadow *s, u32 allocation, u32 word) {
    const struct shadow_cells *c = &s->cells[allocation];
    if (c->word[word] != WORD_NONE)
        return c->word[word];
    return c->role == ROLE_ZEROS ? term_const(s->e, 0) : term_input(s->e, allocation, word);
}
