/*
 * The state of registers: their undefined bits, and the origins of these, which findings report in words. Origins that
 * follow one another and are alike are one.
 */
#include "sim/check/init.h"

enum { ORIGINS_MAX = 1 << 16 };

/* ---- bits ---- */

/* The rows of bits of registers, or of transit registers; made when the first is needed. */
u32 *init_rows(struct site *t, u32 **rows, u32 count) {
    if (!*rows)
        *rows = check_alloc(t->c, (size_t)count * t->width * sizeof **rows);
    return *rows;
}

void init_set_bits(struct site *t, u32 reg, u32 lane, u32 bits) {
    u64 one = (u64)1 << lane;
    bool some = bits && bits != UINT32_MAX;
    u32 *rows = some ? init_rows(t, &t->cw->undefined, t->c->launch.kernel->regs) : NULL;
    if (!bits) {
        init_define(t, reg, one);
        return;
    }
    init_undefine(t, reg, one);
    if (rows) {
        rows[reg * t->width + lane] = bits;
        t->cw->part[reg] |= one;
    }
}

/* All results are undefined in the lanes `bad`, defined in the others that execute. */
void init_set_results(struct site *t, u64 bad) {
    u8 first = t->t->first[PLACE_D];
    for (u32 i = 0; i < t->t->count[PLACE_D]; i++) {
        init_define(t, first + i, t->exec);
        if (bad)
            init_undefine(t, first + i, bad);
    }
    for (u32 left = t->t->results; left; left &= left - 1) {
        u64 *p = &t->cw->predicates[first_lane(left)];
        *p = (*p & ~t->exec) | (bad & t->exec);
    }
}

/* ---- origins ---- */

static const struct origin *origin_at(const struct check *c, u32 origin) {
    return (const struct origin *)(const void *)c->origins.data + origin - 1;
}

u32 origin_new(struct check *c, const struct origin *o) {
    u32 n = (u32)(c->origins.len / sizeof *o);
    const struct origin *last = n ? (const struct origin *)(const void *)c->origins.data + n - 1 : NULL;
    bool same = last && last->kind == o->kind && last->number == o->number && last->pc == o->pc;
    if (same || n == ORIGINS_MAX)
        return n;
    struct origin *new = buf_push(&c->origins, sizeof *new);
    if (!new)
        return 0;
    *new = *o;
    return n + 1;
}

void origin_set(struct site *t, u32 row, u64 lanes, u32 origin) {
    struct check_warp *w = t->cw;
    if (!w->origin)
        w->origin = check_alloc(t->c, (size_t)origin_predicate_row(t, PRED_COUNT) * t->width * sizeof *w->origin);
    for (u64 left = w->origin ? lanes : 0; left; left &= left - 1)
        w->origin[row * t->width + first_lane(left)] = origin;
}

void origin_set_results(struct site *t, u64 lanes, u32 origin) {
    for (u32 i = 0; i < t->t->count[PLACE_D]; i++)
        origin_set(t, t->t->first[PLACE_D] + i, lanes, origin);
    for (u32 left = t->t->results; left; left &= left - 1)
        origin_set(t, origin_predicate_row(t, first_lane(left)), lanes, origin);
}

/* ---- of what is undefined ---- */

/* Origin of a register in a lane; 0 out of memory. */
u32 origin_of_register(struct site *t, u32 reg, u32 lane) {
    u32 origin = t->cw->origin ? t->cw->origin[reg * t->width + lane] : 0;
    const struct origin o = {.kind = FROM_REGISTER, .number = reg, .pc = t->pc};
    return origin ? origin : origin_new(t->c, &o);
}

/* Origin of the first undefined register of a place in a lane. */
u32 origin_of_place(struct site *t, enum operand_place place, u32 lane) {
    for (u32 i = 0; i < t->t->count[place]; i++)
        if (t->cw->any[t->t->first[place] + i] >> lane & 1)
            return origin_of_register(t, t->t->first[place] + i, lane);
    return 0;
}

