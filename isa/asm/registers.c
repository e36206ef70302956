/*
 * Numbers for named registers and predicates: the lowest that neither the unit itself writes as rN or pN, nor any unit
 * uses that may call it or that it may call. So a call never changes a named register of its caller.
 */
#include "isa/asm/asm.h"

static void used_join(struct used *a, const struct used *b) {
    for (u32 i = 0; i < COUNT_OF(a->reg); i++)
        a->reg[i] |= b->reg[i];
    a->pred = (u16)(a->pred | b->pred);
}

/* Adds the elements of `after` that are not in `before`. */
static void used_add_new(struct used *a, const struct used *before, const struct used *after) {
    for (u32 i = 0; i < COUNT_OF(a->reg); i++)
        a->reg[i] |= after->reg[i] & ~before->reg[i];
    a->pred = (u16)(a->pred | (after->pred & ~before->pred));
}

static bool reg_is_free(const struct used *u, u32 reg, u32 count) {
    for (u32 r = reg; r < reg + count; r++)
        if (u->reg[r / 64] >> r % 64 & 1)
            return false;
    return true;
}

void registers_use(struct used *u, u32 reg, u32 count) {
    for (u32 r = reg; r < reg + count; r++)
        u->reg[r / 64] |= (u64)1 << r % 64;
}

static bool choose_register(struct symbol *s, struct used *taken) {
    u32 step = s->regs < 4 ? s->regs : 4;
    for (u32 r = 0; r + s->regs <= REG_COUNT; r += step) {
        if (reg_is_free(taken, r, s->regs)) {
            registers_use(taken, r, s->regs);
            s->number = (u8)r;
            return true;
        }
    }
    return false;
}

static bool choose_predicate(struct symbol *s, struct used *taken) {
    for (u32 p = 0; p < PRED_COUNT; p++) {
        if (!(taken->pred >> p & 1)) {
            taken->pred = (u16)(taken->pred | 1u << p);
            s->number = (u8)p;
            return true;
        }
    }
    return false;
}

/* Allocates for one unit and adds to `taken`. The first name without a free number is reported. */
static void choose_for_unit(struct assembler *as, u32 unit, struct used *taken) {
    const struct body *u = asm_unit(as, unit);
    u32 end = unit + 1 < as->units.count ? asm_unit(as, unit + 1)->first_symbol : as->symbols.count;
    bool regs_out = false, preds_out = false;
    for (u32 i = u->first_symbol; i < end; i++) {
        struct symbol *s = asm_symbol(as, i);
        if (s->kind == SYM_REG && !regs_out && !choose_register(s, taken)) {
            regs_out = true;
            asm_error(as, token_span(&s->name), "no register left for '%.*s': '%.*s' needs more than r0 to r254",
                      token_shown(&s->name), s->name.text, token_shown(&u->name), u->name.text);
        }
        if (s->kind == SYM_PRED && !preds_out && !choose_predicate(s, taken)) {
            preds_out = true;
            asm_error(as, token_span(&s->name), "no predicate left for '%.*s': '%.*s' needs more than p0 to p14",
                      token_shown(&s->name), s->name.text, token_shown(&u->name), u->name.text);
        }
    }
}

/* Joins `from` into the sets of those that the unit calls; with `from` NULL, their sets into the unit's. */
static void join_callees(struct assembler *as, u32 unit, struct used *set, const struct used *from) {
    const struct body *u = asm_unit(as, unit);
    for (u32 c = u->first_call; c < u->first_call + u->ncalls; c++) {
        u32 callee = AT(struct call, as->calls, c)->callee;
        if (callee == NONE)
            continue;
        if (from)
            used_join(&set[callee], from);
        else
            used_join(&set[unit], &set[callee]);
    }
}

/* below[u]: what u and all that it may call write as rN and pN. */
static void collect_below(struct assembler *as, struct used *below) {
    u32 n = as->units.count;
    for (u32 first = 0, end; first < n; first = end) {
        struct used sum = {0};
        u32 group = as->group[as->order[first]];
        for (end = first; end < n && as->group[as->order[end]] == group; end++) {
            u32 unit = as->order[end];
            join_callees(as, unit, below, NULL);
            used_join(&sum, &below[unit]);
            used_join(&sum, &asm_unit(as, unit)->numbered);
        }
        for (u32 i = first; i < end; i++)
            below[as->order[i]] = sum;
    }
}

/* Fills above[u]: what all that may call u use, by number or by name. Complete at u's turn: callers are first. */
static void choose(struct assembler *as, const struct used *below, struct used *above) {
    for (u32 i = as->units.count; i > 0;) {
        u32 last = i, group = as->group[as->order[i - 1]];
        struct used taken = below[as->order[i - 1]], passed = {0};
        for (; i > 0 && as->group[as->order[i - 1]] == group; i--) {
            used_join(&passed, &above[as->order[i - 1]]);
            used_join(&passed, &asm_unit(as, as->order[i - 1])->numbered);
        }
        used_join(&taken, &passed);
        struct used before = taken;
        for (u32 m = last; m > i; m--)
            choose_for_unit(as, as->order[m - 1], &taken);
        used_add_new(&passed, &before, &taken);
        for (u32 m = last; m > i; m--)
            join_callees(as, as->order[m - 1], above, &passed);
    }
}

static void fill_hole(struct assembler *as, const struct hole *h) {
    struct inst *i = &as->program->inst[h->inst];
    const struct symbol *s = asm_symbol(as, h->symbol);
    u8 pred = (u8)(s->number | (h->negated ? PRED_NEG : 0)), reg = (u8)(s->number + h->offset);
    bool is_pred = s->kind == SYM_PRED;
    switch (h->place) {
    case PLACE_D: *(is_pred ? &i->pd : &i->d) = is_pred ? pred : reg; break;
    case PLACE_A: *(is_pred ? &i->pa : &i->a) = is_pred ? pred : reg; break;
    case PLACE_B: *(is_pred ? &i->pb : &i->b) = is_pred ? pred : reg; break;
    case PLACE_C: *(is_pred ? &i->pc : &i->c) = is_pred ? pred : reg; break;
    default: i->guard = pred; break;
    }
}

void registers_allocate(struct assembler *as) {
    u32 n = as->units.count;
    struct used *below = arena_alloc(&as->scratch, n * sizeof *below);
    struct used *above = arena_alloc(&as->scratch, n * sizeof *above);
    if (!below || !above) {
        as->nomem = true;
        return;
    }
    collect_below(as, below);
    choose(as, below, above);
    for (u32 i = 0; i < as->holes.count; i++)
        fill_hole(as, AT(struct hole, as->holes, i));
}
