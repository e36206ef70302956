/* Work of a thread on its own: instructions of every row, and private memory. */
#include "tests/fuzz/program_maker.h"

#include <string.h>

/* ---- arithmetic: any row of the table ---- */

static bool wanted(const struct maker *m, const struct isa_row *row) {
    static const char *const approximate[] = {"ex2.", "lg2.", "sin.", "cos.", "tanh."};
    if (row->kind != ROW_LANE && row->kind != ROW_LANEI)
        return false;
    for (u32 i = 0; i < COUNT_OF(approximate); i++)
        if (strncmp(row->name, approximate[i], strlen(approximate[i])) == 0)
            return false;
    bool floating = strstr(row->name, ".f") || strstr(row->name, ".bf") || strstr(row->name, "16");
    return !m->ask.integers || !floating;
}

static const struct isa_row *draw_row(struct maker *m) {
    u32 at = maker_draw(m, OP_COUNT);
    while (!wanted(m, &isa_rows[at]))
        at = (at + 1) % OP_COUNT;
    return &isa_rows[at];
}

static void put_modifiers(struct maker *m, const struct isa_row *row) {
    for (u32 g = 0; g < GROUP_COUNT; g++) {
        const char *text = row->groups >> g & 1 ? isa_mod_text((enum mod_group)g, maker_draw(m, 4)) : NULL;
        if (text)
            buf_printf(m->out, ".%s", text);
    }
}

static void put_literal(struct maker *m, const struct operand *o) {
    u32 v = maker_draw_word(m);
    if (o->kind == K_REG2 && o->literal == LIT_F64)
        buf_printf(m->out, "0d%08x00000000", v);
    else if (o->kind == K_REG2)
        buf_printf(m->out, "%d", (s32)v);
    else if (o->literal == LIT_F32)
        buf_printf(m->out, "0f%08x", v);
    else
        buf_printf(m->out, "0x%x", v);
}

static void put_operand(struct maker *m, const struct isa_row *row, const struct operand *o, bool literal) {
    bool source = o->place != PLACE_D;
    switch (o->kind) {
    case K_REG:
    case K_REG2:
        if (literal)
            put_literal(m, o);
        else
            buf_printf(m->out, "r%u", o->kind == K_REG ? maker_data(m) : maker_data_pair(m));
        break;
    case K_PRED: buf_printf(m->out, "%sp%u", source && maker_draw(m, 3) == 2 ? "!" : "", maker_draw(m, PREDS)); break;
    case K_NUM: buf_printf(m->out, "%u", maker_draw(m, 40)); break;
    default: /* K_IMM */
        if (row->wide)
            buf_printf(m->out, "0x%08x%08x", maker_draw_word(m), maker_draw_word(m));
        else
            buf_printf(m->out, "%u", maker_draw(m, row->operand[3].kind == K_NUM ? 40 : 256));
    }
}

/* "@p1 " */
void maker_put_guard(struct maker *m) {
    u32 n = maker_draw(m, 8 * PREDS);
    if (n < 2 * PREDS && m->ask.divergent)
        buf_printf(m->out, "@%sp%u ", n < PREDS ? "" : "!", n % PREDS);
}

void maker_arithmetic(struct maker *m) {
    const struct isa_row *row = draw_row(m);
    u32 literal = row->kind == ROW_LANE ? maker_draw(m, 8) : 0; /* at most one, of operands 1, 2 or 3 */
    buf_puts(m->out, "        ");
    maker_put_guard(m);
    buf_puts(m->out, row->name);
    put_modifiers(m, row);
    for (u32 i = 0; i < OPERANDS_MAX; i++) {
        if (row->operand[i].kind == K_NONE)
            continue;
        buf_puts(m->out, i ? ", " : " ");
        put_operand(m, row, &row->operand[i], i == literal && i > 0);
    }
    buf_puts(m->out, "\n");
}

/* ---- memory of the thread's own ---- */

static const struct moved moved[] = {{"b32", 4}, {"u8", 1},  {"s8", 1},   {"u16", 2},
                                     {"s16", 2}, {"b64", 8}, {"b128", 16}};

const struct moved *maker_draw_moved(struct maker *m) {
    return &moved[maker_draw(m, COUNT_OF(moved))];
}

u32 maker_register_for(struct maker *m, const struct moved *t) {
    return t->bytes == 16 ? maker_data_quad(m) : t->bytes == 8 ? maker_data_pair(m) : maker_data(m);
}

static const char *draw_hint(struct maker *m, bool load) {
    static const char *const hints[] = {"", "", "", ".ca", ".cg", ".cs", ".cv", ".volatile"};
    u32 n = maker_draw(m, COUNT_OF(hints) + 1);
    return n < COUNT_OF(hints) ? hints[n] : load ? ".acquire" : ".release";
}

