/*
 * Do branches, calls, exits, barriers and fences work as documented, lane by lane? And is every WARP row tested
 * somewhere?
 */
#include "tests/isa/isa_warp.h"

#include <criterion/criterion.h>
#include <string.h>

const u16 isa_warp_flow_ops[] = {OP_FENCE_BLOCK, OP_FENCE_GPU,  OP_FENCE_SYS,    OP_BAR_SYNC,  OP_BAR_ARRIVE,
                                 OP_BAR_RED_AND, OP_BAR_RED_OR, OP_BAR_RED_POPC, OP_BAR_WARP,  OP_BRA,
                                 OP_CALL,        OP_RET,        OP_EXIT,         OP_TRAP,      OP_NOP,
                                 OP_PRINT,       OP_PMEVENT,    OP_PMEVENT_MASK, OP_NANOSLEEP, OP_COUNT};

Test(isa_warp, every_row_has_a_reference) {
    static const u16 *const lists[] = {isa_warp_memory_ops,  isa_warp_shuffle_ops, isa_warp_vote_ops,
                                       isa_warp_transit_ops, isa_warp_matrix_ops,  isa_warp_sreg_ops,
                                       isa_warp_flow_ops};
    for (int op = 0; op < OP_COUNT; op++) {
        bool found = isa_rows[op].kind != ROW_WARP;
        for (size_t i = 0; i < COUNT_OF(lists); i++)
            for (const u16 *p = lists[i]; *p != OP_COUNT; p++)
                found |= *p == op;
        cr_expect(found, "%s has no reference", isa_rows[op].name);
    }
}

/* ---- instructions that change nothing ---- */

static void nothing(const struct warp_view *w, const void *ctx) {
    (void)w;
    (void)ctx;
}

Test(isa_warp_flow, fences_and_nop_change_nothing) {
    static const char *const text[] = {"nop",
                                       "@p0 nop",
                                       "pmevent 15",
                                       "@p0 pmevent.mask 0x8001",
                                       "nanosleep 1000",
                                       "@p0 nanosleep r8",
                                       "fence.block",
                                       "fence.gpu",
                                       "@!p0 fence.sys",
                                       "bar.warp",
                                       "@p0 bar.warp",
                                       "@!pt trap",
                                       "@!pt exit",
                                       "@!pt bra away\naway:",
                                       "@p1 print \"%x %ld %f\", r8, r10, r9"};
    for (size_t i = 0; i < COUNT_OF(text); i++)
        warp_test(&(struct warp_test){.instruction = text[i], .expect = nothing});
}

/* ---- branches ---- */

/* p1: the lanes that branch; r14 and r15 show which way each took, r13 which lanes were together after it. */
static void expect_if(const struct warp_view *w, const void *ctx) {
    (void)ctx;
    u64 together = w->lanes == 64 ? ~(u64)0 : ((u64)1 << w->lanes) - 1;
    for (u32 l = 0; l < w->lanes; l++) {
        bool taken = w->in[l].preds & 2;
        w->out[l].r[taken ? 6 : 7] = w->in[l].r[0];
        w->out[l].r[4] = (u32)together;
        w->out[l].r[5] = (u32)(together >> 32);
    }
}

Test(isa_warp_flow, both_ways_of_a_branch_and_together_again) {
    struct warp_test t = {.instruction = "@p1 bra yes\nmov.b32 r15, r8\nbra join\nyes:\nmov.b32 r14, r8\njoin:\n"
                                         "s2r.b64 r12, %activemask",
                          .expect = expect_if};
    warp_test(&t);
    t.instruction = "@!p1 bra no\nmov.b32 r14, r8\nbra join\nno:\nmov.b32 r15, r8\njoin:\ns2r.b64 r12, %activemask";
    warp_test(&t);
}

/*
 * A loop that each lane leaves when it likes, after r8 % 7 rounds or through the middle where r9 % 5 rounds are
 * reached.
 */
static void expect_loop(const struct warp_view *w, const void *ctx) {
    (void)ctx;
    u64 together = w->lanes == 64 ? ~(u64)0 : ((u64)1 << w->lanes) - 1;
    for (u32 l = 0; l < w->lanes; l++) {
        u32 sum = 0, rounds = 0, a = w->in[l].r[0] % 7, b = w->in[l].r[1] % 5;
        while (rounds < a) {
            sum += w->in[l].r[2];
            if (rounds == b)
                break;
            sum ^= w->in[l].r[3];
            rounds++;
        }
        w->out[l].r[6] = sum;
        w->out[l].r[7] = rounds;
        w->out[l].r[4] = (u32)together;
        w->out[l].r[5] = (u32)(together >> 32);
    }
}

