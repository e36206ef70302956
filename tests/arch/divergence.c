/* Do lanes that diverge do the right work, and reconverge where they should? */
#include "tests/lib/launch.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

static const u32 widths[] = {8, 16, 32, 64};

/* Every kernel begins with this: i = thread index, po = &out[i]. */
#define HEAD \
    ".kernel t\n.param out : u32[]\n.reg i, n, v, t, w, po:2\n.pred p, q, s\n" \
    "s2r i, %ctaid.x\ns2r n, %ntid.x\ns2r t, %tid.x\nmad.lo.s32 i, i, n, t\n" \
    "ld.param.b64 po, [out]\nmad.wide.u32 po, i, 4, po\nmov.b32 v, 0\n"
#define TAIL "st.global.b32 [po], v\nexit\n"

/* Runs at every width on 2 blocks of 70 threads (a partly full last warp) and compares with `want(i)`. */
static void check(const char *name, const char *text, u32 (*want)(u32 i)) {
    for (size_t k = 0; k < COUNT_OF(widths); k++) {
        u32 out[160];
        memset(out, 0xee, sizeof out);
        struct outcome_of o = launch_text(text, (struct sizes){widths[k], 2, 70}, out, 160);
        cr_assert(o.outcome == RUN_OK, "%s, warp %u: %s", name, widths[k], o.text);
        for (u32 i = 0; i < 140; i++)
            cr_assert(out[i] == want(i), "%s, warp %u: out[%u] = %u, expected %u", name, widths[k], i, out[i], want(i));
        for (u32 i = 140; i < 160; i++)
            cr_assert(out[i] == 0xeeeeeeee, "%s, warp %u: a lane beyond the block wrote out[%u]", name, widths[k], i);
    }
}

static u32 if_else(u32 i) {
    return (i & 1 ? 10 : 20) + i;
}

Test(divergence, if_else) {
    check("if/else",
          HEAD "and.b32 t, i, 1\nsetp.eq.s32 p, t, 1\n@p bra odd\nmov.b32 v, 20\nbra join\n"
               "odd: mov.b32 v, 10\njoin: add.s32 v, v, i\n" TAIL,
          if_else);
}

static u32 if_only(u32 i) {
    return i % 3 == 0 ? 7 : 0;
}

Test(divergence, if_without_else) {
    check("if", HEAD "rem.u32 t, i, 3\nsetp.ne.s32 p, t, 0\n@p bra skip\nmov.b32 v, 7\nskip:\n" TAIL, if_only);
}

static u32 triangle(u32 i) {
    return (i % 13) * (i % 13 + 1) / 2;
}

Test(divergence, loop_with_a_trip_count_per_lane) {
    check("loop",
          HEAD "rem.u32 t, i, 13\nsetp.eq.s32 p, t, 0\n@p bra done\nagain: add.s32 v, v, t\nsub.s32 t, t, 1\n"
               "setp.ne.s32 p, t, 0\n@p bra again\ndone:\n" TAIL,
          triangle);
}

static u32 nested(u32 i) {
    u32 v = 0;
    for (u32 a = 0; a < i % 5; a++)
        for (u32 b = 0; b <= a; b++)
            v += (b & 1) ? 100 : 1;
    return v;
}

Test(divergence, nested_loops_with_an_if_inside) {
    check("nested",
          HEAD ".reg a, b, lim\nrem.u32 lim, i, 5\nmov.b32 a, 0\n"
               "outer: setp.ge.u32 p, a, lim\n@p bra done\nmov.b32 b, 0\n"
               "inner: and.b32 t, b, 1\nsetp.eq.s32 q, t, 0\n@q bra even\nadd.s32 v, v, 100\nbra next\n"
               "even: add.s32 v, v, 1\n"
               "next: add.s32 b, b, 1\nsetp.le.u32 s, b, a\n@s bra inner\nadd.s32 a, a, 1\nbra outer\ndone:\n" TAIL,
          nested);
}

static u32 broken(u32 i) {
    u32 v = 0;
    for (u32 a = 0; a < 20; a++) {
        if (a == i % 7)
            break;
        if ((a & 1) == 0)
            continue;
        v += a;
    }
    return v + 1000;
}

