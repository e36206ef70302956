/*
 * Registers of a program:
 *
 *   r0:r1  own part of out     r6  thread of the block        r12..r15 counters of loops    r28..r31 of functions
 *   r2:r3  in                  r7  own slot of shared memory  r16..r27 the data, and so are p0..p5
 *   r4:r5  sums                r8  thread of the grid         r32:r33  chain, r34..r35 for it
 *   r10:r11, r9 for addresses  r36..r39 follow from the thread's number alone
 */
#include "tests/fuzz/program.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { DATA = 16, DATA_COUNT = 12, PREDS = 6, KNOWN = 36, KNOWN_COUNT = 4, DEPTH_MAX = 3, SLOT = 32, LABELS = 4096 };

struct maker {
    const u8 *bytes;
    size_t left;
    struct buf *out;
    struct program_options ask;
    struct program_text *t;
    u32 threads, warps; /* of a block */
    u32 statements;     /* left */
    u32 label;
    bool full;    /* warps have all their lanes */
    bool chained; /* once a program is enough */
    bool ended;   /* some threads may have exited */
};

/* 0 .. n - 1 */
static u32 draw(struct maker *m, u32 n) {
    u32 v = 0;
    for (u32 have = 1; have < n && m->left > 0; have <<= 8) {
        v = v << 8 | *m->bytes++;
        m->left--;
    }
    return n ? v % n : 0;
}

static u32 draw_word(struct maker *m) {
    static const u32 corners[] = {0,          1,          0xffffffff, 0x80000000, 0x7fffffff, 0x3f800000,
                                  0x7f800000, 0xff800000, 0x7fc00001, 0x00000001, 0x3c003c00, 0x00017fff,
                                  31,         32,         0x33800000, 0xbf000000};
    u32 n = draw(m, 2 * COUNT_OF(corners));
    return n < COUNT_OF(corners) ? corners[n] : (draw(m, 65536) << 16 | draw(m, 65536));
}

static void line(struct maker *m, const char *fmt, ...) PRINTF_LIKE(2, 3);
static void line(struct maker *m, const char *fmt, ...) {
    char text[160];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    buf_printf(m->out, "        %s\n", text);
}

static u32 data(struct maker *m) {
    return DATA + draw(m, DATA_COUNT);
}

static u32 data_pair(struct maker *m) {
    return DATA + 2 * draw(m, DATA_COUNT / 2);
}

static u32 data_quad(struct maker *m) {
    return DATA + 4 * draw(m, DATA_COUNT / 4);
}

/* What decides where to go and what to read. */
static u32 decider(struct maker *m) {
    return m->ask.oblivious ? KNOWN + draw(m, KNOWN_COUNT) : data(m);
}

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
    u32 at = draw(m, OP_COUNT);
    while (!wanted(m, &isa_rows[at]))
        at = (at + 1) % OP_COUNT;
    return &isa_rows[at];
}

static void put_modifiers(struct maker *m, const struct isa_row *row) {
    for (u32 g = 0; g < GROUP_COUNT; g++) {
        const char *text = row->groups >> g & 1 ? isa_mod_text((enum mod_group)g, draw(m, 4)) : NULL;
        if (text)
            buf_printf(m->out, ".%s", text);
    }
}

static void put_literal(struct maker *m, const struct operand *o) {
    u32 v = draw_word(m);
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
            buf_printf(m->out, "r%u", o->kind == K_REG ? data(m) : data_pair(m));
        break;
    case K_PRED: buf_printf(m->out, "%sp%u", source && draw(m, 3) == 2 ? "!" : "", draw(m, PREDS)); break;
    case K_NUM: buf_printf(m->out, "%u", draw(m, 40)); break;
    default: /* K_IMM */
        if (row->wide)
            buf_printf(m->out, "0x%08x%08x", draw_word(m), draw_word(m));
        else
            buf_printf(m->out, "%u", draw(m, row->operand[3].kind == K_NUM ? 40 : 256));
    }
}

/* "@p1 " */
static void put_guard(struct maker *m) {
    u32 n = draw(m, 8 * PREDS);
    if (n < 2 * PREDS && m->ask.divergent)
        buf_printf(m->out, "@%sp%u ", n < PREDS ? "" : "!", n % PREDS);
}