Test(isa_warp_flow, a_loop_with_two_ways_out) {
    struct warp_test t = {.instruction =
                              "rem.u32 r6, r8, 7\nrem.u32 r7, r9, 5\nmov.b32 r14, 0\nmov.b32 r15, 0\n"
                              "again:\nsetp.ge.u32 p5, r15, r6\n@p5 bra out\nadd.s32 r14, r14, r10\n"
                              "setp.eq.s32 p5, r15, r7\n@p5 bra out\nxor.b32 r14, r14, r11\nadd.s32 r15, r15, 1\n"
                              "bra again\nout:\ns2r.b64 r12, %activemask",
                          .expect = expect_loop};
    warp_test(&t);
}

/* ---- calls, returns, exits ---- */

static void expect_call(const struct warp_view *w, const void *ctx) {
    (void)ctx;
    for (u32 l = 0; l < w->lanes; l++) {
        const struct lane_state *in = &w->in[l];
        if (!(w->exec >> l & 1))
            continue;
        w->out[l].r[6] = in->r[6] + in->r[0];
        if (in->preds & 2)
            continue;
        w->out[l].r[6] ^= in->r[1];
        if (in->preds & 4)
            w->out[l].r[7] += 100;
    }
}

Test(isa_warp_flow, guarded_calls_and_early_returns) {
    struct warp_test t = {.instruction = "@p0 call f",
                          .tail = ".func f\nadd.s32 r14, r14, r8\n@p1 ret\nxor.b32 r14, r14, r9\n@p2 call g\nret\n"
                                  ".func g\nadd.s32 r15, r15, 100\nret\n",
                          .guarded = true,
                          .expect = expect_call};
    warp_test(&t);
}

/* Threads that ended have written nothing: their states keep what the buffer was filled with. */
static void expect_exit(const struct warp_view *w, const void *ctx) {
    (void)ctx;
    for (u32 l = 0; l < w->lanes; l++) {
        if (w->exec >> l & 1)
            memset(&w->out[l], 0xee, sizeof w->out[l]);
        else
            w->out[l].r[6] = w->in[l].r[0];
    }
}

Test(isa_warp_flow, exits_end_single_threads) {
    struct warp_test t = {.instruction = "@p0 exit\nmov.b32 r14, r8", .guarded = true, .expect = expect_exit};
    warp_test(&t);
    t.instruction = "@p0 ret\nmov.b32 r14, r8";
    warp_test(&t);
    t.instruction = "@p0 call f\nmov.b32 r14, r8";
    t.tail = ".func f\nexit\n";
    warp_test(&t);
    t.instruction = "@!p0 bra stay\nexit\nstay:\nmov.b32 r14, r8";
    warp_test(&t);
}

Test(isa_warp_flow, traps) {
    struct rig r = {.text = ".kernel t\ns2r r0, %tid.x\nsetp.eq.s32 p0, r0, 21\n@p0 trap\nexit\n", .block = {40}};
    for (u32 i = 0; rig_next(&i, &r.width, &r.engine);) {
        r.block[0] = 40;
        cr_expect(rig_fault(&r) == FAULT_TRAP);
        r.block[0] = 21; /* then no thread gets there */
        cr_expect(rig_fault(&r) == FAULT_NONE);
    }
}

/* ---- barriers ---- */

