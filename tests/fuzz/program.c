/* Control flow, and the whole program. */
#include "tests/fuzz/program.h"
#include "tests/fuzz/program_maker.h"

/* ---- control flow ---- */

static void statements(struct maker *m, u32 n, u32 depth, bool together);

/* p6, p7, ...: a condition of its own for each level. */
static u32 condition(struct maker *m, u32 depth) {
    static const char *const how[] = {"lt.u32", "ge.s32", "eq.s32", "ne.s32", "gt.u32"};
    maker_line(m, "setp.%s p%u, r%u, %d", how[maker_draw(m, COUNT_OF(how))], PREDS + depth, maker_decider(m),
               m->ask.oblivious ? (s32)maker_draw(m, 64) : (s32)maker_draw_word(m));
    return PREDS + depth;
}

static void choice(struct maker *m, u32 depth) {
    u32 p = condition(m, depth), label = m->label++;
    maker_line(m, "@p%u bra else%u", p, label);
    statements(m, maker_draw(m, 5) + 1, depth + 1, false);
    if (maker_draw(m, 2)) {
        maker_line(m, "bra join%u", label);
        buf_printf(m->out, "else%u:\n", label);
        statements(m, maker_draw(m, 5) + 1, depth + 1, false);
        buf_printf(m->out, "join%u:\n", label);
    } else {
        buf_printf(m->out, "else%u:\n", label);
    }
}

/* Ways that cross: no block structure has these. */
static void crossing(struct maker *m, u32 depth) {
    u32 label = m->label++;
    maker_line(m, "@p%u bra a%u", condition(m, depth), label);
    statements(m, maker_draw(m, 3) + 1, depth + 1, false);
    maker_line(m, "@p%u bra b%u", condition(m, depth), label);
    statements(m, maker_draw(m, 3), depth + 1, false);
    buf_printf(m->out, "a%u:\n", label);
    statements(m, maker_draw(m, 3) + 1, depth + 1, false);
    buf_printf(m->out, "b%u:\n", label);
}

/* At most three rounds; with `together` as many for every thread. */
static void loop(struct maker *m, u32 depth, bool together) {
    u32 label = m->label++, counter = 12 + depth, p = PREDS + depth;
    if (together)
        maker_line(m, "mov.b32 r%u, %u", counter, maker_draw(m, 3) + 1);
    else
        maker_line(m, "and.b32 r%u, r%u, 3", counter, maker_decider(m));
    buf_printf(m->out, "again%u:\n", label);
    if (maker_draw(m, 2)) {
        maker_line(m, "setp.le.s32 p%u, r%u, 0", p, counter);
        maker_line(m, "@p%u bra over%u", p, label);
        statements(m, maker_draw(m, 5) + 1, depth + 1, together);
        maker_line(m, "sub.s32 r%u, r%u, 1", counter, counter);
        maker_line(m, "bra again%u", label);
        buf_printf(m->out, "over%u:\n", label);
    } else {
        statements(m, maker_draw(m, 5) + 1, depth + 1, together);
        maker_line(m, "sub.s32 r%u, r%u, 1", counter, counter);
        maker_line(m, "setp.gt.s32 p%u, r%u, 0", p, counter);
        maker_line(m, "@p%u bra again%u", p, label);
    }
}

static void call(struct maker *m) {
    maker_line(m, "mov.b32 r28, r%u", maker_data(m));
    maker_line(m, "mov.b32 r29, r%u", maker_decider(m));
    buf_puts(m->out, "        ");
    maker_put_guard(m);
    buf_printf(m->out, "call f%u\n", maker_draw(m, 2));
    maker_line(m, "mov.b32 r%u, r28", maker_data(m));
}