u32 origin_of_predicate(struct site *t, u32 predicates, u32 lane) {
    for (u32 left = predicates; left; left &= left - 1)
        if (t->cw->predicates[first_lane(left)] >> lane & 1) {
            const struct origin o = {.kind = FROM_PREDICATE, .number = first_lane(left), .pc = t->pc};
            u32 row = origin_predicate_row(t, o.number),
                origin = t->cw->origin ? t->cw->origin[row * t->width + lane] : 0;
            return origin ? origin : origin_new(t->c, &o);
        }
    return 0;
}

/* Origin of the first operand that is undefined in a lane; of a select, of the one that is selected. */
u32 origin_of_operand(struct site *t, u32 lane) {
    u32 origin = 0, first = PLACE_A, last = PLACE_C;
    if (t->row->iclass == CLASS_SEL && t->t->predicates &&
        !(t->cw->predicates[first_lane(t->t->predicates)] >> lane & 1)) {
        u64 held = t->w->p[t->i->pc & PT] ^ (t->i->pc & PRED_NEG ? ~(u64)0 : 0);
        first = last = held >> lane & 1 ? PLACE_A : PLACE_B;
    }
    for (u32 place = first; place <= last && !origin; place++)
        origin = origin_of_place(t, (enum operand_place)place, lane);
    return origin ? origin : origin_of_predicate(t, t->t->predicates, lane);
}

/* ---- reports ---- */

static void describe(const struct site *t, u32 origin, struct buf *out) {
    const struct program *p = t->c->launch.program;
    if (!origin) {
        buf_puts(out, "it was never written");
        return;
    }
    const struct origin *o = origin_at(t->c, origin);
    enum space space = o->kind == FROM_SHARED ? SPACE_SHARED : SPACE_LOCAL;
    const struct variable *v = o->kind == FROM_SHARED || o->kind == FROM_LOCAL
                                   ? program_variable(p, t->c->launch.kernel, o->pc, space, o->byte)
                                   : NULL;
    if (o->kind == FROM_TRANSIT) {
        buf_printf(out, "transit register x%u", o->number);
    } else if (o->kind < FROM_TRANSIT) {
        bool predicate = o->kind == FROM_PREDICATE;
        buf_puts(out, predicate ? "predicate " : "register ");
        register_print(p, o->pc, predicate ? NAME_PREDICATE : NAME_REGISTER, o->number, out);
    } else if (v) {
        buf_printf(out, "%s ", isa_mod_text(GROUP_SPACE, space));
        variable_print_element(v, o->byte, out);
    } else {
        buf_printf(out, "byte %llu of %s", (unsigned long long)o->byte,
                   o->kind == FROM_SHARED  ? "shared memory"
                   : o->kind == FROM_LOCAL ? "local memory"
                                           : t->c->launch.memory->list[o->number].name);
    }
    buf_printf(out, ", read at %s, %s", program_line(p, p->line[o->pc]).text,
               o->stored ? "holds an unwritten value that was stored there" : "was never written");
}

void init_report(struct site *t, u32 class, u64 lanes, u32 origin) {
    u32 l = first_lane(lanes);
    struct check_finding f = {.class = (u8) class, .places = 1, .at = {site_place(t, l)}, .space = SPACE_COUNT};
    struct buf from = {0};
    if (t->t->how != HOW_NONE && class != FOUND_INIT_BRANCH) {
        f.space = t->space[l];
        f.address = t->addr[l];
        f.bytes = t->bytes;
    }
    if (origin) {
        const struct origin *o = origin_at(t->c, origin);
        f.places = o->pc != t->pc ? 2 : 1;
        f.at[1] = f.at[0];
        f.at[1].pc = o->pc;
        f.at[1].how = HOW_READ;
    }
    describe(t, origin, &from);
    found_add(t->c, &f, "%s", from.data ? from.data : "");
    t->c->failed |= from.failed;
    buf_free(&from);
}

/* Reports an operand that must not be undefined, and takes it for defined from here on. */
void init_require(struct site *t, enum operand_place place, u32 class) {
    u64 bad = init_undefined(t, place);
    if (!bad)
        return;
    init_report(t, class, bad, origin_of_place(t, place, first_lane(bad)));
    for (u32 i = 0; i < t->t->count[place]; i++)
        init_define(t, t->t->first[place] + i, t->exec);
}