Test(divergence, break_and_continue) {
    check("break",
          HEAD ".reg a, lim\nrem.u32 lim, i, 7\nmov.b32 a, 0\n"
               "loop: setp.eq.s32 p, a, lim\n@p bra done\nand.b32 t, a, 1\nsetp.eq.s32 q, t, 0\n@q bra next\n"
               "add.s32 v, v, a\nnext: add.s32 a, a, 1\nsetp.lt.u32 s, a, 20\n@s bra loop\n"
               "done: add.s32 v, v, 1000\n" TAIL,
          broken);
}

static u32 early(u32 i) {
    return i % 4 == 2 ? 0xeeeeeeee : i % 4 == 1 ? 5 : 6;
}

Test(divergence, some_lanes_exit_early) {
    check("exit",
          HEAD
          "and.b32 t, i, 3\nsetp.eq.s32 p, t, 2\n@p exit\nsetp.eq.s32 q, t, 1\n@q bra one\nmov.b32 v, 6\nbra join\n"
          "one: mov.b32 v, 5\njoin:\n" TAIL,
          early);
}

static u32 early_inside(u32 i) {
    return i % 4 == 3 ? 0xeeeeeeee : i % 2 ? 1 : 2;
}

Test(divergence, exit_inside_a_divergent_arm) {
    check("exit in arm",
          HEAD "and.b32 t, i, 1\nsetp.eq.s32 p, t, 0\n@p bra even\nand.b32 t, i, 3\nsetp.eq.s32 q, t, 3\n@q exit\n"
               "mov.b32 v, 1\nbra join\neven: mov.b32 v, 2\njoin:\n" TAIL,
          early_inside);
}

static u32 called(u32 i) {
    return (i & 1 ? 3 * i : i) + 1;
}

Test(divergence, a_call_by_some_lanes) {
    check("call",
          HEAD "mov.b32 r40, i\nand.b32 t, i, 1\nsetp.eq.s32 p, t, 1\n@p call triple\nadd.s32 v, r40, 1\n" TAIL
               ".func triple\nmul.lo.s32 r40, r40, 3\nret\n",
          called);
}

static u32 called_with_returns(u32 i) {
    return i % 5 < 2 ? 11 : i % 5 == 2 ? 22 : 33;
}

Test(divergence, lanes_return_at_different_places) {
    check("returns",
          HEAD "rem.u32 r40, i, 5\ncall pick\nmov.b32 v, r41\n" TAIL
               ".func pick\n.pred a, b\nsetp.lt.u32 a, r40, 2\n@a mov.b32 r41, 11\n@a ret\nsetp.ne.s32 b, r40, 2\n"
               "@b bra other\nmov.b32 r41, 22\nret\nother: mov.b32 r41, 33\nret\n",
          called_with_returns);
}

static u32 factorial(u32 i) {
    u32 v = 1;
    for (u32 a = 2; a <= i % 9; a++)
        v *= a;
    return v;
}

Test(divergence, recursion_to_a_depth_per_lane) {
    check("recursion",
          HEAD "rem.u32 r40, i, 9\nmov.b32 r41, 1\ncall fact\nmov.b32 v, r41\n" TAIL
               ".func fact\n.pred stop\nsetp.le.u32 stop, r40, 1\n@stop ret\nmul.lo.s32 r41, r41, r40\n"
               "sub.s32 r40, r40, 1\ncall fact\nret\n",
          factorial);
}

static u32 exit_in_function(u32 i) {
    return i % 3 == 1 ? 0xeeeeeeee : 9;
}

Test(divergence, some_lanes_exit_inside_a_function) {
    check("exit in function",
          HEAD "rem.u32 r40, i, 3\ncall leave\nmov.b32 v, 9\n" TAIL
               ".func leave\n.pred a\nsetp.eq.s32 a, r40, 1\n@a exit\nret\n",
          exit_in_function);
}

/* Two entries into one loop: lanes with odd i enter in the middle. */
static u32 irreducible(u32 i) {
    u32 v = 0, n = i % 6;
    bool second = i & 1;
    for (;;) {
        if (!second)
            v += 1;
        second = false;
        v += 100;
        if (n == 0)
            return v;
        n--;
    }
}