static void arithmetic(struct maker *m) {
    const struct isa_row *row = draw_row(m);
    u32 literal = row->kind == ROW_LANE ? draw(m, 8) : 0; /* at most one, of operands 1, 2 or 3 */
    buf_puts(m->out, "        ");
    put_guard(m);
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

static const struct moved {
    const char *name;
    u32 bytes;
} moved[] = {{"b32", 4}, {"u8", 1}, {"s8", 1}, {"u16", 2}, {"s16", 2}, {"b64", 8}, {"b128", 16}};

static const struct moved *draw_moved(struct maker *m) {
    return &moved[draw(m, COUNT_OF(moved))];
}

static u32 register_for(struct maker *m, const struct moved *t) {
    return t->bytes == 16 ? data_quad(m) : t->bytes == 8 ? data_pair(m) : data(m);
}

static const char *draw_hint(struct maker *m, bool load) {
    static const char *const hints[] = {"", "", "", ".ca", ".cg", ".cs", ".cv", ".volatile"};
    u32 n = draw(m, COUNT_OF(hints) + 1);
    return n < COUNT_OF(hints) ? hints[n] : load ? ".acquire" : ".release";
}

/* An offset in the first `size` bytes from the thread's own place. */
static u32 offset_in(struct maker *m, const struct moved *t, u32 size) {
    return draw(m, size / t->bytes) * t->bytes;
}

static void own_global(struct maker *m) {
    const struct moved *t = draw_moved(m);
    bool load = draw(m, 2);
    const char *space = draw(m, 4) == 3 ? "" : ".global";
    u32 r = register_for(m, t), offset = offset_in(m, t, PROGRAM_OUT_WORDS * 2);
    buf_puts(m->out, "        ");
    put_guard(m);
    if (load)
        buf_printf(m->out, "ld%s%s.%s r%u, [r0+%u]\n", space, draw_hint(m, true), t->name, r, offset);
    else
        buf_printf(m->out, "st%s%s.%s [r0+%u], r%u\n", space, draw_hint(m, false), t->name, offset, r);
}

static void own_atomic(struct maker *m) {
    static const char *const with[] = {"add.u32", "add.f32",  "min.s32",  "max.s32", "min.u32", "max.u32", "and.b32",
                                       "or.b32",  "xor.b32",  "exch.b32", "add.u64", "min.s64", "max.u64", "and.b64",
                                       "xor.b64", "exch.b64", "max.s64",  "min.u64", "or.b64"};
    const char *op = with[draw(m, COUNT_OF(with))];
    bool wide = strstr(op, "64");
    if (m->ask.integers && strstr(op, "f32"))
        op = "add.u32";
    u32 offset = draw(m, wide ? 8 : 16) * (wide ? 8 : 4);
    if (draw(m, 4) == 3)
        line(m, "atom.cas.b%u.global r%u, [r0+%u], r%u, r%u", wide ? 64 : 32, wide ? data_pair(m) : data(m), offset,
             wide ? data_pair(m) : data(m), wide ? data_pair(m) : data(m));
    else if (draw(m, 2) || strncmp(op, "exch", 4) == 0)
        line(m, "atom.%s.global r%u, [r0+%u], r%u", op, wide ? data_pair(m) : data(m), offset,
             wide ? data_pair(m) : data(m));
    else
        line(m, "red.%s [r0+%u], r%u", op, offset, wide ? data_pair(m) : data(m));
}

/* Anywhere in the inputs, the constants or the thread's local memory. */
static void read_anywhere(struct maker *m) {
    const struct moved *t = draw_moved(m);
    u32 r = register_for(m, t), which = draw(m, 4), from = decider(m);
    if (which == 0) {
        line(m, "and.b32 r9, r%u, 0x%x", from, (PROGRAM_IN_WORDS * 4 - 1) & ~(t->bytes - 1));
        line(m, "mad.wide.u32 r10, r9, 1, r2");
        line(m, "ld.global%s.%s r%u, [r10]", draw_hint(m, true), t->name, r);
    } else if (which == 1) {
        line(m, "and.b32 r9, r%u, 0x%x", from, 63 & ~(t->bytes - 1));
        line(m, "ld.const.%s r%u, [table+r9]", t->name, r);
    } else if (which == 2) {
        line(m, "and.b32 r9, r%u, 0x%x", from, 31 & ~(t->bytes - 1));
        line(m, "st.local.%s [mine+r9], r%u", t->name, r);
    } else {
        line(m, "and.b32 r9, r%u, 0x%x", from, 31 & ~(t->bytes - 1));
        line(m, "cvta.local r10, r9");
        line(m, "ld.%s r%u, [r10]", t->name, r);
    }
}

static void own_shared(struct maker *m) {
    const struct moved *t = draw_moved(m);
    u32 r = register_for(m, t), offset = offset_in(m, t, SLOT);
    if (draw(m, 4) == 3)
        line(m, "atom.shared.add.u32 r%u, [r7+%u], r%u", data(m), offset & ~3u, data(m));
    else if (draw(m, 2))
        line(m, "ld.shared.%s r%u, [r7+%u]", t->name, r, offset);
    else
        line(m, "st.shared.%s [r7+%u], r%u", t->name, offset, r);
}

/* ---- lanes that see each other ---- */

static void shuffle(struct maker *m) {
    static const char *const how[] = {"idx", "up", "down", "bfly"};
    static const char *const segments[] = {"", "", ".w2", ".w4", ".w8", ".w16", ".w32"};
    const char *kind = how[draw(m, 4)], *segment = segments[draw(m, COUNT_OF(segments))];
    u32 d = data(m), a = data(m);
    char second[8] = "";
    if (draw(m, 2))
        snprintf(second, sizeof second, "|p%u", draw(m, PREDS));
    if (draw(m, 2))
        line(m, "shfl.%s.b32%s r%u%s, r%u, %u", kind, segment, d, second, a, draw(m, 70));
    else
        line(m, "shfl.%s.b32%s r%u%s, r%u, r%u", kind, segment, d, second, a, decider(m));
}

static void match(struct maker *m, const char *mask) {
    bool wide = draw(m, 2);
    u32 d = data_pair(m), a = wide ? data_pair(m) : data(m);
    if (draw(m, 2))
        line(m, "match.any.b%u r%u, r%u%s", wide ? 64 : 32, d, a, mask);
    else
        line(m, "match.all.b%u r%u|p%u, r%u%s", wide ? 64 : 32, d, draw(m, PREDS), a, mask);
}

static void vote(struct maker *m) {
    static const char *const sums[] = {"add.u32", "min.s32", "max.s32", "min.u32",
                                       "max.u32", "and.b32", "or.b32",  "xor.b32"};
    static const char *const votes[] = {"all", "any", "uni"};
    bool masked = draw(m, 3) == 2;
    const char *mask = masked ? ", r10" : "";
    if (masked)
        line(m, "s2r.b64 r10, %%activemask");
    switch (draw(m, 6)) {
    case 0:
        line(m, "vote.%s p%u, %sp%u%s", votes[draw(m, 3)], draw(m, PREDS), draw(m, 2) ? "!" : "", draw(m, PREDS), mask);
        break;
    case 1: line(m, "ballot.b32 r%u, p%u%s", data(m), draw(m, PREDS), mask); break;
    case 2: line(m, "ballot.b64 r%u, p%u%s", data_pair(m), draw(m, PREDS), mask); break;
    case 3:
    case 4: match(m, mask); break;
    default: line(m, "redux.%s r%u, r%u%s", sums[draw(m, 8)], data(m), data(m), mask);
    }
}

static void whole_warp(struct maker *m) {
    bool matrices = !m->ask.integers;
    switch (draw(m, matrices ? 4 : 2)) {
    case 0: line(m, "xpush x%u, r%u", draw(m, 4), data(m)); break;
    case 1: line(m, "xext r%u, x%u, %u", data(m), draw(m, 4), draw(m, 4)); break;
    case 2:
        line(m, "mma.m8n4k8.f32.%s r%u, r%u, r%u, r%u", draw(m, 2) ? "f16" : "bf16", data_quad(m), data_quad(m),
             data_pair(m), data_quad(m));
        break;
    default:
        if (m->t->width >= 32)
            line(m, "mma.m16n8k16.f32.%s r%u, r%u, r%u, r%u", draw(m, 2) ? "f16" : "bf16", data_quad(m), data_quad(m),
                 data_pair(m), data_quad(m));
    }
}

/* What changes nothing but time. */
static void idle(struct maker *m) {
    static const char *const names[] = {"nop", "fence.block", "fence.gpu", "fence.sys", "bar.warp"};
    line(m, "%s", names[draw(m, COUNT_OF(names))]);
}

static void special(struct maker *m) {
    static const char *const names[] = {"tid.x",       "tid.y",       "ntid.x",    "ctaid.x", "ctaid.y",
                                        "nctaid.x",    "laneid",      "warpid",    "nwarpid", "warpsize",
                                        "lanemask_lt", "lanemask_ge", "activemask"};
    const char *name = names[draw(m, COUNT_OF(names))];
    if (draw(m, 2))
        line(m, "s2r.b64 r%u, %%%s", data_pair(m), name);
    else
        line(m, "s2r r%u, %%%s", data(m), name);
}

/* ---- exchanges, by whole blocks ---- */

/* Whether the next synchronisation is to be left out. */
static bool left_out(struct maker *m) {
    return ++m->t->synchronisations == m->ask.without;
}

static void block_barrier(struct maker *m) {
    if (left_out(m))
        return;
    if (draw(m, 2))
        line(m, "bar.sync %u", draw(m, 3));
    else
        line(m, "bar.sync %u, %u", draw(m, 3), m->warps * m->t->width);
}

/* r9 = a slot of some other thread of `n`, from `base` (a register, or nothing) on. */
static void other_slot(struct maker *m, u32 n, const char *base) {
    line(m, "rem.u32 r9, r%u, %u", decider(m), n);
    line(m, "%s r9, r9, %u%s%s", base[0] ? "mad.lo.s32" : "mul.lo.s32", SLOT, base[0] ? ", " : "", base);
}

static void read_others(struct maker *m, u32 n, const char *base) {
    for (u32 k = draw(m, 3) + 1; k > 0; k--) {
        other_slot(m, n, base);
        const struct moved *t = draw_moved(m);
        line(m, "ld.shared.%s r%u, [tile+r9+%u]", t->name, register_for(m, t), offset_in(m, t, 16));
    }
}

static void write_own(struct maker *m) {
    line(m, "st.shared.b64 [r7], r%u", data_pair(m));
    line(m, "st.shared.b32 [r7+8], r%u", data(m));
    line(m, "st.shared.u16 [r7+12], r%u", data(m));
    line(m, "st.shared.u16 [r7+14], r%u", data(m));
}

static void exchange_block(struct maker *m) {
    write_own(m);
    block_barrier(m);
    read_others(m, m->threads, "");
    block_barrier(m);
}

static void exchange_warp(struct maker *m) {
    line(m, "s2r r34, %%warpid");
    line(m, "mul.lo.s32 r34, r34, %u", m->t->width * SLOT);
    write_own(m);
    if (!left_out(m))
        line(m, "bar.warp");
    read_others(m, m->t->width, "r34");
    if (!left_out(m))
        line(m, "bar.warp");
}

/* The first warps give, and do not wait for those that take. */
static void exchange_roles(struct maker *m) {
    u32 givers = 1 + draw(m, m->warps - 1), label = m->label++, id = 4 + draw(m, 8), all = m->warps * m->t->width;
    bool out = left_out(m);
    line(m, "setp.lt.u32 p12, r6, %u", givers * m->t->width);
    line(m, "@!p12 bra take%u", label);
    write_own(m);
    if (!out)
        line(m, "bar.arrive %u, %u", id, all);
    line(m, "bra given%u", label);
    buf_printf(m->out, "take%u:\n", label);
    if (!out)
        line(m, "bar.sync %u, %u", id, all);
    read_others(m, givers * m->t->width, "");
    buf_printf(m->out, "given%u:\n", label);
    block_barrier(m);
}

/* Cells of the block, to which everybody adds in any order. */
static void shared_sums(struct maker *m) {
    static const char *const with[] = {"add.u32", "min.s32", "max.u32", "and.b32", "or.b32", "xor.b32"};
    const char *op = with[draw(m, COUNT_OF(with))];
    line(m, "setp.lt.u32 p12, r6, 8");
    line(m, "and.b32 r9, r6, 7");
    line(m, "shl.b32 r9, r9, 2");
    line(m, "@p12 st.shared.b32 [cells+r9], r6");
    block_barrier(m);
    for (u32 k = draw(m, 3) + 1; k > 0; k--) {
        line(m, "and.b32 r9, r%u, 28", decider(m));
        line(m, "red.shared.%s [cells+r9], r%u", op, data(m));
    }
    block_barrier(m);
    line(m, "and.b32 r9, r%u, 28", decider(m));
    line(m, "ld.shared.b32 r%u, [cells+r9]", data(m));
    block_barrier(m);
}

static void exchange(struct maker *m) {
    switch (draw(m, 4)) {
    case 0: exchange_block(m); break;
    case 1:
        if (m->full)
            exchange_warp(m);
        break;
    case 2:
        if (m->full && m->warps > 1)
            exchange_roles(m);
        break;
    default:
        if (m->threads >= 8)
            shared_sums(m);
    }
}

/* Cells of the grid: each has one operation, so that the order does not matter. */
static void global_sums(struct maker *m) {
    static const char *const with[] = {"add.u32", "min.s32", "max.u32", "and.b32",
                                       "or.b32",  "xor.b32", "add.u64", "max.s64"};
    u32 n = draw(m, COUNT_OF(with));
    bool wide = strstr(with[n], "64");
    line(m, "and.b32 r9, r%u, %u", decider(m), wide ? 24 : 28);
    line(m, "mad.wide.u32 r10, r9, 1, r4");
    buf_puts(m->out, "        ");
    put_guard(m);
    buf_printf(m->out, "red.global.%s [r10+%u], r%u\n", with[n], n * 32, wide ? data_pair(m) : data(m));
}

/* Thread 0 of a block waits for that of the block before it. */
static void hand_on(struct maker *m) {
    u32 label = m->label++;
    m->chained = true;
    line(m, "setp.ne.s32 p12, r6, 0");
    line(m, "@p12 bra handed%u", label);
    line(m, "mov.b32 r35, 1");
    line(m, "div.u32 r9, r8, %u", m->threads);
    line(m, "setp.eq.s32 p13, r9, 0");
    line(m, "@p13 bra first%u", label);
    buf_printf(m->out, "wait%u:\n", label);
    line(m, "ld%s.global.b32 r34, [r32-4]", left_out(m) ? ".volatile" : ".acquire");
    line(m, "setp.eq.s32 p13, r34, 0");
    line(m, "@p13 bra wait%u", label);
    line(m, "ld.global.b32 r35, [r32-8]");
    buf_printf(m->out, "first%u:\n", label);
    line(m, "mad.lo.s32 r35, r35, 3, r9");
    line(m, "st.global.b32 [r32], r35");
    line(m, "mov.b32 r34, 1");
    line(m, "st%s.global.b32 [r32+4], r34", left_out(m) ? ".volatile" : ".release");
    line(m, "st.global.b32 [r0+64], r35");
    buf_printf(m->out, "handed%u:\n", label);
}

/* ---- control flow ---- */

static void statements(struct maker *m, u32 n, u32 depth, bool together);

/* p6, p7, ...: a condition of its own for each level. */
static u32 condition(struct maker *m, u32 depth) {
    static const char *const how[] = {"lt.u32", "ge.s32", "eq.s32", "ne.s32", "gt.u32"};
    line(m, "setp.%s p%u, r%u, %d", how[draw(m, COUNT_OF(how))], PREDS + depth, decider(m),
         m->ask.oblivious ? (s32)draw(m, 64) : (s32)draw_word(m));
    return PREDS + depth;
}

static void choice(struct maker *m, u32 depth) {
    u32 p = condition(m, depth), label = m->label++;
    line(m, "@p%u bra else%u", p, label);
    statements(m, draw(m, 5) + 1, depth + 1, false);
    if (draw(m, 2)) {
        line(m, "bra join%u", label);
        buf_printf(m->out, "else%u:\n", label);
        statements(m, draw(m, 5) + 1, depth + 1, false);
        buf_printf(m->out, "join%u:\n", label);
    } else {
        buf_printf(m->out, "else%u:\n", label);
    }
}

/* Ways that cross: no block structure has these. */
static void crossing(struct maker *m, u32 depth) {
    u32 label = m->label++;
    line(m, "@p%u bra a%u", condition(m, depth), label);
    statements(m, draw(m, 3) + 1, depth + 1, false);
    line(m, "@p%u bra b%u", condition(m, depth), label);
    statements(m, draw(m, 3), depth + 1, false);
    buf_printf(m->out, "a%u:\n", label);
    statements(m, draw(m, 3) + 1, depth + 1, false);
    buf_printf(m->out, "b%u:\n", label);
}

/* At most three rounds; with `together` as many for every thread. */
static void loop(struct maker *m, u32 depth, bool together) {
    u32 label = m->label++, counter = 12 + depth, p = PREDS + depth;
    if (together)
        line(m, "mov.b32 r%u, %u", counter, draw(m, 3) + 1);
    else
        line(m, "and.b32 r%u, r%u, 3", counter, decider(m));
    buf_printf(m->out, "again%u:\n", label);
    if (draw(m, 2)) {
        line(m, "setp.le.s32 p%u, r%u, 0", p, counter);
        line(m, "@p%u bra over%u", p, label);
        statements(m, draw(m, 5) + 1, depth + 1, together);
        line(m, "sub.s32 r%u, r%u, 1", counter, counter);
        line(m, "bra again%u", label);
        buf_printf(m->out, "over%u:\n", label);
    } else {
        statements(m, draw(m, 5) + 1, depth + 1, together);
        line(m, "sub.s32 r%u, r%u, 1", counter, counter);
        line(m, "setp.gt.s32 p%u, r%u, 0", p, counter);
        line(m, "@p%u bra again%u", p, label);
    }
}

static void call(struct maker *m) {
    line(m, "mov.b32 r28, r%u", data(m));
    line(m, "mov.b32 r29, r%u", decider(m));
    buf_puts(m->out, "        ");
    put_guard(m);
    buf_printf(m->out, "call f%u\n", draw(m, 2));
    line(m, "mov.b32 r%u, r28", data(m));
}

/* `together`: all threads of the block are here. */
static void statement(struct maker *m, u32 depth, bool together) {
    u32 n = draw(m, 32);
    bool nested = depth < DEPTH_MAX;
    if (n >= 30 && together && m->ask.shared && !m->ended)
        exchange(m);
    else if (n == 29 && together && m->ask.global && !m->chained && !m->ended && depth == 0)
        hand_on(m);
    else if (n >= 27 && nested && m->ask.divergent)
        choice(m, depth);
    else if (n == 26 && nested && m->ask.divergent)
        crossing(m, depth);
    else if (n == 25 && nested && (together || m->ask.divergent))
        loop(m, depth, !m->ask.divergent || (together && draw(m, 2)));
    else if (n == 24 && m->ask.global)
        global_sums(m);
    else if (n >= 21 && together && m->full && !m->ended)
        n == 21 ? whole_warp(m) : shuffle(m);
    else if (n == 20 || n == 19)
        vote(m);
    else if (n == 18)
        draw(m, 4) == 3 ? idle(m) : special(m);
    else if (n == 17)
        call(m);
    else if (n == 16 && m->ask.shared)
        own_shared(m);
    else if (n >= 14 && n <= 15)
        read_anywhere(m);
    else if (n == 13)
        own_atomic(m);
    else if (n >= 10 && n <= 12)
        own_global(m);
    else
        arithmetic(m);
}

static void statements(struct maker *m, u32 n, u32 depth, bool together) {
    for (; n > 0 && m->statements > 0 && m->left > 0; n--) {
        m->statements--;
        statement(m, depth, together);
    }
}

/* ---- the program ---- */

static void prologue(struct maker *m) {
    buf_printf(m->out,
               ".const table : u32 = 0x3f800000, 7, 0xffffffff, 0x7fffffff, 0x80000000, 255, 0x40490fdb, 0, 1, 2, 3, "
               "4, 0xff800000, "
               "0x7fc00000, 99, 0xabcdef01\n.kernel k\n.param in : u32[%u]\n.param out : u32[]\n.param sums : u32[%u]\n"
               ".param chain : u32[]\n.shared tile : u32[%u]\n.shared cells : u32[8]\n.local mine : u32[8]\n",
               PROGRAM_IN_WORDS, PROGRAM_SUM_WORDS, m->threads * SLOT / 4);
    static const char *const start[] = {"s2r r6, %tid.y",
                                        "s2r r9, %ntid.x",
                                        "s2r r10, %tid.x",
                                        "mad.lo.s32 r6, r6, r9, r10",
                                        "s2r r8, %ctaid.y",
                                        "s2r r9, %nctaid.x",
                                        "s2r r10, %ctaid.x",
                                        "mad.lo.s32 r8, r8, r9, r10",
                                        "ld.param.b64 r32, [chain]",
                                        "mad.wide.u32 r32, r8, 8, r32"};
    for (u32 i = 0; i < COUNT_OF(start); i++)
        line(m, "%s", start[i]);
    line(m, "mad.lo.s32 r8, r8, %u, r6", m->threads);
    line(m, "ld.param.b64 r0, [out]");
    line(m, "mad.wide.u32 r0, r8, %u, r0", PROGRAM_OUT_WORDS * 4);
    line(m, "ld.param.b64 r2, [in]");
    line(m, "ld.param.b64 r4, [sums]");
    line(m, "mul.lo.s32 r7, r6, %u", SLOT);
    if (m->ask.shared)
        line(m, "add.s32 r7, r7, tile");
    line(m, "and.b32 r9, r8, %u", PROGRAM_IN_WORDS / 8 - 1);
    line(m, "mad.wide.u32 r10, r9, 16, r2");
    for (u32 k = 0; k < DATA_COUNT / 4; k++)
        line(m, "ld.global.b128 r%u, [r10+%u]", DATA + 4 * k, 16 * k);
    line(m, "xor.b32 r%u, r%u, r8", DATA + 4, DATA + 4);
    line(m, "add.s32 r%u, r%u, r8", DATA + 9, DATA + 9);
    for (u32 k = 0; k < KNOWN_COUNT; k++) {
        line(m, "mul.lo.s32 r%u, r%u, %u", KNOWN + k, k % 2 ? 8 : 6, k * 7 + 1);
        line(m, "add.s32 r%u, r%u, %u", KNOWN + k, KNOWN + k, draw(m, 100));
    }
    for (u32 k = 0; k < PREDS; k++)
        line(m, "setp.lt.u32 p%u, r%u, %u", k, KNOWN + k % KNOWN_COUNT, draw(m, 2 * m->threads));
}

/* What every statement may read is there from the start. */
static void fill_own(struct maker *m) {
    for (u32 k = 0; k < 4; k++)
        line(m, "st.global.b128 [r0+%u], r%u", 16 * k, DATA + 4 * (k % 3));
    for (u32 k = 0; k < 2; k++) {
        line(m, "st.local.b128 [mine+%u], r%u", 16 * k, DATA + 4 * k);
        if (m->ask.shared)
            line(m, "st.shared.b128 [r7+%u], r%u", 16 * k, DATA + 4 * k);
    }
    for (u32 k = 0; k < TRANSIT_COUNT && m->full; k++)
        for (u32 s = 0; s < TRANSIT_SLOTS; s++)
            line(m, "xpush x%u, r%u", k, DATA + s);
    for (u32 r = 28; r < 32; r++)
        line(m, "mov.b32 r%u, r8", r);
}

static void epilogue(struct maker *m) {
    for (u32 k = 0; k < DATA_COUNT / 4; k++)
        line(m, "st.global.b128 [r0+%u], r%u", 80 + 16 * k, DATA + 4 * k);
    line(m, "mov.b32 r9, 0");
    for (u32 k = 0; k < PREDS; k++) {
        line(m, "sel.b32 r10, %u, rz, p%u", 1u << k, k);
        line(m, "or.b32 r9, r9, r10");
    }
    line(m, "st.global.b32 [r0+68], r9");
    line(m, "exit");
}

/* Arithmetic on r28..r31, where lanes may diverge and return early. */
static void function(struct maker *m, u32 number, u32 limit) {
    buf_printf(m->out, ".func f%u\n", number);
    line(m, "mad.lo.s32 r28, r28, 5, r29");
    line(m, "setp.lt.s32 p14, r29, %u", limit);
    line(m, "@p14 ret");
    line(m, "xor.b32 r30, r28, r29");
    if (number == 0)
        line(m, "call f1");
    line(m, "add.s32 r28, r28, r30");
    line(m, "ret");
}

static void sizes(struct maker *m) {
    static const u32 widths[] = {8, 16, 32, 64};
    struct program_text *t = m->t;
    u32 width = widths[draw(m, 4)], shape = draw(m, 3);
    t->width = m->ask.width ? m->ask.width : width;
    m->warps = 1 + draw(m, m->ask.warps);
    m->threads = m->warps * t->width;
    m->full = draw(m, 4) != 3;
    if (!m->full)
        m->threads -= 2 * (1 + draw(m, t->width / 2 - 1));
    t->block[0] = shape == 2 ? m->threads / 2 : m->threads;
    t->block[1] = shape == 2 ? 2 : 1;
    t->block[2] = t->grid[2] = 1;
    t->grid[shape == 1] = 1 + draw(m, m->ask.blocks);
    t->grid[shape != 1] = 1;
}

void program_random(const u8 *bytes, size_t len, const struct program_options *options, struct program_text *t) {
    struct maker m = {.bytes = bytes, .left = len, .out = &t->text, .ask = *options, .t = t};
    m.ask.warps = m.ask.warps ? m.ask.warps : 4;
    m.ask.blocks = m.ask.blocks ? m.ask.blocks : 3;
    m.statements = m.ask.statements ? m.ask.statements : 40;
    sizes(&m);
    prologue(&m);
    fill_own(&m);
    bool leave = m.ask.divergent && draw(&m, 4) == 3;
    u32 limit = draw(&m, 64);
    statements(&m, m.statements, 0, true);
    if (leave) { /* behind the last barrier some threads may end early */
        line(&m, "@p0 exit");
        m.ended = true;
        m.statements = 8;
        statements(&m, 8, 0, false);
    }
    epilogue(&m);
    function(&m, 0, limit);
    function(&m, 1, limit / 2);
}

void program_buffers(const struct program_text *t, struct program_buffer out[PROGRAM_BUFFERS]) {
    u32 blocks = t->grid[0] * t->grid[1] * t->grid[2], threads = t->block[0] * t->block[1] * t->block[2];
    out[0] = (struct program_buffer){"in", PROGRAM_IN_WORDS};
    out[1] = (struct program_buffer){"out", blocks * threads * PROGRAM_OUT_WORDS};
    out[2] = (struct program_buffer){"sums", PROGRAM_SUM_WORDS};
    out[3] = (struct program_buffer){"chain", blocks * PROGRAM_CHAIN_WORDS};
}

void program_text_free(struct program_text *t) {
    buf_free(&t->text);
}

u32 program_in_word(u32 index, u32 seed) {
    static const u32 corners[] = {0,          0x80000000, 1,          0xffffffff, 0x3f800000, 0xbf800000,
                                  0x7f800000, 0xff800000, 0x7fc00000, 0xffc12345, 0x00000001, 0x807fffff,
                                  0x7f7fffff, 0x7fffffff, 0x3c00bc00, 0x7c007e00, 0x3f804000, 0x00010001};
    u32 x = (index + 1) * 0x9e3779b9u ^ seed;
    x = (x ^ x >> 15) * 0x85ebca6bu;
    x ^= x >> 13;
    return x % 3 ? x : corners[x / 3 % COUNT_OF(corners)];
}
