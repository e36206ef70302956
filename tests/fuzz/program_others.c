/* Interaction of threads: lanes of a warp, warps of a block, blocks. */
#include "tests/fuzz/program_maker.h"

#include <stdio.h>
#include <string.h>

/* ---- lanes that see each other ---- */

void maker_shuffle(struct maker *m) {
    static const char *const how[] = {"idx", "up", "down", "bfly"};
    static const char *const segments[] = {"", "", ".w2", ".w4", ".w8", ".w16", ".w32"};
    const char *kind = how[maker_draw(m, 4)], *segment = segments[maker_draw(m, COUNT_OF(segments))];
    u32 d = maker_data(m), a = maker_data(m);
    char second[8] = "";
    if (maker_draw(m, 2))
        snprintf(second, sizeof second, "|p%u", maker_draw(m, PREDS));
    if (maker_draw(m, 2))
        maker_line(m, "shfl.%s.b32%s r%u%s, r%u, %u", kind, segment, d, second, a, maker_draw(m, 70));
    else
        maker_line(m, "shfl.%s.b32%s r%u%s, r%u, r%u", kind, segment, d, second, a, maker_decider(m));
}

static void match(struct maker *m, const char *mask) {
    bool wide = maker_draw(m, 2);
    u32 d = maker_data_pair(m), a = wide ? maker_data_pair(m) : maker_data(m);
    if (maker_draw(m, 2))
        maker_line(m, "match.any.b%u r%u, r%u%s", wide ? 64 : 32, d, a, mask);
    else
        maker_line(m, "match.all.b%u r%u|p%u, r%u%s", wide ? 64 : 32, d, maker_draw(m, PREDS), a, mask);
}

void maker_vote(struct maker *m) {
    static const char *const sums[] = {"add.u32", "min.s32", "max.s32", "min.u32",
                                       "max.u32", "and.b32", "or.b32",  "xor.b32"};
    static const char *const votes[] = {"all", "any", "uni"};
    bool masked = maker_draw(m, 3) == 2;
    const char *mask = masked ? ", r10" : "";
    if (masked)
        maker_line(m, "s2r.b64 r10, %%activemask");
    switch (maker_draw(m, 6)) {
    case 0:
        maker_line(m, "vote.%s p%u, %sp%u%s", votes[maker_draw(m, 3)], maker_draw(m, PREDS),
                   maker_draw(m, 2) ? "!" : "", maker_draw(m, PREDS), mask);
        break;
    case 1: maker_line(m, "ballot.b32 r%u, p%u%s", maker_data(m), maker_draw(m, PREDS), mask); break;
    case 2: maker_line(m, "ballot.b64 r%u, p%u%s", maker_data_pair(m), maker_draw(m, PREDS), mask); break;
    case 3:
    case 4: match(m, mask); break;
    default: maker_line(m, "redux.%s r%u, r%u%s", sums[maker_draw(m, 8)], maker_data(m), maker_data(m), mask);
    }
}

/* A product over 32 lanes: four registers of A and two of B, or half of them. */
static void fragments(struct maker *m) {
    static const char *const names[] = {"m16n8k16.f32.f16", "m16n8k16.f32.bf16", "m16n8k8.f32.tf32",
                                        "m16n8k8.f32.f16",  "m16n8k8.f32.bf16",  "m16n8k4.f32.tf32"};
    u32 n = maker_draw(m, COUNT_OF(names));
    if (m->t->width >= 32)
        maker_line(m, "mma.%s r%u, r%u, r%u, r%u", names[n], maker_data_quad(m),
                   n < 3 ? maker_data_quad(m) : maker_data_pair(m), n < 3 ? maker_data_pair(m) : maker_data(m),
                   maker_data_quad(m));
}