/* An offset in the first `size` bytes from the thread's own place. */
u32 maker_offset_in(struct maker *m, const struct moved *t, u32 size) {
    return maker_draw(m, size / t->bytes) * t->bytes;
}

void maker_own_global(struct maker *m) {
    const struct moved *t = maker_draw_moved(m);
    bool load = maker_draw(m, 2);
    const char *space = maker_draw(m, 4) == 3 ? "" : ".global";
    u32 r = maker_register_for(m, t), offset = maker_offset_in(m, t, PROGRAM_OUT_WORDS * 2);
    buf_puts(m->out, "        ");
    maker_put_guard(m);
    if (load)
        buf_printf(m->out, "ld%s%s.%s r%u, [r0+%u]\n", space, draw_hint(m, true), t->name, r, offset);
    else
        buf_printf(m->out, "st%s%s.%s [r0+%u], r%u\n", space, draw_hint(m, false), t->name, offset, r);
}

void maker_own_atomic(struct maker *m) {
    static const char *const with[] = {"add.u32", "add.f32",  "min.s32",  "max.s32", "min.u32", "max.u32", "and.b32",
                                       "or.b32",  "xor.b32",  "exch.b32", "add.u64", "min.s64", "max.u64", "and.b64",
                                       "xor.b64", "exch.b64", "max.s64",  "min.u64", "or.b64"};
    const char *op = with[maker_draw(m, COUNT_OF(with))];
    bool wide = strstr(op, "64");
    if (m->ask.integers && strstr(op, "f32"))
        op = "add.u32";
    u32 offset = maker_draw(m, wide ? 8 : 16) * (wide ? 8 : 4);
    if (maker_draw(m, 4) == 3)
        maker_line(m, "atom.cas.b%u.global r%u, [r0+%u], r%u, r%u", wide ? 64 : 32,
                   wide ? maker_data_pair(m) : maker_data(m), offset, wide ? maker_data_pair(m) : maker_data(m),
                   wide ? maker_data_pair(m) : maker_data(m));
    else if (maker_draw(m, 2) || strncmp(op, "exch", 4) == 0)
        maker_line(m, "atom.%s.global r%u, [r0+%u], r%u", op, wide ? maker_data_pair(m) : maker_data(m), offset,
                   wide ? maker_data_pair(m) : maker_data(m));
    else
        maker_line(m, "red.%s [r0+%u], r%u", op, offset, wide ? maker_data_pair(m) : maker_data(m));
}

/* Anywhere in the inputs, the constants or the thread's local memory. */
void maker_read_anywhere(struct maker *m) {
    const struct moved *t = maker_draw_moved(m);
    u32 r = maker_register_for(m, t), which = maker_draw(m, 4), from = maker_decider(m);
    if (which == 0) {
        maker_line(m, "and.b32 r9, r%u, 0x%x", from, (PROGRAM_IN_WORDS * 4 - 1) & ~(t->bytes - 1));
        maker_line(m, "mad.wide.u32 r10, r9, 1, r2");
        maker_line(m, "ld.global%s.%s r%u, [r10]", draw_hint(m, true), t->name, r);
    } else if (which == 1) {
        maker_line(m, "and.b32 r9, r%u, 0x%x", from, 63 & ~(t->bytes - 1));
        maker_line(m, "ld.const.%s r%u, [table+r9]", t->name, r);
    } else if (which == 2) {
        maker_line(m, "and.b32 r9, r%u, 0x%x", from, 31 & ~(t->bytes - 1));
        maker_line(m, "st.local.%s [mine+r9], r%u", t->name, r);
    } else {
        maker_line(m, "and.b32 r9, r%u, 0x%x", from, 31 & ~(t->bytes - 1));
        maker_line(m, "cvta.local r10, r9");
        maker_line(m, "ld.%s r%u, [r10]", t->name, r);
    }
}

void maker_own_shared(struct maker *m) {
    const struct moved *t = maker_draw_moved(m);
    u32 r = maker_register_for(m, t), offset = maker_offset_in(m, t, SLOT);
    if (maker_draw(m, 4) == 3)
        maker_line(m, "atom.shared.add.u32 r%u, [r7+%u], r%u", maker_data(m), offset & ~3u, maker_data(m));
    else if (maker_draw(m, 2))
        maker_line(m, "ld.shared.%s r%u, [r7+%u]", t->name, r, offset);
    else
        maker_line(m, "st.shared.%s [r7+%u], r%u", t->name, offset, r);
}