Test(divergence, irreducible_control_flow) {
    check("irreducible",
          HEAD ".reg c\nrem.u32 c, i, 6\nand.b32 t, i, 1\nsetp.eq.s32 p, t, 1\n@p bra middle\n"
               "top: add.s32 v, v, 1\nmiddle: add.s32 v, v, 100\nsetp.eq.s32 q, c, 0\n@q bra done\nsub.s32 c, c, 1\n"
               "bra top\ndone:\n" TAIL,
          irreducible);
}

static u32 short_circuit(u32 i) {
    return (i % 2 == 0 && i % 3 == 0) || i % 5 == 0 ? 1 : 2;
}

Test(divergence, short_circuit_conditions) {
    check("short circuit",
          HEAD "and.b32 t, i, 1\nsetp.ne.s32 p, t, 0\n@p bra second\nrem.u32 t, i, 3\nsetp.eq.s32 p, t, 0\n@p bra yes\n"
               "second: rem.u32 t, i, 5\nsetp.eq.s32 p, t, 0\n@p bra yes\nmov.b32 v, 2\nbra join\nyes: mov.b32 v, 1\n"
               "join:\n" TAIL,
          short_circuit);
}

/* Lanes reconverge right after the if, not at the end: a shuffle there finds all of them. */
Test(divergence, lanes_meet_at_the_immediate_post_dominator) {
    static const char text[] =
        HEAD "and.b32 t, i, 1\nsetp.eq.s32 p, t, 1\n@p bra odd\nmov.b32 v, 20\nbra join\nodd: mov.b32 v, 10\n"
             "join: shfl.bfly.b32 v, v, 1\n" TAIL;
    for (size_t k = 0; k < COUNT_OF(widths); k++) {
        u32 out[64];
        struct outcome_of o = launch_text(text, (struct sizes){widths[k], 1, 64}, out, 64);
        cr_assert(o.outcome == RUN_OK, "warp %u: %s", widths[k], o.text);
        for (u32 i = 0; i < 64; i++)
            cr_assert(out[i] == (i & 1 ? 20u : 10u), "warp %u: out[%u] = %u", widths[k], i, out[i]);
    }
}

static u32 ends_apart(u32 i) {
    return i % 3 == 0 ? (i & 1 ? 51 : 52) : i % 3 == 1 ? 61 : 62;
}

/* A branch whose ways never meet, inside an arm that others wait for. */
Test(divergence, ways_that_end_apart_inside_an_arm) {
    check("ends apart",
          HEAD "rem.u32 t, i, 3\nsetp.ne.s32 p, t, 0\n@p bra others\nand.b32 t, i, 1\nsetp.eq.s32 q, t, 1\n@q bra odd\n"
               "mov.b32 v, 52\n" TAIL "odd: mov.b32 v, 51\n" TAIL
               "others: mov.b32 v, 62\nsetp.ne.s32 s, t, 1\n@s bra join\nmov.b32 v, 61\njoin:\n" TAIL,
          ends_apart);
}

/* A loop that some lanes never leave does not keep the others from their work. */
Test(divergence, an_endless_loop_of_some_lanes) {
    static const char text[] = HEAD "st.global.b32 [po], t\nand.b32 v, i, 1\nsetp.eq.s32 p, v, 1\n@!p bra on\n"
                                    "forever: bra forever\non: add.s32 v, t, 100\n" TAIL;
    u32 out[32] = {0};
    struct outcome_of o = launch_text(text, (struct sizes){32, 1, 32}, out, 32);
    cr_assert(o.outcome == RUN_FAULT && o.fault.kind == FAULT_LIMIT, "%s", o.text);
    for (u32 i = 0; i < 32; i++)
        cr_assert(out[i] == i || out[i] == i + 100, "out[%u] = %u", i, out[i]);
}

/* A loop that lanes leave one by one must not use a frame for each trip. */
Test(divergence, a_long_divergent_loop_needs_no_more_frames) {
    static const char text[] =
        HEAD "mul.lo.s32 n, t, 50\nloop: add.s32 v, v, 1\nsetp.lt.u32 p, v, n\n@p bra loop\n" TAIL;
    u32 out[64];
    struct outcome_of o = launch_text(text, (struct sizes){32, 1, 64}, out, 64);
    cr_assert(o.outcome == RUN_OK, "%s", o.text);
    for (u32 i = 0; i < 64; i++)
        cr_assert(out[i] == (i ? i * 50 : 1), "out[%u] = %u", i, out[i]);
}