/* Threads hand a word to the thread opposite, through shared memory, again and again over all barriers. */
Test(isa_warp_flow, block_barriers) {
    static const char head[] =
        ".kernel t\n.param out : b32[]\n.shared a : u32[200]\n.shared b : u32[200]\n"
        "s2r r0, %tid.x\ns2r r1, %ntid.x\ns2r r9, %ctaid.x\nsub.s32 r2, r1, 1\nsub.s32 r2, r2, r0\n"
        "shl.b32 r3, r0, 2\nshl.b32 r4, r2, 2\nmad.lo.s32 r5, r9, 1000, r0\n";
    SCOPED(buf_free) struct buf text = {0};
    buf_puts(&text, head);
    for (u32 i = 0; i < BARRIER_COUNT; i++)
        buf_printf(&text,
                   "add.s32 r5, r5, 10000\nst.shared.b32 [%s+r3], r5\nbar.sync %u%s\nld.shared.b32 r5, [%s+r4]\n",
                   i % 2 ? "a" : "b", i, i % 3 == 1 ? ", r10" : "", i % 2 ? "a" : "b");
    buf_puts(&text, "ld.param.b64 r6, [out]\nmad.lo.s32 r9, r9, r1, r0\nmad.wide.u32 r6, r9, 4, r6\n"
                    "st.global.b32 [r6], r5\nexit\n");
    char *count = strstr(text.data, "mad.lo.s32 r5"); /* r10: the threads of the block, in whole warps */
    SCOPED(buf_free) struct buf whole = {0};
    buf_append(&whole, text.data, (size_t)(count - text.data));
    buf_puts(&whole, "s2r r10, %nwarpid\ns2r r11, %warpsize\nmul.lo.s32 r10, r10, r11\n");
    buf_puts(&whole, count);
    u32 out[5 * 200];
    static const u32 blocks[] = {1, 8, 63, 64, 65, 150, 200};
    struct rig r = {.text = whole.data, .grid = {5}, .buffer = {{"out", out, sizeof out}}};
    for (size_t k = 0; k < COUNT_OF(blocks); k++)
        for (u32 i = 0; rig_next(&i, &r.width, &r.engine);) {
            r.block[0] = blocks[k];
            rig_run(&r);
            for (u32 t = 0; t < 5 * blocks[k]; t++) {
                /* an even number of turns around: back where it began */
                u32 want = t / blocks[k] * 1000 + t % blocks[k] + BARRIER_COUNT * 10000;
                cr_assert(out[t] == want, "width %u, block of %u, thread %u: must be %u, is %u", r.width, blocks[k], t,
                          want, out[t]);
            }
        }
}

/* Data of blocks: no thread's predicate holds, all hold, all but one, some. */
static u32 truth(u32 block, u32 thread) {
    return block == 0 ? 0 : block == 1 ? 1 : block == 2 ? thread != 5 : thread * 0x9e3779b9u >> 30 == 1;
}

Test(isa_warp_flow, barriers_that_reduce) {
    static const char text[] =
        ".kernel t\n.param x : b32[]\n.param out : b32[]\ns2r r0, %tid.x\ns2r r1, %ctaid.x\ns2r r2, %ntid.x\n"
        "mad.lo.s32 r0, r1, r2, r0\nld.param.b64 r4, [x]\nmad.wide.u32 r4, r0, 4, r4\nld.global.b32 r6, [r4]\n"
        "setp.ne.s32 p0, r6, 0\ns2r r10, %nwarpid\ns2r r11, %warpsize\nmul.lo.s32 r10, r10, r11\n"
        "bar.red.popc r8, 3, p0\nbar.red.and p1, 3, p0\nbar.red.or p2, 4, !p0, r10\nbar.red.popc r9, 15, !p0, r10\n"
        "mov.b32 r12, 1\nsel.b32 r13, r12, rz, p1\nsel.b32 r14, r12, rz, p2\nmad.lo.s32 r8, r9, 1000, r8\n"
        "mad.lo.s32 r8, r13, 1000000, r8\nmad.lo.s32 r8, r14, 2000000, r8\nld.param.b64 r4, [out]\n"
        "mad.wide.u32 r4, r0, 4, r4\nst.global.b32 [r4], r8\nexit\n";
    static const u32 blocks[] = {8, 63, 64, 65, 150, 200};
    static u32 x[4 * 200], out[4 * 200];
    struct rig r = {.text = text, .grid = {4}, .buffer = {{"x", x, sizeof x}, {"out", out, sizeof out}}};
    for (size_t k = 0; k < COUNT_OF(blocks); k++)
        for (u32 i = 0; rig_next(&i, &r.width, &r.engine);) {
            u32 threads = blocks[k], held[4] = {0};
            for (u32 t = 0; t < 4 * threads; t++) {
                x[t] = truth(t / threads, t % threads);
                held[t / threads] += x[t];
            }
            r.block[0] = threads;
            rig_run(&r);
            for (u32 t = 0; t < 4 * threads; t++) {
                u32 n = held[t / threads], want = n + 1000 * (threads - n) + (n == threads ? 1000000u : 2000000u);
                cr_assert(out[t] == want, "width %u, block of %u, thread %u: must be %u, is %u", r.width, threads, t,
                          want, out[t]);
            }
        }
}