void maker_whole_warp(struct maker *m) {
    bool matrices = !m->ask.integers;
    switch (maker_draw(m, matrices ? 4 : 2)) {
    case 0: maker_line(m, "xpush x%u, r%u", maker_draw(m, 4), maker_data(m)); break;
    case 1: maker_line(m, "xext r%u, x%u, %u", maker_data(m), maker_draw(m, 4), maker_draw(m, 4)); break;
    case 2:
        maker_line(m, "mma.m8n4k8.f32.%s r%u, r%u, r%u, r%u", maker_draw(m, 2) ? "f16" : "bf16", maker_data_quad(m),
                   maker_data_quad(m), maker_data_pair(m), maker_data_quad(m));
        break;
    default: fragments(m);
    }
}

/* Writes statements that change nothing but time. */
void maker_idle(struct maker *m) {
    static const char *const names[] = {"nop", "fence.block", "fence.gpu", "fence.sys", "bar.warp"};
    maker_line(m, "%s", names[maker_draw(m, COUNT_OF(names))]);
}

void maker_special(struct maker *m) {
    static const char *const names[] = {"tid.x",       "tid.y",       "ntid.x",    "ctaid.x", "ctaid.y",
                                        "nctaid.x",    "laneid",      "warpid",    "nwarpid", "warpsize",
                                        "lanemask_lt", "lanemask_ge", "activemask"};
    const char *name = names[maker_draw(m, COUNT_OF(names))];
    if (maker_draw(m, 2))
        maker_line(m, "s2r.b64 r%u, %%%s", maker_data_pair(m), name);
    else
        maker_line(m, "s2r r%u, %%%s", maker_data(m), name);
}

/* ---- exchanges, by whole blocks ---- */

/* True if the next synchronisation is to be left out. */
static bool left_out(struct maker *m) {
    return ++m->t->synchronisations == m->ask.without;
}

static void block_barrier(struct maker *m) {
    if (left_out(m))
        return;
    if (maker_draw(m, 2))
        maker_line(m, "bar.sync %u", maker_draw(m, 3));
    else
        maker_line(m, "bar.sync %u, %u", maker_draw(m, 3), m->warps * m->t->width);
}

/* r9 = a slot of some other thread of `n`, from `base` (a register, or nothing) on. */
static void other_slot(struct maker *m, u32 n, const char *base) {
    maker_line(m, "rem.u32 r9, r%u, %u", maker_decider(m), n);
    maker_line(m, "%s r9, r9, %u%s%s", base[0] ? "mad.lo.s32" : "mul.lo.s32", SLOT, base[0] ? ", " : "", base);
}

static void read_others(struct maker *m, u32 n, const char *base) {
    for (u32 k = maker_draw(m, 3) + 1; k > 0; k--) {
        other_slot(m, n, base);
        const struct moved *t = maker_draw_moved(m);
        maker_line(m, "ld.shared.%s r%u, [tile+r9+%u]", t->name, maker_register_for(m, t), maker_offset_in(m, t, 16));
    }
}

static void write_own(struct maker *m) {
    maker_line(m, "st.shared.b64 [r7], r%u", maker_data_pair(m));
    maker_line(m, "st.shared.b32 [r7+8], r%u", maker_data(m));
    maker_line(m, "st.shared.u16 [r7+12], r%u", maker_data(m));
    maker_line(m, "st.shared.u16 [r7+14], r%u", maker_data(m));
}

static void exchange_block(struct maker *m) {
    write_own(m);
    block_barrier(m);
    read_others(m, m->threads, "");
    block_barrier(m);
}

static void exchange_warp(struct maker *m) {
    maker_line(m, "s2r r34, %%warpid");
    maker_line(m, "mul.lo.s32 r34, r34, %u", m->t->width * SLOT);
    write_own(m);
    if (!left_out(m))
        maker_line(m, "bar.warp");
    read_others(m, m->t->width, "r34");
    if (!left_out(m))
        maker_line(m, "bar.warp");
}