/* `together`: all threads of the block are here. */
static void statement(struct maker *m, u32 depth, bool together) {
    u32 n = maker_draw(m, 32);
    bool nested = depth < DEPTH_MAX;
    if (n >= 30 && together && m->ask.shared && !m->ended)
        maker_exchange(m);
    else if (n == 29 && together && m->ask.global && !m->chained && !m->ended && depth == 0)
        maker_hand_on(m);
    else if (n >= 27 && nested && m->ask.divergent)
        choice(m, depth);
    else if (n == 26 && nested && m->ask.divergent)
        crossing(m, depth);
    else if (n == 25 && nested && (together || m->ask.divergent))
        loop(m, depth, !m->ask.divergent || (together && maker_draw(m, 2)));
    else if (n == 24 && m->ask.global)
        maker_global_sums(m);
    else if (n >= 21 && together && m->full && !m->ended)
        n == 21 ? maker_whole_warp(m) : maker_shuffle(m);
    else if (n == 20 || n == 19)
        maker_vote(m);
    else if (n == 18)
        maker_draw(m, 4) == 3 ? maker_idle(m) : maker_special(m);
    else if (n == 17)
        call(m);
    else if (n == 16 && m->ask.shared)
        maker_own_shared(m);
    else if (n >= 14 && n <= 15)
        maker_read_anywhere(m);
    else if (n == 13)
        maker_own_atomic(m);
    else if (n >= 10 && n <= 12)
        maker_own_global(m);
    else
        maker_arithmetic(m);
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
        maker_line(m, "%s", start[i]);
    maker_line(m, "mad.lo.s32 r8, r8, %u, r6", m->threads);
    maker_line(m, "ld.param.b64 r0, [out]");
    maker_line(m, "mad.wide.u32 r0, r8, %u, r0", PROGRAM_OUT_WORDS * 4);
    maker_line(m, "ld.param.b64 r2, [in]");
    maker_line(m, "ld.param.b64 r4, [sums]");
    maker_line(m, "mul.lo.s32 r7, r6, %u", SLOT);
    if (m->ask.shared)
        maker_line(m, "add.s32 r7, r7, tile");
    maker_line(m, "and.b32 r9, r8, %u", PROGRAM_IN_WORDS / 8 - 1);
    maker_line(m, "mad.wide.u32 r10, r9, 16, r2");
    for (u32 k = 0; k < DATA_COUNT / 4; k++)
        maker_line(m, "ld.global.b128 r%u, [r10+%u]", DATA + 4 * k, 16 * k);
    maker_line(m, "xor.b32 r%u, r%u, r8", DATA + 4, DATA + 4);
    maker_line(m, "add.s32 r%u, r%u, r8", DATA + 9, DATA + 9);
    for (u32 k = 0; k < KNOWN_COUNT; k++) {
        maker_line(m, "mul.lo.s32 r%u, r%u, %u", KNOWN + k, k % 2 ? 8 : 6, k * 7 + 1);
        maker_line(m, "add.s32 r%u, r%u, %u", KNOWN + k, KNOWN + k, maker_draw(m, 100));
    }
    for (u32 k = 0; k < PREDS; k++)
        maker_line(m, "setp.lt.u32 p%u, r%u, %u", k, KNOWN + k % KNOWN_COUNT, maker_draw(m, 2 * m->threads));
}

/* Makes whatever a statement may read, at the start. */
static void fill_own(struct maker *m) {
    for (u32 k = 0; k < 4; k++)
        maker_line(m, "st.global.b128 [r0+%u], r%u", 16 * k, DATA + 4 * (k % 3));
    for (u32 k = 0; k < 2; k++) {
        maker_line(m, "st.local.b128 [mine+%u], r%u", 16 * k, DATA + 4 * k);
        if (m->ask.shared)
            maker_line(m, "st.shared.b128 [r7+%u], r%u", 16 * k, DATA + 4 * k);
    }
    for (u32 k = 0; k < TRANSIT_COUNT && m->full; k++)
        for (u32 s = 0; s < TRANSIT_SLOTS; s++)
            maker_line(m, "xpush x%u, r%u", k, DATA + s);
    for (u32 r = 28; r < 32; r++)
        maker_line(m, "mov.b32 r%u, r8", r);
}

static void epilogue(struct maker *m) {
    for (u32 k = 0; k < DATA_COUNT / 4; k++)
        maker_line(m, "st.global.b128 [r0+%u], r%u", 80 + 16 * k, DATA + 4 * k);
    maker_line(m, "mov.b32 r9, 0");
    for (u32 k = 0; k < PREDS; k++) {
        maker_line(m, "sel.b32 r10, %u, rz, p%u", 1u << k, k);
        maker_line(m, "or.b32 r9, r9, r10");
    }
    maker_line(m, "st.global.b32 [r0+68], r9");
    maker_line(m, "exit");
}

/* Arithmetic on r28..r31, where lanes may diverge and return early. */
static void function(struct maker *m, u32 number, u32 limit) {
    buf_printf(m->out, ".func f%u\n", number);
    maker_line(m, "mad.lo.s32 r28, r28, 5, r29");
    maker_line(m, "setp.lt.s32 p14, r29, %u", limit);
    maker_line(m, "@p14 ret");
    maker_line(m, "xor.b32 r30, r28, r29");
    if (number == 0)
        maker_line(m, "call f1");
    maker_line(m, "add.s32 r28, r28, r30");
    maker_line(m, "ret");
}

static void sizes(struct maker *m) {
    static const u32 widths[] = {8, 16, 32, 64};
    struct program_text *t = m->t;
    u32 width = widths[maker_draw(m, 4)], shape = maker_draw(m, 3);
    t->width = m->ask.width ? m->ask.width : width;
    m->warps = 1 + maker_draw(m, m->ask.warps);
    m->threads = m->warps * t->width;
    m->full = maker_draw(m, 4) != 3;
    if (!m->full)
        m->threads -= 2 * (1 + maker_draw(m, t->width / 2 - 1));
    t->block[0] = shape == 2 ? m->threads / 2 : m->threads;
    t->block[1] = shape == 2 ? 2 : 1;
    t->block[2] = t->grid[2] = 1;
    t->grid[shape == 1] = 1 + maker_draw(m, m->ask.blocks);
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
    bool leave = m.ask.divergent && maker_draw(&m, 4) == 3;
    u32 limit = maker_draw(&m, 64);
    statements(&m, m.statements, 0, true);
    if (leave) { /* after the last barrier some threads may end early */
        maker_line(&m, "@p0 exit");
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