Test(isa_warp_flow, barriers_that_reduce_meet_their_like_as_whole_warps) {
    static const char *const bad[] = {"@p0 bra a\nbar.sync 1\nexit\na: bar.red.popc r8, 1, p0\nexit\n",
                                      "@p0 bra a\nbar.red.or p1, 1, p0\nexit\na: bar.red.and p1, 1, p0\nexit\n",
                                      "s2r r3, %laneid\nsetp.lt.u32 p0, r3, 3\n@p0 bar.red.popc r8, 1, p0\nexit\n"};
    for (size_t i = 0; i < COUNT_OF(bad); i++) {
        SCOPED(buf_free) struct buf text = {0};
        buf_printf(&text, ".kernel t\ns2r r0, %%warpid\nsetp.eq.s32 p0, r0, 0\n%s", bad[i]);
        struct rig r = {.text = text.data, .width = 8, .block = {16}};
        cr_expect(rig_fault(&r) == FAULT_BARRIER, "%s", bad[i]);
    }
}

/* The first warp only arrives; the second waits for it, so that the first one's earlier writes are visible. */
Test(isa_warp_flow, arriving_without_waiting) {
    static const char text[] = ".kernel t\n.param out : b32[]\n.shared box : u32[64]\n"
                               "s2r r0, %laneid\ns2r r1, %warpid\ns2r r2, %warpsize\nshl.b32 r3, r0, 2\n"
                               "shl.b32 r4, r2, 1\nsetp.eq.s32 p0, r1, 0\nadd.s32 r5, r0, 500\n@!p0 bra consumer\n"
                               "bar.sync 7, r4\n" /* the second warp is waiting by now, or will be */
                               "st.shared.b32 [box+r3], r5\nbar.arrive 3, r4\nexit\n"
                               "consumer:\nmov.b32 r6, 0\nst.shared.b32 [box+r3], r6\nbar.sync 7, r4\nbar.sync 3, r4\n"
                               "ld.shared.b32 r6, [box+r3]\nld.param.b64 r8, [out]\nmad.wide.u32 r8, r0, 4, r8\n"
                               "st.global.b32 [r8], r6\nexit\n";
    u32 out[64];
    struct rig r = {.text = text, .buffer = {{"out", out, sizeof out}}};
    for (u32 i = 0; rig_next(&i, &r.width, &r.engine);) {
        memset(out, 0, sizeof out);
        r.block[0] = 2 * r.width;
        rig_run(&r);
        for (u32 l = 0; l < r.width; l++)
            cr_assert(out[l] == 500 + l, "width %u, lane %u: %u", r.width, l, out[l]);
    }
}

/* ---- lanes beyond the block ---- */

Test(isa_warp_flow, lanes_beyond_the_block_touch_nothing) {
    static const char text[] = ".kernel t\n.param out : b32[]\ns2r r0, %warpid\ns2r r1, %warpsize\ns2r r2, %laneid\n"
                               "mad.lo.s32 r0, r0, r1, r2\nld.param.b64 r4, [out]\nmad.wide.u32 r4, r0, 4, r4\n"
                               "ld.global.b32 r6, [r4]\nadd.s32 r6, r6, 1\nst.global.b32 [r4], r6\n"
                               "ld.param.b64 r4, [out]\nmov.b32 r6, 1\nred.add.u32 [r4+400], r6\nexit\n";
    u32 out[101];
    struct rig r = {.text = text, .buffer = {{"out", out, sizeof out}}};
    for (u32 i = 0; rig_next(&i, &r.width, &r.engine);)
        for (u32 threads = 1; threads <= 100; threads += 11) {
            memset(out, 0, sizeof out);
            r.block[0] = threads;
            rig_run(&r);
            for (u32 t = 0; t < 100; t++)
                cr_assert(out[t] == (t < threads), "width %u, block of %u, word %u is %u", r.width, threads, t, out[t]);
            cr_assert(out[100] == threads);
        }
}