/* The first warps give, and do not wait for those that take. */
static void exchange_roles(struct maker *m) {
    u32 givers = 1 + maker_draw(m, m->warps - 1), label = m->label++, id = 4 + maker_draw(m, 8),
        all = m->warps * m->t->width;
    bool out = left_out(m);
    maker_line(m, "setp.lt.u32 p12, r6, %u", givers * m->t->width);
    maker_line(m, "@!p12 bra take%u", label);
    write_own(m);
    if (!out)
        maker_line(m, "bar.arrive %u, %u", id, all);
    maker_line(m, "bra given%u", label);
    buf_printf(m->out, "take%u:\n", label);
    if (!out)
        maker_line(m, "bar.sync %u, %u", id, all);
    read_others(m, givers * m->t->width, "");
    buf_printf(m->out, "given%u:\n", label);
    block_barrier(m);
}

/* Cells of the block that all threads add to, in any order. */
static void shared_sums(struct maker *m) {
    static const char *const with[] = {"add.u32", "min.s32", "max.u32", "and.b32", "or.b32", "xor.b32"};
    const char *op = with[maker_draw(m, COUNT_OF(with))];
    maker_line(m, "setp.lt.u32 p12, r6, 8");
    maker_line(m, "and.b32 r9, r6, 7");
    maker_line(m, "shl.b32 r9, r9, 2");
    maker_line(m, "@p12 st.shared.b32 [cells+r9], r6");
    block_barrier(m);
    for (u32 k = maker_draw(m, 3) + 1; k > 0; k--) {
        maker_line(m, "and.b32 r9, r%u, 28", maker_decider(m));
        maker_line(m, "red.shared.%s [cells+r9], r%u", op, maker_data(m));
    }
    block_barrier(m);
    maker_line(m, "and.b32 r9, r%u, 28", maker_decider(m));
    maker_line(m, "ld.shared.b32 r%u, [cells+r9]", maker_data(m));
    block_barrier(m);
}

void maker_exchange(struct maker *m) {
    switch (maker_draw(m, 4)) {
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
void maker_global_sums(struct maker *m) {
    static const char *const with[] = {"add.u32", "min.s32", "max.u32", "and.b32",
                                       "or.b32",  "xor.b32", "add.u64", "max.s64"};
    u32 n = maker_draw(m, COUNT_OF(with));
    bool wide = strstr(with[n], "64");
    maker_line(m, "and.b32 r9, r%u, %u", maker_decider(m), wide ? 24 : 28);
    maker_line(m, "mad.wide.u32 r10, r9, 1, r4");
    buf_puts(m->out, "        ");
    maker_put_guard(m);
    buf_printf(m->out, "red.global.%s [r10+%u], r%u\n", with[n], n * 32, wide ? maker_data_pair(m) : maker_data(m));
}

/* Thread 0 of a block waits for that of the block before it. */
void maker_hand_on(struct maker *m) {
    u32 label = m->label++;
    m->chained = true;
    maker_line(m, "setp.ne.s32 p12, r6, 0");
    maker_line(m, "@p12 bra handed%u", label);
    maker_line(m, "mov.b32 r35, 1");
    maker_line(m, "div.u32 r9, r8, %u", m->threads);
    maker_line(m, "setp.eq.s32 p13, r9, 0");
    maker_line(m, "@p13 bra first%u", label);
    buf_printf(m->out, "wait%u:\n", label);
    maker_line(m, "ld%s.global.b32 r34, [r32-4]", left_out(m) ? ".volatile" : ".acquire");
    maker_line(m, "setp.eq.s32 p13, r34, 0");
    maker_line(m, "@p13 bra wait%u", label);
    maker_line(m, "ld.global.b32 r35, [r32-8]");
    buf_printf(m->out, "first%u:\n", label);
    maker_line(m, "mad.lo.s32 r35, r35, 3, r9");
    maker_line(m, "st.global.b32 [r32], r35");
    maker_line(m, "mov.b32 r34, 1");
    maker_line(m, "st%s.global.b32 [r32+4], r34", left_out(m) ? ".volatile" : ".release");
    maker_line(m, "st.global.b32 [r0+64], r35");
    buf_printf(m->out, "handed%u:\n", label);
}
